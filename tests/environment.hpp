#pragma once

// Environment variables that are changed for a while.

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace support {

/// Sets or removes a variable, and restores it when destroyed.
class environment_variable {
 public:
  environment_variable(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
    if (const char* now = std::getenv(name_.c_str())) before_ = now;
    set(value);
  }
  ~environment_variable() { set(before_); }
  environment_variable(const environment_variable&) = delete;
  environment_variable& operator=(const environment_variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    value ? ::setenv(name_.c_str(), value->c_str(), 1) : ::unsetenv(name_.c_str());
  }

  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace support
