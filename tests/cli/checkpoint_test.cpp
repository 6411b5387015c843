// Runs that are stopped, killed and go on: the files are those of a run that was never stopped. Checkpoints that are of
// no use, and disks that do not take them.

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace checkpoint_test {
namespace {

using program::arguments;
using program::run;
namespace fs = std::filesystem;

// Grains fall onto a floor of triangles between walls, one of which is shaken.
const std::string grains = R"(dimension = 3
law = "hooke"
steps = 400
time_step = 5e-5
gravity = [0, 0, -200]
sort_every = 70

[materials.grain]
density = 2500

[interaction]
stiffness = 2e3
restitution = 0.6
friction = 0.4
rolling_friction = 0.05

[[bodies]]
generate = "fill"
min = [0, 0, 0.002]
max = [0.05, 0.05, 0.04]
diameter = 0.006

[[wall]]
kind = "box"
min = [0, 0, 0]
max = [0.05, 0.05, 1]
open = ["+z", "-z"]

[[wall]]
kind = "rectangle"
name = "floor"
point = [0, 0, 0]
side = [0.05, 0, 0]
other_side = [0, 0.05, 0]

[[drive]]
of = ["floor"]
amplitude = [0.0005, 0, 0]
frequency = 50

[output]
every = 30
frames = 7
)";

class cli_checkpoint : public ::testing::Test {
 protected:
  void SetUp() override { folder.write("a.toml", grains); }

  program::result ran(arguments args, const program::setup& how = {}) {
    args.insert(args.begin(), "run");
    args.insert(args.end(), {"--threads", "1"});
    return run(folder, args, how);
  }
  void good(const arguments& args) {
    const auto result = ran(args);
    EXPECT_EQ(result.code, 0) << result.err;
  }
  /// All files of a run, as one text, apart from those in which runs may differ: the checkpoint before the last.
  [[nodiscard]] std::string files(const std::string& of) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path() / of)) {
      const std::string name = fs::relative(entry.path(), folder.path() / of).string();
      if (entry.is_regular_file() && name != "checkpoint.previous.abut") names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names) all += name + "\n" + folder.read(of + "/" + name) + "\n";
    return all;
  }
  void expect_refused(const arguments& args, const std::string& message) {
    const auto result = ran(args);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, message + "\n");
  }
  /// Writes a file until its disk is full.
  static void fill(const std::string& path) {
    std::ofstream file(path, std::ios::binary);
    const std::string block(4096, 'x');
    while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }

  program::folder folder;
};

TEST_F(cli_checkpoint, a_run_that_is_killed_again_and_again_ends_with_the_files_of_one_that_was_not) {
  good({"a.toml", "--out", "whole"});
  std::mt19937 next(3);
  std::uniform_int_distribution<unsigned> microseconds(20'000, 120'000);
  int kills = 0;
  bool ended = false;
  for (int k = 0; k < 40 && !ended; ++k) {
    const bool begun = fs::exists(folder.path() / "out/checkpoint.abut");
    arguments args = {"run", "--threads", k % 2 == 0 ? "1" : "2"};
    if (begun) {
      args.insert(args.end(), {"--resume", "out"});
    } else {
      args.insert(args.end(), {"a.toml", "--out", "out", "--force"});
    }
    args.insert(args.end(), {"--set", "output.checkpoints=200"});
    program::running process(folder, args);
    if (k < 30) {
      ::usleep(microseconds(next));
      process.signal(SIGKILL);
    }
    const int code = process.wait();
    kills += code == -1 ? 1 : 0;
    ended = code == 0;
    EXPECT_TRUE(code == 0 || code == -1) << process.err();
    if (code > 0) return;
  }
  EXPECT_TRUE(ended);
  EXPECT_GT(kills, 2);
  good({"a.toml", "--out", "other", "--set", "output.checkpoints=200"});
  EXPECT_TRUE(files("out") == files("other"));
  EXPECT_EQ(folder.read("out/series.csv"), folder.read("whole/series.csv"));
  EXPECT_TRUE(folder.read("out/state.npy") == folder.read("whole/state.npy"));
}

