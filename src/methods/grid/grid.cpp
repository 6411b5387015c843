// Grid: the method of our own, from the best of the documents.
//
// Idea: bodies are sorted by size into levels (document 004), and in each level by cell, in rows of cells (document
// 000's rows), without an array of space. Coordinates are whole numbers of a level's unit. A row is as high as twice
// the farthest that partners can be apart, so that a body looks forward along its own row, and into those later ones
// that it is near to: contiguous ranges, compared by vector instructions in single precision, relative to the body
// itself. That filter says surely in, surely out, or in doubt; only doubts are decided in double. Larger bodies search
// the levels of smaller ones. The frame of one update serves the next where bodies allow, so that rows are read once.
// Cost: linear in N, for any sizes; 20 to 110 ns a body, 33 to 60 bytes a body.
// Wins: nearly everywhere, from some hundred bodies on.
// Loses: where little moves, to a list of neighbors that is kept; below some hundred bodies, to comparing all.

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "methods/grid/order.hpp"
#include "methods/method.hpp"
#include "steps/level_load.hpp"

namespace abut {

namespace {

template <int D, shape S>
class grid final : public method {
 public:
  explicit grid(plan asked) : asked_(std::move(asked)) {
    if (const auto levels = asked_.parameter_value("levels")) (void)parse_number(*levels, asked_levels_);
  }

  void update(const world& w, row_map) override;
  [[nodiscard]] row_reader* reader(const bodies& next, int threads) override {
    return frames_last_ ? order_.reader(next, threads) : nullptr;
  }
  [[nodiscard]] std::size_t tasks() const override { return tasks_.size(); }
  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;
  [[nodiscard]] plan planned() const override;
  void release_scratch() override { order_.release_scratch(); }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = bytes_of(tasks_) + order_.bytes();
    for (const grid_level& l : levels_) sum += l.bytes();
    return sum;
  }

 private:
  static constexpr int halves = grid_order<D, S>::halves;

  struct task {
    std::uint32_t level;
    std::uint32_t from;
    std::uint32_t to;
  };
  // Where a task is: the runs around the last body, the next one's being near.
  struct walk {
    std::vector<std::array<std::size_t, 5>> near;  // by level
    std::vector<grid_range> ranges{};
    std::vector<std::uint32_t> starts{};  // of the cells around a row
    std::vector<grid_doubt> doubts{};
    std::uint64_t tests = 0;
  };

  static constexpr std::size_t many_doubts = 1024;  // that are decided together
  // The world's axis that is this one of the grid: contiguous, middle, slow.
  [[nodiscard]] int axis(int a) const { return order_.prepared().axes[static_cast<std::size_t>(a)]; }
  [[nodiscard]] bool frames_serve(bool equal);
  void choose_frames(bool equal);
  [[nodiscard]] std::string reason() const;
  void cut_tasks();
  // How far apart bodies of a level may be, beside their half widths.
  [[nodiscard]] double gap(const grid_frame& f) const { return world_->margin() + f.rounding; }
  [[nodiscard]] grid_filter filter_of(const grid_frame& frame, double rounding, double farthest_units) const;
  void search_row(walk& at, const grid_level& own, const grid_run& run, std::uint32_t from, std::uint32_t to,
                  pair_batch& out) const;
  void search_finer(walk& at, std::size_t own, std::uint32_t place, pair_batch& out) const;
  struct look;
  void find_ranges(walk& at, const look& body, std::size_t level) const;
  void cover(walk& at, const volume<D, S>& body, row i, std::size_t level, pair_batch& out) const;
  void doubt_all(walk& at, row i, pair_batch& out) const;
  // Half of a body's width on an axis of the world.
  [[nodiscard]] static double half_of(const volume<D, S>& body, int k) {
    return S == shape::sphere ? half_width<D, S>(body) : (body.upper(k) - body.lower(k)) / 2;
  }
  void decide(walk& at, pair_batch& out) const;

