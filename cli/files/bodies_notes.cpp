#include "files/bodies_notes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

// In small sets, it may be intended that all bodies overlap, and it costs nothing.
constexpr std::size_t fewest_to_doubt = 1000;
constexpr std::size_t most_probed = 10'000;

/// The range of the bodies' centers on an axis, and the sum of their widths.
struct axis_sizes {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double sum_of_widths = 0;

  void take(double center, double width) {
    min = std::min(min, center);
    max = std::max(max, center);
    sum_of_widths += width;
  }
};

axis_sizes look_at(const bodies_file& file, std::size_t axis, std::size_t step) {
  const column* const c = file.columns.data();
  const bool sphere = file.kind == shape::sphere;
  const auto axes = static_cast<std::size_t>(file.dimension);
  axis_sizes sizes;
  for (std::size_t i = 0; i < file.size; i += step) {
    const double first = c[axis][i];
    const double second = c[sphere ? axes : axes + axis][i];
    sizes.take(sphere ? first : (first + second) / 2, sphere ? 2 * second : second - first);
  }
  return sizes;
}

}  // namespace

std::string understood(const bodies_file& file, bool by_box) {
  std::vector<std::string> parts;
  if (!file.names.empty()) parts.push_back(one_line("columns " + joined(file.names)));
  if (file.radius) parts.push_back(fmt::format("radius {} for all", *file.radius));
  if (!file.note.empty()) parts.push_back(file.note);
  if (by_box && (!file.domain.empty() || !file.no_domain.empty())) {
    std::vector<std::string> axes;
    for (std::size_t k = 0; k < 3; ++k) {
      if (file.repeats[k]) axes.emplace_back(1, "xyz"[k]);
    }
    parts.push_back(axes.empty() ? "not periodic" : fmt::format("periodic in {} by its box", joined(axes)));
  }
  return joined(parts, "; ");
}

std::vector<std::string> axes_of(const options& chosen) {
  std::vector<std::string> axes;
  for (std::size_t k = 0; k < 3; ++k) {
    if (chosen.periodic[k]) axes.emplace_back(1, "xyz"[k]);
  }
  return axes;
}

std::string strange_sizes(const bodies_file& file, const std::string& name) {
  if (file.size < fewest_to_doubt) return "";
  const std::size_t step = (file.size - 1) / most_probed + 1;
  const std::size_t probed = (file.size - 1) / step + 1;
  double width = 0, extent = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(file.dimension); ++axis) {
    const axis_sizes sizes = look_at(file, axis, step);
    width = sizes.sum_of_widths / static_cast<double>(probed);
    // NaN fails too: `update` will name that body.
    if (!(width >= (sizes.max - sizes.min) / 2)) return "";
    extent = std::max(extent, sizes.max - sizes.min);
  }
  return fmt::format(
      "{}: its {} are {:.3g} wide on average, and all their centers lie within {:.3g}, so most of them "
      "touch each other; are the columns {} right?",
      name, bodies_in_words(file.kind, file.dimension, file.size), width, extent, joined(file.names));
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
