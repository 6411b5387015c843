#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contacts/slots.hpp"

namespace abut {

/// Which slots of some rows of a list a search has found again: most of them, as a rule. Bodies must have kept their
/// rows, which must be their ids.
class kept_slots {
 public:
  /// For pairs whose first bodies are rows [from, to) of `list`, which must outlive this.
  kept_slots(const own_slots& list, std::size_t from, std::size_t to);

  /// Marks the slots of those of `count` pairs that are in the list; appends the others to `added`.
  void find(const role_pair* pairs, std::size_t count, std::vector<role_pair>& added);

  /// The first slot from `slot` on that was not found again; past the last of the rows if there is none.
  [[nodiscard]] std::uint32_t next_ended(std::uint32_t slot) const;

 private:
  const own_slots& list_;
  std::uint32_t first_;             // the first slot of the rows
  std::vector<std::uint8_t> kept_;  // by slot, and an end that is not kept; in bytes, which are marked faster than bits
};

}  // namespace abut
