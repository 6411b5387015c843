#pragma once

// Uses each of the instruction sets that the library and the machine have.

#include <optional>
#include <string>

#include "base/instructions.hpp"

namespace support {

/// Uses one set for as long as it exists.
class use_instructions {
 public:
  explicit use_instructions(abut::instruction_set set) { abut::use_instructions(set); }
  ~use_instructions() { abut::use_instructions(std::nullopt); }
  use_instructions(const use_instructions&) = delete;
  use_instructions& operator=(const use_instructions&) = delete;
};

/// Calls `f(name)` with every set in use.
template <class F>
void with_each_instruction_set(F&& f) {
  for (const abut::instruction_set set : abut::usable_instructions()) {
    const use_instructions use(set);
    f(abut::name_of(set));
  }
}

/// Whether a plan's method has vector loops of its own.
inline bool uses_vectors(const std::string& plan) {
  return plan.rfind("grid", 0) == 0 || plan.rfind("nearest-neighbor", 0) == 0;
}

}  // namespace support
