#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bodies/batch.hpp"
#include "methods/nearest_neighbor/order.hpp"
#include "methods/nearest_neighbor/points.hpp"
#include "methods/nearest_neighbor/scan.hpp"

namespace abut {

/// How far bodies may move before they leave the list: half the distance each, or any two the distance together.
struct near_room {
  double distance = 0;
  bool in_widths = false;  ///< the distance is in widths of each body, otherwise in the unit of the coordinates
};

/// The bodies of the list of near pairs, as they were when it was made (*then*) and as they are (*now*). They are
/// stored by *place*: bodies that are near each other have places near each other. The present state is kept in double
/// or, if there are many spheres, as points in a frame, which take half the space.
template <int D, shape S>
class near_bodies {
 public:
  using body = std::conditional_t<S == shape::sphere, near_sphere, volume<D, S>>;
  static constexpr row nowhere = no_row;

  /// Follows a change of rows: map[i] is the new row of row i, or `no_row`. `rows` is the new number of rows.
  void follow(std::span<const row> map, std::size_t rows);

  /// Whether the present frame can hold this world. If not, the list must be rebuilt.
  [[nodiscard]] bool fit(const world& w) const { return !in_points() || frame_.fits(w); }

  /// Takes in the present volumes, and returns how far they have moved since `settle`. `left` is what is left of the
  /// room's distance if the margin has grown since. If `since_last`, moves are those since the last `take` or `settle`;
  /// only for bodies that were settled in double, with a distance in the unit of the coordinates.
  moves take(const world& w, const near_room& room, double left, bool since_last = false);
  /// The rows that have moved by more than half of `left`, by block of rows.
  [[nodiscard]] const std::vector<std::vector<row>>& far() const { return far_; }
  /// Takes a row out of the list until the next update.
  void leave(row i);

  /// Gives every row a place: by position, or else in the order of before, with gaps closed and new rows at the end.
  void choose_places(const world& w, bool by_position);
  [[nodiscard]] bool all_placed() const { return gone_ == 0 && rows_.size() == places_.size(); }

  /// Makes the present state the one that moves are measured from. `to_last`: the list is meant for several steps,
  /// which makes points worth their cost.
  void settle(const world& w, bool in_widths, bool to_last);
  /// Makes the bodies of `then` fat: larger by half the distance, in widths of each, on every side.
  void fatten(const world& w, double distance);

  /// The bodies that the list is made from, by place: fat if the distance is in widths.
  [[nodiscard]] const buffer<body>& then() const { return then_; }

  [[nodiscard]] std::size_t places() const { return rows_.size(); }
  [[nodiscard]] std::size_t placed() const { return rows_.size() - gone_; }
  [[nodiscard]] row row_at(row place) const { return rows_[place]; }
  [[nodiscard]] bool is_new(row i) const { return places_[i] == nowhere; }
  [[nodiscard]] bool in_list(row place) const { return in_points() ? is_here(points_[place]) : is_volume(at_[place]); }

  /// By how much the sum of two bodies' moves may exceed the computed one, if no length is greater than `largest`.
  [[nodiscard]] double rounding(double largest) const { return in_points() ? frame_.rounding(largest) : 0; }

  /// Finds which of the listed pairs overlap, as pairs of rows.
  void find(const world& w, const pair* listed, std::size_t count, pair_batch& out) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  // NOLINTNEXTLINE(bugprone-branch-clone): the branches differ in 2D
  static constexpr int kept_axes = S == shape::sphere ? 3 : D;
  static constexpr std::size_t rows_at_once = 1024;
  static constexpr int columns = columns_of<D, S>;
  static_assert(rows_at_once <= most_points_placed);

  // The columns of up to `rows_at_once` rows.
  struct block {
    double space[columns][rows_at_once];
    const double* at[columns];

    block(const world& w, std::size_t from, std::size_t count, int needed = columns) {
      double* into[columns];
      for (int c = 0; c < columns; ++c) into[c] = space[c];
      w.rows().see(from, count, needed, into, at);
    }
    [[nodiscard]] body get(std::size_t k) const {
      return volume_of<D, S, body>([&](int c) { return at[c][k]; });
    }
  };

