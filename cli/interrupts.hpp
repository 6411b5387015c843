#pragma once

#include <string>

/// What must be put in order when the user presses Ctrl-C (or the process is asked to end): the half-written file goes,
/// the progress line is cleared, and the exit code is 128 plus the signal's number.
namespace abut::cli {

/// To be called once, at the start. A signal that was ignored before (nohup) stays ignored.
void catch_interrupts();

/// The file to remove on an interrupt; empty: none. One at a time.
void remove_on_interrupt(const std::string& path);

/// Whether a progress line stands on the terminal.
void clear_line_on_interrupt(bool shown);

}  // namespace abut::cli
