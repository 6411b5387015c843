#include <limits>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "screen/json.hpp"

namespace abut::cli {
namespace {

/// Null if `by` is 0.
std::string ratio(double value, std::uint64_t by) {
  return json_number(by == 0 ? std::numeric_limits<double>::quiet_NaN() : value / static_cast<double>(by));
}

std::string per_body(const spread& seconds, std::uint64_t bodies) {
  json_object json;
  json.add("median", ratio(seconds.median * 1e9, bodies))
      .add("low", ratio(seconds.low * 1e9, bodies))
      .add("high", ratio(seconds.high * 1e9, bodies));
  return json.text();
}

std::string in_json(const growth& g) {
  std::vector<std::string> values;
  for (const double v : g.values) values.push_back(json_number(v));
  json_object json;
  json.add("values", json_array(values)).add("power", json_number(g.power));
  return json.text();
}

std::string in_json(const measured_plan& p, std::uint64_t bodies) {
  json_object times;
  times.add("plan", per_body(p.plan_seconds, bodies))
      .add("first", per_body(p.first_seconds, bodies))
      .add("update", per_body(p.update_seconds, bodies))
      .add("find", per_body(p.find_seconds, bodies));
  json_object json;
  json.add("plan", json_string(p.asked.text()))
      .add("planned", json_string(p.planned.text()))
      .add("instructions", json_string(name_of(p.instructions)))
      .add("nanoseconds_per_body", times.text())
      .add("candidates_per_pair", ratio(static_cast<double>(p.candidates), p.pairs_of_all_steps))
      .add("tests_per_pair", ratio(static_cast<double>(p.tests), p.pairs_of_all_steps))
      .add("pairs", json_number(p.pairs))
      .add("coordination_number", ratio(2 * static_cast<double>(p.pairs), bodies))
      .add("bytes_per_body", ratio(static_cast<double>(p.bytes), bodies))
      .add("hash", json_string(fmt::format("{:016x}", p.hash)))
      .add("exact", json_bool(p.exact()));
  json_object counts;
  for (const named_count& c : p.counts) counts.add(c.name, ratio(c.each, bodies));
  json.add("counts_per_body", counts.text());
  if (!p.grows.empty()) {
    json_object grows;
    for (const growth& g : p.grows) grows.add(g.name, in_json(g));
    json.add("growth", grows.text());
  }
  return json.text();
}

}  // namespace

std::string in_json(const bench_result& result) {
  std::vector<std::string> results;
  for (const measured_plan& p : result.measured) results.push_back(in_json(p, result.bodies.count));
  std::vector<std::string> sizes;
  for (const std::uint64_t size : result.sizes) sizes.push_back(json_number(size));
  json_object json;
  add_to(json, result.bodies);
  if (!sizes.empty()) json.add("sizes", json_array(sizes));
  json.add("threads", json_number(result.threads))
      .add("steps", json_number(result.steps))
      .add("repeat", json_number(result.repeat))
      .add("move", json_number(result.move))
      .add("seed", json_number(result.seed))
      .add("reference", json_string(result.reference))
      .add("left_out", json_strings(result.left_out))
      .add("machine", result.machine.empty() ? "null" : json_string(result.machine))
      .add("version", json_string(ABUT_VERSION))
      .add("results", json_array(results));
  return json.text() + "\n";
}

}  // namespace abut::cli
