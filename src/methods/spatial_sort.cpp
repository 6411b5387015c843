// SpatialSort (Perkins 1999, 4.1): the bodies sorted by their lower ends on each axis.
//
// Idea: in the list of an axis, the bodies that begin within a body stand between its own place and its upper end. That
// misses bodies that begin before it and reach into it (figure 5, case 11), for which the thesis has three ways:
// `way=1` collects all axis neighbors in linked lists, one per axis, and intersects them; `way=2` extends the ranges
// downwards to the first body that reaches in; `way=3` does so on every axis but one, the master, on which each pair is
// met from the body that begins first. The thesis finds the first body that reaches in by a linear scan, an N^2 term.
// Here it is carried along from one body to the next, since it never moves down, and way 1 holds the lists of only some
// bodies at a time.
// Cost: N^(2 - 1/D) steps, which take many times as long in way 1 as in way 3; about 80 bytes per sphere.
// Wins: nowhere against dess, which knows both ends; up to some thousand bodies of equal size they are alike.
// Loses: if sizes differ (figure 6), since a range extends down to where the largest body begins.

#include <cmath>
#include <string>
#include <utility>

#include "base/gallop.hpp"
#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"
#include "steps/rank_scan.hpp"
#include "steps/ranked_ends.hpp"
#include "steps/taken.hpp"

namespace abut {

namespace {

template <int D, shape S>
class spatial_sort final : public method {
 public:
  explicit spatial_sort(plan asked) : by_insertion_(sorts_by_insertion(asked)), plan_(std::move(asked)) {
    if (const auto way = plan_.parameter_value("way")) way_ = (*way)[0] - '0';
    plan_.set("way", std::to_string(way_));
    plan_.set("sort", by_insertion_ ? "insertion" : "heap");
  }

  void update(const world& w, row_map rows) override {
    world_ = &w;
    ends_.update(w, by_insertion_ ? rows.spelled_out() : std::span<const row>{}, by_insertion_);
    parallel_for(w.threads(), D, [&](std::size_t k) { find_ranges(static_cast<int>(k)); });
    choose_master();
    lay_out();
    ends_.release_ranks();
  }

  [[nodiscard]] std::size_t tasks() const override {
    return (volumes_.size() + targets_per_task - 1) / targets_per_task;
  }

  void find(std::size_t task, pair_batch& out) const override {
    const std::size_t from = task * targets_per_task;
    const std::size_t to = std::min(volumes_.size(), from + targets_per_task);
    if (way_ == 1) {
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
      scan.run(static_cast<std::size_t>(r.first), static_cast<std::size_t>(r.last), [&](std::size_t p) {
        ++tests;
        if (q.touches(volumes_.get(p))) out.add(volumes_.row_of(p));
      });
    }
    out.count.tests += tests;
    out.count.candidates += tests;
  }

  [[nodiscard]] plan planned() const override { return plan_; }
  [[nodiscard]] std::vector<stats::event> events() const override { return ends_.events(); }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = ends_.bytes() + volumes_.bytes();
    for (int k = 0; k < D; ++k) sum += bytes_of(ranges_[k]) + bytes_of(rank_[k]) + bytes_of(place_[k]);
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

  void find_ranges(int a);
  void choose_master();
  void lay_out();
  void find_by_ranges(std::size_t from, std::size_t to, pair_batch& out) const;
  void find_by_lists(std::size_t from, std::size_t to, pair_batch& out) const;

  struct axis_neighbors;

