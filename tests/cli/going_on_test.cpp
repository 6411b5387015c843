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

  /// All files of a run, as one text.
  [[nodiscard]] std::string files(const std::string& of) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path() / of)) {
      if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder.path() / of).string());
    }
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += name + "\n" + folder.read(of + "/" + name) + "\n";
    return all;
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

TEST_F(cli_going_on, the_report_names_the_scene_and_what_goes_on) {
  program::running process(
      folder, {"run", "a.toml", "--steps", "1000000000", "--threads", "1", "--method", "grid levels=1", "--out",
               "my runs", "--set", "output.every=1e6", "--set", "title=hops"});
  while (!process.ended() && !fs::exists(folder.path() / "my runs/walls.vtp")) ::usleep(5'000);
  ::usleep(100'000);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 130) << process.err();
  const std::string said = process.out();
  EXPECT_NE(said.find(" of 1,000,000,000 steps of 0.001; stopped by"), std::string::npos) << said;
  EXPECT_NE(said.find("\ngoes on   by abut run --resume 'my runs' --threads 1 --method 'grid levels=1'\n"),
            std::string::npos)
      << said;
}

TEST_F(cli_going_on, a_run_without_steps_says_so) {
  const std::string none = good({"a.toml", "--steps", "0", "--out", "none"});
  EXPECT_NE(none.find("nothing: 0 steps of 0.001; this is the start\n"), std::string::npos) << none;
  EXPECT_NE(none.find("\nlost      0 dissipated\n"), std::string::npos) << none;
  EXPECT_EQ(folder.read("none/series.csv").find("-0,"), std::string::npos);
  for (const std::string key : {"steps", "time"}) {
    std::string scene = hopping;
    scene.replace(scene.find("steps = 300"), 11, key + " = 0");
    folder.write("b.toml", scene);
    const std::string line = "b.toml:4:" + std::to_string(key.size() + 4) + ": " + key +
                             " is 0, so nothing is simulated, and files show the start (--steps 0 asks for that)";
    EXPECT_EQ(ran({"b.toml"}).err, "warning: " + line + "\n");
    expect_refused({"b.toml", "--strict"}, line);
    EXPECT_EQ(ran({"b.toml", "--steps", "3"}).err, "");
  }
  good({"a.toml", "--out", "out"});
  expect_refused(
      {"--resume", "out", "--steps", "200"},
      "out/checkpoint.abut: 300 steps were made already, and the scene asks for 200; steps and time count from "
      "the start of the first run");
  const std::string said = good({"--resume", "out"});
  EXPECT_NE(said.find(": 300 steps of 0.001; nothing was left to do\n"), std::string::npos) << said;
  EXPECT_EQ(said.find("\nspeed"), std::string::npos) << said;
}

TEST_F(cli_going_on, a_run_that_ends_without_bodies_has_nothing_to_count) {
  folder.write("b.toml", hopping + "[[remove]]\npoint = [0, 10]\nnormal = [0, -1]\nevery = 10\n");
  const std::string said = good({"b.toml"});
  EXPECT_NE(said.find("\nflow      removed 1; 0 at the end\n"), std::string::npos) << said;
  EXPECT_NE(said.find("\ncontacts  none: there are no bodies at the end\n"), std::string::npos) << said;
  EXPECT_NE(said.find("\nhash      none, without bodies\n"), std::string::npos) << said;
  EXPECT_EQ(said.find("million bodies"), std::string::npos) << said;
}

TEST_F(cli_going_on, a_run_that_goes_on_has_the_name_of_its_scene) {
  good({"a.toml", "--set", "title=hops", "--out", "out"});
  const std::string said = good({"--resume", "out", "--steps", "400"});
  EXPECT_TRUE(said.starts_with("scene     a.toml: hops\n")) << said;
}

TEST_F(cli_going_on, rows_of_the_series_that_are_missing_are_noticed) {
  good({"a.toml", "--out", "whole"});
  good({"a.toml", "--out", "out", "--steps", "200"});
  const std::string series = folder.read("out/series.csv");
  const std::size_t start = series.find('\n') + 1, second = series.find("\n30,") + 1, third = series.find("\n60,") + 1;
  const arguments again = {"--resume", "out", "--steps", "300"};
  const auto expect = [&](const std::string& left, const std::string& how) {
    folder.write("out/series.csv", left);
    expect_refused(
        again, "out/series.csv: " + how + "; put the file back as it was, or add --force to go on without these rows");
    EXPECT_EQ(folder.read("out/series.csv"), left);
  };
  expect(series.substr(0, third),
         "rows are missing: the last is of step 30, and the run goes on from 200, with a row each 30 steps");
  expect(series.substr(0, start) + series.substr(second),
         "rows are missing: the first is of step 30, and the run began at 0");
  expect(series.substr(0, start), "has no rows, and the run goes on from step 200");
  expect("", "has no rows, and the run goes on from step 200");
  fs::remove(folder.path() / "out/series.csv");
  expect_refused(again,
                 "out/series.csv: has no rows, and the run goes on from step 200; put the file back as it was, or add "
                 "--force to go on without these rows");
  folder.write("out/series.csv", series.substr(0, series.rfind("\n200,") + 1));
  good(again);
  EXPECT_EQ(folder.read("out/series.csv"), folder.read("whole/series.csv"));
  for (const char* left : {"", "none"}) {
    good({"a.toml", "--out", "out", "--steps", "200", "--force"});
    folder.write("out/series.csv", left);
    if (*left != 0) fs::remove(folder.path() / "out/series.csv");
    good({"--resume", "out", "--steps", "300", "--force"});
    const std::string rest = folder.read("out/series.csv");
    EXPECT_EQ(rest.substr(0, start), series.substr(0, start));
    EXPECT_EQ(rest.substr(start, 4), "210,");
  }
}

/// Discs in a dense lattice: their contacts take more bytes than all that a checkpoint has.
const std::string dense = R"(dimension = 2
law = "linear"
steps = 40
time_step = 1e-4

[materials.rubber]
density = 1

[interaction]
stiffness = 1e3

[[bodies]]
generate = "touching"
arrangement = "hexagonal"
count = 2000
diameter = 1.0

[[wall]]
kind = "box"
around = true
name = "box"

[output]
every = 5
frames = 4
frame_files = ["vtp", "contacts"]
states = []
)";

TEST_F(cli_going_on, a_frame_that_cannot_be_written_stops_the_run_with_a_checkpoint) {
  if (program::under_thread_sanitizer) GTEST_SKIP();
  folder.write("b.toml", dense);
  good({"b.toml", "--out", "whole"});
  const auto size = [&](const char* name) { return fs::file_size(folder.path() / "whole" / name); };
  program::setup small;
  small.largest_file = (size("checkpoint.abut") + size("frames/contacts-00000.vtp")) / 2;
  ASSERT_LT(size("checkpoint.abut"), small.largest_file);
  ASSERT_LT(size("frames/bodies-00000.vtp"), small.largest_file);
  const auto result = program::run(folder, {"run", "b.toml", "--out", "out", "--threads", "1"}, small);
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "out/frames/contacts-00000.vtp: cannot write: File too large; frame 0 of step 0 is missing; stopped after "
            "step 0 with a checkpoint: go on by abut run --resume out --threads 1\n");
  good({"--resume", "out"});
  for (const char* name :
       {"series.csv", "frames.pvd", "contacts.pvd", "checkpoint.abut", "frames/contacts-00004.vtp"}) {
    EXPECT_TRUE(folder.read(std::string("out/") + name) == folder.read(std::string("whole/") + name)) << name;
  }
}

