#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "packing_grid.hpp"
#include "samples.hpp"

/// The places where a body of a packing may still go. Random insertion into a box that is nearly full fails hundreds of
/// times per body (43 times at a fraction of 0.3), nearly always at places where any body would fail. So the box is
/// split into voxels; a voxel that lies entirely within the reach of one body is dead; and places are drawn from live
/// voxels only. The result is distributed as if places were drawn from the whole box. (After G. Zhang and S. Torquato,
/// "Precise algorithm to generate random sequential addition of hard hyperspheres at saturation", Physical Review E 88,
/// 053312, 2013.)
///
/// It takes three forms as room gets scarcer: the whole box; a map with one bit per voxel, in which each new body marks
/// the voxels that it kills; a list of live voxels, which are split again and again until all bodies are placed or no
/// voxel is left.
namespace abut::samples {

template <int D>
class packing_places {
 public:
  /// The whole box, for centers of bodies of radius r and more, in blocks of a few thousand bodies that fit in cache.
  packing_places(double side, double r, std::size_t bodies) {
    split_box(side, r, root(D, static_cast<double>(bodies) / 4096));
  }

  /// The number of keys to draw from.
  [[nodiscard]] std::uint64_t keys() const { return keys_; }

  /// Must be called before keys of [first, end) are drawn, and allows only those: makes drawing them fast.
  void focus(std::uint64_t first, std::uint64_t end) {
    if (map_.empty()) return;
    const auto begin = live_before_.begin();
    focus_first_ = std::upper_bound(begin, live_before_.end(), first) - begin - 1;
    focus_end_ = std::upper_bound(begin + focus_first_, live_before_.end(), end - 1) - begin;
  }

  /// Sets p to a random point of the voxel with this key. Returns false if the voxel has died.
  [[nodiscard]] bool draw(std::uint64_t key, random& rng, point<D>& p) const {
    std::array<std::uint32_t, D> voxel{};
    if (!list_.empty()) {
      voxel = unpacked(list_[key]);
    } else if (!map_.empty()) {
      if (!select(key, voxel)) return false;
    } else {
      for (int k = 0; k < D; ++k, key /= n_) voxel[k] = static_cast<std::uint32_t>(key % n_);
    }
    for (int k = 0; k < D; ++k) p[k] = low_ + (static_cast<double>(voxel[k]) + rng.uniform()) * width_;
    return true;
  }

  // ---- the map

  [[nodiscard]] bool is_box() const { return list_.empty() && map_.empty(); }
  [[nodiscard]] bool is_map() const { return !map_.empty(); }

  /// The number of bits of a map for radii of r and more.
  [[nodiscard]] static double map_bits(double side, double r) { return power(voxels_per_axis(side, r), D); }

  /// The number of lines of voxels of such a map that a body with exclusion radius e marks.
  [[nodiscard]] static double lines_marked(double side, double r, double e) {
    const double across = 2 * e * voxels_per_axis(side, r) / side;
    return D == 2 ? across : across * across;
  }

  void make_map(double side, double r) {
    split_box(side, r, voxels_per_axis(side, r));
    r_ = r;
    tiles_x_ = (n_ + 63) / 64;
    tiles_ = (n_ + tile - 1) / tile;
    map_.assign(tiles_x_ * tiles_ * (D == 3 ? tiles_ : 1) * tile_words,
                ~std::uint64_t{0});  // voxels past the end are dead
    for (std::size_t z = 0; z < (D == 3 ? n_ : 1); ++z) {
      for (std::size_t y = 0; y < n_; ++y) {
        const std::size_t line = line_begin(y, z);
        for (std::size_t x = 0; x < tiles_x_; ++x) map_[line + x * tile_words] = 0;
        if (n_ % 64 != 0) map_[line + (tiles_x_ - 1) * tile_words] = ~std::uint64_t{0} << (n_ % 64);
      }
    }
    count();
  }

  /// Kills the voxels of the map that lie entirely within the reach of this body.
  void mark(const point<D>& center, double radius) {
    if (map_.empty()) return;
    std::array<double, D> c{};  // in voxels
    for (int k = 0; k < D; ++k) c[k] = (center[k] - low_) / width_;
    const double e = (radius + r_) / width_;
    if constexpr (D == 2) {
      mark_layer(c, e * e, 0);
    } else {
      for_each_within(c[2], e * e, [&](std::size_t z, double rest) { mark_layer(c, rest, z); });
    }
  }

