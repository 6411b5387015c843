#include "solid.hpp"

// The mass of a union of balls and its first and second moments.
//
// If all centers are on a line, the union is a body of revolution, whose profile is made of arcs: between the points at
// which the outer ball changes, its moments are integrals of polynomials. Otherwise the union is cut into slices, these
// into lines, and these into intervals, which are known exactly. Lines and slices are summed by Gauss's rule between
// all points at which a ball or the circle in which two balls meet begins or ends. There, the integrand behaves like a
// root; in t with z = t^2 (3 - 2 t), it is smooth.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <abut/dem/portable.hpp>

namespace abut::dem {

namespace {

constexpr double pi = std::numbers::pi;

/// Sums over all points of a solid: mass, and mass times the products of coordinates.
struct moments {
  double mass = 0;
  vec first{};
  tensor second{};  ///< xx is the sum of x x, and so on
};

// Gauss's rule on [0, 1], for the integral over z from 0 to 1 with z = t^2 (3 - 2 t).
struct rule {
  static constexpr int count = 16;
  std::array<double, count> at{}, weight{};

  rule() {
    for (int k = 0; k < count; ++k) {
      double x = portable_cos(pi * (k + 0.75) / (count + 0.5));
      double slope = 0;
      for (int repeat = 0; repeat < 8; ++repeat) {  // Newton's method on Legendre's polynomial
        double last = 1;
        double now = x;
        for (int n = 2; n <= count; ++n) {
          const double next = ((2 * n - 1) * x * now - (n - 1) * last) / n;
          last = now;
          now = next;
        }
        slope = count * (x * now - last) / (x * x - 1);
        x -= now / slope;
      }
      const double t = 0.5 * (1 + x);
      at[static_cast<std::size_t>(k)] = t * t * (3 - 2 * t);
      weight[static_cast<std::size_t>(k)] = 6 * t * (1 - t) / ((1 - x * x) * slope * slope);
    }
  }
};

// Calls f(z, weight) for the points of the rule between all neighbors among the ends, which it sorts.
template <class F>
void between(std::vector<double>& ends, F&& f) {
  static const rule gauss;
  std::sort(ends.begin(), ends.end());
  for (std::size_t k = 1; k < ends.size(); ++k) {
    const double low = ends[k - 1];
    const double size = ends[k] - low;
    if (!(size > 0)) continue;
    for (std::size_t n = 0; n < rule::count; ++n) f(low + size * gauss.at[n], size * gauss.weight[n]);
  }
}

// The part of a line that a ball covers.
struct stretch {
  double from, to, density;
};

// What the stretches cover, each point with the density of the first stretch that has it.
void add_line(std::vector<stretch>& line, double y, double z, double weight, moments& all) {
  const auto add = [&](double from, double to, double density) {
    const double m = weight * density * (to - from);
    const double x = 0.5 * (from + to);
    all.mass += m;
    all.first += vec{x, y, z} * m;
    all.second.xx += m * (from * from + from * to + to * to) / 3;
    all.second.yy += m * y * y;
    all.second.zz += m * z * z;
    all.second.xy += m * x * y;
    all.second.xz += m * x * z;
    all.second.yz += m * y * z;
  };
  for (std::size_t k = 0; k < line.size(); ++k) {
    double from = line[k].from;
    while (from < line[k].to) {
      // From here on to the next point that belongs to an earlier stretch, or past the stretch that covers it already.
      double to = line[k].to;
      bool covered = false;
      for (std::size_t e = 0; e < k && !covered; ++e) {
        if (line[e].from <= from && from < line[e].to) {
          covered = true;
          from = line[e].to;
        } else if (line[e].from > from) {
          to = std::min(to, line[e].from);
        }
      }
      if (covered) continue;
      add(from, to, line[k].density);
      from = to;
    }
  }
}

struct disc {
  double x, y, radius, density;
};

void add_slice(const std::vector<disc>& discs, double z, double weight, moments& all) {
  std::vector<double> ends;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const disc& a = discs[i];
    ends.push_back(a.y - a.radius);
    ends.push_back(a.y + a.radius);
    for (std::size_t j = 0; j < i; ++j) {  // where their circles meet
      const disc& b = discs[j];
      const double dx = b.x - a.x;
      const double dy = b.y - a.y;
      const double d2 = dx * dx + dy * dy;
      if (!(d2 > 0)) continue;
      const double along = 0.5 * (1 + (a.radius * a.radius - b.radius * b.radius) / d2);
      const double h2 = a.radius * a.radius / d2 - along * along;
      if (!(h2 >= 0)) continue;
      ends.push_back(a.y + along * dy + std::sqrt(h2) * dx);
      ends.push_back(a.y + along * dy - std::sqrt(h2) * dx);
    }
  }
  std::vector<stretch> line;
  between(ends, [&](double y, double share) {
    line.clear();
    for (const disc& d : discs) {
      const double h2 = d.radius * d.radius - (y - d.y) * (y - d.y);
      if (h2 > 0) line.push_back({d.x - std::sqrt(h2), d.x + std::sqrt(h2), d.density});
    }
    add_line(line, y, z, weight * share, all);
  });
}

// The lowest and highest z of the circle in which two spheres meet, if they do.
void add_circle(const solid_ball& a, const solid_ball& b, std::vector<double>& ends) {
  const vec d = b.center - a.center;
  const double d2 = dot(d, d);
  if (!(d2 > 0)) return;
  const double along = 0.5 * (1 + (a.radius * a.radius - b.radius * b.radius) / d2);
  const double h2 = a.radius * a.radius - along * along * d2;
  if (!(h2 >= 0)) return;
  const double rise = std::sqrt(h2 * (d.x * d.x + d.y * d.y) / d2);
  const double middle = a.center.z + along * d.z;
  ends.push_back(middle - rise);
  ends.push_back(middle + rise);
}

moments by_slices(std::span<const solid_ball> balls) {
  moments all;
  std::vector<double> ends;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    ends.push_back(balls[i].center.z - balls[i].radius);
    ends.push_back(balls[i].center.z + balls[i].radius);
    for (std::size_t j = 0; j < i; ++j) add_circle(balls[i], balls[j], ends);
  }
  std::vector<disc> discs;
  between(ends, [&](double z, double weight) {
    discs.clear();
    for (const solid_ball& b : balls) {
      const double h2 = b.radius * b.radius - (z - b.center.z) * (z - b.center.z);
      if (h2 > 0) discs.push_back({b.center.x, b.center.y, std::sqrt(h2), b.density});
    }
    add_slice(discs, z, weight, all);
  });
  return all;
}

