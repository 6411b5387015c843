// The verb `find` of the program, against a brute force of its own.

#include <cmath>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include <abut/search.hpp>

#include "run_program.hpp"
#include "samples.hpp"

namespace find_test {
namespace {

using program::arguments;
using program::json_members;
using program::run;
using rows = std::vector<std::vector<double>>;

/// Coordinates that are exact in float too, so that all formats contain the same numbers.
rows random_spheres(std::size_t count, int dimension, std::uint64_t seed) {
  abut::samples::random random(seed);
  const double side = dimension == 2 ? 10 : 5;
  const auto single = [](double v) { return static_cast<double>(static_cast<float>(v)); };
  rows all;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> row;
    for (int k = 0; k < dimension; ++k) row.push_back(single(random.uniform(0, side)));
    row.push_back(single(random.uniform(0.1, 0.5)));
    all.push_back(row);
  }
  return all;
}

struct expected {
  std::vector<abut::pair> pairs;
  [[nodiscard]] std::string hash() const {
    std::uint64_t sum = 0;
    for (const abut::pair p : pairs) sum += abut::pair_hash(p);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
    return text;
  }
};

/// `period[k]` is 0 if axis k does not repeat.
expected brute_force(const rows& spheres, double scale = 1, double margin = 0, std::vector<double> period = {0, 0, 0}) {
  expected all;
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    for (std::uint32_t j = i + 1; j < spheres.size(); ++j) {
      const std::size_t dimension = spheres[i].size() - 1;
      double square = 0;
      for (std::size_t k = 0; k < dimension; ++k) {
        double d = spheres[i][k] - spheres[j][k];
        if (period[k] > 0) d -= period[k] * std::round(d / period[k]);
        square += d * d;
      }
      const double reach = (spheres[i].back() * scale + spheres[j].back() * scale) + margin;
      if (square <= reach * reach) all.pairs.push_back({i, j});
    }
  }
  return all;
}

std::string dump_of(const rows& spheres, const std::string& box = "ITEM: BOX BOUNDS pp pp pp\n0 5\n0 5\n0 5\n",
                    int timestep = 0) {
  const bool flat = !spheres.empty() && spheres[0].size() == 3;
  std::string text = "ITEM: TIMESTEP\n" + std::to_string(timestep) + "\nITEM: NUMBER OF ATOMS\n" +
                     std::to_string(spheres.size()) + "\n" + box + "ITEM: ATOMS id type x y " + (flat ? "" : "z ") +
                     "radius\n";
  int id = 1;
  for (const auto& row : spheres) {
    text += std::to_string(id++) + " Fe";
    char number[40];
    for (const double value : row)
      text.append(number, static_cast<std::size_t>(std::snprintf(number, sizeof number, " %.17g", value)));
    text += " \n";  // LAMMPS ends its lines with a space
  }
  return text;
}

/// Runs `find --json` and compares the result with what is expected.
json_members expect_found(const program::folder& where, const std::string& file, const expected& right,
                          arguments more = {}) {
  arguments args = {"find", file, "--json"};
  args.insert(args.end(), more.begin(), more.end());
  const auto result = run(where, args);
  EXPECT_EQ(result.code, 0) << file << ": " << result.err;
  EXPECT_EQ(result.err, "") << file;
  const json_members json(result.code == 0 ? result.out : "{\"pairs\": null, \"hash\": null}");
  EXPECT_EQ(json["pairs"], std::to_string(right.pairs.size())) << file;
  EXPECT_EQ(json["hash"], right.hash()) << file;
  return json;
}

class cli_find : public ::testing::Test {
 protected:
  program::folder folder;
};

