// A second opinion: the same few spheres by LAMMPS and by abut::dem, whose positions after 1,000 steps must agree.
//
//   abut_dem_lammps LMP FOLDER
//
// LMP is the program of LAMMPS, FOLDER a place for its files. The laws are written here as LAMMPS defines them (its
// pages pair_style gran/hooke and gran/hertz/history), since they differ from ours in detail: damping per reduced mass,
// springs that are projected and not turned, forces at full radii, velocities of the half step.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

#include "grains.hpp"

namespace {

using namespace abut::dem;

struct granular {
  const char* style;  // what LAMMPS calls it
  double kn, kt, gamma_n, gamma_t, friction;
  bool history, hertz;
};

// Friction against `slipping`, the velocity across the normal.
vec friction_of(contact& c, const granular& g, const vec& slipping, double push, double scale) {
  const vec drag = slipping * (c.mass * g.gamma_t);
  const double most = g.friction * std::abs(push);
  if (!g.history) {
    const double speed = length(slipping);
    return speed > 0 ? slipping * (-std::min(most, length(drag)) / speed) : vec{};
  }
  vec spring = vec{c.memory[0], c.memory[1], c.memory[2]} + across(c.slip, c.normal);
  const double stretched = length(spring);
  spring = across(spring, c.normal);
  vec force = (spring * g.kt + drag) * -scale;
  const double size = length(force);
  if (size > most) {
    if (stretched != 0) {
      const vec per_kt = drag * (1 / g.kt);
      spring = (spring + per_kt) * (most / size) - per_kt;
      force = force * (most / size);
    } else {
      force = {};
    }
  }
  c.memory[0] = spring.x;
  c.memory[1] = spring.y;
  c.memory[2] = spring.z;
  return force;
}

std::shared_ptr<const law> law_of(const granular& g) {
  return make_law(
      [g](contact& c) {
        const double apart = dot(c.velocity, c.normal);
        const double scale = g.hertz ? std::sqrt(c.overlap * c.radius) : 1;
        const double push = scale * (g.kn * c.overlap - c.mass * g.gamma_n * apart);
        c.force = c.normal * push + friction_of(c, g, across(c.velocity, c.normal), push, scale);
        c.stiffness = g.kn * scale;
        c.viscosity = c.mass * g.gamma_n * scale;
      },
      {.memory = 3, .reach = 0, .turns = true, .at_surfaces = true});
}

constexpr double side = 6;
constexpr double dt = 1e-4;

// Ten spheres of three sizes, which collide in the middle of a box.
std::vector<body> spheres() {
  dem_support::random_numbers next(5);
  std::vector<body> all;
  for (int k = 0; k < 10; ++k) {
    body b;
    b.radius = 0.4 + 0.1 * (k % 3);
    b.position = vec{3.0, 3.0, 3.0} + vec{1.1 * (k % 3 - 1), 1.1 * (k / 3 % 3 - 1), 1.1 * (k / 9 - 0.5)} +
                 vec{next(), next(), next()} * 0.05;
    b.velocity = (vec{3, 3, 3} - b.position) * 8.0 + vec{next(), next(), next()};
    b.spin = vec{next(), next(), next()} * 10.0;
    all.push_back(b);
  }
  return all;
}

void write_data(const std::string& path, const std::vector<body>& all) {
  std::ofstream out(path);
  out.precision(17);
  out << "spheres\n\n" << all.size() << " atoms\n1 atom types\n";
  for (const char axis : {'x', 'y', 'z'}) out << "0 " << side << ' ' << axis << "lo " << axis << "hi\n";
  out << "\nAtoms # sphere\n\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const body& b = all[i];
    out << i + 1 << " 1 " << 2 * b.radius << " 1 " << b.position.x << ' ' << b.position.y << ' ' << b.position.z
        << '\n';
  }
  out << "\nVelocities\n\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const body& b = all[i];
    out << i + 1 << ' ' << b.velocity.x << ' ' << b.velocity.y << ' ' << b.velocity.z << ' ' << b.spin.x << ' '
        << b.spin.y << ' ' << b.spin.z << '\n';
  }
}

