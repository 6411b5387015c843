#include "run/flow_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "run/series_file.hpp"
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

std::string flow_columns::header() const {
  std::string names;
  if (pours_) names += ",poured,waiting,poured_mass";
  if (removals_) names += ",removed,removed_mass,mass_flow";
  return names.empty() ? names : names + ",brought";
}

std::string flow_columns::row_of(const dem::simulation& now, const dem::measures& m) {
  const flow_sums all = flow_of(now);
  std::string numbers;
  if (pours_) numbers += fmt::format(",{},{},{}", all.poured, all.waiting, all.poured_mass);
  if (removals_) {
    const bool later = last_ && now.time() > last_->time;
    const double flow = later ? (all.removed_mass - last_->removed_mass) / (now.time() - last_->time) : 0;
    last_ = {now.time(), all.removed_mass};
    numbers += fmt::format(",{},{},{}", all.removed, all.removed_mass, flow);
  }
  return numbers.empty() ? numbers : numbers + fmt::format(",{}", m.brought);
}

void flow_columns::go_on_after(const std::string& series_header, const std::string& row) {
  if (!removals_) return;
  const auto time = series_number(series_header, row, "time");
  const auto mass = series_number(series_header, row, "removed_mass");
  if (time && mass) last_ = {*time, *mass};
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
  return words + fmt::format("{}removed {}", words.empty() ? "" : "; ", with_commas(all.removed));
}

}  // namespace abut::cli