TEST_F(cli_find, every_format_gives_the_same_pairs) {
  for (const int dimension : {2, 3}) {
    const rows spheres = random_spheres(300, dimension, 7);
    const auto width = static_cast<std::size_t>(dimension) + 1;
    const std::string header = dimension == 2 ? "x,y,r" : "x,y,z,r";
    const expected right = brute_force(spheres);
    ASSERT_GT(right.pairs.size(), 100U);
    folder.write("f8.npy", program::npy_of<double>(spheres, width));
    folder.write("f4.npy", program::npy_of<float>(spheres, width));
    folder.write("f8_fortran.npy", program::npy_of<double>(spheres, width, true));
    folder.write("f4_fortran.npy", program::npy_of<float>(spheres, width, true));
    folder.write("v2.npy", program::npy_of<double>(spheres, width, false, 2));
    folder.write("v3.npy", program::npy_of<double>(spheres, width, false, 3));
    folder.write("plain.csv", program::csv_of(header, spheres));
    folder.write("one.dump", dump_of(spheres));
    for (const std::string& name : folder.names()) {
      arguments more;
      if (dimension == 2 && name.ends_with(".npy")) more = {"--columns", "x,y,r"};
      if (name == "one.dump") more = {"--periodic", "none"};
      const json_members json = expect_found(folder, name, right, more);
      EXPECT_EQ(json["bodies"], "300") << name;
      EXPECT_EQ(json["dimension"], std::to_string(dimension)) << name;
      EXPECT_EQ(json["file"], name);
      EXPECT_EQ(json["shape"], "sphere");
    }
  }
}

TEST_F(cli_find, json_has_every_member) {
  folder.write("g.csv", program::csv_of("x,y,z,r", random_spheres(200, 3, 3)));
  const json_members json(run(folder, {"find", "g.csv", "--json", "--threads", "2", "--method", "pairing"}).out);
  for (const char* name : {"bodies", "dimension", "pairs", "hash", "method", "plan", "threads", "seconds.read",
                           "seconds.update", "seconds.find", "candidates", "tests", "bytes"}) {
    EXPECT_TRUE(json.has(name)) << name;
  }
  EXPECT_EQ(json["method"], "pairing");
  EXPECT_EQ(json["threads"], "2");
  EXPECT_EQ(json["candidates"], "19900");
  EXPECT_EQ(json["hash"].size(), 16U);
}

TEST_F(cli_find, every_method_and_parameter_agrees) {
  const rows spheres = random_spheres(300, 3, 5);
  folder.write("g.npy", program::npy_of<double>(spheres, 4));
  const expected right = brute_force(spheres);
  for (const char* method : {"auto", "pairing", "bounding-volume", "neighboring-cell"}) {
    const json_members json = expect_found(folder, "g.npy", right, {"--method", method});
    if (std::string(method) != "auto") {
      EXPECT_EQ(json["method"], method);
    }
  }
  const json_members json =
      expect_found(folder, "g.npy", right,
                   {"--method", "neighboring-cell", "--param", "cell=1.5", "--param", "store=cover", "--threads", "3"});
  EXPECT_NE(json["plan"].find("cell=1.5"), std::string::npos) << json["plan"];
  EXPECT_NE(json["plan"].find("store=cover"), std::string::npos) << json["plan"];
}

TEST_F(cli_find, scale_and_margin) {
  const rows spheres = random_spheres(200, 2, 9);
  folder.write("g.npy", program::npy_of<float>(spheres, 3));
  const std::string columns = "--columns=x,y,r";
  expect_found(folder, "g.npy", brute_force(spheres, 1.3, 0), {columns, "--scale", "1.3"});
  expect_found(folder, "g.npy", brute_force(spheres, 0.1, 0.25), {columns, "--scale=0.1", "--margin", "0.25"});
}

TEST_F(cli_find, periodic_axes_with_a_domain_or_the_box_of_a_dump) {
  const rows spheres = random_spheres(300, 3, 11);
  folder.write("g.npy", program::npy_of<double>(spheres, 4));
  folder.write("g.dump", dump_of(spheres));
  const expected walled = brute_force(spheres);
  for (const auto& [axes, period] :
       {std::pair<std::string, std::vector<double>>{"x", {5, 0, 0}}, {"y,z", {0, 5, 5}}, {"z,x,y", {5, 5, 5}}}) {
    const expected right = brute_force(spheres, 1, 0, period);
    ASSERT_GT(right.pairs.size(), walled.pairs.size());
    expect_found(folder, "g.npy", right, {"--periodic", axes, "--domain", "0,5,0,5,0,5"});
    expect_found(folder, "g.npy", right, {"--periodic", axes, "--domain", "-2.5,2.5,-2.5, 2.5,-2.5,2.5"});
    expect_found(folder, "g.dump", right, {"--periodic", axes});
  }
  expect_found(folder, "g.dump", brute_force(spheres, 1, 0, {6, 0, 0}), {"--periodic", "x", "--domain", "0,6,0,6,0,6"});
  expect_found(folder, "g.dump", walled, {"--periodic", "none"});
  expect_found(folder, "g.dump", brute_force(spheres, 1, 0, {6, 6, 6}), {"--domain", "0,6,0,6,0,6"});
}

