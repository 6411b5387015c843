#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/balls.hpp"
#include "render/image.hpp"
#include "render/strokes.hpp"

/// The surfaces of walls, which are seen through.
namespace abut::cli {

/// A triangle as the viewer sees it, with the directions in which the surface faces at its corners; either side will
/// do.
struct pane {
  std::array<seen, 3> corners{};
  std::array<seen, 3> normals{};
};

/// What is in front of a sample.
struct veil {
  float through = 1;  ///< the part of the light from behind that passes
  rgb light{};        ///< of all panes, each times its weight
  float weight = 0;

  /// What is seen of a color behind it.
  [[nodiscard]] rgb over(const rgb& behind) const {
    return weight > 0 ? behind * through + light * ((1 - through) / weight) : behind;
  }
};

/// Panes, sorted by the rows of samples that they are in.
class pane_rows {
 public:
  /// Panes are cut as the balls are. A ball that is not more than `pressed` samples before a pane is behind it: bodies
  /// that are pressed into walls do not show through.
  pane_rows(std::vector<pane> panes, int height, const std::optional<cut_plane>& cut, float pressed);

  [[nodiscard]] bool empty() const { return panes_.empty(); }
  /// What is in front of each sample of a row: of all panes nearer than what the image shows there.
  void veil_row(int y, const depth_image& view, std::vector<veil>& row) const;
  /// Where the cut goes through panes.
  [[nodiscard]] std::vector<std::array<seen, 2>> section() const;

 private:
  void add(const pane& p, int y, const depth_image& view, std::vector<veil>& row) const;

  std::vector<pane> panes_;
  std::optional<cut_plane> cut_;
  float pressed_;
  std::vector<std::vector<std::uint32_t>> bands_;
};

}  // namespace abut::cli
