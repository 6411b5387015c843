// Multilevel grid (Ogarko and Luding 2011): a grid for every range of sizes; a body searches its own grid and those of
// the others.
//
// Idea: a body lies on the lowest level whose cells hold its diameter, in the cell of its center. It searches its own
// level, then every lower one (`direction=down`, the paper's order) or every higher one (`up`). Cell sizes are such
// that all levels have equally many bodies per cell (2); the number of levels is the one that makes N L (m + K) least
// (3). A level's cells are sorted lists, so that empty cells cost nothing; if there are only a few cells per body, they
// are a table, and each costs 4 bytes. `cells=strict` has the paper's cells and as many levels as asked for.
// Cost: N L (m + K), whatever the ratio of the sizes.
// Wins: if sizes spread over decades, with many bodies of each; a few giants among specks.
// Loses: to a single grid if all bodies have one size, by the little time that it takes to find that out.

#include <string>

#include "base/count.hpp"
#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"
#include "methods/multilevel/key_places.hpp"
#include "methods/multilevel/level.hpp"
#include "methods/multilevel/show.hpp"
#include "methods/multilevel/sizes.hpp"

namespace abut {

namespace {

constexpr int most_levels = 250;
constexpr int most_levels_chosen = 40;

// K, in units of the cost of a body in a searched cell. `./dev bench levels` measures the times for L = 1 to 20, on
// r^-3 sizes at volume fractions 0.1 and 0.4, in both directions, and prints what each K costs: 1.6 is best. The
// paper's 0.2 chooses about twice as many levels.
constexpr std::string_view default_overhead = "1.6";

constexpr double least_per_cell =
    0.2;  // with fewer bodies per cell, lines of cells would mostly be searched for nothing
constexpr std::size_t block = 1024;

template <int D, shape S>
class multilevel final : public method {
 public:
  explicit multilevel(const plan& asked) : asked_(asked), planned_(asked) {
    up_ = asked.parameter_value("direction") == "up";
    strict_ = asked.parameter_value("cells") == "strict";
  }

  void update(const world& w, row_map) override;

  [[nodiscard]] std::size_t tasks() const override { return tasks_.size(); }
  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;
  void show(sketcher& out) const override {
    interval takes[D] = {};
    if (out.any_chosen()) take(out.of().get<D, S>(out.chosen()), takes);
    multilevel_show<D, S>(out, volumes_).show(levels_, up_, takes);
  }

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override { return {{"levels", levels_.size()}}; }
  // Counting cells takes a few percent of the time of a search, so only the original does it.
  [[nodiscard]] std::span<const std::string_view> counted() const override {
    return std::span(counted_names).first(strict_ ? 2 : 1);
  }
  [[nodiscard]] std::size_t bytes() const override;

 private:
  using grid = multilevel_level<D>;
  using cell = typename grid::cell;
  static constexpr std::size_t things_per_task = 2048;
  static constexpr std::string_view counted_names[] = {"levels searched", "cells visited"};

  multilevel_split choose(const world& w, const multilevel_sizes& sizes);
  void make_levels(const world& w, const multilevel_sizes& sizes, const multilevel_split& split);
  void measure_reach(const world& w, const multilevel_sizes& sizes);
  bool place_in_table(const world& w, const multilevel_sizes& sizes);
  void place_in_lines(const world& w, const multilevel_sizes& sizes);
  void split_tasks();
  void take(const volume<D, S>& v, interval* takes) const {
    for (int k = 0; k < D; ++k) takes[k] = taken(v, k, margin_);
  }

  class meeting;

  // A stretch of a level's bodies.
  struct task_part {
    std::uint32_t level, from, to;  // places
  };

