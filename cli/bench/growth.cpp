// How time and work grow with the number of bodies: `bench --counts`.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/table.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// All bodies, and this many halves of halves.
constexpr unsigned halvings = 3;
constexpr std::size_t least_bodies = 64;

/// The middle of a body on an axis.
double middle(const bodies_file& file, std::size_t axis, std::size_t i) {
  if (file.kind == shape::sphere) return file.columns[axis][i];
  return 0.5 * file.columns[axis][i] + 0.5 * file.columns[axis + static_cast<std::size_t>(file.dimension)][i];
}

/// How far out each body is: 0 in the middle of the box around all centers, 1 on its surface.
std::vector<double> how_far_out(const bodies_file& file) {
  std::vector<double> out(file.size, 0.0);
  std::vector<double> at(file.size);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(file.dimension); ++axis) {
    for (std::size_t i = 0; i < file.size; ++i) at[i] = middle(file, axis, i);
    const auto [least, most] = std::minmax_element(at.begin(), at.end());
    const double half = 0.5 * *most - 0.5 * *least;
    const double center = *least + half;
    if (!(half > 0)) continue;
    for (std::size_t i = 0; i < file.size; ++i) out[i] = std::max(out[i], std::abs(at[i] - center) / half);
  }
  return out;
}

/// What a measurement says about a plan, in the order of the table.
std::vector<named_count> figures_of(const measured_plan& p, int steps) {
  std::vector<named_count> all = {{"update", p.update_seconds.median * 1e9},
                                  {"find", p.find_seconds.median * 1e9},
                                  {"candidates", static_cast<double>(p.candidates) / steps},
                                  {"tests", static_cast<double>(p.tests) / steps}};
  all.insert(all.end(), p.counts.begin(), p.counts.end());
  return all;
}

/// A figure of the same name, or 0: with `auto`, a part may have another method.
double value_of(const std::vector<named_count>& figures, const std::string& name) {
  const auto at = std::find_if(figures.begin(), figures.end(), [&](const named_count& f) { return f.name == name; });
  return at == figures.end() ? 0 : at->each;
}

}  // namespace

std::optional<double> power_of(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values) {
  const auto count = static_cast<double>(sizes.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (!(values[k] > 0)) return {};
    const double a = std::log(static_cast<double>(sizes[k]));
    const double b = std::log(values[k]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  const double spread = count * xx - x * x;
  if (sizes.size() < 2 || !(spread > 0)) return {};
  return (count * xy - x * y) / spread;
}

bodies_file innermost(const bodies_file& file, std::size_t count) {
  const std::vector<double> out = how_far_out(file);
  std::vector<row> rows(file.size);
  std::iota(rows.begin(), rows.end(), row{0});
  std::stable_sort(rows.begin(), rows.end(), [&](row a, row b) { return out[a] < out[b]; });
  rows.resize(std::min(count, rows.size()));
  std::sort(rows.begin(), rows.end());
  bodies_file part = file;
  const auto made = std::make_shared<std::array<std::vector<double>, 6>>();
  const std::size_t columns = file.kind == shape::sphere ? static_cast<std::size_t>(file.dimension) + 1
                                                         : 2 * static_cast<std::size_t>(file.dimension);
  for (std::size_t k = 0; k < columns; ++k) {
    for (const row i : rows) (*made)[k].push_back(file.columns[k][i]);
    part.columns[k] = (*made)[k];
  }
  part.size = rows.size();
  part.storage = made;
  part.place = [rows, place = file.place](row i) { return place(rows[i]); };
  return part;
}

std::string growth_in_words(const bench_result& result, const text_style& style) {
  std::vector<table_line> lines{{cell{"plan"}, cell{"what"}, cell{"per body"}, cell{"power of N"}}};
  const auto all = static_cast<double>(result.bodies.count);
  for (const measured_plan& p : result.measured) {
    std::string name = p.asked.text();
    if (result.names_sets) name += fmt::format(" with {}", name_of(p.instructions));
    for (const growth& g : p.grows) {
      const bool time = g.name == "update" || g.name == "find";
      lines.push_back({cell{std::exchange(name, "")}, cell{time ? g.name + ", ns" : g.name},
                       cell{figure(g.values.back() / all)},
                       cell{g.power ? fmt::format("{:.2f}", *g.power) : std::string("-")}});
    }
  }
  return table(std::move(lines), 2, style) +
         "per body: with all bodies; power: p if what all bodies take grows as N^p\n";
}

std::string reference_for(std::size_t bodies) {
  return bodies > most_for_quadratic ? "neighboring-cell" : "bounding-volume";
}

void measure_growth(bench_result& result, const std::vector<plan>& plans, const bench_request& request,
                    const bench_arguments& given, const bodies_file& file, const options& chosen,
                    progress_line& progress) {
  if (file.size < least_bodies) {
    throw error(fmt::format("--counts compares the bodies with an eighth of them, and {} has only {}; give at least {}",
                            given.source(), file.size, least_bodies));
  }
  std::vector<std::vector<std::vector<named_count>>> figures;  // by size and plan
  for (unsigned k = halvings + 1; k-- > 0;) {
    const std::size_t size = file.size >> k;
    bench_result of_part{.reference = reference_for(size)};
    bench_result& here = k == 0 ? result : of_part;
    measure(here, plans, request, given, k == 0 ? file : innermost(file, size), chosen, progress);
    result.sizes.push_back(size);
    figures.emplace_back();
    for (const measured_plan& p : here.measured) figures.back().push_back(figures_of(p, request.steps));
    if (k == 0) break;
    if (const std::string wrong = mistakes_in_words(here); !wrong.empty()) {
      throw std::logic_error(fmt::format("with the innermost {} bodies, {}", with_commas(size), wrong));
    }
  }
  for (std::size_t p = 0; p < result.measured.size(); ++p) {
    for (const named_count& whole : figures.back()[p]) {
      growth g{.name = whole.name};
      for (const auto& of_size : figures) g.values.push_back(value_of(of_size[p], whole.name));
      g.power = power_of(result.sizes, g.values);
      result.measured[p].grows.push_back(std::move(g));
    }
  }
}

}  // namespace abut::cli
