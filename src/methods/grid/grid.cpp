// Grid: our own method, combined from the best ideas of the papers.
//
// Idea: bodies are sorted by size into levels (Ogarko and Luding 2011), and in each level by cell, in lines of cells
// (Munjiza et al. 2006); empty space takes no memory. Coordinates are whole numbers of a level's unit. A line is twice
// as high as the reach of its bodies, so a body looks only forward along its own line and into the later lines that it
// is near to: contiguous ranges, compared by vector instructions as numbers of 16 bits. That filter answers yes, no or
// in doubt; doubts are compared in single precision, and what is left of them is decided in double. Larger bodies also
// search the levels of smaller ones. If bodies allow, the frames of one update serve the next, and then each body is
// read only once.
// Cost: linear in N, for any sizes; 20 to 110 ns and 38 to 60 bytes per body.
// Wins: nearly everywhere, from a few hundred bodies on.
// Loses: to a kept list of neighbors if bodies move little; to comparing all pairs below a few hundred bodies.

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "methods/grid/look.hpp"
#include "methods/grid/order.hpp"
#include "methods/grid/region_filter.hpp"
#include "methods/grid/show.hpp"
#include "methods/method.hpp"

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
  void show(sketcher& out) const override {
    grid_show<D, S>(out, levels_, order_).show([this](const grid_level& own) { return line_job_of(own); });
  }
  [[nodiscard]] plan planned() const override;
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override;
  [[nodiscard]] std::span<const std::string_view> counted() const override { return counted_names; }
  void release_scratch() override { order_.release_scratch(); }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = bytes_of(tasks_) + order_.bytes();
    for (const grid_level& l : levels_) sum += l.bytes();
    return sum;
  }

 private:
  static constexpr std::string_view counted_names[] = {"cells looked up", "ranges of finer levels"};
  static constexpr int halves = grid_order<D, S>::halves;

  struct task {
    std::uint32_t level;
    std::uint32_t from;
    std::uint32_t to;
  };
  // The state of one task.
  struct walk {
    std::vector<std::array<std::size_t, 5>> near;  // by level: the runs found last, as hints for the next search
    std::vector<grid_range> ranges{};
    std::vector<std::uint32_t> starts{};  // of the cells around a line
    std::vector<grid_doubt> doubts{};
    std::uint64_t tests = 0;
    std::uint64_t cells = 0;  // looked up around lines
    std::uint64_t finer = 0;  // ranges of finer levels
    grid_line_job line{};     // what the searches of all lines have in common
  };

  static constexpr std::size_t many_doubts = 1024;  // enough to decide them together
  // The world's axis for one of the grid's: contiguous, middle, slow.
  [[nodiscard]] int axis(int a) const { return order_.prepared().axes[static_cast<std::size_t>(a)]; }
  [[nodiscard]] double largest_half() const {
    return *std::max_element(world_->measured().widest, world_->measured().widest + D) / 2;
  }
  void follow_margin();
  [[nodiscard]] bool frames_serve(bool equal) const;
  void choose_frames(bool equal);
  [[nodiscard]] std::string reason() const;
  void split_tasks();
  // The largest gap at which two bodies of a level may count as overlapping.
  [[nodiscard]] double gap(const grid_frame& f) const { return world_->margin() + f.rounding; }
  [[nodiscard]] grid_filter filter_of(const grid_frame& frame, double rounding, double farthest_units,
                                      int rounded_halves) const;
  [[nodiscard]] grid_near_filter near_filter_of(const grid_level& own, double reach) const;
  [[nodiscard]] grid_line_job line_job_of(const grid_level& own) const;
  void search_line(walk& at, const grid_level& own, const grid_run& run, std::uint32_t from, std::uint32_t to,
                   pair_batch& out) const;
  void search_finer(walk& at, std::size_t own, std::uint32_t place, pair_batch& out) const;
  void search_level(walk& at, const volume<D, S>& body, row i, std::size_t level, pair_batch& out) const;
  void doubt_all(walk& at, row i, pair_batch& out) const;
  void decide(walk& at, pair_batch& out) const;
  struct window;
  [[nodiscard]] std::uint64_t find_in_level(const grid_level& l, const query& q, row_batch& out) const;
  using region_filter = grid_region_filter<D, S>;
  [[nodiscard]] std::uint64_t find_in_range(grid_range range, const window& w, const region_filter& filter,
                                            const query& q, row_batch& out) const;

  plan asked_;
  double asked_levels_ = 0;  // 0: as many as cost least
  const world* world_ = nullptr;
  std::size_t count_ = 0;      // bodies that the frames were chosen for
  double margin_ = 0;          // that they have been widened for
  double most_reach_ = 0;      // of two bodies, when they were chosen
  int updates_of_frames_ = 0;  // that they have served since
  bool frames_last_ = true;    // whether they are expected to serve the next update too
  std::vector<grid_level> levels_;
  grid_order<D, S> order_;
  std::vector<task> tasks_;
};

