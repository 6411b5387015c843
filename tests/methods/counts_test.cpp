// What methods with cells, lists and trees count, on sets small enough to count by hand, and whatever the number of
// threads. What is special to an original is tested beside its method.

#include "counted.hpp"
#include "variants.hpp"

namespace counts_test {
namespace {

using abut::shape;
namespace samples = abut::samples;
using support::counted;
using support::searched;

// Spheres of width 0.98 at whole coordinates: in cells as large as they are, there is one in each.
samples::set one_in_each_cell(int dimension, std::size_t edge) {
  return samples::lattice(shape::sphere, dimension, dimension == 2 ? edge * edge : edge * edge * edge, 1, 0, 0.49, 1);
}

class counts : public ::testing::TestWithParam<std::string> {};

TEST_P(counts, do_not_depend_on_the_number_of_threads) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 5000, 0.4, 1, 10, 5);
  for (const std::string& plan : support::variants(GetParam())) {
    abut::search one{abut::plan(plan), {.threads = 1}};
    abut::search three{abut::plan(plan), {.threads = 3}};
    for (int step = 0; step < 2; ++step) {
      std::vector<std::pair<std::string, std::uint64_t>> found[2];
      for (abut::search* search : {&one, &three}) {
        search->update(bodies.view());
        search->for_each_pair([](abut::row, abut::row) {});
        for (const auto& c : search->stats().counts) found[search == &one ? 0 : 1].emplace_back(c.name, c.count);
      }
      EXPECT_EQ(found[0], found[1]) << plan;
      for (double& x : bodies.column[0]) x += 0.01;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, counts, ::testing::ValuesIn(support::method_names(false)), support::method_test_name);

// Cells of half the spacing begin at the first body's lower end, so body k is in cell 2 k, and its partners can be one
// cell before it and two after it.
TEST(counts_of_cells, neighboring_cell_visits_half_of_the_cells_around_a_body) {
  const auto bodies = samples::lattice(shape::sphere, 3, 216, 1, 0, 0.4, 1);
  const abut::search search = searched("neighboring-cell store=center cell=0.5", bodies);
  std::uint64_t expected = 0;
  const auto from = [](int k) { return std::max(0, 2 * k - 1); };
  const auto to = [](int k) { return std::min(11, 2 * k + 2); };
  for (int z = 0; z < 6; ++z) {
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 6; ++x) {
        const int line = to(x) - from(x) + 1;
        const int rest_of_line = to(x) - 2 * x + 1;
        const int lines_after = to(y) - 2 * y;
        const int layers_after = to(z) - 2 * z;
        expected +=
            static_cast<std::uint64_t>(rest_of_line + line * lines_after + line * (to(y) - from(y) + 1) * layers_after);
      }
    }
  }
  EXPECT_EQ(counted(search, "cells visited"), expected);
  EXPECT_EQ(counted(search, "entries"), 216U);
}

TEST(counts_of_cells, neighboring_cell_with_cover_visits_each_cell_once) {
  // Bodies from -0.4 to 0.4, 1.6 to 2.4 and so on: with cells from -0.4 on, each is in one cell.
  samples::set bodies{.dimension = 2};
  for (int k = 0; k < 10; ++k) bodies.add(2 * k, 0, 0, 0.4);
  const abut::search search = searched("neighboring-cell store=cover cell=1", bodies);
  EXPECT_EQ(counted(search, "entries"), 10U);
  EXPECT_EQ(counted(search, "cells visited"), 10U);
}

// A body visits its own cell, the one before it, and three cells of each line before: of its layer one, of the layer
// before three.
TEST(counts_of_cells, hashing_visits_the_cells_before_a_body) {
  for (const std::uint64_t n : {1, 2, 9}) {
    const abut::search flat = searched("hashing", one_in_each_cell(2, n));
    EXPECT_EQ(counted(flat, "cells visited"), n * (2 * n + 3 * (n - 1)));
    const abut::search search = searched("hashing", one_in_each_cell(3, n));
    const std::uint64_t lines_before = (n - 1) * n + (n - 1) * (3 * n - 2);
    EXPECT_EQ(counted(search, "cells visited"), n * (2 * n * n + 3 * lines_before));
    EXPECT_EQ(counted(search, "lines"), n * n);
    EXPECT_EQ(counted(search, "entries"), n * n * n);
  }
}

// Hashing clears whole arrays for each line, Hashing2 only what a line used: section 4.2.3.
TEST(counts_of_cells, hashing_clears_more_than_hashing2) {
  std::uint64_t cleared[2][2] = {};
  for (const std::size_t edge : {40, 80}) {
    const samples::set bodies = one_in_each_cell(2, edge);
    for (const int all : {0, 1}) {
      const abut::search search = searched(all != 0 ? "hashing clear=all" : "hashing clear=touched", bodies);
      cleared[all][edge == 40 ? 0 : 1] = counted(search, "slots cleared");
    }
  }
  EXPECT_LE(cleared[0][1], 5 * cleared[0][0]) << "four times as many bodies: linear";
  EXPECT_GE(cleared[1][1], 7 * cleared[1][0]) << "N^1.5";
}

// All in one level: a body visits its line and the next one of its layer, then the next layer; three cells along each
// axis, two at a lower face. Cells begin at the first body's lower end, so there is one more at the upper face.
TEST(counts_of_cells, multilevel_visits_its_own_line_and_what_comes_after) {
  for (const std::uint64_t n : {1, 2, 9}) {
    const abut::search search = searched("multilevel cells=strict", one_in_each_cell(3, n));
    const std::uint64_t around = 3 * n - 1;  // cells along an axis, over all bodies of a line
    EXPECT_EQ(counted(search, "cells visited"), around * 2 * n * n + around * around * n);
    EXPECT_EQ(counted(search, "levels searched"), n * n * n);
    EXPECT_EQ(counted(search, "levels"), 1U);
  }
}

