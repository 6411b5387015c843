#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace abut {

/// An axis whose long gaps are shortened, so that clusters a light-year apart take no more room on it than clusters
/// side by side.
///
/// Bodies are grouped into *stretches*, each with `room` before its first and after its last body. Within a stretch and
/// its room the folded coordinate differs from the real one by a constant, so distances are right there. Along the
/// whole axis the folded coordinate never decreases as the real one grows, and bodies of different stretches are at
/// least twice the room apart on both.
///
/// A table of equal slots leads from a coordinate to its stretch; a slot in which many stretches begin has a table of
/// its own, and so on. Memory is O(stretches).
class folded_axis {
 public:
  /// The room beside bodies, and the part of it by which they may move while the axis still serves them.
  struct spacing {
    double room;
    double slack;
  };

  /// `places` are the bodies' coordinates, in any order, all between `min` and `max`; at least one. Gaps longer than
  /// twice the room are shortened to that, except some that fit into the wanted length.
  folded_axis(std::span<const double> places, double min, double max, const spacing& by, double wanted_length);

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] std::size_t stretches() const { return stretches_.size(); }

  /// The greatest magnitude among bodies that are not alone in their stretch; 0 if all are alone.
  [[nodiscard]] double farthest_together() const { return farthest_together_; }

  /// The folded coordinate, from 0 to the length.
  [[nodiscard]] double at(double x) const {
    const stretch& s = of(x);
    return s.at + std::clamp(x - s.min, -room_, s.length + room_);
  }

  /// The coordinate that is folded to this one, to rounding. Never decreases.
  [[nodiscard]] double unfolded(double at) const;

  /// The same for many. Returns whether each is within the slack of a stretch.
  bool fold(const double* x, std::size_t count, double* out) const;

  /// Whether [from, to] lies within one stretch and its room.
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
    double min;     // the coordinate of its first body
    double length;  // from its first body to its last
    double at;      // the folded coordinate of its first body
  };
  // Slots of equal length.
  struct table {
    double from;
    double per_length;
    std::uint32_t first;  // the index of its first slot in `slots_`
    std::uint32_t last;   // its number of slots, less one

    [[nodiscard]] std::uint32_t slot(double x) const {
      return first + static_cast<std::uint32_t>(std::clamp((x - from) * per_length, 0.0, static_cast<double>(last)));
    }
  };
  // Bodies that are kept together, with the gaps between them.
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
  // The last stretch that begins, with its room, at or before x; the first one if x lies before all.
  [[nodiscard]] const stretch& of(double x) const {
    const stretch* s = stretches_.data() + slots_[finest_slot(x)];
    while (x - s->min < -room_ && s != stretches_.data()) --s;
    return *s;
  }

  std::vector<stretch> stretches_;
  std::vector<table> tables_;
  std::vector<std::int32_t> slots_;  // the last stretch that begins in or before the slot, or ~ the slot's own table
  double room_;
  double slack_;
  double length_ = 0;
  double farthest_together_ = 0;
};

}  // namespace abut
