#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "search_options.hpp"

/// The verb `draw`: a picture of what a method keeps about real bodies, as SVG.
namespace abut::cli {

/// The options as given on the command line.
struct draw_arguments : search_arguments {
  std::string method = "auto";
  std::vector<std::string> parameters{};
  std::string out{}, slice{}, in{}, body{}, theme = "both", width = "720";
  bool panels = false;
};

/// The most bodies that a picture shows.
inline constexpr std::size_t most_drawn = 2000;

/// A plane that cuts 3D bodies.
struct slice_plane {
  int axis = 2;
  double at = 0;
};

/// The colors of a picture: by what the reader's system or page asks for, or always the same.
enum class drawing_theme : std::uint8_t { both, light, dark };

/// The parsed options of a picture.
struct draw_request {
  std::optional<slice_plane> slice{};
  std::vector<interval> in{};  ///< empty, or the part of the plane to show: to the right and up
  std::optional<row> body{};
  bool no_body = false;
  drawing_theme theme = drawing_theme::both;
  double width = 720;
  bool panels = false;
};

/// Parses the options. Throws `error` for the first that is invalid.
[[nodiscard]] draw_request understand_drawing(const draw_arguments& given);

/// What a picture shows besides the sketch.
struct drawing_content {
  sketch shown{};
  std::vector<pair> pairs{};
  periodic_axes periodic{};
  std::string title{};  ///< the plan
};

/// A body as a picture shows it: a disc or a rectangle, cut by the plane of the slice.
struct flat_body {
  bool disc = true;
  double x = 0, y = 0;  ///< the middle
  double half_width = 0, half_height = 0;
};

/// The plane of a picture: which axes go to the right and up, and where 3D bodies are cut.
class flat_view {
 public:
  /// The plane of 2D bodies, or the one of the slice; without a slice, through the middle of 3D bodies along z.
  flat_view(const sketch& of, const std::optional<slice_plane>& asked);

  /// Limits the picture to this part, or else to all that is shown.
  void limit(const std::vector<interval>& in);

  [[nodiscard]] int right() const { return right_; }
  [[nodiscard]] int up() const { return up_; }
  [[nodiscard]] const std::optional<slice_plane>& slice() const { return slice_; }
  [[nodiscard]] const interval& across() const { return across_; }
  [[nodiscard]] const interval& along() const { return along_; }
  /// Whether the axis of this number is in the plane.
  [[nodiscard]] bool has(int axis) const { return axis == right_ || axis == up_; }

  /// A body in the plane and the part shown; nothing if it is elsewhere.
  [[nodiscard]] std::optional<flat_body> body(const region& volume) const;
  /// A ball, of radius 0 if it is a point.
  [[nodiscard]] std::optional<flat_body> ball(const sketch::place& at, double radius) const;
  [[nodiscard]] std::optional<flat_body> box(const sketch::place& min, const sketch::place& max) const;
  /// Whether a segment is near the plane and in the part shown.
  [[nodiscard]] bool segment(const sketch::place& from, const sketch::place& to) const;

  /// How many bodies are shown, and a part around the middle body that has few enough.
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] std::string smaller_part() const;
  /// The index of the body nearest to the middle of the picture; none if it shows no body of the user's.
  [[nodiscard]] std::optional<row> middle_body() const;

 private:
  [[nodiscard]] bool visible(const flat_body& b) const;
  [[nodiscard]] std::optional<flat_body> cut(const region& volume) const;
  [[nodiscard]] bool in_plane(double from, double to) const;

  const sketch& of_;
  int right_ = 0;
  int up_ = 1;
  std::optional<slice_plane> slice_{};
  double thick_ = 0;  // how far from the plane points and segments are still shown
  interval across_{};
  interval along_{};
};

/// The picture, as the text of an SVG file.
[[nodiscard]] std::string drawn(const drawing_content& what, const flat_view& view, const draw_request& how);

}  // namespace abut::cli