  plan asked_;
  double asked_levels_ = 0;  // 0: as many as cost least
  const world* world_ = nullptr;
  std::size_t count_ = 0;      // bodies that the frames were chosen for
  int updates_of_frames_ = 0;  // since then
  bool frames_last_ = true;    // for some updates
  std::vector<grid_level> levels_;
  grid_order<D, S> order_;
  std::vector<task> tasks_;
};

template <int D, shape S>
void grid<D, S>::update(const world& w, row_map) {
  world_ = &w;
  const measures& m = w.measured();
  const bool equal = std::all_of(m.widest, m.widest + D, [&](double widest) { return widest == m.least_width; });
  if (frames_serve(equal)) {
    frames_last_ = true;
  } else {
    frames_last_ = levels_.empty() || updates_of_frames_ > 3;  // else dealing ahead is in vain
    choose_frames(equal);
  }
  order_.place(w, levels_);
  cut_tasks();
}

template <int D, shape S>
plan grid<D, S>::planned() const {
  plan chosen = asked_;
  if (asked_levels_ == 0) chosen.set("levels", std::to_string(levels_.size())).because(reason());
  return chosen;
}

// Whether the frames of the last update serve on: there are some, bodies are within them and not larger than they were,
// and not much smaller or nearer together. Does not depend on the number of threads.
template <int D, shape S>
bool grid<D, S>::frames_serve(bool equal) {
  constexpr int most_updates = 64;
  if (levels_.empty() || equal != order_.prepared().equal || count_ != world_->size()) return false;
  if (++updates_of_frames_ > most_updates) return false;
  const measures& m = world_->measured();
  const grid_frame& f = levels_[0].frame;
  for (int a = 0; a < D; ++a) {
    const int k = axis(a);
    if (!(m.lower[k] >= f.origin[a] && m.upper[k] <= f.top[a])) return false;
    if (!(m.upper[k] - m.lower[k] >= 0.8 * (f.top[a] - f.origin[a] - 2 * order_.prepared().slack))) return false;
  }
  const double half = *std::max_element(m.widest, m.widest + D) / 2;
  if (!(half >= 0.9 * levels_.back().widest_half)) return false;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const double widest = l + 1 < levels_.size() ? levels_[l].widest_half : half;
    const grid_frame& own = levels_[l].frame;
    if (!(2 * (2 * widest + gap(own)) * own.scale <= std::exp2(own.row_bits) - 15.5)) return false;
  }
  if ((levels_.size() > 1 || order_.folded()) && order_.unfit(*world_)) return false;
  levels_.back().widest_half = half;
  return true;
}

template <int D, shape S>
void grid<D, S>::choose_frames(bool equal) {
  grid_frames how = choose_grid_frames<D, S>(*world_, static_cast<std::size_t>(asked_levels_), equal);
  levels_.resize(how.of_level.size());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    levels_[l].widest_half = how.sizes.levels[l].widest_half;
    levels_[l].frame = how.of_level[l];
  }
  order_.prepare(std::move(how));
  count_ = world_->size();
  updates_of_frames_ = 0;
}

template <int D, shape S>
std::string grid<D, S>::reason() const {
  if (world_->size() == 0) return "there are no bodies to choose levels for";
  const measures& m = world_->measured();
  const double ratio = *std::max_element(m.widest, m.widest + D) / m.least_width;
  if (ratio == 1) return "one level, since all bodies have the same size";
  return levels_.size() == 1 ? "one level costs least" : std::to_string(levels_.size()) + " levels cost least";
}

// The longest first, and larger bodies in smaller numbers: they look into all finer levels. So the last ones are short.
template <int D, shape S>
void grid<D, S>::cut_tasks() {
  tasks_.clear();
  for (auto l = static_cast<std::uint32_t>(levels_.size()); l-- > 0;) {
    const auto each = static_cast<std::uint32_t>(std::clamp<std::size_t>(world_->size() / 64, 1024, 4096));
    const std::uint32_t some = l == 0 ? each : l == 1 ? 128 : 16;
    for (std::uint32_t from = levels_[l].from; from < levels_[l].to; from += some) {
      tasks_.push_back({l, from, std::min(levels_[l].to, from + some)});
    }
  }
}

template <int D, shape S>
void grid<D, S>::find(std::size_t task_index, pair_batch& out) const {
  const task t = tasks_[task_index];
  const grid_level& own = levels_[t.level];
  walk at{std::vector<std::array<std::size_t, 5>>(levels_.size())};
  auto run =
      std::partition_point(own.runs.begin(), own.runs.end(), [&](const grid_run& r) { return r.end() <= t.from; });
  for (; run != own.runs.end() && run->begin() < t.to; ++run) {
    search_row(at, own, *run, std::max(t.from, run->begin()), std::min(t.to, run->end()), out);
    if (at.doubts.size() > many_doubts) decide(at, out);
  }
  for (std::uint32_t place = t.from; t.level > 0 && place < t.to; ++place) {
    search_finer(at, t.level, place, out);
    if (at.doubts.size() > many_doubts) decide(at, out);
  }
  decide(at, out);
  out.count.tests += at.tests;
  out.count.candidates += at.tests;
}

