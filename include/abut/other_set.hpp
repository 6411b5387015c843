#pragma once

#include <cstddef>
#include <memory>

#include <abut/api.h>
#include <abut/bodies.hpp>

namespace abut {

/// Another set of bodies, for pairs with those of a search: walls, probes, another species. It is checked once, and
/// then serves any number of searches of its dimension, step after step:
///
///     abut::other_set walls(abut::boxes(xmin, xmax, ymin, ymax, zmin, zmax));
///     search.for_each_pair_between(walls, [&](abut::row i, abut::row wall) { ... });
///     walls.update(abut::boxes(...));  // after they have moved
///
/// The arrays behind the bodies are read in place, at each search for pairs: they must exist, unchanged, as long as the
/// set is used or until its next update. The `const` members may be called from several threads at once.
class other_set {
 public:
  /// Takes in the bodies and checks them, in one pass on the calling thread. Throws `error` for invalid bodies, as
  /// `search::update` does.
  ABUT_API explicit other_set(const bodies& b);
  ABUT_API ~other_set();
  /// Moves in constant time. A moved-from set can only be assigned to or destroyed.
  ABUT_API other_set(other_set&&) noexcept;
  /// Moves in constant time. A moved-from set can only be assigned to or destroyed.
  ABUT_API other_set& operator=(other_set&&) noexcept;

  /// Takes in the bodies' current state: as many as you like, of either shape and dimension. If they are invalid,
  /// throws `error` and keeps those that it had.
  ABUT_API void update(const bodies& b);

  /// The number of bodies.
  [[nodiscard]] ABUT_API std::size_t size() const;

 private:
  friend class search;
  friend struct list_door;
  class state;
  std::unique_ptr<const state> state_;
};

}  // namespace abut
