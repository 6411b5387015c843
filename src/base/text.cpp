#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>

namespace abut {

namespace {

// The edit distance of two words: insertions, deletions, replacements and swaps of adjacent letters, ignoring case.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> right) {
  std::string_view best;
  std::size_t fewest = wrong.size() / 3 + 1;  // a more distant guess confuses more than it helps
  for (const std::string_view name : right) {
    // A long enough prefix counts as near: "neighbring" for "neighboring-cell".
    std::size_t distance = edits(wrong, name);
    if (wrong.size() >= 3) {
      for (const std::size_t length : {wrong.size(), wrong.size() + 1}) {
        distance = std::min(distance, 1 + edits(wrong, name.substr(0, length)));
      }
    }
    if (distance < fewest || (distance == fewest && best.empty())) {
      fewest = distance;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> right) {
  const std::string_view near = nearest_name(wrong, right);
  return near.empty() ? std::string() : ", did you mean \"" + std::string(near) + "\"?";
}

std::vector<std::string_view> split(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(mark);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + mark.size());
  }
}

std::string number_text(double value) {
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

std::string tenths(double value) { return number_text(std::round(value * 10) / 10); }

std::string about(double value) {
  if (value >= 9.95) return number_text(std::round(value));
  if (value >= 0.095) return tenths(value);
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3);
  return {text, end.ptr};
}

bool parse_number(std::string_view text, double& value) {
  // A stream, because WebAssembly's standard library has no from_chars for doubles.
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  in.exceptions(std::ios_base::badbit);  // to be out of memory says nothing about the number
  in >> std::noskipws >> value;
  return !in.fail() && in.peek() == std::char_traits<char>::eof() && std::isfinite(value);
}

}  // namespace abut
