// Sweep and prune (DEM lecture 11): the ends of all boxes in one sorted list per axis, kept from update to update.
//
// Idea: bodies that have moved a little leave the lists almost sorted, and an insertion sort restores the order by
// swaps of neighbors. A swap of `] [` to `[ ]` begins an overlap on that axis, one of `[ ]` to `] [` ends it, and
// nothing else does. So the swaps alone are enough to keep a table of the pairs whose boxes overlap on all axes.
// Cost: N, plus the swaps: for moves of f diameters, per end, about f N^(2/3) in 3D and f N^(1/2) in 2D. `find` reads
// the table, 2 to 3 candidates per pair. 75 to 260 bytes per sphere.
// Wins: if sizes spread over two decades or more, and if almost nothing moves.
// Loses: if bodies move far or many move, since it then sorts the lists and builds the table from scratch.

#include <bit>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "base/text.hpp"
#include "methods/method.hpp"
#include "steps/axis_cells.hpp"
#include "steps/end_list.hpp"
#include "steps/pair_table.hpp"
#include "steps/show_ends.hpp"
#include "tree/box_tree.hpp"
#include "tree/halving.hpp"

namespace abut {

namespace {

// The cells from a body's lower to its upper end, on each axis: a coarse box. The cells on the axes that are not being
// sorted are stored with every end point as its mark. So nearly all swaps of bodies that are far apart are recognized
// without looking the bodies up.
template <int D>
struct coarse_box {
  static constexpr int field = 32 / (2 * (D - 1));  // in bits, one of which stays free
  static constexpr std::uint32_t last = (1U << (field - 1)) - 1;
  using cell = std::conditional_t<D == 2, std::uint16_t, std::uint8_t>;

  cell lower[D];
  cell upper[D];

  /// The cells on the axes other than `axis`: the lower cells in one half of the mark; in the other half, how far the
  /// upper cells are from the last cell.
  [[nodiscard]] std::uint32_t mark(int axis) const {
    std::uint32_t m = 0;
    for (int k = 1; k < D; ++k) {
      const int a = (axis + k) % D;
      m |= std::uint32_t{lower[a]} << (field * (k - 1)) | (last - upper[a]) << (field * (k - 1) + 16);
    }
    return m;
  }

  /// 0 if two coarse boxes share a cell on all axes of their marks. lower_a <= upper_b means lower_a + (last - upper_b)
  /// <= last, that is, the sum leaves the field's highest bit 0. All fields are added at once.
  static std::uint32_t apart(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t highest = D == 2 ? 0x8000'8000U : 0x8080'8080U;
    return (a + std::rotl(b, 16)) & highest;
  }

  [[nodiscard]] coarse_box with(const coarse_box& other) const {
    coarse_box both{};
    for (int k = 0; k < D; ++k) {
      both.lower[k] = std::min(lower[k], other.lower[k]);
      both.upper[k] = std::max(upper[k], other.upper[k]);
    }
    return both;
  }
};

// The lists, the table and everything else refer to places. Bodies get their places at a rebuild, near bodies near each
// other, and keep them as long as they exist.
template <int D, shape S>
class sweep_and_prune final : public method {
 public:
  explicit sweep_and_prune(plan asked) : plan_(std::move(asked)) {
    double swaps = 100;
    if (const auto asked_for = plan_.parameter_value("swaps")) {
      (void)parse_number(*asked_for, swaps);
    } else {
      plan_.set("swaps", number_text(swaps));
    }
    most_swaps_ = static_cast<std::uint64_t>(swaps);
  }

  void update(const world& w, row_map rows) override {
    margin_ = w.margin();
    threads_ = w.size() < few ? 1 : w.threads();
    const std::span<const row> map = rows.spelled_out();
    swaps_ = 0;
    if (map.empty() || !follow(w, map)) rebuild(w);
    count_uppers();
  }

  [[nodiscard]] std::size_t tasks() const override { return (table_.size() + pairs_per_task - 1) / pairs_per_task; }
  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;
  void show(sketcher& out) const override;

