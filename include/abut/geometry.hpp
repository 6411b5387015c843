#pragma once

#include <array>
#include <optional>

#include <abut/api.h>
#include <abut/bodies.hpp>
#include <abut/overlap.hpp>
#include <abut/search.hpp>

namespace abut {

/// How two volumes a and b touch.
struct touch {
  /// How deep they overlap along the normal: the shortest way by which b must move to only touch a. Negative if there
  /// is a gap.
  double overlap = 0;
  /// The direction from a to b, of length 1.
  std::array<double, 3> normal{};
  /// The middle of the overlap, or of the gap: `point + overlap / 2 * normal` lies on the surface of a, and
  /// `point - overlap / 2 * normal` on that of b (of a box: in the plane of a face).
  std::array<double, 3> point{};
};

/// How two volumes touch, or miss each other.
///  - Spheres: the normal is the line of centers, and `overlap = ra + rb - distance`.
///  - Boxes: the normal is along the axis of least overlap. On an axis the overlap is the lesser of `a.max - b.min` and
///    `b.max - a.min`; with gaps on some axes, the largest gap counts, as it does for a margin. On the other axes, the
///    point is in the middle of what both boxes cover.
///  - Sphere and box: the normal is along the line from the center to the nearest point of the box, or, if the center
///    is in the box, through the nearest face.
///
/// If directions are equally good, as for equal centers, the first of x, y, z counts, and the positive one. In 2D
/// (`dimension` 2) z is ignored, and 0 in the result. Apart from those ties, exchanging a and b turns the normal round
/// and changes nothing else. Numbers up to 1e150 in magnitude give finite results.
///
/// `overlap` (abut/overlap.hpp) alone decides what a pair is; by rounding, the overlap of a pair that only just touches
/// may be a little below 0 here.
[[nodiscard]] ABUT_API touch touch_of(const region& a, const region& b, int dimension = 3);

/// Body i as a volume. In 2D, its z is 0. i must be a row of `b`.
[[nodiscard]] ABUT_API region region_of(const bodies& b, row i);

/// `b`, moved by whole periods on each periodic axis so that its center is nearest to that of `a`. `periodic` is as in
/// `options`. If two images are equally near, the upper one counts. A volume that need not move stays as it is, to the
/// bit.
[[nodiscard]] ABUT_API region nearest_image(const region& a, const region& b,
                                            const std::array<std::optional<interval>, 3>& periodic);

/// The center of a volume.
[[nodiscard]] ABUT_API std::array<double, 3> center_of(const region& a);

/// How two bodies of a pair touch: body j at its nearest image, so that the point is near body i. The normal is from i
/// to j.
///
///     for (const abut::pair p : search.pairs()) {
///       const abut::touch t = abut::touch_of(bodies, p, search.chosen().periodic);
///       ...
[[nodiscard]] ABUT_API touch touch_of(const bodies& b, pair p,
                                      const std::array<std::optional<interval>, 3>& periodic = {});

}  // namespace abut
