#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include <abut/contacts.hpp>

#include "bodies/world.hpp"

namespace abut {

[[nodiscard]] inline bool any_period(const periodic_axes& axes) { return axes[0] || axes[1] || axes[2]; }

/// The center of a body on axis k.
[[nodiscard]] inline double center_of(const bodies& b, row i, int k) {
  return b.kind() == shape::sphere ? b.at(k)[i] : (b.at(k)[i] + b.at(b.dimension() + k)[i]) / 2;
}

/// Finds by how many periods the second bodies of contacts must be shifted for their centers to be nearest to those of
/// the first, on each axis by itself; of two equally near images, the upper one.
class image_finder {
 public:
  /// The bodies and what was measured of them must outlive it.
  image_finder(const bodies& firsts, const measures& of_firsts, const bodies& seconds, const measures& of_seconds,
               const periodic_axes& periodic);

  /// Whether an axis is periodic.
  [[nodiscard]] bool needed() const { return needed_; }
  /// Whether `check` has to look at the contacts.
  [[nodiscard]] bool needs_check() const { return needed_ && !near_; }
  /// Throws `error` if the bodies of a contact are more than 2^31 - 1 periods apart.
  void check(const row* first, const row* second, std::size_t count, int threads) const;
  /// Writes the images of contacts that were checked; nothing if none are needed.
  void find(const row* first, const row* second, std::size_t count, int threads, image_shift* to) const;

 private:
  [[nodiscard]] image_shift nearest(row i, row j) const;

  const bodies& firsts_;
  const bodies& seconds_;
  periodic_axes periodic_;
  bool needed_ = false;
  bool near_ = true;  // going by what was measured, no two bodies are too far apart
};

}  // namespace abut
