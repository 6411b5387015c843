#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <abut/methods.hpp>
#include <abut/plan.hpp>
#include <abut/search.hpp>

#include "base/memory.hpp"
#include "bodies/batch.hpp"
#include "bodies/query.hpp"
#include "bodies/row_map.hpp"
#include "bodies/sketcher.hpp"
#include "bodies/world.hpp"
#include "methods/cost.hpp"

namespace abut {

/// One way of finding all pairs, for one dimension and one shape: what each file or folder of src/methods implements. A
/// method need not know of periods, fixed bodies, groups, masks or the user's function: it may find muted pairs and
/// pairs with ghosts, which the world removes or translates. The search runs a method's tasks, on one thread or many.
///
/// An update has three steps. The search asks the method for a `reader`; it makes the world, which checks the bodies
/// and feeds them to the reader; it calls `update` with that world. If the check fails, `update` is not called: so
/// feeding the reader must not change what the method finds.
class method {
 public:
  virtual ~method() = default;

  /// A reader for the rows of the next update, so that they are read only once; null if the method needs none. Valid
  /// until `update` returns or the bodies are refused.
  [[nodiscard]] virtual row_reader* reader(const bodies& /*next*/, int /*threads*/) { return nullptr; }

  /// Prepares the search of this world, which stays unchanged until the next update. `rows` maps the rows of the last
  /// update to the world's; it is empty for methods that are not incremental. Throws `error` only before anything has
  /// changed; after any other exception the search discards the method.
  virtual void update(const world& w, row_map rows) = 0;

  /// The number of tasks that the work is split into. It does not depend on the number of threads.
  [[nodiscard]] virtual std::size_t tasks() const = 0;

  /// Finds the pairs of one task, in an order that depends on the bodies and the updates so far. Each pair belongs to
  /// one task. Thread-safe.
  virtual void find(std::size_t task, pair_batch& out) const = 0;

  /// Finds the rows that overlap a region, each once. Thread-safe.
  virtual void find_in(const query& q, row_batch& out) const = 0;

  /// Draws what the method keeps since the last update. Thread-safe; costs nothing unless called.
  virtual void show(sketcher& out) const = 0;

  /// The plan in effect: the value of every parameter, and the reason for those that the method chose.
  [[nodiscard]] virtual plan planned() const = 0;

  /// Frees memory that only the next update would reuse.
  virtual void release_scratch() {}

  /// The memory that the method holds, in bytes.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// What has happened since the method was made; see `stats`.
  [[nodiscard]] virtual std::vector<stats::event> events() const { return {}; }

  /// What the last update counted that the method's document counts; see `stats::counts`.
  [[nodiscard]] virtual std::vector<stats::event> counted_in_update() const { return {}; }
  /// The names of what `find` and `find_in` count in `counts::named`, in that order; at most `counts::most_named`.
  [[nodiscard]] virtual std::span<const std::string_view> counted() const { return {}; }
};

/// A method's entry in the table of methods.
struct method_entry {
  method_info info;
  bool incremental;  ///< keeps state from update to update, so `update` needs the map of rows
  std::unique_ptr<method> (*make)(const plan& p, shape kind, int dimension);
  const cost_model* model = nullptr;  ///< for the planner; null for methods that are never the fastest
  const list_model* list = nullptr;   ///< the same for the method that keeps a list of near pairs
};

/// All methods, in the order of the table.
[[nodiscard]] std::span<const method_entry* const> method_table();
/// The entry of a method. Throws `error` with a suggestion if there is none of this name.
[[nodiscard]] const method_entry& entry_named(std::string_view name);

/// Makes a `Method<D, S>` for a dimension and a shape that are known only at run time.
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
