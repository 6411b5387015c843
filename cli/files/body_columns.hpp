#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/bodies.hpp>

/// What the columns of a file mean: by their names, or as the user says.
namespace abut::cli {

/// One part of --columns: "x", "x=cx" or "-".
struct chosen_column {
  std::string meaning;  ///< one of our names, such as x, diameter, zmin or id; "-": to be left out
  std::string name;     ///< the file's name for it; the same as `meaning` unless the user gives another
};

/// What the user says of the columns.
struct columns_request {
  std::string text{};                   ///< of --columns; empty: not given
  std::vector<chosen_column> chosen{};  ///< in that order
  std::optional<double> radius{};       ///< of all bodies
  bool ids = false;                     ///< whether the bodies' ids are wanted
};

/// Reads --columns. Throws `error` for a name that means nothing, for one too many and for one that is missing.
void read_columns(columns_request& request, const std::string& text);

/// The kinds of files that differ in the names that they know.
enum class naming : std::uint8_t { table, dump };

/// Which fields of a file hold what.
struct body_layout {
  shape kind = shape::sphere;
  int dimension = 3;
  /// For each column of `bodies_file`, in its order, a field of the file. One is missing if the radius is one for all.
  std::vector<std::size_t> fields{};
  std::optional<double> radius{};  ///< of all bodies
  bool diameters = false;          ///< the file has these instead of radii
  std::array<bool, 3> scaled{};    ///< on these axes coordinates are parts of the box's side
  std::optional<std::size_t> id{};
  std::vector<std::string> names{};  ///< of `fields`, to be told: "x", "diameter", "x=cx"

  /// For each of `width` fields: its place in `fields`, `for_id` or `for_nothing`.
  [[nodiscard]] std::vector<int> targets(std::size_t width) const;
  static constexpr int for_nothing = -1;
  static constexpr int for_id = -2;
};

/// The layout of a file with this header. Throws `error` where columns are missing, or there are some for spheres and
/// some for boxes. `place` is for messages.
[[nodiscard]] body_layout lay_out(const std::string& place, const std::vector<std::string>& header,
                                  const columns_request& request, naming kind);

/// The same where columns have no names but the user's. Throws `error` unless there is one for each of `width`.
[[nodiscard]] body_layout lay_out_unnamed(const std::string& place, std::size_t width, const columns_request& request);

}  // namespace abut::cli
