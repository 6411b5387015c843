#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/search.hpp>

namespace abut {

/// What a method counts during a search; see `stats`.
struct counts {
  /// How many counts a method may have of its own.
  static constexpr std::size_t most_named = 4;

  std::uint64_t candidates = 0;
  std::uint64_t tests = 0;
  std::uint64_t pairs = 0;
  std::uint64_t named[most_named] = {};  ///< what else the method counts; `method::counted` has the names

  counts& operator+=(const counts& other) {
    candidates += other.candidates;
    tests += other.tests;
    pairs += other.pairs;
    for (std::size_t k = 0; k < most_named; ++k) named[k] += other.named[k];
    return *this;
  }
};

/// A buffer of a few hundred pairs or rows, passed to its receiver when full. So a method makes one indirect call per
/// batch, not per pair.
template <class T>
class batch {
 public:
  static constexpr std::size_t capacity = 512;
  using receiver = void (*)(void* context, T* first, std::size_t count);

  batch(receiver call, void* context) : call_(call), context_(context) {}
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;

  void add(T item) {
    items_[size_] = item;
    if (++size_ == capacity) flush();
  }

  /// A place to write up to `some` items, at most `capacity`; call `took` with the number written. Up to 16 items
  /// beyond them may be overwritten, so that kernels can store whole vectors.
  [[nodiscard]] T* room(std::size_t some) {
    if (size_ + some > capacity) flush();
    return items_ + size_;
  }
  void took(std::size_t some) {
    size_ += some;
    if (size_ == capacity) flush();
  }

  /// Adds the pair of two rows, given in any order.
  void add(row a, row b) { add(a < b ? T{a, b} : T{b, a}); }

  /// Passes the items on to the receiver.
  void flush() {
    const std::size_t full = size_;
    size_ = 0;
    if (full > 0) call_(context_, items_, full);
  }

  counts count;

 private:
  receiver call_;
  void* context_;
  std::size_t size_ = 0;
  T items_[capacity + 16];
};

using pair_batch = batch<pair>;
using row_batch = batch<row>;

/// A batch whose receiver is `f(T* first, std::size_t count)`. `f` may change the items, and must outlive the batch.
template <class T, class F>
[[nodiscard]] batch<T> batch_into(F& f) {
  return batch<T>([](void* context, T* first, std::size_t count) { (*static_cast<F*>(context))(first, count); }, &f);
}

}  // namespace abut
