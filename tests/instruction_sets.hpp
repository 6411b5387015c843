#pragma once

// The sets of vector instructions that the library has and the machine can do, and a way to use one of them.

#include <cstdint>
#include <string>
#include <vector>

#include "base/vector_targets.hpp"  // before Highway

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace support {

inline const std::vector<std::int64_t>& instruction_sets() {
  static const std::vector<std::int64_t> all = hwy::SupportedAndGeneratedTargets();
  return all;
}

/// Uses one set as long as it lives.
class use_instructions {
 public:
  explicit use_instructions(std::int64_t set) { choose(set); }
  ~use_instructions() { choose(0); }
  use_instructions(const use_instructions&) = delete;
  use_instructions& operator=(const use_instructions&) = delete;

 private:
  static void choose(std::int64_t set) {
    hwy::SetSupportedTargetsForTest(set);
    hwy::GetChosenTarget().DeInit();
  }
};

/// Calls `f(name)` with every set.
template <class F>
void with_each_instruction_set(F&& f) {
  for (const std::int64_t set : instruction_sets()) {
    const use_instructions use(set);
    f(hwy::TargetName(set));
  }
}

/// Methods whose own loops are written for vectors.
inline bool uses_vectors(const std::string& plan) {
  return plan.rfind("grid", 0) == 0 || plan.rfind("nearest-neighbor", 0) == 0;
}

}  // namespace support
