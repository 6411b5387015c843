#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace abut::cli {

/// Called now and then while a file is read, with what is being done and the part of it that is done (0 to 1).
using reading = std::function<void(std::string_view what, double part)>;

/// A whole file in memory. Read, not mapped: a file that shrinks meanwhile is then an error, not a crash.
struct file_bytes {
  std::shared_ptr<const char[]> data{};
  std::size_t size = 0;
  bool regular = true;  ///< false for a pipe

  [[nodiscard]] std::string_view text() const { return {data.get(), size}; }
};

/// Throws `error` where the file cannot be read, with the nearest name in its folder where there is no such file.
[[nodiscard]] file_bytes read_file(const std::string& path, const reading& progress);

}  // namespace abut::cli
