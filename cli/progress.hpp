#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace abut::cli {

/// One line on the terminal, rewritten ten times a second, that tells what long work is doing and, from the second
/// second of a stage on, how long it will still take; cleared at the end. Nothing where stderr is no terminal, and
/// nothing in the first 0.3 s. A thread of its own draws it, so that it costs the work nothing and shows the steps that
/// cannot report.
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

  /// The part of it that is done, 0 to 1.
  void done(double part) { part_.store(part, std::memory_order_relaxed); }

  /// Clears the line; nothing is drawn from now on.
  void stop();

 private:
  void draw_until_stopped();
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string time_left(double part) const;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::string stage_;
  std::chrono::steady_clock::time_point stage_start_ = std::chrono::steady_clock::now();
  std::atomic<double> part_ = -1;  ///< below 0: not known
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace abut::cli
