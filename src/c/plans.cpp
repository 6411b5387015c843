// The C interface to what a search says about itself and its bodies: plans, counts, and how two bodies touch.

#include <abut/abut.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <abut/geometry.hpp>
#include <abut/planner.hpp>

#include "c/inside.hpp"

using abut::error;
using abut::fill_in;
using abut::given;
using abut::guarded;

namespace {

void check_row(abut::row i, std::size_t rows, std::size_t k) {
  if (i < rows) return;
  throw error("pair " + std::to_string(k) + " has row " + std::to_string(i) + "; there are " + std::to_string(rows) +
              " bodies");
}

abut_touch touch_of(const abut::touch& t) {
  abut_touch made{.overlap = t.overlap, .normal = {}, .point = {}};
  std::copy(t.normal.begin(), t.normal.end(), made.normal);
  std::copy(t.point.begin(), t.point.end(), made.point);
  return made;
}

/// Keeps what was counted in `kept`, for C.
void show(std::vector<abut::stats::event> counted, abut_search::named_counts& kept, const abut_event*& first,
          std::size_t& size) {
  std::vector<abut_event> shown;
  shown.reserve(counted.size());
  for (const abut::stats::event& e : counted) shown.push_back({e.name.c_str(), e.count});
  kept.named = std::move(counted);  // moves the vector, not the strings that `shown` refers to
  kept.shown = std::move(shown);
  first = kept.shown.data();
  size = kept.shown.size();
}

std::vector<abut::candidate> considered(const abut::search& search, bool measure) {
  const abut::bodies& b = search.searched();
  return measure ? abut::measured_candidates(b, search.chosen()) : abut::estimated_candidates(b, search.chosen());
}

}  // namespace

int abut_touches(const abut_search* search, const abut_pair* pairs, size_t count, abut_touch* touches) {
  return guarded([&] {
    const abut::search& from = given(search, "search").search;
    const abut::bodies& b = from.searched();
    if (count == 0) return;
    (void)given(pairs, "pairs");
    (void)given(touches, "touches");
    for (std::size_t k = 0; k < count; ++k) {
      check_row(pairs[k].i, b.size(), k);
      check_row(pairs[k].j, b.size(), k);
    }
    const abut::periodic_axes& periodic = from.chosen().periodic;
    for (std::size_t k = 0; k < count; ++k) {
      touches[k] = touch_of(abut::touch_of(b, abut::pair{pairs[k].i, pairs[k].j}, periodic));
    }
  });
}

int abut_planned(abut_search* search, const char** plan) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const char*& text = given(plan, "plan");
    from.planned = from.search.planned().text();
    text = from.planned.c_str();
  });
}

int abut_stats_of(const abut_search* search, abut_stats* stats) {
  return guarded([&] {
    const abut_search& from = given(search, "search");
    fill_in(stats, "stats", "abut_stats", {offsetof(abut_stats, predicted)}, [&](abut_stats& out) {
      const abut::stats counted = from.search.stats();
      out.candidates = counted.candidates;
      out.tests = counted.tests;
      out.pairs = counted.pairs;
      out.bytes = counted.bytes + from.pairs.capacity() * sizeof(abut::pair);
      out.predicted = counted.predicted.value_or(0);
    });
  });
}

int abut_events(abut_search* search, const abut_event** events, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut_event*& first = given(events, "events");
    show(from.search.stats().events, from.events, first, given(count, "count"));
  });
}

int abut_counts(abut_search* search, const abut_event** counts, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut_event*& first = given(counts, "counts");
    show(from.search.stats().counts, from.counts, first, given(count, "count"));
  });
}

int abut_candidates(abut_search* search, int measure, const abut_candidate** candidates, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut_candidate*& first = given(candidates, "candidates");
    std::size_t& size = given(count, "count");
    std::vector<std::string> plans;
    std::vector<abut_candidate> shown;
    const std::vector<abut::candidate> all = considered(from.search, measure != 0);
    plans.reserve(all.size());  // so that no text moves
    for (const abut::candidate& c : all) {
      plans.push_back(c.what.text());
      shown.push_back({plans.back().c_str(), c.predicted, c.measured.value_or(0), c.as_good ? 1 : 0});
    }
    from.plans = std::move(plans);
    from.candidates = std::move(shown);
    first = from.candidates.data();
    size = from.candidates.size();
  });
}
