// Pours and removals: which bodies come and go before a step.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <abut/error.hpp>

#include "finite.hpp"
#include "flow_radii.hpp"
#include "inside.hpp"
#include "patches.hpp"
#include "random.hpp"
#include "text.hpp"

namespace abut::dem {

namespace {

// Radii and places are drawn from sequences of their own.
constexpr std::uint64_t for_places = 0x706c'6163'6573U;

// A lot of places is tried before bodies wait for the next time: up to ten for each, as long as one in fifty is free.
constexpr int rounds = 10;
constexpr std::size_t places_per_round = 2000;
constexpr std::size_t least_places = 200;
constexpr std::size_t places_per_success = 50;

void check_times(double start, double end, std::uint64_t every, const std::string& who) {
  if (!std::isfinite(start) || std::isnan(end)) throw error(who + " has a start or an end that is not a number");
  if (every == 0) throw error(who + " takes place every 0 steps: it must be at least 1");
}

void check_region(const region& r, int dimension, const std::string& who) {
  if (!finite(r.a) || !finite(r.b) || !std::isfinite(r.radius)) throw error(who + " has a region that is not finite");
  if (dimension == 3) return;
  if (r.is == region::form::cylinder) throw error(who + " has a cylinder: in 2D, regions are boxes and half spaces");
  if (r.a.z != 0 || r.b.z != 0) throw error(who + " has a region with z in 2D");
}

// Whether a body of this radius fits into the region of a pour.
bool fits(const region& r, double radius, int dimension) {
  const vec size = r.b - r.a;
  const double d = 2 * radius;
  if (r.is == region::form::cylinder) return r.radius >= radius && length(size) >= d;
  return size.x >= d && size.y >= d && (dimension == 2 || size.z >= d);
}

// A random place for a body that is wholly inside of a region.
vec random_place(const region& r, double radius, int dimension, random_at& next) {
  const auto between = [&](double min, double max) { return min + (max - min) * next(); };
  if (r.is == region::form::box) {
    const double x = between(r.a.x + radius, r.b.x - radius);
    const double y = between(r.a.y + radius, r.b.y - radius);
    return {x, y, dimension == 2 ? 0 : between(r.a.z + radius, r.b.z - radius)};
  }
  const vec axis = r.b - r.a;
  const double size = length(axis);
  const vec along = axis * (1 / size);
  const vec one = any_across(along);
  const vec other = cross(along, one);
  double x = 0, y = 0;
  do {
    x = between(-1, 1);
    y = between(-1, 1);
  } while (x * x + y * y > 1);
  const double out = r.radius - radius;
  return r.a + along * between(radius, size - radius) + one * (x * out) + other * (y * out);
}

abut::bodies spheres_of(const std::vector<ball>& all, int dimension) {
  const auto column_at = [&](const double& first) { return abut::column(&first, all.size(), sizeof(ball)); };
  const ball& b = all.front();
  if (dimension == 2) return abut::spheres(column_at(b.at.x), column_at(b.at.y), column_at(b.radius));
  return abut::spheres(column_at(b.at.x), column_at(b.at.y), column_at(b.at.z), column_at(b.radius));
}

}  // namespace

void simulation::inside::check_flow() const {
  for (std::size_t k = 0; k < chosen_.pours.size(); ++k) {
    const pour& p = chosen_.pours[k];
    const std::string who = "pour " + std::to_string(k);
    check_times(p.start, p.end, p.every, who);
    check_region(p.into, chosen_.dimension, who);
    check_radii(p.radii, who);
    if (p.into.is == region::form::half_space) throw error(who + " has a half space: it needs a box or a cylinder");
    const double largest = largest_radius(p.radii);
    if (!fits(p.into, largest, chosen_.dimension)) {
      throw error(who + " has a region too small for a body of radius " + text_of(largest));
    }
    if (p.material >= chosen_.materials.size()) {
      throw error(who + " has material " + std::to_string(p.material) + ": there are " +
                  std::to_string(chosen_.materials.size()));
    }
    if (!finite(p.velocity) || !finite(p.spin)) throw error(who + " has a velocity that is not finite");
    if (chosen_.dimension == 2 && (p.velocity.z != 0 || p.spin.x != 0 || p.spin.y != 0)) {
      throw error(who + " leaves the plane: in 2D, the angular velocity has only z");
    }
    if (p.rate && p.mass_rate) throw error(who + " has a rate and a mass_rate");
    if (!p.rate && !p.mass_rate && !p.count) throw error(who + " has neither a count nor a rate");
    const double rate = p.rate ? *p.rate : p.mass_rate.value_or(1);
    if (!(rate > 0 && std::isfinite(rate))) {
      throw error(who + " has a rate of " + text_of(rate) + ": it must be finite and above 0");
    }
  }
  for (std::size_t k = 0; k < chosen_.removals.size(); ++k) {
    const std::string who = "removal " + std::to_string(k);
    check_times(chosen_.removals[k].start, chosen_.removals[k].end, chosen_.removals[k].every, who);
    check_region(chosen_.removals[k].from, chosen_.dimension, who);
  }
}

// Whether a pour may still add bodies.
bool simulation::inside::flows(const pour& p, std::size_t k) const {
  const bool all = p.count && pouring_[k].drawn >= *p.count && pouring_[k].waiting.empty();
  return !all && static_cast<double>(steps_) * dt_ < p.end;
}

std::uint64_t simulation::inside::steps_until_flow() const {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  const auto until = [&](std::uint64_t every) { least = std::min(least, every - steps_ % every); };
  for (std::size_t k = 0; k < chosen_.pours.size(); ++k) {
    if (flows(chosen_.pours[k], k)) until(chosen_.pours[k].every);
  }
  for (const removal& r : chosen_.removals) {
    if (static_cast<double>(steps_) * dt_ < r.end) until(r.every);
  }
  return least;
}

// Before a step: what leaves makes room for what comes.
void simulation::inside::flow() {
  if (chosen_.pours.empty() && chosen_.removals.empty()) return;
  const std::vector<row> gone = rows_to_remove();
  if (!gone.empty()) change(gone, {});
  std::vector<body> come;
  for (std::size_t k = 0; k < chosen_.pours.size(); ++k) {
    const pour& p = chosen_.pours[k];
    if (steps_ % p.every != 0 || !flows(p, k) || static_cast<double>(steps_) * dt_ < p.start) continue;
    draw(k);
    if (!pouring_[k].waiting.empty()) pour_into(k, come);
    poured_[k].waiting = pouring_[k].waiting.size();
  }
  change({}, come);
}

// A body that is in several regions counts for the first.
std::vector<row> simulation::inside::rows_to_remove() {
  std::vector<row> gone;
  const double time = static_cast<double>(steps_) * dt_;
  std::vector<bool> counted(clumps_.size(), false);
  std::vector<std::size_t> due;
  for (std::size_t k = 0; k < chosen_.removals.size(); ++k) {
    const removal& r = chosen_.removals[k];
    if (steps_ % r.every == 0 && time >= r.start && time < r.end) due.push_back(k);
  }
  for (row i = 0; i < now_.size() && !due.empty(); ++i) {
    vec at = in_clump(i) ? clumps_[now_.clump[i]].center : now_.position[i];
    wrap_point(at);
    const auto found = std::find_if(due.begin(), due.end(), [&](std::size_t k) {
      const removal& r = chosen_.removals[k];
      return r.held == !free(i) && contains(r.from, at);
    });
    if (found == due.end()) continue;
    gone.push_back(i);
    ++removed_[*found].removed;
    if (in_clump(i) && counted[now_.clump[i]]) continue;
    if (in_clump(i)) counted[now_.clump[i]] = true;
    removed_[*found].mass += pushed_mass(i);
  }
  return gone;
}

// Bodies whose turn has come are drawn, and wait for a place.
void simulation::inside::draw(std::size_t k) {
  const pour& p = chosen_.pours[k];
  pour_state& s = pouring_[k];
  const std::uint64_t most = p.count.value_or(std::numeric_limits<std::uint64_t>::max());
  const double elapsed = static_cast<double>(steps_) * dt_ - p.start;
  const double due = p.rate ? *p.rate * elapsed * (1 + 1e-12) : p.mass_rate ? *p.mass_rate * elapsed : 0;
  const auto next_is_due = [&] {
    if (p.rate) return static_cast<double>(s.drawn + 1) <= due;
    return !p.mass_rate || s.drawn_mass < due;
  };
  while (s.drawn < most && next_is_due()) {
    s.drawn_mass += mass_of(radius_of(k, s.drawn), p.material);
    s.waiting.push_back(s.drawn++);
  }
}

double simulation::inside::radius_of(std::size_t k, std::uint64_t number) const {
  const pour& p = chosen_.pours[k];
  return radius_at(p.radii, chosen_.dimension, random_at(p.seed, number)());
}

// Tries random places for all that wait, again and again, and takes those that are free.
void simulation::inside::pour_into(std::size_t k, std::vector<body>& come) {
  const pour& p = chosen_.pours[k];
  pour_state& s = pouring_[k];
  std::vector<ball> others = balls_near(p, come);
  std::size_t tried = 0, placed = 0;
  for (int round = 0; round < rounds && !s.waiting.empty(); ++round) {
    if (tried >= least_places && placed * places_per_success < tried) break;
    std::vector<ball> places;
    for (std::size_t n = 0; n < std::min(s.waiting.size(), places_per_round); ++n) {
      random_at next(p.seed ^ for_places, s.tries++);
      const double radius = radius_of(k, s.waiting[n]);
      places.push_back({random_place(p.into, radius, chosen_.dimension, next), radius});
    }
    tried += places.size();
    const std::vector<bool> taken = blocked(places, others);
    std::size_t left = 0;
    for (std::size_t n = 0; n < s.waiting.size(); ++n) {
      if (n >= places.size() || taken[n]) {
        s.waiting[left++] = s.waiting[n];
        continue;
      }
      const ball& b = places[n];
      others.push_back(b);
      come.push_back({.position = b.at,
                      .velocity = p.velocity + box_flow(b.at),
                      .spin = p.spin,
                      .radius = b.radius,
                      .material = p.material});
      ++placed;
      ++poured_[k].poured;
      poured_[k].mass += mass_of(b.radius, p.material);
    }
    s.waiting.resize(left);
  }
}

// The bodies that those of a pour could overlap, and those that come in the same step.
std::vector<ball> simulation::inside::balls_near(const pour& p, const std::vector<body>& come) const {
  patch_box box{p.into.a, p.into.a};
  const double wide = p.into.is == region::form::cylinder ? p.into.radius : 0;
  const auto widen_to = [&](const vec& at) {
    box.min = {std::min(box.min.x, at.x - wide), std::min(box.min.y, at.y - wide), std::min(box.min.z, at.z - wide)};
    box.max = {std::max(box.max.x, at.x + wide), std::max(box.max.y, at.y + wide), std::max(box.max.z, at.z + wide)};
  };
  widen_to(p.into.a);
  widen_to(p.into.b);
  const auto off = [](double at, double min, double max, double reach, double period) {
    return period == 0 && (at < min - reach || at > max + reach);
  };
  std::vector<ball> all;
  for (row i = 0; i < now_.size(); ++i) {
    const vec& at = now_.position[i];
    const double reach = (now_.radius[i] + traits_.reach) * (1 + 1e-9);
    if (off(at.x, box.min.x, box.max.x, reach, period_.x) || off(at.y, box.min.y, box.max.y, reach, period_.y) ||
        off(at.z, box.min.z, box.max.z, reach, period_.z)) {
      continue;
    }
    all.push_back({at, now_.radius[i]});
  }
  for (const body& b : come) all.push_back({b.position, b.radius});
  return all;
}

// Which of these places are not free: a body or wall is there, or a place before that is free itself.
std::vector<bool> simulation::inside::blocked(const std::vector<ball>& places, const std::vector<ball>& others) const {
  std::vector<bool> taken(places.size(), false);
  const abut::bodies all = spheres_of(places, chosen_.dimension);
  abut::search those(plan("grid"), search_options());
  those.update(all, {.margin = traits_.reach});
  if (!others.empty()) {
    those.for_each_pair_between(spheres_of(others, chosen_.dimension), [&](row i, row) { taken[i] = true; });
  }
  for (const wall& w : chosen_.walls) {
    if (!w.patches.empty() || is_open(w)) continue;
    for (std::size_t i = 0; i < places.size(); ++i) {
      taken[i] = taken[i] || place_of(w, places[i].at).distance <= places[i].radius + traits_.reach;
    }
  }
  if (patches_) patches_->mark_near(all, places, traits_.reach, taken);
  std::vector<abut::pair> pairs = those.pairs();
  std::sort(pairs.begin(), pairs.end(),
            [](const abut::pair& a, const abut::pair& b) { return a.j != b.j ? a.j < b.j : a.i < b.i; });
  for (const abut::pair& p : pairs) taken[p.j] = taken[p.j] || !taken[p.i];
  return taken;
}

}  // namespace abut::dem
