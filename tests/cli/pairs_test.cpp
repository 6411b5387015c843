// What `find` writes of the pairs: details beside the rows, in .csv, .npy and .vtp.

#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "run_program.hpp"
#include "samples.hpp"

namespace pairs_test {
namespace {

using abut::shape;
using program::arguments;
using program::run;
using periods = std::array<std::optional<abut::interval>, 3>;

/// A kind of bodies, with ids in no order, in a file; some lie outside of the period.
struct case_of_bodies {
  shape kind = shape::sphere;
  int dimension = 3;
  bool periodic = false, ids = false;
  abut::samples::set bodies{};
  std::vector<std::int64_t> id{};

  case_of_bodies(shape k, int d, bool p, bool with_ids) : kind(k), dimension(d), periodic(p), ids(with_ids) {
    abut::samples::random random(7);
    bodies.kind = kind;
    bodies.dimension = dimension;
    const std::size_t count = dimension == 2 ? 150 : 400;
    const std::vector<abut::row> order = random.permutation(count);
    for (std::size_t i = 0; i < count; ++i) {
      double c[3];
      for (double& v : c) v = random.uniform(0, 6) + (random.below(5) == 0 ? 6 : 0);
      bodies.add(c[0], c[1], c[2], random.uniform(0.1, 0.5));
      id.push_back(3 * static_cast<std::int64_t>(order[i]) - 100);
    }
  }

  [[nodiscard]] periods period() const {
    periods all;
    for (int k = 0; k < dimension && periodic; ++k) all[k] = abut::interval{0, 6};
    return all;
  }
  [[nodiscard]] std::string file() const {
    std::string header = "id";
    for (int k = 0; k < bodies.columns(); ++k) header += std::string(",") + bodies.view().column_name(k);
    std::vector<std::vector<double>> rows(bodies.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].push_back(static_cast<double>(id[i]));
      for (int k = 0; k < bodies.columns(); ++k) rows[i].push_back(bodies.column[k][i]);
    }
    return program::csv_of(header, rows);
  }
  [[nodiscard]] arguments find(const std::string& pairs, const std::string& with) const {
    arguments args{"find", "g.csv", "--margin", "0.05", "--pairs", pairs};
    if (!with.empty()) args.insert(args.end(), {"--with", with});
    if (ids) args.emplace_back("--ids");
    if (periodic) {
      const std::string domain = dimension == 2 ? "0,6,0,6" : "0,6,0,6,0,6";
      args.insert(args.end(), {"--periodic", dimension == 2 ? "x,y" : "x,y,z", "--domain", domain});
    }
    return args;
  }

  /// A pair as it should be written: the bodies in their order, with what stands for them.
  struct line {
    std::int64_t first, second;
    abut::pair p;
    abut::touch t;
  };
  [[nodiscard]] std::vector<line> lines() const {
    std::vector<line> all;
    for (abut::pair p : abut::find_pairs(bodies.view(), {.margin = 0.05, .periodic = period()})) {
      if (ids && id[p.i] > id[p.j]) std::swap(p.i, p.j);
      const abut::touch t = abut::touch_of(bodies.view(), p, period());
      all.push_back({ids ? id[p.i] : p.i, ids ? id[p.j] : p.j, p, t});
    }
    std::sort(all.begin(), all.end(),
              [](const line& a, const line& b) { return std::pair(a.first, a.second) < std::pair(b.first, b.second); });
    return all;
  }
  [[nodiscard]] std::vector<double> numbers(const abut::touch& t) const {
    std::vector<double> all{t.overlap};
    all.insert(all.end(), t.normal.begin(), t.normal.begin() + dimension);
    all.insert(all.end(), t.point.begin(), t.point.begin() + dimension);
    return all;
  }
  [[nodiscard]] std::string text() const {
    return std::string(kind == shape::sphere ? "spheres " : "boxes ") + std::to_string(dimension) + "D" +
           (periodic ? " periodic" : "") + (ids ? " ids" : "");
  }
};

/// Calls `f(case)` with every combination, its file in the folder.
template <class F>
void with_each_case(const program::folder& folder, F&& f) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      for (const bool periodic : {false, true}) {
        for (const bool ids : {false, true}) {
          const case_of_bodies c(kind, dimension, periodic, ids);
          SCOPED_TRACE(c.text());
          folder.write("g.csv", c.file());
          f(c);
        }
      }
    }
  }
}

class cli_pairs : public ::testing::Test {
 protected:
  void find(const arguments& args) const {
    const auto result = run(folder, args);
    EXPECT_EQ(result.code, 0) << result.err;
  }
  program::folder folder;
};

