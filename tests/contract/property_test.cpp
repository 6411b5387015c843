// Arbitrary small sets on coarse grids, where bodies often touch and coincide, against the oracle. A failure is shrunk
// to the smallest set that shows it. The seed is fixed; RC_PARAMS="seed=... max_success=..." tries others.

#include <cstdlib>
#include <memory>
#include <ostream>

#include <gtest/gtest.h>
// After GoogleTest, whose macros it uses.
#include <rapidcheck/gtest.h>

#include "instruction_sets.hpp"
#include "plans.hpp"
#include "support.hpp"

namespace property_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

// RapidCheck reads its parameters at the first property, after this.
const int fixed_seed = ::setenv("RC_PARAMS", "seed=1 max_success=1000 max_size=60", 0);

struct body {
  int c[3];
  int size[3];  // a sphere's radius is the first
  bool fixed;
  int group;
  int category, collides;  // three bits each
};

// Which of these the bodies of a set have.
struct features {
  bool fixed = false, group = false, mask = false;
};

// For RapidCheck's report, which shows types that it does not know as <???>.
void showValue(const body& b, std::ostream& out) {
  out << "(" << b.c[0] << " " << b.c[1] << " " << b.c[2] << ", " << b.size[0] << " " << b.size[1] << " " << b.size[2]
      << ", group " << b.group << ", mask " << b.category << " " << b.collides << (b.fixed ? ", fixed)" : ")");
}

// Multiples of this are exact, and no two are close by chance alone.
constexpr double unit = 0.25;

std::vector<body> any_bodies() {
  const auto coordinate = rc::gen::inRange(-12, 13);
  const auto size = rc::gen::inRange(0, 5);
  const auto one = rc::gen::apply(
      [](int x, int y, int z, int a, int b, int c, bool f, int group, int category, int collides) {
        return body{{x, y, z}, {a, b, c}, f, group, category, collides};
      },
      coordinate, coordinate, coordinate, size, size, size, rc::gen::arbitrary<bool>(), rc::gen::inRange(0, 6),
      rc::gen::inRange(0, 8), rc::gen::inRange(0, 8));
  return *rc::gen::container<std::vector<body>>(one);
}

