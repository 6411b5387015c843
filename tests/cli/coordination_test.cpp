// How many bodies have how many contacts, as `find` tells it.

#include <numeric>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "contact_counts.hpp"
#include "run_program.hpp"

namespace coordination_test {
namespace {

using abut::cli::bar_chart;
using abut::cli::coordination_histogram;
using program::json_members;
using program::run;
using lines = std::vector<std::string>;

TEST(coordination, counts_the_contacts_of_each_body) {
  abut::cli::contact_counts counts(1000);
  std::vector<abut::pair> star;
  for (abut::row j = 1; j < 900; ++j) star.push_back({0, j});
  counts.add(star);
  counts.add(std::vector<abut::pair>{{1, 2}});
  const auto histogram = counts.histogram();
  ASSERT_EQ(histogram.size(), 4U);
  const std::uint64_t expected[][2] = {{0, 100}, {1, 897}, {2, 2}, {899, 1}};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(histogram[k].contacts, expected[k][0]);
    EXPECT_EQ(histogram[k].bodies, expected[k][1]);
  }
  EXPECT_TRUE(abut::cli::contact_counts(0).histogram().empty());
}

TEST(coordination, is_a_chart_of_bars) {
  const coordination_histogram some{{1, 10}, {2, 2000}, {4, 1000}};
  EXPECT_EQ(bar_chart(some, {.width = 41}, 10),
            (lines{"1     10 bodies  #",  //
                   "2  2,000         ##############", "3      0", "4  1,000         #######"}))
      << "what there is, is seen, and what there is not, too";
  EXPECT_EQ(bar_chart(some, {.width = 41, .unicode = true}, 10),
            (lines{"1     10 bodies  ▏", "2  2,000         ██████████████", "3      0", "4  1,000         ███████"}));
  EXPECT_EQ(bar_chart(some, {.width = 30}, 10), (lines{"1     10 bodies", "2  2,000", "3      0", "4  1,000"}))
      << "no room for bars";
  EXPECT_EQ(bar_chart({{6, 1}}, {.width = 31}, 10), (lines{"6  1 body    ########"}));
  EXPECT_TRUE(bar_chart({}, {}, 10).empty());
}

std::vector<std::string> labels_of(const coordination_histogram& histogram) {
  lines labels;
  for (const std::string& line : bar_chart(histogram, {.width = 60}, 10)) {
    const std::size_t from = line.find_first_not_of(' ');
    labels.push_back(line.substr(from, line.find(' ', from) - from));
  }
  return labels;
}

TEST(coordination, has_few_lines_for_any_counts) {
  coordination_histogram wide;
  for (std::uint64_t k = 0; k < 40; ++k) wide.push_back({k, 100});
  EXPECT_EQ(labels_of(wide), (lines{"0-4", "5-9", "10-14", "15-19", "20-24", "25-29", "30-34", "35-39"}));

  coordination_histogram twelve;
  for (std::uint64_t k = 3; k < 15; ++k) twelve.push_back({k, 1});
  EXPECT_EQ(labels_of(twelve).size(), 12U);
  EXPECT_EQ(labels_of(twelve).back(), "14");

  coordination_histogram odd;
  for (std::uint64_t k = 8; k < 36; ++k) odd.push_back({k, 100});
  EXPECT_EQ(labels_of(odd), (lines{"5-9", "10-14", "15-19", "20-24", "25-29", "30-34", "35"})) << "round numbers";

  const coordination_histogram giant{{0, 1000}, {1, 5000}, {2, 3000}, {5999, 1}};
  EXPECT_EQ(labels_of(giant), (lines{"0", "1", "2", "3-5,999"})) << "the giant does not flatten the others";

  const coordination_histogram two{{0, 1}, {1'000'000, 1}};
  EXPECT_LE(labels_of(two).size(), 13U);
  EXPECT_EQ(labels_of(two).front(), "0-99,999");
  EXPECT_EQ(labels_of(two).back(), "1,000,000");
}

TEST(coordination, loses_no_body_in_the_chart) {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    coordination_histogram some;
    std::uint64_t state = seed, contacts = 0, all = 0;
    for (int k = 0; k < 30; ++k) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      contacts += 1 + (state >> 60) * (seed % 3 == 0 ? state >> 58 : 1);
      some.push_back({contacts, 1 + (state >> 40) % (k < 10 ? 1000 : 3)});
      all += some.back().bodies;
    }
    const auto chart = bar_chart(some, {.width = 60}, 10);
    EXPECT_LE(chart.size(), 13U);
    std::uint64_t sum = 0;
    for (const std::string& line : chart) {
      EXPECT_LE(line.size(), 50U);
      std::string digits;
      const std::size_t from = line.find("  ", line.find_first_not_of(' '));
      for (const char c : line.substr(from, line.find_first_of("#b", from) - from)) {
        if (c >= '0' && c <= '9') digits += c;
      }
      sum += std::stoul(digits);
    }
    EXPECT_EQ(sum, all);
  }
}

TEST(coordination, is_told_by_find) {
  const program::folder folder;
  folder.write("g.csv", "x,y,r\n0,0,0.5\n1,0,0.5\n2,0,0.5\n9,9,0.5\n");
  const auto result = run(folder, {"find", "g.csv"});
  EXPECT_NE(result.out.find("\ncontacts  0  1 body    "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n          1  2         "), std::string::npos) << result.out;
  const json_members json(run(folder, {"find", "g.csv", "--json"}).out);
  EXPECT_EQ(json["coordination_histogram.0"], "1");
  EXPECT_EQ(json["coordination_histogram.1"], "2");
  EXPECT_EQ(json["coordination_histogram.2"], "1");
  EXPECT_FALSE(json.has("coordination_histogram.3"));
  EXPECT_EQ(json_members(run(folder, {"find", "g.csv", "--json", "--pairs", "p.npy"}).out)["coordination_histogram.2"],
            "1");
  folder.write("far.csv", "x,y,r\n0,0,0.5\n5,0,0.5\n");
  EXPECT_EQ(run(folder, {"find", "far.csv"}).out.find("contacts"), std::string::npos) << "pairs 0 says it";
}

TEST(coordination, of_many_pairs_is_that_of_few_at_a_time) {
  const program::folder folder;
  // With a margin, more pairs than are counted at a time.
  const auto kept = run(folder, {"find", "--demo", "--margin", "1", "--json", "--pairs", "p.npy"});
  const auto counted = run(folder, {"find", "--demo", "--margin", "1", "--json"});
  const json_members a(kept.out), b(counted.out);
  EXPECT_GT(std::stoul(a["pairs"]), 1'100'000U);
  std::uint64_t bodies = 0, contacts = 0;
  for (int k = 0; k < 100; ++k) {
    const std::string name = "coordination_histogram." + std::to_string(k);
    EXPECT_EQ(a.has(name), b.has(name));
    if (!a.has(name)) continue;
    EXPECT_EQ(a[name], b[name]);
    bodies += std::stoul(a[name]);
    contacts += std::stoul(a[name]) * static_cast<std::uint64_t>(k);
  }
  EXPECT_EQ(bodies, 100'000U);
  EXPECT_EQ(contacts, 2 * std::stoul(a["pairs"]));
}

}  // namespace
}  // namespace coordination_test
