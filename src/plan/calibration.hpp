#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/planner.hpp>

#include "plan/constants.hpp"

namespace abut {

/// What the planner knows about the machine: the constants of the cost models, and the plans that won trials. As text,
/// a section of the cache:
///
///     abut calibration 3; version 0.1.0, build 30ffaebb75af1c6e by g++ 12.2.0; avx512; Intel(R) Xeon(R), 2 cores
///     bounding-volume.search 1180.5
///     ... a line for every cost, in ns, in the order of all_costs(); none if they were not measured
///     learned spheres 3D count=2^17 sizes=2^0 others=2^3 move=2^-7: nearest-neighbor by=grid distance=0.3
///
/// A learned line has the rounded features of some bodies (see `rounded`) and the plan that was fastest for them.
/// Lengths in that plan are in mean widths of a body.
struct calibration {
  cost_constants constants{};
  bool of_this_machine = false;                                ///< whether the constants were measured here
  std::vector<std::pair<std::string, std::string>> learned{};  ///< rounded features and the plan; the latest last

  /// The plan learned for these rounded features; null if there is none.
  [[nodiscard]] const std::string* learned_for(std::string_view features) const;
};

/// The first line of a section: the format, the version, the build, the vector instructions in use, the machine.
[[nodiscard]] std::string calibration_stamp();
/// The calibration as a section with this stamp.
[[nodiscard]] std::string text_of(const calibration& c);
/// Finds the section with this stamp in the text of a cache. Returns nothing if there is none or it is damaged.
[[nodiscard]] std::optional<calibration> read_calibration(std::string_view cache);
/// The text of a cache with a section added, or replaced if it has one with the same stamp. The section comes first;
/// of the others, at most 15 are kept, those that were written last.
[[nodiscard]] std::string with_section(std::string_view cache, const std::string& section);

/// The calibration in effect: the cache's, read at the first call and if other vector instructions have come into use,
/// or else the built-in one. Thread-safe, like all functions below.
[[nodiscard]] std::shared_ptr<const calibration> calibration_in_force();

/// The calibration for `options::constants`: the one in effect if the text is empty; else one with those constants and
/// nothing learned, for which no file is read. Throws `error` as `read_constants` does.
[[nodiscard]] std::shared_ptr<const calibration> calibration_for(std::string_view constants);

/// Puts a calibration into effect and writes it to the cache: a reader sees the old file or the new one, never a part.
/// Returns whether it could be written.
bool put_into_force(const calibration& c);

/// Adds the plan that won a trial for bodies with these rounded features. Keeps what other threads and processes have
/// added to the cache meanwhile.
void remember(const std::string& features, const std::string& plan);

/// Makes the next call read the cache again.
void forget_calibration();

/// How long something took, in seconds: on the processor, and by the clock on the wall.
struct run_time {
  double processor = 0;
  double wall = 0;
};
/// Runs an update and a search on one thread and says how long they took.
using timer = std::function<run_time(search& s, const bodies& b)>;
[[nodiscard]] run_time timed_run(search& s, const bodies& b);

/// Measures the constants on this machine, which takes a second or two. Returns nothing if the machine was too busy:
/// the thread had to wait for the processor, or times did not repeat.
[[nodiscard]] std::optional<cost_constants> measured_constants(const timer& time = timed_run);

/// What `calibrate` does, with a timer of the caller's.
[[nodiscard]] calibration_result calibrate_by(const timer& time);

/// Calibrates unless the constants are this machine's, or the machine was too busy before in this process.
void calibrate_if_needed(const timer& time = timed_run);

/// The processor's name according to the system; "" if unknown.
[[nodiscard]] std::string processor_name();

}  // namespace abut
