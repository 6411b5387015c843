#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "methods/mr/frame.hpp"

namespace abut {

template <int D, bool Keep>
class mr_sort;

/// A body in a list: its neighbors there, the next one first, and, if they are kept, its integerized coordinates.
template <int D, bool Keep>
struct mr_node {
  row link[2];
  cell_digits<D> cell;
};
template <int D>
struct mr_node<D, false> {
  row link[2];
};

/// Which list of an `mr_lists` a body is in. MR has one list for all; a step of MMR has one for the bodies of its own
/// group and one for all smaller bodies, and leaves out larger ones.
struct mr_members {
  static constexpr int none = -1;

  const std::uint8_t* group = nullptr;  ///< of each row; if null, all are in list 0
  std::uint8_t step = 0;

  [[nodiscard]] int list_of(row i) const {
    if (group == nullptr || group[i] == step) return 0;
    return group[i] > step ? 1 : none;
  }
};

/// Bodies in doubly linked closed lists with list heads, sorted by cell (Munjiza et al. 2006, sections 2 to 4): 2
/// integers per body, and one more per axis if the integerized coordinates are kept (25), (26). In addition, every 64th
/// body of a list is a stop, at which searches and tasks can begin.
///
/// Nodes are numbered: first the rows, then the heads of the lists.
template <int D, bool Keep>
class mr_lists {
 public:
  using digits = cell_digits<D>;
  using key = cell_key<D>;
  static constexpr std::size_t between_stops = 64;
  static constexpr std::size_t stops_per_task = 32;

  /// How lists are kept; `arrayed` adds an array of the rows in order, for binary search.
  struct style {
    int lists = 1;
    int spare_heads = 0;  ///< for lists that borrow the nodes: see `remaining`
    bool quick_sort_only = false;
    bool arrayed = false;
  };
  explicit mr_lists(style how) : how_(how), stops_(how.lists), orders_(how.lists) {}
  mr_lists(mr_lists&&) noexcept = default;
  mr_lists& operator=(mr_lists&&) noexcept = default;

  /// Counts of its work, since it was made.
  struct tally {
    std::uint64_t quick_sorts = 0;
    std::uint64_t far_moves = 0;

    tally& operator+=(const tally& other) {
      quick_sorts += other.quick_sorts;
      far_moves += other.far_moves;
      return *this;
    }
  };

  /// What an update did; of lists that shrink, what has been done since they were made.
  struct work {
    std::uint64_t moves = 0;        ///< bodies that MR sort put elsewhere in their list
    std::uint64_t sort_steps = 0;   ///< from body to body, by MR sort's table of pointers
    std::uint64_t quick_steps = 0;  ///< from body to body, by quick sort

    work& operator+=(const work& other) {
      moves += other.moves;
      sort_steps += other.sort_steps;
      quick_steps += other.quick_steps;
      return *this;
    }
    [[nodiscard]] std::vector<stats::event> named() const {
      return {{"moves", moves}, {"sort steps", sort_steps}, {"quick sort steps", quick_steps}};
    }
  };

  /// Takes in the world. Bodies that stay in their list are sorted by MR sort, new ones by quick sort and merging.
  /// `map` and `before` say where the rows of the last update are now, and which list they were in; with an empty map,
  /// everything is sorted anew.
  void update(const world& w, std::span<const row> map, mr_frame<D> frame, const mr_members& before,
              const mr_members& now);

  [[nodiscard]] row head(int list) const { return static_cast<row>(rows_ + static_cast<std::size_t>(list)); }
  [[nodiscard]] row next(row i) const { return next_of(i); }
  [[nodiscard]] digits cell(row i) const {
    if constexpr (Keep) {
      return nodes_[i].cell;
    } else {
      return frame_.cell(*world_, i);
    }
  }
  [[nodiscard]] key key_of(row i) const { return key(cell(i)); }
  [[nodiscard]] key key_or_last(row i) const { return i < rows_ ? key_of(i) : key::last(); }
  [[nodiscard]] const world& of() const { return *world_; }
  [[nodiscard]] const mr_frame<D>& frame() const { return frame_; }
  [[nodiscard]] const tally& done() const { return done_; }
  [[nodiscard]] const work& worked() const { return work_; }

  /// The first body of a list that is not before this cell; the head if there is none.
  [[nodiscard]] row seek(int list, const key& from) const;

  /// The rows of a list in order; only if they are kept.
  [[nodiscard]] const std::vector<row>& order(int list) const { return orders_[list]; }

  /// Lists are split into tasks of about 2048 bodies: task t goes from `begin` up to, but not including, `end`.
  [[nodiscard]] std::size_t tasks(int list) const {
    return (stops_[list].size() + stops_per_task - 1) / stops_per_task;
  }
  [[nodiscard]] std::size_t stops_in(int list, std::size_t task) const {
    return std::min(stops_per_task, stops_[list].size() - task * stops_per_task);
  }
  [[nodiscard]] row begin(int list, std::size_t task) const { return stops_[list][task * stops_per_task]; }
  [[nodiscard]] row end(int list, std::size_t task) const {
    const std::size_t stop = (task + 1) * stops_per_task;
    return stop < stops_[list].size() ? stops_[list][stop] : head(list);
  }

