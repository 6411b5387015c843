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

constexpr int film_rate = 25;  // pictures per second

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
    fit(style, request, read_content(request.from, k, style.color), k == 0);
    progress.done(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  return style;
}

}  // namespace

std::string make_film(const render_request& request, const std::string& out) {
  const bool movie = fs::path(out).extension() == ".mp4";
  const std::string folder = movie ? fs::path(out).replace_extension().string() + "-pictures" : out;
  if (movie && fs::is_directory(out)) throw error(fmt::format("{}: is a folder; name a file in it", out));
  make_pictures_folder(folder);
  progress_line progress;
  const picture_style style = common_style(request, progress);
  const std::size_t count = request.from.frames.size();
  progress.stage("drawing");
  for (std::size_t k = 0; k < count; ++k) {
    const picture_content what = read_content(request.from, k, style.color);
    write_png((fs::path(folder) / fmt::format("frame-{:05}.png", k)).string(), draw_picture(what, style));
    progress.done(static_cast<double>(k + 1) / static_cast<double>(count));
  }
  std::string pictures = fmt::format("{} in {}", counted(count, "picture"), one_line(folder));
  if (!movie) return pictures;
  progress.stage("ffmpeg");
  const std::vector<std::string> command = {"ffmpeg",     "-y",
                                            "-framerate", std::to_string(film_rate),
                                            "-i",         (fs::path(folder) / "frame-%05d.png").string(),
                                            "-vf",        "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                            "-pix_fmt",   "yuv420p",
                                            out};
  const int code = run_quietly(command);
  progress.stop();
  if (code == 0) return fmt::format("{}, a film of {}", one_line(out), pictures);
  return fmt::format("{}; no film: ffmpeg {}. Later: {}", pictures,
                     code < 0 ? "is not installed" : fmt::format("failed with code {}", code),
                     one_line(joined(command, " ")));
}

}  // namespace abut::cli
