#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "bodies_summary.hpp"
#include "search_options.hpp"

/// The parts of the verb `plan`: what is asked, what comes out, and how it is told.
namespace abut::cli {

/// The options as they stand on the command line.
struct plan_arguments : search_arguments {
  std::string motion{};
  bool measure = false, calibrate = false, json = false;
};

/// What came out.
struct plan_result {
  bodies_summary bodies{};
  std::optional<double> motion{};
  bool calibrated = false;
  double seconds = 0;                   ///< to plan
  std::vector<candidate> candidates{};  ///< the best first
};

/// For people, and for programs.
[[nodiscard]] std::string in_words(const plan_result& result);
[[nodiscard]] std::string in_json(const plan_result& result);

/// Measures this machine's constants where there are none, or where it `must`, and says so.
void calibrate_once(bool must, const std::function<void(const std::string& line)>& say);

}  // namespace abut::cli
