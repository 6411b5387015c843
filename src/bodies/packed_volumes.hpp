#pragma once

#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bodies/world.hpp"

namespace abut {

/// Copies of volumes as contiguous columns of doubles, in an order that the method chooses, with the row of each.
template <int D, shape S>
class packed_volumes {
 public:
  static constexpr int columns = columns_of<D, S>;

  /// Copies row `order[k]` of the world to place k.
  void fill(const world& w, const std::vector<row>& order) {
    rows_ = order;
    gather(w, order.size(), [&](std::size_t k) { return order[k]; });
  }

  /// Copies all rows in their own order.
  void fill(const world& w) {
    rows_.clear();
    gather(w, w.size(), [](std::size_t k) { return static_cast<row>(k); });
  }

  [[nodiscard]] std::size_t size() const { return at_[0].size(); }
  /// The row of the volume at place k.
  [[nodiscard]] row row_of(std::size_t k) const { return rows_.empty() ? static_cast<row>(k) : rows_[k]; }
  /// The place of a row's volume; `size()` if there is none. Takes linear time.
  [[nodiscard]] std::size_t place_of(row i) const {
    std::size_t k = 0;
    while (k < size() && row_of(k) != i) ++k;
    return k;
  }
  [[nodiscard]] const double* column(int c) const { return at_[c].data(); }

  [[nodiscard]] volume<D, S> get(std::size_t k) const {
    return volume_of<D, S>([&](int c) { return at_[c][k]; });
  }

  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = bytes_of(rows_);
    for (const auto& c : at_) sum += bytes_of(c);
    return sum;
  }

 private:
  template <class RowOf>
  void gather(const world& w, std::size_t count, RowOf&& row_at) {
    for (auto& c : at_) c.resize(count);
    parallel_blocks(w.threads(), count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < to; ++k) {
        const row i = row_at(k);
        for (int c = 0; c < columns; ++c) at_[c][k] = w.at(c)[i];
      }
    });
  }

  std::vector<double> at_[columns];
  std::vector<row> rows_;
};

}  // namespace abut
