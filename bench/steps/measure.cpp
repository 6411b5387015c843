#include <algorithm>

#include <fmt/format.h>

#include "programs.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// The run of median time.
step_run median_of(std::vector<step_run> runs) {
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>((runs.size() - 1) / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [](const step_run& a, const step_run& b) { return a.start + a.seconds < b.start + b.seconds; });
  return *middle;
}

/// Another program at work on a case, until it fails.
class other_at_work {
 public:
  other_at_work(const found_program& program, step_case what, std::string data, int threads, std::string folder)
      : program_(program),
        what_(std::move(what)),
        data_(std::move(data)),
        threads_(threads),
        folder_(std::move(folder)) {
    what_.steps = std::max<std::uint64_t>(what_.steps / program_.is->share, 1);
    result_ = {
        .key = program_.is->key, .name = program_.is->name, .steps = what_.steps, .strict = program_.is->strict(what_)};
  }

  [[nodiscard]] const std::string& name() const { return result_.name; }
  [[nodiscard]] bool failed() const { return !result_.failure.empty(); }
  [[nodiscard]] std::uint64_t steps_in_all() const { return what_.warm_up + what_.steps; }

  /// Finds the way of listing neighbors with which it is fastest, over half of the steps.
  void choose(progress_line& progress) {
    const std::vector<neighbor_choice> choices = program_.is->choices(what_);
    result_.best = choices.front();
    if (choices.size() == 1) return;
    step_case half = what_;
    half.steps = std::max<std::uint64_t>(what_.steps / 2, 1);
    double least = 0;
    for (const neighbor_choice& choice : choices) {
      progress.stage(fmt::format("{}: {}, skin {}", what_.name, result_.name, choice.skin));
      const std::optional<step_run> done = attempt(half, choice);
      if (!done) return;
      if (least != 0 && done->seconds >= least) continue;
      least = done->seconds;
      result_.best = choice;
    }
  }

  /// Runs once more.
  void run() {
    if (failed()) return;
    if (const std::optional<step_run> done = attempt(what_, result_.best)) runs_.push_back(*done);
  }

  /// What was measured; `ours` is the state to compare with.
  [[nodiscard]] other_result result(const step_state& ours) const {
    other_result r = result_;
    r.ours = ours;
    if (!failed()) r.run = median_of(runs_);
    return r;
  }

 private:
  std::optional<step_run> attempt(const step_case& what, const neighbor_choice& choice) {
    try {
      return run_theirs(program_, what, choice, data_, threads_, folder_);
    } catch (const error& problem) {
      result_.failure = problem.what();
      return {};
    }
  }

  const found_program& program_;
  step_case what_;
  std::string data_;
  int threads_;
  std::string folder_;
  other_result result_{};
  std::vector<step_run> runs_{};
};

/// The results of all contenders, with our states at their ends.
std::vector<other_result> results_of(const std::vector<other_at_work>& all, const step_case& what,
                                     const step_bodies& bodies, progress_line& progress) {
  std::vector<std::uint64_t> after;
  for (const other_at_work& c : all) {
    if (!c.failed()) after.push_back(c.steps_in_all());
  }
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  progress.stage(fmt::format("{}: abut, to compare states", what.name));
  const std::vector<step_state> ours =
      after.empty() ? std::vector<step_state>{} : comparable_states(what, bodies, after);
  std::vector<other_result> results;
  for (const other_at_work& c : all) {
    const auto at = std::find(after.begin(), after.end(), c.steps_in_all()) - after.begin();
    results.push_back(c.result(c.failed() ? step_state{} : ours[static_cast<std::size_t>(at)]));
  }
  return results;
}

}  // namespace

std::vector<step_result> measure_steps(const step_case& what, const step_bodies& bodies, const std::string& data,
                                       int threads, const step_measurement& how) {
  progress_line progress;
  std::vector<other_at_work> others;
  for (const found_program& program : how.programs) {
    if (!program.can_run(threads)) continue;
    others.emplace_back(program, what, data, threads, how.folder);
    others.back().choose(progress);
  }
  std::vector<std::vector<step_run>> ours(how.sets.size());
  std::vector<std::vector<step_run>> as_lammps(how.sets.size());
  const int repeats = std::min(how.repeat, what.most_repeats);
  for (int k = 0; k < repeats; ++k) {
    const std::string repeat = fmt::format("{}, {}: repeat {} of {}", what.name,
                                           counted(static_cast<std::uint64_t>(threads), "thread"), k + 1, repeats);
    for (other_at_work& other : others) {
      progress.stage(fmt::format("{}, {}", repeat, other.name()));
      other.run();
    }
    progress.stage(repeat + ", abut");
    for (std::size_t s = 0; s < ours.size(); ++s) {
      use_instructions(how.sets[s]);
      ours[s].push_back(run_ours(what, bodies, threads, step_scheme::by_default));
      as_lammps[s].push_back(run_ours(what, bodies, threads, step_scheme::as_lammps));
    }
    use_instructions({});
  }
  const std::vector<other_result> compared = results_of(others, what, bodies, progress);
  std::vector<step_result> results;
  for (std::size_t s = 0; s < ours.size(); ++s) {
    results.push_back({.what = what,
                       .threads = threads,
                       .instructions = how.sets[s],
                       .ours = median_of(ours[s]),
                       .as_lammps = median_of(as_lammps[s]),
                       .others = compared});
  }
  return results;
}

}  // namespace abut::cli
