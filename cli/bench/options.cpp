#include <algorithm>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr std::uint64_t most_steps = 1'000'000;

/// Moving bodies take several steps, so that methods that keep state from step to step can show it. Without motion, a
/// search is used once.
constexpr int default_steps_moving = 10;
constexpr int default_steps_still = 1;

void read_methods(bench_request& request, const std::string& text) {
  for (const std::string_view part : comma_separated(text)) {
    if (part.empty()) {
      throw error(
          fmt::format("--methods {}: a name is missing next to a comma; `abut methods` lists them", in_quotes(text)));
    }
    if (part == "all") {
      request.all = true;
    } else {
      request.named.emplace_back(part);
    }
  }
}

}  // namespace

std::vector<instruction_set> instructions_option(const std::string& text) {
  if (text.empty()) return {instructions_in_use()};
  std::vector<instruction_set> sets;
  const auto add = [&](instruction_set set) {
    if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
  };
  for (const std::string_view part : comma_separated(text)) {
    if (part == "all") {
      for (const instruction_set set : usable_instructions()) add(set);
    } else if (const auto set = instructions_named(part)) {
      add(*set);
    } else {
      std::string usable;
      for (const instruction_set one : usable_instructions()) usable += fmt::format("{},", name_of(one));
      usable.pop_back();
      const std::string problem =
          part.empty() ? "a name is missing next to a comma" : "this machine or build does not have " + in_quotes(part);
      throw error(fmt::format("--instructions {}: {}; name some of {}, or all", in_quotes(text), problem, usable));
    }
  }
  return sets;
}

bench_request understand_bench(const bench_arguments& given) {
  bench_request request{.search = understand_search(given)};
  read_methods(request, given.methods);
  request.sets = instructions_option(given.instructions);
  if (!given.move.empty()) {
    request.move = number_option("--move", given.move, "a finite number >= 0, in diameters per axis and step",
                                 [](double v) { return v >= 0; });
  }
  request.steps = request.move > 0 ? default_steps_moving : default_steps_still;
  if (!given.steps.empty()) request.steps = static_cast<int>(whole_option("--steps", given.steps, 1, most_steps));
  if (!given.repeat.empty()) request.repeat = static_cast<int>(whole_option("--repeat", given.repeat, 1, most_steps));
  request.seed = seed_option(given.seed);
  request.counts = given.counts;
  return request;
}

std::vector<plan> plans_for(const bench_request& request, std::size_t bodies, std::vector<std::string>& left_out) {
  std::vector<plan> plans;
  const auto add = [&](const plan& p) {
    if (std::find(plans.begin(), plans.end(), p) == plans.end()) plans.push_back(p);
  };
  const auto is_named = [&](std::string_view method) {
    return std::any_of(request.named.begin(), request.named.end(), [&](const plan& p) { return p.text() == method; });
  };
  if (request.all) {
    for (const method_info* method : methods()) {
      if (method->quadratic && bodies > most_for_quadratic) {
        if (!is_named(method->name)) left_out.emplace_back(method->name);
      } else {
        add(plan(method->name));
      }
    }
  }
  for (const plan& p : request.named) add(p);
  return plans;
}

}  // namespace abut::cli
