#include "steps/cover.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "steps/taken.hpp"

namespace abut {

axis_cells covered_axis(const world& w, int k, double size) {
  const measures& m = w.measured();
  const interval whole = widened(m.lower[k] - w.margin(), m.upper[k] + w.margin());
  return {whole.min, whole.max, size, [&] { return all_taken(w, k); }};
}

// The sum over all bodies of the product over the axes of `of_body(interval, axis)`.
template <class OfBody>
double cover_entries::sum(const OfBody& of_body) const {
  constexpr std::size_t block = 8192;
  std::vector<double> parts((world_.size() + block - 1) / block);
  with_shape_of(world_, [&]<int D, shape S>() {
    parallel_blocks(world_.threads(), world_.size(), block, [&](std::size_t b, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        const volume<D, S> v = world_.get<D, S>(static_cast<row>(i));
        double product = 1;
        for (int k = 0; k < D; ++k) {
          if (splits(k)) product *= of_body(taken(v, k, world_.margin()), k);
        }
        parts[b] += product;
      }
    });
  });
  double total = 0;
  for (const double p : parts) total += p;
  return total;
}

double cover_entries::count(double size) const {
  // First a lower bound, without making cells: a giant over tiny cells would make very long axes.
  const double least = sum([&](const interval& t, int) { return std::max(1.0, (t.max - t.min) / size); });
  if (!(least <= allowed())) return std::numeric_limits<double>::infinity();
  axis_cells cells[3];
  for (int k = 0; k < world_.dimension(); ++k) {
    if (splits(k)) cells[k] = covered_axis(world_, k, size);
  }
  return sum([&](const interval& t, int k) { return 1.0 + cells[k].index(t.max) - cells[k].index(t.min); });
}

double cover_entries::smallest_above(double asked) const {
  const auto expected = [&](double size) { return widths_.entries(size, axes_); };
  double size = asked;
  while (expected(size) > body_widths::most_entries) size *= 1.5;
  while (size > asked * 1.5 && expected(size / 1.1) < body_widths::most_entries) size /= 1.1;
  double works = rounded_size(std::max(size, asked * 1.02));
  while (!(count(works) <= allowed())) works = rounded_size(works * 1.1);
  return works;
}

void cover_entries::refuse(const std::string& what, double asked, double entries) const {
  const double each = std::round(entries / static_cast<double>(world_.size()));
  throw error(what + " is " + number_text(asked) + ", which makes " +
              (each < 1e300 ? number_text(each) : "far too many") + " entries per body; the smallest that works is " +
              number_text(smallest_above(asked)) + " (at most " + number_text(body_widths::most_entries) +
              " entries per body)");
}

std::string cover_entries::raised(const std::string& what, double from) {
  return "; " + what + " raised from " + number_text(from) + " so that a body takes at most " +
         number_text(body_widths::most_entries) + " entries on average";
}

}  // namespace abut
