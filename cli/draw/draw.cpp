#include "draw/draw.hpp"

#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "files/output_file.hpp"
#include "screen/progress.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* draw_examples =
    R"(The picture shows the bodies, a line for each pair, what the method keeps (cells,
lists, sorted ends, stripes, trees), and for one body where its partners are
looked for. The legend names and counts all of it. Bodies in 3D are cut by a
plane. At most 2,000 bodies are drawn; --in shows a part of them, while the search
is that of all.

Examples:
  abut draw discs.csv --method neighboring-cell --out cells.svg
  abut draw discs.csv --method rtree --param node=4 --body 7 --out tree.svg
  abut draw sizes.csv --method multilevel --param levels=3 --panels --out levels.svg
  abut draw discs.csv --method dess --body none --theme dark --out ends.svg
  abut draw grains.npy --method grid --slice z=0.5 --in 0,5,0,5 --out grid.svg
  abut draw --demo --in 20,26,20,26 --out demo.svg
  abut draw discs.csv --periodic x --domain 0,10,0,5 --method mr --out mr.svg)";

slice_plane read_slice(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t axis = equals == 1 ? std::string_view("xyz").find(text[0]) : std::string_view::npos;
  const std::optional<double> at = axis == std::string_view::npos ? std::nullopt : to_number(text.substr(equals + 1));
  if (!at || !std::isfinite(*at)) {
    throw error(fmt::format("--slice {}: write an axis and a finite number, such as z=0.5", in_quotes(text)));
  }
  return {static_cast<int>(axis), *at};
}

std::vector<interval> read_part(const std::string& text) {
  std::vector<double> ends;
  for (const std::string_view part : comma_separated(text)) {
    const std::optional<double> value = to_number(part);
    if (!value || !std::isfinite(*value)) {
      throw error(fmt::format("--in {}: {} is not a finite number; write xmin,xmax,ymin,ymax", in_quotes(text),
                              in_quotes(part)));
    }
    ends.push_back(*value);
  }
  if (ends.size() != 4) {
    throw error(fmt::format("--in {}: {} numbers, not 4; write xmin,xmax,ymin,ymax", in_quotes(text), ends.size()));
  }
  for (const std::size_t k : {0U, 2U}) {
    if (!(ends[k] < ends[k + 1])) {
      throw error(fmt::format("--in {}: {} is not less than {}", in_quotes(text), ends[k], ends[k + 1]));
    }
  }
  return {{ends[0], ends[1]}, {ends[2], ends[3]}};
}

drawing_theme read_theme(const std::string& text) {
  if (text == "both") return drawing_theme::both;
  if (text == "light") return drawing_theme::light;
  if (text == "dark") return drawing_theme::dark;
  throw error(fmt::format("--theme is {}; it must be light, dark or both", in_quotes(text)));
}

/// Refuses pictures that nobody could read or open.
void check_view(const flat_view& view, const sketch& shown, const draw_arguments& given) {
  const std::size_t count = view.count();
  if (count > most_drawn) {
    throw error(fmt::format("{} bodies are too many for a picture of at most {}; show a part of them, such as --in {}",
                            with_commas(count), with_commas(most_drawn), view.smaller_part()));
  }
  if (count == 0 && !shown.bodies.empty()) {
    throw error(fmt::format("there is no body in {}{}; leave it out, or choose another part",
                            given.in.empty() ? "" : "--in " + given.in + (given.slice.empty() ? "" : " and "),
                            given.slice.empty() ? "" : "--slice " + given.slice));
  }
}

/// The sketch, with the search of the chosen body or of the one in the middle of the picture.
sketch show(const search& search, const draw_request& request, const draw_arguments& given) {
  sketch all = search.show();
  flat_view view(all, request.slice);
  view.limit(request.in);
  check_view(view, all, given);
  if (request.no_body) return all;
  const std::optional<row> body = request.body ? request.body : view.middle_body();
  return body ? search.show(body) : all;
}

void write_file(output_file& to, const std::string& text) {
  to.open();
  to.write(text.data(), text.size());
  to.commit();
}

std::string in_words(const drawing_content& what, const flat_view& view, const draw_arguments& given) {
  labeled_lines lines(80);
  lines.add("bodies", fmt::format("{} of {} shown", with_commas(view.count()), with_commas(what.shown.bodies.size())));
  lines.add("pairs", with_commas(what.pairs.size()));
  lines.add("plan", what.title);
  if (what.shown.left_out > 0)
    lines.add("left out", fmt::format("{} lines; too many to draw", with_commas(what.shown.left_out)));
  lines.add("written", one_line(given.out));
  return lines.text();
}

void run_draw(const draw_arguments& given) {
  const search_request request = understand_search(given);
  const draw_request how = understand_drawing(given);
  const plan asked = plan_of(given.method, given.parameters);
  if (given.out.empty()) throw error("no file to draw to; add --out FILE.svg");
  if (!given.out.ends_with(".svg")) throw error(fmt::format("--out {} must end in .svg", in_quotes(given.out)));
  refuse_overwriting("--out", given.out, given);
  output_file output(given.out);
  progress_line progress;
  const bodies_file file = obtain(given, request, progress);
  if (how.slice && file.dimension == 2)
    throw error(fmt::format("--slice cuts bodies in 3D and {} is 2D; leave it out", given.source()));

  search search(asked, options_for(request, file, given.source()));
  progress.stage("planning and sorting the bodies");
  update_in_place(search, file.view(), file, given);
  drawing_content what{.pairs = search.pairs(), .periodic = search.chosen().periodic, .title = search.planned().text()};
  progress.stage("drawing");
  what.shown = show(search, how, given);
  flat_view view(what.shown, how.slice);
  view.limit(how.in);
  write_file(output, drawn(what, view, how));
  progress.stop();
  print_out(in_words(what, view, given));
}

}  // namespace

draw_request understand_drawing(const draw_arguments& given) {
  draw_request request{.theme = read_theme(given.theme), .panels = given.panels};
  if (!given.slice.empty()) request.slice = read_slice(given.slice);
  if (!given.in.empty()) request.in = read_part(given.in);
  request.no_body = given.body == "none";
  if (!given.body.empty() && !request.no_body) {
    request.body = static_cast<row>(whole_option("--body", given.body, 0, no_row - 1));
  }
  request.width = static_cast<double>(whole_option("--width", given.width, 300, 4000));
  return request;
}

void add_draw(program& to) {
  const auto given = std::make_shared<draw_arguments>();
  verb draw = to.add_verb("draw", "Draw what a method keeps about the bodies in a file");
  add_bodies_options(draw, *given);
  draw.add_option("--method", given->method, "NAME", "The method (see abut methods); auto chooses one");
  draw.add_option("--param", given->parameters, "KEY=VALUE", "A parameter of the method; may be repeated");
  add_search_options(draw, *given);
  draw.add_option("--out", given->out, "FILE", "The .svg to write");
  draw.add_option("--body", given->body, "ROW", "The body whose search is shown, or none; by default the middle one");
  draw.add_option("--in", given->in, "ENDS", "Show only this part: xmin,xmax,ymin,ymax of the plane");
  draw.add_option("--slice", given->slice, "AXIS=X", "Where to cut bodies in 3D; by default at the middle of z");
  draw.add_flag("--panels", given->panels, "A panel for each level");
  draw.add_option("--theme", given->theme, "NAME", "Colors: light, dark, or both, as the reader's system asks (both)");
  draw.add_option("--width", given->width, "PIXELS", "From 300 to 4000 (720)");
  draw.set_footer(draw_examples);
  draw.set_action([given] { run_draw(*given); });
}

}  // namespace abut::cli
