#pragma once

#include <CLI/CLI.hpp>

/// The verbs of the program. Each function adds one to the command line, with a callback that does the work and throws
/// `abut::error` for mistakes that the user can fix, and other exceptions for failures of the program.
namespace abut::cli {

void add_bench(CLI::App& app);
void add_bench_planner(CLI::App& bench);
void add_find(CLI::App& app);
void add_generate(CLI::App& app);
void add_methods(CLI::App& app);
void add_plan(CLI::App& app);

}  // namespace abut::cli
