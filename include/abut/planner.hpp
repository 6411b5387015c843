#pragma once

#include <optional>
#include <string>
#include <vector>

#include <abut/api.h>
#include <abut/plan.hpp>
#include <abut/search.hpp>

namespace abut {

/// A plan that was considered, with what it costs: an update and a search for all pairs.
struct candidate {
  abut::plan what;                 ///< with the reason, where it is the first of them
  double predicted = 0;            ///< by the model, in ns a body on one thread
  std::optional<double> measured;  ///< on the bodies themselves, in ns a body
  bool as_good = false;            ///< within a tenth of the first
};

/// What the planner considers for these bodies, the best first: `plan(b, e, o)` is the first of them. Methods that can
/// never win are not among them.
[[nodiscard]] ABUT_API std::vector<candidate> candidates(const bodies& b, effort e = effort::estimate,
                                                         const options& o = {});

/// The constants of the models. They are built in, as measured on one machine, unless those of this machine are in
/// the cache: a text file, stamped with the version and the machine, which also has what `effort::measure` has learned.
/// A process reads it once. A file that is damaged, or of another version or machine, counts as none.
/// Where it is: `calibration` in the folder $ABUT_CACHE, or $XDG_CACHE_HOME/abut, or ~/.cache/abut; "" where none of
/// them is set.
[[nodiscard]] ABUT_API std::string calibration_file();

/// Whether the constants in force are those of this machine.
[[nodiscard]] ABUT_API bool calibrated();

/// Measures the constants on this machine, which takes a second or two, puts them into force and into the cache.
/// Returns whether they could be written. `effort::measure` calls it where there are none.
ABUT_API bool calibrate();

}  // namespace abut
