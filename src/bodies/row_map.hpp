#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <abut/search.hpp>

namespace abut {

/// Where the rows of the last update are now: for methods that keep state from update to update.
class row_map {
 public:
  /// Nothing is known: there was no last update, or nothing of it is kept.
  row_map() = default;
  /// Row i is now row `to[i]`; `no_row`: the body is gone.
  explicit row_map(std::vector<row> to) : to_(std::move(to)) {}
  /// Each row is what it was.
  [[nodiscard]] static row_map same(std::size_t rows) {
    row_map m;
    m.rows_ = rows;
    m.same_ = true;
    return m;
  }

  [[nodiscard]] bool same() const { return same_; }

  /// The new row of each old one; empty if nothing is known. Valid as long as the map.
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

}  // namespace abut
