#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <abut/bodies.hpp>
#include <abut/search.hpp>

#include "files/output_file.hpp"

namespace abut::cli {

/// What is written of each pair, beside its bodies: members of `touch`.
struct pair_details {
  bool overlap = false, normal = false, point = false;

  [[nodiscard]] bool any() const { return overlap || normal || point; }
};

/// Parses the value of --with: some of overlap, normal, point. Throws `error` for another word.
[[nodiscard]] pair_details read_details(const std::string& text);

/// Pairs, sorted, and what they are pairs of.
struct found_pairs {
  std::vector<pair> pairs{};
  bodies of{};
  std::array<std::optional<interval>, 3> periodic{};
  std::span<const std::int64_t> ids{};  ///< one for each row, to be written instead of rows; empty: rows
  int threads = 1;
};

/// A file of pairs, by its extension:
///  - .csv with the header i,j;
///  - .npy of shape (m, 2) and type uint32, or, with details, records with named fields;
///  - .vtp (VTK): the pairs as lines between the centers.
/// With ids, the smaller comes first, pairs are sorted by ids, the type is int64 and the names are id_i and id_j. The
/// constructor throws `error` for another extension and for a path that cannot be written.
class pairs_file {
 public:
  pairs_file(const std::string& path, pair_details details);
  void write(found_pairs found);

 private:
  enum class format : std::uint8_t { csv, npy, vtp };
  static format format_of(const std::string& path);

  void write_csv(const found_pairs& found);
  void write_npy(const found_pairs& found);

  format format_;
  pair_details details_;
  output_file file_;
};

}  // namespace abut::cli
