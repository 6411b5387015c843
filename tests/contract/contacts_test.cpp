// Contacts against a model of their own, for every method, shape, dimension, with and without ids, periods, moving
// rows, several threads.

#include "contact_model.hpp"

namespace contacts_test {
namespace {

using abut::row;
using abut::shape;
using contact_model::grains;
using contact_model::three_in_a_row;
using contact_model::token;
namespace samples = abut::samples;

// Through its image, the second body's center is within reach of the first one's.
void expect_images(abut::contacts<token>& near, const grains& g, double margin) {
  const auto volumes = reference::volumes(g.bodies());
  near.for_each([&](auto& c) {
    reference::volume second = volumes[c.j];
    for (std::size_t k = 0; k < 3; ++k) {
      const double by = g.axes()[k] ? c.image[k] * (g.axes()[k]->max - g.axes()[k]->min) : 0;
      second.c[k] += by;
      second.min[k] += by;
      second.max[k] += by;
    }
    EXPECT_TRUE(reference::meets(volumes[c.i], second, margin + 1e-9)) << c.i << " and " << c.j;
  });
}

class contacts_of : public ::testing::TestWithParam<std::string> {};

void run(const std::string& method, shape kind, int dimension, bool periodic, bool with_ids, int threads,
         std::size_t count = 120, int steps = 12) {
  SCOPED_TRACE(std::string(support::shape_name(kind)) + ", " + std::to_string(dimension) + "D" +
               (periodic ? ", periodic" : "") + (with_ids ? ", ids" : "") + ", threads " + std::to_string(threads));
  grains g(kind, dimension, 77 + static_cast<unsigned>(dimension), periodic, count);
  constexpr double margin = 0.15;
  abut::search search(abut::plan(method), {.margin = margin, .periodic = g.axes(), .threads = threads});
  abut::contacts<token> near({.margin = margin});
  contact_model::model expected(with_ids);
  std::size_t ended = 0;
  for (int step = 0; step < steps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    std::optional<std::vector<row>> new_rows;
    if (step > 0) g.drift(0.12);
    if (step % 3 == 2) new_rows = g.shuffle(step == 8 ? g.bodies().size() : 6, step == 8 ? 40 : 4);
    abut::identities who;
    if (with_ids) who.ids = g.ids();
    if (new_rows) who.new_rows = *new_rows;
    search.update(g.bodies().view(), {.new_rows = who.new_rows});
    near.update(search, who);
    expected.follow(g, margin, new_rows);
    ASSERT_NO_FATAL_FAILURE(contact_model::expect_like(near, expected));
    if (periodic) expect_images(near, g, margin);
    ended += near.ended().size();
  }
  EXPECT_GT(ended, 100U);
}

TEST_P(contacts_of, are_those_of_the_model_and_keep_their_memory) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const bool periodic : {false, true}) {
        run(GetParam(), kind, dimension, periodic, dimension == 2, dimension == 2 ? 3 : 1);
        run(GetParam(), kind, dimension, periodic, dimension == 3, dimension == 2 ? 1 : 3);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, contacts_of, ::testing::ValuesIn(support::method_names()), support::method_test_name);

// So many bodies that they are sorted in several parts, on several threads.
TEST(contacts, of_many_bodies_are_those_of_the_model) {
  for (const bool with_ids : {false, true}) run("grid", shape::sphere, 3, with_ids, with_ids, 3, 1000, 4);
}

TEST(contacts, full_lists_have_both_sides_with_distances_vectors_and_images) {
  samples::set s = three_in_a_row();
  s.column[0] = {0.25, 3.5, 9.5};  // 2 touches 0 through the border, 1 touches nobody
  abut::search search(abut::plan("grid"), {.periodic = {abut::interval{0, 10}}});
  abut::contacts<> near({.skin = 0.5});
  near.follow(search, s.view());
  const auto list = near.neighbors(s.view(), {.distances = true, .vectors = true, .images = true});
  EXPECT_EQ(list.offsets, (std::vector<std::uint32_t>{0, 1, 1, 2}));
  EXPECT_EQ(list.neighbors, (std::vector<row>{2, 0}));
  EXPECT_EQ(list.distances, (std::vector<double>{0.75, 0.75}));
  EXPECT_EQ(list.vectors[0], (std::array<double, 3>{-0.75, 0, 0}));
  EXPECT_EQ(list.vectors[1], (std::array<double, 3>{0.75, 0, 0}));
  EXPECT_EQ(list.images[0], (abut::image_shift{-1, 0, 0}));
  EXPECT_EQ(list.images[1], (abut::image_shift{1, 0, 0}));
  EXPECT_TRUE(near.neighbors(s.view()).distances.empty());
}

// The far images of unwrapped coordinates.
TEST(contacts, images_count_the_periods_between_unwrapped_bodies) {
  samples::set s;
  s.add(0.25, 0, 0, 0.5);
  s.add(0.25 + 0.75 + 1e4, -30, 0, 0.5);
  abut::search search(abut::plan(), {.periodic = {abut::interval{0, 10}, abut::interval{0, 10}}});
  search.update(s.view());
  abut::contacts<> near;
  near.update(search);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near.image_of(0), (abut::image_shift{-1000, 3, 0}));
}

TEST(contacts, a_filter_leaves_pairs_out) {
  const samples::set s = three_in_a_row();
  abut::search search;
  search.update(s.view());
  abut::contacts<> near({.keep = [](row i, row j) { return i != 0 || j != 1; }});
  near.update(search);
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near.firsts()[0], 1U);
  EXPECT_EQ(near.seconds()[0], 2U);
}

// Sums over `of` are the same to the last bit for every method and number of threads.
TEST(contacts, sums_do_not_depend_on_method_or_threads) {
  const grains g(shape::sphere, 3, 21, true);
  std::vector<double> expected;
  for (const std::string& method : support::method_names()) {
    for (const int threads : {1, 3}) {
      abut::search search(abut::plan(method), {.margin = 0.2, .periodic = g.axes(), .threads = threads});
      search.update(g.bodies().view());
      abut::contacts<double> near;
      near.update(search);
      std::vector<double> force(near.size());
      near.for_each([&](auto& c) { force[c.slot] = 1.0 / (1 + c.i) + c.j * 0.1 + c.image[0]; });
      std::vector<double> sums;
      for (row i = 0; i < near.rows(); ++i) {
        double sum = 0;
        for (const auto c : near.of(i)) sum += c.first ? force[c.slot] : -force[c.slot];
        sums.push_back(sum);
      }
      if (expected.empty()) expected = sums;
      ASSERT_EQ(sums, expected) << method << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace contacts_test
