// What the options of `render` mean.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <abut/error.hpp>
#include "render/render.hpp"
#include "screen/words.hpp"
#include "search_options.hpp"

namespace abut::cli {
namespace {

const std::vector<std::string> view_names = {"iso", "front", "side", "top"};
constexpr std::uint64_t least_side = 100, most_side = 4096;

/// "y=0.1"
picture_cut understand_cut(const std::string& text) {
  const std::optional<double> at = text.size() > 2 ? to_number(std::string_view(text).substr(2)) : std::nullopt;
  if (text.size() > 2 && text[0] >= 'x' && text[0] <= 'z' && text[1] == '=' && at && std::isfinite(*at)) {
    return {static_cast<std::size_t>(text[0] - 'x'), *at};
  }
  throw error(fmt::format("--cut {}: write an axis and a place on it, such as y=0", text));
}

/// "1200x900"
void understand_size(picture_style& style, const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) {
    throw error(fmt::format("--size {}: write width x height in pixels, such as 1200x900", text));
  }
  style.width = static_cast<int>(whole_option("--size", text.substr(0, cross), least_side, most_side));
  style.height = static_cast<int>(whole_option("--size", text.substr(cross + 1), least_side, most_side));
}

std::array<double, 2> understand_two(const char* option, const std::string& text, const char* example) {
  const std::vector<std::string_view> parts = comma_separated(text);
  if (parts.size() == 2) {
    const auto a = to_number(parts[0]), b = to_number(parts[1]);
    if (a && b && std::isfinite(*a) && std::isfinite(*b)) return {*a, *b};
  }
  throw error(fmt::format("{} {}: write two numbers, such as {}", option, text, example));
}

/// "0,1,0,1" or "0,1,0,1,0,1"
picture_box understand_box(const std::string& text) {
  const std::vector<std::string_view> parts = comma_separated(text);
  const auto refuse = [&](const std::string& why) { throw error(fmt::format("--in {}: {}", text, why)); };
  if (parts.size() != 4 && parts.size() != 6) {
    refuse("write xmin,xmax,ymin,ymax, or xmin,xmax,ymin,ymax,zmin,zmax");
  }
  picture_box box;
  for (std::size_t k = 0; k < parts.size() / 2; ++k) {
    const auto low = to_number(parts[2 * k]), high = to_number(parts[2 * k + 1]);
    if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high)) refuse("these are not all numbers");
    if (!(*low < *high)) refuse(fmt::format("{}min must be below {}max", "xyz"[k], "xyz"[k]));
    box.min[k] = *low;
    box.max[k] = *high;
  }
  return box;
}

[[noreturn]] void refuse_name(const char* option, const std::string& text, const std::vector<std::string>& names) {
  const std::string near = nearest(text, names);
  throw error(fmt::format(
      "{} {}: unknown{}", option, in_quotes(text),
      near.empty() ? fmt::format("; the choices are {}", joined(names)) : fmt::format(", did you mean {}?", near)));
}

/// Seen from an angle around z, counted from the front, and a height above the horizon, in degrees.
viewpoint view_from(double around, double height) {
  const double a = around * std::numbers::pi / 180, h = height * std::numbers::pi / 180;
  const dem::vec toward{std::sin(a) * std::cos(h), -std::cos(a) * std::cos(h), std::sin(h)};
  const dem::vec right{std::cos(a), std::sin(a), 0};
  return {right, cross(toward, right), toward};
}

/// The largest value, or a lesser one if few values are far beyond the others.
double bar_end(std::vector<double> values, bool& more_above) {
  const double most = *std::max_element(values.begin(), values.end());
  const auto place = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  const double usual = values[static_cast<std::size_t>(place)];
  more_above = usual > 0 && usual < most / 2;
  return more_above ? usual : most;
}

void fit_range(picture_style& style, const render_request& request, const std::vector<double>& values, bool from_zero,
               bool first) {
  if (request.range) {
    style.low = (*request.range)[0];
    style.high = (*request.range)[1];
    style.more_above =
        style.more_above || std::any_of(values.begin(), values.end(), [&](double v) { return v > style.high; });
    return;
  }
  if (values.empty()) return;
  bool more = false;
  const double low = from_zero ? 0 : *std::min_element(values.begin(), values.end());
  const double high =
      from_zero && !style.whole ? bar_end(values, more) : *std::max_element(values.begin(), values.end());
  style.low = first ? low : std::min(style.low, low);
  style.more_above = (first ? false : style.more_above) || more;
  style.high = first ? high : std::max(style.high, high);
  // Equal but for rounding.
  if (style.high - style.low <= 1e-9 * std::max(std::abs(style.low), std::abs(style.high))) style.high = style.low;
}

}  // namespace

