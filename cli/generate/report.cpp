#include <algorithm>
#include <cmath>
#include <limits>

#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/bodies_file.hpp"
#include "generate/generate.hpp"
#include "portable.hpp"
#include "screen/json.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

void refuse_too_large(double value, bool single) {
  const double most = single ? static_cast<double>(std::numeric_limits<float>::max()) : 1e150;
  if (value <= most) return;
  throw error(fmt::format("coordinates reach {:.3g}, past {:.3g}{}; ask for a smaller space", value, most,
                          single ? ", the most that --single holds" : ""));
}

std::string one_or_range(double min, double max) {
  return min == max ? fmt::format("{:.6g}", min) : fmt::format("{:.6g} to {:.6g}", min, max);
}

}  // namespace

double generate_result::fraction() const {
  double room = power(side, dimension);
  if (side == 0) {
    room = 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) room *= max[k] - min[k];
  }
  return volume / room;
}

void measure(generate_result& result, const samples::set& bodies, bool single) {
  const auto axes = static_cast<std::size_t>(bodies.dimension);
  const std::vector<double>& radius = bodies.column[axes];
  result.dimension = bodies.dimension;
  result.bodies = bodies.size();
  for (std::size_t k = 0; k < axes; ++k) {
    double min = bodies.column[k][0];
    double max = min;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      min = std::min(min, bodies.column[k][i] - radius[i]);
      max = std::max(max, bodies.column[k][i] + radius[i]);
    }
    refuse_too_large(std::max(std::abs(min), std::abs(max)), single);
    result.min[k] = min;
    result.max[k] = max;
  }
  const auto [least, most] = std::minmax_element(radius.begin(), radius.end());
  result.d_min = 2 * *least;
  result.d_max = 2 * *most;
  for (const double r : radius) result.volume += power(r, bodies.dimension);
  result.volume *= samples::unit_volume(shape::sphere, bodies.dimension);
}

std::string in_words(const generate_result& result) {
  labeled_lines lines(terminal_width(STDOUT_FILENO));
  lines.add("bodies",
            fmt::format("{}: {}", result.kind, bodies_in_words(shape::sphere, result.dimension, result.bodies)));
  lines.add("sizes", fmt::format("{} {}", result.d_min == result.d_max ? "diameter" : "diameters",
                                 one_or_range(result.d_min, result.d_max)));
  std::string extent;
  for (std::size_t k = 0; k < static_cast<std::size_t>(result.dimension); ++k) {
    extent += fmt::format("{}{} {}", k == 0 ? "" : ", ", "xyz"[k], one_or_range(result.min[k], result.max[k]));
  }
  lines.add("extent", extent);
  const std::string box = result.side > 0 ? fmt::format("the box from 0 to {:.6g} on each axis", result.side)
                                          : std::string("the box around them");
  lines.add("fraction", fmt::format("their {} add up to {:.3g} of {}", result.dimension == 2 ? "areas" : "volumes",
                                    result.fraction(), box));
  lines.add("time", fmt::format("make {}, write {}", duration(result.make_seconds), duration(result.write_seconds)));
  lines.add("written", fmt::format("{}, {}", one_line(result.file), byte_size(static_cast<double>(result.bytes))));
  return lines.text();
}

std::string in_json(const generate_result& result) {
  std::vector<std::string> min, max;
  for (std::size_t k = 0; k < static_cast<std::size_t>(result.dimension); ++k) {
    min.push_back(json_number(result.min[k]));
    max.push_back(json_number(result.max[k]));
  }
  json_object diameter, extent, seconds, json;
  diameter.add("min", json_number(result.d_min)).add("max", json_number(result.d_max));
  extent.add("min", json_array(min)).add("max", json_array(max));
  seconds.add("make", json_number(result.make_seconds)).add("write", json_number(result.write_seconds));
  json.add("kind", json_string(result.kind))
      .add("bodies", json_number(result.bodies))
      .add("dimension", json_number(result.dimension))
      .add("seed", json_number(result.seed))
      .add("diameter", diameter.text())
      .add("extent", extent.text())
      .add("side", result.side > 0 ? json_number(result.side) : "null")
      .add("fraction", json_number(result.fraction()))
      .add("file", json_string(result.file))
      .add("bytes", json_number(result.bytes))
      .add("seconds", seconds.text());
  return json.text() + "\n";
}

}  // namespace abut::cli
