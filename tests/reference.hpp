#pragma once

// The oracle: tries every pair by the contract's formulas, written out on the columns, and shares no code with the
// library. Plain on purpose; its answers are kept, since the tests of every method ask for the same sets. It is
// compiled without fused operations, as the contract demands.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <abut/search.hpp>

#include "samples.hpp"

namespace reference {

using periods = std::array<std::optional<abut::interval>, 3>;

/// A body or a region: a sphere (c, r) or a box (min, max), with zeros on the third axis in 2D.
struct volume {
  bool is_box = false;
  double c[3] = {0, 0, 0};
  double r = 0;
  double min[3] = {0, 0, 0};
  double max[3] = {0, 0, 0};
  bool fixed = false;
  std::optional<std::int64_t> group{};
  std::uint64_t category = UINT64_MAX;  // bodies without masks are everything and collide with everything
  std::uint64_t collides = UINT64_MAX;
};

/// Whether the formulas say that two volumes overlap, with a margin.
bool meets(const volume& a, const volume& b, double margin);

std::vector<volume> volumes(const abut::samples::set& bodies);

/// In 2D the third coordinate is ignored.
volume of_region(const abut::region& where, int dimension);

/// In 2D a period on the third axis is ignored.
periods in_use(periods periodic, int dimension);

/// Wrapped into the domain: a sphere by its center, a box by its lower corner.
std::vector<volume> wrapped(std::vector<volume> all, const periods& periodic);

/// How many images of a region the oracle has to try.
double images(const volume& where, const std::vector<volume>& all, double margin, const periods& periodic);

/// All pairs, sorted.
std::vector<abut::pair> pairs(const abut::samples::set& bodies, double margin = 0, const periods& periodic = {});

/// The bodies that overlap the region, sorted.
std::vector<abut::row> in(const abut::samples::set& bodies, const abut::region& where, double margin = 0,
                          const periods& periodic = {});

/// The pairs of a body i of one set and a body j of the other, sorted by i, then j.
std::vector<abut::pair> between(const abut::samples::set& bodies, const abut::samples::set& others, double margin = 0,
                                const periods& periodic = {});

}  // namespace reference
