#pragma once

#include <cstdint>
#include <string>

namespace abut::cli {

/// Cuts the rows from this step on off a series, so that a run can go on there; a row that was not written to its end,
/// too. Does nothing if there is no such file. Throws `error` if the file has other columns than those of this header.
void cut_series(const std::string& path, const std::string& header, std::uint64_t step);

}  // namespace abut::cli
