#pragma once

#include "contacts/images.hpp"
#include "contacts/slots.hpp"

namespace abut {

/// A list of contacts, as `neighbors_now` needs it.
struct listed_contacts {
  const slots& all;
  const image_shift* images;  ///< by slot; null if no axis is periodic
  const periodic_axes& periodic;
  bool between;  ///< whether second bodies are of another set
  double margin;
  int threads;
};

/// The listed pairs that overlap now, by the contract's definition, in compressed form.
[[nodiscard]] neighbor_list neighbors_now(const listed_contacts& list, const bodies& b, const bodies& others,
                                          const neighbor_options& o);

}  // namespace abut
