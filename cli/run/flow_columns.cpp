#include "run/flow_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "screen/words.hpp"

namespace abut::cli {

flow_sums flow_of(const dem::simulation& now) {
  flow_sums all;
  for (const dem::pour_progress& p : now.poured()) {
    all.poured += p.poured;
    all.waiting += p.waiting;
    all.poured_mass += p.mass;
  }
  for (const dem::removal_progress& r : now.removed()) {
    all.removed += r.removed;
    all.removed_mass += r.mass;
  }
  return all;
}

std::string flow_header(const dem::settings& s) {
  std::string names;
  if (!s.pours.empty()) names += ",poured,waiting,poured_mass";
  if (!s.removals.empty()) names += ",removed,removed_mass";
  return names.empty() ? names : names + ",brought";
}

std::string flow_row(const dem::simulation& now, const dem::measures& m) {
  const flow_sums all = flow_of(now);
  std::string numbers;
  if (!now.poured().empty()) numbers += fmt::format(",{},{},{}", all.poured, all.waiting, all.poured_mass);
  if (!now.removed().empty()) numbers += fmt::format(",{},{}", all.removed, all.removed_mass);
  return numbers.empty() ? numbers : numbers + fmt::format(",{}", m.brought);
}

std::string flow_in_words(const dem::settings& s, const flow_sums& all) {
  std::string words;
  if (!s.pours.empty()) {
    const bool counted = std::all_of(s.pours.begin(), s.pours.end(), [](const auto& p) { return p.count.has_value(); });
    std::uint64_t most = 0;
    for (const dem::pour& p : s.pours) most += p.count.value_or(0);
    words = fmt::format("poured {}{}", with_commas(all.poured), counted ? " of " + with_commas(most) : "");
    if (all.waiting > 0) words += fmt::format(", {} wait", with_commas(all.waiting));
  }
  if (s.removals.empty()) return words;
  return words + fmt::format("{}{} left", words.empty() ? "" : "; ", with_commas(all.removed));
}

}  // namespace abut::cli
