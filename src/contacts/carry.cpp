#include "contacts/carry.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_per_task = 4096;

// Copies memory from slot to slot. Most contacts persist side by side, so whole runs are copied at a time.
class run_copier {
 public:
  run_copier(const contact_memory& from, contact_memory& to) : from_(from), to_(to) {}
  run_copier(const run_copier&) = delete;
  run_copier& operator=(const run_copier&) = delete;
  ~run_copier() { flush(); }

  void copy(std::uint32_t source, std::uint32_t target, std::uint32_t count) {
    if (source == source_ + count_ && target == target_ + count_) {
      count_ += count;
      return;
    }
    flush();
    source_ = source;
    target_ = target;
    count_ = count;
  }

 private:
  void flush() {
    const std::size_t n = to_.bytes;
    if (count_ > 0 && n > 0) {
      std::memcpy(to_.of_slot.data() + n * target_, from_.of_slot.data() + n * source_, n * count_);
    }
    count_ = 0;
  }

  const contact_memory& from_;
  contact_memory& to_;
  std::uint32_t source_ = 0;
  std::uint32_t target_ = 0;
  std::uint32_t count_ = 0;
};

// One pass of `carry`, over some rows of first bodies.
struct row_carrier {
  const slots& last;
  const contact_memory& from;
  const slots& next;
  const row_moves& seconds;
  const std::int64_t* ids;
  const std::byte* fresh;
  contact_memory& to;
  std::vector<std::uint8_t>& kept;  // by slot of `last`

  [[nodiscard]] bool same_seconds(std::uint32_t old, std::uint32_t now, std::uint32_t count) const {
    row differ = 0;
    for (std::uint32_t k = 0; k < count; ++k) differ |= last.seconds[old + k] ^ next.seconds[now + k];
    return differ == 0;
  }
  [[nodiscard]] std::int64_t id(row i) const { return ids == nullptr ? std::int64_t{i} : ids[i]; }

  void begin(std::uint32_t slot) const {
    if (to.bytes > 0) std::memcpy(to.of_slot.data() + to.bytes * slot, fresh, to.bytes);
    __atomic_fetch_or(to.begun.data() + slot / 64, std::uint64_t{1} << (slot % 64), __ATOMIC_RELAXED);
  }

  // Row `now` of `next` was row `before` of `last`. If rows keep their places, most bodies have the contacts that they
  // had.
  void merge(row now, row before, bool same_rows, run_copier& copies) const {
    std::uint32_t old = before == no_row ? 0 : last.offsets[before];
    const std::uint32_t end = before == no_row ? 0 : last.offsets[before + 1];
    const std::uint32_t begin_now = next.offsets[now];
    const std::uint32_t count = next.offsets[now + 1] - begin_now;
    if (same_rows && count == end - old && same_seconds(old, begin_now, count)) {
      for (std::uint32_t k = 0; k < count; ++k) kept[old + k] = 1;
      if (count > 0) copies.copy(old, begin_now, count);
      return;
    }
    for (std::uint32_t slot = next.offsets[now]; slot < next.offsets[now + 1]; ++slot) {
      const std::int64_t wanted = id(next.seconds[slot]);
      row second = no_row;
      for (; old < end; ++old) {
        second = seconds.now(last.seconds[old]);
        if (second != no_row && id(second) >= wanted) break;
      }
      if (old < end && id(second) == wanted) {
        kept[old] = 1;
        copies.copy(old++, slot, 1);
      } else {
        begin(slot);
      }
    }
  }
};

void list_ended(const slots& last, const contact_memory& from, const std::vector<std::uint8_t>& kept,
                const row_moves& firsts, const row_moves& seconds, ended_contacts_found& ended) {
  const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), std::uint8_t{0}));
  const std::size_t n = from.bytes;
  ended.all.clear();
  ended.all.reserve(count);
  ended.memory.make(count * n);
  if (count == 0) return;
  for (auto at = kept.begin(); (at = std::find(at, kept.end(), std::uint8_t{0})) != kept.end(); ++at) {
    const auto slot = static_cast<std::uint32_t>(at - kept.begin());
    const row first = last.firsts[slot];
    const row second = last.seconds[slot];
    std::byte* const memory = n == 0 ? nullptr : ended.memory.data() + n * ended.all.size();
    if (n > 0) std::memcpy(memory, from.of_slot.data() + n * slot, n);
    ended.all.push_back({first, second, firsts.now(first), seconds.now(second), memory});
  }
}

}  // namespace

std::vector<row> row_moves::inverse() const {
  if (!new_rows_) return {};
  std::vector<row> before(now_, no_row);
  for (std::size_t k = 0; k < new_rows_->size(); ++k) {
    if ((*new_rows_)[k] != no_row) before[(*new_rows_)[k]] = static_cast<row>(k);
  }
  return before;
}

void carry(const slots& last, const contact_memory& from, const slots& next, const row_moves& firsts,
           const row_moves& seconds, const std::int64_t* second_ids, const std::byte* fresh, int threads,
           contact_memory& to, ended_contacts_found& ended) {
  to.bytes = from.bytes;
  make_with_room(to.of_slot, next.size * to.bytes);
  const std::size_t words = (next.size + 63) / 64;
  make_with_room(to.begun, words);
  std::fill(to.begun.data(), to.begun.data() + words, last.size == 0 ? ~std::uint64_t{0} : std::uint64_t{0});
  std::vector<std::uint8_t> kept(last.size);  // by slot of `last`
  const std::vector<row> inverse = firsts.inverse();
  const row_carrier carrier{last, from, next, seconds, second_ids, fresh, to, kept};
  parallel_blocks(threads, next.rows, rows_per_task, [&](std::size_t, std::size_t begin, std::size_t end) {
    run_copier copies(from, to);
    for (std::size_t i = begin; i < end; ++i) {
      const row same = i < last.rows ? static_cast<row>(i) : no_row;
      carrier.merge(static_cast<row>(i), inverse.empty() ? same : inverse[i], seconds.in_place(), copies);
    }
  });
  list_ended(last, from, kept, firsts, seconds, ended);
}

}  // namespace abut
