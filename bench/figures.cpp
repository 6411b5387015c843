// Prints the figures that the documentation and the source name. The contenders of a table run in turns; each line
// shows medians and the hash of the pairs.

#include "figures.hpp"

#include <exception>

#include "neighborhood.hpp"

namespace {

using namespace figures;

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
      if (asked().pages && std::string(store) == "cover" && fraction != 0.3) continue;
      table(fmt::format("random, volume fraction {}", fraction),
            samples::uniform(shape::sphere, 3, 200'000, fraction, 0.5, 1, 1), kept, 1, 5);
    }
    if (asked().pages) continue;
    table("discs, volume fraction 0.6", samples::uniform(shape::sphere, 2, 200'000, 0.6, 0.5, 1, 1), plans, 1, 5);
  }
}

// The number of bodies from which sorting pays.
void few() {
  for (const std::size_t n : {8, 32, 64, 128, 192, 256, 512, 1024}) {
    table("random, volume fraction 0.3", samples::uniform(shape::sphere, 3, n, 0.3, 0.5, 1, 1),
          {"pairing", "bounding-volume", "neighboring-cell", "grid", "auto"}, 1, asked().pages ? 401 : 2001);
  }
}

struct figure {
  const char* name;
  const char* what;
  void (*print)();  // null: another program, see ./dev
};

constexpr figure all[] = {
    {"results", "all that the documentation shows, into bench/results; twelve minutes or so", nullptr},
    {"cells", "neighboring-cell over cell sizes: the constants of its model", cells},
    {"contacts", "lists of contacts: a step in which they hold, a rebuild, loops over all", list_contacts},
    {"far", "what distance costs: clusters in ever larger spaces, one stray body", far},
    {"few", "the number of bodies from which sorting pays", few},
    {"neighborhood", "nearest-neighbor over distances and motions", print_neighborhood},
    {"stripes", "stripe-sort: how its border zones grow, and over its width", stripes},
    {"mr", "mr and mmr: the experiments of Munjiza et al. 2006", [] { mr(false); }},
    {"mr-full", "the same, up to five million bodies", [] { mr(true); }},
    {"trees", "rtree over the size of a node", trees},
    {"walls", "pairs between a million spheres and 100,000 boxes, beside the spheres alone", walls},
    {"flagship", "grid on its seven samples (./dev bench flagship --help)", nullptr},
    {"steps", "whole simulation steps beside those of LAMMPS (./dev bench steps --help)", nullptr},
    {"builds", "how long ./dev run, ./dev test and .ci/run take (./dev bench builds --help)", nullptr},
    {"levels", "multilevel over its number of levels, and over decades of sizes", nullptr},
};

}  // namespace

int main(int argc, char** argv) try {
  std::string what;
  for (int k = 1; k < argc; ++k) {
    if (!take_setting(argc, argv, k)) what = argv[k];
  }
  asked().benchmark = what;
  for (const figure& f : all) {
    if (what != f.name || f.print == nullptr) continue;
    f.print();
    return 0;
  }
  fmt::print("Usage: ./dev bench WHAT [--csv FILE] [--pages] [--quick]\n\n");
  for (const figure& f : all) fmt::print("  {:<13} {}\n", f.name, f.what);
  fmt::print(
      "\n--csv writes the results as data, --pages measures only what the documentation shows, --quick repeats little: "
      "to "
      "see that it works.\n");
  return what.empty() || what == "--help" || what == "-h" ? 0 : 2;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench: %s\n", e.what());
  return 1;
}
