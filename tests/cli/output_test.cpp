// What the program writes, and what happens if it cannot: standard output, links, files.

#include <gtest/gtest.h>

#include "cli/known_constants.hpp"
#include "run_program.hpp"

namespace output_test {
namespace {

namespace fs = std::filesystem;
using program::arguments;
using program::run;

class cli_output : public ::testing::Test {
 protected:
  cli_output() { folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n"); }
  /// Runs a command in a shell, for redirections; returns the exit code.
  [[nodiscard]] int shell(const std::string& redirected) const {
    const std::string command =
        "cd '" + folder.path().string() + "' && ABUT_CACHE=cache '" + program::file() + "' " + redirected;
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void link(const std::string& to, const std::string& name) const { fs::create_symlink(to, folder.path() / name); }
  [[nodiscard]] bool is_link(const std::string& name) const { return fs::is_symlink(folder.path() / name); }

  program::folder folder;
};

TEST_F(cli_output, that_cannot_be_written_is_an_error_of_every_verb) {
  link("/dev/full", "full");
  const arguments all[] = {
      {"find", "g.csv"},
      {"find", "g.csv", "--json"},
      {"plan", "g.csv"},
      {"bench", "g.csv", "--repeat", "1"},
      {"bench", "g.csv", "--repeat", "1", "--json"},
      {"bench", "planner", "--quick", "--only", "handful"},
      {"generate", "lattice", "--count", "10", "--out", "a.npy"},
      {"methods"},
      {"methods", "--json"},  // more than a buffer holds, so printing fails before the end
      {"--help"},
      {"find", "--help"},
      {"--version"},
  };
  program::write_constants(folder);
  for (const arguments& args : all) {
    const auto result = run(folder, args, {.standard_output = "full"});
    EXPECT_EQ(result.code, 2) << args[0];
    EXPECT_EQ(result.err, "standard output: cannot write: No space left on device\n") << args[0];
  }
}

TEST_F(cli_output, that_is_closed_is_an_error_and_gets_into_no_file) {
  EXPECT_EQ(shell("find g.csv --pairs out.csv >&- 2>err"), 2);
  EXPECT_EQ(folder.read("err"), "standard output: cannot write: Bad file descriptor\n");
  EXPECT_EQ(folder.read("out.csv"), "i,j\n0,1\n");
  EXPECT_EQ(shell("find g.csv --pairs out.csv <&- >&- 2>&-"), 2);
  EXPECT_EQ(folder.read("out.csv"), "i,j\n0,1\n");
}

TEST_F(cli_output, errors_that_cannot_be_told_keep_their_exit_code) {
  EXPECT_EQ(shell("find nothing.csv 2>/dev/full"), 2);
  EXPECT_EQ(shell("find nothing.csv 2>&-"), 2);
  EXPECT_EQ(shell("plan g.csv >/dev/null 2>/dev/full"), 0);
}

TEST_F(cli_output, goes_through_links_that_lead_nowhere_yet) {
  fs::create_directory(folder.path() / "far");
  link("far/one.csv", "near.csv");
  link("near.csv", "chain.csv");
  link((folder.path() / "far" / "two.npy").string(), "absolute.npy");
  EXPECT_EQ(run(folder, {"find", "g.csv", "--pairs", "chain.csv"}).code, 0);
  EXPECT_EQ(folder.read("far/one.csv"), "i,j\n0,1\n");
  EXPECT_EQ(run(folder, {"generate", "lattice", "--count", "10", "--out", "absolute.npy"}).code, 0);
  EXPECT_TRUE(fs::is_regular_file(folder.path() / "far" / "two.npy"));
  for (const char* name : {"near.csv", "chain.csv", "absolute.npy"}) EXPECT_TRUE(is_link(name)) << name;
  const auto again = run(folder, {"find", "g.csv", "--margin", "9", "--pairs", "chain.csv"});  // now the file exists
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(is_link("near.csv"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path() / "far"), {}), 2);
}

TEST_F(cli_output, refuses_links_that_it_cannot_go_through_and_keeps_them) {
  link("b.csv", "a.csv");
  link("a.csv", "b.csv");
  link("nowhere/one.csv", "lost.csv");
  const auto circle = run(folder, {"find", "g.csv", "--pairs", "a.csv"});
  EXPECT_EQ(circle.code, 2);
  EXPECT_EQ(circle.err, "a.csv: cannot write: Too many levels of symbolic links\n");
  const auto lost = run(folder, {"find", "g.csv", "--pairs", "lost.csv"});
  EXPECT_EQ(lost.code, 2);
  EXPECT_EQ(lost.err, "lost.csv: there is no folder \"./nowhere\"; make it first\n");
  EXPECT_TRUE(is_link("a.csv"));
  EXPECT_TRUE(is_link("lost.csv"));
  std::string long_name(300, 'a');
  long_name += ".csv";
  const auto too_long = run(folder, {"find", "nothing.csv", "--pairs", long_name});
  EXPECT_NE(too_long.err.find("cannot write: File name too long"), std::string::npos) << too_long.err;
}

TEST_F(cli_output, shows_zero_bytes_in_messages) {
  using namespace std::string_literals;
  const struct {
    const char* name;
    std::string content;
    const char* line;
  } cases[] = {
      {"g.csv", "x,y,r\n0,1\0 2,1\n"s, "g.csv:2: row 0, column y: \"1\\x00 2\" is not a number\n"},
      {"h.csv", "x,y,r\n0,\"1\0\",1\n"s, "h.csv:2: row 0, column y: \"1\\x00\" is not a number\n"},
      {"g.dump", "ITEM: TIMESTEP\n0\n\0hello\n"s,
       "g.dump:3: \"\\x00hello\" where a section (ITEM: ...) should begin\n"},
      {"h.dump", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS \0x y z\n0 0 0\n"s,
       "h.dump:5: missing column x; the header has \\x00x, y, z\n"},
      {"i.dump", "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS x y radius \0q\n0 0 1\n"s,
       "i.dump:6: row 0 has 3 of 4 columns, none for \"\\x00q\"; the file may be cut short\n"},
      {"g.npy", "\x93NUMP\0?"s,
       "g.npy: is not an .npy file (it starts with \"\\x93NUMP\\x00\"); save the array with numpy.save\n"},
  };
  for (const auto& c : cases) {
    folder.write(c.name, c.content);
    const auto result = run(folder, {"find", c.name});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, c.line);
  }
}

}  // namespace
}  // namespace output_test
