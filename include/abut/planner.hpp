#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abut/api.h>
#include <abut/plan.hpp>
#include <abut/search.hpp>

namespace abut {

/// A plan that the planner considered, with the cost of an update and a search for all pairs.
struct candidate {
  abut::plan what;                 ///< the plan; the first candidate's has a reason
  double predicted = 0;            ///< by the model: ns per body, on one thread
  std::optional<double> measured;  ///< by `effort::measure`, if it was tried: ns per body
  bool as_good = false;            ///< whether its cost is within a tenth of the first candidate's
};

/// The plans that the planner considers for these bodies, best first; `plan(b, e, o)` is the first of them. Methods
/// that are never the fastest are not considered. Throws `error` as `search::update` does.
[[nodiscard]] ABUT_API std::vector<candidate> candidates(const bodies& b, effort e = effort::estimate,
                                                         const options& o = {});

/// The path of the cache: the file `calibration` in the folder $ABUT_CACHE, or else $XDG_CACHE_HOME/abut, or else
/// ~/.cache/abut; "" if none of these variables nor $HOME is set.
///
/// The cache is a text file with the constants of the models as measured on this machine, and with the results of
/// `effort::measure`, for each of the last 16 builds of the library that wrote to it. A process reads it once, and
/// takes only what the same build has measured on the same machine with the same vector instructions. Otherwise the
/// models use built-in constants, measured on one machine with each set of vector instructions.
[[nodiscard]] ABUT_API std::string calibration_file();

/// Whether the constants in use were measured on this machine, by this build.
[[nodiscard]] ABUT_API bool calibrated();

/// What came of a calibration.
enum class calibration_result {
  saved,      ///< the new constants are in use and in the cache
  not_saved,  ///< the new constants are in use, but the cache could not be written
  busy        ///< the machine was too busy to be measured: nothing has changed
};

/// Measures the constants on this machine, which takes a second or two, uses them from now on and writes them to the
/// cache. `effort::measure` calls it, once in a process, if the constants are not this machine's.
ABUT_API calibration_result calibrate();

}  // namespace abut
