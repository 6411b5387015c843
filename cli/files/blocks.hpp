#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "files/output_file.hpp"

namespace abut::cli {

/// Writes what `make(from, to, out)` appends to `out` for the parts of [0, count), in order. Parts are made on all
/// threads, a few at a time, so that a large file needs little memory.
template <class Make>
void write_blocks(output_file& file, std::size_t count, int threads, const Make& make) {
  constexpr std::size_t block = 8192;
  std::vector<std::string> made(static_cast<std::size_t>(usable_threads(threads)));
  for (std::size_t start = 0; start < count; start += block * made.size()) {
    const std::size_t part = std::min(count - start, block * made.size());
    parallel_blocks(threads, part, block, [&](std::size_t b, std::size_t from, std::size_t to) {
      made[b].clear();
      make(start + from, start + to, made[b]);
    });
    for (std::size_t b = 0; b * block < part; ++b) file.write(made[b].data(), made[b].size());
  }
}

/// Appends a number as it lies in memory.
template <class Number>
void append_bytes(std::string& to, Number value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace abut::cli
