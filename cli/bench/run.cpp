// How `bench` measures. At each step all plans search the same bodies, one after the other, with each of the
// instruction sets, and each time another is first, so that changes of clock, caches and load affect all alike.

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/forecast.hpp"
#include "bench/walking_bodies.hpp"
#include "plan/calibration.hpp"
#include "quadratic.hpp"
#include "screen/stopwatch.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// Without --repeat: at least this many, and more until enough time has passed.
constexpr int least_repeats = 5;
constexpr int most_repeats = 1000;
constexpr double enough_seconds = 2;

/// Searches of fewer bodies do not report progress: their passes are so short that reports would cost time.
constexpr std::size_t least_to_report = 20'000;

/// The user's function in timed passes. Its sum depends on i and j of every pair, so that a later repeat that finds
/// other pairs is noticed. It takes 0.7 ns per pair (2.8 GHz Xeon). `pair_hash`, which tells sets of pairs apart more
/// reliably, takes 1.8 ns and therefore has a pass of its own.
struct pair_reader {
  std::uint64_t sum = 0;
  void operator()(row i, row j) {
    const std::uint64_t both = std::uint64_t{i} << 32 | j;
    sum += both * both;
  }
};

std::uint64_t hash_of(search& s) {
  std::uint64_t hash = 0;
  s.for_each_pair([&](row i, row j) { hash += pair_hash({i, j}); });
  return hash;
}

/// Adds what a step has counted.
void add_counts(std::vector<named_count>& sums, const std::vector<stats::event>& counted) {
  for (const auto& [name, count] : counted) {
    auto at = std::find_if(sums.begin(), sums.end(), [&n = name](const named_count& c) { return c.name == n; });
    if (at == sums.end()) at = sums.insert(at, {name, 0});
    at->each += static_cast<double>(count);
  }
}

/// A plan with an instruction set, its search and its times so far.
struct contender {
  measured_plan measured{};
  std::string text{};
  std::string name{};  ///< for the progress line
  std::unique_ptr<search> at_work{};
  std::vector<double> plan_times{}, first_times{}, update_times{}, find_times{};
  std::vector<std::uint64_t> sums{};  ///< of `pair_reader`, for each step of the first repeat
};

struct right_answer {
  std::uint64_t hash = 0;
  std::uint64_t pairs = 0;
};

class bench_run {
 public:
  bench_run(const std::vector<plan>& plans, const bench_request& request, const bench_arguments& given,
            const bodies_file& file, options chosen, const std::string& reference, progress_line& progress);
  ~bench_run() {
    progress_.ask({});
    use_instructions({});
  }
  bench_run(const bench_run&) = delete;
  bench_run& operator=(const bench_run&) = delete;

  void run();
  void put_into(bench_result& result);

 private:
  [[nodiscard]] bool enough() const;
  void make_searches();
  void refer();
  void measure_step(contender& c, std::size_t index);
  void check(contender& c, std::uint64_t sum);
  void tell(const std::string& what);

  const bench_request& request_;
  const bench_arguments& given_;
  const bodies_file& file_;
  options options_;
  plan reference_;
  progress_line& progress_;
  walking_bodies bodies_;
  std::vector<contender> contenders_{};
  std::vector<right_answer> right_{};  ///< for each step
  forecast forecast_;
  int repeat_ = 0;
  int step_ = 0;
};

bench_run::bench_run(const std::vector<plan>& plans, const bench_request& request, const bench_arguments& given,
                     const bodies_file& file, options chosen, const std::string& reference, progress_line& progress)
    : request_(request),
      given_(given),
      file_(file),
      options_(std::move(chosen)),
      reference_(reference),
      progress_(progress),
      bodies_(file, request.move, request.seed),
      forecast_(plans.size() * request.sets.size(), request.steps, request.repeat.value_or(least_repeats),
                request.repeat ? 0 : enough_seconds) {
  for (const plan& p : plans) {
    for (const instruction_set set : request.sets) {
      contender c;
      c.measured.asked = p;
      c.measured.instructions = set;
      c.text = p.text();
      c.name = request.sets.size() > 1 ? fmt::format("{} with {}", c.text, name_of(set)) : c.text;
      forecast_.guess(contenders_.size(), file.size, is_quadratic(p));
      contenders_.push_back(std::move(c));
    }
  }
  forecast_.guess(contenders_.size(), file.size, is_quadratic(reference_));
  if (file.size >= least_to_report) {
    options_.progress = [this](double part) { forecast_.done(part); };
  }
}

bool bench_run::enough() const {
  if (request_.repeat) return repeat_ >= *request_.repeat;
  if (repeat_ >= most_repeats) return true;
  return repeat_ >= least_repeats && forecast_.elapsed() >= enough_seconds;
}

void bench_run::run() {
  progress_.stage("measuring");
  progress_.ask([this] { return forecast_.left(); });
  for (repeat_ = 0; !enough(); ++repeat_) {
    bodies_.restart();
    make_searches();
    for (step_ = 0; step_ < request_.steps; ++step_) {
      if (step_ > 0) bodies_.step();
      if (repeat_ == 0) refer();
      const std::size_t count = contenders_.size();
      const auto turn = static_cast<std::size_t>(repeat_) + static_cast<std::size_t>(step_);
      for (std::size_t k = 0; k < count; ++k) measure_step(contenders_[(k + turn) % count], (k + turn) % count);
    }
  }
}

