#pragma once

// The plans that the tests try for each method on a set of bodies: its variants, and the extremes of parameters that
// are lengths.

#include <string>
#include <vector>

#include "support.hpp"
#include "variants.hpp"

namespace support {

std::vector<std::string> plans_of(const std::string& method, const abut::samples::set& bodies);

/// The parameter that a refusal is about: "neighboring-cell's cell ... is ...".
std::string parameter_named(const std::string& message);

/// The number that a message names after the word "smallest", as text.
std::string smallest_named(const std::string& message);

/// A refusal that the contract allows: of a length that the plan names, with the smallest that would work. The default
/// plan of a method is never refused.
void expect_fair_refusal(const std::string& plan, const abut::error& refused);

}  // namespace support
