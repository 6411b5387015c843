#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <abut/methods.hpp>
#include <abut/plan.hpp>
#include <abut/search.hpp>

#include "base/memory.hpp"
#include "bodies/batch.hpp"
#include "bodies/query.hpp"
#include "bodies/row_map.hpp"
#include "bodies/world.hpp"
#include "methods/cost.hpp"

namespace abut {

/// One way of finding all pairs, at work on a world: what a file or folder of src/methods implements, for one dimension
/// and one shape. A method knows nothing of periods, fixed bodies, threads or the user's function: it may find muted
/// pairs and pairs with ghosts, which the world sorts out, and the search runs its tasks.
///
/// An update goes one way. `reader` is asked who wants the rows while they are checked; the world is made, which checks
/// the bodies and feeds the reader; `update` takes in that world. Until then nothing that is found may change: if the
/// bodies are refused, the update never comes.
class method {
 public:
  virtual ~method() = default;

  /// Reads the rows of the next update while they are checked, so that they are read once; null: no need.
  [[nodiscard]] virtual row_reader* reader(const bodies& /*next*/, int /*threads*/) { return nullptr; }

  /// Takes in the world, which stays as it is until the next update. `rows`: where the rows of the last update are now;
  /// not known if the method is not incremental. Throws `error` only before anything has changed.
  virtual void update(const world& w, row_map rows) = 0;

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
  const cost_model* model = nullptr;  ///< for the planner; methods that can never win have none
  const list_model* list = nullptr;   ///< the same for a method that keeps a list
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
