#include "world.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "names.hpp"
#include "parallel.hpp"

namespace abut {

namespace {

// Of every shift and its opposite, one: the first component that is not 0 is +1. So each pair of a body and an image is
// met once.
constexpr std::int8_t half_of_shifts[13][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 0},  {1, -1, 0},
                                               {1, 0, 1},  {1, 0, -1}, {0, 1, 1},  {0, 1, -1}, {1, 1, 1},
                                               {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};

constexpr const char* axis_name[3] = {"x", "y", "z"};
constexpr double most_images = 1e6;

double length(const interval& i) { return i.max - i.min; }

// Into [min, max): unchanged where it is there already, which keeps the bits of bodies that did not cross a border.
double wrapped(double x, const interval& period) {
  if (x >= period.min && x < period.max) return x;
  const double side = length(period);
  double w = x - side * std::floor((x - period.min) / side);
  if (w < period.min) w += side;
  if (w >= period.max) w -= side;
  return w >= period.min && w < period.max ? w : period.min;  // where the side is below the precision of x
}

bodies view_of(shape kind, int dimension, const std::vector<double>* c) {
  if (kind == shape::sphere) return dimension == 2 ? spheres(c[0], c[1], c[2]) : spheres(c[0], c[1], c[2], c[3]);
  return dimension == 2 ? boxes(c[0], c[2], c[1], c[3]) : boxes(c[0], c[3], c[1], c[4], c[2], c[5]);
}

}  // namespace

world::world(const bodies& b, const options& o, int threads, row_watcher* watcher)
    : bodies_(b), own_(b.size()), margin_(o.margin), threads_(threads) {
  measured_ = check(b, threads, largest, watcher);
  measured_own_ = measured_;
  for (int k = 0; k < b.dimension(); ++k) periodic_[k] = o.periodic[k];
  if (std::any_of(periodic_.begin(), periodic_.end(), [](const auto& p) { return p.has_value(); })) take_periods(o);
  if (b.fixed().given() || has_ghosts()) take_fixed(b);
}

world::world(const bodies& rows, double margin, int threads)
    : bodies_(rows), own_(rows.size()), margin_(margin), threads_(threads) {
  measured_ = check(rows, threads, 4 * largest);  // as take_periods does
  measured_own_ = measured_;
  if (rows.fixed().given()) take_fixed(rows);
}

void world::take_periods(const options& o) {
  const bodies user = bodies_;
  const int d = dimension();
  for (int k = 0; k < d; ++k) {
    if (!periodic_[k]) continue;
    const double reach = measured_.widest[k] + o.margin;
    const double side = length(*periodic_[k]);
    if (side < 2 * reach) {
      throw error("the periodic side " + std::string(axis_name[k]) + " is " + number_text(side) +
                  ", shorter than twice the largest reach " + number_text(reach) +
                  " (the widest body plus the margin): make it at least " + number_text(2 * reach));
    }
    repeats_ = repeats_ || side <= 2 * reach * (1 + 1e-9) + 1e-140;
  }
  for (int k = 0; k < user.columns(); ++k) {
    columns_[k].resize(own_);
    if (own_ > 0) user.at(k).read(0, own_, columns_[k].data());
  }
  for (int k = 0; k < d; ++k) {
    if (periodic_[k]) wrap(k, columns_[k].data(), kind() == shape::box ? columns_[d + k].data() : nullptr, own_);
  }
  bodies_ = view_of(kind(), d, columns_);
  measured_own_ = check(bodies_, threads_);
  add_ghosts();
  if (columns_[0].size() > most_rows) throw error("too many bodies near periodic borders: cut the set into parts");
  bodies_ = view_of(kind(), d, columns_);
  measured_ = check(bodies_, threads_, 4 * largest);  // images lie up to a side farther out
}

void world::wrap(int axis, double* lower, double* upper, std::size_t count) const {
  const interval period = *periodic_[axis];
  parallel_blocks(threads_, count, 16384, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const double w = wrapped(lower[i], period);
      if (upper != nullptr) upper[i] = std::max(w, upper[i] + (w - lower[i]));
      lower[i] = w;
    }
  });
}

void world::add_ghosts() {
  const int d = dimension();
  const bool sphere_set = kind() == shape::sphere;
  for (row i = 0; i < own_; ++i) {
    // Which way, on each axis, the image of this body comes within reach of some body.
    bool may[3][3] = {{false, true, false}, {false, true, false}, {false, true, false}};
    bool any = false;
    for (int k = 0; k < d; ++k) {
      if (!periodic_[k]) continue;
      const double r = sphere_set ? columns_[d][i] : 0;
      const double lo = columns_[k][i] - r - margin_;
      const double hi = (sphere_set ? columns_[k][i] + r : columns_[d + k][i]) + margin_;
      const double side = length(*periodic_[k]);
      may[k][2] = widened(lo + side, hi + side).min <= measured_own_.upper[k];
      may[k][0] = widened(lo - side, hi - side).max >= measured_own_.lower[k];
      any = any || may[k][0] || may[k][2];
    }
    if (!any) continue;
    for (const auto& by : half_of_shifts) {
      if (!may[0][by[0] + 1] || !may[1][by[1] + 1] || !may[2][by[2] + 1]) continue;
      ghosts_.push_back({i, {by[0], by[1], by[2]}});
      for (int c = 0; c < bodies_.columns(); ++c) {
        const int k = c % d;  // for spheres, column d is the radius
        double v = columns_[c][i];
        if (!(sphere_set && c == d) && by[k] != 0) v += by[k] * length(*periodic_[k]);
        columns_[c].push_back(v);
      }
    }
  }
}

