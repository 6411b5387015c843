#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "methods/method.hpp"

namespace abut {

constexpr parameter_info mr_sort_parameter{.name = "sort",
                                           .range = "mr | quick",
                                           .default_value = "mr",
                                           .summary = "mend the list in one pass, or sort it anew at each update"};
constexpr parameter_info mr_memory_parameter{
    .name = "memory",
    .range = "keep | recompute",
    .default_value = "keep",
    .summary = "keep the integerized coordinates, or compute them whenever they are needed"};

/// What MR search counts, in the order of `counts::named`.
inline constexpr std::string_view mr_counts[] = {"pointer steps"};

/// The value of a parameter: the plan's, or else `otherwise`, which is then set in the plan.
inline std::string chosen_in(plan& p, std::string_view name, std::string_view otherwise) {
  std::string value(p.parameter_value(name).value_or(otherwise));
  p.set(name, value);
  return value;
}

/// Makes the method that keeps the integerized coordinates or the one that recomputes them, as the plan says.
template <template <int, shape> class Keeping, template <int, shape> class Recomputing>
[[nodiscard]] std::unique_ptr<method> make_by_memory(const plan& p, shape kind, int dimension) {
  return p.parameter_value("memory") == "recompute" ? make_method<Recomputing>(p, kind, dimension)
                                                    : make_method<Keeping>(p, kind, dimension);
}

}  // namespace abut
