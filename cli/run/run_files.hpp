#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "files/output_file.hpp"
#include "scene/scene.hpp"

namespace abut::cli {

/// The files of a run, in a folder: series.csv, state.npy and state.vtp. None has a clock time, a method or a number of
/// threads in it: equal runs give equal files.
class run_files {
 public:
  /// Makes the folder, if there is none. Throws `error` if it holds the files of a run, unless `force`, and if they
  /// cannot be written.
  run_files(const std::string& folder, const output_plan& plan, bool force);
  ~run_files();
  run_files(const run_files&) = delete;
  run_files& operator=(const run_files&) = delete;

  /// Adds a row to the series. Other programs can read it as soon as this returns.
  void add_row(const dem::simulation& now, const dem::measures& measured);
  /// Writes the state, by ascending id.
  void write_state(const dem::state& bodies, int dimension);

  /// The files that were written.
  [[nodiscard]] const std::vector<std::string>& written() const { return written_; }

 private:
  void write_npy(const dem::state& bodies, const std::vector<row>& order, int dimension);
  void write_vtp(const dem::state& bodies, const std::vector<row>& order);
  void append(const std::string& line);

  std::string series_path_, npy_path_, vtp_path_;
  std::unique_ptr<output_file> npy_, vtp_;
  std::FILE* series_ = nullptr;
  std::vector<std::string> written_;
};

}  // namespace abut::cli
