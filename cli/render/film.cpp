#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "render/png_file.hpp"
#include "render/render.hpp"
#include "screen/progress.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

namespace fs = std::filesystem;

/// How ffmpeg makes the files that it makes, by the ends of their names.
struct movie_kind {
  const char* end;
  std::vector<std::string> options;
};

const std::vector<movie_kind>& movie_kinds() {
  static const std::vector<movie_kind> all = {
      {".mp4", {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"}},
      {".webm", {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0"}},
      {".gif", {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse"}},
  };
  return all;
}

const movie_kind* movie_kind_of(const std::string& out) {
  const auto found = std::find_if(movie_kinds().begin(), movie_kinds().end(),
                                  [&](const movie_kind& k) { return fs::path(out).extension() == k.end; });
  return found == movie_kinds().end() ? nullptr : &*found;
}

/// Runs a program from the path, silently. Returns its exit code; -1 if there is no such program.
int run_quietly(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  pid_t id = -1;
  const int problem = ::posix_spawnp(&id, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) return -1;
  int status = 0;
  while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// A command as a shell takes it.
std::string shell_line(const std::vector<std::string>& words) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,%+-";
  std::string all;
  for (const std::string& word : words) {
    if (!all.empty()) all += ' ';
    if (word.find_first_not_of(plain) == std::string::npos) {
      all += word;
      continue;
    }
    all += '\'';
    for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    all += '\'';
  }
  return all;
}

void make_pictures_folder(const std::string& folder) {
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (problem || !fs::is_directory(folder)) {
    throw error(fmt::format("--out {}: cannot make this folder: {}", folder,
                            problem ? problem.message() : std::string("a file has its name")));
  }
}

/// One style for all frames, so that neither the view nor the colors change from picture to picture.
picture_style common_style(const render_request& request, progress_line& progress) {
  picture_style style = request.style;
  const std::size_t count = request.from.frames.size();
  for (std::size_t k = 0; k < count; ++k) {
    progress.stage("looking at all frames");
    fit(style, request, content_of(request, k, request.style.color), k == 0);
    progress.done(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  if (!request.sized) fit_size(style);
  return style;
}

/// A film's pictures, one after the other.
template <class Take>
void draw_all(const render_request& request, const picture_style& style, progress_line& progress, const Take& take) {
  const std::size_t count = request.from.frames.size();
  progress.stage("drawing");
  for (std::size_t k = 0; k < count; ++k) {
    take(k, draw_picture(content_of(request, k, request.style.color), style));
    progress.done(static_cast<double>(k + 1) / static_cast<double>(count));
  }
}

std::string length_in_words(const render_request& request) {
  const auto count = static_cast<double>(request.from.frames.size());
  return fmt::format("{} at {:.4g} per second, {:.3g} s", counted(request.from.frames.size(), "picture"), request.fps,
                     count / request.fps);
}

}  // namespace

void check_film_name(const std::string& out) {
  const std::string end = fs::path(out).extension().string();
  if (end.empty() || end == ".png" || movie_kind_of(out) != nullptr || fs::is_directory(out)) return;
  throw error(
      fmt::format("--out {}: a film is a .png (which moves in browsers), a folder, or by ffmpeg an .mp4, .webm "
                  "or .gif",
                  out));
}

std::string make_film(const render_request& request, const std::string& out) {
  const movie_kind* const movie = movie_kind_of(out);
  if (movie != nullptr && fs::is_directory(out)) throw error(fmt::format("{}: is a folder; name a file in it", out));
  progress_line progress;
  if (fs::path(out).extension() == ".png") {
    const picture_style style = common_style(request, progress);
    png_film film(out, request.from.frames.size(), request.fps);
    draw_all(request, style, progress, [&](std::size_t, const image& picture) { film.add(picture); });
    film.commit();
    return fmt::format("{}, a film of {}", one_line(out), length_in_words(request));
  }
  const std::string folder = movie != nullptr ? fs::path(out).replace_extension().string() + "-pictures" : out;
  make_pictures_folder(folder);
  const picture_style style = common_style(request, progress);
  draw_all(request, style, progress, [&](std::size_t k, const image& picture) {
    write_png((fs::path(folder) / fmt::format("frame-{:05}.png", k)).string(), picture);
  });
  std::string pictures = fmt::format("{} in {}", counted(request.from.frames.size(), "picture"), one_line(folder));
  if (movie == nullptr) return pictures;
  progress.stage("ffmpeg");
  std::vector<std::string> command = {"ffmpeg",     "-y",
                                      "-framerate", fmt::format("{}", request.fps),
                                      "-i",         (fs::path(folder) / "frame-%05d.png").string()};
  command.insert(command.end(), movie->options.begin(), movie->options.end());
  command.push_back(out);
  const int code = run_quietly(command);
  progress.stop();
  if (code == 0) {
    return fmt::format("{}, a film of {}; they are in {}", one_line(out), length_in_words(request), one_line(folder));
  }
  return fmt::format("{}; no film: ffmpeg {}. Later: {}", pictures,
                     code < 0 ? "is not installed" : fmt::format("failed with code {}", code),
                     one_line(shell_line(command)));
}

}  // namespace abut::cli
