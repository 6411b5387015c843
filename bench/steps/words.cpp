#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "screen/words.hpp"
#include "steps.hpp"

namespace abut::cli {
namespace {

/// What counts as the same state at the end.
constexpr double most_contacts_apart = 0.001;
constexpr double contacts_that_never_matter = 3;  // among few bodies
constexpr double most_kinetic_apart = 0.001;

double relative(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b)); }

/// Nanoseconds, with three digits.
std::string nanoseconds(double seconds) { return three_digits(seconds * 1e9); }

std::string choice_in_words(const neighbor_choice& choice) {
  if (choice.classes == 0) return fmt::format("skin {}", choice.skin);
  return fmt::format("{} classes of sizes, skin {}", choice.classes, choice.skin);
}

/// Where the time went and what it took, as far as the program says.
std::string run_in_words(const step_run& run, std::size_t bodies) {
  std::string text;
  const auto percent = [&](double part) { return fmt::format("{:.0f} %", 100 * part / run.seconds); };
  if (run.split) {
    text += fmt::format("forces {}, search {}, motion {}; ", percent(run.split->forces), percent(run.split->search),
                        percent(run.split->motion));
  }
  if (run.rebuilds) text += counted(*run.rebuilds, "rebuild") + "; ";
  return text + fmt::format("{:.0f} bytes per body", run.bytes / static_cast<double>(bodies));
}

std::string other_in_words(const step_result& r, const other_result& other) {
  const std::string label = fmt::format("      {:<9} ", other.name + ":");
  if (!other.failure.empty()) return label + other.failure + "\n";
  std::string text =
      fmt::format("{}{} ({:.3f}); {}; {}\n", label, nanoseconds(r.time_of(other)), r.our_time() / r.time_of(other),
                  choice_in_words(other.best), run_in_words(other.run, r.what.bodies()));
  return text + fmt::format(
                    "                after {} steps, contacts {} and {} ({:.4f} % apart), kinetic energy {:.6g} and "
                    "{:.6g} ({:.4f} % apart)\n",
                    with_commas(r.what.warm_up + other.steps), with_commas(other.run.end.contacts),
                    with_commas(other.ours.contacts), 100 * other.contacts_apart(), other.run.end.kinetic,
                    other.ours.kinetic, 100 * other.kinetic_apart());
}

double per_step(double seconds, std::uint64_t steps, std::size_t bodies) {
  return seconds / static_cast<double>(steps) / static_cast<double>(bodies);
}

/// The end of a line of data: the run, and the state of abut's to compare with, if there are any.
std::string run_columns(const step_result& r, const step_run* run, const step_state* comparable) {
  const auto bodies = static_cast<double>(r.what.bodies());
  std::string line;
  const auto add = [&](bool known, double value) { line += known ? fmt::format(",{:.5g}", value) : ","; };
  const bool split = run != nullptr && run->split.has_value();
  const step_split parts = split ? *run->split : step_split{};
  for (const double part : {parts.forces, parts.search, parts.motion}) add(split, split ? part / run->seconds : 0);
  const bool rebuilds = run != nullptr && run->rebuilds.has_value();
  add(rebuilds, rebuilds ? static_cast<double>(*run->rebuilds) : 0);
  add(run != nullptr, run != nullptr ? run->bytes / bodies : 0);
  const auto add_state = [&](const step_state* s) {
    line += s != nullptr ? fmt::format(",{},{:.10g}", s->contacts, s->kinetic) : ",,";
  };
  add_state(run != nullptr ? &run->end : nullptr);
  add_state(comparable);
  return line;
}

}  // namespace

double other_result::contacts_apart() const {
  return relative(static_cast<double>(ours.contacts), static_cast<double>(run.end.contacts));
}
double other_result::kinetic_apart() const { return relative(ours.kinetic, run.end.kinetic); }
bool other_result::agrees() const {
  const auto a = static_cast<double>(ours.contacts), b = static_cast<double>(run.end.contacts);
  return std::abs(a - b) <= std::max(most_contacts_apart * b, contacts_that_never_matter) &&
         kinetic_apart() <= most_kinetic_apart;
}

