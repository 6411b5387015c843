// The verb `bench` of the program. Times depend on the machine; the tests check what is counted, compared and printed.

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "base/instructions.hpp"
#include "bench/bench.hpp"
#include "environment.hpp"
#include "run_program.hpp"
#include "samples.hpp"

namespace bench_test {
namespace {

using program::arguments;
using program::json_members;
using program::run;
using rows = std::vector<std::vector<double>>;

rows random_bodies(abut::shape kind, int dimension, std::size_t count) {
  const auto made = abut::samples::uniform(kind, dimension, count, 0.5, 0.5, 2, 11);
  rows all(count);
  for (std::size_t i = 0; i < count; ++i) {
    // A set stores all minima, then all maxima; a file stores them axis by axis.
    for (int k = 0; k < made.columns(); ++k) {
      const int from = kind == abut::shape::sphere ? k : k / 2 + (k % 2) * dimension;
      all[i].push_back(made.column[static_cast<std::size_t>(from)][i]);
    }
  }
  return all;
}

/// Bodies 3 apart on a line, of diameter 2.
std::string sparse_npy(std::size_t count) {
  rows all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({3.0 * static_cast<double>(i), 0, 0, 1});
  return program::npy_of<double>(all, 4);
}

std::string at(std::size_t k, const std::string& member) { return "results." + std::to_string(k) + "." + member; }

class cli_bench : public ::testing::Test {
 protected:
  /// The object printed with --json for these options; the run must succeed.
  json_members bench(arguments args) {
    args.insert(args.begin(), "bench");
    args.emplace_back("--json");
    auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    text = result.out;
    return json_members(text);
  }

