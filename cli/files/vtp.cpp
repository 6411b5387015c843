#include "files/vtp.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <abut/geometry.hpp>

#include "base/parallel.hpp"
#include "files/polydata.hpp"

namespace abut::cli {
namespace {

/// The numbers of the pairs that touch through a periodic border, in order.
std::vector<std::size_t> through_borders(const found_pairs& found) {
  const auto& axes = found.periodic;
  if (std::none_of(axes.begin(), axes.end(), [](const auto& axis) { return axis.has_value(); })) return {};
  constexpr std::size_t block = 8192;
  std::vector<std::vector<std::size_t>> parts((found.pairs.size() + block - 1) / block);
  parallel_blocks(usable_threads(found.threads), found.pairs.size(), block,
                  [&](std::size_t b, std::size_t from, std::size_t to) {
                    for (std::size_t k = from; k < to; ++k) {
                      const region second = region_of(found.of, found.pairs[k].j);
                      const region image = nearest_image(region_of(found.of, found.pairs[k].i), second, axes);
                      if (center_of(image) != center_of(second)) parts[b].push_back(k);
                    }
                  });
  std::vector<std::size_t> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The arrays of a file of pairs.
class pairs_as_lines {
 public:
  pairs_as_lines(const found_pairs& found, const pair_details& details)
      : found_(found), details_(details), through_(through_borders(found)) {}

  [[nodiscard]] std::size_t points() const { return found_.of.size() + through_.size(); }
  [[nodiscard]] std::size_t lines() const { return found_.pairs.size(); }

  [[nodiscard]] data_array centers() const {
    return {"Float64", "Points",
            3,         points(),
            24,        [this](std::size_t k, std::string& out) { append_vector(out, center_of(at_point(k))); }};
  }
  [[nodiscard]] std::vector<data_array> of_points() const;
  [[nodiscard]] std::vector<data_array> of_lines() const;
  [[nodiscard]] std::vector<data_array> ends() const;

 private:
  /// The row behind a point: the images come after all bodies.
  [[nodiscard]] row row_at(std::size_t point) const {
    const std::size_t bodies = found_.of.size();
    return point < bodies ? static_cast<row>(point) : found_.pairs[through_[point - bodies]].j;
  }
  [[nodiscard]] region at_point(std::size_t point) const {
    const region body = region_of(found_.of, row_at(point));
    if (point < found_.of.size()) return body;
    const pair p = found_.pairs[through_[point - found_.of.size()]];
    return nearest_image(region_of(found_.of, p.i), body, found_.periodic);
  }
  /// The point at which line k ends.
  [[nodiscard]] std::size_t end_of(std::size_t k) const {
    const auto image = std::lower_bound(through_.begin(), through_.end(), k);
    if (image == through_.end() || *image != k) return found_.pairs[k].j;
    return found_.of.size() + static_cast<std::size_t>(image - through_.begin());
  }
  /// What stands for a body: its id or its row.
  template <class Row>
  [[nodiscard]] data_array names(const std::string& name, std::size_t count, Row&& row_of) const {
    if (found_.ids.empty()) {
      return {"UInt32", name, 1, count, 4, [row_of](std::size_t k, std::string& out) { append_bytes(out, row_of(k)); }};
    }
    return {"Int64", name,
            1,       count,
            8,       [this, row_of](std::size_t k, std::string& out) { append_bytes(out, found_.ids[row_of(k)]); }};
  }
  [[nodiscard]] touch touch_at(std::size_t k) const { return touch_of(found_.of, found_.pairs[k], found_.periodic); }

  const found_pairs& found_;
  pair_details details_;
  std::vector<std::size_t> through_;
};

std::vector<data_array> pairs_as_lines::of_points() const {
  std::vector<data_array> all;
  if (found_.of.kind() == shape::sphere) {
    all.push_back({"Float64", "radius", 1, points(), 8, [this](std::size_t k, std::string& out) {
                     append_bytes(out, found_.of.at(found_.of.dimension())[row_at(k)]);
                   }});
  } else {
    all.push_back({"Float64", "size", 3, points(), 24, [this](std::size_t k, std::string& out) {
                     const box b = std::get<box>(region_of(found_.of, row_at(k)));
                     append_vector(out, {b.max[0] - b.min[0], b.max[1] - b.min[1], b.max[2] - b.min[2]});
                   }});
  }
  all.push_back(names(found_.ids.empty() ? "row" : "id", points(), [this](std::size_t k) { return row_at(k); }));
  all.push_back({"UInt8", "image", 1, points(), 1, [this](std::size_t k, std::string& out) {
                   append_bytes(out, static_cast<std::uint8_t>(k >= found_.of.size()));
                 }});
  return all;
}

std::vector<data_array> pairs_as_lines::of_lines() const {
  const std::string id = found_.ids.empty() ? "" : "id_";
  std::vector<data_array> all;
  all.push_back(names(id + "i", lines(), [this](std::size_t k) { return found_.pairs[k].i; }));
  all.push_back(names(id + "j", lines(), [this](std::size_t k) { return found_.pairs[k].j; }));
  if (details_.overlap) {
    all.push_back({"Float64", "overlap", 1, lines(), 8,
                   [this](std::size_t k, std::string& out) { append_bytes(out, touch_at(k).overlap); }});
  }
  if (details_.normal) {
    all.push_back({"Float64", "normal", 3, lines(), 24,
                   [this](std::size_t k, std::string& out) { append_vector(out, touch_at(k).normal); }});
  }
  if (details_.point) {
    all.push_back({"Float64", "point", 3, lines(), 24,
                   [this](std::size_t k, std::string& out) { append_vector(out, touch_at(k).point); }});
  }
  return all;
}

std::vector<data_array> pairs_as_lines::ends() const {
  std::vector<data_array> all;
  all.push_back({"Int64", "connectivity", 1, lines(), 16, [this](std::size_t k, std::string& out) {
                   append_bytes(out, static_cast<std::int64_t>(found_.pairs[k].i));
                   append_bytes(out, static_cast<std::int64_t>(end_of(k)));
                 }});
  all.push_back({"Int64", "offsets", 1, lines(), 8,
                 [](std::size_t k, std::string& out) { append_bytes(out, static_cast<std::int64_t>(2 * (k + 1))); }});
  return all;
}

}  // namespace

void write_vtp(output_file& file, const found_pairs& found, const pair_details& details) {
  const pairs_as_lines lines(found, details);
  const std::vector<data_array> points = lines.of_points();
  write_polydata(file, lines.points(), 0, lines.lines(),
                 {{"PointData", fmt::format(" Scalars=\"{}\"", points[0].name), points},
                  {"CellData", details.overlap ? " Scalars=\"overlap\"" : "", lines.of_lines()},
                  {"Points", "", {lines.centers()}},
                  {"Lines", "", lines.ends()}},
                 found.threads);
}

}  // namespace abut::cli
