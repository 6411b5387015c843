#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace abut::cli {

/// Cuts the rows from this step on off a series, so that a run can go on there; a row that was not written to its end,
/// too. Returns the last row that is left, or nothing if there is none or no such file. Throws `error` if the file has
/// other columns than those of this header.
std::optional<std::string> cut_series(const std::string& path, const std::string& header, std::uint64_t step);

/// The number of this column in a row of a series. Nothing if there is none. No name before it has a comma in it.
[[nodiscard]] std::optional<double> series_number(std::string_view header, std::string_view row, std::string_view name);

}  // namespace abut::cli
