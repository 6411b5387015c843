#include <limits>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "screen/json.hpp"

namespace abut::cli {
namespace {

/// Null where there is nothing to divide by.
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
      .add("pairs", json_number(row.pairs))
      .add("coordination_number", ratio(2 * static_cast<double>(row.pairs), bodies))
      .add("bytes_per_body", ratio(static_cast<double>(row.bytes), bodies))
      .add("hash", json_string(fmt::format("{:016x}", row.hash)))
      .add("exact", json_bool(row.exact()));
  return json.text();
}

}  // namespace

std::string in_json(const bench_result& result) {
  std::vector<std::string> rows;
  for (const bench_row& row : result.rows) rows.push_back(in_json(row, result.bodies.count));
  json_object json;
  add_to(json, result.bodies);
  json.add("threads", json_number(result.threads))
      .add("steps", json_number(result.steps))
      .add("repeat", json_number(result.repeat))
      .add("move", json_number(result.move))
      .add("seed", json_number(result.seed))
      .add("reference", json_string(result.reference))
      .add("left_out", json_strings(result.left_out))
      .add("machine", result.machine.empty() ? "null" : json_string(result.machine))
      .add("version", json_string(ABUT_VERSION))
      .add("results", json_array(rows));
  return json.text() + "\n";
}

}  // namespace abut::cli
