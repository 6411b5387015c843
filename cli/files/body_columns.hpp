#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/bodies.hpp>

/// What the columns of a file mean, by their names or by --columns.
namespace abut::cli {

/// One part of --columns: "x", "x=cx" or "-".
struct chosen_column {
  std::string meaning;  ///< such as x, diameter, zmin or id; "-" skips the column
  std::string name;     ///< the file's name for it; by default `meaning`
};

/// What the user says about the columns.
struct columns_request {
  std::string text{};                   ///< of --columns; empty if not given
  std::vector<chosen_column> chosen{};  ///< in that order
  std::optional<double> radius{};       ///< of all bodies
  bool ids = false;                     ///< whether the bodies' ids are wanted
};

/// Parses --columns. Throws `error` for a name that is unknown, superfluous or missing.
void read_columns(columns_request& request, const std::string& text);

/// The kinds of files, which differ in the names of their columns.
enum class naming : std::uint8_t { table, dump };

/// Which fields of a file hold what.
struct body_layout {
  shape kind = shape::sphere;
  int dimension = 3;
  /// For each column of `bodies_file`, in its order, the field of the file; without the radius if all bodies share one.
  std::vector<std::size_t> fields{};
  std::optional<double> radius{};  ///< of all bodies
  bool diameters = false;          ///< the file has diameters instead of radii
  std::array<bool, 3> scaled{};    ///< on these axes, coordinates are fractions of the box's side
  std::optional<std::size_t> id{};
  std::vector<std::string> names{};  ///< of the fields in use, as told to the user: "x", "diameter", "x=cx"

  /// For each of `width` fields: its place in `fields`, `for_id` or `for_nothing`.
  [[nodiscard]] std::vector<int> targets(std::size_t width) const;
  static constexpr int for_nothing = -1;
  static constexpr int for_id = -2;
};

/// The layout of a file with this header. Throws `error` if columns are missing, or if some are for spheres and some
/// for boxes. `place` is for messages.
[[nodiscard]] body_layout lay_out(const std::string& place, const std::vector<std::string>& header,
                                  const columns_request& request, naming kind);

/// The same for a file without names, which has `width` columns. Throws `error` unless the user names each of them.
[[nodiscard]] body_layout lay_out_unnamed(const std::string& place, std::size_t width, const columns_request& request);

}  // namespace abut::cli
