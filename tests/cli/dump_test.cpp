// LAMMPS dumps: their boxes, the names of their columns, and their ids.

#include <gtest/gtest.h>

#include "cli/known_constants.hpp"
#include "run_program.hpp"

namespace dump_test {
namespace {

using program::arguments;
using program::json_members;
using program::run;

/// Four atoms in a box from 0 to 10 (z: 0 to 8). The first two touch across x, the last two across z.
std::string dump(const std::string& box = "pp ff pp\n0 10\n0 10\n0 8\n", const std::string& columns = "id x y z radius",
                 const std::string& atoms = "40 0.25 5 2 0.5\n7 9.75 5 2 0.5\n12 5 1 0.25 0.5\n9 5 1 7.5 0.5\n") {
  return "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n4\nITEM: BOX BOUNDS " + box + "ITEM: ATOMS " + columns + "\n" +
         atoms;
}

class cli_dump : public ::testing::Test {
 protected:
  program::result find(arguments args) const {
    args.insert(args.begin(), "find");
    return run(folder, args);
  }
  /// The pairs as .csv, on one line.
  std::string pairs(const std::string& content, arguments more = {}) {
    folder.write("g.dump", content);
    more.insert(more.begin(), {"g.dump", "--pairs", "pairs.csv"});
    const auto result = find(more);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    words = result.out;
    std::replace(words.begin(), words.end(), '\n', ' ');
    for (std::size_t at = 0; (at = words.find("  ", at)) != std::string::npos;) words.erase(at, 1);
    std::string text = folder.read("pairs.csv").substr(4);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }
  void expect_words(const std::string& part) const { EXPECT_NE(words.find(part), std::string::npos) << words; }
  void expect_error(const arguments& args, const std::string& line) const {
    const auto result = find(args);
    EXPECT_EQ(result.code, 2) << line;
    EXPECT_EQ(result.err, line + "\n");
  }

