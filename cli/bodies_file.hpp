#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <abut/bodies.hpp>
#include <abut/search.hpp>

#include "file_bytes.hpp"

namespace abut::cli {

/// Bodies read from a file. The columns look into `storage`.
struct bodies_file {
  shape kind = shape::sphere;
  int dimension = 3;
  std::size_t size = 0;

  /// In the order of the arguments of `spheres` and `boxes`: x, y, (z,) r or xmin, xmax, ymin, ymax(, zmin, zmax).
  std::array<column, 6> columns{};
  std::shared_ptr<const void> storage{};

  /// Where a row stands, for messages: "grains.csv:9", "grains.npy: row 7".
  std::function<std::string(row)> place{};

  /// The stretches that the file gives for its axes, x first; empty: none, and then perhaps the reason why not.
  std::vector<interval> domain{};
  std::string no_domain{};

  /// Something that a reader should know: "frame 3 of 3, timestep 2000".
  std::string note{};

  [[nodiscard]] bodies view() const;
};

/// "2 discs in 2D", "1 box in 3D".
[[nodiscard]] std::string bodies_in_words(shape kind, int dimension, std::size_t count);

/// Reads .npy, .csv or a LAMMPS dump (known by its first bytes, whatever its name). Throws `error` with the place.
[[nodiscard]] bodies_file read_bodies(const std::string& path, const reading& progress);

/// One format each. `path` is for messages.
[[nodiscard]] bodies_file read_npy(const std::string& path, const file_bytes& bytes);
[[nodiscard]] bodies_file read_csv(const std::string& path, std::string_view text, const reading& progress);
[[nodiscard]] bodies_file read_lammps(const std::string& path, std::string_view text, const reading& progress);

}  // namespace abut::cli
