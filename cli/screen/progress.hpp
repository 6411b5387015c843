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
  std::optional<double> stalled{};  ///< seconds without a change, if they are many
};

/// The line, a bar first where a part is known, in fewer than `width` columns.
[[nodiscard]] std::string in_words(const progress_view& view, std::size_t width, bool unicode);

/// One line on the terminal, rewritten ten times a second, that tells what long work is doing, how far it is and how
/// long it will still take; cleared at the end. Nothing where stderr is no terminal, and nothing in the first 0.3 s. A
/// thread of its own draws it, so that it costs the work nothing and shows the steps that cannot report.
class progress_line {
 public:
  progress_line();
  ~progress_line() { stop(); }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// What is being done from now on: "reading grains.csv". Naming the present stage again changes nothing.
  void stage(std::string name);

  /// The same stage under another name: its part and its time go on.
  void rename(std::string name);

  /// The part of it that is done, 0 to 1; below 0: not known.
  void done(double part) { part_.store(part, std::memory_order_relaxed); }

  /// From now on this says how many seconds are left, instead of the part; it is called by another thread. Empty: no
  /// more, and when this returns it is not running.
  void ask(std::function<double()> seconds_left);

  /// Prints a line on stderr, terminal or not, above the progress line.
  void say(const std::string& line);

  /// Clears the line; nothing is drawn from now on.
  void stop();

 private:
  void draw_until_stopped();
  void begin_stage();
  [[nodiscard]] double now() const;
  [[nodiscard]] progress_view look();

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
