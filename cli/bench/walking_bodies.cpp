#include "bench/walking_bodies.hpp"

#include <algorithm>

namespace abut::cli {

walking_bodies::walking_bodies(const bodies_file& file, double move, std::uint64_t seed)
    : move_(move), seed_(seed), random_(seed), now_{.kind = file.kind, .dimension = file.dimension} {
  for (std::size_t k = 0; k < static_cast<std::size_t>(now_.columns()); ++k) {
    now_.column[k].resize(file.size);
    file.columns[k].read(0, file.size, now_.column[k].data());
  }
  if (move_ > 0) start_ = now_.column;
}

void walking_bodies::restart() {
  random_ = samples::random(seed_);
  if (move_ > 0) {
    // Copied into the same arrays, because views point there.
    for (std::size_t k = 0; k < start_.size(); ++k) {
      std::copy(start_[k].begin(), start_[k].end(), now_.column[k].begin());
    }
  }
}

void walking_bodies::step() {
  if (!(move_ > 0)) return;
  const auto axes = static_cast<std::size_t>(now_.dimension);
  for (std::size_t i = 0; i < now_.size(); ++i) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const double part = random_.uniform(-move_, move_);
      if (now_.kind == shape::sphere) {
        now_.column[axis][i] += part * (2 * now_.column[axes][i]);
      } else {
        double& min = now_.column[axis][i];
        double& max = now_.column[axes + axis][i];
        const double shift = part * (max - min);
        min += shift;
        max += shift;
      }
    }
  }
}

}  // namespace abut::cli
