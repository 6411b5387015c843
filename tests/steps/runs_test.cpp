// Arrays that lose some elements and get others in place, as lists of contacts do, against the plain way to do it.

#include <gtest/gtest.h>

#include "contacts/runs.hpp"
#include "support.hpp"

namespace runs_test {
namespace {

namespace samples = abut::samples;

// An array of which some elements are removed, and places at which others come.
struct example {
  example(std::size_t size, double removed, double inserted, std::uint64_t seed) : before(size) {
    samples::random rng(seed);
    abut::run_maker maker;
    for (std::uint32_t k = 0; k <= size; ++k) {
      while (rng.uniform(0, 1) < inserted) {
        EXPECT_EQ(maker.insert(k), after.size());
        after.push_back(none);
      }
      if (k == size) break;
      before[k] = k;
      if (rng.uniform(0, 1) < removed) {
        maker.remove(k);
      } else {
        after.push_back(k);
      }
    }
    EXPECT_EQ(maker.finish(static_cast<std::uint32_t>(size)), after.size());
    runs = maker.runs();
  }

  static constexpr std::uint32_t none = ~0U;
  std::vector<std::uint32_t> before, after;  // after: none for elements that come
  std::vector<abut::run> runs;
};

// Elements of several sizes.
template <std::size_t Words>
using element = std::array<std::uint32_t, Words>;

template <std::size_t Words>
void expect_moved(const example& e, abut::run_mover& mover, bool in_place) {
  std::vector<element<Words>> from(std::max(e.before.size(), e.after.size()));
  for (std::size_t k = 0; k < e.before.size(); ++k) from[k].fill(e.before[k]);
  std::vector<element<Words>> to(e.after.size());
  mover.move(from.data(), in_place ? from.data() : to.data(), sizeof(element<Words>));
  const std::vector<element<Words>>& moved = in_place ? from : to;
  for (std::size_t k = 0; k < e.after.size(); ++k) {
    if (e.after[k] == example::none) continue;
    for (const std::uint32_t word : moved[k]) ASSERT_EQ(word, e.after[k]) << "at " << k;
  }
}

template <class F>
void for_each_example(F&& f) {
  for (const double removed : {0.0, 0.01, 0.3, 1.0}) {
    for (const double inserted : {0.0, 0.01, 0.3, 0.9}) {
      for (const std::size_t size : {0U, 1U, 40U, 3000U}) {
        SCOPED_TRACE(std::to_string(size) + " elements, " + std::to_string(removed) + " of them removed, " +
                     std::to_string(inserted) + " inserted");
        ASSERT_NO_FATAL_FAILURE(f(example(size, removed, inserted, size + 5)));
      }
    }
  }
}

TEST(runs, are_moved_in_place_and_to_other_arrays) {
  for_each_example([](const example& e) {
    for (const int threads : {1, 2, 5}) {
      abut::run_mover mover(e.runs, threads, sizeof(element<6>));
      for (const bool in_place : {true, false}) {
        ASSERT_NO_FATAL_FAILURE(expect_moved<1>(e, mover, in_place));
        ASSERT_NO_FATAL_FAILURE(expect_moved<6>(e, mover, in_place));
      }
    }
  });
}

// All elements before a part that stays are removed, or many come before it: groups of runs move far into others.
TEST(runs, move_farther_than_a_group_is_long) {
  for (const bool up : {true, false}) {
    example e(0, 0, 0, 1);
    abut::run_maker maker;
    constexpr std::uint32_t size = 4000;
    for (std::uint32_t k = 0; k < size; ++k) {
      e.before.push_back(k);
      const bool first_half = k < size / 2;
      if (up && k == 0) {
        for (std::uint32_t n = 0; n < size / 2; ++n) {
          (void)maker.insert(0);
          e.after.push_back(example::none);
        }
      }
      if ((first_half && !up) || k % 7 == 0) {
        maker.remove(k);
      } else {
        e.after.push_back(k);
      }
    }
    maker.finish(size);
    e.runs = maker.runs();
    abut::run_mover mover(e.runs, 3, sizeof(element<6>));
    ASSERT_NO_FATAL_FAILURE(expect_moved<6>(e, mover, true));
  }
}

TEST(runs, tell_new_places) {
  for_each_example([](const example& e) {
    const abut::new_places places(e.runs, e.before.size(), 2);
    for (std::uint32_t k = 0; k < e.after.size(); ++k) {
      if (e.after[k] != example::none) {
        ASSERT_EQ(places.of(e.after[k]), k);
      }
    }
  });
}

// More elements come between two neighbors than a byte can count.
TEST(runs, tell_new_places_after_many_insertions) {
  abut::run_maker maker;
  for (int n = 0; n < 1000; ++n) (void)maker.insert(10);
  maker.remove(11);
  maker.finish(100);
  const abut::new_places places(maker.runs(), 100, 1);
  EXPECT_EQ(places.of(9), 9U);
  EXPECT_EQ(places.of(10), 1010U);
  EXPECT_EQ(places.of(12), 1011U);
  EXPECT_EQ(places.of(99), 1098U);
}

}  // namespace
}  // namespace runs_test
