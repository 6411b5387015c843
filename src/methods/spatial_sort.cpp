// SpatialSort (Perkins 1999, 4.1): the bodies sorted by their lower ends on each axis.
//
// Idea: in the list of an axis, the bodies that begin within a body stand between its own place and its upper end. That
// misses bodies that begin before it and reach into it (figure 5, case 11), for which the thesis has three ways:
// `way=1` collects all axis neighbors in linked lists, one per axis, and intersects them; `way=2` extends the ranges
// downwards to the first body that reaches in; `way=3` does so on every axis but one, the master, on which each pair is
// met from the body that begins first. The thesis finds the first body that reaches in by a linear scan, an N^2 term
// (`scan=linear`). Here it is carried along from one body to the next, since it never moves down, and way 1 holds the
// lists of only some bodies at a time (the thesis's of all: `lists=whole`).
// Cost: N^(2 - 1/D) steps, which take many times as long in way 1 as in way 3; about 80 bytes per sphere.
// Wins: nowhere against dess, which knows both ends; up to some thousand bodies of equal size they are alike.
// Loses: if sizes differ (figure 6), since a range extends down to where the largest body begins.

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/gallop.hpp"
#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"
#include "steps/rank_scan.hpp"
#include "steps/ranked_ends.hpp"
#include "steps/show_ends.hpp"
#include "steps/taken.hpp"

namespace abut {

namespace {

template <int D, shape S>
class spatial_sort final : public method {
 public:
  explicit spatial_sort(plan asked) : by_insertion_(sorts_by_insertion(asked)), plan_(std::move(asked)) {
    if (const auto way = plan_.parameter_value("way")) way_ = (*way)[0] - '0';
    scans_ = plan_.parameter_value("scan") == "linear";
    whole_ = plan_.parameter_value("lists") == "whole";
    if (way_ != 1 && whole_) {
      throw error("spatial-sort's lists=whole is for way=1; with way=" + std::to_string(way_) + ", leave it out");
    }
    plan_.set("way", std::to_string(way_));
    plan_.set("sort", by_insertion_ ? "insertion" : "heap");
    plan_.set("scan", scans_ ? "linear" : "carried");
    plan_.set("lists", whole_ ? "whole" : "part");
  }

  void update(const world& w, row_map rows) override {
    const std::span<const row> map = by_insertion_ ? rows.spelled_out() : std::span<const row>{};
    if (whole_) {
      ranked_ends ends = ends_;  // updates a copy, since lists that are refused must leave the last state unchanged
      ends.update(w, map, by_insertion_);
      refuse_long_lists(w, ends);
      ends_ = std::move(ends);
    } else {
      ends_.update(w, map, by_insertion_);
    }
    world_ = &w;
    scan_steps_ = list_steps_ = 0;
    std::uint64_t steps[D] = {};
    parallel_for(w.threads(), D, [&](std::size_t k) { steps[k] = find_ranges(static_cast<int>(k)); });
    choose_master();
    if (scans_) {
      // In way 3, the range on the master axis is not extended.
      for (int k = way_ == 3 ? 1 : 0; k < D; ++k) scan_steps_ += scan_for_first(axis(k));
    } else {
      for (const std::uint64_t s : steps) scan_steps_ += s;
    }
    lay_out();
    if (whole_) make_lists();
    ends_.release_ranks();
  }

  [[nodiscard]] std::size_t tasks() const override {
    return (volumes_.size() + targets_per_task - 1) / targets_per_task;
  }

  void find(std::size_t task, pair_batch& out) const override {
    const std::size_t from = task * targets_per_task;
    const std::size_t to = std::min(volumes_.size(), from + targets_per_task);
    if (whole_) {
      find_by_whole_lists(from, to, out);
    } else if (way_ == 1) {
      find_by_lists(from, to, out);
    } else {
      find_by_ranges(from, to, out);
    }
  }