  [[nodiscard]] plan planned() const override {
    plan p = plan_;
    p.because(std::to_string(table_.size()) + " pairs of boxes overlap; past " + std::to_string(most_swaps_) +
              " swaps per end a rebuild is quicker");
    return p;
  }
  [[nodiscard]] std::vector<stats::event> events() const override {
    return {{"rebuilds", rebuilds_}, {"overlaps begun", begun_}, {"overlaps ended", ended_}};
  }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override { return {{"swaps", swaps_}}; }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = bytes_of(rows_) + bytes_of(volumes_) + bytes_of(coarse_) + table_.bytes();
    for (int k = 0; k < D; ++k) sum += lists_[k].bytes() + bytes_of(uppers_[k]) + cells_[k].bytes();
    return sum;
  }

 private:
  using box = tree_box<D, double>;
  static constexpr std::size_t pairs_per_task = 4096;
  static constexpr std::size_t block = 64;
  static constexpr std::size_t few = 4096;  // with so few bodies, waking other threads costs more than it saves
  static constexpr std::size_t ends_per_count = 256;
  static constexpr std::size_t node = 8;  // the most entries of a tree's node
  static constexpr std::uint64_t moves_per_look =
      24;  // looking up a pair takes this many times as long as a move (measured)

  // The effects of the swaps on one axis.
  struct changes {
    std::vector<pair> begun;
    std::vector<pair> ended;
    std::uint64_t swaps = 0;
    bool complete = false;
  };

  bool follow(const world& w, std::span<const row> map);
  void rebuild(const world& w);
  std::vector<row> carry_places(const world& w, std::span<const row> map);
  void take_bodies(const world& w);
  void make_cells();
  [[nodiscard]] std::vector<coarse_box<D>> sweep_coarse(const carried_rows& places);
  [[nodiscard]] changes sort_axis(int k, const carried_rows& places, const std::vector<coarse_box<D>>& swept);
  void add_pairs_of(const std::vector<row>& added);
  void count_uppers();
  [[nodiscard]] std::size_t uppers_before(int k, std::size_t rank) const;

  [[nodiscard]] interval on_axis(row p, int k) const { return taken(volumes_[p], k, margin_); }
  [[nodiscard]] static box box_of(const volume<D, S>& v, double margin) {
    box b{};
    for (int k = 0; k < D; ++k) {
      const interval t = taken(v, k, margin);
      b.lo[k] = t.min;
      b.hi[k] = t.max;
    }
    return b;
  }
  [[nodiscard]] box box_at(row p) const { return box_of(volumes_[p], margin_); }
  [[nodiscard]] coarse_box<D> coarse_at(row p) const {
    coarse_box<D> c{};
    for (int k = 0; k < D; ++k) {
      const interval t = on_axis(p, k);
      c.lower[k] = static_cast<typename coarse_box<D>::cell>(cells_[k].index(t.min));
      c.upper[k] = static_cast<typename coarse_box<D>::cell>(cells_[k].index(t.max));
    }
    return c;
  }

