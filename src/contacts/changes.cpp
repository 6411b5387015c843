#include "contacts/changes.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t slots_per_task = 1U << 15;

bool by_body_and_slot(const changed_slot& a, const changed_slot& b) {
  return a.body != b.body ? a.body < b.body : a.slot < b.slot;
}

// Adds to the offsets of rows (from, to] by how much the slots before them have changed.
void shift_offsets(std::uint32_t* offsets, std::size_t from, std::size_t to, const changed_rows& changes) {
  std::uint32_t shift = changes.shift;
  auto ended = changes.ended.begin();
  auto begun = changes.begun.begin();
  const auto row_of = [to](auto at, auto end) { return at == end ? to : at->body; };
  for (std::size_t i = from; i < to;) {
    const std::size_t next = std::min(row_of(ended, changes.ended.end()), row_of(begun, changes.begun.end()));
    if (shift != 0) {
      for (std::size_t k = i; k < next; ++k) offsets[k + 1] += shift;
    }
    i = next;
    for (; i < to && ended != changes.ended.end() && ended->body == i; ++ended) --shift;
    for (; i < to && begun != changes.begun.end() && begun->body == i; ++begun) ++shift;
    if (i < to) offsets[++i] += shift;
  }
}

}  // namespace

std::size_t side_changes::join(const std::uint32_t* offsets) {
  std::size_t count = 0;
  for (const changed_rows& c : buckets) count += c.runs.runs().size();
  runs.reserve(count);
  std::size_t size = 0;
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    changed_rows& c = buckets[b];
    const std::uint32_t begin = offsets[by.begin(b)];
    const auto now = static_cast<std::uint32_t>(size);
    c.shift = now - begin;
    for (changed_slot& s : c.begun) s.place += now;
    for (const run& r : c.runs.runs()) runs.push_back({r.from, r.to + now, r.count});
    size += offsets[by.begin(b + 1)] - begin - c.ended.size() + c.begun.size();
  }
  check_size(size);
  return size;
}

void side_changes::shift(std::uint32_t* offsets, int threads) const {
  parallel_for(threads, buckets.size(),
               [&](std::size_t b) { shift_offsets(offsets, by.begin(b), by.begin(b + 1), buckets[b]); });
}

list_changes::list_changes(slots& list, const pair_buckets& found, int threads) : list_(list), threads_(threads) {
  own_.by = found.by();
  own_.buckets.resize(own_.by.size);
  parallel_for(threads_, own_.by.size, [&](std::size_t b) { find_bucket(b, found); });
  std::size_t count = 0;
  for (const changed_rows& c : own_.buckets) count += c.ended.size() + c.begun.size();
  few_ = count <= list_.size / 4;
  very_few_ = count <= list_.size / 32;
}

