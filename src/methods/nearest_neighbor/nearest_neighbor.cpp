// Nearest neighbor, the Verlet list (DEM lecture 11): a list of near pairs that is tested at each step and rebuilt now
// and then.
//
// Idea: another method lists all pairs with a gap of at most `distance`. Each step tests only those, until bodies have
// moved so far that a pair could be missing. The lecture adds up 2 v_max dt (`rule=sum`); here moves are measured from
// where the list was made, and it holds as long as no two add up to more than the distance. If sizes differ, the
// distance can be in widths: each body has room to move in proportion to its own width. The few bodies that have moved
// farther, or are new, are strays: they leave the list and are searched for one by one. A rebuild follows once strays
// cost more than it would.
// Cost: linear in N; a step, rebuilds included, half of grid's, a fifth if sizes differ; 105 to 140 bytes per sphere.
// Wins: quasi-static assemblies, in which a list lasts for ten steps or more.
// Loses: if bodies move by a tenth of their width in a step; then it costs more than the method that rebuilds.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "methods/method.hpp"
#include "methods/nearest_neighbor/bodies.hpp"
#include "methods/nearest_neighbor/list.hpp"
#include "methods/nearest_neighbor/show.hpp"
#include "steps/neighborhood.hpp"

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
    by_sum_ = asked.parameter_value("rule") == "sum";
    planned_.set("rule", by_sum_ ? "sum" : "exact");
    if (by_sum_) {
      if (in_asked_.value_or(false)) {
        throw error(
            "nearest-neighbor's in is \"width\" with rule=sum, which adds up lengths; use in=length or rule=exact");
      }
      in_asked_ = false;
    }
    inner_ = make_inner();
    strays_ = make_inner();
  }

  void update(const world& w, row_map rows) override;

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
  void show(sketcher& out) const override { show_neighborhoods(out, bodies_, list_, room_, stray_rows_); }

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> events() const override {
    return {{"rebuilds", rebuilds_}, {"strays", strays_so_far_}};
  }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override {
    return {{"rebuilds", rebuilt_ ? 1U : 0U}, {"strays", stray_rows_.size()}, {"listed pairs", list_.size()}};
  }
  [[nodiscard]] std::size_t bytes() const override {
    return bodies_.bytes() + list_.bytes() + inner_->bytes() + (inner_world_ ? inner_world_->bytes() : 0) +
           bytes_of(stray_rows_) + bytes_of(stray_volumes_) + strays_->bytes() +
           (stray_world_ ? stray_world_->bytes() : 0);
  }

 private:
  using body = typename near_bodies<D, S>::body;
  static constexpr std::size_t pairs_per_task = 4096;
  static constexpr std::size_t strays_per_task = 256;
  static constexpr std::size_t most_listed = 64;  // per body, on average: bounds memory, whatever the distance

  [[nodiscard]] std::unique_ptr<method> make_inner() const {
    return entry_named(inner_plan_.method()).make(inner_plan_, S, D);
  }
  [[nodiscard]] std::size_t list_tasks() const { return (list_.size() + pairs_per_task - 1) / pairs_per_task; }
  [[nodiscard]] std::size_t stray_tasks() const { return (stray_rows_.size() + strays_per_task - 1) / strays_per_task; }

  [[nodiscard]] std::optional<double> distance_left(const world& w) const;
  void update_by_sum(const world& w);
  [[nodiscard]] bool holds(const world& w, std::size_t strays);
  [[nodiscard]] bool another_distance_pays(const world& w);
  void let_stray(const world& w, bool far_ones);
  void rebuild(const world& w);
  // How much the moves of some bodies since the last rebuild differ.
  struct moves_seen {
    scatter lengths;
    scatter shares;  // in widths of the body
  };
  [[nodiscard]] moves_seen look_at_moves(const world& w) const;
  void choose_unit(const world& w);
  [[nodiscard]] static double most_widths(const world& w, double distance);
  [[nodiscard]] bool list_pairs(const world& w, double distance, std::size_t most);
  void tell_plan(double wanted);

  void find_listed(std::size_t task, pair_batch& out) const;
  void find_around_strays(std::size_t task, pair_batch& out) const;
  void find_among_strays(std::size_t task, pair_batch& out) const;

  plan planned_;
  plan inner_plan_;
  bool asked_ = false;            // the plan gives the distance
  double distance_ = 0;           // the one that the plan gives
  bool by_sum_ = false;           // the lecture's rule
  double summed_ = 0;             // 2 v_max dt, since the last rebuild
  std::optional<bool> in_asked_;  // whether the plan asks for widths or for the unit of the coordinates
  near_room room_;                // of the current list
  double margin_ = 0;             // with which it was made
  double least_width_ = 0;        // of the bodies then
  neighborhood tuning_{{}};
  neighborhood::rebuild_work work_;
  neighborhood::motion motion_;
  double stray_load_ = 0;  // what strays have cost since the rebuild
  bool rebuilt_ = false;   // by the last update
  std::uint64_t rebuilds_ = 0;
  std::uint64_t strays_so_far_ = 0;

  near_bodies<D, S> bodies_;
  std::optional<double> sorted_spread_;  // of the first list since places were last chosen by position

  const world* world_ = nullptr;
  std::unique_ptr<world> inner_world_;  // the bodies at the last rebuild, by place
  std::unique_ptr<method> inner_;
  near_list list_;
  double slack_ = 0;  // how far bodies in the list may have moved since the rebuild

  std::vector<row> stray_rows_;
  std::vector<body> stray_volumes_;
  std::unique_ptr<world> stray_world_;
  std::unique_ptr<method> strays_;
};

