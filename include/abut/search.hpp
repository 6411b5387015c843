#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <abut/api.h>
#include <abut/bodies.hpp>
#include <abut/error.hpp>
#include <abut/overlap.hpp>
#include <abut/plan.hpp>

namespace abut {

/// Two bodies whose volumes overlap: rows, i < j. (From `for_each_pair_between`: i is the row in the search's own set,
/// j the row in the other, in any order.)
struct pair {
  row i;  ///< the lesser row
  row j;  ///< the greater row
  /// The same rows.
  friend bool operator==(const pair&, const pair&) = default;
  /// By i, then j.
  friend bool operator<(const pair& a, const pair& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; }
};

/// A stretch of an axis.
struct interval {
  double min = 0;  ///< where it begins
  double max = 0;  ///< where it ends
};

/// The most threads that a search takes.
inline constexpr int most_threads = 1024;

/// What a search keeps to for its whole life.
struct options {
  /// A gap of at most this counts as overlap, in every call. At least 0.
  double margin = 0;

  /// For each axis: the stretch of space that repeats without end, where it does. Bodies may lie anywhere (they are
  /// wrapped); pairs are by the nearest image. A stretch shorter than twice the largest reach (the largest diameter or
  /// side, plus the margin) is refused by `update`.
  std::array<std::optional<interval>, 3> periodic{};

  /// How many threads to use, at most `most_threads`; 0: as many as OpenMP offers. Where the system does not let so
  /// many start, fewer are used. No result and no order depends on it.
  int threads = 0;

  /// How far bodies move between two updates: the largest displacement on an axis, a length; nothing where it is not
  /// known. Only for the planner, which takes a list of neighbors where bodies move little. The plan `auto` sees by
  /// itself, from the second update on.
  std::optional<double> motion{};

  /// Called on the calling thread, now and then, during `for_each_pair` and its kin, with the part of the work that is
  /// done (0 to 1). May throw, to give up.
  std::function<void(double)> progress{};
};

/// What a search did. Counts are those of the last `for_each_pair` (or batch, or pairs, or between).
struct stats {
  /// Something that a method did and a user may wonder about: "rebuilds", "fallbacks".
  struct event {
    std::string name;         ///< what it did
    std::uint64_t count = 0;  ///< how often
  };

  std::uint64_t candidates = 0;  ///< pairs that the method by itself would hand on
  std::uint64_t tests = 0;       ///< evaluations of `overlap`
  std::uint64_t pairs = 0;       ///< pairs found
  std::uint64_t bytes = 0;       ///< memory the search holds, beside the user's own arrays
  std::vector<event> events{};   ///< since the search was made
};

/// A planned method at work on a set of bodies.
///
///     abut::search search;                       // or search(plan("neighboring-cell"), {.margin = 0.1})
///     search.update(abut::spheres(x, y, z, r));  // at every step
///     search.for_each_pair([&](abut::row i, abut::row j) { ... });
///
/// The order of pairs depends on the bodies, the plan and the updates so far, never on the number of threads.
/// The `const` members may be called from several threads at once; the others are for one thread at a time.
class search {
 public:
  /// The plan `auto`, with the options' defaults.
  ABUT_API search();
  /// This plan, with these options. Throws `error` for an option out of its range.
  ABUT_API explicit search(plan p, options o = {});
  ABUT_API ~search();
  /// Moves, cheaply; what was moved from can only be assigned to or destroyed.
  ABUT_API search(search&&) noexcept;
  /// The same.
  ABUT_API search& operator=(search&&) noexcept;

  /// Takes in the present state of the bodies: any number of them, anywhere. The arrays behind `b` are read in place:
  /// they must live and stay as they are until the next update. Throws `error` for bodies that cannot be (naming the
  /// body and the value), and then nothing has changed. Row i now is taken for row i before; results do not depend on
  /// that, only the speed of the methods that keep state.
  ABUT_API void update(const bodies& b);

  /// The same where rows have moved: `new_rows[k]` is the present row of the body that was row k at the last update, or
  /// `no_row` where it is gone. Rows that are not named are new bodies.
  ABUT_API void update(const bodies& b, std::span<const row> new_rows);

  /// Calls `f(i, j)` for every pair, once, i < j, on the calling thread. `f` is inlined over batches.
  template <class F>
  void for_each_pair(F&& f) {
    visit_pairs(sink_of(f));
  }

  /// Calls `f(task, batch)` with `std::span<const pair>` batches, from all threads at once: for loops that are parallel
  /// themselves. The pairs of one task (0 to `tasks()`) come in order and on one thread; what each task holds does not
  /// depend on the number of threads.
  template <class F>
  void for_each_batch(F&& f) {
    visit_batches({[](void* context, std::size_t task, const pair* first, std::size_t count) {
                     (*static_cast<std::remove_reference_t<F>*>(context))(task, std::span<const pair>(first, count));
                   },
                   address(f)});
  }

  /// The number of tasks that the work is cut into, by the data alone.
  [[nodiscard]] ABUT_API std::size_t tasks() const;

  /// Calls `f(i, j)` for every body i of the search and body j of `others` that overlap: spheres or boxes, of the
  /// same dimension. In the order of j. No two fixed bodies. Throws `error` as `update` does.
  template <class F>
  void for_each_pair_between(const bodies& others, F&& f) {
    visit_pairs_between(others, sink_of(f));
  }

  /// Calls `f(i)` for every body that overlaps the region (its margin included), once.
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

  /// The plan in force since the last update, with every parameter, and the reason.
  [[nodiscard]] ABUT_API const plan& planned() const;

  /// The options that the search was made with.
  [[nodiscard]] ABUT_API const options& chosen() const;

  /// The number of threads: the one asked for, or what OpenMP offers, at most `most_threads`.
  [[nodiscard]] ABUT_API int threads() const;
  /// What the last search for pairs did, and the memory held.
  [[nodiscard]] ABUT_API abut::stats stats() const;

 private:
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

  ABUT_API void visit_pairs(pair_sink sink);
  ABUT_API void visit_batches(batch_sink sink);
  ABUT_API void visit_pairs_between(const bodies& others, pair_sink sink);
  ABUT_API void visit_in(const region& where, row_sink sink) const;

  class state;
  std::unique_ptr<state> state_;
};

/// All pairs of a set of bodies, sorted, by a search that is made for it alone.
[[nodiscard]] ABUT_API std::vector<pair> find_pairs(const bodies& b, const options& o = {});

/// A hash of a set of pairs that does not depend on their order: start with 0 and add `pair_hash` of each, modulo 2^64.
[[nodiscard]] constexpr std::uint64_t pair_hash(pair p) {
  std::uint64_t h = (static_cast<std::uint64_t>(p.i) << 32 | p.j) + 0x9e37'79b9'7f4a'7c15U;
  h = (h ^ (h >> 30)) * 0xbf58'476d'1ce4'e5b9U;
  h = (h ^ (h >> 27)) * 0x94d0'49bb'1331'11ebU;
  return h ^ (h >> 31);
}

}  // namespace abut
