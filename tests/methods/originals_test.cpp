// What methods count, and the values of parameters that do as the paper does: their counts are those that the papers
// state. That they find the right pairs is tested with all plans (variants.hpp).

#include <cmath>

#include <abut/planner.hpp>

#include "counted.hpp"
#include "methods/stripe_sort/cut.hpp"
#include "support.hpp"

namespace originals_test {
namespace {

using abut::shape;
using support::counted;
namespace samples = abut::samples;

// The ends of the bodies on an axis; those of a body stand together.
std::vector<double> ends_of(const samples::set& bodies, int axis) {
  std::vector<double> ends;
  for (const reference::volume& v : reference::volumes(bodies)) {
    ends.push_back(v.is_box ? v.min[axis] : v.c[axis] - v.r);
    ends.push_back(v.is_box ? v.max[axis] : v.c[axis] + v.r);
  }
  return ends;
}

// How many two bodies overlap on an axis.
std::uint64_t meeting(const samples::set& bodies, int axis) {
  const std::vector<double> ends = ends_of(bodies, axis);
  std::uint64_t count = 0;
  for (std::size_t a = 0; a < ends.size(); a += 2) {
    for (std::size_t b = a + 2; b < ends.size(); b += 2) {
      count += ends[a] <= ends[b + 1] && ends[b] <= ends[a + 1] ? 1 : 0;
    }
  }
  return count;
}

// How many two ends of an axis change their order; only lower ends if `every` is 2.
std::uint64_t inversions(const std::vector<double>& before, const std::vector<double>& after, std::size_t every) {
  std::uint64_t count = 0;
  for (std::size_t a = 0; a < before.size(); a += every) {
    for (std::size_t b = 0; b < a; b += every) count += (before[a] < before[b]) != (after[a] < after[b]) ? 1 : 0;
  }
  return count;
}

template <class F>
void for_each_kind(F&& f) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(support::shape_name(kind)) + ", " + std::to_string(dimension) + "D");
      f(kind, dimension);
    }
  }
}

// A search that has found all pairs.
abut::search searched(const std::string& plan, const samples::set& bodies, const abut::options& how = {}) {
  abut::search search(abut::plan(plan), how);
  search.update(bodies.view());
  (void)search.pairs();
  return search;
}

samples::set discs(std::size_t count) { return samples::lattice(shape::sphere, 2, count, 1, 0.1, 0.525, 5); }

// The power of N in a count, from 2,000 discs to four times as many.
double power(const std::string& plan, std::string_view name) {
  const auto few = static_cast<double>(counted(searched(plan, discs(2000)), name));
  const auto many = static_cast<double>(counted(searched(plan, discs(8000)), name));
  return std::log(many / few) / std::log(4);
}

TEST(counts, rank_comparisons_are_the_pairs_that_meet_on_the_axis_that_is_searched) {
  for_each_kind([](shape kind, int dimension) {
    const samples::set bodies = samples::uniform(kind, dimension, 300, 0.4, 0.5, 4, 21);
    std::uint64_t least = meeting(bodies, 0);
    for (int axis = 1; axis < dimension; ++axis) least = std::min(least, meeting(bodies, axis));
    EXPECT_EQ(counted(searched("dess", bodies), "rank comparisons"), least);
    EXPECT_EQ(counted(searched("spatial-sort", bodies), "rank comparisons"), least);
    // A single stripe is the whole list.
    const abut::search striped = searched("stripe-sort width=1e9", bodies);
    EXPECT_EQ(counted(striped, "rank comparisons"), least);
    EXPECT_EQ(counted(striped, "stripes"), 1U);
    EXPECT_EQ(counted(striped, "entries"), bodies.size());
  });
  EXPECT_NEAR(power("dess", "rank comparisons"), 1.5, 0.05);
  EXPECT_NEAR(power("spatial-sort", "rank comparisons"), 1.5, 0.05);
  EXPECT_NEAR(power("spatial-sort way=2", "rank comparisons"), 1.5, 0.05);
  EXPECT_NEAR(power("stripe-sort width=4", "rank comparisons"), 1, 0.05);
}

