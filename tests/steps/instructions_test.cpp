// The instruction sets: their names, their order, and which of them this machine can use.

#include "base/instructions.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace instructions_test {
namespace {

TEST(instructions, the_best_usable_set_is_in_use) {
  abut::use_instructions(std::nullopt);
  const auto usable = abut::usable_instructions();
  ASSERT_FALSE(usable.empty());
  EXPECT_EQ(abut::instructions_in_use(), usable.front());
  EXPECT_TRUE(std::is_sorted(usable.begin(), usable.end())) << "from the best to the least";
  EXPECT_EQ(std::adjacent_find(usable.begin(), usable.end()), usable.end()) << "each once";
}

TEST(instructions, have_names_of_their_own) {
  std::set<std::string> names;
  for (const abut::instruction_set set : abut::all_instruction_sets) {
    EXPECT_TRUE(names.insert(abut::name_of(set)).second) << abut::name_of(set);
  }
  for (const abut::instruction_set set : abut::usable_instructions()) {
    EXPECT_EQ(abut::instructions_named(abut::name_of(set)), set);
  }
  EXPECT_FALSE(abut::instructions_named("AVX2")) << "small letters only";
  EXPECT_FALSE(abut::instructions_named(""));
}

#if defined(__x86_64__)
TEST(instructions, are_those_that_the_processor_has) {
  __builtin_cpu_init();
  const auto usable = abut::usable_instructions();
  const auto uses = [&](abut::instruction_set set) {
    return std::find(usable.begin(), usable.end(), set) != usable.end();
  };
  EXPECT_EQ(uses(abut::instruction_set::avx512), static_cast<bool>(__builtin_cpu_supports("avx512bw")));
#ifdef ABUT_LEFT_OUT
  const bool needed = !uses(abut::instruction_set::avx512);  // this build has no other sets than the best
#else
  const bool needed = true;
#endif
  EXPECT_EQ(uses(abut::instruction_set::avx2), needed && static_cast<bool>(__builtin_cpu_supports("avx2")));
}
#endif

}  // namespace
}  // namespace instructions_test