TEST_F(cli_pairs, csv_has_a_column_for_every_number) {
  with_each_case(folder, [&](const case_of_bodies& c) {
    find(c.find("p.csv", "overlap,normal,point"));
    std::istringstream text(folder.read("p.csv"));
    std::string line;
    std::getline(text, line);
    EXPECT_EQ(line, std::string(c.ids ? "id_i,id_j" : "i,j") +
                        (c.dimension == 2 ? ",overlap,nx,ny,px,py" : ",overlap,nx,ny,nz,px,py,pz"));
    const auto expected = c.lines();
    ASSERT_GT(expected.size(), 50U);
    for (const auto& e : expected) {
      ASSERT_TRUE(std::getline(text, line));
      std::istringstream fields(line);
      std::string field;
      const auto next = [&] { return std::getline(fields, field, ',') ? field : "nothing"; };
      EXPECT_EQ(next(), std::to_string(e.first));
      EXPECT_EQ(next(), std::to_string(e.second));
      for (const double number : c.numbers(e.t)) EXPECT_EQ(std::stod(next()), number) << "to the bit: " << line;
      EXPECT_FALSE(std::getline(fields, field, ','));
    }
    EXPECT_FALSE(std::getline(text, line));
  });
}

TEST_F(cli_pairs, npy_has_records_with_named_fields) {
  with_each_case(folder, [&](const case_of_bodies& c) {
    find(c.find("p.npy", "point,normal,overlap"));  // the order of the columns does not depend on that of the words
    const auto expected = c.lines();
    std::string bytes;
    const auto append = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const auto& e : expected) {
      if (c.ids) {
        append(e.first);
        append(e.second);
      } else {
        append(e.p.i);
        append(e.p.j);
      }
      for (const double number : c.numbers(e.t)) append(number);
    }
    std::string fields = c.ids ? "('id_i', '<i8'), ('id_j', '<i8')" : "('i', '<u4'), ('j', '<u4')";
    for (const char* name : {"overlap", "nx", "ny", "nz", "px", "py", "pz"}) {
      if (c.dimension == 3 || name[1] != 'z') fields += ", ('" + std::string(name) + "', '<f8')";
    }
    EXPECT_EQ(folder.read("p.npy"), program::npy("{'descr': [" + fields + "], 'fortran_order': False, 'shape': (" +
                                                     std::to_string(expected.size()) + ",), }",
                                                 bytes));
  });
}

TEST_F(cli_pairs, ids_alone_are_sorted_too) {
  for (const char* name : {"p.csv", "p.npy"}) {
    const case_of_bodies c(shape::sphere, 3, false, true);
    folder.write("g.csv", c.file());
    find(c.find(name, ""));
    std::string text = "id_i,id_j\n", bytes;
    for (const auto& e : c.lines()) {
      text += std::to_string(e.first) + "," + std::to_string(e.second) + "\n";
      bytes.append(reinterpret_cast<const char*>(&e.first), 8).append(reinterpret_cast<const char*>(&e.second), 8);
    }
    if (std::string(name) == "p.csv") {
      EXPECT_EQ(folder.read(name), text);
    } else {
      EXPECT_EQ(folder.read(name), program::npy("{'descr': '<i8', 'fortran_order': False, 'shape': (" +
                                                    std::to_string(c.lines().size()) + ", 2), }",
                                                bytes));
    }
  }
}