void world::take_fixed(const bodies& b) {
  mute_.assign(size(), 0);
  const flags& fixed = b.fixed();
  if (fixed.given()) {
    for (std::size_t i = 0; i < own_; ++i) mute_[i] = fixed[i] ? fixed_bit : std::uint8_t{0};
  }
  for (std::size_t g = 0; g < ghosts_.size(); ++g) {
    mute_[own_ + g] = static_cast<std::uint8_t>(mute_[ghosts_[g].owner] | ghost_bit);
  }
}

std::size_t world::bytes() const {
  std::size_t sum = ghosts_.capacity() * sizeof(ghost) + mute_.capacity();
  for (const auto& c : columns_) sum += c.capacity() * sizeof(double);
  return sum;
}

region world::get(row i) const {
  const int d = dimension();
  if (kind() == shape::sphere) {
    sphere s;
    for (int k = 0; k < d; ++k) s.center[k] = at(k)[i];
    s.radius = at(d)[i];
    return s;
  }
  box b;
  for (int k = 0; k < d; ++k) b.min[k] = at(k)[i];
  for (int k = 0; k < d; ++k) b.max[k] = at(d + k)[i];
  return b;
}

region world::image(row i, const std::int8_t* by) const {
  return moved(get(i), {-by[0], -by[1], -by[2]});  // plus the shift
}

region world::moved(const region& where, const shift& by) const {
  region to = where;
  for (int k = 0; k < dimension(); ++k) {
    if (by[k] == 0) continue;
    const double distance = static_cast<double>(by[k]) * length(*periodic_[k]);
    if (auto* s = std::get_if<sphere>(&to)) {
      s->center[k] -= distance;
    } else {
      std::get<box>(to).min[k] -= distance;
      std::get<box>(to).max[k] -= distance;
    }
  }
  return to;
}

// Images are taken in the order: none, then for each shift that of the second body and that of the first. Only where a
// side is just twice the reach can two of them touch.
bool world::first_image(const pair& p, const ghost& which, bool of_first) const {
  const region a = get(p.i);
  const region b = get(p.j);
  if (overlap(a, b, margin_)) return false;
  for (const auto& by : half_of_shifts) {
    bool known = true;
    for (int k = 0; k < 3; ++k) known = known && (by[k] == 0 || periodic_[k].has_value());
    if (!known) continue;
    const bool here = std::equal(by, by + 3, which.by);
    if (here && !of_first) return true;
    if (overlap(a, image(p.j, by), margin_)) return false;
    if (here) return true;
    if (overlap(image(p.i, by), b, margin_)) return false;
  }
  return true;
}

std::size_t world::own_pairs(pair* first, std::size_t count) const {
  if (!has_ghosts()) return count;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    pair p = first[k];
    if (p.j >= own_) {  // the other is none: two ghosts are muted
      const ghost& g = ghosts_[p.j - own_];
      if (g.owner == p.i) continue;
      const bool of_first = g.owner < p.i;
      p = of_first ? pair{g.owner, p.i} : pair{p.i, g.owner};
      if (repeats_ && !first_image(p, g, of_first)) continue;
    }
    first[kept++] = p;
  }
  return kept;
}

std::vector<world::shift> world::images(const region& where) const {
  std::vector<shift> all{{0, 0, 0}};
  if (own_ == 0) return all;
  double total = 1;
  for (int k = 0; k < dimension(); ++k) {
    if (!periodic_[k]) continue;
    const auto* s = std::get_if<sphere>(&where);
    const double lo = s != nullptr ? s->center[k] - s->radius : std::get<box>(where).min[k];
    const double hi = s != nullptr ? s->center[k] + s->radius : std::get<box>(where).max[k];
    const interval reach = widened(lo - margin_, hi + margin_);
    const double side = length(*periodic_[k]);
    const double from = std::floor((reach.min - measured_own_.upper[k]) / side);
    const double to = std::ceil((reach.max - measured_own_.lower[k]) / side);
    total *= to - from + 1;
    if (!(total <= most_images) || !(std::max(std::abs(from), std::abs(to)) < 1e9)) {
      throw error("the region reaches from " + number_text(lo) + " to " + number_text(hi) + " on the periodic axis " +
                  axis_name[k] + " of side " + number_text(side) +
                  ": that is too many images of the bodies to look at; take a smaller or nearer region");
    }
    std::vector<shift> more;
    for (const shift& one : all) {
      for (int n = static_cast<int>(from); n <= static_cast<int>(to); ++n) {
        more.push_back(one);
        more.back()[k] = n;
      }
    }
    all = std::move(more);
  }
  return all;
}

std::vector<row> world::map_from(const world& before, std::span<const row> new_rows) const {
  std::vector<row> map(new_rows.begin(), new_rows.end());
  const auto by_owner = [](const ghost& g, row owner) { return g.owner < owner; };
  for (const ghost& old : before.ghosts_) {
    const row owner = new_rows[old.owner];
    row found = no_row;
    for (auto g = std::lower_bound(ghosts_.begin(), ghosts_.end(), owner, by_owner);
         owner != no_row && g != ghosts_.end() && g->owner == owner; ++g) {
      if (std::equal(g->by, g->by + 3, old.by)) found = static_cast<row>(own_ + (g - ghosts_.begin()));
    }
    map.push_back(found);
  }
  return map;
}

}  // namespace abut
