#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/draw.hpp"

namespace abut::cli {

/// A place in a picture, in pixels from its upper left corner.
struct pixel {
  double x = 0;
  double y = 0;
};

/// Writes an SVG file. Looks are classes, with colors for a light and a dark page.
class svg_text {
 public:
  svg_text(double width, double height, std::string_view label, drawing_theme theme);

  void rect(const pixel& corner, double width, double height, std::string_view look);
  void circle(const pixel& at, double radius, std::string_view look);
  void line(const pixel& from, const pixel& to, std::string_view look);
  void polyline(const std::vector<pixel>& through, std::string_view look);
  void write(const pixel& at, std::string_view text, std::string_view look);

  /// What follows is drawn within this rectangle only, until `unclip`. `name` is unique in the page.
  void clip(const pixel& corner, double width, double height, std::string_view name);
  void unclip();

  /// The whole file.
  [[nodiscard]] std::string finished() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

/// Text as it may stand in XML.
[[nodiscard]] std::string in_xml(std::string_view text);

}  // namespace abut::cli
