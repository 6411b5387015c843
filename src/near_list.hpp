#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "buffer.hpp"
#include "method.hpp"
#include "near_scan.hpp"
#include "parallel.hpp"

namespace abut {

/// A long list of pairs, in the order in which a method finds them.
class near_list {
 public:
  /// Takes all the pairs of a method that `keep(pair)` lets pass. False, and nothing changed, where there are more than
  /// `most`.
  template <class Keep>
  bool take(const method& from, int threads, std::size_t most, Keep&& keep);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// And `near_padding` more of {0, 0}.
  [[nodiscard]] const pair* pairs() const { return pairs_.data(); }

  /// How far apart the rows of a pair are, on average: what a search over the list jumps in memory.
  [[nodiscard]] double spread() const { return spread_; }
  /// The overlap tests that the method made to find the pairs.
  [[nodiscard]] std::uint64_t tests() const { return tests_; }

  [[nodiscard]] std::size_t bytes() const { return pairs_.bytes(); }

 private:
  // What one task of the method finds.
  struct part {
    std::vector<pair> pairs;
    std::uint64_t apart = 0;
    std::uint64_t tests = 0;
  };
  struct too_many {};

  void join(std::vector<part>& parts, int threads);

  buffer<pair> pairs_;
  std::size_t size_ = 0;
  double spread_ = 0;
  std::uint64_t tests_ = 0;
};

template <class Keep>
bool near_list::take(const method& from, int threads, std::size_t most, Keep&& keep) {
  std::vector<part> parts(from.tasks());
  std::atomic<std::size_t> total{0};
  try {
    parallel_for(threads, parts.size(), [&](std::size_t t) {
      part& mine = parts[t];
      auto list = [&](pair* first, std::size_t count) {
        const pair* const end = std::remove_if(first, first + count, [&](const pair& p) { return !keep(p); });
        const auto kept = static_cast<std::size_t>(end - first);
        if (total.fetch_add(kept, std::memory_order_relaxed) + kept > most) throw too_many{};
        for (const pair* p = first; p < end; ++p) mine.apart += p->j - p->i;
        mine.pairs.insert(mine.pairs.end(), static_cast<const pair*>(first), end);
      };
      auto out = batch_into<pair>(list);
      from.find(t, out);
      out.flush();
      mine.tests = out.count.tests;
    });
  } catch (const too_many&) {
    return false;
  }
  join(parts, threads);
  return true;
}

inline void near_list::join(std::vector<part>& parts, int threads) {
  std::vector<std::size_t> starts(parts.size() + 1);
  std::uint64_t apart = 0;
  tests_ = 0;
  for (std::size_t t = 0; t < parts.size(); ++t) {
    starts[t + 1] = starts[t] + parts[t].pairs.size();
    apart += parts[t].apart;
    tests_ += parts[t].tests;
  }
  size_ = starts.back();
  pairs_.make(size_ + near_padding);
  std::fill_n(pairs_.data() + size_, near_padding, pair{0, 0});
  spread_ = static_cast<double>(apart) / static_cast<double>(std::max<std::size_t>(1, size_));
  parallel_for(threads, parts.size(), [&](std::size_t t) {
    std::copy(parts[t].pairs.begin(), parts[t].pairs.end(), pairs_.data() + starts[t]);
    parts[t] = {};
  });
}

}  // namespace abut
