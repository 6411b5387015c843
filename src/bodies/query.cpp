#include "bodies/query.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "bodies/outward.hpp"

namespace abut {

namespace {

// A region's interval on an axis, without its margin.
interval extent(const region& where, int k) {
  if (const auto* s = std::get_if<sphere>(&where)) return {s->center[k] - s->radius, s->center[k] + s->radius};
  const box& b = std::get<box>(where);
  return {b.min[k], b.max[k]};
}

// The distance of two volumes on one axis. `overlap` depends on these distances alone, and reducing one never makes it
// false. So some image overlaps exactly if the image that is nearest on each axis, taken axis by axis, does.
template <int D>
double gap(const volume<D, shape::sphere>& a, const volume<D, shape::sphere>& b, int k, double) {
  return std::abs(a.center[k] - b.center[k]);
}
template <int D>
double gap(const volume<D, shape::sphere>& a, const volume<D, shape::box>& b, int k, double) {
  return std::max({b.min[k] - a.center[k], a.center[k] - b.max[k], 0.0});
}
template <int D>
double gap(const volume<D, shape::box>& a, const volume<D, shape::sphere>& b, int k, double m) {
  return gap(b, a, k, m);
}
template <int D>
double gap(const volume<D, shape::box>& a, const volume<D, shape::box>& b, int k, double m) {
  return std::max(a.min[k] - (b.max[k] + m), b.min[k] - (a.max[k] + m));
}

template <int D>
double middle_of(const volume<D, shape::sphere>& v, int k) {
  return v.center[k];
}
template <int D>
double middle_of(const volume<D, shape::box>& v, int k) {
  return v.min[k] / 2 + v.max[k] / 2;
}

template <int D>
void move_down(volume<D, shape::sphere>& v, int k, double by) {
  v.center[k] -= by;
}
template <int D>
void move_down(volume<D, shape::box>& v, int k, double by) {
  v.min[k] -= by;
  v.max[k] -= by;
}

double largest_of(const interval& i) { return std::max(std::abs(i.min), std::abs(i.max)); }

bool touches_row(const query& q, const world& w, row i) {
  return with_shape_of(w, [&]<int D, shape S>() { return q.touches(w.get<D, S>(i)); });
}

}  // namespace

query::query(const region& where, double margin, int dimension)
    : where_(where), margin_(margin), dimension_(dimension) {
  for (int k = 0; k < dimension; ++k) {
    if (const auto* s = std::get_if<sphere>(&where)) {
      bounds_[k] = widened(s->center[k] - (s->radius + margin), s->center[k] + (s->radius + margin));
    } else {
      bounds_[k] = widened(std::get<box>(where).min[k] - margin, std::get<box>(where).max[k] + margin);
    }
  }
}

template <int D, shape R, shape S>
void query::move_near(volume<D, R>& where, const volume<D, S>& body, int k) const {
  const double middle = std::round((middle_of(where, k) - middle_of(body, k)) / side_[k]);
  volume<D, R> nearest = where;
  double least = std::numeric_limits<double>::infinity();
  for (int step = -2; step <= 2; ++step) {  // because of rounding, the nearest may be next to the one computed
    volume<D, R> image = where;
    const double periods = middle + step;
    if (periods != 0) move_down(image, k, periods * side_[k]);
    const double apart = gap(image, body, k, margin_);
    if (apart < least) {
      least = apart;
      nearest = image;
    }
  }
  where = nearest;
}

template <int D, shape S>
bool query::some_image_touches(const volume<D, S>& body) const {
  const auto touches = [&](auto where) {
    for (int k = 0; k < D; ++k) {
      if (side_[k] > 0) move_near(where, body, k);
    }
    return overlap(where, body, margin_);
  };
  if (const auto* s = std::get_if<sphere>(&where_)) return touches(volume_of<D>(*s));
  return touches(volume_of<D>(std::get<box>(where_)));
}

template bool query::some_image_touches(const volume<2, shape::sphere>&) const;
template bool query::some_image_touches(const volume<3, shape::sphere>&) const;
template bool query::some_image_touches(const volume<2, shape::box>&) const;
template bool query::some_image_touches(const volume<3, shape::box>&) const;

void query::repeat(int axis, double side, const interval& range) {
  bounds_[axis] = range;
  if (auto* b = std::get_if<box>(&where_); b != nullptr && b->max[axis] - b->min[axis] >= 2 * side) {
    b->min[axis] = range.min;  // two periods or more: some image contains any body entirely
    b->max[axis] = range.max;
    return;
  }
  side_[axis] = side;
  repeats_ = true;
}

query query::wider(double by, shape of_bodies) const {
  double size = 0;
  if (const auto* s = std::get_if<sphere>(&where_)) {
    size = s->radius;
    if (of_bodies == shape::box) by = outward(by, shape::box, shape::sphere, dimension_);
  } else {
    const box& b = std::get<box>(where_);
    for (int k = 0; k < dimension_; ++k) size = std::max({size, std::abs(b.min[k]), std::abs(b.max[k])});
  }
  const double margin = margin_ + by;
  query wide(where_, margin + rounding_room(size + margin), dimension_);
  for (int k = 0; k < dimension_; ++k) {
    if (side_[k] > 0) wide.repeat(k, side_[k], {bounds_[k].min - wide.margin_, bounds_[k].max + wide.margin_});
  }
  return wide;
}

region_images::region_images(const world& w, const region& where) : world_(w), where_(where) {
  for (int k = 0; k < w.dimension() && count_ > 0; ++k) {
    if (w.period(k)) find_images(k);
    count_ *= images_[k];
  }
}

void region_images::find_images(int k) {
  const measures& m = world_.measured_own();
  const interval own{m.lower[k], m.upper[k]};
  const interval reach = extent(where_, k);
  const double side = world_.side(k);
  const double room = rounding_room(largest_of(own) + largest_of(reach) + world_.margin() + side);
  from_[k] = std::ceil(((reach.min - own.max) - (world_.margin() + room)) / side - 0x1p-10);
  const double last = std::floor(((reach.max - own.min) + (world_.margin() + room)) / side + 0x1p-10);
  const double images = last - from_[k] + 1;
  repeats_[k] = images > 2;
  images_[k] = images > 2 ? 1 : std::max(0, static_cast<int>(images));
}

query region_images::at(int image) const {
  region here = where_;
  for (int k = 0; k < world_.dimension(); ++k) {
    const double periods = from_[k] + image % images_[k];
    image /= images_[k];
    if (!repeats_[k]) here = world_.moved_down(here, k, periods);
  }
  query q(here, world_.margin(), world_.dimension());
  for (int k = 0; k < world_.dimension(); ++k) {
    const measures& m = world_.measured_own();
    if (repeats_[k]) q.repeat(k, world_.side(k), widened(m.lower[k], m.upper[k]));
  }
  return q;
}

bool region_images::first(int image, row i) const {
  for (int e = 0; e < image; ++e) {
    if (touches_row(at(e), world_, i)) return false;
  }
  return true;
}

double periods_away(const world& w, const region& where, int k) {
  const auto* s = std::get_if<sphere>(&where);
  const interval there = s != nullptr ? interval{s->center[k], s->center[k]} : extent(where, k);
  return std::max({0.0, there.min - w.period(k)->max, w.period(k)->min - there.max}) / w.side(k);
}

std::string far_text(const world& w, int k, double periods) {
  return std::string(" lies ") + number_text(periods) + " periods away on the axis " + "xyz"[k] +
         ", which repeats every " + number_text(w.side(k)) + "; give it at most 2^40 periods away";
}

}  // namespace abut
