#include <algorithm>

#include <fmt/format.h>

#include "programs.hpp"

// YADE: https://yade-dem.org/doc
// Each sphere has a material of its own: pairs get k1 k2 / (k1 + k2) from those of two, and the same for damping, so a
// stiffness of 2 k and a damping times the mass give k and the damping times the reduced mass. Two things differ from
// LAMMPS: dashpots never pull, and friction limits the spring alone, with no dashpot while a contact slides.

namespace abut::cli {
namespace {

/// What the script is told, and what it does. YADE's velocities are those of mid-steps. So the first are moved back by
/// half a step, and the energy at the end is that of velocities half a step on; a step of no time gives the forces.
constexpr const char* yade_script = R"(
import math
import resource
import time

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def spheres(path):
    side, at, motion, section = 0.0, {}, {}, ""
    with open(path) as file:
        for line in file:
            words = line.split()
            if line.startswith(("Atoms", "Velocities")):
                section = words[0]
            elif line.endswith("xlo xhi\n"):
                side = float(words[1])
            elif words and section == "Atoms":
                at[int(words[0])] = (float(words[2]) / 2, [float(w) for w in words[4:7]])
            elif words and section:
                motion[int(words[0])] = [float(w) for w in words[1:4]]
    return side, [(*at[k], motion[k]) for k in sorted(at)]

side, all_spheres = spheres(data)
before = resident()
O.periodic = True
O.cell.setBox(*(side * n for n in copies))
for z in range(copies[2]):
    for y in range(copies[1]):
        for x in range(copies[0]):
            for radius, at, velocity in all_spheres:
                mass = 4 / 3 * math.pi * radius ** 3
                stuff = ViscElMat(density=1, kn=2 * stiffness, ks=2 * tangential_stiffness, cn=damping * mass,
                                  cs=tangential_damping * mass, frictionAngle=math.atan(friction))
                place = [p + side * n for p, n in zip(at, (x, y, z))]
                one = utils.sphere(place, radius, material=stuff)
                one.state.vel = velocity
                O.bodies.append(one)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=skin),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
                    [Law2_ScGeom_ViscElPhys_Basic()]),
    NewtonIntegrator(damping=0),
]

def half_a_step(sign):
    O.dt = 0
    O.step()
    for b in O.bodies:
        b.state.vel += sign * time_step / 2 / b.state.mass * O.forces.f(b.id)
        b.state.angVel += sign * time_step / 2 / b.state.inertia[0] * O.forces.t(b.id)
    O.dt = time_step

half_a_step(-1)
O.run(warm_up, True)
start = time.perf_counter()
O.run(steps, True)
print("timed: %.9g s" % (time.perf_counter() - start))
print("memory: %d bytes" % (resident() - before))
half_a_step(+1)
kinetic = sum(b.state.mass * b.state.vel.squaredNorm() + b.state.inertia[0] * b.state.angVel.squaredNorm()
              for b in O.bodies) / 2
contacts = sum(1 for i in O.interactions if i.isReal and i.geom.penetrationDepth > 0)
print("at the end: kinetic %.17g contacts %d" % (kinetic, contacts))
)";

std::string yade_input(const step_case& what, const neighbor_choice& choice, const std::string& data) {
  const step_law& law = what.law;
  const bool rubs = law.friction > 0;
  std::string text = fmt::format("data, skin = \"{}\", {}\n", data, choice.skin);
  text += fmt::format("copies = ({}, {}, {})\n", what.copies[0], what.copies[1], what.copies[2]);
  text += fmt::format("stiffness, damping, friction = {}, {}, {}\n", law.stiffness, law.damping, law.friction);
  text += fmt::format("tangential_stiffness, tangential_damping = {:.17g}, {}\n", rubs ? law.tangential_stiffness() : 0,
                      law.tangential_damping);
  text += fmt::format("time_step, warm_up, steps = {}, {}, {}\n", what.time_step, what.warm_up, what.steps);
  return text + yade_script;
}

step_run result_of_yade(const printed_text& printed, int) {
  step_run run;
  run.seconds = printed.number_after("timed:");
  run.bytes = printed.number_after("memory:");
  const std::size_t end = printed.last_place_of("at the end:");
  run.end.kinetic = printed.number_after("kinetic", end);
  run.end.contacts = static_cast<std::uint64_t>(printed.number_after("contacts", end));
  return run;
}

/// Distances by which boxes are larger than spheres, in parts of the smallest radius.
std::vector<neighbor_choice> yade_skins(const step_case& what) {
  std::vector<neighbor_choice> some;
  for (const double part : {0.05, 0.15, 0.5}) some.push_back({part * 0.5 / what.packing.ratio, 0});
  return some;
}

}  // namespace

const other_program& yade() {
  static const other_program program{
      .key = "yade",
      .name = "YADE",
      .executable = "yade",
      .package = "yade",
      .input_ending = ".py",
      .processes = false,
      .share = 5,
      .memory = 8000,
      .strict = [](const step_case&) { return false; },
      .choices = yade_skins,
      .input = yade_input,
      .arguments = [](const std::string& input, int threads) { return fmt::format("-n -x -j{} {}", threads, input); },
      .result = result_of_yade};
  return program;
}

}  // namespace abut::cli