double step_result::our_time() const {
  return per_step(ours.start + ours.seconds, what.warm_up + what.steps, what.bodies());
}
double step_result::our_time_as_lammps() const {
  return per_step(as_lammps.start + as_lammps.seconds, what.warm_up + what.steps, what.bodies());
}
double step_result::our_steps_alone() const { return per_step(ours.seconds, what.warm_up + what.steps, what.bodies()); }
double step_result::time_of(const other_result& other) const {
  return per_step(other.run.seconds, other.steps, what.bodies());
}

std::string steps_heading() {
  return fmt::format("{:<5} {:>10}  {:>7}  {:<8} {:>7}  {:>6}  {:>6}  {:>11}\n", "case", "bodies", "threads", "vectors",
                     "LAMMPS", "abut", "ratio", "steps alone");
}

std::string in_words(const step_result& r) {
  const auto first = std::find_if(r.others.begin(), r.others.end(),
                                  [](const other_result& o) { return o.key == "lammps" && o.failure.empty(); });
  const bool beside = first != r.others.end();
  const auto ratio = [&](double time) { return beside ? fmt::format("{:.3f}", time / r.time_of(*first)) : "-"; };
  std::string text =
      fmt::format("{:<5} {:>10}  {:>7}  {:<8} {:>7}  {:>6}  {:>6}  {:>11}\n", r.what.name, with_commas(r.what.bodies()),
                  r.threads, name_of(r.instructions), beside ? nanoseconds(r.time_of(*first)) : "-",
                  nanoseconds(r.our_time()), ratio(r.our_time()), ratio(r.our_steps_alone()));
  for (const other_result& other : r.others) text += other_in_words(r, other);
  const auto ours = [&](const char* label, const step_run& run, const std::string& time) {
    text += fmt::format("      {:<9} {}{}\n                after {} steps, {} contacts, kinetic energy {:.6g}\n", label,
                        time, run_in_words(run, r.what.bodies()), with_commas(r.what.warm_up + r.what.steps),
                        with_commas(run.end.contacts), run.end.kinetic);
  };
  ours("abut:", r.ours, "");
  ours("the same, velocities in mid-step as in LAMMPS:", r.as_lammps,
       fmt::format("{} ({}); ", nanoseconds(r.our_time_as_lammps()), ratio(r.our_time_as_lammps())));
  return text;
}

std::string step_columns() {
  return "case,bodies,threads,warm_up,steps,program,instructions,timed_steps,ns,start_ns,skin,classes,forces,search,"
         "motion,rebuilds,bytes,contacts,kinetic,comparable_contacts,comparable_kinetic,failure\n";
}

std::string line_start(const step_case& what, int threads) {
  return fmt::format("{},{},{},{},{},", what.name, what.bodies(), threads, what.warm_up, what.steps);
}

std::vector<std::string> our_lines(const step_result& r) {
  const std::uint64_t steps = r.what.warm_up + r.what.steps;
  const auto line = [&](const char* program, const step_run& run, double time) {
    return fmt::format("{}{},{},{},{:.5g},{:.5g},,{},\n", line_start(r.what, r.threads), program,
                       name_of(r.instructions), steps, time * 1e9, 1e9 * per_step(run.start, steps, r.what.bodies()),
                       run_columns(r, &run, nullptr));
  };
  return {line("abut", r.ours, r.our_time()), line("abut_as_lammps", r.as_lammps, r.our_time_as_lammps())};
}

std::vector<std::string> other_lines(const step_result& r) {
  std::vector<std::string> lines;
  for (const other_result& other : r.others) {
    std::string& line = lines.emplace_back(fmt::format("{}{},,", line_start(r.what, r.threads), other.key));
    if (!other.failure.empty()) {
      std::string why = other.failure;
      std::replace(why.begin(), why.end(), ',', ';');
      line += fmt::format(",,,,{},{}\n", run_columns(r, nullptr, nullptr), why);
      continue;
    }
    line += fmt::format("{},{:.5g},,{:.5g},{}{},\n", other.steps, r.time_of(other) * 1e9, other.best.skin,
                        other.best.classes, run_columns(r, &other.run, &other.ours));
  }
  return lines;
}

}  // namespace abut::cli
