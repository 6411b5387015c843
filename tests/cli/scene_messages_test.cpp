// Messages about scenes and options that once sent people the wrong way.

#include <string>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace scene_messages_test {
namespace {

using program::arguments;

const std::string ball = R"(law = "hooke"
steps = 2
materials.stone.density = 1
interaction.stiffness = 1e3

[[body]]
position = [0, 0, 0]
radius = 0.5
)";

class cli_messages : public ::testing::Test {
 protected:
  /// What the program says of a scene that it refuses, without the end of the line.
  std::string refused(const std::string& scene, arguments more = {}) {
    folder.write("a.toml", scene);
    more.insert(more.begin(), {"run", "a.toml"});
    const auto result = program::run(folder, more);
    EXPECT_EQ(result.code, 2) << result.out;
    return result.err.empty() ? "" : result.err.substr(0, result.err.size() - 1);
  }
  program::folder folder;
};

TEST_F(cli_messages, an_empty_scene_is_no_table_of_numbers) {
  EXPECT_EQ(refused(""), "a.toml: is empty (0 bytes); abut run settling-bed --print prints a scene to start from");
  folder.write("a.csv", "");
  EXPECT_EQ(program::run(folder, {"find", "a.csv"}).err,
            "a.csv: is empty (0 bytes); a file without bodies still needs its header\n");
}

TEST_F(cli_messages, an_unknown_material_has_one_place) {
  const std::string wall = "[[wall]]\nkind = \"box\"\nmin = [-9, -9, -9]\nmax = [9, 9, 9]\nmaterial = \"stnoe\"\n";
  EXPECT_EQ(refused(ball + wall), "a.toml:13:12: wall.0.material is \"stnoe\", did you mean \"stone\"?");
  EXPECT_EQ(refused(ball + "material = \"stnoe\"\n"),
            "a.toml:9:12: body.0.material is \"stnoe\", did you mean \"stone\"?");
}

TEST_F(cli_messages, a_text_without_an_end) {
  for (const char* const line : {"title = \"a ball\n", "title = 'a ball\n"}) {
    const std::string said = refused(line + ball);
    EXPECT_TRUE(said.ends_with(": a text has no end in this line: a closing quote is missing")) << said;
    EXPECT_TRUE(said.starts_with("a.toml:1:")) << said;
  }
  const std::string said = refused("title = \"\"\"a ball\n" + ball);
  EXPECT_TRUE(said.ends_with(": the file ends inside of a text: closing quotes are missing")) << said;
}

TEST_F(cli_messages, a_name_of_several_walls_is_named_once) {
  const std::string box = "[[wall]]\nkind = \"box\"\nname = \"box\"\nmin = [-9, -9, -9]\nmax = [9, 9, 9]\n";
  EXPECT_EQ(refused(ball + box + "[[drive]]\nof = [\"piston\"]\nvelocity = [1, 0, 0]\n"),
            "a.toml:15:7: drive.0.of.0 is \"piston\"; it must be one of box");
}

TEST_F(cli_messages, a_name_is_one_line) {
  const std::string plane = "[[wall]]\nkind = \"plane\"\npoint = [0, 0, -9]\nnormal = [0, 0, 1]\n";
  EXPECT_EQ(refused(ball + plane + "name = \"two\\nlines\"\n"),
            "a.toml:13:8: wall.0.name is \"two\\nlines\"; a name is one line, without control characters");
  EXPECT_TRUE(refused(ball + "name = \"\\u001b[31mred\"\n").starts_with("a.toml:9:8: body.0.name is "));
}

TEST_F(cli_messages, whole_numbers_may_be_written_with_an_exponent) {
  folder.write("a.toml", ball);
  for (const arguments& how : {arguments{"--steps", "1e1"}, arguments{"--set", "steps=1e1"}}) {
    arguments all = {"run", "a.toml"};
    all.insert(all.end(), how.begin(), how.end());
    const auto result = program::run(folder, all);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.out.find(": 10 steps of "), std::string::npos) << result.out;
  }
  EXPECT_EQ(refused(ball, {"--steps", "1.5"}),
            "--steps is \"1.5\"; it must be a whole number from 0 to 1000000000000000");
  EXPECT_EQ(refused(ball, {"--steps", "1e300"}),
            "--steps is \"1e300\"; it must be a whole number from 0 to 1000000000000000");
  EXPECT_EQ(refused(ball, {"--set", "steps=1.5"}),
            "--set steps=1.5: steps is 1.5; it must be a whole number, at least 0");
  EXPECT_EQ(refused(ball, {"--set", "steps=1e300"}),
            "--set steps=1e300: steps is 1e+300; it must be a whole number from 0 to 1000000000000000");
  EXPECT_EQ(refused(ball, {"--set", "steps=-1e3"}),
            "--set steps=-1e3: steps is -1000; it must be a whole number, at least 0");
}

TEST_F(cli_messages, a_short_domain_is_named) {
  folder.write("a.csv", "x,y,z,r\n0,0,0,0.5\n1,0,0,0.5\n");
  const auto result = program::run(folder, {"find", "a.csv", "--periodic", "x", "--domain", "0,1.5,0,9,0,9"});
  EXPECT_EQ(result.code, 2);
  EXPECT_TRUE(result.err.starts_with("--domain 0,1.5,0,9,0,9: a.csv: the periodic side x is 1.5")) << result.err;
}

}  // namespace
}  // namespace scene_messages_test