template <int D, shape S>
void nearest_neighbor<D, S>::update(const world& w, row_map rows) {
  if (!rows.same()) bodies_.follow(rows.spelled_out(), w.size());
  world_ = &w;
  stray_rows_.clear();
  rebuilt_ = false;
  if (by_sum_) return update_by_sum(w);
  if (!bodies_.fit(w)) return rebuild(w);
  const std::optional<double> left = distance_left(w);
  const moves m = bodies_.take(w, room_, left.value_or(0));
  const bool all_near = room_.in_widths ? m.far == 0 : m.largest + m.second <= left.value_or(0);
  const std::size_t strays = (w.size() - bodies_.placed()) + (all_near ? 0 : m.far);
  motion_.steps += 1;
  motion_.mean = m.sum / static_cast<double>(std::max<std::size_t>(1, bodies_.placed()));
  if (motion_.steps == 1) motion_.mean_of_first = motion_.mean;
  if (!left || !holds(w, strays)) return rebuild(w);
  if (motion_.steps == 1) inner_->release_scratch();  // the next rebuild is some steps away
  if (!room_.in_widths) slack_ = (all_near ? m.largest : m.largest_near) + bodies_.rounding(room_.distance);
  if (strays > 0) let_stray(w, !all_near);
}

// The lecture's rule: the list is rebuilt when twice the largest displacement of each update, added up, reaches the
// distance. There are no strays, so new bodies need a new list.
template <int D, shape S>
void nearest_neighbor<D, S>::update_by_sum(const world& w) {
  constexpr double up = 1 + 0x1p-50;  // more than the rounding of a displacement and of the sum
  if (rebuilds_ == 0) return rebuild(w);
  const std::optional<double> left = distance_left(w);
  const moves m = bodies_.take(w, room_, left.value_or(0), true);
  summed_ = (summed_ + 2 * m.largest) * up;
  motion_.steps += 1;
  motion_.mean = summed_ / neighborhood::moves_per_distance;  // a list lasts until it is the distance divided by that
  if (motion_.steps == 1) motion_.mean_of_first = motion_.mean;
  slack_ = summed_ / 2;
  const bool holds = left && summed_ < *left && w.size() == bodies_.placed();
  if (!holds || another_distance_pays(w)) rebuild(w);
}

