#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/search.hpp>

namespace abut {

/// What a method counts while it finds.
struct counts {
  std::uint64_t candidates = 0;
  std::uint64_t tests = 0;
  std::uint64_t pairs = 0;

  counts& operator+=(const counts& other) {
    candidates += other.candidates;
    tests += other.tests;
    pairs += other.pairs;
    return *this;
  }
};

/// A few hundred pairs or rows in cache, handed on when full: a method pays one indirect call a batch, not a pair.
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

  /// Room for `some` more, at most `capacity`, and for some past those that may be written but are not taken: for
  /// who writes vectors. `took` says how many are to be handed on.
  [[nodiscard]] T* room(std::size_t some) {
    if (size_ + some > capacity) flush();
    return items_ + size_;
  }
  void took(std::size_t some) {
    size_ += some;
    if (size_ == capacity) flush();
  }

  /// Two rows in any order, as a pair.
  void add(row a, row b) { add(a < b ? T{a, b} : T{b, a}); }

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

/// A batch that hands on to `f(T* first, std::size_t count)`, which must outlive it.
template <class T, class F>
[[nodiscard]] batch<T> batch_into(F& f) {
  return batch<T>([](void* context, T* first, std::size_t count) { (*static_cast<F*>(context))(first, count); }, &f);
}

}  // namespace abut
