// Calibrations: what is measured, what is kept, and for which build and machine.

#include <map>
#include <set>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "instruction_sets.hpp"
#include "own_cache.hpp"
#include "plan/build_stamp.hpp"
#include "support.hpp"

namespace calibration_test {
namespace {

using abut::calibration_result;
using abut::run_time;
using support::environment_variable;
using calibration = support::own_cache;

TEST_F(calibration, reads_back) {
  abut::calibration c = marked();
  c.constants[*abut::all_costs()[3]] = 0.1 + 0.2;
  c.learned = {{"spheres 3D count=2^9", "hashing clear=all"}, {"boxes 2D count=2^4", "nearest-neighbor distance=0.3"}};
  const auto back = abut::read_calibration(abut::text_of(c));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->constants, c.constants);
  EXPECT_EQ(back->learned, c.learned);
  EXPECT_TRUE(back->of_this_machine);
}

TEST_F(calibration, a_damaged_or_foreign_cache_counts_as_none) {
  const std::string good = abut::text_of(marked());
  write(good);
  EXPECT_TRUE(abut::calibrated());
  EXPECT_EQ(abut::calibration_in_force()->constants, all_equal(7));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::vector<std::string> bad = {
      "",
      "\n",
      std::string(1000, '\0'),
      good.substr(0, good.size() / 2),
      good.substr(0, good.size() - 1),
      good.substr(good.find('\n') + 1),
      changed("calibration 3", "calibration 2"),
      changed("version ", "version 9"),
      changed("build ", "build 0"),
      changed(std::string("; ").append(abut::name_of(abut::instructions_in_use())), "; MMX"),
      changed(" cores", "0 cores"),
      changed("grid.body 7", "grid.body -7"),
      changed("grid.body 7", "grid.body nan"),
      changed("grid.body 7", "grid.body"),
      changed("grid.body 7\n", ""),
      changed("grid.body", "gird.body"),
      good + "learned something\n",
      good + "learned spheres: xyzzy\n",
      good + "learned spheres: auto\n",
      good + "nonsense\n",
  };
  for (const std::string& text : bad) {
    write(text);
    EXPECT_FALSE(abut::calibrated()) << text;
    EXPECT_EQ(abut::calibration_in_force()->constants, abut::cost_constants());
  }
}

TEST_F(calibration, what_threads_and_processes_learn_at_once_is_all_kept) {
  constexpr int processes = 3, threads = 2, each = 8;
  EXPECT_TRUE(abut::put_into_force(marked()));
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto learn = [p](int t) {
        for (int k = 0; k < each; ++k) {
          abut::remember(std::to_string(p) + " " + std::to_string(t) + " " + std::to_string(k), "hashing");
        }
      };
      std::vector<std::thread> others;
      for (int t = 1; t < threads; ++t) others.emplace_back(learn, t);
      learn(0);
      for (std::thread& other : others) other.join();
      ::_exit(0);
    }
    ASSERT_GT(child, 0);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  abut::forget_calibration();
  const auto now = abut::calibration_in_force();
  EXPECT_EQ(now->constants, marked().constants);
  EXPECT_EQ(now->learned.size(), static_cast<std::size_t>(processes * threads * each));
}

TEST_F(calibration, what_is_kept_is_whole_and_alone_in_its_folder) {
  EXPECT_FALSE(abut::calibrated());
  EXPECT_TRUE(abut::put_into_force(marked())) << "the folder is made where there is none";
  EXPECT_TRUE(abut::calibrated());
  EXPECT_EQ(read(), abut::text_of(marked()));
  abut::remember("these features", "hashing");
  abut::remember("those features", "hashing");
  abut::remember("these features", "dess");
  abut::forget_calibration();
  const auto now = abut::calibration_in_force();
  EXPECT_EQ(now->learned.size(), 2U);
  ASSERT_NE(now->learned_for("these features"), nullptr);
  EXPECT_EQ(*now->learned_for("these features"), "dess");
  EXPECT_EQ(now->learned_for("no features"), nullptr);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "cache")) ++files;
  EXPECT_EQ(files, 1U);
}