  // The upper limit by binary search; below it, all bodies from the first that reaches the region on.
  void find_in(const query& q, row_batch& out) const override {
    rank_scan<D - 1> scan = on_other_axes();
    for (int k = 1; k < D; ++k) {
      const range r = range_of(q.bounds(axis(k)), axis(k));
      scan.above[k - 1] = r.first;
      scan.below[k - 1] = r.last;
    }
    const range r = range_of(q.bounds(master_), master_);
    std::uint64_t tests = 0;
    if (r.first < r.last) {
      out.count.named[0] += static_cast<std::uint64_t>(r.last - r.first);
      scan.run(static_cast<std::size_t>(r.first), static_cast<std::size_t>(r.last), [&](std::size_t p) {
        ++tests;
        if (q.touches(volumes_.get(p))) out.add(volumes_.row_of(p));
      });
    }
    out.count.tests += tests;
    out.count.candidates += tests;
  }

  void show(sketcher& out) const override;

  [[nodiscard]] plan planned() const override { return plan_; }
  [[nodiscard]] std::vector<stats::event> events() const override { return ends_.events(); }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override {
    std::vector<stats::event> all = {ends_.swaps(), {"scan steps", scan_steps_}};
    if (whole_) all.push_back({"list steps", list_steps_});
    return all;
  }
  [[nodiscard]] std::span<const std::string_view> counted() const override {
    static constexpr std::string_view of_lists[] = {"list entries"};
    return way_ == 1 ? std::span<const std::string_view>(of_lists) : rank_counts;
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = ends_.bytes() + volumes_.bytes();
    for (int k = 0; k < D; ++k) {
      sum += bytes_of(ranges_[k]) + bytes_of(rank_[k]) + bytes_of(place_[k]);
      sum += bytes_of(lists_[k].pool) + bytes_of(lists_[k].heads);
    }
    return sum;
  }

 private:
  static constexpr std::size_t targets_per_task = 512;

  // Ranks on an axis: from the first body that reaches into a body, to after the last that begins within it.
  struct range {
    std::int32_t first;
    std::int32_t last;
  };

  // The axes in order, the master first.
  [[nodiscard]] int axis(int k) const { return (master_ + k) % D; }

  // The range of the body at place p, on axis(k).
  [[nodiscard]] const range& range_at(std::size_t p, int k) const {
    return ranges_[axis(k)][k == 0 ? p : static_cast<std::size_t>(rank_[k][p])];
  }

  [[nodiscard]] range range_of(const interval& t, int a) const {
    const auto [before, last] = ends_.ranks_of(*world_, t, a);
    return {before > 0 ? ranges_[a][static_cast<std::size_t>(before) - 1].first : 0, last};
  }

  [[nodiscard]] rank_scan<D - 1> on_other_axes() const {
    rank_scan<D - 1> scan{};
    for (int k = 1; k < D; ++k) scan.low[k - 1] = scan.high[k - 1] = rank_[k].data();
    return scan;
  }

  // The most entries of whole lists, for which memory is not O(N): 128 MB of them.
  static constexpr std::uint64_t most_list_entries = std::uint64_t{1} << 24;

  // Bodies in linked lists.
  struct linked_lists {
    static constexpr std::int32_t none = -1;
    struct entry {
      std::int32_t place;
      std::int32_t next;
    };
    std::vector<entry> pool{};
    std::vector<std::int32_t> heads{};

    void add(std::int32_t place, std::size_t to) {
      pool.push_back({place, heads[to]});
      heads[to] = static_cast<std::int32_t>(pool.size()) - 1;
    }

    // Adds a place unless it is a member, for which the list is searched. Returns the steps of that search.
    std::uint64_t add_once(std::int32_t place, std::size_t to) {
      std::uint64_t steps = 0;
      for (std::int32_t e = heads[to]; e != none; e = pool[static_cast<std::size_t>(e)].next) {
        ++steps;
        if (pool[static_cast<std::size_t>(e)].place == place) return steps;
      }
      add(place, to);
      return steps;
    }
  };

