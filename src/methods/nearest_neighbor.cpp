// Nearest neighbor, the Verlet list (document 001): a list of near pairs, searched at each step, rebuilt now and then.
//
// Idea: another method lists all pairs with a gap of at most `distance`; at each step only those are tested, until
// bodies have moved so far that a pair could be missing. The lecture bounds the moves by v_max dt; here they are known:
// the list holds every pair whose two moves add up to at most the distance. Where sizes differ, the distance is in
// widths: a body has room to move in proportion to its own. The few bodies that have moved farther, or are new, leave
// the list as strays and are searched for one by one; when they cost more than a rebuild would, it comes.
// Cost: linear in N; a step without rebuild half of grid's, a third where sizes differ; some 130 bytes a sphere.
// Wins: quasi-static assemblies, where a list lasts for ten steps or more. Loses: where bodies move by a tenth of their
// width in a step: then it costs what the rebuilding method does, and more.

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "../moves.hpp"
#include "../names.hpp"
#include "../near_list.hpp"
#include "../near_order.hpp"
#include "../near_scan.hpp"
#include "../neighborhood.hpp"

namespace abut {

namespace {

template <int D, shape S>
class nearest_neighbor final : public method {
 public:
  explicit nearest_neighbor(const plan& asked) : planned_(asked) {
    if (!asked.parameter_value("by")) planned_.set("by", "grid");
    inner_plan_ = plan(*planned_.parameter_value("by"));
    tuning_ = neighborhood(neighborhood::rates_of(inner_plan_.method()));
    if (const auto in = asked.parameter_value("in")) in_asked_ = *in == "width";
    if (const auto given = asked.parameter_value("distance")) {
      asked_ = true;
      (void)parse_number(*given, distance_);
      if (!in_asked_) in_asked_ = false;
    }
    inner_ = make_inner();
    strays_ = make_inner();
  }

  void update(const world& w, std::span<const row> map) override {
    follow(map, w.size());
    update_same_rows(w);
  }
  void update_same_rows(const world& w) override;

  [[nodiscard]] std::size_t tasks() const override {
    return list_tasks() + stray_tasks() + (stray_rows_.empty() ? 0 : strays_->tasks());
  }

  void find(std::size_t task, pair_batch& out) const override {
    const std::size_t listed = list_tasks();
    if (task < listed) {
      find_listed(task, out);
    } else if (task < listed + stray_tasks()) {
      find_around_strays(task - listed, out);
    } else {
      find_among_strays(task - listed - stray_tasks(), out);
    }
  }

  void find_in(const query& q, row_batch& out) const override;

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> events() const override {
    return {{"rebuilds", rebuilds_}, {"strays", strays_so_far_}};
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t far = bytes_of(far_);
    for (const std::vector<row>& rows : far_) far += bytes_of(rows);
    return far + bytes_of(rows_) + bytes_of(places_) + then_.bytes() + now_.bytes() + bytes_of(moves_) +
           bytes_of(fixed_then_) + bytes_of(mute_) + list_.bytes() + inner_->bytes() +
           (inner_world_ ? inner_world_->bytes() : 0) + bytes_of(stray_rows_) + bytes_of(stray_volumes_) +
           strays_->bytes() + (stray_world_ ? stray_world_->bytes() : 0);
  }

 private:
  using body = std::conditional_t<S == shape::sphere, near_sphere, volume<D, S>>;
  static constexpr int kept_axes = S == shape::sphere ? 3 : D;
  static constexpr std::size_t rows_at_once = 1024;
  static constexpr std::size_t pairs_per_task = 4096;
  static constexpr std::size_t strays_per_task = 256;
  static constexpr std::size_t most_listed = 64;  // a body, on average: memory is not to depend on the distance
  static constexpr row nowhere = no_row;

  [[nodiscard]] std::unique_ptr<method> make_inner() const {
    return entry_named(inner_plan_.method()).make(inner_plan_, S, D);
  }
  [[nodiscard]] std::size_t list_tasks() const { return (list_.size() + pairs_per_task - 1) / pairs_per_task; }
  [[nodiscard]] std::size_t stray_tasks() const { return (stray_rows_.size() + strays_per_task - 1) / strays_per_task; }

