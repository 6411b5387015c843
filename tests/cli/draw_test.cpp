// The verb `draw`: files that are well-formed, that show what they should, and what it refuses.

#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "run_program.hpp"

namespace draw_test {
namespace {

using program::arguments;
using program::run;

/// The elements of an SVG file: names with attributes. Throws if it is not well-formed. (Written here so that the tests
/// need no other program.)
class svg_file {
 public:
  struct element {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;

    [[nodiscard]] double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
    [[nodiscard]] bool looks(const std::string& look) const {
      return (" " + attributes.at("class") + " ").find(" " + look + " ") != std::string::npos;
    }
  };

  explicit svg_file(std::string text) : text_(std::move(text)) {
    while (space(), at_ < text_.size()) {
      if (!open_.empty() || text_[at_] == '<') {
        markup();
      } else {
        refuse("text outside of elements");
      }
    }
    if (!open_.empty()) refuse("not closed: " + open_.back());
  }

  [[nodiscard]] std::size_t count(const std::string& name, const std::string& look = "") const {
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const element& e) {
      return e.name == name && (look.empty() || (e.attributes.contains("class") && e.looks(look)));
    }));
  }
  [[nodiscard]] bool says(const std::string& text) const {
    return std::any_of(all.begin(), all.end(), [&](const element& e) { return e.name == "text" && e.text == text; });
  }

  std::vector<element> all;

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw std::runtime_error("not XML at " + std::to_string(at_) + ": " + why);
  }
  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  char next() {
    if (at_ >= text_.size()) refuse("ends too early");
    return text_[at_++];
  }
  void expect(char c) {
    if (next() != c) refuse(std::string("no ") + c);
  }
  std::string name() {
    std::string found;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  std::string_view("-:_").find(text_[at_]) != std::string_view::npos)) {
      found += text_[at_++];
    }
    if (found.empty()) refuse("no name");
    return found;
  }
  /// Text up to this character, unescaped.
  std::string until(char end) {
    std::string found;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == '<') refuse("< in text");
      if (text_[at_] == '&') {
        const std::size_t stop = text_.find(';', at_);
        const std::string entity = text_.substr(at_, stop - at_);
        if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") refuse(entity);
        at_ = stop;
      }
      found += text_[at_++];
    }
    return found;
  }
  void markup() {
    if (text_[at_] != '<') {
      all[inner_.back()].text += until('<');
      return;
    }
    ++at_;
    if (text_[at_] == '/') {
      ++at_;
      if (open_.empty() || name() != open_.back()) refuse("closes what is not open");
      expect('>');
      open_.pop_back();
      inner_.pop_back();
      return;
    }
    element e{name(), {}, {}};
    while (space(), text_[at_] != '/' && text_[at_] != '>') {
      const std::string attribute = name();
      expect('=');
      expect('"');
      if (!e.attributes.emplace(attribute, until('"')).second) refuse("twice: " + attribute);
      expect('"');
    }
    all.push_back(e);
    if (text_[at_] == '/') {
      ++at_;
      expect('>');
      return;
    }
    expect('>');
    open_.push_back(e.name);
    inner_.push_back(all.size() - 1);
  }

  std::string text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  std::vector<std::size_t> inner_;
};

constexpr const char* discs = "x,y,r\n1,1,0.5\n1.9,1,0.5\n4,1,0.5\n4,3,0.5\n1,3,0.5\n8,4,0.5\n";

/// Draws these bodies, which must work.
svg_file drawn(const std::string& name, std::string_view bodies, arguments more) {
  const program::folder here;
  here.write(name, bodies);
  arguments all{"draw", name, "--out", "out.svg"};
  all.insert(all.end(), more.begin(), more.end());
  const auto done = run(here, all);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_NE(done.out.find("written   out.svg"), std::string::npos) << done.out;
  return svg_file(here.read("out.svg"));
}

/// The discs of bodies, without those of the legend.
std::size_t bodies_in(const svg_file& picture) {
  std::size_t count = 0;
  for (const auto& e : picture.all) {
    const bool body =
        e.name == "circle" && (e.looks("body") || e.looks("chosen") || e.looks("compared") || e.looks("partner"));
    count += body && e.attributes.at("r") != "6" ? 1 : 0;
  }
  return count;
}

TEST(cli_draw, shows_bodies_pairs_and_cells) {
  const svg_file picture =
      drawn("discs.csv", discs,
            {"--method", "neighboring-cell", "--param", "store=center", "--param", "cell=2", "--body", "0"});
  EXPECT_EQ(picture.count("svg"), 1U);
  EXPECT_EQ(bodies_in(picture), 6U);
  EXPECT_EQ(picture.count("line", "pair"), 2U);  // one, and the legend's
  // Cells of 2 from 0.5: (0,0) with two bodies, (1,0), (1,1), (0,1) and that of the lonely body; two are the legend's.
  EXPECT_EQ(picture.count("rect", "k0") + picture.count("rect", "on") - picture.count("rect", "area"), 7U);
  EXPECT_TRUE(picture.says("cell"));
  EXPECT_TRUE(picture.says("5"));
  EXPECT_TRUE(picture.says("body 0"));
  EXPECT_TRUE(picture.says("holds the bodies that are centered in it"));
  EXPECT_TRUE(picture.says("neighboring-cell store=center cell=2"));
}

