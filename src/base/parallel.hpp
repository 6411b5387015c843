#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>

/// Threads. Only the source of this header and search/deliver.hpp use OpenMP; without it, the same code runs on one
/// thread.
namespace abut {

#ifdef _OPENMP

/// Resolves a requested number of threads; 0 means as many as OpenMP offers. At most `most_threads`.
[[nodiscard]] int usable_threads(int asked);

/// How many of `wanted` threads the system can start; at least 1. OpenMP ends the process if it cannot start a thread,
/// so this tries first: once per calling thread, and again only if that thread asks for more than before.
[[nodiscard]] int startable_threads(int wanted);

#else

[[nodiscard]] inline int usable_threads(int) { return 1; }
[[nodiscard]] inline int startable_threads(int) { return 1; }

#endif

/// Keeps the first exception thrown in a parallel region, because OpenMP lets none leave it.
class first_exception {
 public:
  template <class F>
  void guard(F&& f) noexcept {
    try {
      f();
    } catch (...) {
      if (!taken_.exchange(true)) caught_ = std::current_exception();
      thrown_.store(true, std::memory_order_release);
    }
  }
  [[nodiscard]] bool thrown() const { return thrown_.load(std::memory_order_acquire); }
  void rethrow() const {
    if (caught_) std::rethrow_exception(caught_);
  }

 private:
  std::atomic<bool> taken_{false};
  std::atomic<bool> thrown_{false};
  std::exception_ptr caught_;
};

/// A reference to a function of a task's number, for as long as the function lives. Loops over tasks take it so that
/// they are compiled once, not for each function.
class task_function {
 public:
  template <class F>
  explicit task_function(F& f) : f_(&f), call_([](void* of, std::size_t task) { (*static_cast<F*>(of))(task); }) {}
  void operator()(std::size_t task) const { call_(f_, task); }

 private:
  void* f_;
  void (*call_)(void* of, std::size_t task);
};

void run_tasks(int threads, std::size_t tasks, task_function f);

/// Calls `f(task)` for every task from 0 to `tasks` - 1, on up to `threads` threads, in any order. If calls throw, one
/// of the exceptions is rethrown here, and tasks not yet started are skipped.
template <class F>
void parallel_for(int threads, std::size_t tasks, F f) {
  run_tasks(threads, tasks, task_function(f));
}

/// Splits [0, count) into blocks of `size` and calls `f(block, from, to)` for each, in any order. The blocks do not
/// depend on the number of threads, so results that are combined block by block do not either.
template <class F>
void parallel_blocks(int threads, std::size_t count, std::size_t size, F&& f) {
  parallel_for(threads, (count + size - 1) / size,
               [&](std::size_t b) { f(b, b * size, std::min(count, (b + 1) * size)); });
}

}  // namespace abut