template <int D, shape S>
void grid<D, S>::update(const world& w, row_map) {
  world_ = &w;
  const measures& m = w.measured();
  // By all sides: boxes can have the same longest side along different axes.
  const bool equal = std::all_of(m.widest, m.widest + D, [&](double widest) { return widest == m.least_side; });
  follow_margin();
  if (frames_serve(equal)) {
    ++updates_of_frames_;
    levels_.back().widest_half = largest_half();
    frames_last_ = true;
  } else {
    frames_last_ = levels_.empty() || updates_of_frames_ >= 3;  // otherwise dealing ahead would be wasted
    choose_frames(equal);
  }
  order_.place(w, levels_);
  split_tasks();
}

template <int D, shape S>
plan grid<D, S>::planned() const {
  plan chosen = asked_;
  if (asked_levels_ == 0) chosen.set("levels", std::to_string(levels_.size())).because(reason());
  return chosen;
}

template <int D, shape S>
std::vector<stats::event> grid<D, S>::counted_in_update() const {
  std::uint64_t runs = 0;
  for (const grid_level& l : levels_) runs += l.runs.size();
  return {{"runs", runs}};
}

// Two bodies with a larger margin have more rounding. The frames' units and lines do not depend on it.
template <int D, shape S>
void grid<D, S>::follow_margin() {
  if (!(world_->margin() > margin_)) return;
  margin_ = world_->margin();
  const measures& m = world_->measured();
  double farthest = 0;
  for (int k = 0; k < D; ++k) farthest = std::max({farthest, std::abs(m.lower[k]), std::abs(m.upper[k])});
  for (grid_level& l : levels_) {
    const double most = grid_rounding<S>(farthest + levels_.back().widest_half, 2 * l.widest_half + margin_);
    l.frame.rounding = std::max(l.frame.rounding, most);
  }
}

// Whether the frames of the last update serve this one too: all bodies are within them and fit their levels' lines, and
// they have become neither much smaller nor much closer together. Does not depend on the number of threads.
template <int D, shape S>
bool grid<D, S>::frames_serve(bool equal) const {
  constexpr int most_updates = 64;
  if (levels_.empty() || equal != order_.prepared().equal || count_ != world_->size()) return false;
  if (updates_of_frames_ >= most_updates) return false;
  const measures& m = world_->measured();
  const grid_frame& f = levels_[0].frame;
  for (int a = 0; a < D; ++a) {
    const int k = axis(a);
    if (!(m.lower[k] >= f.origin[a] && m.upper[k] <= f.top[a])) return false;
    if (!(m.upper[k] - m.lower[k] >= 0.8 * (f.top[a] - f.origin[a] - 2 * order_.prepared().slack))) return false;
  }
  const double half = largest_half();
  if (!(half >= 0.9 * levels_.back().widest_half)) return false;
  if (world_->margin() != margin_ && !(2 * half + world_->margin() >= 0.9 * most_reach_)) return false;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const double widest = l + 1 < levels_.size() ? levels_[l].widest_half : half;
    const grid_frame& own = levels_[l].frame;
    if (!(2 * (2 * widest + gap(own)) * own.scale <= std::exp2(own.line_bits) - 15.5)) return false;
  }
  return !((levels_.size() > 1 || order_.folded()) && order_.unfit(*world_));
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
  margin_ = world_->margin();
  most_reach_ = 2 * largest_half() + margin_;
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

