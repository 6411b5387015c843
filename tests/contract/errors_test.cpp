// Bad input is an error that names the thing and its value, thrown before anything has changed.

#include <limits>

#include <regex.h>  // POSIX: std::regex takes seconds to compile

#include "support.hpp"

namespace errors_test {
namespace {

using abut::interval;
using abut::shape;
namespace samples = abut::samples;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_matches(const std::string& message, const std::string& pattern) {
  regex_t compiled{};
  ASSERT_EQ(::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB), 0) << pattern;
  const bool matches = ::regexec(&compiled, message.c_str(), 0, nullptr, 0) == 0;
  ::regfree(&compiled);
  EXPECT_TRUE(matches) << '"' << message << "\" does not match " << pattern;
}

// A number put into one column of body 17, and what the message must say.
struct fault {
  int column;
  double value;
  const char* message;
};

class bad_bodies : public ::testing::TestWithParam<std::string> {
 protected:
  static void expect_refused(const samples::set& good, const std::vector<fault>& faults) {
    abut::search search{abut::plan(GetParam())};
    search.update(good.view());
    const std::vector<abut::pair> before = support::ordered(search);
    ASSERT_FALSE(before.empty());
    const std::string planned = search.planned().text();
    for (const fault& f : faults) {
      samples::set bad = good;
      bad.column[static_cast<std::size_t>(f.column)][17] = f.value;
      bad.add(0, 0, 0, 1);
      try {
        search.update(bad.view());
        ADD_FAILURE() << "taken: column " << f.column << ", value " << f.value;
      } catch (const abut::error& e) {
        expect_matches(e.what(), "body 17\\b");
        expect_matches(e.what(), f.message);
        EXPECT_EQ(e.body(), abut::row{17}) << e.what();
      }
      EXPECT_EQ(support::ordered(search), before) << "a refused update changed the search";
      EXPECT_EQ(search.planned().text(), planned);
    }
  }
};

TEST_P(bad_bodies, spheres) {
  expect_refused(samples::uniform(shape::sphere, 3, 50, 0.6, 1, 2, 71),
                 {{0, nan, "\\bx\\b.*nan"},
                  {1, infinity, "\\by\\b.*inf"},
                  {2, -infinity, "\\bz\\b.*-inf"},
                  {2, nan, "\\bz\\b.*nan"},
                  {3, nan, "\\br.*nan"},
                  {3, infinity, "\\br.*inf"},
                  {3, -0.125, "\\br.*-0\\.125"},
                  {3, -std::numeric_limits<double>::denorm_min(), "\\br.*-(4\\.9|5)[0-9]*e-324"},
                  {0, 1.5e150, R"(\bx\b.*1\.5e\+?150)"},
                  {1, -1e300, R"(\by\b.*-1e\+?300)"},
                  {3, 2e150, "\\br.*2e\\+?150"}});
}

TEST_P(bad_bodies, discs) {
  expect_refused(samples::uniform(shape::sphere, 2, 50, 0.6, 1, 2, 71),
                 {{0, nan, "\\bx\\b.*nan"}, {1, nan, "\\by\\b.*nan"}, {2, -1, "\\br.*-1"}});
}

TEST_P(bad_bodies, boxes) {
  expect_refused(samples::uniform(shape::box, 3, 50, 0.6, 1, 2, 72),
                 {{0, nan, "xmin.*nan"},
                  {1, -infinity, "ymin.*-inf"},
                  {2, 1.25e9, "zmin.*1\\.25e\\+?0?9|zmin.*1250000000"},
                  {3, nan, "xmax.*nan"},
                  {4, infinity, "ymax.*inf"},
                  {5, 3e150, "zmax.*3e\\+?150"},
                  {3, -77.5, "xmax.*-77\\.5"},
                  {4, -78.5, "ymin.*ymax -78\\.5"},
                  {5, -79.5, "zmin.*zmax -79\\.5"},
                  {1, 1.5e9, "ymin 1\\.?5.*ymax"}});
}

TEST_P(bad_bodies, rectangles_among_flat_ones) {
  samples::set bodies = samples::uniform(shape::box, 2, 50, 0.6, 1, 2, 72);
  bodies.column[2][3] = bodies.column[0][3];  // a line and a point are valid
  bodies.column[2][4] = bodies.column[0][4];
  bodies.column[3][4] = bodies.column[1][4];
  expect_refused(bodies, {{1, 2e9, "ymin 2.*ymax"}, {2, -80.5, "xmin.*xmax -80\\.5"}, {3, nan, "ymax nan"}});
}

TEST_P(bad_bodies, the_first_of_many_is_named) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 10000, 0.3, 1, 2, 73);
  for (std::size_t i = 4321; i < bodies.size(); ++i) bodies.column[1][i] = nan;
  for (const int threads : {1, 2, 3}) {
    abut::search search(abut::plan(GetParam()), {.threads = threads});
    expect_matches(support::message_of([&] { search.update(bodies.view()); }), "body 4321\\b");
  }
}

