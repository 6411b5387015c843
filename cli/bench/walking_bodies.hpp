#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "files/bodies_file.hpp"
#include "samples.hpp"

namespace abut::cli {

/// The bodies of a file, in packed columns of double, that walk at random: the same walk from every restart, and on
/// every machine.
class walking_bodies {
 public:
  /// Each step moves every body by up to `move` of its diameter (a box: of its side) on each axis.
  walking_bodies(const bodies_file& file, double move, std::uint64_t seed);

  /// A view of the present state, good until the next step or restart.
  [[nodiscard]] bodies view() const { return now_.view(); }
  void restart();
  void step();

 private:
  using columns = std::array<std::vector<double>, 6>;

  double move_;
  std::uint64_t seed_;
  samples::random random_;
  columns start_{};  ///< empty where nothing moves
  columns numbers_{};
  bodies_file now_{};
};

}  // namespace abut::cli