  std::uint64_t most_swaps_ = 0;  // per end, on average
  plan plan_;
  double margin_ = 0;
  int threads_ = 1;
  std::uint64_t swaps_ = 0;  // of the last update, those of a sort that gave up included
  std::uint64_t rebuilds_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  axis_cells cells_[D];
  std::array<end_list, D> lists_;
  std::vector<std::uint32_t> uppers_[D];  // how many upper ends come before every 256th entry of the list
  pair_table table_;                      // of places whose boxes overlap on all axes
  // By place:
  std::vector<row> rows_;
  std::vector<volume<D, S>> volumes_;
  std::vector<coarse_box<D>> coarse_;
};

// ---- update

template <int D, shape S>
void sweep_and_prune<D, S>::rebuild(const world& w) {
  ++rebuilds_;
  const tree_shape shape = tree_halving<D>::shape(
      w.size(), node, threads_, [&](std::size_t i) { return box_of(w.get<D, S>(static_cast<row>(i)), margin_); });
  rows_ = shape.order;
  take_bodies(w);
  box_tree<D, double> tree;
  tree.take(shape, threads_, [&](std::size_t p) { return box_at(static_cast<row>(p)); });
  table_.assign(tree.pairs(threads_));
  parallel_for(threads_, D, [&](std::size_t k) {
    lists_[k].sort_by_counting(w.size(), [&](row p) { return on_axis(p, static_cast<int>(k)); });
  });
  make_cells();
  coarse_.resize(w.size());
  for (row p = 0; p < w.size(); ++p) coarse_[p] = coarse_at(p);
}

// Updates by swaps. Returns false if that takes too many; then nothing is valid until a rebuild.
template <int D, shape S>
bool sweep_and_prune<D, S>::follow(const world& w, std::span<const row> map) {
  const std::vector<row> moved = carry_places(w, map);
  const carried_rows places(moved, w.size());
  if (2 * places.added.size() > w.size()) return false;
  take_bodies(w);
  if (!places.added.empty() || w.size() != places.map.size()) table_.rename(moved);
  const std::vector<coarse_box<D>> swept = sweep_coarse(places);
  std::array<changes, D> found;
  parallel_for(threads_, D, [&](std::size_t k) { found[k] = sort_axis(static_cast<int>(k), places, swept); });
  for (const changes& c : found) swaps_ += c.swaps;
  for (const changes& c : found) {
    if (!c.complete) return false;
  }
  for (const changes& c : found) {
    for (const pair p : c.ended) ended_ += table_.remove(p) ? 1 : 0;
    for (const pair p : c.begun) begun_ += table_.add(p) ? 1 : 0;
  }
  add_pairs_of(places.added);
  return true;
}

// Gives the places their new rows, and moves places: those of bodies that are gone are filled by new bodies or by the
// last places, so that there are no gaps. Returns the new place of each old one.
template <int D, shape S>
std::vector<row> sweep_and_prune<D, S>::carry_places(const world& w, std::span<const row> map) {
  std::vector<row> moved(rows_.size());
  std::vector<row> gaps;  // from the last to the first
  for (std::size_t p = std::max(rows_.size(), w.size()); p-- > 0;) {
    const bool lives = p < rows_.size() && map[rows_[p]] != no_row;
    if (!lives && p < w.size()) gaps.push_back(static_cast<row>(p));
  }
  std::vector<row> rows(w.size(), no_row);
  std::vector<bool> known(w.size());
  for (std::size_t p = 0; p < rows_.size(); ++p) {
    const row now = map[rows_[p]];
    moved[p] = now == no_row ? no_row : static_cast<row>(p);
    if (now == no_row) continue;
    if (p >= w.size()) {
      moved[p] = gaps.back();
      gaps.pop_back();
    }
    rows[moved[p]] = now;
    known[now] = true;
  }
  for (row i = 0; i < w.size(); ++i) {
    if (known[i]) continue;
    rows[gaps.back()] = i;
    gaps.pop_back();
  }
  rows_ = std::move(rows);
  return moved;
}

template <int D, shape S>
void sweep_and_prune<D, S>::take_bodies(const world& w) {
  volumes_.resize(w.size());
  parallel_blocks(threads_, w.size(), 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t p = from; p < to; ++p) volumes_[p] = w.get<D, S>(rows_[p]);
  });
}

// Makes the cells for the coarse boxes over the middle of each list: a few bodies far out must not spoil them.
template <int D, shape S>
void sweep_and_prune<D, S>::make_cells() {
  for (int k = 0; k < D; ++k) {
    const end_list& list = lists_[k];
    if (list.size() == 0) continue;
    const std::size_t out = list.size() / 64;
    const double lower = on_axis(end_point::row_of(list[out]), k).min;
    const double upper = on_axis(end_point::row_of(list[list.size() - 1 - out]), k).max;
    cells_[k] = axis_cells(lower, upper, (upper - lower) / coarse_box<D>::last, [] { return std::vector<interval>(); });
  }
}

// Makes the coarse boxes and, for each body, the one around its old and its new position: swaps of two bodies that meet
// before or after the update must not be filtered out.
template <int D, shape S>
std::vector<coarse_box<D>> sweep_and_prune<D, S>::sweep_coarse(const carried_rows& places) {
  std::vector<coarse_box<D>> swept(places.count);
  for (row p = 0; p < places.count; ++p) swept[p] = coarse_at(p);
  std::vector<coarse_box<D>> before = std::exchange(coarse_, swept);
  for (std::size_t p = 0; p < places.map.size(); ++p) {
    const row now = places.map[p];
    if (now != no_row) swept[now] = swept[now].with(before[p]);
  }
  return swept;
}

