// Lists that are saved and loaded.

#include <algorithm>
#include <string>

#include "contacts/list_state.hpp"

namespace abut {

namespace {

const std::vector<std::int64_t>& checked_ids(const std::vector<std::int64_t>& saved, std::size_t rows) {
  if (saved.empty() || saved.size() == rows) return saved;
  throw error("the saved contacts have " + std::to_string(saved.size()) + " ids; there are " + std::to_string(rows) +
              " bodies");
}

}  // namespace

saved_contacts contact_list::state::save() const {
  saved_contacts out;
  const std::size_t n = slots_.size;
  out.firsts.assign(slots_.firsts.data(), slots_.firsts.data() + n);
  out.seconds.assign(slots_.seconds.data(), slots_.seconds.data() + n);
  out.memory.assign(memory_.of_slot.data(), memory_.of_slot.data() + n * memory_.bytes);
  out.ids = ids_.own();
  out.other_ids = other_ids_.own();
  return out;
}

void contact_list::state::load(const saved_contacts& from, std::size_t rows, std::optional<std::size_t> other_rows,
                               const identities& who) {
  const std::size_t n = from.firsts.size();
  if (from.seconds.size() != n || from.memory.size() != n * memory_.bytes) {
    throw error("the saved contacts have " + std::to_string(n) + " first bodies, " +
                std::to_string(from.seconds.size()) + " second ones and " + std::to_string(from.memory.size()) +
                " bytes of memory; this list has " + std::to_string(memory_.bytes) + " bytes per contact");
  }
  const std::size_t seconds = other_rows.value_or(rows);
  for (std::size_t k = 0; k < n; ++k) {
    const role_pair p{from.firsts[k], from.seconds[k]};
    if (p.first < rows && p.second < seconds) continue;
    throw error("saved contact " + std::to_string(k) + " is of rows " + std::to_string(p.first) + " and " +
                std::to_string(p.second) + "; there are " + std::to_string(rows) + " and " + std::to_string(seconds));
  }
  own_ids of_firsts;
  own_ids of_seconds;
  if (!who.ids.given()) of_firsts.take(checked_ids(from.ids, rows));
  if (!who.other_ids.given()) of_seconds.take(checked_ids(from.other_ids, seconds));
  id_columns ids;
  ids.of_first = of_firsts.next(who.ids, {}, rows, threads_);
  ids.of_second = other_rows ? of_seconds.next(who.other_ids, {}, seconds, threads_) : ids.of_first;
  sorter_.start(rows, seconds, 1);
  sorter_.add(
      n,
      [&](std::size_t k) {
        return role_pair{from.firsts[k], from.seconds[k]};
      },
      [](role_pair) { return true; });
  std::vector<row> firsts(sorter_.count());
  sorter_.sort(ids.of_second, threads_, spare_, firsts.data(), [](const some_rows&) {});
  for (std::size_t k = 0; k < n; ++k) {
    if (firsts[k] == from.firsts[k] && spare_.seconds[k] == from.seconds[k]) continue;
    throw error("saved contact " + std::to_string(k) +
                " is not where it belongs in the order of slots: load what was "
                "saved, with the same ids");
  }
  sorter_.deal_back(ids.of_first, threads_, spare_, firsts.data());
  take_loaded(from, seconds);
  of_firsts.accept(who.ids);
  of_seconds.accept(who.other_ids);
  ids_ = std::move(of_firsts);
  other_ids_ = std::move(of_seconds);
  by_rows_ = ids.of_first == nullptr && ids.of_second == nullptr;
  between_ = other_rows.has_value();
}

// The sorter and `spare_` have the slots of what was saved.
void contact_list::state::take_loaded(const saved_contacts& from, std::size_t other_rows) {
  const std::size_t n = from.firsts.size();
  make_with_room(slots_.firsts, n);
  make_with_room(slots_.back, n);
  make_with_room(slots_.back_offsets, other_rows + 1);
  std::swap(static_cast<own_slots&>(slots_), spare_);
  slots_.other_rows = other_rows;
  slots_.write_firsts(threads_);
  sorter_.write_back(threads_, slots_.back_offsets.data(), slots_.back.data());
  memory_.of_slot.make(from.memory.size());
  std::copy(from.memory.begin(), from.memory.end(), memory_.of_slot.data());
  const std::size_t words = (n + 63) / 64;
  memory_.begun.make(words);
  std::fill_n(memory_.begun.data(), words, std::uint64_t{0});
  ended_.size = 0;
  periodic_ = false;
  allowed_ = never;
  ++updates_;
}

}  // namespace abut
