// Composes a picture: a title, a panel or one for each level, and the legend.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "draw/legend.hpp"
#include "draw/svg.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr double margin = 24, strip = 40, gap = 18, top = 56;

/// A number or a name that must not cover another one.
struct label_boxes {
  struct taken {
    double x, y, half_width, half_height;
  };
  std::vector<taken> all{};

  /// Takes the room for a text around this place, with `beside` pixels on either side; false if it is not free.
  bool take(const pixel& at, std::size_t letters, double size, double beside = 1) {
    const taken here{at.x, at.y, 0.31 * size * static_cast<double>(letters) + beside, 0.5 * size};
    const bool free = std::none_of(all.begin(), all.end(), [&](const taken& t) {
      return std::abs(t.x - here.x) < t.half_width + here.half_width &&
             std::abs(t.y - here.y) < t.half_height + here.half_height;
    });
    if (free) all.push_back(here);
    return free;
  }
};

/// One view of the bodies: with all levels, or with one.
struct panel {
  std::optional<std::uint32_t> level{};
  pixel corner{};  ///< upper left
  double width = 0, height = 0;
};

class picture {
 public:
  picture(const drawing_content& what, const flat_view& view, const draw_request& how)
      : what_(what), of_(what.shown), view_(view), how_(how), legend_(what, view, how.width - 2 * margin) {
    note_levels();
    lay_out();
  }

  [[nodiscard]] std::string text() {
    const double below = panels_.back().corner.y + panels_.back().height + (strips_[0] ? strip : 0) + gap;
    const std::vector<legend_line> lines = legend_.lines();
    svg_text out(how_.width, below + legend::height_of(lines) + margin / 2, legend_.title(), how_.theme);
    out.write({margin, 26}, what_.title, "code bold");
    out.write({margin, 44}, legend_.subtitle(), "soft");
    for (const panel& p : panels_) draw_panel(out, p);
    legend::draw(out, {margin, below}, lines);
    return out.finished();
  }

 private:
  void note_levels();
  void lay_out();
  void draw_panel(svg_text& out, const panel& p);
  void draw_boxes(svg_text& out, const panel& p) const;
  void draw_bodies(svg_text& out, const panel& p, const std::vector<bool>& here) const;
  void draw_lines(svg_text& out, const panel& p) const;
  void draw_points(svg_text& out, const panel& p, bool balls) const;
  void draw_axes(svg_text& out, const panel& p) const;
  void write_numbers(svg_text& out, const panel& p, const std::vector<bool>& here) const;

  [[nodiscard]] double scale(const panel& p) const { return p.width / (view_.across().max - view_.across().min); }
  [[nodiscard]] pixel at(const panel& p, double x, double y) const {
    return {p.corner.x + (x - view_.across().min) * scale(p), p.corner.y + (view_.along().max - y) * scale(p)};
  }
  [[nodiscard]] pixel at(const panel& p, const sketch::place& x) const {
    return at(p, x[static_cast<std::size_t>(view_.right())], x[static_cast<std::size_t>(view_.up())]);
  }
  [[nodiscard]] static bool shows(const panel& p, const sketch::mark& m) { return !p.level || *p.level == m.level; }
  [[nodiscard]] std::vector<bool> bodies_of(const panel& p) const;
  void rect(svg_text& out, const panel& p, const flat_body& b, std::string_view look) const {
    out.rect(at(p, b.x - b.half_width, b.y + b.half_height), 2 * b.half_width * scale(p), 2 * b.half_height * scale(p),
             look);
  }

  const drawing_content& what_;
  const sketch& of_;
  const flat_view& view_;
  const draw_request& how_;
  legend legend_;
  bool strips_[2] = {};  // whether sorted ends are shown on the axis to the right, and up
  std::vector<std::uint32_t> levels_;
  std::vector<panel> panels_;
};

void picture::note_levels() {
  std::set<std::uint32_t> levels;
  for (const sketch::box& b : of_.boxes) levels.insert(b.level);
  levels_.assign(levels.begin(), levels.end());
  for (const sketch::point& p : of_.points) {
    if (!of_.kinds[p.kind].beside) continue;
    strips_[0] = strips_[0] || static_cast<int>(p.level) == view_.right();
    strips_[1] = strips_[1] || static_cast<int>(p.level) == view_.up();
  }
}

