#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <abut/api.h>
#include <abut/bodies.hpp>
#include <abut/error.hpp>
#include <abut/other_set.hpp>
#include <abut/overlap.hpp>
#include <abut/plan.hpp>
#include <abut/sketch.hpp>

namespace abut {

/// The rows of two bodies that overlap, with i < j.
struct pair {
  row i;  ///< the smaller row
  row j;  ///< the greater row
  /// The same rows.
  friend bool operator==(const pair&, const pair&) = default;
  /// By i, then j.
  friend bool operator<(const pair& a, const pair& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; }
};

/// A range on an axis.
struct interval {
  double min = 0;  ///< its start
  double max = 0;  ///< its end
};

/// For each axis: the period, if space repeats along it.
using periodic_axes = std::array<std::optional<interval>, 3>;

/// The largest number of threads that a search accepts.
inline constexpr int most_threads = 1024;

/// The options of a search. `margin` and `periodic` can change with each update (see `changes`); the others are fixed
/// for the search's lifetime.
struct options {
  /// A gap of at most this length counts as overlap, in every call. At least 0.
  double margin = 0;

  /// The periodic axes. Bodies may lie anywhere, since they are wrapped into the period; two bodies also pair if they
  /// overlap through a border. `update` refuses a period shorter than twice the largest reach, which is the largest
  /// diameter or side plus the margin.
  periodic_axes periodic{};

  /// The number of threads, at most `most_threads`; 0 for as many as OpenMP offers. If the system cannot start that
  /// many, the search uses fewer. Results and their order do not depend on it.
  int threads = 0;

  /// How far bodies move between two updates: the largest displacement along an axis, if you know it. Only the planner
  /// uses it: it chooses a list of neighbors for bodies that move little. The plan `auto` observes the motion by itself
  /// from the second update on.
  std::optional<double> motion{};

  /// The constants of the planner's models, as text (abut/planner.hpp). Empty: those of this machine, from the cache
  /// file. If given, the planner opens no file, `auto` reads no clock, and plans depend on nothing but the bodies and
  /// the options:
  ///  - "avx512", "avx2", "sse4", "neon" or "scalar": those built in for this set of vector instructions, whichever set
  ///    is in use, so that every machine makes the same plans;
  ///  - "built-in": those built in for the set in use;
  ///  - a text that `abut::constants` has returned.
  std::string constants{};

  /// Called on the calling thread during `for_each_pair`, `for_each_pair_between` and `pairs`, after each task, with
  /// the fraction of the work that is done (0 to 1). It may throw to stop the search. `for_each_batch`,
  /// `for_each_batch_between`, `for_each_in` and `update` never call it.
  std::function<void(double)> progress{};
};

/// What has changed since the last update, besides the bodies' own numbers. What is not given stays as it is.
///
///     search.update(bodies, {.margin = skin});
///     search.update(bodies, {.periodic = abut::periodic_axes{abut::interval{0, width}}, .new_rows = map});
struct changes {
  /// The margin, for this update and those that follow.
  std::optional<double> margin{};

  /// All periodic axes, for this update and those that follow: an axis without a period no longer repeats, so
  /// `abut::periodic_axes{}` ends all repetition. A period that changes a little costs no more than one that does not.
  std::optional<periodic_axes> periodic{};

  /// If bodies have changed rows: `new_rows[k]` is the current row of the body that was row k at the last update, or
  /// `no_row` if it is gone. Rows that do not appear in it are new bodies. Read during the call only.
  std::optional<std::span<const row>> new_rows{};
};

/// What a search did. `candidates`, `tests` and `pairs` are those of the last `for_each_pair`, `for_each_batch`,
/// `for_each_pair_between`, `for_each_batch_between` or `pairs`, and 0 after an update.
struct stats {
  /// Something that a method did and that explains its speed, such as "rebuilds" of a list.
  struct event {
    std::string name;         ///< what it did
    std::uint64_t count = 0;  ///< how often
  };

  std::uint64_t candidates = 0;  ///< pairs that the method alone would report, before `overlap` decides
  std::uint64_t tests = 0;       ///< comparisons of two bodies: by `overlap`, or by a filter that
                                 ///< `grid` and `nearest-neighbor` run before it in single precision
  std::uint64_t pairs = 0;       ///< pairs found
  std::uint64_t bytes = 0;       ///< memory that the search holds, the user's arrays not included
  std::vector<event> events{};   ///< since the search was made

  /// What the method's document counts, by name, such as "rank comparisons": of the last update, then of the last
  /// search for pairs since then. Unlike times, they show how the work grows with the number of bodies.
  std::vector<event> counts{};

