#include "contacts/carry.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_per_task = 1U << 15;

}  // namespace

// Copies memory from slot to slot. Most contacts persist side by side, so whole runs are copied at a time.
class contact_carrier::run_copier {
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

std::vector<row> row_moves::inverse(int threads) const {
  if (!new_rows_) return {};
  std::vector<row> before(now_, no_row);
  parallel_blocks(threads, new_rows_->size(), rows_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
      if ((*new_rows_)[k] != no_row) before[(*new_rows_)[k]] = static_cast<row>(k);
    }
  });
  return before;
}

void contact_carrier::start(std::size_t size, std::size_t parts, int threads, contact_memory& to) {
  to_ = &to;
  to.bytes = from_.bytes;
  make_with_room(to.of_slot, size * to.bytes);
  const std::size_t words = (size + 63) / 64;
  make_with_room(to.begun, words);
  std::fill_n(to.begun.data(), words, last_.size == 0 ? ~std::uint64_t{0} : std::uint64_t{0});
  inverse_ = firsts_.inverse(threads);
  gone_.assign(parts, {});
}

void contact_carrier::begin(std::uint32_t slot) const {
  if (to_->bytes > 0) std::memcpy(to_->of_slot.data() + to_->bytes * slot, fresh_, to_->bytes);
  if (last_.size == 0) return;  // all are new
  // Two parts may share a word.
  __atomic_fetch_or(to_->begun.data() + slot / 64, std::uint64_t{1} << (slot % 64), __ATOMIC_RELAXED);
}

// Slots [slot, end) of `next` are those of a body that had the row `before` in the last list. Plain: second bodies have
// kept their rows, which are their ids.
template <bool Plain>
void contact_carrier::merge(std::uint32_t slot, std::uint32_t end, row before, const own_slots& next,
                            run_copier& copies, ended_slots& gone) const {
  std::uint32_t old = before == no_row ? 0 : last_.offsets[before];
  const std::uint32_t old_end = before == no_row ? 0 : last_.offsets[before + 1];
  if (Plain && end - slot == old_end - old) {  // most bodies have the contacts that they had
    row differ = 0;
    for (std::uint32_t k = 0; k < end - slot; ++k) differ |= last_.seconds[old + k] ^ next.seconds[slot + k];
    if (differ == 0) {
      if (slot < end) copies.copy(old, slot, end - slot);
      return;
    }
  }
  const auto id = [&](row i) { return Plain || ids_ == nullptr ? std::int64_t{i} : ids_[i]; };
  for (; slot < end; ++slot) {
    const std::int64_t wanted = id(next.seconds[slot]);
    bool found = false;
    for (; old < old_end && !found; ++old) {
      const row second = Plain ? last_.seconds[old] : seconds_.now(last_.seconds[old]);
      if (second != no_row && id(second) > wanted) break;
      found = second != no_row && id(second) == wanted;
      if (!found) gone.push_back({before, old});
    }
    if (found) {
      copies.copy(old - 1, slot, 1);
    } else {
      begin(slot);
    }
  }
  for (; old < old_end; ++old) gone.push_back({before, old});
}

void contact_carrier::carry(const some_rows& rows, const own_slots& next) {
  run_copier copies(from_, *to_);
  const bool plain = ids_ == nullptr && seconds_.in_place();
  std::uint32_t slot = rows.slot;
  for (std::size_t i = rows.from; i < rows.to; ++i) {
    const row same = i < last_.rows ? static_cast<row>(i) : no_row;
    const row before = inverse_.empty() ? same : inverse_[i];
    const std::uint32_t end = next.offsets[i + 1];
    plain ? merge<true>(slot, end, before, next, copies, gone_[rows.part])
          : merge<false>(slot, end, before, next, copies, gone_[rows.part]);
    slot = end;
  }
}

