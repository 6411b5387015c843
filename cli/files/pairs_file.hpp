#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <abut/search.hpp>

#include "files/output_file.hpp"

namespace abut::cli {

/// A file of pairs: .npy of shape (m, 2) and type uint32, or .csv with the header i,j. With ids, the type is int64 and
/// the header id_i,id_j. The constructor throws `error` for another extension and for a path that cannot be written.
class pairs_file {
 public:
  explicit pairs_file(const std::string& path);
  void write(std::span<const pair> pairs);
  /// Writes ids instead of rows, the smaller first, sorted. `ids` has one for each row.
  void write(std::span<const pair> pairs, std::span<const std::int64_t> ids);

 private:
  struct id_pair {
    std::int64_t i, j;
    bool operator<(const id_pair& other) const { return i != other.i ? i < other.i : j < other.j; }
  };

  template <class Pair>
  void write_all(std::span<const Pair> pairs, std::string_view type, std::string_view header);
  template <class Pair>
  void write_csv(std::span<const Pair> pairs, std::string_view header);

  bool csv_;
  output_file file_;
};

}  // namespace abut::cli