  void follow(std::span<const row> map, std::size_t rows);
  moves take_rows(const world& w, const body* then);
  void take_block(const world& w, std::size_t from, std::size_t count, const body* then, double* moved);
  [[nodiscard]] bool freed(row i) const;
  [[nodiscard]] bool holds(const world& w, std::size_t strays);
  void let_stray(const world& w, bool far_ones);
  void rebuild(const world& w);
  [[nodiscard]] bool choose_places(const world& w);
  [[nodiscard]] bool moves_follow_sizes(const world& w) const;
  double fatten(const world& w, double distance);
  [[nodiscard]] bool list_pairs(const world& w, double distance, std::size_t most);
  void tell_plan(double wanted);

  [[nodiscard]] bool muted(row p, row q) const { return !mute_.empty() && (mute_[p] & mute_[q]) != 0; }
  void find_listed(std::size_t task, pair_batch& out) const;
  void find_around_strays(std::size_t task, pair_batch& out) const;
  void find_among_strays(std::size_t task, pair_batch& out) const;

  plan planned_;
  plan inner_plan_;
  bool asked_ = false;
  double distance_ = 0;  // wanted
  double listed_distance_ = 0;
  std::optional<bool> in_asked_;  // widths, or the unit of the coordinates
  bool in_widths_ = false;        // the list at hand: `then_` holds fat volumes
  neighborhood tuning_{{}};
  neighborhood::rebuild_work work_;
  neighborhood::motion motion_;
  double stray_load_ = 0;  // since the rebuild
  std::uint64_t rebuilds_ = 0;
  std::uint64_t strays_so_far_ = 0;

  // Bodies have places, near each other where the bodies are. By place:
  std::vector<row> rows_;  // `no_row` for what is gone
  std::size_t gone_ = 0;
  buffer<body> then_;
  buffer<body> now_;          // of what is not in the list at present: nowhere
  const body* at_ = nullptr;  // those of the last update: `then_` where it made the list
  std::vector<std::uint8_t> fixed_then_;
  std::vector<std::uint8_t> mute_;
  std::vector<moves> moves_;             // by block of rows
  std::vector<std::vector<row>> far_;    // by block of rows: moved by more than half of the distance
  std::vector<row> places_;              // by row; `nowhere` for what is new
  std::optional<double> sorted_spread_;  // of the list that was made when they were last chosen by position

  const world* world_ = nullptr;
  std::unique_ptr<world> inner_world_;  // of places, as they were
  std::unique_ptr<method> inner_;
  near_list list_;
  double slack_ = 0;  // how far those in the list may have moved

