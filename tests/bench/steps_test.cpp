// `./dev bench steps`: whole steps beside those of other programs. Times are not tested.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "environment.hpp"
#include "run_program.hpp"

namespace steps_test {
namespace {

/// Runs abut_steps, which `./dev bench steps` runs.
program::result run_steps(const program::folder& where, const program::arguments& args) {
  return program::run(where, args, {.program = ABUT_STEPS});
}

using values = std::map<std::string, std::string>;

/// The values of a CSV text by the names of its columns, one map per line.
std::vector<values> lines_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream fields(line + ",");
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  std::vector<values> all;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    EXPECT_EQ(rows[r].size(), rows[0].size()) << csv;
    all.emplace_back();
    for (std::size_t k = 0; k < rows[0].size(); ++k) all.back()[rows[0][k]] = rows[r].at(k);
  }
  return all;
}

/// The only line of a program in a case.
values line_of(const std::vector<values>& lines, const std::string& name, const std::string& program) {
  std::vector<values> found;
  for (const values& line : lines) {
    if (line.at("case") == name && line.at("program") == program) found.push_back(line);
  }
  EXPECT_EQ(found.size(), 1U) << name << ", " << program;
  return found.empty() ? values{} : found.front();
}

double number(const values& line, const std::string& column) { return std::stod(line.at(column)); }

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

class bench_steps : public ::testing::Test {
 protected:
  /// Puts a script on the path as the only program.
  support::environment_variable only_program(const std::string& name, const std::string& script) {
    std::filesystem::create_directory(folder.path() / "bin");
    folder.write("bin/" + name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder.path() / "bin" / name, std::filesystem::perms::owner_all);
    return {"PATH", (folder.path() / "bin").string()};
  }
  program::folder folder;
};

/// Few bodies and steps of one case, with more arguments.
program::arguments small_with(const program::arguments& more, const std::string& name = "A") {
  program::arguments args{"--cases",  name, "--bodies", "64", "--steps", "5",
                          "--repeat", "1",  "--folder", ".",  "--csv",   "out.csv"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST_F(bench_steps, without_other_programs_end_in_the_same_state_every_time) {
  const program::arguments args{"--with",    "none", "--cases",  "A,B,D", "--bodies", "216",  "--steps", "30",
                                "--threads", "1,2",  "--repeat", "1",     "--folder", "kept", "--csv",   "out.csv"};
  const program::result first = run_steps(folder, args);
  ASSERT_EQ(first.code, 0) << first.err;
  const auto lines = lines_of(folder.read("out.csv"));
  ASSERT_EQ(lines.size(), 12U);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const values& line = lines[k];
    EXPECT_EQ(line.at("program"), k % 2 == 0 ? "abut" : "abut_as_lammps");
    EXPECT_EQ(line.at("bodies"), "216");
    EXPECT_EQ(line.at("steps"), "30");
    EXPECT_EQ(line.at("timed_steps"), "80");
    EXPECT_EQ(line.at("failure"), "");
    EXPECT_GT(number(line, "start_ns"), 0);
    EXPECT_GT(number(line, "ns"), number(line, "start_ns"));
    EXPECT_GT(number(line, "contacts"), line.at("case") == "D" ? 0 : 500);
  }
  for (std::size_t k = 0; k < lines.size(); k += 4) {
    for (const std::size_t scheme : {k, k + 1}) {
      EXPECT_EQ(lines[scheme].at("threads"), "1");
      EXPECT_EQ(lines[scheme + 2].at("threads"), "2");
      EXPECT_EQ(lines[scheme].at("kinetic"), lines[scheme + 2].at("kinetic")) << "other bits with two threads";
    }
    EXPECT_NE(lines[k].at("kinetic"), lines[k + 1].at("kinetic")) << "the scheme changes nothing";
  }
  EXPECT_NE(lines[0].at("kinetic"), lines[4].at("kinetic")) << "friction changes nothing";
  const std::string packing = folder.read("kept/dense-216-by-abut.data");
  const program::result again = run_steps(folder, args);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(folder.read("kept/dense-216-by-abut.data"), packing);
  EXPECT_EQ(lines_of(folder.read("out.csv"))[0].at("kinetic"), lines[0].at("kinetic"));
}

TEST_F(bench_steps, have_the_same_state_with_every_instruction_set) {
  const program::result result = run_steps(folder, small_with({"--with", "none", "--instructions", "all"}));
  ASSERT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(folder.read("out.csv"));
  std::set<std::string> sets;
  for (const values& line : lines) {
    sets.insert(line.at("instructions"));
    const values& first = lines[line.at("program") == "abut" ? 0 : 1];
    EXPECT_EQ(line.at("program"), first.at("program"));
    EXPECT_EQ(line.at("kinetic"), first.at("kinetic")) << line.at("instructions");
  }
  EXPECT_EQ(2 * sets.size(), lines.size());
  EXPECT_TRUE(sets.contains("scalar")) << "no baseline";
}

TEST_F(bench_steps, grow_by_copies) {
  const program::arguments args{"--grow", "--bodies", "6400", "--with", "none",   "--repeat",
                                "1",      "--folder", ".",    "--csv",  "out.csv"};
  const program::result result = run_steps(folder, args);
  ASSERT_EQ(result.code, 0) << result.err;
  std::vector<values> lines;
  for (const values& line : lines_of(folder.read("out.csv"))) {
    if (line.at("program") == "abut") lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), 3U) << "64 sites, and 8 and 100 copies of them";
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(lines[k].at("case"), "grow");
    EXPECT_EQ(lines[k].at("bodies"), (std::array{"64", "512", "6400"})[k]);
    // The copies are equal, so each has as many contacts and as much energy, until they drift apart by rounding. The
    // first has made other steps.
    if (k > 0) {
      EXPECT_GT(number(lines[k], "contacts"), 2.5 * number(lines[k], "bodies"));
    }
  }
}

