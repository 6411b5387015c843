#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "contacts/kept_slots.hpp"
#include "contacts/pair_buckets.hpp"
#include "contacts/runs.hpp"
#include "contacts/slots.hpp"

namespace abut {

/// A contact that begins or ends, as seen from one of its bodies.
struct changed_slot {
  row body;
  row other;
  std::uint32_t slot;   ///< after the changes if it begins, before them if it ends
  std::uint32_t place;  ///< the same in the array that is ordered by this body
};

/// What changes in the slots of some rows.
struct changed_rows {
  std::vector<changed_slot> ended{};  ///< by row, then by slot
  std::vector<changed_slot> begun{};  ///< by row, then by slot
  run_maker runs{};
  std::uint32_t shift = 0;  ///< of the first row's offset, modulo 2^32
};

/// All changes of the slots by first or by second bodies: by buckets of rows, and the runs of what stays.
struct side_changes {
  row_buckets by{};
  std::vector<changed_rows> buckets{};
  std::vector<run> runs{};

  /// Joins the runs of all buckets, and counts the places of what begins from the start of the array. Returns how many
  /// slots there are then.
  std::size_t join(const std::uint32_t* offsets);
  /// Changes the offsets.
  void shift(std::uint32_t* offsets, int threads) const;
};

/// What an update changes in a list, if bodies have kept their rows, which are their ids, and most pairs were found
/// again: contacts begin and end here and there, so all arrays of the list are changed in place.
///
/// Usage: make it; if there are `few`, `prepare`, make room for size() slots, then `change_back` and `change_own`,
/// which throw nothing.
class list_changes {
 public:
  /// `found` are all pairs that the list is to have.
  list_changes(slots& list, const pair_buckets& found, int threads);

  /// Whether so few contacts change that it is faster to change the list than to make another.
  [[nodiscard]] bool few() const { return few_; }
  /// Whether it is also faster to change the slots by second body than to sort them anew.
  [[nodiscard]] bool very_few() const { return very_few_; }
  /// Finds out what goes where, for arrays with up to `most_bytes` bytes per slot.
  void prepare(std::size_t most_bytes);

  /// The number of contacts after the changes.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const side_changes& by_first() const { return own_; }

  /// Moves elements of the slots from one array to another or within one, except those of contacts that begin.
  void move(const void* from, void* to, std::size_t bytes) { own_mover_->move(from, to, bytes); }
  /// Writes the slots by second body to `back`, which may be the list's own; changes its offsets. To be called before
  /// `change_own`.
  void change_back(std::uint32_t* back);
  /// Writes the slots by first body, the contacts that begin too; changes the offsets and the size.
  void change_own(row* firsts, row* seconds);

 private:
  void find_bucket(std::size_t bucket, const pair_buckets& found);
  void prepare_back();
  void deal_back();
  void find_back_bucket(std::size_t bucket);

  slots& list_;
  int threads_;
  std::size_t size_ = 0;
  bool few_ = false;
  bool very_few_ = false;
  side_changes own_;
  side_changes back_;
  std::optional<new_places> places_;
  std::optional<run_mover> own_mover_;
  std::optional<run_mover> back_mover_;
};

}  // namespace abut
