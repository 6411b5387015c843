#include "bodies/world.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace abut {

namespace {

constexpr const char* axis_name[3] = {"x", "y", "z"};

// Ghosts and wrapped boxes may lie two sides beyond the limit for a user's bodies; their squares still do not overflow.
constexpr double ghost_largest = 4 * world::largest;

// Wraps x into [min, max). Numbers already there keep their bits, so bodies that cross no border do not change.
double wrapped(double x, const interval& period) {
  if (x >= period.min && x < period.max) return x;
  const double side = period.max - period.min;
  double w = x - side * std::floor((x - period.min) / side);
  if (w < period.min) w += side;
  if (w >= period.max) w -= side;
  return w >= period.min && w < period.max ? w : period.min;  // the side is below the precision of x
}

}  // namespace

world::world(const bodies& b, const options& o, int threads, row_reader* reader)
    : bodies_(b), own_(b.size()), margin_(o.margin), threads_(threads) {
  measured_ = check(b, threads, largest, reader);
  measured_own_ = measured_;
  for (int k = 0; k < b.dimension(); ++k) periodic_[k] = o.periodic[k];
  if (std::any_of(periodic_.begin(), periodic_.end(), [](const auto& p) { return p.has_value(); })) apply_periods();
  if (b.fixed().given() || has_ghosts()) set_mute_bits(b.fixed());
}

world world::of_rows(const bodies& rows, double margin, int threads) {
  world w;
  w.bodies_ = rows;
  w.own_ = rows.size();
  w.margin_ = margin;
  w.threads_ = threads;
  w.measured_ = check(rows, threads, ghost_largest);
  w.measured_own_ = w.measured_;
  return w;
}

void world::check_sides() const {
  for (int k = 0; k < dimension(); ++k) {
    if (!periodic_[k]) continue;
    const double reach = measured_.widest[k] + margin_;
    if (side(k) >= 2 * reach) continue;
    throw error("the periodic side " + std::string(axis_name[k]) + " is " + number_text(side(k)) +
                ", shorter than twice the largest reach " + number_text(reach) +
                " (the widest body plus the margin): make it at least " + number_text(2 * reach));
  }
}

void world::apply_periods() {
  check_sides();
  const int d = dimension();
  columns_ = copied_columns(bodies_);
  for (int k = 0; k < d; ++k) {
    if (periodic_[k]) wrap(k, columns_[k].data(), kind() == shape::box ? columns_[d + k].data() : nullptr, own_);
  }
  bodies_ = view_of(kind(), d, columns_);
  measured_own_ = check(bodies_, threads_, ghost_largest);  // a wrapped box may reach beyond its period
  for (int k = 0; k < d; ++k) {
    if (!periodic_[k]) continue;
    // Measured again, because rounding may have made a box wider when it was wrapped from far out.
    const double reach = measured_own_.widest[k] + margin_;
    const double most = std::max(std::abs(measured_own_.lower[k]), std::abs(measured_own_.upper[k]));
    repeats_ = repeats_ || side(k) <= 2 * reach + 4 * rounding_room(most + side(k) + reach);
  }
  add_ghosts();
  if (columns_[0].size() > most_rows) {
    throw error("there are " + std::to_string(own_) + " bodies and " + std::to_string(ghosts_.size()) +
                " images of them near periodic borders; a search takes at most " + std::to_string(most_rows) +
                " in all: split the set into parts");
  }
  bodies_ = view_of(kind(), d, columns_);
  measured_ = check(bodies_, threads_, ghost_largest);
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
    // The axes on which the body, moved down, comes within reach of some body.
    unsigned may = 0;
    for (int k = 0; k < d; ++k) {
      if (!periodic_[k]) continue;
      const double upper = sphere_set ? columns_[k][i] + columns_[d][i] : columns_[d + k][i];
      const double room = rounding_room(std::abs(columns_[k][i]) + std::abs(upper) + margin_ + side(k));
      if ((upper + margin_) - side(k) + room >= measured_own_.lower[k]) may |= 1U << k;
    }
    for (unsigned down = 1; down <= may; ++down) {
      if ((down & may) == down) add_ghost(i, down);
    }
  }
}

