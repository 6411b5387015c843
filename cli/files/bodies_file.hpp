#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/bodies.hpp>
#include <abut/search.hpp>

#include "files/body_columns.hpp"
#include "files/file_bytes.hpp"

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
  /// The axes on which the file says that its box repeats.
  std::array<bool, 3> repeats{};

  /// The ids of the rows, where they were asked for.
  std::vector<std::int64_t> ids{};

  /// The names of the columns that were read, and the radius where it is one for all.
  std::vector<std::string> names{};
  std::optional<double> radius{};

  /// Something that a reader should know: "frame 3 of 3, timestep 2000".
  std::string note{};

  [[nodiscard]] bodies view() const;
};

/// "2 discs in 2D", "1 box in 3D".
[[nodiscard]] std::string bodies_in_words(shape kind, int dimension, std::size_t count);

/// As many bodies of this layout, still without their numbers, except for a radius of all.
[[nodiscard]] bodies_file file_of(const body_layout& layout, std::size_t size);

/// In double, in a column of their own: the file's stay as they are.
void multiply_radii(bodies_file& file, double by);

/// Reads .npy, .csv or a LAMMPS dump (known by its first bytes, whatever its name). Throws `error` with the place.
[[nodiscard]] bodies_file read_bodies(const std::string& path, const columns_request& wanted, const reading& progress);

/// One format each. `path` is for messages.
[[nodiscard]] bodies_file read_npy(const std::string& path, const file_bytes& bytes, const columns_request& wanted);
[[nodiscard]] bodies_file read_csv(const std::string& path, std::string_view text, const columns_request& wanted,
                                   const reading& progress);
[[nodiscard]] bodies_file read_lammps(const std::string& path, std::string_view text, const columns_request& wanted,
                                      const reading& progress);

}  // namespace abut::cli