// The longest tasks come first: those of larger bodies, which also search all finer levels. They have fewer bodies
// each, so that no task is left running long after the others.
template <int D, shape S>
void grid<D, S>::split_tasks() {
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
  at.line = line_job_of(own);
  auto run =
      std::partition_point(own.runs.begin(), own.runs.end(), [&](const grid_run& r) { return r.end() <= t.from; });
  for (; run != own.runs.end() && run->begin() < t.to; ++run) {
    search_line(at, own, *run, std::max(t.from, run->begin()), std::min(t.to, run->end()), out);
    if (at.doubts.size() > many_doubts) decide(at, out);
  }
  for (std::uint32_t place = t.from; t.level > 0 && place < t.to; ++place) {
    search_finer(at, t.level, place, out);
    if (at.doubts.size() > many_doubts) decide(at, out);
  }
  decide(at, out);
  out.count.tests += at.tests;
  out.count.candidates += at.tests;
  out.count.named[0] += at.cells;
  out.count.named[1] += at.finer;
}

template <int D, shape S>
void grid<D, S>::decide(walk& at, pair_batch& out) const {
  for (const grid_doubt& d : at.doubts) {
    if (overlap(world_->get<D, S>(d.target), world_->get<D, S>(d.other), world_->margin())) out.add(d.target, d.other);
  }
  at.doubts.clear();
}

// Each center is within one unit, plus the rounding of coordinates, of the exact one; single precision errs by a few
// parts in 2^24 of the longest distance that matters. `rounded_halves` half widths come from the column.
template <int D, shape S>
grid_filter grid<D, S>::filter_of(const grid_frame& frame, double rounding, double farthest_units,
                                  int rounded_halves) const {
  const double error = 3 + rounding * frame.scale + farthest_units * std::exp2(-20);
  const double half_unit = grid_near_unit(frame.line_bits);
  return {static_cast<float>(world_->margin() * frame.scale + error),
          static_cast<float>(2 * error + 1 + rounded_halves * half_unit), static_cast<float>(half_unit)};
}

// The same for columns of 16 bits. Their centers are rounded down, so a difference is wrong by less than one on each
// axis, and a distance by less than the root of three. Half widths are rounded up by at most one each.
template <int D, shape S>
grid_near_filter grid<D, S>::near_filter_of(const grid_level& own, double reach) const {
  const double unit = grid_near_unit(own.frame.line_bits);
  const double error = 1.75 + (3 + own.frame.rounding * own.frame.scale + reach * std::exp2(-20)) / unit;
  grid_near_filter f{};
  f.room = static_cast<std::int16_t>(std::ceil(world_->margin() * own.frame.scale / unit + error));
  f.doubt = static_cast<std::int16_t>(std::ceil(2 * error) + 3 + (order_.prepared().equal ? -1 : 0));
  for (std::int16_t& h : f.same_half) {
    h = static_cast<std::int16_t>(std::ceil(2 * own.widest_half * own.frame.scale / unit));
  }
  return f;
}

// What a search of any line of a level needs.
template <int D, shape S>
grid_line_job grid<D, S>::line_job_of(const grid_level& own) const {
  const double reach = (2 * own.widest_half + gap(own.frame)) * own.frame.scale;
  grid_line_job job{};
  job.line_bits = own.frame.line_bits;
  job.cell_bits = own.frame.cell_bits();
  job.reach = static_cast<std::int32_t>(reach) + 3;
  job.filter = filter_of(own.frame, own.frame.rounding, reach, order_.prepared().equal ? 0 : 2);
  for (float& h : job.same_half) h = static_cast<float>(2 * own.widest_half * own.frame.scale);
  job.near = near_filter_of(own, reach);
  return job;
}