  /// Lists of MMR's steps, as section 7 has them: list 0 takes the bodies of list 0 here that are in the group, by
  /// `in_group(row)`, and list 1 all others, both in their present order.
  ///
  /// A search needs only the links to the next body. If `in_place`, the new lists use the links to the previous body
  /// for that, so that they take no memory; these links here are wrong until `mend` is called. Otherwise they have
  /// nodes of their own. There must be a spare head.
  template <class InGroup>
  [[nodiscard]] mr_lists remaining(bool in_place, InGroup&& in_group) const {
    mr_lists rest(style{.lists = 2});
    rest.world_ = world_;
    rest.frame_ = frame_;
    rest.rows_ = rows_;
    rest.forward_ = 1;
    if (!in_place) rest.own_.resize(own_.size());
    rest.nodes_ = in_place ? nodes_ : rest.own_.data();
    chain group;
    chain smaller;
    for (row i = next(head(0)); i != head(0); i = next(i)) rest.push(in_group(i) ? group : smaller, i);
    rest.close(0, group);
    rest.close(1, smaller);
    return rest;
  }

  /// The next step of lists that `remaining` made: drops list 0, sorts list 1 by the cells of this frame, and divides
  /// it in the same way. List 1 must not be empty.
  template <class InGroup>
  void narrow(mr_frame<D> frame, InGroup&& in_group) {
    frame_ = std::move(frame);
    const chain sorted = quick_sort({next(head(1)), last_smaller_});
    chain group;
    chain smaller;
    for (row i = sorted.first, after = 0;; i = after) {
      after = next(i);
      push(in_group(i) ? group : smaller, i);
      if (i == sorted.last) break;
    }
    close(0, group);
    close(1, smaller);
  }
  [[nodiscard]] bool empty(int list) const { return stops_[list].empty(); }

  /// Sets the links of list 0 to the previous bodies again.
  void mend() const {
    for (row i = head(0);;) {
      const row after = next(i);
      prev_of(after) = i;
      if (after == head(0)) break;
      i = after;
    }
  }

  /// Prefetches a node.
  void prefetch(row i) const { __builtin_prefetch(&nodes_[i]); }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = bytes_of(own_) + frame_.bytes();
    for (const auto& s : stops_) sum += bytes_of(s);
    for (const auto& o : orders_) sum += bytes_of(o);
    return sum;
  }

 private:
  friend class mr_sort<D, Keep>;
  static constexpr row unlinked = ~row{0};

  // Which of a node's links leads to the next body.
  [[nodiscard]] std::size_t forward() const {
    if constexpr (Keep) {
      return 0;
    } else {
      return forward_;
    }
  }
  [[nodiscard]] row& next_of(row i) const { return nodes_[i].link[forward()]; }
  [[nodiscard]] row& prev_of(row i) const { return nodes_[i].link[1 - forward()]; }

  // Bodies linked one way, outside the lists.
  struct chain {
    row first = unlinked;
    row last = unlinked;

    [[nodiscard]] bool empty() const { return first == unlinked; }
  };
  void push(chain& c, row i) {
    if (c.empty()) {
      c.first = i;
    } else {
      next_of(c.last) = i;
    }
    c.last = i;
  }
  void append(chain& c, const chain& more) {
    push(c, more.first);
    c.last = more.last;
  }

  // Makes a chain a list with one stop, which is searched as one task. Sets the links to the next bodies only.
  void close(int list, const chain& c) {
    next_of(head(list)) = c.empty() ? head(list) : c.first;
    if (!c.empty()) next_of(c.last) = head(list);
    stops_[list].assign(c.empty() ? 0 : 1, c.first);
    if (list == 1) last_smaller_ = c.last;
  }

  void link(row a, row b) {
    next_of(a) = b;
    prev_of(b) = a;
  }
  void insert_after(row at, row i) {
    link(i, next_of(at));
    link(at, i);
  }
  void unlink(row i) { link(prev_of(i), next_of(i)); }

  void refresh(row i) {
    if constexpr (Keep) nodes_[i].cell = frame_.cell(*world_, i);
  }

  void resize(std::size_t rows);
  void clear(int list);
  void rename(std::span<const row> map, const mr_members& before, const mr_members& now);
  [[nodiscard]] chain newcomers(int list, const mr_members& now);
  void sort_anew(int list, const mr_members& now);
  [[nodiscard]] chain quick_sort(chain c);
  [[nodiscard]] chain sort_few(const chain& c, std::size_t count);
  void merge(int list, chain sorted);

  style how_;
  const world* world_ = nullptr;
  mr_frame<D> frame_;
  std::size_t rows_ = 0;
  std::vector<mr_node<D, Keep>> own_;
  mr_node<D, Keep>* nodes_ = nullptr;  // those of `own_`, or borrowed
  std::size_t forward_ = 0;
  row last_smaller_ = unlinked;  // of lists that `remaining` made
  std::vector<std::vector<row>> stops_;
  std::vector<std::vector<row>> orders_;
  tally done_;
  work work_;
};

extern template class mr_lists<2, true>;
extern template class mr_lists<2, false>;
extern template class mr_lists<3, true>;
extern template class mr_lists<3, false>;

}  // namespace abut
