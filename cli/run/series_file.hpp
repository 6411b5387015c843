#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace abut::cli {

/// Where a run goes on, in its own folder.
struct going_on {
  std::uint64_t step = 0;   ///< of its checkpoint
  std::uint64_t begun = 0;  ///< the step at which the run began
  std::uint64_t every = 1;  ///< steps between two rows of its series, so far
};

/// Cuts the rows from this step on off a series, so that a run can go on there; a row that was not written to its end,
/// too. Returns the last row that is left, or nothing if there is none or no such file. Throws `error` if the file has
/// other columns than those of this header, and, unless `whole` is false, if rows are missing before this step.
std::optional<std::string> cut_series(const std::string& path, const std::string& header, const going_on& at,
                                      bool whole);

/// The number of this column in a row of a series. Nothing if there is none. No name before it has a comma in it.
[[nodiscard]] std::optional<double> series_number(std::string_view header, std::string_view row, std::string_view name);

}  // namespace abut::cli
