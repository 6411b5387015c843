// Neighboring cell (DEM lecture 11): a grid of cells; a body meets the bodies of its own and the neighboring cells.
//
// Idea: `store=center` puts a body into the cell of its center and searches the cells in which its partners' centers
// can be (Mio's model); `store=cover` puts it into every cell that it touches and compares bodies that share a cell.
// Any cell size works, even one smaller than a body. Cells are sorted lists, not an array of space, so that empty cells
// cost nothing.
// Cost: linear in N for bodies of similar size; 64 bytes per sphere (center), 55 to 140 (cover).
// Wins: as the workhorse, for bodies of similar size in any arrangement; with cover, also if a few bodies are much
// larger.
// Loses: if sizes spread over decades, since no single cell size suits them all (multilevel), and if little moves
// (nearest-neighbor). With one giant, center compares nearly all bodies with all others.

#include <string>

#include "base/count.hpp"
#include "base/power.hpp"
#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"
#include "steps/cell_lines.hpp"
#include "steps/cell_size.hpp"
#include "steps/cover.hpp"
#include "steps/show_cells.hpp"

namespace abut {

namespace {

template <int D, shape S>
class neighboring_cell final : public method {
 public:
  explicit neighboring_cell(const plan& asked) : asked_(asked), planned_(asked) {}

  void update(const world& w, row_map) override {
    const cell_choice choice = choose(w);
    cell_lines<D> placed;
    if (w.size() > 0) make_axes(w, choice.store, choice.size, placed.axis);
    commit(w, choice, placed.axis);
    place_bodies(w);
    if (store_ == cell_store::cover) place_entries(w.threads());
  }

  [[nodiscard]] std::size_t tasks() const override { return (cells_.size() + things_per_task - 1) / things_per_task; }

  void find(std::size_t task, pair_batch& out) const override {
    if (store_ == cell_store::center) {
      find_by_center(task, out);
    } else {
      find_by_cover(task, out);
    }
  }

  void find_in(const query& q, row_batch& out) const override;
  void show(sketcher& out) const override;

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override { return {{"entries", cells_.size()}}; }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return counted_names; }
  void release_scratch() override { cells_.release_scratch(); }
  [[nodiscard]] std::size_t bytes() const override {
    return cells_.bytes() + volumes_.bytes() + bytes_of(covering_) + bytes_of(lowest_);
  }

 private:
  using cell = typename cell_lines<D>::cell;
  static constexpr std::size_t things_per_task = 2048;
  static constexpr std::string_view counted_names[] = {"cells visited"};
  static constexpr std::uint8_t all_axes = (1U << D) - 1;

  // How far below the lower end, and above the upper end, of a volume the anchors of bodies that overlap it can be.
  static double below(const world& w, int k) {
    return S == shape::sphere ? w.measured().widest[k] / 2 : w.measured().widest[k];
  }
  static double above(const world& w, int k) { return S == shape::sphere ? w.measured().widest[k] / 2 : 0; }

  cell_choice choose(const world& w);
  static void make_axes(const world& w, cell_store store, double size, axis_cells* axes);
  static cell_choice keep_within_memory(const world& w, const cell_model& model, cell_choice c, bool users_own);
  void commit(const world& w, const cell_choice& c, axis_cells* axes);
  void place_bodies(const world& w);
  void place_entries(int threads);
  void find_by_center(std::size_t task, pair_batch& out) const;
  void find_by_cover(std::size_t task, pair_batch& out) const;

  [[nodiscard]] cell_window window_of(std::size_t place) const;
  struct part;
  void look_around(part& here) const;
  void search_part(part& here, pair_batch& out) const;

