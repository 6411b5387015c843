// Laws that are not compiled into the loop over pairs: those of users. They see batches of plain geometry; what they
// say is added up in the order of pairs.

#include "batch_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace abut::dem {

namespace {

constexpr std::size_t batch_size = 128;

class batch_law final : public pair_law {
 public:
  batch_law(const law& of, bool half_step) : law_(of), traits_(of.traits()), half_step_(half_step) {}

  void apply(std::span<contact> all) const override { law_.apply(all); }
  [[nodiscard]] law_traits traits() const override { return traits_; }

  void push(const pair_arrays& a, close_part& part, row from, row to) const override {
    batch waiting;
    const auto flush = [&] {
      run(a, waiting, [&](std::size_t k, const pair_push& p) {
        const row i = waiting.first[k];
        const row j = waiting.second[k];
        if (a.border != nullptr) a.border[i] += by_axis(waiting.shifted[k], p.force);
        a.push[j] += p.force;
        a.push[i] -= p.force;
        a.turn[j].torque += p.torque_of_second;
        a.turn[i].torque += p.torque_of_first;
      });
    };
    for (row i = from; i < to; ++i) {
      for (std::uint32_t k = part.begin[i - part.from]; k < part.begin[i - part.from + 1]; ++k) {
        const bool shifted = part.shifted[i - part.from] != 0;
        const std::uint32_t slot = traits_.memory > 0 ? part.slot[k] : 0;
        add(a, i, part.second[k], shifted ? shift_of(a, part, part.shift[k]) : shift{}, slot, waiting);
        if (waiting.count == batch_size) flush();
      }
      if (part.next_across == part.across.size() || part.across[part.next_across].first != i) continue;
      flush();  // pairs across come after all others of their row
      add_across(a, part, i, a.push[i], a.turn[i].torque);
    }
    flush();
  }

  void push_across(const pair_arrays& a, close_part& part) const override {
    batch waiting;
    const auto flush = [&] {
      run(a, waiting, [&](std::size_t k, const pair_push& p) { part.pushes[waiting.across[k]] = p; });
    };
    for (std::size_t k = 0; k < part.across.size(); ++k) {
      const close_part::across_pair& p = part.across[k];
      part.pushes[k] = {};
      waiting.across[waiting.count] = k;
      add(a, p.first, p.second, shift_of(a, part, p.shift), p.slot, waiting);
      if (waiting.count == batch_size) flush();
    }
    flush();
  }

 private:
  struct batch {
    std::array<contact, batch_size> all;
    std::array<row, batch_size> first;
    std::array<row, batch_size> second;
    std::array<std::size_t, batch_size> across;
    std::array<vec, batch_size> shifted;
    std::size_t count = 0;
  };

  // Of a second body by periods, and how fast that changes.
  struct shift {
    vec by{};
    vec speed{};
  };
  static shift shift_of(const pair_arrays& a, const close_part& part, std::uint32_t number) {
    return {part.shifts[number], a.border_moves ? vec(part.speeds[number]) : vec{}};
  }

  // Adds a contact, unless the two are apart.
  void add(const pair_arrays& a, row i, row j, const shift& shifted, std::uint32_t slot, batch& to) const {
    contact& c = to.all[to.count];
    c = contact{};
    double* memory = traits_.memory > 0 ? a.memory + std::size_t{slot} * traits_.memory : nullptr;
    const body_record& one = a.body[i];
    const body_record& two = a.body[j];
    const double sum = one.radius + two.radius;
    if (!meet((two.at - one.at) + shifted.by, sum, a.reach, c)) {
      if (memory != nullptr) std::fill_n(memory, traits_.memory, 0.0);
      return;
    }
    c.memory = memory;
    c.radius = one.radius * two.radius / sum;
    double mobility = one.mobility + two.mobility;
    if (a.lever != nullptr) mobility += along(a.lever[i], c.normal) + along(a.lever[j], c.normal);
    c.mass = 1 / mobility;
    c.pair = a.materials > 1 ? a.material[i] * a.materials + a.material[j] : 0;
    see(a, i, j, shifted.speed, c);
    to.shifted[to.count] = shifted.by;
    to.first[to.count] = i;
    to.second[to.count++] = j;
  }

  void see(const pair_arrays& a, row i, row j, const vec& border, contact& c) const {
    const body_record& one = a.body[i];
    const body_record& two = a.body[j];
    const double inward = traits_.at_surfaces ? 0 : 0.5 * c.overlap;
    const auto relative = [&](const vec& vi, const vec& vj, const vec& wi, const vec& wj) {
      const vec apart = a.border_moves ? (vj - vi) + border : vj - vi;
      return apart - cross(wi * (one.radius - inward) + wj * (two.radius - inward), c.normal);
    };
    const vec& wi = a.turn[i].spin;
    const vec& wj = a.turn[j].spin;
    c.velocity = relative(one.velocity, two.velocity, wi, wj);
    c.spin = wj - wi;
    if (traits_.memory == 0 && !half_step_) return;
    const vec half_wi = wi - a.turning[i] * a.half;
    const vec half_wj = wj - a.turning[j] * a.half;
    const vec velocity = relative(one.velocity - a.acceleration[i] * a.half, two.velocity - a.acceleration[j] * a.half,
                                  half_wi, half_wj);
    c.slip = velocity * a.step;
    c.roll = (half_wj - half_wi) * a.step;
    if (!half_step_) return;
    c.velocity = velocity;
    c.spin = half_wj - half_wi;
  }

  template <class F>
  void run(const pair_arrays& a, batch& of, F&& take) const {
    if (of.count > 0) law_.apply(std::span(of.all.data(), of.count));
    for (std::size_t k = 0; k < of.count; ++k) {
      const contact& c = of.all[k];
      a.stable.check(c, of.first[k]);
      pair_push p{c.force, {}, {}};
      if (traits_.turns) {
        const vec turn = cross(c.normal, c.force);
        const double inward = traits_.at_surfaces ? 0 : 0.5 * c.overlap;
        p.torque_of_first = turn * (inward - a.body[of.first[k]].radius);
        p.torque_of_second = turn * (inward - a.body[of.second[k]].radius);
        if (traits_.torques) {
          p.torque_of_first = p.torque_of_first - c.torque;
          p.torque_of_second = p.torque_of_second + c.torque;
        }
      }
      take(k, p);
    }
    of.count = 0;
  }

  const law& law_;
  law_traits traits_;
  bool half_step_;
};

}  // namespace

std::unique_ptr<const pair_law> make_batch_law(const law& of, bool half_step) {
  return std::make_unique<batch_law>(of, half_step);
}

}  // namespace abut::dem
