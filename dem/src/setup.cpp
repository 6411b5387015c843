// From settings and bodies to the first forces.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <abut/error.hpp>

#include "agreement.hpp"
#include "batch_law.hpp"
#include "finite.hpp"
#include "flow_radii.hpp"
#include "inside.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

[[noreturn]] void refuse(row i, const std::string& what) { throw error("body " + std::to_string(i) + " " + what, i); }

}  // namespace

simulation::inside::inside(settings s, const std::vector<body>& bodies) : chosen_(std::move(s)) {
  take_settings();
  check_law();
  if (bodies.empty() && chosen_.pours.empty()) throw error("there are no bodies to simulate");
  double sum = 0;
  smallest_ = std::numeric_limits<double>::infinity();
  reserve(bodies.size());
  for (row i = 0; i < bodies.size(); ++i) {
    check(bodies[i], i);
    append(bodies[i]);
    sum += bodies[i].radius;
    smallest_ = std::min(smallest_, bodies[i].radius);
  }
  for (const pour& p : chosen_.pours) smallest_ = std::min(smallest_, smallest_radius(p.radii));
  if (!bodies.empty()) {
    const auto largest = std::max_element(bodies.begin(), bodies.end(),
                                          [](const body& a, const body& b) { return a.radius < b.radius; });
    const auto id = static_cast<row>(largest - bodies.begin());
    check_periods(largest->radius, "body " + std::to_string(id), id);
  }
  line_ = bodies.empty() ? 2 * smallest_ : 2 * sum / static_cast<double>(bodies.size());
  wall_memory_.assign(chosen_.walls.size() * bodies.size() * traits_.memory, 0.0);
  met_wall_.assign(traits_.memory > 0 ? chosen_.walls.size() * bodies.size() : 0, 0);
  if (chosen_.moved_by == integrator::predictor_corrector) {
    jerk_.resize(bodies.size());
    turning_jerk_.resize(bodies.size());
  }
  make_clumps(bodies);
  if (chosen_.energies) {
    for (std::vector<double>* of : {&work_, &wall_work_, &wall_power_}) of->assign(bodies.size(), 0.0);
  }
  check_box_bodies();
  choose_time_step();
  check_drives();
  start_clumps();
  start_drives();
  pouring_.resize(chosen_.pours.size());
  poured_.resize(chosen_.pours.size());
  removed_.resize(chosen_.removals.size());
  search_ = abut::search(plan(chosen_.method), search_options());
  sort_rows();

  make_list();
  make_records(true);
  take_in();
  path_ = std::numeric_limits<double>::infinity();
  start_walls();
  find_near();
  pass({}, false);
  finish_clumps(0);
  finish_box();
  throw_fault();
  if (chosen_.energies) elastic_at_start_ = measure().elastic;
  spent_ = {};
}

void simulation::inside::take_settings() {
  check_settings();
  if (chosen_.contact_law) traits_ = chosen_.contact_law->traits();
  if (chosen_.deform) box_.emplace(*chosen_.deform, chosen_.periodic);
  const auto side = [&](std::size_t k) {
    return chosen_.periodic[k] ? chosen_.periodic[k]->max - chosen_.periodic[k]->min : 0.0;
  };
  period_ = {side(0), side(1), side(2)};
  for (const wall& w : chosen_.walls) wall_made_.push_back(hash_of(w));
}

void simulation::inside::check_law() const {
  if (traits_.materials == 0 || traits_.materials == chosen_.materials.size()) return;
  throw error("the contact law was made for " + std::to_string(traits_.materials) + " materials, and there are " +
              std::to_string(chosen_.materials.size()) + ": make it when all have been added");
}

// Room for rounding: bodies that overlap by `meet`, whose coordinates may not be wrapped, are always listed.
contact_options simulation::inside::list_options() const {
  contact_options near;
  near.margin = traits_.reach + rounding_room * smallest_;
  near.skin = chosen_.skin;
  near.looks = 0.1;  // most steps look at close pairs only
  if (!near.skin && chosen_.searching == search_when::each_step) near.skin = 0.1 * smallest_;
  return near;
}

