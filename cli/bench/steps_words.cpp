#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/steps.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// What counts as the same state at the end.
constexpr double most_contacts_apart = 0.001;
constexpr double contacts_that_never_matter = 3;  // among few bodies
constexpr double most_kinetic_apart = 0.003;

double relative(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b)); }

/// Nanoseconds, with three digits.
std::string nanoseconds(double seconds) { return three_digits(seconds * 1e9); }

std::string percent(double part, double whole) { return fmt::format("{:.0f} %", 100 * part / whole); }

std::string choice_in_words(const neighbor_choice& choice) {
  if (choice.classes == 0) return fmt::format("bins, skin {}", choice.skin);
  return fmt::format("multi with {} classes of sizes, skin {}", choice.classes, choice.skin);
}

std::string split_in_words(const step_run& run) {
  return fmt::format("forces {}, search {}, motion {}; {}", percent(run.forces, run.seconds),
                     percent(run.search, run.seconds), percent(run.integrate, run.seconds),
                     counted(run.rebuilds, "rebuild"));
}

double per_step(double seconds, std::uint64_t steps, std::size_t bodies) {
  return seconds / static_cast<double>(steps) / static_cast<double>(bodies);
}

}  // namespace

double step_result::our_time() const {
  return per_step(ours.start + ours.seconds, what.warm_up + what.steps, what.bodies());
}
double step_result::our_steps_alone() const { return per_step(ours.seconds, what.warm_up + what.steps, what.bodies()); }
double step_result::their_time() const { return theirs ? per_step(theirs->seconds, what.steps, what.bodies()) : 0; }
double step_result::contacts_apart() const {
  return theirs ? relative(static_cast<double>(ours.contacts), static_cast<double>(theirs->contacts)) : 0;
}
double step_result::kinetic_apart() const { return theirs ? relative(ours.kinetic, theirs->kinetic) : 0; }
bool step_result::agrees() const {
  if (!theirs) return true;
  const auto a = static_cast<double>(ours.contacts), b = static_cast<double>(theirs->contacts);
  return std::abs(a - b) <= std::max(most_contacts_apart * b, contacts_that_never_matter) &&
         kinetic_apart() <= most_kinetic_apart;
}

std::string steps_heading() {
  return fmt::format("{:<5} {:>10}  {:>7}  {:<8} {:>7}  {:>6}  {:>6}  {:>11}\n", "case", "bodies", "threads", "vectors",
                     "LAMMPS", "abut", "ratio", "steps alone");
}

std::string in_words(const step_result& r) {
  const auto bodies = static_cast<double>(r.what.bodies());
  const auto ratio = [&](double time) { return r.theirs ? fmt::format("{:.3f}", time / r.their_time()) : "-"; };
  std::string text =
      fmt::format("{:<5} {:>10}  {:>7}  {:<8} {:>7}  {:>6}  {:>6}  {:>11}\n", r.what.name, with_commas(r.what.bodies()),
                  r.threads, name_of(r.instructions), r.theirs ? nanoseconds(r.their_time()) : "-",
                  nanoseconds(r.our_time()), ratio(r.our_time()), ratio(r.our_steps_alone()));
  if (r.theirs) {
    text += fmt::format("      LAMMPS: {}; {}; {:.0f} bytes per body\n", choice_in_words(r.best),
                        split_in_words(*r.theirs), r.theirs->bytes / bodies);
  }
  text += fmt::format("      abut:   {}; {:.0f} bytes per body\n", split_in_words(r.ours), r.ours.bytes / bodies);
  const std::string after = fmt::format("after {} steps", with_commas(r.what.warm_up + r.what.steps));
  if (!r.theirs) {
    return text + fmt::format("      {}: {} contacts, kinetic energy {:.6g}\n", after, with_commas(r.ours.contacts),
                              r.ours.kinetic);
  }
  return text + fmt::format(
                    "      {}: contacts {} and {} ({:.3f} % apart), kinetic energy {:.6g} and {:.6g} ({:.3f} % "
                    "apart)\n",
                    after, with_commas(r.theirs->contacts), with_commas(r.ours.contacts), 100 * r.contacts_apart(),
                    r.theirs->kinetic, r.ours.kinetic, 100 * r.kinetic_apart());
}

std::string step_columns() {
  return "case,bodies,threads,instructions,steps,lammps_ns,abut_ns,ratio,abut_steps_ns,steps_ratio,lammps_neighbors,"
         "lammps_skin,lammps_classes,lammps_forces,lammps_search,lammps_integrate,lammps_rebuilds,lammps_bytes,"
         "abut_forces,abut_search,abut_integrate,abut_rebuilds,abut_bytes,lammps_contacts,abut_contacts,lammps_kinetic,"
         "abut_kinetic\n";
}

std::string step_line(const step_result& r) {
  const auto bodies = static_cast<double>(r.what.bodies());
  std::string line =
      fmt::format("{},{},{},{},{}", r.what.name, r.what.bodies(), r.threads, name_of(r.instructions), r.what.steps);
  const auto add = [&](bool known, double value) { line += known ? fmt::format(",{:.5g}", value) : ","; };
  const auto add_parts = [&](bool known, const step_run& run) {
    for (const double part : {run.forces, run.search, run.integrate}) add(known, part / run.seconds);
    add(known, static_cast<double>(run.rebuilds));
    add(known, run.bytes / bodies);
  };
  const bool both = r.theirs.has_value();
  const step_run theirs = r.theirs.value_or(step_run{});
  add(both, r.their_time() * 1e9);
  add(true, r.our_time() * 1e9);
  add(both, r.our_time() / r.their_time());
  add(true, r.our_steps_alone() * 1e9);
  add(both, r.our_steps_alone() / r.their_time());
  line += both ? (r.best.classes == 0 ? ",bin" : ",multi") : ",";
  add(both, r.best.skin);
  add(both, r.best.classes);
  add_parts(both, theirs);
  add_parts(true, r.ours);
  line += both ? fmt::format(",{},{}", theirs.contacts, r.ours.contacts) : fmt::format(",,{}", r.ours.contacts);
  line +=
      both ? fmt::format(",{:.10g},{:.10g}", theirs.kinetic, r.ours.kinetic) : fmt::format(",,{:.10g}", r.ours.kinetic);
  return line + "\n";
}

}  // namespace abut::cli
