#pragma once

#include <CLI/CLI.hpp>

/// The verbs of the program, one file each. A verb adds itself to the command line, and does its work in a callback:
/// it throws `abut::error` for what the user can mend, and anything else for what the user cannot.
namespace abut::cli {

void add_bench(CLI::App& app);
void add_bench_planner(CLI::App& bench);
void add_find(CLI::App& app);
void add_generate(CLI::App& app);
void add_methods(CLI::App& app);
void add_plan(CLI::App& app);

}  // namespace abut::cli