// The changes of a bucket of first bodies.
void list_changes::find_bucket(std::size_t bucket, const pair_buckets& found) {
  changed_rows& out = own_.buckets[bucket];
  const std::size_t from = own_.by.begin(bucket);
  const std::size_t to = own_.by.begin(bucket + 1);
  kept_slots kept(list_, from, to);
  std::vector<role_pair> added;
  found.for_each_chunk(bucket, [&](const role_pair* pairs, std::size_t count) { kept.find(pairs, count, added); });
  std::sort(added.begin(), added.end(), [](const role_pair& a, const role_pair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  const row* const seconds = list_.seconds.data();
  const std::uint32_t end = list_.offsets[to];
  std::uint32_t ended = kept.next_ended(list_.offsets[from]);
  std::size_t first = from;  // of the slot that has ended: its neighbors in `firsts` are not in the cache
  out.runs = run_maker(list_.offsets[from]);
  const auto end_before = [&](std::uint32_t place) {
    for (; ended < place; ended = kept.next_ended(ended + 1)) {
      while (list_.offsets[first + 1] <= ended) ++first;
      out.ended.push_back({static_cast<row>(first), seconds[ended], ended, ended});
      out.runs.remove(ended);
    }
  };
  for (const role_pair& p : added) {
    const row* const row_end = seconds + list_.offsets[p.first + 1];
    const row* const next = std::lower_bound(seconds + list_.offsets[p.first], row_end, p.second);
    const auto place = static_cast<std::uint32_t>(next - seconds);
    end_before(place);
    out.begun.push_back({p.first, p.second, 0, out.runs.insert(place)});
  }
  end_before(end);
  out.runs.finish(end);
}

void list_changes::prepare(std::size_t most_bytes) {
  size_ = own_.join(list_.offsets.data());
  own_mover_.emplace(own_.runs, threads_, std::max(most_bytes, sizeof(row)));
  for (changed_rows& c : own_.buckets) {
    for (changed_slot& s : c.begun) s.slot = s.place;
  }
  if (very_few()) prepare_back();
}

void list_changes::prepare_back() {
  places_.emplace(own_.runs, list_.size, threads_);
  deal_back();
  parallel_for(threads_, back_.by.size, [&](std::size_t b) { find_back_bucket(b); });
  back_.join(list_.back_offsets.data());
  back_mover_.emplace(back_.runs, threads_, sizeof(row));
}

// Deals the changes by first bodies to buckets of second bodies.
void list_changes::deal_back() {
  back_.by = row_buckets(list_.other_rows);
  back_.buckets.resize(back_.by.size);
  const auto bucket_of = [&](const changed_slot& s) -> changed_rows& {
    return back_.buckets[s.other >> back_.by.shift];
  };
  for (const changed_rows& c : own_.buckets) {
    for (const changed_slot& s : c.ended) bucket_of(s).ended.push_back({s.other, s.body, s.slot, 0});
    for (const changed_slot& s : c.begun) bucket_of(s).begun.push_back({s.other, s.body, s.slot, 0});
  }
}

// The changes of a bucket of second bodies. The slots of a body are in the order of its first bodies.
void list_changes::find_back_bucket(std::size_t bucket) {
  changed_rows& out = back_.buckets[bucket];
  std::sort(out.ended.begin(), out.ended.end(), by_body_and_slot);
  std::sort(out.begun.begin(), out.begun.end(), by_body_and_slot);
  const std::uint32_t* const offsets = list_.back_offsets.data();
  const std::uint32_t* const back = list_.back.data();
  const auto place_of = [&](row body, std::uint32_t slot) {
    return static_cast<std::uint32_t>(std::lower_bound(back + offsets[body], back + offsets[body + 1], slot) - back);
  };
  for (const changed_slot& s : out.ended) ask_for(offsets, s.body);
  for (const changed_slot& s : out.begun) {
    ask_for(offsets, s.body);
    ask_for(list_.offsets.data(), s.other);
  }
  for (const changed_slot& s : out.ended) ask_for(back, offsets[s.body]);
  for (const changed_slot& s : out.begun) ask_for(back, offsets[s.body]);
  for (changed_slot& s : out.ended) s.place = place_of(s.body, s.slot);
  out.runs = run_maker(offsets[back_.by.begin(bucket)]);
  auto ended = out.ended.begin();
  for (changed_slot& s : out.begun) {
    const std::uint32_t place = place_of(s.body, list_.offsets[s.other]);  // before those of first bodies that follow
    for (; ended != out.ended.end() && ended->place < place; ++ended) out.runs.remove(ended->place);
    s.place = out.runs.insert(place);
  }
  for (; ended != out.ended.end(); ++ended) out.runs.remove(ended->place);
  out.runs.finish(offsets[back_.by.begin(bucket + 1)]);
}

void list_changes::change_back(std::uint32_t* back) {
  std::uint32_t* const old = list_.back.data();
  parallel_blocks(threads_, list_.size, slots_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
    constexpr std::size_t ahead = 24;
    for (std::size_t k = from; k < to; ++k) {
      places_->ask_for_place(old[std::min(k + ahead, to - 1)]);
      old[k] = places_->of(old[k]);
    }
  });
  back_mover_->move(old, back, sizeof(*back));
  parallel_for(threads_, back_.by.size, [&](std::size_t b) {
    for (const changed_slot& s : back_.buckets[b].begun) back[s.place] = s.slot;
  });
  back_.shift(list_.back_offsets.data(), threads_);
}

void list_changes::change_own(row* firsts, row* seconds) {
  move(list_.firsts.data(), firsts, sizeof(row));
  move(list_.seconds.data(), seconds, sizeof(row));
  parallel_for(threads_, own_.by.size, [&](std::size_t b) {
    for (const changed_slot& s : own_.buckets[b].begun) {
      firsts[s.slot] = s.body;
      seconds[s.slot] = s.other;
    }
  });
  std::fill_n(seconds + size_, own_slots::readable_beyond, no_row);
  own_.shift(list_.offsets.data(), threads_);
  list_.size = size_;
}

}  // namespace abut
