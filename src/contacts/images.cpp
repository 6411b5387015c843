#include "contacts/images.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace abut {

image_shift nearest_image(const bodies& b, row i, const bodies& others, row j, const periodic_axes& periodic) {
  image_shift shift{};
  for (int k = 0; k < b.dimension(); ++k) {
    const auto& period = periodic[static_cast<std::size_t>(k)];
    if (!period) continue;
    const double side = period->max - period->min;
    const double count = std::floor((center_of(b, i, k) - center_of(others, j, k)) / side + 0.5);
    if (!(std::abs(count) <= std::numeric_limits<std::int32_t>::max())) {
      throw error("rows " + std::to_string(i) + " and " + std::to_string(j) +
                      " touch through a border but are more than 2^31 periods apart: wrap the bodies",
                  j);
    }
    shift[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(count);
  }
  return shift;
}

}  // namespace abut
