#include <abut/search.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>

#include "base/parallel.hpp"
#include "base/sort.hpp"
#include "base/text.hpp"
#include "methods/method.hpp"
#include "plan/auto_plan.hpp"
#include "plan/constants_text.hpp"
#include "search/deliver.hpp"
#include "search/list_door.hpp"
#include "search/other_set.hpp"

namespace abut {

namespace {

// In 2D the third coordinate is ignored.
region flattened(region where, int dimension) {
  if (dimension == 3) return where;
  if (auto* s = std::get_if<sphere>(&where)) {
    s->center[2] = 0;
  } else {
    std::get<box>(where).min[2] = std::get<box>(where).max[2] = 0;
  }
  return where;
}

}  // namespace

class search::state {
 public:
  state(plan p, options o) : asked_(std::move(p)), options_(std::move(o)) {
    check(options_);
    check_constants(options_.constants);
    if (asked_.method() == "auto") auto_ = auto_plan(options_);
  }

  void update(const bodies& b, const changes& c);
  [[nodiscard]] std::size_t tasks() const { return at_work().tasks(); }
  void visit_pairs(pair_sink sink);
  void visit_batches(batch_sink sink);
  void visit_pairs_between(const other_set::state& others, pair_sink sink);
  void visit_batches_between(const other_set::state& others, batch_sink sink);
  [[nodiscard]] std::size_t tasks_between(std::size_t others) const {
    (void)at_work();
    return other_set::state::tasks_of(others);
  }
  [[nodiscard]] other_set::state checked_once(const bodies& others) const {
    (void)at_work();
    return {others, threads()};
  }
  void visit_in(const region& where, row_sink sink) const;
  [[nodiscard]] std::vector<pair> pairs();
  [[nodiscard]] sketch show(std::optional<row> body) const;

  [[nodiscard]] const plan& planned() const;
  [[nodiscard]] const bodies& searched() const { return (void)at_work(), searched_; }
  [[nodiscard]] measures measured() const;
  [[nodiscard]] const options& chosen() const { return options_; }
  [[nodiscard]] int threads() const { return usable_threads(options_.threads); }
  [[nodiscard]] abut::stats stats() const;

 private:
  class visit;
  [[nodiscard]] const method& at_work() const {
    if (!method_) throw error("the search has no bodies yet; call update before asking for pairs");
    return *method_;
  }
  [[nodiscard]] row_reader* reader_for(const bodies& b, const options& o);
  [[nodiscard]] bool plan_ahead(const world& now, std::optional<std::span<const row>> new_rows);
  [[nodiscard]] bool serves(const plan& p, const world& now) const;
  void update_method(const world& now, std::optional<std::span<const row>> new_rows);
  void replace_method(const plan& p, const world& now);
  void find_between(const other_set::state& others, std::size_t task, pair_batch& out) const;
  void progress(std::size_t done, std::size_t all) const {
    if (options_.progress) options_.progress(static_cast<double>(done) / static_cast<double>(all));
  }
  [[nodiscard]] row_map map_to(const world& now, std::optional<std::span<const row>> new_rows) const;
  template <class Found>
  counts rows_in(const region& where, Found&& found) const;
  template <class Find, class Finish>
  void deliver(std::size_t tasks, Find&& find, Finish&& finish, pair_sink sink);
  template <class Find, class Finish>
  void deliver_batches(std::size_t tasks, Find&& find, Finish&& finish, batch_sink sink);
  template <class Find, class Finish>
  void deliver_in_parallel(int threads, std::size_t tasks, Find& find, Finish& finish, pair_sink sink);

  plan asked_;
  // The answer of `planned`, made on demand: composing it takes longer than searching few bodies.
  mutable std::optional<plan> planned_;
  mutable std::mutex planned_lock_;
  options options_;
  std::optional<auto_plan> auto_;
  std::optional<auto_plan> next_auto_;  // scratch for `plan_ahead`, kept for its memory
  plan made_from_;                      // the plan that the method was made with
  bodies searched_;
  std::unique_ptr<world> world_;
  std::unique_ptr<method> method_;
  counts counts_;
  std::atomic<int> visits_ = 0;  // under way
};

// While pairs are visited, the user's function may call anything of the search, but what it is visited in must stay.
class search::state::visit {
 public:
  explicit visit(state& of) : of_(of) { ++of_.visits_; }
  ~visit() { --of_.visits_; }
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

