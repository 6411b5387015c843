#include "render/strokes.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace abut::cli {
namespace {

/// A character's strokes, separated by spaces, as points of a grid: two digits for x and y. The baseline is at y = 2,
/// small letters reach 6, digits 8. "l" is a line from point to point, "s" a curve from the first to the last point
/// that the others pull, "o" a closed curve.
struct glyph {
  char of;
  std::string_view strokes;
};

constexpr auto glyphs = std::to_array<glyph>({
    {'0', "o02424808"},
    {'1', "l172822"},
    {'2', "s0608484502 l0242"},
    {'3', "s0718484525 s2545421203"},
    {'4', "l380444 l3832"},
    {'5', "l480805 s051646421203"},
    {'6', "o02424606 s040838"},
    {'7', "l084812"},
    {'8', "o05454808 o02424505"},
    {'9', "o04444808 s464212"},
    {'a', "o02323606 l3632"},
    {'b', "l0802 o02323606"},
    {'c', "s353606023233"},
    {'d', "o02323606 l3832"},
    {'e', "l0434 s343606023233"},
    {'f', "s281815 l1512 l0626"},
    {'g', "o02323606 l3632 s32300001"},
    {'h', "l0802 s04063634 l3432"},
    {'i', "l0602 l0808"},
    {'j', "l1612 s121000 l1818"},
    {'k', "l0802 l360432"},
    {'l', "l0802"},
    {'m', "l0602 s04062624 l2422 s24264644 l4442"},
    {'n', "l0602 s04063634 l3432"},
    {'o', "o02323606"},
    {'p', "l0600 o02323606"},
    {'q', "l3630 o02323606"},
    {'r', "l0602 s040626"},
    {'s', "s3536060434320203"},
    {'t', "l1813 s131222 l0626"},
    {'u', "l0604 s04023234 l3632"},
    {'v', "l062246"},
    {'w', "l0612253246"},
    {'x', "l0632 l3602"},
    {'y', "l0622 l4610"},
    {'z', "l06360232"},
    {'.', "l0202"},
    {',', "l1201"},
    {':', "l0202 l0505"},
    {'-', "l0434"},
    {'+', "l0444 l2622"},
    {'=', "l0545 l0343"},
    {'/', "l0128"},
    {'(', "s190310"},
    {')', "s091300"},
    {'>', "l063402"},
});

constexpr float digit_height = 6;  // in units of the grid
constexpr float gap = 1.7F;        // between characters
constexpr float space = 1.2F;      // of a character without a shape
constexpr float baseline = 2;

std::string_view strokes_of(char c) {
  const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const glyph& g : glyphs) {
    if (g.of == small) return g.strokes;
  }
  return {};
}

std::vector<spot> points_of(std::string_view part) {
  std::vector<spot> points;
  for (std::size_t k = 1; k + 1 < part.size(); k += 2) {
    points.push_back({static_cast<float>(part[k] - '0'), static_cast<float>(part[k + 1] - '0')});
  }
  return points;
}

spot between(const spot& a, const spot& b, float part) { return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part}; }

/// The points of a curve: a spline of degree 2, which passes through the middle between any two of its control points.
std::vector<spot> curve(const std::vector<spot>& control, bool closed) {
  constexpr int pieces = 8;
  std::vector<spot> points;
  const std::size_t n = control.size();
  const std::size_t bends = closed ? n : n - 2;
  for (std::size_t k = 0; k < bends; ++k) {
    const std::size_t at = closed ? k : k + 1;
    const spot &before = control[(at + n - 1) % n], &here = control[at], &after = control[(at + 1) % n];
    const spot from = !closed && k == 0 ? before : between(before, here, 0.5F);
    const spot to = !closed && k + 1 == bends ? after : between(here, after, 0.5F);
    for (int p = k == 0 ? 0 : 1; p <= pieces; ++p) {
      const float t = static_cast<float>(p) / pieces;
      points.push_back(between(between(from, here, t), between(here, to, t), t));
    }
  }
  return points;
}

