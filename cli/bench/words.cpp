// The report of `bench` for people: what was measured, then three tables, the fastest plan first.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr std::string_view heading = "1", red = "1;31", update_color = "36", find_color = "33";

std::string colored(std::string_view text, std::string_view color, const text_style& style) {
  if (!style.color || color.empty() || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", color, text);
}

struct cell {
  std::string text{};
  std::string_view color{};
};
using table_line = std::vector<cell>;

std::string padding(std::string_view text, std::size_t width) {
  const std::size_t length = characters(text);
  return fmt::format("{:{}}", "", width > length ? width - length : 0);
}

/// A table under a heading: names to the left, figures to the right. If it is too wide, names stand on lines of their
/// own.
std::string table(std::vector<table_line> lines, const text_style& style) {
  for (cell& c : lines.front()) c.color = heading;
  std::vector<std::size_t> widths(lines.front().size());
  for (const table_line& cells : lines) {
    for (std::size_t k = 0; k < cells.size(); ++k) widths[k] = std::max(widths[k], characters(cells[k].text));
  }
  const std::size_t rest = std::accumulate(widths.begin() + 1, widths.end(), 2 * (widths.size() - 1));
  const bool apart = widths[0] + rest > style.width;
  std::string text;
  for (const table_line& cells : lines) {
    text += colored(cells[0].text, cells[0].color, style);
    text += apart ? "\n" : padding(cells[0].text, widths[0]);
    for (std::size_t k = 1; k < cells.size(); ++k) {
      text += "  " + padding(cells[k].text, widths[k]) + colored(cells[k].text, cells[k].color, style);
    }
    text += '\n';
  }
  return text;
}

/// 0.123 as "0.12", 12345 as "12,345"; "<0.01" instead of a value that rounds to 0.
std::string figure(double value) {
  if (value > 0 && value < 0.005) return "<0.01";
  if (value >= 999.5) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
  return three_digits(value);
}

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

sorted_plans by_time(const bench_result& result) {
  sorted_plans sorted;
  for (const measured_plan& p : result.measured) sorted.push_back(&p);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const measured_plan* a, const measured_plan* b) { return both(*a) < both(*b); });
  return sorted;
}

std::string times(const bench_result& result, const sorted_plans& sorted, const text_style& style) {
  const bool lasting = result.steps > 1;
  table_line names{cell{"ns per body"}, cell{"plan"}, cell{"update"}, cell{"find"}};
  if (lasting) names.insert(names.begin() + 2, cell{"first update"});
  std::vector<table_line> lines{std::move(names)};
  for (const measured_plan* p : sorted) {
    table_line cells{cell{p->asked.text()}};
    cells.push_back(cell{per_body(p->plan_seconds, result.bodies.count, style)});
    if (lasting) cells.push_back(cell{per_body(p->first_seconds, result.bodies.count, style)});
    cells.push_back(cell{per_body(p->update_seconds, result.bodies.count, style)});
    cells.push_back(cell{per_body(p->find_seconds, result.bodies.count, style)});
    lines.push_back(std::move(cells));
  }
  return table(std::move(lines), style) +
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
  const bool apart = names + 2 + 20 + for_figure > style.width;
  const std::size_t before = apart ? 0 : names + 2;
  const auto room = static_cast<double>(std::max(style.width, before + for_figure + 10) - before - for_figure);
  const double longest = both(*sorted.back());
  std::string lines = colored(title, heading, style) + padding(title, std::max(before, title.size() + 2)) +
                      fmt::format("{} update  {} find  (ns per body)\n", colored(update_sign, update_color, style),
                                  colored(find_sign, find_color, style));
  for (const measured_plan* p : sorted) {
    const auto length = [&](double seconds) {
      return longest > 0 ? static_cast<std::size_t>(std::lround(room * seconds / longest)) : 0;
    };
    const std::size_t update = length(p->update_seconds.median);
    const std::size_t whole = std::max(update, length(both(*p)));
    lines += p->asked.text() + (apart ? "\n" : padding(p->asked.text(), before));
    lines += colored(repeated(update_sign, update), update_color, style);
    lines += colored(repeated(find_sign, whole - update), find_color, style);
    if (whole == 0) lines += colored(style.unicode ? "▏" : "|", update_color, style);
    lines += fmt::format(" {}\n", figure(both(*p) * 1e9 / static_cast<double>(result.bodies.count)));
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
  std::vector<table_line> lines;
  lines.push_back(table_line{cell{"work and memory"}, cell{some ? "candidates/pair" : "candidates"},
                             cell{some ? "tests/pair" : "tests"}, cell{"bytes/body"}, cell{"pairs"}});
  for (const measured_plan* p : sorted) {
    const double bytes = static_cast<double>(p->bytes) / static_cast<double>(result.bodies.count);
    lines.push_back(table_line{cell{p->asked.text()}, cell{per_pair(p->candidates, *p)}, cell{per_pair(p->tests, *p)},
                               cell{figure(bytes)}, p->exact() ? cell{"exact"} : cell{"WRONG", red}});
  }
  return table(std::move(lines), style);
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::vector<std::string> but_last(names.begin(), names.end() - 1);
  return fmt::format("{} and {}", joined(but_last), names.back());
}

std::string run_in_words(const bench_result& result) {
  std::string words = counted(static_cast<std::uint64_t>(result.steps), "step");
  if (result.move > 0 && result.steps > 1) {
    words += fmt::format(", each after the first moves every body by up to {} of its diameter per axis (seed {})",
                         result.move, result.seed);
  }
  return fmt::format("{}; {}; {}; methods in turns", words,
                     counted(static_cast<std::uint64_t>(result.repeat), "repeat"),
                     counted(static_cast<std::uint64_t>(result.threads), "thread"));
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
  lines.add("machine", one_line(result.machine));
  if (!result.left_out.empty()) {
    lines.add("left out", fmt::format("{}: above {} bodies, `all` leaves out methods whose time grows as N^2; "
                                      "name them to run them",
                                      listed(result.left_out), with_commas(most_for_quadratic)));
  }
  return lines.text();
}

/// Says what `auto` has chosen, and which plans are wrong.
std::string remarks(const bench_result& result, const text_style& style) {
  std::string words;
  for (const measured_plan& p : result.measured) {
    if (p.asked.method() != "auto") continue;
    const std::string reason = p.planned.reason().empty() ? "" : fmt::format(" ({})", p.planned.reason());
    words += wrapped(fmt::format("auto is {} here{}", p.planned.text(), reason), style.width, 0) + "\n";
  }
  for (const measured_plan& p : result.measured) {
    if (p.exact()) continue;
    words +=
        wrapped(fmt::format("{} is wrong: {} at step {}, where {} finds {}{}", p.asked.text(),
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
  } else {
    const sorted_plans sorted = by_time(result);
    words += times(result, sorted, style) + "\n" + bars(result, sorted, style) + "\n" + work(result, sorted, style);
  }
  return words + remarks(result, style);
}

std::string mistakes_in_words(const bench_result& result) {
  std::vector<std::string> wrong;
  for (const measured_plan& p : result.measured) {
    if (!p.exact()) wrong.push_back(p.asked.text());
  }
  return wrong.empty() ? "" : fmt::format("{} found other pairs than {}", listed(wrong), result.reference);
}

}  // namespace abut::cli