void picture::lay_out() {
  const bool apart = how_.panels && levels_.size() > 1;
  const std::size_t count = apart ? levels_.size() : 1;
  const std::size_t columns = std::min<std::size_t>(count, 2);
  const double left = strips_[1] ? strip : 0;
  const double above = apart ? 20 : 0;
  const double room = how_.width - 2 * margin - (static_cast<double>(columns) - 1) * gap;
  const double across = view_.across().max - view_.across().min;
  const double along = view_.along().max - view_.along().min;
  // A tall set is drawn narrower, so that the picture fits on a page.
  const double width = std::min(room / static_cast<double>(columns) - left, 1.1 * how_.width * across / along);
  const double height = along * width / across;
  for (std::size_t k = 0; k < count; ++k) {
    panel p;
    if (apart) p.level = levels_[k];
    const std::size_t lines_before = k / columns;
    const auto column = static_cast<double>(k % columns);
    const auto line = static_cast<double>(lines_before);
    p.corner = {margin + left + column * (width + left + gap),
                top + above + line * (height + above + gap + (strips_[0] ? strip : 0))};
    p.width = width;
    p.height = height;
    panels_.push_back(p);
  }
}

/// The bodies that a panel is about: those in boxes of its level.
std::vector<bool> picture::bodies_of(const panel& p) const {
  std::vector<bool> here(of_.bodies.size(), !p.level);
  for (const sketch::box& b : of_.boxes) {
    if (!shows(p, b)) continue;
    for (std::uint32_t m = b.first; m < b.first + b.count; ++m) here[of_.members[m]] = true;
  }
  return here;
}

void picture::draw_panel(svg_text& out, const panel& p) {
  const std::vector<bool> here = bodies_of(p);
  if (p.level) {
    const auto count = static_cast<std::uint64_t>(std::count(here.begin(), here.end(), true));
    out.write({p.corner.x, p.corner.y - 8},
              fmt::format("level {}: {} {}", *p.level, with_commas(count), count == 1 ? "body" : "bodies"), "bold");
  }
  out.rect(p.corner, p.width, p.height, "frame");
  out.clip(p.corner, p.width, p.height, legend_.clip_name(p.level.value_or(0)));
  draw_boxes(out, p);
  draw_points(out, p, true);
  draw_bodies(out, p, here);
  draw_lines(out, p);
  draw_points(out, p, false);
  write_numbers(out, p, here);
  out.unclip();
  draw_axes(out, p);
}

void picture::draw_boxes(svg_text& out, const panel& p) const {
  // Boxes without bodies, such as lines of cells, come after those with; what is searched comes last.
  const auto turn_of = [&](const sketch::box& b) {
    const bool holds = of_.kinds[b.kind].holds != sketch::holding::nothing;
    return (b.searched ? 2 : 0) + (holds ? 0 : 1);
  };
  for (const int turn : {0, 1, 2, 3}) {
    for (const sketch::box& b : of_.boxes) {
      if (!shows(p, b) || turn != turn_of(b)) continue;
      if (const auto flat = view_.box(b.min, b.max)) rect(out, p, *flat, legend_.look(b));
    }
  }
}

void picture::draw_bodies(svg_text& out, const panel& p, const std::vector<bool>& here) const {
  for (std::uint32_t i = 0; i < of_.bodies.size(); ++i) {
    const auto flat = view_.body(of_.bodies[i].volume);
    if (!flat) continue;
    const std::string look = legend_.look_of_body(i) + (here[i] || i == of_.chosen ? "" : " faint");
    if (flat->disc) {
      out.circle(at(p, flat->x, flat->y), std::max(flat->half_width * scale(p), 0.5), look);
    } else {
      rect(out, p, *flat, look);
    }
  }
}

void picture::draw_lines(svg_text& out, const panel& p) const {
  for (const bool searched : {false, true}) {
    for (const sketch::segment& s : of_.segments) {
      if (of_.kinds[s.kind].beside || s.searched != searched || !shows(p, s) || !view_.segment(s.from, s.to)) continue;
      out.line(at(p, s.from), at(p, s.to), legend_.look(s));
    }
  }
  for (const pair& touching : what_.pairs) {
    const region& i = of_.bodies[touching.i].volume;
    const region j = nearest_image(i, of_.bodies[touching.j].volume, what_.periodic);
    if (!legend_.shows_pair(touching)) continue;
    out.line(at(p, center_of(i)), at(p, center_of(j)), p.level ? "pair faint" : "pair");
  }
}

