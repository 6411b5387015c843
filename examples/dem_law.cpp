// A contact law and a wall of your own, each a function of a few lines: sticky balls fall into a round bowl.

#include <cmath>
#include <cstdio>
#include <vector>

#include <abut/dem/dem.hpp>

namespace dem = abut::dem;

int main() {
  dem::settings s;
  s.gravity = {0, 0, -9.81};
  const unsigned clay = s.materials.add({.name = "clay", .density = 1000});

  // A spring and a dashpot that never pull, and a force like a thin liquid film's up to a gap of 1 mm.
  const double stiffness = 1e4, viscosity = 5, pull = 0.05, film = 1e-3;
  s.contact_law = dem::make_law(
      [=](dem::contact& c) {
        const double approach = -dot(c.velocity, c.normal);
        const double push = c.overlap > 0 ? std::max(0.0, stiffness * c.overlap + viscosity * approach) : 0;
        c.force = c.normal * (push - pull);
        c.stiffness = stiffness;  // the time step follows from these
        c.viscosity = viscosity;
        c.energy = c.overlap > 0 ? 0.5 * stiffness * c.overlap * c.overlap : 0;
      },
      {.memory = 0, .reach = film});

  // The inside of a sphere around the origin.
  const double bowl = 0.2;
  dem::wall w;
  w.material = clay;
  w.surface = [=](const dem::vec& center) {
    const double from_origin = length(center);
    const dem::vec inward = from_origin > 0 ? center * (-1 / from_origin) : dem::vec{0, 0, 1};
    return dem::wall_point{bowl - from_origin, inward};
  };
  s.walls = {w};

  std::vector<dem::body> balls;
  for (int k = 0; k < 27; ++k) {
    const int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
    const dem::vec at{0.045 * x + 0.001 * k, 0.045 * y, 0.045 * z};
    balls.push_back({.position = at, .radius = 0.02, .material = clay});
  }

  dem::simulation run(s, balls);
  while (run.time() < 1) run.run(100);

  const dem::measures m = run.measure();
  std::printf("%zu contacts after %.2f s, the largest overlap is %.2g mm, %.2g J of motion is left\n", m.contacts,
              run.time(), 1e3 * m.overlap, m.kinetic);
  for (const dem::vec& at : run.bodies().position) {
    if (!(length(at) < bowl - 0.02 + 1e-3)) return 1;  // all are in the bowl
  }
  return m.contacts >= 27 && m.kinetic < 1e-2 ? 0 : 1;
}
