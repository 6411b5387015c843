// `abut bench steps`: whole steps beside those of LAMMPS. Times are not tested.

#include <cstdlib>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "environment.hpp"
#include "run_program.hpp"

namespace {

using program::run;

/// The values of a CSV text by the names of its columns, one map per line.
std::vector<std::map<std::string, std::string>> lines_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream fields(line + ",");
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  std::vector<std::map<std::string, std::string>> all;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    EXPECT_EQ(rows[r].size(), rows[0].size()) << csv;
    all.emplace_back();
    for (std::size_t k = 0; k < rows[0].size(); ++k) all.back()[rows[0][k]] = rows[r].at(k);
  }
  return all;
}

bool has_lammps() { return std::system("command -v lmp >/dev/null 2>&1") == 0; }

class cli_steps : public ::testing::Test {
 protected:
  program::folder folder;
};

TEST_F(cli_steps, without_lammps_end_in_the_same_state_every_time) {
  const program::arguments args{"bench",    "steps", "--with",   "none", "--cases",   "A,B,D",
                                "--bodies", "216",   "--steps",  "30",   "--threads", "1,2",
                                "--repeat", "1",     "--folder", "kept", "--csv",     "out.csv"};
  const program::result first = run(folder, args);
  ASSERT_EQ(first.code, 0) << first.err;
  const auto lines = lines_of(folder.read("out.csv"));
  ASSERT_EQ(lines.size(), 6U);
  for (const auto& line : lines) {
    EXPECT_EQ(line.at("bodies"), "216");
    EXPECT_EQ(line.at("steps"), "30");
    EXPECT_EQ(line.at("lammps_ns"), "");
    EXPECT_EQ(line.at("ratio"), "");
    EXPECT_GT(std::stod(line.at("abut_ns")), 0);
    EXPECT_GE(std::stod(line.at("abut_ns")), std::stod(line.at("abut_steps_ns")));
    EXPECT_GT(std::stoi(line.at("abut_contacts")), line.at("case") == "D" ? 0 : 500);
  }
  for (std::size_t k = 0; k < lines.size(); k += 2) {
    EXPECT_EQ(lines[k].at("threads"), "1");
    EXPECT_EQ(lines[k + 1].at("threads"), "2");
    EXPECT_EQ(lines[k].at("abut_kinetic"), lines[k + 1].at("abut_kinetic")) << "other bits with two threads";
  }
  EXPECT_NE(lines[0].at("abut_kinetic"), lines[2].at("abut_kinetic")) << "friction changes nothing";
  const std::string packing = folder.read("kept/dense-216-by-abut.data");
  const program::result again = run(folder, args);
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(folder.read("kept/dense-216-by-abut.data"), packing);
  EXPECT_EQ(lines_of(folder.read("out.csv"))[0].at("abut_kinetic"), lines[0].at("abut_kinetic"));
}

TEST_F(cli_steps, agree_with_lammps) {
  if (!has_lammps()) GTEST_SKIP() << "LAMMPS is not installed (in Debian: apt-get install lammps)";
  program::arguments args{"bench", "steps",    "--with", "lammps",   "--bodies", "1000",  "--steps",
                          "200",   "--repeat", "1",      "--folder", "kept",     "--csv", "out.csv"};
  args.insert(args.end(), {"--cases", "A,D"});
  const program::result first = run(folder, args);
  ASSERT_EQ(first.code, 0) << first.out << first.err;
  EXPECT_NE(first.err.find("A: LAMMPS prepares 1,000 spheres"), std::string::npos) << first.err;
  const auto lines = lines_of(folder.read("out.csv"));
  ASSERT_EQ(lines.size(), 2U);
  for (const auto& line : lines) {
    const std::string& name = line.at("case");
    EXPECT_GT(std::stod(line.at("ratio")), 0) << name;
    EXPECT_NEAR(std::stod(line.at("lammps_contacts")), std::stod(line.at("abut_contacts")), 3) << name;
    const double kinetic = std::stod(line.at("lammps_kinetic"));
    EXPECT_GT(kinetic, 0) << name;
    EXPECT_NEAR(kinetic, std::stod(line.at("abut_kinetic")), 0.003 * kinetic) << name;
  }
  args.back() = "A";
  const program::result again = run(folder, args);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.err, "") << "prepared again";
}

TEST_F(cli_steps, without_lammps_on_the_path) {
  const support::environment_variable path("PATH", folder.path().string());
  const program::arguments args{"bench", "steps", "--cases", "A", "--bodies", "64", "--steps", "1", "--folder", "."};
  const std::string missing = "LAMMPS's program lmp is not on the path (in Debian: apt-get install lammps)";
  const program::result alone = run(folder, args);
  EXPECT_EQ(alone.code, 0);
  EXPECT_EQ(alone.err, missing + ": measuring abut alone\n");
  program::arguments asked = args;
  asked.insert(asked.end(), {"--with", "lammps"});
  const program::result refused = run(folder, asked);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err, "--with lammps: " + missing + "\n");
}

TEST_F(cli_steps, refuses_what_it_does_not_know) {
  const struct {
    program::arguments more;
    const char* line;
  } cases[] = {
      {{"--cases", "A,F"}, "--cases \"A,F\": there is no case \"F\"; they are A, B, C, D, E\n"},
      {{"--with", "yade"}, "--with \"yade\": give lammps or none\n"},
      {{"--grow", "--bodies", "100"}, "--grow has cases of its own: leave --cases, --bodies and --steps out\n"},
  };
  for (const auto& c : cases) {
    program::arguments args{"bench", "steps", "--folder", "."};
    args.insert(args.end(), c.more.begin(), c.more.end());
    const program::result result = run(folder, args);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, c.line);
  }
  const program::result mixed = run(folder, {"bench", "--move", "1", "steps"});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_EQ(mixed.err, "bench steps has cases of its own: leave --move out\n");
}

TEST_F(cli_steps, refuse_a_damaged_packing) {
  const program::arguments args{"bench", "steps",   "--with", "none",     "--cases", "A",        "--bodies",
                                "64",    "--steps", "1",      "--repeat", "1",       "--folder", "."};
  folder.write("dense-64-by-abut.data", "spheres\n\n64 atoms\n\n0 4 xlo xhi\n\nAtoms # sphere\n\n65 1 1 1 0 0 0\n");
  const program::result result = run(folder, args);
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("dense-64-by-abut.data:9: "), std::string::npos) << result.err;
}

}  // namespace
