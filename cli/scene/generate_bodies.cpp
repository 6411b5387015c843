#include "scene/generate_bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "files/bodies_file.hpp"
#include "generate/generate.hpp"
#include "portable.hpp"
#include "scene/read.hpp"
#include "screen/words.hpp"

namespace abut::cli {
namespace {

constexpr double most_bodies = 5e7;

/// The keys that say how bodies are made, of which no kind has all.
constexpr std::array kind_keys = {"count",       "seed",   "diameter",  "min",      "max",    "spacing",
                                  "jitter",      "sizes",  "ratio",     "fraction", "each",   "side",
                                  "arrangement", "file",   "direction", "columns",  "radius", "scale",
                                  "shuffle",     "outlet", "hopper",    "width",    "height"};

void refuse_foreign_keys(const value& table, const std::string& kind, const std::vector<std::string>& own) {
  for (const char* const key : kind_keys) {
    const value* const v = table.find(key);
    if (v == nullptr || std::find(own.begin(), own.end(), key) != own.end()) continue;
    refuse(*v, fmt::format("has no meaning for {}, whose keys are {}", kind, joined(own)));
  }
}

std::array<double, 3> spacing_in(const value& table, int dimension, bool by_axis) {
  const value* const v = table.find("spacing");
  std::array<double, 3> spacing = {1, 1, 1};
  if (v == nullptr) return spacing;
  const auto axes = static_cast<std::size_t>(dimension);
  if (!v->is_number() && (!by_axis || v->inside.size() != axes)) {
    refuse(*v, fmt::format("is {}; it must be one number{}", v->in_words(),
                           by_axis ? fmt::format(" or {}, one for each axis", axes) : ""));
  }
  for (std::size_t k = 0; k < axes; ++k) {
    spacing[k] = v->is_number() ? v->real : v->inside[k].real;
    if (!(spacing[k] > 1e-6 && spacing[k] <= 1e6)) {
      refuse(*v, fmt::format("is {}; it must be above 0 and up to 1e6 diameters", spacing[k]));
    }
  }
  return spacing;
}

double diameter_in(const value& table) {
  return number_in(table, "diameter", "a length from 1e-30 to 1e30", [](double d) { return d >= 1e-30 && d <= 1e30; })
      .value_or(1);
}

std::optional<double> jitter_in(const value& table) {
  return number_in(table, "jitter", "a number of diameters from 0 to 1e6", [](double j) { return j >= 0 && j <= 1e6; });
}

samples::size_law sizes_in(const value& table) {
  return static_cast<samples::size_law>(word_in(table, "sizes", {"equal", "uniform", "r-3", "mass"}, 0));
}

std::optional<double> ratio_in(const value& table) {
  return number_in(table, "ratio", "a number from 1 to 1e6", [](double r) { return r >= 1 && r <= 1e6; });
}

bool shuffled_in(const value& table) {
  const value* const v = table.find("shuffle");
  return v != nullptr && v->flag;
}

// ---- the kinds of `abut generate`

generate_request request_of(const value& table, int dimension) {
  generate_request r{.kind = table.find("generate")->text, .dimension = dimension};
  const auto count = whole_in(table, "count", 1, static_cast<std::uint64_t>(most_bodies));
  if (!count) refuse_missing(table, "count", "count = 1000");
  r.count = *count;
  r.seed = whole_in(table, "seed").value_or(1);
  r.diameter = diameter_in(table);
  r.spacing = spacing_in(table, dimension, r.kind == "lattice");
  r.jitter = jitter_in(table);
  r.sizes = sizes_in(table);
  r.ratio = ratio_in(table);
  r.fraction = number_in(table, "fraction", "a number above 0 and below 1", [](double f) {
                 return f > 1e-9 && f < 1;
               }).value_or(r.fraction);
  r.each = whole_in(table, "each", 1, static_cast<std::uint64_t>(most_bodies)).value_or(r.each);
  r.side = number_in(table, "side", "a number of diameters from 0 to 1e100", [](double s) {
             return s >= 0 && s <= 1e100;
           }).value_or(r.side);
  r.arrangement = static_cast<samples::arrangement>(word_in(table, "arrangement", {"cubic", "hexagonal"}, 0));
  if (const auto direction = vector_in(table, "direction", dimension)) {
    r.direction = {direction->x, direction->y, direction->z};
    const double square = dot(*direction, *direction);
    if (!(square > 1e-100 && square < 1e100)) refuse(*table.find("direction"), "has no direction; not all may be 0");
  }
  r.shuffled = shuffled_in(table);
  return r;
}

samples::set of_kind(const value& table, int dimension, const generate_kind& kind, const scene_request& request) {
  std::vector<std::string> own = {"count", "seed", "diameter"};
  for (const std::string_view option : kind.options) {
    if (option != "--dimension" && option != "--no-shuffle") own.emplace_back(option.substr(2));
  }
  refuse_foreign_keys(table, std::string(kind.name), own);
  const bool flat = std::find(kind.options.begin(), kind.options.end(), "--dimension") != kind.options.end();
  if (dimension == 2 && !flat)
    refuse(*table.find("generate"), fmt::format("is {}, which is 3D only", in_quotes(kind.name)));
  generate_request r = request_of(table, dimension);
  r.progress = [&](double part) { request.progress(fmt::format("making the {} of {}", kind.name, table.path), part); };
  return with_place(table, [&] { return kind.make(r).bodies; });
}

// ---- fill

/// A lattice that fills a box.
class box_lattice {
 public:
  box_lattice(const value& table, int dimension) : table_(table), dimension_(dimension), d_(diameter_in(table)) {
    const auto min = vector_in(table, "min", dimension);
    const auto max = vector_in(table, "max", dimension);
    if (!min) refuse_missing(table, "min", "min = [0, 0, 0]");
    if (!max) refuse_missing(table, "max", "max = [10, 10, 10]");
    const std::array<double, 3> spacing = spacing_in(table, dimension, true);
    jitter_ = jitter_in(table).value_or(0) * d_;
    const std::array<double, 3> from = {min->x, min->y, min->z};
    const std::array<double, 3> to = {max->x, max->y, max->z};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
      step_[k] = spacing[k] * d_;
      first_[k] = from[k] + d_ / 2 + jitter_;
      const double room = (to[k] - from[k] - d_ - 2 * jitter_) / step_[k];
      // Room for rounding: a side of ten diameters takes ten bodies.
      sites_[k] = room > -1e-9 ? std::floor(room + 1e-9) + 1 : 0;
    }
  }