  std::vector<row> stray_rows_;
  std::vector<body> stray_volumes_;
  std::unique_ptr<world> stray_world_;
  std::unique_ptr<method> strays_;
};

template <int D, shape S>
void nearest_neighbor<D, S>::update_same_rows(const world& w) {
  world_ = &w;
  const moves m = take_rows(w, then_.data());
  const std::size_t placed = rows_.size() - gone_;
  const bool all_near = in_widths_ ? m.far == 0 : m.largest + m.second <= listed_distance_;
  const std::size_t strays = (w.size() - placed) + (all_near ? 0 : m.far);
  motion_.steps += 1;
  motion_.mean = m.sum / static_cast<double>(std::max<std::size_t>(1, placed));
  if (motion_.steps == 1) motion_.mean_of_first = motion_.mean;
  stray_rows_.clear();
  if (!holds(w, strays)) return rebuild(w);
  if (motion_.steps == 1) inner_->release_scratch();  // the next rebuild is not at once
  if (!in_widths_) slack_ = all_near ? m.largest : m.largest_near;
  if (strays > 0) let_stray(w, !all_near);
}

// Where the rows of the last update are now.
template <int D, shape S>
void nearest_neighbor<D, S>::follow(std::span<const row> map, std::size_t rows) {
  places_.assign(rows, nowhere);
  gone_ = 0;
  for (std::size_t p = 0; p < rows_.size(); ++p) {
    if (rows_[p] != no_row) rows_[p] = map.empty() ? no_row : map[rows_[p]];
    if (rows_[p] != no_row) {
      places_[rows_[p]] = static_cast<row>(p);
    } else {
      now_[p] = no_volume<kept_axes, S>();
      ++gone_;
    }
  }
}

// The present volumes, from rows to places, and how far they have moved. Rows are read straight on; their places are
// in as many runs, each of them straight on too.
template <int D, shape S>
moves nearest_neighbor<D, S>::take_rows(const world& w, const body* then) {
  const double distance = listed_distance_;
  const double limit = std::max(distance, in_widths_ ? 1.0 : w.measured().mean_width + w.margin());
  mute_.resize(w.mute() != nullptr ? rows_.size() : 0);
  moves_.resize((w.size() + rows_at_once - 1) / rows_at_once);
  far_.resize(moves_.size());
  parallel_blocks(w.threads(), w.size(), rows_at_once, [&](std::size_t b, std::size_t from, std::size_t to) {
    double moved[rows_at_once];
    take_block(w, from, to - from, then, moved);
    if (!mute_.empty()) {
      for (std::size_t i = from; i < to; ++i) {
        if (places_[i] != nowhere) mute_[places_[i]] = w.mute()[i];
      }
    }
    if (!fixed_then_.empty()) {
      for (std::size_t i = from; i < to; ++i) {
        if (freed(static_cast<row>(i))) moved[i - from] = std::numeric_limits<double>::infinity();
      }
    }
    moves_[b] = all_of(moved, to - from, distance, limit);
    far_[b].clear();
    for (std::size_t i = from; moves_[b].far > far_[b].size(); ++i) {
      if (moved[i - from] > distance / 2) far_[b].push_back(static_cast<row>(i));
    }
  });
  at_ = now_.data();
  moves all;
  for (const moves& part : moves_) all.add(part);
  return all;
}

template <int D, shape S>
void nearest_neighbor<D, S>::take_block(const world& w, std::size_t from, std::size_t count, const body* then,
                                        double* moved) {
  constexpr int columns = S == shape::sphere ? D + 1 : 2 * D;
  double space[columns][rows_at_once];
  const double* at[columns];
  for (int c = 0; c < columns; ++c) at[c] = w.at(c).see(from, count, space[c]);
  const row* const places = places_.data() + from;
  const double shrink = in_widths_ ? 1 / (1 + listed_distance_) : 0;
  if constexpr (S == shape::sphere) {
    static constexpr double flat[rows_at_once] = {};
    const double* const four[4] = {at[0], at[1], D == 3 ? at[2] : flat, at[D]};
    place_spheres(four, places, count, then, shrink, now_.data(), moved);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      moved[i] = 0;
      if (places[i] == nowhere) continue;
      body& b = now_[places[i]];
      for (int k = 0; k < D; ++k) b.min[k] = at[k][i];
      for (int k = 0; k < D; ++k) b.max[k] = at[D + k][i];
      moved[i] = in_widths_ ? share_of(b, then[places[i]], shrink) : move_of(b, then[places[i]]);
    }
  }
}

// A body that was fixed and is free now was muted when the list was made: as good as moved out of it.
template <int D, shape S>
bool nearest_neighbor<D, S>::freed(row i) const {
  const row p = places_[i];
  if (fixed_then_.empty() || p == nowhere) return false;
  return fixed_then_[p] != 0 && (mute_.empty() || (mute_[p] & world::fixed_bit) == 0);
}

// Whether to go on with the list. The strays of a step are worth a rebuild once they cost more than an average step
// since the last one has, the rebuild included: from there on the average would rise.
template <int D, shape S>
bool nearest_neighbor<D, S>::holds(const world& w, std::size_t strays) {
  if (rebuilds_ == 0) return false;
  const double load = neighborhood::load_of_stray * static_cast<double>(strays);
  if (load * motion_.steps > tuning_.load(work_) + stray_load_) return false;
  stray_load_ += load;
  const auto steps = static_cast<std::uint64_t>(motion_.steps);
  const bool time_to_look = !asked_ && steps >= 8 && std::has_single_bit(steps);
  return !time_to_look || !tuning_.pays(neighborhood::unit_of(w, in_widths_), D, listed_distance_, work_, motion_);
}

// Takes what has moved farther out of the list; it and what is new are searched by themselves.
template <int D, shape S>
void nearest_neighbor<D, S>::let_stray(const world& w, bool far_ones) {
  for (std::size_t b = 0; far_ones && b < far_.size(); ++b) {
    for (const row i : far_[b]) now_[places_[i]] = no_volume<kept_axes, S>();
    stray_rows_.insert(stray_rows_.end(), far_[b].begin(), far_[b].end());
  }
  for (std::size_t i = 0; i < places_.size() && w.size() > rows_.size() - gone_; ++i) {
    if (places_[i] == nowhere) stray_rows_.push_back(static_cast<row>(i));
  }
  stray_volumes_.clear();
  for (const row i : stray_rows_) stray_volumes_.push_back(kept(w.get<D, S>(i)));
  strays_so_far_ += stray_rows_.size();
  stray_world_ =
      std::make_unique<world>(view_of<D>(stray_volumes_.data(), stray_volumes_.size()), w.margin(), w.threads());
  strays_->update(*stray_world_, {});
}

template <int D, shape S>
void nearest_neighbor<D, S>::rebuild(const world& w) {
  const bool in_widths = in_asked_ ? *in_asked_ : moves_follow_sizes(w);
  const double unit = neighborhood::unit_of(w, in_widths);
  const double fair = neighborhood::start(unit);
  double wanted = distance_;
  if (!asked_) {
    const bool known = rebuilds_ > 0 && in_widths == in_widths_;
    wanted = known ? tuning_.best(unit, D, listed_distance_, work_, motion_) : fair;
  }
  in_widths_ = in_widths;
  if (choose_places(w)) (void)take_rows(w, now_.data());
  if (!in_widths_) std::swap(then_, now_);
  at_ = in_widths_ ? now_.data() : then_.data();
  fixed_then_.assign(mute_.size(), 0);
  for (std::size_t p = 0; p < mute_.size(); ++p) fixed_then_[p] = mute_[p] & world::fixed_bit;
  // Where the list would be too long, one of a fair distance, or of just the pairs.
  const std::size_t most = most_listed * w.size() + 65536;
  if (!list_pairs(w, wanted, most) && !(fair < wanted && list_pairs(w, fair, most))) {
    (void)list_pairs(w, 0, std::numeric_limits<std::size_t>::max());
  }
  if (!sorted_spread_) sorted_spread_ = list_.spread();
  ++rebuilds_;
  stray_load_ = 0;
  motion_ = {};
  work_ = {static_cast<double>(w.size()), static_cast<double>(list_.tests()), static_cast<double>(list_.size())};
  tell_plan(wanted);
}

// False where bodies keep the places that they have.
template <int D, shape S>
bool nearest_neighbor<D, S>::choose_places(const world& w) {
  const bool far_apart = !sorted_spread_ || list_.spread() > 2 * *sorted_spread_;
  if (!far_apart && gone_ == 0 && rows_.size() == places_.size()) return false;
  rows_.erase(std::remove(rows_.begin(), rows_.end(), no_row), rows_.end());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i] == nowhere) rows_.push_back(static_cast<row>(i));
  }
  if (far_apart) {
    sorted_spread_.reset();
    put_in_near_order<D, S>(w, rows_);
  }
  for (std::size_t p = 0; p < rows_.size(); ++p) places_[rows_[p]] = static_cast<row>(p);
  now_.make(rows_.size());
  then_.make(rows_.size());
  fixed_then_.clear();
  gone_ = 0;
  return true;
}

