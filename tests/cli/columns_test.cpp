// What the columns of a file mean: --columns, --radius, the names of other programs, and what is refused.

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace columns_test {
namespace {

using program::arguments;
using program::json_members;
using program::npy;
using program::run;

class cli_columns : public ::testing::Test {
 protected:
  program::result find(arguments args) const {
    args.insert(args.begin(), "find");
    return run(folder, args);
  }
  void expect_error(const arguments& args, const std::string& line) const {
    const auto result = find(args);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.out, "") << line;
    EXPECT_EQ(result.err, line + "\n");
  }
  /// Expects that the first two of three bodies touch, and that the report contains these words.
  void expect_one_pair(arguments args, const std::string& words) const {
    const auto result = find(args);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    std::string flat;  // without line breaks
    for (const char c : result.out) {
      if (c != ' ' || !flat.ends_with(' ')) flat += c == '\n' ? ' ' : c;
    }
    EXPECT_NE(flat.find(words), std::string::npos) << words << " in\n" << result.out;
    args.insert(args.end(), {"--pairs", "pairs.csv"});
    find(args);
    EXPECT_EQ(folder.read("pairs.csv"), "i,j\n0,1\n") << words;
  }

  program::folder folder;
};

const std::vector<std::vector<double>> positions = {{0, 0, 0}, {0, 0, 0.75}, {0, 0, 3}};

TEST_F(cli_columns, three_without_names_are_refused) {
  folder.write("g.npy", program::npy_of<double>(positions, 3));
  folder.write("flat.npy", program::npy_of<float>({{0, 0}, {0, 0.75}, {0, 9}}, 2));
  expect_error({"g.npy"},
               "g.npy: has shape (3, 3), which can be x,y,z or x,y,r; say --columns x,y,z --radius R, or "
               "--columns x,y,r");
  expect_error({"flat.npy"}, "flat.npy: has shape (3, 2): x,y without a radius; give one for all: --radius R");
  for (const char* verb : {"plan", "bench"}) EXPECT_EQ(run(folder, {verb, "g.npy"}).code, 2) << verb;
  expect_one_pair({"g.npy", "--radius", "0.5"}, "g.npy: 3 spheres in 3D (columns x, y, z; radius 0.5 for all)");
  expect_one_pair({"g.npy", "--columns", "x,y,z", "--radius", ".5"}, "3D (columns x, y, z; radius 0.5 for all)");
  expect_one_pair({"flat.npy", "--radius", "0.5"}, "3 discs in 2D (columns x, y; radius 0.5 for all)");
  const json_members json(find({"g.npy", "--radius", "0.5", "--scale", "10", "--json"}).out);
  EXPECT_EQ(json["pairs"], "3");
  EXPECT_EQ(json["columns.2"], "z");
  EXPECT_EQ(json["radius"], "0.5");
  EXPECT_FALSE(json.has("columns.3"));
  EXPECT_FALSE(json.has("periodic.0"));
}

TEST_F(cli_columns, of_an_array_are_named_in_their_order) {
  folder.write("discs.npy", program::npy_of<double>({{0, 0, 1}, {1.5, 0, 1}, {9, 0, 1}}, 3, true));
  expect_one_pair({"discs.npy", "--columns", "x,y,r"}, "3 discs in 2D (columns x, y, r)");
  expect_one_pair({"discs.npy", "--columns", "y, z=z ,x", "--radius", "1"}, "3D (columns x, y, z; radius 1 for all)");
  folder.write("wide.npy", program::npy_of<float>({{2, 7, 0, 0, 0}, {2, 7, 0, 1.5, 0}, {2, 7, 0, 9, 0}}, 5));
  expect_one_pair({"wide.npy", "--columns", "diameter,-,z,y,x"}, "3D (columns x, y, z, diameter)");
  folder.write("boxes.npy", program::npy_of<double>({{0, 0, 1, 1}, {1, 1, 2, 2}, {5, 5, 6, 6}}, 4));
  expect_one_pair({"boxes.npy", "--columns", "xmin,ymin,xmax,ymax"},
                  "3 rectangles in 2D (columns xmin, xmax, ymin, ymax)");
}

TEST_F(cli_columns, that_make_no_bodies_are_refused) {
  folder.write("g.npy", program::npy_of<double>({{0, 0, 0, 1}}, 4));
  folder.write("g.csv", "x,y,z,r\n0,0,0,1\n");
  folder.write("boxes.csv", "xmin,xmax,ymin,ymax\n0,1,0,1\n");
  const auto refused = [&](const char* columns, const std::string& why, const char* file = "g.npy") {
    expect_error({file, "--columns", columns}, std::string("--columns \"") + columns + "\"" + why);
  };
  refused("x,y,z", ": has no radius; name a column r or diameter, or give one for all: --radius R");
  refused("x,z,r", ": has no y; name it too");
  refused("x,y,z,,r", ": a name is missing; write x,y,z,r or x=cx,y=cy,...");
  refused("x,y,z,w",
          ": \"w\" is none of x, y, z, r, radius, diameter, xmin, xmax, ymin, ymax, zmin, zmax, id and -; write x=w if "
          "the file has x under that name");
  refused("x,x,y,r", ": x is named twice");
  refused("x,y,r,diameter", ": r and diameter mean the same; name one");
  refused("x,y,r,xmin", ": x, y, r are for spheres and xmin for boxes; name those of one");
  refused("xmin,xmax,ymin,ymax,zmin", ": has no zmax; name it too");
  refused("x,y,r", " names 3 columns and g.npy has 4; name each, with - for those to skip");
  refused("x=a,y,z,r", ": the columns of g.npy have no names; write x,y,z,r in their order, - for others");
  refused("xs,ys,zs,r", ": xs is for LAMMPS dumps; call it x");
  refused("x=y,y,r", ": takes column \"y\" twice", "g.csv");
  expect_error({"g.npy", "--radius", "1"},
               "g.npy: has shape (1, 4): x,y,z,r; leave --radius out, or name the columns: --columns x,y,z,-");
  expect_error({"g.csv", "--radius", "1"},
               "--radius is given and g.csv:1 has a column r; leave one out, by --columns x,y,z for example");
  expect_error({"g.csv", "--radius", "1", "--columns", "x,y,r"},
               "--columns \"x,y,r\": has radii; leave --radius out, or the column");
  expect_error({"boxes.csv", "--radius", "1"},
               "--radius is for spheres, and boxes.csv:1 has boxes (xmin, xmax, ymin, ymax)");
  expect_error({"boxes.csv", "--radius", "1", "--columns", "xmin,xmax,ymin,ymax"},
               "--columns \"xmin,xmax,ymin,ymax\": boxes have no radius; leave --radius out");
  expect_error({"g.csv", "--radius", "-1"}, "--radius is -1; it must be a finite number >= 0");
  expect_error({"g.csv", "--radius", "big"}, "--radius is \"big\", not a number; it must be a finite number >= 0");
  expect_error({"--demo", "--radius", "1"}, "--radius is for files, and --demo makes its own bodies; leave it out");
  expect_error({"g.csv", "--columns", "x,y=why,r"}, "g.csv:1: missing column why; the header has x, y, z, r");
}

TEST_F(cli_columns, of_csv_are_chosen_and_renamed) {
  folder.write("g.csv", "x,y,r,xmin,d,cx\n0,0,9,0,1,0\n1,0,9,0,1,5\n9,0,9,0,1,9\n");
  expect_error({"g.csv"},
               "g.csv:1: has columns for spheres (x, y, r) and for boxes (xmin); choose some with --columns");
  expect_one_pair({"g.csv", "--columns", "x,y,diameter=d"}, "3 discs in 2D (columns x, y, diameter=d)");
  expect_one_pair({"g.csv", "--columns", "x,y", "--radius", "0.5"}, "(columns x, y; radius 0.5 for all)");
  folder.write("radius.csv", "x,y,z,radius\n0,0,0,.5\n1,0,0,.5\n9,0,0,.5\n");
  expect_one_pair({"radius.csv"}, "3D (columns x, y, z, radius)");
  folder.write("diameter.csv", "x,y,z,diameter\n0,0,0,1\n1,0,0,1\n9,0,0,1\n");
  expect_one_pair({"diameter.csv"}, "3D (columns x, y, z, diameter)");
  folder.write("positions.csv", "x,y,z\n0,0,0\n1,0,0\n9,0,0\n");
  expect_one_pair({"positions.csv", "--radius", "0.5"}, "3D (columns x, y, z; radius 0.5 for all)");
  expect_error({"positions.csv"},
               "positions.csv:1: missing column r; the header has x, y, z; or give one radius for all: --radius R");
  folder.write("bare.csv", "0,0,0,.5\n\n1,0,0,.5\n9,0,0,.5\n");
  expect_one_pair({"bare.csv", "--columns", "x,y,z,r"}, "3D (columns x, y, z, r)");
  folder.write("bad.csv", "0,0,.5\n1,zero,.5\n");
  expect_error({"bad.csv", "--columns", "x,y,r"}, "bad.csv:2: row 1, column y: \"zero\" is not a number");
}

TEST_F(cli_columns, of_spheres_and_of_boxes_together_are_refused) {
  for (const auto& [header, names] :
       {std::pair<std::string, std::string>{"x,y,r,xmin", "(x, y, r) and for boxes (xmin)"},
        {"xmin,xmax,ymin,ymax,r", "(r) and for boxes (xmin, xmax, ymin, ymax)"},
        {"xmin,xmax,ymin,ymax,x,y", "(x, y) and for boxes (xmin, xmax, ymin, ymax)"}}) {
    folder.write("g.csv", header + "\n");
    const auto result = find({"g.csv"});
    EXPECT_EQ(result.code, 2) << header;
    EXPECT_EQ(result.err.find("g.csv:1: has columns for spheres " + names + "; choose some with --columns\n"), 0U)
        << result.err;
  }
}

/// Records of these fields.
std::string records(const std::string& fields, std::size_t count, const std::string& bytes) {
  return npy("{'descr': [" + fields + "], 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }", bytes);
}

template <class T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

TEST_F(cli_columns, of_records_have_names) {
  std::string rows;
  for (const double x : {0.0, 1.5, 9.0}) {
    rows += "name" + bytes_of(2.0F) + bytes_of(static_cast<std::int32_t>(10 * x) + 7) + std::string(24, 'v') +
            bytes_of(x) + std::string(3, 'p') + bytes_of(0.0);
  }
  const std::string fields =
      "('name', '|S4'), ('diameter', '<f4'), ('id', '<i4'), ('v', '<f8', (3,)), (('along', 'x'), '<f8'), ('', '|V3'), "
      "('y', '<f8')";
  folder.write("g.npy", records(fields, 3, rows));
  expect_one_pair({"g.npy"}, "3 discs in 2D (columns x, y, diameter)");
  expect_one_pair({"g.npy", "--columns", "x,y", "--radius", "1"}, "(columns x, y; radius 1 for all)");
  find({"g.npy", "--pairs", "ids.csv", "--ids"});
  EXPECT_EQ(folder.read("ids.csv"), "id_i,id_j\n7,22\n");
  expect_error({"g.npy", "--columns", "x,y,r=v"},
               "g.npy: its field \"v\" holds several numbers; give each a field of its own");
  expect_error({"g.npy", "--columns", "x,y,r=name"},
               "g.npy: holds numbers of another type (\"|S4\"); save array.astype(\"float64\") or \"float32\"");
  folder.write("short.npy", records("('x', '<f8'), ('y', '<f8'), ('r', '<f8')", 2, std::string(24, '\0')));
  expect_error(
      {"short.npy"},
      "short.npy: promises 48 bytes (shape (2,) of 24-byte records) and has 24; it is cut short, save it again");
  folder.write("deep.npy", records("('x', [('a', '<f8')])", 1, std::string(8, '\0')));
  expect_error({"deep.npy"}, "deep.npy: its field \"x\" consists of fields itself; save records of plain numbers");
  folder.write("object.npy", records("('x', '|O')", 1, "pickle"));
  expect_error({"object.npy"}, "object.npy: holds pickled Python objects (field \"x\"); save records of numbers");
}

TEST_F(cli_columns, of_our_own_files_need_not_be_named) {
  run(folder, {"generate", "touching", "--count", "100", "--dimension", "2", "--single", "--out", "a.npy"});
  const auto result = find({"a.npy", "--json"});
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(json_members(result.out)["pairs"], "180");
  EXPECT_NE(folder.read("a.npy").find("[('x', '<f4'), ('y', '<f4'), ('r', '<f4')]"), std::string::npos);
}

TEST_F(cli_columns, that_cannot_be_meant_give_a_warning) {
  std::vector<std::vector<double>> cube;
  for (int i = 0; i < 1000; ++i) cube.push_back({1.0 * (i % 10), 1.0 * (i / 10 % 10), 1.0 * (i / 100)});
  folder.write("g.npy", program::npy_of<double>(cube, 3));
  const auto result = find({"g.npy", "--columns", "x,y,r", "--json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(
      result.err,
      "warning: g.npy: its 1,000 discs in 2D are 9 wide on average, and all their centers lie within 9, so most of "
      "them touch each other; are the columns x, y, r right?\n");
  EXPECT_EQ(find({"g.npy", "--radius", "0.5"}).err, "");
  EXPECT_EQ(find({"g.npy", "--radius", "0.5", "--scale", "9"}).err.find("warning: g.npy: its 1,000 spheres"), 0U);
  // One giant among specks, and long walls, are intended: no warning.
  std::string giant = "x,y,r\n5,5,500\n", walls = "xmin,xmax,ymin,ymax\n";
  for (int i = 0; i < 1000; ++i) {
    giant += std::to_string(i) + ",0,0.1\n";
    walls += "0,1000," + std::to_string(2 * i) + "," + std::to_string(2 * i + 1) + "\n";
  }
  folder.write("giant.csv", giant);
  folder.write("walls.csv", walls);
  EXPECT_EQ(find({"giant.csv"}).err, "");
  EXPECT_EQ(find({"walls.csv"}).err, "");
}

}  // namespace
}  // namespace columns_test
