// Plans: lines of text that can be saved, shown and given back.

#include <cstdlib>

#include "plans.hpp"
#include "support.hpp"

namespace plan_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

TEST(plan, text_comes_back) {
  EXPECT_EQ(abut::plan().text(), "auto");
  EXPECT_EQ(abut::plan("auto"), abut::plan());
  for (const abut::method_info* method : abut::methods()) {
    const std::string name(method->name);
    EXPECT_EQ(abut::plan(name).text(), name);
    EXPECT_EQ(abut::plan(name).method(), name);
    EXPECT_TRUE(abut::plan(name).parameters().empty());
  }
  for (const std::string line : {"neighboring-cell", "neighboring-cell store=cover", "neighboring-cell cell=0.7",
                                 "neighboring-cell store=center cell=1.5"}) {
    EXPECT_EQ(abut::plan(line).text(), line);
    EXPECT_EQ(abut::plan(abut::plan(line).text()), abut::plan(line));
  }
}

TEST(plan, spaces_do_not_matter) {
  EXPECT_EQ(abut::plan("  neighboring-cell   store=cover \t cell=2 ").text(), "neighboring-cell store=cover cell=2");
}

TEST(plan, parameters_are_read_and_set) {
  abut::plan p("neighboring-cell cell=0.7");
  EXPECT_EQ(p.parameter_value("cell"), "0.7");
  EXPECT_EQ(p.parameter_value("store"), std::nullopt);
  p.set("store", "cover").set("cell", "3").because("for the test");
  EXPECT_EQ(p.parameter_value("cell"), "3");
  EXPECT_EQ(p.parameter_value("store"), "cover");
  EXPECT_EQ(p.reason(), "for the test");
  EXPECT_NE(p, abut::plan("neighboring-cell cell=3"));
  EXPECT_NE(abut::plan("neighboring-cell"), abut::plan());
}

class planned : public ::testing::TestWithParam<std::string> {};

TEST_P(planned, has_every_parameter_and_a_reason) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      const samples::set bodies = samples::uniform(kind, dimension, 500, 0.5, 1, 3, 81);
      abut::search search{abut::plan(GetParam())};
      search.update(bodies.view());
      EXPECT_EQ(search.planned().method(), GetParam());
      for (const abut::parameter_info& p : abut::method_named(GetParam()).parameters) {
        EXPECT_TRUE(search.planned().parameter_value(p.name)) << p.name << " in " << search.planned().text();
      }
      EXPECT_TRUE(abut::method_named(GetParam()).parameters.empty() || !search.planned().reason().empty());
    }
  }
}

TEST_P(planned, given_back_it_gives_the_same_pairs_in_the_same_order) {
  for (const samples::sample& sample : samples::all()) {
    for (const shape kind : {shape::sphere, shape::box}) {
      const samples::set bodies = sample.make(kind, 3, 3);
      abut::search search{abut::plan(GetParam())};
      search.update(bodies.view());
      const std::string line = search.planned().text();
      SCOPED_TRACE(sample.name + ": " + line);
      EXPECT_EQ(abut::plan(line).text(), line);
      abut::search again{abut::plan(line)};
      ASSERT_NO_THROW(again.update(bodies.view()));
      EXPECT_EQ(support::ordered(again), support::ordered(search));
      EXPECT_EQ(again.planned().text(), line);
    }
  }
}

TEST_P(planned, keeps_what_was_asked_for) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 300, 0.5, 1, 3, 82);
  for (const std::string& line : support::plans_of(GetParam(), bodies)) {
    const abut::plan asked(line);
    abut::search search(asked);
    try {
      search.update(bodies.view());
    } catch (const abut::error& refused) {
      support::expect_fair_refusal(line, refused);
      continue;
    }
    for (const auto& [name, value] : asked.parameters()) {
      const auto used = search.planned().parameter_value(name);
      ASSERT_TRUE(used) << name;
      if (name == "cell" || name == "width") {  // the same number, but not always with the same digits
        EXPECT_EQ(std::strtod(std::string(*used).c_str(), nullptr), std::strtod(value.c_str(), nullptr));
      } else {
        EXPECT_EQ(*used, value);
      }
    }
  }
}