void simulation::inside::make_list() {
  near_.emplace(list_options(), traits_.memory * sizeof(double));
  for (std::size_t k = 0; k < chosen_.pours.size(); ++k) {
    check_periods(largest_radius(chosen_.pours[k].radii), "the largest body of pour " + std::to_string(k), {});
  }
}

// Chooses the loop over pairs, and makes what it works on.
void simulation::inside::make_records(bool may_mid) {
  choose_instructions();
  if (chosen_.contact_law) {
    law_ = dynamic_cast<const pair_law*>(chosen_.contact_law.get());
    // Walls, drives, clumps and boxes expect velocities to be those of the step's end.
    mid_ = may_mid && chosen_.half_step_velocities && law_ != nullptr && chosen_.walls.empty() &&
           chosen_.drives.empty() && clumps_.empty() && !box_;
    if (law_ == nullptr || (chosen_.half_step_velocities && !mid_)) {
      batches_ = make_batch_law(*chosen_.contact_law, chosen_.half_step_velocities);
      law_ = batches_.get();
    }
  }
  resize_records();
  constexpr double first_skin = 0.03;  // of the mean diameter
  skin_ = close_skin(first_skin * line_);
}

// Two bodies more for each part of the rows, far apart and away: pairs of them fill up groups of pairs.
void simulation::inside::resize_records() {
  constexpr double away = 1e150;
  const std::size_t size = now_.size() + 2 * static_cast<std::size_t>(search_.threads());
  if (size > most_rows) {
    throw error("there are " + std::to_string(now_.size()) + " bodies: a simulation can have at most " +
                std::to_string(most_rows - (size - now_.size())));
  }
  record_.resize(size);
  for (std::size_t k = now_.size(); k < size; ++k) {
    record_[k] = {};
    record_[k].at.x = k % 2 == now_.size() % 2 ? -away : away;
  }
  push_.assign(size, {});
  lever_.assign(clumps_.empty() ? 0 : size, {});
  if (box_) border_.assign(size, {});
  if (box_) pair_force_.assign(size, {});
  if (traits_.turns || batches_) turn_.assign(size, {});
  if (chosen_.materials.size() > 1) kinds_.assign(size, 0);
}

void simulation::inside::check_settings() const {
  if (chosen_.dimension != 2 && chosen_.dimension != 3) {
    throw error("the dimension is " + std::to_string(chosen_.dimension) + ": it must be 2 or 3");
  }
  if (!finite(chosen_.gravity)) throw error("gravity is not finite");
  if (chosen_.dimension == 2 && (chosen_.gravity.z != 0 || chosen_.periodic[2])) {
    throw error("in 2D, gravity and periods have no z");
  }
  if (chosen_.sort_every == 0) throw error("sort_every is 0: it must be at least 1");
  if (chosen_.half_step_velocities && chosen_.moved_by != integrator::verlet) {
    throw error("half_step_velocities are for velocity Verlet only");
  }
  check_walls();
  check_flow();
  check_box();
}

void simulation::inside::check_drives() {
  drive_of_.assign(chosen_.drives.empty() ? 0 : row_of_.size(), no_drive);
  std::vector<bool> wall_has(chosen_.walls.size(), false);
  for (std::size_t k = 0; k < chosen_.drives.size(); ++k) {
    const std::string who = "drive " + std::to_string(k);
    if (!chosen_.drives[k].at) throw error(who + " has no function");
    for (const std::uint32_t id : chosen_.drives[k].bodies) {
      if (id >= row_of_.size()) throw error(who + " has body " + std::to_string(id) + ", which is not there");
      if (now_.moves[row_of_[id]] != motion::driven) refuse(id, "has a drive but is not driven");
      const bool shared = in_clump(row_of_[id]) && drive_of_[id] == k;
      if (drive_of_[id] != no_drive && !shared) refuse(id, "has two drives");
      drive_of_[id] = static_cast<std::uint32_t>(k);
      if (!in_clump(row_of_[id])) continue;
      for (const std::uint32_t other : clumps_[now_.clump[row_of_[id]]].ids) drive_of_[other] = drive_of_[id];
    }
    for (const std::size_t w : chosen_.drives[k].walls) {
      if (w >= wall_has.size()) throw error(who + " has wall " + std::to_string(w) + ", which is not there");
      if (wall_has[w]) throw error("wall " + std::to_string(w) + " has two drives");
      if (chosen_.walls[w].pressed) throw error("wall " + std::to_string(w) + " is pressed and has a drive");
      wall_has[w] = true;
    }
  }
}

