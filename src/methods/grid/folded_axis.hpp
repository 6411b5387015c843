#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace abut {

/// An axis whose long empty stretches are cut short, so that clusters a light-year apart take no more room on it than
/// clusters side by side.
///
/// Bodies are in *stretches*, each with `room` beside its first and its last body. Within a stretch and its room the
/// folded coordinate differs from the given one by a constant, so distances are right there. Over the whole axis it
/// never decreases with the given one, and bodies of different stretches are at least twice the room apart on both.
///
/// A coordinate finds its stretch by a table of even slots; a slot in which many stretches begin has a table of its
/// own, and so on. Memory is O(stretches).
class folded_axis {
 public:
  /// Room beside bodies, and by how much of it they may move and still be where they are expected.
  struct spacing {
    double room;
    double slack;
  };

  /// `places`: where the bodies are, in any order, all between `min` and `max`; at least one. Gaps longer than twice
  /// the room are cut to that, except some that the length wanted has room for.
  folded_axis(std::span<const double> places, double min, double max, const spacing& by, double wanted_length);

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] std::size_t stretches() const { return stretches_.size(); }

  /// The greatest magnitude of a place that is not alone in its stretch; 0 if all are.
  [[nodiscard]] double farthest_together() const { return farthest_together_; }

  /// The folded coordinate, from 0 to the length.
  [[nodiscard]] double at(double x) const {
    const stretch& s = of(x);
    return s.at + std::clamp(x - s.min, -room_, s.length + room_);
  }

  /// The same for many. Returns whether all of them are within the slack of bodies that the axis was made for.
  bool fold(const double* x, std::size_t count, double* out) const;

  /// Whether one stretch with its room holds all of [from, to].
  [[nodiscard]] bool straight(double from, double to) const {
    const stretch& s = of(from);
    return from - s.min >= -room_ && to - s.min <= s.length + room_;
  }

  [[nodiscard]] std::size_t bytes() const {
    return stretches_.capacity() * sizeof(stretch) + tables_.capacity() * sizeof(table) +
           slots_.capacity() * sizeof(std::int32_t);
  }

 private:
  struct stretch {
    double min;     // its first body
    double length;  // from there to its last
    double at;      // the folded coordinate of the first
  };
  // Slots of equal length.
  struct table {
    double from;
    double per_length;
    std::uint32_t first;  // in `slots_`
    std::uint32_t last;   // the number of its last slot

    [[nodiscard]] std::uint32_t slot(double x) const {
      return first + static_cast<std::uint32_t>(std::clamp((x - from) * per_length, 0.0, static_cast<double>(last)));
    }
  };
  // Some bodies that are not told apart any further.
  struct bunch {
    double min;
    double max;
    std::uint32_t count;
  };

  void divide(std::span<const double> places, double min, double max, double fine, double wanted_length,
              std::vector<bunch>& out) const;
  void join(const std::vector<bunch>& bunches);
  void make_table(std::size_t from, std::size_t to);

  // The slot of x in the finest table.
  [[nodiscard]] std::uint32_t finest_slot(double x) const {
    std::uint32_t k = tables_[0].slot(x);
    while (slots_[k] < 0) k = tables_[static_cast<std::uint32_t>(~slots_[k])].slot(x);
    return k;
  }
  // The last stretch that begins, with its room, at or before x; the first one for what lies before all.
  [[nodiscard]] const stretch& of(double x) const {
    const stretch* s = stretches_.data() + slots_[finest_slot(x)];
    while (x - s->min < -room_ && s != stretches_.data()) --s;
    return *s;
  }

  std::vector<stretch> stretches_;
  std::vector<table> tables_;
  std::vector<std::int32_t> slots_;  // the last stretch that begins in the slot or before it, or ~ a table
  double room_;
  double slack_;
  double length_ = 0;
  double farthest_together_ = 0;
};

}  // namespace abut
