#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "method.hpp"
#include "parallel.hpp"

namespace abut {

/// A long list of pairs, in the order in which a method finds them, at little more than 4 bytes a pair: pairs that
/// follow each other mostly share a body, which is written once, as the head of its partners.
class near_list {
 public:
  /// Marks the first partner of the next head. Rows are below 2^30.
  static constexpr row next_head = row{1} << 31;

  /// Partners [from, to); `head` counts the heads before them.
  struct slice {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t head = 0;
  };

  /// Takes all the pairs of a method that `keep(pair)` lets pass. False, and nothing changed, where there are more than
  /// `most`.
  template <class Keep>
  bool take(const method& from, int threads, std::size_t most, Keep&& keep);

  [[nodiscard]] std::size_t size() const { return partners_.size(); }
  [[nodiscard]] const row* heads() const { return heads_.data(); }
  [[nodiscard]] const row* partners() const { return partners_.data(); }

  /// The list cut into slices of some thousand pairs.
  [[nodiscard]] const std::vector<slice>& slices() const { return slices_; }

  /// How far apart the rows of a pair are, on average: what a search over the list jumps in memory.
  [[nodiscard]] double spread() const { return spread_; }
  /// The overlap tests that the method made to find the pairs.
  [[nodiscard]] std::uint64_t tests() const { return tests_; }

  [[nodiscard]] std::size_t bytes() const { return bytes_of(heads_) + bytes_of(partners_) + bytes_of(slices_); }

 private:
  static constexpr std::size_t slice_pairs = 4096;

  // What one task of the method finds.
  struct part {
    std::vector<row> heads;
    std::vector<row> partners;
    std::uint64_t apart = 0;
    std::uint64_t tests = 0;

    void add(const pair* p, const pair* end);
  };
  struct too_many {};

  void join(std::vector<part>& parts, int threads);

  std::vector<row> heads_;
  std::vector<row> partners_;
  std::vector<slice> slices_;
  double spread_ = 0;
  std::uint64_t tests_ = 0;
};

// The pair goes to the head that its predecessor has; a new head is that body of the two which the next pair has too.
inline void near_list::part::add(const pair* p, const pair* end) {
  apart += p->j - p->i;
  if (!heads.empty() && (p->i == heads.back() || p->j == heads.back())) {
    partners.push_back(p->i == heads.back() ? p->j : p->i);
    return;
  }
  const bool by_j = p + 1 != end && (p[1].i == p->j || p[1].j == p->j);
  heads.push_back(by_j ? p->j : p->i);
  partners.push_back((by_j ? p->i : p->j) | next_head);
}

template <class Keep>
bool near_list::take(const method& from, int threads, std::size_t most, Keep&& keep) {
  std::vector<part> parts(from.tasks());
  std::atomic<std::size_t> total{0};
  try {
    parallel_for(threads, parts.size(), [&](std::size_t t) {
      auto list = [&](pair* first, std::size_t count) {
        const pair* const end = std::remove_if(first, first + count, [&](const pair& p) { return !keep(p); });
        const auto kept = static_cast<std::size_t>(end - first);
        if (total.fetch_add(kept, std::memory_order_relaxed) + kept > most) throw too_many{};
        for (const pair* p = first; p < end; ++p) parts[t].add(p, end);
      };
      auto out = batch_into<pair>(list);
      from.find(t, out);
      out.flush();
      parts[t].tests = out.count.tests;
    });
  } catch (const too_many&) {
    return false;
  }
  join(parts, threads);
  return true;
}

inline void near_list::join(std::vector<part>& parts, int threads) {
  std::vector<slice> at(parts.size() + 1);
  std::uint64_t apart = 0;
  tests_ = 0;
  slices_.clear();
  for (std::size_t t = 0; t < parts.size(); ++t) {
    at[t].to = at[t + 1].from = at[t].from + parts[t].partners.size();
    at[t + 1].head = at[t].head + parts[t].heads.size();
    apart += parts[t].apart;
    tests_ += parts[t].tests;
    if (at[t].from == at[t].to) continue;
    if (slices_.empty() || slices_.back().to - slices_.back().from >= slice_pairs) slices_.push_back(at[t]);
    slices_.back().to = at[t].to;
  }
  heads_.resize(at.back().head);
  partners_.resize(at.back().from);
  spread_ = static_cast<double>(apart) / static_cast<double>(std::max<std::size_t>(1, partners_.size()));
  parallel_for(threads, parts.size(), [&](std::size_t t) {
    std::copy(parts[t].heads.begin(), parts[t].heads.end(), heads_.begin() + static_cast<std::ptrdiff_t>(at[t].head));
    std::copy(parts[t].partners.begin(), parts[t].partners.end(),
              partners_.begin() + static_cast<std::ptrdiff_t>(at[t].from));
    parts[t] = {};
  });
}

}  // namespace abut