void simulation::inside::check(const body& b, row i) const {
  if (!finite(b.position)) refuse(i, "has a position that is not finite");
  if (!finite(b.velocity) || !finite(b.spin)) refuse(i, "has a velocity that is not finite");
  if (!(b.radius > 0) || !std::isfinite(b.radius)) {
    refuse(i, "has radius " + text_of(b.radius) + ": it must be finite and above 0");
  }
  if (b.material >= chosen_.materials.size()) {
    refuse(i, "has material " + std::to_string(b.material) + ": there are " + std::to_string(chosen_.materials.size()));
  }
  if (box_ && b.moves != motion::free) refuse(i, "is fixed or driven: in a box that deforms, all move freely");
  if (b.mass && !(*b.mass > 0 && std::isfinite(*b.mass))) {
    refuse(i, "has mass " + text_of(*b.mass) + ": it must be finite and above 0");
  }
  const bool flat = b.position.z == 0 && b.velocity.z == 0 && b.spin.x == 0 && b.spin.y == 0;
  if (chosen_.dimension == 2 && !flat)
    refuse(i, "leaves the plane: in 2D, z is 0, and the angular velocity has only z");
}

double simulation::inside::mass_of(double radius, unsigned material) const {
  const double volume =
      chosen_.dimension == 2 ? std::numbers::pi * radius * radius : 4 * std::numbers::pi / 3 * radius * radius * radius;
  return chosen_.materials[material].density * volume;
}

void simulation::inside::reserve(std::size_t rows) {
  const auto all = [&](auto&... columns) { (columns.reserve(rows), ...); };
  all(row_of_, now_.id, now_.position, now_.velocity, now_.spin, now_.orientation, now_.force, now_.torque, now_.radius,
      now_.mass, now_.inertia, now_.material, now_.moves, acceleration_, turning_, mobility_, held_);
}

// In a row of its own, after all others.
void simulation::inside::append(const body& b) {
  const bool disc = chosen_.dimension == 2;
  const double mass = b.mass ? *b.mass : mass_of(b.radius, b.material);
  const auto id = static_cast<std::uint32_t>(row_of_.size());
  row_of_.push_back(static_cast<row>(now_.size()));
  now_.id.push_back(id);
  now_.position.push_back(b.position);
  const bool still = b.moves == motion::fixed;
  now_.velocity.push_back(still ? vec{} : b.velocity);
  now_.spin.push_back(still ? vec{} : b.spin);
  now_.orientation.push_back({});
  now_.force.push_back({});
  now_.torque.push_back({});
  now_.radius.push_back(b.radius);
  now_.mass.push_back(mass);
  now_.inertia.push_back((disc ? 0.5 : 0.4) * mass * b.radius * b.radius);
  now_.material.push_back(b.material);
  now_.moves.push_back(b.moves);
  acceleration_.emplace_back();
  turning_.emplace_back();
  mobility_.push_back(b.moves == motion::free ? 1 / mass : 0);
  held_.push_back(b.moves == motion::free ? 0 : 1);
}

abut::options simulation::inside::search_options() const {
  abut::options o;
  o.periodic = periods();
  o.threads = chosen_.threads;
  return o;
}