  [[nodiscard]] bool in_points() const { return S == shape::sphere && frame_.scale > 0; }
  [[nodiscard]] bool freed(const world& w, row i) const {
    return places_[i] != nowhere && w.mutes().freed(muted_then_, places_[i], i);
  }
  template <class T, class Take>
  moves take_blocks(const world& w, T distance, T limit, Take&& take_block);
  void take_volumes(const world& w, std::size_t from, std::size_t count, const near_room& room, const body* then,
                    double* moved);
  void follow_volumes(const world& w, std::size_t from, std::size_t count, const body* before, double* moved);
  void take_points(const world& w, std::size_t from, std::size_t count, const point_moves& how, float* moved);
  [[nodiscard]] point_moves measure_of(const world& w, const near_room& room) const;
  void settle_volumes(const world& w);
  void settle_points(const world& w);
  void place_then(const world& w, double distance);
  void find_points(const world& w, const pair* listed, std::size_t count, pair_batch& out) const;
  void find_volumes(const world& w, const pair* listed, std::size_t count, pair_batch& out) const;

  // By place:
  std::vector<row> rows_;  // `no_row` if the body is gone
  std::size_t gone_ = 0;
  buffer<body> then_;
  muting muted_then_;
  // The present state, as volumes or as points; not a number for bodies that are not in the list.
  buffer<body> now_;
  const body* at_ = nullptr;   // the volumes of the last update: `then_` if it made the list, otherwise `now_`
  bool now_is_taken_ = false;  // `now_` holds the present volumes
  buffer<near_point> points_;
  near_frame frame_;  // of the points; its scale is 0 if there are none

  // By row:
  std::vector<row> places_;        // `nowhere` for new bodies
  std::vector<float> then_at_[4];  // coordinates in the frame and, unless they are equal, radii
  double then_radius_ = 0;         // if all radii are equal
  std::vector<moves> moves_;       // by block of rows
  std::vector<std::vector<row>> far_;
};

template <int D, shape S>
void near_bodies<D, S>::follow(std::span<const row> map, std::size_t rows) {
  for (std::vector<float>& then : then_at_) {
    if (then.empty()) continue;
    std::vector<float> next(rows);
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (map[i] != no_row) next[map[i]] = then[i];
    }
    then = std::move(next);
  }
  places_.assign(rows, nowhere);
  gone_ = 0;
  for (std::size_t p = 0; p < rows_.size(); ++p) {
    if (rows_[p] != no_row) rows_[p] = map.empty() ? no_row : map[rows_[p]];
    if (rows_[p] != no_row) {
      places_[rows_[p]] = static_cast<row>(p);
      continue;
    }
    ++gone_;
    if (in_points()) {
      points_[p].center[0] = std::numeric_limits<float>::quiet_NaN();
    } else {
      now_[p] = no_volume<kept_axes, S>();
    }
  }
}

// Rows are read in order. Their places form several runs (see order.hpp), and each run is written in order too.
template <int D, shape S>
moves near_bodies<D, S>::take(const world& w, const near_room& room, double left, bool since_last) {
  const double limit = std::max(room.distance, room.in_widths ? 1.0 : w.measured().mean_width + w.margin());
  if (in_points()) {
    const point_moves how = measure_of(w, room);
    return take_blocks(
        w, static_cast<float>(left), static_cast<float>(limit),
        [&](std::size_t from, std::size_t count, float* moved) { take_points(w, from, count, how, moved); });
  }
  const body* const before = since_last ? at_ : then_.data();
  now_is_taken_ = true;
  at_ = now_.data();
  return take_blocks(w, left, limit, [&](std::size_t from, std::size_t count, double* moved) {
    if (since_last) {
      follow_volumes(w, from, count, before, moved);
    } else {
      take_volumes(w, from, count, room, before, moved);
    }
  });
}

template <int D, shape S>
template <class T, class Take>
moves near_bodies<D, S>::take_blocks(const world& w, T distance, T limit, Take&& take_block) {
  moves_.resize((w.size() + rows_at_once - 1) / rows_at_once);
  far_.resize(moves_.size());
  parallel_blocks(w.threads(), w.size(), rows_at_once, [&](std::size_t b, std::size_t from, std::size_t to) {
    T moved[rows_at_once];
    take_block(from, to - from, moved);
    // Pairs that were muted when the list was made are not listed. A body that has been freed of that, because it is no
    // longer fixed or has another group or mask, has to leave the list.
    for (std::size_t i = from; i < to && muted_then_.any(); ++i) {
      if (freed(w, static_cast<row>(i))) moved[i - from] = std::numeric_limits<T>::infinity();
    }
    moves_[b] = all_of(moved, to - from, distance, limit);
    far_[b].clear();
    for (std::size_t i = from; moves_[b].far > far_[b].size(); ++i) {
      if (moved[i - from] > distance / 2) far_[b].push_back(static_cast<row>(i));
    }
  });
  moves all;
  for (const moves& part : moves_) all.add(part);
  return all;
}

