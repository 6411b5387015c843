#include "command_line.hpp"
#include "verbs.hpp"

int main(int argc, char** argv) {
  using namespace abut::cli;
  return run_command_line(argc, argv,
                          {add_run, add_render, add_find, add_draw, add_plan, add_bench, add_generate, add_methods});
}