TEST_F(cli_find, the_last_frame_of_a_dump) {
  const rows spheres = random_spheres(120, 3, 13);
  folder.write("g.dump", "ITEM: UNITS\nlj\n" + dump_of(random_spheres(90, 3, 1)) + "ITEM: TIME\n0.5\n" +
                             dump_of(spheres, "ITEM: BOX BOUNDS xy xz yz ff ff ff\n0 5 1\n0 5 0\n0 5 0\n", 2000));
  expect_found(folder, "g.dump", brute_force(spheres));
  const std::string words = run(folder, {"find", "g.dump"}).out;
  EXPECT_NE(words.find("timestep 2000; not periodic)"), std::string::npos) << words;
}

TEST_F(cli_find, the_many_ways_to_write_csv) {
  const expected one_pair{{{0, 1}}};
  const struct {
    const char* what;
    std::string text;
  } cases[] = {
      {"any order", "r,z,y,x\n1,0,0,0\n1,0,0,1.5\n"},
      {"extra columns, quoted commas and lines",
       "id,x,name,y,z,r\n7,0,\"a,b\",0,0,1\n8,1.5,\"say \"\"hi\"\"\nthere\",0,0,1\n"},
      {"CRLF", "x,y,z,r\r\n0,0,0,1\r\n1.5,0,0,1\r\n"},
      {"BOM", "\xef\xbb\xbfx,y,z,r\n0,0,0,1\n1.5,0,0,1\n"},
      {"spaces and tabs", " x , y ,\tz , r \n 0 , 0 ,\t0 , 1 \n 1.5 , 0 , 0 , 1\t\n"},
      {"no last line end", "x,y,z,r\n0,0,0,1\n1.5,0,0,1"},
      {"blank lines", "\nx,y,z,r\n\n0,0,0,1\n  \n1.5,0,0,1\n\n\n"},
      {"quoted names and numbers", "\"x\",\"y\",\"z\",\"r\"\n\"0\",0,0,\" 1 \"\n1.5,0,0,1\n"},
      {"plus signs and exponents", "x,y,z,r\n+0.0,0,-0,1e0\n+15E-1,.0,0.,1\n"},
      {"a column without a name", "x,y,z,r,\n0,0,0,1,\n1.5,0,0,1,\n"},
      {"2D", "x,y,r\n0,0,1\n1.5,0,1\n"},
      {"boxes", "xmin,xmax,ymin,ymax,zmin,zmax\n0,1,0,1,0,1\n1,2,1,2,1,2\n"},
      {"boxes in 2D, in any order, with other columns", "ymax,color,xmin,q,xmax,ymin\n1,red,0,5,1,0\n2,blue,1,5,2,1\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    folder.write("g.csv", c.text);
    expect_found(folder, "g.csv", one_pair);
  }
  folder.write("boxes.csv", cases[11].text);
  EXPECT_EQ(expect_found(folder, "boxes.csv", one_pair)["shape"], "box");
  folder.write("apart.csv", "xmin,xmax,ymin,ymax\n0,1,0,1\n1.5,2,0,1\n");
  expect_found(folder, "apart.csv", {});
  expect_found(folder, "apart.csv", one_pair, {"--margin", "0.5"});
}

TEST_F(cli_find, no_bodies_one_body_and_awkward_ones) {
  const struct {
    const char* name;
    std::string content;
    expected right;
  } cases[] = {
      {"none.csv", "x,y,z,r\n", {}},
      {"none_without_line_end.csv", "x,y,r", {}},
      {"none.npy", program::npy_of<double>({}, 4), {}},
      {"none_fortran.npy", program::npy_of<float>({}, 4, true), {}},
      {"none.dump", dump_of({}), {}},
      {"one.csv", "x,y,z,r\n1,2,3,4\n", {}},
      {"coincident.csv", "x,y,z,r\n1,2,3,0\n1,2,3,0\n", {{{0, 1}}}},
      {"far.csv",
       "x,y,z,r\n1e9,1e9,1e9,1e-3\n1e9,1e9,1e9,1e-3\n1000000000.5,1e9,1e9,1e-3\n-1e9,0,0,1e-3\n",
       {{{0, 1}}}},
      {"giant.csv", "x,y,z,r\n0,0,0,1e6\n1,0,0,1e-6\n-5e5,1,1,1e-6\n2e6,0,0,1e-6\n", {{{0, 1}, {0, 2}}}},
  };
  for (const auto& c : cases) {
    folder.write(c.name, c.content);
    for (const char* method : {"auto", "neighboring-cell", "pairing"})
      expect_found(folder, c.name, c.right, {"--method", method});
    const auto words = run(folder, {"find", c.name});
    EXPECT_EQ(words.code, 0) << words.err;
    EXPECT_EQ(words.out.find("nan"), std::string::npos) << words.out;
  }
}

TEST_F(cli_find, pairs_are_written_sorted_in_file_order) {
  const rows spheres = random_spheres(300, 3, 17);
  folder.write("g.npy", program::npy_of<double>(spheres, 4));
  folder.write("none.csv", "x,y,r\n");
  const expected right = brute_force(spheres);
  expect_found(folder, "g.npy", right, {"--pairs", "out.npy"});
  expect_found(folder, "g.npy", right, {"--pairs", "out.csv"});

  std::string text = "i,j\n";
  std::string bytes;
  for (const abut::pair p : right.pairs) {
    text += std::to_string(p.i) + "," + std::to_string(p.j) + "\n";
    bytes.append(reinterpret_cast<const char*>(&p.i), 4).append(reinterpret_cast<const char*>(&p.j), 4);
  }
  const auto header = [](std::size_t m) {
    return "{'descr': '<u4', 'fortran_order': False, 'shape': (" + std::to_string(m) + ", 2), }";
  };
  EXPECT_EQ(folder.read("out.csv"), text);
  EXPECT_EQ(folder.read("out.npy"), program::npy(header(right.pairs.size()), bytes));

  run(folder, {"find", "none.csv", "--pairs", "out.npy"});  // the old file is replaced
  run(folder, {"find", "none.csv", "--pairs", "out.csv"});
  EXPECT_EQ(folder.read("out.npy"), program::npy(header(0), ""));
  EXPECT_EQ(folder.read("out.csv"), "i,j\n");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"g.npy", "none.csv", "out.csv", "out.npy"}));
}

