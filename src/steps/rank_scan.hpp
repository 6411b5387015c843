#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace abut {

/// What searches by ranks count: how many bodies' ranks they compare with those of another body.
inline constexpr std::string_view rank_counts[] = {"rank comparisons"};

/// Arrays of ranks on K axes, and bounds. A place p is within the bounds if low[k][p] < below[k] and high[k][p] >=
/// above[k] on each axis.
template <int K>
struct rank_scan {
  const std::int32_t* low[K];
  const std::int32_t* high[K];
  std::int32_t below[K];
  std::int32_t above[K];

  /// Whether place p is within the bounds on all axes, as 0 or 1.
  [[nodiscard]] int passes(std::size_t p) const {
    int all = 1;
    for (int k = 0; k < K; ++k)
      all &= static_cast<int>(low[k][p] < below[k]) & static_cast<int>(high[k][p] >= above[k]);
    return all;
  }

  /// Calls `f(p)` for every place in [from, to) within the bounds. Compares integers only, a block at a time without
  /// branches, so that the compiler uses vector instructions; a block without a hit is skipped at once.
  template <class F>
  void run(std::size_t from, std::size_t to, F&& f) const {
    constexpr std::size_t block = 32;
    while (to - from >= block) {
      std::int32_t hit[block];
      std::int32_t any = 0;
      for (std::int32_t& h : hit) h = -1;
      for (int k = 0; k < K; ++k) {
        const std::int32_t* const lo = low[k] + from;
        const std::int32_t* const hi = high[k] + from;
        const std::int32_t b = below[k];
        const std::int32_t a = above[k];
        for (std::size_t c = 0; c < block; ++c)
          hit[c] &= -static_cast<std::int32_t>(lo[c] < b) & -static_cast<std::int32_t>(hi[c] >= a);
      }
      for (const std::int32_t h : hit) any |= h;
      for (std::size_t c = 0; any != 0 && c < block; ++c) {
        if (hit[c] != 0) f(from + c);
      }
      from += block;
    }
    for (; from < to; ++from) {
      if (passes(from) != 0) f(from);
    }
  }
};

}  // namespace abut
