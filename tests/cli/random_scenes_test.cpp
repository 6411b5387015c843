// Random scenes in files, with features in combination: equal runs write equal files, whatever the method, the number
// of threads, the skin and the search.

#include <array>
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "run_program.hpp"
#include "samples.hpp"

namespace random_scenes_test {
namespace {

using abut::samples::random;
using program::run;

// Writes a scene of some ten bodies in a box from 0 to 4.
class writer {
 public:
  explicit writer(random& rng) : rng_(rng), dimension_(rng.below(2) == 0 ? 2 : 3) {}

  std::string scene() {
    const std::string law = std::array{"linear", "kelvin-voigt", "hooke", "hertz-mindlin"}[rng_.below(4)];
    out_ << "dimension = " << dimension_ << "\nlaw = \"" << law << "\"\nsteps = " << 60 + rng_.below(100)
         << "\nsort_every = " << 1 + rng_.below(30) << "\ngravity = " << vector(-20, 20) << "\n";
    const bool periodic = rng_.below(2) == 0;
    const bool deforms = periodic && rng_.below(3) == 0;
    if (periodic) out_ << "[periodic]\nx = [0, 4]\n";
    if (deforms) out_ << "[deform]\nrate = [" << rng_.uniform(-0.2, 0.3) << (dimension_ == 3 ? ", 0, 0]\n" : ", 0]\n");
    out_ << "[materials.light]\ndensity = 1\nyoung = 3e4\npoisson = 0.2\n";
    out_ << "[materials.heavy]\ndensity = 3\nyoung = 5e4\npoisson = 0.3\n";
    out_ << "[interaction]\nstiffness = 2e3\nrestitution = " << rng_.uniform(0.2, 1) << "\n";
    if (rng_.below(2) == 0) out_ << "friction = " << rng_.uniform(0, 1) << "\n";
    if (rng_.below(3) == 0) out_ << "rolling_friction = 0.1\n";
    for (std::size_t k = rng_.below(4); k > 0; --k) wall(deforms);
    bodies(deforms);
    flow();
    out_ << "[output]\nevery = " << 1 + rng_.below(20)
         << "\nframes = 3\nframe_files = [\"vtp\", \"contacts\", \"dump\"]\n";
    return out_.str();
  }

 private:
  std::string vector(double min, double max) {
    std::ostringstream v;
    v << "[" << rng_.uniform(min, max) << ", " << rng_.uniform(min, max);
    if (dimension_ == 3) v << ", " << rng_.uniform(min, max);
    v << "]";
    return v.str();
  }

  void wall(bool deforms) {
    const std::string name = "w" + std::to_string(walls_++);
    out_ << "[[wall]]\nname = \"" << name << "\"\nmaterial = \"heavy\"\n";
    if (deforms || rng_.below(3) == 0) {
      out_ << "kind = \"plane\"\npoint = "
           << (dimension_ == 3 ? "[0, 0, 0]\nnormal = [0, 0, 1]\n" : "[0, 0]\nnormal = [0, 1]\n");
      if (rng_.below(2) == 0) out_ << "pressure = 2\narea = 4\nmass = 1\ndamping = " << rng_.uniform(0, 3) << "\n";
      return;
    }
    if (dimension_ == 2) {
      out_ << "kind = \"segment\"\nfrom = [-1, -0.1]\nto = [5, " << rng_.uniform(-0.3, 0) << "]\n";
    } else if (rng_.below(2) == 0) {
      out_ << "kind = \"disc\"\npoint = [2, 2, -0.1]\nnormal = " << vector(0.3, 0.5) << "\nradius = 3\nhole = 0.5\n";
    } else {
      out_ << "kind = \"mesh\"\nfile = \"m.stl\"\n";
    }
    if (rng_.below(2) == 0) {
      out_ << "velocity = " << vector(-1, 2) << "\n";
    } else {
      driven_ = name;
    }
    if (rng_.below(4) == 0) out_ << "opens_at = 0.02\n";
  }

