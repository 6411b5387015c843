// User mistakes: every error is one line on stderr that names the thing, its value and the place, with exit code 2.

#include <thread>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace errors_test {
namespace {

using program::arguments;
using program::npy;
using program::on_a_terminal;
using program::run;

const std::string eight_rows = "0,0,0,1\n2,0,0,1\n4,0,0,1\n6,0,0,1\n8,0,0,1\n10,0,0,1\n12,0,0,1\n";  // rows 0 to 6

std::string shaped(const std::string& type, const std::string& shape) {
  return "{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }";
}

std::string frame(const std::string& count, const std::string& columns, const std::string& rows) {
  return "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n" + count +
         "\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS " + columns + "\n" + rows;
}

void expect_error(const program::result& result, const std::string& line, const std::string& what) {
  EXPECT_EQ(result.code, 2) << what;
  EXPECT_EQ(result.out, "") << what;
  EXPECT_EQ(result.err, line + "\n") << what;
}

/// For messages whose end is the library's: expects one line that begins with this text.
void expect_error_like(const program::result& result, const std::string& start, const std::string& what) {
  EXPECT_EQ(result.code, 2) << what;
  EXPECT_EQ(result.out, "") << what;
  EXPECT_EQ(result.err.substr(0, start.size()), start) << what;
  EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << what << ": " << result.err;
}

class cli_errors : public ::testing::Test {
 protected:
  program::folder folder;
};

TEST_F(cli_errors, in_csv) {
  const struct {
    std::string text;
    const char* line;
  } cases[] = {
      {"", "g.csv: is empty (0 bytes); a file without bodies still needs its header"},
      {" \n\n", "g.csv:3: no header; the first line names the columns: x,y,z,r"},
      {"x,y,z,rad\n0,0,0,1\n", "g.csv:1: missing column r; the header has x, y, z, rad; rename rad to r"},
      {"X,y,r\n", "g.csv:1: missing column x; the header has X, y, r; rename X to x"},
      {"x,y,d\n", "g.csv:1: missing column r; the header has x, y, d; rename d to diameter"},
      {"x,z,r\n", "g.csv:1: missing column y; the header has x, z, r"},
      {"\nxmin,x_max,ymin,ymax\n",
       "g.csv:2: missing column xmax; the header has xmin, x_max, ymin, ymax; rename x_max to xmax"},
      {"xmin,xmax,ymin,ymax,zmin\n", "g.csv:1: missing column zmax; the header has xmin, xmax, ymin, ymax, zmin"},
      {"x;y;z;r\n0;0;0;1\n", "g.csv:1: missing column x; the header has x;y;z;r; separate columns by commas"},
      {"0,0,0,1\n",
       "g.csv:1: missing column x; the header has 0, 0, 0, 1; the first line must name the columns: x,y,z,r, or "
       "else --columns x,y,z,r"},
      {"x,y,x,r\n", "g.csv:1: column x occurs twice (columns 1 and 3 of the header); remove or rename one"},
      {"x,y,r,xmin,xmax,ymin,ymax\n",
       "g.csv:1: has columns for spheres (x, y, r) and for boxes (xmin, xmax, ymin, ymax); choose some with "
       "--columns"},
      {"x,y,z,r\n" + eight_rows + "14,0,0,one\n", "g.csv:9: row 7, column r: \"one\" is not a number"},
      {"x,y,z,r\n\n" + eight_rows + "14,0,1.5abc,1\n", "g.csv:10: row 7, column z: \"1.5abc\" is not a number"},
      {"x,y,z,r\n1,2,,4\n", "g.csv:2: row 0, column z: is empty; write a number"},
      {"x,y,z,r\n1,2,3,\n", "g.csv:2: row 0, column r: is empty; write a number"},
      {"x,y,z,r\n1,2,\"\",4\n", "g.csv:2: row 0, column z: is empty; write a number"},
      {"x,y,z,r\n1,1e400,3,4\n",
       "g.csv:2: row 0, column y: \"1e400\" is past the range of a double (4.9e-324 to 1.8e308)"},
      {"x,y,z,r\n1,0x10,3,4\n", "g.csv:2: row 0, column y: \"0x10\" is not a number"},
      {"x,y,z,r\n1,2 3,3,4\n", "g.csv:2: row 0, column y: \"2 3\" is not a number"},
      {"x,y,z,r\n0,0,0,1\n1,2", "g.csv:3: row 1 has 2 of 4 columns, none for \"z\"; the file may be cut short"},
      {"x,y,z,r\n0,0,0,1,5\n",
       "g.csv:2: row 0 has more columns than the 4 of the header; put text with commas in quotes"},
      {"x,y,r,name\n0,0,1,\"a\nb\n", "g.csv:2: a quote is opened and never closed"},
      {std::string("\x00\x01\x02\x7f,\n\xfe", 6),
       "g.csv:1: is not text (it holds a zero byte); abut reads .csv, .npy and LAMMPS dumps"},
      {"\x8f\xe2\n\xff", "g.csv:1: missing column x; the header has \\x8f\\xe2"},
      {"PK\x03\x04....", "g.csv: is a zip archive (.npz?); save one array with numpy.save"},
      {"\x1f\x8b....", "g.csv: is compressed; unpack it with gunzip first"},
      {"\xff\xfex", "g.csv: is UTF-16 text; save it as UTF-8"},
  };
  for (const auto& c : cases) {
    folder.write("g.csv", c.text);
    expect_error(run(folder, {"find", "g.csv"}), c.line, c.text);
  }
}

TEST_F(cli_errors, of_bodies_name_the_line_or_the_row) {
  const double nan = std::stod("nan");
  std::vector<std::vector<double>> bad(9, {0, 0, 0, 1});
  bad[7][3] = nan;
  const struct {
    const char* name;
    std::string content;
    const char* start;
  } cases[] = {
      {"nan.csv", "x,y,z,r\n" + eight_rows + "14,0,0,nan\n", "nan.csv:9: body 7 has r nan"},
      {"blank.csv", "x,y,z,r\n\n" + eight_rows + "\n14,0,0,nan\n", "blank.csv:11: body 7 has r nan"},
      {"quotes.csv", "x,y,name,r\n0,0,\"a\nb\nc\",1\n1,1,,-1\n", "quotes.csv:5: body 1 has r -1"},
      {"nan.npy", program::npy_of<double>(bad, 4), "nan.npy: row 7: body 7 has r nan"},
      {"nan4.npy", program::npy_of<float>(bad, 4, true), "nan4.npy: row 7: body 7 has r nan"},
      {"inf.csv", "x,y,r\n-inf,0,1\n", "inf.csv:2: body 0 has x -inf"},
      {"negative.csv", "x,y,z,r\r\n0,0,0,1\r\n0,0,0,-0.5\r\n", "negative.csv:3: body 1 has r -0.5"},
      {"swapped.csv", "xmin,xmax,ymin,ymax\n0,1,5,1\n", "swapped.csv:2: body 0 has ymin 5"},
      {"huge.csv", "x,y,r\n0,0,1\n1e200,0,1\n", "huge.csv:3: body 1 has x 1e+200"},
      {"nan.dump", frame("2", "x y z radius", "0 0 0 1\n0 nan 0 1\n"), "nan.dump:11: body 1 has y nan"},
  };
  for (const auto& c : cases) {
    folder.write(c.name, c.content);
    expect_error_like(run(folder, {"find", c.name}), c.start, c.name);
  }
  const auto scaled = run(folder, {"find", "negative.csv", "--scale", "2"});
  expect_error_like(scaled, "negative.csv:3: body 1 has r -1", "scaled");
  EXPECT_NE(scaled.err.find("(with --scale 2)\n"), std::string::npos) << scaled.err;
}

TEST_F(cli_errors, in_npy) {
  const std::string row(4 * 8, '\0');
  const struct {
    std::string content;
    const char* line;
  } cases[] = {
      {"x,y,r\n0,0,1\n", "g.npy: is not an .npy file (it starts with \"x,y,r\\n\"); save the array with numpy.save"},
      {"\x93NUMPY", "g.npy: is cut short within the .npy header (6 bytes); save the array again"},
      {npy(shaped("'<f8'", "(1, 4)"), row).substr(0, 50),
       "g.npy: is cut short within the .npy header (50 bytes); save the array again"},
      {npy(shaped("'<f8'", "(1, 4)"), row, 4), "g.npy: is a .npy file of version 4; abut reads versions 1, 2 and 3"},
      {npy(shaped("'<f8'", "(2, 4)"), row),
       "g.npy: promises 64 bytes (shape (2, 4) of 8-byte numbers) and has 32; it is cut short, save it again"},
      {npy(shaped("'<f8'", "(1, 4)"), row + "more"),
       "g.npy: promises 32 bytes (shape (1, 4) of 8-byte numbers) and has 36; there is more after the array; save "
       "only one"},
      {npy(shaped("'<f4'", "(1000000000000, 4)"), row),
       "g.npy: promises 16000000000000 bytes (shape (1000000000000, 4) of 4-byte numbers) and has 32; it is cut short, "
       "save it again"},
      {npy(shaped("'<f8'", "(9000000000000000000, 4)"), row),
       "g.npy: promises shape (9000000000000000000, 4) of 8-byte numbers, more than any file holds; it has 32 bytes"},
      {npy(shaped("'<f8'", "(4,)"), row),
       "g.npy: has shape (4,); abut reads (n, 4): x,y,z,r, other (n, k) with --columns, and records"},
      {npy(shaped("'<f8'", "(2, 2)"), row),
       "g.npy: has shape (2, 2): x,y without a radius; give one for all: --radius R"},
      {npy(shaped("'<f8'", "(1, 5)"), row),
       "g.npy: has shape (1, 5); name its columns, with - for those to skip: --columns x,y,z,r,-,-"},
      {npy(shaped("'<f8'", "()"), row),
       "g.npy: has shape (); abut reads (n, 4): x,y,z,r, other (n, k) with --columns, and records"},
      {npy(shaped("'>f8'", "(1, 4)"), row), "g.npy: holds big-endian numbers (\">f8\"); save array.astype(\"<f8\")"},
      {npy(shaped("'<i8'", "(1, 4)"), row),
       "g.npy: holds numbers of another type (\"<i8\"); save array.astype(\"float64\") or \"float32\""},
      {npy(shaped("'<f2'", "(4, 4)"), row),
       "g.npy: holds numbers of another type (\"<f2\"); save array.astype(\"float64\") or \"float32\""},
      {npy(shaped("'|O'", "(1, 4)"), "pickle"),
       "g.npy: holds pickled Python objects (\"|O\"); save array.astype(\"float64\"), an array of numbers"},
      {npy(shaped("[('x', '<f8'), ('r', '<f8')]", "(2,)"), row), "g.npy: missing column y; the header has x, r"},
      {npy("{'descr': '<f8'}", row),
       "g.npy: damaged .npy header \"{'descr': '<f8'}                        ...\"; save the array again with "
       "numpy.save"},
  };
  for (const auto& c : cases) {
    folder.write("g.npy", c.content);
    expect_error(run(folder, {"find", "g.npy"}), c.line, c.line);
  }
}

TEST_F(cli_errors, in_dumps) {
  const std::string columns = "id x y z radius";
  const struct {
    std::string text;
    const char* line;
  } cases[] = {
      {frame("2", columns, "1 0 0 0 1\n"), "g.dump:11: the frame ends after 1 of 2 atoms; it may be cut short"},
      {frame("2", columns, "1 0 0 0 1\n" + frame("1", columns, "")),
       "g.dump:20: the frame ends after 0 of 1 atoms; it may be cut short"},
      {frame("99999999999999", columns, "1 0 0 0 1\n"),
       "g.dump:11: the frame ends after 1 of 99999999999999 atoms; it may be cut short"},
      {frame("1", columns, "1 0 0 0 1\n2 0 0 0 1\n"), "g.dump:11: more lines than the 1 atoms that the frame promises"},
      {frame("1", columns, "1 0 0 0\n"),
       "g.dump:10: row 0 has 4 of 5 columns, none for \"radius\"; the file may be cut short"},
      {frame("1", columns, "1 0 0 0 1 7\n"), "g.dump:10: row 0 has more columns than the 5 of its header"},
      {frame("1", columns, "1 0 zero 0 1\n"), "g.dump:10: row 0, column y: \"zero\" is not a number"},
      {frame("1", columns, "1 0 1e400 0 1\n"),
       "g.dump:10: row 0, column y: \"1e400\" is past the range of a double (4.9e-324 to 1.8e308)"},
      {frame("1", "id x y z", "1 0 0 0\n"),
       "g.dump:9: missing column radius; the header has id, x, y, z; or give one radius for all: --radius R"},
      {frame("1", "x y z rad", "0 0 0 1\n"),
       "g.dump:9: missing column radius; the header has x, y, z, rad; rename rad to radius"},
      {frame("many", columns, ""), "g.dump:4: \"many\" is not a number of atoms"},
      {"ITEM: TIMESTEP\n0\n", "g.dump:3: the file ends before an ITEM: ATOMS section; it may be cut short"},
      {"ITEM: TIMESTEP\n0\nhello\n", "g.dump:3: \"hello\" where a section (ITEM: ...) should begin"},
      {"ITEM: ATOMS x y z radius\n0 0 0 1\n", "g.dump:1: ITEM: NUMBER OF ATOMS is missing before the atoms"},
      {"hello\n", "g.dump: unknown format; abut reads .npy, .csv and LAMMPS dumps (text that starts with ITEM:)"},
  };
  for (const auto& c : cases) {
    folder.write("g.dump", c.text);
    expect_error(run(folder, {"find", "g.dump"}), c.line, c.text);
  }
}

TEST_F(cli_errors, of_options) {
  folder.write("g.csv", "x,y,z,r\n0,0,0,1\n1,0,0,1\n");
  folder.write("flat.csv", "x,y,r\n0,0,1\n");
  folder.write("boxes.csv", "xmin,xmax,ymin,ymax\n0,1,0,1\n");
  folder.write(
      "tilted.dump",
      "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n0\nITEM: BOX BOUNDS xy xz yz ff ff ff\n0 1 0\n0 1 0\n0 1 0.5\n"
      "ITEM: ATOMS x y z radius\n");
  const struct {
    arguments args;
    const char* line;
  } cases[] = {
      {{"fnd"}, "unknown verb \"fnd\", did you mean find?"},
      {{"zzzzzz"}, "unknown verb \"zzzzzz\"; the verbs are run, render, find, draw, plan, bench, generate, methods"},
      {{"--versoin"}, "unknown option --versoin, did you mean --version?"},
      {{"find", "g.csv", "--metod", "pairing"}, "unknown option --metod, did you mean --method?"},
      {{"find", "--metod=pairing", "g.csv"}, "unknown option --metod, did you mean --method?"},
      {{"find", "g.csv", "--qqqqqqqq"}, "unknown option --qqqqqqqq; see abut find --help"},
      {{"find", "g.csv", "flat.csv"}, "one argument too many: \"flat.csv\"; see abut find --help"},
      {{"find", "run"}, "run: no such file"},  // not the verb of that name
      {{"render", "find", "--out", "p.png"}, "find: there is no such folder or file"},
      {{"methods", "pairing"}, "one argument too many: \"pairing\"; see abut methods --help"},
      {{"find", "g.csv", "--scale"}, "--scale needs a value; see abut find --help"},
      {{"find", "g.csv", "--scale", "1", "--scale", "2"}, "--scale is given twice; give it once"},
      {{"find", "g.csv", "--json=3"}, "--json takes no value"},
      {{"find", "g.csv", "--pairs", ""}, "--pairs is empty; give it a value or leave it out"},
      {{"find", ""}, "BODIES is empty; give it a value or leave it out"},
      {{"find"}, "no bodies; name a file (.npy, .csv or a LAMMPS dump), or try --demo"},
      {{"find", "g.csv", "--demo"}, "both --demo and the file \"g.csv\" are given; choose one"},
      {{"find", "g.csv", "--scale", "0"}, "--scale is 0; it must be a finite number > 0"},
      {{"find", "g.csv", "--scale", "-1"}, "--scale is -1; it must be a finite number > 0"},
      {{"find", "g.csv", "--scale", "nan"}, "--scale is nan; it must be a finite number > 0"},
      {{"find", "g.csv", "--scale", "big"}, "--scale is \"big\", not a number; it must be a finite number > 0"},
      {{"find", "g.csv", "--margin", "-0.1"}, "--margin is -0.1; it must be a finite number >= 0"},
      {{"find", "g.csv", "--margin", "inf"}, "--margin is inf; it must be a finite number >= 0"},
      {{"find", "g.csv", "--threads", "0"}, "--threads is \"0\"; it must be a whole number from 1 to 1024"},
      {{"find", "g.csv", "--threads", "1025"}, "--threads is \"1025\"; it must be a whole number from 1 to 1024"},
      {{"find", "g.csv", "--threads", "1.5"}, "--threads is \"1.5\"; it must be a whole number from 1 to 1024"},
      {{"find", "g.csv", "--param", "cell"}, "--param \"cell\": write it as key=value; `abut methods` lists the keys"},
      {{"find", "g.csv", "--periodic", "x,w", "--domain", "0,9,0,9,0,9"},
       "--periodic \"x,w\": \"w\" is not an axis; name some of x,y,z, or none"},
      {{"find", "g.csv", "--periodic", "x,x"}, "--periodic \"x,x\": x is named twice"},
      {{"find", "g.csv", "--periodic", "x"}, "--periodic needs the period; add --domain xmin,xmax,ymin,ymax,zmin,zmax"},
      {{"find", "flat.csv", "--periodic", "y"}, "--periodic needs the period; add --domain xmin,xmax,ymin,ymax"},
      {{"find", "flat.csv", "--periodic", "z", "--domain", "0,9,0,9"},
       "--periodic names z and flat.csv is 2D; name some of x,y"},
      {{"find", "flat.csv", "--periodic", "x", "--domain", "0,9,0,9,0,9"},
       "--domain has 6 numbers and flat.csv is 2D; give 4"},
      {{"find", "g.csv", "--domain", "0,9"},
       "--domain \"0,9\": 2 numbers, not 4 or 6; write xmin,xmax,ymin,ymax[,zmin,zmax]"},
      {{"find", "g.csv", "--domain", "0,9,0,9,5,five"},
       "--domain \"0,9,0,9,5,five\": \"five\" is not a finite number; write xmin,xmax,ymin,ymax[,zmin,zmax]"},
      {{"find", "g.csv", "--domain", "0,9,9,0"}, "--domain \"0,9,9,0\": ymin 9 is not less than ymax 0"},
      {{"find", "tilted.dump", "--periodic", "x"},
       "tilted.dump:5: its box is triclinic, which abut cannot repeat; add --domain xmin,xmax,ymin,ymax,zmin,zmax"},
      {{"find", "boxes.csv", "--scale", "2"}, "--scale multiplies radii and boxes have none; use --margin"},
      {{"find", "h.csv"}, "h.csv: no such file, did you mean g.csv?"},
      {{"find", "./boxs.csv"}, "./boxs.csv: no such file, did you mean ./boxes.csv?"},
      {{"find", "nowhere/at/all.csv"}, "nowhere/at/all.csv: no such file (there is no folder \"nowhere/at\")"},
      {{"find", "."}, ".: is a folder; name a file in it"},
      {{"find", "a\nb"}, "a\\nb: no such file"},
      {{"find", "g.csv", "--pairs", "out.txt"},
       "--pairs out.txt: unknown extension \".txt\"; pairs are written as .npy, .csv or .vtp"},
      {{"find", "g.csv", "--pairs", "out"},
       "--pairs out: unknown extension \"\"; pairs are written as .npy, .csv or .vtp"},
      {{"find", "nothing_here.csv", "--pairs", "no/out.npy"}, "no/out.npy: there is no folder \"no\"; make it first"},
      {{"find", "g.csv", "--pairs", "g.csv"}, "--pairs g.csv would overwrite the bodies; choose another name"},
  };
  const auto before = folder.names();
  for (const auto& c : cases) expect_error(run(folder, c.args), c.line, c.line);
  EXPECT_EQ(run(folder, {"find", "tilted.dump"}).code, 0);
  EXPECT_EQ(folder.names(), before);
}

TEST_F(cli_errors, of_the_library_come_through) {
  folder.write("g.csv", "x,y,z,r\n0,0,0,1\n1,0,0,1\n");
  const struct {
    arguments args;
    const char* part;
  } cases[] = {
      {{"--method", "neigboring-cell"}, "did you mean \"neighboring-cell\"?"},
      {{"--method", "neighboring-cell", "--param", "cel=1"}, "\"cel\", did you mean \"cell\"?"},
      {{"--method", "neighboring-cell", "--param", "cell=-1"}, "\"-1\""},
      {{"--param", "cell=1"}, "parameter cell without a method"},
      {{"--periodic", "x", "--domain", "0,1,0,9,0,9"}, ""},
  };
  for (const auto& c : cases) {
    arguments args = {"find", "g.csv"};
    args.insert(args.end(), c.args.begin(), c.args.end());
    const auto result = run(folder, args);
    expect_error_like(result, "", c.part);
    EXPECT_NE(result.err.find(c.part), std::string::npos) << result.err;
  }
}

TEST_F(cli_errors, of_files_that_cannot_be_read_or_written) {
  namespace fs = std::filesystem;
  folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n");
  fs::create_symlink("/dev/full", folder.path() / "full.npy");
  fs::create_symlink("/dev/full", folder.path() / "full.csv");
  fs::create_symlink("/proc/self/mem", folder.path() / "unreadable.csv");
  fs::create_directory(folder.path() / "folder.npy");
  const auto before = folder.names();
  expect_error(run(folder, {"find", "unreadable.csv"}), "unreadable.csv: cannot read: Input/output error", "read");
  expect_error(run(folder, {"find", "g.csv", "--pairs", "full.npy"}), "full.npy: cannot write: No space left on device",
               "npy");
  expect_error(run(folder, {"find", "g.csv", "--pairs", "full.csv"}), "full.csv: cannot write: No space left on device",
               "csv");
  expect_error(run(folder, {"find", "g.csv", "--pairs", "folder.npy"}), "folder.npy: is a folder; name a file in it",
               "folder");
  expect_error_like(run(folder, {"find", "none.csv", "--pairs", "/proc/out.npy"}),
                    "/proc/out.npy: cannot write: ", "/proc");
  expect_error(run(folder, {"find", "g.csv"}, {.standard_output = "full.csv"}),
               "standard output: cannot write: No space left on device", "stdout");
  EXPECT_EQ(folder.names(), before);
  if (::geteuid() == 0) return;  // root may read everything
  fs::permissions(folder.path() / "g.csv", fs::perms::none);
  expect_error(run(folder, {"find", "g.csv"}), "g.csv: cannot read: Permission denied", "permission");
  folder.write("kept.npy", "old");
  fs::permissions(folder.path() / "kept.npy", fs::perms::owner_read);
  expect_error(run(folder, {"find", "--demo", "--pairs", "kept.npy"}), "kept.npy: cannot write: Permission denied",
               "kept");
}

/// `count` spheres all in one place: count * (count - 1) / 2 pairs.
std::string coincident(std::size_t count) { return program::npy_of<float>({count, {0, 0, 0, 1}}, 4); }

TEST_F(cli_errors, a_full_disk_leaves_the_old_file_and_no_other) {
  if (program::under_thread_sanitizer) GTEST_SKIP() << "not under the thread sanitizer";
  folder.write("g.npy", coincident(400));
  folder.write("out.csv", "old");
  const auto result = run(folder, {"find", "g.npy", "--pairs", "out.csv"}, {.largest_file = 65536});
  expect_error(result, "out.csv: cannot write: File too large", "limit");
  EXPECT_EQ(folder.read("out.csv"), "old");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"g.npy", "out.csv"}));
}

