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

/// While such an object exists, the first interrupt is only noted, so that work can end in good order; the next one
/// ends the program as usual.
class interrupt_notes {
 public:
  interrupt_notes();
  ~interrupt_notes();
  interrupt_notes(const interrupt_notes&) = delete;
  interrupt_notes& operator=(const interrupt_notes&) = delete;
  /// The number of the signal that has arrived; 0 if none has.
  [[nodiscard]] static int arrived();
};

/// Thrown when work has ended in good order after an interrupt. The exit code is 128 plus the signal's number.
struct ended_by_interrupt {
  int signal = 0;
};

/// Draws a line on stderr over the previous one, without a line break; "" clears it. After an interrupt, which also
/// clears it, this draws nothing.
void draw_line(std::string_view text);

/// Blocks interrupts on the calling thread, the one that draws, because the handler waits until drawing has finished.
void leave_interrupts_to_others();

}  // namespace abut::cli
