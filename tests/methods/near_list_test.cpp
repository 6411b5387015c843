// The list of near pairs: complete and in order, however many tasks there are and however few pairs each finds.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "methods/nearest_neighbor/list.hpp"
#include "samples.hpp"

namespace near_list_test {
namespace {

using abut::pair;
using abut::row;

// A method that finds the given pairs, a list for each task.
class given_pairs final : public abut::method {
 public:
  explicit given_pairs(std::vector<std::vector<pair>> of_task) : of_task_(std::move(of_task)) {}

  void update(const abut::world&, abut::row_map) override {}
  [[nodiscard]] std::size_t tasks() const override { return of_task_.size(); }
  void find(std::size_t task, abut::pair_batch& out) const override {
    for (const pair& p : of_task_[task]) out.add(p);
    out.count.tests += task;
  }
  void find_in(const abut::query&, abut::row_batch&) const override {}
  void show(abut::sketcher&) const override {}
  [[nodiscard]] abut::plan planned() const override { return {}; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 private:
  std::vector<std::vector<pair>> of_task_;
};

// Tasks that find up to `most` pairs each, from task `first` on.
std::vector<std::vector<pair>> some_pairs(std::size_t tasks, std::size_t first, std::size_t most, row places) {
  abut::samples::random rng(tasks + first + most);
  std::vector<std::vector<pair>> all(tasks);
  for (std::size_t t = first; t < tasks; ++t) {
    for (std::size_t n = most == 1 ? 1 : rng.below(most + 1); n > 0; --n) {
      const auto i = static_cast<row>(rng.below(places - 1));
      all[t].push_back({i, i + 1 + static_cast<row>(rng.below(places - 1 - i))});
    }
  }
  return all;
}

// The pairs and the padding after them.
std::vector<pair> listed(const abut::near_list& list) {
  const pair* const end = list.pairs() + list.size();
  EXPECT_TRUE(std::all_of(end, end + abut::near_padding, [](const pair& p) { return p == pair{0, 0}; }));
  return {list.pairs(), end};
}

TEST(near_list, takes_all_pairs_in_the_order_of_tasks) {
  constexpr row places = 20000;
  const auto odd = [](const pair& p) { return p.j % 2 == 1; };
  abut::near_list used;  // used for one list after another
  for (const auto& [tasks, first, most] : std::vector<std::array<std::size_t, 3>>{{0, 0, 1},
                                                                                  {1, 0, 2000},
                                                                                  {64, 0, 1},
                                                                                  {65, 0, 1},
                                                                                  {200, 64, 1},
                                                                                  {500, 64, 1},
                                                                                  {300, 0, 3},
                                                                                  {130, 129, 2000}}) {
    const auto of_task = some_pairs(tasks, first, most, places);
    const given_pairs from(of_task);
    std::vector<pair> expected;
    double apart = 0;
    for (const auto& some : of_task) std::copy_if(some.begin(), some.end(), std::back_inserter(expected), odd);
    for (const pair& p : expected) apart += p.j - p.i;
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(std::to_string(tasks) + " tasks from " + std::to_string(first) + ", threads " +
                   std::to_string(threads));
      abut::near_list fresh;
      for (abut::near_list* const list : {&fresh, &used}) {
        ASSERT_TRUE(list->take(from, threads, expected.size(), odd));
        ASSERT_EQ(listed(*list), expected);
        EXPECT_EQ(list->tests(), tasks * (tasks - (tasks > 0 ? 1 : 0)) / 2);
        EXPECT_DOUBLE_EQ(list->spread() * static_cast<double>(std::max<std::size_t>(1, expected.size())), apart);
        if (expected.empty()) continue;
        EXPECT_FALSE(list->take(from, threads, expected.size() - 1, odd)) << "one too many";
      }
    }
  }
}

TEST(near_list, sorts_by_runs_of_places_and_keeps_the_order_within) {
  for (const row places : {4095, 4097, 20000}) {
    for (const std::size_t most : {1, 3, 500}) {
      const given_pairs from(some_pairs(100, 0, most, places));
      for (const int threads : {1, 3}) {
        abut::near_list list;
        ASSERT_TRUE(list.take(from, threads, 100000, [](const pair&) { return true; }));
        std::vector<pair> expected = listed(list);
        std::stable_sort(expected.begin(), expected.end(),
                         [](const pair& a, const pair& b) { return a.i / 4096 < b.i / 4096; });
        list.sort_by_place(places, threads);
        ASSERT_EQ(listed(list), expected) << places << " places, at most " << most << " pairs a task";
      }
    }
  }
}

}  // namespace
}  // namespace near_list_test
