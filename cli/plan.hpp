#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "bodies_summary.hpp"
#include "search_options.hpp"

/// The verb `plan`: its options, its result, and the report.
namespace abut::cli {

/// The options as given on the command line.
struct plan_arguments : search_arguments {
  std::string motion{}, save_constants{};
  bool measure = false, calibrate = false, json = false;
};

/// What `plan` reports.
struct plan_result {
  bodies_summary bodies{};
  std::optional<double> motion{};
  std::string constants{};              ///< what --constants says; empty: this machine's
  bool calibrated = false;              ///< whether the machine's constants were measured on it
  double seconds = 0;                   ///< that planning took
  std::vector<candidate> candidates{};  ///< best first
  std::string saved{};                  ///< the file that the constants were written to; empty: none
};

/// The report for people, and for programs.
[[nodiscard]] std::string in_words(const plan_result& result);
[[nodiscard]] std::string in_json(const plan_result& result);

/// What went wrong with a calibration, and what to do; "" if nothing did.
[[nodiscard]] std::string in_words(calibration_result result);

/// Measures this machine's constants if they are not known or if it `must`, and says so.
void calibrate_once(bool must, const std::function<void(const std::string& line)>& say);

}  // namespace abut::cli
