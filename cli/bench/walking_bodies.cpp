#include "bench/walking_bodies.hpp"

#include <algorithm>

namespace abut::cli {

walking_bodies::walking_bodies(const bodies_file& file, double move, std::uint64_t seed)
    : move_(move), seed_(seed), random_(seed) {
  now_.kind = file.kind;
  now_.dimension = file.dimension;
  now_.size = file.size;
  const int used = file.view().columns();
  for (std::size_t k = 0; k < static_cast<std::size_t>(used); ++k) {
    numbers_[k].resize(file.size);
    file.columns[k].read(0, file.size, numbers_[k].data());
    now_.columns[k] = column(numbers_[k]);
  }
  if (move_ > 0) start_ = numbers_;
}

void walking_bodies::restart() {
  random_ = samples::random(seed_);
  if (move_ > 0) {
    // Copied into the same arrays: the views look there.
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      std::copy(start_[k].begin(), start_[k].end(), numbers_[k].begin());
    }
  }
}

void walking_bodies::step() {
  if (!(move_ > 0)) return;
  const auto axes = static_cast<std::size_t>(now_.dimension);
  for (std::size_t i = 0; i < now_.size; ++i) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const double part = random_.uniform(-move_, move_);
      if (now_.kind == shape::sphere) {
        numbers_[axis][i] += part * (2 * numbers_[axes][i]);
      } else {
        double& min = numbers_[2 * axis][i];
        double& max = numbers_[2 * axis + 1][i];
        const double shift = part * (max - min);
        min += shift;
        max += shift;
      }
    }
  }
}

}  // namespace abut::cli
