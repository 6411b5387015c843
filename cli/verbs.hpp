#pragma once

#include <stdexcept>

#include "verb.hpp"

/// The verbs of the program. Each function adds one, whose action throws `abut::error` for mistakes that the user can
/// fix, and other exceptions for failures of the program.
namespace abut::cli {

/// A check of results that failed, although the program did what was asked. The exit code is 1, and the message is
/// printed as it is.
struct failed_check : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void add_bench(program& to);
void add_bench_planner(verb bench);
void add_draw(program& to);
void add_find(program& to);
void add_generate(program& to);
void add_methods(program& to);
void add_plan(program& to);
void add_render(program& to);
void add_run(program& to);

}  // namespace abut::cli
