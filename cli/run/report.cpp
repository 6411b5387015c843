#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include "files/bodies_file.hpp"
#include "run/forecast.hpp"
#include "run/run.hpp"
#include "screen/stopwatch.hpp"
#include "screen/time_left.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr std::size_t check_steps = 200;
constexpr double check_seconds = 0.5;

std::string scene_in_words(const run_request& request) {
  const std::string& title = request.what.title;
  return title.empty() ? one_line(request.name) : fmt::format("{}: {}", one_line(request.name), one_line(title));
}

/// The largest memory that this process has used, in bytes.
double peak_memory() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

std::string materials_in_words(const scene& what) {
  std::vector<std::string> words;
  const dem::material_table& all = what.settings.materials;
  for (unsigned k = 0; k < all.size(); ++k) {
    words.push_back(
        fmt::format("{} (density {:.6g}{})", one_line(all[k].name), all[k].density,
                    std::isfinite(all[k].young) ? fmt::format(", Young's modulus {:.6g}", all[k].young) : ""));
  }
  return joined(words);
}

std::string step_in_words(const scene& what, double time_step) {
  if (what.settings.time_step) return fmt::format("{:.6g}, as the scene says", time_step);
  return fmt::format(
      "{:.4g}, from the contacts: a fiftieth of the shortest collision, at most a tenth of mass / viscosity",
      time_step);
}

/// Some of the space around the bodies.
std::string space_in_words(const scene& what) {
  std::vector<std::string> words;
  if (!what.settings.walls.empty()) words.push_back(counted(what.settings.walls.size(), "wall"));
  std::string repeated;
  for (std::size_t k = 0; k < 3; ++k) {
    if (what.settings.periodic[k]) repeated += fmt::format("{}{}", repeated.empty() ? "" : ", ", "xyz"[k]);
  }
  if (!repeated.empty())
    words.push_back("periodic in " + repeated + (what.settings.deform ? ", in a box that deforms" : ""));
  const dem::vec& g = what.settings.gravity;
  if (length(g) > 0) words.push_back(fmt::format("gravity {:.4g}", length(g)));
  if (!what.settings.drives.empty()) words.push_back(counted(what.settings.drives.size(), "drive"));
  return words.empty() ? "unbounded, no gravity" : joined(words);
}

/// "1.25e-05, 2,480 times less than at the start".
std::string change(double before, double after) {
  std::string words = fmt::format("{:.3g}", after);
  if (!(before > 0) || before == after) return words;
  if (after > 0 && before / after >= 10) {
    return fmt::format("{}, {} times less than at the start", words, rate_in_words(before / after));
  }
  return fmt::format("{} (at the start {:.3g})", words, before);
}

double sum_of(const dem::measures& m) { return m.kinetic + m.elastic + m.gravity + m.dissipated - m.work - m.brought; }

/// How well the energies add up, relative to the largest that was exchanged.
std::string balance(const run_result& result) {
  const dem::measures& a = result.first;
  const dem::measures& b = result.last;
  const double scale =
      std::max({std::abs(a.kinetic), std::abs(b.kinetic), std::abs(b.gravity - a.gravity), std::abs(b.dissipated),
                std::abs(b.work), std::abs(b.elastic - a.elastic), std::abs(b.brought - a.brought)});
  if (!(scale > 0)) return "";
  return fmt::format("the energies add up to within {:.2g} of what was exchanged",
                     std::abs(sum_of(b) - sum_of(a)) / scale);
}

double smallest_radius(const scene& what) {
  double least = std::numeric_limits<double>::infinity();
  for (const dem::body& b : what.bodies) least = std::min(least, b.radius);
  for (const dem::pour& p : what.settings.pours) least = std::min(least, dem::smallest_radius(p.radii));
  return least;
}

std::string times_in_words(const run_result& result) {
  const dem::times& t = result.spent;
  const double all = t.update + t.find + t.forces + t.integrate + result.output_seconds;
  const auto part = [&](const char* name, double seconds) {
    return fmt::format("{} {:.0f}%", name, all > 0 ? 100 * seconds / all : 0);
  };
  return fmt::format("{}: {}", duration(result.run_seconds + result.output_seconds),
                     joined({part("update", t.update), part("find", t.find), part("forces", t.forces),
                             part("integrate", t.integrate), part("output", result.output_seconds)}));
}

