// The constants as text: read, given back, refused; and plans that depend on nothing else.

#include <cstdio>
#include <ctime>
#include <set>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.hpp"
#include "instruction_sets.hpp"
#include "own_cache.hpp"
#include "plan/planner.hpp"
#include "support.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ABUT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ABUT_SANITIZED 1
#endif
#endif

namespace {

thread_local int files_opened = 0;
thread_local int clocks_read = 0;

}  // namespace

// These take the place of the C library's functions, in the C++ library too. The sanitizers have their own.
#ifndef ABUT_SANITIZED
extern "C" {
int clock_gettime(clockid_t which, timespec* now) noexcept {
  ++clocks_read;
  return static_cast<int>(::syscall(SYS_clock_gettime, which, now));
}
std::FILE* fopen64(const char* path, const char* mode) {
  ++files_opened;
  const bool writes = mode[0] != 'r';
  const int file =
      static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path,
                                 writes ? O_WRONLY | O_CREAT | (mode[0] == 'w' ? O_TRUNC : O_APPEND) : O_RDONLY, 0666));
  return file < 0 ? nullptr : ::fdopen(file, mode);
}
}
#endif

namespace {

using abut::shape;
namespace samples = abut::samples;
samples::set some_bodies() { return samples::lattice(shape::sphere, 3, 2000, 1, 0.1, 0.525, 1); }

class constants : public support::own_cache {
 protected:
  /// A cache of this machine by which every plan for these bodies is one that no model would choose.
  static std::string poisoned_cache(const samples::set& bodies) {
    abut::calibration c = marked();
    const abut::features f = abut::features_of(abut::world(bodies.view(), {}, 1), {});
    c.learned = {{abut::rounded(f), "stripe-sort"}};
    return abut::text_of(c);
  }
};

std::string message_of(const std::string& text) {
  try {
    (void)abut::constants(text);
  } catch (const abut::error& problem) {
    return problem.what();
  }
  return "";
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = abut::constants("scalar");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(constants, are_read_and_given_back_as_text) {
  std::set<std::string> different;
  for (const abut::instruction_set set : abut::all_instruction_sets) {
    const std::string text = abut::constants(abut::name_of(set));
    different.insert(text);
    EXPECT_EQ(abut::constants(text), text);
    EXPECT_EQ(abut::calibration_for(text)->constants, abut::cost_constants(set)) << "to the bit";
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), abut::all_costs().size());
  }
  EXPECT_EQ(different.size(), 4U) << "NEON's are SSE4's";
  EXPECT_EQ(abut::constants("built-in"), abut::constants(abut::name_of(abut::instructions_in_use())));
  EXPECT_EQ(abut::constants(), abut::constants("built-in")) << "there is no cache";
  write(poisoned_cache(some_bodies()));
  EXPECT_EQ(abut::calibration_for(abut::constants())->constants, all_equal(7)) << "those in use";
  EXPECT_NE(abut::constants(), abut::constants("built-in"));
}

TEST_F(constants, take_any_order_and_spaces) {
  const std::string text = abut::constants("avx2");
  std::string backwards = "\n";
  for (const std::string_view line : abut::split(text, "\n"))
    backwards = "  " + std::string(line) + "\t\r\n" + backwards;
  EXPECT_EQ(abut::constants(backwards), text);
}

TEST_F(constants, that_are_wrong_are_refused_by_line_and_name) {
  const std::string first = abut::constants("scalar").substr(0, abut::constants("scalar").find('\n') + 1);
  const std::string name = first.substr(0, first.find(' '));
  EXPECT_EQ(message_of("avx3"), "unknown constants \"avx3\", did you mean \"avx2\"?");
  EXPECT_EQ(message_of("nonsense"),
            "unknown constants \"nonsense\"; give one of built-in, avx512, avx2, sse4, neon, scalar, or the text of "
            "abut::constants()");
  EXPECT_EQ(message_of(changed(name, "x" + name)),
            "constants, line 1: unknown constant \"x" + name + "\", did you mean \"" + name + "\"?");
  EXPECT_EQ(message_of("some nonsense"),
            "constants, line 1: unknown constant \"some\"; abut::constants() has a line for each that there is");
  EXPECT_EQ(message_of(changed(first, "")), "constants: a line for " + name +
                                                " is missing; abut::constants() has all " +
                                                std::to_string(abut::all_costs().size()) + " lines");
  EXPECT_EQ(message_of(changed(first, "\n" + first + first)),
            "constants, line 3: " + name + " stands in line 2 already; keep one of them");
  for (const char* value : {"0", "-1", "nan", "inf", "1e9", "1 2", "x", ""}) {
    EXPECT_EQ(message_of(changed(first, name + " " + value + "\n")),
              "constants, line 1: " + name + " is \"" + value + "\"; it must be a time in ns, > 0 and < 1e9");
  }
  EXPECT_NE(message_of("\n"), "");
}

