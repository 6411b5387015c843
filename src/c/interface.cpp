// The C interface: each function is one guarded call of the C++ one. This file has the search and its pairs.

#include <abut/abut.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "c/inside.hpp"

using abut::bodies_of;
using abut::c_door;
using abut::c_pairs;
using abut::error;
using abut::given;
using abut::guarded;
using abut::whole;

namespace {

// A fixed array, so that an error can be stored even if memory has run out. Longer messages are truncated.
thread_local std::array<char, 1024> last_error{};

abut::options options_of(const abut_options* options) {
  if (options == nullptr) return {};
  const abut_options o =
      whole(options, "options", "abut_options", {offsetof(abut_options, motion), offsetof(abut_options, constants)});
  abut::options made{.margin = o.margin, .threads = o.threads};
  made.periodic = abut::axes_of(o.periodic, o.periodic_min, o.periodic_max);
  if (o.motion != 0) made.motion = o.motion;
  if (o.constants != nullptr) made.constants = o.constants;
  return made;
}

abut::changes changes_of(const abut_changes* changes) {
  if (changes == nullptr) return {};
  const abut_changes c = whole(changes, "changes", "abut_changes");
  abut::changes made;
  if (c.has_margin != 0) made.margin = c.margin;
  if (c.has_periodic != 0) made.periodic = abut::axes_of(c.periodic, c.periodic_min, c.periodic_max);
  made.new_rows = abut::row_map_of(c.new_rows, c.new_row_count);
  return made;
}

template <class F>
F* called(F* f) {
  if (f == nullptr) throw error("f is NULL");
  return f;
}

// Passes the library's own batches on, on the calling thread.
template <class... Others>
void pass_on(abut::search& search, abut_batch_function f, void* context, const Others&... others) {
  const auto pass = [f = called(f), context](const abut::pair* first, std::size_t count) {
    f(context, c_pairs(first), count);
  };
  c_door::for_each_run(search, pass, others...);
}

// The same on the threads that find them.
auto batch_passer(abut_task_function f, void* context) {
  return [f = called(f), context](std::size_t task, std::span<const abut::pair> batch) {
    f(context, task, c_pairs(batch.data()), batch.size());
  };
}

void hand_out(abut_search& from, std::vector<abut::pair> found, const abut_pair*& pairs, std::size_t& count) {
  from.pairs = std::move(found);
  pairs = c_pairs(from.pairs.data());
  count = from.pairs.size();
}

// The pairs with another set, sorted.
template <class Others>
std::vector<abut::pair> pairs_between(abut::search& search, const Others& others) {
  std::vector<abut::pair> found;
  const auto keep = [&](const abut::pair* first, std::size_t n) { found.insert(found.end(), first, first + n); };
  c_door::for_each_run(search, keep, others);
  std::sort(found.begin(), found.end());
  return found;
}

abut::region region_of(const abut_region* region) {
  const abut_region r = whole(region, "region", "abut_region");
  if (r.shape == ABUT_SPHERE) return abut::sphere{{r.center[0], r.center[1], r.center[2]}, r.radius};
  if (r.shape == ABUT_BOX) return abut::box{{r.min[0], r.min[1], r.min[2]}, {r.max[0], r.max[1], r.max[2]}};
  throw error("the region's shape is " + std::to_string(r.shape) + "; it must be ABUT_SPHERE or ABUT_BOX");
}

}  // namespace

void abut::keep_error(const char* message) noexcept {
  (void)std::snprintf(last_error.data(), last_error.size(), "%s", message);
}

const char* abut_version(void) { return ABUT_VERSION; }

const char* abut_last_error(void) { return last_error.data(); }

abut_search* abut_create(const char* plan, const abut_options* options) {
  abut_search* made = nullptr;
  (void)guarded([&] {
    const abut::plan asked = plan != nullptr ? abut::plan(plan) : abut::plan();
    made = new abut_search{abut::search(asked, options_of(options))};
  });
  return made;
}

void abut_destroy(abut_search* search) {
  (void)guarded([&] { delete search; });
}

int abut_update(abut_search* search, const abut_bodies* bodies) {
  return guarded([&] { given(search, "search").search.update(bodies_of(bodies, "bodies")); });
}

int abut_update_with(abut_search* search, const abut_bodies* bodies, const abut_changes* changes) {
  return guarded([&] { given(search, "search").search.update(bodies_of(bodies, "bodies"), changes_of(changes)); });
}

int abut_pairs(abut_search* search, const abut_pair** pairs, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut_pair*& first = given(pairs, "pairs");
    std::size_t& size = given(count, "count");
    hand_out(from, from.search.pairs(), first, size);
  });
}

int abut_for_each_pair(abut_search* search, abut_batch_function f, void* context) {
  return guarded([&] { pass_on(given(search, "search").search, f, context); });
}

int abut_for_each_batch(abut_search* search, abut_task_function f, void* context) {
  return guarded([&] { given(search, "search").search.for_each_batch(batch_passer(f, context)); });
}

int abut_tasks(const abut_search* search, size_t* tasks) {
  return guarded([&] { given(tasks, "tasks") = given(search, "search").search.tasks(); });
}

abut_other_set* abut_other_set_create(const abut_bodies* bodies) {
  abut_other_set* made = nullptr;
  (void)guarded([&] { made = new abut_other_set{abut::other_set(bodies_of(bodies, "bodies"))}; });
  return made;
}

int abut_other_set_update(abut_other_set* others, const abut_bodies* bodies) {
  return guarded([&] { given(others, "others").set.update(bodies_of(bodies, "bodies")); });
}

void abut_other_set_destroy(abut_other_set* others) {
  (void)guarded([&] { delete others; });
}

int abut_pairs_between(abut_search* search, const abut_bodies* others, const abut_pair** pairs, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut::bodies other_bodies = bodies_of(others, "others");
    const abut_pair*& first = given(pairs, "pairs");
    std::size_t& size = given(count, "count");
    hand_out(from, pairs_between(from.search, other_bodies), first, size);
  });
}

int abut_pairs_between_set(abut_search* search, const abut_other_set* others, const abut_pair** pairs, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut::other_set& set = given(others, "others").set;
    const abut_pair*& first = given(pairs, "pairs");
    std::size_t& size = given(count, "count");
    hand_out(from, pairs_between(from.search, set), first, size);
  });
}

int abut_for_each_pair_between(abut_search* search, const abut_other_set* others, abut_batch_function f,
                               void* context) {
  return guarded([&] { pass_on(given(search, "search").search, f, context, given(others, "others").set); });
}

int abut_for_each_batch_between(abut_search* search, const abut_other_set* others, abut_task_function f,
                                void* context) {
  return guarded([&] {
    abut::search& from = given(search, "search").search;
    from.for_each_batch_between(given(others, "others").set, batch_passer(f, context));
  });
}

int abut_tasks_between(const abut_search* search, const abut_other_set* others, size_t* tasks) {
  return guarded(
      [&] { given(tasks, "tasks") = given(search, "search").search.tasks_between(given(others, "others").set); });
}

int abut_for_each_in(const abut_search* search, const abut_region* region, abut_rows_function f, void* context) {
  return guarded([&] {
    const abut::search& from = given(search, "search").search;
    c_door::for_each_in(from, region_of(region), {called(f), context});
  });
}
