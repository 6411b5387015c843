// The program's help, version and the verb `methods`.

#include <sstream>

#include <gtest/gtest.h>

#include <abut/methods.hpp>
#include <abut/version.hpp>

#include "run_program.hpp"

namespace methods_test {
namespace {

using program::run;

TEST(cli_help, exits_0_and_has_examples) {
  const program::folder folder;
  for (const program::arguments& args :
       {program::arguments{}, {"--help"}, {"-h"}, {"find", "--help"}, {"methods", "-h"}}) {
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_NE(result.out.find("\nExamples:\n  abut "), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("Usage: abut "), std::string::npos) << result.out;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 84U) << line;
  }
}

TEST(cli_help, version) {
  const auto result = run(program::folder(), {"--version"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "abut " ABUT_VERSION "\n");
}

TEST(cli_methods, json_is_the_table) {
  const auto result = run(program::folder(), {"methods", "--json"});
  EXPECT_EQ(result.code, 0);
  const program::json_members json(result.out);
  const auto all = abut::methods();
  for (std::size_t m = 0; m < all.size(); ++m) {
    const std::string at = std::to_string(m) + ".";
    EXPECT_EQ(json[at + "name"], all[m]->name);
    EXPECT_EQ(json[at + "document"], all[m]->document);
    EXPECT_EQ(json[at + "summary"], all[m]->summary);
    EXPECT_EQ(json[at + "suits"], all[m]->suits);
    for (std::size_t p = 0; p < all[m]->parameters.size(); ++p) {
      const std::string of = at + "parameters." + std::to_string(p) + ".";
      EXPECT_EQ(json[of + "name"], all[m]->parameters[p].name);
      EXPECT_EQ(json[of + "range"], all[m]->parameters[p].range);
      EXPECT_EQ(json[of + "default"], all[m]->parameters[p].default_value);
      EXPECT_EQ(json[of + "summary"], all[m]->parameters[p].summary);
    }
  }
  EXPECT_FALSE(json.has(std::to_string(all.size()) + ".name"));
}

TEST(cli_methods, words_fit_80_columns_and_name_everything) {
  const auto result = run(program::folder(), {"methods"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out.find('\033'), std::string::npos);
  std::string flat;  // without line breaks
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    flat += line.substr(std::min(line.find_first_not_of(' '), line.size())) + " ";
  }
  for (const abut::method_info* method : abut::methods()) {
    for (const std::string_view text : {method->name, method->document, method->summary, method->suits}) {
      EXPECT_NE(flat.find(text), std::string::npos) << text << " in\n" << result.out;
    }
    for (const abut::parameter_info& p : method->parameters) {
      for (const std::string_view text : {p.name, p.range, p.default_value, p.summary}) {
        EXPECT_NE(flat.find(text), std::string::npos) << text << " in\n" << result.out;
      }
    }
  }
}

}  // namespace
}  // namespace methods_test
