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

/// A body in a list: its neighbors there and, if they are kept, its integerized coordinates.
template <int D, bool Keep>
struct mr_node {
  row next;
  row prev;
  cell_digits<D> cell;
};
template <int D>
struct mr_node<D, false> {
  row next;
  row prev;
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
    bool quick_sort_only = false;
    bool arrayed = false;
  };
  explicit mr_lists(style how) : how_(how), stops_(how.lists), orders_(how.lists) {}

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

  /// Takes in the world. Bodies that stay in their list are sorted by MR sort, new ones by quick sort and merging.
  /// `map` and `before` say where the rows of the last update are now, and which list they were in; with an empty map,
  /// everything is sorted anew.
  void update(const world& w, std::span<const row> map, mr_frame<D> frame, const mr_members& before,
              const mr_members& now);

  [[nodiscard]] row head(int list) const { return static_cast<row>(rows_ + static_cast<std::size_t>(list)); }
  [[nodiscard]] row next(row i) const { return nodes_[i].next; }
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

  /// Prefetches a node.
  void prefetch(row i) const { __builtin_prefetch(&nodes_[i]); }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = bytes_of(nodes_) + frame_.bytes();
    for (const auto& s : stops_) sum += bytes_of(s);
    for (const auto& o : orders_) sum += bytes_of(o);
    return sum;
  }

 private:
  friend class mr_sort<D, Keep>;
  static constexpr row unlinked = ~row{0};

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
      nodes_[c.last].next = i;
    }
    c.last = i;
  }
  void append(chain& c, const chain& more) {
    push(c, more.first);
    c.last = more.last;
  }

  void link(row a, row b) {
    nodes_[a].next = b;
    nodes_[b].prev = a;
  }
  void insert_after(row at, row i) {
    link(i, nodes_[at].next);
    link(at, i);
  }
  void unlink(row i) { link(nodes_[i].prev, nodes_[i].next); }

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
  std::vector<mr_node<D, Keep>> nodes_;
  std::vector<std::vector<row>> stops_;
  std::vector<std::vector<row>> orders_;
  tally done_;
};

extern template class mr_lists<2, true>;
extern template class mr_lists<2, false>;
extern template class mr_lists<3, true>;
extern template class mr_lists<3, false>;

}  // namespace abut
