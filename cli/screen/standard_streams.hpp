#pragma once

#include <string_view>

/// Standard output and standard error, which may be closed, on a full disk, or a pipe that nobody reads.
namespace abut::cli {

/// Prints results or help. Throws `error` if they cannot be written.
void print_out(std::string_view text);

/// Writes out what is still buffered. Throws `error` if it cannot be written.
void flush_out();

/// Prints one line on standard error. A failure is ignored: there is nobody left to tell.
void print_err(std::string_view line);

/// Prints "warning: ..." on standard error; it replaces the progress line, if there is one.
void warn(std::string_view message);

/// If the caller has closed a standard stream, occupies its number, so that no file gets it and receives what we print.
/// Using such a stream still fails.
void occupy_standard_streams();

}  // namespace abut::cli
