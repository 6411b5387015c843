#pragma once

#include <memory>

#include "pair_law.hpp"

namespace abut::dem {

/// Any law at work on close pairs: contacts go to it in batches. `settings::half_step_velocities` if `half_step`.
[[nodiscard]] std::unique_ptr<const pair_law> make_batch_law(const law& of, bool half_step);

}  // namespace abut::dem
