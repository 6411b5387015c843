#include "close_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace abut::dem {

namespace {

constexpr std::size_t rows_per_part = 1000;  // at least: fewer are not worth a thread
constexpr std::size_t slots_ahead = 16;      // second bodies are fetched into the cache this number of slots ahead

vec multiplied(const image_shift& image, const vec& v) { return {image[0] * v.x, image[1] * v.y, image[2] * v.z}; }

// Numbers the shifts by periods that occur: nearly always the 27 to direct neighbors.
class shift_table {
 public:
  shift_table(close_part& part, const vec& period) : shifts_(part.shifts), images_(part.images), period_(period) {
    shifts_.clear();
    images_.clear();
    common_.fill(none);
  }
  std::uint32_t number_of(const image_shift& image) {
    const bool direct = std::max({std::abs(image[0]), std::abs(image[1]), std::abs(image[2])}) <= 1;
    if (!direct) return added(image);
    std::uint32_t& number = common_[static_cast<unsigned>((image[0] + 1) * 9 + (image[1] + 1) * 3 + image[2] + 1)];
    if (number == none) number = added(image);
    return number;
  }

 private:
  static constexpr std::uint32_t none = 0xffff'ffffU;

  std::uint32_t added(const image_shift& image) {
    const auto found = std::find(images_.begin(), images_.end(), image);
    if (found != images_.end()) return static_cast<std::uint32_t>(found - images_.begin());
    images_.push_back(image);
    shifts_.emplace_back(multiplied(image, period_));
    return static_cast<std::uint32_t>(images_.size() - 1);
  }

  std::vector<padded_vec>& shifts_;
  std::vector<image_shift>& images_;
  vec period_;
  std::array<std::uint32_t, 27> common_{};
};

template <class T>
void make_room(std::vector<T>& array, std::size_t size) {
  if (array.size() < size) array.resize(size + size / 16);
}

}  // namespace

void close_pairs::take(contact_list& near, const request& r) {
  split(near, r.most);
  memory_ = r.in_groups ? r.memory : 0;
  near.for_each_task(parts_.size(), [&](std::size_t k) {
    fill(parts_[k], near, r);
    if (!r.in_groups) return;
    group(parts_[k], static_cast<row>(near.rows() + 2 * k));
    parts_[k].lead = lead_of(parts_[k]);
    if (memory_ > 0) take_memory(parts_[k], near, memory_);
  });
  if (parts_.size() > 1) near.for_each_task(parts_.size(), [&](std::size_t k) { join(parts_[k]); });
  near.for_each_task(parts_.size(), [&](std::size_t k) { choose_waiting(parts_[k], r); });
}

void close_pairs::shift(const vec& period, const vec& speed) {
  for (close_part& part : parts_) {
    part.speeds.resize(part.images.size());
    for (std::size_t k = 0; k < part.images.size(); ++k) {
      part.shifts[k] = multiplied(part.images[k], period);
      part.speeds[k] = multiplied(part.images[k], speed);
    }
  }
}

// Parts of about the same work.
void close_pairs::split(const contact_list& near, std::size_t most) {
  const std::size_t rows = near.rows();
  const std::size_t count = std::clamp<std::size_t>(rows / rows_per_part, 1, most);
  parts_.resize(count);
  const auto offsets = near.offsets();
  const auto work = [&](std::size_t i) { return 2 * i + offsets[i]; };
  std::size_t from = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t until = work(rows) * (k + 1) / count;
    std::size_t low = from;
    std::size_t high = rows;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (work(middle) < until) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    parts_[k].from = static_cast<row>(from);
    parts_[k].to = static_cast<row>(k + 1 == count ? rows : low);
    from = parts_[k].to;
  }
}

void close_pairs::fill(close_part& part, contact_list& near, const request& r) {
  const auto offsets = near.offsets();
  const auto seconds = near.seconds();
  const auto images = near.images();
  const bool periodic = !images.empty();
  const std::size_t most = offsets[part.to] - offsets[part.from];
  make_room(part.second, most);
  if (r.memory > 0) make_room(part.slot, most);
  if (periodic) make_room(part.shift, most);
  part.begin.resize(part.to - part.from + 1);
  part.shifted.assign(part.to - part.from, 0);
  if (r.may_mark) part.paired.assign(part.to - part.from, 0);
  part.across.clear();
  shift_table table(part, r.period);
  const std::uint32_t unshifted = table.number_of({});
  const double more = r.reach + r.skin;
  std::uint32_t count = 0;
  std::size_t touching = 0;
  for (row i = part.from; i < part.to; ++i) {
    part.begin[i - part.from] = count;
    const body_record& one = r.bodies[i];
    for (std::uint32_t slot = offsets[i]; slot < offsets[i + 1]; ++slot) {
      __builtin_prefetch(r.bodies + seconds[std::min<std::size_t>(slot + slots_ahead, seconds.size() - 1)]);
      const row j = seconds[slot];
      const body_record& two = r.bodies[j];
      std::uint32_t shift = unshifted;
      if (periodic && (images[slot][0] | images[slot][1] | images[slot][2]) != 0) shift = table.number_of(images[slot]);
      const vec d = (two.at - one.at) + part.shifts[shift];
      const double sum = one.radius + two.radius;
      const double distance = sum + more;
      const double d2 = dot(d, d);
      if (!(d2 <= distance * distance)) {
        if (r.memory > 0) std::fill_n(reinterpret_cast<double*>(near.memory(slot)), r.memory, 0.0);
        continue;
      }
      touching += d2 <= sum * sum ? 1 : 0;
      if (r.may_mark) {
        part.paired[i - part.from] = 1;
        if (j < part.to) part.paired[j - part.from] = 1;
      }
      if (j >= part.to) {
        part.across.push_back({i, j, slot, shift});
        continue;
      }
      part.second[count] = j;
      if (r.memory > 0) part.slot[count] = slot;
      if (periodic) part.shift[count] = shift;
      if (shift != unshifted) part.shifted[i - part.from] = 1;
      ++count;
    }
  }
  part.begin[part.to - part.from] = count;
  part.pairs = count;
  part.pushes.resize(part.across.size());
  choose_marks(part, touching, r.may_mark);
}

