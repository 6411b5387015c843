#include "pairs_file.hpp"

#include <cstdint>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "npy_start.hpp"
#include "words.hpp"

namespace abut::cli {
namespace {

/// Whether it is .csv and not .npy; throws where it is neither.
bool is_csv(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".csv") return true;
  if (extension == ".npy") return false;
  throw error(
      fmt::format("--pairs {}: unknown extension {}; pairs are written as .npy or .csv", path, in_quotes(extension)));
}

static_assert(sizeof(pair) == 2 * sizeof(std::uint32_t), "pairs are written as they lie in memory");

}  // namespace

pairs_file::pairs_file(const std::string& path) : csv_(is_csv(path)), file_(path) {}

void pairs_file::write(std::span<const pair> pairs) {
  file_.open();
  if (csv_) {
    write_csv(pairs);
  } else {
    write_npy(pairs);
  }
  file_.commit();
}

void pairs_file::write_npy(std::span<const pair> pairs) {
  const std::string start = npy_start("u4", pairs.size(), 2);
  file_.write(start.data(), start.size());
  file_.write(pairs.data(), pairs.size_bytes());
}

void pairs_file::write_csv(std::span<const pair> pairs) {
  constexpr std::size_t full = std::size_t{1} << 20U;
  std::string buffer = "i,j\n";
  for (const pair p : pairs) {
    const fmt::format_int i(p.i), j(p.j);
    buffer.append(i.data(), i.size()).append(1, ',').append(j.data(), j.size()).append(1, '\n');
    if (buffer.size() < full) continue;
    file_.write(buffer.data(), buffer.size());
    buffer.clear();
  }
  file_.write(buffer.data(), buffer.size());
}

}  // namespace abut::cli
