#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "methods/method.hpp"
#include "methods/nearest_neighbor/scan.hpp"

namespace abut {

/// The list of near pairs, as pairs of places, in the order in which a method finds them.
class near_list {
 public:
  /// Takes all pairs of a method for which `keep(pair)` is true. Returns false if there are more than `most`; the list
  /// is then not usable.
  template <class Keep>
  bool take(const method& from, int threads, std::size_t most, Keep&& keep);

  /// Sorts the pairs by blocks of some thousand first places, so that the bodies of the next pairs are in cache,
  /// whatever the method's order is. Worth its cost if the list is used for several steps.
  void sort_by_place(std::size_t places, int threads);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The pairs, followed by `near_padding` pairs {0, 0}.
  [[nodiscard]] const pair* pairs() const { return pairs_.data(); }

  /// How far apart the places of a pair are, on average: how far a pass over the list jumps in memory.
  [[nodiscard]] double spread() const { return spread_; }
  /// The overlap tests that the method made to find the pairs.
  [[nodiscard]] std::uint64_t tests() const { return tests_; }

  [[nodiscard]] std::size_t bytes() const { return pairs_.bytes(); }

 private:
  // The result of one task of the method.
  struct part {
    std::vector<pair> pairs;
    std::uint64_t apart = 0;  // the sum of the distances between places
    std::uint64_t tests = 0;
  };
  static constexpr std::size_t tasks_at_once = 64;

  template <class Keep>
  static void find(const method& from, std::size_t task, std::atomic<std::size_t>& total, std::size_t most, Keep& keep,
                   part& mine);
  void make_room(std::size_t needed, std::size_t expected);

  buffer<pair> pairs_;
  std::size_t size_ = 0;
  double spread_ = 0;
  std::uint64_t tests_ = 0;
};

template <class Keep>
void near_list::find(const method& from, std::size_t task, std::atomic<std::size_t>& total, std::size_t most,
                     Keep& keep, part& mine) {
  mine.pairs.clear();
  mine.apart = 0;
  auto list = [&](pair* first, std::size_t count) {
    const pair* const end = std::remove_if(first, first + count, [&](const pair& p) { return !keep(p); });
    const auto kept = static_cast<std::size_t>(end - first);
    if (total.fetch_add(kept, std::memory_order_relaxed) + kept > most) return;  // there will be no list
    for (const pair* p = first; p < end; ++p) mine.apart += p->j - p->i;
    mine.pairs.insert(mine.pairs.end(), static_cast<const pair*>(first), end);
  };
  auto out = batch_into<pair>(list);
  from.find(task, out);
  out.flush();
  mine.tests = out.count.tests;
}

// Runs some tasks at a time, so that their results are still in cache when they are copied into the list.
template <class Keep>
bool near_list::take(const method& from, int threads, std::size_t most, Keep&& keep) {
  const std::size_t tasks = from.tasks();
  std::vector<part> parts(std::min(tasks, tasks_at_once));
  std::atomic<std::size_t> total{0};
  std::uint64_t apart = 0;
  size_ = 0;
  tests_ = 0;
  for (std::size_t first = 0; first < tasks; first += tasks_at_once) {
    const std::size_t count = std::min(tasks_at_once, tasks - first);
    parallel_for(threads, count, [&](std::size_t t) {
      if (total.load(std::memory_order_relaxed) <= most) find(from, first + t, total, most, keep, parts[t]);
    });
    if (total > most) return false;
    std::size_t starts[tasks_at_once + 1] = {size_};
    for (std::size_t t = 0; t < count; ++t) {
      starts[t + 1] = starts[t] + parts[t].pairs.size();
      apart += parts[t].apart;
      tests_ += parts[t].tests;
    }
    make_room(starts[count], starts[count] / (first + count) * tasks);
    parallel_for(threads, count, [&](std::size_t t) {
      std::copy(parts[t].pairs.begin(), parts[t].pairs.end(), pairs_.data() + starts[t]);
    });
    size_ = starts[count];
  }
  make_room(size_, size_);
  std::fill_n(pairs_.data() + size_, near_padding, pair{0, 0});
  spread_ = static_cast<double>(apart) / static_cast<double>(std::max<std::size_t>(1, size_));
  return true;
}

// Makes room for `needed` pairs, and for those expected in the end, if the next tasks find as many as the first.
inline void near_list::make_room(std::size_t needed, std::size_t expected) {
  if (needed + near_padding <= pairs_.capacity()) return;
  buffer<pair> larger;
  larger.make(std::max(needed, expected) + needed / 16 + near_padding);
  std::copy_n(pairs_.data(), size_, larger.data());
  std::swap(pairs_, larger);
}

inline void near_list::sort_by_place(std::size_t places, int threads) {
  constexpr int run_bits = 12;
  constexpr std::size_t blocks = 64;
  const std::size_t runs = (places >> run_bits) + 1;
  if (runs == 1) return;
  const std::size_t per_block = size_ / blocks + 1;
  std::vector<std::size_t> at(blocks * runs);
  parallel_blocks(threads, size_, per_block, [&](std::size_t b, std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) ++at[b * runs + (pairs_[k].i >> run_bits)];
  });
  std::size_t before = 0;
  for (std::size_t r = 0; r < runs; ++r) {
    for (std::size_t b = 0; b < blocks; ++b) before += std::exchange(at[b * runs + r], before);
  }
  buffer<pair> sorted;
  sorted.make(size_ + near_padding);
  parallel_blocks(threads, size_, per_block, [&](std::size_t b, std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) sorted[at[b * runs + (pairs_[k].i >> run_bits)]++] = pairs_[k];
  });
  std::fill_n(sorted.data() + size_, near_padding, pair{0, 0});
  std::swap(pairs_, sorted);
}

}  // namespace abut
