#pragma once

#include <string>
#include <string_view>

/// Cleaning up when the user presses Ctrl-C or the process is asked to end: a half-written file is removed, the
/// progress line is cleared, and the exit code is 128 plus the signal's number.
namespace abut::cli {

/// Whether this descriptor is a terminal on which a line can be rewritten.
[[nodiscard]] bool draws_on(int descriptor);

/// Call it once, at the start. Signals that are ignored (by nohup) stay ignored.
void catch_interrupts();

/// Sets the file to remove on an interrupt; "" for none.
void remove_on_interrupt(const std::string& path);

/// Draws a line on stderr over the previous one, without a line break; "" clears it. After an interrupt, which also
/// clears it, this draws nothing.
void draw_line(std::string_view text);

/// Blocks interrupts on the calling thread, the one that draws, because the handler waits until drawing has finished.
void leave_interrupts_to_others();

}  // namespace abut::cli