/// "time 0.3: 300 of 1,000 steps of 0.001; stopped by the user".
std::string simulated_in_words(const run_result& result) {
  const std::string time = fmt::format("time {:.4g}", result.time);
  const std::string length = fmt::format("of {:.4g}", result.time_step);
  if (result.steps < result.wanted) {
    return fmt::format("{}: {} of {} steps {}; stopped by the user", time, with_commas(result.steps),
                       with_commas(result.wanted), length);
  }
  if (result.steps == 0) return fmt::format("nothing: 0 steps {}; this is the start", length);
  return fmt::format("{}: {} {}{}", time, counted(result.steps, "step"), length,
                     result.steps == result.begun ? "; nothing was left to do" : "");
}

std::string contacts_in_words(const scene& what, const run_result& result) {
  const dem::measures& m = result.last;
  if (result.bodies == 0) return "none: there are no bodies at the end";
  if (m.contacts == 0) return "none at the end";
  return fmt::format("{}, {:.2f} per body; the deepest overlap is {:.2g} of the smallest radius",
                     with_commas(m.contacts), coordination_number(m.contacts, result.bodies),
                     m.overlap / smallest_radius(what));
}

std::string speed_in_words(const run_result& result) {
  const double rate = static_cast<double>(result.steps - result.begun) / std::max(result.run_seconds, 1e-9);
  const std::string moved = result.bodies == 0 ? ""
                                               : fmt::format(", {:.3g} million bodies moved per second",
                                                             rate * static_cast<double>(result.bodies) / 1e6);
  return fmt::format("{} steps/s{} ({})", rate_in_words(rate), moved,
                     counted(static_cast<std::uint64_t>(result.threads), "thread"));
}

std::string next_in_words(const run_request& request, const run_result& result) {
  const std::string name = one_line(request.name);
  if (result.files.empty()) {
    return fmt::format(
        "abut run {0} --out DIR writes the series and the final state; abut run {0} --check says what "
        "runs; --set changes any key; abut run --list has other scenes",
        name);
  }
  std::string words = "open series.csv in a spreadsheet";
  for (const std::string& file : result.files) {
    if (file.ends_with(".pvd") || file.ends_with(".vtp")) words += fmt::format(", {}", one_line(file));
    if (file.ends_with(".vtp")) words += " in ParaView (Glyph, sphere, scale by radius)";
  }
  const std::string folder = std::filesystem::path(result.files.front()).parent_path().string();
  words += fmt::format("; abut render {} --out FILE.png draws the end", one_line(shell_word(folder)));
  for (const std::string& file : result.files) {
    if (file.ends_with(".npy"))
      words += fmt::format("; abut find {} finds the contacts of the final state", one_line(shell_word(file)));
  }
  return words;
}

}  // namespace

int threads_of(const scene& what) {
  options o;
  o.threads = what.settings.threads;
  return search(plan("auto"), o).threads();
}

std::string rate_in_words(double per_second) {
  return per_second < 1000 ? three_digits(per_second) : with_commas(static_cast<std::uint64_t>(per_second));
}

std::string bodies_in_words(const scene& what) {
  std::size_t fixed = 0, driven = 0, in_clumps = 0;
  for (const dem::body& b : what.bodies) {
    fixed += b.moves == dem::motion::fixed ? 1 : 0;
    driven += b.moves == dem::motion::driven ? 1 : 0;
    in_clumps += b.clump ? 1 : 0;
  }
  std::string words = bodies_in_words(shape::sphere, what.settings.dimension, what.bodies.size());
  if (fixed > 0) words += fmt::format(", {} of them fixed", with_commas(fixed));
  if (driven > 0) words += fmt::format(", {} of them driven", with_commas(driven));
  if (!what.settings.pours.empty()) words += ", to which others are poured";
  if (in_clumps > 0) words += fmt::format(", {} of them in clumps", with_commas(in_clumps));
  return words;
}

std::string law_in_words(const scene& what) {
  for (const dem::law_info& law : dem::laws()) {
    if (law.name == what.law) return fmt::format("{}: {}", law.name, law.summary);
  }
  return what.law;
}

