// Walls: what pairs between a million spheres and 100,000 boxes, as those of a mesh's triangles, cost beside the
// spheres alone. All calls run in turns in one process; shown are medians, in ms, and their ratio to update and find.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "figures.hpp"

namespace {

using namespace figures;

// The boxes of the triangles of a cylinder's shell, as a mesher writes them: ring by ring, two triangles to a square.
samples::set shell(std::size_t count, double radius, double height, const std::array<double, 3>& middle) {
  samples::set boxes{.kind = shape::box, .dimension = 3};
  const double girth = 2 * std::numbers::pi * radius;
  const double edge = std::sqrt(girth * height * 2 / static_cast<double>(count));
  const auto around = static_cast<std::size_t>(girth / edge);
  const auto corner = [&](std::size_t ring, std::size_t at) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(at) / static_cast<double>(around);
    return std::array<double, 3>{middle[0] + radius * std::cos(angle), middle[1] + radius * std::sin(angle),
                                 middle[2] - height / 2 + edge * static_cast<double>(ring)};
  };
  for (std::size_t ring = 0; boxes.size() < count; ++ring) {
    for (std::size_t at = 0; at < around && boxes.size() < count; ++at) {
      const std::array<std::array<double, 3>, 4> c{corner(ring, at), corner(ring, at + 1), corner(ring + 1, at + 1),
                                                   corner(ring + 1, at)};
      for (const std::array<int, 3>& three : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
        std::array<double, 3> min = c[static_cast<std::size_t>(three[0])];
        std::array<double, 3> max = min;
        for (const int t : three) {
          for (std::size_t k = 0; k < 3; ++k) {
            min[k] = std::min(min[k], c[static_cast<std::size_t>(t)][k]);
            max[k] = std::max(max[k], c[static_cast<std::size_t>(t)][k]);
          }
        }
        boxes.add_box(min, max);
      }
    }
  }
  return boxes;
}

// The time that f takes, in ms: processor time on one thread.
template <class F>
double timed(int threads, F&& f) {
  const double from = now(threads);
  f();
  return 1000 * (now(threads) - from);
}

void measure(const samples::set& start, const samples::set& boxes, int threads, int steps) {
  samples::set bodies = start;
  samples::random rng(3);
  search what(plan("grid"), {.threads = threads});
  std::vector<double> update, find, check, kept, batches, pairs;
  std::atomic<std::uint64_t> found{0};
  std::uint64_t sum = 0;
  const auto take = [&](std::size_t, std::span<const pair> batch) {
    std::uint64_t rows = 0;
    for (const pair p : batch) rows += p.i;
    found += batch.size() + (rows == 1 ? 1 : 0);
  };
  for (int step = 0; step <= steps; ++step) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (double& x : bodies.column[k]) x += rng.uniform(-0.005, 0.005);
    }
    std::optional<other_set> walls;
    const double updated = timed(threads, [&] { what.update(bodies.view()); });
    const double searched = timed(threads, [&] { what.for_each_batch(take); });
    const double checked = timed(threads, [&] { walls.emplace(boxes.view()); });
    found = 0;
    const double batched = timed(threads, [&] { what.for_each_batch_between(*walls, take); });
    const double unkept = timed(threads, [&] { what.for_each_batch_between(boxes.view(), take); });
    const double paired = timed(threads, [&] { what.for_each_pair_between(*walls, [&](row i, row) { sum += i; }); });
    if (step == 0) continue;  // the first update is slower
    update.push_back(updated);
    find.push_back(searched);
    check.push_back(checked);
    batches.push_back(batched);
    kept.push_back(unkept);
    pairs.push_back(paired);
  }
  const double alone = median(update) + median(find);
  const auto line = [&](const char* name, double ms) {
    fmt::print("  {:<38}{:8.2f} ms {:8.2f}\n", name, ms, ms / alone);
  };
  fmt::print("\n{} spheres, {} boxes, {} thread{}; {} pairs between them ({})\n", bodies.size(), boxes.size(), threads,
             threads == 1 ? "" : "s", what.stats().pairs, sum > 0 ? "counted" : "none");
  line("update", median(update));
  line("for_each_batch", median(find));
  line("other_set: checked once", median(check));
  line("for_each_batch_between, kept", median(batches));
  line("for_each_batch_between, checked anew", median(kept));
  line("for_each_pair_between, kept", median(pairs));
  line("update, find and kept walls", alone + median(batches));
}

}  // namespace

namespace figures {

void walls() {
  const samples::set bodies = samples::lattice(shape::sphere, 3, 1'000'000, 1, 0.1, 0.525, 1);
  const samples::set boxes = shell(100'000, 45, 96, {50, 50, 50});
  for (const int threads : {1, 2}) measure(bodies, boxes, threads, asked().repeats(15));
}

}  // namespace figures