template <int D, shape S>
void grid<D, S>::decide(walk& at, pair_batch& out) const {
  for (const grid_doubt& d : at.doubts) {
    if (overlap(world_->get<D, S>(d.target), world_->get<D, S>(d.other), world_->margin())) out.add(d.target, d.other);
  }
  at.doubts.clear();
}

// Centers are cut to whole units, each within one and the rounding of coordinates; single precision errs by a few parts
// in 2^24 of the farthest that counts.
template <int D, shape S>
grid_filter grid<D, S>::filter_of(const grid_frame& frame, double rounding, double farthest_units) const {
  const double error = 3 + rounding * frame.scale + farthest_units * std::exp2(-20);
  return {static_cast<float>(world_->margin() * frame.scale + error), static_cast<float>(2 * error + 1)};
}

// Bodies [from, to) of a run against their level.
template <int D, shape S>
void grid<D, S>::search_row(walk& at, const grid_level& own, const grid_run& run, std::uint32_t from, std::uint32_t to,
                            pair_batch& out) const {
  const auto level = static_cast<std::size_t>(&own - levels_.data());
  const auto middle = static_cast<std::int64_t>(run.code & 0xffffffffU);
  const auto slow = static_cast<std::int64_t>(run.code >> 32);
  const double reach = (2 * own.widest_half + gap(own.frame)) * own.frame.scale;
  const grid_columns bodies = order_.columns();
  grid_row_job job{};
  job.from = from;
  job.to = to;
  job.row_bits = own.frame.row_bits;
  job.cell_bits = own.frame.cell_bits();
  job.reach = static_cast<std::int32_t>(reach) + 3;
  job.filter = filter_of(own.frame, own.frame.rounding, reach);
  for (float& h : job.same_half) h = static_cast<float>(2 * own.widest_half * own.frame.scale);
  // Partners are at most a reach along, which is less than half a row's height or two cells.
  const std::int32_t first = (bodies.center[0][from] >> job.cell_bits) - 2;
  const std::int32_t end = (bodies.center[0][to - 1] >> job.cell_bits) + 5;
  const auto cells = static_cast<std::size_t>(end - first);
  at.starts.resize(std::max(at.starts.size(), 5 * cells));
  constexpr int beside[5][2] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};  // on the middle and the slow axis
  for (std::size_t n = 0; n < (D == 3 ? 5 : 2); ++n) {
    const std::int64_t there = middle + beside[n][0];
    std::uint32_t* const starts = at.starts.data() + n * cells;
    job.around[n] = starts - first;
    if (there < 0) {
      std::fill_n(starts, cells, 0U);
    } else {
      own.cell_starts(grid_code(there, slow + beside[n][1]), first, end, at.near[level][n], starts);
    }
  }
  at.tests += grid_scan(D, S, bodies, job, out, at.doubts);
}

// A body against all levels of smaller ones.
template <int D, shape S>
void grid<D, S>::search_finer(walk& at, std::size_t own, std::uint32_t place, pair_batch& out) const {
  const row i = order_.columns().row[place];
  const volume<D, S> body = world_->get<D, S>(i);
  for (std::size_t l = 0; l < own; ++l) cover(at, body, i, l, out);
}

// Where a body looks in a finer level, in units.
template <int D, shape S>
struct grid<D, S>::look {
  double center[D];
  double reach[D];  // around the center
  double low[D];    // all that can touch it has its center between these
  double high[D];
  bool straight = true;  // units there tell distances: no axis is folded there

  look(const grid& g, const grid_frame& f, const volume<D, S>& body, double widest_half, double rounding) {
    for (int a = 0; a < D; ++a) {
      const int k = g.axis(a);
      const double half = g.half_of(body, k);
      const double middle = center_of<D, S>(body, k);
      const double far = half + widest_half + g.world_->margin() + rounding;
      center[a] = f.units(middle, a);
      reach[a] = far * f.scale + 3;
      low[a] = center[a] - reach[a];
      high[a] = center[a] + reach[a];
      if (!f.fold[a]) continue;
      const interval real = widened(middle - far, middle + far);
      straight = straight && f.fold[a]->straight(real.min, real.max);
      low[a] = f.units(real.min, a) - 2;
      high[a] = f.units(real.max, a) + 2;
    }
    for (int a = 0; a < D; ++a) {
      low[a] = std::max(low[a], 0.0);
      high[a] = std::min(high[a], grid_frame::most - 1);
    }
  }

