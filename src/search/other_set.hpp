#pragma once

#include <algorithm>

#include <abut/other_set.hpp>

#include "bodies/world.hpp"

namespace abut {

/// The other set as a world of its own, in which nothing is periodic.
class other_set::state {
 public:
  /// Checks the bodies. Throws `error`, naming the set and the body.
  state(const bodies& b, int threads);

  [[nodiscard]] const world& all() const { return all_; }

  /// The number of tasks into which the search for pairs with this set is split: each has some bodies, in order.
  [[nodiscard]] std::size_t tasks() const { return tasks_of(all_.size()); }
  [[nodiscard]] static std::size_t tasks_of(std::size_t bodies) {
    return (bodies + bodies_per_task - 1) / bodies_per_task;
  }
  [[nodiscard]] row begin(std::size_t task) const {
    return static_cast<row>(std::min(all_.size(), task * bodies_per_task));
  }

  /// Throws `error` if the set cannot be searched for in this world: another dimension, or a body too many periods
  /// away.
  void check_against(const world& searched) const;

 private:
  static constexpr std::size_t bodies_per_task = 256;

  world all_;
};

}  // namespace abut