  static void refuse_long_lists(const world& w, const ranked_ends& ends);
  std::uint64_t find_ranges(int a);
  std::uint64_t scan_for_first(int a);
  void choose_master();
  void lay_out();
  void make_lists();
  void find_by_ranges(std::size_t from, std::size_t to, pair_batch& out) const;
  void find_by_lists(std::size_t from, std::size_t to, pair_batch& out) const;
  void find_by_whole_lists(std::size_t from, std::size_t to, pair_batch& out) const;

  struct list_marks;
  // Tests the places that are in all lists of the body at place p, from its side only if its row is the smaller.
  template <class HeadOf>
  std::uint64_t meet_by_lists(std::size_t p, list_marks& marks, const HeadOf& head_of, pair_batch& out) const;

  int way_ = 3;
  bool scans_ = false;
  bool whole_ = false;
  bool by_insertion_;
  plan plan_;
  const world* world_ = nullptr;
  int master_ = 0;
  ranked_ends ends_{D, end_list::ends::lower};
  std::vector<range> ranges_[D];        // by rank, on axis a
  packed_volumes<D, S> volumes_;        // by place, that is, by rank on the master axis
  std::vector<std::int32_t> rank_[D];   // by place, on axis(k), k > 0
  std::vector<std::int32_t> place_[D];  // way 1: by rank on axis(k), k > 0
  linked_lists lists_[D];               // whole lists: by place, the neighbors on axis(k)
  std::uint64_t scan_steps_ = 0;        // how many bodies were looked at to find the first that reaches in
  std::uint64_t list_steps_ = 0;        // how many members were looked at before others were added
};

// The ends of the bodies on an axis, in the order of the list.
template <int D, shape S>
struct ends_in_order {
  std::vector<double> lower, upper;

