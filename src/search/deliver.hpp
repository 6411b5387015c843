#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/parallel.hpp"

namespace abut {

/// Runs `find(task, items)` for every task on several threads, and passes each task's items to `deliver(task, items)`
/// on the calling thread, in the order of the tasks. So the user's function runs on the user's thread, in an order that
/// does not depend on the number of threads, while other threads work on later tasks. At most four tasks' items per
/// thread are held at a time. An exception from either function ends the work and is rethrown here.
template <class T>
class ordered_delivery {
 public:
  template <class Find, class Deliver>
  void run(int threads, std::size_t tasks, Find&& find, Deliver&& deliver) {
    tasks_ = tasks;
    threads = startable_threads(threads);
    slots_.resize(std::min(tasks, 4 * static_cast<std::size_t>(threads)));
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
    {
      const bool caller = omp_get_thread_num() == 0;
      failure_.guard([&] { caller ? lead(find, deliver) : follow(find); });
      if (failure_.thrown()) stop();
    }
#else
    failure_.guard([&] { lead(find, deliver); });
#endif
    failure_.rethrow();
  }

 private:
  struct slot {
    std::vector<T> items;
    bool ready = false;
  };

  [[nodiscard]] bool may_claim() const { return next_ < tasks_ && next_ < delivered_ + slots_.size(); }
  [[nodiscard]] slot& slot_of(std::size_t task) { return slots_[task % slots_.size()]; }

  void stop() {
    const std::lock_guard hold(lock_);
    stopped_ = true;
    changed_.notify_all();
  }

  // Claims the next task and finds its items. The lock is held on entry and on return, not in between.
  template <class Find>
  void work(std::unique_lock<std::mutex>& hold, Find& find) {
    const std::size_t task = next_++;
    slot& mine = slot_of(task);
    hold.unlock();
    find(task, mine.items);
    hold.lock();
    mine.ready = true;
    if (task == delivered_) changed_.notify_all();
  }

  // The calling thread: delivers what is ready, else works.
  template <class Find, class Deliver>
  void lead(Find& find, Deliver& deliver) {
    std::unique_lock hold(lock_);
    while (delivered_ < tasks_ && !stopped_) {
      slot& head = slot_of(delivered_);
      if (head.ready) {
        hold.unlock();
        deliver(delivered_, head.items);
        head.items.clear();
        hold.lock();
        head.ready = false;
        ++delivered_;
        changed_.notify_all();
      } else if (may_claim()) {
        work(hold, find);
      } else {
        changed_.wait(hold);
      }
    }
  }

  // Every other thread.
  template <class Find>
  void follow(Find& find) {
    std::unique_lock hold(lock_);
    while (next_ < tasks_ && !stopped_) {
      if (may_claim()) {
        work(hold, find);
      } else {
        changed_.wait(hold);
      }
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<slot> slots_;
  std::size_t tasks_ = 0;
  std::size_t next_ = 0;
  std::size_t delivered_ = 0;  // written by the caller's thread only, under the lock
  bool stopped_ = false;
  first_exception failure_;
};

}  // namespace abut
