// What the program writes, and where it cannot: standard output, links, files.

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace {

namespace fs = std::filesystem;
using program::arguments;
using program::run;

class cli_output : public ::testing::Test {
 protected:
  cli_output() { folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n"); }
  /// Through a shell, for redirections; the exit code.
  [[nodiscard]] int shell(const std::string& redirected) const {
    const std::string command =
        "cd '" + folder.path().string() + "' && ABUT_CACHE=cache '" ABUT_PROGRAM "' " + redirected;
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
      {"methods", "--json"},  // more than a buffer holds: it fails while printing, not at the end
      {"--help"},
      {"find", "--help"},
      {"--version"},
  };
  run(folder, {"plan", "g.csv"});  // measures the constants, and says so
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

}  // namespace
