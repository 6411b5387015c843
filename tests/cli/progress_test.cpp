// The progress line: estimates of the time left, with simulated clocks, and what the line shows.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "bench/forecast.hpp"
#include "screen/progress.hpp"
#include "screen/words.hpp"

namespace progress_test {
namespace {

using abut::cli::countdown;
using abut::cli::pace;
using abut::cli::progress_view;
using abut::cli::rough_duration;

struct shown {
  double now = 0;
  std::optional<double> left;
  std::optional<double> stalled;
};

/// What the line shows, ten times a second, if the work has done `part(t)` at time t.
std::vector<shown> watch(double seconds, const std::function<double(double)>& part) {
  pace p(0);
  countdown smooth;
  std::vector<shown> all;
  for (int k = 1; k <= 10 * seconds; ++k) {
    const double now = 0.1 * k;
    p.see(now, part(now));
    shown s{now, p.left(now), p.stalled(now)};
    if (s.left) s.left = smooth.follow(now, *s.left);
    all.push_back(s);
  }
  return all;
}

TEST(time_left, of_steady_work_is_right_and_runs_with_the_clock) {
  for (const double whole : {3.0, 40.0, 500.0, 20'000.0}) {
    const double until = std::min(whole, 600.0);
    for (const shown& s : watch(until - 0.2, [&](double t) { return t / whole; })) {
      if (s.now < 1) {
        EXPECT_FALSE(s.left) << "too soon to tell";
        continue;
      }
      ASSERT_TRUE(s.left) << s.now;
      EXPECT_NEAR(*s.left, whole - s.now, 0.3 + 0.01 * whole) << "at " << s.now << " of " << whole;
    }
  }
}

TEST(time_left, of_work_in_long_steps_counts_down_between_them) {
  // A report every 4 s.
  double last = 101;
  for (const shown& s : watch(99, [](double t) { return std::floor(t / 4) * 4 / 100; })) {
    if (s.now < 8.05) continue;
    ASSERT_TRUE(s.left) << s.now;
    EXPECT_NEAR(*s.left, 100 - s.now, 4.5) << s.now;
    EXPECT_LT(*s.left, last + 0.5) << "no saw";
    last = *s.left;
  }
}

TEST(time_left, of_work_at_an_uneven_pace_is_steady) {
  // Twice as fast in every other second.
  const auto part = [](double t) {
    const double whole = std::floor(t / 2);
    const double rest = t - 2 * whole;
    return (whole * 3 + (rest < 1 ? 2 * rest : 2 + (rest - 1))) / 90;  // 60 s
  };
  double last = 61;
  for (const shown& s : watch(59, part)) {
    if (s.now < 8) continue;
    ASSERT_TRUE(s.left);
    EXPECT_NEAR(*s.left, 60 - s.now, 6) << s.now;
    EXPECT_LT(*s.left, last + 0.2) << s.now;
    last = *s.left;
  }
}

TEST(time_left, follows_work_that_slows_down) {
  // At 20 s the pace falls to a fifth: 50 s are left instead of 10.
  const auto part = [](double t) { return t < 20 ? t / 30 : 2.0 / 3 + (t - 20) / 150; };
  const std::vector<shown> all = watch(69, part);
  for (const shown& s : all) {
    if (s.now < 2) continue;
    ASSERT_TRUE(s.left) << s.now;
    if (s.now < 20) {
      EXPECT_NEAR(*s.left, 30 - s.now, 1);
    }
    if (s.now > 30) {
      EXPECT_GT(*s.left, 0.35 * (70 - s.now)) << s.now;
    }
    if (s.now > 40) {
      EXPECT_NEAR(*s.left, 70 - s.now, 0.4 * (70 - s.now) + 1) << s.now;
    }
  }
}

TEST(time_left, is_never_stuck_if_work_gets_slower_and_slower) {
  // All is done but 1 / (1 + t), like a box that fills up: the time so far divided by the part done would say 1 s
  // forever.
  std::string last;
  double since = 0;
  for (const shown& s : watch(300, [](double t) { return 1 - 1 / (1 + t); })) {
    if (s.now < 2) continue;
    const std::string words = s.left ? rough_duration(*s.left) : "none";
    if (words != last) since = s.now;
    last = words;
    EXPECT_LT(s.now - since, 5 + 0.5 * s.now) << words << " at " << s.now;
    if (s.now > 30 && s.left) {
      EXPECT_GT(*s.left, 3);
    }
  }
}

TEST(time_left, says_so_if_work_stalls) {
  // 90 % in 20 s, then nothing until 95 s, then the same pace as before.
  const auto part = [](double t) { return t < 20 ? 0.9 * t / 20 : t < 95 ? 0.9 : 0.9 + 0.1 * (t - 95) / 5; };
  double last = 0;
  for (const shown& s : watch(99, part)) {
    if (s.now > 26 && s.now < 94.9) {
      ASSERT_TRUE(s.stalled) << s.now;
      EXPECT_FALSE(s.left) << "nobody knows";
      EXPECT_NEAR(*s.stalled, s.now - 20, 0.2);
      EXPECT_GT(*s.stalled, last);
      last = *s.stalled;
    } else {
      EXPECT_TRUE(!s.stalled || (s.now > 25 && s.now < 95.1)) << s.now;
    }
    if (s.now > 95.2) {
      ASSERT_TRUE(s.left);
      EXPECT_LT(*s.left, 15) << "soon forgotten";
    }
  }
}

TEST(time_left, begins_anew_with_the_work) {
  pace p(0);
  p.see(10, 0.5);
  p.see(11, 0);  // the work restarts
  EXPECT_FALSE(p.left(11.5));
  p.see(13, 0.2);
  ASSERT_TRUE(p.left(13));
  EXPECT_NEAR(*p.left(13), 8, 0.1);
  p.see(20, 1);
  EXPECT_FALSE(p.left(20)) << "nothing is left";
}

TEST(time_left, in_words_is_as_coarse_as_it_is_sure) {
  const std::vector<std::pair<double, const char*>> cases = {
      {0, "1 s"},        {0.4, "1 s"},  {1.1, "2 s"},         {10, "10 s"},        {10.2, "15 s"},
      {55, "55 s"},      {56, "1 min"}, {61, "1 min 10 s"},   {590, "9 min 50 s"}, {591, "10 min"},
      {7000, "117 min"}, {7200, "2 h"}, {7300, "2 h 10 min"}, {1e6, "days"}};
  for (const auto& [seconds, words] : cases) EXPECT_EQ(rough_duration(seconds), words) << seconds;
}

TEST(progress_words, fit_and_keep_their_places) {
  progress_view view{.stage = "finding pairs (pairing)", .gone = 12, .part = 0.437, .left = 23.0};
  EXPECT_EQ(in_words(view, 80, false), "[#############.................]  43 %  25 s left  finding pairs (pairing)");
  view.left = 8.0;
  EXPECT_EQ(in_words(view, 80, false), "[#############.................]  43 %  8 s left   finding pairs (pairing)");
  view.left.reset();
  view.stalled = 75.3;
  EXPECT_EQ(in_words(view, 80, false),
            "[#############.................]  43 %  no news for 75 s  finding pairs (pairin");
  view.stalled.reset();
  EXPECT_EQ(in_words(view, 60, true), "██████░░░░░░░░░  43 %  finding pairs (pairing)");
  view.part = 0.9999;
  EXPECT_EQ(in_words(view, 40, true), " 99 %  finding pairs (pairing)") << "not done, and no room for a bar";
  view.part.reset();
  EXPECT_EQ(in_words(view, 80, true), "finding pairs (pairing) ... 12 s");
  view.gone = 0.5;
  EXPECT_EQ(in_words(view, 80, true), "finding pairs (pairing) ...");
}

TEST(progress_words, never_wrap_nor_split_a_character) {
  for (std::size_t width = 2; width < 120; ++width) {
    for (const bool unicode : {false, true}) {
      for (const std::optional<double> part : {std::optional<double>(), std::optional<double>(0.5)}) {
        const progress_view view{.stage = "reading grü\nße.csv" + std::string(50, 'x'), .part = part, .left = 100.0};
        const std::string line = in_words(view, width, unicode);
        EXPECT_LT(abut::cli::characters(line), width);
        EXPECT_EQ(abut::cli::one_line(line), line) << "whole characters, one line";
      }
    }
  }
}

struct invented_clock {
  double now = 100;
  [[nodiscard]] abut::cli::seconds_clock reader() {
    return [this] { return now; };
  }
};

TEST(forecast, of_passes_that_take_what_they_took_runs_with_the_clock) {
  using abut::cli::pass;
  invented_clock clock;
  abut::cli::forecast f(2, 1, 4, 0, clock.reader());  // two plans and the reference: updates of 1 s, finds of 2 s
  double left = 0;
  const auto run = [&](std::size_t plan, pass which, double seconds, bool known) {
    f.begin(plan, which);
    for (int k = 0; k < 10; ++k) {
      if (known) {
        EXPECT_NEAR(f.left(), left, 1e-6);
      }
      clock.now += seconds / 10;
      left -= seconds / 10;
    }
    f.end();
  };
  left = 3 + 2 * (4 * 1 + 5 * 2);
  const double whole = left;
  run(2, pass::update, 1, false);
  run(2, pass::find, 2, false);
  for (int repeat = 0; repeat < 4; ++repeat) {
    for (const std::size_t plan : {0U, 1U}) {
      run(plan, pass::update, 1, repeat > 0);
      run(plan, pass::find, 2, repeat > 0);
      if (repeat == 0) run(plan, pass::check, 2, false);
    }
  }
  EXPECT_NEAR(f.elapsed(), whole, 1e-6);
  EXPECT_EQ(f.left(), 0);
}

TEST(forecast, is_never_stuck_in_a_pass_that_says_nothing) {
  using abut::cli::pass;
  invented_clock clock;
  abut::cli::forecast f(1, 1, 3, 0, clock.reader());
  f.guess(0, 10'000, false);  // some ms
  f.guess(1, 10'000, false);
  f.begin(0, pass::update);  // which takes 75 s
  double last = f.left();
  for (int second = 1; second <= 75; ++second) {
    clock.now += 1;
    EXPECT_GT(f.left(), last + 1) << "later by the second, for this and for the next";
    last = f.left();
  }
  f.end();
  EXPECT_NEAR(f.left(), 150, 1) << "two more of these";
}

TEST(forecast, believes_a_pass_that_says_how_far_it_is) {
  using abut::cli::pass;
  invented_clock clock;
  abut::cli::forecast f(1, 1, 1, 0, clock.reader());
  f.guess(0, 1000, true);
  f.begin(0, pass::find);
  clock.now += 36;
  f.done(0.2);  // of the tasks; each body is compared with all later ones, so 36 % of the work is done
  EXPECT_NEAR(f.left(), 64 + 100, 0.1) << "and the check";
  clock.now += 39;
  f.done(0.5);
  EXPECT_NEAR(f.left(), 25 + 100, 0.1);
}

}  // namespace
}  // namespace progress_test
