// What a search shows of itself: shapes that are finite and few, boxes that hold what they say, and comparisons that
// explain every pair. Showing changes nothing.

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "counted.hpp"
#include "plans.hpp"
#include "support.hpp"

namespace show_test {
namespace {

using abut::shape;
using abut::sketch;
namespace samples = abut::samples;

class shown : public ::testing::TestWithParam<std::string> {};

struct span {
  double min;
  double max;
};

span along(const abut::region& where, std::size_t k) {
  if (const auto* s = std::get_if<abut::sphere>(&where)) return {s->center[k] - s->radius, s->center[k] + s->radius};
  const auto& b = std::get<abut::box>(where);
  return {b.min[k], b.max[k]};
}

// By how much a box may miss its member: rounding of coordinates, and of cells in units.
double room(const sketch::box& box, const span& of, std::size_t k) {
  const double farthest = std::max({std::abs(box.min[k]), std::abs(box.max[k]), std::abs(of.min), std::abs(of.max)});
  return 64 * std::numeric_limits<double>::epsilon() * farthest + 1e-5 * (box.max[k] - box.min[k]) + 1e-140;
}

// Whether the box holds the body as its kind says, on one axis.
bool holds(const sketch& s, const sketch::box& box, const sketch::body& b, std::size_t k, double margin) {
  const span of = along(b.volume, k);
  const double free = room(box, of, k);
  const auto within = [&](double x) { return x >= box.min[k] - free && x <= box.max[k] + free; };
  switch (s.kinds[box.kind].holds) {
    case sketch::holding::nothing:
      return false;
    case sketch::holding::anchors:
      return within(of.min + (of.max - of.min) / 2) || (b.volume.index() == 1 && within(of.min));
    case sketch::holding::parts:
      return of.min - margin / 2 <= box.max[k] + free && of.max + margin >= box.min[k] - free;
    case sketch::holding::wholes:
      return within(of.min) && within(of.max);
  }
  return false;
}

bool finite(const sketch::place& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

void expect_finite(const sketch& s) {
  for (const auto& b : s.boxes) {
    ASSERT_TRUE(finite(b.min) && finite(b.max));
    for (std::size_t k = 0; k < 3; ++k) ASSERT_LE(b.min[k], b.max[k]) << s.kinds[b.kind].name;
  }
  for (const auto& g : s.segments) ASSERT_TRUE(finite(g.from) && finite(g.to));
  for (const auto& p : s.points) ASSERT_TRUE(finite(p.at) && std::isfinite(p.radius) && p.radius >= 0);
  for (const auto& l : s.labels) ASSERT_TRUE(finite(l.at) && !l.text.empty());
  if (s.dimension == 3) return;
  for (const auto& b : s.boxes) ASSERT_TRUE(b.min[2] == 0 && b.max[2] == 0);
  for (const auto& p : s.points) ASSERT_EQ(p.at[2], 0);
}

void expect_few(const sketch& s) {
  const std::size_t n = s.bodies.size();
  EXPECT_LE(s.boxes.size(), 64 * n + 16);
  EXPECT_LE(s.members.size(), 64 * n);
  EXPECT_LE(s.segments.size(), 66 * n + 16);
  EXPECT_LE(s.points.size(), 8 * n);
  EXPECT_LE(s.labels.size(), 8 * n);
  EXPECT_LE(s.kinds.size(), 8U);
}

// Stripes of a number of bodies, as in the thesis, may hold more, from which the contract exempts them: as many as the
// method has entries, and their zones, one for each striped axis, as many again.
void expect_entries(const sketch& s, std::uint64_t entries) {
  std::uint64_t in_stripes = 0;
  for (const sketch::box& box : s.boxes) in_stripes += s.kinds[box.kind].name == "stripe" ? box.count : 0;
  EXPECT_EQ(in_stripes, entries);
  EXPECT_LE(s.members.size(), entries * static_cast<std::uint64_t>(s.dimension));
}

void expect_marked(const sketch& s) {
  const auto marked = [&](const sketch::mark& m) {
    return m.kind < s.kinds.size() && (!m.searched || s.chosen != sketch::none);
  };
  for (const auto& b : s.boxes) ASSERT_TRUE(marked(b) && b.first + b.count <= s.members.size());
  for (const auto& g : s.segments) ASSERT_TRUE(marked(g));
  for (const auto& p : s.points) ASSERT_TRUE(marked(p) && (p.body == sketch::none || p.body < s.bodies.size()));
  for (const auto& l : s.labels) ASSERT_TRUE(marked(l));
  for (const auto& k : s.kinds) ASSERT_TRUE(!k.name.empty() && !k.meaning.empty());
}

// Boxes hold their members, trees their children. `gaps`: empty space may have been left out between cubes, so that the
// cube beyond a gap can hold a body before it.
void expect_held(const sketch& s, double margin, bool gaps) {
  for (const sketch::box& box : s.boxes) {
    if (s.kinds[box.kind].holds == sketch::holding::nothing) {
      ASSERT_EQ(box.count, 0U);
    }
    for (std::uint32_t m = box.first; m < box.first + box.count; ++m) {
      const sketch::body& b = s.bodies[s.members[m]];
      if (gaps && s.kinds[box.kind].holds == sketch::holding::parts) continue;
      for (std::size_t k = 0; k < static_cast<std::size_t>(s.dimension); ++k) {
        ASSERT_TRUE(holds(s, box, b, k, margin))
            << s.kinds[box.kind].name << " " << box.level << " from " << box.min[k] << " to " << box.max[k] << ", body "
            << s.members[m] << " from " << along(b.volume, k).min << " to " << along(b.volume, k).max << " on axis "
            << k;
      }
    }
    if (box.parent == sketch::none) continue;
    ASSERT_LT(box.parent, s.boxes.size());
    const sketch::box& above = s.boxes[box.parent];
    EXPECT_EQ(above.level + 1, box.level);
    for (std::size_t k = 0; k < 3; ++k) ASSERT_TRUE(above.min[k] <= box.min[k] && box.max[k] <= above.max[k]);
  }
}

// Whether an axis is so long that it has more than 2^31 cells.
bool far_apart(const samples::set& bodies) {
  if (bodies.size() == 0) return false;
  const double widest = support::extents(bodies).back();
  for (std::size_t k = 0; k < static_cast<std::size_t>(bodies.dimension); ++k) {
    const auto [min, max] = std::minmax_element(bodies.column[k].begin(), bodies.column[k].end());
    if (*max - *min > 1e9 * widest) return true;
  }
  return false;
}

// Methods that keep bodies show every one of them; those that place a body in one cell, exactly once.
void expect_all_bodies(const std::string& method, const sketch& s) {
  std::vector<int> in_cells(s.bodies.size());
  std::set<std::uint32_t> seen;
  for (const sketch::box& box : s.boxes) {
    for (std::uint32_t m = box.first; m < box.first + box.count; ++m) {
      seen.insert(s.members[m]);
      if (s.kinds[box.kind].holds == sketch::holding::anchors) ++in_cells[s.members[m]];
    }
  }
  for (const auto& p : s.points) seen.insert(p.body);
  // nearest-neighbor shows neighborhoods of boxes without members.
  const bool keeps =
      method != "pairing" && !(method == "nearest-neighbor" && std::holds_alternative<abut::box>(s.bodies[0].volume));
  if (keeps) {
    EXPECT_EQ(seen.size() - seen.count(sketch::none), s.bodies.size());
  }
  for (const auto& k : s.kinds) {
    if (k.holds != sketch::holding::anchors) continue;
    for (const int times : in_cells) ASSERT_EQ(times, 1);
  }
}

std::string text_of(const sketch& s) {
  std::ostringstream out;
  out.precision(17);
  const auto mark = [&](const sketch::mark& m) { out << m.kind << ' ' << m.level << ' ' << m.searched << ' '; };
  const auto place = [&](const sketch::place& p) { out << p[0] << ' ' << p[1] << ' ' << p[2] << ' '; };
  for (const auto& b : s.bodies) out << b.owner << b.ghost << b.compared << ' ';
  for (const auto& b : s.boxes)
    mark(b), place(b.min), place(b.max), out << b.first << ' ' << b.count << ' ' << b.parent << '\n';
  for (const std::uint32_t m : s.members) out << m << ' ';
  for (const auto& g : s.segments) mark(g), place(g.from), place(g.to);
  for (const auto& p : s.points) mark(p), place(p.at), out << p.radius << ' ' << p.body << '\n';
  for (const auto& l : s.labels) mark(l), place(l.at), out << l.text << '\n';
  return out.str();
}

// A search with this plan, updated with these bodies; none if the plan's lengths do not fit them.
std::optional<abut::search> updated(const std::string& plan, const samples::set& bodies, const abut::options& o = {}) {
  abut::search search(plan, o);
  try {
    search.update(bodies.view());
  } catch (const abut::error& refused) {
    support::expect_fair_refusal(plan, refused);
    return {};
  }
  return search;
}

TEST_P(shown, shapes_are_finite_few_and_hold_what_they_say) {
  for (const samples::sample& sample : samples::all()) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        const samples::set bodies = sample.make(kind, dimension, 1);
        for (const std::string& plan : support::plans_of(GetParam(), bodies)) {
          SCOPED_TRACE(sample.name + ", " + support::shape_name(kind) + ", " + std::to_string(dimension) + "D, " +
                       plan);
          auto search = updated(plan, bodies, {.margin = 0.01});
          if (!search) continue;
          std::optional<abut::row> body;
          if (bodies.size() > 0) body = static_cast<abut::row>(bodies.size() / 2);
          const sketch s = search->show(body);
          EXPECT_EQ(s.dimension, dimension);
          ASSERT_EQ(s.bodies.size(), bodies.size());
          EXPECT_EQ(s.chosen, body.value_or(sketch::none));
          expect_marked(s);
          expect_finite(s);
          if (plan.find("stripes=count") != std::string::npos) {
            expect_entries(s, support::counted(*search, "entries"));
          } else {
            expect_few(s);
          }
          expect_held(s, 0.01, GetParam() == "fixed-cubes" && far_apart(bodies));
          if (bodies.size() > 0) expect_all_bodies(GetParam(), s);
          if (HasFatalFailure() || HasNonfatalFailure()) return;
        }
      }
    }
  }
}

