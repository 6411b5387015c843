#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>

#include "generators.hpp"
#include "packing_places.hpp"

namespace abut::samples {
namespace {

std::string in_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

constexpr double class_ratio = 1.1;       // bodies whose sizes differ by less are one class
constexpr double most_map_bits = 0x1p34;  // 2 GB
constexpr double most_split = 0x1p30;     // in voxels; the few that stay live take 2 GB at most
constexpr std::uint64_t parts = 1U << 14U;

// Inserts bodies of nearly one size at a time, the largest first. A round draws enough places for about half of the
// waiting bodies and sorts them roughly by position, so that neighbors are in cache. Then the waiting bodies try them
// in turn, in that order, until each has found room. (Trying random places all over the box takes five times as long
// for a million bodies.) Places that are far apart do not affect each other, so their order does not matter; close ones
// stay in random order, except at the borders between parts.
template <int D>
class packer {
 public:
  packer(const packing_request& request, double side, const std::vector<double>& all, random& rng)
      : request_(request),
        side_(side),
        radii_(all),
        rng_(rng),
        grid_(side, all, request.r_max),
        places_(side, request.r_max, 1) {}

  const packing_grid<D>& run() {
    const std::vector<row> order = by_class();
    for (std::size_t begin = 0; begin < order.size();) {
      std::size_t end = begin + 1;
      while (end < order.size() && class_of(radii_[order[end]]) == class_of(radii_[order[begin]])) ++end;
      std::vector<candidate> same(end - begin);
      for (candidate& c : same) {
        c = {radii_[order[begin]], order[begin]};
        ++begin;
      }
      insert(same);
    }
    return grid_;
  }

 private:
  struct candidate {
    double r;
    row id;
  };