TEST_F(cli_checkpoint, a_run_that_is_asked_to_end_goes_on_later) {
  good({"a.toml", "--out", "whole", "--set", "steps=1500", "--set", "output.frames=4"});
  const arguments args = {"run", "a.toml", "--threads",  "1",     "--out",
                          "out", "--set",  "steps=1500", "--set", "output.frames=4"};
  program::running process(folder, args);
  while (!process.ended() && !fs::exists(folder.path() / "out/frames/bodies-00001.vtp")) ::usleep(2'000);
  process.signal(SIGTERM);
  const int code = process.wait();
  EXPECT_TRUE(code == 143 || code == 0) << process.err();  // 0 if it was just about to end
  EXPECT_TRUE(fs::exists(folder.path() / "out/checkpoint.abut"));
  good({"--resume", "out"});
  EXPECT_TRUE(files("out") == files("whole"));
  good({"--resume", "out"});  // nothing is left to do
  EXPECT_TRUE(files("out") == files("whole"));
}

TEST_F(cli_checkpoint, a_finished_run_can_be_made_longer) {
  good({"a.toml", "--out", "whole", "--set", "output.frames=0"});
  good({"a.toml", "--out", "out", "--set", "output.frames=0", "--steps", "130"});
  good({"a.toml", "--resume", "out", "--set", "output.frames=0", "--method", "grid"});
  EXPECT_TRUE(files("out") == files("whole"));
}

TEST_F(cli_checkpoint, another_run_can_start_from_one) {
  good({"a.toml", "--out", "whole", "--set", "output.frames=0"});
  good({"a.toml", "--out", "first", "--set", "output.frames=0", "--steps", "210"});
  good({"a.toml", "--from", "first", "--out", "second", "--set", "output.frames=0"});
  EXPECT_TRUE(folder.read("second/state.npy") == folder.read("whole/state.npy"));
  const std::string rows = folder.read("second/series.csv");
  EXPECT_EQ(rows.substr(rows.find('\n') + 1, 4), "210,");
  // Without bodies of its own, and with other walls.
  std::string other = grains;
  other.erase(other.find("[[bodies]]"), other.find("[[wall]]") - other.find("[[bodies]]"));
  other.erase(other.find("[[drive]]"), other.find("[output]") - other.find("[[drive]]"));
  other.replace(other.find("rectangle\"\nname = \"floor\""), 25, "rectangle\"\nvelocity = [0, 0, -0.1]");
  folder.write("b.toml", other);
  good({"b.toml", "--from", "first", "--out", "third"});
  // Its frames begin where it began, also if it was stopped meanwhile.
  good({"b.toml", "--from", "first", "--out", "fourth", "--steps", "300", "--set", "output.frames=0"});
  good({"b.toml", "--resume", "fourth", "--set", "output.frames=0"});
  EXPECT_TRUE(folder.read("fourth/state.npy") == folder.read("third/state.npy"));
  EXPECT_TRUE(fs::exists(folder.path() / "third/frames/bodies-00000.vtp"));
  EXPECT_NE(folder.read("third/frames.pvd").find("timestep=\"0.0105\""), std::string::npos);
  EXPECT_FALSE(folder.read("third/state.npy") == folder.read("whole/state.npy"));
  expect_refused({"b.toml"},
                 "b.toml: the scene has no bodies; add one, such as [[bodies]] with generate = \"fill\", or "
                 "[[body]]");
  expect_refused({"a.toml", "--from", "first", "--set", "law=linear"},
                 "first/checkpoint.abut: the checkpoint has contact law that remembers 6 numbers, reaches 0, turns "
                 "bodies: yes, has torques: yes, acts at surfaces: no, the settings have that remembers 0 numbers, "
                 "reaches 0, turns bodies: no, has torques: yes, acts at surfaces: no");
}

TEST_F(cli_checkpoint, a_changed_scene_is_refused_by_the_key_that_differs) {
  good({"a.toml", "--out", "out", "--steps", "50"});
  const auto expect = [&](const arguments& more, const std::string& how) {
    arguments args = {"a.toml", "--resume", "out"};
    if (more[0] != "--steps") args.insert(args.end(), {"--steps", "50"});
    args.insert(args.end(), more.begin(), more.end());
    expect_refused(args, "out/checkpoint.abut: " + how +
                             "; with --resume the scene stays the same, with --from another run starts from there");
  };
  expect({"--set", "interaction.friction=0.3"}, "interaction.friction is 0.3, and 0.4 in the checkpoint");
  expect({"--set", "wall.0.max=[0.05, 0.05, 2]"}, "wall.0.max.2 is 2, and 1 in the checkpoint");
  expect({"--set", "integrator=verlet"}, "integrator is not in the checkpoint's scene");
  expect({"--set", "output.frames=3"},
         "output.frames is 3, and 7 in the checkpoint, and the frames so far would be of other steps");
  expect({"--set", "output.frame_files=[\"vtp\"]"},
         "output.frame_files is not in the checkpoint's scene, and there are frames");
  expect_refused({"--resume", "out", "--out", "b"},
                 "--out b: with --resume a run goes on in its own folder, out; --from starts another one");
  expect_refused({"--resume", "nowhere"}, "nowhere: cannot read: No such file or directory");
  expect_refused({"a.toml", "--from", "."}, ".: there is no checkpoint in this folder: no checkpoint.abut");
}

TEST_F(cli_checkpoint, that_is_cut_off_damaged_or_foreign_is_refused_and_the_one_before_it_used) {
  good({"a.toml", "--out", "half", "--steps", "150", "--set", "output.frames=0"});
  good({"a.toml", "--out", "more", "--steps", "200", "--set", "output.frames=0"});
  // As if the run had been killed while it had these two.
  fs::copy(folder.path() / "half/checkpoint.abut", folder.path() / "more/checkpoint.previous.abut");
  const std::string newest = folder.read("more/checkpoint.abut");
  const std::string state = folder.read("more/state.npy");
  const auto expect = [&](const std::string& bytes, const std::string& how) {
    folder.write("more/checkpoint.abut", bytes);
    const auto result = ran({"--resume", "more", "--steps", "200"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "more/checkpoint.abut: " + how + "; going on from more/checkpoint.previous.abut\n");
    EXPECT_TRUE(folder.read("more/state.npy") == state);
    fs::copy(folder.path() / "half/checkpoint.abut", folder.path() / "more/checkpoint.previous.abut",
             fs::copy_options::overwrite_existing);
  };
  const std::string size = std::to_string(newest.size());
  expect(newest.substr(0, 3000), "this checkpoint is cut off: it has 3000 of " + size + " bytes");
  std::string flipped = newest;
  flipped[newest.size() / 2] = static_cast<char>(flipped[newest.size() / 2] ^ 4);
  expect(flipped, "this checkpoint is damaged: its checksum is wrong");
  expect("\x89PNG\r\n", "this is no checkpoint of abut");
  expect("", "this is no checkpoint of abut");
  std::string later = newest;
  later[8] = 9;
  expect(later, "this checkpoint has version 9: this program reads version 3");
  fs::remove(folder.path() / "more/checkpoint.previous.abut");
  folder.write("more/checkpoint.abut", "junk");
  expect_refused({"--resume", "more"}, "more/checkpoint.abut: this is no checkpoint of abut");
}

TEST_F(cli_checkpoint, a_full_disk_costs_a_checkpoint_and_not_the_run) {
  if (program::under_thread_sanitizer) GTEST_SKIP();
  const arguments args = {"a.toml",
                          "--out",
                          "out",
                          "--set",
                          "output.frames=0",
                          "--set",
                          "output.states=[]",
                          "--set",
                          "output.checkpoints=4"};
  good(args);
  const std::string series = folder.read("out/series.csv");
  const std::string last = folder.read("out/checkpoint.abut");
  program::setup small;
  small.largest_file = 40'000;  // enough for the series
  ASSERT_GT(last.size(), 40'000U);
  arguments again = args;
  again.emplace_back("--force");
  const auto result = ran(again, small);
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(folder.read("out/series.csv"), series);
  const std::string line = "out/checkpoint.abut: cannot write: File too large";
  const std::string said = program::without_warnings(result.err);
  EXPECT_EQ(said.substr(0, line.size() + 41), line + "; the run goes on without this checkpoint");
  EXPECT_TRUE(result.err.ends_with(line + "\n")) << result.err;
  EXPECT_FALSE(fs::exists(folder.path() / "out/checkpoint.abut"));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a.toml", "out"}));
}

TEST_F(cli_checkpoint, the_last_one_stays_if_the_next_cannot_be_written) {
  if (program::under_thread_sanitizer) GTEST_SKIP();
  good({"a.toml", "--out", "out", "--set", "output.frames=0", "--steps", "100"});
  const std::string last = folder.read("out/checkpoint.abut");
  program::setup small;
  small.largest_file = 40'000;
  EXPECT_EQ(ran({"--resume", "out", "--steps", "200", "--set", "output.states=[]"}, small).code, 2);
  EXPECT_TRUE(folder.read("out/checkpoint.abut") == last);
  good({"--resume", "out", "--steps", "200"});
}

TEST_F(cli_checkpoint, a_disk_that_is_full_is_named_and_what_is_on_it_stays) {
  const program::small_disk disk(folder, "disk", 1'000'000);
  if (!disk.problem().empty()) GTEST_SKIP() << "no disk of its own for this test: " << disk.problem();
  const arguments first = {"a.toml", "--out", "disk/out", "--steps", "100", "--set", "output.frames=0"};
  ASSERT_EQ(ran(first, disk.seen()).code, 0);
  EXPECT_TRUE(fs::is_empty(folder.path() / "disk"));  // it was written to the disk, and not beside it
  const std::string last = disk.read("out/checkpoint.abut");
  const std::string series = disk.read("out/series.csv");
  const std::string junk = fs::path(disk.path() / "junk").string();
  fill(junk);
  const auto again = [&](const char* checkpoints) {
    return ran({"--resume", "disk/out", "--steps", "400", "--set", checkpoints}, disk.seen());
  };
  const auto full = again("output.checkpoints=4");
  EXPECT_EQ(full.code, 2);
  EXPECT_NE(full.err.find(": cannot write: No space left on device"), std::string::npos) << full.err;
  EXPECT_TRUE(disk.read("out/checkpoint.abut") == last);
  // Rows that found no room are missing; those before are whole.
  EXPECT_TRUE(disk.read("out/series.csv").starts_with(series.substr(0, series.rfind("\n100,"))));
  fs::remove(junk);
  EXPECT_EQ(again("output.checkpoints=4").code, 0);
  good({"a.toml", "--out", "whole", "--set", "output.frames=0"});
  EXPECT_EQ(disk.read("out/series.csv"), folder.read("whole/series.csv"));
  EXPECT_TRUE(disk.read("out/state.npy") == folder.read("whole/state.npy"));
}

TEST_F(cli_checkpoint, a_disk_that_becomes_full_costs_checkpoints_and_not_the_run) {
  const program::small_disk disk(folder, "disk", 1'000'000);
  if (!disk.problem().empty()) GTEST_SKIP() << "no disk of its own for this test: " << disk.problem();
  const arguments args = {"a.toml",
                          "--out",
                          "disk/out",
                          "--set",
                          "output.frames=0",
                          "--set",
                          "output.states=[]",
                          "--set",
                          "output.checkpoints=4"};
  good({"a.toml", "--out", "whole", "--set", "output.frames=0"});
  const std::string junk = fs::path(disk.path() / "junk").string();
  fill(junk);
  fs::resize_file(junk, fs::file_size(junk) - 40'960);  // room for the series, and not for a checkpoint
  ASSERT_GT(fs::file_size(folder.path() / "whole/checkpoint.abut"), 40'960U);
  const auto result = ran(args, disk.seen());
  EXPECT_EQ(result.code, 2);
  const std::string line = "disk/out/checkpoint.abut: cannot write: No space left on device";
  EXPECT_TRUE(program::without_warnings(result.err).starts_with(line + "; the run goes on without this checkpoint\n"))
      << result.err;
  EXPECT_TRUE(result.err.ends_with(line + "\n")) << result.err;
  EXPECT_EQ(disk.read("out/series.csv"), folder.read("whole/series.csv"));
  for (const auto& entry : fs::recursive_directory_iterator(disk.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "junk" || name == "out" || name == "series.csv" || name == "walls.vtp") << name;
  }
}

TEST_F(cli_checkpoint, a_folder_that_cannot_be_written_is_named) {
  good({"a.toml", "--out", "out", "--set", "output.frames=0", "--steps", "100"});
  const std::string last = folder.read("out/checkpoint.abut");
  program::setup anyone;
  anyone.unprivileged = true;
  program::give_away(folder.path());
  ASSERT_EQ(ran({"a.toml", "--check"}, anyone).code, 0) << "the program cannot be run without special rights";
  fs::permissions(folder.path() / "out", fs::perms::owner_read | fs::perms::owner_exec);
  const auto expect = [&](const arguments& args, const std::string& line) {
    const auto result = ran(args, anyone);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(program::without_warnings(result.err), line + "\n");
  };
  expect({"--resume", "out", "--steps", "200"}, "out/state.npy: cannot write: Permission denied");
  expect({"a.toml", "--out", "out", "--force"}, "out/state.npy: cannot write: Permission denied");
  expect({"a.toml", "--out", "out/more"}, "--out out/more: cannot make this folder: Permission denied");
  EXPECT_TRUE(folder.read("out/checkpoint.abut") == last);
  fs::permissions(folder.path() / "out", fs::perms::owner_all);
  EXPECT_EQ(ran({"--resume", "out", "--steps", "200"}, anyone).code, 0);
}

TEST_F(cli_checkpoint, there_are_none_if_the_scene_wants_none) {
  good({"a.toml", "--out", "out", "--steps", "40", "--set", "output.checkpoints=0"});
  EXPECT_FALSE(fs::exists(folder.path() / "out/checkpoint.abut"));
  good({"a.toml", "--out", "b", "--steps", "40", "--set", "output.checkpoints=4"});
  EXPECT_TRUE(fs::exists(folder.path() / "b/checkpoint.abut"));
  EXPECT_FALSE(fs::exists(folder.path() / "b/checkpoint.previous.abut"));
  // A checkpoint of another run would be taken for one of this run.
  good({"a.toml", "--out", "b", "--steps", "40", "--set", "output.checkpoints=0", "--force"});
  EXPECT_FALSE(fs::exists(folder.path() / "b/checkpoint.abut"));
}

}  // namespace
}  // namespace checkpoint_test