/// Adds the strokes of a character at `at` and returns how wide it is.
float add_character(std::vector<stroke>& all, char c, spot at, float unit) {
  std::string_view rest = strokes_of(c);
  float width = rest.empty() ? space : 0;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    std::vector<spot> points = points_of(part);
    for (const spot& p : points) width = std::max(width, p.x);
    if (part[0] != 'l') points = curve(points, part[0] == 'o');
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const auto placed = [&](const spot& p) { return spot{at.x + p.x * unit, at.y - (p.y - baseline) * unit}; };
      all.push_back({placed(points[k]), placed(points[k + 1])});
    }
  }
  return width * unit;
}

float distance(const spot& p, const stroke& s) {
  const float dx = s[1].x - s[0].x, dy = s[1].y - s[0].y;
  const float square = dx * dx + dy * dy;
  const float t = square > 0 ? std::clamp(((p.x - s[0].x) * dx + (p.y - s[0].y) * dy) / square, 0.0F, 1.0F) : 0.0F;
  return std::hypot(p.x - s[0].x - t * dx, p.y - s[0].y - t * dy);
}

std::vector<stroke> strokes_of_text(std::string_view text, spot at, float size, float& width) {
  const float unit = size / digit_height;
  std::vector<stroke> all;
  const float start = at.x;
  for (const char c : text) at.x += add_character(all, c, at, unit) + gap * unit;
  width = std::max(0.0F, at.x - start - gap * unit);
  return all;
}

}  // namespace

void draw_strokes(image& to, const std::vector<stroke>& strokes, float width, const rgb& color, float opacity) {
  if (strokes.empty()) return;
  const float reach = width / 2 + 1;
  constexpr float far = std::numeric_limits<float>::max();
  spot low{far, far}, high{-far, -far};
  for (const stroke& s : strokes) {
    for (const spot& p : s) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  const auto within = [](float v, int most) { return static_cast<int>(std::clamp(v, 0.0F, static_cast<float>(most))); };
  const int x0 = within(low.x - reach, to.width), x1 = within(high.x + reach + 1, to.width);
  const int y0 = within(low.y - reach, to.height), y1 = within(high.y + reach + 1, to.height);
  if (x0 >= x1 || y0 >= y1) return;
  const int columns = x1 - x0;
  std::vector<float> covered(static_cast<std::size_t>(columns) * static_cast<std::size_t>(y1 - y0));
  for (const stroke& s : strokes) {
    const auto [left, right] = std::minmax(s[0].x, s[1].x);
    const auto [top, bottom] = std::minmax(s[0].y, s[1].y);
    for (int y = std::max(y0, within(top - reach, to.height)); y < std::min(y1, within(bottom + reach + 1, to.height));
         ++y) {
      for (int x = std::max(x0, within(left - reach, to.width)); x < std::min(x1, within(right + reach + 1, to.width));
           ++x) {
        const float d = distance({static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F}, s);
        float& part = covered[static_cast<std::size_t>(y - y0) * static_cast<std::size_t>(columns) +
                              static_cast<std::size_t>(x - x0)];
        part = std::max(part, std::min(1.0F, width / 2 + 0.5F - d) * std::min(width, 1.0F));
      }
    }
  }
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      to.cover(x, y, color,
               opacity * covered[static_cast<std::size_t>(y - y0) * static_cast<std::size_t>(columns) +
                                 static_cast<std::size_t>(x - x0)]);
    }
  }
}

float text_width(std::string_view text, float size) {
  float width = 0;
  (void)strokes_of_text(text, {}, size, width);
  return width;
}

void draw_text(image& to, std::string_view text, spot at, float size, const rgb& color, align how) {
  const float width = text_width(text, size);
  at.x -= how == align::right ? width : how == align::middle ? width / 2 : 0;
  float ignored = 0;
  draw_strokes(to, strokes_of_text(text, at, size, ignored), size * 0.125F, color);
}

}  // namespace abut::cli
