#pragma once

#include <span>
#include <vector>

#include "methods/cost.hpp"

namespace abut {

/// All costs of the methods' models, in the order of the table of methods.
[[nodiscard]] std::span<const cost* const> all_costs();

/// The time of every cost on some machine, in ns. A new object has the times that are built in for a set of vector
/// instructions.
class cost_constants {
 public:
  explicit cost_constants(instruction_set with = instructions_in_use());

  [[nodiscard]] double operator[](const cost& c) const { return ns_[place_of(c)]; }
  [[nodiscard]] double& operator[](const cost& c) { return ns_[place_of(c)]; }

  friend bool operator==(const cost_constants&, const cost_constants&) = default;

 private:
  // Throws `std::logic_error` if the cost is in no model's list.
  static std::size_t place_of(const cost& c);

  std::vector<double> ns_;  // in the order of all_costs()
};

/// The predicted time of some work, in ns per body.
[[nodiscard]] double predicted(const work& w, const cost_constants& c);

}  // namespace abut
