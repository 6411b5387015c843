#include "files/pairs_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include <abut/geometry.hpp>

#include "base/sort.hpp"
#include "files/blocks.hpp"
#include "files/npy_start.hpp"
#include "files/vtp.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

/// Sorts the pairs by their ids, the body with the smaller id first. Works on the ranks of the ids, so that no pair
/// needs more than its eight bytes.
void sort_by_ids(found_pairs& found) {
  const std::span<const std::int64_t> ids = found.ids;
  std::vector<row> at_rank(ids.size());
  std::iota(at_rank.begin(), at_rank.end(), row{0});
  std::sort(at_rank.begin(), at_rank.end(), [&](row a, row b) { return ids[a] < ids[b]; });
  std::vector<row> rank(ids.size());
  for (row k = 0; k < at_rank.size(); ++k) rank[at_rank[k]] = k;
  for (pair& p : found.pairs) p = {std::min(rank[p.i], rank[p.j]), std::max(rank[p.i], rank[p.j])};
  sort_pairs(found.pairs, found.threads);
  for (pair& p : found.pairs) p = {at_rank[p.i], at_rank[p.j]};
}

/// The names of the details' columns, in 2D or 3D.
std::vector<std::string> names_of(const pair_details& details, int dimension) {
  std::vector<std::string> names;
  if (details.overlap) names.emplace_back("overlap");
  for (const char first : {'n', 'p'}) {
    if (!(first == 'n' ? details.normal : details.point)) continue;
    for (int k = 0; k < dimension; ++k) names.push_back({first, "xyz"[k]});
  }
  return names;
}

/// The numbers of the details' columns; returns how many there are.
std::size_t numbers_of(const touch& t, const pair_details& details, int dimension, std::array<double, 7>& numbers) {
  std::size_t count = 0;
  if (details.overlap) numbers[count++] = t.overlap;
  for (int k = 0; k < dimension && details.normal; ++k) numbers[count++] = t.normal[k];
  for (int k = 0; k < dimension && details.point; ++k) numbers[count++] = t.point[k];
  return count;
}

/// Appends the shortest text that reads back as the same number.
template <class Number>
void append_number(std::string& to, Number value) {
  std::array<char, 32> digits{};
  const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  to.append(digits.data(), end);
}

/// Calls `use(name)` with what stands for a body: its id or its row.
template <class Use>
void with_name(const found_pairs& found, row r, Use&& use) {
  found.ids.empty() ? use(r) : use(found.ids[r]);
}

}  // namespace

pair_details read_details(const std::string& text) {
  pair_details details;
  const std::vector<std::string> words{"overlap", "normal", "point"};
  const std::array<bool*, 3> members{&details.overlap, &details.normal, &details.point};
  for (const std::string_view part : comma_separated(text)) {
    const auto found = std::find(words.begin(), words.end(), part);
    if (found == words.end()) {
      const std::string near = nearest(part, words);
      throw error(fmt::format("--with {}: {} is unknown{}", in_quotes(text), in_quotes(part),
                              near.empty() ? "; name some of overlap,normal,point" : ", did you mean " + near + "?"));
    }
    bool& member = *members[static_cast<std::size_t>(found - words.begin())];
    if (member) throw error(fmt::format("--with {}: {} is named twice", in_quotes(text), part));
    member = true;
  }
  return details;
}

pairs_file::pairs_file(const std::string& path, pair_details details)
    : format_(format_of(path)), details_(details), file_(path) {}

pairs_file::format pairs_file::format_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return format::csv;
  if (extension == ".npy") return format::npy;
  if (extension == ".vtp") return format::vtp;
  throw error(fmt::format("--pairs {}: unknown extension {}; pairs are written as .npy, .csv or .vtp", path,
                          in_quotes(extension)));
}

void pairs_file::write(found_pairs found) {
  if (!found.ids.empty()) sort_by_ids(found);
  file_.open();
  if (format_ == format::csv) write_csv(found);
  if (format_ == format::npy) write_npy(found);
  if (format_ == format::vtp) write_vtp(file_, found, details_);
  file_.commit();
}

void pairs_file::write_csv(const found_pairs& found) {
  const int dimension = found.of.dimension();
  std::string header = found.ids.empty() ? "i,j" : "id_i,id_j";
  for (const std::string& name : names_of(details_, dimension)) header += "," + name;
  header += "\n";
  file_.write(header.data(), header.size());
  write_blocks(file_, found.pairs.size(), found.threads, [&](std::size_t from, std::size_t to, std::string& out) {
    const auto append = [&](auto value) { append_number(out, value); };
    std::array<double, 7> numbers{};
    for (std::size_t k = from; k < to; ++k) {
      const pair p = found.pairs[k];
      with_name(found, p.i, append);
      out += ',';
      with_name(found, p.j, append);
      if (details_.any()) {
        const std::size_t count = numbers_of(touch_of(found.of, p, found.periodic), details_, dimension, numbers);
        for (std::size_t n = 0; n < count; ++n) {
          out += ',';
          append(numbers[n]);
        }
      }
      out += '\n';
    }
  });
}

void pairs_file::write_npy(const found_pairs& found) {
  const int dimension = found.of.dimension();
  const std::string type = found.ids.empty() ? "u4" : "i8";
  std::string start = npy_start(type, found.pairs.size(), 2);
  if (details_.any()) {
    const std::string name = found.ids.empty() ? "" : "id_";
    std::string fields = fmt::format("[('{0}i', {1}), ('{0}j', {1})", name, npy_type(type));
    for (const std::string& detail : names_of(details_, dimension)) {
      fields += fmt::format(", ('{}', {})", detail, npy_type("f8"));
    }
    start = npy_start_of(fields + "]", fmt::format("({},)", found.pairs.size()));
  }
  file_.write(start.data(), start.size());
  write_blocks(file_, found.pairs.size(), found.threads, [&](std::size_t from, std::size_t to, std::string& out) {
    const auto append = [&](auto value) { append_bytes(out, value); };
    std::array<double, 7> numbers{};
    for (std::size_t k = from; k < to; ++k) {
      const pair p = found.pairs[k];
      with_name(found, p.i, append);
      with_name(found, p.j, append);
      if (!details_.any()) continue;
      const std::size_t count = numbers_of(touch_of(found.of, p, found.periodic), details_, dimension, numbers);
      for (std::size_t n = 0; n < count; ++n) append(numbers[n]);
    }
  });
}

}  // namespace abut::cli