// The comparisons of all bodies are those that `find` makes: together they contain every pair, and there are as many as
// it counts. Methods with a table or a list of pairs show a pair from both of its bodies.
TEST_P(shown, comparisons_explain_every_pair) {
  const bool from_both = GetParam() == "nearest-neighbor" || GetParam() == "sweep-and-prune";
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      samples::set bodies = samples::uniform(kind, dimension, 90, 0.5, 1, 5, 3);
      samples::translate(bodies, -2);
      if (kind == shape::sphere) bodies.fixed.resize(bodies.size());
      for (std::size_t i = 0; i < bodies.fixed.size(); i += 7) bodies.fixed[i] = 1;
      for (const std::string& plan : support::plans_of(GetParam(), bodies)) {
        SCOPED_TRACE(std::string(support::shape_name(kind)) + ", " + std::to_string(dimension) + "D, " + plan);
        auto search = updated(plan, bodies, {.margin = 0.05});
        if (!search) continue;
        std::set<std::pair<abut::row, abut::row>> explained;
        std::uint64_t comparisons = 0;
        for (abut::row i = 0; i < bodies.size(); ++i) {
          const sketch s = search->show(i);
          for (abut::row j = 0; j < bodies.size(); ++j) {
            if (!s.bodies[j].compared) continue;
            ASSERT_NE(i, j);
            explained.emplace(std::min(i, j), std::max(i, j));
            ++comparisons;
          }
        }
        const std::vector<abut::pair> pairs = search->pairs();
        ASSERT_GT(pairs.size(), 20U);
        for (const abut::pair p : pairs) EXPECT_TRUE(explained.contains({p.i, p.j})) << support::pair_text(p);
        EXPECT_EQ(comparisons, search->stats().tests * (from_both ? 2 : 1));
        EXPECT_EQ(explained.size() * (from_both ? 2 : 1), comparisons);
      }
    }
  }
}

