#include "render/strokes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut::cli {
namespace {

float distance(const spot& p, const stroke& s) {
  const float dx = s[1].x - s[0].x, dy = s[1].y - s[0].y;
  const float square = dx * dx + dy * dy;
  const float t = square > 0 ? std::clamp(((p.x - s[0].x) * dx + (p.y - s[0].y) * dy) / square, 0.0F, 1.0F) : 0.0F;
  return std::hypot(p.x - s[0].x - t * dx, p.y - s[0].y - t * dy);
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

}  // namespace abut::cli
