#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "methods/fixed_cubes/octant.hpp"
#include "steps/cell_lines.hpp"

namespace abut {

/// Which body lies in which cubes, in both directions (Lazarević et al. 2002, 3.6): the entries, sorted by cube, are
/// the paper's b and B; what an entry knows of its body's other cubes is all that is needed of a and A.
template <int D>
class cube_relation {
 public:
  /// The entries, by cube; those of a cube are in the order of bodies.
  [[nodiscard]] const cell_lines<D>& cubes() const { return cubes_; }
  /// The body of an entry.
  [[nodiscard]] std::uint32_t body(std::size_t e) const { return bodies_[e]; }
  /// In which of the neighbors that come before the entry's cube its body lies too; see `octant::before`.
  [[nodiscard]] std::uint16_t before(std::size_t e) const { return before_[e]; }
  [[nodiscard]] bool empty() const { return bodies_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return cubes_.bytes() + bytes_of(bodies_) + bytes_of(before_); }

  /// Relates bodies that are sorted by central cube: `in[n]` says in which cubes the n-th body lies, and `first + n` is
  /// its number.
  void fill(const cell_lines<D>& central, const std::vector<octant<D>>& in, std::size_t first, int threads);

 private:
  using code = typename cell_lines<D>::code;
  static constexpr std::size_t lines_per_block = 64;

  // The entries of some lines of cubes.
  struct block {
    std::vector<code> codes;
    std::vector<std::uint32_t> starts, x, bodies;
    std::vector<std::uint16_t> before;
  };
  // The entries of one line in the order in which they were found, `size` of them, and the scratch space to sort them
  // by x.
  struct gathered {
    std::vector<std::uint32_t> x, bodies, to, counters;
    std::vector<std::uint8_t> sets;
    std::size_t size = 0;
    std::size_t hint = 0;

    void make_room(std::size_t count) {
      if (x.size() >= count) return;
      for (auto* v : {&x, &bodies, &to}) v->resize(2 * count);
      sets.resize(2 * count);
    }
  };

  static std::vector<code> lines_around(const cell_lines<D>& central);
  static void gather(const cell_lines<D>& central, const std::vector<octant<D>>& in, code to, gathered& out);
  static void sort_by_x(gathered& all);
  void put_together(const std::vector<block>& blocks, int threads);