TEST_F(calibration, a_cache_that_cannot_be_written_changes_nothing_else) {
  std::ofstream(folder / "cache") << "a file where the folder should be";
  EXPECT_FALSE(abut::put_into_force(marked()));
  EXPECT_TRUE(abut::calibrated()) << "in force all the same";
  const environment_variable none("ABUT_CACHE", "");
  const environment_variable home("HOME", "/home/someone");
  {
    const environment_variable caches("XDG_CACHE_HOME", "/somewhere");
    EXPECT_EQ(abut::calibration_file(), "/somewhere/abut/calibration");
  }
  const environment_variable no_caches("XDG_CACHE_HOME", std::nullopt);
  EXPECT_EQ(abut::calibration_file(), "/home/someone/.cache/abut/calibration");
}

/// A section as another build would write it.
std::string section_of_build(int number, const std::string& content = "grid.body 7\n") {
  return "abut calibration 3; version 0.1.0, build " + std::to_string(number) + "\n" + content;
}

TEST_F(calibration, the_stamp_names_build_and_instructions) {
  const std::string stamp = abut::calibration_stamp();
  EXPECT_NE(stamp.find(std::string("build ") + abut::build_stamp()), std::string::npos) << stamp;
  EXPECT_NE(stamp.find("; " + std::string(abut::name_of(abut::instructions_in_use())) + "; "), std::string::npos);
  EXPECT_EQ(stamp.find('\n'), std::string::npos);
}

TEST_F(calibration, other_builds_keep_what_they_wrote) {
  const std::string others = section_of_build(1) + section_of_build(2, "");
  write(others);
  EXPECT_FALSE(abut::calibrated());
  EXPECT_TRUE(abut::put_into_force(marked()));
  EXPECT_EQ(read(), abut::text_of(marked()) + others);
  abut::remember("these features", "hashing");
  EXPECT_TRUE(read().ends_with("learned these features: hashing\n" + others)) << "replaced, not added: " << read();
  // The file as another build leaves it: with its own section first.
  write(section_of_build(3) + read());
  EXPECT_EQ(abut::calibration_in_force()->constants, all_equal(7));
  EXPECT_EQ(abut::calibration_in_force()->learned.size(), 1U);
}