  ends_in_order(const world& w, const ranked_ends& ends, int a) {
    const std::span<const std::uint32_t> list = ends.list(a).entries();
    lower.resize(list.size());
    upper.resize(list.size());
    for (std::size_t r = 0; r < list.size(); ++r) {
      const interval t = taken<D, S>(w, list[r], a);
      lower[r] = t.min;
      upper[r] = t.max;
    }
  }
};

template <int D, shape S>
void spatial_sort<D, S>::refuse_long_lists(const world& w, const ranked_ends& ends) {
  std::uint64_t entries = 0;
  for (int a = 0; a < D; ++a) {
    const ends_in_order<D, S> all(w, ends, a);
    for (std::size_t r = 0; r < all.lower.size(); ++r) {
      const auto own = all.lower.begin() + static_cast<std::ptrdiff_t>(r);
      const auto last = std::upper_bound(own, all.lower.end(), all.upper[r]);
      entries += 2 * static_cast<std::uint64_t>(last - (own + 1));
    }
  }
  if (entries <= most_list_entries) return;
  throw error("spatial-sort's lists is whole, which makes " + std::to_string(entries) + " entries for " +
              std::to_string(w.size()) + " bodies; it takes at most " + std::to_string(most_list_entries) +
              ": use lists=part, or fewer bodies");
}

// The ranges on axis a (4.1.1.3): the upper limit is found by searching from the body's own place outwards, the lower
// limit is carried along.
template <int D, shape S>
std::uint64_t spatial_sort<D, S>::find_ranges(int a) {
  const ends_in_order<D, S> all(*world_, ends_, a);
  const std::size_t count = all.lower.size();
  ranges_[a].resize(count);
  std::size_t first = 0;
  for (std::size_t r = 0; r < count; ++r) {
    while (all.upper[first] < all.lower[r]) ++first;
    const std::size_t last = gallop(count, r, [&](std::size_t k) { return all.lower[k] <= all.upper[r]; });
    ranges_[a][r] = {static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)};
  }
  return first + count;
}

// The lower limit as in the paper: for each body, the list is searched from its bottom.
template <int D, shape S>
std::uint64_t spatial_sort<D, S>::scan_for_first(int a) {
  constexpr std::size_t block = 256;
  const ends_in_order<D, S> all(*world_, ends_, a);
  const std::size_t count = all.lower.size();
  std::vector<std::uint64_t> steps((count + block - 1) / block, 0);
  parallel_blocks(world_->threads(), count, block, [&](std::size_t b, std::size_t from, std::size_t to) {
    for (std::size_t r = from; r < to; ++r) {
      std::size_t first = 0;
      while (all.upper[first] < all.lower[r]) ++first;
      steps[b] += first + 1;
      ranges_[a][r].first = static_cast<std::int32_t>(first);
    }
  });
  return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
}

// The axis with the fewest bodies in the ranges that are searched.
template <int D, shape S>
void spatial_sort<D, S>::choose_master() {
  std::uint64_t least = 0;
  for (int a = 0; a < D; ++a) {
    std::uint64_t steps = 0;
    for (std::size_t r = 0; r < ranges_[a].size(); ++r) {
      const auto [first, last] = ranges_[a][r];
      steps += static_cast<std::uint64_t>(last) - (way_ == 3 ? r + 1 : static_cast<std::uint64_t>(first) + 1);
    }
    if (a > 0 && steps >= least) continue;
    least = steps;
    master_ = a;
  }
  const double each = static_cast<double>(least) / static_cast<double>(std::max<std::size_t>(1, world_->size()));
  plan_.because(std::string("the master axis is ") + "xyz"[master_] + ", with the shortest ranges: " + tenths(each) +
                " bodies on average");
}

template <int D, shape S>
void spatial_sort<D, S>::lay_out() {
  const std::span<const std::uint32_t> list = ends_.list(master_).entries();
  volumes_.fill(*world_, {list.begin(), list.end()});
  for (int k = 1; k < D; ++k) {
    const std::vector<std::int32_t>& rank_of_row = ends_.lower_ranks(axis(k));
    rank_[k].resize(list.size());
    place_[k].resize(way_ == 1 ? list.size() : 0);
    for (std::size_t p = 0; p < list.size(); ++p) {
      rank_[k][p] = rank_of_row[list[p]];
      if (way_ == 1) place_[k][static_cast<std::size_t>(rank_[k][p])] = static_cast<std::int32_t>(p);
    }
  }
}

// Ways 2 and 3. In way 2, a pair is met from both sides, and reported from the smaller row.
template <int D, shape S>
void spatial_sort<D, S>::find_by_ranges(std::size_t from, std::size_t to, pair_batch& out) const {
  rank_scan<D - 1> scan = on_other_axes();
  std::uint64_t tests = 0;
  for (std::size_t p = from; p < to; ++p) {
    for (int k = 1; k < D; ++k) {
      scan.above[k - 1] = range_at(p, k).first;
      scan.below[k - 1] = range_at(p, k).last;
    }
    const auto [first, last] = range_at(p, 0);
    const row i = volumes_.row_of(p);
    scan.run(way_ == 3 ? p + 1 : static_cast<std::size_t>(first), static_cast<std::size_t>(last), [&](std::size_t q) {
      if (way_ == 2 && volumes_.row_of(q) <= i) return;
      ++tests;
      if (overlap(volumes_.get(p), volumes_.get(q), world_->margin())) out.add(i, volumes_.row_of(q));
    });
  }
  out.count.tests += tests;
  out.count.candidates += tests;
  // In a loop of its own, which leaves the registers to the other.
  for (std::size_t p = from; p < to; ++p) {
    const auto [first, last] = range_at(p, 0);
    out.count.named[0] += static_cast<std::size_t>(last) - (way_ == 3 ? p + 1 : static_cast<std::size_t>(first));
  }
}

// Which places are in all lists of a body.
template <int D, shape S>
struct spatial_sort<D, S>::list_marks {
  std::vector<std::uint32_t> of_place;  // on how many axes it neighbors the current body, above `mark`
  std::uint32_t mark = 0;