TEST_F(bench_steps, agree_with_lammps) {
  if (!has_program("lmp")) GTEST_SKIP() << "LAMMPS is not installed (in Debian: apt-get install lammps)";
  program::arguments args{"--with",   "lammps", "--bodies", "1000", "--steps", "200",
                          "--repeat", "1",      "--folder", "kept", "--csv",   "out.csv"};
  args.insert(args.end(), {"--cases", "A,B,D"});
  const program::result first = run_steps(folder, args);
  ASSERT_EQ(first.code, 0) << first.out << first.err;
  EXPECT_NE(first.err.find("A: LAMMPS prepares 1,000 spheres"), std::string::npos) << first.err;
  const auto lines = lines_of(folder.read("out.csv"));
  ASSERT_EQ(lines.size(), 9U);
  for (const char* const name : {"A", "B", "D"}) {
    const values theirs = line_of(lines, name, "lammps"), ours = line_of(lines, name, "abut");
    EXPECT_GT(number(theirs, "ns"), 0) << name;
    EXPECT_NEAR(number(theirs, "contacts"), number(theirs, "comparable_contacts"), 3) << name;
    const double kinetic = number(theirs, "kinetic");
    EXPECT_GT(kinetic, 0) << name;
    EXPECT_NEAR(kinetic, number(theirs, "comparable_kinetic"), 0.001 * kinetic) << name;
    EXPECT_NEAR(kinetic, number(ours, "kinetic"), 0.01 * kinetic) << name << ", timed";
    const values same_scheme = line_of(lines, name, "abut_as_lammps");
    EXPECT_EQ(same_scheme.at("contacts"), theirs.at("comparable_contacts")) << name << ", timed";
    EXPECT_EQ(same_scheme.at("kinetic"), theirs.at("comparable_kinetic")) << name << ", timed";
  }
  args.back() = "A";
  const program::result again = run_steps(folder, args);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.err, "") << "prepared again";
}

TEST_F(bench_steps, agree_with_copies_in_lammps) {
  if (!has_program("lmp")) GTEST_SKIP() << "LAMMPS is not installed (in Debian: apt-get install lammps)";
  const program::arguments args{"--grow", "--bodies", "6400", "--with", "lammps", "--repeat",
                                "1",      "--folder", ".",    "--csv",  "out.csv"};
  const program::result result = run_steps(folder, args);
  ASSERT_EQ(result.code, 0) << result.out << result.err;
  const auto lines = lines_of(folder.read("out.csv"));
  ASSERT_EQ(lines.size(), 9U);
  for (const values& line : lines) {
    if (line.at("program") != "lammps") continue;
    EXPECT_EQ(line.at("contacts"), line.at("comparable_contacts")) << line.at("bodies");
  }
}

/// Runs another program on a few spheres, and compares energies within these parts of them, case by case.
void expect_near(const program::folder& folder, const std::string& name, const std::map<std::string, double>& bounds) {
  std::string cases;
  for (const auto& [which, bound] : bounds) cases += (cases.empty() ? "" : ",") + which;
  const program::arguments args{"--with", name,       "--cases", cases,      "--bodies", "216",   "--steps",
                                "100",    "--repeat", "1",       "--folder", ".",        "--csv", "out.csv"};
  const program::result result = run_steps(folder, args);
  ASSERT_EQ(result.code, 0) << result.out << result.err;
  const auto lines = lines_of(folder.read("out.csv"));
  for (const auto& [which, bound] : bounds) {
    const values line = line_of(lines, which, name);
    ASSERT_EQ(line.at("failure"), "") << which;
    EXPECT_EQ(line.at("timed_steps"), "20") << which;
    EXPECT_GT(number(line, "ns"), 0) << which;
    EXPECT_GT(number(line, "bytes"), 0) << which;
    EXPECT_NEAR(number(line, "contacts"), number(line, "comparable_contacts"), 3) << which;
    EXPECT_NEAR(number(line, "kinetic"), number(line, "comparable_kinetic"), bound * number(line, "kinetic")) << which;
  }
}