  program::folder folder;
  std::string text;
};

TEST_F(cli_bench, json_has_every_member) {
  folder.write("g.csv", program::csv_of("x,y,z,r", random_bodies(abut::shape::sphere, 3, 300)));
  const json_members json = bench({"g.csv", "--repeat", "3", "--steps", "2", "--threads", "2", "--seed", "7"});
  const std::pair<const char*, const char*> expected[] = {
      {"file", "g.csv"},
      {"shape", "sphere"},
      {"bodies", "300"},
      {"dimension", "3"},
      {"threads", "2"},
      {"steps", "2"},
      {"repeat", "3"},
      {"move", "0"},
      {"seed", "7"},
      {"reference", "bounding-volume"},
      {"version", ABUT_VERSION},
  };
  for (const auto& [name, value] : expected) EXPECT_EQ(json[name], value) << name;
  EXPECT_TRUE(json.has("machine"));
  const auto all = abut::methods();
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(json[at(k, "plan")], all[k]->name);
    EXPECT_EQ(json[at(k, "planned")].substr(0, all[k]->name.size()), all[k]->name);
    for (const char* what : {"plan", "first", "update", "find"}) {
      const std::string name = at(k, "nanoseconds_per_body.") + what;
      const double low = std::stod(json[name + ".low"]);
      const double median = std::stod(json[name + ".median"]);
      EXPECT_GT(low, 0) << name;
      EXPECT_LE(low, median) << name;
      EXPECT_LE(median, std::stod(json[name + ".high"])) << name;
    }
    EXPECT_EQ(json[at(k, "exact")], "true");
  }
  EXPECT_FALSE(json.has(at(all.size(), "plan")));
}

TEST_F(cli_bench, counts_what_find_counts) {
  folder.write("g.csv", program::csv_of("x,y,z,r", random_bodies(abut::shape::sphere, 3, 300)));
  const std::vector<arguments> cases = {
      {}, {"--scale", "1.2"}, {"--margin", "0.1"}, {"--periodic", "x", "--domain", "0,9,0,9,0,9"}};
  for (const arguments& options : cases) {
    arguments args = {"g.csv", "--repeat", "1"};
    args.insert(args.end(), options.begin(), options.end());
    const json_members json = bench(args);
    const auto all = abut::methods();
    for (std::size_t k = 0; k < all.size(); ++k) {
      arguments find = {"find", "g.csv", "--json", "--method", std::string(all[k]->name)};
      find.insert(find.end(), options.begin(), options.end());
      const json_members found(run(folder, find).out);
      EXPECT_EQ(json[at(k, "hash")], found["hash"]);
      EXPECT_EQ(json[at(k, "pairs")], found["pairs"]);
      EXPECT_EQ(json[at(k, "coordination_number")], found["coordination_number"]);
      EXPECT_EQ(json[at(k, "planned")], found["plan"]);
      const double pairs = std::stod(found["pairs"]);
      ASSERT_GT(pairs, 50);
      EXPECT_DOUBLE_EQ(std::stod(json[at(k, "candidates_per_pair")]), std::stod(found["candidates"]) / pairs);
      EXPECT_DOUBLE_EQ(std::stod(json[at(k, "tests_per_pair")]), std::stod(found["tests"]) / pairs);
      EXPECT_DOUBLE_EQ(std::stod(json[at(k, "bytes_per_body")]), std::stod(found["bytes"]) / 300);
    }
  }
}

// A lattice in 2D: dess compares a body with those that overlap it on an axis, about sqrt(N); grid tests near ones
// only.
TEST_F(cli_bench, counts_show_how_work_grows) {
  const auto made = abut::samples::lattice(abut::shape::sphere, 2, 4096, 1, 0.1, 0.55, 3);
  rows all;
  for (std::size_t i = 0; i < made.size(); ++i) {
    all.push_back({made.column[0][i], made.column[1][i], made.column[2][i]});
  }
  folder.write("g.csv", program::csv_of("x,y,r", all));
  const json_members json = bench({"g.csv", "--counts", "--repeat", "1", "--methods", "dess,grid"});
  const char* const sizes[] = {"512", "1024", "2048", "4096"};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(json["sizes." + std::to_string(k)], sizes[k]);
  EXPECT_FALSE(json.has("sizes.4"));
  const auto power = [&](std::size_t k, const std::string& name) {
    return std::stod(json[at(k, "growth." + name + ".power")]);
  };
  EXPECT_NEAR(power(0, "rank comparisons"), 1.5, 0.05);
  EXPECT_NEAR(power(0, "tests"), 1, 0.05);
  EXPECT_NEAR(power(1, "tests"), 1, 0.1);
  EXPECT_EQ(json[at(0, "growth.swaps.power")], "null") << "nothing has moved";
  for (const char* what : {"update", "find", "candidates"}) EXPECT_TRUE(json.has(at(1, "growth.") + what + ".power"));
  // The last part is all bodies.
  const json_members found(run(folder, {"find", "g.csv", "--method", "dess", "--json"}).out);
  EXPECT_EQ(std::stod(json[at(0, "growth.rank comparisons.values.3")]), std::stod(found["counts.rank comparisons"]));
  EXPECT_DOUBLE_EQ(std::stod(json[at(0, "counts_per_body.rank comparisons")]),
                   std::stod(found["counts.rank comparisons"]) / 4096);

  const std::string words = run(folder, {"bench", "g.csv", "--counts", "--repeat", "1", "--methods", "dess"}).out;
  EXPECT_NE(words.find("512, 1,024, 2,048 and 4,096 of the bodies, the innermost"), std::string::npos) << words;
  EXPECT_NE(words.find("rank comparisons"), std::string::npos) << words;
  EXPECT_NE(words.find("power of N"), std::string::npos) << words;
}

TEST_F(cli_bench, counts_are_of_the_steps_after_the_first) {
  folder.write("g.csv", program::csv_of("x,y,z,r", random_bodies(abut::shape::sphere, 3, 300)));
  const json_members still = bench({"g.csv", "--methods", "sweep-and-prune", "--steps", "3", "--repeat", "1"});
  EXPECT_EQ(still[at(0, "counts_per_body.swaps")], "0");
  const json_members moved =
      bench({"g.csv", "--methods", "sweep-and-prune", "--steps", "3", "--move", "0.01", "--repeat", "2", "--counts"});
  EXPECT_GT(std::stod(moved[at(0, "counts_per_body.swaps")]), 0.1);
  EXPECT_GT(std::stod(moved[at(0, "growth.swaps.power")]), 0.5);
}

TEST_F(cli_bench, counts_need_enough_bodies) {
  folder.write("g.npy", sparse_npy(63));
  const auto result = run(folder, {"bench", "g.npy", "--counts"});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_NE(result.err.find("--counts compares the bodies with an eighth of them, and g.npy has only 63; give at "
                            "least 64"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.out, "");
}

TEST_F(cli_bench, every_method_is_exact_still_and_moving) {
  for (const abut::shape kind : {abut::shape::sphere, abut::shape::box}) {
    for (const int dimension : {2, 3}) {
      const std::string header = kind == abut::shape::sphere ? (dimension == 2 ? "x,y,r" : "x,y,z,r")
                                 : dimension == 2            ? "xmin,xmax,ymin,ymax"
                                                             : "xmin,xmax,ymin,ymax,zmin,zmax";
      folder.write("g.csv", program::csv_of(header, random_bodies(kind, dimension, 250)));
      for (const arguments& options : {arguments{"--steps", "2"}, {"--move", "0.2", "--steps", "5"}}) {
        arguments args = {"g.csv", "--repeat", "2", "--methods", "all,auto,neighboring-cell store=cover"};
        args.insert(args.end(), options.begin(), options.end());
        const json_members json = bench(args);
        EXPECT_EQ(json["shape"], kind == abut::shape::sphere ? "sphere" : "box");
        const std::size_t count = abut::methods().size() + 2;
        for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(json[at(k, "exact")], "true") << json[at(k, "plan")];
        EXPECT_GT(std::stod(json[at(0, "pairs")]), 20);
        EXPECT_EQ(json[at(count - 2, "plan")], "auto");
        EXPECT_NE(json[at(count - 2, "planned")], "auto");
        EXPECT_EQ(json[at(count - 1, "plan")], "neighboring-cell store=cover");
        EXPECT_FALSE(json.has(at(count, "plan")));
      }
    }
  }
}

TEST_F(cli_bench, motion_is_seeded) {
  folder.write("g.npy", program::npy_of<double>(random_bodies(abut::shape::sphere, 3, 300), 4));
  const auto hash = [&](const arguments& options) {
    arguments args = {"g.npy", "--methods", "neighboring-cell"};
    args.insert(args.end(), options.begin(), options.end());
    return bench(args)[at(0, "hash")];
  };
  const std::string still = hash({"--repeat", "1"});
  EXPECT_EQ(hash({"--repeat", "1", "--steps", "4"}), still) << "nothing moves without --move";
  EXPECT_EQ(hash({"--repeat", "1", "--move", "0.3", "--steps", "1"}), still) << "the first step is the file";
  const std::string moved = hash({"--repeat", "1", "--move", "0.3", "--steps", "4"});
  EXPECT_NE(moved, still);
  EXPECT_NE(hash({"--repeat", "1", "--move", "0.3", "--steps", "5"}), moved);
  EXPECT_NE(hash({"--repeat", "1", "--move", "0.2", "--steps", "4"}), moved);
  EXPECT_NE(hash({"--repeat", "1", "--move", "0.3", "--steps", "4", "--seed", "2"}), moved);
  EXPECT_EQ(hash({"--repeat", "1", "--move", "0.3", "--steps", "4", "--seed", "1"}), moved);
  EXPECT_EQ(hash({"--repeat", "3", "--move", "0.3", "--steps", "4", "--threads", "1"}), moved);
  EXPECT_EQ(bench({"g.npy", "--repeat", "1", "--move", "0.3"})["steps"], "10");
}

std::string usable_names() {
  std::string names;
  for (const abut::instruction_set set : abut::usable_instructions()) {
    names.append(names.empty() ? "" : ",").append(abut::name_of(set));
  }
  return names;
}

TEST_F(cli_bench, every_instruction_set_finds_the_same) {
  folder.write("g.csv", program::csv_of("x,y,z,r", random_bodies(abut::shape::sphere, 3, 300)));
  const std::vector<std::string> plans = {"grid", "nearest-neighbor", "neighboring-cell", "auto"};
  const auto usable = abut::usable_instructions();
  for (const arguments& options :
       {arguments{"--threads", "1"}, {"--threads", "2", "--move", "0.1", "--steps", "5"}, {"--steps", "2"}}) {
    arguments args = {"g.csv", "--repeat", "2", "--methods", "grid,nearest-neighbor,neighboring-cell,auto"};
    args.insert(args.end(), options.begin(), options.end());
    const std::string hash = bench(args)[at(0, "hash")];
    for (const std::string& sets : {std::string("all"), usable_names(), " all," + usable_names()}) {
      arguments all = args;
      all.insert(all.end(), {"--instructions", sets});
      const json_members json = bench(all);
      std::size_t k = 0;
      for (const std::string& plan : plans) {
        for (const abut::instruction_set set : usable) {
          EXPECT_EQ(json[at(k, "plan")], plan);
          EXPECT_EQ(json[at(k, "instructions")], abut::name_of(set));
          EXPECT_EQ(json[at(k, "exact")], "true");
          EXPECT_EQ(json[at(k, "hash")], hash);
          EXPECT_GT(std::stod(json[at(k, "nanoseconds_per_body.find.median")]), 0);
          ++k;
        }
      }
      EXPECT_FALSE(json.has(at(k, "plan"))) << "none twice";
    }
  }
}

TEST_F(cli_bench, names_instruction_sets_unless_it_is_the_best) {
  folder.write("g.csv", program::csv_of("x,y,z,r", random_bodies(abut::shape::sphere, 3, 300)));
  const auto usable = abut::usable_instructions();
  const arguments args = {"bench", "g.csv", "--methods", "grid", "--repeat", "1"};
  const std::string best = abut::name_of(usable.front());
  EXPECT_EQ(bench({"g.csv", "--methods", "grid", "--repeat", "1"})[at(0, "instructions")], best);
  const auto words = [&](const std::string& sets) {
    arguments with = args;
    if (!sets.empty()) with.insert(with.end(), {"--instructions", sets});
    const auto result = run(folder, with);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  };
  for (const std::string& plain : {words(""), words(best)}) {
    EXPECT_EQ(plain.find("instruction set"), std::string::npos) << plain;
    EXPECT_EQ(plain.find(best), std::string::npos) << plain;
    EXPECT_NE(plain.find("; methods in turns\n"), std::string::npos) << plain;
  }
  if (usable.size() == 1) GTEST_SKIP() << "this machine has one instruction set";
  const std::string least = abut::name_of(usable.back());
  const std::string one = words(least);
  EXPECT_NE(one.find("instruction set " + least + "\n"), std::string::npos) << one;
  EXPECT_NE(one.find("\ngrid         " + least + "  "), std::string::npos) << one;
  EXPECT_EQ(one.find(best), std::string::npos) << one;
  const std::string all = words("all");
  EXPECT_NE(all.find("methods and instruction sets in turns\n"), std::string::npos) << all;
  for (const abut::instruction_set set : usable) {
    EXPECT_NE(all.find(std::string(abut::name_of(set)) + "  "), std::string::npos) << all;
  }
}

TEST_F(cli_bench, unusable_instructions_are_named) {
  folder.write("g.csv", "x,y,r\n0,0,0.5\n1,0,0.5\n");
  const auto usable = abut::usable_instructions();
  const std::string usable_ones = "; name some of " + usable_names() + ", or all\n";
  std::vector<std::pair<std::string, std::string>> cases = {{"mmx", "mmx"}, {"all,AVX2", "AVX2"}};
  for (const abut::instruction_set set : abut::all_instruction_sets) {
    if (std::find(usable.begin(), usable.end(), set) == usable.end()) {
      cases.emplace_back(abut::name_of(set), abut::name_of(set));
    }
  }
  EXPECT_GT(cases.size(), 2U) << "no machine has all";
  for (const auto& [given, missing] : cases) {
    const auto result = run(folder, {"bench", "g.csv", "--instructions", given});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "--instructions \"" + given + "\": this machine or build does not have \"" + missing + "\"" +
                              usable_ones);
  }
  const auto result = run(folder, {"bench", "g.csv", "--instructions", "all,"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err, "--instructions \"all,\": a name is missing next to a comma" + usable_ones);
}

TEST_F(cli_bench, quadratic_methods_are_left_out_of_many) {
  folder.write("many.npy", sparse_npy(abut::cli::most_for_quadratic + 1));
  const json_members json = bench({"many.npy", "--repeat", "1"});
  EXPECT_EQ(json["reference"], "neighboring-cell");
  EXPECT_EQ(json[at(0, "pairs")], "0");
  std::size_t left = 0;
  std::size_t kept = 0;
  for (const abut::method_info* method : abut::methods()) {
    if (method->quadratic) {
      EXPECT_EQ(json["left_out." + std::to_string(left++)], method->name);
    } else {
      EXPECT_EQ(json[at(kept++, "plan")], method->name);
    }
  }
  EXPECT_FALSE(json.has(at(kept, "plan")));
  const auto words = run(folder, {"bench", "many.npy", "--repeat", "1"});
  EXPECT_EQ(words.code, 0);
  EXPECT_NE(words.out.find("\nleft out  pairing and bounding-volume: above 50,000 bodies"), std::string::npos)
      << words.out;
}

TEST_F(cli_bench, few_or_no_bodies_and_no_pairs) {
  folder.write("none.csv", "x,y,r\n");
  folder.write("one.csv", "x,y,r\n1,2,0.5\n");
  folder.write("apart.csv", "x,y,r\n1,2,0.5\n9,9,0.5\n");
  for (const char* name : {"none.csv", "one.csv", "apart.csv"}) {
    for (const arguments& options : {arguments{}, {"--move", "0.1", "--steps", "3"}}) {
      arguments args = {name, "--repeat", "2"};
      args.insert(args.end(), options.begin(), options.end());
      const json_members json = bench(args);
      EXPECT_EQ(json[at(0, "pairs")], "0");
      EXPECT_EQ(json[at(0, "exact")], "true");
      EXPECT_EQ(json[at(0, "candidates_per_pair")], "null");
      EXPECT_EQ(json[at(0, "tests_per_pair")], "null");
      const bool none = std::string(name) == "none.csv";
      EXPECT_EQ(json[at(0, "bytes_per_body")] == "null", none);
      EXPECT_EQ(json[at(0, "nanoseconds_per_body.find.median")] == "null", none);
      args.insert(args.begin(), "bench");
      const auto words = run(folder, args);
      EXPECT_EQ(words.code, 0);
      EXPECT_EQ(words.out.find("No bodies, so there is nothing to measure.") != std::string::npos, none) << words.out;
      EXPECT_EQ(words.out.find("candidates/pair"), std::string::npos) << words.out;
      EXPECT_EQ(words.out.find("nan"), std::string::npos) << words.out;
      EXPECT_EQ(words.out.find("inf"), std::string::npos) << words.out;
    }
  }
}

TEST_F(cli_bench, errors_are_one_line) {
  folder.write("g.csv", "x,y,r\n0,0,0.5\n1,0,0.5\n");
  folder.write("boxes.csv", "xmin,xmax,ymin,ymax\n0,1,0,1\n");
  folder.write("bad.csv", "x,y,r\n0,0,0.5\n1,0,-0.5\n");
  const struct {
    arguments args;
    const char* line;
  } cases[] = {
      {{}, "no bodies; name a file (.npy, .csv or a LAMMPS dump), or try --demo"},
      {{"g.csv", "--demo"}, "both --demo and the file \"g.csv\" are given; choose one"},
      {{"g.csv", "--methods", "paring"}, "unknown method \"paring\", did you mean \"pairing\"?"},
      {{"g.csv", "--methods", "al"}, "unknown method \"al\"; `abut methods` lists them"},
      {{"g.csv", "--methods", "pairing,,auto"},
       "--methods \"pairing,,auto\": a name is missing next to a comma; `abut methods` lists them"},
      {{"g.csv", "--methods", ""}, "--methods is empty; give it a value or leave it out"},
      {{"g.csv", "--instructions", ""}, "--instructions is empty; give it a value or leave it out"},
      {{"g.csv", "--methods", "neighboring-cell stre=cover"},
       "neighboring-cell has no parameter \"stre\", did you mean \"store\"?"},
      {{"g.csv", "--steps", "0"}, "--steps is \"0\"; it must be a whole number from 1 to 1000000"},
      {{"g.csv", "--steps", "two"}, "--steps is \"two\"; it must be a whole number from 1 to 1000000"},
      {{"g.csv", "--repeat", "-1"}, "--repeat is \"-1\"; it must be a whole number from 1 to 1000000"},
      {{"g.csv", "--seed", "1.5"}, "--seed is \"1.5\"; it must be a whole number from 0 to 18446744073709551615"},
      {{"g.csv", "--threads", "0"}, "--threads is \"0\"; it must be a whole number from 1 to 1024"},
      {{"g.csv", "--move", "-1"}, "--move is -1; it must be a finite number >= 0, in diameters per axis and step"},
      {{"g.csv", "--move", "inf"}, "--move is inf; it must be a finite number >= 0, in diameters per axis and step"},
      {{"g.csv", "--move", "far"},
       "--move is \"far\", not a number; it must be a finite number >= 0, in diameters per axis and step"},
      {{"g.csv", "--periodic", "x"}, "--periodic needs the period; add --domain xmin,xmax,ymin,ymax"},
      {{"g.csv", "--moves", "1"}, "unknown option --moves, did you mean --move?"},
      {{"boxes.csv", "--scale", "2"}, "--scale multiplies radii and boxes have none; use --margin"},
      {{"gone.csv"}, "gone.csv: no such file, did you mean boxes.csv?"},
  };
  for (const auto& c : cases) {
    arguments args = {"bench"};
    args.insert(args.end(), c.args.begin(), c.args.end());
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 2) << c.line;
    EXPECT_EQ(result.out, "") << c.line;
    EXPECT_EQ(result.err, std::string(c.line) + "\n");
  }
  const auto bad = run(folder, {"bench", "bad.csv"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.err.substr(0, 11), "bad.csv:3: ") << bad.err;
  EXPECT_EQ(bad.err.find('\n'), bad.err.size() - 1) << bad.err;
}

TEST_F(cli_bench, help_has_examples) {
  const auto result = run(folder, {"bench", "--help"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("\nExamples:\n  abut bench "), std::string::npos) << result.out;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 84U) << line;
}

TEST_F(cli_bench, on_a_terminal_and_in_a_pipe) {
  folder.write("g.npy", sparse_npy(3000));
  {
    const support::environment_variable language("LC_ALL", "C");
    const auto plain = run(folder, {"bench", "g.npy", "--repeat", "1"});
    EXPECT_TRUE(std::all_of(plain.out.begin(), plain.out.end(), [](char c) {
      return c == '\n' || (c >= 32 && c < 127);
    })) << plain.out;
    EXPECT_EQ(plain.err, "");
  }
  {
    const support::environment_variable language("LC_ALL", "xx_XX.UTF-8");
    EXPECT_NE(run(folder, {"bench", "g.npy", "--repeat", "1"}).out.find("█ update"), std::string::npos);
  }

  int code = 0;
  const std::string shown = program::on_a_terminal(folder, {"bench", "g.npy"}, "", code);
  EXPECT_EQ(code, 0);
  EXPECT_NE(shown.find(", repeat "), std::string::npos) << shown;
  EXPECT_NE(shown.find(" s left "), std::string::npos) << shown;
  EXPECT_NE(shown.find("\r\033[Kbodies "), std::string::npos) << "cleared before the result: " << shown;
  program::on_a_terminal(folder, {"bench", "g.npy", "--repeat", "1000000"}, ", repeat ", code);
  EXPECT_EQ(code, 130);
}

}  // namespace
}  // namespace bench_test