// How far bodies may have moved with the present margin. A larger margin takes up a part of the distance, as if bodies
// had moved: half of it each, so that in widths the smallest body decides. Nothing if the margin has changed by more
// than the distance: then pairs could be missing, or the list is much longer than needed.
template <int D, shape S>
std::optional<double> nearest_neighbor<D, S>::distance_left(const world& w) const {
  if (w.margin() == margin_) return room_.distance;
  const double width = room_.in_widths ? least_width_ : 1;
  const double change = std::abs(w.margin() - margin_);
  if (!(change <= room_.distance * width)) return {};
  return w.margin() < margin_ ? room_.distance : room_.distance - change / width;
}

// Whether to keep the list. A rebuild is due once the strays of a step cost more than the average so far: all strays
// since the last rebuild, and that rebuild, per step. From then on the average would rise.
template <int D, shape S>
bool nearest_neighbor<D, S>::holds(const world& w, std::size_t strays) {
  if (rebuilds_ == 0) return false;
  const double load = neighborhood::load_of_stray(static_cast<double>(w.size())) * static_cast<double>(strays);
  if (load * motion_.steps > tuning_.load(work_) + stray_load_) return false;
  stray_load_ += load;
  return !another_distance_pays(w);
}

template <int D, shape S>
bool nearest_neighbor<D, S>::another_distance_pays(const world& w) {
  const auto steps = static_cast<std::uint64_t>(motion_.steps);
  const bool time_to_look = !asked_ && steps >= 8 && std::has_single_bit(steps);
  return time_to_look && tuning_.pays(neighborhood::unit_of(w, room_.in_widths), D, room_.distance, work_, motion_);
}

// Takes bodies that have moved too far out of the list. They and the new ones become strays.
template <int D, shape S>
void nearest_neighbor<D, S>::let_stray(const world& w, bool far_ones) {
  if (far_ones) {
    for (const std::vector<row>& some : bodies_.far()) {
      for (const row i : some) bodies_.leave(i);
      stray_rows_.insert(stray_rows_.end(), some.begin(), some.end());
    }
  }
  for (std::size_t i = 0; i < w.size() && w.size() > bodies_.placed(); ++i) {
    if (bodies_.is_new(static_cast<row>(i))) stray_rows_.push_back(static_cast<row>(i));
  }
  stray_volumes_.clear();
  for (const row i : stray_rows_) stray_volumes_.push_back(kept(w.get<D, S>(i)));
  strays_so_far_ += stray_rows_.size();
  stray_world_ = std::make_unique<world>(
      world::of_rows(view_of<D>(stray_volumes_.data(), stray_volumes_.size()), w.margin(), w.threads()));
  strays_->update(*stray_world_, row_map());
}

template <int D, shape S>
void nearest_neighbor<D, S>::rebuild(const world& w) {
  choose_unit(w);
  const bool in_widths = room_.in_widths;
  const double unit = neighborhood::unit_of(w, in_widths);
  const double fair = neighborhood::start(unit);
  double wanted = distance_;
  if (!asked_) wanted = rebuilds_ > 0 ? tuning_.best(unit, D, room_.distance, work_, motion_) : fair;
  const bool far_apart = !sorted_spread_ || list_.spread() > 2 * *sorted_spread_;
  bodies_.choose_places(w, far_apart);
  bodies_.settle(w, in_widths, wanted > 0 && !by_sum_);
  // If the list would be too long, list up to a fair distance, or only the pairs themselves.
  const std::size_t most = most_listed * w.size() + 65536;
  if (!list_pairs(w, wanted, most) && !(fair < wanted && list_pairs(w, fair, most))) {
    (void)list_pairs(w, 0, std::numeric_limits<std::size_t>::max());
  }
  if (far_apart) sorted_spread_ = list_.spread();
  ++rebuilds_;
  rebuilt_ = true;
  summed_ = 0;
  stray_load_ = 0;
  motion_ = {};
  work_ = {static_cast<double>(w.size()), static_cast<double>(list_.tests()), static_cast<double>(list_.size())};
  tell_plan(wanted);
}

