#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <abut/dem/vec.hpp>
#include <abut/error.hpp>

#include "scene/value.hpp"

/// Reads the keys of a table that has passed `check_keys`. Errors name the place.
namespace abut::cli {

/// A number; nothing if it is not given. Throws `error` if `fits` refuses it; `range` says in words what fits.
[[nodiscard]] std::optional<double> number_in(const value& table, std::string_view key, std::string_view range = "",
                                              bool (*fits)(double) = nullptr);
/// A whole number from `least` to `most`; nothing if it is not given.
[[nodiscard]] std::optional<std::uint64_t> whole_in(const value& table, std::string_view key, std::uint64_t least = 0,
                                                    std::uint64_t most = 1'000'000'000'000'000);
/// A text; nothing if it is not given.
[[nodiscard]] std::optional<std::string> text_in(const value& table, std::string_view key);
/// The key `name`: a text on one line, which stands in the header of a table; "" if it is not given.
[[nodiscard]] std::string name_in(const value& table);
/// One of these words, as its number among them; `fallback` if the key is not given.
[[nodiscard]] std::size_t word_in(const value& table, std::string_view key, const std::vector<std::string>& words,
                                  std::size_t fallback);
/// As many numbers as there are dimensions; nothing if the key is not given.
[[nodiscard]] std::optional<dem::vec> vector_in(const value& table, std::string_view key, int dimension);
/// An angular velocity: three numbers, in 2D a single one.
[[nodiscard]] std::optional<dem::vec> spin_in(const value& table, std::string_view key, int dimension);

/// Throws `error` for a word that is none of these, with the nearest.
[[noreturn]] void refuse_word(const value& at, std::vector<std::string> words);
/// Throws `error` because the table lacks the key.
[[noreturn]] void refuse_missing(const value& table, std::string_view key, std::string_view example);

/// Calls `f`, and adds the place and the path to the message of an `error` that it throws without a place.
template <class F>
auto with_place(const value& at, F&& f) {
  try {
    return f();
  } catch (const placed_error&) {
    throw;
  } catch (const error& problem) {
    throw error(at.place + ": " + at.path + ": " + problem.what());
  }
}

}  // namespace abut::cli