  [[nodiscard]] std::size_t class_of(double r) const {
    return static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), r, std::greater<>()) -
                                    bounds_.begin());
  }

  // The rows, sorted by class, the largest first; within a class in random order if `shuffled`.
  std::vector<row> by_class() {
    const double r_min = *std::min_element(radii_.begin(), radii_.end());
    double bound = request_.r_max / class_ratio;
    while (bound > r_min) {
      bounds_.push_back(bound);
      bound /= class_ratio;
    }
    std::vector<std::size_t> begin(bounds_.size() + 2);
    for (const double r : radii_) ++begin[class_of(r) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<row> order(radii_.size());
    const auto put = [&](row i) { order[begin[class_of(radii_[i])]++] = i; };
    // A round goes through the box from end to end; the rows should not.
    if (request_.shuffled) {
      for (const row i : rng_.permutation(order.size())) put(i);
    } else {
      for (row i = 0; i < order.size(); ++i) put(i);
    }
    return order;
  }

  void insert(std::span<candidate> waiting) {
    r_least_ = least_radius(waiting);
    places_ = packing_places<D>(side_, r_least_, radii_.size());
    tries_each_ = 1;
    failed_ = 0;
    while (!waiting.empty()) {
      const double wanted = std::ceil(0.5 * tries_each_ * static_cast<double>(waiting.size()));
      draw_keys(static_cast<std::size_t>(std::clamp(wanted, 64.0, static_cast<double>(radii_.size()) + 1e5)));
      const std::size_t tries = keys_.size();
      const std::size_t found = round(waiting);
      waiting = waiting.subspan(found);
      failed_ = found > 0 ? 0 : failed_ + tries;
      tries_each_ = found > 0 ? static_cast<double>(tries) / static_cast<double>(found) : 2 * tries_each_;
      if (!waiting.empty()) narrow(waiting);
    }
  }

  static double least_radius(std::span<const candidate> some) {
    double least = some[0].r;
    for (const candidate& c : some) least = std::min(least, c.r);
    return least;
  }

  // Draws the keys of the next tries and sorts them by part of the box; within a part they stay in the order drawn.
  void draw_keys(std::size_t count) {
    const std::uint64_t keys = places_.keys();
    keys_per_part_ = keys / parts + 1;
    std::vector<std::size_t> begin(parts + 1);
    drawn_.resize(count);
    for (std::uint64_t& key : drawn_) {
      key = rng_.below(keys);
      ++begin[key / keys_per_part_ + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    keys_.resize(count);
    for (const std::uint64_t key : drawn_) keys_[begin[key / keys_per_part_]++] = key;
  }

  // Tries to place the waiting bodies in turn, moves those that were placed to the front, and returns their number.
  std::size_t round(std::span<candidate> waiting) {
    std::size_t placed = 0;
    std::size_t turn = 0;
    std::uint64_t part_end = 0;
    for (const std::uint64_t key : keys_) {
      if (key >= part_end) {
        const std::uint64_t part = key / keys_per_part_;
        part_end = std::min((part + 1) * keys_per_part_, places_.keys());
        places_.focus(part * keys_per_part_, part_end);
        if (part % 64 == 0) tell_progress();
      }
      if (place(key, waiting[turn])) {
        std::swap(waiting[placed], waiting[turn]);
        if (++placed == waiting.size()) break;
      }
      if (++turn == waiting.size()) turn = placed;
    }
    return placed;
  }

  // Reports the part of the work that is done. Bodies of one size are harder to place in a fuller box: measured, a body
  // takes about (1 - fraction / saturation)^-2 times as long as the first. Of several sizes, all take about as long.
  void tell_progress() const {
    if (!request_.progress) return;
    const double placed = static_cast<double>(grid_.bodies().size()) / static_cast<double>(radii_.size());
    const double most = D == 3 ? 0.384 : 0.547;
    const double room = 1 - std::min(request_.fraction / most, 0.99) * placed;
    const double room_at_end = 1 - std::min(request_.fraction / most, 0.99);
    const bool one_size = bounds_.empty();
    request_.progress(one_size ? (1 / room - 1) / (1 / room_at_end - 1) : placed);
  }

  bool place(std::uint64_t key, const candidate& c) {
    const double r = c.r;
    point<D> p;
    if (!places_.draw(key, rng_, p)) return false;
    for (double& x : p) {
      if (request_.single) x = static_cast<double>(static_cast<float>(x));
      if (x < r || x > side_ - r) return false;
    }
    if (grid_.occupied(p, r)) return false;
    grid_.add(p, r, c.id);
    places_.mark(p, r);
    r2_sum_ += r * r;
    return true;
  }

  // Goes to the next form of `packing_places` if that pays. Costs are in tries; the factors were measured.
  void narrow(std::span<const candidate> waiting) {
    const double tries_left = static_cast<double>(waiting.size()) * tries_each_;
    if (places_.is_map() && 100 * (grid_.bodies().size() - counted_at_) > grid_.bodies().size()) {
      places_.count();
      counted_at_ = grid_.bodies().size();
    }
    if (places_.is_box()) {
      r_least_ = least_radius(waiting);
      if (map_cost(waiting.size()) < tries_left && side_ > 2.001 * r_least_) make_map();
    } else if (places_.keys() > 0 && places_.can_split()) {
      const double children = static_cast<double>(places_.keys()) * (1 << D);
      if (children < tries_left && children < most_split) split(waiting);
    }
    if (places_.keys() == 0 || failed_ > 100'000'000) refuse(waiting[0].r);
  }

  [[nodiscard]] double map_cost(std::size_t left) const {
    const double bits = packing_places<D>::map_bits(side_, r_least_);
    if (bits > most_map_bits) return std::numeric_limits<double>::infinity();
    const auto n = static_cast<double>(grid_.bodies().size() + left);
    const double mean =
        grid_.bodies().empty() ? r_least_ : std::sqrt(r2_sum_ / static_cast<double>(grid_.bodies().size()));
    return bits / 2000 + n * packing_places<D>::lines_marked(side_, r_least_, mean + r_least_) / 30;
  }

  void make_map() {
    places_.make_map(side_, r_least_);
    for (const auto& b : grid_.bodies()) places_.mark(b.center, b.r);
    places_.count();
    counted_at_ = grid_.bodies().size();
    tries_each_ = 1;
  }

  void split(std::span<const candidate> waiting) {
    const auto by_r = [](const candidate& a, const candidate& b) { return a.r < b.r; };
    const auto [least, most] = std::minmax_element(waiting.begin(), waiting.end(), by_r);
    if (!places_.split(grid_, least->r, most->r)) refuse(most->r);
    tries_each_ = 1;
  }

  [[noreturn]] void refuse(double r) const {
    double volume = 0;
    for (const auto& b : grid_.bodies()) volume += power(b.r, D);
    const double reached = volume * unit_volume(shape::sphere, D) / power(side_, D);
    throw error("volume fraction " + in_text(request_.fraction) +
                " is out of reach: random insertion finds no room for " + "a body of diameter " + in_text(2 * r) +
                " after " + std::to_string(grid_.bodies().size()) + " of " + std::to_string(radii_.size()) +
                " bodies, at a fraction of " + in_text(reached) +
                "; ask for less, for a wider range of sizes, or for more bodies (in a small box the walls take room)");
  }

  const packing_request& request_;
  double side_;
  const std::vector<double>& radii_;
  random& rng_;
  packing_grid<D> grid_;
  packing_places<D> places_;
  std::vector<double> bounds_{};  ///< between the classes, decreasing
  std::vector<std::uint64_t> drawn_{};
  std::vector<std::uint64_t> keys_{};  ///< of the next tries
  std::uint64_t keys_per_part_ = 1;
  double r_least_ = 0;          ///< of the waiting bodies
  double r2_sum_ = 0;           ///< of the placed bodies
  double tries_each_ = 1;       ///< in the last round
  std::size_t counted_at_ = 0;  ///< the number of bodies when the map was last counted
  std::size_t failed_ = 0;      ///< tries since a body was last placed
};

template <int D>
set pack(const packing_request& request, double side, const std::vector<double>& all, random& rng) {
  packer<D> packer(request, side, all, rng);
  const packing_grid<D>& grid = packer.run();
  set bodies{.dimension = D};
  for (int k = 0; k < D; ++k) bodies.column[static_cast<std::size_t>(k)].resize(all.size());
  bodies.column[D].resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& b = grid.bodies()[i];
    const std::size_t to = request.shuffled ? b.id : i;
    for (int k = 0; k < D; ++k) bodies.column[static_cast<std::size_t>(k)][to] = b.center[k];
    bodies.column[D][to] = b.r;
  }
  return bodies;
}

}  // namespace

