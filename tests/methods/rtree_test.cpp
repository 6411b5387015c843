// What is special to the methods with an R-tree, rtree and dess-rtree.

#include <cmath>

#include "bodies/volumes.hpp"
#include "plans.hpp"
#include "support.hpp"

namespace rtree_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

class rtrees : public ::testing::TestWithParam<std::string> {};

void expect_exact(const std::string& method, const samples::set& bodies) {
  const std::vector<abut::pair> expected = reference::pairs(bodies);
  for (const std::string& plan : support::variants(method)) {
    abut::search search{abut::plan(plan)};
    search.update(bodies.view());
    EXPECT_TRUE(support::same_pairs(expected, support::ordered(search), bodies))
        << plan << "; " << support::shape_name(bodies.kind) << ", " << bodies.dimension << "D";
  }
}

template <class Make>
void for_all_kinds(const std::string& method, Make&& make) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      samples::set bodies{.kind = kind, .dimension = dimension};
      make(bodies);
      expect_exact(method, bodies);
    }
  }
}

// More bodies than a leaf's search gathers: each searches alone.
TEST_P(rtrees, coincident_bodies) {
  for_all_kinds(GetParam(), [](samples::set& bodies) {
    for (int i = 0; i < 700; ++i) bodies.add(1, 2, 3, 0.5);
  });
}

TEST_P(rtrees, bodies_that_contain_others) {
  for_all_kinds(GetParam(), [](samples::set& bodies) {
    for (int i = 0; i < 60; ++i) bodies.add(0.001 * i, 0, 0, std::ldexp(1.0, i - 30));
  });
}

TEST_P(rtrees, a_giant_among_specks) {
  for_all_kinds(GetParam(), [](samples::set& bodies) {
    bodies = samples::giant(bodies.kind, bodies.dimension, 1500, 0.01, 200, 91);
  });
}

// All ends are whole numbers, so that most of them are equal, and bodies that meet touch in a face, an edge or a
// corner.
TEST_P(rtrees, equal_ends) {
  for_all_kinds(GetParam(), [](samples::set& bodies) {
    const int edge = bodies.dimension == 2 ? 18 : 7;
    for (int i = 0; i < 343; ++i) {
      const double x = i % edge;
      const double y = i / edge % edge;
      const double z = i / edge / edge;
      bodies.add_box({x, y, z}, {x + 1, y + 1, z + 1});
    }
  });
}

// "The accuracy of the R-tree method is the same as SpatialSort" (4.3.2): candidates are the boxes that meet, however
// the tree was built.
TEST_P(rtrees, candidates_are_the_boxes_that_meet) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 2000, 0.4, 1, 4, 92);
  std::uint64_t expected = 0;
  const auto taken = [&](abut::row i, std::size_t k) {
    return abut::widened(bodies.column[k][i] - bodies.column[3][i], bodies.column[k][i] + bodies.column[3][i]);
  };
  for (abut::row i = 0; i < bodies.size(); ++i) {
    for (abut::row j = i + 1; j < bodies.size(); ++j) {
      bool all = true;
      for (std::size_t k = 0; k < 3; ++k) {
        all = all && taken(i, k).min <= taken(j, k).max && taken(j, k).min <= taken(i, k).max;
      }
      expected += all ? 1 : 0;
    }
  }
  for (const std::string& plan : support::variants(GetParam())) {
    abut::search search{abut::plan(plan)};
    search.update(bodies.view());
    (void)search.pairs();
    EXPECT_EQ(search.stats().candidates, expected) << plan;
    EXPECT_EQ(search.stats().tests, expected) << plan;
  }
}

// Regions whose bounds equal bodies' ends to the bit, or just miss them.
TEST_P(rtrees, regions_that_end_where_bodies_end) {
  samples::set bodies{.kind = shape::box, .dimension = 2};
  for (int i = 0; i < 200; ++i)
    bodies.add_box({i % 20 * 0.1, i / 20 * 0.1, 0}, {i % 20 * 0.1 + 0.1, i / 20 * 0.1 + 0.1, 0});
  for (const std::string& plan : support::variants(GetParam())) {
    abut::search search{abut::plan(plan)};
    search.update(bodies.view());
    for (abut::row i = 0; i < bodies.size(); ++i) {
      const abut::box exactly{{bodies.column[0][i], bodies.column[1][i]}, {bodies.column[2][i], bodies.column[3][i]}};
      const abut::box within{{std::nextafter(exactly.min[0], 9), std::nextafter(exactly.min[1], 9)},
                             {std::nextafter(exactly.max[0], -9), std::nextafter(exactly.max[1], -9)}};
      for (const abut::box& where : {exactly, within}) {
        ASSERT_EQ(support::rows_in(search, where), reference::in(bodies, where)) << plan << ", row " << i;
      }
    }
  }
}

TEST_P(rtrees, the_plan_says_how_the_tree_was_built) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 100, 0.4, 1, 4, 93);
  const auto planned = [&](const std::string& parameters) {
    abut::search search{abut::plan(GetParam() + parameters)};
    search.update(bodies.view());
    return search.planned();
  };
  EXPECT_EQ(planned("").parameter_value("build"), "packed");
  EXPECT_EQ(planned("").parameter_value("split"), "quadratic");
  EXPECT_EQ(planned(" split=linear").parameter_value("split"), "linear");
  EXPECT_EQ(planned(" split=linear").parameter_value("build"), "packed");
  EXPECT_EQ(planned(" build=insert node=7").parameter_value("node"), "7");
  EXPECT_NE(planned(" build=insert").reason(), planned("").reason());
  for (const std::string node : {"3", "65", "5.5", "many"}) {
    EXPECT_THROW(abut::plan(GetParam() + " node=" + node), abut::error) << node;
  }
}

// Per body, volumes with their rows take 36 bytes, the tree 52 in doubles or 26 in ranks, the lists 50. Nothing else
// may be left over, even after many updates.
TEST_P(rtrees, memory_is_what_they_need) {
  for (const std::string& plan : {GetParam(), GetParam() + " build=insert"}) {
    abut::search search{abut::plan(plan)};
    for (std::uint64_t step = 0; step < 4; ++step) {
      const samples::set bodies = samples::uniform(shape::sphere, 3, 20000, 0.4, 1, 4, 94 + step);
      search.update(bodies.view());
      EXPECT_LT(static_cast<double>(search.stats().bytes) / 20000, 92) << plan << ", update " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, rtrees, ::testing::Values("rtree", "dess-rtree"), support::method_test_name);

}  // namespace
}  // namespace rtree_test