TEST_P(bad_bodies, the_limits_themselves_are_taken) {
  samples::set bodies{.kind = shape::sphere, .dimension = 3};
  bodies.add(1e150, -1e150, 1e150, 1e150);
  bodies.add(1e150, 0, 1e150, 0);
  bodies.add(-1e150, -1e150, -1e150, 0);
  abut::search search(abut::plan(GetParam()), {.margin = 1e140});
  search.update(bodies.view());
  EXPECT_EQ(search.pairs(), (std::vector<abut::pair>{{0, 1}}));
}

TEST_P(bad_bodies, before_the_first_update) {
  abut::search search{abut::plan(GetParam())};
  EXPECT_THROW(support::ordered(search), abut::error);
  EXPECT_THROW((void)search.pairs(), abut::error);
  EXPECT_THROW(support::by_batches(search), abut::error);
  const samples::set bodies = samples::uniform(shape::sphere, 3, 50, 0.6, 1, 2, 74);
  EXPECT_THROW(search.for_each_pair_between(bodies.view(), [](abut::row, abut::row) {}), abut::error);
  search.update(bodies.view());
  EXPECT_FALSE(search.pairs().empty());
}

TEST_P(bad_bodies, what_the_function_throws_comes_through_and_the_search_goes_on) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 3000, 0.6, 1, 2, 75);
  for (const int threads : {1, 3}) {
    abut::search search(abut::plan(GetParam()), {.threads = threads});
    search.update(bodies.view());
    const std::vector<abut::pair> all = support::ordered(search);
    std::size_t calls = 0;
    const auto give_up = [&](abut::row, abut::row) {
      if (++calls == 100) throw std::runtime_error("enough");
    };
    EXPECT_THROW(search.for_each_pair(give_up), std::runtime_error);
    EXPECT_EQ(calls, 100U);
    EXPECT_EQ(support::ordered(search), all);
  }
}

INSTANTIATE_TEST_SUITE_P(methods, bad_bodies, ::testing::ValuesIn(support::method_names()), support::method_test_name);

TEST(bad_lengths, of_columns) {
  const std::vector<double> three(3, 1.0);
  const std::vector<float> four(4, 1.0F);
  for (const std::string& message : {
           support::message_of([&] { (void)abut::spheres(three, three, four); }),
           support::message_of([&] { (void)abut::spheres(three, four, three, three); }),
           support::message_of([&] { (void)abut::spheres(four, three, 0.0, 1.0); }),
           support::message_of([&] { (void)abut::boxes(three, three, three, four); }),
           support::message_of([&] { (void)abut::boxes(three, three, three, three, three, four); }),
       }) {
    expect_matches(message, "3");
    expect_matches(message, "4");
  }
}

TEST(bad_lengths, of_flags) {
  const std::vector<double> three(3, 1.0);
  const std::vector<std::uint8_t> two(2, 1);
  const std::string message = support::message_of([&] {
    abut::search search;
    search.update(abut::spheres(three, three, three, three).fixed(two));
  });
  expect_matches(message, "2");
  expect_matches(message, "3");
}

// Makes a search and updates it: either of the two may refuse the options.
std::string refused(const abut::options& options) {
  return support::message_of([&] {
    const samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 1);
    abut::search search(abut::plan(), options);
    search.update(bodies.view());
  });
}

TEST(bad_options, margin) {
  expect_matches(refused({.margin = -0.5}), "margin.*-0\\.5");
  expect_matches(refused({.margin = nan}), "margin.*nan");
  expect_matches(refused({.margin = infinity}), "margin.*inf");
}

TEST(bad_options, threads) {
  expect_matches(refused({.threads = -2}), "threads.*-2");
  expect_matches(refused({.threads = abut::most_threads + 1}), "threads is 1025; it must be from 1 to 1024");
  expect_matches(refused({.threads = 100000}), "threads.*100000");
  EXPECT_EQ(abut::search(abut::plan(), {.threads = abut::most_threads}).chosen().threads, abut::most_threads);
}

TEST(bad_options, periodic) {
  constexpr std::nullopt_t none = std::nullopt;
  expect_matches(refused({.periodic = {interval{0, 0}, none, none}}), "\\bx\\b.*0");
  expect_matches(refused({.periodic = {none, interval{2.5, -1}, none}}), R"(\by\b.*2\.5.*-1)");
  expect_matches(refused({.periodic = {none, none, interval{0, nan}}}), "\\bz\\b.*nan");
  expect_matches(refused({.periodic = {interval{-infinity, 0}, none, none}}), "\\bx\\b.*-inf");
}

