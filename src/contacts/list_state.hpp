#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <abut/contacts.hpp>

#include "contacts/carry.hpp"
#include "contacts/identity.hpp"
#include "contacts/images.hpp"
#include "contacts/skin.hpp"
#include "contacts/slots.hpp"
#include "contacts/watch.hpp"
#include "search/other_set.hpp"

namespace abut {

/// All of a list but its interface.
class contact_list::state {
 public:
  state(contact_options o, std::size_t bytes, const void* fresh);

  [[nodiscard]] bool hold(const bodies& b, const bodies* others, double spare = 0, std::uint64_t steps = 1);
  [[nodiscard]] bool hold(double displacement);
  void expire() { allowed_ = never; }
  [[nodiscard]] double left() const { return std::max(allowed_ - moves_, 0.0); }
  [[nodiscard]] double reach(const search& s, const bodies& b, const std::optional<periodic_axes>& periodic) const;
  void update(search& s, const bodies* others, const identities& who);
  bool follow(search& s, const bodies& b, const bodies* others, const identities& who);
  [[nodiscard]] neighbor_list neighbors(const bodies& b, const bodies* others, const neighbor_options& o) const;
  [[nodiscard]] saved_contacts save() const;
  void load(const saved_contacts& from, std::size_t rows, std::optional<std::size_t> other_rows, const identities& who);
  [[nodiscard]] std::span<const ended_contact> ended() const { return {ended_.all.data(), ended_.size}; }
  [[nodiscard]] list_stats stats() const;
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] arrays view();

  /// Calls f(); then the list is empty if the system has had no memory, since its arrays may not fit each other. Takes
  /// none itself.
  template <class F>
  auto whole(F&& f) {
    try {
      if (slots_.offsets.capacity() == 0) make_empty();
      return std::forward<F>(f)();
    } catch (const std::bad_alloc&) {
      clear();
      throw;
    }
  }

 private:
  void clear();
  void make_empty();
  [[nodiscard]] bool held(double moves, double spare, std::uint64_t steps);
  void check_update(const search& s, bool between, const identities& who, std::size_t rows,
                    std::size_t other_rows) const;
  void collect(search& s, const other_set* others, const id_columns& ids);
  void rebuild(const id_columns& ids, contact_carrier& carrier, const image_finder& images);
  [[nodiscard]] bool change(const image_finder& images);
  void watch(const search& s, const bodies& b, const measures& of_firsts, const bodies* others,
             const measures& of_others);
  void check_maps(const identities& who, std::size_t rows, std::size_t other_rows) const;
  void take_loaded(const saved_contacts& from, std::size_t other_rows);

  contact_options options_;
  std::vector<std::byte> fresh_;
  contact_skin skin_;
  slots slots_;
  contact_memory memory_;
  buffer<image_shift> images_;
  // What the next update is written to, unless it changes the list in place: arrays of the last list but one. New
  // memory would cost more than sorting, since the system clears it.
  own_slots spare_;
  contact_memory spare_memory_;
  bool periodic_ = false;
  periodic_axes periods_{};
  bool between_ = false;
  bool by_rows_ = true;  // rows are the ids by which slots are ordered
  ended_contacts_found ended_;
  own_ids ids_;
  own_ids other_ids_;
  body_watch watch_;
  body_watch other_watch_;
  measures measured_{};
  static constexpr double never = -std::numeric_limits<double>::infinity();
  double allowed_ = never;  // how far the two farthest moves may add up while the list holds; below 0 without a skin
  double moves_ = 0;        // as far as they have been seen
  double stated_ = 0;       // the sum of the displacements that the user has stated
  int threads_ = 1;
  slot_sorter sorter_;
  std::uint64_t updates_ = 0;
  std::uint64_t holds_ = 0;
};

}  // namespace abut
