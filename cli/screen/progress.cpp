#include "screen/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "screen/interrupts.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr std::size_t widest_bar = 30, narrowest_bar = 8;
constexpr std::size_t beside_bar = 45;  // characters for the figures and the beginning of the stage's name

std::string bar(double part, std::size_t width, bool unicode) {
  const auto full = static_cast<std::size_t>(part * static_cast<double>(width));
  std::string text = unicode ? "" : "[";
  for (std::size_t k = 0; k < width; ++k) text += unicode ? (k < full ? "█" : "░") : (k < full ? "#" : ".");
  return text + (unicode ? " " : "] ");
}

/// Shorter than `width` characters, because a line that wraps cannot be rewritten.
std::string truncated(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  for (std::size_t used = 1; bytes < text.size() && used < width; ++used) {
    bytes += std::max<std::size_t>(utf8_length(text.substr(bytes)), 1);
  }
  return std::string(text.substr(0, bytes));
}

}  // namespace

std::string in_words(const progress_view& view, std::size_t width, bool unicode) {
  const std::string stage = one_line(view.stage);
  if (!view.part) {
    return truncated(view.gone < 1 ? stage + " ..." : fmt::format("{} ... {:.0f} s", stage, std::floor(view.gone)),
                     width);
  }
  const double part = std::clamp(*view.part, 0.0, 1.0);
  std::string line;
  const std::size_t room = width > beside_bar ? width - beside_bar : 0;
  if (room >= narrowest_bar) line = bar(part, std::min(room, widest_bar), unicode);
  line += fmt::format("{:3.0f} %", std::floor(100 * part));
  std::string time;
  if (view.stalled) {
    time = fmt::format("no news for {:.0f} s", std::floor(*view.stalled));
  } else if (view.left) {
    time = rough_duration(*view.left) + " left";
  }
  // A fixed width keeps what follows in place.
  return truncated(line + (time.empty() ? "" : fmt::format("  {:<9}", time)) + "  " + stage, width);
}

progress_line::progress_line() {
  if (!draws_on(STDERR_FILENO)) return;
  thread_ = std::thread([this] { draw_until_stopped(); });
}

double progress_line::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void progress_line::begin_stage() {
  stage_start_ = now();
  part_ = -1;
  pace_ = pace(stage_start_);
  countdown_.forget();
}

void progress_line::stage(std::string name) {
  const std::lock_guard lock(mutex_);
  if (name == stage_) return;
  stage_ = std::move(name);
  begin_stage();
}

void progress_line::rename(std::string name) {
  const std::lock_guard lock(mutex_);
  stage_ = std::move(name);
}

void progress_line::ask(std::function<double()> seconds_left) {
  const std::lock_guard lock(mutex_);
  seconds_left_ = std::move(seconds_left);
  begin_stage();
}

void progress_line::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (thread_.joinable()) draw_line("");
  print_err(line);
}

void progress_line::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

progress_view progress_line::current() {
  const double at = now();
  progress_view view{.stage = stage_, .gone = at - stage_start_};
  if (seconds_left_) {
    const double left = countdown_.follow(at, seconds_left_());
    view.part = view.gone / (view.gone + left);
    if (view.gone >= 1) view.left = left;
    return view;
  }
  const double part = part_;
  if (part < 0) return view;
  view.part = part;
  pace_.see(at, part);
  view.stalled = pace_.stalled(at);
  if (const std::optional<double> left = pace_.left(at)) {
    view.left = countdown_.follow(at, *left);
  }
  return view;
}

void progress_line::draw_until_stopped() {
  using namespace std::chrono_literals;
  leave_interrupts_to_others();
  const bool unicode = utf8_locale();
  std::unique_lock lock(mutex_);
  const auto stopping = [this] { return stopping_; };
  if (wake_.wait_for(lock, 300ms, stopping)) return;
  do {
    draw_line(in_words(current(), terminal_width(STDERR_FILENO), unicode));
  } while (!wake_.wait_for(lock, 100ms, stopping));
  draw_line("");
}

}  // namespace abut::cli
