#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "methods/mr/list.hpp"

namespace abut {

/// MR-linear sort (Munjiza et al. 2006, section 4): takes a list that is sorted by the cells in which bodies were at
/// the last update, and sorts it by their current cells in one pass.
///
/// A body that now comes before its predecessor is moved back to its place by a table of pointers. There is one for
/// each cell that neighbors the body's old cell, and it points to the last body up to that cell. Old cells never
/// decrease along the list, so the pointers only move forward. Ours differs from the paper's in two ways, both of which
/// leave it linear:
/// - A body that now comes after its successor waits in a queue until the pass reaches its place; otherwise all bodies
///   between would come before their predecessor, and would be moved. There is one queue for each neighboring cell,
///   which is sorted by itself.
/// - Bodies that have moved by more than a cell are set apart, for the caller to sort and merge.
///
/// If a body's old cell is unknown (the integers are not kept, or the cells have changed), it is presumed to be the
/// least cell that neighbors the body's current cell and does not come before its predecessor's. If no body has moved
/// by more than a cell, this never fails: by induction, the presumed cell never comes after the true one.
template <int D, bool Keep>
class mr_sort {
  using lists = mr_lists<D, Keep>;
  using key = typename lists::key;
  using digits = typename lists::digits;
  using chain = typename lists::chain;

 public:
  mr_sort(lists& l, row head, bool known) : l_(l), head_(head), known_(known), tail_{head, key(0, 0)} {
    pointers_.fill(tail_);
    presumed_.fill(0);
    stops_.push_back(head);  // stands for the first body until that is known
  }

  /// Sorts the list, except for the bodies that it adds to `apart`. Gives up and returns false if more than half of the
  /// bodies have moved far.
  bool run(chain& apart) {
    visit here = look(l_.next(head_));
    std::uint64_t seen = 1;
    for (; here.at != head_; ++seen) {
      const visit after = look(l_.next(here.at));
      if (!place(here, after)) {
        l_.unlink(here.at);
        l_.push(apart, here.at);
        if (++far_ > seen / 2 + 512) return false;
      }
      if (seen % lists::between_stops == 0 && tail_.at != stops_.back()) stops_.push_back(tail_.at);
      here = after;
    }
    flush(key::last());
    stops_[0] = l_.next(head_);
    if (stops_.size() > 1 && stops_[1] == stops_[0]) stops_.erase(stops_.begin());
    if (stops_[0] == head_) stops_.clear();
    uneven_ = 4 * back_ > seen;
    return true;
  }

  [[nodiscard]] std::uint64_t far_moves() const { return far_; }
  [[nodiscard]] typename lists::work worked() const { return {back_ + waited_ + far_, steps_, 0}; }

  /// The list's stops, one for every 64 bodies that were passed. Bodies that were moved back lie between them; if there
  /// are so many that stops may be far apart, the list is `uneven`.
  [[nodiscard]] const std::vector<row>& stops() const { return stops_; }
  [[nodiscard]] bool uneven() const { return uneven_; }

 private:
  static constexpr int classes = D == 3 ? 27 : 9;  // the number of cells around a body's old cell, itself included
  static constexpr int far = -1;

  struct visit {
    row at;
    digits was;
    digits now;
    key place;
  };
  struct pointer {
    row at;
    key place;
    std::size_t stop = 0;  // the last stop at or before this place
  };
  struct queue {
    chain bodies{};
    key last{0, 0};
  };

  visit look(row i) {
    if (i == head_) return {i, {}, {}, key::last()};
    visit v;
    v.at = i;
    if constexpr (Keep) v.was = l_.nodes_[i].cell;
    l_.refresh(i);
    v.now = l_.cell(i);
    v.place = key(v.now);
    return v;
  }

  static int class_of(const digits& was, const digits& now) {
    int c = 0;
    for (int k = D - 1; k >= 0; --k) {
      const std::uint32_t step = now[k] - was[k] + 1;
      if (step > 2) return far;
      c = 3 * c + static_cast<int>(step);
    }
    return c;
  }

