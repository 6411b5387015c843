#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <abut/api.h>
#include <abut/dem/simulation.hpp>
#include <abut/dem/vec.hpp>

namespace abut::dem {

/// Something about a simulation that its author has surely or likely not meant.
struct doubt {
  bool sure = false;                    ///< it cannot be meant; otherwise, it is likely a mistake
  std::string text{};                   ///< one line: what it is, and the way out
  std::optional<std::uint32_t> body{};  ///< the id of a body that has it
  std::optional<std::size_t> wall{};    ///< the number of the wall that has it
};

/// Beyond this overlap, as a part of a radius, contacts are no longer what laws are made for.
inline constexpr double deep_overlap = 0.1;

/// Looks at a simulation before its first step: bodies behind walls or deep in them, bodies in one place or deep in
/// each other, openings that bodies cannot pass, a stiffness at which the weight makes overlaps beyond 5 % of a radius.
/// Of each kind, there is one doubt, about the worst case, with the number of the others. Sure ones come first.
///
///     for (const abut::dem::doubt& d : abut::dem::doubts_about(s, run)) std::cerr << d.text << '\n';
///
/// The settings are those of the simulation. Looks at all contacts, on one thread.
[[nodiscard]] ABUT_API std::vector<doubt> doubts_about(const settings& s, const simulation& at_start);

/// Looks at a simulation from time to time while it runs. Says each thing once.
class doubt_watch {
 public:
  /// The settings are those of the simulation; where its bodies, walls and pours are now is where bodies belong.
  ABUT_API doubt_watch(const settings& s, const simulation& at_start);

  /// What is new: overlaps beyond `deep_overlap`, and bodies that have left all walls and that nothing will catch.
  /// `m` is what the simulation measures now. Costs little unless bodies overlap deeply.
  [[nodiscard]] ABUT_API std::vector<doubt> look(const simulation& now, const measures& m);

 private:
  [[nodiscard]] std::optional<doubt> deep(const simulation& now, const measures& m);
  [[nodiscard]] std::optional<doubt> gone(const simulation& now);

  vec low_{}, high_{};  // of the space in which bodies belong
  double size_ = 0;     // its largest side
  vec gravity_{};
  periodic_axes periodic_{};
  double smallest_ = 0;   // radius
  double looked_at_ = 0;  // the largest overlap that has been looked at
  bool told_deep_ = false;
  bool told_gone_ = false;
};

}  // namespace abut::dem
