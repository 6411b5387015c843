#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "methods/mr/frame.hpp"

namespace abut {

template <int D, shape S, bool Keep>
class mr_sort;

/// A body in a list: its neighbors there and, where they are kept, its integerized coordinates.
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

/// Which list of an `mr_lists` a body is in. MR has one for all; a step of MMR has one for the bodies of its own group
/// and one for all that are smaller, and leaves out those that are larger.
struct mr_members {
  static constexpr int none = -1;

  const std::uint8_t* group = nullptr;  ///< of each row; null: all are in list 0
  std::uint8_t step = 0;

  [[nodiscard]] int list_of(row i) const {
    if (group == nullptr || group[i] == step) return 0;
    return group[i] > step ? 1 : none;
  }
};

/// Bodies in doubly linked closed lists with list heads, sorted by cell (Munjiza et al. 2006, sections 2 to 4): 2
/// integers a body, and one more for each axis where the integerized coordinates are kept (25), (26). Beside that,
/// every 64th body of a list is a stop: searches begin there, and the list is split into tasks there.
///
/// Rows are nodes; the head of list h is the node after all rows, and the h-th of such.
template <int D, shape S, bool Keep>
class mr_lists {
 public:
  using digits = cell_digits<D>;
  using key = cell_key<D>;
  static constexpr std::size_t between_stops = 64;
  static constexpr std::size_t stops_a_task = 32;

  /// How lists are kept; `arrayed` adds an array of the rows in order, for binary search.
  struct style {
    int lists = 1;
    bool quick_sort_only = false;
    bool arrayed = false;
  };
  explicit mr_lists(style how) : how_(how), stops_(how.lists), orders_(how.lists) {}

  /// What it did, since it was made.
  struct tally {
    std::uint64_t quick_sorts = 0;
    std::uint64_t far_moves = 0;

    tally& operator+=(const tally& other) {
      quick_sorts += other.quick_sorts;
      far_moves += other.far_moves;
      return *this;
    }
  };

  /// Takes in the world: bodies that stay in their list by MR sort, those that are new by quick sort and merging. `map`
  /// and `before`: where the rows of the last update are now, and which list they were in; with an empty map all is
  /// sorted anew.
  void update(const world& w, std::span<const row> map, mr_frame<D, S> frame, const mr_members& before,
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
  [[nodiscard]] const mr_frame<D, S>& frame() const { return frame_; }
  [[nodiscard]] const tally& done() const { return done_; }

  /// The first body of a list that is not before this cell, or the head.
  [[nodiscard]] row seek(int list, const key& from) const;

  /// The rows of a list in order, where they are kept.
  [[nodiscard]] const std::vector<row>& order(int list) const { return orders_[list]; }

  /// Lists are split into tasks of 2048 bodies or so: task t goes from `begin` to before `end`.
  [[nodiscard]] std::size_t tasks(int list) const { return (stops_[list].size() + stops_a_task - 1) / stops_a_task; }
  [[nodiscard]] std::size_t stops_in(int list, std::size_t task) const {
    return std::min(stops_a_task, stops_[list].size() - task * stops_a_task);
  }
  [[nodiscard]] row begin(int list, std::size_t task) const { return stops_[list][task * stops_a_task]; }
  [[nodiscard]] row end(int list, std::size_t task) const {
    const std::size_t stop = (task + 1) * stops_a_task;
    return stop < stops_[list].size() ? stops_[list][stop] : head(list);
  }

  /// Asks for a node ahead of its use.
  void prefetch(row i) const { __builtin_prefetch(&nodes_[i]); }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = bytes_of(nodes_) + frame_.bytes();
    for (const auto& s : stops_) sum += bytes_of(s);
    for (const auto& o : orders_) sum += bytes_of(o);
    return sum;
  }

 private:
  friend class mr_sort<D, S, Keep>;
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
  mr_frame<D, S> frame_;
  std::size_t rows_ = 0;
  std::vector<mr_node<D, Keep>> nodes_;
  std::vector<std::vector<row>> stops_;
  std::vector<std::vector<row>> orders_;
  tally done_;
};

}  // namespace abut

