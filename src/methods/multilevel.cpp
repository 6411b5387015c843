// Multilevel grid (document 004): a grid for every range of sizes; a body searches its own grid and those of the
// others.
//
// Idea: a body lies on the lowest level whose cells hold its diameter, in the cell of its center. It searches its own
// level, then every lower one (`direction=down`, the paper's order) or every higher one (`up`). Cell sizes are such
// that all levels have as many bodies per cell (2); the number of levels is what makes N L (m + K) least (3). A level's
// cells are sorted lists: empty cells cost nothing, or 4 bytes where there are no more than a few for each body.
// Cost: N L (m + K), whatever the ratio of the sizes.
// Wins: sizes over decades, many of each; a few giants among specks.
// Loses: to a single grid where all bodies are of one size, by the little that it takes to find that out.

#include <string>

#include "../cell_rows.hpp"
#include "../level_sizes.hpp"
#include "../names.hpp"
#include "../packed_volumes.hpp"

namespace abut {

namespace {

constexpr int most_levels = 40;
constexpr double overhead = 0.2;

// A level: its bodies sorted by cell, and how far they reach.
template <int D>
struct level {
  using cell = typename cell_rows<D>::cell;

  std::size_t first = 0;  // the place of its first body among all
  double below[D] = {};   // how far below the lower end of what overlaps one of its bodies the body's anchor can be
  double above[D] = {};
  cell_rows<D> cells;

  // Where there is room for it: for each block of cells, the place of its first body. A block is 2^shift cells of a
  // row.
  std::vector<std::uint32_t> starts;
  int shift = 0;
  std::uint32_t blocks = 0;  // in a row

  [[nodiscard]] std::size_t size() const { return cells.size(); }
  void make_table();

  // Calls `f(from, to)` for stretches of places in which lies all that is in the cells `lo` to `hi`.
  template <class F>
  void for_each_stretch(const cell& lo, const cell& hi, std::size_t& hint, F&& f) const;
};

template <int D>
void level<D>::make_table() {
  const auto rows = static_cast<double>(cells.axis[1].count()) * (D == 3 ? cells.axis[D - 1].count() : 1);
  const double most = 4.0 * static_cast<double>(size()) + 64;
  starts.clear();
  if (rows > most) return;
  shift = 0;
  const auto blocks_at = [&](int s) { return ((cells.axis[0].count() - 1) >> s) + 1; };
  while (rows * blocks_at(shift) > most) ++shift;
  blocks = blocks_at(shift);
  starts.resize(static_cast<std::size_t>(rows) * blocks + 1);
  std::size_t next = 0;
  for (std::size_t r = 0; r < cells.rows(); ++r) {
    const std::size_t row_block =
        (D == 3 ? std::size_t{cells.z(r)} * cells.axis[1].count() : 0) * blocks + std::size_t{cells.y(r)} * blocks;
    for (std::uint32_t p = cells.begin(r); p < cells.end(r); ++p) {
      const std::size_t block = row_block + (cells.x()[p] >> shift);
      while (next <= block) starts[next++] = p;
    }
  }
  while (next < starts.size()) starts[next++] = static_cast<std::uint32_t>(size());
}

template <int D>
template <class F>
void level<D>::for_each_stretch(const cell& lo, const cell& hi, std::size_t& hint, F&& f) const {
  const std::uint32_t z_from = D == 3 ? lo[D - 1] : 0;
  const std::uint32_t z_to = D == 3 ? hi[D - 1] : 0;
  if (!starts.empty()) {
    const std::uint32_t* const begin = starts.data() + (lo[0] >> shift);
    const std::uint32_t* const end = starts.data() + (hi[0] >> shift) + 1;
    for (std::uint32_t z = z_from; z <= z_to; ++z) {
      std::size_t row_block = (std::size_t{z} * cells.axis[1].count() + lo[1]) * blocks;
      for (std::uint32_t y = lo[1]; y <= hi[1]; ++y, row_block += blocks) f(begin[row_block], end[row_block]);
    }
    return;
  }
  const std::uint32_t* const x = cells.x();
  cells.for_each_row({lo[1], hi[1]}, {z_from, z_to}, hint, [&](std::size_t r) {
    const std::uint32_t* const end = x + cells.end(r);
    const std::uint32_t* const from = std::lower_bound(x + cells.begin(r), end, lo[0]);
    const std::uint32_t* const to = std::upper_bound(from, end, hi[0]);
    if (from < to) f(static_cast<std::size_t>(from - x), static_cast<std::size_t>(to - x));
  });
}

template <int D, shape S>
class multilevel final : public method {
 public:
  explicit multilevel(const plan& asked) : asked_(asked), planned_(asked) {
    up_ = asked.parameter_value("direction") == "up";
  }

