// Fixed cubes (Lazarević et al. 2002): a ball lies in every cube that it intersects, and meets the balls that share a
// cube with it.
//
// Idea: cubes have the edge a = 2 r_max + delta, so that the octant of the cube that a center is in leaves 7 of its 26
// neighbors; face, edge and corner tests say which of them the ball intersects. Entries (of a ball and a cube) are
// sorted by cube, and the balls of a cube are compared. A pair that meets in several cubes is reported in the first of
// them: each entry has one bit for each of the 13 earlier neighbors of its cube, set if its ball lies there as well,
// and two entries that share a bit have met before. Fixed balls are sorted once, as long as they stay fixed and in
// place.
// Cost: linear in N; at most 8 entries per ball.
// Wins: in dense sets of similar size with many fixed bodies, such as a silo.
// Loses: if sizes differ, since the largest ball determines the cubes, and to methods that place a body in one cell
// only.

#include <string>
#include <utility>

#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/fixed_cubes/relation.hpp"
#include "methods/method.hpp"
#include "steps/cell_size.hpp"
#include "steps/show_cells.hpp"
#include "steps/spanning_cell.hpp"

namespace abut {

namespace {

template <int D, shape S>
class fixed_cubes final : public method {
 public:
  explicit fixed_cubes(const plan& asked)
      : asked_(asked), planned_(asked), by_tree_(asked.parameter_value("examine") == "tree") {}

  void update(const world& w, row_map) override;

  [[nodiscard]] std::size_t tasks() const override {
    return (moving_.cubes().size() + entries_per_task - 1) / entries_per_task;
  }
  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;
  void show(sketcher& out) const override;

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> events() const override { return {{"fixed bodies sorted", fixed_sorted_}}; }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override {
    return {{"bodies examined", examined_.bodies},
            {"examinations", examined_.examinations},
            {"entries", fixed_.cubes().size() + moving_.cubes().size()}};
  }
  [[nodiscard]] std::span<const std::string_view> counted() const override {
    static constexpr std::string_view names[] = {"cubes visited", "pairs lost by rule 23"};
    return std::span(names).first(by_tree_ ? 2 : 1);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return moving_.bytes() + fixed_.bytes() + volumes_.bytes() + bytes_of(fixed_rank_);
  }

 private:
  using cell = typename cell_lines<D>::cell;
  static constexpr std::size_t entries_per_task = 4096;
  static constexpr std::size_t block = 64;
  static constexpr std::size_t most_entries = 0xffff'fffe;  // they are numbered in 32 bits

  // What was done to find the cubes of some bodies.
  struct examined {
    std::uint64_t bodies = 0;
    std::uint64_t examinations = 0;
    examined& operator+=(const examined& other) {
      bodies += other.bodies;
      examinations += other.examinations;
      return *this;
    }
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
  [[nodiscard]] cell_lines<D> by_central_cube(const world& w, const std::vector<row>& rows) const;
  [[nodiscard]] octant<D> octant_of(const volume<D, S>& v, double margin, std::uint64_t& examinations) const;
  examined relate(cube_relation<D>& r, const cell_lines<D>& central, std::size_t first, int threads) const;
  [[nodiscard]] bool lies_in(const volume<D, S>& v, const cell& cube) const;
  [[nodiscard]] std::uint64_t lost_by_mid_point(std::uint32_t p, std::span<const std::uint32_t> others) const;
  [[nodiscard]] stretch fixed_in(typename cell_lines<D>::code code, std::uint32_t x, std::size_t& hint) const;
  std::uint64_t meet(std::size_t a, const cube_relation<D>& others, stretch in, pair_batch& out) const;

