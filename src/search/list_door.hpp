#pragma once

#include <abut/other_set.hpp>
#include <abut/search.hpp>

#include "bodies/world.hpp"

namespace abut {

/// What searches and other sets have measured, for lists of contacts, which need not look at all bodies again.
struct list_door {
  /// Of the bodies of the last update, as they were given: not wrapped. Looks at them if an axis is periodic.
  [[nodiscard]] static measures measured(const search& s);
  /// Of the bodies of the set.
  [[nodiscard]] static measures measured(const other_set& others);
};

}  // namespace abut