TEST_F(cli_errors, an_interrupt_while_finding_leaves_no_file) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 300'000; ++i) rows.push_back({3.0 * i, 0, 0, 1});
  folder.write("g.npy", program::npy_of<float>(rows, 4));
  folder.write("out.npy", "old");
  for (const int signal : {SIGINT, SIGTERM}) {
    program::running abut(folder, {"find", "g.npy", "--method", "pairing", "--pairs", "out.npy"});
    abut.wait_until_catching(signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // so that the search has begun
    ASSERT_FALSE(abut.ended()) << abut.err();
    abut.signal(signal);
    EXPECT_EQ(abut.wait(), 128 + signal);
    EXPECT_EQ(abut.err(), "");  // no progress either, since stderr is not a terminal
    EXPECT_EQ(abut.out(), "");
    EXPECT_EQ(folder.read("out.npy"), "old");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"g.npy", "out.npy"}));
  }
}

TEST_F(cli_errors, an_interrupt_while_writing_leaves_no_file) {
  namespace fs = std::filesystem;
  folder.write("g.npy", coincident(4000));
  folder.write("out.csv", "old");
  const auto half_written = [&] {
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      std::error_code gone;
      if (entry.path().extension() == ".part" && fs::file_size(entry.path(), gone) > 0 && !gone) return true;
    }
    return false;
  };
  // The moment is short. If it was missed, the file is complete, and the next attempt has a better chance.
  for (int attempt = 0; attempt < 5; ++attempt) {
    folder.write("out.csv", "old");
    program::running abut(folder, {"find", "g.npy", "--pairs", "out.csv"});
    while (!half_written() && !abut.ended()) std::this_thread::yield();
    abut.signal(SIGINT);
    if (abut.wait() == 0) continue;
    EXPECT_EQ(abut.wait(), 130);
    EXPECT_EQ(folder.read("out.csv"), "old");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"g.npy", "out.csv"}));
    return;
  }
  FAIL() << "the program was never caught while writing";
}

