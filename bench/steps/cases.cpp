#include <algorithm>
#include <cmath>

#include "steps.hpp"

namespace abut::cli {
namespace {

step_packing dense_packing(std::size_t count) {
  return {.name = "dense", .count = count, .sizes = samples::size_law::equal, .ratio = 1, .fraction = 0.64};
}

constexpr std::size_t dense_count = 46UL * 46 * 46;
constexpr long fewest_sites = 4;  // along an axis, so that no body touches itself across the period
constexpr step_law dense_law{.stiffness = 1e5, .damping = 40, .tangential_damping = 0, .friction = 0};
constexpr step_law rubbing_law{.stiffness = 1e5, .damping = 40, .tangential_damping = 20, .friction = 0.5};
constexpr step_law soft_law{.stiffness = 100, .damping = 5, .tangential_damping = 0, .friction = 0};

std::vector<step_case> make_step_cases() {
  const step_packing wide{
      .name = "ratio-10", .count = 100'000, .sizes = samples::size_law::uniform, .ratio = 10, .fraction = 0.4};
  const step_packing wider{
      .name = "ratio-50", .count = 125'001, .sizes = samples::size_law::inverse_cube, .ratio = 50, .fraction = 0.4};
  std::vector<step_case> all;
  all.push_back({.name = "A",
                 .packing = dense_packing(dense_count),
                 .law = dense_law,
                 .time_step = 2e-4,
                 .speed = 0.2,
                 .steps = 500,
                 .choices = {{0.03, 0}, {0.06, 0}, {0.1, 0}}});
  all.push_back({.name = "B",
                 .packing = dense_packing(dense_count),
                 .law = rubbing_law,
                 .time_step = 2e-4,
                 .speed = 0.2,
                 .steps = 500,
                 .choices = {{0.03, 0}, {0.06, 0}, {0.1, 0}}});
  all.push_back({.name = "C",
                 .packing = dense_packing(dense_count),
                 .law = dense_law,
                 .time_step = 2e-4,
                 .speed = 2,
                 .steps = 500,
                 .choices = {{0.06, 0}, {0.1, 0}, {0.2, 0}}});
  all.push_back({.name = "D",
                 .packing = wide,
                 .law = soft_law,
                 .time_step = 2e-4,
                 .speed = 0.25,
                 .steps = 1000,
                 .choices = {{0.02, 0}, {0.05, 0}, {0.1, 0}, {0.02, 2}, {0.05, 2}, {0.1, 2}}});
  all.push_back({.name = "E",
                 .packing = wider,
                 .law = soft_law,
                 .time_step = 1.8e-5,
                 .speed = 0.5,
                 .steps = 1000,
                 .choices = {{0.02, 0}, {0.01, 4}, {0.015, 4}, {0.02, 4}, {0.03, 4}, {0.02, 3}}});
  return all;
}

}  // namespace

std::size_t step_case::bodies() const {
  std::size_t count = packing.count;
  for (const int k : copies) count *= static_cast<std::size_t>(k);
  return count;
}

const std::vector<step_case>& step_cases() {
  static const std::vector<step_case> all = make_step_cases();
  return all;
}

std::vector<step_case> growing_cases(std::size_t most) {
  // Few steps: after thousands, small packings have rearranged in other ways, and no states can be compared. Many
  // bodies take LAMMPS minutes, so its best skin is that of fewer bodies, and one run counts.
  struct size {
    int along;  // sites of the packing's lattice
    std::array<int, 3> copies;
    std::uint64_t warm_up, steps;
    std::vector<neighbor_choice> choices;
    int most_repeats;
  };
  const std::vector<neighbor_choice> some{{0.03, 0}, {0.06, 0}, {0.1, 0}}, two{{0.03, 0}, {0.06, 0}}, one{{0.03, 0}};
  const double smaller = std::cbrt(static_cast<double>(most) / static_cast<double>(most_grown));
  std::vector<step_case> all;
  for (const size& s : {size{10, {1, 1, 1}, 50, 500, some, 9}, size{21, {1, 1, 1}, 50, 500, some, 9},
                        size{46, {1, 1, 1}, 50, 300, some, 3}, size{46, {2, 2, 2}, 50, 150, two, 2},
                        size{46, {4, 5, 5}, 20, 40, one, 1}}) {
    step_case c = step_cases().front();
    c.name = "grow";
    const auto along = static_cast<std::size_t>(std::max(fewest_sites, std::lround(smaller * s.along)));
    c.packing = dense_packing(along * along * along);
    c.copies = s.copies;
    c.warm_up = s.warm_up;
    c.steps = s.steps;
    c.choices = s.choices;
    c.most_repeats = s.most_repeats;
    if (all.empty() || all.back().bodies() < c.bodies()) all.push_back(c);
  }
  return all;
}

step_case resized(step_case from, std::size_t bodies) {
  from.packing.count = bodies;
  if (from.packing.equal()) {
    const auto n = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(bodies))));
    from.packing.count = n * n * n;
  }
  return from;
}

}  // namespace abut::cli