TEST(cli_draw, keeps_proportions) {
  const svg_file picture = drawn("discs.csv", discs, {"--method", "pairing", "--body", "none", "--width", "1000"});
  std::vector<std::array<double, 3>> seen;
  for (const auto& e : picture.all) {
    if (e.name == "circle" && e.looks("body")) seen.push_back({e.number("cx"), e.number("cy"), e.number("r")});
  }
  ASSERT_EQ(seen.size(), 6U);
  const double scale = seen[0][2] / 0.5;
  EXPECT_GT(scale, 80);
  EXPECT_NEAR(seen[2][0] - seen[0][0], 3 * scale, 1);
  EXPECT_NEAR(seen[0][1] - seen[3][1], 2 * scale, 1);  // y goes up
  for (const auto& [x, y, r] : seen) EXPECT_TRUE(x - r > 0 && x + r < 1000 && y - r > 0);
}

TEST(cli_draw, every_method_makes_a_picture_of_its_own) {
  const program::folder here;
  here.write("discs.csv", discs);
  const auto methods = run(here, {"methods", "--json"});
  const program::json_members known(methods.out);
  std::set<std::string> pictures;
  std::size_t count = 0;
  for (; known.has(std::to_string(count) + ".name"); ++count) {
    const std::string& method = known[std::to_string(count) + ".name"];
    SCOPED_TRACE(method);
    const auto done = run(here, {"draw", "discs.csv", "--method", method, "--out", method + ".svg"});
    ASSERT_EQ(done.code, 0) << done.err;
    const svg_file picture(here.read(method + ".svg"));
    EXPECT_EQ(bodies_in(picture), 6U);
    EXPECT_GE(picture.count("line", "pair"), 2U);
    std::string rest;
    for (const auto& e : picture.all) rest += e.name + (e.name == "text" ? e.text : "") + " ";
    pictures.insert(rest);
  }
  EXPECT_EQ(count, 16U);
  EXPECT_EQ(pictures.size(), count);
}

TEST(cli_draw, colors_follow_the_theme) {
  const program::folder here;
  here.write("discs.csv", discs);
  const auto colors = [&](const char* theme) {
    EXPECT_EQ(run(here, {"draw", "discs.csv", "--theme", theme, "--out", "out.svg"}).code, 0);
    const std::string text = here.read("out.svg");
    const auto has = [&](const char* color) { return text.find(color) != std::string::npos; };
    return std::array{has("#ffffff"), has("#1b1e21"), has("prefers-color-scheme: dark"), has("[data-theme=\"dark\"]")};
  };
  EXPECT_EQ(colors("light"), (std::array{true, false, false, false}));
  EXPECT_EQ(colors("dark"), (std::array{false, true, false, false}));
  EXPECT_EQ(colors("both"), (std::array{true, true, true, true}));
}

TEST(cli_draw, cuts_spheres_at_the_slice) {
  const char* spheres = "x,y,z,r\n0,0,0,1\n5,0,0.6,1\n0,5,3,1\n";
  const svg_file picture = drawn("spheres.csv", spheres, {"--slice", "z=0", "--body", "none", "--method", "pairing"});
  std::vector<double> radii;
  for (const auto& e : picture.all) {
    if (e.name == "circle" && e.looks("body")) radii.push_back(e.number("r"));
  }
  ASSERT_EQ(radii.size(), 2U);
  EXPECT_NEAR(radii[1] / radii[0], 0.8, 0.01);
  EXPECT_TRUE(picture.says("2 spheres, cut at z = 0"));
  EXPECT_TRUE(drawn("spheres.csv", spheres, {"--slice", "x=5"}).says("1 sphere, cut at x = 5"));
}

TEST(cli_draw, shows_a_part_of_many) {
  const program::folder here;
  const auto refused = run(here, {"draw", "--demo", "--out", "out.svg"});
  EXPECT_EQ(refused.code, 2);
  const std::size_t at = refused.err.find("--in ");
  ASSERT_NE(at, std::string::npos) << refused.err;
  std::string part = refused.err.substr(at + 5);
  part.resize(part.find_last_not_of(" \n") + 1);
  EXPECT_EQ(here.names().size(), 0U);
  const auto done = run(here, {"draw", "--demo", "--in", part, "--out", "out.svg", "--method", "grid"});
  ASSERT_EQ(done.code, 0) << done.err;
  const svg_file picture(here.read("out.svg"));
  EXPECT_GT(bodies_in(picture), 100U);
  EXPECT_LT(bodies_in(picture), 2000U);
}

