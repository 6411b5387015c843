#include "draw/svg.hpp"

#include <cmath>

#include <fmt/format.h>

namespace abut::cli {
namespace {

/// The colors of a theme, by what they are for.
struct palette {
  const char *paper, *ink, *soft, *line, *cool, *warm;
  const char* levels[6];
};
constexpr palette light{"#ffffff",
                        "#1f2a33",
                        "#5d6b76",
                        "#aab5be",
                        "#0b7a99",
                        "#d4660b",
                        {"#5d6b76", "#7a4fb5", "#2d8a4e", "#b0447e", "#8a6d0b", "#3566c4"}};
constexpr palette dark{"#1b1e21",
                       "#e4eaef",
                       "#a2afba",
                       "#66727d",
                       "#56bfdb",
                       "#ffa556",
                       {"#a2afba", "#bd9bf0", "#74cf96", "#ee8fc0", "#d9bb57", "#8db2ff"}};

/// The rules whose colors differ, for drawings below `scope`.
std::string colored(const palette& p, std::string_view scope) {
  const auto rule = [&](std::string_view name, const std::string& look) {
    return fmt::format("{}{} {{ {} }}\n", scope, name, look);
  };
  std::string rules;
  rules += rule(".paper", fmt::format("fill: {}", p.paper));
  rules += rule("text", fmt::format("fill: {}", p.ink));
  rules += rule(".soft", fmt::format("fill: {}", p.soft));
  rules += rule(".frame", fmt::format("stroke: {}", p.line));
  rules += rule(".body", fmt::format("fill: {0}; stroke: {0}", p.soft));
  rules += rule(".compared", fmt::format("fill: {0}; stroke: {0}", p.cool));
  rules += rule(".partner", fmt::format("fill: {0}; stroke: {0}", p.warm));
  rules += rule(".chosen", fmt::format("fill: {0}; stroke: {0}", p.ink));
  rules += rule(".pair", fmt::format("stroke: {}", p.warm));
  for (std::size_t k = 0; k < 6; ++k)
    rules += rule(fmt::format(".k{}", k), fmt::format("fill: {0}; stroke: {0}", p.levels[k]));
  rules += rule(".number", fmt::format("stroke: {}", p.paper));
  rules += rule(".on", fmt::format("fill: {0}; stroke: {0}", p.cool));
  rules += rule(".mark", fmt::format("stroke: {}", p.cool));
  return rules;
}

constexpr const char* rules_of_all = R"(.abut-drawing { font: 13px system-ui, sans-serif; }
.abut-drawing rect, .abut-drawing circle, .abut-drawing line, .abut-drawing polyline { fill-opacity: 0; }
.abut-drawing .paper { fill-opacity: 1; }
.abut-drawing .body { fill-opacity: 0.1; stroke-width: 1.2; }
.abut-drawing .compared { fill-opacity: 0.22; stroke-width: 1.5; }
.abut-drawing .partner { fill-opacity: 0.28; stroke-width: 1.5; }
.abut-drawing .chosen { fill-opacity: 0.24; stroke-width: 2.2; }
.abut-drawing .ghost { stroke-dasharray: 3 3; fill-opacity: 0.04; }
.abut-drawing .faint { opacity: 0.35; }
.abut-drawing .pair { stroke-width: 2; stroke-linecap: round; }
.abut-drawing .on { fill-opacity: 0.2; stroke-width: 1.5; }
.abut-drawing .area { stroke-dasharray: 6 4; fill-opacity: 0.1; }
.abut-drawing .mark { stroke-width: 2; }
.abut-drawing .skin { stroke-dasharray: 4 3; }
.abut-drawing .strong { stroke-width: 3; }
.abut-drawing .inner { stroke-width: 1.3; stroke-dasharray: 8 3; }
.abut-drawing .tint { fill-opacity: 0.12; stroke-width: 0.7; }
.abut-drawing .node0 { stroke-width: 2.8; }
.abut-drawing .node1 { stroke-width: 2; }
.abut-drawing .node2 { stroke-width: 1.2; }
.abut-drawing .entered { fill-opacity: 0.04; stroke-width: 2; }
.abut-drawing .bold { font-weight: 600; }
.abut-drawing .code { font-family: ui-monospace, monospace; font-size: 12px; }
.abut-drawing .number { font-size: 11px; text-anchor: middle; paint-order: stroke; stroke-width: 2.5; stroke-linejoin: round; }
.abut-drawing .rank { font-size: 9.5px; text-anchor: middle; }
)";

std::string rules_for(drawing_theme theme) {
  std::string rules = rules_of_all;
  if (theme != drawing_theme::dark) rules += colored(light, ".abut-drawing ");
  if (theme == drawing_theme::dark) rules += colored(dark, ".abut-drawing ");
  if (theme != drawing_theme::both) return rules;
  // As an image, a drawing follows the reader's system; set into a page, that page's own switch.
  rules += "@media (prefers-color-scheme: dark) {\n" + colored(dark, ".abut-drawing ") + "}\n";
  rules += colored(light, "[data-theme=\"light\"] .abut-drawing ");
  rules += colored(dark, "[data-theme=\"dark\"] .abut-drawing ");
  return rules;
}

/// A number of pixels, to a tenth, without a trailing zero.
std::string number(double v) {
  std::string text = fmt::format("{:.1f}", v);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

}  // namespace

std::string in_xml(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

svg_text::svg_text(double width, double height, std::string_view label, drawing_theme theme) {
  text_ = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="abut-drawing" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}">
<style>
{3}</style>
<rect class="paper" width="{0}" height="{1}" rx="8"/>
)",
      number(width), number(height), in_xml(label), rules_for(theme));
}

void svg_text::rect(const pixel& corner, double width, double height, std::string_view look) {
  text_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", look, number(corner.x),
                       number(corner.y), number(width), number(height));
}

void svg_text::circle(const pixel& at, double radius, std::string_view look) {
  text_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", look, number(at.x), number(at.y),
                       number(radius));
}

void svg_text::line(const pixel& from, const pixel& to, std::string_view look) {
  text_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", look, number(from.x),
                       number(from.y), number(to.x), number(to.y));
}

void svg_text::polyline(const std::vector<pixel>& through, std::string_view look) {
  std::string points;
  for (const pixel& p : through) points += (points.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
  text_ += fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", look, points);
}

void svg_text::write(const pixel& at, std::string_view text, std::string_view look) {
  text_ +=
      fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", look, number(at.x), number(at.y), in_xml(text));
}

void svg_text::clip(const pixel& corner, double width, double height, std::string_view name) {
  text_ += fmt::format(
      "<clipPath id=\"{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n<g "
      "clip-path=\"url(#{0})\">\n",
      name, number(corner.x), number(corner.y), number(width), number(height));
}

void svg_text::unclip() { text_ += "</g>\n"; }

}  // namespace abut::cli
