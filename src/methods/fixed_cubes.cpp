// Fixed cubes (document 003): a ball lies in every cube that it intersects, and meets the balls that share a cube with
// it.
//
// Idea: cubes of edge a = 2 r_max + delta, so that the octant of the cube that a center is in leaves 7 of the 26
// neighbors; face, edge and corner tests say which of them the ball intersects. Entries (a cube and a ball) are sorted
// by cube, and the balls of a cube are compared. A pair that meets in several cubes is taken in the first of them: each
// entry has a bit for each of the 13 earlier neighbors that its ball lies in as well, and two that share a bit have
// met there. Fixed balls are sorted once, for as long as they stay.
// Cost: linear in N; at most 8 entries a ball.
// Wins: dense sets of similar size in which much is fixed: a silo.
// Loses: where sizes differ (the largest makes the cubes), and to methods that place a body in one cell only.

#include <bit>
#include <string>
#include <utility>

#include "../cell_rows.hpp"
#include "../cell_size.hpp"
#include "../names.hpp"
#include "../octant.hpp"
#include "../packed_volumes.hpp"
#include "../spanning_cell.hpp"

namespace abut {

namespace {

template <int D, shape S>
class fixed_cubes final : public method {
 public:
  explicit fixed_cubes(const plan& asked) : asked_(asked), planned_(asked) {}

  void update(const world& w, std::span<const row>) override;

  [[nodiscard]] std::size_t tasks() const override {
    return (moving_.cubes.size() + entries_per_task - 1) / entries_per_task;
  }
  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> events() const override { return {{"fixed bodies sorted", fixed_sorted_}}; }
  [[nodiscard]] std::size_t bytes() const override {
    return moving_.bytes() + fixed_.bytes() + volumes_.bytes() + bytes_of(fixed_rank_);
  }

 private:
  using cell = typename cell_rows<D>::cell;
  static constexpr std::size_t entries_per_task = 4096;
  static constexpr double default_delta = 0.5;

  // Which ball lies in which cubes, both ways: the entries are the paper's B; what an entry has of its ball's other
  // cubes is A.
  struct relation {
    cell_rows<D> cubes;                 // the entries, by cube
    std::vector<std::uint32_t> balls;   // of each entry, the place of its ball
    std::vector<std::uint16_t> before;  // of each entry, the earlier cubes that its ball lies in too

    [[nodiscard]] std::size_t bytes() const { return cubes.bytes() + bytes_of(balls) + bytes_of(before); }
  };
  // A central cube, and which of its neighbors are met.
  struct place {
    cell central;
    octant<D> in;
  };
  // The entries of one cube.
  struct stretch {
    std::size_t from, to;
  };

  [[nodiscard]] double chosen_delta(const world& w);
  [[nodiscard]] static interval taken_by(const volume<D, S>& v, int k, double margin);
  [[nodiscard]] bool fits_frame(const world& w, double delta) const;
  void make_frame(const world& w, double delta, bool to_keep);
  [[nodiscard]] bool fixed_unchanged(const world& w, const std::vector<row>& fixed) const;
  [[nodiscard]] std::vector<std::uint32_t> sorted_by_central_cube(const world& w, const std::vector<row>& rows);
  [[nodiscard]] place place_of(const volume<D, S>& v) const;
  void relate(relation& r, std::size_t first, std::size_t count, int threads);
  [[nodiscard]] stretch fixed_in(typename cell_rows<D>::code code, std::uint32_t x, std::size_t& hint) const;
  std::uint64_t meet(std::size_t a, const relation& others, stretch in, pair_batch& out) const;

