#include "bodies/muting.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "base/parallel.hpp"

namespace abut {

namespace {

// Keeps the pairs for which `keep` is true. Without a branch, so that the reads of several pairs overlap: the rows of a
// pair are anywhere in memory.
template <class Keep>
std::size_t kept_pairs(pair* first, std::size_t count, Keep&& keep) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const pair p = first[k];
    first[kept] = p;
    kept += keep(p) ? 1 : 0;
  }
  return kept;
}

template <class T>
void pick(const std::vector<T>& from, std::span<const row> rows, std::vector<T>& to) {
  if (from.empty()) return;
  to.reserve(rows.size());
  for (const row i : rows) to.push_back(from[i]);
}

}  // namespace

muting::muting(const bodies& b, std::size_t rows, int threads) {
  const std::size_t n = b.size();
  const auto make = [&](auto& by_row) {
    by_row.reserve(rows);
    by_row.resize(n);
  };
  if (b.fixed().given() || rows > n) make(bits_);
  if (b.group().given()) make(groups_);
  if (b.category().given()) make(masks_);
  if (!any()) return;
  parallel_blocks(threads, n, 16384, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && b.fixed().given(); ++i) bits_[i] = b.fixed()[i] ? fixed_bit : std::uint8_t{0};
    for (std::size_t i = from; i < to && b.group().given(); ++i) groups_[i] = b.group()[i];
    for (std::size_t i = from; i < to && b.category().given(); ++i) {
      masks_[i] = {static_cast<std::uint64_t>(b.category()[i]), static_cast<std::uint64_t>(b.collides()[i])};
    }
  });
}

muting::muting(const muting& all, std::span<const row> rows) {
  if (std::any_of(rows.begin(), rows.end(), [&](row i) { return all.fixed(i); })) pick(all.bits_, rows, bits_);
  pick(all.groups_, rows, groups_);
  pick(all.masks_, rows, masks_);
}

void muting::add_ghost(row owner, std::uint8_t bits) {
  bits_.push_back(static_cast<std::uint8_t>(bits_[owner] | bits));
  if (!groups_.empty()) groups_.push_back(groups_[owner]);
  if (!masks_.empty()) masks_.push_back(masks_[owner]);
}

bool muting::freed(const muting& before, row then, row i) const {
  if (before.fixed(then) && !fixed(i)) return true;
  if (!before.groups_.empty() && (groups_.empty() || groups_[i] != before.groups_[then])) return true;
  const mask now = mask_of(i);
  const mask old = before.mask_of(then);
  return (now.category & ~old.category) != 0 || (now.collides & ~old.collides) != 0;
}

std::size_t muting::drop_labeled(pair* first, std::size_t count) const {
  if (!groups_.empty()) count = kept_pairs(first, count, [&](pair p) { return groups_[p.i] != groups_[p.j]; });
  if (!masks_.empty()) count = kept_pairs(first, count, [&](pair p) { return !exclude(masks_[p.i], masks_[p.j]); });
  return count;
}

std::size_t muting::bytes() const { return bytes_of(bits_) + bytes_of(groups_) + bytes_of(masks_); }

}  // namespace abut