  /// Counts the live voxels of the map again. Before that, `draw` fails for voxels that have died since the last count.
  void count() {
    live_before_.resize(map_.size() / group + 1);
    std::uint64_t live = 0;
    for (std::size_t g = 0; g + 1 < live_before_.size(); ++g) {
      live_before_[g] = live;
      for (std::size_t w = 0; w < group; ++w) live += live_in(map_[g * group + w]);
    }
    live_before_.back() = live;
    keys_ = live;
  }

  // ---- the list

  /// Whether voxels of half the width can still be numbered.
  [[nodiscard]] bool can_split() const {
    return n_ < (std::uint64_t{1} << (bits_per_axis - 1)) && width_ > 1e-9 * low_;
  }

  /// Splits each voxel (of the map or the list) into 2^D and keeps those that are live for bodies of radius r. Returns
  /// whether any is live for bodies of radius r_most.
  [[nodiscard]] bool split(const packing_grid<D>& grid, double r, double r_most) {
    std::vector<std::uint64_t> live;
    bool room = false;
    const double half = width_ / 4;
    const double depth = half * std::sqrt(static_cast<double>(D));
    const auto keep_children = [&](const std::array<std::uint32_t, D>& voxel) {
      for (std::uint32_t child = 0; child < (1U << D); ++child) {
        std::array<std::uint32_t, D> part{};
        point<D> middle;
        for (int k = 0; k < D; ++k) {
          part[k] = 2 * voxel[k] + (child >> k & 1U);
          middle[k] = low_ + (2 * static_cast<double>(part[k]) + 1) * half;
        }
        if (!inside(middle, r - half) || grid.occupied(middle, r - depth)) continue;
        live.push_back(packed_voxel(part));
        room = room || (inside(middle, r_most - half) && !grid.occupied(middle, r_most - depth));
      }
    };
    if (map_.empty()) {
      for (const std::uint64_t v : list_) keep_children(unpacked(v));
    } else {
      for_each_live(keep_children);
    }
    map_ = {};
    live_before_ = {};
    list_ = std::move(live);
    n_ *= 2;
    width_ /= 2;
    keys_ = list_.size();
    return room;
  }

 private:
  // The map consists of tiles that suit the cache: 64 voxels along x, which are one word, and `tile` along other axes.
  static constexpr std::size_t tile = D == 3 ? 64 : 512;
  static constexpr std::size_t tile_words = D == 3 ? tile * tile : tile;
  static constexpr std::size_t group = 8;  ///< words that are counted together
  static constexpr int bits_per_axis = 64 / D;

  // Four voxels per radius in 2D and two in 3D: in both, about 64 in the square or cube around a body.
  static double voxels_per_axis(double side, double r) { return std::ceil(side * (D == 2 ? 4 : 2) / r); }

  void split_box(double side, double r, double n) {
    n_ = static_cast<std::uint64_t>(std::max(1.0, std::floor(n)));
    side_ = side;
    low_ = r;
    width_ = std::max(0.0, side - 2 * r) / static_cast<double>(n_);
    keys_ = static_cast<std::uint64_t>(power(static_cast<double>(n_), D));
  }

  // Whether a point is at least this far from every wall.
  [[nodiscard]] bool inside(const point<D>& p, double distance) const {
    return std::all_of(p.begin(), p.end(), [&](double x) { return x >= distance && x <= side_ - distance; });
  }

  static std::uint64_t packed_voxel(const std::array<std::uint32_t, D>& voxel) {
    std::uint64_t all = 0;
    for (int k = D; k-- > 0;) all = all << bits_per_axis | voxel[k];
    return all;
  }
  static std::array<std::uint32_t, D> unpacked(std::uint64_t all) {
    std::array<std::uint32_t, D> voxel{};
    for (int k = 0; k < D; ++k, all >>= bits_per_axis) {
      voxel[k] = static_cast<std::uint32_t>(all & ((std::uint64_t{1} << bits_per_axis) - 1));
    }
    return voxel;
  }

  // The first word of a line of voxels; the others follow, each one tile further.
  [[nodiscard]] std::size_t line_begin(std::size_t y, std::size_t z) const {
    if constexpr (D == 2) return (y / tile * tiles_x_) * tile_words + y % tile;
    return ((z / tile * tiles_ + y / tile) * tiles_x_) * tile_words + z % tile * tile + y % tile;
  }

