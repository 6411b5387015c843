// Saving a simulation, and going on from what was saved.
//
// Saved is what steps depend on, and nothing that depends on the method, the number of threads or the skins. So equal
// simulations are saved as equal bytes.

#include <algorithm>
#include <bit>
#include <cmath>
#include <istream>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include <abut/error.hpp>

#include "agreement.hpp"
#include "axes.hpp"
#include "checkpoint_stream.hpp"
#include "flow_radii.hpp"
#include "inside.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

// A wall that may have moved. Which one it is, is told by what it was at the start.
struct saved_wall {
  std::uint64_t made = 0;
  vec point{}, normal{}, velocity{}, spin{}, center{};
  vec start_point{}, start_normal{};
  wall_pose pose{};
  vec next_velocity{}, next_spin{};
  wall_load load{};
};
template <class Archive, is_a<saved_wall> W>
void fields(Archive& a, W& w) {
  a(w.made, w.point, w.normal, w.velocity, w.spin, w.center, w.start_point, w.start_normal, w.pose, w.next_velocity,
    w.next_spin, w.load);
}

// What contacts remember, of those that do.
struct memories {
  std::vector<std::uint32_t> firsts{};   // rows, or numbers of walls
  std::vector<std::uint32_t> seconds{};  // rows
  std::vector<double> numbers{};

  void keep(std::uint32_t first, std::uint32_t second, std::span<const double> all) {
    const auto remembers = [](double number) { return std::bit_cast<std::uint64_t>(number) != 0; };
    if (std::none_of(all.begin(), all.end(), remembers)) return;
    firsts.push_back(first);
    seconds.push_back(second);
    numbers.insert(numbers.end(), all.begin(), all.end());
  }
  void check(std::size_t count) const {
    if (firsts.size() != seconds.size() || numbers.size() != firsts.size() * count) {
      checkpoint_reader::damaged("contacts remember another number of numbers");
    }
  }
};
template <class Archive, is_a<memories> M>
void fields(Archive& a, M& m) {
  a(m.firsts, m.seconds, m.numbers);
}

constexpr std::size_t gone = std::numeric_limits<std::size_t>::max();

}  // namespace

// What is not saved as it is in the simulation.
struct simulation::inside::saved {
  std::string note{};
  facts agreed{};
  std::uint64_t ids = 0;         // those of bodies that are gone included
  std::vector<vec> predicted{};  // where forces were computed, if bodies have moved since: by a predictor-corrector
  std::vector<vec> velocity{};   // as predicted, and the same of spins, if the law turns bodies
  std::vector<vec> spin{};
  std::vector<saved_wall> walls{};
  memories contacts{};
  memories at_walls{};
  std::uint8_t has_box = 0;
  std::uint8_t mid = 0;  // whether velocities are those in mid-step: not if there were clumps, even if they are gone
  deforming_box box{};
};

// All that is written and read, in this order.
template <class Archive, class Self, class Saved>
void simulation::inside::exchange(Archive& a, Self& self, Saved& more) {
  a(more.note, more.agreed, self.steps_, self.dt_, self.smallest_, self.line_, self.elastic_at_start_);
  auto& n = self.now_;
  a(n.id, n.position, n.velocity, n.spin, n.orientation, n.force, n.torque, n.radius, n.mass, n.inertia, n.material,
    n.moves, n.clump);
  a(self.acceleration_, more.predicted, more.velocity, more.spin, self.turning_, self.jerk_, self.turning_jerk_);
  a(self.work_, self.wall_work_, self.wall_power_);
  a(self.clumps_);
  if constexpr (std::is_same_v<Archive, checkpoint_reader>) self.parts_.resize(self.clumps_.size());
  for (auto& p : self.parts_) a(p.at, p.inverse, p.acceleration, p.turning);
  a(more.walls, more.contacts, more.at_walls, self.touch_memory_);
  a(more.ids, self.pouring_, self.poured_, self.removed_, self.brought_);
  a(self.work_of_gone_, self.held_work_of_gone_, self.wall_work_of_gone_);
  a(more.has_box, more.box, more.mid);
}

