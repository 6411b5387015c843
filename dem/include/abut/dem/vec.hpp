#pragma once

#include <cmath>

namespace abut::dem {

/// A vector of three coordinates. In 2D, z is 0; an angular velocity or a torque then has only z.
struct vec {
  double x = 0;  ///< along the first axis
  double y = 0;  ///< along the second axis
  double z = 0;  ///< along the third axis
  /// Equal coordinates.
  friend bool operator==(const vec&, const vec&) = default;
};

constexpr vec operator+(const vec& a, const vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }  ///< the sum
constexpr vec operator-(const vec& a, const vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }  ///< the difference
constexpr vec operator-(const vec& a) { return {-a.x, -a.y, -a.z}; }                               ///< the opposite
constexpr vec operator*(const vec& a, double s) { return {a.x * s, a.y * s, a.z * s}; }            ///< the product
constexpr vec operator*(double s, const vec& a) { return a * s; }                                  ///< the product
constexpr vec& operator+=(vec& a, const vec& b) { return a = a + b; }                              ///< adds
constexpr vec& operator-=(vec& a, const vec& b) { return a = a - b; }                              ///< subtracts

/// The scalar product, summed from x to z.
[[nodiscard]] constexpr double dot(const vec& a, const vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// The vector product.
[[nodiscard]] constexpr vec cross(const vec& a, const vec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The length.
[[nodiscard]] inline double length(const vec& a) { return std::sqrt(dot(a, a)); }
/// The part of `a` across the unit vector `n`.
[[nodiscard]] constexpr vec across(const vec& a, const vec& n) { return a - n * dot(a, n); }

/// A rotation: a quaternion of length 1.
struct quaternion {
  double w = 1;  ///< the cosine of half the angle
  double x = 0;  ///< the axis times the sine of half the angle
  double y = 0;  ///< the axis times the sine of half the angle
  double z = 0;  ///< the axis times the sine of half the angle
  /// Equal numbers.
  friend bool operator==(const quaternion&, const quaternion&) = default;
};

/// What a vector with this square of its length must be multiplied by to have the length 1.
[[nodiscard]] inline double shortening(double square) {
  const double more = square - 1;
  // The first terms of a series, where the next is below the rounding.
  if (std::abs(more) < 1e-4) return 1 - more * (0.5 - more * (0.375 - more * 0.3125));
  return 1 / std::sqrt(square);
}

/// `q` after a turn by the small rotation vector `turn` (an angular velocity times a time), normalized. The angle is
/// 2 atan(|turn| / 2), which differs from |turn| by |turn|^3 / 12. Without a turn, it is `q` itself.
[[nodiscard]] inline quaternion turned(const quaternion& q, const vec& turn) {
  if (turn == vec{}) return q;
  const vec h = turn * 0.5;
  const quaternion r{q.w - (h.x * q.x + h.y * q.y + h.z * q.z), q.x + (h.x * q.w + h.y * q.z - h.z * q.y),
                     q.y + (h.y * q.w + h.z * q.x - h.x * q.z), q.z + (h.z * q.w + h.x * q.y - h.y * q.x)};
  const double s = shortening(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
  return {r.w * s, r.x * s, r.y * s, r.z * s};
}

/// `v`, rotated by `q`.
[[nodiscard]] constexpr vec rotated(const quaternion& q, const vec& v) {
  const vec axis{q.x, q.y, q.z};
  const vec t = cross(axis, v) * 2;
  return v + t * q.w + cross(axis, t);
}
/// The opposite rotation.
[[nodiscard]] constexpr quaternion opposite(const quaternion& q) { return {q.w, -q.x, -q.y, -q.z}; }

/// A symmetric tensor, such as that of inertia.
struct tensor {
  double xx = 0;  ///< by axes
  double yy = 0;  ///< by axes
  double zz = 0;  ///< by axes
  double xy = 0;  ///< by axes
  double xz = 0;  ///< by axes
  double yz = 0;  ///< by axes
  /// Equal numbers.
  friend bool operator==(const tensor&, const tensor&) = default;
};

/// The product with a vector.
[[nodiscard]] constexpr vec operator*(const tensor& t, const vec& v) {
  return {t.xx * v.x + t.xy * v.y + t.xz * v.z, t.xy * v.x + t.yy * v.y + t.yz * v.z,
          t.xz * v.x + t.yz * v.y + t.zz * v.z};
}

}  // namespace abut::dem
