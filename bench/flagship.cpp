// The figures of grid: update and find on seven samples, next to other plans. The contenders run in turns. Shown are
// medians in ns per body (processor time if all have one thread) and the hash of the pairs.

#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <CLI/CLI.hpp>
#include <generators.hpp>

#include "figures.hpp"

namespace {

using namespace figures;

// Bodies whose sizes were made to leave gaps, grown so that some touch.
samples::set grown(samples::set s) {
  for (double& r : s.column[static_cast<std::size_t>(s.dimension)]) r *= 1.05;
  return s;
}

struct sample {
  const char* name;
  const char* what;
  double wanted;  // ns per body
  double wanted_moving;
  std::function<samples::set(std::size_t)> make;
  std::size_t count = 1'000'000;
};

const std::vector<sample>& samples_measured() {
  static const std::vector<sample> all = {
      {"lattice", "equal spheres, lattice of spacing d, jitter 0.1", 45, 25,
       [](std::size_t n) { return samples::lattice(shape::sphere, 3, n, 1, 0.1, 0.525, 1); }},
      {"random", "equal spheres, random, volume fraction 0.3", 40, 0,
       [](std::size_t n) { return grown(samples::packing({.count = n, .fraction = 0.3}).bodies); }},
      {"sparse", "equal spheres, spacing 20 d", 30, 0,
       [](std::size_t n) { return samples::lattice(shape::sphere, 3, n, 20, 0.1, 0.525, 1); }},
      {"r-3", "spheres, ratio 50, number ~ r^-3, volume fraction 0.4", 110, 60,
       [](std::size_t n) {
         return grown(
             samples::packing({.count = n, .sizes = samples::size_law::inverse_cube, .ratio = 50, .fraction = 0.4})
                 .bodies);
       },
       125'001},
      {"mass", "spheres, ratio 32, log-uniform by mass, fraction 0.4", 130, 70,
       [](std::size_t n) {
         return grown(
             samples::packing({.count = n, .sizes = samples::size_law::by_mass, .ratio = 32, .fraction = 0.4}).bodies);
       }},
      {"discs", "discs, lattice of spacing d, jitter 0.1", 35, 0,
       [](std::size_t n) { return samples::lattice(shape::sphere, 2, n, 1, 0.1, 0.525, 1); }},
      {"clusters", "spheres in clusters of 1000 in a space of 1e5 d", 60, 0,
       [](std::size_t n) { return samples::clusters(shape::sphere, 3, n, 1000, 1e5, 0.525, 1); }},
  };
  return all;
}

// A struct as in users' programs, of 64 bytes or more, in single or double precision.
template <class T, std::size_t Bytes>
struct grain {
  T center[3];
  T radius;
  std::byte others[Bytes - 4 * sizeof(T)];  // velocity, force, kind...
};

// The same bodies in arrays, or as members of structs.
class layout {
 public:
  layout(const samples::set& from, std::string how) : from_(from), how_(std::move(how)) { copy(); }

  void copy() {
    fill(double64_, how_ == "double64");
    fill(double128_, how_ == "double128");
    fill(float64_, how_ == "float64");
  }
  [[nodiscard]] bodies view() const {
    if (how_ == "double64") return view_of(double64_);
    if (how_ == "double128") return view_of(double128_);
    if (how_ == "float64") return view_of(float64_);
    return from_.view();
  }

 private:
  template <class Grain>
  void fill(std::vector<Grain>& to, bool wanted) const {
    to.resize(wanted ? from_.size() : 0);
    using number = std::remove_reference_t<decltype(to[0].radius)>;
    const auto d = static_cast<std::size_t>(from_.dimension);
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t a = 0; a < d; ++a) to[i].center[a] = static_cast<number>(from_.column[a][i]);
      to[i].radius = static_cast<number>(from_.column[d][i]);
    }
  }
  template <class Grain>
  [[nodiscard]] bodies view_of(const std::vector<Grain>& from) const {
    const auto at = [&](const auto* first) { return column(first, from.size(), sizeof(Grain)); };
    const auto* const c = from.front().center;
    const auto* const r = &from.front().radius;
    return from_.dimension == 2 ? spheres(at(c), at(c + 1), at(r)) : spheres(at(c), at(c + 1), at(c + 2), at(r));
  }

  const samples::set& from_;
  std::string how_;
  std::vector<grain<double, 64>> double64_;
  std::vector<grain<double, 128>> double128_;
  std::vector<grain<float, 64>> float64_;
};

