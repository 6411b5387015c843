#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "draw/draw.hpp"

namespace abut::cli {
namespace {

double coordinate(const sketch::place& p, int axis) { return p[static_cast<std::size_t>(axis)]; }

interval side(const region& volume, int axis) {
  const auto k = static_cast<std::size_t>(axis);
  if (const auto* s = std::get_if<sphere>(&volume)) return {s->center[k] - s->radius, s->center[k] + s->radius};
  return {std::get<box>(volume).min[k], std::get<box>(volume).max[k]};
}

/// The smallest interval around all bodies; [0, 1] if there are none.
interval around(const sketch& of, int axis) {
  interval all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const sketch::body& b : of.bodies) {
    const interval s = side(b.volume, axis);
    all = {std::min(all.min, s.min), std::max(all.max, s.max)};
  }
  if (of.bodies.empty()) return {0, 1};
  return all;
}

}  // namespace

flat_view::flat_view(const sketch& of, const std::optional<slice_plane>& asked) : of_(of) {
  if (of.dimension == 2) return;
  const interval z = around(of, 2);
  slice_ = asked ? *asked : slice_plane{2, z.min + (z.max - z.min) / 2};
  right_ = slice_->axis == 0 ? 1 : 0;
  up_ = slice_->axis == 2 ? 1 : 2;
  for (const sketch::body& b : of.bodies) {
    const interval s = side(b.volume, slice_->axis);
    thick_ = std::max(thick_, (s.max - s.min) / 2);
  }
}

void flat_view::limit(const std::vector<interval>& in) {
  if (!in.empty()) {
    across_ = in[0];
    along_ = in[1];
    return;
  }
  across_ = around(of_, right_);
  along_ = around(of_, up_);
  // Boxes may reach beyond the bodies; far ones are cut off.
  constexpr double beyond = 0.12;
  const double extent = std::max({across_.max - across_.min, along_.max - along_.min, 1e-300});
  const interval whole_across = across_;
  const interval whole_along = along_;
  const auto widen = [&](interval& part, const interval& whole, double min, double max) {
    part.min = std::max(std::min(part.min, min), whole.min - beyond * extent);
    part.max = std::min(std::max(part.max, max), whole.max + beyond * extent);
  };
  for (const sketch::box& b : of_.boxes) {
    if (slice_ && !in_plane(coordinate(b.min, slice_->axis), coordinate(b.max, slice_->axis))) continue;
    widen(across_, whole_across, coordinate(b.min, right_), coordinate(b.max, right_));
    widen(along_, whole_along, coordinate(b.min, up_), coordinate(b.max, up_));
  }
  for (const sketch::point& p : of_.points) {
    if (of_.kinds[p.kind].beside || !ball(p.at, p.radius)) continue;
    widen(across_, whole_across, coordinate(p.at, right_) - p.radius, coordinate(p.at, right_) + p.radius);
    widen(along_, whole_along, coordinate(p.at, up_) - p.radius, coordinate(p.at, up_) + p.radius);
  }
  const double room = 0.01 * std::max(across_.max - across_.min, along_.max - along_.min) +
                      (across_.max - across_.min > 0 || along_.max - along_.min > 0 ? 0 : 1);
  across_ = {across_.min - room, across_.max + room};
  along_ = {along_.min - room, along_.max + room};
}

bool flat_view::in_plane(double from, double to) const { return !slice_ || (from <= slice_->at && slice_->at <= to); }

bool flat_view::visible(const flat_body& b) const {
  return b.x - b.half_width <= across_.max && b.x + b.half_width >= across_.min && b.y - b.half_height <= along_.max &&
         b.y + b.half_height >= along_.min;
}

std::optional<flat_body> flat_view::cut(const region& volume) const {
  if (const auto* s = std::get_if<sphere>(&volume)) {
    double radius = s->radius;
    if (slice_) {
      const double from_plane = coordinate(s->center, slice_->axis) - slice_->at;
      if (!(std::abs(from_plane) <= radius)) return {};
      radius = std::sqrt(std::max(0.0, radius * radius - from_plane * from_plane));
    }
    return flat_body{true, coordinate(s->center, right_), coordinate(s->center, up_), radius, radius};
  }
  const interval x = side(volume, right_);
  const interval y = side(volume, up_);
  if (slice_ && !in_plane(side(volume, slice_->axis).min, side(volume, slice_->axis).max)) return {};
  return flat_body{false, x.min + (x.max - x.min) / 2, y.min + (y.max - y.min) / 2, (x.max - x.min) / 2,
                   (y.max - y.min) / 2};
}

std::optional<flat_body> flat_view::body(const region& volume) const {
  const std::optional<flat_body> b = cut(volume);
  return b && visible(*b) ? b : std::nullopt;
}

std::optional<flat_body> flat_view::ball(const sketch::place& at, double radius) const {
  // A point near the plane is shown in it.
  if (slice_ && radius == 0 && std::abs(coordinate(at, slice_->axis) - slice_->at) > thick_) return {};
  sphere s{at, radius};
  if (slice_ && radius == 0) s.center[static_cast<std::size_t>(slice_->axis)] = slice_->at;
  return cut(s);
}

std::optional<flat_body> flat_view::box(const sketch::place& min, const sketch::place& max) const {
  return body(abut::box{min, max});
}

bool flat_view::segment(const sketch::place& from, const sketch::place& to) const {
  if (slice_) {
    for (const sketch::place* p : {&from, &to}) {
      if (std::abs(coordinate(*p, slice_->axis) - slice_->at) > thick_) return false;
    }
  }
  const auto meets = [&](int axis, const interval& part) {
    const auto [low, high] = std::minmax({coordinate(from, axis), coordinate(to, axis)});
    return low <= part.max && high >= part.min;
  };
  return meets(right_, across_) && meets(up_, along_);
}

std::size_t flat_view::count() const {
  return static_cast<std::size_t>(
      std::count_if(of_.bodies.begin(), of_.bodies.end(), [&](const sketch::body& b) { return body(b.volume); }));
}

std::string flat_view::smaller_part() const {
  constexpr std::size_t fair = most_drawn / 8;
  const std::optional<row> middle = middle_body();
  if (!middle) return "";
  const std::optional<flat_body> at = cut(of_.bodies[*middle].volume);
  std::vector<double> apart;
  for (const sketch::body& b : of_.bodies) {
    if (const auto other = body(b.volume))
      apart.push_back(std::max(std::abs(other->x - at->x), std::abs(other->y - at->y)));
  }
  const std::size_t which = std::min(fair, apart.size() - 1);
  std::nth_element(apart.begin(), apart.begin() + static_cast<std::ptrdiff_t>(which), apart.end());
  const double half = apart[which];
  return fmt::format("{:.4g},{:.4g},{:.4g},{:.4g}", at->x - half, at->x + half, at->y - half, at->y + half);
}

std::optional<row> flat_view::middle_body() const {
  std::optional<row> best;
  double least = std::numeric_limits<double>::infinity();
  for (row i = 0; i < of_.bodies.size() && !of_.bodies[i].ghost; ++i) {
    const std::optional<flat_body> b = body(of_.bodies[i].volume);
    if (!b) continue;
    const double apart = std::hypot(b->x - (across_.min + across_.max) / 2, b->y - (along_.min + along_.max) / 2);
    if (best && !(apart < least)) continue;
    best = i;
    least = apart;
  }
  return best;
}

}  // namespace abut::cli
