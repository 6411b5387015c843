#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "files/bodies_file.hpp"
#include "samples.hpp"

namespace abut::cli {

/// The bodies of a file on a random walk, which is the same after every restart and on every machine.
class walking_bodies {
 public:
  /// Each step moves every body on each axis by up to `move` times its diameter, or its side on that axis if it is a
  /// box.
  walking_bodies(const bodies_file& file, double move, std::uint64_t seed);

  /// A view of the current state, valid until the next step or restart.
  [[nodiscard]] bodies view() const { return now_.view(); }
  void restart();
  void step();

 private:
  using columns = std::array<std::vector<double>, 6>;

  double move_;
  std::uint64_t seed_;
  samples::random random_;
  samples::set now_{};
  columns start_{};  ///< empty if nothing moves
};

}  // namespace abut::cli
