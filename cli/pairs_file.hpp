#pragma once

#include <span>
#include <string>

#include <abut/search.hpp>

#include "output_file.hpp"

namespace abut::cli {

/// A file of pairs: .npy, shape (m, 2) of uint32, or .csv with the header i,j. Throws `error` at once for another
/// extension and for a place that cannot be written.
class pairs_file {
 public:
  explicit pairs_file(const std::string& path);
  void write(std::span<const pair> pairs);

 private:
  void write_npy(std::span<const pair> pairs);
  void write_csv(std::span<const pair> pairs);

  bool csv_;
  output_file file_;
};

}  // namespace abut::cli
