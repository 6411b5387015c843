#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <abut/search.hpp>

#include "base/memory.hpp"

namespace abut {

/// Rows in buckets: few enough that all of them can be written to at a time, and few enough rows in each.
struct row_buckets {
  std::size_t rows = 0;
  unsigned shift = 0;  ///< a row's bucket is row >> shift
  std::size_t size = 0;

  explicit row_buckets(std::size_t count = 0);
  [[nodiscard]] std::size_t begin(std::size_t bucket) const { return std::min(rows, bucket << shift); }
};

/// A pair with its roles: the first body and the second.
struct role_pair {
  row first;
  row second;
};

/// Pairs on their way into a list, by buckets of the first body's row. Threads add pairs at the same time, each to
/// chunks of its own, so the order within a bucket is any: give no meaning to it.
class pair_buckets {
 public:
  /// Empties it, for pairs whose first bodies are rows [0, rows), added by up to `threads` threads at a time.
  void start(std::size_t rows, int threads);

  /// Adds `count` pairs, the k-th of which is `get(k)`; those for which `keep(p)` is false are left out.
  template <class Get, class Keep>
  void add(std::size_t count, Get&& get, Keep&& keep) {
    const claim mine(*this);
    role_pair** const heads = mine.own.heads.data();
    for (std::size_t k = 0; k < count; ++k) {
      const role_pair p = get(k);
      if (!keep(p)) continue;
      role_pair*& head = heads[p.first >> by_.shift];
      if (at_end(head)) head = new_chunk(mine.own, p.first >> by_.shift);
      *head++ = p;
    }
  }

  [[nodiscard]] const row_buckets& by() const { return by_; }
  /// The number of pairs in a bucket.
  [[nodiscard]] std::size_t count(std::size_t bucket) const;

  /// Calls `f(pairs, count)` for all pairs of a bucket, some at a time.
  template <class F>
  void for_each_chunk(std::size_t bucket, F&& f) const {
    for (const auto& w : writers_) {
      const role_pair* end = w->heads[bucket];
      while (end != nullptr) {
        const role_pair* const chunk = start_of(end - 1);
        const role_pair* const previous = link_in(chunk);
        if (previous != nullptr) {
          for (std::size_t k = 0; k < chunk_size; k += 8) ask_for(start_of(previous - 1), k);
        }
        f(chunk + 1, static_cast<std::size_t>(end - chunk - 1));
        end = previous;
      }
    }
  }

  /// Forgets the pairs and returns their memory, enough for `count` others, to be used until the next `start`.
  [[nodiscard]] role_pair* scratch(std::size_t count);

  [[nodiscard]] std::size_t bytes() const;

 private:
  // The first place of a chunk holds the end of the bucket's chunk before it.
  static constexpr std::size_t chunk_size = 128;
  static constexpr std::size_t chunk_bytes = chunk_size * sizeof(role_pair);
  static constexpr std::size_t chunks_at_once = 8;  // that a writer takes

  struct alignas(64) writer {
    std::atomic<bool> busy{false};
    std::vector<role_pair*> heads{};      // by bucket: where its next pair goes, the end of a chunk or null
    std::vector<std::uint32_t> chunks{};  // by bucket
    role_pair* free = nullptr;            // chunks of its own that are still empty
    role_pair* free_end = nullptr;
  };

  // Makes a writer the calling thread's for a while. There are as many writers as threads, so one is free.
  struct claim {
    explicit claim(pair_buckets& all);
    claim(const claim&) = delete;
    claim& operator=(const claim&) = delete;
    ~claim() { own.busy.store(false, std::memory_order_release); }
    writer& own;
  };

  [[nodiscard]] static bool at_end(const role_pair* head) {
    return reinterpret_cast<std::uintptr_t>(head) % chunk_bytes == 0;
  }
  [[nodiscard]] static const role_pair* start_of(const role_pair* in) {
    return in - reinterpret_cast<std::uintptr_t>(in) % chunk_bytes / sizeof(role_pair);
  }
  [[nodiscard]] static const role_pair* link_in(const role_pair* chunk);
  [[nodiscard]] writer& claimed_writer();
  [[nodiscard]] role_pair* new_chunk(writer& w, std::size_t bucket);
  void take_chunks(writer& w);

  // Memory for chunks. There is one slab, unless that was too small.
  struct slab {
    buffer<role_pair> pairs{};
    std::size_t size = 0;
  };

  row_buckets by_;
  std::vector<std::unique_ptr<writer>> writers_;
  std::mutex lock_;  // of what follows
  std::vector<slab> slabs_;
  std::size_t used_ = 0;   // of the last slab
  std::size_t taken_ = 0;  // of all slabs since the start
};

}  // namespace abut