void simulation::inside::save(std::ostream& to, std::string_view note) const {
  throw_fault();
  saved more;
  more.note = note;
  more.ids = row_of_.size();
  more.agreed = facts_of(chosen_, traits_);
  if (chosen_.moved_by == integrator::predictor_corrector) {
    for (row i = 0; i < now_.size(); ++i) more.predicted.push_back(record_[i].at);
  }
  for (row i = 0; i < now_.size() && !turn_.empty(); ++i) {
    more.velocity.push_back(record_[i].velocity);
    more.spin.push_back(turn_[i].spin);
  }
  for (std::size_t w = 0; w < chosen_.walls.size(); ++w) {
    const wall& at = chosen_.walls[w];
    more.walls.push_back({wall_made_[w], at.point, at.normal, at.velocity, at.spin, at.center, wall_start_[w].point,
                          wall_start_[w].normal, poses_[w], wall_next_[w].velocity, wall_next_[w].spin,
                          loads_.all()[w]});
  }
  const std::size_t count = traits_.memory;
  const std::vector<double> remembered = close_.memory(*near_, count);
  for (std::uint32_t slot = 0; slot < near_->size() && count > 0; ++slot) {
    more.contacts.keep(near_->firsts()[slot], near_->seconds()[slot], std::span(&remembered[slot * count], count));
  }
  for (std::uint32_t w = 0; w < chosen_.walls.size() && count > 0; ++w) {
    for (row i = 0; i < now_.size(); ++i) {
      more.at_walls.keep(w, i, std::span(wall_memory_.data() + (w * now_.size() + i) * count, count));
    }
  }
  more.has_box = box_ ? 1 : 0;
  more.mid = mid_ ? 1 : 0;
  if (box_) more.box = *box_;
  checkpoint_counter bytes;
  exchange(bytes, *this, more);
  checkpoint_writer writer(to, bytes.bytes());
  exchange(writer, *this, more);
  writer.finish();
}

simulation::inside::inside(settings s, std::istream& from, resume how) : chosen_(std::move(s)) {
  take_settings();
  checkpoint_reader reader(from);
  saved more;
  exchange(reader, *this, more);
  reader.finish();
  check_agreement(more.agreed, facts_of(chosen_, traits_), how);
  check_law();
  if (chosen_.time_step && *chosen_.time_step != dt_) {
    throw error("the checkpoint has time step " + text_of(dt_) + ", the settings have " + text_of(*chosen_.time_step));
  }
  check_loaded(more);
  take_loaded(more);
  if (more.has_box != 0) load_box(more.box);
  check_box_bodies();
  take_flow(how);
  const std::vector<std::size_t> new_walls = matched_walls(more, how);
  check_drives();
  driven_.resize(chosen_.drives.size());
  ask_drives(static_cast<double>(steps_) * dt_);
  start_driven_walls();
  search_ = abut::search(plan(chosen_.method), search_options());
  make_list();
  load_memory(more, new_walls);
  make_records(more.mid != 0 || how == resume::changed);
  take_in();
  for (row i = 0; i < more.predicted.size(); ++i) record_[i].at = more.predicted[i];
  for (row i = 0; i < more.velocity.size() && !turn_.empty(); ++i) {
    record_[i].velocity = more.velocity[i];
    turn_[i].spin = more.spin[i];
  }
  path_ = std::numeric_limits<double>::infinity();
  start_walls();
  load_walls(more, new_walls);
  find_near();
  start_pass(false);
  spent_ = {};
}

