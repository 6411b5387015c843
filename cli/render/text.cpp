#include "render/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "render/font.hpp"

namespace abut::cli {
namespace {

/// A point of a curve.
struct curve_point {
  spot at;
  bool on = true;  ///< the curve passes through it
};

spot between(const spot& a, const spot& b, float part) { return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part}; }

/// The character at the start of a text in UTF-8, which is taken off.
char32_t next_character(std::string_view& text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  char32_t c = length == 1 ? byte(0) : byte(0) & (0xffU >> (length + 1));
  for (std::size_t k = 1; k < std::min(length, text.size()); ++k) c = c << 6U | (byte(k) & 0x3fU);
  text.remove_prefix(std::min(length, text.size()));
  return c;
}

const glyph& glyph_of(char32_t c) {
  const std::vector<glyph>& all = font_glyphs();
  const auto find = [&](char32_t of) {
    return std::lower_bound(all.begin(), all.end(), of, [](const glyph& g, char32_t n) { return g.of < n; });
  };
  const auto found = find(c);
  return found != all.end() && found->of == c ? *found : *find(U'?');
}

/// "12,-3 7,0~"
std::vector<curve_point> points_of(std::string_view curve) {
  std::vector<curve_point> points;
  const char* at = curve.data();
  const char* const end = at + curve.size();
  while (at != end) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    int x = 0, y = 0;
    at = std::from_chars(at, end, x).ptr + 1;
    at = std::from_chars(at, end, y).ptr;
    const bool pulls = at != end && *at == '~';
    if (pulls) ++at;
    points.push_back({{static_cast<float>(x), static_cast<float>(y)}, !pulls});
  }
  return points;
}

/// A closed curve as straight strokes. Its parts are splines of degree 2.
void add_curve(std::vector<stroke>& to, const std::vector<curve_point>& points, spot at, float scale) {
  constexpr int pieces = 6;
  const auto placed = [&](const spot& p) { return spot{at.x + p.x * scale, at.y - p.y * scale}; };
  const std::size_t n = points.size();
  for (std::size_t k = 0; k < n; ++k) {
    const curve_point &before = points[(k + n - 1) % n], &here = points[k], &after = points[(k + 1) % n];
    if (here.on) {
      if (after.on) to.push_back({placed(here.at), placed(after.at)});
      continue;
    }
    const spot from = before.on ? before.at : between(before.at, here.at, 0.5F);
    const spot until = after.on ? after.at : between(here.at, after.at, 0.5F);
    spot last = placed(from);
    for (int p = 1; p <= pieces; ++p) {
      const float t = static_cast<float>(p) / pieces;
      const spot next = placed(between(between(from, here.at, t), between(here.at, until, t), t));
      to.push_back({last, next});
      last = next;
    }
  }
}

/// The outlines of a text.
std::vector<stroke> outlines_of_text(std::string_view text, spot at, float size) {
  const float scale = size / font_digit_height;
  std::vector<stroke> all;
  while (!text.empty()) {
    const glyph& g = glyph_of(next_character(text));
    std::string_view rest = g.curves;
    while (!rest.empty()) {
      const std::string_view curve = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(curve.size() + 1, rest.size()));
      add_curve(all, points_of(curve), at, scale);
    }
    at.x += static_cast<float>(g.advance) * scale;
  }
  return all;
}

/// How much of each pixel is inside of closed outlines, exactly: each line adds to the pixels of its rows the change of
/// the area to its right, and a sum along the row gives the areas (as in the rasterizer font-rs of Raph Levien).
class area_sums {
 public:
  area_sums(int w, int h)
      : width_(w), height_(h), change_(static_cast<std::size_t>(w + 2) * static_cast<std::size_t>(h)) {}

  void add(spot a, spot b) {
    if (a.y == b.y) return;
    const float sign = a.y < b.y ? 1.0F : -1.0F;
    if (a.y > b.y) std::swap(a, b);
    const float slope = (b.x - a.x) / (b.y - a.y);
    const int last = std::min(height_, static_cast<int>(std::ceil(b.y)));
    for (int y = std::max(0, static_cast<int>(std::floor(a.y))); y < last; ++y) {
      const float top = std::max(a.y, static_cast<float>(y)), bottom = std::min(b.y, static_cast<float>(y + 1));
      if (bottom <= top) continue;
      add_row(y, a.x + (top - a.y) * slope, a.x + (bottom - a.y) * slope, sign * (bottom - top));
    }
  }