template <int D, shape S>
auto nearest_neighbor<D, S>::look_at_moves(const world& w) const -> moves_seen {
  constexpr std::size_t probes = 1024;
  moves_seen seen;
  const double shrink = room_.in_widths ? 1 / (1 + room_.distance) : 1;
  for (std::size_t p = 0; p < bodies_.places(); p += bodies_.places() / probes + 1) {
    const row i = bodies_.row_at(static_cast<row>(p));
    if (i == no_row) continue;
    const body& then = bodies_.then()[p];
    const double share = share_of(kept(w.get<D, S>(i)), then, shrink);
    seen.lengths.add(share * width_of(then) * shrink);
    seen.shares.add(share);
  }
  return seen;
}

// Chooses the unit in which moves differ least: widths if large bodies move farther than small ones, lengths if all
// move equally far. The first list uses widths if sizes differ. Converts what is known of the last list to the new
// unit.
template <int D, shape S>
void nearest_neighbor<D, S>::choose_unit(const world& w) {
  const measures& m = w.measured();
  const bool sizes_differ = *std::max_element(m.widest, m.widest + D) > 2 * m.least_width;
  if (rebuilds_ == 0 || in_asked_) {
    room_.in_widths = in_asked_ ? *in_asked_ : sizes_differ;
    return;
  }
  if (!sizes_differ && !room_.in_widths) return;
  const moves_seen seen = look_at_moves(w);
  const bool lengths_agree = seen.lengths.relative() < seen.shares.relative();
  const bool alike = seen.lengths.relative() == seen.shares.relative();
  const bool in_widths = sizes_differ && (alike ? room_.in_widths : !lengths_agree);
  if (in_widths == room_.in_widths) return;
  const double before = neighborhood::unit_of(w, room_.in_widths);
  const double moved = seen.shares.sum > 0 ? seen.lengths.sum / seen.shares.sum : 0;  // the length of one width
  for (double* const mean : {&motion_.mean, &motion_.mean_of_first}) {
    *mean = moved > 0 ? (in_widths ? *mean / moved : *mean * moved) : 0;
  }
  room_.distance = before > 0 ? room_.distance * neighborhood::unit_of(w, in_widths) / before : 0;
  room_.in_widths = in_widths;
}

// Limits a distance in widths, so that the fattened bodies stay within the range of coordinates.
template <int D, shape S>
double nearest_neighbor<D, S>::most_widths(const world& w, double distance) {
  constexpr double largest_fattened = 1e140;
  const measures& m = w.measured();
  for (int k = 0; k < D; ++k) {
    if (!(std::max(std::abs(m.lower[k]), std::abs(m.upper[k])) < largest_fattened)) return 0;
  }
  return std::min(distance, 2.0);
}

// Lists all pairs up to a distance. Returns false if there are more than `most`.
template <int D, shape S>
bool nearest_neighbor<D, S>::list_pairs(const world& w, double distance, std::size_t most) {
  const bool in_widths = room_.in_widths;
  if (in_widths) {
    distance = most_widths(w, distance);
    bodies_.fatten(w, distance);
  }
  const double reach = w.margin() + (in_widths ? 0 : distance);
  const double size = largest_rounded<D, S>(w) * (in_widths ? 2 * (1 + distance) : 1);
  // With distance 0 no body may have moved, so no sum of moves is rounded: only underflow needs room.
  const double room = rounding_room(distance > 0 ? size + reach : 0) + bodies_.rounding(size + reach);
  slack_ = in_widths ? room : 0;
  const bodies all = view_of<D>(bodies_.then().data(), bodies_.places());
  inner_world_ = std::make_unique<world>(world::of_rows(all, reach + room, w.threads()));
  inner_->update(*inner_world_, row_map());
  room_.distance = distance;
  margin_ = w.margin();
  least_width_ = w.measured().least_width;
  // Muted pairs would be tested at every step for nothing. A body that is freed later becomes a stray.
  const auto lasting = [&](const pair& p) { return !w.muted(bodies_.row_at(p.i), bodies_.row_at(p.j)); };
  if (!list_.take(*inner_, w.threads(), most, lasting)) return false;
  if (distance > 0) list_.sort_by_place(bodies_.places(), w.threads());
  return true;
}