TEST(counts, swaps_are_the_inversions_of_the_ends) {
  for_each_kind([](shape kind, int dimension) {
    samples::set bodies = samples::uniform(kind, dimension, 80, 0.4, 0.5, 4, 22);
    const samples::set before = bodies;
    samples::random rng(23);
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const double by = rng.uniform(-0.3, 0.3);
        bodies.column[k][i] += by;
        if (kind == shape::box) bodies.column[k + static_cast<std::size_t>(dimension)][i] += by;
      }
    }
    std::uint64_t of_all = 0;
    std::uint64_t of_lower = 0;
    for (int axis = 0; axis < dimension; ++axis) {
      of_all += inversions(ends_of(before, axis), ends_of(bodies, axis), 1);
      of_lower += inversions(ends_of(before, axis), ends_of(bodies, axis), 2);
    }
    EXPECT_GT(of_lower, 50U);
    for (const std::string method : {"dess", "stripe-sort", "sweep-and-prune", "spatial-sort"}) {
      abut::search search{abut::plan(method)};
      search.update(before.view());
      EXPECT_EQ(counted(search, "swaps"), 0U) << "sorted anew";
      search.update(bodies.view());
      EXPECT_EQ(counted(search, "swaps"), method == "spatial-sort" ? of_lower : of_all) << method;
      search.update(bodies.view());
      EXPECT_EQ(counted(search, "swaps"), 0U) << "nothing has moved: " << method;
    }
  });
}

// Seven bodies of width 1.5 at 0, 1, ..., 6 on x; on y all begin at the same place.
TEST(spatial_sort_original, scan_steps_by_hand) {
  samples::set bodies{.dimension = 2};
  for (int k = 0; k < 7; ++k) bodies.add(k, 0, 0, 0.75);
  // x is the master axis. On y, the first body of the list reaches into every other: one step each.
  EXPECT_EQ(counted(searched("spatial-sort scan=linear", bodies), "scan steps"), 7U);
  EXPECT_EQ(counted(searched("spatial-sort", bodies), "scan steps"), 7U + 7U + 5U) << "both axes; x passes 5 bodies";
  // On x, the bodies from the second before on reach in: after 0, 1, ... 5 that do not.
  EXPECT_EQ(counted(searched("spatial-sort way=2 scan=linear", bodies), "scan steps"),
            7U + (1 + 1 + 2 + 3 + 4 + 5 + 6));
}

// "A linear search is required to achieve that range, thus introducing an N^2 term."
TEST(spatial_sort_original, the_linear_scan_takes_n_squared_steps) {
  EXPECT_NEAR(power("spatial-sort scan=linear", "scan steps"), 2, 0.05);
  EXPECT_NEAR(power("spatial-sort way=2 scan=linear", "scan steps"), 2, 0.05);
  EXPECT_NEAR(power("spatial-sort", "scan steps"), 1, 0.01);
  const samples::set bodies = discs(4000);
  const auto steps = static_cast<double>(counted(searched("spatial-sort scan=linear", bodies), "scan steps"));
  EXPECT_NEAR(steps / (0.5 * 4000 * 4000), 1, 0.05) << "half of the list on average, on one axis";
}

// Three bodies in one place: on each axis each list has two entries, and before the second one a member is looked at.
TEST(spatial_sort_original, whole_lists_by_hand) {
  for_each_kind([](shape kind, int dimension) {
    samples::set bodies{.kind = kind, .dimension = dimension};
    for (int k = 0; k < 3; ++k) bodies.add(1, 2, 3, 0.5);
    const abut::search search = searched("spatial-sort way=1 lists=whole", bodies);
    const auto axes = static_cast<std::uint64_t>(dimension);
    EXPECT_EQ(counted(search, "list entries"), axes * 3 * 2);
    EXPECT_EQ(counted(search, "list steps"), axes * 3 * 1);
    EXPECT_EQ(search.stats().tests, 3U);
  });
}

