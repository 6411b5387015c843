#pragma once

#include <cstdint>
#include <string>

#include <abut/dem/dem.hpp>

namespace abut::cli {

/// How many bodies have come and gone, in all pours and removals.
struct flow_sums {
  std::uint64_t poured = 0, waiting = 0, removed = 0;
  double poured_mass = 0, removed_mass = 0;
};
[[nodiscard]] flow_sums flow_of(const dem::simulation& now);

/// ",poured,waiting,..."; empty if the settings have neither pours nor removals.
[[nodiscard]] std::string flow_header(const dem::settings& s);
/// ",120,3,...": the columns of `flow_header`.
[[nodiscard]] std::string flow_row(const dem::simulation& now, const dem::measures& m);
/// "poured 2,000 of 2,000, 12 wait; 1,204 left"; empty if the settings have neither.
[[nodiscard]] std::string flow_in_words(const dem::settings& s, const flow_sums& all);

}  // namespace abut::cli
