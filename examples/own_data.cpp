// Bodies that a program keeps in its own structs, some of them fixed, in a periodic channel on a floor of boxes.

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <abut/abut.hpp>

namespace {

struct grain {
  std::array<float, 3> position;
  float radius;
  std::array<float, 3> velocity;
  bool glued;
};

struct tile {
  double xmin, xmax, ymin, ymax, zmin, zmax;
};

}  // namespace

int main() {
  // Six grains along a channel from x = 0 to x = 6, a diameter apart: each touches the next, and the last the first.
  std::vector<grain> grains;
  for (int i = 0; i < 6; ++i) {
    const float along = 0.5F + static_cast<float>(i);
    grains.push_back({{along, 0, 0.5F}, 0.5F, {0, 0, 0}, i < 2});
  }
  const std::vector<tile> floor{{0, 3, -1, 1, -1, 0}, {3, 6, -1, 1, -1, 0}};

  try {
    abut::search search(abut::plan(), {.margin = 1e-6, .periodic = {abut::interval{0, 6}}, .threads = 2});

    // Read in place: any member, any stride, float or double. Two glued grains never pair.
    const abut::flags glued(&grains[0].glued, grains.size(), sizeof(grain));
    search.update(abut::spheres(grains, &grain::position, &grain::radius).fixed(glued));
    const std::vector<abut::pair> pairs = search.pairs();
    for (const auto [i, j] : pairs) std::printf("grain %u touches grain %u\n", i, j);

    // The same search against another set, of another shape.
    const abut::bodies tiles = abut::boxes(abut::column_of(floor, &tile::xmin), abut::column_of(floor, &tile::xmax),
                                           abut::column_of(floor, &tile::ymin), abut::column_of(floor, &tile::ymax),
                                           abut::column_of(floor, &tile::zmin), abut::column_of(floor, &tile::zmax));
    int resting = 0;
    search.for_each_pair_between(tiles, [&](abut::row i, abut::row wall) {
      std::printf("grain %u rests on tile %u\n", i, wall);
      ++resting;
    });
    return pairs.size() == 5 && resting >= 6 ? 0 : 1;
  } catch (const abut::error& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