// "The linked lists will take up storage proportional to N sqrt(N), and the searching and maintenance of the linked
// lists incur hidden N^2 costs."
TEST(spatial_sort_original, whole_lists_take_n_root_n_storage_and_n_squared_steps) {
  const std::string whole = "spatial-sort way=1 lists=whole";
  for_each_kind([&](shape kind, int dimension) {
    const samples::set bodies = samples::uniform(kind, dimension, 300, 0.4, 0.5, 4, 24);
    std::uint64_t entries = 0;
    for (int axis = 0; axis < dimension; ++axis) entries += 2 * meeting(bodies, axis);
    EXPECT_EQ(counted(searched(whole, bodies), "list entries"), entries);
    EXPECT_EQ(counted(searched("spatial-sort way=1", bodies), "list entries"), entries) << "the same, bit by bit";
  });
  EXPECT_NEAR(power(whole, "list entries"), 1.5, 0.05);
  EXPECT_NEAR(power(whole, "list steps"), 2, 0.05);
  const abut::search few = searched(whole, discs(2000));
  const abut::search many = searched(whole, discs(8000));
  EXPECT_GT(many.stats().bytes, 8 * counted(many, "list entries"));
  EXPECT_GT(many.stats().bytes, 7 * few.stats().bytes) << "four times as many bodies";
}

// Whether the plan is refused for these bodies by a message with all of these words, and the search still answers for
// the bodies that it had.
void expect_refusal(const std::string& plan, const samples::set& too_many, const std::vector<std::string>& words) {
  const samples::set good = samples::uniform(too_many.kind, too_many.dimension, 200, 0.5, 0.5, 2, 25);
  abut::search search{abut::plan(plan)};
  search.update(good.view());
  const std::string message = support::message_of([&] { search.update(too_many.view()); });
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << word << ": " << message;
  EXPECT_TRUE(support::same_pairs(reference::pairs(good), support::ordered(search), good));
  const abut::region part = abut::box{{0, 0, 0}, {4, 4, 4}};
  EXPECT_EQ(support::rows_in(search, part), reference::in(good, part, 0));
  search.update(good.view());
  EXPECT_TRUE(support::same_pairs(reference::pairs(good), support::ordered(search), good));
}

TEST(spatial_sort_original, lists_that_are_too_long_are_refused) {
  samples::set bodies{.dimension = 2};
  for (int k = 0; k < 3000; ++k) bodies.add(0.1, 0.2, 0, 0.5);
  expect_refusal(
      "spatial-sort way=1 lists=whole", bodies,
      {"spatial-sort's lists is whole", "17994000 entries", "3000 bodies", "at most 16777216", "lists=part"});
  const std::string message = support::message_of([&] { (void)searched("spatial-sort way=2 lists=whole", bodies); });
  EXPECT_EQ(message, "spatial-sort's lists=whole is for way=1; with way=2, leave it out");
}

TEST(stripe_sort_original, roots_are_exact) {
  for (const int power_of : {2, 3}) {
    for (std::size_t n = 0; n < 3000; ++n) {
      const std::size_t root = abut::root_of(n, power_of);
      const auto raised = [&](std::size_t r) { return power_of == 2 ? r * r : r * r * r; };
      ASSERT_GE(raised(root), n);
      if (n > 0) {
        ASSERT_LT(raised(root - 1), n);
      }
    }
  }
  EXPECT_EQ(abut::root_of(std::size_t{1} << 30, 3), 1024U);
  EXPECT_EQ(abut::root_of((std::size_t{1} << 30) + 1, 3), 1025U);
}

