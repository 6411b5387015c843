// The generators behind `abut generate`.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

#include "generators.hpp"
#include "portable.hpp"
#include "support.hpp"

namespace generate_test {
namespace {

using abut::row;
using abut::shape;
namespace samples = abut::samples;
using samples::arrangement;
using samples::packing_request;
using samples::size_law;

std::size_t count_pairs(const samples::set& bodies, double margin = 0) {
  abut::search search(abut::plan("auto"), {.margin = margin});
  search.update(bodies.view());
  std::size_t count = 0;
  search.for_each_pair([&](row, row) { ++count; });
  return count;
}

std::uint64_t hash_of(const samples::set& bodies) {
  std::uint64_t hash = 0;
  for (const std::vector<double>& column : bodies.column) {
    for (const double v : column) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &v, sizeof bits);
      hash = (hash ^ bits) * 0x100'0000'01b3U;
    }
  }
  return hash;
}

void expect_whole(const samples::set& bodies, int dimension, std::size_t count) {
  EXPECT_EQ(bodies.dimension, dimension);
  EXPECT_EQ(bodies.kind, shape::sphere);
  for (int k = 0; k < 6; ++k) {
    const auto& column = bodies.column[static_cast<std::size_t>(k)];
    ASSERT_EQ(column.size(), k <= dimension ? count : 0) << "column " << k;
    for (const double v : column) ASSERT_TRUE(std::isfinite(v));
  }
}

double volume(const samples::set& bodies) {
  double sum = 0;
  for (const double r : bodies.column[static_cast<std::size_t>(bodies.dimension)]) {
    sum += abut::power(r, bodies.dimension) * samples::unit_volume(shape::sphere, bodies.dimension);
  }
  return sum;
}

std::string refusal(const packing_request& request) {
  try {
    (void)samples::packing(request);
  } catch (const abut::error& problem) {
    return problem.what();
  }
  return "";
}

// ---- arithmetic

TEST(portable, cube_roots_are_those_of_the_library) {
  samples::random random(1);
  for (int k = 0; k < 20000; ++k) {
    const double a = std::ldexp(random.uniform(0.5, 1), static_cast<int>(random.below(1800)) - 900);
    const double right = std::cbrt(a);
    ASSERT_NEAR(samples::cube_root(a) / right, 1, 1e-15) << a;
    ASSERT_EQ(samples::root(3, a), samples::cube_root(a));
    ASSERT_EQ(samples::root(2, a), std::sqrt(a));
  }
  EXPECT_EQ(samples::cube_root(27), 3);
  EXPECT_EQ(samples::cube_root(0), 0);
  EXPECT_EQ(abut::power(3, 2), 9);
  EXPECT_EQ(abut::power(3, 3), 27);
}

// ---- sizes

// The fraction of the radii below x, for x in units of r_max; a is the smallest.
double distribution(size_law law, int dimension, double a, double x) {
  switch (law) {
    case size_law::uniform:
      return (x - a) / (1 - a);
    case size_law::inverse_cube:
      return (std::pow(a, -2) - std::pow(x, -2)) / (std::pow(a, -2) - 1);
    case size_law::by_mass:
      return (std::pow(a, -dimension) - std::pow(x, -dimension)) / (std::pow(a, -dimension) - 1);
    case size_law::equal:
      break;
  }
  return x < 1 ? 0 : 1;
}

TEST(sizes, follow_their_laws) {
  for (const size_law law : {size_law::equal, size_law::uniform, size_law::inverse_cube, size_law::by_mass}) {
    for (const int dimension : {2, 3}) {
      constexpr std::size_t count = 100'000;
      samples::random random(3);
      std::vector<double> r = samples::radii(law, dimension, count, 2.5, 20, random);
      ASSERT_EQ(r.size(), count);
      std::sort(r.begin(), r.end());
      EXPECT_GE(r.front(), 2.5 / 20);
      EXPECT_LE(r.back(), 2.5);
      if (law == size_law::equal) {
        EXPECT_EQ(r.front(), 2.5);
        continue;
      }
      double worst = 0;  // Kolmogorov-Smirnov: above 1.95 / sqrt(count) once in a thousand
      for (std::size_t i = 0; i < count; ++i) {
        const double part = (static_cast<double>(i) + 0.5) / count;
        worst = std::max(worst, std::abs(distribution(law, dimension, 1.0 / 20, r[i] / 2.5) - part));
      }
      EXPECT_LT(worst, 1.95 / std::sqrt(double{count})) << static_cast<int>(law) << ", " << dimension << "D";
    }
  }
}

