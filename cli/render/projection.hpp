#pragma once

#include <optional>

#include "render/balls.hpp"
#include "render/picture.hpp"
#include "render/strokes.hpp"

namespace abut::cli {

/// From space to samples: the viewer's picture, with `samples` x `samples` samples in each pixel.
class projection {
 public:
  /// Depths count from the depth of `origin`, so that bodies far from 0 keep their digits.
  projection(const picture_style& style, int samples, const dem::vec& origin)
      : from_(style.from), samples_(samples), scale_(scale_of(style)), origin_(dot(origin, style.from.toward)) {
    const frame_of_view& f = style.shown;
    middle_x_ = (f.left + f.right) / 2;
    middle_y_ = (f.bottom + f.top) / 2;
  }

  [[nodiscard]] double per_length() const { return scale_.per_length * samples_; }
  [[nodiscard]] seen point(const dem::vec& p) const {
    return {static_cast<float>((scale_.x + (dot(p, from_.right) - middle_x_) * scale_.per_length) * samples_),
            static_cast<float>((scale_.y - (dot(p, from_.up) - middle_y_) * scale_.per_length) * samples_),
            static_cast<float>((dot(p, from_.toward) - origin_) * per_length())};
  }
  [[nodiscard]] seen direction(const dem::vec& d) const {
    return {static_cast<float>(dot(d, from_.right)), static_cast<float>(-dot(d, from_.up)),
            static_cast<float>(dot(d, from_.toward))};
  }
  /// The pixel of a sample.
  [[nodiscard]] spot pixel(const seen& s) const {
    return {s.x / static_cast<float>(samples_), s.y / static_cast<float>(samples_)};
  }

 private:
  viewpoint from_;
  int samples_;
  picture_scale scale_;
  double origin_, middle_x_ = 0, middle_y_ = 0;
};

}  // namespace abut::cli
