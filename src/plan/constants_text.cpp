#include "plan/constants_text.hpp"

#include <algorithm>
#include <map>

#include <abut/error.hpp>

#include "base/text.hpp"

namespace abut {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  return "\"" + std::string(text.substr(0, most)) + (text.size() > most ? "...\"" : "\"");
}

// The constants built in for a set of vector instructions, which this machine need not have.
cost_constants built_in(std::string_view word) {
  constexpr std::string_view in_use = "built-in";
  if (word == in_use) return cost_constants();
  std::vector<std::string_view> words{in_use};
  std::string list(in_use);
  for (const instruction_set set : all_instruction_sets) {
    if (word == name_of(set)) return cost_constants(set);
    words.emplace_back(name_of(set));
    list.append(", ").append(name_of(set));
  }
  std::string guess = did_you_mean(word, words);
  if (guess.empty()) guess = "; give one of " + list + ", or the text of abut::constants()";
  throw error("unknown constants " + quoted(word) + guess);
}

const cost& cost_named(std::string_view name, const std::string& where) {
  std::vector<std::string_view> names;
  for (const cost* one : all_costs()) {
    if (one->name == name) return *one;
    names.push_back(one->name);
  }
  std::string guess = did_you_mean(name, names);
  if (guess.empty()) guess = "; abut::constants() has a line for each that there is";
  throw error(where + "unknown constant " + quoted(name) + guess);
}

// Reads the lines and notes in which of them each constant stands.
class constant_lines {
 public:
  void read(std::string_view line) {
    number_ += 1;
    line = trimmed(line);
    if (line.empty()) return;
    const std::string where = "constants, line " + std::to_string(number_) + ": ";
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    const cost& named = cost_named(line.substr(0, end), where);
    const std::string_view value = trimmed(line.substr(end));
    double ns = 0;
    if (!parse_number(value, ns) || !(ns > 0 && ns < 1e9)) {
      throw error(where + std::string(named.name) + " is " + quoted(value) +
                  "; it must be a time in ns, > 0 and < 1e9");
    }
    const auto [first, fresh] = line_of_.emplace(&named, number_);
    if (!fresh) {
      throw error(where + std::string(named.name) + " stands in line " + std::to_string(first->second) +
                  " already; keep one of them");
    }
    constants_[named] = ns;
  }

  // The constants, if there is a line for each.
  [[nodiscard]] const cost_constants& all() const {
    for (const cost* one : all_costs()) {
      if (!line_of_.contains(one)) {
        throw error("constants: a line for " + std::string(one->name) + " is missing; abut::constants() has all " +
                    std::to_string(all_costs().size()) + " lines");
      }
    }
    return constants_;
  }

 private:
  cost_constants constants_;
  std::map<const cost*, std::size_t> line_of_;
  std::size_t number_ = 0;
};

}  // namespace

std::string constants_text(const cost_constants& c) {
  std::string text;
  for (const cost* one : all_costs()) text.append(one->name).append(" ").append(number_text(c[*one])).append("\n");
  return text;
}

cost_constants read_constants(std::string_view text) {
  const bool one_word = text.find_first_of(" \t\r\n") == std::string_view::npos;
  if (one_word) return built_in(text);
  constant_lines lines;
  for (const std::string_view line : split(text, "\n")) lines.read(line);
  return lines.all();
}

void check_constants(std::string_view text) {
  if (!text.empty()) (void)read_constants(text);
}

}  // namespace abut
