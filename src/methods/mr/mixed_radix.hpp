#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace abut {

/// A cell as a number whose digits are its integerized coordinates, the least significant (x) first: Munjiza et al.
/// 2006, (10).
template <int D>
using cell_digits = std::array<std::uint32_t, D>;

/// The same cell in the order (7): by z, then y, then x. All digits but x together are the line of cells that it is in.
template <int D>
struct cell_key {
  std::uint64_t line;
  std::uint32_t x;

  cell_key() = default;
  constexpr cell_key(std::uint64_t on, std::uint32_t at) : line(on), x(at) {}
  constexpr explicit cell_key(const cell_digits<D>& c)
      : line(D == 3 ? std::uint64_t{c[D - 1]} << 32 | c[1] : c[1]), x(c[0]) {}

  [[nodiscard]] constexpr cell_digits<D> digits() const {
    if constexpr (D == 3) {
      return {x, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(line >> 32)};
    } else {
      return {x, static_cast<std::uint32_t>(line)};
    }
  }

  friend constexpr bool operator==(const cell_key& a, const cell_key& b) { return a.line == b.line && a.x == b.x; }
  friend constexpr bool operator<(const cell_key& a, const cell_key& b) {
    return a.line < b.line || (a.line == b.line && a.x < b.x);
  }
  friend constexpr bool operator<=(const cell_key& a, const cell_key& b) { return !(b < a); }

  /// A key after all cells.
  static constexpr cell_key last() { return {~std::uint64_t{0}, ~std::uint32_t{0}}; }
};

/// The cell half-way between two: (12), digit by digit, since three digits of 32 bits do not fit into a machine word.
/// `radix` is the number of cells on each axis; digits are below it.
template <int D>
[[nodiscard]] constexpr cell_digits<D> middle_cell(const cell_digits<D>& least, const cell_digits<D>& most,
                                                   const cell_digits<D>& radix) {
  std::uint64_t sum[D] = {};
  std::uint64_t carry = 0;
  for (int k = 0; k < D; ++k) {  // (13)
    sum[k] = std::uint64_t{least[k]} + most[k] + carry;
    carry = k + 1 < D && sum[k] >= radix[k] ? 1 : 0;
    sum[k] -= carry * radix[k];
  }
  cell_digits<D> middle{};
  std::uint64_t odd = 0;
  for (int k = D - 1; k >= 0; --k) {  // (14)
    const std::uint64_t digit = sum[k] + odd * radix[k];
    middle[k] = static_cast<std::uint32_t>(digit / 2);
    odd = digit % 2;
  }
  return middle;
}

/// A line of the contact mask: cells x + from to x + to, on the line at (y, z) relative to the central cell's.
struct mask_line {
  int y, z, from, to;

  /// The difference of the two lines' numbers.
  [[nodiscard]] constexpr std::uint64_t line() const {
    return static_cast<std::uint64_t>(z) * (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(y);
  }
};

/// The contact mask (figures 14 and 17): the half of the neighboring cells that comes before the central cell in the
/// order (7): 13 cells in 5 lines or, in 2D, 4 cells in 2 lines. The last line is the central cell's own.
template <int D>
inline constexpr auto contact_mask = [] {
  if constexpr (D == 3) {
    return std::array<mask_line, 5>{{{-1, -1, -1, 1}, {0, -1, -1, 1}, {1, -1, -1, 1}, {-1, 0, -1, 1}, {0, 0, -1, -1}}};
  } else {
    return std::array<mask_line, 2>{{{-1, 0, -1, 1}, {0, 0, -1, -1}}};
  }
}();

/// All lines of neighboring cells, the central cell included.
template <int D>
inline constexpr auto all_lines = [] {
  if constexpr (D == 3) {
    return std::array<mask_line, 9>{{{-1, -1, -1, 1},
                                     {0, -1, -1, 1},
                                     {1, -1, -1, 1},
                                     {-1, 0, -1, 1},
                                     {0, 0, -1, 1},
                                     {1, 0, -1, 1},
                                     {-1, 1, -1, 1},
                                     {0, 1, -1, 1},
                                     {1, 1, -1, 1}}};
  } else {
    return std::array<mask_line, 3>{{{-1, 0, -1, 1}, {0, 0, -1, 1}, {1, 0, -1, 1}}};
  }
}();

/// The least cell that neighbors `c` (or is `c`) and does not come before `from`; none if all of them come before it.
/// The digits of `c` are at least 1.
template <int D>
[[nodiscard]] constexpr std::optional<cell_digits<D>> least_neighbor(const cell_digits<D>& c,
                                                                     const cell_digits<D>& from) {
  cell_digits<D> result{};
  for (int k = 0; k < D; ++k) result[k] = c[k] - 1;
  // As long as the digits equal those of `from`, the next digit must not be less. If it has to be, an earlier digit
  // that has room is raised by one, and all digits after it take their least value.
  int raise = -1;
  for (int k = D - 1; k >= 0; --k) {
    if (result[k] > from[k]) return result;
    if (c[k] + 1 < from[k]) {
      if (raise < 0) return std::nullopt;
      for (int j = raise; j >= 0; --j) result[j] = j == raise ? result[j] + 1 : c[j] - 1;
      return result;
    }
    result[k] = from[k];
    if (from[k] < c[k] + 1) raise = k;
  }
  return result;
}

}  // namespace abut
