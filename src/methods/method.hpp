#pragma once

#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <abut/methods.hpp>
#include <abut/plan.hpp>
#include <abut/search.hpp>

#include "base/memory.hpp"
#include "bodies/batch.hpp"
#include "bodies/query.hpp"
#include "bodies/world.hpp"

namespace abut {

/// One way of finding all pairs, at work on a world: what a file in src/methods implements. Made for one dimension and
/// one shape. A method knows nothing of periods, fixed bodies, threads or the user's function: the world says which
/// pairs of rows are muted, and the search runs the tasks.
class method {
 public:
  virtual ~method() = default;

  /// Takes in the world's present state; the world stays as it is until the next update. `map` tells where the rows of
  /// the last update are now (`no_row`: gone); empty where that is unknown or the method is not incremental.
  /// Throws `error` only before anything has changed.
  virtual void update(const world& w, std::span<const row> map) = 0;

  /// The same where each row is what it was at the last update: for methods that have less to do then.
  virtual void update_same_rows(const world& w) {
    std::vector<row> map(w.size());
    std::iota(map.begin(), map.end(), row{0});
    update(w, map);
  }

  /// Before the world of the next update is made of these bodies: who wants to see the rows meanwhile, or null. Nothing
  /// that is found until then may change; should the bodies be refused, the update does not come.
  [[nodiscard]] virtual row_watcher* watch(const bodies&, int /*threads*/) { return nullptr; }

  /// The number of tasks that the work is cut into, by the data alone.
  [[nodiscard]] virtual std::size_t tasks() const = 0;

  /// Finds the pairs of one task, each once over all tasks. May be called from several threads at once.
  virtual void find(std::size_t task, pair_batch& out) const = 0;

  /// Finds the rows that overlap a region, each once. May be called from several threads at once.
  virtual void find_in(const query& q, row_batch& out) const = 0;

  /// The plan in force: every parameter, and the reason for what was chosen.
  [[nodiscard]] virtual plan planned() const = 0;

  /// Gives back memory that only the next update needs.
  virtual void release_scratch() {}

  [[nodiscard]] virtual std::size_t bytes() const = 0;
  [[nodiscard]] virtual std::vector<stats::event> events() const { return {}; }
};

/// A line of the table of methods.
struct method_entry {
  method_info info;
  bool incremental;  ///< keeps state from update to update, so that it wants the map of rows
  std::unique_ptr<method> (*make)(const plan& p, shape kind, int dimension);
};

[[nodiscard]] std::span<const method_entry* const> method_table();
[[nodiscard]] const method_entry& entry_named(std::string_view name);

/// Makes a `Method<D, S>` for the dimension and shape known at run time.
template <template <int, shape> class Method>
[[nodiscard]] std::unique_ptr<method> make_method(const plan& p, shape kind, int dimension) {
  if (kind == shape::sphere) {
    if (dimension == 2) return std::make_unique<Method<2, shape::sphere>>(p);
    return std::make_unique<Method<3, shape::sphere>>(p);
  }
  if (dimension == 2) return std::make_unique<Method<2, shape::box>>(p);
  return std::make_unique<Method<3, shape::box>>(p);
}

}  // namespace abut
