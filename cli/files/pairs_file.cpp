#include "files/pairs_file.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "files/npy_start.hpp"

namespace abut::cli {

pairs_file::pairs_file(const std::string& path) : csv_(is_csv("--pairs", path, "pairs")), file_(path) {}

void pairs_file::write(std::span<const pair> pairs) { write_all(pairs, "u4", "i,j"); }

void pairs_file::write(std::span<const pair> pairs, std::span<const std::int64_t> ids) {
  std::vector<id_pair> named;
  named.reserve(pairs.size());
  for (const pair p : pairs) named.push_back({std::min(ids[p.i], ids[p.j]), std::max(ids[p.i], ids[p.j])});
  std::sort(named.begin(), named.end());
  write_all(std::span<const id_pair>(named), "i8", "id_i,id_j");
}

template <class Pair>
void pairs_file::write_all(std::span<const Pair> pairs, std::string_view type, std::string_view header) {
  static_assert(sizeof(Pair) == 2 * sizeof(Pair::i), "pairs are written as they lie in memory");
  file_.open();
  if (csv_) {
    write_csv(pairs, header);
  } else {
    const std::string start = npy_start(type, pairs.size(), 2);
    file_.write(start.data(), start.size());
    file_.write(pairs.data(), pairs.size_bytes());
  }
  file_.commit();
}

template <class Pair>
void pairs_file::write_csv(std::span<const Pair> pairs, std::string_view header) {
  constexpr std::size_t full = std::size_t{1} << 20U;
  std::string buffer = fmt::format("{}\n", header);
  for (const Pair p : pairs) {
    const fmt::format_int i(p.i), j(p.j);
    buffer.append(i.data(), i.size()).append(1, ',').append(j.data(), j.size()).append(1, '\n');
    if (buffer.size() < full) continue;
    file_.write(buffer.data(), buffer.size());
    buffer.clear();
  }
  file_.write(buffer.data(), buffer.size());
}

}  // namespace abut::cli
