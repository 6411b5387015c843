// What contacts do to the energy, for `measure`.

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "inside.hpp"

namespace abut::dem {

// The work of contacts through a step is the displacement of the step times half of the forces at its start, which are
// still there before forces are summed, and half of those at its end. Velocities are those predicted for the end.
void simulation::inside::add_work_before(row i, const moment& m) {
  if (m.step == 0) return;
  const vec weight = free(i) && !in_clump(i) ? chosen_.gravity * now_.mass[i] : vec{};
  const seen_body b = seen(i, m);
  work_[i] += (dot(now_.force[i] - weight, b.half_velocity) + dot(now_.torque[i], b.half_spin)) * m.half;
  wall_work_[i] += wall_power_[i] * m.half;
  wall_power_[i] = 0;
}

void simulation::inside::add_work_after(row i, const moment& m) {
  if (m.step == 0) return;
  const seen_body b = seen(i, m);
  const vec torque = turn_.empty() ? vec{} : turn_[i].torque;
  work_[i] += (dot(push_[i], b.half_velocity) + dot(torque, b.half_spin)) * m.half;
  wall_work_[i] += wall_power_[i] * m.half;
  if (free(i)) return;
  now_.force[i] = push_[i];  // for the next step: if that follows at once, `move_on` sees to free bodies only
  now_.torque[i] = torque;
}

// What the law says of each contact as it is in `now_`, from a copy of its memory.
void simulation::inside::for_each_contact(const contact_visitor& f) const {
  if (!chosen_.contact_law) return;
  std::vector<double> memory(traits_.memory);
  const contact_visitor apply = [&](contact& c, const contact_place& at) {
    std::copy_n(at.memory, traits_.memory, memory.begin());
    c.memory = memory.data();
    chosen_.contact_law->apply(std::span(&c, 1));
    f(c, at);
  };
  const contact_list& near = *near_;
  const std::vector<double> remembered = close_.memory(near, traits_.memory);
  contact c;
  for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
    const row i = near.firsts()[slot];
    const row j = near.seconds()[slot];
    if (!meet_now(i, j, near.image_of(slot), c)) continue;
    const vec to = now_.position[j] + shift_by(near.image_of(slot));
    apply(c, {i, j, std::nullopt, to, remembered.data() + slot * traits_.memory});
  }
  for_each_wall_contact(apply);
}

void simulation::inside::add_contacts(measures& all) const {
  for_each_contact([&](const contact& c, const contact_place&) {
    all.elastic += c.energy;
    all.contacts += c.overlap >= 0 ? 1 : 0;
    all.overlap = std::max(all.overlap, c.overlap);
  });
}

// The first body of a contact is the one in the lower row; of a report, the one with the lower id.
std::vector<contact_report> simulation::inside::contacts() const {
  check_whole();
  std::vector<contact_report> all;
  for_each_contact([&](const contact& c, const contact_place& at) {
    const double push = dot(c.force, c.normal);
    contact_report r{.first = now_.id[at.first],
                     .second = at.wall ? 0 : now_.id[at.second],
                     .wall = at.wall,
                     .from = now_.position[at.first],
                     .to = at.to,
                     .overlap = c.overlap,
                     .normal_force = push,
                     .tangential_force = c.force - c.normal * push,
                     .torque = c.torque};
    if (!at.wall && r.second < r.first) {
      std::swap(r.first, r.second);
      r.from = now_.position[at.second];
      r.to = now_.position[at.first] + (r.from - at.to);
      r.tangential_force = -r.tangential_force;
      r.torque = -r.torque;
    }
    all.push_back(r);
  });
  std::stable_sort(all.begin(), all.end(), [](const contact_report& a, const contact_report& b) {
    return std::tuple(a.first, a.wall.has_value(), a.second) < std::tuple(b.first, b.wall.has_value(), b.second);
  });
  return all;
}

}  // namespace abut::dem
