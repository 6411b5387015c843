#include "render/render.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "render/png_file.hpp"
#include "screen/progress.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* render_help = R"(RUN is the folder of abut run SCENE --out DIR: its frames (output.frames of the
scene), or its final state. A file of spheres or discs will do too: .vtp, .npy,
.csv or a LAMMPS dump.

There is no perspective: equal bodies look equally large, however far away they
are, so the scale bar holds everywhere. --cut takes away what is before a plane,
and shows the section.

Examples:
  abut run settling-bed --set output.frames=20 --out bed
  abut render bed --out bed.png
  abut render bed --frame 5 --color speed --view front --out falling.png
  abut render bed --cut y=0.1 --color coordination --size 1600x1200 --out cut.png
  abut render bed --film --fps 10 --out film.png)";

/// The color, if the user names none: the radius, unless all are equal.
std::string fitting_color(const picture_source& from, std::size_t frame) {
  const picture_content what = read_content(from, frame, "radius");
  const auto [low, high] = std::minmax_element(what.values.begin(), what.values.end());
  const bool equal = what.values.empty() || *low == *high;
  return equal && std::filesystem::path(from.frames[frame].path).extension() == ".vtp" ? "speed" : "radius";
}

void run_render(const render_arguments& given) {
  need_png();
  render_request request = understand_render(given);
  if (given.film) {
    check_film_name(given.out);
  } else if (std::filesystem::path(given.out).extension() != ".png") {
    throw error(fmt::format("--out {}: a picture's name ends in .png", given.out));
  }
  if (given.film && !request.from.numbered) {
    throw error(fmt::format("--film: {} has no frames (output.frames of the scene makes some)", given.run));
  }
  if (given.film && !given.frame.empty()) throw error("--frame chooses one frame, and --film shows all; give one");
  const std::size_t frame = chosen_frame(request.from, given.frame);
  request.style.color = !request.color.empty() ? request.color
                        : request.style.forces ? "radius"
                                               : fitting_color(request.from, frame);
  if (given.film) return print_out(fmt::format("written   {}\n", make_film(request, given.out)));
  progress_line progress;
  progress.stage("drawing");
  const picture_content what = content_of(request, frame, request.style.color);
  picture_style style = request.style;
  fit(style, request, what, true);
  if (!request.sized) fit_size(style);
  write_png(given.out, draw_picture(what, style));
  progress.stop();
  labeled_lines lines(terminal_width(STDOUT_FILENO));
  lines.add("drawn", fmt::format("{} by {}, of {}", counted(what.centers.size(), what.flat ? "disc" : "sphere"),
                                 style.color, one_line(request.from.frames[frame].path)));
  lines.add("written", one_line(given.out));
  print_out(lines.text());
}

}  // namespace

void add_render(program& to) {
  const auto given = std::make_shared<render_arguments>();
  verb render = to.add_verb("render", "Draw a picture or a film of a run");
  render.add_option("RUN", given->run, "", "The folder of a run, or a file of bodies");
  render.add_option("--frame", given->frame, "K", "Which frame, from 0; by default the last");
  render.add_option("--color", given->color, "NAME",
                    "What colors show: a column of the files, such as velocity.z, or speed, contacts, pressure");
  render.add_flag("--contacts", given->contacts, "Draw the contacts, by their normal forces");
  render.add_option("--range", given->range, "A,B", "The values at the ends of the color bar");
  render.add_option("--cut", given->cut, "AXIS=X", "Cut bodies and walls along a plane, such as y=0");
  render.add_option("--in", given->in, "BOX", "Show only this part: xmin,xmax,ymin,ymax[,zmin,zmax]");
  render.add_option("--view", given->view, "NAME", "iso, front, side, top, or degrees around z and above the horizon");
  render.add_option("--size", given->size, "WxH", "The picture's size in pixels; by default up to 1200x900");
  render.add_option("--threads", given->threads, "N", "How many threads to use; the picture does not depend on it");
  render.add_flag("--film", given->film, "Draw all frames, as a film");
  render.add_option("--fps", given->fps, "N", "A film's pictures per second; by default 25");
  render.add_option("--out", given->out, "FILE",
                    "The .png to write, also of a film; of a film also a folder, or by ffmpeg an .mp4, .webm or .gif");
  render.set_footer(render_help);
  render.set_action([given] { run_render(*given); });
}

}  // namespace abut::cli
