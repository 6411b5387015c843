#include "base/parallel.hpp"

#ifdef _OPENMP
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <omp.h>

#include <abut/search.hpp>
#endif

namespace abut {

#ifdef _OPENMP

namespace {

// Starts up to `count` idle threads, all alive at once, and ends them. Returns how many could be started.
int started(int count) {
  std::mutex lock;
  std::condition_variable over;
  bool done = false;
  std::vector<std::thread> all;
  all.reserve(static_cast<std::size_t>(count));
  try {
    for (int k = 0; k < count; ++k) {
      all.emplace_back([&] {
        std::unique_lock hold(lock);
        over.wait(hold, [&] { return done; });
      });
    }
  } catch (const std::exception&) {
    // The system cannot start another thread.
  }
  {
    const std::lock_guard hold(lock);
    done = true;
  }
  over.notify_all();
  for (std::thread& one : all) one.join();
  return static_cast<int>(all.size());
}

}  // namespace

int usable_threads(int asked) { return std::min(asked > 0 ? asked : omp_get_max_threads(), most_threads); }

int startable_threads(int wanted) {
  // Per calling thread, because OpenMP starts a separate team for each.
  thread_local int known = 1;            // this many are known to start
  thread_local int most = most_threads;  // more than this are known to fail
  wanted = std::min(wanted, most);
  if (wanted <= known || omp_get_active_level() >= omp_get_max_active_levels()) return wanted;
  static std::mutex one_at_a_time;
  const std::lock_guard hold(one_at_a_time);
  // Try twice as many: for a moment the system still counts threads that have ended.
  const int others = wanted - 1;
  known = 1 + std::min(others, started(2 * others) / 2);
  if (known < wanted) most = known;
  return known;
}

#endif

void run_tasks([[maybe_unused]] int threads, std::size_t tasks, task_function f) {
#ifdef _OPENMP
  const int wanted = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), tasks));
  const int used = startable_threads(wanted);
  if (used > 1) {
    first_exception failure;
#pragma omp parallel for num_threads(used) schedule(dynamic, 1)
    for (std::size_t t = 0; t < tasks; ++t) {
      if (!failure.thrown()) failure.guard([&] { f(t); });
    }
    failure.rethrow();
    return;
  }
#endif
  for (std::size_t t = 0; t < tasks; ++t) f(t);
}

}  // namespace abut