  /// What the planner predicts for the plan in use, if the plan asked for is `auto` and there are more than 32 bodies:
  /// ns per body, for an update and a search for all pairs on one thread.
  std::optional<double> predicted{};
};

/// A planned method at work on a set of bodies.
///
///     abut::search search;                       // or search("grid"), or search("grid", {.margin = 0.1})
///     search.update(abut::spheres(x, y, z, r));  // in every step
///     search.for_each_pair([&](abut::row i, abut::row j) { ... });
///
/// The order of pairs depends on the bodies, the plan and the updates so far, never on the number of threads.
/// The `const` members may be called from several threads at once; the others are for one thread at a time.
/// Functions that ask for pairs, bodies or tasks throw `error` before the first update. What `f` throws passes through.
class search {
 public:
  /// A search with the plan `auto` and default options.
  ABUT_API search();
  /// A search with the plan `auto` and these options: `search({.margin = 0.1})`. Throws `error` for an option outside
  /// its range.
  explicit search(options o) : search(plan(), std::move(o)) {}
  /// A search with this plan and these options. Throws `error` for an option outside its range.
  ABUT_API explicit search(plan p, options o = {});
  /// The same, with a plan as text: `search("grid")`. Throws `error` as `plan` does.
  template <std::convertible_to<std::string_view> Text>
  explicit search(const Text& text, options o = {}) : search(plan(std::string_view(text)), std::move(o)) {}
  ABUT_API ~search();
  /// Moves in constant time. A moved-from search can only be assigned to or destroyed.
  ABUT_API search(search&&) noexcept;
  /// Moves in constant time. A moved-from search can only be assigned to or destroyed.
  ABUT_API search& operator=(search&&) noexcept;

  /// Takes in the bodies' current state: up to 2^30 of them, anywhere. The arrays behind `b` are read in place: they
  /// must exist, unchanged, until the next update. Throws `error` for invalid bodies, naming the body and the value,
  /// and if it is called by a function that the search is calling with its pairs; the search then still answers for the
  /// bodies it had. Assumes that row i is still the same body; if that is wrong,
  /// the pairs are right all the same, but methods that keep state from step to step are slower.
  ABUT_API void update(const bodies& b);

  /// The same with another margin, other periods or a map of rows. Throws `error` also for a margin or a period outside
  /// its range; then nothing has changed, and the old ones are still in force. All methods keep what they can of their
  /// state.
  ABUT_API void update(const bodies& b, const changes& c);

  /// The same with a map of rows only: `changes::new_rows`. It can be a span, a vector or an array.
  template <class Rows>
  requires std::is_convertible_v<const Rows&, std::span<const row>>
  void update(const bodies& b, const Rows& new_rows) {
    changes moved;
    moved.new_rows = new_rows;
    update(b, moved);
  }

  /// Calls `f(i, j)` for every pair, once, with i < j, on the calling thread. `f` can be inlined.
  template <class F>
  void for_each_pair(F&& f) {
    visit_pairs(sink_of(f));
  }

  /// Calls `f(task, batch)` from all threads at once, for loops that are parallel themselves. `batch` is a
  /// `std::span<const pair>`, valid during the call; `task` is in [0, tasks()). The batches of one task come in order,
  /// on one thread; which pairs a task has does not depend on the number of threads.
  template <class F>
  void for_each_batch(F&& f) {
    visit_batches(batch_sink_of(f));
  }

  /// The number of tasks into which `for_each_batch` splits the work. Does not depend on the number of threads.
  [[nodiscard]] ABUT_API std::size_t tasks() const;

  /// Calls `f(i, j)` for every body i of the search and body j of `others` that overlap, ordered by j, on the calling
  /// thread. Two fixed bodies never pair. `others` may have the other shape but must have the same dimension. Throws
  /// `error` before the first call of `f`.
  template <class F>
  void for_each_pair_between(const other_set& others, F&& f) {
    visit_pairs_between(others, sink_of(f));
  }

  /// The same for bodies that are checked at each call, as `update` checks, and read during the call only.
  template <class F>
  void for_each_pair_between(const bodies& others, F&& f) {
    visit_pairs_between(others, sink_of(f));
  }

  /// The same pairs from all threads at once: calls `f(task, batch)` as `for_each_batch` does, with `task` in
  /// [0, tasks_between(others)). A task has a range of the other set's bodies and gives their pairs ordered by j; a
  /// later task has later ones. So each j belongs to one task, and what `f` adds up for it needs no lock.
  template <class F>
  void for_each_batch_between(const other_set& others, F&& f) {
    visit_batches_between(others, batch_sink_of(f));
  }

