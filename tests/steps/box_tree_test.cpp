// The R-tree on its own: Guttman's invariants for every way of building, queries compared with testing all boxes, and
// trees that stay good if coordinates are extreme.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "samples.hpp"
#include "tree/box_tree.hpp"
#include "tree/insertion.hpp"
#include "tree/packing.hpp"

namespace box_tree_test {
namespace {

using namespace abut;

template <int D, class T>
using boxes = std::vector<tree_box<D, T>>;

enum class way : std::uint8_t { packed, linear, quadratic };
constexpr way all_ways[] = {way::packed, way::linear, way::quadratic};
const char* name_of(way w) { return w == way::packed ? "packed" : w == way::linear ? "linear" : "quadratic"; }

template <int D, class T>
tree_shape shape_of(const boxes<D, T>& all, way how, std::size_t node, int threads = 1) {
  const auto box_of = [&](std::size_t i) { return all[i]; };
  if (how == way::packed) return tree_packing<D, T>::shape(all.size(), node, threads, box_of);
  return inserted_shape<D>(all.size(), node, how == way::linear ? tree_split::linear : tree_split::quadratic, box_of);
}

template <int D, class T>
box_tree<D, T> tree_of(const boxes<D, T>& all, const tree_shape& shape) {
  box_tree<D, T> tree;
  tree.take(shape, 1, [&](std::size_t p) { return all[shape.order[p]]; });
  return tree;
}

template <int D, class T>
bool meet(const tree_box<D, T>& a, const tree_box<D, T>& b) {
  bool all = true;
  for (int k = 0; k < D; ++k) all = all && a.lo[k] <= b.hi[k] && b.lo[k] <= a.hi[k];
  return all;
}

// Guttman 1984, section 2: every node but the root has between m and M entries, a root that is not a leaf has at least
// two, all leaves are at one depth, and every box is the smallest around what is below it.
template <int D, class T>
void expect_invariants(const boxes<D, T>& all, const tree_shape& shape, std::size_t node, std::size_t least) {
  const box_tree<D, T> tree = tree_of(all, shape);
  ASSERT_EQ(tree.size(), all.size());
  std::vector<row> sorted = shape.order;
  std::sort(sorted.begin(), sorted.end());
  for (row i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i) << "every thing once";
  for (std::uint32_t p = 0; p < all.size(); ++p) ASSERT_EQ(tree.box_of(p), all[shape.order[p]]);
  const std::size_t levels = tree.levels();
  ASSERT_EQ(levels > 0, !all.empty());
  for (std::size_t l = 1; l <= levels; ++l) {
    std::uint32_t next = tree.start(l - 1);
    for (std::uint32_t n = tree.start(l); n < tree.start(l + 1); ++n) {
      ASSERT_EQ(tree.begin(n), next) << "the children of a level in a row";
      next = tree.end(n);
      const std::size_t count = tree.end(n) - tree.begin(n);
      ASSERT_LE(count, node);
      ASSERT_GE(count, l < levels ? least : levels == 1 ? 1 : 2) << "level " << l << " of " << levels;
      tree_box<D, T> around = tree.box_of(tree.begin(n));
      for (std::uint32_t c = tree.begin(n); c < tree.end(n); ++c) around.add(tree.box_of(c));
      ASSERT_EQ(tree.box_of(n), around);
    }
    ASSERT_EQ(next, tree.start(l)) << "no entry without a node";
  }
  if (levels == 0) return;
  EXPECT_EQ(tree.start(levels + 1) - tree.start(levels), 1U) << "one root";
}

template <int D, class T>
void expect_invariants(const boxes<D, T>& all) {
  for (const std::size_t node : {4, 5, 16, 64}) {
    const std::size_t guttman = static_cast<std::size_t>(std::ceil(0.4 * static_cast<double>(node)));
    for (const way how : all_ways) {
      SCOPED_TRACE(std::string(name_of(how)) + ", node " + std::to_string(node));
      expect_invariants(all, shape_of(all, how, node), node, how == way::packed ? node / 2 : guttman);
    }
  }
}

template <int D>
boxes<D, double> random_boxes(std::size_t count, double side, double largest, std::uint64_t seed) {
  samples::random random(seed);
  boxes<D, double> all(count);
  for (auto& b : all) {
    for (int k = 0; k < D; ++k) {
      b.lo[k] = random.uniform(0, side);
      b.hi[k] = b.lo[k] + random.uniform(0, largest);
    }
  }
  return all;
}

template <int D>
void expect_invariants_of_all_sets() {
  for (const std::size_t count : {0, 1, 2, 4, 5, 17, 64, 65, 66, 1000}) {
    SCOPED_TRACE(std::to_string(count) + " boxes");
    expect_invariants(random_boxes<D>(count, 100, 5, 1 + count));
    tree_box<D, double> same{};
    std::fill_n(same.hi, D, 1.0);
    expect_invariants(boxes<D, double>(count, same));
    expect_invariants(boxes<D, double>(count, tree_box<D, double>{}));  // all one point
    boxes<D, double> nested(count, same);
    for (std::size_t i = 0; i < count; ++i) std::fill_n(nested[i].hi, D, static_cast<double>(i));
    expect_invariants(nested);
  }
}

TEST(box_tree, keeps_the_invariants_in_2d) { expect_invariants_of_all_sets<2>(); }
TEST(box_tree, keeps_the_invariants_in_3d) { expect_invariants_of_all_sets<3>(); }

TEST(box_tree, keeps_the_invariants_after_thousands_of_equal_boxes) {
  tree_box<3, double> same{};
  std::fill_n(same.hi, 3, 1.0);
  expect_invariants(boxes<3, double>(5000, same));
  expect_invariants(boxes<2, std::int32_t>(5000, tree_box<2, std::int32_t>{{7, 7}, {7, 9}}));
}

// Volumes of such boxes overflow, and differences of these are NaN.
TEST(box_tree, keeps_the_invariants_at_the_ends_of_space) {
  samples::random random(5);
  boxes<3, double> all(1500);
  for (auto& b : all) {
    for (int k = 0; k < 3; ++k) {
      const double at[] = {-1e150, 0, 1e150};
      b.lo[k] = at[random.below(3)];
      b.hi[k] = b.lo[k] + (random.below(2) == 0 ? 0 : 1e150 * random.uniform());
    }
  }
  expect_invariants(all);
}

TEST(box_tree, keeps_the_invariants_in_ranks) {
  samples::random random(6);
  boxes<3, std::int32_t> all(3000);
  for (auto& b : all) {
    for (int k = 0; k < 3; ++k) {
      b.lo[k] = static_cast<std::int32_t>(2147483000 - random.below(100000));
      b.hi[k] = b.lo[k] + static_cast<std::int32_t>(random.below(600));
    }
  }
  expect_invariants(all);
}

// Two clusters that are separate on one axis: the first split must separate them. (Guttman, 3.5.)
TEST(box_tree, splits_between_two_heaps) {
  for (const way how : {way::linear, way::quadratic}) {
    for (const double unit : {1.0, 1e-100, 1e140}) {
      for (const int apart : {0, 1}) {
        SCOPED_TRACE(std::string(name_of(how)) + ", axis " + std::to_string(apart) + ", unit " + std::to_string(unit));
        boxes<2, double> all(5);
        for (std::size_t i = 0; i < 5; ++i) {
          const auto at = static_cast<double>(i);
          all[i].lo[apart] = unit * ((i % 2 == 0 ? 0 : 100) + at);
          all[i].hi[apart] = all[i].lo[apart] + unit;
          all[i].lo[1 - apart] = unit * at;
          all[i].hi[1 - apart] = unit * (at + 10);
        }
        const tree_shape shape = shape_of(all, how, 4);
        ASSERT_EQ(shape.first.front().size(), 3U);
        std::vector<row> heap(shape.order.begin(), shape.order.begin() + shape.first.front()[1]);
        if (heap.size() == 3) heap.assign(shape.order.begin() + 3, shape.order.end());
        std::sort(heap.begin(), heap.end());
        EXPECT_EQ(heap, (std::vector<row>{1, 3}));
      }
    }
  }
}

template <int D, class T>
void expect_right_answers(const boxes<D, T>& all, const boxes<D, T>& queries) {
  for (const way how : all_ways) {
    const tree_shape shape = shape_of(all, how, 7);
    const box_tree<D, T> tree = tree_of(all, shape);
    for (const auto& q : queries) {
      std::vector<row> found;
      EXPECT_TRUE(tree.visit(q, {}, [&](const std::uint32_t* places, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) found.push_back(shape.order[places[k]]);
        return true;
      }));
      std::sort(found.begin(), found.end());
      std::vector<row> expected;
      for (row i = 0; i < all.size(); ++i) {
        if (meet(all[i], q)) expected.push_back(i);
      }
      ASSERT_EQ(found, expected) << name_of(how);
    }
  }
}

TEST(box_tree, finds_what_meets_a_box) {
  expect_right_answers(random_boxes<2>(900, 50, 4, 21), random_boxes<2>(60, 50, 20, 22));
  expect_right_answers(random_boxes<3>(900, 20, 4, 23), random_boxes<3>(60, 20, 10, 24));
  expect_right_answers(boxes<3, double>{}, random_boxes<3>(3, 20, 10, 25));
}

// Boxes on whole numbers: nearly all that meet do so in a face, an edge or a corner.
TEST(box_tree, boxes_that_touch_meet) {
  boxes<3, double> cubes;
  boxes<3, std::int32_t> ranks;
  for (int i = 0; i < 343; ++i) {
    const int at[] = {i % 7, i / 7 % 7, i / 49};
    tree_box<3, double> cube{};
    tree_box<3, std::int32_t> rank{};
    for (int k = 0; k < 3; ++k) {
      cube.lo[k] = rank.lo[k] = at[k];
      cube.hi[k] = rank.hi[k] = at[k] + 1;
    }
    cubes.push_back(cube);
    ranks.push_back(rank);
  }
  expect_right_answers(cubes, cubes);
  expect_right_answers(ranks, ranks);
}

TEST(box_tree, a_path_leaves_out_what_came_before) {
  const boxes<3, double> all = random_boxes<3>(700, 20, 4, 31);
  for (const way how : all_ways) {
    const tree_shape shape = shape_of(all, how, 5);
    const box_tree<3, double> tree = tree_of(all, shape);
    ASSERT_GT(tree.levels(), 3U);
    box_tree<3, double>::path path;
    for (std::uint32_t leaf = tree.start(1); leaf < tree.start(2); ++leaf) {
      tree.follow(leaf, path);
      box_tree<3, double>::path anew;
      tree.follow(leaf, anew);
      for (std::size_t l = 1; l <= tree.levels(); ++l) ASSERT_EQ(path.from[l], anew.from[l]);
      for (std::uint32_t p = tree.begin(leaf); p < tree.end(leaf); ++p) {
        path.from[0] = p + 1;
        std::vector<std::uint32_t> found;
        tree.visit(tree.box_of(p), path, [&](const std::uint32_t* places, std::size_t count) {
          found.insert(found.end(), places, places + count);
          return true;
        });
        std::vector<std::uint32_t> expected;
        for (std::uint32_t q = p + 1; q < all.size(); ++q) {
          if (meet(tree.box_of(p), tree.box_of(q))) expected.push_back(q);
        }
        ASSERT_EQ(found, expected) << name_of(how) << ", place " << p;
      }
    }
  }
}

TEST(box_tree, gives_up_if_it_is_told_to) {
  const boxes<3, double> all = random_boxes<3>(700, 1, 1, 32);
  const box_tree<3, double> tree = tree_of(all, shape_of(all, way::packed, 8));
  int calls = 0;
  EXPECT_FALSE(tree.visit(tree.box_of(tree.start(tree.levels())), {},
                          [&](const std::uint32_t*, std::size_t) { return ++calls < 3; }));
  EXPECT_EQ(calls, 3);
}

// How many leaves a thing's box meets, on average.
template <int D>
double leaves_met(const boxes<D, double>& all, way how) {
  const box_tree<D, double> tree = tree_of(all, shape_of(all, how, 16));
  double sum = 0;
  for (const auto& b : all) {
    for (std::uint32_t leaf = tree.start(1); leaf < tree.start(2); ++leaf) sum += meet(b, tree.box_of(leaf)) ? 1 : 0;
  }
  return sum / static_cast<double>(all.size());
}

// A few things far away must not spoil the tree for all others; neither must the unit of length or the distance from
// the origin.
TEST(box_tree, outliers_do_not_spoil_the_tree) {
  for (const way how : all_ways) {
    const boxes<3, double> all = random_boxes<3>(5000, 17, 1, 41);
    const double before = leaves_met(all, how);
    EXPECT_LT(before, how == way::linear ? 40 : 15) << name_of(how);
    for (const double far : {1e14, 1e150}) {
      boxes<3, double> with_outliers = all;
      for (std::size_t i = 0; i < all.size(); i += 25) {
        auto& b = with_outliers[i];
        for (int k = 0; k < 3; ++k) b.lo[k] = b.hi[k] = all[i].lo[(k + 1) % 3] < 8 ? -far : far;
      }
      EXPECT_LT(leaves_met(with_outliers, how), 4 * before) << name_of(how) << ", outliers at " << far;
    }
    for (const double unit : {1e-120, 1e140}) {
      boxes<3, double> scaled = all;
      for (auto& b : scaled) {
        for (int k = 0; k < 3; ++k) b.lo[k] *= unit, b.hi[k] *= unit;
      }
      EXPECT_LT(leaves_met(scaled, how), 1.1 * before) << name_of(how) << ", in units of " << unit;
    }
    boxes<3, double> moved(1);
    for (auto b : all) {
      for (int k = 0; k < 3; ++k) b.lo[k] += 1e8, b.hi[k] += 1e8;
      moved.push_back(b);
    }
    EXPECT_LT(leaves_met(moved, how), 2 * before) << name_of(how) << ", far from the origin, where one is left";
  }
}

// Volumes of flat things are 0, and slabs across their plane separate nothing.
TEST(box_tree, sheets_and_lines_are_divided_along_themselves) {
  for (const way how : all_ways) {
    boxes<3, double> sheet = random_boxes<3>(3000, 50, 1, 42);
    for (auto& b : sheet) b.lo[1] = b.hi[1] = 0.5;
    EXPECT_LT(leaves_met(sheet, how), how == way::linear ? 12 : 5) << name_of(how);
    boxes<3, double> line = random_boxes<3>(3000, 3000, 1, 43);
    for (auto& b : line) b.lo[0] = b.hi[0] = b.lo[1] = b.hi[1] = -3;
    EXPECT_LT(leaves_met(line, how), how == way::linear ? 12 : 2) << name_of(how);
  }
}

TEST(box_tree, packing_does_not_depend_on_the_threads) {
  const boxes<3, double> all = random_boxes<3>(20000, 30, 1, 51);
  const tree_shape one = shape_of(all, way::packed, 16, 1);
  for (const int threads : {2, 3}) {
    const tree_shape more = shape_of(all, way::packed, 16, threads);
    EXPECT_EQ(more.order, one.order);
    EXPECT_EQ(more.first, one.first);
  }
}

}  // namespace
}  // namespace box_tree_test