// Asks the law about a contact of these materials: the longest time step at which a collision of such bodies takes at
// least fifty steps, and viscous forces at least ten. Refuses a given time step that is beyond the bounds of
// check_stable.
void simulation::inside::probe(double mass, double radius, unsigned a, unsigned b, double& longest) const {
  std::vector<double> memory(traits_.memory);
  contact c;
  c.overlap = 0.01 * radius;
  c.normal = {1, 0, 0};
  c.radius = radius;
  c.mass = mass;
  c.pair = chosen_.materials.pair(a, b);
  c.memory = memory.data();
  chosen_.contact_law->apply(std::span(&c, 1));
  const std::string who = "\"" + chosen_.materials[a].name + "\" with \"" + chosen_.materials[b].name + "\"";
  if (!std::isfinite(c.stiffness) || !std::isfinite(c.viscosity)) {
    const bool rigid = !std::isfinite(chosen_.materials[a].young) && !std::isfinite(chosen_.materials[b].young);
    throw error("a contact of " + who + " is infinitely stiff or viscous" +
                (rigid ? ": give one of them a Young's modulus (young), without which a material is rigid" : ""));
  }
  constexpr double never = std::numeric_limits<double>::infinity();
  const double lasts = c.stiffness > 0 ? std::numbers::pi * std::sqrt(mass / c.stiffness) : never;
  const double damps = c.viscosity > 0 ? mass / c.viscosity : never;
  const double bound = std::min(lasts / 5, damps / 2);
  if (chosen_.time_step && *chosen_.time_step > bound) {
    throw error("the time step " + text_of(*chosen_.time_step) + " is too large for a contact of " + who +
                ": it may be at most " + text_of(bound));
  }
  longest = std::min({longest, lasts / 50, damps / 10});
}

// The lightest free body of each material, if there is one or one will be poured.
std::vector<std::optional<simulation::inside::light_body>> simulation::inside::lightest_bodies() const {
  std::vector<std::optional<light_body>> all(chosen_.materials.size());
  const auto compare = [&](unsigned material, const light_body& b) {
    if (!all[material] || b.mass < all[material]->mass) all[material] = b;
  };
  for (row i = 0; i < now_.size(); ++i) {
    if (free(i)) compare(now_.material[i], {lever_mass(i), now_.radius[i]});
  }
  for (const pour& p : chosen_.pours) {
    const double radius = smallest_radius(p.radii);
    compare(p.material, {mass_of(radius, p.material), radius});
  }
  return all;
}

void simulation::inside::choose_time_step() {
  if (chosen_.time_step && !(*chosen_.time_step > 0 && std::isfinite(*chosen_.time_step))) {
    throw error("the time step is " + text_of(*chosen_.time_step) + ": it must be finite and above 0");
  }
  double longest = std::numeric_limits<double>::infinity();
  const unsigned count = chosen_.materials.size();
  const std::vector<std::optional<light_body>> lightest = lightest_bodies();
  std::vector<bool> held(count, false);  // whether something that cannot be pushed is of the material
  for (const wall& w : chosen_.walls) held[w.material] = true;
  for (row i = 0; i < now_.size(); ++i) held[now_.material[i]] = held[now_.material[i]] || !free(i);
  for (unsigned a = 0; a < count && chosen_.contact_law; ++a) {
    if (!lightest[a]) continue;
    const light_body& i = *lightest[a];
    for (unsigned b = 0; b < count; ++b) {
      if (lightest[b]) {
        const light_body& j = *lightest[b];
        probe(1 / (1 / i.mass + 1 / j.mass), i.radius * j.radius / (i.radius + j.radius), a, b, longest);
      }
      if (held[b]) probe(i.mass, i.radius, a, b, longest);
    }
  }
  dt_ = chosen_.time_step.value_or(longest);
  if (!std::isfinite(dt_)) throw error("no time step follows from the contacts' stiffness: give one");
}

}  // namespace abut::dem