  [[nodiscard]] samples::set bodies() const {
    samples::random rng(whole_in(table_, "seed").value_or(1));
    const std::size_t count = checked_count();
    const double ratio = ratio_in(table_).value_or(2);
    std::vector<double> radius = samples::radii(sizes_in(table_), dimension_, count, d_ / 2, ratio, rng);
    samples::set all{.dimension = dimension_};
    all.reserve(count);
    for (const std::size_t site : samples::site_order(count, rng, shuffled_in(table_))) {
      const std::array<double, 3> c = moved(site, rng);
      all.add(c[0], c[1], c[2], radius[all.size()]);
    }
    return all;
  }

 private:
  [[nodiscard]] std::size_t checked_count() const {
    const double room = sites_[0] * sites_[1] * sites_[2];
    const auto wanted = whole_in(table_, "count", 1, static_cast<std::uint64_t>(most_bodies));
    if (!(room >= 1)) refuse(table_, "has no room for a body between min and max");
    if (wanted && static_cast<double>(*wanted) > room) {
      refuse(*table_.find("count"), fmt::format("is {}, and only {:.0f} fit between min and max", *wanted, room));
    }
    if (!wanted && room > most_bodies)
      refuse(table_, fmt::format("has room for {:.0f} bodies; at most 5e7 are made", room));
    return wanted ? *wanted : static_cast<std::size_t>(room);
  }

  /// The place of a site, x first, moved by the jitter.
  [[nodiscard]] std::array<double, 3> moved(std::size_t site, samples::random& rng) const {
    std::array<double, 3> c{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto n = static_cast<std::size_t>(sites_[k]);
      const double off = rng.uniform(-1, 1);
      c[k] = first_[k] + step_[k] * static_cast<double>(site % n) + jitter_ * off;
      site /= n;
    }
    return c;
  }

  const value& table_;
  int dimension_;
  double d_;
  double jitter_ = 0;
  std::array<double, 3> step_{}, first_{};
  std::array<double, 3> sites_ = {1, 1, 1};
};

samples::set filled(const value& table, int dimension) {
  refuse_foreign_keys(table, "fill",
                      {"min", "max", "count", "seed", "diameter", "spacing", "jitter", "shuffle", "sizes", "ratio"});
  return box_lattice(table, dimension).bodies();
}

// ---- a silo's wall

/// Rings of balls on a cylinder over a cone, about the z axis, with the outlet at z = 0: the wall of Lazarević et al.
class silo_rings {
 public:
  silo_rings(const value& table, double spacing) : spacing_(spacing) {
    const auto length = [&](const char* key, const char* example) {
      const auto found = number_in(table, key, "above 0", [](double v) { return v > 0; });
      if (!found) refuse_missing(table, key, fmt::format("{} = {}", key, example));
      return *found;
    };
    const double outlet = length("outlet", "1.5") / 2;
    const double width = length("width", "6") / 2;
    const double hopper = length("hopper", "3");
    if (outlet > width) refuse(*table.find("outlet"), fmt::format("is {}, wider than the silo", 2 * outlet));
    add(outlet, width, 0, hopper);
    add(width, width, hopper, hopper + length("height", "10"));
    ring(width, hopper + length("height", "10"));
  }
  [[nodiscard]] const std::vector<dem::vec>& centers() const { return centers_; }