// A file with the right checksum has these properties, unless someone made it up.
void simulation::inside::check_loaded(const saved& more) const {
  const std::size_t size = now_.size();
  const auto of_all = [&](const auto&... columns) {
    if (!(... && (columns.size() == size))) checkpoint_reader::damaged("its columns differ in length");
  };
  const state& n = now_;
  of_all(n.position, n.velocity, n.spin, n.orientation, n.force, n.torque, n.radius, n.mass, n.inertia, n.material,
         n.moves, acceleration_, turning_);
  if (chosen_.moved_by == integrator::predictor_corrector) of_all(more.predicted, jerk_, turning_jerk_);
  if (traits_.turns || !more.velocity.empty() || !more.spin.empty()) of_all(more.velocity, more.spin);
  if (chosen_.energies) of_all(work_, wall_work_, wall_power_);
  if (!n.clump.empty() || !clumps_.empty()) of_all(n.clump);
  if (!touch_memory_.empty()) of_all(touch_memory_);
  if (more.ids < size || more.ids >= no_row) checkpoint_reader::damaged("its ids are wrong");
  std::vector<bool> seen_ids(more.ids, false);
  for (row i = 0; i < size; ++i) {
    if (n.id[i] >= more.ids || seen_ids[n.id[i]]) checkpoint_reader::damaged("its ids are wrong");
    seen_ids[n.id[i]] = true;
    if (n.material[i] >= chosen_.materials.size() || n.moves[i] > motion::driven) {
      checkpoint_reader::damaged("body " + std::to_string(n.id[i]) + " is wrong");
    }
    if (in_clump(i) && n.clump[i] >= clumps_.size()) checkpoint_reader::damaged("its clumps are wrong");
  }
  for (std::size_t k = 0; k < clumps_.size(); ++k) {
    const bool known = std::all_of(clumps_[k].ids.begin(), clumps_[k].ids.end(),
                                   [&](auto id) { return id < more.ids && seen_ids[id]; });
    if (!known || parts_[k].at.size() != clumps_[k].ids.size()) checkpoint_reader::damaged("its clumps are wrong");
  }
  more.contacts.check(traits_.memory);
  more.at_walls.check(traits_.memory);
}

// What follows from the columns that were read.
void simulation::inside::take_loaded(const saved& more) {
  const std::size_t size = now_.size();
  row_of_.assign(more.ids, no_row);
  for (row i = 0; i < size; ++i) {
    row_of_[now_.id[i]] = i;
    mobility_.push_back(free(i) ? 1 / pushed_mass(i) : 0);
    held_.push_back(free(i) ? 0 : 1);
    if (now_.clump.empty()) continue;
    group_.push_back(static_cast<std::int32_t>(in_clump(i) ? now_.clump[i] : ~now_.id[i]));
  }
  for (dem::drive& d : chosen_.drives) {  // of bodies that are still there
    std::erase_if(d.bodies, [&](std::uint32_t id) { return id < row_of_.size() && row_of_[id] == no_row; });
  }
  wall_memory_.assign(chosen_.walls.size() * size * traits_.memory, 0.0);
  met_wall_.assign(traits_.memory > 0 ? chosen_.walls.size() * size : 0, 1);
}

// A box that has deformed keeps its shape, even if it is not to deform any more.
void simulation::inside::load_box(const deforming_box& from) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double side = from.sides.*axes[k];
    const bool right = chosen_.periodic[k] ? side > 0 && std::isfinite(side) : side == 0;
    if (!right) checkpoint_reader::damaged("its box is wrong");
  }
  if (!box_) box_.emplace(box_deformation{.end = 0}, chosen_.periodic);
  box_->sides = from.sides;
  box_->speed = from.speed;
  box_->sums = from.sums;
  box_->work = from.work;
  box_->contact_work = from.contact_work;
  box_->restore();
  period_ = box_->sides;
}

