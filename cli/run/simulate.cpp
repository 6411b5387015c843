#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "run/box_files.hpp"
#include "run/checkpoints.hpp"
#include "run/run.hpp"
#include "run/run_files.hpp"
#include "screen/interrupts.hpp"
#include "screen/progress.hpp"
#include "screen/stopwatch.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr double piece_seconds = 0.05;  // how often progress is shown and interrupts are noticed
constexpr double log_seconds = 10;      // at least so much between two lines of a log
constexpr std::uint64_t keep_every = 20;

/// Shows how far a run has come: a line that is redrawn on a terminal, a few plain lines in a log.
class run_progress {
 public:
  run_progress(progress_line& line, std::uint64_t begun, std::uint64_t wanted)
      : line_(line), begun_(begun), wanted_(wanted), log_(!draws_on(STDERR_FILENO)) {
    line_.stage("simulating");
  }

  /// `flow`: what has come and gone, in words; may be empty.
  void show(std::uint64_t steps, double seconds, const std::string& flow) {
    const double part = static_cast<double>(steps) / static_cast<double>(std::max<std::uint64_t>(wanted_, 1));
    const double rate = seconds > 0 ? static_cast<double>(steps - begun_) / seconds : 0;
    const std::string at = fmt::format("step {} of {}", with_commas(steps), with_commas(wanted_));
    const std::string fast = fmt::format("{} steps/s", rate_in_words(rate));
    line_.done(part);
    const std::string comma = flow.empty() ? "" : ", ";
    line_.rename(fmt::format("{}, {}{}{}", fast, at, comma, flow));  // a narrow terminal cuts the end off
    if (!log_ || part < next_part_ || seconds < next_seconds_ || steps == wanted_) return;
    line_.say(fmt::format("{}, {}, {} left{}{}", at, fast, rough_duration(static_cast<double>(wanted_ - steps) / rate),
                          comma, flow));
    next_part_ = std::floor(10 * part + 1) / 10;
    next_seconds_ = seconds + log_seconds;
  }

 private:
  progress_line& line_;
  std::uint64_t begun_, wanted_;
  bool log_;
  double next_part_ = 0.1, next_seconds_ = log_seconds;
};

/// A run on its way.
class runner {
 public:
  runner(const run_request& request, progress_line& progress)
      : what_(request.what),
        settings_(request.what.settings),
        every_(request.what.output.every),
        progress_(progress),
        strict_(request.strict),
        resumed_(request.resumed),
        resume_command_(request.resume_command) {
    stopwatch watch;
    progress.stage("sorting the bodies, first forces");
    begin(request);
    const std::vector<std::string> warnings =
        request.resumed ? request.what.warnings : warnings_about(request.what, *run_);
    for (const std::string& line : warnings) warn(line);
    doubts_.emplace(settings_, *run_);
    result_.wanted = steps_of(request.what, run_->time_step());
    result_.begun = run_->steps();
    result_.threads = threads_of(request.what);
    result_.start_seconds = watch.lap();
    // Only now: a scene that is refused leaves the files of another run as they are.
    if (!request.folder.empty()) {
      files_ = std::make_unique<run_files>(request.folder, request.what, request.force, request.goes_on);
    }
    if (files_ == nullptr) return;
    files_->begin_frames(request.what, result_.wanted, run_->time_step());
    if (request.what.output.checkpoints == std::uint64_t{0}) return;
    checkpoints_.emplace(files_->folder(), request.what, result_.wanted);
    if (request.resumed) checkpoints_->take_as_written(run_->steps());
    checkpoint_at_ = checkpoints_->next_after(run_->steps());
    checkpoints_->keep_room(*run_);
  }

  /// Writes the first row and frame.
  void begin_files() {
    // A run that was not interrupted would have this row only if it is one of the usual ones.
    const bool row = !resumed_ || run_->steps() % every_ == 0;
    result_.first = last_ = row ? measured() : run_->measure();
    frame();
  }