  program::folder folder;
  std::string words;
};

TEST_F(cli_dump, repeats_as_its_box_says) {
  EXPECT_EQ(pairs(dump()), "0,1 2,3 ");
  expect_words("(columns x, y, z, radius; periodic in x, z by its box)");
  EXPECT_EQ(json_members(find({"g.dump", "--json"}).out)["periodic.1"], "z");
  EXPECT_EQ(pairs(dump("pp pp ff\n0 10\n0 10\n0 8\n")), "0,1 ");
  EXPECT_EQ(pairs(dump("ff fs sm\n0 10\n0 10\n0 8\n")), "");
  expect_words("(columns x, y, z, radius; not periodic)");
  EXPECT_EQ(pairs(dump("\n0 10\n0 10\n0 8\n")), "");  // old dumps have no flags
}

TEST_F(cli_dump, the_user_has_the_last_word_on_what_repeats) {
  EXPECT_EQ(pairs(dump(), {"--periodic", "x"}), "0,1 ");
  EXPECT_EQ(pairs(dump(), {"--periodic", "none"}), "");
  EXPECT_EQ(pairs(dump(), {"--domain", "0,20,0,20,0,8"}), "2,3 ");
  EXPECT_EQ(json_members(
                run(folder, {"bench", "g.dump", "--repeat", "1", "--methods", "pairing", "--json"}).out)["periodic.0"],
            "x");
  program::write_constants(folder);
  EXPECT_EQ(json_members(run(folder, {"plan", "g.dump", "--json"}).out)["periodic.0"], "x");
}

TEST_F(cli_dump, with_a_box_that_leans_warns_that_it_cannot_repeat) {
  folder.write("g.dump", dump("xy xz yz pp pp ff\n0 10 1\n0 10 0\n0 8 0\n"));
  const std::string why = "g.dump:5: its box is triclinic, which abut cannot repeat";
  const auto result = find({"g.dump", "--json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err,
            "warning: " + why + "; pairs across its borders are not found (--periodic none hides this warning)\n");
  EXPECT_FALSE(json_members(result.out).has("periodic.0"));
  EXPECT_EQ(find({"g.dump", "--periodic", "none"}).err, "");
  expect_error({"g.dump", "--periodic", "x"}, why + "; add --domain xmin,xmax,ymin,ymax,zmin,zmax");
  folder.write("g.dump", dump("abc origin pp pp pp\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"));
  EXPECT_EQ(find({"g.dump"}).err.find("warning: " + why), 0U);
  folder.write("g.dump", dump("xy xz yz ff ff ff\n0 10 1\n0 10 0\n0 8 0\n"));
  EXPECT_EQ(find({"g.dump"}).err, "");
  // A triclinic box without tilt is an ordinary one.
  EXPECT_EQ(pairs(dump("xy xz yz pp pp pp\n0 10 0\n0 10 0.0\n0 8 0\n")), "0,1 2,3 ");
}

TEST_F(cli_dump, with_a_box_that_is_none) {
  folder.write("g.dump", dump("pp pp pp\n0 0\n0 0\n0 0\n"));
  EXPECT_EQ(find({"g.dump"}).err,
            "warning: g.dump:5: its box goes from 0 to 0 on z, which cannot repeat; pairs across its "
            "borders are not found (--periodic none hides this warning)\n");
  folder.write("g.dump", dump("pp pp pp\n0 1\n0 1\n0 1\n"));
  const auto result = find({"g.dump"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("the periodic side x is 1"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("; or leave the box of g.dump out: --periodic none\n"), std::string::npos) << result.err;
  folder.write("g.dump", dump("pp pp pp\n0 1\n0\n0 1\n"));
  expect_error({"g.dump"}, "g.dump:7: the box's bounds on y are not two numbers: \"0\"");
}

TEST_F(cli_dump, of_a_simulation_in_2d_does_not_repeat_in_z) {
  EXPECT_EQ(pairs(dump("pp pp pp\n0 10\n0 10\n-0.5 0.5\n", "id x y z radius",
                       "1 0.25 5 0 0.5\n2 9.75 5 0 0.5\n3 5 1 0 0.5\n4 5 3 0 0.5\n")),
            "0,1 ");
  expect_words("3D (columns x, y, z, radius; periodic in x, y by its box)");
}

TEST_F(cli_dump, columns_by_the_names_of_lammps) {
  const std::string box = "pp ff pp\n0 10\n0 10\n0 8\n";
  EXPECT_EQ(pairs(dump(box, "id xu yu zu diameter", "1 10.25 5 2 1\n2 -0.25 5 2 1\n3 5 1 0.25 1\n4 5 1 7.5 1\n")),
            "0,1 2,3 ");
  expect_words("columns xu, yu, zu, diameter;");
  const std::string scaled =
      "1 0.025 0.5 0.25 0.5\n2 0.975 0.5 0.25 0.5\n3 0.5 0.1 0.03125 0.5\n4 0.5 0.1 0.9375 0.5\n";
  EXPECT_EQ(pairs(dump(box, "id xs ys zs radius", scaled)), "0,1 2,3 ");
  EXPECT_EQ(pairs(dump(box, "id xsu ysu zsu radius", scaled)), "0,1 2,3 ");
  EXPECT_EQ(pairs(dump("ff ff ff\n10 20\n0 10\n0 8\n", "id xs ys zs radius", scaled)), "");
  EXPECT_EQ(pairs(dump(box, "id x y z c_a", "1 0.25 5 2 1\n2 9.75 5 2 1\n3 5 1 0.25 1\n4 5 1 7.5 1\n"),
                  {"--columns", "x,y,z,diameter=c_a"}),
            "0,1 2,3 ");
  const std::string bare = "1 0.25 5 2\n2 9.75 5 2\n3 5 1 0.25\n4 5 1 7.5\n";
  EXPECT_EQ(pairs(dump(box, "id x y z", bare), {"--radius", "0.5"}), "0,1 2,3 ");
  expect_error({"g.dump"},
               "g.dump:9: missing column radius; the header has id, x, y, z; or give one radius for all: --radius R");
  folder.write("g.dump", dump("xy xz yz ff ff ff\n0 10 1\n0 10 0\n0 8 0\n", "id xs ys zs radius", scaled));
  expect_error({"g.dump"}, "g.dump:9: xs is a fraction of the side of the box, which is unusable; dump x y z");
}

TEST_F(cli_dump, ids_of_atoms_instead_of_rows) {
  folder.write("g.dump", dump());
  EXPECT_EQ(find({"g.dump", "--ids", "--pairs", "pairs.csv"}).code, 0);
  EXPECT_EQ(folder.read("pairs.csv"), "id_i,id_j\n7,40\n9,12\n");
  EXPECT_EQ(find({"g.dump", "--ids", "--pairs", "pairs.npy"}).code, 0);
  std::string bytes;
  for (const std::int64_t id : {7, 40, 9, 12}) bytes.append(reinterpret_cast<const char*>(&id), 8);
  EXPECT_EQ(folder.read("pairs.npy"),
            program::npy("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }", bytes));
  folder.write("g.csv", "x,y,r,atom\n0,0,1,-5\n1,0,1,9000000000\n");
  EXPECT_EQ(find({"g.csv", "--columns", "x,y,r,id=atom", "--ids", "--pairs", "pairs.csv"}).code, 0);
  EXPECT_EQ(folder.read("pairs.csv"), "id_i,id_j\n-5,9000000000\n");
  folder.write("g.npy", program::npy_of<double>({{7, 0, 0, 1}, {3, 1, 0, 1}}, 4));
  EXPECT_EQ(find({"g.npy", "--columns", "id,x,y,r", "--ids", "--pairs", "pairs.csv"}).code, 0);
  EXPECT_EQ(folder.read("pairs.csv"), "id_i,id_j\n3,7\n");
}

TEST_F(cli_dump, ids_that_are_none_are_refused) {
  folder.write("g.dump", dump());
  folder.write("no.dump", dump("ff ff ff\n0 1\n0 1\n0 1\n", "x y z radius", "0 0 0 1\n0 0 0 1\n0 0 0 1\n0 0 0 1\n"));
  folder.write("twice.dump",
               dump("ff ff ff\n0 1\n0 1\n0 1\n", "id x y radius", "1 0 0 1\n2 0 0 1\n1 0 0 1\n3 0 0 1\n"));
  folder.write("half.csv", "id,x,y,r\n1.5,0,0,1\n");
  folder.write("g.npy", program::npy_of<double>({{0, 0, 0.5, 1}}, 4));
  expect_error({"g.dump", "--ids"}, "--ids says what --pairs writes; add --pairs FILE");
  expect_error({"--demo", "--ids", "--pairs", "p.csv"},
               "--ids is for files with ids, and --demo has none; leave it out");
  const auto refused = [&](const char* file, const std::string& line, arguments more = {}) {
    more.insert(more.begin(), {file, "--ids", "--pairs", "p.csv"});
    expect_error(more, line);
  };
  refused("no.dump", "no.dump:9: has no column id, which --ids needs; name one with --columns");
  refused("twice.dump", "twice.dump:12: its id 1 is that of row 0 too; --ids needs one for each body");
  refused("half.csv", "half.csv:2: row 0, column id: \"1.5\" is not a whole number, as ids are");
  refused("g.npy", "g.npy: has no column id, which --ids needs; name one with --columns");
  refused("g.npy", "g.npy: row 0: its id is not a whole number of 64 bits", {"--columns", "x,y,id,r"});
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "p.csv"));
}

}  // namespace
}  // namespace dump_test
