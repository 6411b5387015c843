#pragma once

// What the tests share: running a search, and describing how its pairs differ from the oracle's.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "hashes.hpp"
#include "reference.hpp"
#include "samples.hpp"

namespace support {

/// The pairs, in the search's own order.
std::vector<abut::pair> ordered(abut::search& search);

/// The pairs from batches, with the tasks' results in order.
std::vector<abut::pair> by_batches(abut::search& search);

std::vector<abut::row> rows_in(const abut::search& search, const abut::region& where);

std::vector<abut::pair> sorted(std::vector<abut::pair> pairs);

/// What the search has counted under this name.
std::uint64_t event(const abut::search& search, std::string_view name);

std::string number(double x);

/// A body's numbers, with all their digits.
std::string body_text(const abut::samples::set& bodies, abut::row i);

std::string pair_text(abut::pair p);

/// Whether `found`, in any order, is exactly `expected` (sorted, each once); otherwise says what is missing and what is
/// superfluous.
::testing::AssertionResult same_pairs(const std::vector<abut::pair>& expected, std::vector<abut::pair> found,
                                      const abut::samples::set& bodies = {});

/// A name that GoogleTest accepts.
std::string name(std::string_view text);

/// The largest width of a body on any axis.
double extent(const abut::samples::set& bodies, abut::row i);

/// The widths of all bodies, sorted.
std::vector<double> extents(const abut::samples::set& bodies);

/// A margin that makes a difference for this set: half of the median body's width, or a little if that is 0.
double fair_margin(const abut::samples::set& bodies);

/// The message of the `abut::error` that `f` throws; fails the test if it throws none.
template <class F>
std::string message_of(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const abut::error& e) {
    return e.what();
  }
  ADD_FAILURE() << "no abut::error was thrown";
  return {};
}

/// The methods' names, as parameters of tests.
std::vector<std::string> method_names(bool with_quadratic = true);

/// Names the tests of a suite whose parameter is a method's name.
std::string method_test_name(const ::testing::TestParamInfo<std::string>& test);

const char* shape_name(abut::shape kind);

}  // namespace support
