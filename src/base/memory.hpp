#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace abut {

/// The memory that a vector has allocated, in bytes.
template <class T>
[[nodiscard]] std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

/// Prefetches an element into the cache. A hint only: any index is allowed, even past the end or into a null array.
template <class T>
inline void ask_for(const T* array, std::size_t index) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is read there, and a pointer must not leave its array
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(array) + index * sizeof(T)));
}

/// An array that grows and never shrinks, and whose elements start uninitialized: for data that every update writes
/// before it reads. Large arrays use huge pages if the system has them, which makes scattered writes cheaper.
template <class T>
class buffer {
  static_assert(std::is_trivial_v<T>);

 public:
  /// Makes room for `count` elements. If the array has to grow, its contents are lost.
  void make(std::size_t count) {
    if (count <= capacity_) return;
    items_.reset();
    capacity_ = 0;
    const std::size_t alignment = count * sizeof(T) >= large_page ? large_page : 64;
    const std::size_t bytes = room_for(count * sizeof(T));
    void* memory = nullptr;
    if (posix_memalign(&memory, alignment, bytes) != 0) throw std::bad_alloc();
    items_.reset(static_cast<T*>(memory));
#ifdef MADV_HUGEPAGE
    if (alignment == large_page) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: its result does not matter
#endif
    capacity_ = bytes / sizeof(T);
  }
  void release() {
    items_.reset();
    capacity_ = 0;
  }
  [[nodiscard]] T* data() { return items_.get(); }
  [[nodiscard]] const T* data() const { return items_.get(); }
  [[nodiscard]] T& operator[](std::size_t k) { return items_[k]; }
  [[nodiscard]] const T& operator[](std::size_t k) const { return items_[k]; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t bytes() const { return capacity_ * sizeof(T); }

 private:
  static constexpr std::size_t large_page = std::size_t{1} << 21;

  // Whole huge pages, unless the last one would be mostly empty and large compared to the others.
  static std::size_t room_for(std::size_t bytes) {
    const std::size_t whole = (bytes + large_page - 1) / large_page * large_page;
    return whole - bytes <= bytes / 8 ? whole : (bytes + 63) / 64 * 64;
  }

  struct free_memory {
    void operator()(T* p) const { std::free(p); }
  };

  std::unique_ptr<T[], free_memory> items_;
  std::size_t capacity_ = 0;
};

}  // namespace abut
