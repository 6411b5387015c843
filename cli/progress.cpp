#include "progress.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "interrupts.hpp"
#include "words.hpp"

namespace abut::cli {

progress_line::progress_line() {
  const char* terminal = std::getenv("TERM");
  if (::isatty(STDERR_FILENO) == 0 || (terminal != nullptr && std::string_view(terminal) == "dumb")) return;
  thread_ = std::thread([this] { draw_until_stopped(); });
}

void progress_line::stage(std::string name) {
  const std::lock_guard lock(mutex_);
  if (name == stage_) return;
  stage_ = std::move(name);
  stage_start_ = std::chrono::steady_clock::now();
  part_ = -1;
}

void progress_line::rename(std::string name) {
  const std::lock_guard lock(mutex_);
  stage_ = std::move(name);
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

std::string progress_line::time_left(double part) const {
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - stage_start_;
  // Too soon to tell.
  if (gone.count() < 1 || part < 0.005) return "";
  const double left = std::ceil(gone.count() * (1 - part) / part);
  return fmt::format(", {} left", left < 100 ? fmt::format("{:.0f} s", left) : duration(left));
}

std::string progress_line::text() const {
  const double part = part_;
  std::string line = one_line(stage_);
  line += part < 0 ? " ..." : fmt::format(" {:3.0f} %{}", 100 * part, time_left(part));
  // A line that wraps could not be rewritten.
  const std::size_t width = terminal_width(STDERR_FILENO);
  if (line.size() >= width) line.resize(width - 1);
  return line;
}

void progress_line::draw_until_stopped() {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  const auto stopping = [this] { return stopping_; };
  if (wake_.wait_for(lock, 300ms, stopping)) return;
  clear_line_on_interrupt(true);
  do {
    fmt::print(stderr, "\r{}\033[K", text());
    std::fflush(stderr);
  } while (!wake_.wait_for(lock, 100ms, stopping));
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  clear_line_on_interrupt(false);
}

}  // namespace abut::cli
