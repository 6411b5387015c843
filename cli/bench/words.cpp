// The report of `bench` for people: what was measured, then three tables, the fastest plan first.

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "bench/table.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// With two digits, which are enough for a spread.
std::string rough_figure(double value) {
  if (value < 0.005) return "0";
  if (value < 0.095) return fmt::format("{:.2f}", value);
  if (value < 9.95) return fmt::format("{:.1f}", value);
  return with_commas(static_cast<std::uint64_t>(std::llround(value)));
}

std::string_view plus_minus(const text_style& style) { return style.unicode ? "±" : "+-"; }

std::string per_body(const spread& seconds, std::uint64_t bodies, const text_style& style) {
  const double scale = 1e9 / static_cast<double>(bodies);
  const double half = (seconds.high - seconds.low) / 2 * scale;
  return fmt::format("{} {}{}", figure(seconds.median * scale), plus_minus(style), rough_figure(half));
}

using sorted_plans = std::vector<const measured_plan*>;

double both(const measured_plan& p) { return p.update_seconds.median + p.find_seconds.median; }

/// The fastest plan first. Its sets stay together, in the order asked for; the fastest of them counts.
sorted_plans by_time(const bench_result& result) {
  std::vector<std::pair<double, const measured_plan*>> keyed;
  for (const measured_plan& p : result.measured) {
    double least = both(p);
    for (const measured_plan& q : result.measured) {
      if (q.asked == p.asked) least = std::min(least, both(q));
    }
    keyed.emplace_back(least, &p);
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  sorted_plans sorted;
  for (const auto& [least, p] : keyed) sorted.push_back(p);
  return sorted;
}

/// Whether the line above is of the same plan, with another set.
bool goes_on(const sorted_plans& sorted, std::size_t k) { return k > 0 && sorted[k]->asked == sorted[k - 1]->asked; }

/// The plan's name, unless the line above has it, and the set's if there is a column for sets.
table_line names_of(const sorted_plans& sorted, std::size_t k, bool sets) {
  table_line cells{cell{goes_on(sorted, k) ? "" : sorted[k]->asked.text()}};
  if (sets) cells.push_back(cell{name_of(sorted[k]->instructions)});
  return cells;
}

/// The first line of a table.
table_line headings(std::string title, bool sets, std::initializer_list<const char*> figures) {
  table_line cells{cell{std::move(title)}};
  if (sets) cells.push_back(cell{"set"});
  for (const char* name : figures) cells.push_back(cell{name});
  return cells;
}

std::string times(const bench_result& result, const sorted_plans& sorted, const text_style& style) {
  const bool lasting = result.steps > 1;
  const bool sets = result.names_sets;
  std::vector<table_line> lines{lasting ? headings("ns per body", sets, {"plan", "first update", "update", "find"})
                                        : headings("ns per body", sets, {"plan", "update", "find"})};
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const measured_plan* const p = sorted[k];
    table_line cells = names_of(sorted, k, sets);
    cells.push_back(cell{per_body(p->plan_seconds, result.bodies.count, style)});
    if (lasting) cells.push_back(cell{per_body(p->first_seconds, result.bodies.count, style)});
    cells.push_back(cell{per_body(p->update_seconds, result.bodies.count, style)});
    cells.push_back(cell{per_body(p->find_seconds, result.bodies.count, style)});
    lines.push_back(std::move(cells));
  }
  return table(std::move(lines), sets ? 2 : 1, style) +
         fmt::format("medians, {} half the distance between the quartiles\n", plus_minus(style));
}

std::string repeated(std::string_view sign, std::size_t count) {
  std::string text;
  for (; count > 0; --count) text += sign;
  return text;
}