  int way_ = 3;
  bool by_insertion_;
  plan plan_;
  const world* world_ = nullptr;
  int master_ = 0;
  ranked_ends ends_{D, end_list::ends::lower};
  std::vector<range> ranges_[D];        // by rank, on axis a
  packed_volumes<D, S> volumes_;        // by place, that is, by rank on the master axis
  std::vector<std::int32_t> rank_[D];   // by place, on axis(k), k > 0
  std::vector<std::int32_t> place_[D];  // way 1: by rank on axis(k), k > 0
};

// The ranges on axis a (4.1.1.3): the upper limit is found by searching from the body's own place outwards, the lower
// limit is carried along.
template <int D, shape S>
void spatial_sort<D, S>::find_ranges(int a) {
  const std::span<const std::uint32_t> list = ends_.list(a).entries();
  std::vector<double> lower(list.size());
  std::vector<double> upper(list.size());
  for (std::size_t r = 0; r < list.size(); ++r) {
    const interval t = taken<D, S>(*world_, list[r], a);
    lower[r] = t.min;
    upper[r] = t.max;
  }
  ranges_[a].resize(list.size());
  std::size_t first = 0;
  for (std::size_t r = 0; r < list.size(); ++r) {
    while (upper[first] < lower[r]) ++first;
    const std::size_t last = gallop(list.size(), r, [&](std::size_t k) { return lower[k] <= upper[r]; });
    ranges_[a][r] = {static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)};
  }
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
}

// Way 1: the axis neighbors of some bodies, in linked lists, one per body and axis.
template <int D, shape S>
struct spatial_sort<D, S>::axis_neighbors {
  static constexpr std::size_t most = 1 << 16;  // the most entries before the lists are intersected and restarted
  static constexpr std::int32_t none = -1;

  struct entry {
    std::int32_t place;
    std::int32_t next;
  };
  std::vector<entry> pool{};
  std::vector<std::int32_t> heads{};  // D for each target
  std::vector<std::uint32_t> marks;   // by place: on how many axes it neighbors the current target
  std::uint32_t mark = 0;

  explicit axis_neighbors(std::size_t places) : marks(places, 0) {}

  void add(std::int32_t place) {
    pool.push_back({place, heads.back()});
    heads.back() = static_cast<std::int32_t>(pool.size()) - 1;
  }

  // Calls `f(place)` for each place that is in all D lists of a target.
  template <class F>
  void intersect(std::size_t target, F&& f) {
    for (int k = 0; k < D; ++k) {
      for (std::int32_t e = heads[target * D + static_cast<std::size_t>(k)]; e != none;) {
        const auto [place, next] = pool[static_cast<std::size_t>(e)];
        std::uint32_t& m = marks[static_cast<std::size_t>(place)];
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
  }
};

template <int D, shape S>
void spatial_sort<D, S>::find_by_lists(std::size_t from, std::size_t to, pair_batch& out) const {
  axis_neighbors lists(volumes_.size());
  std::uint64_t tests = 0;
  for (std::size_t begin = from; begin < to;) {
    std::size_t end = begin;
    for (; end < to && lists.pool.size() < axis_neighbors::most; ++end) {
      for (int k = 0; k < D; ++k) {
        lists.heads.push_back(axis_neighbors::none);
        const std::int32_t own = k == 0 ? static_cast<std::int32_t>(end) : rank_[k][end];
        const range around = range_at(end, k);
        const std::vector<range>& ranges = ranges_[axis(k)];
        for (std::int32_t r = around.first; r < around.last; ++r) {
          // A body that begins before this one is a neighbor if it reaches in, that is, if its own range contains this
          // one.
          if (r == own || (r < own && ranges[static_cast<std::size_t>(r)].last <= own)) continue;
          lists.add(k == 0 ? r : place_[k][static_cast<std::size_t>(r)]);
        }
      }
    }
    for (std::size_t p = begin; p < end; ++p) {
      lists.intersect(p - begin, [&](std::size_t q) {
        if (volumes_.row_of(q) <= volumes_.row_of(p)) return;
        ++tests;
        if (overlap(volumes_.get(p), volumes_.get(q), world_->margin())) {
          out.add(volumes_.row_of(p), volumes_.row_of(q));
        }
      });
    }
    lists.pool.clear();
    lists.heads.clear();
    begin = end;
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

constexpr parameter_info spatial_sort_parameters[] = {
    {.name = "way",
     .range = "1 | 2 | 3",
     .default_value = "3",
     .summary = "how to find bodies that begin before a body: by linked lists, extended ranges, or in one pass"},
    sort_parameter,
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