 private:
  state& of_;
};

// The map of rows from the last world to this one, ghosts included. Without a map from the user, rows keep their
// places.
row_map search::state::map_to(const world& now, std::optional<std::span<const row>> new_rows) const {
  if (new_rows) return row_map(now.map_from(*world_, *new_rows));
  if (world_->own() == now.own() && !world_->has_ghosts() && !now.has_ghosts()) return row_map::same(now.size());
  std::vector<row> same(world_->own(), no_row);
  for (row i = 0; i < std::min(world_->own(), now.own()); ++i) same[i] = i;
  return row_map(now.map_from(*world_, same));
}

// The method's reader for the next update. With periodic axes there is none: the world's rows are not the user's.
row_reader* search::state::reader_for(const bodies& b, const options& o) {
  const periodic_axes& axes = o.periodic;
  const bool periodic = std::any_of(axes.begin(), axes.end(), [](const auto& p) { return p.has_value(); });
  return method_ && !periodic ? method_->reader(b, threads()) : nullptr;
}

// Lets `auto` plan for these bodies, on a copy: if the update fails, nothing has changed. Returns whether there is a
// new state of `auto`, in next_auto_.
bool search::state::plan_ahead(const world& now, std::optional<std::span<const row>> new_rows) {
  if (!auto_ || auto_->stays(now)) return false;
  next_auto_ = auto_;
  next_auto_->follow(now, world_ ? new_rows : std::nullopt);
  return true;
}

// Whether the present method is the one that the plan asks for, made for such bodies.
bool search::state::serves(const plan& p, const world& now) const {
  return method_ && made_from_ == p && world_->kind() == now.kind() && world_->dimension() == now.dimension();
}

void search::state::update_method(const world& now, std::optional<std::span<const row>> new_rows) {
  const bool incremental = entry_named(made_from_.method()).incremental;
  try {
    method_->update(now, incremental ? map_to(now, new_rows) : row_map());
  } catch (const error&) {
    throw;  // by its contract the method has changed nothing
  } catch (...) {
    method_.reset();  // it may be half updated: return to the state before the first update
    world_.reset();
    throw;
  }
}

void search::state::replace_method(const plan& p, const world& now) {
  plan made_from = p;
  plan bare = p;  // without its reason, since the method adds its own
  auto made = entry_named(p.method()).make(bare.because(""), now.kind(), now.dimension());
  made->update(now, row_map());
  method_ = std::move(made);
  made_from_ = std::move(made_from);
}

// Everything that may throw comes before the first change, except where update_method says otherwise.
void search::state::update(const bodies& b, const changes& c) {
  if (visits_ > 0)
    throw error("the search was updated by a function that it calls with its pairs: update it afterwards");
  const auto& new_rows = c.new_rows;
  std::optional<options> changed;
  if (c.margin || c.periodic) {
    changed = options_;
    if (c.margin) changed->margin = *c.margin;
    if (c.periodic) changed->periodic = *c.periodic;
    check(*changed);
  }
  const options& o = changed ? *changed : options_;
  if (new_rows) check_map(*new_rows, world_ ? world_->own() : 0, b.size());
  auto now = std::make_unique<world>(b, o, threads(), reader_for(b, o));
  const bool replanned = plan_ahead(*now, new_rows);
  const plan& chosen = !auto_ ? asked_ : replanned ? next_auto_->chosen() : auto_->chosen();
  if (serves(chosen, *now)) {
    update_method(*now, new_rows);
  } else {
    replace_method(chosen, *now);
  }
  world_ = std::move(now);
  searched_ = b;
  planned_.reset();
  if (replanned) std::swap(auto_, next_auto_);
  if (changed) options_ = std::move(*changed);
  counts_ = {};
}

const plan& search::state::planned() const {
  if (!method_) return asked_;
  const std::lock_guard hold(planned_lock_);
  if (!planned_) {
    const std::string& why = (auto_ ? auto_->chosen() : asked_).reason();
    planned_ = method_->planned();
    if (planned_->reason().empty()) {
      planned_->because(why);
    } else if (!why.empty()) {
      planned_->because(why + "; " + planned_->reason());
    }
  }
  return *planned_;
}

// Runs `find(task, batch)` for all tasks and passes the pairs to the sink, in order. `finish(first, count)` edits each
// batch before that, and returns how many pairs are left in it.
template <class Find, class Finish>
void search::state::deliver(std::size_t tasks, Find&& find, Finish&& finish, pair_sink sink) {
  counts_ = {};
  // With only a task or two for each thread, waking the threads costs more than it saves.
  const int used = static_cast<int>(std::min(static_cast<std::size_t>(threads()), tasks / 4));
  if (used > 1) {
    deliver_in_parallel(used, tasks, find, finish, sink);
    return;
  }
  auto hand_on = [&](pair* first, std::size_t count) {
    count = finish(first, count);
    counts_.pairs += count;
    if (count > 0) sink.call(sink.context, first, count);
  };
  auto out = batch_into<pair>(hand_on);
  for (std::size_t t = 0; t < tasks; ++t) {
    find(t, out);
    out.flush();
    progress(t + 1, tasks);
  }
  counts_ += out.count;
}

template <class Find, class Finish>
void search::state::deliver_in_parallel(int threads, std::size_t tasks, Find& find, Finish& finish, pair_sink sink) {
  std::vector<counts> of_task(tasks);
  ordered_delivery<pair> delivery;
  delivery.run(
      threads, tasks,
      [&](std::size_t t, std::vector<pair>& items) {
        auto keep = [&](pair* first, std::size_t count) {
          items.insert(items.end(), first, first + finish(first, count));
        };
        auto out = batch_into<pair>(keep);
        find(t, out);
        out.flush();
        of_task[t] = out.count;
      },
      [&](std::size_t t, const std::vector<pair>& items) {
        counts_ += of_task[t];
        counts_.pairs += items.size();
        for (std::size_t k = 0; k < items.size(); k += pair_batch::capacity) {
          sink.call(sink.context, items.data() + k, std::min(pair_batch::capacity, items.size() - k));
        }
        progress(t + 1, tasks);
      });
}

void search::state::visit_pairs(pair_sink sink) {
  const visit now(*this);
  const method& m = at_work();
  deliver(
      m.tasks(), [&](std::size_t t, pair_batch& out) { m.find(t, out); },
      [&](pair* first, std::size_t count) { return world_->own_pairs(first, count); }, sink);
}

// Runs `find(task, batch)` for all tasks and passes the pairs to the sink on the thread that found them. `finish` as
// for `deliver`.
template <class Find, class Finish>
void search::state::deliver_batches(std::size_t tasks, Find&& find, Finish&& finish, batch_sink sink) {
  std::vector<counts> of_task(tasks);
  parallel_for(threads(), tasks, [&](std::size_t t) {
    std::size_t found = 0;
    auto hand_on = [&](pair* first, std::size_t count) {
      count = finish(first, count);
      found += count;
      if (count > 0) sink.call(sink.context, t, first, count);
    };
    auto out = batch_into<pair>(hand_on);
    find(t, out);
    out.flush();
    of_task[t] = out.count;
    of_task[t].pairs = found;
  });
  counts_ = {};
  for (const counts& c : of_task) counts_ += c;
}

void search::state::visit_batches(batch_sink sink) {
  const visit now(*this);
  const method& m = at_work();
  deliver_batches(
      m.tasks(), [&](std::size_t t, pair_batch& out) { m.find(t, out); },
      [&](pair* first, std::size_t count) { return world_->own_pairs(first, count); }, sink);
}

// Calls `found(first, count)` with the user's rows that overlap the region, each row once, through whichever images.
// Allocates no memory of its own: it runs for every body of another set.
template <class Found>
counts search::state::rows_in(const region& where, Found&& found) const {
  const method& m = at_work();
  counts sum;
  const region_images images(*world_, where);
  for (int image = 0; image < images.size(); ++image) {
    auto hand_on = [&](row* first, std::size_t count) {
      std::size_t kept = 0;
      for (std::size_t k = 0; k < count; ++k) {
        if (first[k] < world_->own() && images.first(image, first[k])) first[kept++] = first[k];
      }
      found(first, kept);
    };
    auto out = batch_into<row>(hand_on);
    m.find_in(images.at(image), out);
    out.flush();
    sum += out.count;
  }
  return sum;
}

void search::state::visit_in(const region& where, row_sink sink) const {
  (void)at_work();
  const region here = flattened(where, world_->dimension());
  abut::check(here);
  check_distance(*world_, here, [] { return std::string("the region"); });
  rows_in(here, [&](const row* first, std::size_t count) {
    if (count > 0) sink.call(sink.context, first, count);
  });
}

// Each body of the other set is a region. Pairs come in the order of j.
void search::state::find_between(const other_set::state& others, std::size_t task, pair_batch& out) const {
  const world& asked = others.all();
  for (row j = others.begin(task); j < others.begin(task + 1); ++j) {
    out.count += rows_in(asked.get(j), [&](const row* first, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) {
        if (!world_->muted_between(first[k], asked, j)) out.add(pair{first[k], j});
      }
    });
  }
}

