#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "files/output_file.hpp"
#include "samples.hpp"

namespace abut::cli {

/// A file of spheres: .npy, shape (n, 3) or (n, 4) of float64 or float32, or .csv with the header x,y,r or x,y,z,r and
/// digits that read back as the same numbers. Throws `error` at once for another extension and for a place that cannot
/// be written.
class spheres_file {
 public:
  spheres_file(const std::string& path, bool single);
  /// Returns the size of the file in bytes.
  std::uint64_t write(const samples::set& bodies, const std::function<void(double part)>& progress);

 private:
  template <class Number>
  void append_npy(const samples::set& bodies, std::size_t i);
  void append_csv(const samples::set& bodies, std::size_t i);
  void flush();

  bool csv_;
  bool single_;
  output_file file_;
  std::string buffer_{};
  std::uint64_t bytes_ = 0;
};

}  // namespace abut::cli
