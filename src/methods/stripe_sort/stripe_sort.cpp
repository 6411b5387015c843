// StripeSort (Perkins 1999, 5.2): DESS in stripes, which shortens the list that is searched for each body.
//
// Idea: space is split into stripes along all axes but one, the slave axis. A body is listed in every stripe that it
// reaches into: the one in which it begins, and the border zones of those after it. Within a stripe, the search is that
// of DESS: between a body's lower and upper end on the slave axis; ranks on the striped axes decide. Two bodies meet in
// every stripe that both reach into, and are reported in the one in which the later of them begins.
// Cost: linear in N, apart from sorting by heap; 93 bytes per disc, about 120 to 150 per sphere. The thesis's own
// stripes (`stripes=count`) have a fixed number of bodies and a border zone that reaches as far as the largest of them;
// docs/methods/stripe-sort.md shows when that grows with N.
// Wins: over DESS, from some thousand bodies on, for any sizes: a large body costs only the stripes that it crosses.
// Loses: to cells for plain spheres of similar size, since sorting all axes takes most of the time.

#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"
#include "methods/stripe_sort/cut.hpp"
#include "methods/stripe_sort/width.hpp"
#include "steps/cell_lines.hpp"
#include "steps/cover.hpp"
#include "steps/rank_scan.hpp"
#include "steps/ranked_ends.hpp"
#include "steps/show_cells.hpp"
#include "steps/show_ends.hpp"
#include "steps/taken.hpp"

namespace abut {

namespace {

template <int D, shape S>
class stripe_sort final : public method {
 public:
  explicit stripe_sort(const plan& asked) : by_insertion_(sorts_by_insertion(asked)), asked_(asked), planned_(asked) {
    by_count_ = asked.parameter_value("stripes") == "count";
    if (const auto multiple = asked.parameter_value("multiple")) (void)parse_number(*multiple, multiple_);
    const auto refuse = [](const char* other, const char* needed) {
      throw error(std::string("stripe-sort's ") + other + " is for stripes=" + needed + "; leave one of the two out");
    };
    if (by_count_ && asked.parameter_value("width")) refuse("width", "width");
    if (!by_count_ && multiple_ != 1) refuse("multiple", "count");
  }

  void update(const world& w, row_map rows) override {
    ranked_ends ends = ends_;  // updates a copy, since a refused width must leave the last state unchanged
    ends.update(w, by_insertion_ ? rows.spelled_out() : std::span<const row>{}, by_insertion_);
    const int slave = ends.sparsest_axis();
    std::optional<stripe_cut> cut;
    if (by_count_) cut.emplace(ends, D, slave, w.size(), static_cast<std::size_t>(multiple_));
    const double width = by_count_ ? 0 : choose_width(w, ends, slave);
    world_ = &w;
    ends_ = std::move(ends);
    slave_ = slave;
    if (cut) {
      take(std::move(*cut));
    } else {
      plan_for(width);
      deal_out(width);
    }
    ends_.release_ranks();
  }

  [[nodiscard]] std::size_t tasks() const override { return (place_.size() + entries_per_task - 1) / entries_per_task; }

  void find(std::size_t task, pair_batch& out) const override;
  void find_in(const query& q, row_batch& out) const override;
  void show(sketcher& out) const override;

  [[nodiscard]] plan planned() const override { return planned_; }
  [[nodiscard]] std::vector<stats::event> events() const override { return ends_.events(); }
  [[nodiscard]] std::vector<stats::event> counted_in_update() const override {
    std::vector<stats::event> all = {ends_.swaps(), {"stripes", stripes_.lines()}, {"entries", place_.size()}};
    if (by_count_) all.push_back({"sort comparisons", sort_comparisons_});
    return all;
  }
  [[nodiscard]] std::span<const std::string_view> counted() const override { return rank_counts; }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum =
        ends_.bytes() + stripes_.bytes() + volumes_.bytes() + bytes_of(place_) + bytes_of(reached_) + bytes_of(spans_);
    for (int k = 0; k < D; ++k) sum += bytes_of(lower_[k]) + bytes_of(upper_[k]);
    return sum;
  }

 private:
  static constexpr std::size_t entries_per_task = 2048;