viewpoint view_named(const std::string& name) {
  if (name == "iso") return view_from(30, 20);
  if (name == "front") return view_from(0, 0);
  if (name == "side") return view_from(90, 0);
  if (name == "top") return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (name.find(',') == std::string::npos) refuse_name("--view", name, view_names);
  const auto [around, height] = understand_two("--view", name, "30,20: degrees around z and above the horizon");
  if (std::abs(height) > 89) throw error(fmt::format("--view {}: from -89 to 89 degrees above the horizon", name));
  return view_from(around, height);
}

render_request understand_render(const render_arguments& given) {
  if (given.run.empty()) throw error("no run; name the folder of a run, or a file of bodies");
  if (given.out.empty()) throw error("no --out; name the picture to write, such as --out bed.png");
  render_request request;
  request.color = given.color;
  if (given.contacts && !given.color.empty()) {
    throw error("--contacts shows the normal force by color; leave --color out");
  }
  request.style.forces = given.contacts;
  if (!given.in.empty()) request.box = understand_box(given.in);
  if (!given.fps.empty()) {
    if (!given.film) throw error("--fps is for films; add --film");
    const auto fps = to_number(given.fps);
    if (!fps || !(*fps >= 0.1 && *fps <= 100)) {
      throw error(fmt::format("--fps {}: pictures per second, from 0.1 to 100", given.fps));
    }
    request.fps = *fps;
  }
  if (!given.range.empty()) {
    request.range = understand_two("--range", given.range, "0,1.5");
    if (!((*request.range)[0] < (*request.range)[1])) {
      throw error(fmt::format("--range {}: the first number must be the lower one", given.range));
    }
  }
  if (!given.cut.empty()) request.style.cut = understand_cut(given.cut);
  if (!given.size.empty()) understand_size(request.style, given.size);
  request.sized = !given.size.empty();
  if (!given.view.empty()) (void)view_named(given.view);
  request.view = given.view;
  if (!given.threads.empty()) {
    request.style.threads = static_cast<int>(whole_option("--threads", given.threads, 1, most_threads));
  }
  request.from = open_source(given.run);
  return request;
}

std::size_t chosen_frame(const picture_source& from, const std::string& text) {
  if (text.empty()) return from.frames.size() - 1;
  if (!from.numbered) {
    throw error(fmt::format("--frame {}: {} has no frames (output.frames of the scene makes some)", text, from.name));
  }
  std::size_t frame = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), frame);
  if (problem == std::errc() && end == text.data() + text.size() && frame < from.frames.size()) return frame;
  throw error(
      fmt::format("--frame {}: there is no such frame; {} has 0 to {}", text, from.name, from.frames.size() - 1));
}

namespace {

/// The half that a cut leaves.
picture_box left_by(const picture_cut& cut, const viewpoint& from) {
  const std::array<double, 3> toward{from.toward.x, from.toward.y, from.toward.z};
  picture_box half;
  (toward[cut.axis] < -1e-9 ? half.min : half.max)[cut.axis] = cut.at;
  return half;
}

}  // namespace

picture_content content_of(const render_request& request, std::size_t frame, const std::string& color) {
  picture_content what = read_content(request.from, frame, request.style.forces ? "radius" : color);
  if (request.style.forces) add_forces(what, request.from, frame);
  if (request.box) keep_within(what, *request.box);
  return what;
}

void fit(picture_style& style, const render_request& request, const picture_content& what, bool first) {
  if (first) style.from = view_named(!request.view.empty() ? request.view : what.flat ? "top" : "iso");
  if (request.box) {
    picture_content corners;
    const picture_box box = closed(*request.box, what);
    for (const double x : {box.min[0], box.max[0]}) {
      for (const double y : {box.min[1], box.max[1]}) {
        for (const double z : {box.min[2], box.max[2]}) corners.centers.push_back({x, y, what.flat ? 0 : z});
      }
    }
    corners.radii.resize(corners.centers.size());
    include(style.shown, corners, style.from);
    if (!what.flat) include(style.shown, what, style.from);  // bodies that reach out of the box are whole
    style.zoomed = what.flat;
  } else if (style.cut) {
    picture_content left = what;
    keep_within(left, left_by(*style.cut, style.from));
    include(style.shown, left, style.from);
  } else {
    include(style.shown, what, style.from);
  }
  style.kinds = style.color == "material";
  style.whole = what.whole;
  if (style.forces) {
    std::vector<double> sizes;
    for (const force_line& f : what.forces) sizes.push_back(std::abs(f.force));
    style.color = "normal force";
    style.whole = false;
    fit_range(style, request, sizes, true, first);
  } else if (!style.kinds) {
    fit_range(style, request, what.values, what.from_zero, first);
  }
}

}  // namespace abut::cli
