#pragma once

// Results as data: the lines that a benchmark adds to the file of --csv. bench/README.md explains the columns.

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include <fmt/core.h>

#include "base/instructions.hpp"

namespace figures {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A line of the file. Times are in ns per body; candidates, tests, pairs and bytes are per body too. Unknown
/// values are left empty.
struct result {
  std::string benchmark;
  std::string sample;
  std::size_t bodies = 0;
  std::string plan;
  int threads = 1;
  double first = unknown;
  double update = unknown;
  double find = unknown;
  double sum = unknown;
  double candidates = unknown;
  double tests = unknown;
  double pairs = unknown;
  double bytes = unknown;
  double count = unknown;  ///< whatever else the benchmark counts
};

/// What the command line asks of a benchmark, and the file for its results.
class settings {
 public:
  std::string benchmark;
  bool pages = false;  ///< only what the documentation shows
  bool quick = false;  ///< few repeats: to see that it works

  ~settings() {
    if (file_ != nullptr) std::fclose(file_);
  }

  void open(const std::string& path) {
    file_ = std::fopen(path.c_str(), "w");
    if (file_ == nullptr) throw std::runtime_error("cannot write " + path);
    fmt::print(
        file_,
        "benchmark,sample,bodies,plan,threads,instructions,first,update,find,sum,candidates,tests,pairs,bytes,count\n");
  }

  void add(const result& r) {
    if (file_ == nullptr) return;
    fmt::print(file_, "{},{},{},{},{},{}", quoted(r.benchmark), quoted(r.sample), r.bodies, quoted(r.plan), r.threads,
               abut::name_of(abut::instructions_in_use()));
    for (const double value : {r.first, r.update, r.find, r.sum, r.candidates, r.tests, r.pairs, r.bytes, r.count}) {
      fmt::print(file_, ",{}", std::isnan(value) ? "" : fmt::format("{:.4g}", value));
    }
    fmt::print(file_, "\n");
    std::fflush(file_);
  }

  [[nodiscard]] int repeats(int usual) const { return quick ? 1 + usual / 50 : usual; }

 private:
  static std::string quoted(const std::string& text) {
    return text.find(',') == std::string::npos ? text : '"' + text + '"';
  }

  std::FILE* file_ = nullptr;
};

inline settings& asked() {
  static settings of_this_run;
  return of_this_run;
}

/// Takes --csv FILE, --pages and --quick; returns whether the argument at `k` was one of them.
inline bool take_setting(int argc, char** argv, int& k) {
  const std::string option = argv[k];
  if (option == "--csv" && k + 1 < argc) {
    asked().open(argv[++k]);
  } else if (option == "--pages") {
    asked().pages = true;
  } else if (option == "--quick") {
    asked().quick = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace figures