  explicit list_marks(std::size_t places) : of_place(places, 0) {}

  // Calls `f(place)` for each place that is in all D lists, whose pools and heads `head_of(k)` gives. Returns the
  // number of their entries.
  template <class HeadOf, class F>
  std::uint64_t intersect(const HeadOf& head_of, F&& f) {
    std::uint64_t entries = 0;
    for (int k = 0; k < D; ++k) {
      const auto [pool, head] = head_of(k);
      for (std::int32_t e = head; e != linked_lists::none; ++entries) {
        const auto [place, next] = pool[static_cast<std::size_t>(e)];
        std::uint32_t& m = of_place[static_cast<std::size_t>(place)];
        if (k == 0) {
          m = mark + 1;
        } else if (m == mark + static_cast<std::uint32_t>(k)) {
          ++m;
          if (k == D - 1) f(static_cast<std::size_t>(place));
        }
        e = next;
      }
    }
    mark += D;
    return entries;
  }
};

template <int D, shape S>
template <class HeadOf>
std::uint64_t spatial_sort<D, S>::meet_by_lists(std::size_t p, list_marks& marks, const HeadOf& head_of,
                                                pair_batch& out) const {
  std::uint64_t tests = 0;
  out.count.named[0] += marks.intersect(head_of, [&](std::size_t q) {
    if (volumes_.row_of(q) <= volumes_.row_of(p)) return;
    ++tests;
    if (overlap(volumes_.get(p), volumes_.get(q), world_->margin())) out.add(volumes_.row_of(p), volumes_.row_of(q));
  });
  return tests;
}

// Way 1: the axis neighbors of some bodies, in linked lists, one per body and axis.
template <int D, shape S>
void spatial_sort<D, S>::find_by_lists(std::size_t from, std::size_t to, pair_batch& out) const {
  constexpr std::size_t most = 1 << 16;  // the most entries before the lists are intersected and restarted
  linked_lists lists;
  list_marks marks(volumes_.size());
  std::uint64_t tests = 0;
  for (std::size_t begin = from; begin < to;) {
    std::size_t end = begin;
    for (; end < to && lists.pool.size() < most; ++end) {
      for (int k = 0; k < D; ++k) {
        lists.heads.push_back(linked_lists::none);
        const std::int32_t own = k == 0 ? static_cast<std::int32_t>(end) : rank_[k][end];
        const range around = range_at(end, k);
        const std::vector<range>& ranges = ranges_[axis(k)];
        for (std::int32_t r = around.first; r < around.last; ++r) {
          // A body that begins before this one is a neighbor if it reaches in, that is, if its own range contains this
          // one.
          if (r == own || (r < own && ranges[static_cast<std::size_t>(r)].last <= own)) continue;
          lists.add(k == 0 ? r : place_[k][static_cast<std::size_t>(r)], lists.heads.size() - 1);
        }
      }
    }
    for (std::size_t p = begin; p < end; ++p) {
      const std::int32_t* const heads = &lists.heads[(p - begin) * D];
      tests += meet_by_lists(
          p, marks, [&](int k) { return std::pair(lists.pool.data(), heads[k]); }, out);
    }
    lists.pool.clear();
    lists.heads.clear();
    begin = end;
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

// As in the paper: the lists of all bodies, on each axis. A body and each that begins within it are added to each
// other's lists, which are searched first: "the list must first be searched to make sure the object isn't already a
// member" (4.1.1.3).
template <int D, shape S>
void spatial_sort<D, S>::make_lists() {
  std::uint64_t steps[D] = {};
  parallel_for(world_->threads(), D, [&](std::size_t k) {
    linked_lists& lists = lists_[k];
    const std::vector<range>& ranges = ranges_[axis(static_cast<int>(k))];
    const auto place = [&](std::size_t r) { return k == 0 ? static_cast<std::int32_t>(r) : place_[k][r]; };
    lists.pool.clear();
    lists.heads.assign(ranges.size(), linked_lists::none);
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      for (std::size_t other = r + 1; other < static_cast<std::size_t>(ranges[r].last); ++other) {
        steps[k] += lists.add_once(place(other), static_cast<std::size_t>(place(r)));
        steps[k] += lists.add_once(place(r), static_cast<std::size_t>(place(other)));
      }
    }
  });
  for (const std::uint64_t s : steps) list_steps_ += s;
}

template <int D, shape S>
void spatial_sort<D, S>::find_by_whole_lists(std::size_t from, std::size_t to, pair_batch& out) const {
  list_marks marks(volumes_.size());
  std::uint64_t tests = 0;
  for (std::size_t p = from; p < to; ++p) {
    tests += meet_by_lists(
        p, marks, [&](int k) { return std::pair(lists_[k].pool.data(), lists_[k].heads[p]); }, out);
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

// The box holds the lower corners of what is compared, except for what `way=1` and the rows exclude.
template <int D, shape S>
void spatial_sort<D, S>::show(sketcher& out) const {
  const shown_ends ends(out, false);
  const std::size_t p = out.any_chosen() ? volumes_.place_of(out.chosen()) : 0;
  sketcher::sides corners = out.bounds();
  std::vector<int> axes_met(volumes_.size());
  for (int k = 0; k < D; ++k) {
    const int a = axis(k);
    if (!out.any_chosen()) {
      ends.show(a, ends_.list(a));
      continue;
    }
    const auto own = k == 0 ? p : static_cast<std::size_t>(rank_[k][p]);
    const auto first = way_ == 3 && k == 0 ? own : static_cast<std::size_t>(ranges_[a][own].first);
    const auto last = static_cast<std::size_t>(ranges_[a][own].last);
    ends.show(a, ends_.list(a), first, last);
    corners[static_cast<std::size_t>(a)] = {ends.at(a, ends_.list(a), first),
                                            taken<D, S>(*world_, out.chosen(), a).max};
    for (std::size_t q = 0; q < volumes_.size(); ++q) {
      const auto r = k == 0 ? q : static_cast<std::size_t>(rank_[k][q]);
      const bool reaches = way_ != 1 || r > own || static_cast<std::size_t>(ranges_[a][r].last) > own;
      axes_met[q] += q != p && first <= r && r < last && reaches ? 1 : 0;
    }
  }
  if (!out.any_chosen()) return;
  out.box(out.kind("range", "bodies whose lower corner is in here are compared with the body"), 0, corners, true);
  for (std::size_t q = 0; q < volumes_.size(); ++q) {
    const bool counts = way_ == 3 || volumes_.row_of(q) > out.chosen();
    if (axes_met[q] == D && counts) out.compared(volumes_.row_of(q));
  }
}

constexpr parameter_info spatial_sort_parameters[] = {
    {.name = "way",
     .range = "1 | 2 | 3",
     .default_value = "3",
     .summary = "how to find bodies that begin before a body: by linked lists, extended ranges, or in one pass"},
    sort_parameter,
    {.name = "scan",
     .range = "carried | linear",
     .default_value = "carried",
     .summary = "how to find the first body that reaches in: carried along from body to body, or, as in the paper, "
                "searched for from the bottom of the list"},
    {.name = "lists",
     .range = "part | whole",
     .default_value = "part",
     .summary = "way 1: whose lists are held at a time, those of some bodies or, as in the paper, of all"},
};

}  // namespace

extern const method_entry spatial_sort_entry;
const method_entry spatial_sort_entry{
    {.name = "spatial-sort",
     .document = "Perkins 1999, section 4.1",
     .summary = "sorts the bodies by their lower ends on each axis and searches the ranges they span",
     .suits = "up to some thousand bodies of equal size; dess does the same with both ends",
     .cost = "N^1.5 in 2D, N^1.67 in 3D",
     .quadratic = false,
     .parameters = spatial_sort_parameters},
    true,
    make_method<spatial_sort>};

}  // namespace abut