  // The rank of a lower end that lies in an earlier stripe: below all ranks of this stripe. With stripes of a number of
  // bodies, a body in the border zone ends in a later stripe instead; there, the ranks on the striped axes are counted
  // from the top, so that its upper end becomes its lower one, and the same number marks it.
  static constexpr std::int32_t begun_before = -1;

  // The stripes that a row reaches into, on each striped axis.
  using reach = std::array<interval_of_cells, D - 1>;

  // A row in one of its stripes. A bit for each striped axis says whether the row begins in an earlier stripe.
  struct listing {
    std::uint32_t what;
    std::array<std::uint32_t, D - 1> stripe;
    static constexpr int first_bit = first_stripe_bit;
    [[nodiscard]] row who() const { return what & stripe_row_mask; }
    [[nodiscard]] bool begun(int s) const { return (what >> (first_bit + s) & 1U) != 0; }
  };

  // The axes in order: the slave, then the striped ones.
  [[nodiscard]] int axis(int k) const { return (slave_ + k) % D; }
  static unsigned striped_axes(int slave) { return ((1U << D) - 1) & ~(1U << slave); }

  double choose_width(const world& w, const ranked_ends& ends, int slave);
  void plan_for(double width);
  void deal_out(double width);
  [[nodiscard]] std::vector<reach> reaches() const;
  [[nodiscard]] std::vector<listing> list_rows() const;
  void take(stripe_cut cut);
  void lay_out(const std::vector<listing>& listed, const std::vector<row>& order);
  template <class Here>
  std::uint64_t find_in_stripe(std::size_t r, const query& q, row_batch& out, std::int32_t above, std::int32_t below,
                               const Here& here) const;

  [[nodiscard]] sketcher::sides sides_of_members(const sketcher& out, std::size_t stripe) const;
  void show_zones(sketcher& out, std::uint32_t kind, std::size_t stripe, const sketcher::sides& whole) const;
  void show_compared(sketcher& out, std::size_t entry, std::size_t end) const;

  // Whether two entries of a stripe meet there first, as 0 or 1: on each axis, one of them must begin in it.
  [[nodiscard]] int first_met(std::size_t p, std::size_t q) const {
    std::int32_t both = lower_[1][p] & lower_[1][q];
    for (int k = 2; k < D; ++k) both |= lower_[k][p] & lower_[k][q];
    return static_cast<int>(both >= 0);
  }