 private:
  /// Rings along a straight line, without its upper end.
  void add(double from, double to, double low, double high) {
    const double steep = std::sqrt((to - from) * (to - from) + (high - low) * (high - low));
    const auto count = static_cast<int>(std::floor(steep / spacing_ + 0.5));
    for (int k = 0; k < count; ++k) ring(from + (to - from) * k / count, low + (high - low) * k / count);
  }
  /// Every second ring is turned by half a ball.
  void ring(double radius, double z) {
    constexpr double turn = 2 * std::numbers::pi;
    const int count = std::max(3, static_cast<int>(std::floor(turn * radius / spacing_ + 0.5)));
    const double first = ++rings_ % 2 == 0 ? 0.5 : 0;
    for (int k = 0; k < count; ++k) {
      const double angle = turn * (k + first) / count;
      centers_.push_back({radius * dem::portable_cos(angle), radius * dem::portable_sin(angle), z});
    }
  }

  double spacing_;
  int rings_ = 0;
  std::vector<dem::vec> centers_;
};

samples::set silo_wall(const value& table, int dimension) {
  refuse_foreign_keys(table, "silo-wall",
                      {"outlet", "hopper", "width", "height", "diameter", "spacing", "sizes", "ratio", "seed"});
  if (dimension == 2) refuse(*table.find("generate"), "is \"silo-wall\", which is 3D only");
  const double d = diameter_in(table);
  const silo_rings rings(table, spacing_in(table, dimension, false)[0] * d);
  samples::random rng(whole_in(table, "seed").value_or(1));
  const std::vector<double> radius =
      samples::radii(sizes_in(table), dimension, rings.centers().size(), d / 2, ratio_in(table).value_or(2), rng);
  samples::set all{.dimension = dimension};
  for (const dem::vec& c : rings.centers()) all.add(c.x, c.y, c.z, radius[all.size()]);
  return all;
}

// ---- a file

samples::set from_file(const value& table, int dimension, const scene_request& request) {
  refuse_foreign_keys(table, "a file", {"file", "columns", "radius", "scale"});
  const value& name = *table.find("file");
  columns_request columns;
  columns.radius = number_in(table, "radius", "above 0", [](double r) { return r > 0; });
  if (const auto text = text_in(table, "columns"))
    with_place(*table.find("columns"), [&] { read_columns(columns, *text); });
  const std::string path = (std::filesystem::path(request.folder) / name.text).string();
  const bodies_file file = with_place(name, [&] {
    return read_bodies(path, columns, [&](std::string_view what, double part) {
      request.progress(fmt::format("{} {}", what, path), part);
    });
  });
  if (file.kind != shape::sphere)
    refuse(name, fmt::format("is {}, which has boxes; bodies are spheres or discs", in_quotes(name.text)));
  if (file.dimension != dimension) {
    refuse(name,
           fmt::format("is {}, which is {}D, and the scene is {}D", in_quotes(name.text), file.dimension, dimension));
  }
  const double scale = number_in(table, "scale", "above 0", [](double s) { return s > 0; }).value_or(1);
  samples::set all{.dimension = dimension};
  const auto axes = static_cast<std::size_t>(dimension);
  for (std::size_t k = 0; k <= axes; ++k) {
    all.column[k].resize(file.size);
    file.columns[k].read(0, file.size, all.column[k].data());
  }
  for (double& r : all.column[axes]) r *= scale;
  return all;
}

}  // namespace

samples::set generated(const value& table, int dimension, const scene_request& request) {
  const value* const kind = table.find("generate");
  const value* const file = table.find("file");
  if ((kind == nullptr) == (file == nullptr)) {
    refuse(table, fmt::format("needs generate or file{}",
                              kind == nullptr ? "; for a single body write [[body]]" : ", and has both"));
  }
  if (file != nullptr) return from_file(table, dimension, request);
  if (kind->text == "fill") return filled(table, dimension);
  if (kind->text == "silo-wall") return silo_wall(table, dimension);
  std::vector<std::string> names = {"fill", "silo-wall"};
  for (const generate_kind& known : generate_kinds()) {
    if (known.name == kind->text) return of_kind(table, dimension, known, request);
    names.emplace_back(known.name);
  }
  refuse_word(*kind, names);
}

}  // namespace abut::cli