features any_features() {
  return {*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
}

samples::set set_of(const std::vector<body>& all, shape kind, int dimension, const features& with) {
  samples::set bodies{.kind = kind, .dimension = dimension};
  for (const body& b : all) {
    std::array<double, 3> min{};
    std::array<double, 3> max{};
    for (std::size_t k = 0; k < 3; ++k) {
      min[k] = unit * b.c[k];
      max[k] = min[k] + unit * b.size[k];
    }
    if (kind == shape::sphere) bodies.add(min[0], min[1], min[2], unit * b.size[0]);
    if (kind == shape::box) bodies.add_box(min, max);
    if (with.fixed) bodies.fixed.push_back(b.fixed ? 1 : 0);
    if (with.group) bodies.group.push_back(b.group);
    if (!with.mask) continue;
    bodies.category.push_back(static_cast<std::uint64_t>(b.category) << 40);
    bodies.collides.push_back(static_cast<std::uint64_t>(b.collides) << 40);
  }
  return bodies;
}

// Periods on some axes: at least twice the largest reach, and often exactly that.
reference::periods any_periods(const samples::set& bodies, double margin) {
  reference::periods axes;
  const std::vector<double> extents = support::extents(bodies);
  const double reach = (extents.empty() ? 0 : extents.back()) + margin;
  for (std::size_t k = 0; k < static_cast<std::size_t>(bodies.dimension); ++k) {
    if (!*rc::gen::arbitrary<bool>()) continue;
    const double min = unit * *rc::gen::inRange(-8, 8);
    axes[k] = abut::interval{min, min + std::max(2 * reach, unit) + unit * *rc::gen::inRange(0, 6)};
  }
  return axes;
}

bool any_periodic(const reference::periods& axes) { return axes[0] || axes[1] || axes[2]; }

struct trial {
  samples::set bodies;
  abut::options options;
  std::string plan;
  std::shared_ptr<support::use_instructions> instructions{};  // if null, the best that the machine has
};

trial any_trial() {
  trial t;
  const shape kind = *rc::gen::element(shape::sphere, shape::box);
  const int dimension = *rc::gen::element(2, 3);
  t.bodies = set_of(any_bodies(), kind, dimension, any_features());
  t.options.margin = unit * *rc::gen::element(0, 0, 1, 3);
  t.options.threads = *rc::gen::inRange(1, 4);
  if (*rc::gen::arbitrary<bool>()) t.options.periodic = any_periods(t.bodies, t.options.margin);
  t.plan = *rc::gen::elementOf(support::plans_of(*rc::gen::elementOf(support::method_names()), t.bodies));
  if (support::uses_vectors(t.plan)) {
    const auto usable = abut::usable_instructions();
    const abut::instruction_set set = usable[*rc::gen::inRange<std::size_t>(0, usable.size())];
    t.instructions = std::make_shared<support::use_instructions>(set);
    RC_LOG() << abut::name_of(set) << "\n";
  }
  for (abut::row i = 0; i < t.bodies.size(); ++i) RC_LOG() << i << " " << support::body_text(t.bodies, i) << "\n";
  RC_LOG() << t.plan << ", " << support::shape_name(kind) << ", " << dimension << "D, margin " << t.options.margin
           << "\n";
  for (const auto& axis : t.options.periodic) {
    if (axis) RC_LOG() << "periodic from " << axis->min << " to " << axis->max << "\n";
  }
  return t;
}

// A search with the trial's bodies; none if the plan's cells are too small to store them in.
std::optional<abut::search> updated(const trial& t) {
  abut::search search(abut::plan(t.plan), t.options);
  try {
    search.update(t.bodies.view());
  } catch (const abut::error& e) {
    RC_ASSERT(t.plan.find('=') != std::string::npos);  // no default plan is refused
    RC_ASSERT(support::smallest_named(e.what()) != "");
    return {};
  }
  return search;
}

RC_GTEST_PROP(property, pairs_are_those_of_the_oracle, ()) {
  const trial t = any_trial();
  auto search = updated(t);
  if (!search) return;
  const std::vector<abut::pair> expected = reference::pairs(t.bodies, t.options.margin, t.options.periodic);
  const auto same = support::same_pairs(expected, support::ordered(*search), t.bodies);
  if (!same) RC_FAIL(same.message());
  RC_CLASSIFY(!expected.empty(), "with pairs");
  RC_CLASSIFY(any_periodic(t.options.periodic), "periodic");
}

RC_GTEST_PROP(property, pairs_between_are_those_of_the_oracle, ()) {
  const trial t = any_trial();
  auto search = updated(t);
  if (!search) return;
  const samples::set others =
      set_of(any_bodies(), *rc::gen::element(shape::sphere, shape::box), t.bodies.dimension, any_features());
  for (abut::row i = 0; i < others.size(); ++i) RC_LOG() << "other " << support::body_text(others, i) << "\n";
  std::vector<abut::pair> found;
  search->for_each_pair_between(others.view(), [&](abut::row i, abut::row j) { found.push_back({i, j}); });
  const auto same =
      support::same_pairs(reference::between(t.bodies, others, t.options.margin, t.options.periodic), found);
  if (!same) RC_FAIL(same.message());
  const abut::other_set kept(others.view());
  std::vector<std::vector<abut::pair>> tasks(search->tasks_between(kept));
  search->for_each_batch_between(kept, [&](std::size_t task, std::span<const abut::pair> batch) {
    tasks.at(task).insert(tasks.at(task).end(), batch.begin(), batch.end());
  });
  std::vector<abut::pair> by_tasks;
  for (const auto& task : tasks) by_tasks.insert(by_tasks.end(), task.begin(), task.end());
  RC_ASSERT(by_tasks == found);
}

RC_GTEST_PROP(property, margin_and_periods_may_change_with_each_update, ()) {
  const trial t = any_trial();
  auto search = updated(t);
  if (!search) return;
  samples::set bodies = t.bodies;
  abut::options in_force = t.options;
  for (int step = 0; step < 4; ++step) {
    abut::options next = in_force;
    next.margin = unit * *rc::gen::element(0, 1, 2, 5);
    next.periodic = any_periods(bodies, next.margin);
    for (std::size_t i = 0; i < bodies.size(); i += 3) {
      const double by = unit * *rc::gen::inRange(-1, 2);
      bodies.column[0][i] += by;
      if (bodies.kind == shape::box) bodies.column[static_cast<std::size_t>(bodies.dimension)][i] += by;
    }
    RC_LOG() << "margin " << next.margin << "\n";
    try {
      search->update(bodies.view(), {.margin = next.margin, .periodic = next.periodic});
      in_force = next;
    } catch (const abut::error& e) {
      RC_ASSERT(t.plan.find('=') != std::string::npos);
      RC_ASSERT(support::smallest_named(e.what()) != "");
      return;  // the search still reads the bodies that it had, which have moved since
    }
    const auto same = support::same_pairs(reference::pairs(bodies, in_force.margin, in_force.periodic),
                                          support::ordered(*search), bodies);
    if (!same) RC_FAIL(same.message());
  }
}

// A list of contacts has every pair while it holds, and `neighbors` are exactly the pairs, whatever moves and how far.
RC_GTEST_PROP(property, lists_of_contacts_miss_no_pair, ()) {
  trial t = any_trial();
  if (!updated(t)) return;
  abut::search search(abut::plan(t.plan), t.options);
  const double margin = t.options.margin;
  const auto skin = *rc::gen::element<std::optional<double>>(std::nullopt, 0.0, unit, 4 * unit);
  abut::contacts<> near({.margin = margin, .skin = skin});
  for (int step = 0; step < 5; ++step) {
    try {
      near.follow(search, t.bodies.view());
    } catch (const abut::error& e) {
      RC_ASSERT(t.plan.find('=') != std::string::npos);
      RC_ASSERT(support::smallest_named(e.what()) != "");
      return;
    }
    const abut::neighbor_list half = near.neighbors(t.bodies.view(), {.half = true});
    std::vector<abut::pair> found;
    for (abut::row i = 0; i < t.bodies.size(); ++i) {
      for (auto k = half.offsets[i]; k < half.offsets[i + 1]; ++k) found.push_back({i, half.neighbors[k]});
    }
    const auto same = support::same_pairs(reference::pairs(t.bodies, margin, t.options.periodic), found, t.bodies);
    if (!same) RC_FAIL(same.message());
    for (std::size_t i = 0; i < t.bodies.size(); i += 2) {
      const double by = unit * *rc::gen::element(0.0, 0.125, 0.25, -0.25, 1.0);
      t.bodies.column[1][i] += by;
      if (t.bodies.kind == shape::box) t.bodies.column[static_cast<std::size_t>(t.bodies.dimension) + 1][i] += by;
    }
  }
}

RC_GTEST_PROP(property, an_updated_search_is_as_good_as_a_new_one, ()) {
  const trial t = any_trial();
  auto search = updated(t);
  if (!search) return;
  samples::set before = t.bodies;
  for (int step = 0; step < 3; ++step) {
    const std::vector<body> all = any_bodies();
    samples::set next = set_of(all, before.kind, before.dimension, any_features());
    const bool periodic = any_periodic(t.options.periodic);
    if (periodic) {  // no larger than before
      next = before;
      for (std::size_t k = 0; k < next.group.size() && k < all.size(); ++k) next.group[k] = all[k].group;
      for (std::size_t k = 0; k < next.collides.size() && k < all.size(); ++k) {
        next.collides[k] = static_cast<std::uint64_t>(all[k].collides) << 40;
      }
      for (std::size_t k = 0; k < next.size() && k < all.size(); ++k) {
        const int move = all[k].c[0];
        next.column[1][k] += move;
        if (next.kind == shape::box) next.column[static_cast<std::size_t>(next.dimension) + 1][k] += move;
      }
    }
    try {
      search->update(next.view());
    } catch (const abut::error& e) {
      RC_ASSERT(t.plan.find('=') != std::string::npos);
      RC_ASSERT(support::smallest_named(e.what()) != "");
      next = before;
    }
    const auto same = support::same_pairs(reference::pairs(next, t.options.margin, t.options.periodic),
                                          support::ordered(*search), next);
    if (!same) RC_FAIL(same.message());
    before = next;
  }
}

}  // namespace
}  // namespace property_test