void world::add_ghost(row owner, unsigned down) {
  const int d = dimension();
  ghosts_.push_back({owner, down});
  for (int c = 0; c < bodies_.columns(); ++c) {
    const bool is_radius = kind() == shape::sphere && c == d;
    const int k = c % d;
    const double v = columns_[c][owner];
    columns_[c].push_back(!is_radius && (down >> k & 1U) != 0 ? v - side(k) : v);
  }
}

void world::set_mute_bits(const flags& fixed) {
  mute_.assign(size(), 0);
  if (fixed.given()) {
    for (std::size_t i = 0; i < own_; ++i) mute_[i] = fixed[i] ? fixed_bit : std::uint8_t{0};
  }
  for (std::size_t g = 0; g < ghosts_.size(); ++g) {
    mute_[own_ + g] = static_cast<std::uint8_t>(mute_[ghosts_[g].owner] | ghosts_[g].down * first_axis_bit);
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

region world::moved_down(region where, int k, double periods) const {
  if (periods == 0) return where;
  const double by = periods * side(k);
  if (auto* s = std::get_if<sphere>(&where)) {
    s->center[k] -= by;
  } else {
    std::get<box>(where).min[k] -= by;
    std::get<box>(where).max[k] -= by;
  }
  return where;
}

region world::image(row i, unsigned down) const {
  region v = get(i);
  for (int k = 0; k < dimension(); ++k) {
    if ((down >> k & 1U) != 0) v = moved_down(v, k, 1);
  }
  return v;
}

// Two bodies can touch through two images only if a side is barely twice the reach. The ways of moving them are tried
// in a fixed order, neither moved first; the pair counts only in the first way in which they touch.
bool world::first_image(const pair& p, unsigned i_down, unsigned j_down) const {
  for (unsigned a = 0; a < 8; ++a) {
    for (unsigned b = 0; b < 8; ++b) {
      if (a == i_down && b == j_down) return true;
      bool possible = (a & b) == 0;
      for (int k = 0; k < 3; ++k) possible = possible && (((a | b) >> k & 1U) == 0 || periodic_[k]);
      if (possible && overlap(image(p.i, a), image(p.j, b), margin_)) return false;
    }
  }
  return true;
}

std::size_t world::own_pairs(pair* first, std::size_t count) const {
  if (mute_.empty()) return count;  // neither fixed bodies nor ghosts
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    pair p = first[k];
    if ((mute_[p.i] & mute_[p.j]) != 0) continue;
    if (p.j >= own_) {  // ghosts come after the user's rows
      ghost a = p.i >= own_ ? ghosts_[p.i - own_] : ghost{p.i, 0};
      ghost b = ghosts_[p.j - own_];
      if (a.owner == b.owner) continue;
      if (a.owner > b.owner) std::swap(a, b);
      p = {a.owner, b.owner};
      if (repeats_ && !first_image(p, a.down, b.down)) continue;
    }
    first[kept++] = p;
  }
  return kept;
}

std::vector<row> world::map_from(const world& before, std::span<const row> new_rows) const {
  std::vector<row> map(new_rows.begin(), new_rows.end());
  const auto by_owner = [](const ghost& g, row owner) { return g.owner < owner; };
  for (const ghost& old : before.ghosts_) {
    const row owner = new_rows[old.owner];
    row found = no_row;
    for (auto g = std::lower_bound(ghosts_.begin(), ghosts_.end(), owner, by_owner);
         owner != no_row && g != ghosts_.end() && g->owner == owner; ++g) {
      if (g->down == old.down) found = static_cast<row>(own_ + (g - ghosts_.begin()));
    }
    map.push_back(found);
  }
  return map;
}

}  // namespace abut
