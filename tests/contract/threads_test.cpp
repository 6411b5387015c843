// However many threads are requested, and however few the system can start: no search ends the process, and the pairs
// are the same. (OpenMP's runtime ends the process if it cannot start a thread.)

#include <cstdlib>

#include <sys/resource.h>
#include <unistd.h>

#include "base/parallel.hpp"
#include "environment.hpp"
#include "support.hpp"

namespace threads_test {
namespace {

namespace samples = abut::samples;

// Limits this process to `most` threads. The limit does not apply to root, so root becomes another user first.
void limit_threads(rlim_t most) {
  constexpr unsigned nobody = 65534;
  if (getuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) std::_Exit(2);
  const rlimit limit{most, most};
  if (setrlimit(RLIMIT_NPROC, &limit) != 0) std::_Exit(3);
}

// Ends the process, with exit code 0 if all calls find the same pairs as one thread.
[[noreturn]] void search_and_exit(int threads) {
  const samples::set bodies = samples::lattice(abut::shape::sphere, 3, 30000, 1, 0.1, 0.525, 1);
  abut::search alone(abut::plan("grid"), {.threads = 1});
  alone.update(bodies.view());
  const std::vector<abut::pair> expected = support::ordered(alone);
  for (const char* plan : {"grid", "neighboring-cell", "rtree"}) {
    abut::search search(abut::plan(plan), {.threads = threads});
    search.update(bodies.view());
    if (!support::same_pairs(support::sorted(expected), support::ordered(search))) std::_Exit(4);
    if (!support::same_pairs(support::sorted(expected), support::by_batches(search))) std::_Exit(5);
  }
  std::_Exit(0);
}

// Each death test runs in a process that has not started any thread yet; main.cpp takes care of that.

TEST(threads, are_fewer_if_the_system_starts_none) {
  EXPECT_EXIT((limit_threads(1), search_and_exit(8)), ::testing::ExitedWithCode(0), "");
}

TEST(threads, are_fewer_if_the_system_starts_only_some) {
  EXPECT_EXIT((limit_threads(6), search_and_exit(64)), ::testing::ExitedWithCode(0), "");
}

TEST(threads, are_as_many_as_asked_for) { EXPECT_EXIT(search_and_exit(64), ::testing::ExitedWithCode(0), ""); }

TEST(threads, that_the_environment_asks_for_are_capped) {
  const support::environment_variable wanted("OMP_NUM_THREADS", "100000");
  EXPECT_EXIT(
      {
        if (abut::search().threads() > abut::most_threads) std::_Exit(6);
        search_and_exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(startable_threads, are_as_many_as_wanted_without_a_limit) {
  const int wanted = abut::usable_threads(5);
  EXPECT_EQ(abut::startable_threads(wanted), wanted);
  EXPECT_EQ(abut::startable_threads(1), 1);
}

}  // namespace
}  // namespace threads_test
