#pragma once

#include <cstdint>
#include <vector>

#include <abut/dem/dem.hpp>

namespace abut::cli {

/// How many other bodies touch each one, by row. Walls do not count, nor do two bodies of a clump or two that nothing
/// can push. Finds them by a search of its own: the counts depend on the state alone.
[[nodiscard]] std::vector<std::uint32_t> coordination_of(const dem::state& bodies, const dem::settings& settings);

/// The contacts that overlap, those with walls included.
[[nodiscard]] std::vector<dem::contact_report> contacts_of(const dem::simulation& now);

}  // namespace abut::cli