// Whether bodies move as far as they are wide rather than all as far: by how much moves and shares of widths scatter,
// in a sample. To begin with, where sizes differ.
template <int D, shape S>
bool nearest_neighbor<D, S>::moves_follow_sizes(const world& w) const {
  constexpr std::size_t samples = 1024;
  const measures& m = w.measured();
  if (!(*std::max_element(m.widest, m.widest + D) > 2 * m.least_width)) return false;
  if (rebuilds_ == 0) return true;
  scatter moves;
  scatter shares;
  const double shrink = in_widths_ ? 1 / (1 + listed_distance_) : 1;
  for (std::size_t p = 0; p < rows_.size(); p += rows_.size() / samples + 1) {
    if (rows_[p] == no_row) continue;
    const double share = share_of(now_[p], then_[p], shrink);
    moves.add(share * width_of(then_[p]) * shrink);
    shares.add(share);
  }
  return moves.relative() == shares.relative() ? in_widths_ : shares.relative() < moves.relative();
}

// The volumes that bodies may move in before they leave the list. Returns the distance made room for, in widths.
template <int D, shape S>
double nearest_neighbor<D, S>::fatten(const world& w, double distance) {
  constexpr double most_widths = 2;
  constexpr double largest_fattened = 1e140;
  const measures& m = w.measured();
  for (int k = 0; k < D; ++k) {
    if (!(std::max(std::abs(m.lower[k]), std::abs(m.upper[k])) < largest_fattened)) distance = 0;
  }
  distance = std::min(distance, most_widths);
  parallel_blocks(w.threads(), rows_.size(), rows_at_once, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t p = from; p < to; ++p) then_[p] = fat_volume(now_[p], distance);
  });
  return distance;
}