void picture::draw_points(svg_text& out, const panel& p, bool balls) const {
  for (const sketch::point& s : of_.points) {
    if (of_.kinds[s.kind].beside || !shows(p, s) || balls != (s.radius > 0)) continue;
    const auto flat = view_.ball(s.at, s.radius);
    if (!flat) continue;
    const pixel here = at(p, flat->x, flat->y);
    if (balls) {
      out.circle(here, flat->half_width * scale(p), legend_.look(s));
    } else {
      constexpr double arm = 4;
      out.line({here.x - arm, here.y - arm}, {here.x + arm, here.y + arm}, legend_.look(s));
      out.line({here.x - arm, here.y + arm}, {here.x + arm, here.y - arm}, legend_.look(s));
    }
  }
}

/// The sorted ends, below the panel and to its left. Ranks that have no room are left out.
void picture::draw_axes(svg_text& out, const panel& p) const {
  const auto on_axis = [&](const sketch::mark& m, const sketch::place& x) -> std::optional<pixel> {
    const int axis = static_cast<int>(m.level);
    if (!of_.kinds[m.kind].beside || !view_.has(axis)) return {};
    const interval& part = axis == view_.right() ? view_.across() : view_.along();
    const double value = x[static_cast<std::size_t>(axis)];
    if (value < part.min || value > part.max) return {};
    if (axis == view_.right()) return pixel{at(p, value, 0).x, p.corner.y + p.height + 12};
    return pixel{p.corner.x - 12, at(p, 0, value).y};
  };
  if (strips_[0])
    out.line({p.corner.x, p.corner.y + p.height + 12}, {p.corner.x + p.width, p.corner.y + p.height + 12}, "frame");
  if (strips_[1]) out.line({p.corner.x - 12, p.corner.y}, {p.corner.x - 12, p.corner.y + p.height}, "frame");
  for (const sketch::point& s : of_.points) {
    const auto here = on_axis(s, s.at);
    if (!here) continue;
    const double open = of_.kinds[s.kind].name == "lower end" ? 3 : -3;
    const auto [x, y] = *here;
    if (static_cast<int>(s.level) == view_.right()) {
      out.polyline({{x + open, y - 5}, {x, y - 5}, {x, y + 5}, {x + open, y + 5}}, legend_.look(s));
    } else {
      out.polyline({{x - 5, y - open}, {x - 5, y}, {x + 5, y}, {x + 5, y - open}}, legend_.look(s));
    }
  }
  constexpr double apart = 5;  // ranks in a row would read as one number otherwise
  label_boxes taken;
  for (const sketch::label& l : of_.labels) {
    const auto here = on_axis(l, l.at);
    if (!here) continue;
    const bool below = static_cast<int>(l.level) == view_.right();
    const pixel text{below ? here->x : here->x - 14, below ? here->y + 14 : here->y};
    if (taken.take(text, l.text.size(), 9.5, apart)) out.write({text.x, text.y + 3.5}, l.text, "rank soft");
  }
}

void picture::write_numbers(svg_text& out, const panel& p, const std::vector<bool>& here) const {
  label_boxes taken;
  const auto write = [&](std::uint32_t i) {
    const auto flat = view_.body(of_.bodies[i].volume);
    const std::string name = fmt::format("{}", of_.bodies[i].owner);
    if (!flat || !(here[i] || i == of_.chosen)) return;
    const double room = std::min(flat->half_width, flat->half_height) * scale(p);
    if (room < 4.5 + 3.0 * static_cast<double>(name.size())) return;
    const pixel middle = at(p, flat->x, flat->y);
    if (taken.take(middle, name.size(), 11))
      out.write({middle.x, middle.y + 4}, name, i == of_.chosen ? "number bold" : "number");
  };
  if (of_.chosen != sketch::none) write(of_.chosen);
  for (std::uint32_t i = 0; i < of_.bodies.size(); ++i) {
    if (i != of_.chosen) write(i);
  }
}

}  // namespace

std::string drawn(const drawing_content& what, const flat_view& view, const draw_request& how) {
  return picture(what, view, how).text();
}

}  // namespace abut::cli
