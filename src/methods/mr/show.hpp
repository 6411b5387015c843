#pragma once

#include "bodies/sketcher.hpp"
#include "methods/mr/list.hpp"

namespace abut {

/// The kinds of shapes that lists of MR are shown as.
struct mr_kinds {
  explicit mr_kinds(sketcher& out)
      : cell(out.kind("cell", "holds the bodies that are centered in it", sketch::holding::anchors)),
        list(out.kind("list", "the bodies in the order of their cells: y, then x (in 3D z first)")),
        mask(out.any_chosen() ? out.kind("mask", "the cells in which the body's partners before it in the list can be")
                              : 0) {}

  std::uint32_t cell;
  std::uint32_t list;
  std::uint32_t mask;
};

/// Which bodies of a list the chosen one is compared with.
enum class mr_compared : std::uint8_t {
  none,
  before,  ///< those before it in the list, in its own and the neighboring cells
  all      ///< all in its own and the neighboring cells; it is in another list
};

/// Shows a list as a line through its bodies, with the cells that hold them.
template <int D, bool Keep>
void mr_show(sketcher& out, const mr_kinds& kinds, std::uint32_t level, const mr_lists<D, Keep>& lists, int list,
             mr_compared which);

}  // namespace abut