template <int D, shape S>
auto sweep_and_prune<D, S>::sort_axis(int k, const carried_rows& places, const std::vector<coarse_box<D>>& swept)
    -> changes {
  std::vector<marked_interval> all;
  all.reserve(places.count);
  for (row p = 0; p < places.count; ++p) all.emplace_back(on_axis(p, k), swept[p].mark(k));
  changes found;
  moves_allowed moves = moves_allowed::for_entries(lists_[k].size(), most_swaps_);
  found.complete = lists_[k].sort_again(
      places, [&](row p) { return all[p]; }, moves,
      [&](const end_point& moved, const end_point& passed) {
        // Two ends of the same kind, or bodies far apart: one branch for both, since neither is predictable.
        const std::uint32_t same = ~(moved.what ^ passed.what) & end_point::upper_bit;
        if ((same | coarse_box<D>::apart(moved.mark, passed.mark)) != 0) return;
        moves.left -= std::min(moves.left, moves_per_look);
        const row a = end_point::row_of(moved.what);
        const row b = end_point::row_of(passed.what);
        const pair p = a < b ? pair{a, b} : pair{b, a};
        // Two ends change places at most once in a sort. So a pair whose overlap ends here is now apart on this axis,
        // and one whose overlap begins is a pair if the current boxes meet on all axes, in whatever order swaps occur.
        if (end_point::is_upper(moved.what)) {
          if (table_.contains(p)) found.ended.push_back(p);
        } else if (box_at(a).meets(box_at(b))) {
          found.begun.push_back(p);
        }
      });
  found.swaps = moves.made;
  return found;
}

// New bodies were merged into the lists without swaps: puts them into a tree, and searches it with all others.
template <int D, shape S>
void sweep_and_prune<D, S>::add_pairs_of(const std::vector<row>& added) {
  if (added.empty()) return;
  const auto box_of_added = [&](std::size_t k) { return box_at(added[k]); };
  const tree_shape shape = tree_halving<D>::shape(added.size(), node, threads_, box_of_added);
  const auto place = [&](std::size_t in_tree) { return added[shape.order[in_tree]]; };
  box_tree<D, double> tree;
  tree.take(shape, threads_, [&](std::size_t p) { return box_at(place(p)); });
  const auto add = [&](row a, row b) { begun_ += table_.add(a < b ? pair{a, b} : pair{b, a}) ? 1 : 0; };
  for (const pair p : tree.pairs(threads_)) add(place(p.i), place(p.j));
  std::vector<bool> is_new(rows_.size());
  for (const row p : added) is_new[p] = true;
  for (row p = 0; p < rows_.size(); ++p) {
    if (is_new[p]) continue;
    tree.visit(box_at(p), {}, [&](const std::uint32_t* met, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) add(p, place(met[k]));
      return true;
    });
  }
}

template <int D, shape S>
void sweep_and_prune<D, S>::count_uppers() {
  for (int k = 0; k < D; ++k) {
    uppers_[k].clear();
    std::uint32_t uppers = 0;
    for (std::size_t rank = 0; rank < lists_[k].size(); ++rank) {
      if (rank % ends_per_count == 0) uppers_[k].push_back(uppers);
      uppers += end_point::is_upper(lists_[k][rank]) ? 1 : 0;
    }
  }
}

// ---- find