#include "methods/mr/sort.hpp"

namespace abut {

template <int D, shape S, bool Keep>
void mr_lists<D, S, Keep>::update(const world& w, std::span<const row> map, mr_frame<D, S> frame,
                                  const mr_members& before, const mr_members& now) {
  const bool known = Keep && frame.same_as(frame_);
  world_ = &w;
  frame_ = std::move(frame);
  if (map.empty() || how_.quick_sort_only) {
    resize(w.size());
    for (int list = 0; list < how_.lists; ++list) sort_anew(list, now);
    return;
  }
  rename(map, before, now);
  for (int list = 0; list < how_.lists; ++list) {
    chain apart = newcomers(list, now);
    mr_sort<D, S, Keep> pass(*this, head(list), known);
    const bool done = pass.run(apart);
    done_.far_moves += pass.far_moves();
    if (!done) {
      sort_anew(list, now);
    } else if (!apart.empty() || how_.arrayed || pass.uneven()) {
      merge(list, quick_sort(apart));
    } else {
      stops_[list] = pass.stops();
    }
  }
}

// A vector of just this size: it makes up the memory that the method takes.
template <int D, shape S, bool Keep>
void mr_lists<D, S, Keep>::resize(std::size_t rows) {
  const std::size_t nodes = rows + static_cast<std::size_t>(how_.lists);
  if (nodes_.size() != nodes) nodes_ = std::vector<mr_node<D, Keep>>(nodes);
  rows_ = rows;
}

template <int D, shape S, bool Keep>
void mr_lists<D, S, Keep>::clear(int list) {
  link(head(list), head(list));
}

// Takes out bodies that are gone or belong to another list now, and gives the others their new rows. Afterwards bodies
// in no list are `unlinked`.
template <int D, shape S, bool Keep>
void mr_lists<D, S, Keep>::rename(std::span<const row> map, const mr_members& before, const mr_members& now) {
  bool same = map.size() == world_->size();
  for (row i = 0; i < map.size(); ++i) {
    same = same && map[i] == i;
    const int list = before.list_of(i);
    if (list == mr_members::none || (map[i] != no_row && now.list_of(map[i]) == list)) continue;
    unlink(i);
    nodes_[i].next = unlinked;
  }
  if (same) return;
  const mr_lists old = std::exchange(*this, mr_lists(how_));
  world_ = old.world_;
  frame_ = old.frame_;
  done_ = old.done_;
  resize(world_->size());
  for (auto& node : nodes_) node.next = unlinked;
  const auto renamed = [&](row i) { return i < old.rows_ ? map[i] : static_cast<row>(i - old.rows_ + rows_); };
  for (row i = 0; i < old.nodes_.size(); ++i) {
    const bool in_list = i >= old.rows_ || (before.list_of(i) != mr_members::none && old.nodes_[i].next != unlinked);
    if (!in_list) continue;
    link(renamed(i), renamed(old.nodes_[i].next));
    if constexpr (Keep) nodes_[renamed(i)].cell = old.nodes_[i].cell;
  }
}

// Bodies that should be in a list but are not yet.
template <int D, shape S, bool Keep>
typename mr_lists<D, S, Keep>::chain mr_lists<D, S, Keep>::newcomers(int list, const mr_members& now) {
  chain c;
  for (row i = 0; i < rows_; ++i) {
    if (nodes_[i].next != unlinked || now.list_of(i) != list) continue;
    refresh(i);
    push(c, i);
  }
  return c;
}

template <int D, shape S, bool Keep>
void mr_lists<D, S, Keep>::sort_anew(int list, const mr_members& now) {
  ++done_.quick_sorts;
  clear(list);
  chain all;
  for (row i = 0; i < rows_; ++i) {
    if (now.list_of(i) != list) {
      if (now.list_of(i) == mr_members::none) nodes_[i].next = unlinked;
      continue;
    }
    refresh(i);
    push(all, i);
  }
  merge(list, quick_sort(all));
}

// Section 3: parts at the cell half-way between the least and the greatest. Both parts hold something, and the range of
// cells halves each time, so that no more than 3 x 32 parts wait at once. Equal cells keep their order.
template <int D, shape S, bool Keep>
typename mr_lists<D, S, Keep>::chain mr_lists<D, S, Keep>::quick_sort(chain c) {
  struct part {
    chain bodies;
    std::size_t count;
    key least;
    key most;
  };
  chain sorted;
  if (c.empty()) return sorted;
  part all{c, 0, key::last(), key(0, 0)};
  for (row i = c.first;; i = nodes_[i].next) {
    const key at = key_of(i);
    all.least = std::min(all.least, at);
    all.most = std::max(all.most, at);
    ++all.count;
    if (i == c.last) break;
  }
  std::vector<part> waiting{all};
  while (!waiting.empty()) {
    const part whole = waiting.back();
    waiting.pop_back();
    if (whole.least == whole.most) {
      append(sorted, whole.bodies);
    } else if (whole.count <= 12) {
      append(sorted, sort_few(whole.bodies, whole.count));
    } else {
      const key pivot(middle_cell<D>(whole.least.digits(), whole.most.digits(), frame_.radix()));
      part low{{}, 0, whole.least, whole.least};
      part high{{}, 0, whole.most, whole.most};
      for (row i = whole.bodies.first, after = 0;; i = after) {
        after = nodes_[i].next;
        const key at = key_of(i);
        const bool up = pivot < at;
        push(up ? high.bodies : low.bodies, i);
        ++(up ? high.count : low.count);
        if (up) {
          high.least = std::min(high.least, at);
        } else {
          low.most = std::max(low.most, at);
        }
        if (i == whole.bodies.last) break;
      }
      waiting.push_back(high);
      waiting.push_back(low);
    }
  }
  return sorted;
}

// A few bodies by insertion.
template <int D, shape S, bool Keep>
typename mr_lists<D, S, Keep>::chain mr_lists<D, S, Keep>::sort_few(const chain& c, std::size_t count) {
  std::pair<key, row> few[12];
  row i = c.first;
  for (std::size_t k = 0; k < count; ++k, i = nodes_[i].next) {
    const key at = key_of(i);
    std::size_t place = k;
    for (; place > 0 && at < few[place - 1].first; --place) few[place] = few[place - 1];
    few[place] = {at, i};
  }
  chain sorted;
  for (std::size_t k = 0; k < count; ++k) push(sorted, few[k].second);
  return sorted;
}

// Merges sorted bodies into a list, and places the stops.
template <int D, shape S, bool Keep>
void mr_lists<D, S, Keep>::merge(int list, chain sorted) {
  std::vector<row>& order = orders_[list];
  std::vector<row>& stops = stops_[list];
  order.clear();
  stops.clear();
  std::size_t count = 0;
  row fresh = sorted.first;
  key fresh_key = sorted.empty() ? key::last() : key_of(fresh);
  for (row at = head(list); true;) {
    const row old = nodes_[at].next;
    if (fresh != unlinked && (old == head(list) || fresh_key < key_of(old))) {
      const row after = fresh == sorted.last ? unlinked : nodes_[fresh].next;
      insert_after(at, fresh);
      at = fresh;
      fresh = after;
      fresh_key = after == unlinked ? key::last() : key_of(after);
    } else {
      at = old;
    }
    if (at == head(list)) break;
    if (count++ % between_stops == 0) stops.push_back(at);
    if (how_.arrayed) order.push_back(at);
  }
  stops.shrink_to_fit();
  order.shrink_to_fit();
}

template <int D, shape S, bool Keep>
row mr_lists<D, S, Keep>::seek(int list, const key& from) const {
  const std::vector<row>& stops = stops_[list];
  const auto stop = std::partition_point(stops.begin(), stops.end(), [&](row i) { return key_of(i) < from; });
  row i = stop == stops.begin() ? nodes_[head(list)].next : *(stop - 1);
  while (i < rows_ && key_of(i) < from) i = nodes_[i].next;
  return i;
}

}  // namespace abut
