#pragma once

#include <string>
#include <vector>

#include "programs.hpp"

namespace abut::cli {

/// The file of --csv, written again after each case and number of threads, so that an interrupt loses little.
class step_table {
 public:
  /// With `resume`, begins with the lines that the file has. Throws `error` if the file cannot be written, or has other
  /// columns. An empty path means that no file is wanted.
  step_table(std::string path, bool resume);

  /// Whether it has every line that such a measurement adds.
  [[nodiscard]] bool has(const step_case& what, int threads, const step_measurement& how) const;
  /// Adds the results of one case and number of threads, instead of older ones.
  void add(const std::vector<step_result>& results);
  /// Writes what was not written yet: a pipe, for example, is written once.
  void finish();

 private:
  void write() const;

  std::string path_;
  std::vector<std::string> lines_{};  ///< with their ends
  bool at_once_ = false;              ///< whether to write only at the end
};

}  // namespace abut::cli