// Marks stay as they are if they are of the same rows.
void close_pairs::choose_marks(close_part& part, std::size_t touching, bool may_mark) {
  const row rows = part.to - part.from;
  const bool had = part.marks && part.marked_from == part.from && part.marked_to == part.to;
  part.marks = may_mark && 16 * touching < rows;
  if (!part.marks || had) return;
  part.mark.assign(rows, 1);
  part.marked_from = part.from;
  part.marked_to = part.to;
}

// Bodies without forces wait if they have no close pair.
void close_pairs::choose_waiting(close_part& part, const request& r) {
  part.some_wait = part.marks && r.may_wait;
  part.waited = 0;
  if (!part.some_wait) return;
  for (const close_part::incoming& in : part.in) part.paired[in.second - part.from] = 1;
  part.awake.clear();
  part.awake_begin.clear();
  part.waiting.clear();
  double most = 0;
  for (row i = part.from; i < part.to; ++i) {
    if ((i - part.from) % close_part::rows_at_once == 0) {
      part.awake_begin.push_back(static_cast<std::uint32_t>(part.awake.size()));
    }
    if (part.mark[i - part.from] != 0 || part.paired[i - part.from] != 0) {
      part.awake.push_back(i);
      continue;
    }
    part.waiting.push_back(i);
    const vec move = r.bodies[i].velocity * r.step;
    most = std::max(most, dot(move, move));
  }
  part.awake_begin.push_back(static_cast<std::uint32_t>(part.awake.size()));
  part.waiting_move2 = most;
}

void close_pairs::mark_all() {
  for (close_part& part : parts_) {
    std::fill(part.mark.begin(), part.mark.end(), std::uint8_t{1});
    part.some_wait = false;
  }
}

bool close_pairs::some_waited() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const close_part& p) { return p.some_wait && p.waited > 0; });
}

// Makes groups of the pairs that were taken.
void close_pairs::group(close_part& part, row nobody) {
  const row rows = part.to - part.from;
  const std::size_t blocks = (rows + close_part::rows_at_once - 1) / close_part::rows_at_once;
  make_room(part.groups, part.pairs / 4 + blocks + close_part::groups_ahead);
  make_room(part.group_shift, part.groups.size());
  const bool slots = !part.slot.empty();
  if (slots) make_room(part.group_slot, 4 * part.groups.size());
  part.group_begin.resize(blocks + 1);
  part.four_shifts.assign(1, 0);
  const bool periodic = !part.shift.empty();
  std::size_t count = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    part.group_begin[b] = static_cast<std::uint32_t>(count);
    const row until = std::min<row>(rows, static_cast<row>((b + 1) * close_part::rows_at_once));
    std::uint32_t at = 0;  // in the group
    std::uint32_t shift[4] = {};
    const auto finish = [&] {
      for (; at < 4; ++at) {
        part.groups[count].first[at] = offset_of(nobody);
        part.groups[count].second[at] = offset_of(nobody + 1);
        if (slots) part.group_slot[4 * count + at] = close_part::no_slot;
        shift[at] = 0;
      }
      const bool shifted = (shift[0] | shift[1] | shift[2] | shift[3]) != 0;
      part.group_shift[count] = shifted ? static_cast<std::uint32_t>(part.four_shifts.size()) : 0;
      if (shifted) part.four_shifts.insert(part.four_shifts.end(), shift, shift + 4);
      ++count;
      at = 0;
    };
    for (row i = static_cast<row>(b * close_part::rows_at_once); i < until; ++i) {
      for (std::uint32_t k = part.begin[i]; k < part.begin[i + 1]; ++k) {
        part.groups[count].first[at] = offset_of(part.from + i);
        part.groups[count].second[at] = offset_of(part.second[k]);
        shift[at] = periodic ? part.shift[k] : 0;
        if (slots) part.group_slot[4 * count + at] = part.slot[k];
        if (++at == 4) finish();
      }
    }
    if (at > 0) finish();
  }
  part.group_begin[blocks] = static_cast<std::uint32_t>(count);
  for (std::size_t k = count; k < count + close_part::groups_ahead; ++k) part.groups[k] = {};
}