TEST_P(shown, ghosts_are_bodies_of_their_own) {
  for (const int dimension : {2, 3}) {
    samples::set bodies = samples::uniform(shape::sphere, dimension, 200, 0.3, 0.5, 2, 4);
    const double side = *std::max_element(bodies.column[0].begin(), bodies.column[0].end()) + 0.1;
    const abut::options periodic{.periodic = {abut::interval{0, side}, abut::interval{0, side}}};
    for (const std::string& plan : support::variants(GetParam())) {
      SCOPED_TRACE(plan);
      auto search = updated(plan, bodies, periodic);
      if (!search) continue;
      const sketch s = search->show(7);
      ASSERT_GT(s.bodies.size(), bodies.size());
      for (std::size_t i = 0; i < s.bodies.size(); ++i) {
        const sketch::body& b = s.bodies[i];
        EXPECT_EQ(b.ghost, i >= bodies.size());
        ASSERT_LT(b.owner, bodies.size());
        EXPECT_TRUE(b.ghost || b.owner == i);
        const auto& here = std::get<abut::sphere>(b.volume);
        const auto& owner = std::get<abut::sphere>(s.bodies[b.owner].volume);
        EXPECT_EQ(here.radius, owner.radius);
        EXPECT_EQ(here.center == owner.center, !b.ghost);
      }
      expect_marked(s);
      expect_finite(s);
      expect_few(s);
      expect_held(s, 0, false);
      expect_all_bodies(GetParam(), s);
    }
  }
}