  plan asked_;
  plan planned_;
  std::string reason_;
  cell_store store_ = cell_store::center;
  double margin_ = 0;
  double below_[D] = {};
  double above_[D] = {};
  cell_lines<D> cells_;
  packed_volumes<D, S> volumes_;         // in the order of the cells of their anchors (center) or lower ends (cover)
  std::vector<std::uint32_t> covering_;  // cover: for each entry, in the order of cells, the place of its volume
  std::vector<std::uint8_t> lowest_;     // cover: a bit for each axis on which the cell is the lowest of its body
};

// The user's parameters; those left open come from the model. Throws before anything has changed.
template <int D, shape S>
cell_choice neighboring_cell<D, S>::choose(const world& w) {
  const auto store = asked_.parameter_value("store");
  const auto size = asked_.parameter_value("cell");
  cell_choice c;
  if (store) c.store = *store == "cover" ? cell_store::cover : cell_store::center;
  if (size) (void)parse_number(*size, c.size);
  if (w.size() == 0 || (size && store && c.store == cell_store::center)) {
    reason_ = w.size() == 0 ? "there are no bodies to choose cells for" : "as asked for";
    return c;
  }
  const cell_model model(w);
  if (size && !store) {
    // The better way of storing for this size, unless it would take too much memory.
    const cell_choice cover = model.expect(cell_store::cover, c.size);
    c = model.expect(cell_store::center, c.size);
    const cover_entries covering(w, model.widths(), all_axes);
    if (cover.load < c.load && covering.count(c.size) <= covering.allowed()) c = cover;
  } else if (size) {
    c = model.expect(c.store, c.size);
  } else {
    c = store ? model.best(c.store) : model.best();
  }
  reason_ = size ? "with the cell size asked for" : "least load by Mio's model";
  const double chosen = c.size;
  if (c.store == cell_store::cover) c = keep_within_memory(w, model, c, size.has_value());
  reason_ += c.store == cell_store::center
                 ? ": about " + tenths(c.visits) + " lines of cells and " + tenths(c.tests) + " tests per body"
                 : ": about " + tenths(c.visits) + " cells and " + tenths(c.tests) + " meetings per body";
  if (c.size > chosen) reason_ += cover_entries::raised("cell", chosen);
  return c;
}

template <int D, shape S>
void neighboring_cell<D, S>::make_axes(const world& w, cell_store store, double size, axis_cells* axes) {
  for (int k = 0; k < D; ++k) {
    if (store == cell_store::cover) {
      axes[k] = covered_axis(w, k, size);
      continue;
    }
    axes[k] = axis_cells(w.measured().lower[k], w.measured().upper[k], size, [&] {
      std::vector<interval> all(w.size());
      for (row i = 0; i < w.size(); ++i) all[i].min = all[i].max = anchor(w.get<D, S>(i), k);
      return all;
    });
  }
}

template <int D, shape S>
cell_choice neighboring_cell<D, S>::keep_within_memory(const world& w, const cell_model& model, cell_choice c,
                                                       bool users_own) {
  const cover_entries covering(w, model.widths(), all_axes);
  const double entries = covering.count(c.size);
  if (entries <= covering.allowed()) return c;
  if (users_own) covering.refuse("neighboring-cell's cell with store=cover", c.size, entries);
  return model.expect(c.store, covering.smallest_above(c.size));
}

template <int D, shape S>
void neighboring_cell<D, S>::commit(const world& w, const cell_choice& c, axis_cells* axes) {
  store_ = c.store;
  margin_ = w.margin();
  for (int k = 0; k < D; ++k) {
    below_[k] = below(w, k);
    above_[k] = above(w, k);
    cells_.axis[k] = std::move(axes[k]);
  }
  planned_ = asked_;
  planned_.set("store", c.store == cell_store::cover ? "cover" : "center");
  planned_.set("cell", number_text(c.size));
  planned_.because(reason_);
}

template <int D, shape S>
void neighboring_cell<D, S>::place_bodies(const world& w) {
  cells_.place(w.size(), w.threads(), [&](std::size_t i, cell& c) {
    const volume<D, S> v = w.get<D, S>(static_cast<row>(i));
    for (int k = 0; k < D; ++k) {
      c[k] = cells_.axis[k].index(store_ == cell_store::center ? anchor(v, k) : taken(v, k, margin_).min);
    }
  });
  volumes_.fill(w, cells_.order());
}

// Makes one entry for each cell of each body. Bodies are taken in the order of their lowest cells, so that bodies that
// meet in a cell are near each other in memory too.
template <int D, shape S>
void neighboring_cell<D, S>::place_entries(int threads) {
  const std::size_t n = volumes_.size();
  const auto range = [&](std::size_t p, cell& lo, cell& hi) {
    const volume<D, S> v = volumes_.get(p);
    for (int k = 0; k < D; ++k) {
      const interval t = taken(v, k, margin_);
      lo[k] = cells_.axis[k].index(t.min);
      hi[k] = cells_.axis[k].index(t.max);
    }
  };
  std::vector<std::uint32_t> body;
  std::vector<std::uint32_t> first(n + 1, 0);
  for (std::size_t p = 0; p < n; ++p) {
    cell lo;
    cell hi;
    range(p, lo, hi);
    std::uint32_t count = 1;
    for (int k = 0; k < D; ++k) count *= hi[k] - lo[k] + 1;
    first[p + 1] = first[p] + count;
    body.insert(body.end(), count, static_cast<std::uint32_t>(p));
  }
  cells_.place(body.size(), threads, [&](std::size_t e, cell& c) {
    cell lo;
    cell hi;
    range(body[e], lo, hi);
    auto rest = static_cast<std::uint32_t>(e) - first[body[e]];
    for (int k = 0; k < D; ++k) {
      const std::uint32_t width = hi[k] - lo[k] + 1;
      c[k] = lo[k] + rest % width;
      rest /= width;
    }
  });
  covering_.resize(body.size());
  lowest_.resize(body.size());
  const std::vector<row>& order = cells_.order();
  parallel_blocks(threads, body.size(), 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    std::size_t r = cells_.line_of(from);
    for (std::size_t e = from; e < to; ++e) {
      while (e >= cells_.end(r)) ++r;
      covering_[e] = body[order[e]];
      cell lo;
      cell hi;
      range(covering_[e], lo, hi);
      lowest_[e] = static_cast<std::uint8_t>((cells_.x()[e] == lo[0] ? 1 : 0) | (cells_.y(r) == lo[1] ? 2 : 0) |
                                             (D == 3 && cells_.z(r) == lo[D - 1] ? 4 : 0));
    }
  });
  cells_.release_scratch();
}

