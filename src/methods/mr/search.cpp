#include "methods/mr/search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace abut {

namespace {

// The bodies that one line of the contact mask currently holds, between its first and its last pointer (Munjiza et al.
// 2006, section 5). Both only move forward. The bodies they pass are copied, so that those a line holds, which many
// central cells look at, are together in cache.
template <int D, shape S, bool Keep>
class mr_window {
 public:
  using lists = mr_lists<D, Keep>;
  using key = typename lists::key;

  struct entry {
    volume<D, S> body;
    std::uint32_t x;
    row at;
  };

  mr_window(const lists& l, int list) : l_(&l), list_(list) {}

  // Sets the last pointer to where a search from this cell on begins.
  void seek(const key& from) {
    after_ = l_->seek(list_, from);
    step();
    line_ = from.line;
  }

  // Holds the bodies in the cells `from` to `to` of a line. Neither the line nor the cells may be before those of the
  // last call.
  void advance(std::uint64_t line, std::uint32_t from, std::uint32_t to) {
    drop(line, from);
    const key last(line, to);
    std::uint64_t steps = 0;
    for (; place_ <= last; step(), ++steps) {
      if (place_.line == line && place_.x >= from) add(at_, place_.x);
    }
    steps_ += steps;
  }

  // The same by binary search in the list's array.
  void look_up(std::uint64_t line, std::uint32_t from, std::uint32_t to) {
    entries_.clear();
    begin_ = 0;
    const std::vector<row>& order = l_->order(list_);
    auto i = std::partition_point(order.begin(), order.end(), [&](row r) { return l_->key_of(r) < key(line, from); });
    for (const key last(line, to); i != order.end(); ++i) {
      const key at = l_->key_of(*i);
      if (last < at) break;
      add(*i, at.x);
    }
    steps_ += entries_.size();
  }

  // Drops the bodies before a cell or on another line.
  void drop(std::uint64_t line, std::uint32_t from) {
    if (line != line_) {
      begin_ = entries_.size();
      line_ = line;
    }
    while (begin_ < entries_.size() && entries_[begin_].x < from) ++begin_;
    if (begin_ == entries_.size()) {
      entries_.clear();
      begin_ = 0;
    } else if (begin_ > 1024 && begin_ > entries_.size() / 2) {
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(begin_));
      begin_ = 0;
    }
  }

  void add(row i, std::uint32_t x) { entries_.push_back(entry_of(*l_, i, x)); }
  void add(const entry& e) { entries_.push_back(e); }

  // Adds all bodies from the last pointer on, up to this one.
  void add_until(row end) {
    for (; at_ != end; step()) add(at_, place_.x);
  }

  // How often the last pointer has moved to the next body.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  [[nodiscard]] const entry* begin() const { return entries_.data() + begin_; }
  [[nodiscard]] const entry* end() const { return entries_.data() + entries_.size(); }

  static entry entry_of(const lists& l, row i, std::uint32_t x) {
    const world& w = l.of();
    return {w.get<D, S>(i), x, i};
  }

 private:
  void step() {
    at_ = after_;
    place_ = l_->key_or_last(at_);
    after_ = l_->next(at_);
    l_->prefetch(after_);
  }

  const lists* l_;
  int list_;
  row at_ = 0;
  row after_ = 0;
  key place_ = key::last();
  std::uint64_t line_ = 0;
  std::size_t begin_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<entry> entries_;
};

// Finds pairs in sorted lists.
template <int D, shape S, bool Keep>
class mr_searcher {
 public:
  using lists = mr_lists<D, Keep>;
  using key = typename lists::key;
  using window = mr_window<D, S, Keep>;
  using entry = typename window::entry;

  mr_searcher(const lists& l, bool binary, pair_batch& out)
      : l_(l), binary_(binary), margin_(l.of().margin()), out_(out) {}
  ~mr_searcher() {
    out_.count.tests += tests_;
    out_.count.candidates += tests_;
    out_.count.named[0] += steps_;
  }
  mr_searcher(const mr_searcher&) = delete;
  mr_searcher& operator=(const mr_searcher&) = delete;

  // The pairs of a task's bodies with those before them in the same list: MR search.
  void within(int list, std::size_t task) {
    constexpr std::size_t others = contact_mask<D>.size() - 1;
    std::vector<window> lines(others, window(l_, list));
    window own(l_, list);
    row i = l_.begin(list, task);
    const row end = l_.end(list, task);
    key at = l_.key_of(i);
    for (std::size_t r = 0; r < others; ++r) lines[r].seek(key(at.line + contact_mask<D>[r].line(), at.x - 1));
    own.seek(key(at.line, at.x - 1));
    own.add_until(i);
    key central = key::last();
    for (; i != end; i = l_.next(i)) {
      l_.prefetch(l_.next(i));
      at = l_.key_of(i);
      if (!(at == central)) {
        central = at;
        for (std::size_t r = 0; r < others; ++r) look(lines[r], central, contact_mask<D>[r]);
        own.drop(central.line, central.x - 1);
      }
      const entry body = window::entry_of(l_, i, central.x);
      for (const window& r : lines) meet(body, r);
      meet(body, own);
      own.add(body);
      ++steps_;
    }
    count_steps(lines);
  }

