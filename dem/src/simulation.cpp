#include <abut/dem/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <abut/error.hpp>
#include <abut/instructions.hpp>

#include "inside.hpp"

namespace abut::dem {

void simulation::inside::choose_instructions() { wide_ = instructions() == "avx2" || instructions() == "avx512"; }

void simulation::inside::run(std::uint64_t steps) {
  choose_instructions();
  while (steps > 0) {
    const std::uint64_t count = std::min(steps, steps_at_once());
    in_one_piece([&] { run_at_once(count); });
    steps -= count;
  }
}

// How many of the next steps can be made without a look at `now_` in between.
std::uint64_t simulation::inside::steps_at_once() const {
  const bool simple = chosen_.moved_by == integrator::verlet && clumps_.empty() && chosen_.drives.empty() &&
                      chosen_.searching == search_when::needed;
  if (!simple) return 1;
  const auto until = [&](std::uint64_t every) { return every - steps_ % every; };
  const std::uint64_t most = std::min({until(chosen_.sort_every), steps_until_flow(), steps_until_box()});
  return chosen_.keep_every > 0 ? std::min(most, until(chosen_.keep_every)) : most;
}

void simulation::inside::run_at_once(std::uint64_t count) {
  throw_fault();  // of an earlier step
  flow();
  if (chosen_.keep_every > 0 && steps_ % chosen_.keep_every == 0) kept_ = kept_state{steps_, now_, periods()};
  start_box();
  ask_drives(static_cast<double>(steps_ + 1) * dt_);
  if (steps_ > 0 && steps_ % chosen_.sort_every == 0) sort_rows();
  if (chosen_.searching == search_when::each_step) search_ahead();
  ++steps_;
  follow_drives(dt_);
  throw_fault();
  advance_box();
  predict();
  close_.mark_all();
  const moment end{0.5 * dt_, dt_};
  for (std::uint64_t left = count - 1; left > 0; --left) {
    find_near();
    pass(end, true);
    ahead_ = true;
    if (fault_.lowest()) {
      catch_up_all();
      step_back();
    }
    throw_fault();
    move_walls();
    ++steps_;
  }
  catch_up_all();
  find_near();
  pass(end, false);
  finish_clumps(end.half);
  finish_box();
  ahead_ = false;
  throw_fault();
}

row simulation::inside::row_of(std::uint32_t id) const {
  if (id >= row_of_.size()) {
    throw error("there is no body " + std::to_string(id) + ": there are " + std::to_string(row_of_.size()));
  }
  if (row_of_[id] == no_row) throw error("there is no body " + std::to_string(id) + " any more: it was removed", id);
  return row_of_[id];
}

measures simulation::inside::measure() const {
  check_whole();
  measures all;
  for (row i = 0; i < now_.size(); ++i) {
    if (!free(i) || in_clump(i)) continue;
    const vec v = beside_flow(now_.velocity[i], now_.position[i]);
    const vec& w = now_.spin[i];
    all.kinetic += 0.5 * now_.mass[i] * dot(v, v) + 0.5 * now_.inertia[i] * dot(w, w);
    all.gravity -= now_.mass[i] * dot(chosen_.gravity, now_.position[i]);
    all.momentum += v * now_.mass[i];
  }
  for (const clump& c : clumps_) {
    if (c.moves != motion::free) continue;
    const vec v = beside_flow(c.velocity, c.center);
    all.kinetic += 0.5 * c.mass * dot(v, v) + 0.5 * dot(c.spin, c.angular_momentum);
    all.gravity -= c.mass * dot(chosen_.gravity, c.center);
    all.momentum += v * c.mass;
  }
  add_contacts(all);
  all.brought = brought_;
  if (!chosen_.energies) return all;
  double by_contacts = work_of_gone_ + wall_work_of_gone_;
  all.work = -wall_work_of_gone_ - held_work_of_gone_;
  for (row i = 0; i < now_.size(); ++i) {
    by_contacts += work_[i] + wall_work_[i];
    all.work -= wall_work_[i] + (free(i) ? 0 : work_[i]);
  }
  if (box_) {
    by_contacts += box_->contact_work;
    all.work += box_->work;
  }
  all.dissipated = -by_contacts - (all.elastic - elastic_at_start_);
  return all;
}

void simulation::inside::drive(std::uint32_t id, const vec& velocity, const vec& spin) {
  check_whole();
  const row i = row_of(id);
  if (now_.moves[i] != motion::driven) throw error("body " + std::to_string(id) + " is not driven", id);
  if (!drive_of_.empty() && drive_of_[id] != no_drive) {
    throw error("body " + std::to_string(id) + " has a drive already", id);
  }
  if (in_clump(i)) {
    clump& c = clumps_[now_.clump[i]];
    c.velocity = velocity;
    c.spin = spin;
    spread_velocity(c, parts_[now_.clump[i]]);
  } else {
    now_.velocity[i] = velocity;
    now_.spin[i] = spin;
    check_move(i, velocity, spin);
  }
  throw_fault();
}

void simulation::inside::use_method(std::string_view text) {
  check_whole();
  search_ = abut::search(plan(text), search_options());
  near_->expire();
  if (patches_) patches_->use_method(text);
  path_ = std::numeric_limits<double>::infinity();
  searched_ = false;
  moved_.reset();
}

simulation::simulation(settings s, const std::vector<body>& bodies)
    : inside_(std::make_unique<inside>(std::move(s), bodies)) {}
simulation::simulation(settings s, std::istream& saved, resume how)
    : inside_(std::make_unique<inside>(std::move(s), saved, how)) {}
simulation::~simulation() = default;
simulation::simulation(simulation&&) noexcept = default;
simulation& simulation::operator=(simulation&&) noexcept = default;

void simulation::run(std::uint64_t steps) { inside_->run(steps); }
const state& simulation::bodies() const { return inside_->bodies(); }
const std::vector<clump>& simulation::clumps() const { return inside_->clumps(); }
row simulation::row_of(std::uint32_t id) const { return inside_->row_of(id); }
std::uint64_t simulation::steps() const { return inside_->steps(); }
double simulation::time_step() const { return inside_->time_step(); }
double simulation::time() const { return static_cast<double>(inside_->steps()) * inside_->time_step(); }
const std::optional<kept_state>& simulation::last_good() const { return inside_->last_good(); }
std::size_t simulation::bytes() const { return inside_->bytes(); }
periodic_axes simulation::periods() const { return inside_->periods(); }
vec simulation::box_flow(const vec& at) const { return inside_->box_flow(at); }
box_stress simulation::stress() const { return inside_->stress(); }
times simulation::spent() const { return inside_->spent(); }
measures simulation::measure() const { return inside_->measure(); }
std::vector<contact_report> simulation::contacts() const { return inside_->contacts(); }
void simulation::drive(std::uint32_t id, const vec& velocity, const vec& spin) { inside_->drive(id, velocity, spin); }
void simulation::use_method(std::string_view plan) { inside_->use_method(plan); }
const std::vector<wall_load>& simulation::wall_loads() const { return inside_->wall_loads(); }
std::vector<wall> simulation::walls() const { return inside_->walls(); }
std::uint32_t simulation::add(const std::vector<body>& bodies) { return inside_->add(bodies); }
void simulation::remove(std::span<const std::uint32_t> ids) { inside_->remove(ids); }
const std::vector<pour_progress>& simulation::poured() const { return inside_->poured(); }
const std::vector<removal_progress>& simulation::removed() const { return inside_->removed(); }
void simulation::save(std::ostream& to, std::string_view note) const { inside_->save(to, note); }
std::uint64_t simulation::searches() const { return inside_->searches(); }

}  // namespace abut::dem