TEST_F(cli_going_on, a_checkpoint_takes_the_room_of_the_one_before_the_last) {
  folder.write("b.toml", dense);
  const arguments less = {"b.toml", "--set", "output.frames=0", "--set", "output.checkpoints=4", "--out"};
  arguments args = less;
  args.emplace_back("whole");
  good(args);
  const program::small_disk disk(folder, "disk", 5 * fs::file_size(folder.path() / "whole/checkpoint.abut") / 2);
  if (!disk.problem().empty()) GTEST_SKIP() << "no disk of its own for this test: " << disk.problem();
  args.back() = "disk/out";
  args.insert(args.begin(), "run");
  const auto result = program::run(folder, args, disk.seen());
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err.find("goes on without"), std::string::npos) << result.err;
  EXPECT_TRUE(disk.read("out/checkpoint.abut") == folder.read("whole/checkpoint.abut"));
}

TEST_F(cli_going_on, a_state_that_cannot_be_saved_hides_no_error) {
  if (program::under_thread_sanitizer) GTEST_SKIP();
  folder.write("b.toml", hopping +
                             "[[body]]\nname = \"pusher\"\nposition = [9, 9]\nradius = 0.5\n"
                             "[[drive]]\nof = [\"pusher\"]\ntable = [[0.03, 0, 0], [0.05, 0, 100000]]\n");
  program::setup small;
  small.largest_file = 1'500;
  const auto result = program::run(folder,
                                   {"run", "b.toml", "--out", "out", "--set", "output.every=1e6", "--set",
                                    "output.states=[\"vtp\"]", "--threads", "1"},
                                   small);
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find(" in one step"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" could not be saved: out/state.vtp: cannot write: File too large\n"), std::string::npos)
      << result.err;
}

