#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "draw/draw.hpp"
#include "draw/svg.hpp"

namespace abut::cli {

/// A line of the legend: a swatch, a name, how many are shown, and what it means.
struct legend_line {
  enum class swatch : std::uint8_t { disc, rect, line, lower_end, upper_end, cross };
  swatch shape = swatch::rect;
  std::string look{};
  std::string name{};
  std::uint64_t count = 0;
  std::vector<std::string> meaning{};  ///< wrapped
};

/// Knows how everything of a picture looks, counts it, and explains it.
class legend {
 public:
  legend(const drawing_content& what, const flat_view& view, double width);

  [[nodiscard]] std::string title() const;
  [[nodiscard]] std::string subtitle() const;
  [[nodiscard]] std::string clip_name(std::uint32_t panel) const;

  /// The class of a shape.
  [[nodiscard]] std::string look(const sketch::box& b) const;
  [[nodiscard]] std::string look(const sketch::segment& s) const;
  [[nodiscard]] std::string look(const sketch::point& p) const;
  [[nodiscard]] std::string look_of_body(std::uint32_t i) const;
  /// Whether both bodies of a pair are in the picture.
  [[nodiscard]] bool shows_pair(const pair& p) const { return in_view_[p.i] && in_view_[p.j]; }

  [[nodiscard]] std::vector<legend_line> lines() const;
  [[nodiscard]] static double height_of(const std::vector<legend_line>& lines);
  static void draw(svg_text& out, const pixel& corner, const std::vector<legend_line>& lines);

 private:
  /// The shapes of one kind that are shown.
  struct shown_kind {
    std::vector<std::uint64_t> by_level{};
    std::uint64_t searched_boxes = 0;  // that hold bodies
    bool searched = false;
    legend_line line{};

    [[nodiscard]] std::uint64_t total() const;
    [[nodiscard]] std::size_t levels() const;
  };

  void count(const sketch::mark& m, legend_line::swatch shape, const std::string& look);
  void count_shapes();
  [[nodiscard]] std::string color(const sketch::mark& m) const;
  [[nodiscard]] legend_line entry(legend_line::swatch shape, std::string look, std::string name, std::uint64_t count,
                                  const std::string& meaning) const;
  [[nodiscard]] legend_line::swatch body_swatch() const;
  [[nodiscard]] std::string body_word(std::uint64_t count) const;
  void add_bodies(std::vector<legend_line>& to) const;
  void add_searched(std::vector<legend_line>& to) const;

  const drawing_content& what_;
  const sketch& of_;
  const flat_view& view_;
  double width_;
  std::vector<bool> in_view_;   // by body
  std::vector<bool> partners_;  // by body: touches the chosen one
  std::vector<bool> leveled_;   // by kind: shapes of several levels
  std::vector<shown_kind> kinds_;
};

}  // namespace abut::cli