// Searches for partners of bodies [from, to) of a run in their own level.
template <int D, shape S>
void grid<D, S>::search_line(walk& at, const grid_level& own, const grid_run& run, std::uint32_t from, std::uint32_t to,
                             pair_batch& out) const {
  const auto level = static_cast<std::size_t>(&own - levels_.data());
  const auto middle = static_cast<std::int64_t>(run.code & 0xffffffffU);
  const auto slow = static_cast<std::int64_t>(run.code >> 32);
  const grid_columns bodies = order_.columns();
  grid_line_job& job = at.line;
  job.from = from;
  job.to = to;
  // Partners are at most a reach away along the line: less than half its height, which is two cells.
  const std::int32_t first = (bodies.center[0][from] >> job.cell_bits) - 2;
  const std::int32_t end = (bodies.center[0][to - 1] >> job.cell_bits) + 5;
  const auto cells = static_cast<std::size_t>(end - first);
  at.cells += (D == 3 ? 5 : 2) * cells;
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

// Searches for partners of a body in all levels of smaller bodies.
template <int D, shape S>
void grid<D, S>::search_finer(walk& at, std::size_t own, std::uint32_t place, pair_batch& out) const {
  const row i = order_.columns().row[place];
  const volume<D, S> body = world_->get<D, S>(i);
  for (std::size_t l = 0; l < own; ++l) search_level(at, body, i, l, out);
}

// Searches for partners of a body in one level of smaller bodies.
template <int D, shape S>
void grid<D, S>::search_level(walk& at, const volume<D, S>& body, row i, std::size_t level, pair_batch& out) const {
  const grid_level& l = levels_[level];
  double farthest = 0;
  for (int k = 0; k < D; ++k) farthest = std::max({farthest, std::abs(body.lower(k)), std::abs(body.upper(k))});
  const double size = half_width<D, S>(body) + l.widest_half + world_->margin();
  const double rounding = grid_rounding<S>(farthest + size, size);
  const grid_look<D, S> there(l.frame, order_.prepared().axes, body, l.widest_half, world_->margin(), rounding);
  there.find_ranges(l, at.near[level][0], at.ranges);
  if (at.ranges.empty()) return;
  at.finer += at.ranges.size();
  if (!there.straight) {
    doubt_all(at, i, out);
    return;
  }
  grid_finer_job job{};
  for (int a = 0; a < D; ++a) {
    job.center[a] = static_cast<std::int32_t>(there.center[a]);
    job.half[S == shape::sphere ? 0 : a] = static_cast<float>(grid_half<D, S>(body, axis(a)) * l.frame.scale);
  }
  job.row = i;
  job.ranges = at.ranges.data();
  job.count = at.ranges.size();
  job.filter = filter_of(l.frame, rounding, *std::max_element(there.reach, there.reach + D), 1);
  at.tests += grid_scan(D, S, order_.columns(), job, out, at.doubts);
}

// On a folded axis, differences in units are not distances: decides all bodies of the ranges in double.
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

// Where the centers of bodies that touch a region can be in a level.
template <int D, shape S>
struct grid<D, S>::window {
  std::uint32_t from[3] = {};  // in units
  std::uint32_t length[3] = {};
  std::int32_t low[3] = {};  // in cells along the line, and in lines across it
  std::int32_t high[3] = {};

  window(const grid& g, const grid_level& l, const query& q) {
    for (int a = 0; a < D; ++a) {
      const interval& bounds = q.bounds(g.axis(a));
      const interval b = widened(bounds.min - l.widest_half, bounds.max + l.widest_half);
      const int bits = a == 0 ? l.frame.cell_bits() : l.frame.line_bits;
      const std::int32_t first = std::max(l.frame.units(b.min, a) - 2, 0);
      const std::int32_t last = l.frame.units(b.max, a) + 2;
      from[a] = static_cast<std::uint32_t>(first);
      length[a] = static_cast<std::uint32_t>(last - first);
      low[a] = first >> bits;
      high[a] = last >> bits;
    }
  }
  [[nodiscard]] bool holds(const grid_columns& bodies, std::uint32_t p) const {
    // One comparison per axis: below `from` the difference wraps around to a large number. Not a loop over the axes,
    // which compilers do not always unroll.
    const auto inside = [&](int a) { return static_cast<std::uint32_t>(bodies.center[a][p]) - from[a] <= length[a]; };
    bool in = inside(0);
    in &= inside(1);
    if constexpr (D == 3) in &= inside(2);
    return in;
  }
};

template <int D, shape S>
void grid<D, S>::find_in(const query& q, row_batch& out) const {
  std::uint64_t tests = 0;
  for (const grid_level& l : levels_) tests += find_in_level(l, q, out);
  out.count.tests += tests;
  out.count.candidates += tests;
}

// Returns the number of overlap tests.
template <int D, shape S>
std::uint64_t grid<D, S>::find_in_level(const grid_level& l, const query& q, row_batch& out) const {
  const window w(*this, l, q);
  const region_filter filter(l, order_.prepared().axes, q, world_->measured(), order_.prepared().equal);
  std::uint64_t tests = 0;
  for (std::size_t r = l.run_at(grid_code(w.low[1], w.low[2]), w.low[0]); r < l.runs.size();) {
    const grid_run& run = l.runs[r];
    const auto middle = static_cast<std::int32_t>(run.code & 0xffffffffU);
    const auto slow = static_cast<std::int32_t>(run.code >> 32);
    if (slow > w.high[2]) break;
    if (middle < w.low[1] || middle > w.high[1]) {
      r = l.run_at(grid_code(w.low[1], std::int64_t{slow} + (middle < w.low[1] ? 0 : 1)), w.low[0], r);
      continue;
    }
    ++r;
    if (run.first > w.high[0] || run.last < w.low[0]) continue;
    const grid_range range{run.begin(std::max(w.low[0], run.first)), run.begin(std::min(w.high[0], run.last) + 1)};
    tests += find_in_range(range, w, filter, q, out);
  }
  return tests;
}

template <int D, shape S>
std::uint64_t grid<D, S>::find_in_range(grid_range range, const window& w, const region_filter& filter, const query& q,
                                        row_batch& out) const {
  const grid_columns bodies = order_.columns();
  std::uint64_t tests = 0;
  for (std::uint32_t p = range.from; p < range.to; ++p) {
    if (!w.holds(bodies, p)) continue;
    ++tests;
    const auto touches = filter(bodies, p);
    if (touches == region_filter::answer::no) continue;
    const row i = bodies.row[p];
    if (touches == region_filter::answer::yes || q.touches(world_->get<D, S>(i))) out.add(i);
  }
  return tests;
}

constexpr parameter_info grid_parameters[] = {
    {.name = "levels",
     .range = "integer 1 to 24",
     .default_value = "the cheapest by a model of the search",
     .summary = "the number of grids, one for each range of sizes"},
};

// ---- cost

constexpr cost search_cost{"grid.search", {.avx512 = 4500, .avx2 = 4900, .sse4 = 5200, .neon = 5200, .scalar = 5300}};
constexpr cost body_cost{"grid.body", {.avx512 = 20, .avx2 = 23, .sse4 = 29, .neon = 29, .scalar = 40}};
constexpr cost far_cost{"grid.far", {.avx512 = 1, .avx2 = 1.3, .sse4 = 1.9, .neon = 1.9, .scalar = 4.1}};
constexpr cost visit_cost{"grid.visit", {.avx512 = 5.4, .avx2 = 6.2, .sse4 = 7.9, .neon = 7.9, .scalar = 14}};
constexpr cost test_cost{"grid.test", {.avx512 = 0.58, .avx2 = 0.79, .sse4 = 1.2, .neon = 1.2, .scalar = 4.5}};

constexpr const cost_model& model = level_model<search_cost, body_cost, far_cost, visit_cost, test_cost>::model;

}  // namespace

extern const method_entry grid_entry;
const method_entry grid_entry{
    {.name = "grid",
     .document = "our own",
     .summary = "sorts bodies by size into levels and by cell into lines, and compares ranges by vector instructions",
     .suits = "nearly everything from a few hundred bodies on",
     .cost = "N",
     .quadratic = false,
     .parameters = grid_parameters},
    false,
    make_method<grid>,
    &model};

}  // namespace abut