TEST_F(constants, that_are_wrong_are_refused_by_all_that_take_options) {
  const samples::set bodies = some_bodies();
  const abut::options wrong{.constants = "avx3"};
  EXPECT_THROW(abut::search(abut::plan(), wrong), abut::error);
  EXPECT_THROW(abut::search(abut::plan("hashing"), wrong), abut::error) << "though no planner is asked";
  EXPECT_THROW((void)abut::estimated_plan(bodies.view(), wrong), abut::error);
  EXPECT_THROW((void)abut::measured_plan(bodies.view(), wrong), abut::error);
  EXPECT_THROW((void)abut::find_pairs(bodies.view(), wrong), abut::error);
}

TEST_F(constants, decide_the_plan) {
  const samples::set bodies = some_bodies();
  const std::string built_in = abut::constants("avx2");
  std::string slow_grid;
  for (const std::string_view line : abut::split(built_in, "\n")) {
    slow_grid +=
        line.starts_with("grid.") ? std::string(line.substr(0, line.find(' '))) + " 1e6\n" : std::string(line) + "\n";
  }
  const abut::plan with_grid = abut::estimated_plan(bodies.view(), {.constants = "avx2"});
  EXPECT_EQ(with_grid.method(), "grid");
  const abut::plan chosen = abut::estimated_plan(bodies.view(), {.constants = slow_grid});
  EXPECT_NE(chosen.method(), "grid");
  abut::search search(abut::plan(), {.constants = slow_grid});
  search.update(bodies.view());
  EXPECT_EQ(search.planned().method(), chosen.method());
  EXPECT_EQ(search.pairs(), reference::pairs(bodies));
}

TEST_F(constants, that_are_given_leave_the_cache_alone) {
  const samples::set bodies = some_bodies();
  write(poisoned_cache(bodies));
  const std::string before = read();
  ASSERT_EQ(abut::estimated_plan(bodies.view()).text(), "stripe-sort") << "the poison works";
  abut::search by_cache;
  by_cache.update(bodies.view());
  ASSERT_EQ(by_cache.planned().method(), "stripe-sort");
  for (const std::string& given : {std::string("built-in"), std::string("scalar"), abut::constants()}) {
    const abut::options o{.threads = 1, .constants = given};
    EXPECT_NE(abut::estimated_plan(bodies.view(), o).text(), "stripe-sort") << "not learned, whatever the constants";
    abut::search search(abut::plan(), o);
    search.update(bodies.view());
    EXPECT_NE(search.planned().method(), "stripe-sort");
    EXPECT_NE(abut::measured_plan(bodies.view(), o).text(), "stripe-sort");
  }
  EXPECT_EQ(read(), before) << "a trial is not remembered either";
}

TEST_F(constants, of_a_named_set_give_the_same_plans_with_every_set) {
  for (const samples::sample& sample : samples::all()) {
    for (const int dimension : {2, 3}) {
      const samples::set bodies = sample.make(shape::sphere, dimension, 5);
      std::vector<std::string> seen;
      support::with_each_instruction_set([&](const char* name) {
        const abut::options o{.motion = 1e-3, .constants = "sse4"};
        std::string here;
        for (const abut::candidate& c : abut::estimated_candidates(bodies.view(), o)) {
          here += c.what.text() + " " + support::number(c.predicted) + " " + c.what.reason() + "\n";
        }
        abut::search search(abut::plan(), o);
        search.update(bodies.view());
        here += search.planned().text();
        for (const abut::pair p : support::ordered(search)) here += " " + support::pair_text(p);
        seen.push_back(here);
        EXPECT_EQ(here, seen.front()) << name << " " << sample.name;
      });
    }
  }
}

TEST_F(constants, that_are_given_need_no_file_and_no_clock) {
#ifdef ABUT_SANITIZED
  GTEST_SKIP() << "the sanitizers watch these functions themselves";
#else
  samples::set bodies = some_bodies();
  write(poisoned_cache(bodies));
  const auto count = [&](const abut::options& o) {
    abut::forget_calibration();
    files_opened = clocks_read = 0;
    abut::search search(abut::plan(), o);
    for (int step = 0; step < 30; ++step) {  // in which a list of neighbors comes into use and is tuned
      search.update(bodies.view());
      EXPECT_GT(search.pairs().size(), 0U);
      for (double& x : bodies.column[0]) x += 1e-5;
    }
    (void)abut::estimated_plan(bodies.view(), o);
  };
  count({.threads = 2, .constants = "built-in"});
  EXPECT_EQ(files_opened, 0);
  EXPECT_EQ(clocks_read, 0);
  count({.threads = 2, .constants = abut::constants("avx2")});
  EXPECT_EQ(files_opened, 0);
  EXPECT_EQ(clocks_read, 0);
  count({.threads = 2});
  EXPECT_GT(files_opened, 0) << "the cache, and what the processor is called";
  EXPECT_EQ(clocks_read, 0) << "an estimate never reads a clock";
  (void)abut::measured_plan(bodies.view(), {.threads = 1, .constants = "built-in"});
  EXPECT_GT(clocks_read, 0) << "a measurement does";
#endif
}

}  // namespace