TEST_F(cli_find, a_link_stays_a_link_and_permissions_stay) {
  folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n");
  folder.write("real.csv", "old");
  std::filesystem::permissions(folder.path() / "real.csv", std::filesystem::perms(0640));
  std::filesystem::create_symlink("real.csv", folder.path() / "link.csv");
  EXPECT_EQ(run(folder, {"find", "g.csv", "--pairs", "link.csv"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.csv"));
  EXPECT_EQ(folder.read("real.csv"), "i,j\n0,1\n");
  EXPECT_EQ(std::filesystem::status(folder.path() / "real.csv").permissions(), std::filesystem::perms(0640));
}

TEST_F(cli_find, reads_csv_from_standard_input) {
  folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n");
  const auto result = run(folder, {"find", "/dev/stdin", "--json"}, {.standard_input = "g.csv"});
  EXPECT_EQ(json_members(result.out)["pairs"], "1");
  std::string command = std::string("cat '") + (folder.path() / "g.csv").string() + "' | '" + program::file() +
                        "' find /dev/stdin --json";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  char buffer[2000] = {};
  EXPECT_GT(std::fread(buffer, 1, sizeof buffer - 1, pipe), 0U);
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(json_members(buffer)["pairs"], "1");
}

TEST_F(cli_find, words_for_people) {
  folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n9,9,1\n1,1,1\n");
  const auto result = run(folder, {"find", "g.csv", "--pairs", "out.csv", "--threads", "1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  for (const char* part : {"g.csv: 4 discs in 2D", "3, coordination number 1.50", "plan ", "1 thread)", "candidates",
                           "bytes per body", "written   out.csv"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in\n" << result.out;
  }
}

// Three in a row, of which the second overlaps both others: on each axis but x all three begin at once.
TEST_F(cli_find, tells_what_the_method_has_counted) {
  folder.write("g.csv", "x,y,z,r\n0,0,0,0.6\n1,0,0,0.6\n2,0,0,0.6\n");
  const std::string words = run(folder, {"find", "g.csv", "--method", "dess"}).out;
  EXPECT_NE(words.find("\ncounts    rank comparisons 2\n"), std::string::npos) << words;
  const json_members json(run(folder, {"find", "g.csv", "--method", "dess", "--json"}).out);
  EXPECT_EQ(json["counts.rank comparisons"], "2");
  EXPECT_EQ(json["counts.swaps"], "0");
  EXPECT_EQ(run(folder, {"find", "g.csv", "--method", "pairing"}).out.find("counts"), std::string::npos);
}

TEST_F(cli_find, tells_what_was_predicted_beside_what_was_measured) {
  folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n9,9,1\n1,1,1\n");
  std::string row_of_discs = "x,y,r\n";  // each touches the next
  for (int k = 0; k < 40; ++k) row_of_discs += std::to_string(k) + ",0,0.5\n";
  folder.write("line.csv", row_of_discs);
  const std::string words = run(folder, {"find", "line.csv"}).out;
  EXPECT_NE(words.find(" predicted, "), std::string::npos) << words;
  EXPECT_NE(words.find(" measured for update and find"), std::string::npos) << words;
  const json_members json(run(folder, {"find", "line.csv", "--json"}).out);
  EXPECT_EQ(json["coordination_number"], "1.95");
  EXPECT_GT(std::stod(json["nanoseconds_per_body.predicted"]), 0);
  const double measured = (std::stod(json["seconds.update"]) + std::stod(json["seconds.find"])) * 1e9 / 40;
  EXPECT_NEAR(std::stod(json["nanoseconds_per_body.measured"]), measured, 1e-3 * measured);

  const std::string named = run(folder, {"find", "g.csv", "--method", "pairing"}).out;
  EXPECT_EQ(named.find("predicted"), std::string::npos) << named;
  EXPECT_NE(named.find(" for update and find"), std::string::npos) << named;
  const json_members few(run(folder, {"find", "g.csv", "--json"}).out);
  EXPECT_EQ(few["coordination_number"], "1.5");
  EXPECT_EQ(few["nanoseconds_per_body.predicted"], "null") << "few bodies are compared with each other, without a plan";
  folder.write("none.csv", "x,y,r\n");
  const json_members none(run(folder, {"find", "none.csv", "--json"}).out);
  EXPECT_EQ(none["coordination_number"], "null");
  EXPECT_EQ(none["nanoseconds_per_body.measured"], "null");
  EXPECT_EQ(run(folder, {"find", "none.csv"}).out.find("per body"), std::string::npos);
}

TEST_F(cli_find, json_survives_awkward_file_names) {
  const std::string name =
      "a \"b\\ \n\xff"
      "\xc3\xa9.csv";
  folder.write(name, "x,y,r\n");
  EXPECT_EQ(json_members(run(folder, {"find", name, "--json"}).out)["file"], "a \"b\\ <000a><fffd>\xc3\xa9.csv");
}

TEST_F(cli_find, the_demo_finds_the_contacts_of_a_packing) {
  const auto result = run(folder, {"find", "--demo"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("100,000 spheres in 3D"), std::string::npos) << result.out;
  const json_members json(run(folder, {"find", "--demo", "--json"}).out);
  EXPECT_EQ(json["bodies"], "100000");
  EXPECT_EQ(json["file"], "null");
  EXPECT_GT(std::stoul(json["pairs"]), 100000U);
  EXPECT_LT(std::stoul(json["pairs"]), 300000U);  // a site of a cubic lattice has six neighbors
}

}  // namespace
}  // namespace find_test