TEST_P(planned, follows_the_bodies_at_each_update) {
  abut::search search{abut::plan(GetParam())};
  for (const double size : {1.0, 1e-6, 1e6}) {
    const samples::set bodies = samples::uniform(shape::sphere, 3, 500, 0.5, size, 3, 83);
    search.update(bodies.view());
    for (const char* name : {"cell", "width"}) {
      const auto length = search.planned().parameter_value(name);
      if (!length) continue;
      EXPECT_GT(std::stod(std::string(*length)), 0.1 * size);
      EXPECT_LT(std::stod(std::string(*length)), 100 * size);
    }
    EXPECT_EQ(search.pairs(), reference::pairs(bodies));
  }
}

INSTANTIATE_TEST_SUITE_P(methods, planned, ::testing::ValuesIn(support::method_names()), support::method_test_name);

TEST(planned_auto, names_a_method_and_why) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 5000, 0.5, 1, 3, 84);
  abut::search search;
  EXPECT_EQ(search.planned().text(), "auto");
  search.update(bodies.view());
  EXPECT_NE(search.planned().method(), "auto");
  EXPECT_NE(search.planned().reason(), "");
  EXPECT_FALSE(abut::method_named(search.planned().method()).quadratic) << "5,000 bodies";
}

TEST(search, is_made_from_a_plan_a_text_or_options) {
  const std::vector<double> x = {0, 1.25};
  const auto method_of = [&](abut::search search) {
    search.update(abut::spheres(x, 0.0, 0.5));
    EXPECT_EQ(search.pairs().size(), search.chosen().margin > 0 ? 1U : 0U);
    return search.planned().method();
  };
  const std::string text = "dess";
  const std::string_view part = std::string_view("rtree and more").substr(0, 5);
  const abut::options wide{.margin = 0.5};
  EXPECT_EQ(method_of(abut::search("grid")), "grid");
  EXPECT_EQ(method_of(abut::search("grid", {.margin = 0.25})), "grid");
  EXPECT_EQ(method_of(abut::search(text, wide)), "dess");
  EXPECT_EQ(method_of(abut::search(part)), "rtree");
  EXPECT_EQ(method_of(abut::search(abut::plan("pairing"), wide)), "pairing");
  EXPECT_NE(method_of(abut::search({.margin = 0.25, .threads = 1})), "auto");
  EXPECT_NE(method_of(abut::search(wide)), "auto");
  EXPECT_EQ(abut::search("neighboring-cell store=center").planned().text(), "neighboring-cell store=center");
  EXPECT_NE(support::message_of([] { abut::search search("gird"); }), "");
  EXPECT_NE(support::message_of([] { abut::search search({.margin = -1}); }), "");
  // Never by accident.
  static_assert(!std::is_convertible_v<const char*, abut::search>);
  static_assert(!std::is_convertible_v<abut::options, abut::search>);
  static_assert(!std::is_constructible_v<abut::search, int> && !std::is_constructible_v<abut::search, bool>);
}

TEST(search, keeps_its_options_and_moves) {
  abut::search search(abut::plan("neighboring-cell"), {.margin = 0.25, .threads = 2});
  EXPECT_EQ(search.chosen().margin, 0.25);
  EXPECT_EQ(search.chosen().threads, 2);
  const samples::set bodies = samples::uniform(shape::sphere, 3, 300, 0.3, 1, 3, 85);
  search.update(bodies.view());
  const std::vector<abut::pair> expected = reference::pairs(bodies, 0.25);
  abut::search moved = std::move(search);
  EXPECT_EQ(moved.pairs(), expected);
  abut::search assigned;
  assigned = std::move(moved);
  EXPECT_EQ(assigned.pairs(), expected);
}

}  // namespace
}  // namespace plan_test
