// Clumps: rigid bodies that are made of overlapping spheres, and a plate that only some of them touch. The spheres of a
// clump have one group, so they never pair; masks say who meets the plate.

#include <array>
#include <cstdint>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

#include <abut/abut.hpp>

namespace {

enum : std::uint32_t { stone = 1, dust = 2, plate = 4 };

struct part {
  std::array<double, 3> center;
  std::uint32_t is, touches;
  int clump;
};

}  // namespace

int main() {
  // Dumbbells in a row, 1.5 apart: two spheres of radius 0.5 at a distance of 0.6. Every third is dust, which falls
  // through the plate.
  std::vector<part> parts;
  for (int clump = 0; clump < 30; ++clump) {
    const bool fine = clump % 3 == 0;
    for (const double at : {0.0, 0.6}) {
      parts.push_back(
          {{1.5 * clump + at, 0, 0}, fine ? dust : stone, fine ? stone | dust : stone | dust | plate, clump});
    }
  }
  const auto label = [&](const auto& first) { return abut::labels(&first, parts.size(), sizeof(part)); };

  abut::search search;
  search.update(abut::spheres(parts, &part::center, 0.5)
                    .group(label(parts[0].clump))
                    .mask(label(parts[0].is), label(parts[0].touches)));
  std::set<std::pair<int, int>> neighbors;
  search.for_each_pair([&](abut::row i, abut::row j) { neighbors.insert({parts[i].clump, parts[j].clump}); });
  std::printf("%zu pairs of clumps touch\n", neighbors.size());
  for (const auto& [a, b] : neighbors) {
    if (a == b) return 1;  // a clump never touches itself
  }

  const std::vector<double> top{-0.4};
  const std::vector<std::uint32_t> is{plate};
  const std::vector<std::uint32_t> touches{stone | dust};
  int on_plate = 0;
  search.for_each_pair_between(abut::boxes(-100.0, 100.0, -1.0, top, -100.0, 100.0).mask(is, touches),
                               [&](abut::row, abut::row) { ++on_plate; });
  std::printf("%d spheres lie on the plate\n", on_plate);
  return neighbors.size() == 29 && on_plate == 40 ? 0 : 1;
}