  plan asked_;
  plan planned_;
  double margin_ = 0;
  double edge_[D] = {};
  interval framed_[D] = {};
  axis_cells frame_[D];
  relation moving_;
  relation fixed_;
  packed_volumes<D, S> volumes_;           // the fixed balls first; each kind in the order of its central cubes
  std::vector<std::uint32_t> fixed_rank_;  // of the fixed balls, by place: the how manyth it is in the order of rows
  std::uint64_t fixed_sorted_ = 0;
};

template <int D, shape S>
void fixed_cubes<D, S>::update(const world& w, std::span<const row>) {
  std::vector<row> fixed;
  std::vector<row> moving;
  moving.reserve(w.size());
  for (row i = 0; i < w.size(); ++i) (w.fixed(i) ? fixed : moving).push_back(i);
  const double delta = chosen_delta(w);
  margin_ = w.margin();
  if (fixed.empty() || !fits_frame(w, delta) || !fixed_unchanged(w, fixed)) {
    make_frame(w, delta, !fixed.empty());
    fixed_ = {};
    fixed_rank_ = sorted_by_central_cube(w, fixed);
    fixed_sorted_ += fixed.empty() ? 0 : 1;
  }
  std::vector<row> order(w.size());
  for (std::size_t p = 0; p < fixed.size(); ++p) order[p] = fixed[fixed_rank_[p]];
  const std::vector<std::uint32_t> moving_rank = sorted_by_central_cube(w, moving);
  for (std::size_t p = 0; p < moving.size(); ++p) order[fixed.size() + p] = moving[moving_rank[p]];
  volumes_.fill(w, order);
  if (fixed_.balls.empty()) relate(fixed_, 0, fixed.size(), w.threads());
  relate(moving_, fixed.size(), moving.size(), w.threads());
}

// In 3D, half of the diameter made the least sum of update and find over lattices and packings of 30 to 60 %: larger
// cubes make fewer entries, but more balls meet in each.
template <int D, shape S>
double fixed_cubes<D, S>::chosen_delta(const world& w) {
  planned_ = asked_;
  if (const auto asked = asked_.parameter_value("delta")) {
    double delta = 0;
    (void)parse_number(*asked, delta);
    planned_.because("as asked for");
    return delta;
  }
  const double* const widest = w.measured().widest;
  const double delta = rounded_size(default_delta * (*std::min_element(widest, widest + D) + w.margin()));
  planned_.set("delta", number_text(delta));
  planned_.because("half of the largest diameter with the margin: few cubes a body, few bodies a cube");
  return delta;
}

// What the bodies take on an axis: of balls the centers, of boxes both ends, the margin added to the upper one. Two
// boxes overlap just where these intervals meet, to the bit.
template <int D, shape S>
interval fixed_cubes<D, S>::taken_by(const volume<D, S>& v, int k, double margin) {
  if constexpr (S == shape::sphere) {
    return {v.center[k], v.center[k]};
  } else {
    return {v.min[k], v.max[k] + margin};
  }
}

template <int D, shape S>
bool fixed_cubes<D, S>::fits_frame(const world& w, double delta) const {
  bool fits = true;
  for (int k = 0; k < D; ++k) {
    fits = fits && edge_[k] == spanning_cell(w, k, delta) && !frame_[k].collapsed() &&
           framed_[k].min <= w.measured().lower[k] && w.measured().upper[k] + w.margin() <= framed_[k].max;
  }
  return fits;
}

// With room on every side, where it is to be kept.
template <int D, shape S>
void fixed_cubes<D, S>::make_frame(const world& w, double delta, bool to_keep) {
  for (int k = 0; k < D; ++k) {
    edge_[k] = spanning_cell(w, k, delta);
    const interval whole{w.measured().lower[k], w.measured().upper[k] + w.margin()};
    const double room = to_keep ? (whole.max - whole.min) / 4 + 4 * edge_[k] : 0;
    framed_[k] = {whole.min - room, whole.max + room};
    frame_[k] = w.size() == 0 ? axis_cells() : axis_cells(framed_[k].min, framed_[k].max, edge_[k], [&] {
      std::vector<interval> all(w.size());
      for (row i = 0; i < w.size(); ++i) all[i] = taken_by(w.get<D, S>(i), k, w.margin());
      return all;
    });
  }
}

template <int D, shape S>
bool fixed_cubes<D, S>::fixed_unchanged(const world& w, const std::vector<row>& fixed) const {
  if (fixed.size() != fixed_rank_.size()) return false;
  bool same = true;
  for (std::size_t p = 0; same && p < fixed.size(); ++p) {
    for (int c = 0; c < packed_volumes<D, S>::columns; ++c) {
      same = same && w.at(c)[fixed[fixed_rank_[p]]] == volumes_.column(c)[p];
    }
  }
  return same;
}

template <int D, shape S>
std::vector<std::uint32_t> fixed_cubes<D, S>::sorted_by_central_cube(const world& w, const std::vector<row>& rows) {
  cell_rows<D> by_cube;
  std::copy(frame_, frame_ + D, by_cube.axis);
  by_cube.place(rows.size(), w.threads(), [&](std::size_t n, cell& c) {
    const volume<D, S> v = w.get<D, S>(rows[n]);
    for (int k = 0; k < D; ++k) c[k] = frame_[k].index(taken_by(v, k, margin_).min);
  });
  return std::move(by_cube.order());
}

template <int D, shape S>
auto fixed_cubes<D, S>::place_of(const volume<D, S>& v) const -> place {
  place p{};
  if constexpr (S == shape::sphere) {
    double part[D];
    for (int k = 0; k < D; ++k) {
      const axis_cells::spot s = frame_[k].locate(v.center[k]);
      p.central[k] = s.cell;
      part[k] = s.part;
    }
    p.in = octant<D>::of_ball(part, (v.radius + margin_ / 2) / edge_[0] + position_room);
    // There is nothing beyond the frame: its outermost cubes hold what lies there.
    for (int k = 0; k < D; ++k) {
      const bool above = (p.in.upper >> k & 1U) != 0;
      if (above ? p.central[k] + 1 == frame_[k].count() : p.central[k] == 0) p.in.leave_out(k);
    }
  } else {
    // A box lies in the same or in two adjacent cubes along each axis: the face tests say all.
    p.in.upper = octant<D>::sets - 1;
    p.in.met = octant<D>::all;
    for (int k = 0; k < D; ++k) {
      const interval t = taken_by(v, k, margin_);
      p.central[k] = frame_[k].index(t.min);
      if (frame_[k].index(t.max) == p.central[k]) p.in.leave_out(k);
    }
  }
  return p;
}

// Makes the entries of `count` balls from place `first` on, and sorts them by cube.
template <int D, shape S>
void fixed_cubes<D, S>::relate(relation& r, std::size_t first, std::size_t count, int threads) {
  std::vector<place> places(count);
  std::vector<std::uint32_t> starts(count + 1, 0);
  parallel_blocks(threads, count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t n = from; n < to; ++n) {
      places[n] = place_of(volumes_.get(first + n));
      starts[n + 1] = static_cast<std::uint32_t>(std::popcount(places[n].in.met));
    }
  });
  for (std::size_t n = 0; n < count; ++n) starts[n + 1] += starts[n];
  struct entry {
    std::uint32_t ball;
    std::uint16_t before;
    std::uint8_t set;
  };
  std::vector<entry> entries(starts.back());
  parallel_blocks(threads, count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t n = from; n < to; ++n) {
      std::uint32_t e = starts[n];
      for (unsigned s = 0; s < octant<D>::sets; ++s) {
        if ((places[n].in.met >> s & 1U) == 0) continue;
        entries[e++] = {static_cast<std::uint32_t>(n), places[n].in.before(s), static_cast<std::uint8_t>(s)};
      }
    }
  });
  std::copy(frame_, frame_ + D, r.cubes.axis);
  r.cubes.place(entries.size(), threads, [&](std::size_t e, cell& c) {
    const place& p = places[entries[e].ball];
    for (int k = 0; k < D; ++k) {
      const std::uint32_t next = (p.in.upper >> k & 1U) != 0 ? 1U : ~0U;
      c[k] = p.central[k] + ((entries[e].set >> k & 1U) != 0 ? next : 0U);
    }
  });
  r.balls.resize(entries.size());
  r.before.resize(entries.size());
  const std::vector<row>& order = r.cubes.order();
  parallel_blocks(threads, entries.size(), 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t e = from; e < to; ++e) {
      r.balls[e] = static_cast<std::uint32_t>(first) + entries[order[e]].ball;
      r.before[e] = entries[order[e]].before;
    }
  });
  r.cubes.release_scratch();
}

