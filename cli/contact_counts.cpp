#include "contact_counts.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace abut::cli {
namespace {

/// A line of the chart: the bodies with `from` to `to` contacts.
struct bin {
  std::uint64_t from = 0, to = 0, bodies = 0;

  [[nodiscard]] std::string label() const {
    return from == to ? with_commas(from) : fmt::format("{}-{}", with_commas(from), with_commas(to));
  }
};

constexpr std::uint64_t most_lines = 12;
constexpr double most_outside = 0.01;  // the share of bodies that the last line may hold

/// The number of contacts that all but a few bodies reach at most.
std::uint64_t usual_most(const coordination_histogram& histogram) {
  std::uint64_t all = 0, above = 0;
  for (const bodies_with& h : histogram) all += h.bodies;
  for (std::size_t k = histogram.size(); k-- > 0;) {
    above += histogram[k].bodies;
    if (static_cast<double>(above) > most_outside * static_cast<double>(all)) return histogram[k].contacts;
  }
  return 0;
}

/// The least of 1, 2, 5, 10, 20, ... with which the range fits into the chart. Lines begin at its multiples.
std::uint64_t width_for(std::uint64_t least, std::uint64_t most) {
  for (std::uint64_t power = 1;; power *= 10) {
    for (const std::uint64_t width : {power, 2 * power, 5 * power}) {
      if (most / width - least / width < most_lines) return width;
    }
  }
}

std::vector<bin> bins_of(const coordination_histogram& histogram) {
  const std::uint64_t least = histogram.front().contacts, most = histogram.back().contacts;
  // If all fits, there is no need for a line that holds the rest.
  const std::uint64_t usual = most - least < most_lines ? most : usual_most(histogram);
  const std::uint64_t width = width_for(least, usual);
  const std::uint64_t start = least / width * width;
  std::vector<bin> bins;
  for (std::uint64_t from = start; from <= usual; from += width) bins.push_back({from, from + width - 1, 0});
  if (bins.back().to > most) bins.back().to = most;
  if (bins.back().to < most) bins.push_back({bins.back().to + 1, most, 0});
  for (const bodies_with& h : histogram) {
    const std::uint64_t place = std::min<std::uint64_t>((h.contacts - start) / width, bins.size() - 1);
    bins[place].bodies += h.bodies;
  }
  return bins;
}

/// A bar of this length, in characters. What is not nothing is seen.
std::string bar(double length, bool unicode) {
  std::string text;
  if (length <= 0) return text;
  if (!unicode) return text.append(static_cast<std::size_t>(std::max(1.0, length + 0.5)), '#');
  constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto parts = static_cast<std::size_t>(std::max(1.0, 8 * length + 0.5));
  for (std::size_t k = 0; k < parts / 8; ++k) text += "█";
  return text + eighths[parts % 8];
}

}  // namespace

void contact_counts::add(std::span<const pair> pairs) {
  for (const pair p : pairs) {
    ++of_body_[p.i];
    ++of_body_[p.j];
  }
}

coordination_histogram contact_counts::histogram() const {
  // Nearly all bodies have few contacts, and are counted in a table. A body may have as many as there are others.
  constexpr std::uint32_t few = 256;
  std::vector<std::uint64_t> table(few);
  std::vector<std::uint32_t> many;
  for (const std::uint32_t contacts : of_body_) {
    if (contacts < few) {
      ++table[contacts];
    } else {
      many.push_back(contacts);
    }
  }
  coordination_histogram result;
  for (std::uint32_t k = 0; k < few; ++k) {
    if (table[k] > 0) result.push_back({k, table[k]});
  }
  std::sort(many.begin(), many.end());
  for (const std::uint32_t contacts : many) {
    if (result.empty() || result.back().contacts != contacts) result.push_back({contacts, 0});
    ++result.back().bodies;
  }
  return result;
}

std::vector<std::string> bar_chart(const coordination_histogram& histogram, const text_style& style,
                                   std::size_t indent) {
  if (histogram.empty()) return {};
  const std::vector<bin> bins = bins_of(histogram);
  std::size_t label_width = 0, count_width = 0;
  std::uint64_t highest = 0;
  for (const bin& b : bins) {
    label_width = std::max(label_width, b.label().size());
    count_width = std::max(count_width, with_commas(b.bodies).size());
    highest = std::max(highest, b.bodies);
  }
  const std::string unit = bins.front().bodies == 1 ? " body  " : " bodies";
  constexpr std::size_t gap = 2, least_room = 4, most_room = 50;
  const std::size_t taken = indent + label_width + gap + count_width + unit.size() + gap;
  const std::size_t room = style.width < taken + least_room ? 0 : std::min(most_room, style.width - taken);
  std::vector<std::string> lines;
  for (const bin& b : bins) {
    const double share = static_cast<double>(b.bodies) / static_cast<double>(highest);
    std::string line = fmt::format("{:>{}}  {:>{}}{}  {}", b.label(), label_width, with_commas(b.bodies), count_width,
                                   lines.empty() ? unit : std::string(unit.size(), ' '),
                                   room == 0 ? "" : bar(share * static_cast<double>(room), style.unicode));
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace abut::cli
