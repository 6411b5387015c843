// The verb `plan` of the program, and `bench planner`.

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "bench/planner.hpp"
#include "cli/known_constants.hpp"
#include "plan.hpp"
#include "plan/calibration.hpp"
#include "plan/planner.hpp"
#include "run_program.hpp"

namespace plan_test {
namespace {

using program::arguments;
using program::json_members;
using program::run;

class cli_plan : public ::testing::Test {
 protected:
  cli_plan() {
    program::write_constants(folder);
    std::string text = "x,y,z,r\n";
    for (int i = 0; i < 300; ++i) text += std::to_string(i) + ",0,0,0.6\n";
    folder.write("g.csv", text);
  }
  json_members plan(arguments args) {
    args.insert(args.begin(), "plan");
    args.emplace_back("--json");
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return json_members(result.out);
  }

  program::folder folder;
};

TEST_F(cli_plan, tells_the_plan_the_reason_and_the_candidates) {
  const auto result = run(folder, {"plan", "g.csv"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* part : {"300 spheres in 3D", "plan ", "because ", "predicted", "chosen", "bounding-volume"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
  EXPECT_EQ(result.out.find("measured"), std::string::npos);
}

TEST_F(cli_plan, json_has_every_member_and_the_plan_is_that_of_find) {
  const json_members json = plan({"g.csv"});
  EXPECT_EQ(json["file"], "g.csv");
  EXPECT_EQ(json["bodies"], "300");
  EXPECT_EQ(json["dimension"], "3");
  EXPECT_EQ(json["shape"], "sphere");
  EXPECT_EQ(json["motion"], "null");
  EXPECT_EQ(json["calibrated"], "true");
  EXPECT_EQ(json["candidates.0.plan"], json["plan"]);
  EXPECT_EQ(json["candidates.0.measured"], "null");
  EXPECT_EQ(json["candidates.0.as_good"], "true");
  EXPECT_GT(std::stod(json["candidates.0.predicted"]), 0);
  EXPECT_NE(json["reason"], "");
  EXPECT_TRUE(json.has("seconds"));
  const auto found = run(folder, {"find", "g.csv", "--json"});
  const json_members find(found.out);
  EXPECT_EQ(find["method"], abut::plan(json["plan"]).method());
  EXPECT_EQ(find["reason"].substr(0, json["reason"].size()), json["reason"]);
  const auto given_back = run(folder, {"find", "g.csv", "--json", "--method", json["plan"]});
  EXPECT_EQ(json_members(given_back.out)["hash"], find["hash"]);
}

TEST_F(cli_plan, takes_a_motion) {
  EXPECT_EQ(plan({"g.csv", "--motion", "1e-4"})["motion"], "0.0001");
  EXPECT_EQ(plan({"--demo", "--motion", "1e-4"})["plan"].substr(0, 16), "nearest-neighbor");
}

TEST_F(cli_plan, measures_and_remembers) {
  const json_members json = plan({"g.csv", "--measure", "--threads", "1"});
  EXPECT_NE(json["candidates.0.measured"], "null");
  const std::string cache = folder.read("cache/calibration");
  EXPECT_NE(cache.find("learned spheres 3D count=2^8"), std::string::npos) << cache;
  EXPECT_EQ(plan({"g.csv"})["plan"], json["plan"]);
}

// This test cannot tell whether the machine is too busy to be measured; the tests of calibrations use a clock of their
// own for that.
TEST_F(cli_plan, makes_a_damaged_cache_anew_and_says_so) {
  folder.write("cache/calibration", "nonsense");
  const auto first = run(folder, {"plan", "g.csv"});
  EXPECT_EQ(first.code, 0);
  const std::string measuring = "measuring the constants of this machine, once\n";
  const std::string cache = folder.read("cache/calibration");
  if (first.err == measuring) {
    const auto constants = abut::read_calibration(cache);
    ASSERT_TRUE(constants) << cache;
    EXPECT_TRUE(constants->of_this_machine);
    for (const abut::cost* one : abut::all_costs()) EXPECT_GT(constants->constants[*one], 0) << one->name;
    EXPECT_EQ(run(folder, {"plan", "g.csv"}).err, "");
    EXPECT_EQ(folder.read("cache/calibration"), cache) << "kept";
  } else {
    EXPECT_EQ(first.err, measuring + abut::cli::in_words(abut::calibration_result::busy) + "\n");
    EXPECT_EQ(cache, "nonsense");
    EXPECT_NE(first.out.find("with constants of another machine"), std::string::npos) << first.out;
  }
}

TEST(calibrations_in_words, name_the_way_out_in_one_line) {
  using abut::calibration_result;
  using abut::cli::in_words;
  EXPECT_EQ(in_words(calibration_result::saved), "");
  EXPECT_NE(in_words(calibration_result::busy).find("run abut plan --calibrate when it is idle"), std::string::npos);
  EXPECT_NE(in_words(calibration_result::not_saved).find("the constants could not be saved"), std::string::npos);
  for (const auto result : {calibration_result::busy, calibration_result::not_saved}) {
    EXPECT_EQ(in_words(result).find('\n'), std::string::npos);
  }
}

TEST_F(cli_plan, works_if_nothing_can_be_kept) {
  std::filesystem::remove_all(folder.path() / "cache");
  folder.write("cache", "a file where the folder should be");
  const auto result = run(folder, {"plan", "g.csv"});
  EXPECT_EQ(result.code, 0);
  const bool busy = result.err.find(abut::cli::in_words(abut::calibration_result::busy)) != std::string::npos;
  EXPECT_TRUE(busy || result.err.find("the constants could not be saved in ") != std::string::npos) << result.err;
  EXPECT_NE(result.out.find("chosen"), std::string::npos);
}

TEST_F(cli_plan, find_neither_measures_nor_writes) {
  folder.write("cache/calibration", "nonsense");
  EXPECT_EQ(run(folder, {"find", "g.csv"}).err, "");
  EXPECT_EQ(folder.read("cache/calibration"), "nonsense");
}

TEST_F(cli_plan, constants_are_saved_and_given_back) {
  abut::calibration mine{.of_this_machine = true};
  mine.constants[*abut::all_costs()[0]] = 123.25;
  folder.write("cache/calibration", abut::text_of(mine));
  const json_members own = plan({"g.csv", "--save-constants", "mine.txt"});
  EXPECT_EQ(own["constants"], "null");
  EXPECT_EQ(own["calibrated"], "true");
  const std::string text = folder.read("mine.txt");
  EXPECT_EQ(text, abut::text_of(mine).substr(abut::calibration_stamp().size() + 1));
  std::filesystem::remove_all(folder.path() / "cache");
  const json_members back = plan({"g.csv", "--constants", "mine.txt", "--save-constants", "again.txt"});
  EXPECT_EQ(back["constants"], "mine.txt");
  EXPECT_EQ(back["calibrated"], "false");
  EXPECT_EQ(back["plan"], own["plan"]);
  EXPECT_EQ(back["candidates.0.predicted"], own["candidates.0.predicted"]);
  EXPECT_EQ(folder.read("again.txt"), text);
  const auto words = run(folder, {"plan", "g.csv", "--constants", "mine.txt", "--save-constants", "again.txt"});
  EXPECT_NE(words.out.find("with the constants of mine.txt"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("written   again.txt"), std::string::npos) << words.out;
}

TEST_F(cli_plan, with_constants_no_verb_touches_the_cache) {
  // A plan that no model would choose.
  std::vector<double> x(300);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  const abut::world bodies(abut::spheres(x, 0.0, 0.0, 0.6), {}, 1);
  abut::calibration poison{.of_this_machine = true};
  poison.learned = {{abut::rounded(abut::features_of(bodies, {})), "stripe-sort"}};
  folder.write("cache/calibration", abut::text_of(poison));
  EXPECT_EQ(plan({"g.csv"})["plan"], "stripe-sort");
  EXPECT_NE(plan({"g.csv", "--constants", "built-in"})["plan"], "stripe-sort");
  EXPECT_NE(plan({"g.csv", "--constants", "avx2", "--measure"})["plan"], "stripe-sort");
  EXPECT_EQ(json_members(run(folder, {"find", "g.csv", "--json"}).out)["method"], "stripe-sort");
  const auto found = run(folder, {"find", "g.csv", "--json", "--constants", "scalar"});
  EXPECT_NE(json_members(found.out)["method"], "stripe-sort");
  const arguments bench{"bench", "g.csv", "--methods", "auto", "--repeat", "1", "--json"};
  EXPECT_EQ(json_members(run(folder, bench).out)["results.0.planned"].substr(0, 11), "stripe-sort");
  arguments given = bench;
  given.insert(given.end(), {"--constants", "sse4", "--instructions", "all"});
  EXPECT_NE(json_members(run(folder, given).out)["results.0.planned"].substr(0, 11), "stripe-sort");
  EXPECT_EQ(folder.read("cache/calibration"), abut::text_of(poison));
  std::filesystem::remove_all(folder.path() / "cache");
  EXPECT_EQ(run(folder, {"plan", "g.csv", "--constants", "avx2", "--measure"}).err, "") << "nothing is calibrated";
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "cache"));
}

TEST_F(cli_plan, errors_are_one_line) {
  folder.write("constants.txt", "grid.tset 1\n");
  folder.write("empty.txt", "");
  folder.write("bad.csv", "x,y,r\n0,0,1\n0,nan,1\n");
  const std::vector<std::pair<arguments, std::string>> cases = {
      {{"plan"}, "no bodies; name a file (.npy, .csv or a LAMMPS dump), or try --demo\n"},
      {{"plan", "bad.csv"}, "bad.csv:3: body 1 has y nan; every coordinate and size must be a finite number\n"},
      {{"plan", "g.csv", "--motion", "fast"},
       "--motion is \"fast\", not a number; it must be a finite number >= 0, the largest displacement on an axis "
       "between "
       "updates\n"},
      {{"plan", "g.csv", "--motion", "-1"},
       "--motion is -1; it must be a finite number >= 0, the largest displacement on an axis between updates\n"},
      {{"plan", "g.csv", "--calibrate", "--constants", "avx2"},
       "--calibrate measures this machine's constants and --constants uses others; give one of them\n"},
      {{"find", "g.csv", "--constants", "avx1"},
       "--constants \"avx1\": there is no such file, and the words are built-in, avx512, avx2, sse4, neon, scalar; "
       "did you mean avx2?\n"},
      {{"find", "g.csv", "--constants", "constants.txt"},
       "constants.txt: constants, line 1: unknown constant \"grid.tset\", did you mean \"grid.test\"? (abut plan "
       "--save-constants FILE writes such a file)\n"},
      {{"find", "g.csv", "--constants", "empty.txt"},
       "empty.txt: constants: a line for bounding-volume.search is missing; abut::constants() has all " +
           std::to_string(abut::all_costs().size()) + " lines (abut plan --save-constants FILE writes such a file)\n"},
      {{"plan", "g.csv", "--save-constants", "g.csv"},
       "--save-constants g.csv would overwrite the bodies; choose another name\n"},
      {{"plan", "g.csv", "--save-constants", "nowhere/c.txt"},
       "nowhere/c.txt: there is no folder \"nowhere\"; make it first\n"},
      {{"plan", "g.csv", "--measur"}, "unknown option --measur, did you mean --measure?\n"},
      {{"bench", "planner", "--only", "gaint"},
       "--only \"gaint\": there is no sample \"gaint\", did you mean \"giant\"?\n"},
      {{"bench", "planner", "--seed", "x"},
       "--seed is \"x\"; it must be a whole number from 0 to 18446744073709551615\n"},
      {{"bench", "--demo", "planner"}, "bench planner has samples of its own: leave --demo out\n"},
      {{"bench", "planner", "--foo"}, "unknown option --foo; see abut bench planner --help\n"},
  };
  for (const auto& [args, message] : cases) {
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, message);
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(cli_plan, bench_planner_prints_a_table) {
  const auto result = run(folder, {"bench", "planner", "--quick", "--only", "handful,few", "--seed", "3"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const char* part : {"handful", "few", "ratio", "best of", "worst: ", "(seed 3)"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
}

TEST(planner_samples, are_many_and_follow_the_seed) {
  using abut::cli::planner_samples;
  EXPECT_GE(planner_samples().size(), 12U);
  for (const auto& sample : planner_samples()) {
    const std::size_t count = std::min<std::size_t>(sample.count, 2000);
    const auto one = sample.make(count, 1);
    EXPECT_EQ(one.size(), count) << sample.name;
    EXPECT_EQ(one.column, sample.make(count, 1).column) << sample.name;
    EXPECT_NE(one.column, sample.make(count, 2).column) << sample.name;
  }
}

}  // namespace
}  // namespace plan_test
