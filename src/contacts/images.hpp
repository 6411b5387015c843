#pragma once

#include <array>
#include <optional>

#include <abut/contacts.hpp>

namespace abut {

[[nodiscard]] inline bool any_period(const periodic_axes& axes) { return axes[0] || axes[1] || axes[2]; }

/// The center of a body on axis k.
[[nodiscard]] inline double center_of(const bodies& b, row i, int k) {
  return b.kind() == shape::sphere ? b.at(k)[i] : (b.at(k)[i] + b.at(b.dimension() + k)[i]) / 2;
}

/// By how many periods body j of `others` must be shifted for its center to be nearest to that of body i, on each
/// axis by itself; of two equally near images, the upper one. Throws `error` if they are more than 2^31 - 1 periods
/// apart.
[[nodiscard]] image_shift nearest_image(const bodies& b, row i, const bodies& others, row j,
                                        const periodic_axes& periodic);

}  // namespace abut
