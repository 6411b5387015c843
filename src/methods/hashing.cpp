// Hashing (Perkins 1999, 4.2; related to NBS by Munjiza and Andrews): one grid, of which two lines of cells are held at
// a time.
//
// Idea: cells are as large as the largest body, so that partners lie in the same or in adjacent cells. Bodies are
// sorted only by line of cells. Then, line by line, the bodies of a line go into the linked lists X1, one for each
// cell, and meet the bodies of their own cell, the cell before it, and the three nearest cells of X2, the line before.
// In 3D there are four X2: the line before, and the three nearest lines of the layer before.
// Cost: linear in N with `clear=touched` (Hashing2). `clear=all` (Hashing) clears whole arrays for each line, which
// adds N sqrt(N) in 2D and N^(5/3) in 3D. 64 bytes per sphere, and 8 for each body of the two (in 3D five) lines at
// work.
// Wins: with many bodies of one size: it makes the fewest passes over them.
// Loses: if sizes differ, since a cell of the largest body's size holds many of the smallest; one long line is one
// task.

#include <string>
#include <utility>

#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"
#include "steps/cell_lines.hpp"
#include "steps/cell_size.hpp"
#include "steps/show_cells.hpp"
#include "steps/spanning_cell.hpp"

namespace abut {

namespace {

// The bodies of one line of cells, by cell: an array-based linked list.
struct cell_list {
  static constexpr std::size_t no_line = static_cast<std::size_t>(-1);

