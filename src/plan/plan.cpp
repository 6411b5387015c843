#include <abut/plan.hpp>

#include <algorithm>
#include <cmath>

#include <abut/error.hpp>
#include <abut/methods.hpp>

#include "base/text.hpp"

namespace abut {

namespace {

constexpr std::string_view space = " \t\r\n";

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(space));
  text.remove_prefix(word.size());
  return word;
}

// Whether a number lies in a range that is written as in the table of methods: "> 0", ">= 0", "1 to 64".
bool in_range(double v, std::string_view range) {
  double a = 0;
  double b = 0;
  if (range.starts_with(">= ")) return parse_number(range.substr(3), a) && v >= a;
  if (range.starts_with("> ")) return parse_number(range.substr(2), a) && v > a;
  const auto ends = split(range, " to ");
  return ends.size() == 2 && parse_number(ends[0], a) && parse_number(ends[1], b) && v >= a && v <= b;
}

std::vector<std::string_view> methods_but(std::string_view method) {
  std::vector<std::string_view> names;
  for (const method_info* other : methods()) {
    if (other->name != method) names.push_back(other->name);
  }
  return names;
}

// Checks a value against the parameter's range in the table of methods, the only place that says what is allowed:
// "center | cover" for words, "another method" for a method's name, "> 0" for numbers, "integer 1 to 64" for integers.
void check_value(std::string_view method, const parameter_info& p, std::string_view value) {
  const std::string named = std::string(method) + "'s " + std::string(p.name) + " is \"" + std::string(value) + "\"";
  if (p.range == "another method") {
    const auto names = methods_but(method);
    if (std::find(names.begin(), names.end(), value) != names.end()) return;
    throw error(named + "; it must be the name of another method" + did_you_mean(value, names));
  }
  if (p.range.find(" | ") != std::string_view::npos) {
    const auto words = split(p.range, " | ");
    if (std::find(words.begin(), words.end(), value) != words.end()) return;
    throw error(named + "; it must be one of " + std::string(p.range) + did_you_mean(value, words));
  }
  constexpr std::string_view integer = "integer ";
  const bool whole = p.range.starts_with(integer);
  double number = 0;
  if (parse_number(value, number) && in_range(number, p.range.substr(whole ? integer.size() : 0)) &&
      (!whole || std::floor(number) == number)) {
    return;
  }
  throw error(named + "; it must be a number " + std::string(p.range));
}

}  // namespace

plan::plan() : method_("auto") {}

plan::plan(std::string_view text) {
  method_ = next_word(text);
  if (method_.empty()) throw error("an empty plan; write a method's name, or \"auto\"");
  if (method_ != "auto") method_ = method_named(method_).name;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      throw error("\"" + std::string(word) + "\" in a plan; write parameters as key=value");
    }
    set(word.substr(0, equals), word.substr(equals + 1));
  }
}

plan& plan::set(std::string_view name, std::string_view value) {
  if (method_ == "auto") {
    throw error("parameter " + std::string(name) + " without a method; name the method that it belongs to");
  }
  const method_info& method = method_named(method_);
  std::vector<std::string_view> names;
  for (const parameter_info& p : method.parameters) {
    names.push_back(p.name);
    if (p.name != name) continue;
    check_value(method_, p, value);
    const auto old =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const auto& q) { return q.first == name; });
    if (old != parameters_.end()) {
      old->second = value;
    } else {
      parameters_.emplace_back(name, value);
    }
    return *this;
  }
  std::string guess = did_you_mean(name, names);
  if (guess.empty()) guess = names.empty() ? "; it has none" : "; it has";
  if (guess == "; it has") {
    for (const std::string_view known : names) guess.append(known == names.front() ? " " : ", ").append(known);
  }
  throw error(method_ + " has no parameter \"" + std::string(name) + "\"" + guess);
}

plan& plan::because(std::string reason) {
  reason_ = std::move(reason);
  return *this;
}

std::optional<std::string_view> plan::parameter_value(std::string_view name) const {
  for (const auto& [key, value] : parameters_) {
    if (key == name) return value;
  }
  return {};
}

std::string plan::text() const {
  std::string line = method_;
  for (const auto& [key, value] : parameters_) line.append(" ").append(key).append("=").append(value);
  return line;
}

}  // namespace abut