template <int D, shape S>
void nearest_neighbor<D, S>::tell_plan(double wanted) {
  std::string reason = asked_           ? "with the distance asked for"
                       : rebuilds_ == 1 ? "a distance to start with, until the motion is known"
                                        : "the distance of least work, counted, for the motion before the last rebuild";
  reason += ": about " + tenths(work_.listed / std::max(1.0, work_.bodies)) + " listed pairs per body";
  if (room_.distance < wanted) {
    reason += "; lowered from " + number_text(wanted) + " to " + number_text(room_.distance) +
              (room_.in_widths ? " so that the list has at most 64 a body; in widths it is at most 2"
                               : " so that the list has at most 64 a body");
  }
  if (!asked_) planned_.set("distance", number_text(room_.distance));
  planned_.set("in", room_.in_widths ? "width" : "length");
  planned_.because(reason);
}

template <int D, shape S>
void nearest_neighbor<D, S>::find_listed(std::size_t task, pair_batch& out) const {
  const std::size_t from = task * pairs_per_task;
  const std::size_t to = std::min(list_.size(), from + pairs_per_task);
  bodies_.find(*world_, list_.pairs() + from, to - from, out);
  out.count.tests += to - from;
  out.count.candidates += to - from;
}

// Pairs of a stray with a listed body; listed bodies are looked up at their old positions.
template <int D, shape S>
void nearest_neighbor<D, S>::find_around_strays(std::size_t task, pair_batch& out) const {
  const std::size_t to = std::min(stray_rows_.size(), (task + 1) * strays_per_task);
  for (std::size_t s = task * strays_per_task; s < to; ++s) {
    const row i = stray_rows_[s];
    const volume<D, S> stray = world_->get<D, S>(i);
    auto meet = [&](const row* first, std::size_t count) {
      out.count.tests += count;
      out.count.candidates += count;
      for (std::size_t k = 0; k < count; ++k) {
        if (!bodies_.in_list(first[k])) continue;
        const row j = bodies_.row_at(first[k]);
        if (overlap(stray, world_->get<D, S>(j), world_->margin())) out.add(i, j);
      }
    };
    auto near = batch_into<row>(meet);
    inner_->find_in(query(world_->get(i), world_->margin(), D).wider(slack_, S), near);
    near.flush();
    out.count.tests += near.count.tests;
  }
}

template <int D, shape S>
void nearest_neighbor<D, S>::find_among_strays(std::size_t task, pair_batch& out) const {
  auto hand_on = [&](const pair* first, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      out.add(stray_rows_[first[k].i], stray_rows_[first[k].j]);
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
      if (!bodies_.in_list(first[k])) continue;
      const row i = bodies_.row_at(first[k]);
      if (q.touches(world_->get<D, S>(i))) out.add(i);
    }
    out.count.tests += count;
    out.count.candidates += count;
  };
  auto near = batch_into<row>(meet);
  inner_->find_in(q.wider(slack_, S), near);
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
     .default_value = "the one with least work for the observed motion",
     .summary = "gap up to which pairs are listed, beyond the margin"},
    {.name = "in",
     .range = "length | width",
     .default_value = "length if a distance is given, otherwise what suits the motion",
     .summary = "whether the distance is in the unit of the coordinates or in widths of the bodies"},
    {.name = "rule",
     .range = "exact | sum",
     .default_value = "exact",
     .summary =
         "bodies' moves since the list was made, or the largest move of each update, added up, as in the lecture"},
    {.name = "by", .range = "another method", .default_value = "grid", .summary = "the method that rebuilds the list"},
};