template <int D, shape S>
void near_bodies<D, S>::take_volumes(const world& w, std::size_t from, std::size_t count, const near_room& room,
                                     const body* then, double* moved) {
  const block some(w, from, count);
  const row* const places = places_.data() + from;
  const double shrink = room.in_widths ? 1 / (1 + room.distance) : 0;
  if constexpr (S == shape::sphere) {
    static constexpr double flat[rows_at_once] = {};
    const double* const four[4] = {some.at[0], some.at[1], D == 3 ? some.at[2] : flat, some.at[D]};
    place_spheres(four, places, count, then, shrink, now_.data(), moved);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = 0;
      if (places[i] == nowhere) continue;
      body& b = now_[places[i]];
      b = some.get(i);
      moved[i] = room.in_widths ? share_of(b, then[places[i]], shrink) : move_of(b, then[places[i]]);
    }
  }
}

// `before` may be the volumes that are overwritten.
template <int D, shape S>
void near_bodies<D, S>::follow_volumes(const world& w, std::size_t from, std::size_t count, const body* before,
                                       double* moved) {
  const block some(w, from, count);
  for (std::size_t i = 0; i < count; ++i) {
    const row p = places_[from + i];
    moved[i] = 0;
    if (p == nowhere) continue;
    const body b = some.get(i);
    moved[i] = move_of(b, before[p]);
    now_[p] = b;
  }
}

template <int D, shape S>
point_moves near_bodies<D, S>::measure_of(const world& w, const near_room& room) const {
  const double growth = frame_.equal ? std::max(0.0, w.at(columns - 1)[0] - then_radius_) : 0;
  const double unit = room.in_widths ? 2 * then_radius_ * frame_.scale : frame_.scale;
  return {static_cast<float>(growth * frame_.scale), static_cast<float>(1 / unit), room.in_widths && !frame_.equal};
}

// If `moved` is null, remembers the points as those of then.
template <int D, shape S>
void near_bodies<D, S>::take_points(const world& w, std::size_t from, std::size_t count, const point_moves& how,
                                    float* moved) {
  static constexpr double flat[rows_at_once] = {};
  const block some(w, from, count, frame_.equal ? D : columns);
  const double* const four[4] = {some.at[0], some.at[1], D == 3 ? some.at[2] : flat,
                                 frame_.equal ? nullptr : some.at[columns - 1]};
  float* then[4] = {};
  for (int c = 0; c < 4; ++c) then[c] = then_at_[c].data() + from;
  place_points(frame_, four, static_cast<row>(from), places_.data() + from, count, places_.size() - from, then, how,
               points_.data(), moved);
}

template <int D, shape S>
void near_bodies<D, S>::leave(row i) {
  if (in_points()) {
    points_[places_[i]].center[0] = std::numeric_limits<float>::quiet_NaN();
  } else {
    now_[places_[i]] = no_volume<kept_axes, S>();
  }
}

template <int D, shape S>
void near_bodies<D, S>::choose_places(const world& w, bool by_position) {
  if (!by_position && all_placed()) return;
  rows_.erase(std::remove(rows_.begin(), rows_.end(), no_row), rows_.end());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] == nowhere) rows_.push_back(static_cast<row>(i));
  }
  if (by_position) put_in_near_order<D, S>(w, rows_);
  for (std::size_t p = 0; p < rows_.size(); ++p) places_[rows_[p]] = static_cast<row>(p);
  gone_ = 0;
  now_is_taken_ = false;
}

template <int D, shape S>
void near_bodies<D, S>::settle(const world& w, bool in_widths, bool to_last) {
  muted_then_ = muting(w.mutes(), rows_);
  then_.make(rows_.size());
  frame_ = {};
  if constexpr (S == shape::sphere) {
    if (to_last) frame_ = near_frame::of(w);
  }
  if (in_points()) {
    settle_points(w);
    if (!in_widths) place_then(w, 0);
  } else {
    settle_volumes(w);
    if (!in_widths) std::swap(then_, now_);
    now_is_taken_ = in_widths;
    at_ = in_widths ? now_.data() : then_.data();
  }
}