TEST(stripe_sort_original, stripes_have_root_n_bodies_and_a_border_zone) {
  const abut::search square = searched("stripe-sort stripes=count", discs(10'000));
  EXPECT_EQ(counted(square, "stripes"), 100U);
  // A stripe of 100 discs is about one disc wide, and so is its border zone.
  EXPECT_GT(counted(square, "entries"), 15'000U);
  EXPECT_LT(counted(square, "entries"), 35'000U);
  EXPECT_NE(square.planned().reason().find("stripes have 100 bodies"), std::string::npos) << square.planned().reason();
  const abut::search wider = searched("stripe-sort stripes=count multiple=8", discs(10'000));
  EXPECT_EQ(counted(wider, "stripes"), 13U) << "12.5 of 800";
  EXPECT_LT(counted(wider, "entries"), 12'500U);
  // 20 stripes of 400 and their zones, each cut into stripes of 20.
  const abut::search cube =
      searched("stripe-sort stripes=count", samples::lattice(shape::sphere, 3, 8000, 1, 0.1, 0.525, 5));
  EXPECT_GT(counted(cube, "stripes"), 400U);
  EXPECT_LT(counted(cube, "stripes"), 1300U);
}

// Entries by hand: each stripe's own bodies, and all others that begin below the highest of their upper ends.
TEST(stripe_sort_original, the_border_zone_ends_at_the_highest_upper_end) {
  for_each_kind([](shape kind, int) {
    const samples::set bodies = samples::uniform(kind, 2, 400, 0.4, 0.5, 8, 26);
    const int master = meeting(bodies, 0) <= meeting(bodies, 1) ? 1 : 0;
    const std::vector<double> ends = ends_of(bodies, master);
    std::vector<std::size_t> order;
    for (std::size_t e = 0; e < ends.size(); e += 2) order.push_back(e);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ends[a] < ends[b]; });
    std::uint64_t entries = 0;
    for (std::size_t from = 0; from < order.size(); from += 20) {
      double highest = -1e300;
      for (std::size_t k = from; k < from + 20; ++k) highest = std::max(highest, ends[order[k] + 1]);
      for (std::size_t k = from; k < order.size(); ++k) entries += k < from + 20 || ends[order[k]] <= highest ? 1 : 0;
    }
    const abut::search search = searched("stripe-sort stripes=count", bodies);
    EXPECT_EQ(counted(search, "stripes"), 20U);
    EXPECT_EQ(counted(search, "entries"), entries);
    EXPECT_GT(counted(search, "sort comparisons"), entries);
  });
}

// Stripes of a multiple of sqrt(N) bodies do not have the growth that the thesis saw.
TEST(stripe_sort_original, work_is_linear_for_discs) {
  EXPECT_NEAR(power("stripe-sort stripes=count", "entries"), 1, 0.1);
  EXPECT_NEAR(power("stripe-sort stripes=count", "rank comparisons"), 1, 0.1);
}

TEST(stripe_sort_original, too_many_entries_are_refused) {
  samples::set bodies{.kind = shape::box};
  for (int k = 0; k < 16'000; ++k) bodies.add(0.1, 0.2, 0.3, 0.5);
  expect_refusal("stripe-sort stripes=count", bodies,
                 {"stripe-sort's stripes is count", "16000 bodies", "at most 16777216", "stripes=width"});
  EXPECT_EQ(support::message_of([&] { (void)searched("stripe-sort stripes=count width=2", discs(10)); }),
            "stripe-sort's width is for stripes=width; leave one of the two out");
  EXPECT_EQ(support::message_of([&] { (void)searched("stripe-sort multiple=2", discs(10)); }),
            "stripe-sort's multiple is for stripes=count; leave one of the two out");
}

// 3.5: 6 examinations if the ball is contained in its cube, 10 if it contains a corner.
TEST(fixed_cubes_original, makes_6_to_10_examinations_per_ball) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 5000, 0.4, 0.5, 1.05, 27);
  const abut::search tree = searched("fixed-cubes examine=tree delta=0.1", bodies);
  const abut::search all = searched("fixed-cubes delta=0.1", bodies);
  for (const abut::search* search : {&tree, &all}) EXPECT_EQ(counted(*search, "bodies examined"), bodies.size());
  EXPECT_EQ(counted(all, "examinations"), 10 * bodies.size());
  EXPECT_GT(counted(tree, "examinations"), 7 * bodies.size());
  EXPECT_LT(counted(tree, "examinations"), 10 * bodies.size());
  EXPECT_EQ(counted(tree, "entries"), counted(all, "entries"));
  EXPECT_EQ(counted(tree, "cubes visited"), counted(all, "cubes visited"));
  const samples::set flat = samples::uniform(shape::sphere, 2, 2000, 0.4, 0.5, 1.05, 27);
  const abut::search in_2d = searched("fixed-cubes examine=tree delta=0.1", flat);
  EXPECT_GT(counted(in_2d, "examinations"), 4 * flat.size());
  EXPECT_LT(counted(in_2d, "examinations"), 5 * flat.size());
  // Cubes begin at -0.5 and have the edge 2. The first ball reaches the faces of its cube, which leaves the edges to be
  // examined; the second is in the middle of another.
  samples::set two;
  two.add(0, 0, 0, 0.5);
  two.add(2.5, 2.5, 2.5, 0.01);
  EXPECT_EQ(counted(searched("fixed-cubes examine=tree delta=1", two), "examinations"), 9U + 6U);
  // Of boxes, faces decide.
  const samples::set boxes = samples::uniform(shape::box, 3, 200, 0.4, 0.5, 2, 28);
  EXPECT_EQ(counted(searched("fixed-cubes examine=tree", boxes), "examinations"), 600U);
}

// "It is sufficient to execute the sorting procedure and store the boundary balls in the appropriate cubes only once."
TEST(fixed_cubes_original, fixed_bodies_are_examined_once) {
  samples::set bodies = samples::uniform(shape::sphere, 3, 600, 0.4, 0.5, 2, 29);
  bodies.fixed.assign(bodies.size(), 0);
  for (std::size_t i = 0; i < 250; ++i) bodies.fixed[i] = 1;
  abut::search search{abut::plan("fixed-cubes examine=tree")};
  search.update(bodies.view());
  EXPECT_EQ(counted(search, "bodies examined"), 600U);
  const std::uint64_t entries = counted(search, "entries");
  search.update(bodies.view());
  EXPECT_EQ(counted(search, "bodies examined"), 350U);
  EXPECT_EQ(counted(search, "entries"), entries) << "those of fixed bodies stay";
}

// A large ball, and a small one that touches its side near a face of the cubes: the mid-point is in a cube that the
// small one does not reach.
TEST(fixed_cubes_original, a_lost_pair_by_hand) {
  // The frame begins at the lowest end, 0, and with delta=2 the first face is at 4.
  samples::set bodies;
  bodies.add(3, 1, 1, 1);
  bodies.add(4.15, 1, 1, 0.2);  // from 3.95: it lies in both cubes
  EXPECT_EQ(counted(searched("fixed-cubes examine=tree delta=2", bodies), "pairs lost by rule 23"), 0U);
  bodies.add(0.2, 1, 1, 0.2);  // so that the frame begins at 0
  bodies.column[0][0] = 3.2;
  bodies.column[0][1] = 4.35;  // from 4.15: only beyond the face, while the mid-point is at 3.775
  const abut::search search = searched("fixed-cubes examine=tree delta=2", bodies);
  EXPECT_EQ(search.stats().pairs, 1U);
  EXPECT_EQ(counted(search, "pairs lost by rule 23"), 1U);
}

// Only those who ask for an original get it.
TEST(originals, are_never_chosen_by_the_planner) {
  for (const samples::sample& sample : samples::all()) {
    for (const int dimension : {2, 3}) {
      const samples::set bodies = sample.make(shape::sphere, dimension, 2);
      for (const abut::candidate& c : abut::estimated_candidates(bodies.view())) {
        for (const char* const value : {"scan=linear", "lists=whole", "stripes=count", "examine=tree"}) {
          EXPECT_EQ(c.what.text().find(value), std::string::npos) << c.what.text();
        }
      }
    }
  }
}

}  // namespace
}  // namespace originals_test