TEST_F(cli_errors, progress_on_a_terminal_only) {
  if (program::under_thread_sanitizer) GTEST_SKIP() << "not under the thread sanitizer";
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 20'000; ++i) rows.push_back({3.0 * i, 0, 0, 1});
  folder.write("g.npy", program::npy_of<double>(rows, 4));
  folder.write("small.csv", "x,y,r\n0,0,1\n");
  const std::string clear = "\r\033[K";
  int code = 0;

  const std::string shown = on_a_terminal(folder, {"find", "g.npy", "--method", "pairing", "--threads", "1"}, "", code);
  EXPECT_EQ(code, 0);
  EXPECT_NE(shown.find(" %  finding pairs (pairing)\033[K"), std::string::npos) << shown;
  EXPECT_NE(shown.find(clear + "bodies "), std::string::npos) << "cleared before the result: " << shown;

  const std::string stopped =
      on_a_terminal(folder, {"find", "g.npy", "--method", "pairing", "--threads", "1"}, "finding ", code);
  EXPECT_EQ(code, 130);
  EXPECT_EQ(stopped.substr(stopped.size() - clear.size()), clear) << stopped;

  EXPECT_EQ(on_a_terminal(folder, {"find", "small.csv"}, "", code).find('\033'), std::string::npos) << "quick work";
}

}  // namespace
}  // namespace errors_test
