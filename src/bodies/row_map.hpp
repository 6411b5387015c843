#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// Maps the rows of the last update to those of this one, for methods that keep state from update to update.
class row_map {
 public:
  /// No map: there was no last update, or the method keeps nothing of it.
  row_map() = default;
  /// Row i is now row `to[i]`, or gone if that is `no_row`.
  explicit row_map(std::vector<row> to) : to_(std::move(to)) {}
  /// Every row keeps its place. Allocates nothing until `spelled_out`.
  [[nodiscard]] static row_map same(std::size_t rows) {
    row_map m;
    m.rows_ = rows;
    m.same_ = true;
    return m;
  }

  [[nodiscard]] bool same() const { return same_; }

  /// The new row of each old row; empty without a map. Valid for the lifetime of the map.
  [[nodiscard]] std::span<const row> spelled_out() {
    if (same_ && to_.size() != rows_) {
      to_.resize(rows_);
      std::iota(to_.begin(), to_.end(), row{0});
    }
    return to_;
  }

 private:
  std::vector<row> to_;
  std::size_t rows_ = 0;
  bool same_ = false;
};

/// Checks a map from `before` rows to `now` rows, as `search::update` takes it. Throws `error`, naming the entry.
void check_map(std::span<const row> new_rows, std::size_t before, std::size_t now);

}  // namespace abut
