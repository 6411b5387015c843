#include "contacts/carry.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t rows_per_task = 1U << 15;

// Threads may share a word.
void mark_begun(std::span<std::uint64_t> begun, std::uint32_t slot) {
  __atomic_fetch_or(&begun[slot / 64], std::uint64_t{1} << (slot % 64), __ATOMIC_RELAXED);
}

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
  const std::size_t words = contact_memory::words(size);
  make_with_room(to.begun, words);
  std::fill_n(to.begun.data(), words, last_.size == 0 ? ~std::uint64_t{0} : std::uint64_t{0});
  inverse_ = firsts_.inverse(threads);
  gone_.assign(parts, {});
}

void contact_carrier::begin(std::uint32_t slot) const {
  if (to_->bytes > 0) std::memcpy(to_->of_slot.data() + to_->bytes * slot, fresh_, to_->bytes);
  if (last_.size == 0) return;  // all are new
  mark_begun({to_->begun.data(), to_->begun.capacity()}, slot);
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

void ended_contacts_found::make(std::size_t count, std::size_t bytes_each) {
  size = count;
  make_with_room(all, count);
  make_with_room(memory, count * bytes_each);
}

void ended_contacts_found::set(std::size_t at, const contact_list::ended_contact& contact, std::size_t bytes_each) {
  all[at] = contact;
  all[at].memory = bytes_each == 0 ? nullptr : memory.data() + at * bytes_each;
  if (bytes_each > 0) std::memcpy(all[at].memory, contact.memory, bytes_each);
}

void list_ended(const list_changes& changes, contact_memory& from, int threads, ended_contacts_found& out) {
  const std::vector<changed_rows>& buckets = changes.by_first().buckets;
  std::vector<std::size_t> begins{0};
  for (const changed_rows& c : buckets) begins.push_back(begins.back() + c.ended.size());
  out.make(begins.back(), from.bytes);
  parallel_for(threads, buckets.size(), [&](std::size_t b) {
    std::size_t at = begins[b];
    for (const changed_slot& s : buckets[b].ended) {
      out.set(at++, {s.body, s.other, s.body, s.other, from.at(s.slot)}, from.bytes);
    }
  });
}

void change_memory(list_changes& changes, const std::byte* from, const std::vector<std::byte>& fresh, int threads,
                   std::byte* to, std::uint64_t* begun) {
  const std::size_t bytes = fresh.size();
  changes.move(from, to, bytes);
  std::fill_n(begun, contact_memory::words(changes.size()), std::uint64_t{0});
  const std::vector<changed_rows>& buckets = changes.by_first().buckets;
  parallel_for(threads, buckets.size(), [&](std::size_t b) {
    for (const changed_slot& s : buckets[b].begun) {
      mark_begun({begun, contact_memory::words(changes.size())}, s.slot);
      if (bytes > 0) std::memcpy(to + s.slot * bytes, fresh.data(), bytes);
    }
  });
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
  out.make(begins.back(), from_.bytes);
  parallel_for(threads, gone_.size(), [&](std::size_t part) {
    std::size_t at = begins[part];
    for (const ended_slot& e : gone_[part]) {
      const row second = last_.seconds[e.slot];
      out.set(at++, {e.first, second, firsts_.now(e.first), seconds_.now(second), from_.at(e.slot)}, from_.bytes);
    }
  });
}

}  // namespace abut
