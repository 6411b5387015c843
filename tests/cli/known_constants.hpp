#pragma once

// Constants for runs of the program that must not measure them: that takes seconds, and fails on a busy machine.

#include <filesystem>

#include "plan/calibration.hpp"
#include "run_program.hpp"

namespace program {

/// Writes constants into the folder's cache.
inline void write_constants(const folder& where) {
  std::filesystem::create_directory(where.path() / "cache");
  where.write("cache/calibration", abut::text_of({.of_this_machine = true}));
}

}  // namespace program