  plan asked_;
  plan planned_;
  bool up_ = false;
  bool strict_ = false;  // cells exactly as large as the largest body of their level, as in the paper
  double margin_ = 0;
  std::vector<grid> levels_;      // from small to large; none is empty
  key_places places_;             // the table of all levels' cells, if there is one
  packed_volumes<D, S> volumes_;  // by level, then cell
  std::vector<task_part> tasks_;
};

template <int D, shape S>
void multilevel<D, S>::update(const world& w, row_map) {
  margin_ = w.margin();
  multilevel_sizes sizes(w, strict_);
  const multilevel_split split = choose(w, sizes);
  sizes.set_levels(split);
  make_levels(w, sizes, split);
  if (!place_in_table(w, sizes)) place_in_lines(w, sizes);
  split_tasks();
}

template <int D, shape S>
multilevel_split multilevel<D, S>::choose(const world& w, const multilevel_sizes& sizes) {
  int levels = 1;
  const std::string overhead(asked_.parameter_value("overhead").value_or(default_overhead));
  std::string reason = "there are no bodies to choose levels for";
  if (const auto asked = asked_.parameter_value("levels")) {
    double number = 1;
    (void)parse_number(*asked, number);
    levels = static_cast<int>(number);
    reason = "as many levels as asked for";
  } else if (w.size() > 0) {
    double k = 0;
    (void)parse_number(overhead, k);
    levels = best_levels(sizes.classes(), k, strict_ ? most_levels : most_levels_chosen);
    reason = "least work, N L (m + K), by Ogarko and Luding's model";
  }
  multilevel_split split = split_evenly(sizes.classes(), levels);
  if (strict_) divide_further(sizes.classes(), static_cast<std::size_t>(levels), split);
  if (w.size() > 0) {
    reason += ": " + number_text(std::round(split.per_cell * 100) / 100) + " bodies per cell";
    if (split.ends.size() < static_cast<std::size_t>(levels)) {
      reason += "; " + std::to_string(split.ends.size()) + " levels are in use";
    }
  }
  planned_ = asked_;
  planned_.set("levels", std::to_string(levels));
  planned_.set("direction", up_ ? "up" : "down");
  planned_.set("overhead", overhead);
  planned_.set("cells", strict_ ? "strict" : "adapted");
  planned_.because(reason);
  return split;
}

template <int D, shape S>
void multilevel<D, S>::make_levels(const world& w, const multilevel_sizes& sizes, const multilevel_split& split) {
  levels_.resize(split.ends.size());
  std::size_t from = 0;
  std::size_t first = 0;
  for (std::size_t h = 0; h < levels_.size(); ++h) {
    grid& l = levels_[h];
    double count = 0;
    for (; from < split.ends[h]; ++from) count += sizes.classes()[from].count;
    const double largest = sizes.classes()[from - 1].size;
    l.first = first;
    l.count = static_cast<std::size_t>(count);
    first += l.count;
    // Cells that are almost empty only cost time: if bodies are few and far between, cells are made larger.
    l.size = strict_ ? largest : std::max(largest, sizes.edge_for(count, least_per_cell));
    // Half of the largest size, margin included, is not part of the interval that the sphere's partner takes itself.
    for (int k = 0; k < D; ++k) l.below[k] = l.above[k] = widened(0, largest / 2).max;
  }
  if constexpr (S == shape::box) measure_reach(w, sizes);
}

// A box is found by its lower corner, and may be narrower on one axis than on another.
template <int D, shape S>
void multilevel<D, S>::measure_reach(const world& w, const multilevel_sizes& sizes) {
  struct widths {
    double of[D] = {};
  };
  const std::size_t count = levels_.size();
  std::vector<widths> parts((w.size() + block - 1) / block * count);
  parallel_blocks(w.threads(), w.size(), block, [&](std::size_t b, std::size_t from, std::size_t to) {
    std::uint8_t level_of[block];
    sizes.read_levels(w, from, to, level_of);
    for (std::size_t i = from; i < to; ++i) {
      widths& widest = parts[b * count + level_of[i - from]];
      for (int k = 0; k < D; ++k) widest.of[k] = std::max(widest.of[k], w.at(D + k)[i] - w.at(k)[i]);
    }
  });
  for (std::size_t h = 0; h < count; ++h) {
    for (int k = 0; k < D; ++k) {
      double widest = 0;
      for (std::size_t p = h; p < parts.size(); p += count) widest = std::max(widest, parts[p].of[k]);
      levels_[h].below[k] = widened(0, widest + margin_ / 2).max;
      levels_[h].above[k] = widened(0, margin_ / 2).max;
    }
  }
}

// Puts all levels' cells into one table, in which a body's place follows from counting; returns false if there are too
// many cells.
template <int D, shape S>
bool multilevel<D, S>::place_in_table(const world& w, const multilevel_sizes& sizes) {
  std::vector<std::uint32_t> base(levels_.size());
  std::uint64_t cells = 0;
  for (std::size_t h = 0; h < levels_.size(); ++h) {
    grid& l = levels_[h];
    l.cells = cell_lines<D>();
    const std::size_t spare = w.size() / levels_.size();
    const std::uint64_t own =
        l.lay_out(w.measured(), 4.0 * static_cast<double>(l.count) + static_cast<double>(spare) + 64, !strict_);
    base[h] = static_cast<std::uint32_t>(cells);
    cells += own;
    if (own == 0 || cells > 0xffff'fffeU) return false;
  }
  std::vector<std::uint32_t> cell_of(w.size());
  parallel_blocks(w.threads(), w.size(), block, [&](std::size_t, std::size_t from, std::size_t to) {
    std::uint8_t level_of[block];
    double at[D][block];
    sizes.read_levels(w, from, to, level_of);
    for (int k = 0; k < D; ++k) w.at(k).read(from, to - from, at[k]);
    for (std::size_t i = 0; i < to - from; ++i) {
      const grid& l = levels_[level_of[i]];
      cell c;
      for (int k = 0; k < D; ++k) c[k] = l.cells.axis[k].index(at[k][i]);
      cell_of[from + i] = base[level_of[i]] + l.number_of(c);
    }
  });
  places_.place(cell_of, static_cast<std::uint32_t>(std::max<std::uint64_t>(cells, 1)), w.threads());
  for (std::size_t h = 0; h < levels_.size(); ++h) levels_[h].starts = places_.starts() + base[h];
  volumes_.fill(w, places_.order());
  return true;
}

// Sorts every level by itself, into lines of cells that are found by search.
template <int D, shape S>
void multilevel<D, S>::place_in_lines(const world& w, const multilevel_sizes& sizes) {
  std::vector<std::uint32_t> level_of(w.size());
  parallel_blocks(w.threads(), w.size(), block, [&](std::size_t, std::size_t from, std::size_t to) {
    std::uint8_t level[block];
    sizes.read_levels(w, from, to, level);
    std::copy(level, level + (to - from), level_of.begin() + static_cast<std::ptrdiff_t>(from));
  });
  places_.place(level_of, static_cast<std::uint32_t>(levels_.size()), w.threads());
  const measures& m = w.measured();
  std::vector<row> order(w.size());
  for (grid& l : levels_) {
    const row* const rows = places_.order().data() + l.first;
    for (int k = 0; k < D; ++k) {
      l.cells.axis[k] = axis_cells(m.lower[k], m.upper[k], l.size, [&] {
        std::vector<interval> all(l.count);
        for (std::size_t i = 0; i < l.count; ++i) all[i].min = all[i].max = w.at(k)[rows[i]];
        return all;
      });
    }
    l.starts = nullptr;
    l.cells.place(l.count, w.threads(), [&](std::size_t i, cell& c) {
      for (int k = 0; k < D; ++k) c[k] = l.cells.axis[k].index(w.at(k)[rows[i]]);
    });
    for (std::size_t i = 0; i < l.count; ++i) order[l.first + i] = rows[l.cells.order()[i]];
  }
  volumes_.fill(w, order);
}

// With `down`, the fewer bodies a level has, the more work each of them has.
template <int D, shape S>
void multilevel<D, S>::split_tasks() {
  tasks_.clear();
  for (std::uint32_t h = 0; h < levels_.size(); ++h) {
    const std::size_t end = levels_[h].first + levels_[h].count;
    const std::size_t each = up_ ? things_per_task : std::max<std::size_t>(1, things_per_task * levels_[h].count / end);
    for (std::size_t from = levels_[h].first; from < end; from += each) {
      tasks_.push_back({h, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(std::min(end, from + each))});
    }
  }
}

// The search of one body: lists the places of bodies that it may overlap, then tests them. Most stretches hold two
// bodies or fewer. Listing needs no unpredictable branch; testing at once would need one for each stretch.
template <int D, shape S>
class multilevel<D, S>::meeting {
 public:
  meeting(const packed_volumes<D, S>& volumes, double margin, pair_batch& out)
      : volumes_(volumes), margin_(margin), out_(out) {
    for (int c = 0; c < packed_volumes<D, S>::columns; ++c) at_.columns[c] = volumes.column(c);
  }

  void begin(std::size_t p) {
    p_ = p;
    v_ = at_.get(p);
  }
  [[nodiscard]] const volume<D, S>& body() const { return v_; }

  void list(std::size_t from, std::size_t to) {
    const std::size_t count = to - from;
    if (count > few) return test_stretch(from, to);
    for (std::size_t k = 0; k < few; ++k) listed_[size_ + k] = static_cast<std::uint32_t>(from + k);
    size_ += count;
    if (size_ > most) test();
  }

  void test() {
    std::size_t hits = 0;
    for (std::size_t k = 0; k < size_; ++k) {
      const std::uint32_t q = listed_[k];
      listed_[hits] = q;
      hits += overlap(v_, at_.get(q), margin_) ? 1 : 0;
    }
    tests_ += size_;
    size_ = 0;
    for (std::size_t k = 0; k < hits; ++k) found(listed_[k]);
  }

  [[nodiscard]] std::uint64_t tests() const { return tests_; }

 private:
  struct view {
    const double* columns[packed_volumes<D, S>::columns];

    [[nodiscard]] volume<D, S> get(std::size_t q) const {
      return volume_of<D, S>([&](int c) { return columns[c][q]; });
    }
  };

  static constexpr std::size_t few = 8;
  static constexpr std::size_t most = 256;
  static constexpr std::size_t block_of_tests = 64;

  // The bodies of one stretch are contiguous, which suits vector instructions.
  void test_stretch(std::size_t from, std::size_t to) {
    const view at = at_;  // a local copy, which nothing written here can change
    const volume<D, S> v = v_;
    const double margin = margin_;
    tests_ += to - from;
    for (; from < to; from += block_of_tests) {
      const std::size_t count = std::min(block_of_tests, to - from);
      std::uint64_t touch[block_of_tests];
      std::uint64_t any = 0;
      for (std::size_t k = 0; k < count; ++k) any |= touch[k] = overlap(v, at.get(from + k), margin) ? 1 : 0;
      for (std::size_t k = 0; any != 0 && k < count; ++k) {
        if (touch[k] != 0) found(from + k);
      }
    }
  }
  void found(std::size_t q) { out_.add(volumes_.row_of(p_), volumes_.row_of(q)); }

  const packed_volumes<D, S>& volumes_;
  double margin_;
  pair_batch& out_;
  view at_{};
  volume<D, S> v_{};
  std::size_t p_ = 0;
  std::size_t size_ = 0;
  std::uint64_t tests_ = 0;
  std::uint32_t listed_[most + few];
};

template <int D, shape S>
void multilevel<D, S>::find(std::size_t task, pair_batch& out) const {
  const task_part& part = tasks_[task];
  const grid& own = levels_[part.level];
  const std::size_t lowest = up_ ? part.level + 1 : 0;
  const std::size_t highest = up_ ? levels_.size() : part.level;
  std::size_t hints[most_levels] = {};
  double cells = 0;
  const auto count_cells = [&](const cell& from, const cell& to) {
    if (strict_) cells += grid::cells_in(from, to);
  };
  meeting here(volumes_, margin_, out);
  const auto list = [&](std::size_t from, std::size_t to) { here.list(from, to); };
  for (std::size_t p = part.from; p < part.to; ++p) {
    here.begin(p);
    const volume<D, S>& v = here.body();
    interval takes[D];
    take(v, takes);
    cell lo;
    cell hi;
    own.window(takes, lo, hi);
    // On its own level, a body searches what comes after it: the rest of its line, the later lines, then the later
    // layers.
    const auto list_after = [&](std::size_t from, std::size_t to) { here.list(std::max(from, p + 1), to); };
    const std::uint32_t y_from = lo[1];
    lo[1] = own.cells.axis[1].index(anchor(v, 1));
    if constexpr (D == 3) {
      const std::uint32_t z_to = hi[2];
      lo[2] = hi[2] = own.cells.axis[2].index(anchor(v, 2));
      count_cells(lo, hi);
      own.for_each_stretch(lo, hi, hints[part.level], list_after);
      lo[1] = y_from;
      ++lo[2];
      hi[2] = z_to;
      count_cells(lo, hi);
      own.for_each_stretch(lo, hi, hints[part.level], list);
    } else {
      count_cells(lo, hi);
      own.for_each_stretch(lo, hi, hints[part.level], list_after);
    }
    for (std::size_t h = lowest; h < highest; ++h) {
      levels_[h].window(takes, lo, hi);
      count_cells(lo, hi);
      levels_[h].for_each_stretch(lo, hi, hints[h], list);
    }
    here.test();
  }
  out.count.tests += here.tests();
  out.count.candidates += here.tests();
  out.count.named[0] += (highest - lowest + 1) * std::uint64_t{part.to - part.from};
  out.count.named[1] += count_of(cells);
}

template <int D, shape S>
void multilevel<D, S>::find_in(const query& q, row_batch& out) const {
  interval takes[D];
  for (int k = 0; k < D; ++k) takes[k] = widened(q.bounds(k).min, q.bounds(k).max);
  std::uint64_t tests = 0;
  for (const grid& l : levels_) {
    cell lo;
    cell hi;
    l.window(takes, lo, hi);
    std::size_t hint = 0;
    l.for_each_stretch(lo, hi, hint, [&](std::size_t from, std::size_t to) {
      for (std::size_t p = from; p < to; ++p) {
        if (q.touches(volumes_.get(p))) out.add(volumes_.row_of(p));
      }
      tests += to - from;
    });
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
std::size_t multilevel<D, S>::bytes() const {
  std::size_t sum = places_.bytes() + volumes_.bytes() + bytes_of(tasks_) + bytes_of(levels_);
  for (const grid& l : levels_) sum += l.cells.bytes();
  return sum;
}

constexpr parameter_info multilevel_parameters[] = {
    {.name = "levels",
     .range = "integer 1 to 250",
     .default_value = "least N L (m + K)",
     .summary = "the number of grids, one for each range of sizes"},
    {.name = "direction",
     .range = "down | up",
     .default_value = "down",
     .summary = "a body searches the levels of smaller bodies, or those of larger ones"},
    {.name = "overhead",
     .range = ">= 0",
     .default_value = default_overhead,
     .summary = "K: the cost of visiting a cell, in units of that of a body in it (the paper: 0.2)"},
    {.name = "cells",
     .range = "adapted | strict",
     .default_value = "adapted",
     .summary = "cells that may be larger than their level's bodies where that saves time, or as in the paper"},
};

// ---- cost

constexpr cost search_cost{"levels.search", 3600};
constexpr cost body_cost{"levels.body", 95};
constexpr cost far_cost{"levels.far", 8.2};
constexpr cost visit_cost{"levels.visit", 8};
constexpr cost test_cost{"levels.test", 2};

constexpr const cost_model& model = level_model<search_cost, body_cost, far_cost, visit_cost, test_cost>::model;

}  // namespace

extern const method_entry multilevel_entry;
const method_entry multilevel_entry{
    {.name = "multilevel",
     .document = "Ogarko and Luding 2011",
     .summary = "a grid of cells for every range of sizes, each searched from the others",
     .suits = "sizes over decades, many of each; a few giants among specks",
     .cost = "N L (m + K)",
     .quadratic = false,
     .parameters = multilevel_parameters},
    false,
    make_method<multilevel>,
    &model};

}  // namespace abut
