#include "plans.hpp"

namespace support {

std::vector<std::string> plans_of(const std::string& method, const abut::samples::set& bodies) {
  std::vector<std::string> plans = variants(method);
  const std::vector<double> all = extents(bodies);
  const double middle = all.empty() || all[all.size() / 2] == 0 ? 1 : all[all.size() / 2];
  const double most = all.empty() || all.back() == 0 ? 1 : all.back();
  for (const double length : {1e-320, 1e-200, 0.1 * middle, middle, 0.7 * most, 1.01 * most, 40 * most, 1e200}) {
    if (method == "neighboring-cell") {
      for (const char* store : {"center", "cover"})
        plans.push_back(method + " store=" + store + " cell=" + number(length));
    }
    if (method == "stripe-sort") plans.push_back(method + " width=" + number(length));
  }
  if (method == "fixed-cubes") {
    for (const double delta : {0.0, 1e-200, 0.1 * most, 3 * most, 1e200, 1e308}) {
      plans.push_back(method + " delta=" + number(delta));
    }
  }
  if (method == "nearest-neighbor") {
    for (const double distance : {1e-320, middle, 1e150}) plans.push_back(method + " distance=" + number(distance));
  }
  return plans;
}

std::string parameter_named(const std::string& message) {
  const std::size_t owner = message.find("'s ");
  if (owner == std::string::npos) return {};
  return message.substr(owner + 3, message.find(' ', owner + 3) - owner - 3);
}

std::string smallest_named(const std::string& message) {
  const std::size_t word = message.find("smallest");
  if (word == std::string::npos) return {};
  const std::size_t digit = message.find_first_of("0123456789", word);
  if (digit == std::string::npos) return {};
  return message.substr(digit, message.find_first_not_of("0123456789.e+-", digit) - digit);
}

void expect_fair_refusal(const std::string& plan, const abut::error& refused) {
  EXPECT_NE(plan.find('='), std::string::npos) << plan << " was refused: " << refused.what();
  EXPECT_NE(smallest_named(refused.what()), "") << plan << " was refused: " << refused.what();
}

}  // namespace support
