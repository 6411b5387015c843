#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <abut/contacts.hpp>

#include "contacts/changes.hpp"
#include "contacts/slots.hpp"

namespace abut {

/// Where the rows of the last update are now.
class row_moves {
 public:
  /// `new_rows` as in `identities`; it must outlive this.
  row_moves(std::optional<std::span<const row>> new_rows, std::size_t before, std::size_t now)
      : new_rows_(new_rows), before_(before), now_(now) {}

  /// The current row of a row of the last update, or `no_row`.
  [[nodiscard]] row now(row before) const {
    if (new_rows_) return (*new_rows_)[before];
    return before < now_ ? before : no_row;
  }
  /// For each current row, its row at the last update or `no_row`; empty if rows have kept their places.
  [[nodiscard]] std::vector<row> inverse(int threads) const;
  /// Whether every row has kept its place, and there are no others.
  [[nodiscard]] bool same() const { return !new_rows_ && before_ == now_; }
  /// Whether every row has kept its place, and none is gone.
  [[nodiscard]] bool in_place() const { return !new_rows_ && before_ <= now_; }

 private:
  std::optional<std::span<const row>> new_rows_;
  std::size_t before_;
  std::size_t now_;
};

/// The memory of the contacts of a list: some bytes per slot, and a bit that tells whether the contact is new.
struct contact_memory {
  std::size_t bytes = 0;  ///< per contact
  buffer<std::byte> of_slot{};
  buffer<std::uint64_t> begun{};  ///< a bit per slot

  [[nodiscard]] std::byte* at(std::size_t slot) { return of_slot.data() + slot * bytes; }
  /// How many elements `begun` needs for this number of slots.
  [[nodiscard]] static std::size_t words(std::size_t slots) { return (slots + 63) / 64; }
  void release() {
    of_slot.release();
    begun.release();
  }

  [[nodiscard]] std::size_t size_in_bytes() const { return of_slot.bytes() + begun.bytes(); }
};

/// What an update has ended, with a copy of its memory.
struct ended_contacts_found {
  std::size_t size = 0;
  buffer<contact_list::ended_contact> all{};
  buffer<std::byte> memory{};

  /// Makes room for `count` contacts with `bytes_each` bytes of memory.
  void make(std::size_t count, std::size_t bytes_each);
  /// Writes the contact number `at`, with a copy of its memory.
  void set(std::size_t at, const contact_list::ended_contact& contact, std::size_t bytes_each);
  [[nodiscard]] std::size_t bytes() const { return all.bytes() + memory.bytes(); }
};

/// Lists the contacts that changes end, in the order of their slots. No row has moved.
void list_ended(const list_changes& changes, contact_memory& from, int threads, ended_contacts_found& out);
/// Moves the memory `from` of all slots to where it belongs after the changes, in another array or the same. That of
/// contacts that begin is `fresh`, and only they have a bit in `begun`.
void change_memory(list_changes& changes, const std::byte* from, const std::vector<std::byte>& fresh, int threads,
                   std::byte* to, std::uint64_t* begun);

/// Gives each slot of a new list the memory that its contact had in the last one, or `fresh`, and finds the contacts
/// that have ended. Both lists are sorted by ids, so one pass over both suffices.
///
/// Usage: `start`, then `carry` for all rows of first bodies, then `list_ended`.
class contact_carrier {
 public:
  /// All of these must outlive it. `ids` are those of second bodies by current row, null for the rows themselves.
  contact_carrier(const own_slots& last, contact_memory& from, const row_moves& firsts, const row_moves& seconds,
                  const std::int64_t* ids, const std::byte* fresh)
      : last_(last), from_(from), firsts_(firsts), seconds_(seconds), ids_(ids), fresh_(fresh) {}

  /// Prepares for a list of `size` slots, whose rows are carried in `parts` parts. Their memory goes to `to`.
  void start(std::size_t size, std::size_t parts, int threads, contact_memory& to);
  /// Carries the contacts of some rows of `next`. Parts may come at the same time.
  void carry(const some_rows& rows, const own_slots& next);
  /// Lists the contacts that have ended, in the order of their slots.
  void list_ended(int threads, ended_contacts_found& out);

 private:
  class run_copier;
  // A contact that has ended.
  struct ended_slot {
    row first;
    std::uint32_t slot;
  };
  using ended_slots = std::vector<ended_slot>;

  void begin(std::uint32_t slot) const;
  template <bool Plain>
  void merge(std::uint32_t slot, std::uint32_t end, row before, const own_slots& next, run_copier& copies,
             ended_slots& gone) const;
  void add_vanished();

  const own_slots& last_;
  contact_memory& from_;
  const row_moves& firsts_;
  const row_moves& seconds_;
  const std::int64_t* ids_;
  const std::byte* fresh_;
  contact_memory* to_ = nullptr;
  std::vector<row> inverse_;
  std::vector<ended_slots> gone_;  // by part, and those of rows that are gone
};

}  // namespace abut
