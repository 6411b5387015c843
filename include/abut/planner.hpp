#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/api.h>
#include <abut/plan.hpp>
#include <abut/search.hpp>

namespace abut {

/// A plan that the planner considered, with the cost of an update and a search for all pairs.
struct candidate {
  abut::plan what;                 ///< the plan; the first candidate's has a reason
  double predicted = 0;            ///< by the model: ns per body, on one thread
  std::optional<double> measured;  ///< if `measured_candidates` tried it: ns per body
  bool as_good = false;            ///< whether its cost is within a tenth of the first candidate's
};

/// The plan that the models predict to cost least for these bodies and options, with the reason. Times nothing and
/// writes nothing; takes little compared with an update. Depends on the bodies, the options and the constants in use
/// (`options::constants`), never on the number of threads. Throws `error` as `search` and `search::update` do.
[[nodiscard]] ABUT_API plan estimated_plan(const bodies& b, const options& o = {});

/// The plan that was the fastest when tried on these bodies, with the reason. Runs benchmarks and writes a file:
/// measures this machine's constants if they are not known (`calibrate`), times the plans that the models find
/// promising, for about a second (for moving bodies, 27 steps of each plan), and keeps the result in the cache, where
/// `estimated_plan` and `auto` find it for similar bodies. With `options::constants` it neither calibrates nor opens
/// the cache. Throws `error` as `search` and `search::update` do.
ABUT_API plan measured_plan(const bodies& b, const options& o = {});

/// All plans that `estimated_plan` considers, the best first. Methods that are never the fastest are not considered.
[[nodiscard]] ABUT_API std::vector<candidate> estimated_candidates(const bodies& b, const options& o = {});

/// All plans that `measured_plan` considers: first those that it tried, the fastest first. Does all that it does.
ABUT_API std::vector<candidate> measured_candidates(const bodies& b, const options& o = {});

/// The constants of the models as text: a line for each, with its name and its time in ns, such as "grid.test 0.61".
/// `which` is empty for those in use on this machine (this reads the cache, once in a process), or what
/// `options::constants` takes; that option takes this text. Throws `error` that names the line and the constant.
///
///     abut::search search(abut::plan(), {.constants = abut::constants()});  // as now, whatever happens to the cache
[[nodiscard]] ABUT_API std::string constants(std::string_view which = {});

/// The path of the cache: the file `calibration` in the folder $ABUT_CACHE, or else $XDG_CACHE_HOME/abut, or else
/// ~/.cache/abut; "" if none of these variables nor $HOME is set.
///
/// The cache is a text file with the constants of the models as measured on this machine, and with the results of
/// `measured_plan`, for each of the last 16 builds of the library that wrote to it. A process reads it once, and
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
/// cache. `measured_plan` calls it, once in a process, if the constants are not this machine's.
ABUT_API calibration_result calibrate();

}  // namespace abut
