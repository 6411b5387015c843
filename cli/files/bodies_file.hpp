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

#include "bodies/view.hpp"
#include "files/body_columns.hpp"
#include "files/file_bytes.hpp"

namespace abut::cli {

/// Bodies read from a file. The columns point into `storage`.
struct bodies_file {
  shape kind = shape::sphere;
  int dimension = 3;
  std::size_t size = 0;

  /// In the order of `bodies::at`: x, y, z (in 3D) and r, or all minima, then all maxima.
  std::array<column, 6> columns{};
  std::shared_ptr<const void> storage{};

  /// The place of a row in the file, for messages: "grains.csv:9", "grains.npy: row 7".
  std::function<std::string(row)> place{};

  /// The file's box, an interval per axis; empty if it has none.
  std::vector<interval> domain{};
  /// Why the file's box cannot be used; empty if it can, or if there is none.
  std::string no_domain{};
  /// The axes on which the file's box repeats, by what the file says.
  std::array<bool, 3> repeats{};

  /// The ids of the rows, if they were asked for.
  std::vector<std::int64_t> ids{};

  /// The names of the columns that were read, and the radius if all bodies have the same.
  std::vector<std::string> names{};
  std::optional<double> radius{};

  /// Something that the user should know: "the last of 3 frames, timestep 2000".
  std::string note{};

  [[nodiscard]] bodies view() const { return view_of(kind, dimension, columns); }
};

/// "2 discs in 2D", "1 box in 3D".
[[nodiscard]] std::string bodies_in_words(shape kind, int dimension, std::size_t count);

/// `size` bodies of this layout, without their columns, except for a radius that all have.
[[nodiscard]] bodies_file file_of(const body_layout& layout, std::size_t size);

/// Multiplies the radii, in a new column of double; the file's own numbers stay unchanged.
void multiply_radii(bodies_file& file, double by);

/// Reads .npy, .csv or a LAMMPS dump (recognized by its first bytes). Throws `error` with the place in the file.
[[nodiscard]] bodies_file read_bodies(const std::string& path, const columns_request& wanted, const reading& progress);

/// The readers of each format. `path` is for messages.
[[nodiscard]] bodies_file read_npy(const std::string& path, const file_bytes& bytes, const columns_request& wanted);
[[nodiscard]] bodies_file read_csv(const std::string& path, std::string_view text, const columns_request& wanted,
                                   const reading& progress);
[[nodiscard]] bodies_file read_lammps(const std::string& path, std::string_view text, const columns_request& wanted,
                                      const reading& progress);

}  // namespace abut::cli