  void update(const world& w, std::span<const row>) override;

  [[nodiscard]] std::size_t tasks() const override { return tasks_.size(); }
  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::size_t bytes() const override;

 private:
  using cell = typename cell_rows<D>::cell;
  static constexpr std::size_t things_per_task = 2048;

  // Where a body is looked for: the center of a sphere, the lower corner of a box.
  static double anchor(const volume<D, S>& v, int k) {
    if constexpr (S == shape::sphere) {
      return v.center[k];
    } else {
      return v.min[k];
    }
  }

  level_split choose(const world& w, const body_sizes& sizes);
  void sort_by_level(const world& w, const body_sizes& sizes, const level_split& split);
  void place(const world& w, const body_sizes& sizes, const level_split& split);
  void cut_tasks();
  void window(const volume<D, S>& v, const level<D>& where, cell& lo, cell& hi) const;

  // A stretch of a level's bodies.
  struct task_part {
    std::uint32_t level, from, to;
  };

  plan asked_;
  plan planned_;
  bool up_ = false;
  double margin_ = 0;
  std::vector<level<D>> levels_;  // from small to large; none is empty
  std::vector<row> order_;        // the rows by level, later by level and cell
  packed_volumes<D, S> volumes_;  // in that order
  std::vector<task_part> tasks_;
};

template <int D, shape S>
void multilevel<D, S>::update(const world& w, std::span<const row>) {
  margin_ = w.margin();
  const body_sizes sizes(w);
  const level_split split = choose(w, sizes);
  sort_by_level(w, sizes, split);
  place(w, sizes, split);
  volumes_.fill(w, order_);
  cut_tasks();
}

template <int D, shape S>
level_split multilevel<D, S>::choose(const world& w, const body_sizes& sizes) {
  int levels = 1;
  std::string reason = "there are no bodies to choose levels for";
  if (const auto asked = asked_.parameter_value("levels")) {
    double number = 1;
    (void)parse_number(*asked, number);
    levels = static_cast<int>(number);
    reason = "as many levels as asked for";
  } else if (w.size() > 0) {
    levels = best_levels(sizes.classes(), overhead, most_levels);
    reason = "least N L (m + K) by Ogarko and Luding's model";
  }
  const level_split split = split_evenly(sizes.classes(), levels);
  if (w.size() > 0) {
    reason += ": " + number_text(std::round(split.per_cell * 100) / 100) + " bodies a cell";
    if (split.ends.size() < static_cast<std::size_t>(levels)) {
      reason += "; " + std::to_string(split.ends.size()) + " levels are in use";
    }
  }
  planned_ = asked_;
  planned_.set("levels", std::to_string(levels));
  planned_.set("direction", up_ ? "up" : "down");
  planned_.because(reason);
  return split;
}

// Puts the rows in the order of their levels, and measures how far each level's bodies reach.
template <int D, shape S>
void multilevel<D, S>::sort_by_level(const world& w, const body_sizes& sizes, const level_split& split) {
  constexpr std::size_t block = 8192;
  const std::size_t n = w.size();
  const std::size_t count = split.ends.size();
  struct share {
    std::size_t bodies = 0;
    double widest[D] = {};
  };
  const std::size_t blocks = (n + block - 1) / block;
  std::vector<std::uint8_t> level_of(n);
  std::vector<share> shares(blocks * count);
  parallel_blocks(w.threads(), n, block, [&](std::size_t b, std::size_t from, std::size_t to) {
    sizes.read_levels(w, split, from, to, level_of.data() + from);
    for (std::size_t i = from; i < to; ++i) {
      share& mine = shares[b * count + level_of[i]];
      ++mine.bodies;
      const volume<D, S> v = w.get<D, S>(static_cast<row>(i));
      for (int k = 0; k < D; ++k) {
        if constexpr (S == shape::sphere) {
          mine.widest[k] = std::max(mine.widest[k], v.radius);
        } else {
          mine.widest[k] = std::max(mine.widest[k], v.max[k] - v.min[k]);
        }
      }
    }
  });
  levels_.resize(count);
  std::size_t start = 0;
  for (std::size_t h = 0; h < count; ++h) {
    level<D>& l = levels_[h];
    l.first = start;
    std::fill_n(l.below, D, 0.0);
    for (std::size_t b = 0; b < blocks; ++b) {
      share& s = shares[b * count + h];
      for (int k = 0; k < D; ++k) l.below[k] = std::max(l.below[k], s.widest[k]);
      start += std::exchange(s.bodies, start);
    }
    for (int k = 0; k < D; ++k) l.above[k] = S == shape::sphere ? l.below[k] : 0;
  }
  order_.resize(n);
  parallel_blocks(w.threads(), n, block, [&](std::size_t b, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) order_[shares[b * count + level_of[i]].bodies++] = static_cast<row>(i);
  });
}

template <int D, shape S>
void multilevel<D, S>::place(const world& w, const body_sizes& sizes, const level_split& split) {
  const measures& m = w.measured();
  std::vector<row> placed(w.size());
  for (std::size_t h = 0; h < levels_.size(); ++h) {
    level<D>& l = levels_[h];
    const std::size_t count = (h + 1 < levels_.size() ? levels_[h + 1].first : w.size()) - l.first;
    const row* const rows = order_.data() + l.first;
    const double size =
        std::max(sizes.classes()[split.ends[h] - 1].size, sizes.edge_for(static_cast<double>(count), overhead));
    for (int k = 0; k < D; ++k) {
      l.cells.axis[k] = axis_cells(m.lower[k], m.upper[k], size, [&] {
        std::vector<interval> all(count);
        for (std::size_t i = 0; i < count; ++i) all[i].min = all[i].max = anchor(w.get<D, S>(rows[i]), k);
        return all;
      });
    }
    l.cells.place(count, w.threads(), [&](std::size_t i, cell& c) {
      const volume<D, S> v = w.get<D, S>(rows[i]);
      for (int k = 0; k < D; ++k) c[k] = l.cells.axis[k].index(anchor(v, k));
    });
    for (std::size_t i = 0; i < count; ++i) placed[l.first + i] = rows[l.cells.order()[i]];
    l.make_table();
  }
  order_ = std::move(placed);
}

// With `down`, bodies of a high level have the more to do the fewer they are.
template <int D, shape S>
void multilevel<D, S>::cut_tasks() {
  tasks_.clear();
  for (std::uint32_t h = 0; h < levels_.size(); ++h) {
    const std::size_t count = levels_[h].size();
    const std::size_t up_to_here = levels_[h].first + count;
    const std::size_t each = up_ ? things_per_task : std::max<std::size_t>(1, things_per_task * count / up_to_here);
    for (std::size_t from = 0; from < count; from += each) {
      tasks_.push_back({h, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(std::min(count, from + each))});
    }
  }
}

// The cells of a level in which the anchors of a body's partners can be.
template <int D, shape S>
void multilevel<D, S>::window(const volume<D, S>& v, const level<D>& where, cell& lo, cell& hi) const {
  for (int k = 0; k < D; ++k) {
    const interval reach = widened(v.lower(k) - (where.below[k] + margin_), v.upper(k) + (where.above[k] + margin_));
    lo[k] = where.cells.axis[k].index(reach.min);
    hi[k] = where.cells.axis[k].index(reach.max);
  }
}

template <int D, shape S>
void multilevel<D, S>::find(std::size_t task, pair_batch& out) const {
  const task_part& part = tasks_[task];
  const level<D>& own = levels_[part.level];
  const std::size_t lowest = up_ ? part.level + 1 : 0;
  const std::size_t highest = up_ ? levels_.size() : part.level;
  std::size_t hints[most_levels] = {};
  std::uint64_t tests = 0;
  for (std::size_t p = part.from; p < part.to; ++p) {
    const std::size_t place = own.first + p;
    const volume<D, S> v = volumes_.get(place);
    const row i = volumes_.row_of(place);
    const auto meet = [&](std::size_t from, std::size_t to) {
      for (std::size_t q = from; q < to; ++q) {
        ++tests;
        if (overlap(v, volumes_.get(q), margin_) && !volumes_.muted(place, q)) out.add(i, volumes_.row_of(q));
      }
    };
    cell lo;
    cell hi;
    window(v, own, lo, hi);
    // On its own level what comes after the body: the rest of its row and the rows after it, then the layers after it.
    const auto meet_after = [&](std::size_t from, std::size_t to) {
      meet(own.first + std::max(from, p + 1), own.first + to);
    };
    const std::uint32_t y_from = lo[1];
    lo[1] = own.cells.axis[1].index(anchor(v, 1));
    if constexpr (D == 3) {
      const std::uint32_t z_to = hi[2];
      lo[2] = hi[2] = own.cells.axis[2].index(anchor(v, 2));
      own.for_each_stretch(lo, hi, hints[part.level], meet_after);
      lo[1] = y_from;
      ++lo[2];
      hi[2] = z_to;
    }
    own.for_each_stretch(lo, hi, hints[part.level], meet_after);
    for (std::size_t h = lowest; h < highest; ++h) {
      const level<D>& other = levels_[h];
      window(v, other, lo, hi);
      other.for_each_stretch(lo, hi, hints[h],
                             [&](std::size_t from, std::size_t to) { meet(other.first + from, other.first + to); });
    }
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
void multilevel<D, S>::find_in(const query& q, row_batch& out) const {
  std::uint64_t tests = 0;
  for (const level<D>& l : levels_) {
    cell lo;
    cell hi;
    for (int k = 0; k < D; ++k) {
      const interval reach = widened(q.bounds(k).min - l.below[k], q.bounds(k).max + l.above[k]);
      lo[k] = l.cells.axis[k].index(reach.min);
      hi[k] = l.cells.axis[k].index(reach.max);
    }
    std::size_t hint = 0;
    l.for_each_stretch(lo, hi, hint, [&](std::size_t from, std::size_t to) {
      for (std::size_t p = l.first + from; p < l.first + to; ++p) {
        ++tests;
        if (q.touches(volumes_.get(p))) out.add(volumes_.row_of(p));
      }
    });
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
std::size_t multilevel<D, S>::bytes() const {
  std::size_t sum = bytes_of(order_) + volumes_.bytes() + bytes_of(tasks_) + bytes_of(levels_);
  for (const level<D>& l : levels_) sum += l.cells.bytes() + bytes_of(l.starts);
  return sum;
}

constexpr parameter_info multilevel_parameters[] = {
    {.name = "levels",
     .range = "integer 1 to 40",
     .default_value = "least N L (m + K)",
     .summary = "how many grids, for as many ranges of sizes"},
    {.name = "direction",
     .range = "down | up",
     .default_value = "down",
     .summary = "a body searches the levels of smaller bodies, or those of larger ones"},
};

}  // namespace

extern const method_entry multilevel_entry;
const method_entry multilevel_entry{
    {.name = "multilevel",
     .document = "004",
     .summary = "a grid of cells for every range of sizes, each searched from the others",
     .suits = "sizes over decades, many of each; a few giants among specks",
     .cost = "N L (m + K)",
     .quadratic = false,
     .parameters = multilevel_parameters},
    false,
    make_method<multilevel>};

}  // namespace abut
