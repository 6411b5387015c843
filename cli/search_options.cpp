#include "search_options.hpp"

#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "scenes.hpp"
#include "words.hpp"

namespace abut::cli {
namespace {

constexpr std::string_view domain_form = "xmin,xmax,ymin,ymax[,zmin,zmax]";

std::array<bool, 3> read_axes(const std::string& text) {
  std::array<bool, 3> axes{};
  for (const std::string_view part : split(text)) {
    const std::size_t axis = part.size() == 1 ? std::string_view("xyz").find(part) : std::string_view::npos;
    if (axis == std::string_view::npos) {
      throw error(fmt::format("--periodic {}: {} is no axis; name some of x,y,z", in_quotes(text), in_quotes(part)));
    }
    if (axes[axis]) throw error(fmt::format("--periodic {}: {} is named twice", in_quotes(text), part));
    axes[axis] = true;
  }
  return axes;
}

std::vector<interval> read_domain(const std::string& text) {
  const std::vector<std::string_view> parts = split(text);
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
  const auto made = std::make_shared<const scenes::set>(
      scenes::lattice(shape::sphere, 3, 100'000, /*spacing=*/1.0, /*jitter=*/0.1, /*r=*/0.5 * 1.05, /*seed=*/1));
  bodies_file file;
  file.size = made->size();
  for (std::size_t k = 0; k < 4; ++k) file.columns[k] = column(made->column[k]);
  file.storage = made;
  file.place = [](row r) { return fmt::format("demo: row {}", r); };
  return file;
}

/// Multiplies the radii, in double, in a column of their own: the file's stay as they are.
void scale_radii(bodies_file& file, double scale) {
  if (file.kind == shape::box) throw error("--scale multiplies radii and boxes have none; use --margin");
  column& radius = file.columns[static_cast<std::size_t>(file.dimension)];
  const auto scaled = std::make_shared<std::vector<double>>(file.size);
  radius.read(0, file.size, scaled->data());
  for (double& r : *scaled) r *= scale;
  radius = column(*scaled);
  file.storage =
      std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(file.storage, scaled);
}

}  // namespace

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    parts.push_back(part);
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

double number_option(std::string_view name, const std::string& text, std::string_view range, bool (*fits)(double)) {
  const std::optional<double> value = to_number(text);
  if (!value) throw error(fmt::format("{} is {}, not a number; it must be {}", name, in_quotes(text), range));
  if (!std::isfinite(*value) || !fits(*value)) throw error(fmt::format("{} is {}; it must be {}", name, text, range));
  return *value;
}

std::uint64_t whole_option(std::string_view name, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  if (whole && value >= least && value <= most) return value;
  throw error(fmt::format("{} is {}; it must be a whole number from {} to {}", name, in_quotes(text), least, most));
}

void add_bodies_options(CLI::App& verb, search_arguments& given) {
  verb.add_option("BODIES", given.bodies, "The file: .npy, .csv or a LAMMPS dump")->type_name("");
  verb.add_flag("--demo", given.demo, "A packing of 100,000 spheres, made here, instead of a file")
      ->disable_flag_override();
}

void add_search_options(CLI::App& verb, search_arguments& given) {
  verb.add_option("--scale", given.scale, "Multiply every radius by this")->type_name("S");
  verb.add_option("--margin", given.margin, "Count a gap of at most this as touching")->type_name("M");
  verb.add_option("--threads", given.threads, "How many threads to use; the result is the same")->type_name("N");
  verb.add_option("--periodic", given.periodic, "The axes that repeat: some of x,y,z")->type_name("AXES");
  verb.add_option("--domain", given.domain, "Where they repeat: xmin,xmax,ymin,ymax[,zmin,zmax]")->type_name("ENDS");
}

void refuse_empty(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.empty()) throw error(fmt::format("{} is empty; give it a value or leave it out", option->get_name()));
    }
  }
}

search_request understand_search(const search_arguments& given) {
  if (given.demo && !given.bodies.empty()) {
    throw error(fmt::format("both --demo and the file {} are given; choose one", in_quotes(given.bodies)));
  }
  if (!given.demo && given.bodies.empty()) {
    throw error("no bodies; name a file (.npy, .csv or a LAMMPS dump), or try --demo");
  }
  search_request request;
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
  return request;
}

bodies_file obtain(const search_arguments& given, const search_request& request, progress_line& progress) {
  bodies_file file;
  if (given.demo) {
    file = make_demo();
  } else {
    file = read_bodies(given.bodies, [&](std::string_view what, double part) {
      progress.stage(fmt::format("{} {}", what, given.bodies));
      progress.done(part);
    });
  }
  if (request.scale) scale_radii(file, *request.scale);
  return file;
}

void refuse_in_place(const error& problem, const bodies_file& file, const search_arguments& given) {
  if (!problem.body()) throw error(problem);
  const std::string scaled = given.scale.empty() ? "" : fmt::format(" (with --scale {})", given.scale);
  throw error(fmt::format("{}: {}{}", file.place(*problem.body()), problem.what(), scaled));
}

void update_in_place(search& search, const bodies& now, const bodies_file& file, const search_arguments& given) {
  in_place(file, given, [&] { search.update(now); });
}

options options_for(const search_request& request, const bodies_file& file, const std::string& name) {
  options chosen;
  chosen.margin = request.margin;
  chosen.threads = request.threads;
  const auto axes = static_cast<std::size_t>(file.dimension);
  if (!request.domain.empty() && request.domain.size() != axes) {
    throw error(fmt::format("--domain has {} numbers and {} is {}D; give {}", 2 * request.domain.size(), name,
                            file.dimension, 2 * axes));
  }
  const std::vector<interval>& domain = request.domain.empty() ? file.domain : request.domain;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!request.periodic[axis]) continue;
    if (axis >= axes) throw error(fmt::format("--periodic names z and {} is 2D; name some of x,y", name));
    if (domain.empty()) {
      const std::string why = file.no_domain.empty() ? "--periodic needs the stretch that repeats" : file.no_domain;
      throw error(fmt::format("{}; add --domain {}", why,
                              axes == 2 ? domain_form.substr(0, 19) : "xmin,xmax,ymin,ymax,zmin,zmax"));
    }
    chosen.periodic[axis] = domain[axis];
  }
  return chosen;
}

}  // namespace abut::cli
