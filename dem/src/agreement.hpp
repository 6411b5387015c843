#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/dem/simulation.hpp>

namespace abut::dem {

/// What a checkpoint and the settings with which it goes on must have in common, as text.
struct fact {
  std::string name{};
  std::string value{};
  std::uint8_t always = 0;  ///< 1 if it must agree even if settings may change
};
using facts = std::vector<fact>;

template <class Archive, class F>
requires std::same_as<std::remove_const_t<F>, fact>
void fields(Archive& a, F& f) { a(f.name, f.value, f.always); }

[[nodiscard]] facts facts_of(const settings& s, const law_traits& traits);

/// Throws `error` with the first fact in which they differ.
void check_agreement(const facts& saved, const facts& now, resume how);

/// A hash of all numbers of a wall as it was given.
[[nodiscard]] std::uint64_t hash_of(const wall& w);

}  // namespace abut::dem