  plan asked_;
  plan planned_;
  bool by_tree_;
  double margin_ = 0;
  double edge_[D] = {};
  interval framed_[D] = {};
  axis_cells frame_[D];
  cube_relation<D> moving_;
  cube_relation<D> fixed_;
  packed_volumes<D, S> volumes_;  // the fixed balls first; each kind in the order of central cubes
  std::vector<std::uint32_t>
      fixed_rank_;  // by place, for fixed balls: the index among the fixed balls in the order of rows
  std::uint64_t fixed_sorted_ = 0;
  examined examined_;  // by the last update
};

template <int D, shape S>
void fixed_cubes<D, S>::update(const world& w, row_map) {
  if (w.size() > most_entries / octant<D>::sets) {
    throw error("fixed-cubes takes at most " + std::to_string(most_entries / octant<D>::sets) + " bodies in " +
                std::to_string(D) + "D, with images; there are " + std::to_string(w.size()));
  }
  std::vector<row> fixed;
  std::vector<row> moving;
  moving.reserve(w.size());
  for (row i = 0; i < w.size(); ++i) (w.fixed(i) ? fixed : moving).push_back(i);
  const double delta = chosen_delta(w);
  // Which cubes a body lies in depends on the margin.
  const bool same_margin = std::exchange(margin_, w.margin()) == w.margin();
  const bool again = fixed.empty() || !same_margin || !fits_frame(w, delta) || !fixed_unchanged(w, fixed);
  cell_lines<D> fixed_central;
  if (again) {
    make_frame(w, delta, !fixed.empty());
    fixed_central = by_central_cube(w, fixed);
    fixed_rank_ = fixed_central.order();
  }
  cell_lines<D> moving_central = by_central_cube(w, moving);
  std::vector<row> order;
  order.reserve(w.size());
  for (const std::uint32_t n : fixed_rank_) order.push_back(fixed[n]);
  for (const std::uint32_t n : moving_central.order()) order.push_back(moving[n]);
  volumes_.fill(w, order);
  examined_ = {};
  if (again) examined_ += relate(fixed_, fixed_central, 0, w.threads());
  examined_ += relate(moving_, moving_central, fixed.size(), w.threads());
  fixed_sorted_ += again && !fixed.empty() ? 1 : 0;
}

// A delta of one diameter gave the least sum of update and find over lattices and random sets of 30 and 50 %: larger
// cubes make fewer entries, but more balls meet in each.
template <int D, shape S>
double fixed_cubes<D, S>::chosen_delta(const world& w) {
  planned_ = asked_;
  planned_.set("examine", by_tree_ ? "tree" : "all");
  if (const auto asked = asked_.parameter_value("delta")) {
    double delta = 0;
    (void)parse_number(*asked, delta);
    planned_.because("as asked for");
    return delta;
  }
  const double* const widest = w.measured().widest;
  const double delta = rounded_size(*std::min_element(widest, widest + D) + w.margin());
  planned_.set("delta", number_text(delta));
  planned_.because("delta is the largest diameter with the margin: few cubes a body, few bodies a cube");
  return delta;
}

// What the bodies take on an axis: the centers of balls; of boxes both ends, with the margin added to the upper one.
// Two boxes overlap if and only if these intervals meet, to the bit.
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

// A frame that should serve later updates too gets room on every side.
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

// Sorts the rows by the cube that the center (of a box: the lower corner) is in; cubes are numbered from 0.
template <int D, shape S>
cell_lines<D> fixed_cubes<D, S>::by_central_cube(const world& w, const std::vector<row>& rows) const {
  cell_lines<D> central;
  std::copy(frame_, frame_ + D, central.axis);
  central.place(rows.size(), w.threads(), [&](std::size_t n, cell& c) {
    for (int k = 0; k < D; ++k) c[k] = frame_[k].index(w.at(k)[rows[n]]);
  });
  return central;
}

template <int D, shape S>
octant<D> fixed_cubes<D, S>::octant_of(const volume<D, S>& v, double margin, std::uint64_t& examinations) const {
  if constexpr (S == shape::sphere) {
    double part[D];
    std::uint32_t central[D];
    for (int k = 0; k < D; ++k) {
      const axis_cells::spot s = frame_[k].locate(v.center[k]);
      central[k] = s.cell;
      part[k] = s.part;
    }
    const double reach = (v.radius + margin / 2) / edge_[0] + position_room;
    octant<D> in = by_tree_ ? octant<D>::by_tree(part, reach, examinations) : octant<D>::of_ball(part, reach);
    if (!by_tree_) examinations += octant<D>::most_examinations;
    // There are no cubes beyond the frame: its outermost cubes hold what lies there.
    for (int k = 0; k < D; ++k) {
      const bool above = (in.upper >> k & 1U) != 0;
      if (above ? central[k] + 1 == frame_[k].count() : central[k] == 0) in.leave_out(k);
    }
    return in;
  } else {
    // Along each axis a box lies in one cube or in two adjacent ones, so the face tests decide.
    octant<D> in{octant<D>::sets - 1, octant<D>::all};
    examinations += D;
    for (int k = 0; k < D; ++k) {
      const interval t = taken_by(v, k, margin);
      if (frame_[k].index(t.max) == frame_[k].index(t.min)) in.leave_out(k);
    }
    return in;
  }
}

template <int D, shape S>
auto fixed_cubes<D, S>::relate(cube_relation<D>& r, const cell_lines<D>& central, std::size_t first, int threads) const
    -> examined {
  constexpr std::size_t each = 8192;
  std::vector<octant<D>> in(central.size());
  std::vector<examined> of_block((in.size() + each - 1) / each);
  parallel_blocks(threads, in.size(), each, [&](std::size_t b, std::size_t from, std::size_t to) {
    examined here{.bodies = to - from};
    for (std::size_t n = from; n < to; ++n) in[n] = octant_of(volumes_.get(first + n), margin_, here.examinations);
    of_block[b] = here;
  });
  r.fill(central, in, first, threads);
  examined sum;
  for (const examined& e : of_block) sum += e;
  return sum;
}

// Whether a body intersects a cube, without the margin, as in (12) to (14).
template <int D, shape S>
bool fixed_cubes<D, S>::lies_in(const volume<D, S>& v, const cell& cube) const {
  std::uint64_t ignored = 0;
  const octant<D> in = octant_of(v, 0, ignored);
  unsigned set = 0;
  for (int k = 0; k < D; ++k) {
    const std::uint32_t central = frame_[k].index(taken_by(v, k, 0).min);
    if (cube[k] == central) continue;
    if (cube[k] != central - 1 + 2 * (in.upper >> k & 1U)) return false;
    set |= 1U << k;
  }
  return in.meets(set);
}

// How many pairs of a body and others Algorithm 5 as printed would lose: it takes a pair in the cube that holds the
// mid-point of the centers (23), if both bodies intersect that cube.
template <int D, shape S>
std::uint64_t fixed_cubes<D, S>::lost_by_mid_point(std::uint32_t p, std::span<const std::uint32_t> others) const {
  const auto center = [](const volume<D, S>& v, int k) {
    if constexpr (S == shape::sphere) {
      return v.center[k];
    } else {
      return 0.5 * v.min[k] + 0.5 * v.max[k];
    }
  };
  const volume<D, S> a = volumes_.get(p);
  std::uint64_t lost = 0;
  for (const std::uint32_t q : others) {
    const volume<D, S> b = volumes_.get(q);
    cell cube;
    for (int k = 0; k < D; ++k) cube[k] = frame_[k].index(0.5 * center(a, k) + 0.5 * center(b, k));
    lost += lies_in(a, cube) && lies_in(b, cube) ? 0 : 1;
  }
  return lost;
}

// The fixed balls' entries in a cube. `hint` is a line of cubes near it.
template <int D, shape S>
auto fixed_cubes<D, S>::fixed_in(typename cell_lines<D>::code code, std::uint32_t x, std::size_t& hint) const
    -> stretch {
  const cell_lines<D>& cubes = fixed_.cubes();
  hint = cubes.first_line(code, hint);
  if (hint == cubes.lines() || cubes.code_of(hint) != code) return {0, 0};
  const auto [from, to] = std::equal_range(cubes.x() + cubes.begin(hint), cubes.x() + cubes.end(hint), x);
  return {static_cast<std::size_t>(from - cubes.x()), static_cast<std::size_t>(to - cubes.x())};
}

// Algorithm 5, cube by cube: moving balls with each other and with the fixed ones. Two fixed balls never meet.
template <int D, shape S>
void fixed_cubes<D, S>::find(std::size_t task, pair_batch& out) const {
  const cell_lines<D>& cubes = moving_.cubes();
  const std::size_t from = task * entries_per_task;
  const std::size_t end = std::min(cubes.size(), from + entries_per_task);
  std::size_t hint = 0;
  std::uint64_t tests = 0;
  std::uint64_t visited = 0;
  cubes.for_each_cell(from, end, [&](std::size_t line, std::size_t first, std::size_t last) {
    ++visited;
    const stretch walls = fixed_in(cubes.code_of(line), cubes.x()[first], hint);
    for (std::size_t a = first; a < last; ++a) {
      tests += meet(a, moving_, {a + 1, last}, out);
      tests += meet(a, fixed_, walls, out);
    }
  });
  out.count.tests += tests;
  out.count.candidates += tests;
  out.count.named[0] += visited;
}

// One moving ball against other balls of its cube. Two balls that both lie in an earlier cube have met there.
template <int D, shape S>
std::uint64_t fixed_cubes<D, S>::meet(std::size_t a, const cube_relation<D>& others, stretch in,
                                      pair_batch& out) const {
  const std::uint32_t p = moving_.body(a);
  const std::uint16_t before = moving_.before(a);
  const volume<D, S> v = volumes_.get(p);
  std::uint64_t tests = 0;
  // Always written, then kept or not: a branch on which balls meet here first would be unpredictable.
  std::uint32_t met[block];
  for (std::size_t from = in.from; from < in.to; from += block) {
    std::size_t count = 0;
    for (std::size_t b = from; b < std::min(in.to, from + block); ++b) {
      met[count] = others.body(b);
      count += (before & others.before(b)) == 0 ? 1 : 0;
    }
    tests += count;
    std::size_t found = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t q = met[k];
      met[found] = q;
      found += overlap(v, volumes_.get(q), margin_) ? 1 : 0;
    }
    for (std::size_t k = 0; k < found; ++k) out.add(volumes_.row_of(p), volumes_.row_of(met[k]));
    if (by_tree_) out.count.named[1] += lost_by_mid_point(p, {met, found});
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
  for (const cube_relation<D>* r : {&fixed_, &moving_}) {
    r->cubes().for_each_line_in(lo, hi, [&](std::size_t in_line, std::size_t from, std::size_t to) {
      cell c{0, r->cubes().y(in_line)};
      if constexpr (D == 3) c[2] = r->cubes().z(in_line);
      for (std::size_t e = from; e < to; ++e) {
        // Reported in the first cube that the body shares with the region.
        c[0] = r->cubes().x()[e];
        unsigned at_lower = 0;
        unsigned at_upper = 0;
        for (int k = 0; k < D; ++k) {
          at_lower |= c[k] == lo[k] ? 1U << k : 0U;
          at_upper |= c[k] == hi[k] ? 1U << k : 0U;
        }
        if ((r->before(e) & before_within<D>(at_lower, at_upper)) != 0) continue;
        ++tests;
        if (q.touches(volumes_.get(r->body(e)))) out.add(volumes_.row_of(r->body(e)));
      }
    });
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
void fixed_cubes<D, S>::show(sketcher& out) const {
  const std::uint32_t cube = out.kind("cube", "holds the bodies that it intersects", sketch::holding::parts);
  const std::size_t own = volumes_.place_of(out.chosen());
  std::size_t hint = 0;
  // As in `find`: later entries of the cube and the fixed ones, unless they have met in an earlier cube.
  const auto searched = [&](const cell_at& c, std::size_t first, std::size_t last) {
    std::size_t a = first;
    while (a < last && moving_.body(a) != own) ++a;
    if (a == last) return false;
    const auto compare = [&](const cube_relation<D>& others, std::size_t from, std::size_t to) {
      for (std::size_t b = from; b < to; ++b) {
        if ((moving_.before(a) & others.before(b)) == 0) out.compared(volumes_.row_of(others.body(b)));
      }
    };
    compare(moving_, a + 1, last);
    const stretch walls = fixed_in(moving_.cubes().code_at(c[1], c[2]), c[0], hint);
    compare(fixed_, walls.from, walls.to);
    return true;
  };
  show_cells<D>(
      out, cube, 0, moving_.cubes(), [&](std::size_t e) { return volumes_.row_of(moving_.body(e)); }, searched);
  if (fixed_.empty()) return;
  const std::uint32_t fixed =
      out.kind("fixed cube", "holds the fixed bodies that it intersects; they are sorted once", sketch::holding::parts);
  show_cells<D>(
      out, fixed, 0, fixed_.cubes(), [&](std::size_t e) { return volumes_.row_of(fixed_.body(e)); },
      [](const cell_at&, std::size_t, std::size_t) { return false; });
}

constexpr parameter_info fixed_cubes_parameters[] = {
    {.name = "delta",
     .range = ">= 0",
     .default_value = "the largest diameter",
     .summary = "by how much a cube's edge exceeds the largest diameter, in the unit of the coordinates"},
    {.name = "examine",
     .range = "all | tree",
     .default_value = "all",
     .summary = "examine all cubes that a ball may intersect; or, as in the paper, only those that earlier "
                "examinations leave, and count the pairs that its rule (23) would lose"},
};

}  // namespace

extern const method_entry fixed_cubes_entry;
const method_entry fixed_cubes_entry{
    {.name = "fixed-cubes",
     .document = "Lazarević et al. 2002",
     .summary =
         "places a body in each cube that it intersects and compares the bodies of each cube; sorts fixed ones once",
     .suits = "dense sets of similar size of which many are fixed, such as a silo with its wall",
     .cost = "N",
     .quadratic = false,
     .parameters = fixed_cubes_parameters},
    false,
    make_method<fixed_cubes>};

}  // namespace abut
