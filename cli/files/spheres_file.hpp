#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "files/output_file.hpp"
#include "samples.hpp"

namespace abut::cli {

/// A file of spheres or discs: .npy of float64 or float32, with shape (n, 4) in 3D and records x, y, r in 2D, or .csv
/// with the header x,y,z,r or x,y,r and enough digits to read back the same numbers. The constructor throws `error` for
/// another extension and for a path that cannot be written.
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