// False where there are more than `most`.
template <int D, shape S>
bool nearest_neighbor<D, S>::list_pairs(const world& w, double distance, std::size_t most) {
  if (in_widths_) distance = fatten(w, distance);
  const double reach = w.margin() + (in_widths_ ? 0 : distance);
  const double size = largest_rounded<D, S>(w) * (in_widths_ ? 2 * (1 + distance) : 1);
  // Without a distance nothing may have moved: no sums of moves, no rounding but that of underflow.
  const double room = rounding_room(distance > 0 ? size + reach : 0);
  slack_ = in_widths_ ? room : 0;
  bodies all = view_of<D>(then_.data(), rows_.size());
  if (!fixed_then_.empty()) all = all.fixed(fixed_then_);
  inner_world_ = std::make_unique<world>(all, reach + room, w.threads());
  inner_->update(*inner_world_, {});
  listed_distance_ = distance;
  const auto lasting = [&](const pair& p) { return !muted(p.i, p.j); };
  return list_.take(*inner_, w.threads(), most, lasting);
}

template <int D, shape S>
void nearest_neighbor<D, S>::tell_plan(double wanted) {
  const auto about = [](double v) { return number_text(std::round(v * 10) / 10); };
  std::string reason = asked_           ? "with the distance asked for"
                       : rebuilds_ == 1 ? "a distance to begin with, until the motion is known"
                                        : "the distance of least work, counted, for the motion before the last rebuild";
  reason += ": about " + about(work_.listed / std::max(1.0, work_.bodies)) + " listed pairs a body";
  if (listed_distance_ < wanted) {
    reason += "; lowered from " + number_text(wanted) + " to " + number_text(listed_distance_) +
              (in_widths_ ? " so that the list has at most 64 a body; in widths it is at most 2"
                          : " so that the list has at most 64 a body");
  }
  if (!asked_) planned_.set("distance", number_text(listed_distance_));
  planned_.set("in", in_widths_ ? "width" : "length");
  planned_.because(reason);
}

