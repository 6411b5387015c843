// The R-tree (Perkins 1999, 4.3.1 and 7.1): how it grows by its ways of building, over coordinates and over ranks; how
// large its nodes should be; and where it wins.

#include "figures.hpp"

namespace figures {

void trees() {
  const std::vector<std::string> plans{"rtree",      "rtree build=insert",   "rtree build=insert split=linear",
                                       "dess-rtree", "dess-rtree sort=heap", "neighboring-cell"};
  for (const std::size_t count : {1'200, 12'000, 120'000, 1'200'000}) {
    const samples::set discs = samples::lattice(shape::sphere, 2, count, 1, 0, 0.5, 1);
    table("discs that touch on a square lattice", discs, plans, 1, count > 100'000 ? 3 : 25);
  }
  table("spheres that touch on a cubic lattice", samples::lattice(shape::sphere, 3, 1'000'000, 1, 0, 0.5, 1), plans, 1,
        3);

  std::vector<std::string> nodes;
  for (const char* node : {"4", "8", "12", "16", "24", "32", "64"}) {
    nodes.push_back(std::string("rtree node=") + node);
    nodes.push_back(std::string("rtree build=insert node=") + node);
  }
  table("size of a node, discs", samples::lattice(shape::sphere, 2, 120'000, 1, 0.1, 0.525, 1), nodes, 1, 5);
  table("size of a node, spheres", samples::lattice(shape::sphere, 3, 200'000, 1, 0.1, 0.525, 1), nodes, 1, 5);

  const std::vector<std::string> rivals{"rtree", "dess-rtree", "neighboring-cell"};
  for (const double ratio : {1.0, 10.0, 50.0, 200.0}) {
    table(fmt::format("spheres, sizes 1 to {}", ratio), samples::uniform(shape::sphere, 3, 200'000, 0.4, 1, ratio, 1),
          rivals, 1, 3);
  }
  table("a giant of 100 diameters", samples::giant(shape::sphere, 3, 200'000, 0.5, 100, 1), rivals, 1, 3);
  table("clusters", samples::clusters(shape::sphere, 3, 200'000, 1000, 1e5, 0.5, 1), rivals, 1, 3);
}

}  // namespace figures