  [[nodiscard]] std::array<std::uint32_t, D> voxel_of_bit(std::size_t word, int bit) const {
    std::array<std::size_t, 3> v{};
    const std::size_t in_tile = word % tile_words;
    std::size_t t = word / tile_words;
    v[0] = t % tiles_x_ * 64 + static_cast<std::size_t>(bit);
    t /= tiles_x_;
    v[1] = t % tiles_ * tile + in_tile % tile;
    v[2] = t / tiles_ * tile + in_tile / tile;
    std::array<std::uint32_t, D> voxel{};
    for (std::size_t k = 0; k < D; ++k) voxel[k] = static_cast<std::uint32_t>(v[k]);
    return voxel;
  }

  // std::popcount is a function call if the target may lack the instruction.
  static std::uint64_t live_in(std::uint64_t dead) {
    std::uint64_t b = ~dead;
    b -= b >> 1U & 0x5555'5555'5555'5555U;
    b = (b & 0x3333'3333'3333'3333U) + (b >> 2U & 0x3333'3333'3333'3333U);
    b = (b + (b >> 4U)) & 0x0f0f'0f0f'0f0f'0f0fU;
    return b * 0x0101'0101'0101'0101U >> 56U;
  }

  // The key-th live voxel by the last count. Within a group of words, the voxels still live have the first keys.
  bool select(std::uint64_t key, std::array<std::uint32_t, D>& voxel) const {
    const auto begin = live_before_.begin();
    const auto after = std::upper_bound(begin + focus_first_, begin + focus_end_, key);
    const auto g = static_cast<std::size_t>(after - live_before_.begin()) - 1;
    std::uint64_t left = key - live_before_[g];
    for (std::size_t w = g * group; w < (g + 1) * group; ++w) {
      std::uint64_t live = ~map_[w];
      const std::uint64_t here = live_in(map_[w]);
      if (left >= here) {
        left -= here;
        continue;
      }
      for (; left > 0; --left) live &= live - 1;
      voxel = voxel_of_bit(w, std::countr_zero(live));
      return true;
    }
    return false;
  }

  template <class F>
  void for_each_live(F&& f) const {
    for (std::size_t w = 0; w < map_.size(); ++w) {
      for (std::uint64_t live = ~map_[w]; live != 0; live &= live - 1) f(voxel_of_bit(w, std::countr_zero(live)));
    }
  }

  // The voxels [first, end) of an axis that lie entirely within sqrt(square) of x, in units of voxels. (Signed, because
  // processors convert to signed integers in one instruction.)
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> within(double x, double square) const {
    const double half = std::sqrt(square);
    return {std::max(static_cast<std::int64_t>(x - half + 1), std::int64_t{0}),
            std::min(static_cast<std::int64_t>(x + half), static_cast<std::int64_t>(n_))};
  }

  // Calls f with each of them, and with `square` less the square of the distance to the voxel's far side.
  template <class F>
  void for_each_within(double x, double square, F&& f) const {
    const auto [first, end] = within(x, square);
    for (std::int64_t voxel = first; voxel < end; ++voxel) {
      const double before = x - static_cast<double>(voxel);
      const double far = std::max(before, 1 - before);
      const double rest = square - far * far;
      if (rest > 0) f(static_cast<std::size_t>(voxel), rest);
    }
  }

  void mark_layer(const std::array<double, D>& c, double square, std::size_t z) {
    for_each_within(c[1], square, [&](std::size_t y, double rest) {
      const auto [first, end] = within(c[0], rest);
      if (first < end) set_bits(line_begin(y, z), static_cast<std::size_t>(first), static_cast<std::size_t>(end));
    });
  }

  void set_bits(std::size_t line, std::size_t first, std::size_t end) {
    const std::size_t last = (end - 1) / 64;
    std::uint64_t bits = ~std::uint64_t{0} << (first % 64);
    for (std::size_t x = first / 64; x < last; ++x, bits = ~std::uint64_t{0}) map_[line + x * tile_words] |= bits;
    map_[line + last * tile_words] |= bits & ~std::uint64_t{0} >> (63 - (end - 1) % 64);
  }

  std::uint64_t n_ = 1;  ///< voxels per axis
  double side_ = 0;      ///< of the box
  double low_ = 0;       ///< where the voxels begin, on every axis
  double width_ = 0;
  double r_ = 0;  ///< the map is for bodies of this radius and more
  std::uint64_t keys_ = 1;
  std::size_t tiles_x_ = 0;                         ///< of the map, along x
  std::size_t tiles_ = 0;                           ///< along each other axis
  std::vector<std::uint64_t> map_{};                ///< a set bit means dead
  std::vector<std::uint64_t> live_before_{};        ///< before each group of words, at the last count
  std::ptrdiff_t focus_first_ = 0, focus_end_ = 0;  ///< the groups in focus
  std::vector<std::uint64_t> list_{};
};

}  // namespace abut::samples
