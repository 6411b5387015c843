// Prints the figures that the documentation and the source name. What is compared is run in turns, and medians are
// shown; the hash of the pairs stands beside every time.

#include "figures.hpp"

#include "neighborhood.hpp"

namespace {

using namespace figures;

// The million of the README, and a million in clusters.
void million() {
  const auto lattice = samples::lattice(shape::sphere, 3, 1'000'000, 1, 0.1, 0.525, 1);
  const auto clusters = samples::clusters(shape::sphere, 3, 1'000'000, 1000, 1e5, 0.525, 1);
  const std::vector<std::string> plans = {"neighboring-cell", "hashing", "fixed-cubes", "multilevel"};
  for (const int threads : {1, 2}) {
    table("lattice of spacing d, moved by up to 0.1 d, radii x 1.05", lattice, plans, threads, 7);
    table("clusters of 1000 in a space of 1e5 d", clusters, plans, threads, 7);
  }
}

// Where the constants of src/steps/cell_size.cpp come from.
void cells() {
  const auto sweep = [](const std::string& store, const std::vector<const char*>& sizes) {
    std::vector<std::string> plans{"neighboring-cell store=" + store};
    for (const char* c : sizes) plans.push_back("neighboring-cell store=" + store + " cell=" + c);
    return plans;
  };
  for (const char* store : {"center", "cover"}) {
    const auto plans =
        sweep(store, {"0.5", "0.6", "0.7", "0.8", "0.9", "1.05", "1.25", "1.5", "1.75", "2.1", "3", "4"});
    for (const double fraction : {0.05, 0.3, 0.6}) {
      auto kept = plans;
      if (std::string(store) == "cover") kept.erase(kept.begin() + 1, kept.begin() + 4);
      table(fmt::format("random, volume fraction {}", fraction),
            samples::uniform(shape::sphere, 3, 200'000, fraction, 0.5, 1, 1), kept, 1, 5);
    }
    table("discs, volume fraction 0.6", samples::uniform(shape::sphere, 2, 200'000, 0.6, 0.5, 1, 1), plans, 1, 5);
  }
}

// From how many bodies on sorting pays.
void few() {
  for (const std::size_t n : {8, 32, 64, 128, 192, 256, 512, 1024}) {
    table("random, volume fraction 0.3", samples::uniform(shape::sphere, 3, n, 0.3, 0.5, 1, 1),
          {"pairing", "bounding-volume", "neighboring-cell", "grid", "auto"}, 1, 2001);
  }
}

struct figure {
  const char* name;
  const char* what;
  void (*print)();  // null: a program of its own, see ./dev
};

constexpr figure all[] = {
    {"million", "a million spheres in a lattice and in clusters (default)", million},
    {"cells", "neighboring-cell over cell sizes: the constants of its model", cells},
    {"far", "what distance costs: clusters in ever larger spaces, one stray body", far},
    {"few", "from how many bodies on sorting pays", few},
    {"neighborhood", "nearest-neighbor over distances and motions", print_neighborhood},
    {"stripes", "stripe-sort: how border zones grow, its width, its growth against dess", stripes},
    {"mr", "mr and mmr: the experiments of Munjiza et al. 2006", [] { mr(false); }},
    {"mr-full", "the same, up to five million bodies", [] { mr(true); }},
    {"trees", "rtree and dess-rtree: how they grow, the size of a node, where they win", trees},
    {"flagship", "grid on the sets that it is measured by (./dev bench flagship --help)", nullptr},
    {"levels", "multilevel over its number of levels, and over decades of sizes", nullptr},
    {"powers", "how the methods scale, on 2D lattices", nullptr},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "million";
  for (const figure& f : all) {
    if (what != f.name || f.print == nullptr) continue;
    f.print();
    return 0;
  }
  fmt::print("Usage: ./dev bench [WHAT]\n\n");
  for (const figure& f : all) fmt::print("  {:<13} {}\n", f.name, f.what);
  return what == "--help" || what == "-h" ? 0 : 2;
}