void search::state::visit_pairs_between(const other_set::state& others, pair_sink sink) {
  const visit now(*this);
  (void)at_work();
  others.check_against(*world_);
  deliver(
      others.tasks(), [&](std::size_t t, pair_batch& out) { find_between(others, t, out); },
      [](pair*, std::size_t count) { return count; }, sink);
}

void search::state::visit_batches_between(const other_set::state& others, batch_sink sink) {
  const visit now(*this);
  (void)at_work();
  others.check_against(*world_);
  deliver_batches(
      others.tasks(), [&](std::size_t t, pair_batch& out) { find_between(others, t, out); },
      [](pair*, std::size_t count) { return count; }, sink);
}

std::vector<pair> search::state::pairs() {
  std::vector<pair> all;
  auto keep = [&](const pair* first, std::size_t count) { all.insert(all.end(), first, first + count); };
  visit_pairs({[](void* context, const pair* first, std::size_t count) {
                 (*static_cast<decltype(keep)*>(context))(first, count);
               },
               &keep});
  sort_pairs(all, threads());
  return all;
}

sketch search::state::show(std::optional<row> body) const {
  const method& m = at_work();
  if (body && *body >= world_->own()) {
    throw error("there is no body " + std::to_string(*body) + " to show; there are " + std::to_string(world_->own()) +
                ", and rows count from 0");
  }
  sketch all;
  sketcher out(*world_, body.value_or(no_row), all);
  m.show(out);
  return all;
}

