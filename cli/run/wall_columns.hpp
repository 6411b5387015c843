#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "scene/scene.hpp"

namespace abut::cli {

/// The columns of a series that say what bodies do to walls: force and torque for each name that walls have, and the
/// position of those that move. Walls of one name count as one; its torque is about the center of the first of them,
/// which is its position.
class wall_columns {
 public:
  explicit wall_columns(const scene& what);
  /// ",lid_force_x,lid_force_y,..."; empty if no wall has a name. Only what there is in 2D, if the scene is.
  [[nodiscard]] std::string header() const;
  /// ",1.5,0,...": the loads at this time.
  [[nodiscard]] std::string row_of(const dem::simulation& now) const;

 private:
  struct named {
    std::string name;
    std::vector<std::size_t> walls;
    bool moves = false;
  };
  std::vector<named> all_;
  bool solid_;  // 3D
};

}  // namespace abut::cli
