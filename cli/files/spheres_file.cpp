#include "files/spheres_file.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include <abut/error.hpp>

#include "files/npy_start.hpp"

namespace abut::cli {
namespace {

constexpr std::size_t full = std::size_t{1} << 20U;

bool csv_for(const std::string& path, bool single) {
  const bool csv = is_csv("--out", path, "bodies");
  if (csv && single) throw error("--single is for .npy files; numbers in a .csv have no width");
  return csv;
}

}  // namespace

spheres_file::spheres_file(const std::string& path, bool single)
    : csv_(csv_for(path, single)), single_(single), file_(path) {}

template <class Number>
void spheres_file::append_npy(const samples::set& bodies, std::size_t i) {
  std::array<Number, 4> numbers{};
  const auto columns = static_cast<std::size_t>(bodies.columns());
  for (std::size_t k = 0; k < columns; ++k) numbers[k] = static_cast<Number>(bodies.column[k][i]);
  buffer_.append(reinterpret_cast<const char*>(numbers.data()), columns * sizeof(Number));
}

void spheres_file::append_csv(const samples::set& bodies, std::size_t i) {
  const auto& c = bodies.column;
  buffer_ += bodies.dimension == 2 ? fmt::format("{},{},{}\n", c[0][i], c[1][i], c[2][i])
                                   : fmt::format("{},{},{},{}\n", c[0][i], c[1][i], c[2][i], c[3][i]);
}

void spheres_file::flush() {
  file_.write(buffer_.data(), buffer_.size());
  bytes_ += buffer_.size();
  buffer_.clear();
}

std::uint64_t spheres_file::write(const samples::set& bodies, const std::function<void(double part)>& progress) {
  file_.open();
  const auto columns = static_cast<std::size_t>(bodies.columns());
  if (csv_) {
    buffer_ = bodies.dimension == 2 ? "x,y,r\n" : "x,y,z,r\n";
  } else {
    // With names, because three unnamed columns could also be x, y, z.
    const char* const type = single_ ? "f4" : "f8";
    buffer_ = bodies.dimension == 2 ? npy_records_start(type, bodies.size(), {"x", "y", "r"})
                                    : npy_start(type, bodies.size(), columns);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (csv_) {
      append_csv(bodies, i);
    } else if (single_) {
      append_npy<float>(bodies, i);
    } else {
      append_npy<double>(bodies, i);
    }
    if (buffer_.size() < full) continue;
    flush();
    progress(static_cast<double>(i) / static_cast<double>(bodies.size()));
  }
  flush();
  file_.commit();
  return bytes_;
}

}  // namespace abut::cli
