// What `bench` tells people: what was measured, then three tables, the quickest plan first.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <unistd.h>

#include <fmt/format.h>

#include "bench/bench.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr std::string_view heading = "1", red = "1;31", update_color = "36", find_color = "33";

std::string colored(std::string_view text, std::string_view color, const look& how) {
  if (!how.color || color.empty() || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", color, text);
}

struct cell {
  std::string text{};
  std::string_view color{};
};
using row_of_cells = std::vector<cell>;

std::string padding(std::string_view text, std::size_t width) {
  const std::size_t length = characters(text);
  return fmt::format("{:{}}", "", width > length ? width - length : 0);
}

/// The first column to the left, the others to the right, under a heading. Where that is wider than the terminal, the
/// first column stands on lines of its own.
std::string table(std::vector<row_of_cells> rows, const look& how) {
  for (cell& c : rows.front()) c.color = heading;
  std::vector<std::size_t> widths(rows.front().size());
  for (const row_of_cells& cells : rows) {
    for (std::size_t k = 0; k < cells.size(); ++k) widths[k] = std::max(widths[k], characters(cells[k].text));
  }
  const std::size_t rest = std::accumulate(widths.begin() + 1, widths.end(), 2 * (widths.size() - 1));
  const bool apart = widths[0] + rest > how.width;
  std::string lines;
  for (const row_of_cells& cells : rows) {
    lines += colored(cells[0].text, cells[0].color, how);
    lines += apart ? "\n" : padding(cells[0].text, widths[0]);
    for (std::size_t k = 1; k < cells.size(); ++k) {
      lines += "  " + padding(cells[k].text, widths[k]) + colored(cells[k].text, cells[k].color, how);
    }
    lines += '\n';
  }
  return lines;
}

/// 0.123 as "0.12", 12345 as "12,345"; what would round to nothing as "<0.01".
std::string figure(double value) {
  if (value > 0 && value < 0.005) return "<0.01";
  if (value >= 999.5) return with_commas(static_cast<std::uint64_t>(std::llround(value)));
  return three_digits(value);
}

/// Of how far values lie apart, two digits are enough.
std::string rough_figure(double value) {
  if (value < 0.005) return "0";
  if (value < 0.095) return fmt::format("{:.2f}", value);
  if (value < 9.95) return fmt::format("{:.1f}", value);
  return with_commas(static_cast<std::uint64_t>(std::llround(value)));
}

std::string_view plus_minus(const look& how) { return how.unicode ? "±" : "+-"; }

std::string per_body(const spread& seconds, std::uint64_t bodies, const look& how) {
  const double scale = 1e9 / static_cast<double>(bodies);
  const double half = (seconds.high - seconds.low) / 2 * scale;
  return fmt::format("{} {}{}", figure(seconds.median * scale), plus_minus(how), rough_figure(half));
}

using sorted_rows = std::vector<const bench_row*>;

double both(const bench_row& r) { return r.update_seconds.median + r.find_seconds.median; }

sorted_rows by_time(const bench_result& result) {
  sorted_rows rows;
  for (const bench_row& r : result.rows) rows.push_back(&r);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const bench_row* a, const bench_row* b) { return both(*a) < both(*b); });
  return rows;
}

std::string times(const bench_result& result, const sorted_rows& sorted, const look& how) {
  const bool lasting = result.steps > 1;
  row_of_cells names{cell{"ns per body"}, cell{"plan"}, cell{"update"}, cell{"find"}};
  if (lasting) names.insert(names.begin() + 2, cell{"first update"});
  std::vector<row_of_cells> rows{std::move(names)};
  for (const bench_row* r : sorted) {
    row_of_cells cells{cell{r->asked.text()}};
    cells.push_back(cell{per_body(r->plan_seconds, result.bodies.count, how)});
    if (lasting) cells.push_back(cell{per_body(r->first_seconds, result.bodies.count, how)});
    cells.push_back(cell{per_body(r->update_seconds, result.bodies.count, how)});
    cells.push_back(cell{per_body(r->find_seconds, result.bodies.count, how)});
    rows.push_back(std::move(cells));
  }
  return table(std::move(rows), how) +
         fmt::format("medians, {} half the distance between the quartiles\n", plus_minus(how));
}

std::string repeated(std::string_view sign, std::size_t count) {
  std::string text;
  for (; count > 0; --count) text += sign;
  return text;
}