// Only reads the pairs: a hash would take too much time.
struct runner : contender {
  runner(const std::string& plan, int n, std::size_t layout, instruction_set set)
      : contender(plan, n), asked_plan(plan), which_layout(layout), instructions(set) {}

  std::string asked_plan;
  std::size_t which_layout;
  instruction_set instructions;
  std::uint64_t hash = 0;  // of the pairs

  // `most_threads` is that of all contenders: all are timed by the same clock.
  void run(const bodies& all, int most_threads) {
    use_instructions(instructions);
    const double start = now(most_threads);
    what.update(all);
    const double updated = now(most_threads);
    if (threads == 1) {
      std::uint64_t read = 0;
      what.for_each_pair([&](row i, row j) { read += i ^ j; });
      asm volatile("" : : "r"(read));
    } else {
      what.for_each_batch([](std::size_t, std::span<const abut::pair> pairs) {
        std::uint64_t read = 0;
        for (const abut::pair& p : pairs) read += p.i ^ p.j;
        asm volatile("" : : "r"(read));
      });
    }
    update.push_back(updated - start);
    find.push_back(now(most_threads) - updated);
  }
};

std::vector<double> sums(const runner& r) {
  std::vector<double> all;
  for (std::size_t k = 0; k < r.update.size(); ++k) all.push_back(r.update[k] + r.find[k]);
  return all;
}

struct request {
  std::vector<std::string> names;
  std::vector<std::string> plans = {"grid", "neighboring-cell"};
  std::vector<int> threads = {1};
  std::vector<std::string> layouts = {"arrays"};
  int repeats = 9;
  double count = 0;
  bool least = false;
  std::vector<std::string> instructions;  // the best, if empty
  int steps = 0;                          // of bodies that move by up to 1 % of their diameter
};

// The instruction sets of these names; `all` stands for all that this machine has.
std::vector<instruction_set> sets_named(const std::vector<std::string>& names) {
  const std::span<const instruction_set> usable = usable_instructions();
  if (names.empty()) return {usable.front()};
  std::vector<instruction_set> sets;
  for (const std::string& name : names) {
    if (name == "all") {
      sets.insert(sets.end(), usable.begin(), usable.end());
    } else if (const auto set = instructions_named(name)) {
      sets.push_back(*set);
    } else {
      std::string known;
      for (const instruction_set one : usable) known += fmt::format("{}, ", name_of(one));
      throw std::runtime_error(fmt::format("unknown instructions \"{}\"; this machine has {}or all", name, known));
    }
  }
  return sets;
}

// One for each plan, number of threads, layout and instruction set.
std::vector<runner> runners_of(const request& asked) {
  const std::vector<instruction_set> sets = sets_named(asked.instructions);
  std::vector<runner> all;
  all.reserve(asked.plans.size() * asked.threads.size() * asked.layouts.size() * sets.size());
  for (const std::string& p : asked.plans) {
    for (const int t : asked.threads) {
      for (std::size_t k = 0; k < asked.layouts.size(); ++k) {
        for (const instruction_set set : sets) all.emplace_back(p, t, k, set);
      }
    }
  }
  return all;
}

// Moves bodies by up to 1 % of their diameter before they were grown.
void nudge(samples::set& bodies, samples::random& rng) {
  const auto d = static_cast<std::size_t>(bodies.dimension);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double by = 0.02 / 1.05 * bodies.column[d][i];
    for (std::size_t a = 0; a < d; ++a) bodies.column[a][i] += rng.uniform(-by, by);
  }
}

void run_in_turns(std::vector<runner>& all, samples::set& bodies, const request& asked) {
  std::vector<layout> layouts;
  for (const std::string& how : asked.layouts) layouts.emplace_back(bodies, how);
  const int most_threads = *std::max_element(asked.threads.begin(), asked.threads.end());
  samples::random rng(7);
  for (int k = 0; k < asked.repeats + asked.steps; ++k) {
    for (runner& r : all) r.run(layouts[r.which_layout].view(), most_threads);
    if (asked.steps == 0 || k + 1 == asked.repeats + asked.steps) continue;
    nudge(bodies, rng);
    for (layout& l : layouts) l.copy();
  }
  // The pairs' hash is taken of bodies that are still there.
  for (runner& r : all) {
    use_instructions(r.instructions);
    r.what.for_each_pair([&](row i, row j) { r.hash += pair_hash({i, j}); });
  }
}

