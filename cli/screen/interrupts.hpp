#pragma once

#include <string>
#include <string_view>

/// What must be put in order when the user presses Ctrl-C (or the process is asked to end): the half-written file goes,
/// the progress line is cleared, and the exit code is 128 plus the signal's number.
namespace abut::cli {

/// Whether lines can be drawn over each other there: on a terminal that is not dumb.
[[nodiscard]] bool draws_on(int descriptor);

/// To be called once, at the start. A signal that was ignored before (nohup) stays ignored.
void catch_interrupts();

/// The file to remove on an interrupt; empty: none. One at a time.
void remove_on_interrupt(const std::string& path);

/// Draws a line on stderr over the one that was drawn before, without a line break; empty: clears it. An interrupt
/// clears it too, and after that nothing is drawn.
void draw_line(std::string_view text);

/// The calling thread handles no interrupts. For the thread that draws: the handler waits until it has finished.
void leave_interrupts_to_others();

}  // namespace abut::cli