TEST(sizes, by_mass_pass_a_sieve_as_equation_36_says) {
  samples::random random(4);
  constexpr double ratio = 32;
  const std::vector<double> r = samples::radii(size_law::by_mass, 3, 1'000'000, 0.5, ratio, random);
  double all = 0;
  for (const double v : r) all += v * v * v;
  for (const double sieve : {1.0 / 24, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 0.8}) {  // in diameters
    double passing = 0;
    for (const double v : r) passing += 2 * v < sieve ? v * v * v : 0;
    EXPECT_NEAR(passing / all, std::log(sieve * ratio) / std::log(ratio), 0.02) << sieve;
  }
}

TEST(sizes, inverse_cube_has_equal_volume_in_equal_intervals) {
  samples::random random(5);
  const std::vector<double> r = samples::radii(size_law::inverse_cube, 3, 1'000'000, 1, 50, random);
  std::array<double, 4> part{};
  double all = 0;
  for (const double v : r) {
    const double at = (v - 0.02) / 0.98 * 4;
    part[std::min<std::size_t>(static_cast<std::size_t>(std::max(at, 0.0)), 3)] += v * v * v;
    all += v * v * v;
  }
  for (const double p : part) EXPECT_NEAR(p / all, 0.25, 0.03);
}

// ---- packings

void expect_packing(const packing_request& request) {
  const samples::packed made = samples::packing(request);
  const auto d = static_cast<std::size_t>(request.dimension);
  expect_whole(made.bodies, request.dimension, request.count);
  EXPECT_EQ(count_pairs(made.bodies), 0U);
  EXPECT_NEAR(volume(made.bodies) / abut::power(made.side, request.dimension), request.fraction,
              1e-9 * request.fraction);
  const auto& r = made.bodies.column[d];
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t i = 0; i < request.count; ++i) {
      ASSERT_GE(made.bodies.column[k][i], r[i]);
      ASSERT_LE(made.bodies.column[k][i], made.side - r[i]);
    }
  }
  if (!request.single) return;
  for (std::size_t k = 0; k <= d; ++k) {
    for (const double v : made.bodies.column[k]) ASSERT_EQ(v, static_cast<double>(static_cast<float>(v)));
  }
}

