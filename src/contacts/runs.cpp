#include "contacts/runs.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace abut {

namespace {

constexpr std::size_t blocks_per_task = 4096;
constexpr std::size_t groups_per_thread = 8;

std::uint32_t shift_of(const run& r) { return r.to - r.from; }  // modulo 2^32

// The part of a run with elements in [from, to) before the changes; its count is 0 if there is none.
run within(const run& r, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t begin = std::max(r.from, from);
  const std::uint32_t end = std::min(r.from + r.count, to);
  return {begin, begin + shift_of(r), end > begin ? end - begin : 0};
}

}  // namespace

new_places::new_places(std::span<const run> runs, std::size_t size, int threads)
    : runs_(runs), blocks_(size / block_size + 1) {
  parallel_blocks(threads, blocks_.size(), blocks_per_task, [&](std::size_t, std::size_t from, std::size_t to) {
    const run* const end = runs_.data() + runs_.size();
    const auto ends_before = [](const run& r, std::size_t place) { return r.from + r.count <= place; };
    const run* at = std::lower_bound(runs_.data(), end, from * block_size, ends_before);
    for (std::size_t b = from; b < to; ++b) {
      while (at < end && ends_before(*at, b * block_size)) ++at;
      blocks_[b] = block_of(at, static_cast<std::uint32_t>(b * block_size));
    }
  });
}

// `first` is the first run that ends after `begin`.
new_places::block new_places::block_of(const run* first, std::uint32_t begin) const {
  const run* const end = runs_.data() + runs_.size();
  const block crowded{static_cast<std::uint32_t>(first - runs_.data()), too_many};
  block b{first < end ? shift_of(*first) : 0, 0};
  std::uint32_t shift = b.shift;
  unsigned bits = 0;
  const auto add = [&](std::uint32_t change) {
    b.changes |= change << bits;
    bits += 8;
  };
  for (const run* at = first; at < end && at->from < begin + block_size; ++at) {
    for (; shift != shift_of(*at); shift += shift_of(*at) - shift < 1U << 31U ? 1U : ~0U) {
      if (bits == 32) return crowded;
      add(2 * (at->from - begin) + (shift_of(*at) - shift < 1U << 31U ? 0 : 1));
    }
  }
  while (bits < 32) add(2 * block_size);
  return b;
}

std::uint32_t new_places::search(std::uint32_t place, std::uint32_t first_run) const {
  for (std::size_t k = first_run; k < runs_.size(); ++k) {
    if (place < runs_[k].from + runs_[k].count) return place + shift_of(runs_[k]);
  }
  return 0;
}

run_mover::run_mover(std::span<const run> runs, int threads, std::size_t most_bytes) : runs_(runs), threads_(threads) {
  make_groups(threads > 1 ? groups_per_thread * static_cast<std::size_t>(threads) : 1);
  if (groups_.empty()) return;
  const group& last = groups_.back();
  aside_.make((last.aside + (last.low - last.begin) + (last.end - last.high)) * most_bytes);
}

// About as many elements in each.
void run_mover::make_groups(std::size_t count) {
  std::size_t elements = 0;
  for (const run& r : runs_) elements += r.count;
  std::size_t sum = 0;
  std::size_t first = 0;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    sum += runs_[k].count;
    if (k + 1 < runs_.size() && sum * count < elements * (groups_.size() + 1)) continue;
    groups_.push_back({first, k + 1, runs_[first].from, 0, 0, runs_[k].from + runs_[k].count, 0});
    first = k + 1;
  }
  std::size_t aside = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    group& own = groups_[g];
    own.low = g == 0 ? own.begin : std::clamp(runs_[own.first_run].to, own.begin, own.end);
    own.high = g + 1 == groups_.size() ? own.end : std::clamp(runs_[own.last_run].to, own.low, own.end);
    own.aside = aside;
    aside += (own.low - own.begin) + (own.end - own.high);
  }
}

void run_mover::put_aside(const group& g, const std::byte* all, std::size_t bytes) {
  std::byte* const to = aside_.data() + g.aside * bytes;
  const std::size_t low = (g.low - g.begin) * bytes;
  if (low > 0) std::memcpy(to, all + g.begin * bytes, low);
  if (g.high < g.end) std::memcpy(to + low, all + g.high * bytes, (g.end - g.high) * bytes);
}

// A run that goes down is moved at once: what it writes over was moved before, or stays behind. Of runs that go up, the
// last is moved first.
void run_mover::move_rest(const group& g, std::byte* all, std::size_t bytes) const {
  const auto move_one = [&](const run& whole) {
    const run r = within(whole, g.low, g.high);
    if (r.count > 0) std::memmove(all + r.to * bytes, all + r.from * bytes, r.count * bytes);
  };
  for (std::size_t k = g.first_run; k < g.last_run;) {
    const std::size_t up = k;
    while (k < g.last_run && runs_[k].to > runs_[k].from) ++k;
    for (std::size_t n = k; n > up; --n) move_one(runs_[n - 1]);
    if (k == g.last_run) return;
    if (runs_[k].to < runs_[k].from) move_one(runs_[k]);
    ++k;
  }
}

void run_mover::take_back(const group& g, std::byte* all, std::size_t bytes) const {
  const auto take = [&](const run& r, const std::byte* from) {
    if (r.count > 0) std::memcpy(all + r.to * bytes, from, r.count * bytes);
  };
  const std::byte* const low = aside_.data() + g.aside * bytes;
  const std::byte* const high = low + (g.low - g.begin) * bytes;
  for (std::size_t k = g.first_run; k < g.last_run && runs_[k].from < g.low; ++k) {
    const run r = within(runs_[k], g.begin, g.low);
    take(r, low + (r.from - g.begin) * bytes);
  }
  for (std::size_t k = g.last_run; k > g.first_run && runs_[k - 1].from + runs_[k - 1].count > g.high; --k) {
    const run r = within(runs_[k - 1], g.high, g.end);
    take(r, high + (r.from - g.high) * bytes);
  }
}

void run_mover::move(const void* from, void* to, std::size_t bytes) {
  if (bytes == 0) return;
  const auto* const source = static_cast<const std::byte*>(from);
  auto* const all = static_cast<std::byte*>(to);
  if (source == all) {
    parallel_for(threads_, groups_.size(), [&](std::size_t g) { put_aside(groups_[g], source, bytes); });
    parallel_for(threads_, groups_.size(), [&](std::size_t g) {
      move_rest(groups_[g], all, bytes);
      take_back(groups_[g], all, bytes);
    });
    return;
  }
  parallel_for(threads_, groups_.size(), [&](std::size_t g) {
    for (std::size_t k = groups_[g].first_run; k < groups_[g].last_run; ++k) {
      const run& r = runs_[k];
      std::memcpy(all + r.to * bytes, source + r.from * bytes, r.count * bytes);
    }
  });
}

}  // namespace abut
