#include <abut/methods.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "screen/json.hpp"
#include "screen/standard_streams.hpp"
#include "screen/words.hpp"
#include "verbs.hpp"

namespace abut::cli {
namespace {

constexpr const char* methods_examples = R"(Examples:
  abut methods
  abut methods --json
  abut find grains.csv --method neighboring-cell --param cell=1.5)";

constexpr std::size_t text_at = 14;

std::string labeled(std::string_view label, std::string_view text, std::size_t width) {
  if (text.empty()) return "";
  return fmt::format("  {:<{}}{}\n", label, text_at - 2, wrapped(text, width, text_at));
}

std::string parameter_in_words(const parameter_info& p, std::size_t name_width, std::size_t width) {
  const std::size_t indent = text_at + name_width + 2;
  const std::string values = fmt::format("{} (default: {})", p.range, p.default_value);
  return fmt::format("{:<{}}{}\n{:{}}{}", p.name, name_width + 2, wrapped(values, width, indent), "", indent,
                     wrapped(p.summary, width, indent));
}

std::string in_words(const method_info& method, std::size_t width, bool bold) {
  std::string words = bold ? fmt::format("\033[1m{}\033[0m\n", method.name) : fmt::format("{}\n", method.name);
  words += fmt::format("  {}\n", wrapped(method.summary, width, 2));
  words += labeled("suits", method.suits, width);
  words += labeled("cost", method.cost, width);
  words += labeled("document", method.document, width);
  std::size_t name_width = 0;
  for (const parameter_info& p : method.parameters) name_width = std::max(name_width, p.name.size());
  const char* label = "parameters";
  for (const parameter_info& p : method.parameters) {
    words += fmt::format("  {:<{}}{}\n", label, text_at - 2, parameter_in_words(p, name_width, width));
    label = "";
  }
  return words;
}

std::string in_json(const method_info& method) {
  std::vector<std::string> parameters;
  for (const parameter_info& p : method.parameters) {
    json_object parameter;
    parameter.add("name", json_string(p.name))
        .add("range", json_string(p.range))
        .add("default", json_string(p.default_value))
        .add("summary", json_string(p.summary));
    parameters.push_back(parameter.text());
  }
  json_object json;
  json.add("name", json_string(method.name))
      .add("document", json_string(method.document))
      .add("summary", json_string(method.summary))
      .add("suits", json_string(method.suits))
      .add("cost", json_string(method.cost))
      .add("quadratic", json_bool(method.quadratic))
      .add("parameters", json_array(parameters));
  return json.text();
}

void print_json() {
  std::string list;
  for (const method_info* method : methods()) list += (list.empty() ? "\n " : ",\n ") + in_json(*method);
  print_out(fmt::format("[{}\n]\n", list));
}

void print_words() {
  const text_style style = style_of_stdout();
  for (const method_info* method : methods()) print_out(in_words(*method, style.width, style.color) + "\n");
  print_out(wrapped("Without --method (or with --method auto), abut chooses one of these for your bodies and says why.",
                    style.width, 0) +
            "\n");
}

}  // namespace

void add_methods(program& to) {
  const auto json = std::make_shared<bool>(false);
  verb methods = to.add_verb("methods", "List the methods, with their parameters and what they suit");
  methods.add_flag("--json", *json, "Print the list as JSON");
  methods.set_footer(methods_examples);
  methods.set_action([json] { *json ? print_json() : print_words(); });
}

}  // namespace abut::cli