TEST(packing, keeps_bodies_apart_and_inside) {
  expect_packing({.count = 20'000});
  expect_packing({.count = 20'000, .r_max = 1e-3, .fraction = 0.01});
  expect_packing({.count = 5'000, .fraction = 0.345});
  expect_packing({.dimension = 2, .count = 20'000, .fraction = 0.5});
  expect_packing({.count = 20'000, .sizes = size_law::uniform, .ratio = 3});
  expect_packing({.dimension = 2, .count = 20'000, .sizes = size_law::by_mass, .ratio = 32, .fraction = 0.6});
  expect_packing({.count = 20'000, .seed = 2, .single = true});
  expect_packing({.count = 1, .fraction = 0.37});
  expect_packing({.count = 7, .fraction = 0.1});
}

TEST(packing, tells_the_part_of_the_work_not_of_the_bodies) {
  // The last tenth of a dense packing takes half of the time.
  std::vector<double> parts;
  const auto tell = [&](double part) { parts.push_back(part); };
  (void)samples::packing({.count = 20'000, .fraction = 0.36, .progress = tell});
  ASSERT_GT(parts.size(), 10U);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_LT(parts.front(), 0.1);
  EXPECT_LE(parts.back(), 1);
  // The first round draws half as many places as there are bodies, and nearly a third of the bodies find a place.
  EXPECT_LT(parts[parts.size() / 20], 0.2);
}

TEST(packing, reaches_what_the_documents_ask_for) {
  expect_packing({.count = 125'001, .sizes = size_law::inverse_cube, .ratio = 50, .fraction = 0.4});
  expect_packing({.count = 50'000, .sizes = size_law::by_mass, .ratio = 32, .fraction = 0.5});
}

TEST(packing, nearly_full_is_still_possible) {
  expect_packing({.count = 30'000, .fraction = 0.36});
  expect_packing({.dimension = 2, .count = 30'000, .fraction = 0.53});
}

TEST(packing, bodies_are_everywhere) {
  const samples::packed made = samples::packing({.count = 40'000});
  std::array<std::size_t, 8> octant{};
  for (std::size_t i = 0; i < made.bodies.size(); ++i) {
    std::size_t o = 0;
    for (std::size_t k = 0; k < 3; ++k) o = 2 * o + (made.bodies.column[k][i] < made.side / 2 ? 0 : 1);
    ++octant[o];
  }
  for (const std::size_t n : octant) EXPECT_NEAR(static_cast<double>(n), 5000, 100);
}

TEST(packing, shuffled_rows_say_nothing_of_size_or_place) {
  packing_request request{.count = 40'000, .sizes = size_law::uniform, .ratio = 2};
  const auto half_means = [&](std::size_t k) {
    const samples::set bodies = samples::packing(request).bodies;
    const auto& c = bodies.column[k];
    const auto middle = c.begin() + 20'000;
    return std::pair(std::accumulate(c.begin(), middle, 0.0) / 20'000, std::accumulate(middle, c.end(), 0.0) / 20'000);
  };
  for (const std::size_t k : {0U, 2U, 3U}) {
    const auto [first, second] = half_means(k);
    EXPECT_NEAR(first / second, 1, 0.03) << "column " << k;
  }
  request.shuffled = false;
  const auto [large, small] = half_means(3);
  EXPECT_GT(large, 1.3 * small);
}

TEST(packing, refuses_what_random_insertion_cannot_reach) {
  EXPECT_EQ(refusal({.count = 50'000'000, .fraction = 0.5}),
            "volume fraction 0.5 is out of reach: random insertion of equal spheres ends near 0.38; at most 0.37 is "
            "accepted");
  EXPECT_EQ(refusal({.dimension = 2, .count = 1000, .sizes = size_law::by_mass, .ratio = 1, .fraction = 0.6}),
            "volume fraction 0.6 is out of reach: random insertion of equal discs ends near 0.547; at most 0.53 is "
            "accepted");
  EXPECT_EQ(refusal({.count = 1, .sizes = size_law::uniform, .ratio = 2, .fraction = 0.9}),
            "volume fraction 0.9 is out of reach: the box is smaller than the largest body; ask for less, or for more "
            "bodies");
  // Nearly equal sizes, as tight as possible: the fraction reached is the known one, less what the walls take.
  const std::string full = refusal({.count = 20'000, .sizes = size_law::uniform, .ratio = 1.0001, .fraction = 0.39});
  const std::size_t at = full.find("at a fraction of ");
  ASSERT_NE(at, std::string::npos) << full;
  EXPECT_NEAR(std::stod(full.substr(at + 17)), 0.372, 0.005) << full;
  EXPECT_NE(refusal({.count = 20'000, .sizes = size_law::by_mass, .ratio = 32, .fraction = 0.95}), "");
  EXPECT_NE(refusal({.count = 2, .fraction = 0.37}), "");
}

TEST(packing, tells_its_progress) {
  double last = -1;
  packing_request request{.count = 30'000};
  request.progress = [&](double part) {
    EXPECT_GE(part, last);
    EXPECT_LE(part, 1);
    last = part;
  };
  (void)samples::packing(request);
  EXPECT_GT(last, 0.9);
}

// ---- shapes

TEST(sheet, is_a_layer_with_jitter_within_bounds) {
  const samples::set bodies = samples::sheet(2500, 2, 0.25, 0.5, 1, false);
  expect_whole(bodies, 3, 2500);
  double most = 0;
  for (std::size_t i = 0; i < 2500; ++i) {
    const std::array<double, 3> site = {2.0 * static_cast<double>(i % 50), 2.0 * static_cast<double>(i / 50), 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const double moved = std::abs(bodies.column[k][i] - site[k]);
      ASSERT_LE(moved, 0.25 + 1e-12);
      most = std::max(most, moved);
    }
    EXPECT_EQ(bodies.column[3][i], 0.5);
  }
  EXPECT_GT(most, 0.24);
}

TEST(line, runs_along_its_direction) {
  for (const int dimension : {2, 3}) {
    const samples::set straight = samples::line(dimension, 1000, {3, 4, 0}, 1, 0, 0.5, 1, false);
    expect_whole(straight, dimension, 1000);
    for (std::size_t i = 0; i < 1000; ++i) {
      EXPECT_NEAR(straight.column[0][i], 0.6 * static_cast<double>(i), 1e-9);
      EXPECT_NEAR(straight.column[1][i], 0.8 * static_cast<double>(i), 1e-9);
    }
    EXPECT_EQ(count_pairs(straight, 1e-6), 999U);
    const samples::set shuffled = samples::line(dimension, 1000, {3, 4, 0}, 1, 0, 0.5, 1);
    EXPECT_NE(shuffled.column[0], straight.column[0]);
    EXPECT_EQ(count_pairs(shuffled, 1e-6), 999U);
  }
}

TEST(shell, lies_on_a_sphere_and_all_around_it) {
  for (const int dimension : {2, 3}) {
    constexpr std::size_t count = 20'000;
    const samples::set bodies = samples::shell(dimension, count, 2, 0.5, 0.5, 1);
    expect_whole(bodies, dimension, count);
    const double radius = dimension == 2 ? 2.0 * count / 6.283185307179586 : 2 * std::sqrt(count / 12.566370614359172);
    std::array<double, 3> sum{};
    for (std::size_t i = 0; i < count; ++i) {
      double square = 0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
        square += bodies.column[k][i] * bodies.column[k][i];
        sum[k] += bodies.column[k][i];
      }
      ASSERT_NEAR(std::sqrt(square), radius, 0.5 + 1e-9);
    }
    for (const double s : sum) EXPECT_LT(std::abs(s) / count, 0.03 * radius);
  }
}

// ---- exactly touching lattices

constexpr std::size_t cube(std::size_t n) { return n * n * n; }

void expect_exact(const samples::set& bodies, std::size_t contacts, double d) {
  EXPECT_EQ(count_pairs(bodies), contacts);
  EXPECT_EQ(count_pairs(bodies, 0.2 * d), contacts) << "others are near, or contacts were missed";
}

TEST(touching_lattice, cubic_contacts_are_all_there) {
  for (const double d : {1.0, 0.1, 1e-20, 12345.678}) {
    for (const bool single : {false, true}) {
      expect_exact(samples::touching_lattice(arrangement::cubic, 3, cube(12), d, 1, true, single), 3 * 144 * 11, d);
      expect_exact(samples::touching_lattice(arrangement::cubic, 2, 900, d, 1, true, single), 2 * 30 * 29, d);
    }
  }
}

TEST(touching_lattice, hexagonal_contacts_are_all_there) {
  for (const double d : {1.0, 0.1, 1e-20, 12345.678}) {
    for (const bool single : {false, true}) {
      for (const std::size_t n : {2U, 11U, 24U}) {
        // A line has n - 1 contacts; two lines, shifted, 2n - 1. Two layers have 3 for each body, less those beyond the
        // rim: (n lines of 2n - 1 within shifted lines) and (n - 1 lines of n straight below).
        const std::size_t layer = n * (n - 1) + (n - 1) * (2 * n - 1);
        const std::size_t between = n * (2 * n - 1) + (n - 1) * n;
        expect_exact(samples::touching_lattice(arrangement::hexagonal, 2, n * n, d, 1, true, single), layer, d);
        expect_exact(samples::touching_lattice(arrangement::hexagonal, 3, cube(n), d, 1, true, single),
                     n * layer + (n - 1) * between, d);
      }
    }
  }
}

TEST(touching_lattice, touches_to_the_bit) {
  for (const arrangement how : {arrangement::cubic, arrangement::hexagonal}) {
    samples::set bodies = samples::touching_lattice(how, 3, cube(10), 0.3, 1);
    EXPECT_NEAR(bodies.column[3][0], 0.15, 1e-12);
    const std::size_t before = count_pairs(bodies);
    for (double& r : bodies.column[3]) r = std::nextafter(r, 0);
    const std::size_t along_x = 10 * 10 * 9;
    EXPECT_EQ(count_pairs(bodies), how == arrangement::cubic ? 0 : before - along_x);
    // The others overlap only minimally.
    for (double& r : bodies.column[3]) r *= 1 - 1e-12;
    EXPECT_EQ(count_pairs(bodies), 0U);
  }
}

TEST(touching_lattice, is_the_closest_packing) {
  const samples::set bodies = samples::touching_lattice(arrangement::hexagonal, 3, cube(20), 1, 1);
  std::vector<int> contacts(bodies.size());
  for (const abut::pair p : [&] {
         abut::search search;
         search.update(bodies.view());
         return search.pairs();
       }()) {
    ++contacts[p.i];
    ++contacts[p.j];
  }
  EXPECT_EQ(*std::max_element(contacts.begin(), contacts.end()), 12);
  EXPECT_EQ(static_cast<std::size_t>(std::count(contacts.begin(), contacts.end(), 12)), cube(18));
}

TEST(touching_lattice, in_order_runs_along_x_first) {
  const samples::set bodies = samples::touching_lattice(arrangement::hexagonal, 2, 4, 1, 1, false);
  EXPECT_EQ(bodies.column[0], (std::vector<double>{0, 1, 0.5, 1.5}));
  EXPECT_NEAR(bodies.column[1][2], std::sqrt(0.75), 1e-12);
}

// ---- the same bits everywhere

TEST(generate, the_same_bits_on_every_machine) {
  const std::map<std::string, std::pair<samples::set, std::uint64_t>> all = {
      {"equal", {samples::packing({.count = 3000}).bodies, 0x4bfdfdabf1d981c7U}},
      {"full", {samples::packing({.count = 3000, .fraction = 0.35}).bodies, 0x46a3337367f8d5c4U}},
      {"discs", {samples::packing({.dimension = 2, .count = 3000, .fraction = 0.5}).bodies, 0xd89d1feabeb27799U}},
      {"inverse cube",
       {samples::packing({.count = 3000, .sizes = size_law::inverse_cube, .ratio = 10, .fraction = 0.4}).bodies,
        0xbabf6870b57c5809U}},
      {"by mass",
       {samples::packing({.count = 3000, .sizes = size_law::by_mass, .ratio = 8, .fraction = 0.3}).bodies,
        0x33202d8044821fc2U}},
      {"single", {samples::packing({.count = 3000, .single = true}).bodies, 0x7a72ae7d20000000U}},
      {"sheet", {samples::sheet(1000, 1, 0.1, 0.5, 1), 0x7dbd1bdfc4663319U}},
      {"line", {samples::line(3, 1000, {1, 2, 3}, 1, 0.1, 0.5, 1), 0xcf7f74b037e9028bU}},
      {"shell", {samples::shell(3, 1000, 1, 0.1, 0.5, 1), 0xa10df6559fb1f8e3U}},
      {"circle", {samples::shell(2, 1000, 1, 0, 0.5, 1), 0x2b32ce57c7ea2aa0U}},
      {"cubic", {samples::touching_lattice(arrangement::cubic, 3, 1000, 0.1, 1), 0x61b95990e2ddca40U}},
      {"hexagonal", {samples::touching_lattice(arrangement::hexagonal, 3, 1000, 0.1, 1), 0xf8fb3589e1d096b0U}},
  };
  for (const auto& [name, made] : all) {
    EXPECT_EQ(hash_of(made.first), made.second) << name << " has changed: 0x" << std::hex << hash_of(made.first);
  }
}

TEST(generate, the_seed_decides) {
  EXPECT_EQ(hash_of(samples::packing({.count = 500}).bodies), hash_of(samples::packing({.count = 500}).bodies));
  EXPECT_NE(hash_of(samples::packing({.count = 500}).bodies),
            hash_of(samples::packing({.count = 500, .seed = 2}).bodies));
  EXPECT_NE(hash_of(samples::shell(3, 50, 1, 0, 1, 1)), hash_of(samples::shell(3, 50, 1, 0, 1, 2)));
}

}  // namespace
}  // namespace generate_test
