// Two thousand spheres are pressed together: how many pairs touch, step by step.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <abut/abut.hpp>

int main() {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> anywhere(0, 20);
  std::vector<double> x(2000), y(2000), z(2000), r(2000, 0.5);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = anywhere(random);
    y[i] = anywhere(random);
    z[i] = anywhere(random);
  }

  abut::search search;
  std::size_t touching = 0;
  for (int step = 0; step < 5; ++step) {
    search.update(abut::spheres(x, y, z, r));
    touching = 0;
    search.for_each_pair([&](abut::row, abut::row) { ++touching; });
    std::printf("step %d: %zu pairs touch\n", step, touching);
    for (double& height : z) height *= 0.8;  // move as you like
  }
  std::printf("plan: %s (abut %s)\n", search.planned().text().c_str(), ABUT_VERSION);
  return touching > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
