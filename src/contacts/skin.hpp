#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include <abut/search.hpp>

#include "bodies/volumes.hpp"
#include "steps/neighborhood.hpp"

namespace abut {

/// The skin of a list: given, or tuned by what was counted.
class contact_skin {
 public:
  /// Users look at each listed pair `looks` times in each step.
  contact_skin(std::optional<double> given, double looks)
      : given_(given), next_(given.value_or(0)), tuning_(rates(looks)) {}

  /// Whether there is one: given, tuned, or that of `start`.
  [[nodiscard]] bool started() const { return given_ || started_; }
  /// For bodies of whose motion nothing is known yet.
  void start(double unit) {
    if (!given_) next_ = neighborhood::start(unit);
    started_ = unit > 0;
  }
  /// Steps have passed in which the list held or ceased to: the two farthest moves since the update add up to `moves`.
  void step(double moves, std::uint64_t count) {
    const auto before = static_cast<std::uint64_t>(steps_);
    steps_ += static_cast<double>(count);
    if (before == 0) first_moves_ = moves / steps_;
    moves_ = moves;
    doubled_ = std::bit_width(before + count) > std::bit_width(before);
  }
  /// The list does not hold any more: chooses the next skin.
  void tune() {
    if (can_tune()) next_ = tuning_.best(unit_, dimension_, used_, work_, motion());
  }
  /// Whether to rebuild although the list still holds, because it lists many more pairs than such slow bodies need.
  /// Asked after about 8, 16, 32, ... steps.
  [[nodiscard]] bool too_thick() {
    return steps_ >= 8 && doubled_ && can_tune() && tuning_.pays(unit_, dimension_, used_, work_, motion());
  }
  /// The list was rebuilt with pairs up to this skin.
  void rebuilt(double used, double unit, int dimension, const neighborhood::rebuild_work& work) {
    used_ = used;
    unit_ = unit;
    dimension_ = dimension;
    work_ = work;
    steps_ = moves_ = first_moves_ = 0;
  }

  /// The skin of the next rebuild.
  [[nodiscard]] double next() const { return next_; }

  /// The same, no longer than periods allow: a reach of more than half a side is refused by searches.
  [[nodiscard]] double next(const periodic_axes& periodic, int dimension, const measures& m, double margin) const {
    double skin = next_;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
      if (!periodic[k]) continue;
      const double side = periodic[k]->max - periodic[k]->min;
      const double most = side / 2 - m.widest[k] - margin;
      skin = std::min(skin, most - rounding_room(side));
    }
    return std::max(skin, 0.0);
  }

 private:
  // A rebuild sorts pairs into slots too, and users do more with a listed pair than test it.
  static neighborhood::rates rates(double looks) {
    return {.body = 70, .test = 1, .listing = 20, .once = 8000, .pair = 5 * looks};
  }

  [[nodiscard]] bool can_tune() const {
    return !given_ && steps_ > 0 && moves_ > 0 && moves_ < world::largest && unit_ < world::largest;
  }
  // `neighborhood` speaks of mean moves.
  [[nodiscard]] neighborhood::motion motion() const {
    constexpr double share = 1 / neighborhood::moves_per_distance;
    return {steps_, moves_ * share, first_moves_ * share};
  }

  std::optional<double> given_;
  double next_;
  neighborhood tuning_;
  double used_ = 0;
  double unit_ = 0;
  int dimension_ = 3;
  neighborhood::rebuild_work work_{};
  double steps_ = 0;
  double moves_ = 0;
  double first_moves_ = 0;
  bool started_ = false;
  bool doubled_ = false;  // the steps have reached another power of two
};

}  // namespace abut
