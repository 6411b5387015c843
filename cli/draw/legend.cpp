#include "draw/legend.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr double line_height = 18, name_at = 26, letter = 8.4, count_width = 46;

/// Where the counts begin: after the longest name.
double count_at(const std::vector<legend_line>& lines) {
  std::size_t longest = 8;
  for (const legend_line& l : lines) longest = std::max(longest, l.name.size());
  return name_at + letter * static_cast<double>(longest) + 12;
}

/// How many letters of the legend's font fit into this width; few enough for wide letters.
std::size_t letters_in(double width) { return static_cast<std::size_t>(std::max(16.0, width / 6.6)); }

}  // namespace

std::uint64_t legend::shown_kind::total() const {
  return std::accumulate(by_level.begin(), by_level.end(), std::uint64_t{0});
}

std::size_t legend::shown_kind::levels() const {
  return static_cast<std::size_t>(
      std::count_if(by_level.begin(), by_level.end(), [](std::uint64_t n) { return n > 0; }));
}

legend::legend(const drawing_content& what, const flat_view& view, double width)
    : what_(what),
      of_(what.shown),
      view_(view),
      width_(width),
      in_view_(of_.bodies.size()),
      partners_(of_.bodies.size()),
      leveled_(of_.kinds.size()),
      kinds_(of_.kinds.size()) {
  for (std::size_t i = 0; i < of_.bodies.size(); ++i) in_view_[i] = view.body(of_.bodies[i].volume).has_value();
  for (const pair& p : what.pairs) {
    if (p.i == of_.chosen) partners_[p.j] = true;
    if (p.j == of_.chosen) partners_[p.i] = true;
  }
  std::vector<std::optional<std::uint32_t>> level(of_.kinds.size());
  const auto see = [&](const sketch::mark& m) {
    if (level[m.kind] && *level[m.kind] != m.level) leveled_[m.kind] = !of_.kinds[m.kind].beside;
    level[m.kind] = m.level;
  };
  for (const auto& b : of_.boxes) see(b);
  for (const auto& s : of_.segments) see(s);
  for (const auto& p : of_.points) see(p);
  count_shapes();
}

std::string legend::color(const sketch::mark& m) const {
  return fmt::format("k{}", (leveled_[m.kind] ? m.level : m.kind) % 6);
}

std::string legend::look(const sketch::box& b) const {
  const bool holds = of_.kinds[b.kind].holds != sketch::holding::nothing;
  const bool inner = b.count == 0 && of_.kinds[b.kind].holds == sketch::holding::wholes;  // a node above others
  const bool node = inner || b.parent != sketch::none;
  if (b.searched) return !holds ? "on area" : inner ? "on entered" : "on";
  if (node) return fmt::format("{} node{}", color(b), std::min(b.level, 2U));
  if (!holds) return color(b) + (b.kind == 0 ? " strong" : " inner");
  // Parts of other boxes, such as the zones of stripes.
  return color(b) + (b.kind > 0 && of_.kinds[b.kind].holds == sketch::holding::parts ? " tint" : "");
}

std::string legend::look(const sketch::segment& s) const {
  if (of_.kinds[s.kind].beside) return "frame";
  return s.searched ? "mark" : color(s);
}

std::string legend::look(const sketch::point& p) const {
  if (p.radius > 0) return p.searched ? "mark skin" : color(p) + " skin";
  return p.searched ? "mark" : color(p);
}

std::string legend::look_of_body(std::uint32_t i) const {
  const sketch::body& b = of_.bodies[i];
  if (i == of_.chosen) return "chosen";
  const std::string ghost = b.ghost ? " ghost" : "";
  if (!b.compared) return "body" + ghost;
  return (partners_[b.owner] ? "partner" : "compared") + ghost;
}

void legend::count(const sketch::mark& m, legend_line::swatch shape, const std::string& look) {
  shown_kind& k = kinds_[m.kind];
  if (k.by_level.size() <= m.level) k.by_level.resize(m.level + 1);
  ++k.by_level[m.level];
  // A kind is shown by what is not searched, if there is such a shape.
  if (k.line.look.empty() || (k.searched && !m.searched)) {
    k.line.shape = shape;
    k.line.look = look;
    k.searched = m.searched;
  }
}