TEST(cli_draw, shows_ghosts_levels_and_sorted_ends) {
  const svg_file periodic = drawn("discs.csv", discs, {"--periodic", "x", "--domain", "0.6,8.6,0,5", "--method", "mr"});
  EXPECT_GE(periodic.count("circle", "ghost"), 2U);
  EXPECT_TRUE(periodic.says("ghost"));
  const svg_file levels = drawn("sizes.csv", "x,y,r\n0,0,2\n3,0,0.1\n3.1,0,0.1\n4,1,0.1\n5,2,0.1\n2,3,0.1\n",
                                {"--method", "multilevel", "--param", "levels=2", "--panels"});
  EXPECT_TRUE(levels.says("level 0: 5 bodies"));
  EXPECT_TRUE(levels.says("level 1: 1 body"));
  EXPECT_EQ(levels.count("clipPath"), 2U);
  const svg_file ends = drawn("discs.csv", discs, {"--method", "dess", "--width", "1500"});
  EXPECT_TRUE(ends.says("lower end"));
  EXPECT_EQ(ends.count("polyline"), 24U + 2U);  // both ends on both axes, and the legend's
  // Ranks that would cover each other are left out; these have room.
  const svg_file apart =
      drawn("apart.csv", "x,y,r\n0,0,0.3\n1,1.1,0.25\n2.1,2.3,0.2\n", {"--method", "dess", "--width", "900"});
  std::size_t ranks = 0;
  for (const auto& e : apart.all) ranks += e.name == "text" && e.looks("rank") ? 1 : 0;
  EXPECT_EQ(ranks, 12U);
}

TEST(cli_draw, labels_do_not_overlap) {
  const svg_file picture = drawn("discs.csv", discs, {"--method", "dess", "--width", "300"});
  std::vector<std::pair<double, double>> at;
  for (const auto& e : picture.all) {
    if (e.name == "text" && (e.looks("rank") || e.looks("number"))) at.emplace_back(e.number("x"), e.number("y"));
  }
  ASSERT_GT(at.size(), 10U);
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_TRUE(std::abs(at[i].first - at[j].first) > 4 || std::abs(at[i].second - at[j].second) > 8);
    }
  }
}

TEST(cli_draw, draws_nothing_one_and_coincident_bodies) {
  EXPECT_EQ(bodies_in(drawn("none.csv", "x,y,r\n", {"--method", "grid"})), 0U);
  EXPECT_EQ(bodies_in(drawn("one.csv", "x,y,r\n3,4,1\n", {"--method", "rtree"})), 1U);
  EXPECT_EQ(bodies_in(drawn("two.csv", "x,y,r\n3,4,0\n3,4,0\n", {"--method", "dess"})), 2U);
  const svg_file boxes = drawn("boxes.csv", "xmin,xmax,ymin,ymax\n0,1,0,1\n1,2,0,1\n", {"--method", "hashing"});
  EXPECT_EQ(boxes.count("line", "pair"), 2U);
  EXPECT_TRUE(boxes.says("2 boxes"));
}

TEST(cli_draw, says_what_is_wrong) {
  const program::folder here;
  here.write("discs.csv", discs);
  const std::pair<arguments, std::string> wrong[] = {
      {{}, "no file to draw to; add --out FILE.svg"},
      {{"--out", "out.png"}, "--out \"out.png\" must end in .svg"},
      {{"--out", "o.svg", "--theme", "blue"}, "--theme is \"blue\"; it must be light, dark or both"},
      {{"--out", "o.svg", "--width", "9"}, "--width is \"9\"; it must be a whole number from 300 to 4000"},
      {{"--out", "o.svg", "--in", "0,1,2"}, "--in \"0,1,2\": 3 numbers, not 4; write xmin,xmax,ymin,ymax"},
      {{"--out", "o.svg", "--in", "0,1,2,a"},
       "--in \"0,1,2,a\": \"a\" is not a finite number; write xmin,xmax,ymin,ymax"},
      {{"--out", "o.svg", "--in", "1,1,2,3"}, "--in \"1,1,2,3\": 1 is not less than 1"},
      {{"--out", "o.svg", "--in", "91,92,2,3"},
       "there is no body in --in 91,92,2,3; leave it out, or choose another part"},
      {{"--out", "o.svg", "--slice", "z=1"}, "--slice cuts bodies in 3D and discs.csv is 2D; leave it out"},
      {{"--out", "o.svg", "--slice", "w=1"}, "--slice \"w=1\": write an axis and a finite number, such as z=0.5"},
      {{"--out", "o.svg", "--body", "6"}, "there is no body 6 to show; there are 6, and rows count from 0"},
      {{"--out", "o.svg", "--body", "x"}, "--body is \"x\"; it must be a whole number from 0 to 4294967294"},
      {{"--out", "o.svg", "--param", "cell"}, "--param \"cell\": write it as key=value; `abut methods` lists the keys"},
  };
  for (const auto& [more, message] : wrong) {
    arguments all{"draw", "discs.csv"};
    all.insert(all.end(), more.begin(), more.end());
    const auto refused = run(here, all);
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err, message + "\n");
  }
  EXPECT_EQ(here.names(), std::vector<std::string>{"discs.csv"});
}

}  // namespace
}  // namespace draw_test
