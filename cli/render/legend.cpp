// What stands beside the bodies in a picture: a column on the right with the caption, the color bar, the axes and the
// scale bar. All lengths follow the size of the text.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "render/colors.hpp"
#include "render/picture.hpp"
#include "render/strokes.hpp"
#include "render/text.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

const rgb ink = color_of(0x202020);

constexpr float column_width = 13;  // in text sizes
constexpr float margin = 1.2F;      // around what is drawn, too
constexpr int usual_width = 1200, usual_height = 900;

/// The height of digits, in pixels.
float text_size(const picture_style& style) {
  const auto w = static_cast<float>(style.width), h = static_cast<float>(style.height);
  return std::min(std::max(std::max(0.75F * w, h) / 62, 7.0F), std::min(w, h) / 16);
}

float column_of(const picture_style& style) {
  return std::min(column_width * text_size(style), 0.4F * static_cast<float>(style.width));
}

/// 1, 2 or 5 times a power of ten, at most `most`.
double round_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= most) return digit * power;
  }
  return power;
}

/// Where the color bar is.
struct bar_place {
  float left, right, top, bottom;
};

bar_place bar_of(const picture_style& style) {
  const float size = text_size(style);
  const auto w = static_cast<float>(style.width), h = static_cast<float>(style.height);
  const float left = w - column_of(style) + 2 * size, top = std::max(9.5F * size, 0.24F * h);
  return {left, left + 1.3F * size, top, std::min(h - 12.5F * size, top + 0.5F * h)};
}

void draw_frame(image& to, const bar_place& b, float width) {
  const spot lt{b.left, b.top}, rt{b.right, b.top}, rb{b.right, b.bottom}, lb{b.left, b.bottom};
  draw_strokes(to, {{lt, rt}, {rt, rb}, {rb, lb}, {lb, lt}}, width, ink);
}

void draw_title(image& to, const picture_style& style, const bar_place& b) {
  const float size = text_size(style);
  const float room = static_cast<float>(style.width) - b.left - 0.5F * size;
  draw_text(to, shortened(style.color, size, room), {b.left, b.top - 1.5F * size}, size, ink);
}

void draw_bar(image& to, const picture_style& style) {
  const bar_place b = bar_of(style);
  const float size = text_size(style);
  const float line = size / 12;
  if (b.bottom - b.top < 2 * size) return;
  draw_title(to, style, b);
  for (int y = static_cast<int>(b.top); y < static_cast<int>(b.bottom); ++y) {
    const float part = (b.bottom - static_cast<float>(y) - 0.5F) / (b.bottom - b.top);
    for (int x = static_cast<int>(b.left); x < static_cast<int>(b.right); ++x) to.cover(x, y, viridis(part), 1);
  }
  draw_frame(to, b, line);
  const double range = style.high - style.low;
  double step = round_length(range / 3);
  if (style.whole) step = std::max(1.0, step);
  constexpr int most_ticks = 20;
  const double first = std::ceil(style.low / step - 1e-9);
  for (int k = 0; k < most_ticks; ++k) {
    const double value = (first + k) * step + 0.0;
    if (value > style.high + 1e-9 * range) break;
    const float y = b.bottom - static_cast<float>((value - style.low) / range) * (b.bottom - b.top);
    draw_strokes(to, {{spot{b.right, y}, spot{b.right + 0.4F * size, y}}}, line, ink);
    draw_text(to, number_text(value, step), {b.right + 0.8F * size, y + size / 2}, size, ink);
  }
  if (!style.more_above) return;
  // A pointed end: some values are beyond it.
  const float peak = b.top - 0.8F * size;
  const float middle = (b.left + b.right) / 2;
  for (int y = static_cast<int>(peak); y < static_cast<int>(b.top); ++y) {
    const float half = (static_cast<float>(y) + 0.5F - peak) / (b.top - peak) * (b.right - b.left) / 2;
    for (int x = static_cast<int>(middle - half); x < static_cast<int>(middle + half); ++x) {
      to.cover(x, y, viridis(1), 1);
    }
  }
  draw_strokes(to, {{spot{b.left, b.top}, spot{middle, peak}}, {spot{middle, peak}, spot{b.right, b.top}}}, line, ink);
}

/// A square of color for each kind that is there.
void draw_kinds(image& to, const picture_content& what, const picture_style& style) {
  const bar_place b = bar_of(style);
  const float size = text_size(style);
  draw_title(to, style, b);
  float y = b.top;
  for (const double kind : std::set<double>(what.values.begin(), what.values.end())) {
    const bar_place square{b.left, b.left + 1.3F * size, y, y + 1.3F * size};
    for (int line = static_cast<int>(square.top); line < static_cast<int>(square.bottom); ++line) {
      for (int x = static_cast<int>(square.left); x < static_cast<int>(square.right); ++x) {
        to.cover(x, line, color_for(kind, style), 1);
      }
    }
    draw_frame(to, square, size / 12);
    const bool named = kind >= 0 && kind < static_cast<double>(what.materials.size());
    const std::string name = named ? what.materials[static_cast<std::size_t>(kind)] : fmt::format("{:.6g}", kind);
    const spot at{square.right + 0.8F * size, y + 1.15F * size};
    draw_text(to, shortened(name, size, static_cast<float>(style.width) - at.x - 0.5F * size), at, size, ink);
    y += 2.1F * size;
    if (y > b.bottom) break;
  }
}