  bool by_insertion_;
  bool by_count_ = false;
  double multiple_ = 1;
  plan asked_;
  plan planned_;
  std::string reason_;
  const world* world_ = nullptr;
  int slave_ = 0;
  ranked_ends ends_{D};
  cell_lines<D> stripes_;         // the stripes, as lines of cells with a single cell along x
  packed_volumes<D, S> volumes_;  // in the order in which bodies begin
  // By entry, that is, by stripe, then by the lower end on the slave axis; [k] is for `axis(k)`:
  std::vector<std::int32_t> lower_[D];
  std::vector<std::int32_t> upper_[D];
  std::vector<std::uint32_t> place_;   // the place of its volume
  std::vector<std::int32_t> reached_;  // the highest upper rank on the slave axis up to here, within the stripe
  // Stripes of a number of bodies:
  std::vector<std::array<stripe_cut::span, 2>> spans_;  // by stripe
  std::uint64_t sort_comparisons_ = 0;
};

// The user's width, or the model's. Throws before anything has changed.
template <int D, shape S>
double stripe_sort<D, S>::choose_width(const world& w, const ranked_ends& ends, int slave) {
  const auto asked = asked_.parameter_value("width");
  double width = 1;
  if (asked) (void)parse_number(*asked, width);
  if (w.size() == 0) {
    reason_ = "there are no bodies to make stripes for";
    return width;
  }
  const unsigned axes = striped_axes(slave);
  const body_widths widths(w);
  const cover_entries covering(w, widths, axes);
  std::string more;
  if (!asked) {
    const stripe_choice best = stripe_model<D, S>(w, widths, ends, slave, axes).best();
    width = best.width;
    more = " and about " + tenths(best.meetings) + " meetings, the least load";
  }
  double entries = covering.count(width);
  if (!(entries <= covering.allowed())) {
    if (asked) covering.refuse("stripe-sort's width", width, entries);
    const double chosen = std::exchange(width, covering.smallest_above(width));
    entries = covering.count(width);
    more = cover_entries::raised("width", chosen);
  }
  const auto n = static_cast<double>(w.size());
  reason_ = std::string(1, "xyz"[slave]) + " is searched, with the fewest axis neighbors (" +
            tenths(static_cast<double>(ends.axis_neighbors(slave)) / n) + " per body); in stripes that makes " +
            tenths(entries / n) + " entries per body" + more;
  return width;
}

template <int D, shape S>
void stripe_sort<D, S>::plan_for(double width) {
  planned_ = asked_;
  planned_.set("sort", by_insertion_ ? "insertion" : "heap");
  planned_.set("stripes", "width");
  planned_.set("multiple", "1");
  planned_.set("width", number_text(width));
  planned_.because(reason_);
}

// Stripes of a number of bodies, which come sorted.
template <int D, shape S>
void stripe_sort<D, S>::take(stripe_cut cut) {
  planned_ = asked_;
  planned_.set("sort", by_insertion_ ? "insertion" : "heap");
  planned_.set("stripes", "count");
  planned_.set("multiple", number_text(multiple_));
  planned_.because(std::string(1, "xyz"[slave_]) + " is searched, with the fewest axis neighbors; stripes have " +
                   std::to_string(cut.own[D - 2]) + " bodies and their border zone, as in the paper");
  sort_comparisons_ = cut.comparisons;
  spans_ = std::move(cut.spans);
  std::fill(stripes_.axis, stripes_.axis + D, axis_cells());
  std::vector<typename cell_lines<D>::code> codes(spans_.size());
  std::iota(codes.begin(), codes.end(), 0U);
  stripes_.adopt(std::move(codes), std::move(cut.starts), std::vector<std::uint32_t>(cut.listed.size()));
  std::vector<listing> listed(cut.listed.size());
  std::vector<row> order(cut.listed.size());
  for (std::size_t e = 0; e < order.size(); ++e) {
    listed[e].what = cut.listed[e];
    order[e] = static_cast<row>(e);
  }
  lay_out(listed, order);
}

// Deals the sorted list of the slave axis out to the stripes, in order: a stable sort by stripe. So each stripe's list
// is already sorted; the thesis sorts each again.
template <int D, shape S>
void stripe_sort<D, S>::deal_out(double width) {
  const bool any = world_->size() > 0;
  for (int k = 1; k < D; ++k) stripes_.axis[k] = any ? covered_axis(*world_, axis(k), width) : axis_cells();
  const std::vector<listing> listed = list_rows();
  stripes_.place(listed.size(), world_->threads(), [&](std::size_t e, auto& c) {
    c[0] = 0;
    for (int k = 1; k < D; ++k) c[k] = listed[e].stripe[static_cast<std::size_t>(k - 1)];
  });
  lay_out(listed, stripes_.order());
  stripes_.release_scratch();
}

template <int D, shape S>
auto stripe_sort<D, S>::reaches() const -> std::vector<reach> {
  const world& w = *world_;
  std::vector<reach> all(w.size());
  parallel_blocks(w.threads(), w.size(), 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const volume<D, S> v = w.get<D, S>(static_cast<row>(i));
      for (int k = 1; k < D; ++k) {
        const interval t = taken(v, axis(k), w.margin());
        all[i][static_cast<std::size_t>(k - 1)] = {stripes_.axis[k].index(t.min), stripes_.axis[k].index(t.max)};
      }
    }
  });
  return all;
}

template <int D, shape S>
auto stripe_sort<D, S>::list_rows() const -> std::vector<listing> {
  const std::vector<reach> all = reaches();
  std::size_t total = 0;
  for (const reach& r : all) {
    std::size_t count = 1;
    for (const interval_of_cells& c : r) count *= c.to - c.from + 1;
    total += count;
  }
  std::vector<listing> listed;
  listed.reserve(total);
  for (const std::uint32_t what : ends_.list(slave_).entries()) {
    if (end_point::is_upper(what)) continue;
    const reach& r = all[what];
    constexpr std::size_t second = D - 2;  // the second of two striped axes; with one, the first again
    for (std::uint32_t a = r[0].from; a <= r[0].to; ++a) {
      const std::uint32_t with_a = what | (a > r[0].from ? std::uint32_t{1} << listing::first_bit : 0);
      if constexpr (D == 2) {
        listed.push_back({with_a, {a}});
      } else {
        for (std::uint32_t b = r[second].from; b <= r[second].to; ++b) {
          const std::uint32_t with_b = b > r[second].from ? std::uint32_t{2} << listing::first_bit : 0;
          listed.push_back({with_a | with_b, {a, b}});
        }
      }
    }
  }
  return listed;
}

