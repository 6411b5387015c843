#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "pair_law.hpp"

namespace abut::dem {

/// The loop over close pairs for a formula: `formula(contact&)` sets the force, and the torque if `Formula::torques`.
/// It remembers `Formula::memory` numbers, and turns bodies if there are any. Without, velocities are those of the
/// centers, since only their normal part matters.
template <class Formula>
class pair_loop {
 public:
  static constexpr bool turns = Formula::memory > 0;

  pair_loop(const Formula& formula, const pair_arrays& a, close_part& part) : formula_(formula), a_(a), part_(part) {}

  void rows(row from, row to) const {
    for (row i = from; i < to; ++i) part_.shifted[i - part_.from] != 0 ? one_row<true>(i) : one_row<false>(i);
  }

  void across() const {
    for (std::size_t k = 0; k < part_.across.size(); ++k) {
      const close_part::across_pair& p = part_.across[k];
      part_.pushes[k] = {};
      const first_body one = first_body::of<turns>(a_, p.first);
      contact c;
      c.memory = memory_of(p.slot);
      if (meets<true>(one, p.first, p.second, p.shift, c)) part_.pushes[k] = push_of(one, p.second, c);
    }
  }

 private:
  double* memory_of(std::uint32_t slot) const { return a_.memory + std::size_t{slot} * Formula::memory; }

  template <bool Shifted>
  void one_row(row i) const {
    const std::uint32_t* begin = part_.begin.data() + (i - part_.from);
    const row* second = part_.second.data();
    const first_body one = first_body::of<turns>(a_, i);
    vec force = a_.push[i].force;
    vec torque{};
    if constexpr (turns) torque = a_.turn[i].torque;
    for (std::uint32_t k = begin[0]; k < begin[1]; ++k) {
      const row j = second[k];
      __builtin_prefetch(a_.body + second[k + close_part::ahead]);
      __builtin_prefetch(a_.push + second[k + close_part::ahead]);
      contact c;
      if constexpr (turns) c.memory = memory_of(part_.slot[k]);
      if (!meets<Shifted>(one, i, j, Shifted ? part_.shift[k] : 0, c)) continue;
      if constexpr (turns) {
        const pair_push p = push_of(one, j, c);
        a_.push[j].force += p.force;
        force -= p.force;
        a_.turn[j].torque += p.torque_of_second;
        torque += p.torque_of_first;
      } else {
        a_.push[j].force += c.force;
        force -= c.force;
      }
    }
    add_across(a_, part_, i, force, torque);
    a_.push[i].force = force;
    if constexpr (turns) a_.turn[i].torque = torque;
  }

  // Whether they touch; then the formula has been applied.
  template <bool Shifted>
  [[gnu::always_inline]] bool meets(const first_body& one, row i, row j, std::uint32_t shift, contact& c) const {
    const body_record& two = a_.body[j];
    vec d = two.at - one.at;
    if constexpr (Shifted) d += part_.shifts[shift];
    const double sum = one.radius + two.radius;
    if (!meet(d, sum, a_.reach, c)) {
      if constexpr (turns) std::fill_n(c.memory, Formula::memory, 0.0);
      return false;
    }
    c.mass = 1 / (one.mobility + two.mobility);
    c.radius = one.radius * two.radius / sum;
    c.pair = a_.materials > 1 ? one.materials + a_.material[j] : 0;
    if constexpr (turns) {
      see_turning(one, j, c);
    } else {
      c.velocity = two.velocity - one.velocity;
    }
    formula_(c);
    if constexpr (Formula::stiffens) a_.stable.check(c, i);
    return true;
  }

  [[gnu::always_inline]] void see_turning(const first_body& one, row j, contact& c) const {
    const body_record& two = a_.body[j];
    const turn_record& turn = a_.turn[j];
    const double arm_i = one.radius - 0.5 * c.overlap;
    const double arm_j = two.radius - 0.5 * c.overlap;
    const auto relative = [&](const vec& vi, const vec& vj, const vec& wi, const vec& wj) {
      return (vj - vi) - cross(wi * arm_i + wj * arm_j, c.normal);
    };
    const vec half_spin = turn.spin - turn.turning * a_.half;
    c.velocity = relative(one.velocity, two.velocity, one.spin, turn.spin);
    c.slip = relative(one.half_velocity, two.velocity - a_.acceleration[j] * a_.half, one.half_spin, half_spin) * a_.step;
    if constexpr (!Formula::torques) return;
    c.spin = turn.spin - one.spin;
    c.roll = (half_spin - one.half_spin) * a_.step;
  }

  [[gnu::always_inline]] pair_push push_of(const first_body& one, row j, const contact& c) const {
    if constexpr (!turns) return {c.force, {}, {}};
    const vec turn = cross(c.normal, c.force);
    const double inward = 0.5 * c.overlap;
    const vec of_first = turn * (inward - one.radius);
    const vec of_second = turn * (inward - a_.body[j].radius);
    if constexpr (!Formula::torques) return {c.force, of_first, of_second};
    return {c.force, of_first - c.torque, of_second + c.torque};
  }

  const Formula& formula_;
  const pair_arrays& a_;
  close_part& part_;
};

/// A law by a formula.
template <class Formula>
class formula_law final : public pair_law {
 public:
  formula_law(Formula formula, const law_traits& traits) : formula_(std::move(formula)), traits_(traits) {}
  [[nodiscard]] law_traits traits() const override { return traits_; }
  void apply(std::span<contact> batch) const override {
    for (contact& c : batch) formula_(c);
  }
  void push(const pair_arrays& a, close_part& part, row from, row to) const override {
    pair_loop<Formula>(formula_, a, part).rows(from, to);
  }
  void push_across(const pair_arrays& a, close_part& part) const override {
    pair_loop<Formula>(formula_, a, part).across();
  }

 private:
  Formula formula_;
  law_traits traits_;
};

}  // namespace abut::dem
