#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "screen/time_left.hpp"

namespace abut::cli {

/// What a progress line shows.
struct progress_view {
  std::string stage{};
  double gone = 0;                  ///< seconds since the stage began
  std::optional<double> part{};     ///< 0 to 1
  std::optional<double> left{};     ///< seconds
  std::optional<double> stalled{};  ///< seconds without a change, if unusually many
};

/// The line, with a bar if the part is known, shorter than `width` characters.
[[nodiscard]] std::string in_words(const progress_view& view, std::size_t width, bool unicode);

/// One line on the terminal that shows what long work is doing, how far it has come and how long it will still take.
/// Rewritten ten times a second by a thread of its own, so that it does not slow the work and also shows stages that do
/// not report. Appears after 0.3 s, only if stderr is a terminal, and is cleared at the end.
class progress_line {
 public:
  progress_line();
  ~progress_line() { stop(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Begins a stage, such as "reading grains.csv". Does nothing if that is the current stage.
  void stage(std::string name);

  /// Renames the current stage, without a restart of its time or its part.
  void rename(std::string name);

  /// The part of the stage that is done, 0 to 1; negative if unknown.
  void done(double part) { part_.store(part, std::memory_order_relaxed); }

  /// Uses this function, instead of the part, for the seconds left; another thread calls it. An empty function ends
  /// that: on return, the old one is no longer running.
  void ask(std::function<double()> seconds_left);

  /// Prints a line on stderr, terminal or not, above the progress line.
  void say(const std::string& line);

  /// Clears the line and stops drawing.
  void stop();

 private:
  void draw_until_stopped();
  void begin_stage();
  [[nodiscard]] double now() const;
  [[nodiscard]] progress_view current();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::string stage_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double stage_start_ = 0;
  std::atomic<double> part_ = -1;
  pace pace_;
  countdown countdown_;
  std::function<double()> seconds_left_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace abut::cli