template <int D, shape S>
void stripe_sort<D, S>::lay_out(const std::vector<listing>& listed, const std::vector<row>& order) {
  const std::size_t count = listed.size();
  const auto top = static_cast<std::int32_t>(2 * world_->size()) - 1;  // the highest rank
  std::vector<row> begins;
  begins.reserve(world_->size());
  std::vector<std::uint32_t> place(world_->size());
  for (const row e : order) {
    if (listed[e].what >> listing::first_bit != 0) continue;
    place[listed[e].who()] = static_cast<std::uint32_t>(begins.size());
    begins.push_back(listed[e].who());
  }
  volumes_.fill(*world_, begins);
  place_.resize(count);
  for (int k = 0; k < D; ++k) {
    lower_[k].resize(count);
    upper_[k].resize(count);
  }
  parallel_blocks(world_->threads(), count, 8192, [&](std::size_t, std::size_t from, std::size_t to) {
    for (std::size_t e = from; e < to; ++e) {
      const listing& here = listed[order[e]];
      const row i = here.who();
      place_[e] = place[i];
      for (int k = 0; k < D; ++k) {
        const std::int32_t lower = ends_.lower_ranks(axis(k))[i];
        const std::int32_t upper = ends_.upper_ranks(axis(k))[i];
        const bool from_top = by_count_ && k > 0;
        lower_[k][e] = k > 0 && here.begun(k - 1) ? begun_before : from_top ? top - upper : lower;
        upper_[k][e] = from_top ? top - lower : upper;
      }
    }
  });
  reached_.resize(count);
  for (std::size_t r = 0; r < stripes_.lines(); ++r) {
    std::int32_t highest = -1;
    for (std::size_t e = stripes_.begin(r); e < stripes_.end(r); ++e)
      reached_[e] = highest = std::max(highest, upper_[0][e]);
  }
}

template <int D, shape S>
void stripe_sort<D, S>::find(std::size_t task, pair_batch& out) const {
  const std::size_t from = task * entries_per_task;
  const std::size_t to = std::min(place_.size(), from + entries_per_task);
  const double margin = world_->margin();
  const std::int32_t* const begin_at = lower_[0].data();
  rank_scan<D - 1> scan{};
  for (int k = 1; k < D; ++k) {
    scan.low[k - 1] = lower_[k].data();
    scan.high[k - 1] = upper_[k].data();
  }
  std::size_t r = stripes_.line_of(from);
  std::uint64_t tests = 0;
  std::uint64_t compared = 0;
  for (std::size_t p = from; p < to; ++p) {
    while (p >= stripes_.end(r)) ++r;
    for (int k = 1; k < D; ++k) {
      scan.below[k - 1] = upper_[k][p];
      scan.above[k - 1] = lower_[k][p];
    }
    const std::size_t end = stripes_.end(r);
    std::size_t q = p + 1;
    while (q < end && begin_at[q] < upper_[0][p]) {
      // Collected without branches, since about one in four passes.
      std::uint32_t hits[256];
      std::size_t count = 0;
      const std::size_t stop = std::min(end, q + std::size(hits));
      for (; q < stop && begin_at[q] < upper_[0][p]; ++q) {
        hits[count] = static_cast<std::uint32_t>(q);
        count += static_cast<std::size_t>(scan.passes(q) & first_met(p, q));
      }
      for (std::size_t h = 0; h < count; ++h) {
        const std::uint32_t other = place_[hits[h]];
        ++tests;
        if (overlap(volumes_.get(place_[p]), volumes_.get(other), margin))
          out.add(volumes_.row_of(place_[p]), volumes_.row_of(other));
      }
    }
    compared += q - (p + 1);
  }
  out.count.tests += tests;
  out.count.candidates += tests;
  out.count.named[0] += compared;
}

