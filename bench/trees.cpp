// The R-tree (Perkins 1999, 4.3.1): how large its nodes should be.

#include "figures.hpp"

namespace figures {

void trees() {
  std::vector<std::string> nodes;
  for (const char* node : {"4", "8", "12", "16", "24", "32", "64"}) {
    nodes.push_back(std::string("rtree node=") + node);
    nodes.push_back(std::string("rtree build=insert node=") + node);
  }
  table("size of a node, discs", samples::lattice(shape::sphere, 2, 120'000, 1, 0.1, 0.525, 1), nodes, 1, 5);
  table("size of a node, spheres", samples::lattice(shape::sphere, 3, 200'000, 1, 0.1, 0.525, 1), nodes, 1, 5);
}

}  // namespace figures
