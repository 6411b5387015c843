#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bodies/columns.hpp"
#include "bodies/world.hpp"

namespace abut {

namespace {

constexpr std::size_t block_rows = row_reader::block;

std::string named(const std::string& name, double value) { return name + " " + number_text(value); }

// What is wrong with a body; empty if nothing is.
std::string fault_of(const bodies& b, row i) {
  for (int k = 0; k < b.columns(); ++k) {
    const double v = b.at(k)[i];
    if (std::abs(v) <= world::largest) continue;
    return named(b.column_name(k), v) +
           (std::isfinite(v) ? "; numbers past 1e150 in magnitude cannot be squared: choose a larger unit"
                             : "; every coordinate and size must be a finite number");
  }
  if (b.kind() == shape::sphere) {
    const double r = b.at(b.dimension())[i];
    return r < 0 ? named("r", r) + "; a radius must be at least 0" : "";
  }
  for (int k = 0; k < b.dimension(); ++k) {
    const double lo = b.at(k)[i];
    const double hi = b.at(b.dimension() + k)[i];
    if (lo > hi) {
      return named(b.column_name(k), lo) + " greater than " + named(b.column_name(b.dimension() + k), hi) +
             "; swap them";
    }
  }
  return "";
}

// The measures of one block; `sound` is false if a body in it is invalid.
struct block_measures {
  measures m;
  double widths = 0;
  bool sound = true;
};

// Measures one axis of a block, given the bodies' lower and upper ends.
void measure_axis(const double* lo, const double* hi, std::size_t count, int k, block_measures& out) {
  double least = lo[0];
  double greatest = hi[0];
  double widest = 0;
  bool sound = true;
  for (std::size_t i = 0; i < count; ++i) {
    sound &= lo[i] <= hi[i];
    least = std::min(least, lo[i]);
    greatest = std::max(greatest, hi[i]);
    widest = std::max(widest, hi[i] - lo[i]);
  }
  out.sound = out.sound && sound;
  out.m.lower[k] = least;
  out.m.upper[k] = greatest;
  out.m.widest[k] = widest;
}

// Sums in a fixed order, so that the result is the same on every machine; eight partial sums, so that it can be
// vectorized.
double sum_of(const double* x, std::size_t count) {
  double part[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) part[k] += x[i + k];
  }
  for (; i < count; ++i) part[0] += x[i];
  return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

// The columns of a block, as contiguous doubles.
struct block_columns {
  double space[6][block_rows];
  const double* at[6];

  block_columns(const bodies& b, std::size_t from, std::size_t count) {
    double* const into[6] = {space[0], space[1], space[2], space[3], space[4], space[5]};
    b.see(from, count, b.columns(), into, at);
  }
};

block_measures measure_spheres(const double* const* column, int d, std::size_t count, double largest) {
  block_measures out;
  const double* const radius = column[d];
  const sphere_ends radii = range_of(radius, count, largest);
  bool sound = radii.sound;
  out.widths = 2 * sum_of(radius, count);
  out.m.least_width = out.m.least_side = 2 * radii.lower;
  for (int k = 0; k < d; ++k) {
    const sphere_ends ends = ends_of(column[k], radius, count, largest);
    sound = sound && ends.sound;
    out.m.lower[k] = ends.lower;
    out.m.upper[k] = ends.upper;
    out.m.widest[k] = 2 * radii.upper;
  }
  out.sound = sound;
  return out;
}

block_measures measure_boxes(const double* const* column, int d, std::size_t count, double largest) {
  block_measures out;
  double width[block_rows] = {};
  double shortest = column[d][0] - column[0][0];
  for (int k = 0; k < d; ++k) {
    const double* const lo = column[k];
    const double* const hi = column[d + k];
    bool sound = true;
    for (std::size_t i = 0; i < count; ++i) {
      sound &= std::max(std::abs(lo[i]), std::abs(hi[i])) <= largest;
      width[i] = std::max(width[i], hi[i] - lo[i]);
      shortest = std::min(shortest, hi[i] - lo[i]);
    }
    out.sound = out.sound && sound;
    measure_axis(lo, hi, count, k, out);
  }
  out.m.least_width = *std::min_element(width, width + count);
  out.m.least_side = shortest;
  for (std::size_t i = 0; i < count; ++i) out.widths += width[i];
  return out;
}

// Throws an error about the first invalid body of a block.
[[noreturn]] void refuse(const bodies& b, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    const auto body = static_cast<row>(i);
    const std::string fault = fault_of(b, body);
    if (!fault.empty()) throw error("body " + std::to_string(i) + " has " + fault, body);
  }
  throw std::logic_error("a block of bodies was refused without a reason");
}

// Measures all blocks, and feeds the reader those that are sound.
std::vector<block_measures> measured_blocks(const bodies& b, int threads, double largest, row_reader* reader) {
  const std::size_t n = b.size();
  std::vector<block_measures> blocks((n + block_rows - 1) / block_rows);
  const auto measure = [&](const block_columns& c, std::size_t from, std::size_t to) {
    block_measures& block = blocks[from / block_rows];
    block = b.kind() == shape::sphere ? measure_spheres(c.at, b.dimension(), to - from, largest)
                                      : measure_boxes(c.at, b.dimension(), to - from, largest);
    return block.sound;
  };
  if (reader == nullptr) {
    parallel_blocks(threads, n, 8 * block_rows, [&](std::size_t, std::size_t from, std::size_t to) {
      for (; from < to; from += block_rows) {
        const std::size_t end = std::min(to, from + block_rows);
        measure(block_columns(b, from, end - from), from, end);
      }
    });
    return blocks;
  }
  parallel_for(threads, reader->parts(), [&](std::size_t p) {
    const std::size_t end = row_reader::begin(n, reader->parts(), p + 1);
    for (std::size_t from = row_reader::begin(n, reader->parts(), p); from < end; from += block_rows) {
      const std::size_t to = std::min(end, from + block_rows);
      const block_columns c(b, from, to - from);
      if (measure(c, from, to)) reader->feed(p, from, to, c.at);
    }
  });
  return blocks;
}

}  // namespace

