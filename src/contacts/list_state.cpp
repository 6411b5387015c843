#include "contacts/list_state.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "bodies/row_map.hpp"
#include "bodies/world.hpp"
#include "contacts/changes.hpp"
#include "contacts/neighbors.hpp"
#include "search/list_door.hpp"

namespace abut {

namespace {

void check_margin(const char* name, double value) {
  if (value >= 0 && value <= world::largest) return;
  throw error(std::string("the ") + name + " of a list of contacts is " + number_text(value) +
              "; it must be from 0 to 1e150");
}

// A bound on what rounding can hide of a gap, for bodies with these measures.
double room_for(const measures& m, const bodies& b, const periodic_axes& periodic, double margin) {
  double size = margin;
  for (int k = 0; k < b.dimension(); ++k) {
    const auto& period = periodic[static_cast<std::size_t>(k)];
    // Distances of spheres are rounded relative to themselves, those of boxes and images relative to coordinates.
    double most = m.widest[k];
    if (b.kind() == shape::box || period) most += std::max(std::abs(m.lower[k]), std::abs(m.upper[k]));
    if (period) most += std::max({std::abs(period->min), std::abs(period->max), period->max - period->min});
    size = std::max(size, most + margin);
  }
  return 4 * rounding_room(size);
}

}  // namespace

contact_list::state::state(contact_options o, std::size_t bytes, const void* fresh)
    : options_(std::move(o)), fresh_(bytes), skin_(options_.skin, options_.looks) {
  check_margin("margin", options_.margin);
  if (options_.skin) check_margin("skin", *options_.skin);
  if (!(options_.looks >= 0 && options_.looks <= 1)) {
    throw error("the looks of a list of contacts are " + number_text(options_.looks) + "; they must be from 0 to 1");
  }
  memory_.bytes = bytes;
  if (fresh != nullptr) {
    std::copy_n(static_cast<const std::byte*>(fresh), bytes, fresh_.begin());
  }
  make_empty();
}

void contact_list::state::make_empty() {
  slots_.offsets.make(1);
  slots_.back_offsets.make(1);
  slots_.offsets[0] = slots_.back_offsets[0] = 0;
}

void contact_list::state::clear() {
  slots_ = {};
  spare_ = {};
  memory_.release();
  spare_memory_.release();
  images_.release();
  periodic_ = false;
  ended_.size = 0;
  ids_.reset(0);
  other_ids_.reset(0);
  by_rows_ = true;
  allowed_ = never;
  updates_ = 0;
}

bool contact_list::state::held(double moves, double spare, std::uint64_t steps) {
  skin_.step(moves, steps);
  moves_ = moves;
  if (moves + spare <= allowed_ && !skin_.too_thick()) {
    ++holds_;
    return true;
  }
  skin_.tune();
  return false;
}

bool contact_list::state::hold(const bodies& b, const bodies* others, double spare, std::uint64_t steps) {
  if (allowed_ == never || !watch_.knows(b)) return false;
  if (between_ != (others != nullptr)) {
    throw error(between_ ? "this is a list between two sets: call hold with both"
                         : "this is a list of one set: call hold with that alone");
  }
  if (others != nullptr && !other_watch_.knows(*others)) return false;
  const shape other = (others == nullptr ? b : *others).kind();
  const body_watch::moves m = watch_.since(b, other, threads_);
  if (others == nullptr) return held(m.largest + m.second, spare, steps);
  return held(m.largest + other_watch_.since(*others, b.kind(), threads_).largest, spare, steps);
}

bool contact_list::state::hold(double displacement) {
  if (!(displacement >= 0)) {
    throw error("the displacement given to hold is " + number_text(displacement) + "; it must be at least 0");
  }
  stated_ += displacement;
  return allowed_ > never && held(2 * stated_, 0, 1);
}

// Gathers the pairs of the search, with their roles, into the sorter.
void contact_list::state::collect(search& s, const other_set* others, const id_columns& ids) {
  const std::size_t rows = s.searched().size();
  const auto add = [&](std::span<const pair> batch, auto&& with_roles) {
    const auto get = [&](std::size_t k) { return with_roles(batch[k]); };
    if (options_.keep) {
      sorter_.add(batch.size(), get, [&](role_pair p) { return options_.keep(p.first, p.second); });
    } else {
      sorter_.add(batch.size(), get, [](role_pair) { return true; });
    }
  };
  const auto as_found = [](const pair& p) { return role_pair{p.i, p.j}; };
  sorter_.start(rows, others == nullptr ? rows : others->size(), threads_);
  if (others != nullptr) {
    s.for_each_batch_between(*others, [&](std::size_t, std::span<const pair> batch) { add(batch, as_found); });
    return;
  }
  s.for_each_batch([&](std::size_t, std::span<const pair> batch) {
    if (ids.of_first == nullptr) return add(batch, as_found);
    add(batch, [&](const pair& p) {
      const std::int64_t i = ids.of_first[p.i];
      const std::int64_t j = ids.of_first[p.j];
      if (i == j) same_ids(p.i, p.j, i);
      return i < j ? role_pair{p.i, p.j} : role_pair{p.j, p.i};
    });
  });
}

// Remembers where the bodies are, and how far they may move while the list holds.
void contact_list::state::watch(const search& s, const bodies& b, const measures& of_firsts, const bodies* others,
                                const measures& of_others) {
  watch_.remember(b, threads_);
  measured_ = of_firsts;
  double room = room_for(measured_, b, periods_, s.chosen().margin);
  if (others != nullptr) {
    other_watch_.remember(*others, threads_);
    room += room_for(of_others, *others, periods_, s.chosen().margin);
  }
  const double skin = s.chosen().margin - options_.margin;
  allowed_ = skin - room;
  stated_ = moves_ = 0;
  const double unit = neighborhood::unit_of(measured_, b.size(), b.dimension(), options_.margin);
  skin_.rebuilt(
      skin, unit, b.dimension(),
      {static_cast<double>(b.size()), static_cast<double>(s.stats().tests), static_cast<double>(slots_.size)});
  if (!skin_.started()) skin_.start(unit);  // from the next update on
}

void contact_list::state::check_maps(const identities& who, std::size_t rows, std::size_t other_rows) const {
  if (who.new_rows) check_map(*who.new_rows, slots_.rows, rows);
  if (who.new_other_rows) check_map(*who.new_other_rows, slots_.other_rows, other_rows);
}

void contact_list::state::check_update(const search& s, bool between, const identities& who, std::size_t rows,
                                       std::size_t other_rows) const {
  if (!(s.chosen().margin >= options_.margin)) {
    throw error("the search has the margin " + number_text(s.chosen().margin) + ", the list " +
                number_text(options_.margin) + ": update the search with the list's reach");
  }
  if (updates_ > 0 && between_ != between) {
    throw error("a list is either of one set or between two: make another one");
  }
  check_maps(who, rows, other_rows);
}

void contact_list::state::update(search& s, const bodies* others, const identities& who) {
  const bodies& b = s.searched();
  const bodies& second_bodies = others == nullptr ? b : *others;
  const std::size_t other_rows = second_bodies.size();
  check_update(s, others != nullptr, who, b.size(), other_rows);
  threads_ = s.threads();
  id_columns ids;
  ids.of_first = ids_.next(who.ids, who.new_rows, b.size(), threads_);
  ids.of_second =
      others == nullptr ? ids.of_first : other_ids_.next(who.other_ids, who.new_other_rows, other_rows, threads_);
  std::optional<other_set> checked;
  if (others != nullptr) checked.emplace(*others);
  const row_moves firsts(who.new_rows, slots_.rows, b.size());
  const row_moves seconds(others == nullptr ? who.new_rows : who.new_other_rows, slots_.other_rows, other_rows);
  const bool by_rows = ids.of_first == nullptr && ids.of_second == nullptr;
  collect(s, checked ? &*checked : nullptr, ids);
  const measures of_firsts = list_door::measured(s);
  const measures of_seconds = checked ? list_door::measured(*checked) : of_firsts;
  const image_finder images(b, of_firsts, second_bodies, of_seconds, s.chosen().periodic);
  const bool in_place =
      slots_.size > 0 && by_rows && by_rows_ && firsts.same() && seconds.same() && !images.needs_check();
  if (!in_place || !change(images)) {
    contact_carrier carrier(slots_, memory_, firsts, seconds, ids.of_second, fresh_.data());
    rebuild(ids, carrier, images);
  }
  ids_.accept(who.ids);
  other_ids_.accept(who.other_ids);
  by_rows_ = by_rows;
  between_ = others != nullptr;
  slots_.other_rows = other_rows;
  periods_ = s.chosen().periodic;
  periodic_ = any_period(periods_);
  watch(s, b, of_firsts, others, of_seconds);
  ++updates_;
}

// Makes a new list of what the sorter has. Everything that may throw an error comes first, and changes only spare
// arrays, and the first bodies, which can be told from the offsets.
void contact_list::state::rebuild(const id_columns& ids, contact_carrier& carrier, const image_finder& images) {
  const std::size_t size = sorter_.count();
  rewritten<row> firsts(slots_.firsts, size);
  rewritten<std::uint32_t> back(slots_.back, size);
  rewritten<std::uint32_t> back_offsets(slots_.back_offsets, sorter_.other_rows() + 1);
  rewritten<image_shift> shifts(images_, images.needed() ? size : 0);
  try {
    carrier.start(size, sorter_.parts(), threads_, spare_memory_);
    sorter_.sort(ids.of_second, threads_, spare_, firsts.data(),
                 [&](const some_rows& rows) { carrier.carry(rows, spare_); });
    images.check(firsts.data(), spare_.seconds.data(), size, threads_);
    sorter_.deal_back(ids.of_first, threads_, spare_, firsts.data());
    carrier.list_ended(threads_, ended_);
  } catch (...) {
    if (firsts.in_place()) slots_.write_firsts(threads_);
    throw;
  }
  allowed_ = never;
  sorter_.write_back(threads_, back_offsets.data(), back.data());
  images.find(firsts.data(), spare_.seconds.data(), size, threads_, shifts.data());
  firsts.accept();
  back.accept();
  back_offsets.accept();
  shifts.accept();
  std::swap(static_cast<own_slots&>(slots_), spare_);
  std::swap(memory_, spare_memory_);
}

// Changes the list in place to what the sorter has. Returns false, and does nothing, if too much would change.
bool contact_list::state::change(const image_finder& images) {
  list_changes changes(slots_, sorter_.found(), threads_);
  if (!changes.few()) return false;
  changes.prepare(memory_.bytes);
  if (!changes.very_few()) (void)sorter_.count();
  const std::size_t size = changes.size();
  rewritten<row> firsts(slots_.firsts, size);
  rewritten<row> seconds(slots_.seconds, size + own_slots::readable_beyond);
  rewritten<std::uint32_t> back(slots_.back, size);
  rewritten<std::byte> memory(memory_.of_slot, size * memory_.bytes);
  rewritten<std::uint64_t> begun(memory_.begun, contact_memory::words(size));
  rewritten<image_shift> shifts(images_, images.needed() ? size : 0);
  list_ended(changes, memory_, threads_, ended_);
  // From here on, nothing throws but what the system does.
  allowed_ = never;
  if (changes.very_few()) changes.change_back(back.data());
  changes.change_own(firsts.data(), seconds.data());
  change_memory(changes, memory_.of_slot.data(), fresh_, threads_, memory.data(), begun.data());
  images.find(firsts.data(), seconds.data(), size, threads_, shifts.data());
  firsts.accept();
  seconds.accept();
  memory.accept();
  begun.accept();
  shifts.accept();
  if (!changes.very_few()) {
    sorter_.take(slots_, threads_);
    sorter_.deal_back(nullptr, threads_, slots_, slots_.firsts.data());
    sorter_.write_back(threads_, slots_.back_offsets.data(), back.data());
  }
  back.accept();
  spare_ = {};
  spare_memory_.release();
  return true;
}

double contact_list::state::reach(const search& s, const bodies& b,
                                  const std::optional<periodic_axes>& periodic) const {
  const periodic_axes& periods = periodic ? *periodic : s.chosen().periodic;
  if (!any_period(periods)) return options_.margin + skin_.next();
  const measures m = check(b, usable_threads(s.chosen().threads));
  return options_.margin + skin_.next(periods, b.dimension(), m, options_.margin);
}

bool contact_list::state::follow(search& s, const bodies& b, const bodies* others, const identities& who) {
  if (!who.new_rows && !who.new_other_rows && hold(b, others)) return false;
  if (updates_ == 0 || !skin_.started()) {  // what was loaded says nothing about motion
    const measures m = check(b, usable_threads(s.chosen().threads));
    skin_.start(neighborhood::unit_of(m, b.size(), b.dimension(), options_.margin));
  }
  s.update(b, {.margin = reach(s, b, {}), .new_rows = who.new_rows});
  update(s, others, who);
  return true;
}

neighbor_list contact_list::state::neighbors(const bodies& b, const bodies* others, const neighbor_options& o) const {
  if (b.size() != slots_.rows || (others != nullptr && others->size() != slots_.other_rows)) {
    throw error("the list has " + std::to_string(slots_.rows) + " bodies, these are " + std::to_string(b.size()) +
                ": update the list first");
  }
  return neighbors_now({slots_, periodic_ ? images_.data() : nullptr, periods_, between_, options_.margin, threads_}, b,
                       others == nullptr ? b : *others, o);
}

contact_list::list_stats contact_list::state::stats() const {
  list_stats s;
  s.updates = updates_;
  s.holds = holds_;
  s.bytes = slots_.bytes() + spare_.bytes() + memory_.size_in_bytes() + spare_memory_.size_in_bytes() +
            images_.bytes() + ids_.bytes() + other_ids_.bytes() + watch_.bytes() + other_watch_.bytes() +
            sorter_.bytes() + ended_.bytes();
  return s;
}

contact_list::arrays contact_list::state::view() {
  static const std::uint32_t none = 0;  // the offsets of no rows
  const bool empty = slots_.offsets.capacity() == 0;
  return {.size = slots_.size,
          .rows = slots_.rows,
          .other_rows = slots_.other_rows,
          .bytes = memory_.bytes,
          .offsets = empty ? &none : slots_.offsets.data(),
          .back_offsets = empty ? &none : slots_.back_offsets.data(),
          .firsts = slots_.firsts.data(),
          .seconds = slots_.seconds.data(),
          .back = slots_.back.data(),
          .images = periodic_ ? images_.data() : nullptr,
          .begun = memory_.begun.data(),
          .memory = memory_.of_slot.data(),
          .ids = ids_.own().empty() ? nullptr : ids_.own().data(),
          .other_ids = other_ids_.own().empty() ? nullptr : other_ids_.own().data(),
          .between = between_};
}

}  // namespace abut
