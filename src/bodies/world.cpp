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
  set_muting(b);
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
  for (int c = 0; c < bodies_.columns(); ++c) columns_[c].make(own_ + own_ / 16);  // with room for some ghosts
  parallel_blocks(threads_, own_, 4096, [&](std::size_t, std::size_t from, std::size_t to) { copy_wrapped(from, to); });
  view_columns(own_);
  measured_own_ = check(bodies_, threads_, ghost_largest);  // a wrapped box may reach beyond its period
  for (int k = 0; k < d; ++k) {
    if (!periodic_[k]) continue;
    // Measured again, because rounding may have made a box wider when it was wrapped from far out.
    const double reach = measured_own_.widest[k] + margin_;
    const double most = std::max(std::abs(measured_own_.lower[k]), std::abs(measured_own_.upper[k]));
    repeats_ = repeats_ || side(k) <= 2 * reach + 4 * rounding_room(most + side(k) + reach);
  }
  add_ghosts();
  if (own_ + ghosts_.size() > most_rows) {
    throw error("there are " + std::to_string(own_) + " bodies and " + std::to_string(ghosts_.size()) +
                " images of them near periodic borders; a search takes at most " + std::to_string(most_rows) +
                " in all: split the set into parts");
  }
  copy_ghosts();
  measured_ = check(bodies_, threads_, ghost_largest);
}

void world::view_columns(std::size_t rows) {
  std::array<column, 6> all;
  for (int c = 0; c < bodies_.columns(); ++c) all[c] = column(columns_[c].data(), rows);
  bodies_ = view_of(kind(), dimension(), all);
}

// Copies some of the user's rows and wraps them, while they are in cache.
void world::copy_wrapped(std::size_t from, std::size_t to) {
  const int d = dimension();
  for (int c = 0; c < bodies_.columns(); ++c) bodies_.at(c).read(from, to - from, columns_[c].data() + from);
  for (int k = 0; k < d; ++k) {
    double* const upper = kind() == shape::box ? columns_[d + k].data() + from : nullptr;
    if (periodic_[k]) wrap(k, columns_[k].data() + from, upper, to - from);
  }
}

void world::wrap(int axis, double* lower, double* upper, std::size_t count) const {
  const interval period = *periodic_[axis];
  for (std::size_t i = 0; i < count; ++i) {
    const double w = wrapped(lower[i], period);
    if (upper != nullptr) upper[i] = std::max(w, upper[i] + (w - lower[i]));
    lower[i] = w;
  }
}

// The axes on which a body, moved down, comes within reach of some body.
unsigned world::ghost_axes(row i) const {
  const int d = dimension();
  unsigned may = 0;
  for (int k = 0; k < d; ++k) {
    if (!periodic_[k]) continue;
    const double lower = columns_[k][i];
    const double upper = kind() == shape::sphere ? lower + columns_[d][i] : columns_[d + k][i];
    const double room = rounding_room(std::abs(lower) + std::abs(upper) + margin_ + side(k));
    if ((upper + margin_) - side(k) + room >= measured_own_.lower[k]) may |= 1U << k;
  }
  return may;
}

// Finds the ghosts of each block of rows by itself, so that their order does not depend on the number of threads.
void world::add_ghosts() {
  constexpr std::size_t block = 8192;
  std::vector<std::vector<ghost>> of_block((own_ + block - 1) / block);
  parallel_blocks(threads_, own_, block, [&](std::size_t b, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const unsigned may = ghost_axes(static_cast<row>(i));
      for (unsigned down = 1; down <= may; ++down) {
        if ((down & may) == down) of_block[b].push_back({static_cast<row>(i), down});
      }
    }
  });
  std::size_t sum = 0;
  for (const auto& some : of_block) sum += some.size();
  ghosts_.reserve(sum);
  for (const auto& some : of_block) ghosts_.insert(ghosts_.end(), some.begin(), some.end());
}

// Appends the ghosts' numbers to the columns.
void world::copy_ghosts() {
  const int d = dimension();
  const std::size_t rows = own_ + ghosts_.size();
  for (int c = 0; c < bodies_.columns(); ++c) {
    buffer<double>& to = columns_[c];
    if (rows > to.capacity()) {
      buffer<double> longer;
      longer.make(rows);
      std::copy_n(to.data(), own_, longer.data());
      to = std::move(longer);
    }
    const bool is_radius = kind() == shape::sphere && c == d;
    const int k = c % d;
    for (std::size_t g = 0; g < ghosts_.size(); ++g) {
      const double v = to[ghosts_[g].owner];
      to[own_ + g] = !is_radius && (ghosts_[g].down >> k & 1U) != 0 ? v - side(k) : v;
    }
  }
  view_columns(rows);
}

void world::set_muting(const bodies& b) {
  mute_ = muting(b, size(), threads_);
  for (const ghost& g : ghosts_) mute_.add_ghost(g.owner, static_cast<std::uint8_t>(g.down * muting::first_axis_bit));
}

std::size_t world::bytes() const {
  std::size_t sum = ghosts_.capacity() * sizeof(ghost) + mute_.bytes();
  for (const auto& c : columns_) sum += c.bytes();
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
  if (mute_.has_labels()) count = mute_.drop_labeled(first, count);
  if (!mute_.has_bits()) return count;  // neither fixed bodies nor ghosts
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    pair p = first[k];
    if ((mute_.bits(p.i) & mute_.bits(p.j)) != 0) continue;
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