measures check(const bodies& b, int threads, double largest, row_reader* reader) {
  const std::size_t n = b.size();
  if (n > world::most_rows) {
    throw error("there are " + std::to_string(n) + " bodies; a search takes at most " +
                std::to_string(world::most_rows) + ": split the set into parts");
  }
  if (n == 0) return {};
  const std::vector<block_measures> blocks = measured_blocks(b, threads, largest, reader);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (!blocks[k].sound) refuse(b, k * block_rows, std::min(n, (k + 1) * block_rows));
  }
  measures all = blocks[0].m;
  double widths = 0;
  for (const block_measures& block : blocks) {
    widths += block.widths / static_cast<double>(n);
    all.least_width = std::min(all.least_width, block.m.least_width);
    all.least_side = std::min(all.least_side, block.m.least_side);
    for (int k = 0; k < b.dimension(); ++k) {
      all.lower[k] = std::min(all.lower[k], block.m.lower[k]);
      all.upper[k] = std::max(all.upper[k], block.m.upper[k]);
      all.widest[k] = std::max(all.widest[k], block.m.widest[k]);
    }
  }
  all.mean_width = widths;
  return all;
}

void check(const options& o) {
  if (!(o.margin >= 0 && o.margin <= world::largest)) {
    throw error("the margin is " + number_text(o.margin) + "; it must be a number from 0 to 1e150");
  }
  if (o.threads < 0 || o.threads > most_threads) {
    throw error("threads is " + std::to_string(o.threads) + "; it must be from 1 to " + std::to_string(most_threads) +
                ", or 0 for as many as there are");
  }
  if (o.motion && !(*o.motion >= 0 && *o.motion <= world::largest)) {
    throw error("the motion is " + number_text(*o.motion) + "; it must be a length from 0 to 1e150");
  }
  for (int k = 0; k < 3; ++k) {
    if (!o.periodic[k]) continue;
    const auto [min, max] = *o.periodic[k];
    if (!(std::abs(min) <= world::largest && std::abs(max) <= world::largest && min < max)) {
      throw error(std::string("the periodic axis ") + "xyz"[k] + " goes from " + number_text(min) + " to " +
                  number_text(max) + "; it must have finite ends, the first less than the second");
    }
  }
}

void check(const region& where) {
  static constexpr const char* axis[3] = {"x", "y", "z"};
  const auto finite = [](double v, const std::string& what) {
    if (!(std::abs(v) <= world::largest)) {
      throw error("the region has " + named(what, v) + "; its numbers must be finite and at most 1e150 in magnitude");
    }
  };
  if (const auto* s = std::get_if<sphere>(&where)) {
    for (int k = 0; k < 3; ++k) finite(s->center[k], axis[k]);
    finite(s->radius, "r");
    if (s->radius < 0) throw error("the region has " + named("r", s->radius) + "; a radius must be at least 0");
    return;
  }
  const box& r = std::get<box>(where);
  for (int k = 0; k < 3; ++k) {
    const std::string min = std::string(axis[k]) + "min";
    const std::string max = std::string(axis[k]) + "max";
    finite(r.min[k], min);
    finite(r.max[k], max);
    if (r.min[k] > r.max[k]) {
      throw error("the region has " + named(min, r.min[k]) + " greater than " + named(max, r.max[k]) + "; swap them");
    }
  }
}

}  // namespace abut
