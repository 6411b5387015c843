#pragma once

#include <string>

#include "render/picture.hpp"
#include "render/source.hpp"

/// The verb `render`: pictures of a run.
namespace abut::cli {

/// The options as given on the command line.
struct render_arguments {
  std::string run{}, frame{}, cut{}, color{}, range{}, size{}, view{}, threads{}, out{}, in{}, fps{};
  bool film = false, contacts = false;
};

/// What to draw, as the options say.
struct render_request {
  picture_source from{};
  std::string color{};                           ///< empty: radius, or speed if all radii are equal
  std::optional<std::array<double, 2>> range{};  ///< of the color bar
  std::optional<picture_box> box{};              ///< the part of space that is shown
  std::string view{};                            ///< empty: as suits the bodies
  bool sized = false;                            ///< the user has given the size
  double fps = 25;                               ///< of a film, pictures per second
  picture_style style{};                         ///< what does not depend on the bodies
};

/// Parses the options. Throws `error` for the first that is invalid.
[[nodiscard]] render_request understand_render(const render_arguments& given);

/// The number of the frame that --frame names; the last one if it names none.
[[nodiscard]] std::size_t chosen_frame(const picture_source& from, const std::string& text);

/// From where this view looks.
[[nodiscard]] viewpoint view_named(const std::string& name);

/// Reads the part of a frame that is shown, with the values of this color, or with the forces of contacts.
[[nodiscard]] picture_content content_of(const render_request& request, std::size_t frame, const std::string& color);

/// Completes the style by what the bodies of a frame need: extends what is shown and the range of colors.
void fit(picture_style& style, const render_request& request, const picture_content& what, bool first);

/// Throws `error` if no film can have this name.
void check_film_name(const std::string& out);
/// Draws all frames into `out`: a .png that moves, a folder, or a file that ffmpeg makes, with a folder of pictures
/// beside it. Returns what was written, in words.
[[nodiscard]] std::string make_film(const render_request& request, const std::string& out);

}  // namespace abut::cli
