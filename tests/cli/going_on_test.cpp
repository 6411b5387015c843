// Runs and their folders: one run at a time, files that were cut short, and what a run says about going on.

#include <csignal>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace going_on_test {
namespace {

using program::arguments;
namespace fs = std::filesystem;

/// A disc that hops on a floor.
const std::string hopping = R"(dimension = 2
law = "hooke"
gravity = [0, -10]
steps = 300
time_step = 1e-3

[materials.rubber]
density = 1

[interaction]
stiffness = 1e3
restitution = 0.9

[[wall]]
kind = "plane"
name = "floor"
point = [0, 0]
normal = [0, 1]

[[body]]
position = [0, 0.7]
radius = 0.5

[output]
every = 30
)";

class cli_going_on : public ::testing::Test {
 protected:
  void SetUp() override { folder.write("a.toml", hopping); }

  program::result ran(arguments args) {
    args.insert(args.begin(), "run");
    args.insert(args.end(), {"--threads", "1"});
    return program::run(folder, args);
  }
  std::string good(const arguments& args) {
    const auto result = ran(args);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }
  void expect_refused(const arguments& args, const std::string& message) {
    const auto result = ran(args);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, message + "\n");
  }

  program::folder folder;
};

TEST_F(cli_going_on, a_folder_is_written_by_one_run_at_a_time) {
  program::running first(folder, {"run", "a.toml", "--steps", "1000000000", "--threads", "1", "--out", "out", "--set",
                                  "output.every=1e6"});
  while (!first.ended() && !fs::exists(folder.path() / "out/walls.vtp")) ::usleep(5'000);
  const std::string rest = "; wait until that has ended, or name another folder\n";
  for (const arguments& args : {arguments{"a.toml", "--out", "out"}, arguments{"a.toml", "--out", "out", "--force"}}) {
    const auto second = ran(args);
    EXPECT_EQ(second.code, 2);
    EXPECT_TRUE(second.err.starts_with("--out out is being written by another run")) << second.err;
    EXPECT_TRUE(second.err.ends_with(rest)) << second.err;
  }
  EXPECT_FALSE(first.ended());
  first.signal(SIGKILL);
  first.wait();
  good({"a.toml", "--out", "out", "--force"});  // what was killed keeps nothing locked
}

}  // namespace
}  // namespace going_on_test
