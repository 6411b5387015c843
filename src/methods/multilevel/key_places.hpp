#pragma once

#include <cstdint>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// Things sorted by small keys, stably, with a table of where each key's things begin: for keys that do not far
/// outnumber the things. Time is linear in both; the result does not depend on the number of threads.
class key_places {
 public:
  /// Sorts things 0 to keys.size() - 1; all keys are below `count`.
  void place(const std::vector<std::uint32_t>& keys, std::uint32_t count, int threads);

  /// The things in the order of their keys. Valid until the next `place`.
  [[nodiscard]] const std::vector<row>& order() const { return order_; }

  /// Things with key k are at the places from `starts()[k]` up to `starts()[k + 1]`.
  [[nodiscard]] const std::uint32_t* starts() const { return starts_.data(); }

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct item {
    std::uint32_t key;
    row thing;
  };

  void split(const std::vector<std::uint32_t>& keys, int low_bits, std::size_t parts, int threads);
  void place_part(std::size_t part, int low_bits, std::uint32_t count);

  std::vector<item> items_;                // by the high digits of their keys
  std::vector<std::uint32_t> part_begin_;  // of the items with each high digit
  std::vector<std::uint32_t> counters_;
  std::vector<row> order_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace abut
