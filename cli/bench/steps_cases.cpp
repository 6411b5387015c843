#include <cmath>

#include "bench/steps.hpp"

namespace abut::cli {
namespace {

step_packing dense_packing(std::size_t count) {
  return {.name = "dense", .count = count, .sizes = samples::size_law::equal, .ratio = 1, .fraction = 0.64};
}

constexpr std::size_t dense_count = 46UL * 46 * 46;
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
                 .summary = "equal spheres, dense",
                 .packing = dense_packing(dense_count),
                 .law = dense_law,
                 .time_step = 2e-4,
                 .speed = 0.2,
                 .steps = 500,
                 .choices = {{0.03, 0}, {0.06, 0}, {0.1, 0}}});
  all.push_back({.name = "B",
                 .summary = "A with friction",
                 .packing = dense_packing(dense_count),
                 .law = rubbing_law,
                 .time_step = 2e-4,
                 .speed = 0.2,
                 .steps = 500,
                 .choices = {{0.03, 0}, {0.06, 0}, {0.1, 0}}});
  all.push_back({.name = "C",
                 .summary = "A ten times as fast",
                 .packing = dense_packing(dense_count),
                 .law = dense_law,
                 .time_step = 2e-4,
                 .speed = 2,
                 .steps = 500,
                 .choices = {{0.06, 0}, {0.1, 0}, {0.2, 0}}});
  all.push_back({.name = "D",
                 .summary = "size ratio 10",
                 .packing = wide,
                 .law = soft_law,
                 .time_step = 2e-4,
                 .speed = 0.25,
                 .steps = 1000,
                 .choices = {{0.02, 0}, {0.05, 0}, {0.1, 0}, {0.02, 2}, {0.05, 2}, {0.1, 2}}});
  all.push_back({.name = "E",
                 .summary = "size ratio 50",
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

std::vector<step_case> growing_cases() {
  // Few steps: after thousands, small packings have rearranged in other ways, and no states can be compared.
  struct size {
    std::size_t along;  // sites of the packing's lattice
    std::array<int, 3> copies;
    std::uint64_t warm_up, steps;
  };
  std::vector<step_case> all;
  for (const size& s : {size{10, {1, 1, 1}, 50, 500}, size{21, {1, 1, 1}, 50, 500}, size{46, {1, 1, 1}, 50, 500},
                        size{46, {2, 2, 2}, 50, 100}, size{46, {4, 5, 5}, 5, 15}}) {
    step_case c = step_cases().front();
    c.name = "grow";
    c.packing = dense_packing(s.along * s.along * s.along);
    c.copies = s.copies;
    c.warm_up = s.warm_up;
    c.steps = s.steps;
    all.push_back(c);
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
