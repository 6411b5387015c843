#include <algorithm>

#include <unistd.h>

#include <fmt/format.h>

#include "plan.hpp"
#include "screen/json.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

std::string remark(const candidate& c, bool first) { return first ? "chosen" : c.as_good ? "as good" : ""; }

std::string table(const plan_result& result) {
  std::size_t width = 4;
  for (const candidate& c : result.candidates) width = std::max(width, c.what.text().size());
  const bool measured = result.candidates.front().measured.has_value();
  std::string lines = fmt::format("{:<{}}  {:>9}{}  ns per body\n", "plan", width, "predicted",
                                  measured ? fmt::format("  {:>8}", "measured") : "");
  for (const candidate& c : result.candidates) {
    std::string line = fmt::format("{:<{}}  {:>9}", c.what.text(), width, three_digits(c.predicted));
    if (measured) line += fmt::format("  {:>8}", c.measured ? three_digits(*c.measured) : "-");
    const std::string said = remark(c, &c == &result.candidates.front());
    if (!said.empty()) line.append("  ").append(said);
    lines.append(line).append("\n");
  }
  return lines;
}

}  // namespace

std::string in_words(const plan_result& result) {
  labeled_lines lines(terminal_width(STDOUT_FILENO));
  lines.add("bodies", in_words(result.bodies));
  lines.add("plan", result.candidates.front().what.text());
  lines.add("because", result.candidates.front().what.reason());
  lines.add("time", fmt::format("{} to plan{}", duration(result.seconds),
                                !result.constants.empty() ? ", with the constants of " + one_line(result.constants)
                                : result.calibrated       ? ""
                                                          : ", with constants of another machine"));
  if (!result.saved.empty()) lines.add("written", one_line(result.saved));
  return lines.text() + "\n" + table(result);
}

std::string in_words(calibration_result result) {
  if (result == calibration_result::saved) return "";
  if (result == calibration_result::busy) {
    return "this machine is too busy to be measured, so its constants stay as they were; run abut plan --calibrate "
           "when it is idle";
  }
  const std::string file = calibration_file();
  return fmt::format("the constants could not be saved{}",
                     file.empty() ? ": set ABUT_CACHE to a folder" : " in " + file);
}

std::string in_json(const plan_result& result) {
  std::vector<std::string> all;
  for (const candidate& c : result.candidates) {
    json_object one;
    one.add("plan", json_string(c.what.text()))
        .add("predicted", json_number(c.predicted))
        .add("measured", json_number(c.measured))
        .add("as_good", json_bool(c.as_good));
    all.push_back(one.text());
  }
  json_object json;
  add_to(json, result.bodies);
  json.add("motion", json_number(result.motion))
      .add("plan", json_string(result.candidates.front().what.text()))
      .add("reason", json_string(result.candidates.front().what.reason()))
      .add("calibrated", json_bool(result.calibrated))
      .add("constants", result.constants.empty() ? "null" : json_string(result.constants))
      .add("seconds", json_number(result.seconds))
      .add("candidates", json_array(all));
  return json.text() + "\n";
}

}  // namespace abut::cli