template <int D, shape S>
void nearest_neighbor<D, S>::find_listed(std::size_t task, pair_batch& out) const {
  constexpr std::size_t at_once = 256;
  const std::size_t from = task * pairs_per_task;
  const std::size_t to = std::min(list_.size(), from + pairs_per_task);
  pair found[at_once + near_padding];
  for (std::size_t e = from; e < to; e += at_once) {
    std::size_t count = overlapping(at_, world_->margin(), list_.pairs() + e, std::min(to - e, at_once), found);
    if (!mute_.empty()) {
      count = static_cast<std::size_t>(
          std::remove_if(found, found + count, [&](const pair& p) { return muted(p.i, p.j); }) - found);
    }
    pair* const pairs = out.room(count);
    for (std::size_t k = 0; k < count; ++k) {
      const row i = rows_[found[k].i];
      const row j = rows_[found[k].j];
      pairs[k] = {std::min(i, j), std::max(i, j)};
    }
    out.took(count);
  }
  out.count.tests += to - from;
  out.count.candidates += to - from;
}

// Pairs of a stray and a body of the list, which is looked for where it was.
template <int D, shape S>
void nearest_neighbor<D, S>::find_around_strays(std::size_t task, pair_batch& out) const {
  const std::size_t to = std::min(stray_rows_.size(), (task + 1) * strays_per_task);
  const std::uint8_t* const mute = world_->mute();
  for (std::size_t s = task * strays_per_task; s < to; ++s) {
    const row i = stray_rows_[s];
    auto meet = [&](const row* first, std::size_t count) {
      out.count.tests += count;
      out.count.candidates += count;
      for (std::size_t k = 0; k < count; ++k) {
        if (!overlap(stray_volumes_[s], at_[first[k]], world_->margin())) continue;
        const row j = rows_[first[k]];
        if (mute == nullptr || (mute[i] & mute[j]) == 0) out.add(i, j);
      }
    };
    auto near = batch_into<row>(meet);
    inner_->find_in(query(world_->get(i), world_->margin(), D).wider(slack_), near);
    near.flush();
    out.count.tests += near.count.tests;
  }
}

template <int D, shape S>
void nearest_neighbor<D, S>::find_among_strays(std::size_t task, pair_batch& out) const {
  const std::uint8_t* const mute = world_->mute();
  auto hand_on = [&](const pair* first, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      const row i = stray_rows_[first[k].i];
      const row j = stray_rows_[first[k].j];
      if (mute == nullptr || (mute[i] & mute[j]) == 0) out.add(i, j);
    }
  };
  auto found = batch_into<pair>(hand_on);
  strays_->find(task, found);
  found.flush();
  out.count += found.count;
}

template <int D, shape S>
void nearest_neighbor<D, S>::find_in(const query& q, row_batch& out) const {
  auto meet = [&](const row* first, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      const body& b = at_[first[k]];
      if (is_volume(b) && q.touches(cut_to<D>(b))) out.add(rows_[first[k]]);
    }
    out.count.tests += count;
    out.count.candidates += count;
  };
  auto near = batch_into<row>(meet);
  inner_->find_in(q.wider(slack_), near);
  near.flush();
  out.count.tests += near.count.tests;
  if (stray_rows_.empty()) return;
  auto hand_on = [&](const row* first, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) out.add(stray_rows_[first[k]]);
  };
  auto found = batch_into<row>(hand_on);
  strays_->find_in(q, found);
  found.flush();
  out.count += found.count;
}

constexpr parameter_info nearest_neighbor_parameters[] = {
    {.name = "distance",
     .range = "0 to 1e150",
     .default_value = "least work for the motion seen",
     .summary = "gap up to which pairs are listed, beyond the margin"},
    {.name = "in",
     .range = "length | width",
     .default_value = "length with a distance; without, as bodies move",
     .summary = "whether the distance is in the unit of the coordinates, or in widths of the bodies"},
    {.name = "by", .range = "another method", .default_value = "grid", .summary = "what rebuilds the list"},
};

}  // namespace

extern const method_entry nearest_neighbor_entry;
const method_entry nearest_neighbor_entry{
    {.name = "nearest-neighbor",
     .document = "001",
     .summary = "keeps a list of near pairs, which is rebuilt when bodies have moved far enough",
     .suits = "quasi-static assemblies: many steps in which bodies move little",
     .cost = "N",
     .quadratic = false,
     .parameters = nearest_neighbor_parameters},
    true,
    make_method<nearest_neighbor>};

}  // namespace abut
