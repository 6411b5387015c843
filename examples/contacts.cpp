// A pile of discs on a floor: contacts with memory, walls as a second set, and sums in a fixed order.

#include <cmath>
#include <cstdio>
#include <vector>

#include <abut/abut.hpp>

namespace {

struct grain {
  double center[2];
  double velocity[2];
  double radius;
};

struct age {
  int steps = 0;  // how long two grains have touched
};

constexpr double stiffness = 2000;
constexpr double damping = 2;
constexpr double gravity = 10;
constexpr double dt = 0.001;

// The force of a on b along x and y; none if they do not touch.
void push(const double* a, const double* b, double reach, double* force) {
  const double dx = b[0] - a[0];
  const double dy = b[1] - a[1];
  const double distance = std::sqrt(dx * dx + dy * dy);
  force[0] = force[1] = 0;
  if (distance >= reach || distance == 0) return;
  force[0] = stiffness * (reach - distance) * dx / distance;
  force[1] = stiffness * (reach - distance) * dy / distance;
}

}  // namespace

int main() {
  std::vector<grain> grains;
  grains.reserve(100);
  for (int layer = 0; layer < 10; ++layer) {
    for (int k = 0; k < 10; ++k) grains.push_back({{1.01 * k + 0.1 * layer, 0.6 + layer}, {0, 0}, 0.45});
  }

  abut::search search;
  abut::contacts<age> near;
  std::vector<std::array<double, 2>> force;
  int longest = 0;
  for (int step = 0; step < 2000; ++step) {
    near.follow(search, abut::spheres(grains, &grain::center, &grain::radius));

    force.resize(near.size());
    near.for_each([&](auto& c) {
      const grain& a = grains[c.i];
      const grain& b = grains[c.j];
      push(a.center, b.center, a.radius + b.radius, force[c.slot].data());
      const bool touches = force[c.slot][0] != 0 || force[c.slot][1] != 0;
      c.memory.steps = touches ? c.memory.steps + 1 : 0;
    });

    for (abut::row i = 0; i < grains.size(); ++i) {
      grain& g = grains[i];
      double sum[2] = {-damping * g.velocity[0], -gravity - damping * g.velocity[1]};
      for (const auto c : near.of(i)) {
        for (int k = 0; k < 2; ++k) sum[k] += c.first ? -force[c.slot][k] : force[c.slot][k];
      }
      sum[1] += g.center[1] < g.radius ? stiffness * (g.radius - g.center[1]) : 0;  // the floor
      for (int k = 0; k < 2; ++k) g.velocity[k] += sum[k] * dt;
    }
    for (grain& g : grains) {
      for (int k = 0; k < 2; ++k) g.center[k] += g.velocity[k] * dt;
    }
  }
  for (std::uint32_t slot = 0; slot < near.size(); ++slot) longest = std::max(longest, near.memory(slot).steps);

  std::printf("%zu near pairs, the oldest contact is %d steps old; %llu searches in 2000 steps\n", near.size(), longest,
              static_cast<unsigned long long>(near.stats().updates));
  return longest > 0 && near.stats().updates < 1000 ? 0 : 1;
}