// The median of one row in eight.
row close_pairs::lead_of(const close_part& part) {
  constexpr row one_in = 8;
  std::vector<row> far;
  for (row i = 0; i < part.to - part.from; i += one_in) {
    if (part.begin[i] != part.begin[i + 1]) far.push_back(part.second[part.begin[i + 1] - 1] - (part.from + i));
  }
  if (far.empty()) return close_part::rows_before;
  const auto middle = far.begin() + static_cast<std::ptrdiff_t>(far.size() / 2);
  std::nth_element(far.begin(), middle, far.end());
  return *middle + close_part::rows_before;
}

void close_pairs::take_memory(close_part& part, const contact_list& near, std::size_t memory) {
  const std::size_t groups = part.group_begin.back();
  make_room(part.memory, groups * memory);
  for (std::size_t k = 0; k < groups; ++k) {
    for (std::size_t n = 0; n < 4; ++n) {
      const std::uint32_t slot = part.group_slot[4 * k + n];
      const double* const from =
          slot == close_part::no_slot ? nullptr : reinterpret_cast<const double*>(near.memory(slot));
      for (std::size_t m = 0; m < memory; ++m) part.memory[k * memory + m].of[n] = from == nullptr ? 0 : from[m];
    }
  }
}

void close_pairs::put_memory(const close_part& part, double* to, std::size_t memory) {
  for (std::size_t k = 0; k < part.group_begin.back(); ++k) {
    for (std::size_t n = 0; n < 4; ++n) {
      const std::uint32_t slot = part.group_slot[4 * k + n];
      if (slot == close_part::no_slot) continue;
      for (std::size_t m = 0; m < memory; ++m) to[slot * memory + m] = part.memory[k * memory + m].of[n];
    }
  }
}

void close_pairs::put_back(contact_list& near) {
  if (memory_ == 0 || near.size() == 0) return;
  auto* const to = reinterpret_cast<double*>(near.memory(0));
  near.for_each_task(parts_.size(), [&](std::size_t k) { put_memory(parts_[k], to, memory_); });
  memory_ = 0;
}

std::vector<double> close_pairs::memory(const contact_list& near, std::size_t count) const {
  std::vector<double> all(near.size() * count);
  if (all.empty()) return all;
  std::copy_n(reinterpret_cast<const double*>(near.memory(0)), all.size(), all.begin());
  if (memory_ == 0) return all;
  for (const close_part& part : parts_) put_memory(part, all.data(), memory_);
  return all;
}

void close_pairs::join(close_part& part) const {
  part.in.clear();
  for (std::uint32_t k = 0; k < parts_.size() && parts_[k].from < part.from; ++k) {
    for (std::uint32_t n = 0; n < parts_[k].across.size(); ++n) {
      const row second = parts_[k].across[n].second;
      if (second >= part.from && second < part.to) part.in.push_back({k, n, second});
    }
  }
}

std::size_t close_pairs::size() const {
  std::size_t sum = 0;
  for (const close_part& part : parts_) sum += part.pairs + part.across.size();
  return sum;
}

std::size_t close_pairs::bytes() const {
  std::size_t sum = 0;
  for (const close_part& p : parts_) {
    sum += (p.begin.capacity() + p.second.capacity() + p.slot.capacity() + p.shift.capacity()) * sizeof(std::uint32_t) +
           p.shifted.capacity() + p.mark.capacity() + p.paired.capacity() +
           (p.awake.capacity() + p.waiting.capacity()) * sizeof(row) +
           p.across.capacity() * sizeof(close_part::across_pair) + p.groups.capacity() * sizeof(pair_group) +
           (p.group_begin.capacity() + p.group_shift.capacity() + p.four_shifts.capacity() + p.group_slot.capacity()) *
               sizeof(std::uint32_t) +
           p.memory.capacity() * sizeof(quadruple) + p.pushes.capacity() * sizeof(pair_push) +
           p.in.capacity() * sizeof(close_part::incoming);
  }
  return sum;
}

// The work of a step with the skin s: slope s tests, and renewal path / s. It is least where both are equal.
void close_skin::lasted(double path, double steps) {
  if (!(path > 0 && slope_ > 0 && steps > 0)) return;
  const double best = std::sqrt(renewal_ * path / steps / slope_);
  wanted_ = std::clamp(best, 0.5 * wanted_, 2 * wanted_);
}

void close_skin::taken(double skin, double near_skin, double bodies, double near_pairs, double pairs) {
  constexpr double tests_per_body = 2;  // to see whether the list of near pairs holds
  renewal_ = near_pairs + tests_per_body * bodies;
  if (near_skin > skin) slope_ = (near_pairs - pairs) / (near_skin - skin);
}

}  // namespace abut::dem