std::string bars(const bench_result& result, const sorted_plans& sorted, const text_style& style) {
  constexpr std::size_t for_figure = 12;
  const std::string_view update_sign = style.unicode ? "█" : "#";
  const std::string_view find_sign = style.unicode ? "▒" : "=";
  constexpr std::string_view title = "update + find";
  std::size_t names = title.size();
  for (const measured_plan* p : sorted) names = std::max(names, characters(p->asked.text()));
  std::size_t sets = 0;
  for (const measured_plan* p : sorted) {
    if (result.names_sets) sets = std::max(sets, characters(name_of(p->instructions)) + 2);
  }
  const bool apart = names + 2 + sets + 20 + for_figure > style.width;
  const std::size_t before = (apart ? 0 : names + 2) + sets;
  const auto room = static_cast<double>(std::max(style.width, before + for_figure + 10) - before - for_figure);
  double longest = 0;
  for (const measured_plan* p : sorted) longest = std::max(longest, both(*p));
  std::string lines = colored(title, heading, style) + padding(title, std::max(before, title.size() + 2)) +
                      fmt::format("{} update  {} find  (ns per body)\n", colored(update_sign, update_color, style),
                                  colored(find_sign, find_color, style));
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const measured_plan* const p = sorted[k];
    const auto length = [&](double seconds) {
      return longest > 0 ? static_cast<std::size_t>(std::lround(room * seconds / longest)) : 0;
    };
    const std::size_t update = length(p->update_seconds.median);
    const std::size_t whole = std::max(update, length(both(*p)));
    const table_line named = names_of(sorted, k, result.names_sets);
    lines += named[0].text;
    if (!apart) lines += padding(named[0].text, names + 2);
    if (apart && !named[0].text.empty()) lines += '\n';
    if (result.names_sets) lines += named[1].text + padding(named[1].text, sets);
    lines += colored(repeated(update_sign, update), update_color, style);
    lines += colored(repeated(find_sign, whole - update), find_color, style);
    if (whole == 0) lines += colored(style.unicode ? "▏" : "|", update_color, style);
    lines += fmt::format(" {}\n", figure(both(*p) * 1e9 / static_cast<double>(result.bodies.count)));
  }
  return lines;
}

/// What a plan did, with the sets that did it: one line for all of them, unless their work differs.
struct work_line {
  measured_plan most{};  ///< of the first set, and the most memory of all
  bool all = false;
  std::size_t place = 0;  ///< of the first set in the sorted plans
};

std::vector<work_line> work_lines(const sorted_plans& sorted) {
  const auto work_of = [](const measured_plan& p) {
    return std::tuple(p.candidates, p.tests, p.pairs_of_all_steps, p.exact());
  };
  std::vector<work_line> lines;
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    work_line one{.most = *sorted[begin], .all = true, .place = begin};
    for (end = begin + 1; end < sorted.size() && goes_on(sorted, end); ++end) {
      one.most.bytes = std::max(one.most.bytes, sorted[end]->bytes);
      one.all = one.all && work_of(*sorted[end]) == work_of(one.most);
    }
    if (one.all) {
      lines.push_back(std::move(one));
    } else {
      for (std::size_t k = begin; k < end; ++k) lines.push_back({.most = *sorted[k], .place = k});
    }
  }
  return lines;
}

std::string work(const bench_result& result, const sorted_plans& sorted, const text_style& style) {
  const bool some =
      std::any_of(sorted.begin(), sorted.end(), [](const measured_plan* p) { return p->pairs_of_all_steps > 0; });
  const auto per_pair = [&](std::uint64_t count, const measured_plan& p) -> std::string {
    if (!some) return with_commas(count);
    if (p.pairs_of_all_steps == 0) return "-";
    return figure(static_cast<double>(count) / static_cast<double>(p.pairs_of_all_steps));
  };
  const std::vector<work_line> shown = work_lines(sorted);
  const bool sets = std::any_of(shown.begin(), shown.end(), [](const work_line& line) { return !line.all; });
  std::vector<table_line> lines{
      headings("work and memory", sets,
               {some ? "candidates/pair" : "candidates", some ? "tests/pair" : "tests", "bytes/body", "pairs"})};
  for (const work_line& line : shown) {
    const measured_plan& p = line.most;
    const double bytes = static_cast<double>(p.bytes) / static_cast<double>(result.bodies.count);
    table_line cells = names_of(sorted, line.place, sets);
    if (sets && line.all) cells.back().text = "all";
    cells.push_back(cell{per_pair(p.candidates, p)});
    cells.push_back(cell{per_pair(p.tests, p)});
    cells.push_back(cell{figure(bytes)});
    cells.push_back(p.exact() ? cell{"exact"} : cell{"WRONG", red});
    lines.push_back(std::move(cells));
  }
  return table(std::move(lines), sets ? 2 : 1, style);
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::vector<std::string> but_last(names.begin(), names.end() - 1);
  return fmt::format("{} and {}", joined(but_last), names.back());
}

/// The names of the instruction sets that every plan ran with.
std::vector<std::string> sets_in(const bench_result& result) {
  std::vector<std::string> sets;
  for (const measured_plan& p : result.measured) {
    if (p.asked == result.measured.front().asked) sets.emplace_back(name_of(p.instructions));
  }
  return sets;
}

std::string run_in_words(const bench_result& result) {
  std::string words = counted(static_cast<std::uint64_t>(result.steps), "step");
  if (result.move > 0 && result.steps > 1) {
    words += fmt::format(", each after the first moves every body by up to {} of its diameter per axis (seed {})",
                         result.move, result.seed);
  }
  return fmt::format("{}; {}; {}; {} in turns", words, counted(static_cast<std::uint64_t>(result.repeat), "repeat"),
                     counted(static_cast<std::uint64_t>(result.threads), "thread"),
                     sets_in(result).size() > 1 ? "methods and instruction sets" : "methods");
}