/// A reader of VTK's XML files with their numbers appended raw, which refuses what it does not expect.
class vtp_reader {
 public:
  explicit vtp_reader(const std::string& file) {
    const std::string mark = "<AppendedData encoding=\"raw\">";
    const std::size_t end = file.find(mark);
    if (end == std::string::npos) throw std::runtime_error("no appended data");
    const std::size_t data = file.find('_', end) + 1;
    xml_ = file.substr(0, end);
    if (!xml_.starts_with("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                          "byte_order=\"LittleEndian\" header_type=\"UInt64\">")) {
      throw std::runtime_error("not VTK: " + xml_);
    }
    std::size_t expected = 0;
    for (std::size_t at = 0; (at = xml_.find("<", at)) != std::string::npos; ++at) {
      const std::string tag = xml_.substr(at, xml_.find('>', at) + 1 - at);
      if (tag.starts_with("</")) {
        if (open_.empty() || tag != "</" + open_.back() + ">") throw std::runtime_error("closed wrongly: " + tag);
        open_.pop_back();
      } else if (!tag.ends_with("/>") && !tag.starts_with("<?")) {
        open_.push_back(tag.substr(1, tag.find_first_of(" >") - 1));
      }
      if (!tag.starts_with("<DataArray ")) continue;
      const std::size_t offset = std::stoul(attribute(tag, "offset"));
      if (offset != expected || attribute(tag, "format") != "appended") throw std::runtime_error("a gap before " + tag);
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, file.data() + data + offset, 8);
      content_[open_.back() + "/" + attribute(tag, "Name")] = file.substr(data + offset + 8, bytes);
      type_[open_.back() + "/" + attribute(tag, "Name")] =
          attribute(tag, "type") + " " + attribute(tag, "NumberOfComponents");
      expected = offset + 8 + bytes;
    }
    if (file.substr(data + expected) != "\n  </AppendedData>\n</VTKFile>\n") throw std::runtime_error("wrong end");
    if (open_ != std::vector<std::string>{"VTKFile"}) throw std::runtime_error("not closed");
  }
  [[nodiscard]] std::size_t count(const std::string& what) const {
    const std::size_t at = xml_.find("<Piece ");
    return std::stoul(attribute(xml_.substr(at, xml_.find('>', at) - at), what));
  }
  [[nodiscard]] std::string type(const std::string& name) const { return type_.at(name); }
  [[nodiscard]] bool has(const std::string& name) const { return type_.count(name) > 0; }
  template <class T>
  [[nodiscard]] std::vector<T> numbers(const std::string& name) const {
    const std::string& bytes = content_.at(name);
    std::vector<T> all(bytes.size() / sizeof(T));
    if (bytes.size() % sizeof(T) != 0) throw std::runtime_error("a half number in " + name);
    if (!all.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }

 private:
  static std::string attribute(const std::string& tag, const std::string& name) {
    const std::size_t at = tag.find(" " + name + "=\"");
    if (at == std::string::npos) throw std::runtime_error("no " + name + " in " + tag);
    const std::size_t from = at + name.size() + 3;
    return tag.substr(from, tag.find('"', from) - from);
  }
  std::string xml_;
  std::vector<std::string> open_;
  std::map<std::string, std::string> content_, type_;
};

TEST_F(cli_pairs, vtp_has_a_line_for_every_pair_and_none_across_the_box) {
  with_each_case(folder, [&](const case_of_bodies& c) {
    find(c.find("p.vtp", "overlap,normal,point"));
    const vtp_reader vtp(folder.read("p.vtp"));
    const auto expected = c.lines();
    const std::size_t bodies = c.bodies.size(), points = vtp.count("NumberOfPoints");
    ASSERT_EQ(vtp.count("NumberOfLines"), expected.size());
    EXPECT_EQ(points > bodies, c.periodic);
    const auto place = vtp.numbers<double>("Points/Points");
    ASSERT_EQ(place.size(), 3 * points);
    const auto image = vtp.numbers<std::uint8_t>("PointData/image");
    ASSERT_EQ(image.size(), points);
    for (abut::row i = 0; i < bodies; ++i) {
      const auto center = abut::center_of(abut::region_of(c.bodies.view(), i));
      EXPECT_EQ((std::array{place[3 * i], place[3 * i + 1], place[3 * i + 2]}), center);
      EXPECT_EQ(image[i], 0);
    }

    const auto ends = vtp.numbers<std::int64_t>("Lines/connectivity");
    const auto offsets = vtp.numbers<std::int64_t>("Lines/offsets");
    const auto overlap = vtp.numbers<double>("CellData/overlap");
    const auto normal = vtp.numbers<double>("CellData/normal"), point = vtp.numbers<double>("CellData/point");
    EXPECT_EQ(vtp.type("CellData/normal"), "Float64 3");
    ASSERT_EQ(ends.size(), 2 * expected.size());
    ASSERT_EQ(offsets.size(), expected.size());
    std::vector<int> uses(points);
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const auto& e = expected[k];
      EXPECT_EQ(offsets[k], static_cast<std::int64_t>(2 * (k + 1)));
      EXPECT_EQ(ends[2 * k], e.p.i);
      const auto end = static_cast<std::size_t>(ends[2 * k + 1]);
      ASSERT_LT(end, points);
      ++uses[end];
      const bool through = end >= bodies;
      if (!through) {
        EXPECT_EQ(end, e.p.j);
      }
      EXPECT_EQ(image[end], through ? 1 : 0);
      for (std::size_t a = 0; a < 3; ++a) {
        const double way = place[3 * end + a] - place[3 * e.p.i + a];
        EXPECT_LT(std::abs(way), 1.1) << "as long as two bodies reach";
        const double moved = place[3 * end + a] - place[3 * e.p.j + a];
        EXPECT_NEAR(moved, 6 * std::round(moved / 6), 1e-12) << "by whole periods";
      }
      EXPECT_EQ(overlap[k], e.t.overlap);
      EXPECT_EQ((std::array{normal[3 * k], normal[3 * k + 1], normal[3 * k + 2]}), e.t.normal);
      EXPECT_EQ((std::array{point[3 * k], point[3 * k + 1], point[3 * k + 2]}), e.t.point);
      if (c.ids) {
        EXPECT_EQ(vtp.numbers<std::int64_t>("CellData/id_i")[k], e.first);
        EXPECT_EQ(vtp.numbers<std::int64_t>("PointData/id")[end], e.second);
      } else {
        EXPECT_EQ(vtp.numbers<std::uint32_t>("CellData/j")[k], e.second);
        EXPECT_EQ(vtp.numbers<std::uint32_t>("PointData/row")[end], e.second);
      }
      if (c.kind == shape::sphere) {
        EXPECT_EQ(vtp.numbers<double>("PointData/radius")[end], c.bodies.column[c.dimension][e.p.j]);
      } else {
        EXPECT_EQ(vtp.numbers<double>("PointData/size")[3 * end + 1],
                  c.bodies.column[c.dimension + 1][e.p.j] - c.bodies.column[1][e.p.j]);
      }
    }
    for (std::size_t k = bodies; k < points; ++k) EXPECT_EQ(uses[k], 1) << "an image is the end of its own line";
  });
}

