// Every method of the table against the oracle, over every sample: the same pairs, each once, in an order that depends
// only on the bodies and the plan.

#include <cctype>
#include <tuple>

#include "plans.hpp"
#include "support.hpp"

namespace methods_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

// Whether the search accepts the plan. A refusal must name the parameter and the smallest value that works, and that
// value must work.
bool takes(abut::search& search, const abut::plan& plan, const abut::options& options, const samples::set& bodies) {
  try {
    search.update(bodies.view());
    return true;
  } catch (const abut::error& e) {
    support::expect_fair_refusal(plan.text(), e);
    const std::string smallest = support::smallest_named(e.what());
    if (smallest.empty()) return false;
    abut::plan again = plan;
    again.set(support::parameter_named(e.what()), smallest);
    abut::search other(again, options);
    EXPECT_NO_THROW(other.update(bodies.view())) << "refused with: " << e.what();
    EXPECT_TRUE(support::same_pairs(reference::pairs(bodies, options.margin), support::ordered(other), bodies));
    return false;
  }
}

void expect_right_stats(const abut::stats& stats, std::size_t pairs) {
  EXPECT_EQ(stats.pairs, pairs);
  EXPECT_GE(stats.tests, stats.pairs);
  EXPECT_GE(stats.candidates, stats.pairs);
}

// What a search has counted, by name.
std::vector<std::pair<std::string, std::uint64_t>> counts_of(const abut::search& search) {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  for (const auto& [name, count] : search.stats().counts) all.emplace_back(name, count);
  return all;
}

// One plan on one set, with one to three threads.
void expect_exact(const abut::plan& plan, const samples::set& bodies, double margin,
                  const std::vector<abut::pair>& expected) {
  std::vector<abut::pair> first_order;
  std::vector<std::pair<std::string, std::uint64_t>> first_counts;
  for (const int threads : {1, 2, 3}) {
    SCOPED_TRACE("threads " + std::to_string(threads));
    const abut::options options{.margin = margin, .threads = threads};
    abut::search search(plan, options);
    if (!takes(search, plan, options, bodies)) return;
    const std::vector<abut::pair> order = support::ordered(search);
    ASSERT_TRUE(support::same_pairs(expected, order, bodies));
    for (const abut::pair p : order) ASSERT_LT(p.i, p.j);
    expect_right_stats(search.stats(), expected.size());
    if (threads == 1) first_counts = counts_of(search);
    EXPECT_EQ(counts_of(search), first_counts) << "the counts depend on the threads";
    EXPECT_EQ(support::by_batches(search), order) << "batches come in another order";
    EXPECT_EQ(counts_of(search), first_counts) << "the counts of batches differ";
    expect_right_stats(search.stats(), expected.size());
    EXPECT_EQ(search.pairs(), expected) << "pairs() are not sorted";
    EXPECT_EQ(search.planned().method(), plan.method());
    if (threads == 1) first_order = order;
    EXPECT_EQ(order, first_order) << "the order depends on the threads";
  }
}

using parameter = std::tuple<std::string, const samples::sample*>;

class methods : public ::testing::TestWithParam<parameter> {};

TEST_P(methods, find_the_pairs_of_the_oracle) {
  const auto& [method, sample] = GetParam();
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      const samples::set bodies = sample->make(kind, dimension, 1);
      for (const double margin : {0.0, support::fair_margin(bodies)}) {
        const std::vector<abut::pair> expected = reference::pairs(bodies, margin);
        ASSERT_TRUE(margin > 0 || !expected.empty() == sample->has_pairs);
        for (const std::string& plan : support::plans_of(method, bodies)) {
          SCOPED_TRACE(plan + "; " + support::shape_name(kind) + ", " + std::to_string(dimension) + "D, margin " +
                       support::number(margin));
          expect_exact(abut::plan(plan), bodies, margin, expected);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

std::vector<const samples::sample*> all_samples() {
  std::vector<const samples::sample*> all;
  for (const samples::sample& sample : samples::all()) all.push_back(&sample);
  return all;
}

std::string test_name(const ::testing::TestParamInfo<parameter>& test) {
  const auto& [method, sample] = test.param;
  return support::name(method) + "__" + support::name(sample->name);
}

INSTANTIATE_TEST_SUITE_P(all, methods,
                         ::testing::Combine(::testing::ValuesIn(support::method_names()),
                                            ::testing::ValuesIn(all_samples())),
                         test_name);

TEST(methods_table, every_method_is_named_described_and_found_by_name) {
  EXPECT_FALSE(abut::methods().empty());
  for (const abut::method_info* method : abut::methods()) {
    EXPECT_EQ(&abut::method_named(method->name), method);
    for (const std::string_view text : {method->name, method->document, method->summary, method->suits, method->cost}) {
      EXPECT_FALSE(text.empty()) << method->name;
    }
    // Documents are named by their authors.
    EXPECT_TRUE(std::isalpha(static_cast<unsigned char>(method->document[0]))) << method->document;
    for (const abut::parameter_info& p : method->parameters) {
      EXPECT_FALSE(p.name.empty() || p.range.empty() || p.default_value.empty() || p.summary.empty()) << method->name;
    }
  }
}

TEST(methods_table, auto_and_find_pairs_agree_with_the_oracle) {
  for (const samples::sample& sample : samples::all()) {
    const samples::set bodies = sample.make(shape::sphere, 3, 2);
    const std::vector<abut::pair> expected = reference::pairs(bodies);
    EXPECT_TRUE(support::same_pairs(expected, abut::find_pairs(bodies.view()), bodies)) << sample.name;
    abut::search search;
    search.update(bodies.view());
    EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies)) << sample.name;
  }
}

// A cell so small that a body would take far more than 16 entries is refused with store=cover; store=center accepts it.
TEST(neighboring_cell, refuses_to_cover_with_cells_that_are_too_small) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      const samples::set bodies = samples::lattice(kind, dimension, 125, 1, 0.1, 0.525, 1);
      abut::search search(abut::plan("neighboring-cell store=cover cell=0.001"));
      const std::string message = support::message_of([&] { search.update(bodies.view()); });
      EXPECT_NE(message.find("0.001"), std::string::npos) << message;
      const std::string smallest = support::smallest_named(message);
      ASSERT_NE(smallest, "") << message;
      EXPECT_GT(std::stod(smallest), 0.001);
      EXPECT_LT(std::stod(smallest), 1.05);  // the side of a body, which makes at most 8 entries
      abut::search with_smallest(abut::plan("neighboring-cell store=cover cell=" + smallest));
      with_smallest.update(bodies.view());
      EXPECT_TRUE(support::same_pairs(reference::pairs(bodies), support::ordered(with_smallest), bodies));
    }
  }
}

}  // namespace
}  // namespace methods_test
