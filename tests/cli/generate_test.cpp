// The verb `generate`: what it writes, read back by `find`, and what it refuses.

#include <cmath>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace generate_test {
namespace {

using program::arguments;
using program::json_members;
using program::run;

class cli_generate : public ::testing::Test {
 protected:
  /// Runs `generate KIND --count N --out FILE ... --json`.
  json_members made(const std::string& kind, const std::string& count, const std::string& file, arguments more = {}) {
    arguments args = {"generate", kind, "--count", count, "--out", file, "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << kind << ": " << result.err;
    EXPECT_EQ(result.err, "");
    text_ = result.out;
    return json_members(text_);
  }
  json_members found(const std::string& file, arguments more = {}) {
    arguments args = {"find", file, "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
    found_ = result.out;
    return json_members(found_);
  }
  void expect_error(arguments args, const std::string& line) {
    args.insert(args.begin(), "generate");
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_EQ(result.err, line + "\n");
    EXPECT_TRUE(folder.names().empty()) << folder.names()[0];
  }

  program::folder folder;

 private:
  std::string text_, found_;
};

TEST_F(cli_generate, every_kind_makes_a_file_that_find_reads) {
  for (const std::string kind : {"lattice", "packing", "clusters", "sheet", "line", "shell", "giant", "touching"}) {
    for (const std::string dimension : {"2", "3"}) {
      if (kind == "sheet" && dimension == "2") continue;
      arguments more;
      if (kind != "sheet") more = {"--dimension", dimension};
      for (const std::string file : {"a.npy", "a.csv"}) {
        const json_members json = made(kind, "2000", file, more);
        EXPECT_EQ(json["kind"], kind);
        EXPECT_EQ(json["bodies"], "2000");
        EXPECT_EQ(json["dimension"], dimension);
        EXPECT_EQ(json["bytes"], std::to_string(folder.read(file).size()));
        const json_members read = found(file);
        EXPECT_EQ(read["bodies"], "2000") << kind;
        EXPECT_EQ(read["dimension"], dimension) << kind;
        EXPECT_EQ(read["pairs"] == "0", kind == "packing") << kind << " " << read["pairs"];
      }
      EXPECT_EQ(found("a.csv")["hash"], found("a.npy")["hash"]) << kind;
    }
  }
}

TEST_F(cli_generate, csv_and_npy_hold_the_same_numbers) {
  made("packing", "500", "a.npy", {"--sizes", "mass", "--fraction", "0.4", "--seed", "7"});
  made("packing", "500", "a.csv", {"--sizes", "mass", "--fraction", "0.4", "--seed", "7"});
  const std::string npy = folder.read("a.npy");
  std::string csv = folder.read("a.csv");
  EXPECT_EQ(csv.substr(0, 8), "x,y,z,r\n");
  const char* at = csv.c_str() + 8;
  for (std::size_t k = 0; k < 4 * 500; ++k) {
    double number = 0;
    std::memcpy(&number, npy.data() + npy.size() - 8 * (4 * 500 - k), 8);
    char* end = nullptr;
    ASSERT_EQ(std::strtod(at, &end), number) << "number " << k;
    at = end + 1;
  }
  EXPECT_EQ(at, csv.c_str() + csv.size());
}

TEST_F(cli_generate, touching_lattices_touch) {
  made("touching", "1000", "cubic.npy", {"--diameter", "0.1"});
  EXPECT_EQ(found("cubic.npy")["pairs"], "2700");
  made("touching", "1000", "hexagonal.npy", {"--diameter", "0.1", "--arrangement", "hexagonal"});
  EXPECT_EQ(found("hexagonal.npy")["pairs"], "5130");
  made("touching", "1000", "single.npy", {"--diameter", "0.1", "--arrangement", "hexagonal", "--single"});
  EXPECT_EQ(found("single.npy")["pairs"], "5130");
  EXPECT_EQ(folder.read("single.npy").size(), 128U + 16 * 1000U);
}

TEST_F(cli_generate, a_packing_is_what_it_says) {
  const json_members json = made("packing", "1e4", "a.npy", {"--sizes", "r-3", "--fraction", "0.4", "--diameter", "2"});
  EXPECT_NEAR(std::stod(json["fraction"]), 0.4, 1e-9);
  EXPECT_LE(std::stod(json["diameter.max"]), 2);
  EXPECT_GE(std::stod(json["diameter.min"]), 2.0 / 50);
  EXPECT_GE(std::stod(json["extent.min.0"]), 0);
  EXPECT_LE(std::stod(json["extent.max.2"]), std::stod(json["side"]));
  EXPECT_EQ(found("a.npy")["pairs"], "0");
  made("packing", "3000", "single.npy", {"--single", "--fraction", "0.34"});
  EXPECT_EQ(found("single.npy")["pairs"], "0");
}

TEST_F(cli_generate, the_lattice_of_the_demo) {
  made("lattice", "1e5", "a.npy");
  EXPECT_EQ(found("a.npy", {"--scale", "1.05"})["hash"], [&] {
    return std::string(json_members(run(folder, {"find", "--demo", "--json"}).out)["hash"]);
  }());
}

TEST_F(cli_generate, order_and_seed) {
  made("lattice", "27", "a.csv", {"--no-shuffle", "--jitter", "0", "--spacing", "2"});
  EXPECT_EQ(folder.read("a.csv").substr(0, 42), "x,y,z,r\n0,0,0,0.5\n2,0,0,0.5\n4,0,0,0.5\n0,2,");
  made("lattice", "27", "b.csv", {"--jitter", "0", "--spacing", "2"});
  EXPECT_NE(folder.read("a.csv"), folder.read("b.csv"));
  made("lattice", "27", "c.csv", {"--shuffle", "--jitter", "0", "--spacing", "2", "--seed", "1"});
  EXPECT_EQ(folder.read("b.csv"), folder.read("c.csv"));
  made("lattice", "27", "c.csv", {"--jitter", "0", "--spacing", "2", "--seed", "2"});
  EXPECT_NE(folder.read("b.csv"), folder.read("c.csv"));
}

TEST_F(cli_generate, a_spacing_for_each_axis) {
  made("lattice", "8", "a.csv", {"--no-shuffle", "--jitter", "0", "--spacing", "20,2,3"});
  EXPECT_EQ(folder.read("a.csv"),
            "x,y,z,r\n0,0,0,0.5\n20,0,0,0.5\n0,2,0,0.5\n20,2,0,0.5\n0,0,3,0.5\n20,0,3,0.5\n0,2,3,0.5\n20,2,3,0.5\n");
  made("lattice", "64", "b.csv", {"--spacing", "2,2,2"});
  made("lattice", "64", "c.csv", {"--spacing", "2"});
  EXPECT_EQ(folder.read("b.csv"), folder.read("c.csv"));
}

TEST_F(cli_generate, says_it_in_words) {
  const auto result = run(folder, {"generate", "packing", "--count", "1000", "--out", "a.csv"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  for (const std::string part :
       {"bodies    packing: 1,000 spheres in 3D\n", "sizes     diameter 1\n", "extent    x 0.",
        "fraction  their volumes add up to 0.3 of the box from 0 to 12.0", "time      make ", "written   a.csv, "}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
  const auto flat = run(folder, {"generate", "packing", "--count", "100", "--dimension", "2", "--out", "b.csv"});
  EXPECT_NE(flat.out.find("fraction  their areas add up to 0.3 of the box"), std::string::npos) << flat.out;
  const std::string help = run(folder, {"generate", "--help"}).out;
  for (const std::string part : {"Kinds:", "  touching ", "--arrangement", "Examples:"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part;
  }
}

TEST_F(cli_generate, mistakes) {
  const arguments ok = {"--count", "10", "--out", "a.npy"};
  const auto with = [&](arguments args) {
    args.insert(args.end(), ok.begin(), ok.end());
    return args;
  };
  expect_error(ok, "no kind; name one of lattice, packing, clusters, sheet, line, shell, giant, touching");
  expect_error(with({"lattise"}), "unknown kind \"lattise\", did you mean lattice?");
  expect_error(with({"moon"}),
               "unknown kind \"moon\"; the kinds are lattice, packing, clusters, sheet, line, shell, giant, touching");
  expect_error(with({"giant", "--each", "3"}), "giant has no option --each; it has --dimension, --ratio");
  expect_error(with({"sheet", "--dimension", "2"}),
               "sheet has no option --dimension; it has --spacing, --jitter, --shuffle, --no-shuffle");
  expect_error(with({"shell", "--no-shuffle"}),
               "shell has no option --no-shuffle; it has --dimension, --spacing, --jitter");
  expect_error({"lattice", "--out", "a.npy"}, "no count; add --count N, such as --count 1e6");
  expect_error({"lattice", "--count", "5"}, "no file to write; add --out FILE, a .npy or .csv");
  for (const std::string count : {"0", "1.5", "5e8", "-1", "many", "nan"}) {
    expect_error({"lattice", "--count", count, "--out", "a.npy"},
                 "--count is \"" + count + "\"; it must be a whole number from 1 to 50000000 (1e6 is a million)");
  }
  expect_error({"lattice", "--count", "5", "--out", "a.txt"},
               "--out a.txt: unknown extension \".txt\"; bodies are written as .npy or .csv");
  expect_error({"lattice", "--count", "5", "--out", "no/a.npy"}, "no/a.npy: there is no folder \"no\"; make it first");
  expect_error({"lattice", "--count", "5", "--out", "a.csv", "--single"},
               "--single is for .npy files; numbers in a .csv have no width");
  expect_error(with({"lattice", "--dimension", "4"}), "--dimension is \"4\"; it must be a whole number from 2 to 3");
  expect_error(with({"lattice", "--spacing", "0"}),
               "--spacing is 0; it must be a number of diameters, above 0 and up to 1e6");
  expect_error(with({"lattice", "--spacing", "1,0,1"}),
               "--spacing is 0; it must be a number of diameters, above 0 and up to 1e6");
  expect_error(with({"lattice", "--spacing", "1,2"}),
               "--spacing is \"1,2\"; it must be one number or 3, one for each axis");
  expect_error(with({"sheet", "--spacing", "1,2,3"}), "--spacing is \"1,2,3\"; it must be one number");
  expect_error(with({"lattice", "--jitter", "x"}),
               "--jitter is \"x\", not a number; it must be a number of diameters from 0 to 1e6");
  expect_error(with({"lattice", "--shuffle", "--no-shuffle"}), "both --shuffle and --no-shuffle are given; choose one");
  expect_error(with({"packing", "--sizes", "r3"}), "--sizes is \"r3\"; it must be one of equal, uniform, r-3, mass");
  expect_error(with({"packing", "--ratio", "5"}),
               "--ratio 5 is for sizes that differ; add --sizes uniform, r-3 or mass");
  expect_error(with({"packing", "--fraction", "1"}), "--fraction is 1; it must be a number above 0 and below 1");
  expect_error(with({"packing", "--fraction", "0.5"}),
               "volume fraction 0.5 is out of reach: random insertion of equal spheres ends near 0.38; at most 0.37 is "
               "accepted");
  expect_error(with({"touching", "--arrangement", "square"}),
               "--arrangement is \"square\"; it must be one of cubic, hexagonal");
  expect_error(with({"line", "--direction", "0,0,0"}),
               "--direction is \"0,0,0\"; it must be 3 numbers, not all 0, such as 1,2,3");
  expect_error(with({"clusters", "--side", "1e45", "--each", "1", "--single"}),
               "coordinates reach 8.94e+44, past 3.4e+38, the most that --single holds; ask for a smaller space");
}

TEST_F(cli_generate, a_refused_packing_leaves_the_old_file) {
  folder.write("a.csv", "mine");
  const auto result = run(
      folder, {"generate", "packing", "--count", "2000", "--sizes", "uniform", "--fraction", "0.6", "--out", "a.csv"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  EXPECT_EQ(result.err.substr(0, 67), "volume fraction 0.6 is out of reach: random insertion finds no room");
  EXPECT_EQ(folder.read("a.csv"), "mine");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.csv"});
}

}  // namespace
}  // namespace generate_test