  /// Makes all steps, unless an interrupt arrives.
  void go(progress_line& progress) {
    run_progress shown(progress, result_.begun, result_.wanted);
    std::uint64_t piece = 1;
    while (run_->steps() < result_.wanted && interrupt_notes::arrived() == 0) {
      const std::uint64_t row_at = (run_->steps() / every_ + 1) * every_;
      const std::uint64_t stop = std::min({row_at, frame_at_, checkpoint_at_, result_.wanted});
      const std::uint64_t count = std::min(piece, stop - run_->steps());
      stopwatch watch;
      run_->run(count);
      const double seconds = watch.lap();
      result_.run_seconds += seconds;
      if (seconds < piece_seconds / 2 && count == piece) piece *= 2;
      if (seconds > piece_seconds * 2) piece = std::max<std::uint64_t>(piece / 2, 1);
      if (files_ != nullptr && run_->steps() % every_ == 0) measured();
      if (files_ == nullptr && result_.run_seconds >= look_at_) look();
      if (run_->steps() == frame_at_) frame();
      checkpoint(progress);
      shown.show(run_->steps(), result_.run_seconds + result_.output_seconds, flow_in_words(settings_, flow_of(*run_)));
    }
    if (files_ == nullptr || run_->steps() % every_ != 0) measured();
  }

  run_result finish(progress_line& progress) {
    progress.stage("writing the state");
    result_.last = last_;
    const std::string problem = last_checkpoint();
    write(run_->bodies(), run_->periods());
    if (!problem.empty()) throw error(problem);
    if (files_ != nullptr && outlines_change(settings_)) {
      files_->write_walls(run_->walls(), run_->periods(), run_->time());
    }
    result_.steps = run_->steps();
    result_.time = run_->time();
    result_.time_step = run_->time_step();
    result_.searches = run_->searches();
    result_.hash = hash_of(run_->bodies());
    result_.spent = run_->spent();
    result_.bodies = run_->bodies().size();
    result_.flow = flow_of(*run_);
    result_.box = box_in_words(settings_, *run_);
    if (files_ != nullptr) result_.files = files_->written();
    return result_;
  }

  /// After an error: writes the last good state and throws the error again with its file.
  [[noreturn]] void give_up(const error& problem) {
    const auto& good = run_->last_good();
    const std::string what = table_of(what_, problem) + problem.what();
    if (files_ == nullptr || !good) {
      throw error(fmt::format("{}; nothing was written (--out DIR writes the last good state)", what));
    }
    if (checkpoints_) checkpoints_->give_room_back();
    try {
      write(good->bodies, good->periods);
    } catch (const error& failed) {
      throw error(fmt::format("{}; the state after step {} could not be saved: {}", what, good->steps, failed.what()));
    }
    const std::vector<std::string>& files = files_->states();
    if (files.empty()) throw error(fmt::format("{}; by output.states, no state was written", what));
    throw error(fmt::format("{}; the state after step {} is in {}", what, good->steps, joined(files)));
  }

  /// After a file could not be written: writes a checkpoint into the room that was kept for it, and throws the error
  /// again with how to go on.
  [[noreturn]] void stop(const write_error& failed) {
    const std::string what = fmt::format("{}; stopped after step {}", failed.what(), with_commas(run_->steps()));
    if (!checkpoints_) throw error(what + ", and it cannot go on, since output.checkpoints is 0");
    std::string problem;
    if (checkpoints_->written() != run_->steps()) problem = write_checkpoint();
    const std::string again =
        fmt::format("{}{}", failed.full() ? "free some space, then go on by " : "go on by ", resume_command_);
    if (problem.empty()) throw error(fmt::format("{} with a checkpoint: {}", what, again));
    const auto paths = checkpoint_files::paths(files_->folder());
    throw error(fmt::format("{}, without a checkpoint ({}){}", what, problem,
                            paths.empty() ? "" : "; there is an older one: " + again));
  }