  void bodies(bool deforms) {
    out_ << "[[bodies]]\ngenerate = \"fill\"\nmin = "
         << (dimension_ == 3 ? "[0, 0, 0]\nmax = [4, 3, 2.2]" : "[0, 0]\nmax = [4, 4]")
         << "\ndiameter = 1\nspacing = 1.01\njitter = 0.05\nrandom_velocity = " << rng_.uniform(0, 6)
         << "\nsizes = \"uniform\"\nratio = 2\n";
    const bool clumps = rng_.below(2) == 0;
    if (clumps) {
      out_ << "clump = "
           << (dimension_ == 3 ? "[[-0.3, 0, 0, 0.5], [0.3, 0.1, 0, 0.6]]" : "[[-0.3, 0, 0.5], [0.3, 0.1, 0.6]]")
           << "\nturned = true\n";
    }
    if (!deforms && rng_.below(3) == 0) {
      out_ << "[[body]]\nname = \"ram\"\nposition = " << (dimension_ == 3 ? "[2, 2, 4]" : "[2, 6]")
           << "\nradius = 0.4\n";
      driven_ = "ram";
    }
    if (!driven_.empty())
      out_ << "[[drive]]\nof = [\"" << driven_ << "\"]\namplitude = " << vector(0, 0.2) << "\nfrequency = 8\n";
  }

  void flow() {
    if (rng_.below(2) == 0) {
      out_ << "[[pour]]\nmin = " << (dimension_ == 3 ? "[0, 0, 5]\nmax = [4, 3, 7]" : "[0, 5]\nmax = [4, 7]")
           << "\ndiameter = " << rng_.uniform(0.3, 1.5) << "\nvelocity = " << vector(-2, 0)
           << "\nevery = " << 1 + rng_.below(20) << "\ncount = " << 1 + rng_.below(8) << "\nseed = " << rng_.below(100)
           << "\n";
    }
    if (rng_.below(3) == 0) {
      out_ << "[[remove]]\npoint = "
           << (dimension_ == 3 ? "[0, 0, 0.4]\nnormal = [0, 0, -1]" : "[0, 0.4]\nnormal = [0, -1]")
           << "\nevery = " << 1 + rng_.below(20) << "\n";
    }
  }

  random& rng_;
  int dimension_;
  std::ostringstream out_;
  int walls_ = 0;
  std::string driven_;
};

constexpr const char* two_triangles = R"(solid m
facet normal 0 0 1
outer loop
vertex -1 -1 -0.1
vertex 5 -1 -0.2
vertex -1 5 -0.1
endloop
endfacet
facet normal 0 0 1
outer loop
vertex 5 -1 -0.2
vertex 5 5 0
vertex -1 5 -0.1
endloop
endfacet
endsolid m
)";

std::string all_files(const program::folder& folder, const std::string& name) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path() / name)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = std::filesystem::relative(entry.path(), folder.path()).string();
    all[path.substr(name.size())] = folder.read(path);
  }
  std::string text;
  for (const auto& [path, content] : all) text += path + "\n" + content;
  return text;
}

TEST(cli_random_scenes, write_the_same_files_however_they_are_run) {
  random rng(3);
  int done = 0;
  for (int n = 0; n < 40 && !HasFailure(); ++n) {
    const program::folder folder;
    const std::string scene = writer(rng).scene();
    folder.write("s.toml", scene);
    folder.write("m.stl", two_triangles);
    const auto first =
        run(folder, {"run", "s.toml", "--out", "a", "--threads", "1", "--method", "pairing", "--set", "skin=0"});
    done += first.code == 0 ? 1 : 0;
    EXPECT_TRUE(first.code == 0 || first.code == 1) << first.err << scene;
    const std::string expected = all_files(folder, "a");
    const std::string skin = "skin=" + std::to_string(rng.uniform(0, 1));
    const std::vector<program::arguments> ways = {
        {"--threads", "2", "--method", "grid", "--set", skin},
        {"--threads", "1", "--method", "nearest-neighbor"},
        {"--threads", "1", "--method", "hashing", "--set", "search=each-step", "--set", skin}};
    for (const program::arguments& way : ways) {
      program::arguments args = {"run", "s.toml", "--out", "b", "--force"};
      args.insert(args.end(), way.begin(), way.end());
      const auto again = run(folder, args);
      EXPECT_EQ(again.code, first.code) << again.err << scene;
      EXPECT_TRUE(all_files(folder, "b") == expected) << way[3] << ", " << skin << "\n" << scene;
    }
  }
  EXPECT_GT(done, 30);
}

}  // namespace
}  // namespace random_scenes_test
