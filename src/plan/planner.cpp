#include "plan/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "methods/method.hpp"
#include "plan/constants_text.hpp"
#include "steps/cell_size.hpp"

namespace abut {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// `measured_candidates` tries plans that are predicted to take up to `promising` times as long as the best, about
// `most_tried` in all.
constexpr double promising = 3;
constexpr std::size_t most_tried = 8;

// The method that keeps a list of near pairs, for bodies that move.
const method_entry& list_method() {
  static const method_entry& found =
      **std::find_if(method_table().begin(), method_table().end(), [](const auto* e) { return e->list != nullptr; });
  return found;
}

// The constants are measured on spheres. Boxes have more numbers to read and compare: all methods take about twice as
// long with them (bench/far.cpp).
double of_shape(const features& f) { return f.kind == shape::box ? 2 : 1; }

// The distance at which a list costs least, the steps that the list then lasts, and its cost in ns per body and step.
struct list_choice {
  double distance = 0;
  double steps = 1;
  double cost = infinity;
};

double cost_of_list(const features& f, const cost_constants& c, const cost_model& by, double distance) {
  const list_model& list = *list_method().list;
  const double rebuild = predicted(list.of_rebuild(f, distance, predicted(by.of(f.wider(distance)), c)), c);
  const double step = predicted(list.of_step(f, distance), c) + rebuild / list.steps(f, distance);
  return of_shape(f) * step + list.stray * f.fast;
}

list_choice best_list(const features& f, const cost_constants& c, const cost_model& by) {
  list_choice best;
  double distance = f.mean;
  for (int k = 0; k < 24; ++k, distance /= 1.25) {  // down to half a percent of the mean width
    const double cost = cost_of_list(f, c, by, distance);
    if (cost < best.cost) best = {distance, list_method().list->steps(f, distance), cost};
  }
  return best;
}

std::string motion_in_words(const features& f, const list_choice& l) {
  return "bodies move by about " + about(*f.move / f.mean) +
         " of their width per step, so that a list of neighbors lasts " + about(l.steps) +
         (l.steps < 1.05 ? " step" : " steps");
}

std::string sizes_in_words(const features& f) {
  return f.sizes.size() == 1 ? "" : "sizes span " + about(f.widest / f.least) + "x, ";
}

// The plan's method; with its parameters if the first plan has the same method.
std::string short_name(const candidate& c, const candidate& first) {
  return c.what.method() == first.what.method() ? c.what.text() : c.what.method();
}

// Names the plans that cost at most a tenth more than the best. If there is none, says how much slower the second is.
std::string others_in_words(const std::vector<candidate>& all) {
  if (all.size() < 2) return "";
  std::string names;
  std::vector<std::string> good;
  for (std::size_t k = 1; k < all.size(); ++k) {
    const std::string name = short_name(all[k], all[0]);
    if (!all[k].as_good || std::find(good.begin(), good.end(), name) != good.end()) continue;
    names += (good.empty() ? "" : ", ") + name;
    good.push_back(name);
  }
  if (!good.empty()) return "; " + names + (good.size() == 1 ? " is as good" : " are as good");
  const bool measured = all[0].measured && all[1].measured;
  const double times = measured ? *all[1].measured / *all[0].measured : all[1].predicted / all[0].predicted;
  return "; " + short_name(all[1], all[0]) + (measured ? " took " : " would take ") + about(times) + " times as long";
}

void mark_as_good(std::vector<candidate>& all) {
  for (candidate& c : all) {
    const bool measured = all[0].measured.has_value();
    c.as_good = measured ? c.measured && *c.measured <= as_good_as * *all[0].measured
                         : c.predicted <= as_good_as * all[0].predicted;
  }
}

std::string power_of_two(double v) {
  return v > 0 ? "2^" + std::to_string(std::lround(std::log2(v))) : std::string("0");
}

// Says why the first plan was chosen.
std::string reason_for(const std::vector<candidate>& all, const features& f, const cost_constants& c,
                       const cost_model& by) {
  const candidate& best = all.front();
  std::string words;
  const method_entry& entry = entry_named(best.what.method());
  if (entry.list != nullptr && f.move) {
    words = motion_in_words(f, best_list(f, c, by));
  } else if (entry.model != nullptr) {
    words = sizes_in_words(f) + entry.model->why(f);
  }
  return words + others_in_words(all);
}

// The methods that have a model, with their plans; made once, because parsing a plan takes longer than evaluating its
// model.
const std::vector<std::pair<const cost_model*, plan>>& plans_with_models() {
  static const auto all = [] {
    std::vector<std::pair<const cost_model*, plan>> made;
    for (const method_entry* entry : method_table()) {
      if (entry->model != nullptr) made.emplace_back(entry->model, plan(entry->info.name));
    }
    return made;
  }();
  return all;
}

bool cheaper(const candidate& a, const candidate& b) { return a.predicted < b.predicted; }

// The plans that keep nothing from step to step, the best first.
std::vector<candidate> without_lists(const features& f, const cost_constants& c) {
  std::vector<candidate> all;
  for (const auto& [model, p] : plans_with_models()) {
    all.push_back({.what = p, .predicted = of_shape(f) * predicted(model->of(f), c), .measured = {}});
  }
  std::stable_sort(all.begin(), all.end(), cheaper);
  return all;
}

// The method that would rebuild a list: the best of the plans without one.
const method_entry& rebuilder(const std::vector<candidate>& all) { return entry_named(all.front().what.method()); }

}  // namespace

