#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <abut/error.hpp>

namespace abut::dem {

/// What keeps a simulation from going on, noticed by several threads: of all faults, that of the lowest row counts, so
/// that the message does not depend on the number of threads.
class fault_keeper {
 public:
  /// Body `i` has a fault. `reason()` makes the text, and is called only if it counts.
  template <class F>
  void add(row i, F&& reason) {
    const std::lock_guard lock(mutex_);
    if (lowest_ && *lowest_ <= i) return;
    lowest_ = i;
    reason_ = std::forward<F>(reason)();
  }
  /// The lowest row at fault.
  [[nodiscard]] std::optional<row> lowest() const { return lowest_; }
  /// Why.
  [[nodiscard]] const std::string& reason() const { return reason_; }

 private:
  std::mutex mutex_;
  std::optional<row> lowest_;
  std::string reason_;
};

}  // namespace abut::dem
