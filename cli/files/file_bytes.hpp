#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace abut::cli {

/// Called from time to time while a file is read, with what is being done and the part of it that is done (0 to 1;
/// negative if unknown).
using reading = std::function<void(std::string_view what, double part)>;

/// A whole file in memory. It is read, not mapped: if the file shrinks meanwhile, that is an error and not a crash.
struct file_bytes {
  std::shared_ptr<const char[]> data{};
  std::size_t size = 0;
  bool regular = true;  ///< false for a pipe

  [[nodiscard]] std::string_view text() const { return {data.get(), size}; }
};

/// Throws `error` if the file cannot be read. If there is no such file, the error names the one with the nearest name.
/// An empty file is an error, too, which ends with what an empty file lacks.
[[nodiscard]] file_bytes read_file(const std::string& path, const reading& progress, std::string_view if_empty = "");

}  // namespace abut::cli
