#include "screen/interrupts.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

namespace abut::cli {
namespace {

// A signal handler may use only lock-free atomics and memory that nobody is writing: `armed` is false while the path is
// being written.
char path_to_remove[PATH_MAX];
std::atomic<bool> armed = false;
std::atomic<bool> line_shown = false;
std::atomic<bool> on_terminal = false;
std::atomic<bool> drawing = false;
std::atomic<bool> interrupted = false;
std::atomic<bool> noting = false;
std::atomic<int> noted = 0;
constexpr std::array caught = {SIGINT, SIGTERM, SIGHUP};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_interrupt(int signal) {
  if (noting.load() && noted.load() == 0) {
    noted = signal;
    return;
  }
  if (armed.load()) ::unlink(path_to_remove);
  interrupted = true;
  // Wait for the current drawing, so that nothing is drawn after the line is cleared, but not forever: the terminal may
  // be stopped.
  for (int k = 0; k < 100 && drawing.load(); ++k) ::poll(nullptr, 0, 1);
  if (line_shown.load() || on_terminal.load()) {  // the terminal itself has written ^C
    constexpr char clear[] = "\r\033[K";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, clear, sizeof clear - 1);
  }
  ::_exit(128 + signal);
}

}  // namespace

bool draws_on(int descriptor) {
  const char* const terminal = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void catch_interrupts() {
  on_terminal = draws_on(STDERR_FILENO);
  for (const int signal : caught) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;  // an interrupt that is only noted disturbs nothing
    ::sigaction(signal, &action, nullptr);
  }
  // Exceeding the limit on file sizes is then an ordinary write error.
  std::signal(SIGXFSZ, SIG_IGN);
}

void remove_on_interrupt(const std::string& path) {
  armed = false;
  if (path.empty() || path.size() >= sizeof path_to_remove) return;
  std::memcpy(path_to_remove, path.c_str(), path.size() + 1);
  armed = true;
}

interrupt_notes::interrupt_notes() {
  noted = 0;
  noting = true;
}

interrupt_notes::~interrupt_notes() { noting = false; }

int interrupt_notes::arrived() { return noted; }

void draw_line(std::string_view text) {
  if (text.empty() && !line_shown) return;
  const std::string whole = fmt::format("\r{}\033[K", text);
  drawing = true;
  if (!interrupted) {
    line_shown = true;
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, whole.data(), whole.size());
    line_shown = !text.empty();
  }
  drawing = false;
}

void leave_interrupts_to_others() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : caught) sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace abut::cli