void legend::count_shapes() {
  using swatch = legend_line::swatch;
  const auto in_view = [&](const sketch::mark& m, const sketch::place& at) {
    if (!of_.kinds[m.kind].beside) return false;
    const int axis = static_cast<int>(m.level);
    const double x = at[m.level];
    const interval& part = axis == view_.right() ? view_.across() : view_.along();
    return view_.has(axis) && part.min <= x && x <= part.max;
  };
  for (const auto& b : of_.boxes) {
    if (!view_.box(b.min, b.max)) continue;
    count(b, swatch::rect, look(b));
    const bool holds = of_.kinds[b.kind].holds != sketch::holding::nothing;
    kinds_[b.kind].searched_boxes += b.searched && holds ? 1 : 0;
  }
  for (const auto& s : of_.segments) {
    const bool beside = of_.kinds[s.kind].beside;
    if (beside ? view_.has(static_cast<int>(s.level)) : view_.segment(s.from, s.to)) count(s, swatch::line, look(s));
  }
  for (const auto& p : of_.points) {
    const bool lower = of_.kinds[p.kind].name == "lower end";
    if (in_view(p, p.at)) count(p, lower ? swatch::lower_end : swatch::upper_end, look(p));
    if (!of_.kinds[p.kind].beside && view_.ball(p.at, p.radius)) {
      count(p, p.radius > 0 ? swatch::disc : swatch::cross, look(p));
    }
  }
}

std::string legend::body_word(std::uint64_t count) const {
  const bool balls = of_.bodies.empty() || std::holds_alternative<sphere>(of_.bodies[0].volume);
  const std::string one = balls ? (of_.dimension == 2 ? "disc" : "sphere") : "box";
  return count == 1 ? one : one + (balls ? "s" : "es");
}

legend_line::swatch legend::body_swatch() const {
  const bool balls = of_.bodies.empty() || std::holds_alternative<sphere>(of_.bodies[0].volume);
  return balls ? legend_line::swatch::disc : legend_line::swatch::rect;
}

std::string legend::title() const {
  return fmt::format("What {} keeps about {}", what_.title.substr(0, what_.title.find(' ')), subtitle());
}

std::string legend::subtitle() const {
  std::uint64_t bodies = 0;
  for (std::size_t i = 0; i < in_view_.size(); ++i) bodies += in_view_[i] && !of_.bodies[i].ghost ? 1 : 0;
  std::string words = fmt::format("{} {}", with_commas(bodies), body_word(bodies));
  if (view_.slice()) words += fmt::format(", cut at {} = {:.6g}", "xyz"[view_.slice()->axis], view_.slice()->at);
  return words;
}

std::string legend::clip_name(std::uint32_t panel) const {
  return fmt::format("abut-{}-{}", what_.title.substr(0, what_.title.find(' ')), panel);
}

legend_line legend::entry(legend_line::swatch shape, std::string look, std::string name, std::uint64_t count,
                          const std::string& meaning) const {
  legend_line line{shape, std::move(look), std::move(name), count, {}};
  std::istringstream wrapped_lines(wrapped(meaning, letters_in(width_ - 190), 0));
  for (std::string part; std::getline(wrapped_lines, part);) line.meaning.push_back(part);
  return line;
}

