// What contacts do to the energy, for `measure`.

#include <algorithm>
#include <span>
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

void simulation::inside::add_contacts(measures& all) const {
  std::vector<double> memory(traits_.memory);
  const auto add = [&](contact& c, const double* remembered) {
    std::copy_n(remembered, traits_.memory, memory.begin());
    c.memory = memory.data();
    chosen_.contact_law->apply(std::span(&c, 1));
    all.elastic += c.energy;
    all.contacts += c.overlap >= 0 ? 1 : 0;
    all.overlap = std::max(all.overlap, c.overlap);
  };
  const contact_list& near = *near_;
  contact c;
  for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
    if (!meet_now(near.firsts()[slot], near.seconds()[slot], near.image_of(slot), c)) continue;
    add(c, reinterpret_cast<const double*>(near.memory(slot)));
  }
  for_each_wall_contact(add);
}

}  // namespace abut::dem
