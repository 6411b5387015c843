#pragma once

#include <string_view>

/// Standard output and standard error, which may be full, closed, or a pipe that nobody reads.
namespace abut::cli {

/// Prints results or help. Throws `error` if they cannot be written.
void print_out(std::string_view text);

/// Writes out what has been printed and is still held back. Throws `error` likewise.
void flush_out();

/// Prints one line on standard error. A failure is ignored: there is nobody left to tell.
void print_err(std::string_view line);

/// "warning: ..." on standard error, in place of a line of progress that may be there.
void warn(std::string_view message);

/// Makes sure that no file of ours gets the number of a standard stream that the caller has closed: what we print would
/// end up in it. Such a stream fails as before.
void occupy_standard_streams();

}  // namespace abut::cli
