#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include <abut/dem/law.hpp>

#include "axes.hpp"
#include "close_pairs.hpp"
#include "fault.hpp"
#include "records.hpp"

namespace abut::dem {

/// Notices contacts that are too stiff or too viscous for the time step: a stiffness can grow with the overlap. Bounds
/// are those of the start (setup.cpp).
struct stability {
  double time_step = 0;
  fault_keeper* fault = nullptr;

  void check(const contact& c, row i) const {
    constexpr double most = std::numbers::pi * std::numbers::pi / 25;
    if (c.stiffness * time_step * time_step > most * c.mass) too_stiff(c, i);
    if (c.viscosity * time_step > 0.5 * c.mass) too_viscous(c, i);
  }

 private:
  void too_stiff(const contact& c, row i) const;
  void too_viscous(const contact& c, row i) const;
};

/// What a loop over close pairs reads and writes.
struct pair_arrays {
  const body_record* body;
  padded_vec* push;
  const padded_vec* acceleration;
  const padded_vec* turning;      ///< angular acceleration
  turn_record* turn;              ///< null if a formula turns nothing
  const std::uint32_t* material;  ///< by row
  std::size_t materials;          ///< how many there are
  double* memory;                 ///< by slot
  double reach;
  double half;          ///< half a time step, 0 at the start
  double step;          ///< a time step, 0 at the start
  double behind;        ///< the time since what pairs remember
  double ahead;         ///< the time to what they will remember
  bool wide;            ///< use AVX2
  bool alike;           ///< all bodies have the radius and the mobility of the first
  bool border_moves;    ///< shifted bodies move by `close_part::speeds`, too
  padded_vec* border;   ///< by row: takes shift times force of pairs through a border; null if nobody wants to know
  const tensor* lever;  ///< by row: what the mobility of clumps' bodies is beside that of the clump; null without any
  stability stable;
};

/// How much a body of a clump gives way along a direction of length 1 because the clump turns.
[[nodiscard]] inline double along(const tensor& lever, const vec& n) { return dot(n, lever * n); }

/// A law whose formula is compiled into the loop over close pairs.
class pair_law : public law {
 public:
  /// Whether it takes pairs in groups of four.
  [[nodiscard]] virtual bool in_groups() const { return false; }
  /// Adds the forces and torques of the pairs whose first bodies are these rows of a part, those across included, to
  /// the sums of both bodies, in the order of rows.
  virtual void push(const pair_arrays& a, close_part& part, row from, row to) const = 0;
  /// Computes the pairs across.
  virtual void push_across(const pair_arrays& a, close_part& part) const = 0;
};

/// Fills in how far two bodies overlap and in which direction. False if they are apart. `d` is from the first to the
/// second.
[[gnu::always_inline]] inline bool meet(const vec& d, double sum, double reach, contact& c) {
  const double d2 = dot(d, d);
  const double most = sum + reach;
  if (!(d2 <= most * most)) return false;
  const double distance = std::sqrt(d2);
  c.overlap = sum - distance;
  if (c.overlap < -reach) return false;
  c.normal = distance > 0 ? d * (1 / distance) : vec{1, 0, 0};
  return true;
}

/// Takes down what the k-th pair across does through a border.
inline void add_border(const pair_arrays& a, const close_part& part, std::size_t k) {
  a.border[part.across[k].first] += by_axis(part.shifts[part.across[k].shift], part.pushes[k].force);
}

/// Adds what the pairs across have computed before to the sums of their second bodies, which are in this part.
inline void add_incoming(const pair_arrays& a, close_part& part, const close_part* parts) {
  for (const close_part::incoming& in : part.in) {
    const pair_push& p = parts[in.part].pushes[in.pair];
    const row j = parts[in.part].across[in.pair].second;
    a.push[j] += p.force;
    if (part.marks) part.mark_row(j);
    if (a.turn != nullptr) a.turn[j].torque += p.torque_of_second;
  }
}

/// Adds the same to the sums of a first body.
inline void add_across(const pair_arrays& a, close_part& part, row i, vec& force, vec& torque) {
  while (part.next_across < part.across.size() && part.across[part.next_across].first == i) {
    if (a.border != nullptr) add_border(a, part, part.next_across);
    const pair_push& p = part.pushes[part.next_across++];
    force -= p.force;
    if (a.turn != nullptr) torque += p.torque_of_first;
  }
}

}  // namespace abut::dem