// Integrals of (R^2 - (s - c)^2)^k s^n ds for what a body of revolution needs, from `from` to `to`: area is pi h^2, and
// the mean square of a coordinate across is h^2 / 4.
struct revolved {
  double volume = 0, first = 0, second = 0, across = 0;

  void add(double from, double to, double c, double r, double density) {
    // In u = s - c: h^2 = r^2 - u^2.
    const auto up_to = [&](double u) {
      const double r2 = r * r;
      const double u2 = u * u;
      std::array<double, 4> sums{};
      sums[0] = u * (r2 - u2 / 3);                           // h^2
      sums[1] = u2 * (r2 / 2 - u2 / 4);                      // h^2 u
      sums[2] = u * u2 * (r2 / 3 - u2 / 5);                  // h^2 u^2
      sums[3] = u * (r2 * r2 - u2 * (2 * r2 / 3 - u2 / 5));  // h^4
      return sums;
    };
    const std::array<double, 4> high = up_to(to - c);
    const std::array<double, 4> low = up_to(from - c);
    const double m0 = pi * density * (high[0] - low[0]);
    const double m1 = pi * density * (high[1] - low[1]);
    volume += m0;
    first += m1 + c * m0;
    second += pi * density * (high[2] - low[2]) + 2 * c * m1 + c * c * m0;
    across += pi / 4 * density * (high[3] - low[3]);
  }
};