TEST_F(cli_going_on, a_disk_that_becomes_full_leaves_room_for_a_checkpoint) {
  folder.write("b.toml", dense);
  good({"b.toml", "--out", "whole"});
  std::uintmax_t frames = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() / "whole/frames")) frames += entry.file_size();
  const std::uintmax_t checkpoint = fs::file_size(folder.path() / "whole/checkpoint.abut");
  // Room for two checkpoints, for those that are kept, and for half of the frames.
  const program::small_disk disk(folder, "disk", 4 * checkpoint + frames / 2);
  if (!disk.problem().empty()) GTEST_SKIP() << "no disk of its own for this test: " << disk.problem();
  const auto on_disk = [&](arguments args) {
    args.insert(args.begin(), "run");
    args.insert(args.end(), {"--threads", "1"});
    return program::run(folder, args, disk.seen());
  };
  const auto full = on_disk({"b.toml", "--out", "disk/out"});
  EXPECT_EQ(full.code, 2);
  EXPECT_NE(full.err.find(".vtp: cannot write: No space left on device; frame "), std::string::npos) << full.err;
  EXPECT_TRUE(
      full.err.ends_with(" with a checkpoint: free some space, then go on by abut run --resume disk/out --threads 1\n"))
      << full.err;
  const auto still = on_disk({"--resume", "disk/out"});
  EXPECT_EQ(still.code, 2);
  EXPECT_NE(still.err.find("; stopped after step "), std::string::npos) << still.err;
  // Room is made: the frames so far are moved away.
  fs::create_directory(folder.path() / "moved");
  for (const auto& entry : fs::directory_iterator(disk.path() / "out/frames")) {
    fs::copy(entry.path(), folder.path() / "moved" / entry.path().filename());
    fs::remove(entry.path());
  }
  const auto rest = on_disk({"--resume", "disk/out"});
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(disk.read("out/series.csv"), folder.read("whole/series.csv"));
  EXPECT_EQ(disk.read("out/frames.pvd"), folder.read("whole/frames.pvd"));
  EXPECT_TRUE(disk.read("out/checkpoint.abut") == folder.read("whole/checkpoint.abut"));
  EXPECT_TRUE(disk.read("out/frames/contacts-00004.vtp") == folder.read("whole/frames/contacts-00004.vtp"));
}

