#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <abut/contacts.hpp>

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
  [[nodiscard]] std::vector<row> inverse() const;
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

  [[nodiscard]] std::size_t size_in_bytes() const { return of_slot.bytes() + begun.bytes(); }
};

/// What an update has ended, with a copy of its memory.
struct ended_contacts_found {
  std::vector<contact_list::ended_contact> all{};
  buffer<std::byte> memory{};
};

/// Gives each slot of `next` the memory that its contact had in `last`, or `fresh`; lists the contacts that have ended.
/// Ids are of current rows, null for the rows themselves. Both lists are sorted by ids, so one pass over both suffices.
void carry(const slots& last, const contact_memory& from, const slots& next, const row_moves& firsts,
           const row_moves& seconds, const std::int64_t* second_ids, const std::byte* fresh, int threads,
           contact_memory& to, ended_contacts_found& ended);

}  // namespace abut