// ---- cost

constexpr cost search_cost{"list.search", 420};
constexpr cost body_cost{"list.body", {.avx512 = 6, .avx2 = 6, .sse4 = 7.4, .neon = 7.4, .scalar = 13}};
constexpr cost far_cost{"list.far", {.avx512 = 1.5, .avx2 = 1.7, .sse4 = 1.7, .neon = 1.7, .scalar = 6.5}};
constexpr cost test_cost{"list.test", {.avx512 = 1.4, .avx2 = 1.45, .sse4 = 1.9, .neon = 1.9, .scalar = 4.3}};
constexpr cost rebuild_by_cost{"rebuild.by", {.avx512 = 1.35, .avx2 = 1.3, .sse4 = 1.2, .neon = 1.2, .scalar = 1.05}};
constexpr cost rebuild_body_cost{"rebuild.body", 1.4};
constexpr cost rebuild_far_cost{"rebuild.far", {.avx512 = 9, .avx2 = 10, .sse4 = 10, .neon = 10, .scalar = 14}};
constexpr cost rebuild_pair_cost{"rebuild.pair", {.avx512 = 2.5, .avx2 = 2.5, .sse4 = 2.6, .neon = 2.6, .scalar = 3.1}};
constexpr const cost* costs[] = {&search_cost,     &body_cost,         &far_cost,         &test_cost,
                                 &rebuild_by_cost, &rebuild_body_cost, &rebuild_far_cost, &rebuild_pair_cost};

double listed_pairs(const features& f, double distance) {
  // The edge of a cube (in 2D a square) as large as a ball (a disc) of radius 1; boxes are counted as cubes.
  const double cube = f.kind == shape::box ? 2 : f.dimension == 3 ? 1.612 : 1.772;
  double sum = 0;
  for (const auto& a : f.sizes) {
    for (const auto& b : f.sizes) {
      const double reach = (typical(f, a) + typical(f, b)) / 2 + distance;
      sum += a.share * b.share * f.others(cube * reach) / 2;
    }
  }
  return sum;
}

work step_work(const features& f, double distance) {
  return {{&search_cost, per_search(f)},
          {&body_cost, 1},
          {&far_cost, far_memory(f)},
          {&test_cost, listed_pairs(f, distance)}};
}

work rebuild_work(const features& f, double distance, double by) {
  return {{&rebuild_by_cost, by},
          {&rebuild_body_cost, 1},
          {&rebuild_far_cost, far_memory(f)},
          {&rebuild_pair_cost, listed_pairs(f, distance)}};
}

double steps_listed(const features& f, double distance) {
  constexpr double most = 1000;
  if (!(*f.move > 0)) return most;
  return std::clamp(std::pow(distance / neighborhood::moves_per_distance / *f.move, 1 / f.exponent), 1.0, most);
}

constexpr list_model model{costs, step_work, rebuild_work, steps_listed, neighborhood::least_load_of_stray};

}  // namespace

extern const method_entry nearest_neighbor_entry;
const method_entry nearest_neighbor_entry{
    {.name = "nearest-neighbor",
     .document = "DEM lecture 11",
     .summary = "keeps a list of near pairs and rebuilds it once bodies have moved far enough",
     .suits = "quasi-static assemblies: many steps in which bodies move little",
     .cost = "N",
     .quadratic = false,
     .parameters = nearest_neighbor_parameters},
    true,
    make_method<nearest_neighbor>,
    nullptr,
    &model};

}  // namespace abut
