#include "interrupts.hpp"

#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>

#include <unistd.h>

namespace abut::cli {
namespace {

// A handler may touch only lock-free atomics and plain memory that is not being changed: `armed` is false while the
// path is written.
char path_to_remove[PATH_MAX];
std::atomic<bool> armed = false;
std::atomic<bool> line_shown = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int signal) {
  if (armed.load()) ::unlink(path_to_remove);
  if (line_shown.load()) {
    constexpr char clear[] = "\r\033[K";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, clear, sizeof clear - 1);
  }
  ::_exit(128 + signal);
}

}  // namespace

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = on_interrupt;
    ::sigaction(signal, &action, nullptr);
  }
  // A file past the limit of its size is then a write error like any other.
  std::signal(SIGXFSZ, SIG_IGN);
}

void remove_on_interrupt(const std::string& path) {
  armed = false;
  if (path.empty() || path.size() >= sizeof path_to_remove) return;
  std::memcpy(path_to_remove, path.c_str(), path.size() + 1);
  armed = true;
}

void clear_line_on_interrupt(bool shown) { line_shown = shown; }

}  // namespace abut::cli
