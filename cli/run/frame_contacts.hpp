#pragma once

#include <cstdint>
#include <vector>

#include <abut/dem/dem.hpp>

namespace abut::cli {

/// Two bodies that touch.
struct frame_contact {
  std::uint32_t first = 0, second = 0;  ///< ids; the first is the lower one
  dem::vec from{}, to{};                ///< the centers; the second one's nearest image, if space repeats
  double overlap = 0;
  /// The normal force that the law gives for this overlap and these velocities; positive if it pushes. What the law
  /// remembers of a contact is not known here, so tangential forces are not.
  double force = 0;
};

/// All pairs of bodies that touch in a state. Walls do not count, nor do two bodies of a clump or two that nothing can
/// push.
struct frame_contacts {
  std::vector<frame_contact> all{};           ///< by first, then second
  std::vector<std::uint32_t> coordination{};  ///< by id: how many bodies touch this one
};

/// Finds them by a search of its own. They depend on the state alone, not on the method or the number of threads.
[[nodiscard]] frame_contacts contacts_of(const dem::state& bodies, const dem::settings& settings);

}  // namespace abut::cli