// The fixed balls' entries in a cube. `hint`: a row of cubes near it.
template <int D, shape S>
auto fixed_cubes<D, S>::fixed_in(typename cell_rows<D>::code code, std::uint32_t x, std::size_t& hint) const
    -> stretch {
  const cell_rows<D>& cubes = fixed_.cubes;
  hint = cubes.first_row(code, hint);
  if (hint == cubes.rows() || cubes.code_of(hint) != code) return {0, 0};
  const auto [from, to] = std::equal_range(cubes.x() + cubes.begin(hint), cubes.x() + cubes.end(hint), x);
  return {static_cast<std::size_t>(from - cubes.x()), static_cast<std::size_t>(to - cubes.x())};
}

// Algorithm 5, cube by cube: its moving balls with each other and with its fixed ones. So two fixed balls never meet.
template <int D, shape S>
void fixed_cubes<D, S>::find(std::size_t task, pair_batch& out) const {
  const cell_rows<D>& cubes = moving_.cubes;
  const std::size_t from = task * entries_per_task;
  const std::size_t end = std::min(cubes.size(), from + entries_per_task);
  const std::uint32_t* const x = cubes.x();
  std::size_t r = cubes.row_of(from);
  std::size_t hint = 0;
  std::uint64_t tests = 0;
  for (std::size_t e = from; e < end;) {
    while (e >= cubes.end(r)) ++r;
    std::size_t last = e + 1;
    while (last < cubes.end(r) && x[last] == x[e]) ++last;
    const bool begins = e == cubes.begin(r) || x[e - 1] != x[e];  // else the cube is of the task before
    if (begins) {
      const stretch walls = fixed_in(cubes.code_of(r), x[e], hint);
      for (std::size_t a = e; a < last; ++a) {
        tests += meet(a, moving_, {a + 1, last}, out);
        tests += meet(a, fixed_, walls, out);
      }
    }
    e = last;
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

// A moving ball with others of its cube. Two that lie in an earlier cube as well have met there.
template <int D, shape S>
std::uint64_t fixed_cubes<D, S>::meet(std::size_t a, const relation& others, stretch in, pair_batch& out) const {
  const std::uint32_t p = moving_.balls[a];
  const std::uint16_t before = moving_.before[a];
  const volume<D, S> v = volumes_.get(p);
  std::uint64_t tests = 0;
  for (std::size_t b = in.from; b < in.to; ++b) {
    const std::uint32_t q = others.balls[b];
    if ((before & others.before[b]) != 0 || volumes_.muted(p, q)) continue;
    ++tests;
    if (overlap(v, volumes_.get(q), margin_)) out.add(volumes_.row_of(p), volumes_.row_of(q));
  }
  return tests;
}

template <int D, shape S>
void fixed_cubes<D, S>::find_in(const query& q, row_batch& out) const {
  if (volumes_.size() == 0) return;
  cell lo;
  cell hi;
  for (int k = 0; k < D; ++k) {
    lo[k] = frame_[k].index(q.bounds(k).min - position_room * edge_[k]);
    hi[k] = frame_[k].index(q.bounds(k).max + position_room * edge_[k]);
  }
  std::uint64_t tests = 0;
  for (const relation* r : {&fixed_, &moving_}) {
    r->cubes.for_each_row_in(lo, hi, [&](std::size_t in_row, std::size_t from, std::size_t to) {
      cell c{0, r->cubes.y(in_row)};
      if constexpr (D == 3) c[2] = r->cubes.z(in_row);
      for (std::size_t e = from; e < to; ++e) {
        // Taken in the first cube that the body shares with the region.
        c[0] = r->cubes.x()[e];
        unsigned at_lower = 0;
        unsigned at_upper = 0;
        for (int k = 0; k < D; ++k) {
          at_lower |= c[k] == lo[k] ? 1U << k : 0U;
          at_upper |= c[k] == hi[k] ? 1U << k : 0U;
        }
        if ((r->before[e] & before_within<D>(at_lower, at_upper)) != 0) continue;
        ++tests;
        if (q.touches(volumes_.get(r->balls[e]))) out.add(volumes_.row_of(r->balls[e]));
      }
    });
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

constexpr parameter_info fixed_cubes_parameters[] = {
    {.name = "delta",
     .range = ">= 0",
     .default_value = "half of the largest diameter",
     .summary = "by how much a cube's edge exceeds the largest diameter, in the unit of the coordinates"},
};

}  // namespace

extern const method_entry fixed_cubes_entry;
const method_entry fixed_cubes_entry{
    {.name = "fixed-cubes",
     .document = "003",
     .summary = "places a body in each cube that it intersects and compares those of a cube; fixed bodies once for all",
     .suits = "dense sets of similar size of which many are fixed, such as a silo with its wall",
     .cost = "N",
     .quadratic = false,
     .parameters = fixed_cubes_parameters},
    false,
    make_method<fixed_cubes>};

}  // namespace abut