  int presume(const visit& here, const visit& after) {
    auto was = least_neighbor<D>(here.now, presumed_);
    if (was && after.place < here.place && !least_neighbor<D>(after.now, *was) &&
        least_neighbor<D>(after.now, presumed_)) {
      return far;  // it has jumped ahead: the next body fits without it
    }
    if (!was) {
      // If this many in sequence are behind, a body that looked right must have jumped ahead.
      if (++misses_ < 8) return far;
      was = least_neighbor<D>(here.now, digits{});
    }
    misses_ = 0;
    presumed_ = *was;
    return class_of(presumed_, here.now);
  }

  // Returns false if the body must be placed in another way.
  bool place(const visit& here, const visit& after) {
    const int c = known_ ? class_of(here.was, here.now) : presume(here, after);
    if (c == far) return false;
    if (here.place < tail_.place) return move_back(here, c);
    if (after.place < here.place) return wait(here, c);
    if (next_place_ < here.place) flush(here.place);
    tail_ = {here.at, here.place};
    return true;
  }

  // The three pointers of a line of cells are close together, so the nearest one leads. If it is far behind, it first
  // goes from stop to stop.
  bool move_back(const visit& here, int c) {
    const pointer* nearest = nullptr;
    for (int p = c - c % 3; p < c - c % 3 + 3; ++p) {
      const bool before = pointers_[p].place <= here.place;
      if (before && (nearest == nullptr || nearest->place < pointers_[p].place)) nearest = &pointers_[p];
    }
    if (nearest == nullptr) return false;
    row at = nearest->at;
    std::size_t stop = nearest->stop;
    for (; stop + 1 < stops_.size() && l_.key_of(stops_[stop + 1]) <= here.place; ++stop, ++steps_) {
      at = stops_[stop + 1];
    }
    for (row i = l_.next(at); l_.key_of(i) <= here.place; i = l_.next(i), ++steps_) at = i;
    l_.unlink(here.at);
    l_.insert_after(at, here.at);
    pointers_[c] = {here.at, here.place, stop};
    ++back_;
    return true;
  }

  bool wait(const visit& here, int c) {
    queue& q = waiting_[c];
    if (!q.bodies.empty() && here.place < q.last) return false;  // happens only if a cell was presumed wrongly
    l_.unlink(here.at);
    l_.push(q.bodies, here.at);
    q.last = here.place;
    if (q.bodies.first == here.at) places_[c] = here.place;
    next_place_ = std::min(next_place_, here.place);
    ++waited_;
    return true;
  }

  // Puts the waiting bodies whose place is before this one after the tail.
  void flush(const key& before) {
    while (next_place_ < before) {
      const auto c = static_cast<std::size_t>(std::min_element(places_.begin(), places_.end()) - places_.begin());
      chain& bodies = waiting_[c].bodies;
      const row i = bodies.first;
      const row after = i == bodies.last ? lists::unlinked : l_.next(i);
      l_.insert_after(tail_.at, i);
      tail_ = {i, places_[c]};
      bodies.first = after;
      places_[c] = after == lists::unlinked ? key::last() : l_.key_of(after);
      next_place_ = *std::min_element(places_.begin(), places_.end());
    }
  }

  lists& l_;
  row head_;
  bool known_;
  pointer tail_;  // the last body that is in its place
  std::array<pointer, classes> pointers_;
  std::array<queue, classes> waiting_{};
  std::array<key, classes> places_ = all_last();  // of the first waiting body of each queue
  key next_place_ = key::last();
  digits presumed_;
  int misses_ = 0;
  std::uint64_t far_ = 0;
  std::uint64_t back_ = 0;
  std::uint64_t waited_ = 0;
  std::uint64_t steps_ = 0;  // of the pointers, to find places farther back
  bool uneven_ = false;
  std::vector<row> stops_;

  static std::array<key, classes> all_last() {
    std::array<key, classes> all;
    all.fill(key::last());
    return all;
  }
};

}  // namespace abut