  // How far it reaches along a row; negative: not at all.
  [[nodiscard]] double along(const grid_frame& f, std::int32_t middle, std::int32_t slow) const {
    if (S == shape::box || !straight) return grid_frame::most;
    const double beside = apart(f, 1, middle);
    const double far = D == 3 ? apart(f, D - 1, slow) : 0;
    const double left = reach[0] * reach[0] - beside * beside - far * far;
    return left < 0 ? -1 : std::sqrt(left) + 1;
  }

  // How far a row is, on an axis.
  [[nodiscard]] double apart(const grid_frame& f, int a, std::int32_t number) const {
    const auto from = static_cast<double>(static_cast<std::int64_t>(number) << f.row_bits);
    const double to = from + static_cast<double>(std::int32_t{1} << f.row_bits);
    return std::max({from - center[a], center[a] - to, 0.0});
  }
};

// The ranges of all that a body can touch in a level: in every row that it comes near to, as far as it reaches there.
template <int D, shape S>
void grid<D, S>::find_ranges(walk& at, const look& body, std::size_t level) const {
  const grid_level& l = levels_[level];
  const grid_frame& f = l.frame;
  std::int32_t low[3] = {};
  std::int32_t high[3] = {};
  for (int a = 1; a < D; ++a) {
    low[a] = static_cast<std::int32_t>(body.low[a]) >> f.row_bits;
    high[a] = static_cast<std::int32_t>(body.high[a]) >> f.row_bits;
  }
  at.ranges.clear();
  std::size_t& r = at.near[level][0];
  const auto next_row = [&](std::uint64_t code) {
    if (++r < l.runs.size() && l.runs[r].code == code) r = l.run_at(code + 1, 0, r);
  };
  for (r = l.run_at(grid_code(low[1], low[2]), 0, r); r < l.runs.size();) {
    const std::uint64_t code = l.runs[r].code;
    const auto middle = static_cast<std::int32_t>(code & 0xffffffffU);
    const auto slow = static_cast<std::int32_t>(code >> 32);
    if (slow > high[2]) break;
    if (middle < low[1] || middle > high[1]) {
      r = l.run_at(grid_code(low[1], slow + (middle < low[1] ? 0 : 1)), 0, r);
      continue;
    }
    const double along = body.along(f, middle, slow);
    if (along < 0) {
      next_row(code);
      continue;
    }
    const auto from = static_cast<std::int32_t>(std::max(body.center[0] - along, body.low[0])) >> f.cell_bits();
    const auto to = static_cast<std::int32_t>(std::min(body.center[0] + along, body.high[0])) >> f.cell_bits();
    if (l.runs[r].last < from) {
      r = l.run_at(code, from, r);
      continue;
    }
    if (l.runs[r].first > to) {
      next_row(code);
      continue;
    }
    const grid_run& run = l.runs[r];
    at.ranges.push_back({run.begin(std::max(from, run.first)), run.begin(std::min(to, run.last) + 1)});
    ++r;
  }
}

// A body against a finer level.
template <int D, shape S>
void grid<D, S>::cover(walk& at, const volume<D, S>& body, row i, std::size_t level, pair_batch& out) const {
  const grid_level& l = levels_[level];
  double farthest = 0;
  for (int k = 0; k < D; ++k) farthest = std::max({farthest, std::abs(body.lower(k)), std::abs(body.upper(k))});
  const double size = half_width<D, S>(body) + l.widest_half + world_->margin();
  const double rounding = grid_rounding<S>(farthest + size, size);
  const look there(*this, l.frame, body, l.widest_half, rounding);
  find_ranges(at, there, level);
  if (at.ranges.empty()) return;
  if (!there.straight) {
    doubt_all(at, i, out);
    return;
  }
  grid_cover_job job{};
  for (int a = 0; a < D; ++a) {
    job.center[a] = static_cast<std::int32_t>(there.center[a]);
    job.half[S == shape::sphere ? 0 : a] = static_cast<float>(half_of(body, axis(a)) * l.frame.scale);
  }
  job.row = i;
  job.ranges = at.ranges.data();
  job.count = at.ranges.size();
  job.filter = filter_of(l.frame, rounding, *std::max_element(there.reach, there.reach + D));
  at.tests += grid_scan(D, S, order_.columns(), job, out, at.doubts);
}