double most_equal_fraction(int dimension) { return dimension == 2 ? 0.53 : 0.37; }

packed packing(const packing_request& request) {
  const int d = request.dimension;
  if ((request.sizes == size_law::equal || request.ratio == 1) && request.fraction > most_equal_fraction(d)) {
    throw error("volume fraction " + in_text(request.fraction) + " is out of reach: random insertion of equal " +
                (d == 2 ? "discs ends near 0.547" : "spheres ends near 0.38") + "; at most " +
                in_text(most_equal_fraction(d)) + " is accepted");
  }
  if (request.count == 0) return {{.dimension = d}, 0};
  random rng(request.seed);
  std::vector<double> all = radii(request.sizes, d, request.count, request.r_max, request.ratio, rng);
  double sum = 0;
  for (double& r : all) {
    if (request.single) r = static_cast<double>(static_cast<float>(r));
    sum += power(r, d);
  }
  const double side = root(d, unit_volume(shape::sphere, d) * sum / request.fraction);
  if (!(side >= 2 * *std::max_element(all.begin(), all.end()))) {
    throw error("volume fraction " + in_text(request.fraction) +
                " is out of reach: the box is smaller than the largest body; ask for less, or for more bodies");
  }
  return {d == 2 ? pack<2>(request, side, all, rng) : pack<3>(request, side, all, rng), side};
}

}  // namespace abut::samples