double predicted(const plan& p, const features& f, const cost_constants& c) {
  if (p.method() == "auto") return infinity;
  const method_entry& entry = entry_named(p.method());
  if (entry.list != nullptr) {
    const cost_model* const by = entry_named(p.parameter_value("by").value_or("grid")).model;
    return f.move && by != nullptr ? best_list(f, c, *by).cost : infinity;
  }
  return entry.model != nullptr ? of_shape(f) * predicted(entry.model->of(f), c) : infinity;
}

std::vector<candidate> estimate(const features& f, const calibration& c) {
  std::vector<candidate> all = without_lists(f, c.constants);
  const method_entry& by = rebuilder(all);
  if (f.move && f.count > 1) {
    const plan list = plan(std::string(list_method().info.name) + " by=" + std::string(by.info.name));
    all.push_back({.what = list, .predicted = best_list(f, c.constants, *by.model).cost, .measured = {}});
    std::stable_sort(all.begin(), all.end(), cheaper);
  }
  if (const std::string* const learned = c.learned.empty() ? nullptr : c.learned_for(rounded(f))) {
    const plan p = in_lengths(plan(*learned), f);
    const double cost = predicted(p, f, c.constants);
    std::erase_if(all, [&](const candidate& a) { return a.what == p; });
    all.insert(all.begin(), {.what = p, .predicted = cost, .measured = {}});
    all.front().as_good = true;
    all.front().what.because("the fastest when it was measured for bodies like these");
    return all;
  }
  mark_as_good(all);
  all.front().what.because(reason_for(all, f, c.constants, *by.model));
  return all;
}

std::string rounded(const features& f) {
  return std::string(f.kind == shape::sphere ? "spheres " : "boxes ") + std::to_string(f.dimension) +
         "D count=" + power_of_two(f.count) + " sizes=" + power_of_two(f.widest / f.least) +
         " others=" + power_of_two(f.others(3 * f.mean)) +
         " move=" + (f.move ? power_of_two(*f.move / f.mean) : std::string("unknown"));
}

namespace {

// The plan with its distance, if it has one, multiplied by a factor.
plan with_distance(const plan& p, double factor) {
  plan result = p;
  double distance = 0;
  const auto given = p.parameter_value("distance");
  if (given && parse_number(*given, distance)) result.set("distance", number_text(rounded_size(distance * factor)));
  return result;
}

// The promising plans; lists also with three given distances, besides the method's own choice.
std::vector<candidate> to_try(const std::vector<candidate>& all, const features& f, const cost_constants& c) {
  std::vector<candidate> some;
  const double most = promising * all.front().predicted;
  for (const candidate& a : all) {
    if (some.size() >= most_tried || (a.predicted > most && !some.empty())) break;
    some.push_back(a);
    const auto by = a.what.parameter_value("by");
    if (entry_named(a.what.method()).list == nullptr || a.what.parameter_value("distance") || !by) continue;
    const double fair = best_list(f, c, *entry_named(*by).model).distance;
    for (const double factor : {0.5, 1.0, 2.0}) {
      candidate other = a;
      other.what.set("distance", number_text(rounded_size(factor * fair)));
      some.push_back(other);
    }
  }
  return some;
}

std::vector<candidate> measure(const bodies& b, const options& o, const features& f) {
  const bool own = o.constants.empty();  // the machine's own constants, which the cache keeps
  if (own) calibrate_if_needed();
  calibration c = *calibration_for(o.constants);
  c.learned.clear();
  const std::vector<candidate> all = estimate(f, c);
  std::vector<candidate> tried = to_try(all, f, c.constants);
  try_out(tried, b, o);
  std::stable_sort(tried.begin(), tried.end(),
                   [](const candidate& x, const candidate& y) { return *x.measured < *y.measured; });
  for (const candidate& a : all) {
    const auto same = [&](const candidate& t) { return t.what == a.what; };
    if (std::none_of(tried.begin(), tried.end(), same)) tried.push_back(a);
  }
  for (candidate& t : tried) t.what.because("");
  mark_as_good(tried);
  tried.front().what.because(reason_for(tried, f, c.constants, *rebuilder(without_lists(f, c.constants)).model));
  if (own) remember(rounded(f), in_widths(tried.front().what, f).text());
  return tried;
}

}  // namespace

plan in_widths(const plan& p, const features& f) { return with_distance(p, 1 / f.mean); }
plan in_lengths(const plan& p, const features& f) { return with_distance(p, f.mean); }

namespace {

features checked_features(const bodies& b, const options& o) {
  check(o);
  check_constants(o.constants);
  const world w(b, o, usable_threads(o.threads));
  return features_of(w, o.motion);
}

}  // namespace

std::vector<candidate> estimated_candidates(const bodies& b, const options& o) {
  return estimate(checked_features(b, o), *calibration_for(o.constants));
}

std::vector<candidate> measured_candidates(const bodies& b, const options& o) {
  return measure(b, o, checked_features(b, o));
}

plan estimated_plan(const bodies& b, const options& o) { return estimated_candidates(b, o).front().what; }
plan measured_plan(const bodies& b, const options& o) { return measured_candidates(b, o).front().what; }

}  // namespace abut