template <int D, shape S>
void near_bodies<D, S>::settle_volumes(const world& w) {
  points_.release();
  for (std::vector<float>& then : then_at_) then = {};
  now_.make(rows_.size());
  if (now_is_taken_) return;
  parallel_blocks(w.threads(), rows_.size(), rows_at_once, [&](std::size_t, std::size_t from, std::size_t to) {
    double moved[rows_at_once];
    take_volumes(w, from, to - from, {}, now_.data(), moved);
  });
}

template <int D, shape S>
void near_bodies<D, S>::settle_points(const world& w) {
  now_.release();
  now_is_taken_ = false;
  points_.make(rows_.size());
  for (int c = 0; c < 4; ++c) then_at_[c].resize(c < 3 || !frame_.equal ? rows_.size() : 0);
  then_radius_ = w.at(columns - 1)[0];
  parallel_blocks(w.threads(), rows_.size(), rows_at_once,
                  [&](std::size_t, std::size_t from, std::size_t to) { take_points(w, from, to - from, {}, nullptr); });
}

template <int D, shape S>
void near_bodies<D, S>::fatten(const world& w, double distance) {
  if (in_points()) return place_then(w, distance);
  parallel_blocks(w.threads(), rows_.size(), rows_at_once, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t p = from; p < to; ++p) then_[p] = fat_volume(now_[p], distance);
  });
}

// Writes the present volumes, fattened, to `then_`.
template <int D, shape S>
void near_bodies<D, S>::place_then(const world& w, double distance) {
  constexpr std::size_t ahead = 32;
  parallel_blocks(w.threads(), places_.size(), rows_at_once, [&](std::size_t, std::size_t from, std::size_t to) {
    const block some(w, from, to - from);
    for (std::size_t i = from; i < to; ++i) {
      ask_for(then_.data(), places_[std::min(i + ahead, places_.size() - 1)]);
      then_[places_[i]] = fat_volume(some.get(i - from), distance);
    }
  });
}

template <int D, shape S>
void near_bodies<D, S>::find(const world& w, const pair* listed, std::size_t count, pair_batch& out) const {
  if (in_points()) {
    find_points(w, listed, count, out);
  } else {
    find_volumes(w, listed, count, out);
  }
}

constexpr std::size_t pairs_at_once = 256;

template <int D, shape S>
void near_bodies<D, S>::find_volumes(const world& w, const pair* listed, std::size_t count, pair_batch& out) const {
  pair found[pairs_at_once + near_padding];
  for (std::size_t e = 0; e < count; e += pairs_at_once) {
    const std::size_t some = overlapping(at_, w.margin(), listed + e, std::min(count - e, pairs_at_once), found);
    name_rows(rows_.data(), found, some, out.room(some));
    out.took(some);
  }
}

// Doubts are collected and decided at the end, in double.
template <int D, shape S>
void near_bodies<D, S>::find_points(const world& w, const pair* listed, std::size_t count, pair_batch& out) const {
  const point_filter filter(frame_, w.margin());
  const auto sum = static_cast<float>(2 * w.at(columns - 1)[0] * frame_.scale);
  std::vector<pair> doubts;
  for (std::size_t e = 0; e < count; e += pairs_at_once) {
    const std::size_t most = std::min(count - e, pairs_at_once);
    pair* const found = out.room(most);
    std::size_t some = 0;
    if (frame_.equal) {
      some = overlapping_equal(points_.data(), filter, sum, listed + e, most, found, doubts);
    } else {
      some = overlapping_unequal(points_.data(), filter, listed + e, most, found, doubts);
      name_rows(rows_.data(), found, some, found);
    }
    out.took(some);
  }
  if (!frame_.equal) name_rows(rows_.data(), doubts.data(), doubts.size(), doubts.data());
  for (const pair& p : doubts) {
    if (overlap(w.get<D, S>(p.i), w.get<D, S>(p.j), w.margin())) out.add(p);
  }
}

template <int D, shape S>
std::size_t near_bodies<D, S>::bytes() const {
  std::size_t sum = bytes_of(rows_) + bytes_of(places_) + then_.bytes() + now_.bytes() + points_.bytes() +
                    bytes_of(moves_) + muted_then_.bytes() + bytes_of(far_);
  for (const std::vector<float>& then : then_at_) sum += bytes_of(then);
  for (const std::vector<row>& rows : far_) sum += bytes_of(rows);
  return sum;
}

}  // namespace abut