TEST_F(cli_pairs, vtp_has_what_is_asked_for_even_of_nothing) {
  folder.write("one.csv", "x,y,r\n1,2,3\n");
  folder.write("none.csv", "x,y,r\n");
  for (const std::size_t count : {0U, 1U}) {
    find({"find", count == 0 ? "none.csv" : "one.csv", "--pairs", "p.vtp", "--with", "overlap"});
    const vtp_reader vtp(folder.read("p.vtp"));
    EXPECT_EQ(vtp.count("NumberOfPoints"), count);
    EXPECT_EQ(vtp.count("NumberOfLines"), 0U);
    EXPECT_EQ(vtp.numbers<double>("PointData/radius").size(), count);
    EXPECT_TRUE(vtp.has("CellData/overlap"));
    EXPECT_FALSE(vtp.has("CellData/normal"));
  }
}

TEST_F(cli_pairs, some_details_alone) {
  folder.write("g.csv", "x,y,z,r\n0,0,0,1\n0,1.5,0,1\n0,0,0,1\n");
  find({"find", "g.csv", "--pairs", "p.csv", "--with", "normal"});
  EXPECT_EQ(folder.read("p.csv"), "i,j,nx,ny,nz\n0,1,0,1,0\n0,2,1,0,0\n1,2,0,-1,0\n");
  find({"find", "g.csv", "--pairs", "p.csv", "--with", "point"});
  EXPECT_EQ(folder.read("p.csv"), "i,j,px,py,pz\n0,1,0,0.75,0\n0,2,0,0,0\n1,2,0,0.75,0\n");
  find({"find", "g.csv", "--pairs", "p.csv", "--with", "overlap", "--scale", "2"});
  EXPECT_EQ(folder.read("p.csv"), "i,j,overlap\n0,1,2.5\n0,2,4\n1,2,2.5\n");
}

TEST_F(cli_pairs, many_pairs_are_the_same_with_any_number_of_threads) {
  // More than a block for each of three threads.
  find({"find", "--demo", "--pairs", "one.csv", "--with", "overlap", "--threads", "1"});
  find({"find", "--demo", "--pairs", "three.csv", "--with", "overlap", "--threads", "3"});
  const std::string one = folder.read("one.csv");
  EXPECT_GT(std::count(one.begin(), one.end(), '\n'), 100'000);
  EXPECT_TRUE(one == folder.read("three.csv"));
  std::istringstream text(one);
  std::string line;
  std::getline(text, line);
  abut::pair last{0, 0};
  for (std::size_t k = 0; std::getline(text, line); ++k) {
    abut::pair p{};
    ASSERT_EQ(std::sscanf(line.c_str(), "%u,%u", &p.i, &p.j), 2);
    ASSERT_TRUE(last < p) << line;
    last = p;
  }
}

TEST_F(cli_pairs, wrong_details_are_refused) {
  folder.write("g.csv", "x,y,r\n0,0,1\n1,0,1\n");
  const auto expect_error = [&](arguments more, const std::string& message) {
    more.insert(more.begin(), {"find", "g.csv"});
    const auto result = run(folder, more);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err, message + "\n");
  };
  expect_error({"--pairs", "p.csv", "--with", "normals"},
               "--with \"normals\": \"normals\" is unknown, did you mean normal?");
  expect_error({"--pairs", "p.csv", "--with", "overlap,foo"},
               "--with \"overlap,foo\": \"foo\" is unknown; name some of overlap,normal,point");
  expect_error({"--pairs", "p.csv", "--with", "point,point"}, "--with \"point,point\": point is named twice");
  expect_error({"--with", "point"}, "--with says what --pairs writes; add --pairs FILE");
  expect_error({"--pairs", "p.vtk"},
               "--pairs p.vtk: unknown extension \".vtk\"; pairs are written as .npy, .csv or .vtp");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"g.csv"});
}

}  // namespace
}  // namespace pairs_test
