#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "formulas.hpp"
#include "fours.hpp"
#include "pair_law.hpp"
#include "vector_sets.hpp"

#define ABUT_SET plain
#define ABUT_WIDE_SET 0
#include "pair_loop.inl"
#undef ABUT_SET
#undef ABUT_WIDE_SET

#if ABUT_TWO_SETS
ABUT_WIDE_BEGIN
#define ABUT_SET wide
#define ABUT_WIDE_SET 1
#include "pair_loop.inl"
#undef ABUT_SET
#undef ABUT_WIDE_SET
ABUT_WIDE_END
#endif

namespace abut::dem {

/// A law by a formula: `formula(contact&)` sets force and torque, and what else a law must say. It has these constants:
/// `memory`, how many numbers it remembers; `torques`, whether it sets torques; `reaches`, whether there may be forces
/// between bodies that are apart; `stiffens`, whether a contact can get stiffer than what the time step was chosen for.
/// `central` names its force along the normal (formulas.inl), which is all of it if it remembers nothing; `pairs` are
/// the `numbers` that this force takes, by pair of materials.
template <class Formula>
class formula_law final : public pair_law {
 public:
  formula_law(Formula formula, const law_traits& traits) : formula_(std::move(formula)), traits_(traits) {}
  [[nodiscard]] law_traits traits() const override { return traits_; }
  void apply(std::span<contact> batch) const override {
    for (contact& c : batch) formula_(c);
  }
  [[nodiscard]] bool in_groups() const override { return true; }
  void push(const pair_arrays& a, close_part& part, row from, row to) const override {
#if ABUT_TWO_SETS
    if (a.wide) return wide::pair_loop<Formula>(formula_, a, part).rows(from, to);
#endif
    plain::pair_loop<Formula>(formula_, a, part).rows(from, to);
  }
  void push_across(const pair_arrays& a, close_part& part) const override {
#if ABUT_TWO_SETS
    if (a.wide) return wide::pair_loop<Formula>(formula_, a, part).across();
#endif
    plain::pair_loop<Formula>(formula_, a, part).across();
  }

 private:
  Formula formula_;
  law_traits traits_;
};

}  // namespace abut::dem