// Copies slots that are kept.
void contact_carrier::copy_run(std::uint32_t source, std::uint32_t target, std::uint32_t count, own_slots& next) const {
  if (count == 0) return;
  std::copy_n(last_.seconds.data() + source, count, next.seconds.data() + target);
  const std::size_t n = to_->bytes;
  if (n > 0) std::memcpy(to_->of_slot.data() + n * target, from_.of_slot.data() + n * source, n * count);
}

// Writes a row of which slots have ended, or to which pairs are added, from `slot` on. Returns where it ends.
std::uint32_t contact_carrier::merge_kept(row i, std::uint32_t slot, const kept_slots& kept, const role_pair*& added,
                                          const role_pair* added_end, own_slots& next, ended_slots& gone) const {
  const auto add_below = [&](row second) {
    for (; added < added_end && added->first == i && added->second < second; ++added) {
      next.seconds[slot] = added->second;
      begin(slot++);
    }
  };
  for (std::uint32_t old = last_.offsets[i]; old < last_.offsets[i + 1]; ++old) {
    if (!kept.kept(old)) {
      gone.push_back({i, old});
      continue;
    }
    add_below(last_.seconds[old]);
    copy_run(old, slot++, 1, next);
  }
  add_below(no_row);
  return slot;
}

void contact_carrier::carry_kept(const some_rows& rows, const kept_slots& kept, std::span<const role_pair> added,
                                 own_slots& next) {
  const std::uint32_t* const before = last_.offsets.data();
  std::uint32_t* const now = next.offsets.data();
  const role_pair* add = added.data();
  const role_pair* const add_end = add + added.size();
  std::uint32_t slot = rows.slot;
  std::uint32_t ended = kept.next_ended(before[rows.from]);
  for (std::size_t i = rows.from; i < rows.to; ++i) {
    // Rows that have the contacts that they had.
    const std::size_t same_end = add < add_end ? add->first : rows.to;
    const std::uint32_t source = before[i];
    const std::uint32_t shift = slot - source;  // modulo 2^32
    for (; i < same_end && before[i + 1] <= ended; ++i) now[i + 1] = before[i + 1] + shift;
    copy_run(source, slot, before[i] - source, next);
    slot += before[i] - source;
    if (i == rows.to) return;
    slot = now[i + 1] = merge_kept(static_cast<row>(i), slot, kept, add, add_end, next, gone_[rows.part]);
    if (ended < before[i + 1]) ended = kept.next_ended(before[i + 1]);
  }
}

// The contacts of first bodies that are gone.
void contact_carrier::add_vanished() {
  ended_slots& gone = gone_.emplace_back();
  for (std::size_t i = 0; i < last_.rows; ++i) {
    if (firsts_.now(static_cast<row>(i)) != no_row) continue;
    for (std::uint32_t s = last_.offsets[i]; s < last_.offsets[i + 1]; ++s) gone.push_back({static_cast<row>(i), s});
  }
  if (inverse_.empty()) return;  // they are the last rows
  ended_slots all;
  for (const ended_slots& some : gone_) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end(), [](const ended_slot& a, const ended_slot& b) { return a.slot < b.slot; });
  gone_.clear();
  gone_.push_back(std::move(all));
}

void contact_carrier::list_ended(int threads, ended_contacts_found& out) {
  if (!firsts_.in_place()) add_vanished();
  std::vector<std::size_t> begins{0};
  for (const ended_slots& some : gone_) begins.push_back(begins.back() + some.size());
  const std::size_t n = from_.bytes;
  out.size = begins.back();
  make_with_room(out.all, out.size);
  make_with_room(out.memory, out.size * n);
  parallel_for(threads, gone_.size(), [&](std::size_t part) {
    std::size_t at = begins[part];
    for (const ended_slot& e : gone_[part]) {
      std::byte* const memory = n == 0 ? nullptr : out.memory.data() + n * at;
      if (n > 0) std::memcpy(memory, from_.of_slot.data() + n * e.slot, n);
      const row second = last_.seconds[e.slot];
      out.all[at++] = {e.first, second, firsts_.now(e.first), seconds_.now(second), memory};
    }
  });
}

}  // namespace abut