// Its friction acts at another point.
TEST_F(bench_steps, are_near_those_of_liggghts) {
  if (!has_program("liggghts")) GTEST_SKIP() << "LIGGGHTS is not installed (in Debian: apt-get install liggghts)";
  expect_near(folder, "liggghts", {{"A", 1e-4}, {"B", 0.03}});
}

// Its dashpots do not pull, and its friction limits springs alone.
TEST_F(bench_steps, are_near_those_of_yade_with_friction) {
  if (!has_program("yade")) GTEST_SKIP() << "YADE is not installed (in Debian: apt-get install yade)";
  expect_near(folder, "yade", {{"B", 0.03}});
}

TEST_F(bench_steps, are_near_those_of_yade_with_many_sizes) {
  if (!has_program("yade")) GTEST_SKIP() << "YADE is not installed (in Debian: apt-get install yade)";
  expect_near(folder, "yade", {{"D", 0.005}});
}

TEST_F(bench_steps, without_a_program_on_the_path) {
  const support::environment_variable path("PATH", folder.path().string());
  const std::string missing = "LAMMPS's program lmp is not on the path (in Debian: apt-get install lammps)";
  const program::result alone = run_steps(folder, small_with({}));
  EXPECT_EQ(alone.code, 0);
  EXPECT_EQ(alone.err, missing + ": measuring abut alone\n");
  const program::result refused = run_steps(folder, small_with({"--with", "lammps"}));
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err, "--with lammps: " + missing + "\n");
  const program::result all = run_steps(folder, small_with({"--with", "all"}));
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.err, missing + ": measuring without it\n" +
                         "LIGGGHTS's program liggghts is not on the path (in Debian: apt-get install liggghts): "
                         "measuring without it\n" +
                         "YADE's program yade is not on the path (in Debian: apt-get install yade): measuring without "
                         "it\n");
  EXPECT_EQ(lines_of(folder.read("out.csv")).size(), 2U);
}

TEST_F(bench_steps, need_mpirun_for_several_processes) {
  const auto path = only_program("lmp", "exit 1\n");
  const program::result refused = run_steps(folder, small_with({"--with", "lammps", "--threads", "1,2"}));
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "--with lammps: mpirun is not on the path (in Debian: apt-get install lammps)\n");
}

// What LIGGGHTS prints, as far as it is read.
std::string printed_by_liggghts(const std::string& dangerous, const std::string& contacts) {
  return "echo 'Memory usage per processor = 2 Mbytes'\necho 'Loop time of 0.25 on 1 procs'\n"
         "echo 'Loop time of 0.5 on 1 procs'\necho 'Pair  time (%) = 0.1 (20)'\necho 'Neigh time (%) = 0.2 (40)'\n"
         "echo 'Other time (%) = 0.2 (40)'\necho 'Neighbor list builds = 1'\necho 'Dangerous builds = " +
         dangerous + "'\necho 'at the end: moving 1 turning 2 contacts " + contacts + "'\n";
}

TEST_F(bench_steps, end_in_failure_if_states_differ) {
  const auto path = only_program("liggghts", printed_by_liggghts("0", "20"));
  const program::result result = run_steps(folder, small_with({"--with", "liggghts"}));
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err,
            "./dev bench steps: LIGGGHTS and abut end in different states in A with 1 thread, so their times do not "
            "compare\n");
  const values line = line_of(lines_of(folder.read("out.csv")), "A", "liggghts");
  EXPECT_EQ(line.at("contacts"), "10");
  EXPECT_EQ(line.at("kinetic"), "3");
  EXPECT_EQ(line.at("timed_steps"), "1");
  EXPECT_EQ(line.at("ns"), "7.8125e+06");
  EXPECT_EQ(line.at("forces"), "0.2");
  EXPECT_EQ(line.at("bytes"), "32768");
}

TEST_F(bench_steps, with_friction_may_differ_from_other_laws) {
  const auto path = only_program("liggghts", printed_by_liggghts("0", "20"));
  const program::result result = run_steps(folder, small_with({"--with", "liggghts"}, "B"));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("contacts 10 and "), std::string::npos) << result.out;
}