void bench_run::make_searches() {
  for (contender& c : contenders_) c.at_work.reset();
  const std::size_t count = contenders_.size();
  for (std::size_t k = 0; k < count; ++k) {
    contender& c = contenders_[(k + static_cast<std::size_t>(repeat_)) % count];
    use_instructions(c.measured.instructions);
    stopwatch watch;
    c.at_work = std::make_unique<search>(plan(c.text), options_);
    c.plan_times.push_back(watch.lap());
  }
}

void bench_run::tell(const std::string& what) {
  std::string line = what;
  if (request_.steps > 1) line += fmt::format(", step {} of {}", step_ + 1, request_.steps);
  line += fmt::format(", repeat {}", repeat_ + 1);
  if (request_.repeat) line += fmt::format(" of {}", *request_.repeat);
  progress_.rename(std::move(line));
}

/// Finds the right pairs of this step, with a new search and the best instructions, so that they depend on the bodies
/// alone.
void bench_run::refer() {
  use_instructions({});
  forecast_.begin(contenders_.size(), pass::update);
  tell("reference");
  search s(reference_, options_);
  update_in_place(s, bodies_.view(), file_, given_);
  forecast_.begin(contenders_.size(), pass::find);
  const std::uint64_t hash = hash_of(s);
  forecast_.end();
  right_.push_back({hash, s.stats().pairs});
}

void bench_run::measure_step(contender& c, std::size_t index) {
  const bodies now = bodies_.view();
  search& s = *c.at_work;
  use_instructions(c.measured.instructions);
  // A new search with `auto` reads the constants again if the set is another. Its time should not include that.
  if (request_.sets.size() > 1 && step_ == 0 && c.measured.asked.method() == "auto") {
    (void)calibration_for(options_.constants);
  }
  forecast_.begin(index, pass::update);
  tell(c.name);
  stopwatch watch;
  update_in_place(s, now, file_, given_);
  const double update = watch.lap();
  (step_ == 0 ? c.first_times : c.update_times).push_back(update);

  forecast_.begin(index, pass::find);
  pair_reader read;
  watch.lap();
  s.for_each_pair(read);
  c.find_times.push_back(watch.lap());
  forecast_.end();

  // All repeats do identical work, so one repeat's counts represent all of them.
  if (repeat_ == 0) {
    const stats counted = s.stats();
    c.measured.candidates += counted.candidates;
    c.measured.tests += counted.tests;
    c.measured.pairs_of_all_steps += counted.pairs;
    c.measured.pairs = counted.pairs;
    c.measured.bytes = std::max(c.measured.bytes, counted.bytes);
    // As with times: later updates are not like the first.
    if (step_ > 0 || request_.steps == 1) add_counts(c.measured.counts, counted.counts);
    c.measured.planned = s.planned();
    forecast_.begin(index, pass::check);
    c.measured.hash = hash_of(s);
    forecast_.end();
    c.sums.push_back(read.sum);
  }
  check(c, read.sum);
}

/// Compares the pairs with the reference's in the first repeat, and with the first repeat's in later ones.
void bench_run::check(contender& c, std::uint64_t sum) {
  const auto step = static_cast<std::size_t>(step_);
  const right_answer& right = right_[step];
  const bool same = repeat_ == 0 ? c.measured.hash == right.hash : c.sums[step] == sum;
  const std::uint64_t pairs = c.at_work->stats().pairs;
  if ((same && pairs == right.pairs) || c.measured.wrong) return;
  c.measured.wrong = measured_plan::mistake{step_ + 1, pairs, right.pairs};
}

void bench_run::put_into(bench_result& result) {
  result.threads = contenders_.front().at_work->threads();
  result.repeat = repeat_;
  result.first_pairs = right_.front().pairs;
  result.last_pairs = right_.back().pairs;
  for (contender& c : contenders_) {
    c.measured.plan_seconds = spread_of(std::move(c.plan_times));
    c.measured.first_seconds = spread_of(std::move(c.first_times));
    c.measured.update_seconds =
        c.update_times.empty() ? c.measured.first_seconds : spread_of(std::move(c.update_times));
    c.measured.find_seconds = spread_of(std::move(c.find_times));
    for (named_count& n : c.measured.counts) n.each /= std::max(1, request_.steps - 1);
    result.measured.push_back(std::move(c.measured));
  }
}

}  // namespace

spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  // Interpolates between two values.
  const auto at = [&](double part) {
    const double place = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return {at(0.5), at(0.25), at(0.75)};
}

void measure(bench_result& result, const std::vector<plan>& plans, const bench_request& request,
             const bench_arguments& given, const bodies_file& file, const options& chosen, progress_line& progress) {
  bench_run run(plans, request, given, file, chosen, result.reference, progress);
  run.run();
  run.put_into(result);
}

}  // namespace abut::cli
