// What distance costs: the same bodies near and far, side by side. Neither a larger space nor one outlier should make a
// search slower.

#include <string>
#include <utility>
#include <vector>

#include "figures.hpp"

namespace figures {

namespace {

struct spread {
  std::string name;
  samples::set bodies;
};

samples::set with_stray(samples::set bodies, double where) {
  bodies.add(where, -where, where, 0.525);
  return bodies;
}

// The lattice's bodies with radii from r / ratio to r.
samples::set of_sizes(samples::set bodies, double ratio) {
  samples::random rng(5);
  for (double& r : bodies.column[3]) r /= rng.uniform(1, ratio);
  return bodies;
}

void compare(const std::string& what, const std::vector<spread>& all, const std::string& line) {
  const int repeats = asked().repeats(9);
  std::vector<contender> searches;
  searches.reserve(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) searches.emplace_back(line, 1);
  for (int k = 0; k < repeats; ++k) {
    for (std::size_t s = 0; s < all.size(); ++s) searches[s].run(all[s].bodies);
  }
  fmt::print("\n{}, {}, 1 thread, median of {}\n", what, line, repeats);
  fmt::print("{:>9} {:>9} {:>9} {:>9} {:>7} {:>9} {:>9} {:>10}  {}\n", "update", "find", "sum", "first", "times",
             "predicted", "tests", "bytes", "where");
  double nearest = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const contender& c = searches[k];
    const std::size_t n = all[k].bodies.size();
    result r = result_of(c, what + ": " + all[k].name, n, line);
    r.first = (c.update[0] + c.find[0]) / static_cast<double>(n) * 1e9;
    if (k == 0) nearest = r.sum;
    double predicted = 0;
    for (const candidate& d : estimated_candidates(all[k].bodies.view(), {.threads = 1})) {
      if (d.what.method() == c.what.planned().method()) predicted = d.predicted;
    }
    fmt::print("{:6.1f} ns {:6.1f} ns {:6.1f} ns {:6.1f} ns {:7.2f} {:6.1f} ns {:7.2f}/b {:8.1f}/b  {}\n", r.update,
               r.find, r.sum, r.first, r.sum / nearest, predicted, r.tests, r.bytes, all[k].name);
    asked().add(r);
  }
  std::fflush(stdout);
}

std::vector<spread> clusters_at(shape kind, int dimension, std::size_t each) {
  std::vector<spread> all;
  for (const double side : {1e5, 1e7, 1e9, 1e12, 1e13}) {
    all.push_back(
        {fmt::format("side {:.0e}", side), samples::clusters(kind, dimension, 1'000'000, each, side, 0.525, 1)});
  }
  return all;
}

void compare_more() {
  compare("discs in clusters of 1,000", clusters_at(shape::sphere, 2, 1000), "grid");
  std::vector<spread> mixed = clusters_at(shape::sphere, 3, 1000);
  for (spread& s : mixed) s.bodies = of_sizes(std::move(s.bodies), 20);
  compare("spheres of ratio 20 in clusters of 1,000", mixed, "grid");
}

}  // namespace

void far() {
  for (const char* line : {"grid", "auto"}) {
    if (asked().pages && line != std::string("grid")) continue;
    compare("spheres in clusters of 1,000", clusters_at(shape::sphere, 3, 1000), line);
    if (asked().pages) continue;
    compare("spheres in clusters of 20,000", clusters_at(shape::sphere, 3, 20000), line);
  }
  compare("boxes in clusters of 1,000", clusters_at(shape::box, 3, 1000), "grid");
  if (!asked().pages) compare_more();
  for (const shape kind : {shape::sphere, shape::box}) {
    if (asked().pages && kind == shape::box) continue;
    const samples::set lattice = samples::lattice(kind, 3, 1'000'000, 1, 0.1, 0.525, 1);
    const std::vector<spread> strayed = {{"alone", lattice},
                                         {"one more at 1e6", with_stray(lattice, 1e6)},
                                         {"one more at 1e15", with_stray(lattice, 1e15)},
                                         {"one more at 1e100", with_stray(lattice, 1e100)}};
    compare(kind == shape::sphere ? "a lattice of spheres" : "a lattice of boxes", strayed, "grid");
  }
}

}  // namespace figures
