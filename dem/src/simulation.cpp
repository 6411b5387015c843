#include <abut/dem/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <abut/error.hpp>

#include "inside.hpp"

namespace abut::dem {

void simulation::inside::step() {
  throw_fault();  // of an earlier step
  if (steps_ > 0 && steps_ % chosen_.sort_every == 0) sort_rows();
  ++steps_;
  predict();
  find_near();
  const moment end{0.5 * dt_, dt_};
  push(end);
  sum_and_finish(end);
  throw_fault();
}

row simulation::inside::row_of(std::uint32_t id) const {
  if (id >= row_of_.size()) {
    throw error("there is no body " + std::to_string(id) + ": there are " + std::to_string(row_of_.size()));
  }
  return row_of_[id];
}

measures simulation::inside::measure() const {
  measures all;
  for (row i = 0; i < now_.size(); ++i) {
    if (!free(i)) continue;
    const vec& v = now_.velocity[i];
    const vec& w = now_.spin[i];
    all.kinetic += 0.5 * now_.mass[i] * dot(v, v) + 0.5 * now_.inertia[i] * dot(w, w);
    all.gravity -= now_.mass[i] * dot(chosen_.gravity, now_.position[i]);
    all.momentum += v * now_.mass[i];
  }
  if (!chosen_.contact_law) return all;
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
    if (!meet(near.firsts()[slot], near.seconds()[slot], near.image_of(slot), {}, c)) continue;
    add(c, reinterpret_cast<const double*>(near.memory(slot)));
  }
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    for (row i = 0; i < now_.size(); ++i) {
      if (!free(i) || !meet_wall(i, w, {}, c)) continue;
      add(c, wall_memory_.data() + (w * now_.size() + i) * traits_.memory);
    }
  }
  return all;
}

void simulation::inside::drive(std::uint32_t id, const vec& velocity, const vec& spin) {
  const row i = row_of(id);
  if (now_.moves[i] != motion::driven) throw error("body " + std::to_string(id) + " is not driven", id);
  now_.velocity[i] = velocity;
  now_.spin[i] = spin;
  check_move(i);
  throw_fault();
}

void simulation::inside::use_method(std::string_view text) {
  search_ = abut::search(plan(text), search_options());
  near_->expire();
  searched_ = false;
  moved_.reset();
}

simulation::simulation(settings s, const std::vector<body>& bodies)
    : inside_(std::make_unique<inside>(std::move(s), bodies)) {}
simulation::~simulation() = default;
simulation::simulation(simulation&&) noexcept = default;
simulation& simulation::operator=(simulation&&) noexcept = default;

void simulation::run(std::uint64_t steps) {
  for (std::uint64_t k = 0; k < steps; ++k) inside_->step();
}
const state& simulation::bodies() const { return inside_->bodies(); }
row simulation::row_of(std::uint32_t id) const { return inside_->row_of(id); }
std::uint64_t simulation::steps() const { return inside_->steps(); }
double simulation::time_step() const { return inside_->time_step(); }
double simulation::time() const { return static_cast<double>(inside_->steps()) * inside_->time_step(); }
measures simulation::measure() const { return inside_->measure(); }
void simulation::drive(std::uint32_t id, const vec& velocity, const vec& spin) { inside_->drive(id, velocity, spin); }
void simulation::use_method(std::string_view plan) { inside_->use_method(plan); }
std::uint64_t simulation::searches() const { return inside_->searches(); }

}  // namespace abut::dem
