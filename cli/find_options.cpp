#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "find.hpp"
#include "words.hpp"

namespace abut::cli {
namespace {

constexpr int most_threads = 1024;
constexpr std::string_view domain_form = "xmin,xmax,ymin,ymax[,zmin,zmax]";

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

int read_threads(const std::string& text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size() && value >= 1 && value <= most_threads) return value;
  throw error(fmt::format("--threads is {}; it must be a whole number from 1 to {}", in_quotes(text), most_threads));
}

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

abut::plan read_plan(const find_arguments& given) {
  abut::plan plan(given.method);
  for (const std::string& parameter : given.parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw error(
          fmt::format("--param {}: write it as key=value; `abut methods` lists the keys", in_quotes(parameter)));
    }
    plan.set(parameter.substr(0, equals), parameter.substr(equals + 1));
  }
  return plan;
}

}  // namespace

find_request understand(const find_arguments& given) {
  if (given.demo && !given.bodies.empty()) {
    throw error(fmt::format("both --demo and the file {} are given; choose one", in_quotes(given.bodies)));
  }
  if (!given.demo && given.bodies.empty()) {
    throw error("no bodies; name a file (.npy, .csv or a LAMMPS dump), or try --demo");
  }
  find_request request{.plan = read_plan(given)};
  if (!given.scale.empty()) {
    request.scale = number_option("--scale", given.scale, "a finite number > 0", [](double v) { return v > 0; });
  }
  if (!given.margin.empty()) {
    request.margin = number_option("--margin", given.margin, "a finite number >= 0", [](double v) { return v >= 0; });
  }
  if (!given.threads.empty()) request.threads = read_threads(given.threads);
  if (!given.periodic.empty()) request.periodic = read_axes(given.periodic);
  if (!given.domain.empty()) request.domain = read_domain(given.domain);
  return request;
}

options options_for(const find_request& request, const bodies_file& file, const std::string& name) {
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
