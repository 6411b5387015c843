#pragma once

#include <initializer_list>

#include <CLI/CLI.hpp>

namespace abut::cli {

/// Runs the verb that the arguments name, and returns the program's exit code: 0; 2 for what the user can mend (one
/// line on stderr that names it); 1 for a failure of our own (one line too).
int run_command_line(int argc, const char* const* argv, std::initializer_list<void (*)(CLI::App&)> verbs);

}  // namespace abut::cli