// Runs of bodies without gaps, and what is looked up around them, grow with the bodies.
TEST(counts_of_cells, grid_looks_up_cells_line_by_line) {
  const abut::search small = searched("grid", one_in_each_cell(3, 20));
  const abut::search large = searched("grid", one_in_each_cell(3, 40));
  for (const char* name : {"cells looked up", "runs"}) {
    EXPECT_GT(counted(small, name), 0U) << name;
    EXPECT_GT(counted(large, name), 3 * counted(small, name)) << name;
    EXPECT_LT(counted(large, name), 16 * counted(small, name)) << name;
  }
  EXPECT_EQ(counted(large, "ranges of finer levels"), 0U) << "all bodies are equal";
}

// The pointer to the bodies passes each once; that to the line below passes all bodies but those of the last line. In
// one layer, the pointers to the layer below never move.
TEST(counts_of_lists, mr_search_passes_each_body_once_for_each_line_of_the_mask) {
  for (const std::string memory : {"keep", "recompute"}) {
    for (const int dimension : {2, 3}) {
      for (const auto& [along, lines] : {std::pair(7, 1), {7, 5}, {40, 30}}) {
        samples::set bodies{.dimension = dimension};
        for (int y = 0; y < lines; ++y) {
          for (int x = 0; x < along; ++x) bodies.add(1.5 * x, 1.5 * y, 0, 0.5);
        }
        const abut::search search = searched("mr memory=" + memory, bodies);
        EXPECT_EQ(counted(search, "pointer steps"), static_cast<std::uint64_t>(along * (2 * lines - 1)));
      }
    }
  }
}

TEST(counts_of_lists, mr_sort_counts_the_bodies_that_it_moves) {
  samples::set bodies = one_in_each_cell(3, 9);
  abut::search search = searched("mr", bodies);
  EXPECT_EQ(counted(search, "moves"), 0U) << "all are sorted anew";
  EXPECT_GE(counted(search, "quick sort steps"), 729U);
  search.update(bodies.view());
  for (const char* name : {"moves", "sort steps", "quick sort steps"}) EXPECT_EQ(counted(search, name), 0U) << name;
  bodies.column[0][5] = 20;
  search.update(bodies.view());
  EXPECT_EQ(counted(search, "moves"), 1U);
  for (std::size_t i = 0; i < bodies.size(); i += 3) bodies.column[2][i] += 0.9;
  search.update(bodies.view());
  EXPECT_GT(counted(search, "moves"), 100U);
  EXPECT_LE(counted(search, "moves"), 729U);
  EXPECT_EQ(counted(search, "pointer steps"), 0U) << "nothing has been searched for since";
}

// Five bodies do not fit into a node of four: it is split once. A body enters at the root, with its two entries, and
// goes down to the leaves that it meets.
TEST(counts_of_trees, nodes_visited_and_splits_of_small_trees) {
  const auto spheres_at = [](std::initializer_list<double> x) {
    samples::set bodies;
    for (const double at : x) bodies.add(at, 0, 0, 0.5);
    return bodies;
  };
  for (const std::string method : {"rtree", "dess-rtree"}) {
    const std::string plan = method + " build=insert node=4 search=bodies";
    const abut::search four = searched(plan, spheres_at({0, 0, 0, 0}));
    EXPECT_EQ(counted(four, "splits"), 0U);
    EXPECT_EQ(counted(four, "nodes visited"), 4U) << "the root is a leaf";
    EXPECT_EQ(counted(four, "entries compared"), 16U);
    const abut::search together = searched(plan, spheres_at({0, 0, 0, 0, 0}));
    EXPECT_EQ(counted(together, "splits"), 1U);
    EXPECT_EQ(counted(together, "nodes visited"), 5U * 3) << "the root and both leaves";
    EXPECT_EQ(counted(together, "entries compared"), 5U * (2 + 5));
    // Ours: the four of the only leaf together, each compared with those after it.
    const abut::search ours = searched(method + " build=insert node=4", spheres_at({0, 0, 0, 0}));
    EXPECT_EQ(counted(ours, "nodes visited"), 1U);
    EXPECT_EQ(counted(ours, "entries compared"), 6U);
    EXPECT_EQ(counted(searched(method, spheres_at({0, 0, 0, 0, 0})), "splits"), 0U) << "packing splits nothing";
  }
  const abut::search apart = searched("rtree build=insert node=4 search=bodies", spheres_at({0, 100, 0, 100, 0}));
  EXPECT_EQ(counted(apart, "splits"), 1U);
  EXPECT_EQ(counted(apart, "nodes visited"), 5U * 2) << "the root and the own leaf";
  EXPECT_EQ(counted(apart, "entries compared"), 3U * (2 + 3) + 2U * (2 + 2));
}

// The same candidates, with far fewer nodes: a leaf's bodies enter together, and nothing before them is looked at.
TEST(counts_of_trees, leaves_visit_fewer_nodes_than_bodies) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 4000, 0.4, 1, 4, 92);
  for (const std::string build : {"packed", "insert"}) {
    const abut::search ours = searched("rtree build=" + build, bodies);
    const abut::search original = searched("rtree search=bodies build=" + build, bodies);
    EXPECT_GT(counted(original, "nodes visited"), 8 * counted(ours, "nodes visited")) << build;
    EXPECT_GT(counted(original, "entries compared"), counted(ours, "entries compared")) << build;
    EXPECT_EQ(original.stats().candidates, ours.stats().candidates);
    EXPECT_EQ(original.stats().pairs, ours.stats().pairs);
  }
}

}  // namespace
}  // namespace counts_test
