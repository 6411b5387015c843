#include "contacts/pair_buckets.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace abut {

namespace {

constexpr unsigned most_buckets_bits = 9;
constexpr unsigned least_rows_bits = 8;
constexpr std::size_t link_bytes = sizeof(void*);
static_assert(link_bytes <= sizeof(role_pair));

}  // namespace

row_buckets::row_buckets(std::size_t count) : rows(count) {
  const auto bits = static_cast<unsigned>(std::bit_width(rows));
  shift = std::max(least_rows_bits, bits > most_buckets_bits ? bits - most_buckets_bits : 0U);
  size = rows == 0 ? 0 : ((rows - 1) >> shift) + 1;
}

void pair_buckets::start(std::size_t rows, int threads) {
  by_ = row_buckets(rows);
  writers_.resize(static_cast<std::size_t>(std::max(threads, 1)));
  for (auto& w : writers_) {
    if (!w) w = std::make_unique<writer>();
    w->busy = false;
    w->heads.assign(by_.size, nullptr);
    w->chunks.assign(by_.size, 0);
    w->free = w->free_end = nullptr;
  }
  if (slabs_.size() > 1) (void)scratch(0);
  used_ = taken_ = 0;
}

std::size_t pair_buckets::count(std::size_t bucket) const {
  std::size_t sum = 0;
  for (const auto& w : writers_) {
    if (w->chunks[bucket] == 0) continue;
    const role_pair* const end = w->heads[bucket];
    sum += (w->chunks[bucket] - 1) * (chunk_size - 1) + static_cast<std::size_t>(end - start_of(end - 1) - 1);
  }
  return sum;
}

pair_buckets::claim::claim(pair_buckets& all) : own(all.claimed_writer()) {}

pair_buckets::writer& pair_buckets::claimed_writer() {
  thread_local std::size_t last = 0;  // a thread keeps to its writer, which its cache knows
  for (;; ++last) {
    writer& w = *writers_[last %= writers_.size()];
    if (!w.busy.exchange(true, std::memory_order_acquire)) return w;
  }
}

const role_pair* pair_buckets::link_in(const role_pair* chunk) {
  const role_pair* previous = nullptr;
  std::memcpy(&previous, static_cast<const void*>(chunk), link_bytes);
  return previous;
}

role_pair* pair_buckets::new_chunk(writer& w, std::size_t bucket) {
  if (w.free == w.free_end) take_chunks(w);
  role_pair* const chunk = w.free;
  w.free += chunk_size;
  const role_pair* const previous = w.heads[bucket];
  std::memcpy(static_cast<void*>(chunk), &previous, link_bytes);
  ++w.chunks[bucket];
  return chunk + 1;
}

void pair_buckets::take_chunks(writer& w) {
  const std::lock_guard hold(lock_);
  constexpr std::size_t some = chunks_at_once * chunk_size;
  if (slabs_.empty() || used_ + some > slabs_.back().size) {
    std::size_t all = some;
    for (const slab& s : slabs_) all += s.size;
    slab more;
    more.pairs.make(all + chunk_size);
    more.size = all;
    slabs_.push_back(std::move(more));
    used_ = 0;
  }
  // Chunks begin at multiples of their size, which is more than buffers are aligned to.
  role_pair* const first = slabs_.back().pairs.data();
  const std::size_t before = (chunk_bytes - reinterpret_cast<std::uintptr_t>(first) % chunk_bytes) % chunk_bytes;
  w.free = first + before / sizeof(role_pair) + used_;
  w.free_end = w.free + some;
  used_ += some;
  taken_ += some;
}

role_pair* pair_buckets::scratch(std::size_t count) {
  if (slabs_.size() != 1 || slabs_[0].pairs.capacity() < count) {
    const std::size_t needed = std::max(taken_, count);
    const std::size_t size = needed + needed / 64;
    slabs_.clear();
    slab one;
    one.pairs.make(size + chunk_size);
    one.size = size;
    slabs_.push_back(std::move(one));
  }
  used_ = 0;
  return slabs_[0].pairs.data();
}

std::size_t pair_buckets::bytes() const {
  std::size_t sum = 0;
  for (const slab& s : slabs_) sum += s.pairs.bytes();
  for (const auto& w : writers_) {
    if (w) sum += w->heads.capacity() * sizeof(void*) + bytes_of(w->chunks);
  }
  return sum;
}

}  // namespace abut