// Balls of one density whose centers are on a line through the origin along the unit vector `axis`.
moments by_revolving(std::span<const solid_ball> balls, const vec& axis) {
  std::vector<double> at;
  std::vector<double> ends;
  for (const solid_ball& b : balls) {
    at.push_back(dot(b.center, axis));
    ends.push_back(at.back() - b.radius);
    ends.push_back(at.back() + b.radius);
  }
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {  // where the outer ball changes
      const double d = at[j] - at[i];
      if (d == 0) continue;
      ends.push_back(at[i] + 0.5 * (d + (balls[i].radius * balls[i].radius - balls[j].radius * balls[j].radius) / d));
    }
  }
  std::sort(ends.begin(), ends.end());
  revolved sum;
  for (std::size_t k = 1; k < ends.size(); ++k) {
    const double middle = 0.5 * (ends[k - 1] + ends[k]);
    double most = 0;
    std::size_t outer = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const double h2 = balls[i].radius * balls[i].radius - (middle - at[i]) * (middle - at[i]);
      if (h2 > most) {
        most = h2;
        outer = i;
      }
    }
    if (most > 0) sum.add(ends[k - 1], ends[k], at[outer], balls[outer].radius, balls[outer].density);
  }
  moments all;
  all.mass = sum.volume;
  all.first = axis * sum.first;
  const double more = sum.second - sum.across;  // along the axis than across it
  const vec a = axis * more;
  all.second = {a.x * axis.x + sum.across,
                a.y * axis.y + sum.across,
                a.z * axis.z + sum.across,
                a.x * axis.y,
                a.x * axis.z,
                a.y * axis.z};
  return all;
}

// The direction of the line on which all centers are, if they are on one and all densities are equal.
bool on_a_line(std::span<const solid_ball> balls, vec& axis) {
  double farthest = 0;
  for (const solid_ball& b : balls) {
    if (b.density != balls[0].density) return false;
    const vec d = b.center - balls[0].center;
    if (dot(d, d) > farthest) {
      farthest = dot(d, d);
      axis = d;
    }
  }
  if (farthest == 0) {
    axis = {1, 0, 0};
    return true;
  }
  axis = axis * (1 / std::sqrt(farthest));
  return std::all_of(balls.begin(), balls.end(), [&](const solid_ball& b) {
    const vec off = across(b.center - balls[0].center, axis);
    return dot(off, off) <= 1e-26 * farthest;
  });
}

moments moments_of(std::span<const solid_ball> balls, int dimension) {
  if (dimension == 2) {
    moments all;
    std::vector<disc> discs;
    for (const solid_ball& b : balls) discs.push_back({b.center.x, b.center.y, b.radius, b.density});
    add_slice(discs, 0, 1, all);
    return all;
  }
  vec axis;
  return on_a_line(balls, axis) ? by_revolving(balls, axis) : by_slices(balls);
}

}  // namespace

solid solid_of(std::span<const solid_ball> balls, int dimension) {
  // Seen from the first ball, so that no digits are lost far from the origin.
  const vec origin = balls[0].center;
  std::vector<solid_ball> near(balls.begin(), balls.end());
  for (solid_ball& b : near) b.center -= origin;
  const moments m = moments_of(near, dimension);
  const vec c = m.first * (1 / m.mass);
  const tensor& s = m.second;
  const double xx = s.xx - m.mass * c.x * c.x;
  const double yy = s.yy - m.mass * c.y * c.y;
  const double zz = s.zz - m.mass * c.z * c.z;
  solid found;
  found.mass = m.mass;
  found.center = origin + c;
  found.inertia = {
      yy + zz, xx + zz, xx + yy, m.mass * c.x * c.y - s.xy, m.mass * c.x * c.z - s.xz, m.mass * c.y * c.z - s.yz};
  return found;
}

}  // namespace abut::dem