// Pours and removals go on if there are as many as before; otherwise, all of them begin anew.
void simulation::inside::take_flow(resume how) {
  const bool same = pouring_.size() == chosen_.pours.size() && removed_.size() == chosen_.removals.size();
  if (poured_.size() != pouring_.size()) checkpoint_reader::damaged("its pours are wrong");
  if (how == resume::changed) {
    for (const pour& p : chosen_.pours) smallest_ = std::min(smallest_, smallest_radius(p.radii));
  }
  if (same) return;
  pouring_.assign(chosen_.pours.size(), {});
  poured_.assign(chosen_.pours.size(), {});
  removed_.assign(chosen_.removals.size(), {});
}

// The number in the settings of each wall that was saved, or `gone`.
std::vector<std::size_t> simulation::inside::matched_walls(const saved& more, resume how) const {
  const std::size_t count = chosen_.walls.size();
  if (how == resume::as_before && more.walls.size() != count) {
    throw error("the checkpoint has " + std::to_string(more.walls.size()) + " walls, the settings have " +
                std::to_string(count));
  }
  std::vector<std::size_t> numbers;
  std::vector<bool> taken(count, false);
  for (std::size_t w = 0; w < more.walls.size(); ++w) {
    std::size_t at = how == resume::as_before ? w : 0;
    while (at < count && (taken[at] || wall_made_[at] != more.walls[w].made) && how == resume::changed) ++at;
    if (at < count && wall_made_[at] != more.walls[w].made) {
      throw error("wall " + std::to_string(w) + " of the checkpoint differs from that of the settings");
    }
    numbers.push_back(at < count ? at : gone);
    if (at < count) taken[at] = true;
  }
  return numbers;
}

void simulation::inside::load_memory(saved& more, const std::vector<std::size_t>& new_walls) {
  const std::size_t count = traits_.memory;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(more.contacts.numbers));
  near_->load({std::move(more.contacts.firsts), std::move(more.contacts.seconds), {bytes.begin(), bytes.end()}},
              now_.size());
  const memories& m = more.at_walls;
  for (std::size_t k = 0; k < m.firsts.size(); ++k) {
    if (m.firsts[k] >= new_walls.size() || m.seconds[k] >= now_.size())
      checkpoint_reader::damaged("its walls are wrong");
    const std::size_t w = new_walls[m.firsts[k]];
    if (w != gone) std::copy_n(m.numbers.data() + k * count, count, wall_memory(w, m.seconds[k]));
  }
  for (touch_memory& of : touch_memory_) {
    touch_memory kept;
    if (of.numbers.size() != of.points.size() * count) checkpoint_reader::damaged("its walls are wrong");
    for (std::size_t k = 0; k < of.points.size(); ++k) {
      if (of.points[k].wall >= new_walls.size()) checkpoint_reader::damaged("its walls are wrong");
      const std::size_t w = new_walls[of.points[k].wall];
      if (w == gone) continue;
      kept.points.push_back({static_cast<std::uint32_t>(w), of.points[k].normal});
      kept.numbers.insert(kept.numbers.end(), of.at(k, count), of.at(k, count) + count);
    }
    of = std::move(kept);
  }
}

void simulation::inside::load_walls(const saved& more, const std::vector<std::size_t>& new_walls) {
  std::vector<wall_load> loads(chosen_.walls.size());
  for (std::size_t k = 0; k < new_walls.size(); ++k) {
    const std::size_t w = new_walls[k];
    if (w == gone) continue;
    const saved_wall& from = more.walls[k];
    wall& to = chosen_.walls[w];
    to.point = from.point;
    to.normal = from.normal;
    to.velocity = from.velocity;
    to.spin = from.spin;
    to.center = from.center;
    wall_start_[w] = {from.start_point, from.start_normal};
    poses_[w] = from.pose;
    wall_next_[w] = {from.next_velocity, from.next_spin};
    loads[w] = from.load;
  }
  loads_.restore(std::move(loads));
}

std::string saved_note(std::istream& saved) {
  checkpoint_reader reader(saved);
  std::string note;
  reader(note);
  return note;
}

}  // namespace abut::dem