std::string in_words(const run_request& request, const run_result& result) {
  const scene& what = request.what;
  const dem::measures& m = result.last;
  labeled_lines lines(terminal_width(STDOUT_FILENO));
  lines.add("scene", scene_in_words(request));
  lines.add("bodies", bodies_in_words(what));
  lines.add("simulated", simulated_in_words(result));
  if (result.begun > 0) lines.add("went on", fmt::format("from a checkpoint of step {}", with_commas(result.begun)));
  if (const std::string words = flow_in_words(what.settings, result.flow); !words.empty()) {
    lines.add("flow", fmt::format("{}; {} at the end", words, with_commas(result.bodies)));
  }
  if (!result.box.empty()) lines.add("box", result.box);
  lines.add("kinetic", change(result.first.kinetic, m.kinetic));
  lines.add("potential", fmt::format("{:.3g} elastic, {:.3g} in gravity (at the start {:.3g})", m.elastic, m.gravity,
                                     result.first.gravity));
  const std::string put_in = m.work == 0
                                 ? ""
                                 : fmt::format(", {:.3g} put in by {}", m.work,
                                               what.settings.deform ? "drives, walls and the box" : "drives and walls");
  const std::string adds_up = balance(result);
  lines.add("lost",
            fmt::format("{:.3g} dissipated{}{}{}", m.dissipated + 0.0, put_in, adds_up.empty() ? "" : "; ", adds_up));
  lines.add("contacts", contacts_in_words(what, result));
  for (const std::string& line : result.warnings) lines.add("warning", line);
  lines.add("time", times_in_words(result));
  if (result.steps > result.begun) {
    lines.add("speed", speed_in_words(result));
    lines.add("method", fmt::format("{}, which searched {} in {}", what.settings.method,
                                    counted(result.searches, "time"), counted(result.steps - result.begun, "step")));
  }
  lines.add("hash", result.bodies > 0
                        ? fmt::format("{:016x}, the same for every method and number of threads", result.hash)
                        : "none, without bodies");
  std::vector<std::string> files;
  for (const std::string& file : result.files) files.push_back(one_line(file));
  lines.add("written", joined(files));
  if (result.steps < result.wanted && !request.folder.empty()) {
    const bool none = request.what.output.checkpoints == std::uint64_t{0};
    lines.add_lines("goes on", {none ? "never: it has no checkpoint, since output.checkpoints is 0"
                                     : "by " + request.resume_command});
  }
  lines.add("next", next_in_words(request, result));
  return lines.text();
}

std::string check_in_words(const run_request& request) {
  const scene& what = request.what;
  stopwatch watch;
  dem::simulation run = start(what);
  const std::vector<std::string> warnings = warnings_about(what, run);
  if (request.strict && !warnings.empty()) throw error(warnings.front());
  const std::uint64_t wanted = steps_of(what, run.time_step());
  const double start_seconds = watch.lap();
  double seconds = 0;
  while (run.steps() < std::min<std::uint64_t>(wanted, check_steps) && seconds < check_seconds) {
    run.run(1);
    seconds += watch.lap();
  }
  const auto made = static_cast<double>(std::max<std::uint64_t>(run.steps(), 1));
  const double now = start_seconds + seconds / made * static_cast<double>(wanted);
  const double poured = seconds_of_poured(what, run, wanted);
  labeled_lines lines(terminal_width(STDOUT_FILENO));
  lines.add("scene", scene_in_words(request));
  lines.add("bodies", bodies_in_words(what));
  lines.add("materials", materials_in_words(what));
  lines.add("law", law_in_words(what));
  lines.add("space", space_in_words(what));
  lines.add("step", step_in_words(what, run.time_step()));
  lines.add("steps",
            fmt::format("{}, a time of {:.4g}", with_commas(wanted), static_cast<double>(wanted) * run.time_step()));
  lines.add("method", what.settings.method);
  lines.add(
      "takes",
      fmt::format("about {} with {}, by the first {}{}; more contacts take longer", rough_duration(now + poured),
                  counted(static_cast<std::uint64_t>(threads_of(what)), "thread"), counted(run.steps(), "step"),
                  poured > 0 ? " and a dense packing of all bodies that will be poured, if none is removed" : ""));
  lines.add("memory", fmt::format("about {}, by these steps", byte_size(peak_memory())));
  for (const std::string& line : warnings) lines.add("warning", line);
  return lines.text();
}

}  // namespace abut::cli
