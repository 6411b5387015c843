#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <abut/bodies.hpp>
#include <abut/dem/walls.hpp>

namespace abut::dem {

/// Sums what bodies do to walls, contact by contact in the order of rows. The result does not depend on the blocks of
/// rows that threads work on.
class load_keeper {
 public:
  /// What one contact does to a wall.
  struct part {
    std::uint32_t wall;
    wall_load load;
  };

  /// Whether the loads of the next pass over rows are needed.
  void want(bool wanted) { wanted_ = wanted; }
  [[nodiscard]] bool wanted() const { return wanted_; }
  /// The contacts of the block that begins with this row; of each wall, by ascending row. Called from several threads
  /// at once.
  void add(row from, std::vector<part> parts) {
    if (parts.empty()) return;
    const std::lock_guard lock(mutex_);
    blocks_.push_back({from, std::move(parts)});
  }
  /// Sums up all blocks since the last call, if loads are wanted.
  void sum(std::size_t walls);
  /// Takes loads over from an earlier sum.
  void restore(std::vector<wall_load> all) { all_ = std::move(all); }
  /// By wall, as of the last sum.
  [[nodiscard]] const std::vector<wall_load>& all() const { return all_; }

 private:
  struct block {
    row from;
    std::vector<part> parts;
  };
  std::mutex mutex_;
  bool wanted_ = true;
  std::vector<block> blocks_;
  std::vector<wall_load> all_;
};

}  // namespace abut::dem