TEST_F(cli_going_on, a_run_with_frames_can_be_made_longer) {
  const std::string plan = "frame_files = [\"vtp\", \"dump\"]\nframes_every = 0.0375\n";
  folder.write("b.toml", hopping + plan);
  good({"b.toml", "--out", "whole", "--time", "0.7"});
  EXPECT_TRUE(fs::exists(folder.path() / "whole/frames/bodies-00018.dump"));
  EXPECT_FALSE(fs::exists(folder.path() / "whole/frames/bodies-00019.dump"));
  good({"b.toml", "--out", "out", "--time", "0.22"});
  good({"b.toml", "--time", "0.35", "--out", "out", "--resume", "out/checkpoint.abut"});
  EXPECT_FALSE(fs::exists(folder.path() / "out/frames/bodies-00010.dump"));
  good({"--resume", "out", "--set", "time=0.7"});
  EXPECT_TRUE(files("out") == files("whole"));
}

TEST_F(cli_going_on, frames_at_equal_distances_go_on_at_them) {
  folder.write("b.toml", hopping + "frames = 7\n");
  good({"b.toml", "--out", "whole", "--steps", "600", "--set", "output.frames=14"});
  good({"b.toml", "--out", "out"});
  good({"b.toml", "--out", "out", "--resume", "out", "--steps", "450"});
  EXPECT_FALSE(fs::exists(folder.path() / "out/frames/bodies-00011.vtp"));
  good({"--resume", "out", "--steps", "600"});
  good({"b.toml", "--resume", "out", "--steps", "600"});
  for (const char* name : {"series.csv", "frames.pvd", "state.npy", "frames/bodies-00011.vtp"}) {
    EXPECT_TRUE(folder.read(std::string("out/") + name) == folder.read(std::string("whole/") + name)) << name;
  }
  expect_refused({"b.toml", "--resume", "out", "--steps", "700", "--set", "output.frames=20"},
                 "out/checkpoint.abut: output.frames is 20, and 7 in the checkpoint, and the frames so far would be of "
                 "other steps; with --resume the scene stays the same, with --from another run starts from there");
  // As many as give the same distance are the same frames.
  good({"b.toml", "--out", "other"});
  good({"b.toml", "--resume", "other", "--steps", "600", "--set", "output.frames=14"});
  EXPECT_TRUE(files("other") == files("whole"));
}

TEST_F(cli_going_on, frames_of_a_plan_that_is_no_more_are_removed) {
  folder.write("b.toml", hopping + "frames = 3\n");
  good({"b.toml", "--out", "out", "--steps", "0"});
  for (const char* name : {"bodies-00001.vtp", "bodies-00007.vtp"}) {
    fs::copy(folder.path() / "out/frames/bodies-00000.vtp", folder.path() / "out/frames" / name);
  }
  good({"b.toml", "--resume", "out"});
  good({"b.toml", "--out", "whole"});
  EXPECT_TRUE(files("out") == files("whole"));
}

TEST_F(cli_going_on, frames_need_one_plan) {
  const auto expect = [&](const std::string& more, const std::string& how) {
    folder.write("b.toml", hopping + more);
    expect_refused({"b.toml", "--out", "out"}, how);
  };
  expect("frames = 3\nframes_every = 0.1\n",
         "b.toml:27:16: output.frames_every and output.frames are both given; give one");
  expect("frames_every = 0\n", "b.toml:26:16: output.frames_every is 0; it must be above 0");
  EXPECT_EQ(ran({"a.toml", "--time", "1", "--steps", "3"}).err, "--steps and --time exclude each other\n");
  folder.write("b.toml", hopping + "frames_every = 1e-9\n");
  good({"b.toml", "--out", "each", "--steps", "4"});  // one of each step
  EXPECT_TRUE(fs::exists(folder.path() / "each/frames/bodies-00004.vtp"));
  EXPECT_NE(ran({"b.toml", "--out", "many", "--steps", "200000"}).err.find("more than 100,000 frames"),
            std::string::npos);
}

}  // namespace
}  // namespace going_on_test
