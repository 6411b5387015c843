#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <abut/planner.hpp>

#include "plan/constants.hpp"

namespace abut {

/// What the planner knows about the machine: the constants of the cost models, and the plans that won trials. As text:
///
///     abut calibration 2; version 0.1.0; Intel(R) Xeon(R) Processor @ 2.80GHz, 2 cores
///     bounding-volume.search 1180.5
///     ... a line for every cost, in ns, in the order of all_costs()
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

/// The first line of the text: the format, the version, the machine.
[[nodiscard]] std::string calibration_stamp();
/// The calibration as text, stamped with this version and machine.
[[nodiscard]] std::string text_of(const calibration& c);
/// Reads such a text. Returns nothing if it is damaged, or of another version or machine.
[[nodiscard]] std::optional<calibration> read_calibration(std::string_view text);

/// The calibration in effect: the cache's, read at the first call, or else the built-in one. Thread-safe, like all
/// functions below.
[[nodiscard]] std::shared_ptr<const calibration> calibration_in_force();

/// Puts a calibration into effect and writes it to the cache: a reader sees the old file or the new one, never a part.
/// Returns whether it could be written.
bool put_into_force(const calibration& c);

/// Adds the plan that won a trial for bodies with these rounded features. Keeps what other threads and processes have
/// added to the cache meanwhile.
void remember(const std::string& features, const std::string& plan);

/// Makes the next call read the cache again.
void forget_calibration();

/// Measures the constants on this machine, which takes a second or two.
[[nodiscard]] cost_constants measured_constants();

/// The processor's name according to the system; "" if unknown.
[[nodiscard]] std::string processor_name();

}  // namespace abut
