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
/// `effort::measure`. A process reads it once. If there is no such file, or it is damaged or from another version or
/// machine, the models use built-in constants, measured on one machine.
[[nodiscard]] ABUT_API std::string calibration_file();

/// Whether the constants in use were measured on this machine.
[[nodiscard]] ABUT_API bool calibrated();

/// Measures the constants on this machine, which takes a second or two, uses them from now on and writes them to the
/// cache. Returns whether they could be written. `effort::measure` calls it if the constants are not this machine's.
ABUT_API bool calibrate();

}  // namespace abut
