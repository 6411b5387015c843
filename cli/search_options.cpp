#include "search_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "base/instructions.hpp"
#include "files/bodies_notes.hpp"
#include "samples.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "verb.hpp"

namespace abut::cli {
namespace {

constexpr std::string_view domain_form = "xmin,xmax,ymin,ymax[,zmin,zmax]";

std::array<bool, 3> read_axes(const std::string& text) {
  std::array<bool, 3> axes{};
  if (text == "none") return axes;
  for (const std::string_view part : comma_separated(text)) {
    const std::size_t axis = part.size() == 1 ? std::string_view("xyz").find(part) : std::string_view::npos;
    if (axis == std::string_view::npos) {
      throw error(fmt::format("--periodic {}: {} is not an axis; name some of x,y,z, or none", in_quotes(text),
                              in_quotes(part)));
    }
    if (axes[axis]) throw error(fmt::format("--periodic {}: {} is named twice", in_quotes(text), part));
    axes[axis] = true;
  }
  return axes;
}

std::vector<interval> read_domain(const std::string& text) {
  const std::vector<std::string_view> parts = comma_separated(text);
  std::vector<double> ends;
  for (const std::string_view part : parts) {
    const std::optional<double> value = to_number(part);
    if (!value || !std::isfinite(*value)) {
      throw error(fmt::format("--domain {}: {} is not a finite number; write {}", in_quotes(text), in_quotes(part),
                              domain_form));
    }
    ends.push_back(*value);
  }
  if (ends.size() != 4 && ends.size() != 6) {
    throw error(
        fmt::format("--domain {}: {} numbers, not 4 or 6; write {}", in_quotes(text), ends.size(), domain_form));
  }
  std::vector<interval> domain;
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    if (!(ends[k] < ends[k + 1])) {
      const char axis = "xyz"[k / 2];
      throw error(fmt::format("--domain {}: {}min {} is not less than {}max {}", in_quotes(text), axis, parts[k], axis,
                              parts[k + 1]));
    }
    domain.push_back({ends[k], ends[k + 1]});
  }
  return domain;
}

bodies_file make_demo() {
  const auto made = std::make_shared<const samples::set>(
      samples::lattice(shape::sphere, 3, 100'000, /*spacing=*/1.0, /*jitter=*/0.1, /*r=*/0.5 * 1.05, /*seed=*/1));
  bodies_file file;
  file.size = made->size();
  for (std::size_t k = 0; k < 4; ++k) file.columns[k] = made->column[k];
  file.storage = made;
  file.names = {"x", "y", "z", "r"};
  file.place = [](row r) { return fmt::format("demo: row {}", r); };
  return file;
}

/// Parses --columns and --radius.
columns_request understand_columns(const search_arguments& given) {
  if (given.demo && !(given.columns.empty() && given.radius.empty())) {
    throw error(fmt::format("{} is for files, and --demo makes its own bodies; leave it out",
                            given.columns.empty() ? "--radius" : "--columns"));
  }
  columns_request request;
  if (!given.radius.empty()) {
    request.radius = number_option("--radius", given.radius, "a finite number >= 0", [](double v) { return v >= 0; });
  }
  if (!given.columns.empty()) read_columns(request, given.columns);
  return request;
}

/// The constants that --constants names, or those in the file of that name.
std::string read_constants_option(const std::string& given) {
  std::vector<std::string> words{"built-in"};
  for (const instruction_set set : all_instruction_sets) words.emplace_back(name_of(set));
  if (std::find(words.begin(), words.end(), given) != words.end()) return given;
  if (!std::filesystem::exists(given)) {
    const std::string near = nearest(given, words);
    throw error(fmt::format("--constants {}: there is no such file, and the words are {}{}", in_quotes(given),
                            joined(words), near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
  std::ifstream file(given, std::ios::binary);
  if (!file) throw error(fmt::format("--constants {}: cannot be read", given));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  try {
    return constants(text.empty() ? "\n" : text);
  } catch (const error& problem) {
    throw error(fmt::format("{}: {} (abut plan --save-constants FILE writes such a file)", given, problem.what()));
  }
}

/// Without --periodic, the axes that repeat are those of the file's box. If that box cannot repeat, none do.
void take_repeats(bodies_file& file, const search_request& request) {
  if (request.periodic || file.no_domain.empty()) return;
  const bool any = std::any_of(file.repeats.begin(), file.repeats.end(), [](bool repeats) { return repeats; });
  if (any) warn(file.no_domain + "; pairs across its borders are not found (--periodic none hides this warning)");
  file.repeats = {};
}

}  // namespace

double number_option(std::string_view name, const std::string& text, std::string_view range, bool (*fits)(double)) {
  const std::optional<double> value = to_number(text);
  if (!value) throw error(fmt::format("{} is {}, not a number; it must be {}", name, in_quotes(text), range));
  if (!std::isfinite(*value) || !fits(*value)) throw error(fmt::format("{} is {}; it must be {}", name, text, range));
  return *value;
}

std::uint64_t whole_option(std::string_view name, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = problem == std::errc() && end == text.data() + text.size();
  constexpr double exact = 9007199254740992;  // 2^53
  if (const std::optional<double> real = to_number(text); !whole && real && *real >= 0 && *real <= exact) {
    whole = *real == std::floor(*real);  // 1e6
    value = static_cast<std::uint64_t>(*real);
  }
  if (whole && value >= least && value <= most) return value;
  throw error(fmt::format("{} is {}; it must be a whole number from {} to {}", name, in_quotes(text), least, most));
}

std::uint64_t seed_option(const std::string& text) {
  return text.empty() ? 1 : whole_option("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
}

void add_bodies_options(verb& to, search_arguments& given) {
  to.add_option("BODIES", given.bodies, "", "The file: .npy, .csv or a LAMMPS dump");
  to.add_flag("--demo", given.demo, "A jittered lattice of 100,000 spheres instead of a file");
}

void add_search_options(verb& to, search_arguments& given) {
  to.add_option("--columns", given.columns, "NAMES", "What the columns are: x,y,z,r or x=cx,y=cy,r=rad or ...");
  to.add_option("--radius", given.radius, "R", "One radius for all, if the file has none");
  to.add_option("--scale", given.scale, "S", "Multiply every radius by this");
  to.add_option("--margin", given.margin, "M", "Count a gap of at most this as touching");
  to.add_option("--threads", given.threads, "N", "How many threads to use; results do not depend on it");
  to.add_option("--periodic", given.periodic, "AXES", "The axes that repeat: some of x,y,z, or none");
  to.add_option("--domain", given.domain, "ENDS", "Where they repeat: xmin,xmax,ymin,ymax[,zmin,zmax]");
  to.add_option("--constants", given.constants, "WHICH", "Plan by built-in, avx2, ... or a file; open no cache");
}

search_request understand_search(const search_arguments& given) {
  if (given.demo && !given.bodies.empty()) {
    throw error(fmt::format("both --demo and the file {} are given; choose one", in_quotes(given.bodies)));
  }
  if (!given.demo && given.bodies.empty()) {
    throw error("no bodies; name a file (.npy, .csv or a LAMMPS dump), or try --demo");
  }
  search_request request{.columns = understand_columns(given)};
  if (!given.scale.empty()) {
    request.scale = number_option("--scale", given.scale, "a finite number > 0", [](double v) { return v > 0; });
  }
  if (!given.margin.empty()) {
    request.margin = number_option("--margin", given.margin, "a finite number >= 0", [](double v) { return v >= 0; });
  }
  if (!given.threads.empty()) {
    request.threads = static_cast<int>(whole_option("--threads", given.threads, 1, most_threads));
  }
  if (!given.periodic.empty()) request.periodic = read_axes(given.periodic);
  if (!given.domain.empty()) request.domain = read_domain(given.domain);
  if (!given.constants.empty()) request.constants = read_constants_option(given.constants);
  return request;
}

bodies_file obtain(const search_arguments& given, const search_request& request, progress_line& progress) {
  bodies_file file;
  if (given.demo) {
    file = make_demo();
  } else {
    file = read_bodies(given.bodies, request.columns, [&](std::string_view what, double part) {
      progress.stage(fmt::format("{} {}", what, given.bodies));
      progress.done(part);
    });
    take_repeats(file, request);
    refuse_equal_ids(file);
    file.note = understood(file, !request.periodic);
  }
  if (request.scale && file.kind == shape::box)
    throw error("--scale multiplies radii and boxes have none; use --margin");
  if (request.scale) multiply_radii(file, *request.scale);
  if (const std::string doubt = strange_sizes(file, given.bodies); !doubt.empty()) warn(doubt);
  return file;
}

plan plan_of(const std::string& method, const std::vector<std::string>& parameters) {
  plan made(method);
  for (const std::string& parameter : parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw error(
          fmt::format("--param {}: write it as key=value; `abut methods` lists the keys", in_quotes(parameter)));
    }
    made.set(parameter.substr(0, equals), parameter.substr(equals + 1));
  }
  return made;
}

void refuse_in_place(const error& problem, const bodies_file& file, const search_arguments& given) {
  const bool by_side = std::string_view(problem.what()).starts_with("the periodic side");
  if (by_side && !given.domain.empty())
    throw error(fmt::format("--domain {}: {}: {}", given.domain, given.source(), problem.what()));
  if (by_side && given.periodic.empty())
    throw error(fmt::format("{}; or leave the box of {} out: --periodic none", problem.what(), given.bodies));
  if (!problem.body()) throw error(problem);
  const std::string scaled = given.scale.empty() ? "" : fmt::format(" (with --scale {})", given.scale);
  throw error(fmt::format("{}: {}{}", file.place(*problem.body()), problem.what(), scaled));
}

void refuse_overwriting(std::string_view option, const std::string& path, const search_arguments& given) {
  std::error_code ignored;
  if (!given.demo && std::filesystem::equivalent(given.bodies, path, ignored)) {
    throw error(fmt::format("{} {} would overwrite the bodies; choose another name", option, path));
  }
}

void update_in_place(search& search, const bodies& now, const bodies_file& file, const search_arguments& given) {
  in_place(file, given, [&] { search.update(now); });
}

options options_for(const search_request& request, const bodies_file& file, const std::string& name) {
  options chosen;
  chosen.margin = request.margin;
  chosen.threads = request.threads;
  chosen.constants = request.constants;
  const auto axes = static_cast<std::size_t>(file.dimension);
  if (!request.domain.empty() && request.domain.size() != axes) {
    throw error(fmt::format("--domain has {} numbers and {} is {}D; give {}", 2 * request.domain.size(), name,
                            file.dimension, 2 * axes));
  }
  const std::vector<interval>& domain = request.domain.empty() ? file.domain : request.domain;
  const std::array<bool, 3>& periodic = request.periodic ? *request.periodic : file.repeats;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!periodic[axis]) continue;
    if (axis >= axes) throw error(fmt::format("--periodic names z and {} is 2D; name some of x,y", name));
    if (domain.empty()) {
      const std::string why = file.no_domain.empty() ? "--periodic needs the period" : file.no_domain;
      throw error(fmt::format("{}; add --domain {}", why,
                              axes == 2 ? domain_form.substr(0, 19) : "xmin,xmax,ymin,ymax,zmin,zmax"));
    }
    chosen.periodic[axis] = domain[axis];
  }
  return chosen;
}

}  // namespace abut::cli