 private:
  void begin(const run_request& request) {
    if (request.started) {
      run_.emplace(std::move(*request.started));
      return;
    }
    scene what = request.what;
    what.settings = settings_of(what, !request.folder.empty());
    run_.emplace(start(what));
  }
  /// Writes a checkpoint if it is time for one. If that fails, the run goes on: the disk may have room again later.
  void checkpoint(progress_line& progress) {
    if (!checkpoints_) return;
    if (checkpoints_->due(run_->steps()) && run_->steps() < result_.wanted) {
      if (const std::string problem = write_checkpoint(); !problem.empty()) {
        progress.say(fmt::format("{}; the run goes on without this checkpoint", problem));
      }
      checkpoints_->keep_room(*run_);
    }
    if (run_->steps() >= checkpoint_at_) checkpoint_at_ = checkpoints_->next_after(run_->steps());
  }
  /// Returns what went wrong.
  std::string write_checkpoint() {
    stopwatch watch;
    std::string problem;
    try {
      files_->sync_series();
      checkpoints_->write(*run_);
    } catch (const error& failed) {
      problem = failed.what();
    }
    result_.output_seconds += watch.lap();
    return problem;
  }
  std::string last_checkpoint() {
    if (!checkpoints_) return "";
    std::string problem = write_checkpoint();
    if (problem.empty() && run_->steps() >= result_.wanted) checkpoints_->drop_previous();
    return problem;
  }
  /// Says what is likely a mistake.
  void warn(const std::string& line) {
    if (strict_) throw error(line);
    progress_.say("warning: " + line);
  }
  /// Warns of what the simulation shows now; the report has these warnings, too.
  void doubt() {
    for (const dem::doubt& d : doubts_->look(*run_, last_)) {
      result_.warnings.push_back(d.text);
      warn(d.text);
    }
  }
  /// A run that writes nothing measures itself now and then, to look for mistakes.
  void look() {
    last_ = run_->measure();
    doubt();
    look_at_ = 2 * result_.run_seconds;
  }
  /// Measures, and adds a row to the series.
  dem::measures measured() {
    stopwatch watch;
    last_ = run_->measure();
    doubt();
    if (files_ != nullptr) files_->add_row(*run_, last_);
    if (checkpoints_) checkpoints_->keep_room(*run_);
    result_.output_seconds += watch.lap();
    return last_;
  }
  /// Writes the frame of this step, if there is one.
  void frame() {
    if (files_ == nullptr) return;
    stopwatch watch;
    files_->add_frame(*run_);
    frame_at_ = files_->next_frame_after(run_->steps());
    result_.output_seconds += watch.lap();
  }
  void write(const dem::state& bodies, const periodic_axes& periods) {
    stopwatch watch;
    dem::settings then = settings_;
    then.periodic = periods;
    if (files_ != nullptr) files_->write_state(bodies, then);
    result_.output_seconds += watch.lap();
  }

  std::unique_ptr<run_files> files_{};
  const scene& what_;
  const dem::settings& settings_;
  std::uint64_t every_;
  progress_line& progress_;
  bool strict_, resumed_;
  std::string resume_command_;
  std::optional<dem::doubt_watch> doubts_{};
  double look_at_ = 1;  // seconds of running
  std::optional<checkpoint_files> checkpoints_{};
  std::uint64_t checkpoint_at_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t frame_at_ = std::numeric_limits<std::uint64_t>::max();
  std::optional<dem::simulation> run_;
  dem::measures last_{};
  run_result result_{};
};

}  // namespace

dem::settings settings_of(const scene& what, bool writes) {
  dem::settings s = what.settings;
  s.energies = true;
  s.keep_every = writes ? keep_every : 0;
  return s;
}

std::uint64_t steps_of(const scene& what, double time_step) {
  if (what.steps) return *what.steps;
  const double steps = std::ceil(*what.time / time_step * (1 - 1e-12));
  if (steps <= 1e15) return static_cast<std::uint64_t>(steps);
  const value* const time = what.root.find("time");
  throw error(
      fmt::format("{}a time of {:g} takes {:.2g} steps of {:.2g}, which no machine makes; the time is too long or the "
                  "contacts are too stiff",
                  time == nullptr ? "" : time->place + ": ", *what.time, steps, time_step));
}

run_result simulate(const run_request& request, int& signal) {
  const interrupt_notes notes;
  progress_line progress;
  runner run(request, progress);
  try {
    run.begin_files();
    try {
      run.go(progress);
    } catch (const write_error&) {
      throw;
    } catch (const error& problem) {
      run.give_up(problem);
    }
    signal = interrupt_notes::arrived();
    run_result result = run.finish(progress);
    progress.stop();
    return result;
  } catch (const write_error& problem) {
    run.stop(problem);
  }
}

}  // namespace abut::cli