  struct link {
    std::uint32_t next;    // 1 + the index of the body that was put into the slot before this one, or 0
    std::uint32_t x_cell;  // the body's own cell
  };
  std::vector<std::uint32_t> heads;  // by slot: 1 + the index of the body that was put there last, or 0
  std::vector<link> links;           // by index
  std::size_t base = 0;              // the place of index 0
  std::size_t line = no_line;
};

// Where the cells' lists begin: one slot per cell along x or, if there are far more cells than bodies, hashed slots.
struct slots {
  std::size_t count = 0;
  int shift = 0;
};

template <bool Hashed>
std::size_t slot_of(std::uint32_t x_cell, const slots& in) {
  if constexpr (Hashed) {
    return (x_cell * 0x9e37'79b9U) >> in.shift;  // Fibonacci hashing
  } else {
    return x_cell + 1U;  // there is an empty slot on either side; slot 0 is the one before cell 0
  }
}

template <int D, shape S>
class hashing final : public method {
 public:
  explicit hashing(const plan& asked) : clear_all_(asked.parameter_value("clear") == "all"), plan_(asked) {
    plan_.set("clear", clear_all_ ? "all" : "touched");
  }

  void update(const world& w, row_map) override;

  [[nodiscard]] std::size_t tasks() const override { return task_lines_.size() - 1; }
  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;
  void show(sketcher& out) const override;

  [[nodiscard]] plan planned() const override { return plan_; }
  [[nodiscard]] std::vector<stats::event> events() const override { return {{"lines hashed", lines_hashed_}}; }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override {
    return {{"lines", lines_.lines()}, {"entries", volumes_.size()}};
  }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return counted_names; }
  [[nodiscard]] std::size_t bytes() const override {
    return lines_.bytes() + x_cells_.bytes() + volumes_.bytes() + bytes_of(task_lines_);
  }

 private:
  using cell = typename cell_lines<D>::cell;
  static constexpr std::size_t bodies_per_task = 2048;
  static constexpr std::string_view counted_names[] = {"cells visited", "slots cleared"};
  static constexpr std::size_t most_slots_per_body = 4;

  // The state of a task: the lists of two lines of cells and, in 3D, of three lines of the layer before.
  struct window {
    cell_list of_layer[2];  // by the line's y, modulo 2
    cell_list before[3];    // by the line's y, modulo 3
    slots in;
    std::size_t hint = 0;
    const cell_list* others[4];
    int count = 0;
  };

  // What places a body in a cell: the center of a sphere, the lower corner of a box.
  static double anchor(const world& w, row i, int k) { return w.at(k)[i]; }

  static axis_cells make_axis(const world& w, int k);
  void split_tasks();
  [[nodiscard]] bool hashed(std::size_t task) const;
  [[nodiscard]] slots slots_for(std::size_t task, bool by_hash) const;
  template <bool Hashed>
  void find_in_lines(std::size_t task, pair_batch& out) const;
  template <bool Hashed>
  const cell_list& filled(cell_list& list, std::size_t r, const slots& in, counts& count) const;
  template <bool Hashed>
  void clear(cell_list& list, const slots& in, counts& count) const;
  template <bool Hashed>
  void take_others(window& at, std::size_t r, counts& count) const;
  template <bool Hashed>
  void search_line(const window& at, const cell_list& own, pair_batch& out) const;

  bool clear_all_;
  plan plan_;
  double margin_ = 0;
  double below_[D] = {};
  double above_[D] = {};
  cell_lines<D> lines_;  // with a single cell along x, since only lines are sorted
  axis_cells x_cells_;   // the cells along x
  packed_volumes<D, S> volumes_;
  std::vector<std::uint32_t> task_lines_{0};  // the first line of each task, and the end of the last
  std::uint64_t lines_hashed_ = 0;
};

template <int D, shape S>
axis_cells hashing<D, S>::make_axis(const world& w, int k) {
  return {w.measured().lower[k], w.measured().upper[k], spanning_cell(w, k), [&] {
            std::vector<interval> all(w.size());
            for (row i = 0; i < w.size(); ++i) all[i] = {anchor(w, i, k), anchor(w, i, k)};
            return all;
          }};
}

template <int D, shape S>
void hashing<D, S>::update(const world& w, row_map) {
  margin_ = w.margin();
  x_cells_ = w.size() > 0 ? make_axis(w, 0) : axis_cells();
  for (int k = 0; k < D; ++k) {
    below_[k] = S == shape::sphere ? w.measured().widest[k] / 2 : w.measured().widest[k];
    above_[k] = S == shape::sphere ? w.measured().widest[k] / 2 : 0;
    if (k > 0) lines_.axis[k] = w.size() > 0 ? make_axis(w, k) : axis_cells();
  }
  lines_.place(w.size(), w.threads(), [&](std::size_t i, cell& c) {
    c[0] = 0;
    for (int k = 1; k < D; ++k) c[k] = lines_.axis[k].index(anchor(w, static_cast<row>(i), k));
  });
  volumes_.fill(w, lines_.order());
  split_tasks();
  plan_.because("cells of " + number_text(rounded_size(spanning_cell(w, 0))) + ", which hold the largest body; " +
                std::to_string(lines_.lines()) + " lines of them hold bodies");
}

// A task takes whole lines, until they hold enough bodies.
template <int D, shape S>
void hashing<D, S>::split_tasks() {
  task_lines_.assign(1, 0);
  for (std::size_t r = 0; r < lines_.lines(); ++r) {
    const bool full = lines_.end(r) - lines_.begin(task_lines_.back()) >= bodies_per_task;
    if (full || r + 1 == lines_.lines()) task_lines_.push_back(static_cast<std::uint32_t>(r + 1));
  }
  for (std::size_t t = 0; t < tasks(); ++t) lines_hashed_ += hashed(t) ? task_lines_[t + 1] - task_lines_[t] : 0;
}

// One slot per cell along x, but at most four for each body of the task, so that neither time nor memory depends on the
// extent of space.
template <int D, shape S>
bool hashing<D, S>::hashed(std::size_t task) const {
  const std::size_t bodies = lines_.end(task_lines_[task + 1] - 1) - lines_.begin(task_lines_[task]);
  return x_cells_.count() > most_slots_per_body * bodies;
}

template <int D, shape S>
slots hashing<D, S>::slots_for(std::size_t task, bool by_hash) const {
  if (!by_hash) return {std::size_t{x_cells_.count()} + 2, 0};
  const std::size_t bodies = lines_.end(task_lines_[task + 1] - 1) - lines_.begin(task_lines_[task]);
  const int bits = std::clamp(bits_for(2 * bodies), 1, 31);
  return {std::size_t{1} << bits, 32 - bits};
}

template <int D, shape S>
void hashing<D, S>::find(std::size_t task, pair_batch& out) const {
  if (hashed(task)) {
    find_in_lines<true>(task, out);
  } else {
    find_in_lines<false>(task, out);
  }
}

template <int D, shape S>
template <bool Hashed>
void hashing<D, S>::find_in_lines(std::size_t task, pair_batch& out) const {
  window at;
  at.in = slots_for(task, Hashed);
  at.hint = task_lines_[task];
  for (std::size_t r = task_lines_[task]; r < task_lines_[task + 1]; ++r) {
    const cell_list& own = filled<Hashed>(at.of_layer[lines_.y(r) % 2], r, at.in, out.count);
    take_others<Hashed>(at, r, out.count);
    search_line<Hashed>(at, own, out);
  }
}

// The lists that the line meets besides its own. Lists of lines before the task's first line are made again.
template <int D, shape S>
template <bool Hashed>
void hashing<D, S>::take_others(window& at, std::size_t r, counts& count) const {
  const std::uint32_t y = lines_.y(r);
  const std::uint32_t z = D == 3 ? lines_.z(r) : 0;
  at.count = 0;
  if (y > 0 && r > 0 && lines_.code_of(r - 1) == lines_.code_at(y - 1, z)) {
    at.others[at.count++] = &filled<Hashed>(at.of_layer[(y - 1) % 2], r - 1, at.in, count);
  }
  if (D == 2 || z == 0) return;
  const auto last = lines_.code_at(std::min(y + 1, lines_.axis[1].count() - 1), z - 1);
  at.hint = lines_.first_line(lines_.code_at(y > 0 ? y - 1 : 0, z - 1), at.hint);
  for (std::size_t q = at.hint; q < r && lines_.code_of(q) <= last; ++q) {
    at.others[at.count++] = &filled<Hashed>(at.before[lines_.y(q) % 3], q, at.in, count);
  }
}

// The list, filled with the bodies of line r; it may already hold them.
template <int D, shape S>
template <bool Hashed>
const cell_list& hashing<D, S>::filled(cell_list& list, std::size_t r, const slots& in, counts& count) const {
  if (list.line == r) return list;
  clear<Hashed>(list, in, count);
  list.line = r;
  list.base = clear_all_ ? 0 : lines_.begin(r);
  if (list.links.size() < lines_.end(r) - list.base) list.links.resize(lines_.end(r) - list.base);
  const double* const x = volumes_.column(0);
  for (std::size_t p = lines_.begin(r); p < lines_.end(r); ++p) {
    const std::uint32_t x_cell = x_cells_.index(x[p]);
    std::uint32_t& head = list.heads[slot_of<Hashed>(x_cell, in)];
    list.links[p - list.base] = {head, x_cell};
    head = static_cast<std::uint32_t>(p - list.base) + 1;
  }
  return list;
}

// Hashing clears all heads and links, of all bodies; Hashing2 only the heads that the last line used.
template <int D, shape S>
template <bool Hashed>
void hashing<D, S>::clear(cell_list& list, const slots& in, counts& count) const {
  std::uint64_t& cleared = count.named[1];
  if (clear_all_) {
    list.heads.assign(in.count, 0);
    list.links.assign(volumes_.size(), {0, 0});
    cleared += in.count + volumes_.size();
  } else if (list.line == cell_list::no_line) {
    list.heads.assign(in.count, 0);
    cleared += in.count;
  } else {
    const std::size_t bodies = lines_.end(list.line) - lines_.begin(list.line);
    cleared += bodies;
    for (std::size_t k = 0; k < bodies; ++k) list.heads[slot_of<Hashed>(list.links[k].x_cell, in)] = 0;
  }
}

template <int D, shape S>
template <bool Hashed>
void hashing<D, S>::search_line(const window& at, const cell_list& own, pair_batch& out) const {
  std::uint64_t tests = 0;
  for (std::size_t p = lines_.begin(own.line); p < lines_.end(own.line); ++p) {
    const volume<D, S> v = volumes_.get(p);
    const row i = volumes_.row_of(p);
    const auto meet = [&](const cell_list& list, std::uint32_t first, [[maybe_unused]] std::uint32_t x_cell) {
      for (std::uint32_t k = first; k != 0; k = list.links[k - 1].next) {
        if constexpr (Hashed) {
          if (list.links[k - 1].x_cell != x_cell) continue;
        }
        const std::size_t q = list.base + k - 1;
        ++tests;
        if (overlap(v, volumes_.get(q), margin_)) out.add(i, volumes_.row_of(q));
      }
    };
    const auto [before, x_cell] = own.links[p - own.base];
    meet(own, before, x_cell);  // in the same cell, only the bodies put there earlier, so that two bodies meet once
    meet(own, own.heads[slot_of<Hashed>(x_cell - 1, at.in)], x_cell - 1);
    for (int k = 0; k < at.count; ++k) {
      const cell_list& other = *at.others[k];
      for (std::uint32_t c = x_cell - 1; c != x_cell + 2; ++c) meet(other, other.heads[slot_of<Hashed>(c, at.in)], c);
    }
  }
  out.count.tests += tests;
  out.count.candidates += tests;
  // Of its own line a body visits two cells, of each other line three.
  const std::uint64_t bodies = lines_.end(own.line) - lines_.begin(own.line);
  out.count.named[0] += bodies * (2 + 3 * static_cast<std::uint64_t>(at.count));
}

// Looks at every body of the lines that the region meets; the thesis hashes these lines anew for each region.
template <int D, shape S>
void hashing<D, S>::find_in(const query& q, row_batch& out) const {
  if (volumes_.size() == 0) return;
  interval reach[D];
  interval_of_cells range[3] = {};
  for (int k = 0; k < D; ++k) {
    reach[k] = widened(q.bounds(k).min - below_[k], q.bounds(k).max + above_[k]);
    if (k > 0) range[k] = {lines_.axis[k].index(reach[k].min), lines_.axis[k].index(reach[k].max)};
  }
  const double* const x = volumes_.column(0);
  std::uint64_t tests = 0;
  std::size_t hint = 0;
  lines_.for_each_line(range[1], range[2], hint, [&](std::size_t r) {
    for (std::size_t p = lines_.begin(r); p < lines_.end(r); ++p) {
      if (x[p] < reach[0].min || x[p] > reach[0].max) continue;
      ++tests;
      if (q.touches(volumes_.get(p))) out.add(volumes_.row_of(p));
    }
  });
  out.count.tests += tests;
  out.count.candidates += tests;
}

// Only lines are sorted. The cells are those that a line's bodies would be put into.
template <int D, shape S>
void hashing<D, S>::show(sketcher& out) const {
  const std::uint32_t line =
      out.kind("line", "cells side by side; their bodies are in lists while the line is at work");
  const std::uint32_t kind = out.kind("cell", "holds the bodies that are centered in it", sketch::holding::anchors);
  const std::size_t own = volumes_.place_of(out.chosen());
  const cell_axes axes{&x_cells_, &lines_.axis[1], D == 3 ? &lines_.axis[D - 1] : nullptr};
  const auto cell_of = [&](std::size_t r, std::uint32_t x) {
    return cell_at{x, lines_.y(r), D == 3 ? lines_.z(r) : 0};
  };
  const double* const xs = volumes_.column(0);
  cell_at mine{};
  if (out.any_chosen()) mine = cell_of(lines_.line_of(own), x_cells_.index(xs[own]));
  const auto near = [](std::uint32_t a, std::uint32_t b) { return a <= b + 1 && b <= a + 1; };
  for (std::size_t r = 0; r < lines_.lines(); ++r) {
    const cell_at first = cell_of(r, 0);
    const bool same = first[1] == mine[1] && first[2] == mine[2];
    // The body's own line, the one before it and, in 3D, the three nearest of the layer before.
    const bool met =
        same || (first[2] == mine[2] ? first[1] + 1 == mine[1] : first[2] + 1 == mine[2] && near(first[1], mine[1]));
    const bool searched = out.any_chosen() && met;
    out.box(line, 0, sides_of(out, axes, first, cell_of(r, x_cells_.count() - 1)), searched);
    std::vector<std::pair<std::uint32_t, std::size_t>> by_x;
    for (std::size_t p = lines_.begin(r); p < lines_.end(r); ++p) by_x.emplace_back(x_cells_.index(xs[p]), p);
    std::sort(by_x.begin(), by_x.end());
    for (std::size_t k = 0; k < by_x.size(); ++k) {
      const auto [x, p] = by_x[k];
      const bool looked_at = searched && near(x, mine[0]) && (!same || x <= mine[0]);
      if (k == 0 || by_x[k - 1].first != x)
        out.box(kind, 0, sides_of(out, axes, cell_of(r, x), cell_of(r, x)), looked_at);
      out.member(volumes_.row_of(p));
      if (looked_at && (!same || x < mine[0] || p < own)) out.compared(volumes_.row_of(p));
    }
  }
}

constexpr parameter_info hashing_parameters[] = {
    {.name = "clear",
     .range = "all | touched",
     .default_value = "touched",
     .summary = "what is cleared for each line: whole arrays (Hashing), or only the cells that had a body (Hashing2)"},
};

// ---- cost

constexpr cost search_cost{"hashing.search", 2600};
constexpr cost body_cost{"hashing.body", 48};
constexpr cost far_cost{"hashing.far", 24};
constexpr cost test_cost{"hashing.test", 3.1};
constexpr const cost* costs[] = {&search_cost, &body_cost, &far_cost, &test_cost};

double tests_per_body(const features& f) { return f.others(3 * f.widest) / 2; }
work work_of(const features& f) {
  return {{&search_cost, per_search(f)}, {&body_cost, 1}, {&far_cost, far_memory(f)}, {&test_cost, tests_per_body(f)}};
}
std::string why(const features& f) { return "about " + about(tests_per_body(f)) + " tests per body"; }

constexpr cost_model model{costs, work_of, why};

}  // namespace

extern const method_entry hashing_entry;
const method_entry hashing_entry{
    {.name = "hashing",
     .document = "Perkins 1999, section 4.2",
     .summary = "one grid with cells as large as the largest body, two lines of cells at a time as linked lists",
     .suits = "many bodies of one size, in any arrangement",
     .cost = "N; with clear=all N^1.5 in 2D",
     .quadratic = false,
     .parameters = hashing_parameters},
    false,
    make_method<hashing>,
    &model};

}  // namespace abut