// The median of some times, or what was asked for instead. If bodies move, the mean, so that rebuilds count too.
double middle(const std::vector<double>& v, const request& asked) {
  if (asked.least) return *std::min_element(v.begin(), v.end());
  if (asked.steps == 0) return median(v);
  double sum = 0;
  for (std::size_t k = 5; k < v.size(); ++k) sum += v[k];
  return sum / static_cast<double>(v.size() - 5);
}

result result_of(const runner& r, const sample& s, double n, const request& asked) {
  const stats st = r.what.stats();
  const std::string& how = asked.layouts[r.which_layout];
  const auto ns = [&](const std::vector<double>& v) { return middle(v, asked) / n * 1e9; };
  return {.benchmark = asked.steps > 0 ? "flagship moving" : "flagship",
          .sample = how == "arrays" ? std::string(s.name) : fmt::format("{} {}", s.name, how),
          .bodies = static_cast<std::size_t>(n),
          .plan = r.asked_plan,
          .threads = r.threads,
          .update = ns(r.update),
          .find = ns(r.find),
          .sum = ns(sums(r)),
          .candidates = static_cast<double>(st.candidates) / n,
          .tests = static_cast<double>(st.tests) / n,
          .pairs = static_cast<double>(st.pairs) / n,
          .bytes = static_cast<double>(st.bytes) / n};
}

void measure(const sample& s, const request& asked) {
  samples::set bodies = s.make(asked.count > 0 ? static_cast<std::size_t>(asked.count) : s.count);
  std::vector<runner> all = runners_of(asked);
  run_in_turns(all, bodies, asked);
  fmt::print("\n{}: {} {}{}; wanted {} ns\n", s.name, bodies.size(), s.what,
             asked.steps > 0 ? ", moved by up to 1 % of a diameter" : "", asked.steps > 0 ? s.wanted_moving : s.wanted);
  fmt::print("{:>9} {:>9} {:>9} {:>8} {:>9} {:>9} {:>8}  {}\n", "update", "find", "sum", "tests", "pairs", "bytes",
             "threads", "plan");
  for (const runner& r : all) {
    use_instructions(r.instructions);  // which the line of data names
    const result of = result_of(r, s, static_cast<double>(bodies.size()), asked);
    figures::asked().add(of);
    fmt::print("{:6.1f} ns {:6.1f} ns {:6.1f} ns {:6.2f}/b {:7.2f}/b {:7.1f}/b {:8}  {}  {:016x}{}{}\n", of.update,
               of.find, of.sum, of.tests, of.pairs, of.bytes, r.threads, r.what.planned().text(), r.hash,
               asked.layouts.size() > 1 ? "  " + asked.layouts[r.which_layout] : "",
               asked.instructions.empty() ? "" : fmt::format("  {}", name_of(r.instructions)));
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  request asked;
  CLI::App app{"Measures grid, or other plans, on seven samples"};
  app.add_option("sample", asked.names, "Which of: lattice random sparse r-3 mass discs clusters (all)");
  app.add_option("--plan", asked.plans, "Plans to run in turns (grid and neighboring-cell)");
  app.add_option("--threads", asked.threads, "Numbers of threads (1)");
  app.add_option("--layout", asked.layouts,
                 "Layouts to run in turns: arrays, or members of structs of 64 or 128 bytes: double64, double128, "
                 "float64 (arrays)")
      ->check(CLI::IsMember({"arrays", "double64", "double128", "float64"}));
  app.add_option("--repeats", asked.repeats, "Runs of each (9)");
  app.add_flag("--least", asked.least, "Show the least of the times instead of medians and means");
  app.add_option("--count", asked.count, "Bodies, instead of as many as the table has");
  app.add_option("--steps", asked.steps, "Steps in which bodies move by up to 1 % of their diameter (0: none)");
  app.add_option("--instructions", asked.instructions,
                 "Instruction sets to run in turns: avx512, avx2, sse4, scalar, neon, or all (the best available)");
  std::string csv;
  app.add_option("--csv", csv, "Write the results as data to this file, too")->type_name("FILE");
  CLI11_PARSE(app, argc, argv);
  if (!csv.empty()) figures::asked().open(csv);
  (void)sets_named(asked.instructions);  // refuse an unknown one before the samples are made
  for (const sample& s : samples_measured()) {
    if (asked.names.empty() || std::find(asked.names.begin(), asked.names.end(), s.name) != asked.names.end()) {
      if (asked.steps > 0 && asked.names.empty() && s.wanted_moving == 0) continue;
      measure(s, asked);
    }
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench flagship: %s\n", e.what());
  return 1;
}