TEST_F(bench_steps, tell_why_another_program_failed) {
  const struct {
    std::string script, why;
  } cases[] = {
      {"echo 'ERROR: no such style, (at line 7)'\nexit 1\n",
       "LIGGGHTS failed on ./A-64-liggghts.in: ERROR: no such style; (at line 7)"},
      {"exit 3\n", "LIGGGHTS failed on ./A-64-liggghts.in: it printed nothing"},
      {"echo 'Loop time of 0.5 on 1 procs'\n", "LIGGGHTS did not print \"Loop time of\""},
      {printed_by_liggghts("2", "20"), "it rebuilt its list of neighbors too late; so its result does not count"},
  };
  for (const auto& c : cases) {
    const auto path = only_program("liggghts", c.script);
    const program::result result = run_steps(folder, small_with({"--with", "liggghts"}));
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, "./dev bench steps: LIGGGHTS failed in A with 1 thread\n");
    const auto lines = lines_of(folder.read("out.csv"));
    EXPECT_EQ(line_of(lines, "A", "liggghts").at("failure"), c.why);
    EXPECT_GT(number(line_of(lines, "A", "abut"), "ns"), 0);
  }
}

TEST_F(bench_steps, resume_with_what_is_missing) {
  program::arguments args = small_with({"--with", "none", "--resume"});
  ASSERT_EQ(run_steps(folder, args).code, 0);
  const std::string first = folder.read("out.csv");
  *std::find(args.begin(), args.end(), "A") = "A,C";
  const program::result more = run_steps(folder, args);
  EXPECT_EQ(more.code, 0);
  EXPECT_EQ(more.err, "A with 64 bodies and 1 thread: in the file already\n");
  const std::string both = folder.read("out.csv");
  EXPECT_EQ(both.substr(0, first.size()), first) << "A was measured again";
  EXPECT_EQ(lines_of(both).size(), 4U);
  *std::find(args.begin(), args.end(), "5") = "6";
  EXPECT_EQ(run_steps(folder, args).err, "") << "other steps are another measurement";
  EXPECT_EQ(lines_of(folder.read("out.csv")).size(), 8U);
}

TEST_F(bench_steps, resume_after_a_failure) {
  const program::arguments args = small_with({"--with", "liggghts", "--resume"});
  {
    const auto path = only_program("liggghts", "exit 1\n");
    EXPECT_EQ(run_steps(folder, args).code, 1);
  }
  const auto path = only_program("liggghts", printed_by_liggghts("0", "20"));
  EXPECT_EQ(run_steps(folder, args).code, 1) << "the states differ";
  const auto lines = lines_of(folder.read("out.csv"));
  EXPECT_EQ(lines.size(), 3U);
  EXPECT_EQ(line_of(lines, "A", "liggghts").at("failure"), "");
}

TEST_F(bench_steps, refuses_what_it_does_not_know) {
  folder.write("other.csv", "x,y,z\n1,2,3\n");
  const struct {
    program::arguments more;
    const char* line;
  } cases[] = {
      {{"--cases", "A,F"}, "--cases \"A,F\": there is no case \"F\"; they are A, B, C, D, E\n"},
      {{"--with", "lammps,esys"}, "--with \"lammps,esys\": give some of lammps, liggghts and yade, or all or none\n"},
      {{"--grow", "--steps", "100"}, "--grow has cases of its own: leave --cases and --steps out\n"},
      {{"--resume"}, "--resume: give the file to go on with by --csv\n"},
      {{"--with", "none", "--csv", "other.csv", "--resume"},
       "other.csv: its first line is not that of ./dev bench steps; leave --resume out\n"},
  };
  for (const auto& c : cases) {
    program::arguments args{"--folder", "."};
    args.insert(args.end(), c.more.begin(), c.more.end());
    const program::result result = run_steps(folder, args);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, c.line);
  }
  EXPECT_EQ(folder.read("other.csv"), "x,y,z\n1,2,3\n");
  const program::result extra = run_steps(folder, {"A"});
  EXPECT_EQ(extra.code, 2);
  EXPECT_EQ(extra.err, "one argument too many: \"A\"; see ./dev bench steps --help\n");
}

TEST_F(bench_steps, refuse_a_damaged_packing) {
  const program::arguments args{"--with",  "none", "--cases",  "A", "--bodies", "64",
                                "--steps", "1",    "--repeat", "1", "--folder", "."};
  folder.write("dense-64-by-abut.data", "spheres\n\n64 atoms\n\n0 4 xlo xhi\n\nAtoms # sphere\n\n65 1 1 1 0 0 0\n");
  const program::result result = run_steps(folder, args);
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("dense-64-by-abut.data:9: "), std::string::npos) << result.err;
}

}  // namespace
}  // namespace steps_test