  cell_lines<D> cubes_;
  std::vector<std::uint32_t> bodies_;
  std::vector<std::uint16_t> before_;
};

template <int D>
void cube_relation<D>::fill(const cell_lines<D>& central, const std::vector<octant<D>>& in, std::size_t first,
                            int threads) {
  const std::vector<code> lines = lines_around(central);
  std::vector<block> blocks((lines.size() + lines_per_block - 1) / lines_per_block);
  parallel_blocks(threads, lines.size(), lines_per_block, [&](std::size_t b, std::size_t from, std::size_t to) {
    block& out = blocks[b];
    gathered all;
    for (std::size_t r = from; r < to; ++r) {
      gather(central, in, lines[r], all);
      if (all.size == 0) continue;
      sort_by_x(all);
      const std::size_t at = out.x.size();
      out.codes.push_back(lines[r]);
      out.starts.push_back(static_cast<std::uint32_t>(at));
      out.x.resize(at + all.size);
      out.bodies.resize(at + all.size);
      out.before.resize(at + all.size);
      for (std::size_t e = 0; e < all.size; ++e) {
        const std::size_t to_place = at + all.to[e];
        out.x[to_place] = all.x[e];
        out.bodies[to_place] = static_cast<std::uint32_t>(first) + all.bodies[e];
        out.before[to_place] = in[all.bodies[e]].before(all.sets[e]);
      }
    }
  });
  std::copy(central.axis, central.axis + D, cubes_.axis);
  put_together(blocks, threads);
}

// The lines of cubes in which bodies may lie: those of the central cubes, and their neighbors.
template <int D>
auto cube_relation<D>::lines_around(const cell_lines<D>& central) -> std::vector<code> {
  std::vector<code> lines;
  const std::uint32_t last_y = central.axis[1].count() - 1;
  for (std::size_t r = 0; r < central.lines(); ++r) {
    const std::uint32_t y = central.y(r);
    for (std::uint32_t near = y > 0 ? y - 1 : 0; near <= std::min(y + 1, last_y); ++near) {
      const code c = central.code_at(near, D == 3 ? central.z(r) : 0);
      if (lines.empty() || lines.back() < c) lines.push_back(c);
    }
  }
  if constexpr (D == 3) {
    const code layer = central.code_at(0, 1);
    const code end = layer * central.axis[2].count();
    std::vector<code> below;
    std::vector<code> above;
    for (const code c : lines) {
      if (c >= layer) below.push_back(c - layer);
      if (c + layer < end) above.push_back(c + layer);
    }
    std::vector<code> both;
    std::set_union(below.begin(), below.end(), above.begin(), above.end(), std::back_inserter(both));
    std::vector<code> all;
    std::set_union(lines.begin(), lines.end(), both.begin(), both.end(), std::back_inserter(all));
    return all;
  }
  return lines;
}

// A body of the central line (y, z) has entries in the line (y + dy, z + dz) if its octant is on that side and it meets
// the cube there or the next one along x.
template <int D>
void cube_relation<D>::gather(const cell_lines<D>& central, const std::vector<octant<D>>& in, code to, gathered& out) {
  out.size = 0;
  const auto around = [](std::uint32_t i) { return interval_of_cells{i > 0 ? i - 1 : 0, i + 1}; };
  const std::uint32_t y = central.y_of(to);
  const std::uint32_t z = D == 3 ? central.z_of(to) : 0;
  const interval_of_cells layers = D == 3 ? around(z) : interval_of_cells{0, 0};
  central.for_each_line(around(y), layers, out.hint, [&](std::size_t r) {
    unsigned axes = central.y(r) != y ? 2U : 0U;
    unsigned upper = central.y(r) < y ? 2U : 0U;
    if constexpr (D == 3) {
      axes |= central.z(r) != z ? 4U : 0U;
      upper |= central.z(r) < z ? 4U : 0U;
    }
    out.make_room(out.size + 2 * std::size_t{central.end(r) - central.begin(r)});
    // Always written, then kept or not: a branch on which cubes are met would be unpredictable.
    const auto add = [&](std::uint32_t n, unsigned set, std::uint32_t x, bool keep) {
      out.x[out.size] = x;
      out.bodies[out.size] = n;
      out.sets[out.size] = static_cast<std::uint8_t>(set);
      out.size += keep ? 1 : 0;
    };
    for (std::uint32_t n = central.begin(r); n < central.end(r); ++n) {
      const octant<D> o = in[n];
      const std::uint32_t x = central.x()[n];
      const bool here = (o.upper & axes) == upper;
      add(n, axes, x, here && o.meets(axes));
      add(n, axes | 1U, x - 1 + 2 * (o.upper & 1U), here && o.meets(axes | 1U));
    }
  });
}

// Sorts by counting, unless x spreads over far more cubes than there are entries. Stable.
template <int D>
void cube_relation<D>::sort_by_x(gathered& all) {
  const auto end = all.x.begin() + static_cast<std::ptrdiff_t>(all.size);
  const auto [least, greatest] = std::minmax_element(all.x.begin(), end);
  const std::uint32_t lowest = *least;
  const std::size_t range = std::size_t{*greatest} - lowest + 1;
  if (range > 4 * all.size + 64) {
    std::vector<std::uint32_t> order(all.size);
    for (std::size_t e = 0; e < all.size; ++e) order[e] = static_cast<std::uint32_t>(e);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return all.x[a] < all.x[b]; });
    for (std::size_t k = 0; k < all.size; ++k) all.to[order[k]] = static_cast<std::uint32_t>(k);
    return;
  }
  all.counters.assign(range + 1, 0);
  for (std::size_t e = 0; e < all.size; ++e) ++all.counters[all.x[e] - lowest + 1];
  for (std::size_t k = 1; k <= range; ++k) all.counters[k] += all.counters[k - 1];
  for (std::size_t e = 0; e < all.size; ++e) all.to[e] = all.counters[all.x[e] - lowest]++;
}

template <int D>
void cube_relation<D>::put_together(const std::vector<block>& blocks, int threads) {
  std::vector<std::size_t> line_at(1, 0);
  std::vector<std::size_t> entry_at(1, 0);
  for (const block& b : blocks) {
    line_at.push_back(line_at.back() + b.codes.size());
    entry_at.push_back(entry_at.back() + b.x.size());
  }
  std::vector<code> codes(line_at.back());
  std::vector<std::uint32_t> starts(line_at.back() + 1, static_cast<std::uint32_t>(entry_at.back()));
  std::vector<std::uint32_t> x(entry_at.back());
  bodies_.resize(entry_at.back());
  before_.resize(entry_at.back());
  parallel_for(threads, blocks.size(), [&](std::size_t n) {
    const block& b = blocks[n];
    const auto to = [&](auto& whole, std::size_t at) { return whole.begin() + static_cast<std::ptrdiff_t>(at); };
    std::copy(b.codes.begin(), b.codes.end(), to(codes, line_at[n]));
    std::copy(b.x.begin(), b.x.end(), to(x, entry_at[n]));
    std::copy(b.bodies.begin(), b.bodies.end(), to(bodies_, entry_at[n]));
    std::copy(b.before.begin(), b.before.end(), to(before_, entry_at[n]));
    for (std::size_t r = 0; r < b.starts.size(); ++r) {
      starts[line_at[n] + r] = b.starts[r] + static_cast<std::uint32_t>(entry_at[n]);
    }
  });
  cubes_.adopt(std::move(codes), std::move(starts), std::move(x));
}

}  // namespace abut
