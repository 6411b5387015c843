#include "methods/mr/list.hpp"

#include <algorithm>
#include <utility>

#include "methods/mr/sort.hpp"

namespace abut {

template <int D, bool Keep>
void mr_lists<D, Keep>::update(const world& w, std::span<const row> map, mr_frame<D> frame, const mr_members& before,
                               const mr_members& now) {
  const bool known = Keep && frame.same_as(frame_);
  world_ = &w;
  frame_ = std::move(frame);
  work_ = {};
  if (map.empty() || how_.quick_sort_only) {
    resize(w.size());
    for (int list = 0; list < how_.lists; ++list) sort_anew(list, now);
    return;
  }
  rename(map, before, now);
  for (int list = 0; list < how_.lists; ++list) {
    chain apart = newcomers(list, now);
    mr_sort<D, Keep> pass(*this, head(list), known);
    const bool done = pass.run(apart);
    done_.far_moves += pass.far_moves();
    work_ += pass.worked();
    if (!done) {
      sort_anew(list, now);
    } else if (!apart.empty() || how_.arrayed || pass.uneven()) {
      merge(list, quick_sort(apart));
    } else {
      stops_[list] = pass.stops();
    }
  }
}

// Resizes to exactly this size, since these vectors are most of the method's memory.
template <int D, bool Keep>
void mr_lists<D, Keep>::resize(std::size_t rows) {
  const std::size_t nodes = rows + static_cast<std::size_t>(how_.lists + how_.spare_heads);
  if (own_.size() != nodes) own_ = std::vector<mr_node<D, Keep>>(nodes);
  nodes_ = own_.data();
  rows_ = rows;
}

template <int D, bool Keep>
void mr_lists<D, Keep>::clear(int list) {
  link(head(list), head(list));
}

// Removes bodies that are gone or now belong to another list, and gives the others their new rows. Afterwards, bodies
// that are in no list are `unlinked`.
template <int D, bool Keep>
void mr_lists<D, Keep>::rename(std::span<const row> map, const mr_members& before, const mr_members& now) {
  bool same = map.size() == world_->size();
  for (row i = 0; i < map.size(); ++i) {
    same = same && map[i] == i;
    const int list = before.list_of(i);
    if (list == mr_members::none || (map[i] != no_row && now.list_of(map[i]) == list)) continue;
    unlink(i);
    next_of(i) = unlinked;
  }
  if (same) return;
  const mr_lists old = std::exchange(*this, mr_lists(how_));
  world_ = old.world_;
  frame_ = old.frame_;
  done_ = old.done_;
  resize(world_->size());
  for (row i = 0; i < rows_; ++i) next_of(i) = unlinked;
  const auto renamed = [&](row i) { return i < old.rows_ ? map[i] : static_cast<row>(i - old.rows_ + rows_); };
  for (row i = 0; i < old.rows_ + static_cast<std::size_t>(how_.lists); ++i) {
    const bool in_list = i >= old.rows_ || (before.list_of(i) != mr_members::none && old.next(i) != unlinked);
    if (!in_list) continue;
    link(renamed(i), renamed(old.next(i)));
    if constexpr (Keep) nodes_[renamed(i)].cell = old.nodes_[i].cell;
  }
}

// Bodies that should be in a list but are not yet.
template <int D, bool Keep>
typename mr_lists<D, Keep>::chain mr_lists<D, Keep>::newcomers(int list, const mr_members& now) {
  chain c;
  for (row i = 0; i < rows_; ++i) {
    if (next_of(i) != unlinked || now.list_of(i) != list) continue;
    refresh(i);
    push(c, i);
  }
  return c;
}

template <int D, bool Keep>
void mr_lists<D, Keep>::sort_anew(int list, const mr_members& now) {
  ++done_.quick_sorts;
  clear(list);
  chain all;
  for (row i = 0; i < rows_; ++i) {
    if (now.list_of(i) != list) {
      if (now.list_of(i) == mr_members::none) next_of(i) = unlinked;
      continue;
    }
    refresh(i);
    push(all, i);
  }
  merge(list, quick_sort(all));
}

// Section 3: splits at the cell half-way between the least and the greatest. Both parts are non-empty, and the range of
// cells halves each time, so at most 3 x 32 parts wait at once. Equal cells keep their order.
template <int D, bool Keep>
typename mr_lists<D, Keep>::chain mr_lists<D, Keep>::quick_sort(chain c) {
  struct part {
    chain bodies;
    std::size_t count;
    key least;
    key most;
  };
  chain sorted;
  if (c.empty()) return sorted;
  part all{c, 0, key::last(), key(0, 0)};
  for (row i = c.first;; i = next_of(i)) {
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
    work_.quick_steps += whole.count;
    if (whole.least == whole.most) {
      append(sorted, whole.bodies);
    } else if (whole.count <= 12) {
      append(sorted, sort_few(whole.bodies, whole.count));
    } else {
      const key pivot(middle_cell<D>(whole.least.digits(), whole.most.digits(), frame_.radix()));
      part low{{}, 0, whole.least, whole.least};
      part high{{}, 0, whole.most, whole.most};
      for (row i = whole.bodies.first, after = 0;; i = after) {
        after = next_of(i);
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

// Sorts a few bodies by insertion.
template <int D, bool Keep>
typename mr_lists<D, Keep>::chain mr_lists<D, Keep>::sort_few(const chain& c, std::size_t count) {
  std::pair<key, row> few[12];
  row i = c.first;
  for (std::size_t k = 0; k < count; ++k, i = next_of(i)) {
    const key at = key_of(i);
    std::size_t place = k;
    for (; place > 0 && at < few[place - 1].first; --place) few[place] = few[place - 1];
    few[place] = {at, i};
  }
  chain sorted;
  for (std::size_t k = 0; k < count; ++k) push(sorted, few[k].second);
  return sorted;
}

// Merges sorted bodies into a list, and sets the stops.
template <int D, bool Keep>
void mr_lists<D, Keep>::merge(int list, chain sorted) {
  std::vector<row>& order = orders_[list];
  std::vector<row>& stops = stops_[list];
  order.clear();
  stops.clear();
  std::size_t count = 0;
  row fresh = sorted.first;
  key fresh_key = sorted.empty() ? key::last() : key_of(fresh);
  for (row at = head(list); true;) {
    const row old = next_of(at);
    if (fresh != unlinked && (old == head(list) || fresh_key < key_of(old))) {
      const row after = fresh == sorted.last ? unlinked : next_of(fresh);
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

template <int D, bool Keep>
row mr_lists<D, Keep>::seek(int list, const key& from) const {
  const std::vector<row>& stops = stops_[list];
  const auto stop = std::partition_point(stops.begin(), stops.end(), [&](row i) { return key_of(i) < from; });
  row i = stop == stops.begin() ? next_of(head(list)) : *(stop - 1);
  while (i < rows_ && key_of(i) < from) i = next_of(i);
  return i;
}

template class mr_lists<2, true>;
template class mr_lists<2, false>;
template class mr_lists<3, true>;
template class mr_lists<3, false>;

}  // namespace abut