std::string bars(const bench_result& result, const sorted_rows& sorted, const look& how) {
  constexpr std::size_t for_figure = 12;
  const std::string_view update_sign = how.unicode ? "█" : "#";
  const std::string_view find_sign = how.unicode ? "▒" : "=";
  constexpr std::string_view title = "update + find";
  std::size_t names = title.size();
  for (const bench_row* r : sorted) names = std::max(names, characters(r->asked.text()));
  const bool apart = names + 2 + 20 + for_figure > how.width;
  const std::size_t before = apart ? 0 : names + 2;
  const auto room = static_cast<double>(std::max(how.width, before + for_figure + 10) - before - for_figure);
  const double longest = both(*sorted.back());
  std::string lines = colored(title, heading, how) + padding(title, std::max(before, title.size() + 2)) +
                      fmt::format("{} update  {} find  (ns per body)\n", colored(update_sign, update_color, how),
                                  colored(find_sign, find_color, how));
  for (const bench_row* r : sorted) {
    const auto length = [&](double seconds) {
      return longest > 0 ? static_cast<std::size_t>(std::lround(room * seconds / longest)) : 0;
    };
    const std::size_t update = length(r->update_seconds.median);
    const std::size_t whole = std::max(update, length(both(*r)));
    lines += r->asked.text() + (apart ? "\n" : padding(r->asked.text(), before));
    lines += colored(repeated(update_sign, update), update_color, how);
    lines += colored(repeated(find_sign, whole - update), find_color, how);
    if (whole == 0) lines += colored(how.unicode ? "▏" : "|", update_color, how);
    lines += fmt::format(" {}\n", figure(both(*r) * 1e9 / static_cast<double>(result.bodies.count)));
  }
  return lines;
}

std::string work(const bench_result& result, const sorted_rows& sorted, const look& how) {
  const bool some =
      std::any_of(sorted.begin(), sorted.end(), [](const bench_row* r) { return r->pairs_of_all_steps > 0; });
  const auto per_pair = [&](std::uint64_t count, const bench_row& r) -> std::string {
    if (!some) return with_commas(count);
    if (r.pairs_of_all_steps == 0) return "-";
    return figure(static_cast<double>(count) / static_cast<double>(r.pairs_of_all_steps));
  };
  std::vector<row_of_cells> rows;
  rows.push_back(row_of_cells{cell{"work and memory"}, cell{some ? "candidates/pair" : "candidates"},
                              cell{some ? "tests/pair" : "tests"}, cell{"bytes/body"}, cell{"pairs"}});
  for (const bench_row* r : sorted) {
    const double bytes = static_cast<double>(r->bytes) / static_cast<double>(result.bodies.count);
    rows.push_back(row_of_cells{cell{r->asked.text()}, cell{per_pair(r->candidates, *r)}, cell{per_pair(r->tests, *r)},
                                cell{figure(bytes)}, r->exact() ? cell{"exact"} : cell{"WRONG", red}});
  }
  return table(std::move(rows), how);
}

std::string joined(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::vector<std::string> but_last(names.begin(), names.end() - 1);
  return fmt::format("{} and {}", fmt::join(but_last, ", "), names.back());
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

std::string setting(const bench_result& result, const look& how) {
  labeled_lines lines(how.width);
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
    lines.add("left out", fmt::format("{}: above {} bodies, `all` leaves out methods whose time grows as the square; "
                                      "name them to run them",
                                      joined(result.left_out), with_commas(most_for_quadratic)));
  }
  return lines.text();
}

/// What `auto` stands for, and what went wrong.
std::string remarks(const bench_result& result, const look& how) {
  std::string words;
  for (const bench_row& r : result.rows) {
    if (r.asked.method() != "auto") continue;
    const std::string reason = r.planned.reason().empty() ? "" : fmt::format(" ({})", r.planned.reason());
    words += wrapped(fmt::format("auto is {} here{}", r.planned.text(), reason), how.width, 0) + "\n";
  }
  for (const bench_row& r : result.rows) {
    if (r.exact()) continue;
    words +=
        wrapped(fmt::format("{} is wrong: {} at step {}, where {} finds {}{}", r.asked.text(),
                            counted(r.wrong->pairs, "pair"), r.wrong->step, result.reference,
                            with_commas(r.wrong->right_pairs), r.wrong->pairs == r.wrong->right_pairs ? " others" : ""),
                how.width, 0) +
        "\n";
  }
  return words.empty() ? "" : "\n" + words;
}

}  // namespace

look look_of_stdout() {
  // Long lines are hard to read, however wide the terminal.
  constexpr std::size_t narrowest = 40, widest = 100;
  look how;
  how.width = std::clamp(terminal_width(STDOUT_FILENO), narrowest, widest);
  how.color = ::isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  how.unicode = utf8_locale();
  return how;
}

std::string in_words(const bench_result& result, const look& how) {
  std::string words = setting(result, how) + "\n";
  if (result.bodies.count == 0) {
    words += "No bodies, so there is nothing to measure.\n";
  } else {
    const sorted_rows sorted = by_time(result);
    words += times(result, sorted, how) + "\n" + bars(result, sorted, how) + "\n" + work(result, sorted, how);
  }
  return words + remarks(result, how);
}

std::string mistakes_in_words(const bench_result& result) {
  std::vector<std::string> wrong;
  for (const bench_row& r : result.rows) {
    if (!r.exact()) wrong.push_back(r.asked.text());
  }
  return wrong.empty() ? "" : fmt::format("{} found other pairs than {}", joined(wrong), result.reference);
}

}  // namespace abut::cli