// As in DESS, in one stripe; `above` and `below` are the region's ranks on the slave axis. `here(e)` says whether the
// body of entry e is reported in this stripe. Returns the number of tests.
template <int D, shape S>
template <class Here>
std::uint64_t stripe_sort<D, S>::find_in_stripe(std::size_t r, const query& q, row_batch& out, std::int32_t above,
                                                std::int32_t below, const Here& here) const {
  const auto begin = static_cast<std::ptrdiff_t>(stripes_.begin(r));
  const auto end = static_cast<std::ptrdiff_t>(stripes_.end(r));
  const auto first = std::lower_bound(reached_.begin() + begin, reached_.begin() + end, above) - reached_.begin();
  std::uint64_t tests = 0;
  auto e = static_cast<std::size_t>(first);
  for (; e < stripes_.end(r) && lower_[0][e] < below; ++e) {
    if (upper_[0][e] < above || !here(e)) continue;
    ++tests;
    if (q.touches(volumes_.get(place_[e]))) out.add(volumes_.row_of(place_[e]));
  }
  out.count.named[0] += e - static_cast<std::size_t>(first);
  return tests;
}

// In each stripe that the region meets; a body is reported in the first of these that it reaches into or, with stripes
// of a number of bodies, in its own.
template <int D, shape S>
void stripe_sort<D, S>::find_in(const query& q, row_batch& out) const {
  if (volumes_.size() == 0) return;
  const auto ranks = ends_.ranks_of(*world_, q.bounds(slave_), slave_);
  std::uint64_t tests = 0;
  if (by_count_) {
    std::array<std::int32_t, 2> on[D];
    for (int k = 1; k < D; ++k) on[k] = ends_.ranks_of(*world_, q.bounds(axis(k)), axis(k));
    for (std::size_t r = 0; r < stripes_.lines(); ++r) {
      bool met = true;
      for (int k = 1; k < D; ++k) {
        const stripe_cut::span s = spans_[r][static_cast<std::size_t>(k - 1)];
        met = met && s.first < on[k][1] && s.highest >= on[k][0];
      }
      if (!met) continue;
      tests += find_in_stripe(r, q, out, ranks[0], ranks[1], [&](std::size_t e) {
        bool own = true;
        for (int k = 1; k < D; ++k) own = own && lower_[k][e] != begun_before;
        return own;
      });
    }
  } else {
    interval_of_cells range[3] = {};
    for (int k = 1; k < D; ++k) {
      const interval b = q.bounds(axis(k));
      range[k] = {stripes_.axis[k].index(b.min), stripes_.axis[k].index(b.max)};
    }
    std::size_t hint = 0;
    stripes_.for_each_line(range[1], range[2], hint, [&](std::size_t r) {
      const bool at_first[3] = {true, stripes_.y(r) == range[1].from, D == 2 || stripes_.z(r) == range[2].from};
      tests += find_in_stripe(r, q, out, ranks[0], ranks[1], [&](std::size_t e) {
        bool here = true;
        for (int k = 1; k < D; ++k) here = here && (at_first[k] || lower_[k][e] != begun_before);
        return here;
      });
    });
  }
  out.count.tests += tests;
  out.count.candidates += tests;
}

template <int D, shape S>
void stripe_sort<D, S>::show(sketcher& out) const {
  const std::uint32_t stripe = out.kind("stripe", "holds the bodies that reach into it", sketch::holding::parts);
  const std::uint32_t zone = out.kind(
      "zone",
      by_count_ ? "what bodies of later stripes take of this one" : "what bodies of earlier stripes take of this one",
      sketch::holding::parts);
  const std::uint32_t stretch =
      out.any_chosen() ? out.kind("stretch", "between the body's ends: what begins here is compared by rank") : 0;
  cell_axes axes{};
  for (int k = 1; k < D; ++k) axes[static_cast<std::size_t>(axis(k))] = &stripes_.axis[k];
  for (std::size_t r = 0; r < stripes_.lines(); ++r) {
    cell_at c{};
    c[static_cast<std::size_t>(axis(1))] = stripes_.y(r);
    if constexpr (D == 3) c[static_cast<std::size_t>(axis(2))] = stripes_.z(r);
    sketcher::sides whole = by_count_ ? sides_of_members(out, r) : sides_of(out, axes, c, c);
    std::size_t chosen = stripes_.end(r);
    for (std::size_t e = stripes_.begin(r); e < stripes_.end(r); ++e) {
      if (volumes_.row_of(place_[e]) == out.chosen()) chosen = e;
    }
    out.box(stripe, 0, whole, chosen < stripes_.end(r));
    for (std::size_t e = stripes_.begin(r); e < stripes_.end(r); ++e) out.member(volumes_.row_of(place_[e]));
    show_zones(out, zone, r, whole);
    if (chosen == stripes_.end(r)) continue;
    whole[static_cast<std::size_t>(slave_)] = taken(*world_, out.chosen(), slave_);
    out.box(stretch, 0, whole, true);
    show_compared(out, chosen, stripes_.end(r));
  }
  const shown_ends ends(out, true);
  ends.show(slave_, ends_.list(slave_));
}

