#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <abut/search.hpp>

#include "screen/words.hpp"

namespace abut::cli {

/// The number of bodies that have a certain number of contacts.
struct bodies_with {
  std::uint64_t contacts = 0;
  std::uint64_t bodies = 0;
};
/// By ascending contacts; what no body has is left out.
using coordination_histogram = std::vector<bodies_with>;

/// Counts the contacts of each body.
class contact_counts {
 public:
  explicit contact_counts(std::size_t bodies) : of_body_(bodies) {}
  void add(std::span<const pair> pairs);
  [[nodiscard]] coordination_histogram histogram() const;

 private:
  std::vector<std::uint32_t> of_body_;
};

/// The histogram as a bar chart, a line for each number of contacts or, if there are many, for each range of them. At
/// most thirteen lines: the last holds the few bodies with many more contacts than the others. `indent` is how much of
/// the width is taken already.
[[nodiscard]] std::vector<std::string> bar_chart(const coordination_histogram& histogram, const text_style& style,
                                                 std::size_t indent);

}  // namespace abut::cli