// A part of one line of cells while it is searched: its bodies' windows, and the neighboring lines.
template <int D, shape S>
struct neighboring_cell<D, S>::part {
  // The cells in which the anchors of a body's partners can be; only those after the body are searched.
  struct window {
    std::uint32_t x_from, x_to, y_from, y_to, z_to;

    // How many cells there are from x in the middle line on: the rest of it, the later lines, then the later layers.
    [[nodiscard]] double cells(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
      const double per_line = x_to - x_from + 1.0;
      return (x_to - x + 1.0) + per_line * ((y_to - y) + (z_to - z) * (y_to - y_from + 1.0));
    }
  };
  // A neighboring line, and the place where the last body's window began: the next one's is near.
  struct strip {
    std::uint32_t begin, end, at, y, z;
  };
  std::size_t r = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t hint = 0;
  std::vector<window> windows;
  std::vector<strip> strips;
  double cells = 0;  // in the windows so far
};

template <int D, shape S>
void neighboring_cell<D, S>::find_by_center(std::size_t task, pair_batch& out) const {
  part here;
  here.from = task * things_per_task;
  const std::size_t end = std::min(cells_.size(), here.from + things_per_task);
  for (here.r = cells_.line_of(here.from); here.from < end; ++here.r) {
    here.to = std::min<std::size_t>(end, cells_.end(here.r));
    search_part(here, out);
    here.from = here.to;
  }
  out.count.named[0] += count_of(here.cells);
}

// Sets the windows of the part's bodies and the strips that any of them meets.
template <int D, shape S>
void neighboring_cell<D, S>::look_around(part& here) const {
  const std::uint32_t y = cells_.y(here.r);
  const std::uint32_t z = D == 3 ? cells_.z(here.r) : 0;
  interval_of_cells y_range{y, y};
  std::uint32_t z_to = z;
  here.windows.clear();
  for (std::size_t p = here.from; p < here.to; ++p) {
    const volume<D, S> v = volumes_.get(p);
    typename part::window w{};
    for (int k = 0; k < D; ++k) {
      const interval reach = widened(v.lower(k) - (below_[k] + margin_), v.upper(k) + (above_[k] + margin_));
      const std::uint32_t from = cells_.axis[k].index(reach.min);
      const std::uint32_t to = cells_.axis[k].index(reach.max);
      if (k == 0) w.x_from = from, w.x_to = to;
      if (k == 1) w.y_from = from, w.y_to = to;
      if (k == 2) w.z_to = to;
    }
    y_range = {std::min(y_range.from, w.y_from), std::max(y_range.to, w.y_to)};
    z_to = std::max(z_to, w.z_to);
    here.cells += w.cells(cells_.x()[p], y, z);
    here.windows.push_back(w);
  }
  here.strips.clear();
  const auto add_strip = [&](std::size_t r) {
    here.strips.push_back({cells_.begin(r), cells_.end(r), cells_.begin(r), cells_.y(r), D == 3 ? cells_.z(r) : 0});
  };
  for (std::size_t r = here.r + 1; r < cells_.lines() && cells_.z(r) == z && cells_.y(r) <= y_range.to; ++r)
    add_strip(r);
  if (z_to > z) {
    cells_.for_each_line(y_range, {z + 1, z_to}, here.hint, add_strip);
  }
}

