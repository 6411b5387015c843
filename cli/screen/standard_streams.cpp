#include "screen/standard_streams.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

[[noreturn]] void refuse_out(int problem) {
  throw error(fmt::format("standard output: cannot write: {}", std::strerror(problem)));
}

}  // namespace

void print_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_out(errno);
}

void flush_out() {
  if (std::fflush(stdout) != 0) refuse_out(errno);
}

void print_err(std::string_view line) {
  const std::string text = one_line(line) + "\n";
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void warn(std::string_view message) {
  const char* const clear = ::isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  const std::string text = fmt::format("{}warning: {}\n", clear, one_line(message));
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // `open` returns the lowest free number, which is this stream's. The mode is the wrong one on purpose, so that
    // using the stream still fails.
    (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace abut::cli
