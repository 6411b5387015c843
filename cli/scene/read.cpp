#include "scene/read.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "screen/words.hpp"

namespace abut::cli {
namespace {

std::array<double, 3> numbers_of(const value& v, std::size_t count) {
  if (v.inside.size() != count) {
    refuse(v, fmt::format("is {}; it must have {} numbers, one for each axis", v.in_words(), count));
  }
  std::array<double, 3> numbers{};
  for (std::size_t k = 0; k < count; ++k) numbers[k] = v.inside[k].real;
  return numbers;
}

}  // namespace

std::optional<double> number_in(const value& table, std::string_view key, std::string_view range,
                                bool (*fits)(double)) {
  const value* const v = table.find(key);
  if (v == nullptr) return {};
  if (fits != nullptr && !fits(v->real)) refuse(*v, fmt::format("is {}; it must be {}", v->in_words(), range));
  return v->real;
}

std::optional<std::uint64_t> whole_in(const value& table, std::string_view key, std::uint64_t least,
                                      std::uint64_t most) {
  const value* const v = table.find(key);
  if (v == nullptr) return {};
  // A real number has passed the check of its form, and is whole and at least 0: 1e6.
  const std::uint64_t whole = v->kind == value_kind::real ? static_cast<std::uint64_t>(std::min(v->real, 1e18))
                                                          : static_cast<std::uint64_t>(v->whole);
  if (whole >= least && whole <= most) return whole;
  refuse(*v, fmt::format("is {}; it must be a whole number from {} to {}", v->in_words(), least, most));
}

std::optional<std::string> text_in(const value& table, std::string_view key) {
  const value* const v = table.find(key);
  return v == nullptr ? std::nullopt : std::optional(v->text);
}

std::string name_in(const value& table) {
  const value* const v = table.find("name");
  if (v == nullptr) return "";
  const auto controls = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(v->text.begin(), v->text.end(), controls)) {
    refuse(*v, fmt::format("is {}; a name is one line, without control characters", v->in_words()));
  }
  return v->text;
}

std::size_t word_in(const value& table, std::string_view key, const std::vector<std::string>& words,
                    std::size_t fallback) {
  const value* const v = table.find(key);
  if (v == nullptr) return fallback;
  const auto found = std::find(words.begin(), words.end(), v->text);
  if (found == words.end()) refuse_word(*v, words);
  return static_cast<std::size_t>(found - words.begin());
}

std::optional<dem::vec> vector_in(const value& table, std::string_view key, int dimension) {
  const value* const v = table.find(key);
  if (v == nullptr) return {};
  const std::array<double, 3> numbers = numbers_of(*v, static_cast<std::size_t>(dimension));
  return dem::vec{numbers[0], numbers[1], numbers[2]};
}

std::optional<dem::vec> spin_in(const value& table, std::string_view key, int dimension) {
  const value* const v = table.find(key);
  if (v == nullptr || dimension == 3) return vector_in(table, key, 3);
  if (!v->is_number()) refuse(*v, fmt::format("is {}; in 2D it must be one number, about z", v->in_words()));
  return dem::vec{0, 0, v->real};
}

void refuse_word(const value& at, std::vector<std::string> words) {
  std::vector<std::string> once;  // several walls may have one name
  for (std::string& word : words) {
    if (std::find(once.begin(), once.end(), word) == once.end()) once.push_back(std::move(word));
  }
  words = std::move(once);
  const std::string near = nearest(at.text, words);
  refuse(at, fmt::format("is {}{}", in_quotes(at.text),
                         near.empty() ? fmt::format("; it must be one of {}", joined(words))
                                      : fmt::format(", did you mean {}?", in_quotes(near))));
}

void refuse_missing(const value& table, std::string_view key, std::string_view example) {
  throw placed_error(fmt::format("{}: {} has no {}; add one, such as {}", table.place,
                                 table.path.empty() ? "the scene" : table.path, key, example));
}

}  // namespace abut::cli
