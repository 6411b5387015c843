#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <abut/search.hpp>

#include "files/output_file.hpp"

namespace abut::cli {

/// A file of pairs: .npy, shape (m, 2) of uint32, or .csv with the header i,j; of ids: int64, or the header id_i,id_j.
/// Throws `error` at once for another extension and for a place that cannot be written.
class pairs_file {
 public:
  explicit pairs_file(const std::string& path);
  void write(std::span<const pair> pairs);
  /// The ids of their bodies instead, which are given for every row: the smaller first, sorted.
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
