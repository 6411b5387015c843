#pragma once

#include <functional>
#include <initializer_list>

#include "verb.hpp"

namespace abut::cli {

/// Runs the verb that the arguments name and returns the program's exit code: 0 for success, 2 for a mistake that the
/// user can fix, 1 for a failure of the program or of a check of results. A mistake or failure prints one line on
/// stderr.
int run_command_line(int argc, const char* const* argv, std::initializer_list<void (*)(program&)> verbs);
/// The same for another program, which `make` makes.
int run_program(int argc, const char* const* argv, const std::function<program()>& make);

}  // namespace abut::cli