template <int D, shape S>
void neighboring_cell<D, S>::search_part(part& here, pair_batch& out) const {
  look_around(here);
  const std::uint32_t* const x = cells_.x();
  const std::uint32_t line_end = cells_.end(here.r);
  std::uint64_t tests = 0;
  for (std::size_t p = here.from; p < here.to; ++p) {
    const volume<D, S> v = volumes_.get(p);
    const auto w = here.windows[p - here.from];
    const row i = volumes_.row_of(p);
    const auto meet = [&](std::size_t q) {
      ++tests;
      if (overlap(v, volumes_.get(q), margin_)) out.add(i, volumes_.row_of(q));
    };
    for (std::size_t q = p + 1; q < line_end && x[q] <= w.x_to; ++q) meet(q);
    for (typename part::strip& s : here.strips) {
      if (s.y < w.y_from || s.y > w.y_to || s.z > w.z_to) continue;
      while (s.at > s.begin && x[s.at - 1] >= w.x_from) --s.at;
      while (s.at < s.end && x[s.at] < w.x_from) ++s.at;
      for (std::size_t q = s.at; q < s.end && x[q] <= w.x_to; ++q) meet(q);
    }
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

// A pair is met in every cell that both bodies touch, and reported in the lowest of them: on each axis, that is the
// lowest cell of one of the two.
template <int D, shape S>
void neighboring_cell<D, S>::find_by_cover(std::size_t task, pair_batch& out) const {
  const std::size_t from = task * things_per_task;
  const std::size_t end = std::min(cells_.size(), from + things_per_task);
  std::uint64_t tests = 0;
  cells_.for_each_cell(from, end, [&](std::size_t, std::size_t first, std::size_t last) {
    ++out.count.named[0];
    for (std::size_t a = first; a < last; ++a) {
      const std::uint32_t p = covering_[a];
      const volume<D, S> v = volumes_.get(p);
      for (std::size_t b = a + 1; b < last; ++b) {
        const std::uint32_t q = covering_[b];
        if ((lowest_[a] | lowest_[b]) != all_axes) continue;
        ++tests;
        if (overlap(v, volumes_.get(q), margin_)) out.add(volumes_.row_of(p), volumes_.row_of(q));
      }
    }
  });
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
void neighboring_cell<D, S>::find_in(const query& q, row_batch& out) const {
  if (volumes_.size() == 0) return;
  cell lo;
  cell hi;
  for (int k = 0; k < D; ++k) {
    const interval b = q.bounds(k);
    // With store=cover, bodies were placed with half the margin around them. Here that is only additional room.
    const interval reach =
        store_ == cell_store::center ? widened(b.min - below_[k], b.max + above_[k]) : widened(b.min, b.max);
    lo[k] = cells_.axis[k].index(reach.min);
    hi[k] = cells_.axis[k].index(reach.max);
  }
  std::uint64_t tests = 0;
  cells_.for_each_line_in(lo, hi, [&](std::size_t r, std::size_t from, std::size_t to) {
    for (std::size_t e = from; e < to; ++e) {
      std::size_t p = e;
      if (store_ == cell_store::cover) {
        // Reported in the lowest cell that the body shares with the region.
        const unsigned lowest = lowest_[e] | (cells_.x()[e] == lo[0] ? 1U : 0U) | (cells_.y(r) == lo[1] ? 2U : 0U) |
                                (D == 3 && cells_.z(r) == lo[D - 1] ? 4U : 0U);
        if (lowest != all_axes) continue;
        p = covering_[e];
      }
      ++tests;
      if (q.touches(volumes_.get(p))) out.add(volumes_.row_of(p));
    }
  });
  out.count.tests += tests;
  out.count.candidates += tests;
}

// The cells in which a body's partners can be or, with store=cover, those that it is stored in.
template <int D, shape S>
cell_window neighboring_cell<D, S>::window_of(std::size_t place) const {
  const volume<D, S> v = volumes_.get(place);
  cell_window w;
  for (int k = 0; k < D; ++k) {
    const interval reach = store_ == cell_store::cover
                               ? taken(v, k, margin_)
                               : widened(v.lower(k) - (below_[k] + margin_), v.upper(k) + (above_[k] + margin_));
    w.lo[static_cast<std::size_t>(k)] = cells_.axis[k].index(reach.min);
    w.hi[static_cast<std::size_t>(k)] = cells_.axis[k].index(reach.max);
  }
  return w;
}

template <int D, shape S>
void neighboring_cell<D, S>::show(sketcher& out) const {
  const bool cover = store_ == cell_store::cover;
  const std::uint32_t kind =
      cover ? out.kind("cell", "holds the bodies that touch it", sketch::holding::parts)
            : out.kind("cell", "holds the bodies that are centered in it", sketch::holding::anchors);
  const auto place = [&](std::size_t e) { return cover ? covering_[e] : e; };
  const std::size_t own = volumes_.place_of(out.chosen());
  cell_window window;
  if (out.any_chosen()) {
    window = window_of(own);
    const std::uint32_t around =
        out.kind("window", cover ? "the cells that the body touches"
                                 : "where the body's partners can be; cells before its own are left to them");
    out.box(around, 0, sides_of(out, axes_of(cells_), window.lo, window.hi), true);
  }
  // As `find` does it: a body is compared with those after it, in the same cell or in its window.
  const auto searched = [&](const cell_at& c, std::size_t first, std::size_t last) {
    if (!out.any_chosen() || !window.holds(c)) return false;
    std::size_t mine = own;
    for (std::size_t e = first; cover && e < last; ++e) mine = covering_[e] == own ? e : mine;
    for (std::size_t e = std::max(first, mine + 1); e < last; ++e) {
      if (cover && (lowest_[mine] | lowest_[e]) != all_axes) continue;
      out.compared(volumes_.row_of(place(e)));
    }
    return last > mine;
  };
  show_cells<D>(
      out, kind, 0, cells_, [&](std::size_t e) { return volumes_.row_of(place(e)); }, searched);
}

constexpr parameter_info neighboring_cell_parameters[] = {
    {.name = "store",
     .range = "center | cover",
     .default_value = "the one with less load",
     .summary = "a body in the cell of its center, or in every cell that it touches"},
    {.name = "cell",
     .range = "> 0",
     .default_value = "least load by Mio's model",
     .summary = "edge of a cell, in the unit of the coordinates"},
};

// ---- cost

constexpr cost search_cost{"cells.search", 4600};
constexpr cost body_cost{"cells.body", 92};
constexpr cost far_cost{"cells.far", 19};
constexpr cost line_cost{"cells.line", 4.4};
constexpr cost test_cost{"cells.test", 4.8};
constexpr cost entry_cost{"cells.entry", 30};
constexpr cost meeting_cost{"cells.meeting", 3};
constexpr const cost* costs[] = {&search_cost, &body_cost,  &far_cost,    &line_cost,
                                 &test_cost,   &entry_cost, &meeting_cost};

// Mio's load (DEM lecture 11) as in steps/cell_size.hpp, from features alone: n_S = 1 + 2 R / c cells along an axis.
struct cell_load {
  double lines = 0;
  double tests = 0;
  double entries = 0;
  double meetings = 0;
  double load = std::numeric_limits<double>::infinity();
};

double entries_of(const features& f, double cell) {
  double sum = 0;
  for (const auto& r : f.sizes) sum += r.share * power(1 + typical(f, r) / cell, f.dimension);
  return sum;
}

cell_load least_load(const features& f) {
  const double reach = (f.mean + f.widest) / 2;
  cell_load best;
  // NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter): it grows by factors
  for (double cell = f.mean / 4; cell < 16 * f.widest; cell *= 1.5) {
    cell_load center;
    const double cells = 1 + 2 * reach / cell;
    center.lines = std::min(0.5 * power(cells, f.dimension) / cells, f.count);
    center.tests = f.others(cell + 2 * reach) / 2;
    center.load = cell_model::load_of_line * center.lines + center.tests;
    if (center.load < best.load) best = center;
    cell_load cover;
    cover.entries = entries_of(f, cell);
    if (!(cover.entries <= body_widths::entries_aimed_at)) continue;
    cover.meetings = cover.entries * std::min(f.others(cell) * cover.entries, f.count) / 2;
    cover.load = cell_model::load_of_entry * cover.entries + cover.meetings;
    if (cover.load < best.load) best = cover;
  }
  return best;
}

work work_of(const features& f) {
  const cell_load l = least_load(f);
  return {{&search_cost, per_search(f)}, {&body_cost, 1},          {&far_cost, far_memory(f)}, {&line_cost, l.lines},
          {&test_cost, l.tests},         {&entry_cost, l.entries}, {&meeting_cost, l.meetings}};
}
std::string why(const features&) { return "cells of one size are enough"; }

constexpr cost_model model{costs, work_of, why};

}  // namespace

extern const method_entry neighboring_cell_entry;
const method_entry neighboring_cell_entry{
    {.name = "neighboring-cell",
     .document = "DEM lecture 11",
     .summary = "sorts bodies into a grid of cells and compares those of neighboring cells",
     .suits = "the workhorse: bodies of similar size, in any arrangement; with store=cover also a few large ones",
     .cost = "N",
     .quadratic = false,
     .parameters = neighboring_cell_parameters},
    false,
    make_method<neighboring_cell>,
    &model};

}  // namespace abut