  /// The same for bodies that are checked at each call, as `update` checks, and read during the call only.
  template <class F>
  void for_each_batch_between(const bodies& others, F&& f) {
    visit_batches_between(others, batch_sink_of(f));
  }

  /// The number of tasks into which `for_each_batch_between` splits the work. Depends only on the number of bodies of
  /// the other set.
  [[nodiscard]] ABUT_API std::size_t tasks_between(const other_set& others) const;
  /// The same for bodies that are not kept.
  [[nodiscard]] ABUT_API std::size_t tasks_between(const bodies& others) const;

  /// Calls `f(i)` for every body that overlaps the region or is at most the margin away, once, on the calling thread.
  template <class F>
  void for_each_in(const region& where, F&& f) const {
    visit_in(where, {[](void* context, const row* first, std::size_t count) {
                       auto& call = *static_cast<std::remove_reference_t<F>*>(context);
                       for (std::size_t k = 0; k < count; ++k) call(first[k]);
                     },
                     address(f)});
  }

  /// All pairs, sorted by i, then j.
  [[nodiscard]] ABUT_API std::vector<pair> pairs();

  /// What the method keeps since the last update, as shapes to draw: cells, sorted ends, trees, lists. With a body,
  /// also where its partners are looked for. Changes nothing. Throws `error` if there is no such body.
  [[nodiscard]] ABUT_API sketch show(std::optional<row> body = {}) const;

  /// The plan in use since the last update, with every parameter and the reason. Valid until the next update.
  [[nodiscard]] ABUT_API const plan& planned() const;

  /// The bodies of the last update, as they were given: a view of your arrays.
  [[nodiscard]] ABUT_API const bodies& searched() const;

  /// The options in force: those that the search was made with, and the margin and periods that updates have changed.
  [[nodiscard]] ABUT_API const options& chosen() const;

  /// The number of threads in use: `options::threads`, or what OpenMP offers if that is 0.
  [[nodiscard]] ABUT_API int threads() const;
  /// What the last search for pairs did, and the memory in use.
  [[nodiscard]] ABUT_API abut::stats stats() const;

 private:
  friend struct c_door;     // the C interface, which passes whole batches on
  friend struct list_door;  // lists of contacts, which take what was measured

  struct pair_sink {
    void (*call)(void* context, const pair* first, std::size_t count);
    void* context;
  };
  struct batch_sink {
    void (*call)(void* context, std::size_t task, const pair* first, std::size_t count);
    void* context;
  };
  struct row_sink {
    void (*call)(void* context, const row* first, std::size_t count);
    void* context;
  };

  template <class F>
  static void* address(F& f) {
    return const_cast<void*>(static_cast<const volatile void*>(std::addressof(f)));
  }

  template <class F>
  static pair_sink sink_of(F& f) {
    return {[](void* context, const pair* first, std::size_t count) {
              auto& call = *static_cast<F*>(context);
              for (std::size_t k = 0; k < count; ++k) call(first[k].i, first[k].j);
            },
            address(f)};
  }

  template <class F>
  static batch_sink batch_sink_of(F& f) {
    return {[](void* context, std::size_t task, const pair* first, std::size_t count) {
              (*static_cast<F*>(context))(task, std::span<const pair>(first, count));
            },
            address(f)};
  }

  ABUT_API void visit_pairs(pair_sink sink);
  ABUT_API void visit_batches(batch_sink sink);
  ABUT_API void visit_pairs_between(const other_set& others, pair_sink sink);
  ABUT_API void visit_pairs_between(const bodies& others, pair_sink sink);
  ABUT_API void visit_batches_between(const other_set& others, batch_sink sink);
  ABUT_API void visit_batches_between(const bodies& others, batch_sink sink);
  ABUT_API void visit_in(const region& where, row_sink sink) const;

  class state;
  std::unique_ptr<state> state_;
};

/// All pairs of a set of bodies, sorted by i, then j. For bodies that move, keep a `search` instead.
[[nodiscard]] ABUT_API std::vector<pair> find_pairs(const bodies& b, const options& o = {});

/// For a hash of a set of pairs that does not depend on their order: the sum of `pair_hash` of each, modulo 2^64.
[[nodiscard]] constexpr std::uint64_t pair_hash(pair p) {
  std::uint64_t h = (static_cast<std::uint64_t>(p.i) << 32 | p.j) + 0x9e37'79b9'7f4a'7c15U;
  h = (h ^ (h >> 30)) * 0xbf58'476d'1ce4'e5b9U;
  h = (h ^ (h >> 27)) * 0x94d0'49bb'1331'11ebU;
  return h ^ (h >> 31);
}

}  // namespace abut