// Units do not tell how far the bodies of the ranges are: all are decided in double.
template <int D, shape S>
void grid<D, S>::doubt_all(walk& at, row i, pair_batch& out) const {
  const row* const rows = order_.columns().row;
  for (const grid_range& range : at.ranges) {
    at.tests += range.to - range.from;
    for (std::uint32_t p = range.from; p < range.to; ++p) {
      at.doubts.push_back({i, rows[p]});
      if (at.doubts.size() > many_doubts) decide(at, out);
    }
  }
}

template <int D, shape S>
void grid<D, S>::find_in(const query& q, row_batch& out) const {
  const grid_columns all = order_.columns();
  const row* const rows = all.row;
  std::uint64_t tests = 0;
  for (const grid_level& l : levels_) {
    std::int32_t from[3] = {};  // where centers can be, in units
    std::int32_t to[3] = {};
    std::int32_t low[3] = {};  // and the cells and rows of that
    std::int32_t high[3] = {};
    for (int a = 0; a < D; ++a) {
      const interval& bounds = q.bounds(axis(a));
      const interval b = widened(bounds.min - l.widest_half, bounds.max + l.widest_half);
      const int bits = a == 0 ? l.frame.cell_bits() : l.frame.row_bits;
      from[a] = std::max(l.frame.units(b.min, a) - 2, 0);
      to[a] = l.frame.units(b.max, a) + 2;
      low[a] = from[a] >> bits;
      high[a] = to[a] >> bits;
    }
    const auto near = [&](std::uint32_t p) {
      bool in = true;
      for (int a = 0; a < D; ++a) in &= all.center[a][p] >= from[a] && all.center[a][p] <= to[a];
      return in;
    };
    std::size_t r = l.run_at(grid_code(low[1], low[2]), low[0]);
    while (r < l.runs.size()) {
      const auto middle = static_cast<std::int32_t>(l.runs[r].code & 0xffffffffU);
      const auto slow = static_cast<std::int32_t>(l.runs[r].code >> 32);
      if (slow > high[2]) break;
      if (middle < low[1]) {
        r = l.run_at(grid_code(low[1], slow), low[0], r);
        continue;
      }
      if (middle > high[1]) {
        r = l.run_at(grid_code(low[1], std::int64_t{slow} + 1), low[0], r);
        continue;
      }
      if (l.runs[r].first <= high[0] && l.runs[r].last >= low[0]) {
        const grid_run& run = l.runs[r];
        const std::uint32_t end = run.begin(std::min(high[0], run.last) + 1);
        for (std::uint32_t p = run.begin(std::max(low[0], run.first)); p < end; ++p) {
          if (!near(p)) continue;
          ++tests;
          if (q.touches(world_->get<D, S>(rows[p]))) out.add(rows[p]);
        }
      }
      ++r;
    }
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

constexpr parameter_info grid_parameters[] = {
    {.name = "levels",
     .range = "integer 1 to 24",
     .default_value = "least by a model of the search",
     .summary = "how many grids, for as many ranges of sizes"},
};

// ---- cost

constexpr cost search_cost{"grid.search", 4500};
constexpr cost body_cost{"grid.body", 20};
constexpr cost far_cost{"grid.far", 1};
constexpr cost visit_cost{"grid.visit", 5.4};
constexpr cost test_cost{"grid.test", 0.58};
constexpr const cost* costs[] = {&search_cost, &body_cost, &far_cost, &visit_cost, &test_cost};

work work_of(const features& f) {
  const level_load l = least_level_load(f);
  return {{&search_cost, per_search(f)},
          {&body_cost, 1},
          {&far_cost, far_memory(f)},
          {&visit_cost, l.visits},
          {&test_cost, l.tests}};
}

constexpr cost_model model{costs, work_of, level_load_in_words};

}  // namespace

extern const method_entry grid_entry;
const method_entry grid_entry{
    {.name = "grid",
     .document = "our own",
     .summary = "sorts bodies by size into levels and by cell into rows, and compares ranges by vector instructions",
     .suits = "nearly everything from some hundred bodies on",
     .cost = "N",
     .quadratic = false,
     .parameters = grid_parameters},
    false,
    make_method<grid>,
    &model};

}  // namespace abut