/// The processor, and the instruction sets if not just its best one is in use.
std::string machine_in_words(const bench_result& result) {
  if (!result.names_sets) return one_line(result.machine);
  const std::vector<std::string> sets = sets_in(result);
  const std::string named =
      fmt::format("{} {}", sets.size() > 1 ? "instruction sets" : "instruction set", listed(sets));
  return result.machine.empty() ? named : fmt::format("{}; {}", one_line(result.machine), named);
}

std::string setting(const bench_result& result, const text_style& style) {
  labeled_lines lines(style.width);
  lines.add("bodies", in_words(result.bodies));
  std::string pairs = with_commas(result.first_pairs);
  const bool moving = result.steps > 1 && result.move > 0;
  if (moving) {
    pairs += fmt::format(" at the first step, {} at the last", with_commas(result.last_pairs));
  }
  if (result.bodies.count > 0) {
    pairs += fmt::format(", coordination number {:.2f}", coordination_number(result.first_pairs, result.bodies.count));
    if (moving) pairs += fmt::format(" and {:.2f}", coordination_number(result.last_pairs, result.bodies.count));
  }
  lines.add("pairs", fmt::format("{} (the reference, {})", pairs, result.reference));
  lines.add("run", run_in_words(result));
  if (!result.sizes.empty()) {
    std::vector<std::string> sizes;
    for (const std::uint64_t size : result.sizes) sizes.push_back(with_commas(size));
    lines.add("parts", listed(sizes) + " of the bodies, the innermost");
  }
  lines.add("machine", machine_in_words(result));
  if (!result.left_out.empty()) {
    lines.add("left out", fmt::format("{}: above {} bodies, `all` leaves out methods whose time grows as N^2; "
                                      "name them to run them",
                                      listed(result.left_out), with_commas(most_for_quadratic)));
  }
  return lines.text();
}

std::string name_with_set(const bench_result& result, const measured_plan& p) {
  return result.names_sets ? fmt::format("{} with {}", p.asked.text(), name_of(p.instructions)) : p.asked.text();
}

/// What `auto` has chosen, with the reason; once for all sets for which that is the same plan.
std::string choices(const bench_result& result, const text_style& style) {
  struct choice {
    const plan* planned;
    std::vector<std::string> sets;
  };
  std::vector<choice> choices;
  for (const measured_plan& p : result.measured) {
    if (p.asked.method() != "auto") continue;
    auto at = std::find_if(choices.begin(), choices.end(),
                           [&](const choice& c) { return c.planned->text() == p.planned.text(); });
    if (at == choices.end()) at = choices.insert(at, {&p.planned, {}});
    at->sets.emplace_back(name_of(p.instructions));
  }
  std::string words;
  for (const choice& c : choices) {
    const std::string with = choices.size() > 1 ? fmt::format(" with {}", listed(c.sets)) : "";
    const std::string reason = c.planned->reason().empty() ? "" : fmt::format(" ({})", c.planned->reason());
    words += wrapped(fmt::format("auto{} is {} here{}", with, c.planned->text(), reason), style.width, 0) + "\n";
  }
  return words;
}

/// Says what `auto` has chosen, and which plans are wrong.
std::string remarks(const bench_result& result, const text_style& style) {
  std::string words = choices(result, style);
  for (const measured_plan& p : result.measured) {
    if (p.exact()) continue;
    words +=
        wrapped(fmt::format("{} is wrong: {} at step {}, where {} finds {}{}", name_with_set(result, p),
                            counted(p.wrong->pairs, "pair"), p.wrong->step, result.reference,
                            with_commas(p.wrong->right_pairs), p.wrong->pairs == p.wrong->right_pairs ? " others" : ""),
                style.width, 0) +
        "\n";
  }
  return words.empty() ? "" : "\n" + words;
}

}  // namespace

std::string in_words(const bench_result& result, const text_style& style) {
  std::string words = setting(result, style) + "\n";
  if (result.bodies.count == 0) {
    words += "No bodies, so there is nothing to measure.\n";
  } else if (!result.sizes.empty()) {
    words += growth_in_words(result, style);
  } else {
    const sorted_plans sorted = by_time(result);
    words += times(result, sorted, style) + "\n" + bars(result, sorted, style) + "\n" + work(result, sorted, style);
  }
  return words + remarks(result, style);
}

std::string mistakes_in_words(const bench_result& result) {
  std::vector<std::string> wrong;
  for (const measured_plan& p : result.measured) {
    if (!p.exact()) wrong.push_back(name_with_set(result, p));
  }
  return wrong.empty() ? "" : fmt::format("{} found other pairs than {}", listed(wrong), result.reference);
}

}  // namespace abut::cli