void write_input(const std::string& folder, const granular& g, std::uint64_t steps) {
  std::ofstream out(folder + "/in.spheres");
  out.precision(17);
  out << "units lj\natom_style sphere\nboundary p p p\nnewton off\ncomm_modify vel yes\n"
      << "read_data " << folder << "/spheres.data\n"
      << "pair_style " << g.style << ' ' << g.kn << ' ' << g.kt << ' ' << g.gamma_n << ' ' << g.gamma_t << ' '
      << g.friction << " 1\npair_coeff * *\nneighbor 0.3 bin\nneigh_modify delay 0\n"
      << "fix move all nve/sphere\ntimestep " << dt << "\n"
      << "dump last all custom " << steps << ' ' << folder << "/dump.spheres id xu yu zu omegax omegay omegaz\n"
      << "dump_modify last sort id format float %.17g\nrun " << steps << '\n';
}

struct placed {
  vec position, spin;
};

std::vector<placed> by_lammps(const std::string& program, const std::string& folder, const granular& g,
                              const std::vector<body>& all, std::uint64_t steps) {
  write_data(folder + "/spheres.data", all);
  write_input(folder, g, steps);
  const std::string command = "OMP_NUM_THREADS=1 '" + program + "' -in '" + folder +
                              "/in.spheres' -log none -screen '" + folder + "/screen.txt'";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("LAMMPS failed: see " + folder + "/screen.txt");
  std::ifstream in(folder + "/dump.spheres");
  std::vector<placed> last;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("ITEM: ATOMS", 0) != 0) continue;
    last.assign(all.size(), {});
    for (placed& p : last) {
      int id = 0;
      in >> id >> p.position.x >> p.position.y >> p.position.z >> p.spin.x >> p.spin.y >> p.spin.z;
    }
    if (!in) last.clear();
  }
  if (last.empty()) throw std::runtime_error("LAMMPS wrote no positions to " + folder + "/dump.spheres");
  return last;
}

// Whether all positions agree, in diameters of the smallest sphere.
bool agrees(const std::string& program, const std::string& folder, const granular& g) {
  const std::uint64_t steps = 1000;
  const std::vector<body> all = spheres();
  settings s;
  s.materials.add({});
  s.contact_law = law_of(g);
  s.time_step = dt;
  s.half_step_velocities = true;
  s.sort_every = 300;
  s.threads = 1;
  simulation run(s, all);
  std::size_t begun = 0;
  std::size_t before = 0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    run.run();
    const std::size_t now = run.measure().contacts;
    if (now > before) begun += now - before;
    before = now;
  }
  const std::vector<placed> theirs = by_lammps(program, folder, g, all, steps);
  double farthest = 0;
  double turned = 0;
  for (std::uint32_t id = 0; id < all.size(); ++id) {
    farthest = std::max(farthest, length(run.bodies().position[run.row_of(id)] - theirs[id].position) / 0.8);
    turned = std::max(turned, length(run.bodies().spin[run.row_of(id)] - theirs[id].spin));
  }
  std::printf("%s: %zu contacts began; positions differ by %.2g diameters, angular velocities by %.2g\n", g.style,
              begun, farthest, turned);
  return begun >= 5 && farthest < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: abut_dem_lammps LMP FOLDER\n";
    return 2;
  }
  if (std::string(argv[1]).empty()) {
    std::cout << "skipped: LAMMPS is not installed (in Debian: apt-get install lammps)\n";
    return 77;  // ctest's sign for skipped
  }
  try {
    bool all = true;
    for (const granular& g : {granular{"gran/hooke", 1e4, 0, 20, 10, 0.4, false, false},
                              granular{"gran/hooke/history", 1e4, 3e3, 20, 10, 0.4, true, false},
                              granular{"gran/hertz/history", 4e4, 1e4, 60, 30, 0.4, true, true}}) {
      all = agrees(argv[1], argv[2], g) && all;
    }
    return all ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