// What the world has measured, unless it has wrapped the bodies.
measures search::state::measured() const {
  const periodic_axes& axes = options_.periodic;
  const bool periodic = std::any_of(axes.begin(), axes.end(), [](const auto& p) { return p.has_value(); });
  return periodic ? check(searched(), threads()) : world_->measured_own();
}

stats search::state::stats() const {
  abut::stats s;
  s.candidates = counts_.candidates;
  s.tests = counts_.tests;
  s.pairs = counts_.pairs;
  if (method_) {
    s.bytes = method_->bytes() + world_->bytes();
    s.events = method_->events();
    s.counts = method_->counted_in_update();
    const auto names = method_->counted();
    for (std::size_t k = 0; k < names.size(); ++k) s.counts.push_back({std::string(names[k]), counts_.named[k]});
    if (auto_) s.predicted = auto_->predicted();
  }
  return s;
}

search::search() : search(plan()) {}
search::search(plan p, options o) : state_(std::make_unique<state>(std::move(p), std::move(o))) {}
search::~search() = default;
search::search(search&&) noexcept = default;
search& search::operator=(search&&) noexcept = default;

void search::update(const bodies& b) { state_->update(b, {}); }
void search::update(const bodies& b, const changes& c) { state_->update(b, c); }
std::size_t search::tasks() const { return state_->tasks(); }
void search::visit_pairs(pair_sink sink) { state_->visit_pairs(sink); }
void search::visit_batches(batch_sink sink) { state_->visit_batches(sink); }
void search::visit_pairs_between(const other_set& others, pair_sink sink) {
  state_->visit_pairs_between(*others.state_, sink);
}
void search::visit_pairs_between(const bodies& others, pair_sink sink) {
  state_->visit_pairs_between(state_->checked_once(others), sink);
}
void search::visit_batches_between(const other_set& others, batch_sink sink) {
  state_->visit_batches_between(*others.state_, sink);
}
void search::visit_batches_between(const bodies& others, batch_sink sink) {
  state_->visit_batches_between(state_->checked_once(others), sink);
}
std::size_t search::tasks_between(const other_set& others) const { return state_->tasks_between(others.size()); }
std::size_t search::tasks_between(const bodies& others) const { return state_->tasks_between(others.size()); }
void search::visit_in(const region& where, row_sink sink) const { state_->visit_in(where, sink); }
std::vector<pair> search::pairs() { return state_->pairs(); }
sketch search::show(std::optional<row> body) const { return state_->show(body); }
const plan& search::planned() const { return state_->planned(); }
const bodies& search::searched() const { return state_->searched(); }
const options& search::chosen() const { return state_->chosen(); }
int search::threads() const { return state_->threads(); }
stats search::stats() const { return state_->stats(); }

measures list_door::measured(const search& s) { return s.state_->measured(); }
measures list_door::measured(const other_set& others) { return others.state_->all().measured(); }

std::vector<pair> find_pairs(const bodies& b, const options& o) {
  search s{plan(), o};
  s.update(b);
  return s.pairs();
}

}  // namespace abut
