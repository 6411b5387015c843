#include <limits>

#include <fmt/format.h>

#include "bench.hpp"
#include "json.hpp"

namespace abut::cli {
namespace {

/// Null where there is nothing to divide by.
std::string ratio(double value, std::uint64_t by) {
  return json_number(by == 0 ? std::numeric_limits<double>::quiet_NaN() : value / static_cast<double>(by));
}

std::string whole(std::uint64_t value) { return json_number(value); }
std::string whole(int value) { return json_number(static_cast<std::uint64_t>(value)); }

std::string per_body(const spread& seconds, std::uint64_t bodies) {
  json_object json;
  json.add("median", ratio(seconds.median * 1e9, bodies))
      .add("low", ratio(seconds.low * 1e9, bodies))
      .add("high", ratio(seconds.high * 1e9, bodies));
  return json.text();
}

std::string in_json(const bench_row& row, std::uint64_t bodies) {
  json_object times;
  times.add("plan", per_body(row.plan_seconds, bodies))
      .add("first", per_body(row.first_seconds, bodies))
      .add("update", per_body(row.update_seconds, bodies))
      .add("find", per_body(row.find_seconds, bodies));
  json_object json;
  json.add("plan", json_string(row.asked.text()))
      .add("planned", json_string(row.planned.text()))
      .add("nanoseconds_per_body", times.text())
      .add("candidates_per_pair", ratio(static_cast<double>(row.candidates), row.pairs_of_all_steps))
      .add("tests_per_pair", ratio(static_cast<double>(row.tests), row.pairs_of_all_steps))
      .add("pairs", whole(row.pairs))
      .add("coordination_number", ratio(2 * static_cast<double>(row.pairs), bodies))
      .add("bytes_per_body", ratio(static_cast<double>(row.bytes), bodies))
      .add("hash", json_string(fmt::format("{:016x}", row.hash)))
      .add("exact", row.exact() ? "true" : "false");
  return json.text();
}

}  // namespace

std::string in_json(const bench_result& result) {
  std::vector<std::string> left_out, rows;
  for (const std::string& name : result.left_out) left_out.push_back(json_string(name));
  for (const bench_row& row : result.rows) rows.push_back(in_json(row, result.bodies));
  json_object json;
  json.add("file", result.source == "demo" ? "null" : json_string(result.source))
      .add("shape", json_string(result.kind == shape::sphere ? "sphere" : "box"))
      .add("bodies", whole(result.bodies))
      .add("dimension", whole(result.dimension))
      .add("columns", json_strings(result.columns))
      .add("radius", result.radius ? json_number(*result.radius) : "null")
      .add("periodic", json_strings(result.periodic))
      .add("threads", whole(result.threads))
      .add("steps", whole(result.steps))
      .add("repeat", whole(result.repeat))
      .add("move", json_number(result.move))
      .add("seed", whole(result.seed))
      .add("reference", json_string(result.reference))
      .add("left_out", json_array(left_out))
      .add("machine", result.machine.empty() ? "null" : json_string(result.machine))
      .add("version", json_string(ABUT_VERSION))
      .add("results", json_array(rows));
  return json.text() + "\n";
}

}  // namespace abut::cli