void draw_scale_bar(image& to, const picture_style& style) {
  const float size = text_size(style);
  const double per_length = scale_of(style).per_length;
  const double length = round_length((column_of(style) - 3.0 * size) / per_length);
  const auto pixels = static_cast<float>(length * per_length);
  const spot left{bar_of(style).left, static_cast<float>(style.height) - 3.3F * size};
  const spot right{left.x + pixels, left.y};
  const float tick = 0.35F * size;
  draw_strokes(to,
               {{left, right},
                {spot{left.x, left.y - tick}, spot{left.x, left.y + tick}},
                {spot{right.x, right.y - tick}, spot{right.x, right.y + tick}}},
               size / 7, ink);
  draw_text(to, number_text(length, length), {left.x, left.y + 1.85F * size}, size, ink);
}

void draw_axes(image& to, const picture_style& style) {
  const float size = text_size(style);
  const float length = 2.4F * size;
  const std::array<dem::vec, 3> axes{dem::vec{1, 0, 0}, dem::vec{0, 1, 0}, dem::vec{0, 0, 1}};
  // So that no arrow leaves the column.
  float to_left = 0;
  for (const dem::vec& axis : axes) to_left = std::max(to_left, static_cast<float>(-dot(axis, style.from.right)));
  const spot origin{bar_of(style).left + to_left * length + 0.3F * size,
                    static_cast<float>(style.height) - 6.3F * size};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto x = static_cast<float>(dot(axes[k], style.from.right));
    const auto y = static_cast<float>(-dot(axes[k], style.from.up));
    const float shown = std::hypot(x, y);
    if (shown < 0.1F) continue;  // towards the viewer or away
    const spot end{origin.x + x * length, origin.y + y * length};
    const float ux = x / shown, uy = y / shown, head = 0.45F * size;
    const auto barb = [&](float side) {
      return spot{end.x - head * (ux - side * 0.5F * uy), end.y - head * (uy + side * 0.5F * ux)};
    };
    draw_strokes(to, {{origin, end}, {end, barb(1)}, {end, barb(-1)}}, size / 9, ink);
    const spot label{end.x + ux * 0.8F * size, end.y + uy * 0.8F * size + 0.35F * size};
    draw_text(to, std::string(1, "xyz"[k]), label, 0.9F * size, ink, align::middle);
  }
}

/// A rectangle in space, with at least some size.
std::array<double, 2> sides_of(const frame_of_view& f) {
  const bool point = !(f.right > f.left || f.top > f.bottom);  // nothing has a size
  return {point ? 1 : f.right - f.left, point ? 1 : f.top - f.bottom};
}

}  // namespace

picture_scale scale_of(const picture_style& style) {
  const double around = margin * text_size(style);
  const double left = around, right = static_cast<double>(style.width) - column_of(style);
  const double top = around, bottom = style.height - around;
  const auto [across, along] = sides_of(style.shown);
  return {std::min((right - left) / across, (bottom - top) / along), (left + right) / 2, (top + bottom) / 2};
}

void fit_size(picture_style& style) {
  style.width = usual_width;
  style.height = usual_height;
  const float size = text_size(style);
  const double beside = column_of(style) + margin * size, above = 2.0 * margin * size;
  const auto [across, along] = sides_of(style.shown);
  const double per_length = std::min((usual_width - beside) / across, (usual_height - above) / along);
  // Not so narrow or low that there is no room for the legend.
  style.width = std::clamp(static_cast<int>(std::ceil(across * per_length + beside)), usual_width * 2 / 5, usual_width);
  style.height = std::clamp(static_cast<int>(std::ceil(along * per_length + above)), usual_height / 2, usual_height);
}

void draw_legend(image& to, const picture_content& what, const picture_style& style) {
  const float size = text_size(style);
  const bar_place b = bar_of(style);
  if (style.kinds) {
    draw_kinds(to, what, style);
  } else if (style.high > style.low) {
    draw_bar(to, style);
  } else {
    draw_title(to, style, b);
    draw_text(to, fmt::format("{:.4g}", style.low), {b.left, b.top + 0.3F * size}, size, ink);
  }
  draw_scale_bar(to, style);
  draw_axes(to, style);
  float y = 2.4F * size;
  if (what.time) {
    draw_text(to, fmt::format("t = {:.4g}", *what.time), {b.left, y}, size, ink);
    y += 1.8F * size;
  }
  draw_text(to, counted(what.centers.size(), what.flat ? "disc" : "sphere"), {b.left, y}, size, ink);
}

}  // namespace abut::cli