// Each axis is checked, whatever the others are. Bodies reach 1, or 1.25 with the margin.
TEST(bad_options, a_side_shorter_than_twice_the_reach) {
  constexpr const char* names[3] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    abut::options options{.periodic = {interval{0, 9}, interval{0, 9}, interval{0, 9}}};
    options.periodic[k] = interval{-1, 0.96875};
    const std::string side = std::string("periodic side ") + names[k];
    expect_matches(refused(options), side + " is 1\\.96875.*reach 1 .*at least 2");
    options.periodic[k] = interval{-1, 1};
    const samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 1);
    EXPECT_NO_THROW((void)abut::find_pairs(bodies.view(), options));
    options.margin = 0.25;
    expect_matches(refused(options), side + " is 2.*reach 1\\.25 .*at least 2\\.5");
  }
}

TEST(bad_options, find_pairs_refuses_them_too) {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 1);
  EXPECT_THROW((void)abut::find_pairs(bodies.view(), {.margin = -1}), abut::error);
}

TEST(bad_plans, an_unknown_method_has_a_nearest_name) {
  expect_matches(support::message_of([] { abut::plan p("naighboring-cell"); }),
                 "naighboring-cell.*did you mean \"neighboring-cell\"");
  expect_matches(support::message_of([] { (void)abut::method_named("nieghboring-cell"); }), "\"neighboring-cell\"");
  expect_matches(support::message_of([] { abut::plan p("xyzzy"); }), "xyzzy");
  EXPECT_THROW(abut::plan(""), abut::error);
}

TEST(bad_plans, an_unknown_parameter_has_a_nearest_name) {
  expect_matches(support::message_of([] { abut::plan p("neighboring-cell sell=1"); }), "sell.*cell");
  expect_matches(support::message_of([] { abut::plan().set("cell", "1"); }), "cell");
  EXPECT_THROW(abut::plan("neighboring-cell cell"), abut::error);
  EXPECT_THROW(abut::plan("auto cell=1"), abut::error);
}

TEST(bad_plans, a_bad_value_is_named) {
  for (const std::string value : {"0", "-1", "nan", "inf", "", "1x", "big", "1,5"}) {
    const std::string message = support::message_of([&] { abut::plan p("neighboring-cell cell=" + value); });
    expect_matches(message, "cell");
    EXPECT_NE(message.find(value), std::string::npos) << message;
  }
  expect_matches(support::message_of([] { abut::plan p("neighboring-cell store=centre"); }), "centre.*center");
  abut::plan p("neighboring-cell cell=2");
  EXPECT_THROW(p.set("cell", "-2"), abut::error);
  EXPECT_EQ(p.text(), "neighboring-cell cell=2");
}

TEST(misuse, an_update_while_pairs_are_visited_is_refused) {
  const samples::set s = samples::lattice(shape::sphere, 3, 27, 1, 0, 0.5, 1);
  for (const std::string& method : support::method_names()) {
    abut::search search{abut::plan(method)};
    search.update(s.view());
    const std::size_t pairs = search.pairs().size();
    const std::string text = "the search was updated by a function that it calls with its pairs: update it afterwards";
    EXPECT_EQ(
        support::message_of([&] { search.for_each_pair([&](abut::row, abut::row) { search.update(s.view()); }); }),
        text);
    EXPECT_EQ(support::message_of([&] {
                search.for_each_batch([&](std::size_t, std::span<const abut::pair>) { search.update(s.view()); });
              }),
              text);
    EXPECT_EQ(support::message_of([&] {
                search.for_each_pair_between(s.view(), [&](abut::row, abut::row) { search.update(s.view()); });
              }),
              text);
    search.update(s.view());
    EXPECT_EQ(search.pairs().size(), pairs);
  }
}

TEST(progress, is_told_and_may_give_up) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 20000, 0.6, 1, 2, 76);
  for (const int threads : {1, 3}) {
    std::vector<double> told;
    abut::search search(abut::plan("neighboring-cell"), {.threads = threads, .progress = [&](double part) {
                                                           told.push_back(part);
                                                           if (told.size() == 1000000) throw std::runtime_error("stop");
                                                         }});
    search.update(bodies.view());
    EXPECT_FALSE(support::ordered(search).empty());
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_GE(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
  }
  abut::search search(abut::plan("neighboring-cell"), {.progress = [](double) { throw std::runtime_error("stop"); }});
  search.update(bodies.view());
  EXPECT_THROW(support::ordered(search), std::runtime_error);
}

}  // namespace
}  // namespace errors_test
