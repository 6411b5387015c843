#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// Which rows never form a pair: two fixed bodies, two bodies of one group, two whose masks exclude each other, two
/// ghosts that were moved down on the same axis. Keeps copies of what the user gave, and nothing if that is nothing.
class muting {
 public:
  static constexpr std::uint8_t fixed_bit = 1;
  static constexpr std::uint8_t first_axis_bit = 2;  // for ghosts moved down on x; the next bits are for y and z

  muting() = default;
  /// What the user said of these bodies. `rows` is the number of rows that there will be, with ghosts.
  muting(const bodies& b, std::size_t rows, int threads);
  /// What the user said of some rows, in this order. What mutes ghosts alone is left out.
  muting(const muting& all, std::span<const row> rows);

  /// Adds a row that is muted as row `owner` is, and as other ghosts with one of these bits are.
  void add_ghost(row owner, std::uint8_t bits);

  /// False only if no rows are muted.
  [[nodiscard]] bool any() const { return has_bits() || has_labels(); }
  [[nodiscard]] bool has_bits() const { return !bits_.empty(); }
  [[nodiscard]] bool has_labels() const { return !groups_.empty() || !masks_.empty(); }

  /// The bits of a row. Only if there are any.
  [[nodiscard]] std::uint8_t bits(row i) const { return bits_[i]; }
  [[nodiscard]] bool fixed(row i) const { return has_bits() && (bits_[i] & fixed_bit) != 0; }

  /// Whether row i and row j of `other`, which may be this, are never a pair. Groups count if both have them; bodies
  /// without masks have all bits.
  [[nodiscard]] bool muted(row i, const muting& other, row j) const {
    if (has_bits() && other.has_bits() && (bits_[i] & other.bits_[j]) != 0) return true;
    if (!groups_.empty() && !other.groups_.empty() && groups_[i] == other.groups_[j]) return true;
    return (!masks_.empty() || !other.masks_.empty()) && exclude(mask_of(i), other.mask_of(j));
  }

  /// Whether row i may pair with rows that row `then` of an earlier muting could not pair with.
  [[nodiscard]] bool freed(const muting& before, row then, row i) const;

  /// Removes the pairs that groups and masks mute, in place, and returns how many are left.
  std::size_t drop_labeled(pair* first, std::size_t count) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct mask {
    std::uint64_t category = ~std::uint64_t{0};
    std::uint64_t collides = ~std::uint64_t{0};
  };
  [[nodiscard]] static bool exclude(const mask& a, const mask& b) {
    return (a.category & b.collides) == 0 || (b.category & a.collides) == 0;
  }
  [[nodiscard]] mask mask_of(row i) const { return masks_.empty() ? mask{} : masks_[i]; }

  // By row, or empty:
  std::vector<std::uint8_t> bits_;
  std::vector<std::int64_t> groups_;
  std::vector<mask> masks_;
};

}  // namespace abut
