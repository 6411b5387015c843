#pragma once

#include "verb.hpp"

/// The verbs of the program. Each function adds one, whose action throws `abut::error` for mistakes that the user can
/// fix, and other exceptions for failures of the program.
namespace abut::cli {

void add_bench(program& to);
void add_bench_planner(verb bench);
void add_bench_steps(verb bench);
void add_find(program& to);
void add_generate(program& to);
void add_methods(program& to);
void add_plan(program& to);
void add_render(program& to);
void add_run(program& to);

}  // namespace abut::cli
