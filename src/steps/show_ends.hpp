#pragma once

#include <cstdint>
#include <functional>

#include "bodies/sketcher.hpp"
#include "steps/end_list.hpp"

namespace abut {

/// Shows the sorted ends of axes, beside the bodies: a line for each axis, the ends on it and their ranks.
class shown_ends {
 public:
  /// Adds the kinds. `both`: the lists have lower and upper ends.
  shown_ends(sketcher& out, bool both);

  /// Shows the list of axis k, whose entries belong to the rows `row_of(entry)`. Ranks in [from, to) are searched.
  void show(int k, const end_list& list, const std::function<row(row)>& row_of, std::size_t from = 0,
            std::size_t to = 0) const;
  /// The same if entries are rows.
  void show(int k, const end_list& list, std::size_t from = 0, std::size_t to = 0) const;

  /// The coordinate of the end with this rank.
  [[nodiscard]] double at(int k, const end_list& list, std::size_t rank) const;

 private:
  [[nodiscard]] double at(int k, std::uint32_t what, row of) const;
  [[nodiscard]] sketch::place on_axis(int k, double x) const;

  sketcher& out_;
  std::uint32_t axis_ = 0;
  std::uint32_t lower_ = 0;
  std::uint32_t upper_ = 0;
};

}  // namespace abut