// Also after updates that methods follow with what they have kept: bodies that move, come and go.
TEST_P(shown, showing_changes_nothing) {
  for (const std::string& plan : support::variants(GetParam())) {
    SCOPED_TRACE(plan);
    samples::set bodies = samples::uniform(shape::sphere, 3, 300, 0.3, 1, 4, 5);
    abut::search shows(plan, {.margin = 0.02});
    abut::search does_not(plan, {.margin = 0.02});
    samples::random rng(6);
    for (int step = 0; step < 4; ++step) {
      shows.update(bodies.view());
      does_not.update(bodies.view());
      const sketch first = shows.show(5);
      std::string other;
      std::thread([&] { other = text_of(shows.show(5)); }).join();
      EXPECT_EQ(text_of(first), other);
      expect_held(first, 0.02, false);
      expect_all_bodies(GetParam(), first);
      EXPECT_EQ(support::ordered(shows), support::ordered(does_not));
      EXPECT_EQ(text_of(shows.show(5)), other);
      EXPECT_EQ(shows.planned().text(), does_not.planned().text());
      EXPECT_EQ(shows.stats().bytes, does_not.stats().bytes);
      for (auto& x : bodies.column[0]) x += rng.uniform(-0.05, 0.05);
      bodies.column[1][static_cast<std::size_t>(step)] += 3;
      if (step == 1) bodies.add(1, 1, 1, 0.5);
    }
  }
}

TEST_P(shown, without_a_chosen_body_nothing_is_searched) {
  const samples::set bodies = samples::uniform(shape::sphere, 2, 100, 0.4, 1, 3, 7);
  abut::search search(GetParam());
  search.update(bodies.view());
  const sketch s = search.show();
  EXPECT_EQ(s.chosen, sketch::none);
  expect_marked(s);
  for (const auto& b : s.bodies) EXPECT_FALSE(b.compared);
  expect_all_bodies(GetParam(), s);
}

INSTANTIATE_TEST_SUITE_P(method, shown, ::testing::ValuesIn(support::method_names()), support::method_test_name);

TEST(show, refuses_what_is_not_there) {
  const samples::set bodies = samples::uniform(shape::sphere, 3, 5, 0.4, 1, 1, 8);
  abut::search search;
  EXPECT_NE(support::message_of([&] { (void)search.show(); }).find("call update"), std::string::npos);
  search.update(bodies.view());
  EXPECT_EQ(support::message_of([&] { (void)search.show(5); }),
            "there is no body 5 to show; there are 5, and rows count from 0");
  EXPECT_EQ(search.show(4).chosen, 4U);
}

// Many bodies in one point touch each other, and their pairs could be shown as millions of segments.
TEST(show, leaves_out_segments_beyond_64_for_each_body) {
  samples::set bodies{.kind = shape::sphere, .dimension = 2};
  for (int k = 0; k < 300; ++k) bodies.add(0, 0, 0, 1);
  for (const char* plan : {"sweep-and-prune", "nearest-neighbor"}) {
    abut::search search(plan);
    search.update(bodies.view());
    const sketch s = search.show();
    const std::size_t all = s.segments.size() + s.left_out;
    EXPECT_GT(s.left_out, 0U);
    EXPECT_LE(s.segments.size(), 64U * 300 + 16);
    EXPECT_GE(all, 300U * 299 / 2);
  }
}

TEST(show, a_tree_has_one_root) {
  const samples::set bodies = samples::uniform(shape::box, 3, 400, 0.4, 1, 10, 9);
  for (const char* plan : {"rtree node=4", "dess-rtree node=4"}) {
    abut::search search(plan);
    search.update(bodies.view());
    const sketch s = search.show();
    std::size_t roots = 0;
    std::uint32_t deepest = 0;
    for (const auto& b : s.boxes) {
      roots += b.parent == sketch::none ? 1 : 0;
      deepest = std::max(deepest, b.level);
    }
    EXPECT_EQ(roots, 1U);
    EXPECT_GE(deepest, 3U);
    for (const auto& b : s.boxes) EXPECT_EQ(b.count > 0, b.level == deepest);
  }
}

}  // namespace
}  // namespace show_test
