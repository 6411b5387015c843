#include <fmt/format.h>

#include <unistd.h>

#include "find.hpp"
#include "screen/json.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

std::string per(std::uint64_t count, std::uint64_t by) {
  return fmt::format("{:.2f}", static_cast<double>(count) / static_cast<double>(by));
}

/// ns per body for update and find, if there are bodies.
std::optional<double> measured(const find_result& result) {
  if (result.bodies.count == 0) return {};
  return (result.update_seconds + result.find_seconds) * 1e9 / static_cast<double>(result.bodies.count);
}

std::string cost_in_words(const find_result& result) {
  const std::optional<double> found = measured(result);
  if (!found) return "";
  if (!result.stats.predicted) return fmt::format("{} for update and find", duration(*found * 1e-9));
  constexpr double surprising = 1.5;
  return fmt::format(
      "{} predicted, {} measured for update and find{}", duration(*result.stats.predicted * 1e-9),
      duration(*found * 1e-9),
      *found > surprising * *result.stats.predicted ? " (first updates and busy machines are slower)" : "");
}

/// Those that are not 0: "rebuilds 3, strays 12".
std::string in_words(const std::vector<abut::stats::event>& counted) {
  std::string words;
  for (const auto& [name, count] : counted) {
    if (count > 0) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, with_commas(count));
  }
  return words;
}

std::string in_json(const std::vector<abut::stats::event>& counted) {
  json_object json;
  for (const auto& [name, count] : counted) json.add(name, json_number(count));
  return json.text();
}

}  // namespace

std::string in_words(const find_result& result) {
  const abut::stats& stats = result.stats;
  labeled_lines lines(terminal_width(STDOUT_FILENO));
  lines.add("bodies", in_words(result.bodies));
  std::string found = with_commas(result.pairs);
  if (result.bodies.count > 0) {
    found += fmt::format(", coordination number {:.2f}", coordination_number(result.pairs, result.bodies.count));
  }
  lines.add("pairs", found);
  if (result.pairs > 0) {
    text_style style = style_of_stdout();
    style.width = terminal_width(STDOUT_FILENO);
    lines.add_lines("contacts", bar_chart(result.coordination, style, labeled_lines::label_width));
  }
  lines.add("plan", result.plan.text());
  lines.add("because", result.plan.reason());
  lines.add("time",
            fmt::format("{} {}, update {}, find {} ({})", result.bodies.demo() ? "make" : "read",
                        duration(result.read_seconds), duration(result.update_seconds), duration(result.find_seconds),
                        counted(static_cast<std::uint64_t>(result.threads), "thread")));
  lines.add("per body", cost_in_words(result));
  if (result.pairs > 0) {
    lines.add("work", fmt::format("{} candidates and {} tests per pair", per(stats.candidates, result.pairs),
                                  per(stats.tests, result.pairs)));
  } else {
    lines.add("work", fmt::format("{}, {}", counted(stats.candidates, "candidate"), counted(stats.tests, "test")));
  }
  std::string memory = byte_size(static_cast<double>(stats.bytes));
  if (result.bodies.count > 0) {
    memory += fmt::format(", {:.0f} bytes per body",
                          static_cast<double>(stats.bytes) / static_cast<double>(result.bodies.count));
  }
  lines.add("memory", memory);
  lines.add("counts", in_words(stats.counts));
  lines.add("events", in_words(stats.events));
  if (!result.pairs_path.empty()) lines.add("written", one_line(result.pairs_path));
  return lines.text();
}

std::string in_json(const find_result& result) {
  json_object cost;
  cost.add("predicted", json_number(result.stats.predicted)).add("measured", json_number(measured(result)));
  json_object seconds;
  seconds.add("read", json_number(result.read_seconds))
      .add("update", json_number(result.update_seconds))
      .add("find", json_number(result.find_seconds));
  json_object histogram;
  for (const auto [contacts, bodies] : result.coordination) {
    histogram.add(fmt::format("{}", contacts), json_number(bodies));
  }
  json_object json;
  add_to(json, result.bodies);
  json.add("pairs", json_number(result.pairs))
      .add("coordination_number", result.bodies.count > 0
                                      ? json_number(coordination_number(result.pairs, result.bodies.count))
                                      : std::string("null"))
      .add("coordination_histogram", histogram.text())
      .add("hash", json_string(fmt::format("{:016x}", result.hash)))
      .add("method", json_string(result.plan.method()))
      .add("plan", json_string(result.plan.text()))
      .add("reason", json_string(result.plan.reason()))
      .add("threads", json_number(result.threads))
      .add("seconds", seconds.text())
      .add("nanoseconds_per_body", cost.text())
      .add("candidates", json_number(result.stats.candidates))
      .add("tests", json_number(result.stats.tests))
      .add("counts", in_json(result.stats.counts))
      .add("bytes", json_number(result.stats.bytes));
  return json.text() + "\n";
}

}  // namespace abut::cli
