// The parts of the verb `bench`: its moving bodies, its choice of plans, its statistics and its words.

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "bench/bench.hpp"
#include "bench/walking_bodies.hpp"
#include "run_program.hpp"
#include "screen/words.hpp"

namespace bench_parts_test {
namespace {

using numbers = std::vector<std::vector<double>>;

TEST(bench_bodies, walk_within_their_bounds_and_come_back) {
  for (const abut::shape kind : {abut::shape::sphere, abut::shape::box}) {
    abut::cli::bodies_file file;
    file.kind = kind;
    file.dimension = 2;
    file.size = 2;
    // Two spheres of diameter 1 and 4, or two boxes of sides 1 x 2 and 4 x 1.
    const numbers columns =
        kind == abut::shape::sphere ? numbers{{1, 9}, {5, 7}, {0.5, 2}} : numbers{{0, 5}, {3, 6}, {1, 9}, {5, 7}};
    for (std::size_t k = 0; k < columns.size(); ++k) file.columns[k] = abut::column(columns[k]);
    const numbers sides = kind == abut::shape::sphere ? numbers{{1, 4}, {1, 4}} : numbers{{1, 4}, {2, 1}};

    abut::cli::walking_bodies walk(file, 0.25, 3);
    const auto x = [&](int axis, std::size_t i) {
      return walk.view().at(axis)[i];  // the center, or the lower corner
    };
    double last[2][2] = {{x(0, 0), x(0, 1)}, {x(1, 0), x(1, 1)}};
    double farthest[2][2] = {};
    std::vector<double> path;
    for (int step = 0; step < 200; ++step) {
      walk.step();
      for (int axis : {0, 1}) {
        for (std::size_t i : {0U, 1U}) {
          const double moved = std::abs(x(axis, i) - last[axis][i]);
          farthest[axis][i] = std::max(farthest[axis][i], moved);
          last[axis][i] = x(axis, i);
          path.push_back(last[axis][i]);
        }
      }
    }
    for (std::size_t axis : {0U, 1U}) {
      for (std::size_t i : {0U, 1U}) {
        EXPECT_LE(farthest[axis][i], 0.25 * sides[axis][i] * (1 + 1e-9));
        EXPECT_GT(farthest[axis][i], 0.24 * sides[axis][i]);
      }
    }
    walk.restart();
    std::vector<double> again;
    EXPECT_EQ(x(0, 0), columns[0][0]);
    for (int step = 0; step < 200; ++step) {
      walk.step();
      for (int axis : {0, 1}) {
        for (std::size_t i : {0U, 1U}) again.push_back(x(axis, i));
      }
    }
    EXPECT_EQ(path, again);
    if (kind == abut::shape::sphere) {
      EXPECT_EQ(path.back(), 0x1.4bdbe8805dc69p+3)
          << "the same bits on every machine: " << std::hexfloat << path.back();
    }
  }
}

TEST(bench_plans, above_50_000_bodies) {
  const auto plans = [](const std::string& methods, std::size_t bodies, std::size_t left) {
    abut::cli::bench_arguments given;
    given.demo = true;
    given.methods = methods;
    std::vector<std::string> left_out;
    std::string list;
    for (const abut::plan& p : plans_for(understand_bench(given), bodies, left_out)) list += p.text() + ";";
    EXPECT_EQ(left_out.size(), left) << methods;
    return list;
  };
  const std::string all = plans("all", 50'000, 0);
  EXPECT_EQ(all.substr(0, 24), "pairing;bounding-volume;");
  EXPECT_EQ(plans("all", 50'001, 2), all.substr(24));
  EXPECT_EQ(plans("all,pairing", 50'001, 1), all.substr(24) + "pairing;");
  EXPECT_EQ(plans("pairing", 50'001, 0), "pairing;");
  EXPECT_EQ(plans(" auto , pairing,auto", 10, 0), "auto;pairing;") << "none twice";
}

TEST(bench_growth, power_is_the_slope_of_logarithms) {
  const std::vector<std::uint64_t> sizes = {100, 200, 400, 800};
  const auto power = [&](double (*f)(double)) {
    std::vector<double> values;
    for (const std::uint64_t n : sizes) values.push_back(f(static_cast<double>(n)));
    return abut::cli::power_of(sizes, values);
  };
  EXPECT_NEAR(*power([](double n) { return 3 * n; }), 1, 1e-12);
  EXPECT_NEAR(*power([](double n) { return 0.1 * n * std::sqrt(n); }), 1.5, 1e-12);
  EXPECT_NEAR(*power([](double) { return 7.0; }), 0, 1e-12);
  EXPECT_NEAR(*power([](double n) { return n * std::log(n); }), 1.17, 0.01);
  EXPECT_FALSE(power([](double n) { return n - 100; })) << "a logarithm of 0";
  EXPECT_FALSE(abut::cli::power_of({5}, {7.0})) << "a single size";
}

TEST(bench_growth, the_innermost_have_the_shape_and_density_of_all) {
  for (const abut::shape kind : {abut::shape::sphere, abut::shape::box}) {
    for (const int dimension : {2, 3}) {
      const auto all = abut::samples::uniform(kind, dimension, 6400, 0.3, 0.5, 2, 5);
      abut::cli::bodies_file file;
      file.kind = kind;
      file.dimension = dimension;
      file.size = all.size();
      file.place = [](abut::row i) { return "row " + std::to_string(i); };
      const auto columns = static_cast<std::size_t>(all.columns());
      for (std::size_t k = 0; k < columns; ++k) file.columns[k] = abut::column(all.column[k]);
      const abut::cli::bodies_file part = abut::cli::innermost(file, 1600);
      ASSERT_EQ(part.size, 1600U);
      // Each is one of the whole, in the same order.
      std::size_t from = 0;
      for (abut::row i = 0; i < part.size; ++i, ++from) {
        while (part.columns[0][i] != file.columns[0][from]) ++from;
        for (std::size_t k = 0; k < columns; ++k) ASSERT_EQ(part.columns[k][i], file.columns[k][from]);
        ASSERT_EQ(part.place(i), "row " + std::to_string(from));
      }
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis) {
        const auto side = [&](const abut::cli::bodies_file& f) {
          double least = f.columns[axis][0];
          double most = least;
          for (std::size_t i = 0; i < f.size; ++i) {
            least = std::min(least, f.columns[axis][i]);
            most = std::max(most, f.columns[axis][i]);
          }
          return most - least;
        };
        EXPECT_NEAR(side(part) / side(file), std::pow(0.25, 1.0 / dimension), 0.03);
      }
    }
  }
}

TEST(bench_spread, is_the_median_and_the_quartiles) {
  const struct {
    std::vector<double> values;
    double low, median, high;
  } cases[] = {{{7}, 7, 7, 7}, {{3, 1}, 1.5, 2, 2.5}, {{5, 1, 2, 4, 3}, 2, 3, 4}, {{4, 1, 3, 2}, 1.75, 2.5, 3.25}};
  for (const auto& c : cases) {
    const abut::cli::spread s = abut::cli::spread_of(c.values);
    EXPECT_EQ(s.low, c.low);
    EXPECT_EQ(s.median, c.median);
    EXPECT_EQ(s.high, c.high);
  }
}

abut::cli::bench_result sample() {
  abut::cli::bench_result result;
  result.bodies.source = "g.csv";
  result.bodies.count = 1000;
  result.reference = "bounding-volume";
  result.first_pairs = result.last_pairs = 500;
  const auto add = [&](const char* plan, double update, double find) {
    abut::cli::measured_plan p;
    p.asked = p.planned = abut::plan(plan);
    p.plan_seconds = {1e-7, 1e-7, 1e-7};
    p.first_seconds = p.update_seconds = {update, 0.9 * update, 1.1 * update};
    p.find_seconds = {find, 0.9 * find, 1.1 * find};
    p.candidates = p.tests = 1500;
    p.pairs = p.pairs_of_all_steps = 500;
    p.bytes = 64'000;
    result.measured.push_back(p);
  };
  add("pairing", 0, 4e-3);
  add("neighboring-cell", 5e-5, 5e-5);
  add("neighboring-cell store=cover", 1e-3, 1e-3);
  return result;
}

TEST(bench_words, are_sorted_tables_that_fit) {
  for (const std::size_t width : {40U, 60U, 80U, 100U}) {
    for (const bool unicode : {false, true}) {
      for (const int steps : {1, 10}) {
        abut::cli::bench_result result = sample();
        result.steps = steps;
        const std::string words = in_words(result, {width, false, unicode});
        EXPECT_EQ(words.find('\033'), std::string::npos);
        std::istringstream lines(words);
        for (std::string line; std::getline(lines, line);) {
          EXPECT_LE(abut::cli::characters(line), width < 60 ? 60 : width) << line;
          EXPECT_EQ(abut::cli::characters(line) == line.size() || unicode, true) << line;
        }
        const std::size_t quick = words.find("\nneighboring-cell");
        const std::size_t slow = words.find("\npairing");
        EXPECT_LT(quick, words.find("\nneighboring-cell store=cover"));
        EXPECT_LT(words.find("\nneighboring-cell store=cover"), slow);
        EXPECT_NE(slow, std::string::npos);
        EXPECT_EQ(words.find("first update") != std::string::npos, steps > 1);
      }
    }
  }
  const std::string words = in_words(sample(), {80, false, false});
  EXPECT_NE(words.find("4,000 +-400\n"), std::string::npos) << words;
  EXPECT_NE(words.find("####"), std::string::npos) << words;
  EXPECT_NE(words.find("====="), std::string::npos) << words;
  EXPECT_NE(words.find("3.00        3.00        64.0  exact\n"), std::string::npos) << words;
  EXPECT_EQ(words.find("WRONG"), std::string::npos) << words;
}

TEST(bench_words, say_what_is_wrong) {
  abut::cli::bench_result result = sample();
  EXPECT_EQ(mistakes_in_words(result), "");
  result.measured[1].wrong = abut::cli::measured_plan::mistake{.step = 3, .pairs = 499, .right_pairs = 500};
  result.measured[2].wrong = abut::cli::measured_plan::mistake{.step = 1, .pairs = 500, .right_pairs = 500};
  EXPECT_EQ(mistakes_in_words(result),
            "neighboring-cell and neighboring-cell store=cover found other pairs than bounding-volume");
  const std::string plain = in_words(result, {100, false, true});
  EXPECT_NE(plain.find("64.0  WRONG\n"), std::string::npos) << plain;
  EXPECT_NE(plain.find("neighboring-cell is wrong: 499 pairs at step 3, where bounding-volume finds 500\n"),
            std::string::npos)
      << plain;
  EXPECT_NE(plain.find("store=cover is wrong: 500 pairs at step 1, where bounding-volume finds 500 others\n"),
            std::string::npos)
      << plain;
  EXPECT_NE(in_words(result, {100, true, true}).find("\033[1;31mWRONG\033[0m\n"), std::string::npos);
  const std::string json = in_json(result);
  EXPECT_EQ(program::json_members(json)["results.1.exact"], "false");
}

/// The sample with every plan measured with two instruction sets; the second takes twice as long.
abut::cli::bench_result sample_with_sets() {
  abut::cli::bench_result result = sample();
  result.names_sets = true;
  std::vector<abut::cli::measured_plan> both;
  for (abut::cli::measured_plan p : result.measured) {
    p.instructions = abut::instruction_set::avx2;
    both.push_back(p);
    p.instructions = abut::instruction_set::scalar;
    p.find_seconds.median *= 2;
    p.bytes += 1000;
    both.push_back(p);
  }
  result.measured = both;
  return result;
}

TEST(bench_words, keep_the_sets_of_a_plan_together) {
  for (const std::size_t width : {40U, 60U, 80U, 100U}) {
    for (const int steps : {1, 10}) {
      abut::cli::bench_result result = sample_with_sets();
      result.steps = steps;
      std::istringstream lines(in_words(result, {width, false, true}));
      std::string order;
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(abut::cli::characters(line), width < 60 ? 60 : width) << line;
        if (line.starts_with("work and memory")) break;
        if (line.starts_with("pairing")) order += "p";
        if (line.starts_with("neighboring-cell")) order += line.find("store=cover") == std::string::npos ? "n" : "c";
        if (line.find("avx2  ") != std::string::npos) order += "2";
        if (line.find("scalar  ") != std::string::npos) order += "0";
      }
      EXPECT_EQ(order, "n20c20p20n20c20p20") << width;
    }
  }
  const std::string words = in_words(sample_with_sets(), {80, false, false});
  EXPECT_NE(words.find("instruction sets avx2 and scalar\n"), std::string::npos) << words;
  EXPECT_NE(words.find("\npairing                       avx2    ="), std::string::npos) << words;
  EXPECT_NE(words.find("\n                              scalar  ="), std::string::npos) << words;
}

TEST(bench_words, show_the_work_once_if_it_is_that_of_all_sets) {
  const auto work = [](const abut::cli::bench_result& result) {
    const std::string words = in_words(result, {100, false, false});
    return words.substr(words.find("work and memory"));
  };
  abut::cli::bench_result result = sample_with_sets();
  const std::string once = work(result);
  EXPECT_EQ(once.find("set"), std::string::npos) << once;
  EXPECT_EQ(std::count(once.begin(), once.end(), '\n'), 4) << once;
  EXPECT_NE(once.find("65.0  exact\n"), std::string::npos) << "the most memory: " << once;

  result.measured[3].wrong = abut::cli::measured_plan::mistake{.step = 1, .pairs = 499, .right_pairs = 500};
  const std::string twice = work(result);
  EXPECT_NE(twice.find("\npairing                       all  "), std::string::npos) << twice;
  EXPECT_NE(twice.find("\nneighboring-cell              avx2  "), std::string::npos) << twice;
  EXPECT_NE(twice.find("\n                              scalar  "), std::string::npos) << twice;
  EXPECT_NE(twice.find("neighboring-cell with scalar is wrong: 499 pairs"), std::string::npos) << twice;
  EXPECT_EQ(mistakes_in_words(result), "neighboring-cell with scalar found other pairs than bounding-volume");
}

TEST(bench_words, say_which_sets_auto_chose_a_plan_for) {
  abut::cli::bench_result result = sample_with_sets();
  for (abut::cli::measured_plan& p : result.measured) p.asked = abut::plan("auto");
  result.measured.resize(2);
  EXPECT_NE(in_words(result, {100, false, false}).find("\nauto is pairing here\n"), std::string::npos);
  result.measured[1].planned = abut::plan("hashing");
  const std::string words = in_words(result, {100, false, false});
  EXPECT_NE(words.find("\nauto with avx2 is pairing here\nauto with scalar is hashing here\n"), std::string::npos)
      << words;
}

TEST(bench_measure, uses_each_instruction_set_and_in_the_end_the_best) {
  abut::cli::bench_arguments given;
  given.demo = true;
  given.repeat = "1";
  given.instructions = "all";
  abut::cli::bodies_file file;
  file.size = 2;
  const numbers columns = {{0, 1}, {0, 0}, {0, 0}, {0.6, 0.6}};
  for (std::size_t k = 0; k < columns.size(); ++k) file.columns[k] = abut::column(columns[k]);
  std::set<abut::instruction_set> used;
  abut::options options;
  options.progress = [&](double) { used.insert(abut::instructions_in_use()); };
  abut::cli::bench_result result{.reference = "bounding-volume"};
  abut::cli::progress_line progress;
  measure(result, {abut::plan("grid")}, understand_bench(given), given, file, options, progress);
  const auto usable = abut::usable_instructions();
  EXPECT_EQ(used, std::set<abut::instruction_set>(usable.begin(), usable.end()));
  ASSERT_EQ(result.measured.size(), usable.size());
  for (std::size_t k = 0; k < usable.size(); ++k) {
    EXPECT_EQ(result.measured[k].instructions, usable[k]);
    EXPECT_EQ(result.measured[k].pairs, 1U);
    EXPECT_TRUE(result.measured[k].exact());
  }
  EXPECT_EQ(abut::instructions_in_use(), usable.front());
}

}  // namespace
}  // namespace bench_parts_test
