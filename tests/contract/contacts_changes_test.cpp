// Lists that are changed in place, because rows are ids and have not moved: few and many contacts that begin and end,
// lists that grow, long rows, updates that are stopped.

#include "contact_model.hpp"

namespace contacts_changes_test {
namespace {

using abut::row;
using abut::shape;
using contact_model::grains;
using contact_model::token;
namespace samples = abut::samples;

// Drifts little, so that few contacts change, then far, so that most do, then little again.
TEST(contacts, follow_small_and_large_changes) {
  for (const bool periodic : {false, true}) {
    for (const int threads : {1, 3}) {
      grains g(shape::sphere, 3, 31, periodic, 700);
      constexpr double margin = 0.15;
      abut::search search(abut::plan("grid"), {.margin = margin, .periodic = g.axes(), .threads = threads});
      abut::contacts<token> near({.margin = margin});
      contact_model::model expected(false);
      std::size_t persisting = 0;
      std::size_t begun = 0;
      for (const double most : {0.0, 0.0, 0.001, 0.004, 0.004, 0.01, 0.02, 0.03, 2.0, 0.01, 0.02}) {
        SCOPED_TRACE("moves up to " + std::to_string(most) + ", threads " + std::to_string(threads));
        g.drift(most);
        search.update(g.bodies().view());
        near.update(search);
        expected.follow(g, margin, std::nullopt);
        begun += expected.begun().size();
        persisting += expected.tokens().size() - expected.begun().size();
        ASSERT_NO_FATAL_FAILURE(contact_model::expect_like(near, expected));
      }
      EXPECT_GT(begun, 2000U);
      EXPECT_GT(persisting, 5000U);
    }
  }
}

// A large body with hundreds of small ones around it, of which more than a byte can count come and go at once. The
// large one is the first body of all contacts, or the second.
TEST(contacts, change_in_long_rows) {
  for (const bool large_first : {true, false}) {
    constexpr std::size_t count = 2000;
    samples::set s;
    const auto large = static_cast<row>(large_first ? 0 : count);
    if (large_first) s.add(0, 0, 0, 10);
    for (std::size_t k = 0; k < count; ++k) {
      const double angle = 0.003 * static_cast<double>(k);
      s.add(10 * std::cos(angle), 10 * std::sin(angle), 0, 1e-4);
    }
    if (!large_first) s.add(0, 0, 0, 10);
    abut::search search(abut::plan("grid"), {.threads = 2});
    abut::contacts<double> near;
    std::vector<bool> away(count);
    std::vector<double> expected(count);  // what the contact with each small body remembers
    samples::random rng(3);
    for (int step = 0; step < 20; ++step) {
      std::vector<row> touching;
      const auto from = static_cast<std::size_t>(rng.uniform(0, count - 400));
      for (std::size_t k = 0; k < count; ++k) {
        const bool was_away = away[k];
        if (step > 0 && k >= from && k < from + 400) away[k] = step % 2 == 1;
        if (step % 5 == 4) away[k] = rng.uniform(0, 1) < 0.1;
        s.column[2][k + (large_first ? 1 : 0)] = away[k] ? 5 : 0;
        if (was_away) expected[k] = 0;
        if (!away[k]) touching.push_back(static_cast<row>(k + (large_first ? 1 : 0)));
      }
      search.update(s.view());
      near.update(search);
      std::vector<row> found;
      for (const auto c : near.of(large)) {
        found.push_back(c.other);
        double& memory = expected[c.other - (large_first ? 1 : 0)];
        ASSERT_EQ(c.memory, memory) << "step " << step << ", body " << c.other;
        c.memory = memory = rng.uniform(1, 2);
      }
      ASSERT_EQ(found, touching) << "step " << step;
    }
  }
}

// Grows from one contact to thousands and shrinks to none, some bodies at a time.
TEST(contacts, grow_and_shrink_in_place) {
  constexpr std::size_t count = 4000;
  samples::set s;
  for (std::size_t k = 0; k < count; ++k) s.add(static_cast<double>(2 * k), 0, 0, 0.5);
  abut::search search(abut::plan("grid"), {.threads = 3});
  abut::contacts<double> near;
  std::size_t joined = 0;
  const auto join = [&](std::size_t wanted) {  // body k touches the next one for k < wanted
    for (std::size_t k = 0; k < count; ++k) {
      s.column[0][k] = static_cast<double>(k < wanted ? k : wanted + 2 * (k - wanted));
    }
    search.update(s.view());
    near.update(search);
    ASSERT_EQ(near.size(), wanted);
    for (std::uint32_t slot = 0; slot < near.size(); ++slot) {
      ASSERT_EQ(near.firsts()[slot], slot);
      ASSERT_EQ(near.seconds()[slot], slot + 1);
      ASSERT_EQ(near.back()[slot], slot);
      ASSERT_EQ(near.back_offsets()[slot + 2], slot + 1);
      ASSERT_EQ(near.begun(slot), slot >= joined);
      ASSERT_EQ(near.memory(slot), slot >= joined ? 0 : slot + 0.5);
      near.memory(slot) = slot + 0.5;
    }
    const auto ended = near.ended();
    ASSERT_EQ(ended.size(), joined > wanted ? joined - wanted : 0);
    for (std::size_t k = 0; k < ended.size(); ++k) ASSERT_EQ(ended[k].memory, static_cast<double>(wanted + k) + 0.5);
    joined = wanted;
  };
  for (std::size_t n = 1; n < count - 1; n += 1 + n / 5) ASSERT_NO_FATAL_FAILURE(join(n));
  for (std::size_t n = joined; n > 0; n -= 1 + n / 6) ASSERT_NO_FATAL_FAILURE(join(n));
  ASSERT_NO_FATAL_FAILURE(join(0));
  // How lists are changed depends on what part of the contacts changes, of those before: to and fro about the limits.
  for (std::size_t n = 28; n < 68; ++n) {
    for (const std::size_t part : {4U, 32U}) {
      for (const std::size_t more : {n / part, n / part + 1}) {
        for (const std::size_t size : {n, n + more, n}) ASSERT_NO_FATAL_FAILURE(join(size));
      }
    }
  }
}

// A filter that throws leaves the list as it was, with few and with many changes.
TEST(contacts, stay_as_they_are_if_a_filter_throws) {
  for (const double most : {0.002, 1.0}) {
    grains g(shape::sphere, 3, 12, false, 400);
    std::atomic<int> left = -1;  // calls until it throws; never if negative
    abut::search search(abut::plan("grid"), {.margin = 0.15, .threads = 2});
    abut::contacts<token> near({.margin = 0.15, .keep = [&](row, row) {
                                  if (left >= 0 && left-- == 0) throw std::runtime_error("no more");
                                  return true;
                                }});
    contact_model::model expected(false);
    search.update(g.bodies().view());
    near.update(search);
    expected.follow(g, 0.15, std::nullopt);
    ASSERT_NO_FATAL_FAILURE(contact_model::expect_like(near, expected));
    const abut::saved_contacts before = near.save();
    g.drift(most);
    search.update(g.bodies().view());
    for (const int calls : {0, 1, 100}) {
      left = calls;
      EXPECT_THROW(near.update(search), std::runtime_error);
      const abut::saved_contacts now = near.save();
      EXPECT_EQ(now.firsts, before.firsts);
      EXPECT_EQ(now.seconds, before.seconds);
      EXPECT_EQ(now.memory, before.memory);
    }
    left = -1;
    near.update(search);
    expected.follow(g, 0.15, std::nullopt);
    ASSERT_NO_FATAL_FAILURE(contact_model::expect_like(near, expected));
  }
}

// A filter that changes its mind ends contacts.
TEST(contacts, end_if_a_filter_drops_them) {
  const samples::set s = samples::lattice(shape::sphere, 3, 1000, 1, 0.1, 0.525, 1);
  row dropped = abut::no_row;
  abut::search search;
  abut::contacts<double> near({.keep = [&](row i, row j) { return i != dropped && j != dropped; }});
  search.update(s.view());
  near.update(search);
  near.for_each([](auto& c) { c.memory = c.i + 0.25; });
  const std::size_t size = near.size();
  dropped = 500;
  std::size_t its_own = 0;
  for (const auto c : near.of(dropped)) its_own += c.other < 1000 ? 1 : 0;
  near.update(search);
  ASSERT_EQ(near.size(), size - its_own);
  ASSERT_EQ(near.ended().size(), its_own);
  for (const auto& e : near.ended()) EXPECT_EQ(e.memory, e.first + 0.25);
  near.for_each([](auto& c) { EXPECT_EQ(c.memory, c.i + 0.25); });
}

// What was loaded and what was moved to another list is changed in place, too.
TEST(contacts, loaded_and_moved_lists_are_changed_in_place) {
  grains g(shape::sphere, 3, 5, false, 500);
  constexpr double margin = 0.15;
  abut::search search(abut::plan("grid"), {.margin = margin});
  contact_model::model expected(false);
  abut::contacts<token> near;
  for (int step = 0; step < 6; ++step) {
    search.update(g.bodies().view());
    near.update(search);
    expected.follow(g, margin, std::nullopt);
    ASSERT_NO_FATAL_FAILURE(contact_model::expect_like(near, expected));
    if (step % 2 == 0) {
      const abut::saved_contacts saved = near.save();
      abut::contacts<token> loaded;
      loaded.load(saved, g.bodies().size());
      near = std::move(loaded);
    } else {
      abut::contacts<token> other(std::move(near));
      near = std::move(other);
    }
    g.drift(0.004);
  }
}

// Changed in place, a list has few bytes beside the memory, and that only once.
TEST(contacts, take_few_bytes) {
  constexpr std::size_t n = 40'000;
  samples::set s = samples::lattice(shape::sphere, 3, n, 1, 0.1, 0.525, 1);
  struct large {
    double numbers[8];
  };
  abut::search search(abut::plan("grid"), {.margin = 0.05, .threads = 1});
  abut::contacts<large> near;
  samples::random rng(8);
  for (int step = 0; step < 4; ++step) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (double& x : s.column[k]) x += rng.uniform(-0.01, 0.01);
    }
    search.update(s.view());
    near.update(search);
  }
  const std::size_t of_bodies = n * (4 * sizeof(double) + 2 * sizeof(row));
  EXPECT_LE(near.stats().bytes, of_bodies + near.size() * (24 + sizeof(large) * 18 / 16));
}

}  // namespace
}  // namespace contacts_changes_test