void legend::add_bodies(std::vector<legend_line>& to) const {
  using swatch = legend_line::swatch;
  std::uint64_t compared = 0, touching = 0, ghosts = 0, pairs = 0;
  for (std::uint32_t i = 0; i < of_.bodies.size(); ++i) {
    if (!in_view_[i]) continue;
    const sketch::body& b = of_.bodies[i];
    ghosts += b.ghost ? 1 : 0;
    if (b.compared) ++(partners_[b.owner] ? touching : compared);
  }
  for (const pair& p : what_.pairs) pairs += shows_pair(p) ? 1 : 0;
  if (pairs > 0)
    to.push_back(entry(swatch::line, "pair", "pair", pairs, "two bodies that touch: a line between their centers"));
  if (of_.chosen != sketch::none && in_view_[of_.chosen]) {
    to.push_back(
        entry(body_swatch(), "chosen", fmt::format("body {}", of_.chosen), 1, "the one whose search is shown"));
    if (touching > 0) {
      to.push_back(entry(body_swatch(), "partner", "found", touching, "compared with it; they touch"));
    }
    if (compared > 0)
      to.push_back(entry(body_swatch(), "compared", "compared", compared, "compared with it; they do not touch"));
  }
  if (ghosts > 0) {
    to.push_back(entry(body_swatch(), "body ghost", "ghost", ghosts, "the image of a body beyond a periodic border"));
  }
}

std::vector<legend_line> legend::lines() const {
  std::vector<legend_line> all;
  add_bodies(all);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const shown_kind& shown = kinds_[k];
    if (shown.total() == 0) continue;
    // Colors tell levels apart, except of what is searched.
    if (!leveled_[k] || shown.searched || shown.levels() == 1) {
      all.push_back(entry(shown.line.shape, shown.line.look, of_.kinds[k].name, shown.total(), of_.kinds[k].meaning));
      continue;
    }
    for (std::uint32_t level = 0; level < shown.by_level.size(); ++level) {
      if (shown.by_level[level] == 0) continue;
      const bool first = all.empty() || !all.back().name.starts_with(of_.kinds[k].name);
      const std::string look = fmt::format("k{}{}", level % 6, shown.line.look.substr(2));
      all.push_back(entry(shown.line.shape, look, fmt::format("{} {}", of_.kinds[k].name, level), shown.by_level[level],
                          first ? of_.kinds[k].meaning : "the same, on the next level"));
    }
  }
  add_searched(all);
  return all;
}

void legend::add_searched(std::vector<legend_line>& to) const {
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    if (kinds_[k].searched_boxes == 0) continue;
    to.push_back(
        entry(legend_line::swatch::rect, "on", "searched", kinds_[k].searched_boxes,
              fmt::format("each {} in which partners of body {} are looked for", of_.kinds[k].name, of_.chosen)));
  }
}

double legend::height_of(const std::vector<legend_line>& lines) {
  double height = 0;
  for (const legend_line& l : lines)
    height += line_height * static_cast<double>(std::max<std::size_t>(1, l.meaning.size()));
  return height;
}

void legend::draw(svg_text& out, const pixel& corner, const std::vector<legend_line>& lines) {
  using swatch = legend_line::swatch;
  double y = corner.y + line_height / 2;
  const double counts = corner.x + count_at(lines);
  for (const legend_line& l : lines) {
    const pixel middle{corner.x + 8, y - 1};
    switch (l.shape) {
      case swatch::disc:
        out.circle(middle, 6, l.look);
        break;
      case swatch::rect:
        out.rect({middle.x - 7, middle.y - 5}, 14, 10, l.look);
        break;
      case swatch::line:
        out.line({middle.x - 8, middle.y}, {middle.x + 8, middle.y}, l.look);
        break;
      case swatch::lower_end:
      case swatch::upper_end: {
        const double open = l.shape == swatch::lower_end ? 3 : -3;
        out.polyline({{middle.x + open, y - 6}, {middle.x, y - 6}, {middle.x, y + 4}, {middle.x + open, y + 4}},
                     l.look);
        break;
      }
      case swatch::cross:
        out.line({middle.x - 4, y - 5}, {middle.x + 4, y + 3}, l.look);
        out.line({middle.x - 4, y + 3}, {middle.x + 4, y - 5}, l.look);
        break;
    }
    out.write({corner.x + name_at, y + 3.5}, l.name, "bold");
    out.write({counts, y + 3.5}, with_commas(l.count), "");
    for (const std::string& part : l.meaning) {
      out.write({counts + count_width, y + 3.5}, part, "soft");
      y += line_height;
    }
  }
}

}  // namespace abut::cli