  // The pairs of a task's bodies with those of another list.
  void between(int list, std::size_t task, int other) {
    constexpr std::size_t all = all_lines<D>.size();
    std::vector<window> lines(all, window(l_, other));
    row i = l_.begin(list, task);
    const row end = l_.end(list, task);
    key at = l_.key_of(i);
    for (std::size_t r = 0; r < all; ++r) lines[r].seek(key(at.line + all_lines<D>[r].line(), at.x - 1));
    key central = key::last();
    std::size_t near = 0;
    for (; i != end; i = l_.next(i)) {
      l_.prefetch(l_.next(i));
      ++steps_;
      at = l_.key_of(i);
      if (!(at == central)) {
        central = at;
        near = 0;
        for (std::size_t r = 0; r < all; ++r) {
          look(lines[r], central, all_lines<D>[r]);
          near += static_cast<std::size_t>(lines[r].end() - lines[r].begin());
        }
      }
      if (near == 0) continue;
      const entry body = window::entry_of(l_, i, central.x);
      for (const window& r : lines) meet(body, r);
    }
    count_steps(lines);
  }

 private:
  void look(window& w, const key& central, const mask_line& r) const {
    if (binary_) {
      w.look_up(central.line + r.line(), central.x - 1, central.x + 1);
    } else {
      w.advance(central.line + r.line(), central.x - 1, central.x + 1);
    }
  }

  void count_steps(const std::vector<window>& lines) {
    for (const window& r : lines) steps_ += r.steps();
  }

  void meet(const entry& body, const window& others) {
    for (const entry& e : others) {
      ++tests_;
      if (overlap(body.body, e.body, margin_)) out_.add(body.at, e.at);
    }
  }

  const lists& l_;
  bool binary_;
  double margin_;
  pair_batch& out_;
  std::uint64_t tests_ = 0;
  std::uint64_t steps_ = 0;  // of all pointers, from one body to the next
};

}  // namespace

template <shape S, int D, bool Keep>
void mr_find_within(const mr_lists<D, Keep>& l, bool binary, int list, std::size_t task, pair_batch& out) {
  mr_searcher<D, S, Keep>(l, binary, out).within(list, task);
}

template <shape S, int D, bool Keep>
void mr_find_between(const mr_lists<D, Keep>& l, int list, std::size_t task, int other, pair_batch& out) {
  mr_searcher<D, S, Keep>(l, false, out).between(list, task, other);
}

template <shape S, int D, bool Keep>
void mr_find_in(const mr_lists<D, Keep>& l, int list, const query& q, row_batch& out) {
  using key = cell_key<D>;
  if (l.next(l.head(list)) == l.head(list)) return;
  const auto cells = l.frame().cells(q);
  const cell_digits<D>& from = cells.first;
  const cell_digits<D>& to = cells.second;
  const auto target_after = [&](cell_digits<D> c) {
    // The least cell of the region that is not before c; a key after all cells if there is none.
    int k = D - 1;
    while (k >= 0 && c[k] >= from[k] && c[k] <= to[k]) --k;
    if (k < 0) return key(c);
    if (c[k] > to[k]) {
      do ++k;
      while (k < D && c[k] == to[k]);
      if (k == D) return key::last();
      ++c[k];
      --k;
    }
    for (; k >= 0; --k) c[k] = from[k];
    return key(c);
  };
  std::uint64_t tests = 0;
  row i = l.seek(list, key(from));
  while (i != l.head(list)) {
    const key at = l.key_of(i);
    const key target = target_after(at.digits());
    if (target == at) {
      ++tests;
      if (q.touches(l.of().template get<D, S>(i))) out.add(i);
      i = l.next(i);
      continue;
    }
    if (target == key::last()) break;
    for (std::size_t k = 0; k < l.between_stops / 2 && l.key_or_last(i) < target; ++k) i = l.next(i);
    if (l.key_or_last(i) < target) i = l.seek(list, target);
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

#define ABUT_SEARCHES(D, KIND, KEEP)                                                                        \
  template void mr_find_within<shape::KIND>(const mr_lists<D, KEEP>&, bool, int, std::size_t, pair_batch&); \
  template void mr_find_between<shape::KIND>(const mr_lists<D, KEEP>&, int, std::size_t, int, pair_batch&); \
  template void mr_find_in<shape::KIND>(const mr_lists<D, KEEP>&, int, const query&, row_batch&);
ABUT_SEARCHES(2, sphere, true)
ABUT_SEARCHES(2, sphere, false)
ABUT_SEARCHES(3, sphere, true)
ABUT_SEARCHES(3, sphere, false)
ABUT_SEARCHES(2, box, true)
ABUT_SEARCHES(2, box, false)
ABUT_SEARCHES(3, box, true)
ABUT_SEARCHES(3, box, false)
#undef ABUT_SEARCHES

}  // namespace abut