  /// Calls `f(x, y, part)` for each pixel with a part inside.
  template <class F>
  void for_each(const F& f) const {
    for (int y = 0; y < height_; ++y) {
      float sum = 0;
      for (int x = 0; x < width_; ++x) {
        sum += change_[place(x, y)];
        if (const float part = std::min(1.0F, std::abs(sum)); part > 0.002F) f(x, y, part);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t place(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_ + 2) + static_cast<std::size_t>(x);
  }
  /// A piece of a line within a row; `height` is that of the piece, with the sign of its direction.
  void add_row(int y, float x0, float x1, float height) {
    const auto [left, right] = std::minmax(x0, x1);
    const int first = std::clamp(static_cast<int>(std::floor(left)), 0, width_);
    const int last = std::clamp(static_cast<int>(std::ceil(right)), first + 1, width_ + 1);
    // The part of the piece's width that lies to the left of x, integrated over pixels.
    float before = 0;
    for (int x = first; x < last; ++x) {
      const float from = std::max(left, static_cast<float>(x)), to = std::min(right, static_cast<float>(x + 1));
      const float part = right > left ? std::max(0.0F, to - from) / (right - left) : 1;
      // What crosses in this pixel covers, on average, what is to the right of the crossing.
      const float middle = right > left ? (from + to) / 2 : left;
      const float inside = part * (static_cast<float>(x + 1) - middle) + before;
      change_[place(x, y)] += height * (inside - carried_);
      carried_ = inside;
      before += part;
    }
    change_[place(last, y)] += height * (1 - carried_);
    carried_ = 0;
  }

  int width_, height_;
  float carried_ = 0;
  std::vector<float> change_;
};

/// "7" as "⁷", "-" as "⁻".
std::string raised(int number) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[c - '0'];
  return text;
}

}  // namespace

float text_width(std::string_view text, float size) {
  float width = 0;
  while (!text.empty()) width += static_cast<float>(glyph_of(next_character(text)).advance);
  return width * size / font_digit_height;
}

void draw_text(image& to, std::string_view text, spot at, float size, const rgb& color, align how) {
  const float width = text_width(text, size);
  at.x -= how == align::right ? width : how == align::middle ? width / 2 : 0;
  const float around = size;  // brackets and letters such as g reach below the baseline
  const int x0 = static_cast<int>(std::floor(at.x - around)), x1 = static_cast<int>(std::ceil(at.x + width + around));
  const int y0 = static_cast<int>(std::floor(at.y - 2 * size)), y1 = static_cast<int>(std::ceil(at.y + around));
  area_sums areas(x1 - x0, y1 - y0);
  const spot inner{at.x - static_cast<float>(x0), at.y - static_cast<float>(y0)};
  for (const stroke& s : outlines_of_text(text, inner, size)) areas.add(s[0], s[1]);
  areas.for_each([&](int x, int y, float part) {
    // Pixels hold light. Dark letters would look thin if light were mixed by areas: mixed like this, they look as they
    // do on other screens.
    to.cover(x0 + x, y0 + y, color, 1 - std::pow(1 - part, 1.8F));
  });
}

std::string shortened(std::string_view text, float size, float most) {
  if (text_width(text, size) <= most) return std::string(text);
  std::string_view kept = text;
  while (!kept.empty() && text_width(kept, size) + text_width("...", size) > most) {
    do kept.remove_suffix(1);
    while (!kept.empty() && (static_cast<unsigned char>(text[kept.size()]) & 0xc0U) == 0x80);
  }
  return std::string(kept) + "...";
}

namespace {

std::string plain_number(double value, double step) {
  constexpr int most_digits = 5;
  if (value == 0) value = 0;  // no -0
  const auto power_of = [](double v) { return static_cast<int>(std::floor(std::log10(std::abs(v)) + 1e-9)); };
  const int last = step > 0 ? power_of(step) : value != 0 ? power_of(value) - 3 : 0;
  const int first = std::max(value != 0 ? power_of(value) : last, last);
  if (value == 0 || (last >= -most_digits + 1 && first < most_digits + 1)) {
    return fmt::format("{:.{}f}", value, value == 0 && (last < -most_digits + 1) ? 0 : std::max(0, -last));
  }
  const std::string digits = fmt::format("{:.{}f}", value / std::pow(10.0, first), std::max(0, first - last));
  return fmt::format("{}·10{}", digits, raised(first));
}

}  // namespace

std::string number_text(double value, double step) {
  std::string text = plain_number(value, step);
  if (text.starts_with('-')) text.replace(0, 1, "−");  // as wide as a plus
  return text;
}

}  // namespace abut::cli
