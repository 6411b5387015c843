#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

#include "environment.hpp"
#include "plan/calibration.hpp"

namespace support {

/// A fixture with a cache of its own for each test, removed afterwards.
class own_cache : public ::testing::Test {
 protected:
  own_cache() {
    std::string pattern = (std::filesystem::temp_directory_path() / "abut_planner_XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    cache_.emplace("ABUT_CACHE", (folder / "cache").string());
    abut::forget_calibration();
  }
  ~own_cache() override {
    cache_.reset();
    abut::forget_calibration();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  [[nodiscard]] static std::string read() {
    std::ifstream file(abut::calibration_file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const {
    std::filesystem::create_directories(folder / "cache");
    std::ofstream(abut::calibration_file(), std::ios::binary) << text;
    abut::forget_calibration();
  }
  /// Constants that are all the same.
  static abut::cost_constants all_equal(double ns) {
    abut::cost_constants c;
    for (const abut::cost* one : abut::all_costs()) c[*one] = ns;
    return c;
  }
  /// Constants that no calibration would yield.
  static abut::calibration marked() { return {.constants = all_equal(7), .of_this_machine = true}; }

  std::filesystem::path folder;

 private:
  std::optional<environment_variable> cache_;
};

}  // namespace support