// A stripe of a number of bodies has no sides of its own: as far as they reach, on the striped axes.
template <int D, shape S>
sketcher::sides stripe_sort<D, S>::sides_of_members(const sketcher& out, std::size_t stripe) const {
  sketcher::sides all = out.bounds();
  for (int k = 1; k < D; ++k) {
    const auto a = static_cast<std::size_t>(axis(k));
    bool any = false;
    for (std::size_t e = stripes_.begin(stripe); e < stripes_.end(stripe); ++e) {
      const auto one = taken(*world_, volumes_.row_of(place_[e]), axis(k));
      all[a] =
          any ? interval{std::min(all[a].min, one.min), std::max(all[a].max, one.max)} : interval{one.min, one.max};
      any = true;
    }
  }
  return all;
}

// For each striped axis, how far bodies that begin in an earlier stripe reach into this one; with stripes of a number
// of bodies, those that end in a later one.
template <int D, shape S>
void stripe_sort<D, S>::show_zones(sketcher& out, std::uint32_t kind, std::size_t stripe,
                                   const sketcher::sides& whole) const {
  for (int k = 1; k < D; ++k) {
    const auto a = static_cast<std::size_t>(axis(k));
    sketcher::sides zone = whole;
    (by_count_ ? zone[a].min : zone[a].max) = by_count_ ? zone[a].max : zone[a].min;
    std::vector<row> inside;
    for (std::size_t e = stripes_.begin(stripe); e < stripes_.end(stripe); ++e) {
      if (lower_[k][e] != begun_before) continue;
      inside.push_back(volumes_.row_of(place_[e]));
      const auto one = taken(*world_, inside.back(), axis(k));
      if (by_count_) {
        zone[a].min = std::min(zone[a].min, std::max(whole[a].min, one.min));
      } else {
        zone[a].max = std::max(zone[a].max, std::min(whole[a].max, one.max));
      }
    }
    if (inside.empty()) continue;
    out.box(kind, 0, zone);
    for (const row i : inside) out.member(i);
  }
}

// The later entries of its stripe that an entry is compared with, as in `find`.
template <int D, shape S>
void stripe_sort<D, S>::show_compared(sketcher& out, std::size_t entry, std::size_t end) const {
  for (std::size_t q = entry + 1; q < end && lower_[0][q] < upper_[0][entry]; ++q) {
    bool meets = first_met(entry, q) != 0;
    for (int k = 1; k < D; ++k) meets = meets && lower_[k][q] < upper_[k][entry] && upper_[k][q] >= lower_[k][entry];
    if (meets) out.compared(volumes_.row_of(place_[q]));
  }
}

constexpr parameter_info stripe_sort_parameters[] = {
    sort_parameter,
    {.name = "width",
     .range = "> 0",
     .default_value = "least load",
     .summary = "the width of a stripe, in the unit of the coordinates"},
    {.name = "stripes",
     .range = "count | width",
     .default_value = "width",
     .summary = "stripes of one width, with what reaches into them; or, as in the paper, of about sqrt(N) bodies each, "
                "with all that begins below their highest upper end"},
    {.name = "multiple",
     .range = "integer 1 to 1000000",
     .default_value = "1",
     .summary = "stripes=count: how many times sqrt(N) bodies (in 3D N^(2/3), then N^(1/3)) a stripe has"},
};

}  // namespace

extern const method_entry stripe_sort_entry;
const method_entry stripe_sort_entry{
    {.name = "stripe-sort",
     .document = "Perkins 1999, section 5.2",
     .summary = "sorts both ends of every body on each axis and compares their ranks, stripe by stripe",
     .suits = "many bodies of any sizes that move little between updates",
     .cost = "N",
     .quadratic = false,
     .parameters = stripe_sort_parameters},
    true,
    make_method<stripe_sort>};

}  // namespace abut
