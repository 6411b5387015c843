#include "bodies_notes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "words.hpp"

namespace abut::cli {
std::string understood(const bodies_file& file, bool by_box) {
  std::vector<std::string> parts;
  if (!file.names.empty()) parts.push_back(one_line(fmt::format("columns {}", fmt::join(file.names, ", "))));
  if (file.radius) parts.push_back(fmt::format("radius {} for all", *file.radius));
  if (!file.note.empty()) parts.push_back(file.note);
  if (by_box && (!file.domain.empty() || !file.no_domain.empty())) {
    std::vector<char> axes;
    for (std::size_t k = 0; k < 3; ++k) {
      if (file.repeats[k]) axes.push_back("xyz"[k]);
    }
    parts.push_back(axes.empty() ? "not periodic" : fmt::format("periodic in {} by its box", fmt::join(axes, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<std::string> axes_of(const options& chosen) {
  std::vector<std::string> axes;
  for (std::size_t k = 0; k < 3; ++k) {
    if (chosen.periodic[k]) axes.emplace_back(1, "xyz"[k]);
  }
  return axes;
}

void refuse_equal_ids(const bodies_file& file) {
  std::vector<std::pair<std::int64_t, row>> sorted;
  sorted.reserve(file.ids.size());
  for (const std::int64_t id : file.ids) sorted.emplace_back(id, static_cast<row>(sorted.size()));
  std::sort(sorted.begin(), sorted.end());
  const auto same =
      std::adjacent_find(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
  if (same == sorted.end()) return;
  const auto next = std::next(same);
  throw error(fmt::format("{}: its id {} is that of row {} too; --ids needs one for each body",
                          file.place(next->second), same->first, same->second));
}

}  // namespace abut::cli