template <int D, shape S>
void sweep_and_prune<D, S>::find(std::size_t task, pair_batch& out) const {
  const std::size_t end = std::min(table_.size(), (task + 1) * pairs_per_task);
  std::uint64_t tests = 0;
  for (std::size_t from = task * pairs_per_task; from < end; from += block) {
    // All tests first, then the pairs: which of them touch is unpredictable.
    pair touching[block];
    std::size_t count = 0;
    for (std::size_t at = from; at < std::min(end, from + block); ++at) {
      const pair p = table_[at];
      ++tests;
      touching[count] = p;
      count += overlap(volumes_[p.i], volumes_[p.j], margin_) ? 1 : 0;
    }
    for (std::size_t t = 0; t < count; ++t) out.add(rows_[touching[t].i], rows_[touching[t].j]);
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
std::size_t sweep_and_prune<D, S>::uppers_before(int k, std::size_t rank) const {
  std::size_t from = std::min(rank / ends_per_count, uppers_[k].size() - 1);
  std::size_t uppers = uppers_[k][from];
  for (from *= ends_per_count; from < rank; ++from) uppers += end_point::is_upper(lists_[k][from]) ? 1 : 0;
  return uppers;
}

// On the axis where the fewest bodies meet the region: those that begin within it, and those that are open where it
// begins. The list says how many are open; they are searched for downwards until all are found.
template <int D, shape S>
void sweep_and_prune<D, S>::find_in(const query& q, row_batch& out) const {
  if (volumes_.empty()) return;
  int axis = 0;
  std::size_t least = 0, first = 0, last = 0, open = 0;
  for (int k = 0; k < D; ++k) {
    const auto taken_on = [&](row p) { return on_axis(p, k); };
    const std::size_t from = lists_[k].count_below(q.bounds(k).min, false, taken_on);
    const std::size_t to = lists_[k].count_below(q.bounds(k).max, true, taken_on);
    const std::size_t uppers = uppers_before(k, from);
    const std::size_t open_here = from - 2 * uppers;
    const std::size_t meeting = open_here + (to - from) - (uppers_before(k, to) - uppers);
    if (k > 0 && meeting >= least) continue;
    axis = k, least = meeting, first = from, last = to, open = open_here;
  }
  std::uint64_t tests = 0;
  const auto test = [&](row p) {
    ++tests;
    if (q.touches(volumes_[p])) out.add(rows_[p]);
  };
  const end_list& list = lists_[axis];
  for (std::size_t rank = first; rank < last; ++rank) {
    if (!end_point::is_upper(list[rank])) test(list[rank]);
  }
  for (std::size_t rank = first; open > 0; --rank) {
    const std::uint32_t what = list[rank - 1];
    if (end_point::is_upper(what) || on_axis(what, axis).max < q.bounds(axis).min) continue;
    test(what);
    --open;
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
void sweep_and_prune<D, S>::show(sketcher& out) const {
  const std::uint32_t volume = out.kind("volume", "the box around a body", sketch::holding::wholes);
  const std::uint32_t table = out.kind("table", "boxes that overlap on all axes: a pair of the table");
  for (const row i : rows_) {
    out.box(volume, 0, out.around(i));
    out.member(i);
  }
  for (std::size_t at = 0; at < table_.size(); ++at) {
    const row i = rows_[table_[at].i];
    const row j = rows_[table_[at].j];
    const bool searched = i == out.chosen() || j == out.chosen();
    out.segment(table, 0, i, j, searched);
    if (searched) out.compared(i == out.chosen() ? j : i);
  }
  const shown_ends ends(out, true);
  for (int k = 0; k < D; ++k) ends.show(k, lists_[static_cast<std::size_t>(k)], [&](row p) { return rows_[p]; });
}

constexpr parameter_info sweep_and_prune_parameters[] = {
    {.name = "swaps",
     .range = "integer 0 to 1000000",
     .default_value = "100; beyond that, a rebuild is faster",
     .summary = "the most swaps per end, on average; beyond that, an update sorts anew and rebuilds the table"},
};

}  // namespace

extern const method_entry sweep_and_prune_entry;
const method_entry sweep_and_prune_entry{
    {.name = "sweep-and-prune",
     .document = "DEM lecture 11",
     .summary = "keeps the ends of all boxes sorted by swaps, which tell which boxes begin and cease to overlap",
     .suits = "bodies of any sizes that move little from update to update",
     .cost = "N, plus f N^1.5 in 2D, f N^1.67 in 3D for moves of f diameters",
     .quadratic = false,
     .parameters = sweep_and_prune_parameters},
    true,
    make_method<sweep_and_prune>};

}  // namespace abut