TEST_F(calibration, the_cache_does_not_grow_without_limit) {
  std::string cache = "nonsense before the first section\n";
  for (int build = 0; build < 40; ++build) cache = abut::with_section(cache, section_of_build(build));
  std::string expected;
  for (int build = 39; build >= 24; --build) expected += section_of_build(build);
  EXPECT_EQ(cache, expected) << "the last sixteen, the latest first";
  const std::string huge = section_of_build(50, std::string(100'000, 'x') + "\n");
  const std::string half = "abut calibration 3; not a whole line";
  EXPECT_EQ(abut::with_section(huge + section_of_build(51) + half, section_of_build(52)),
            section_of_build(52) + section_of_build(51));
}

TEST_F(calibration, what_was_learned_is_kept_without_constants) {
  abut::remember("these features", "hashing");
  abut::forget_calibration();
  EXPECT_FALSE(abut::calibrated()) << "built-in constants do not become those of this machine";
  EXPECT_EQ(abut::calibration_in_force()->constants, abut::cost_constants());
  ASSERT_NE(abut::calibration_in_force()->learned_for("these features"), nullptr);
}

TEST_F(calibration, each_instruction_set_has_its_own) {
  std::set<std::string> stamps;
  support::with_each_instruction_set([&](const char* name) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(stamps.insert(abut::calibration_stamp()).second);
    EXPECT_FALSE(abut::calibrated()) << "those of the set before are not taken";
    EXPECT_EQ(abut::calibration_in_force()->constants, abut::cost_constants(abut::instructions_in_use()));
    EXPECT_TRUE(
        abut::put_into_force({.constants = all_equal(static_cast<double>(stamps.size())), .of_this_machine = true}));
  });
  double ns = 0;
  support::with_each_instruction_set(
      [&](const char* name) { EXPECT_EQ(abut::calibration_in_force()->constants, all_equal(++ns)) << name; });
}

/// A simulated machine whose times we decide. It runs nothing.
struct machine {
  double ns = 100;        ///< processor time per body
  double waiting = 0;     ///< time spent waiting for the processor, relative to the time on it
  std::size_t busy = 0;   ///< how many runs at the start take three times as long, and wait
  bool restless = false;  ///< whether times vary by a factor of up to three
  std::size_t runs = 0;
  abut::samples::random random{1};

  [[nodiscard]] abut::timer timer() {
    return [this](abut::search&, const abut::bodies& b) {
      const bool now_busy = runs++ < busy;
      const double slower = now_busy ? 3 : restless ? random.uniform(1, 3) : 1;
      const double seconds = 1e-9 * ns * slower * static_cast<double>(b.size());
      return run_time{.processor = seconds, .wall = seconds * (1 + (now_busy ? 1 : waiting))};
    };
  }
};

TEST_F(calibration, takes_what_a_quiet_machine_says) {
  machine quiet{.waiting = 0.02};
  const auto once = abut::measured_constants(quiet.timer());
  ASSERT_TRUE(once);
  machine twice{.ns = 200};
  const auto slower = abut::measured_constants(twice.timer());
  ASSERT_TRUE(slower);
  for (const abut::cost* one : abut::all_costs()) {
    EXPECT_GT((*once)[*one], 0) << one->name;
    if (one->name.starts_with("rebuild.")) continue;  // its amount is relative to another method's time
    EXPECT_NEAR((*slower)[*one] / (*once)[*one], 2, 1e-6) << one->name;
  }
}

TEST_F(calibration, does_not_keep_what_a_busy_machine_says) {
  machine quiet;
  ASSERT_TRUE(abut::measured_constants(quiet.timer()));
  machine waiting{.waiting = 0.3};
  machine restless{.restless = true};
  for (machine* busy : {&waiting, &restless}) {
    EXPECT_EQ(abut::calibrate_by(busy->timer()), calibration_result::busy);
    EXPECT_LE(busy->runs, 2 * quiet.runs) << "it gives up";
    EXPECT_FALSE(abut::calibrated());
    EXPECT_EQ(abut::calibration_in_force()->constants, abut::cost_constants());
    EXPECT_EQ(read(), "");
  }
  EXPECT_LT(waiting.runs, quiet.runs) << "as soon as it cannot succeed";

  ASSERT_TRUE(abut::put_into_force(marked()));
  const std::string before = read();
  EXPECT_EQ(abut::calibrate_by(waiting.timer()), calibration_result::busy);
  EXPECT_EQ(abut::calibration_in_force()->constants, all_equal(7)) << "what a quiet machine said holds";
  EXPECT_EQ(read(), before);
}

TEST_F(calibration, leaves_out_what_it_measured_in_a_busy_moment) {
  machine quiet;
  machine at_first{.busy = 10};
  EXPECT_EQ(abut::measured_constants(at_first.timer()), abut::measured_constants(quiet.timer()));
  EXPECT_GT(at_first.runs, quiet.runs) << "measured again";
}

TEST_F(calibration, is_not_tried_again_and_again_on_a_busy_machine) {
  machine busy{.waiting = 0.3};
  abut::calibrate_if_needed(busy.timer());
  EXPECT_FALSE(abut::calibrated());
  const std::size_t runs = busy.runs;
  EXPECT_GT(runs, 0U);
  abut::calibrate_if_needed(busy.timer());
  EXPECT_EQ(busy.runs, runs) << "tried once in a process";
  machine quiet;
  EXPECT_EQ(abut::calibrate_by(quiet.timer()), calibration_result::saved) << "unless it is asked for";
  const std::size_t first = quiet.runs;
  abut::calibrate_if_needed(quiet.timer());
  EXPECT_EQ(quiet.runs, first) << "known now";
}

TEST_F(calibration, is_kept_if_the_machine_was_quiet) {
  machine quiet;
  EXPECT_EQ(abut::calibrate_by(quiet.timer()), calibration_result::saved);
  EXPECT_TRUE(abut::calibrated());
  const abut::cost_constants now = abut::calibration_in_force()->constants;
  abut::forget_calibration();
  EXPECT_EQ(abut::calibration_in_force()->constants, now);
  machine another;
  EXPECT_EQ(abut::measured_constants(another.timer()), now);
  std::filesystem::remove_all(folder / "cache");
  std::ofstream(folder / "cache") << "a file where the folder should be";
  EXPECT_EQ(abut::calibrate_by(quiet.timer()), calibration_result::not_saved);
}

}  // namespace
}  // namespace calibration_test
