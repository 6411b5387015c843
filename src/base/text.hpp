#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// The one of `right` that `wrong` was most likely meant to be (few edits away); empty where none is near.
[[nodiscard]] std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> right);

/// `, did you mean "..."?` for the nearest name, or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> right);

/// The shortest text that reads back as the same number.
[[nodiscard]] std::string number_text(double value);

/// A number with one decimal, none if that is 0.
[[nodiscard]] std::string tenths(double value);

/// A number in a sentence: whole from 10 on, with one decimal below, with three digits if it is small.
[[nodiscard]] std::string about(double value);

/// Reads a whole text as a finite number; false where it is not one.
[[nodiscard]] bool parse_number(std::string_view text, double& value);

/// The parts of a text between the occurrences of `mark`.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, std::string_view mark);

}  // namespace abut
