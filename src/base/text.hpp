#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace abut {

/// The name in `right` that `wrong` was most likely meant to be (a few edits away); empty if none is near.
[[nodiscard]] std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> right);

/// `, did you mean "..."?` with the nearest name; empty if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> right);

/// The shortest text that reads back as the same number.
[[nodiscard]] std::string number_text(double value);

/// A number with one decimal, none if that is 0.
[[nodiscard]] std::string tenths(double value);

/// A number for a sentence: rounded to a whole number from 10 on, to one decimal from 0.1 on, else to three digits.
[[nodiscard]] std::string about(double value);

/// Parses the whole text as one finite number; returns false if it is not one.
[[nodiscard]] bool parse_number(std::string_view text, double& value);

/// The parts of a text between the occurrences of `mark`.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, std::string_view mark);

}  // namespace abut
