#include "bodies/sketcher.hpp"

#include <algorithm>
#include <utility>

namespace abut {

sketcher::sketcher(const world& w, row chosen, sketch& out) : world_(w), chosen_(chosen), out_(out) {
  out = {};
  out.dimension = w.dimension();
  out.chosen = chosen == no_row ? sketch::none : chosen;
  out.bodies.reserve(w.size());
  for (row i = 0; i < w.size(); ++i) {
    out.bodies.push_back({.volume = w.get(i), .owner = w.owner(i), .ghost = i >= w.own()});
  }
  if (w.size() == 0) return;
  double longest = 0;
  for (int k = 0; k < w.dimension(); ++k) {
    const auto axis = static_cast<std::size_t>(k);
    bounds_[axis] = {w.measured().lower[k], w.measured().upper[k]};
    longest = std::max(longest, bounds_[axis].max - bounds_[axis].min);
  }
  if (longest > 0) extent_ = longest;
}

std::uint32_t sketcher::kind(const char* name, const char* meaning, holding holds, bool beside) {
  out_.kinds.push_back({name, meaning, holds, beside});
  return static_cast<std::uint32_t>(out_.kinds.size() - 1);
}

std::uint32_t sketcher::box(std::uint32_t kind, std::uint32_t level, const sides& at, bool searched) {
  sketch::box b;
  b.kind = kind;
  b.level = level;
  b.searched = searched;
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension()); ++k) {
    b.min[k] = at[k].min;
    b.max[k] = at[k].max;
  }
  b.first = static_cast<std::uint32_t>(out_.members.size());
  out_.boxes.push_back(b);
  return static_cast<std::uint32_t>(out_.boxes.size() - 1);
}

void sketcher::member(row i) {
  out_.members.push_back(i);
  ++out_.boxes.back().count;
}

void sketcher::segment(std::uint32_t kind, std::uint32_t level, const sketch::place& from, const sketch::place& to,
                       bool searched) {
  constexpr std::size_t most_per_body = 64;
  // A pair can be searched from both sides, so there are never more than two of the chosen body for each other one.
  if (!searched && out_.segments.size() >= most_per_body * out_.bodies.size()) {
    ++out_.left_out;
    return;
  }
  sketch::segment s;
  s.kind = kind;
  s.level = level;
  s.searched = searched;
  s.from = from;
  s.to = to;
  out_.segments.push_back(s);
}

void sketcher::point(std::uint32_t kind, std::uint32_t level, const sketch::place& at, row of, double radius,
                     bool searched) {
  sketch::point p;
  p.kind = kind;
  p.level = level;
  p.searched = searched;
  p.at = at;
  p.radius = radius;
  p.body = of;
  out_.points.push_back(p);
}

void sketcher::label(std::uint32_t kind, std::uint32_t level, const sketch::place& at, std::string text) {
  sketch::label l;
  l.kind = kind;
  l.level = level;
  l.at = at;
  l.text = std::move(text);
  out_.labels.push_back(std::move(l));
}

sketch::place sketcher::middle(row i) const {
  const region& where = out_.bodies[i].volume;
  if (const auto* s = std::get_if<sphere>(&where)) return s->center;
  const auto& b = std::get<abut::box>(where);
  sketch::place at{};
  for (std::size_t k = 0; k < 3; ++k) at[k] = b.min[k] + (b.max[k] - b.min[k]) / 2;
  return at;
}

sketcher::sides sketcher::around(row i) const {
  const region& where = out_.bodies[i].volume;
  sides all{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (const auto* s = std::get_if<sphere>(&where)) {
      all[k] = {s->center[k] - s->radius, s->center[k] + s->radius};
    } else {
      all[k] = {std::get<abut::box>(where).min[k], std::get<abut::box>(where).max[k]};
    }
  }
  return all;
}

}  // namespace abut
