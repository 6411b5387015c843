#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <abut/bodies.hpp>
#include <abut/error.hpp>

#include "base/parallel.hpp"

namespace abut {

/// The ids of a list's bodies: the user's, or numbers of our own that bodies keep when they change rows.
class own_ids {
 public:
  /// The ids for an update, by current row; null if they are the rows. Without ids from the user, bodies keep the
  /// numbers that they had, and new ones get the next. Nothing has changed until `accept`.
  [[nodiscard]] const std::int64_t* next(const labels& given, std::optional<std::span<const row>> new_rows,
                                         std::size_t rows, int threads) {
    next_.clear();
    next_free_ = free_;
    if (given.given()) {
      if (given.size() != rows) {
        throw error("there are " + std::to_string(given.size()) + " ids for " + std::to_string(rows) +
                    " bodies: give one for each");
      }
      next_.resize(rows);
      parallel_blocks(threads, rows, rows_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) next_[i] = given[i];
      });
    } else if (!ids_.empty() || (new_rows && moves(*new_rows))) {
      number(new_rows, rows);
    }
    next_free_ = std::max<std::int64_t>(next_free_, static_cast<std::int64_t>(rows));
    return next_.empty() ? nullptr : next_.data();
  }
  /// Keeps what `next` has returned, which stays valid. Ids from the user are not needed any more.
  void accept(const labels& given) {
    if (!given.given()) ids_.swap(next_);
    free_ = next_free_;
  }
  /// The numbers of our own, by row; empty while they are the rows, or if ids come from the user.
  [[nodiscard]] const std::vector<std::int64_t>& own() const { return ids_; }
  /// Goes on from such numbers.
  void take(const std::vector<std::int64_t>& own) {
    ids_ = own;
    free_ = own.empty() ? 0 : *std::max_element(own.begin(), own.end()) + 1;
  }
  /// Starts anew: rows are ids.
  void reset(std::size_t rows) {
    ids_.clear();
    free_ = static_cast<std::int64_t>(rows);
  }
  [[nodiscard]] std::size_t bytes() const { return (ids_.capacity() + next_.capacity()) * sizeof(std::int64_t); }

 private:
  static constexpr std::size_t rows_per_task = 1U << 15;

  [[nodiscard]] static bool moves(std::span<const row> new_rows) {
    for (std::size_t k = 0; k < new_rows.size(); ++k) {
      if (new_rows[k] != k) return true;
    }
    return false;
  }
  void number(std::optional<std::span<const row>> new_rows, std::size_t rows) {
    constexpr std::int64_t none = -1;
    next_.assign(rows, none);
    const std::size_t before = new_rows ? new_rows->size() : std::min(rows, ids_.size());
    for (std::size_t k = 0; k < before; ++k) {
      const row to = new_rows ? (*new_rows)[k] : static_cast<row>(k);
      if (to != no_row) next_[to] = ids_.empty() ? static_cast<std::int64_t>(k) : ids_[k];
    }
    for (std::int64_t& id : next_) {
      if (id == none) id = next_free_++;
    }
  }

  std::vector<std::int64_t> ids_;   // empty while they are the rows
  std::vector<std::int64_t> next_;  // the same for the update under way
  std::int64_t free_ = 0;           // greater than every id of our own so far
  std::int64_t next_free_ = 0;
};

}  // namespace abut
