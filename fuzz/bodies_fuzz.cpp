// Bytes to bodies, a margin, periods, fixed flags, a region and a second set: every method of the table must find what
// pairing finds, or refuse what pairing refuses, in the same words.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "../tests/instruction_sets.hpp"
#include "../tests/variants.hpp"

namespace {

using namespace abut;

class byte_reader {
 public:
  byte_reader(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}
  [[nodiscard]] bool empty() const { return left_ == 0; }

  template <class T>
  T take() {
    T value{};
    const std::size_t count = std::min(sizeof(T), left_);
    std::memcpy(&value, at_, count);
    at_ += count;
    left_ -= count;
    return value;
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

// How numbers are written: on a coarse grid, where touching is frequent; over all magnitudes; or any bits at all.
enum class numbers : std::uint8_t { grid, magnitudes, bits };

double number(byte_reader& in, numbers how) {
  if (how == numbers::grid) return 0.25 * in.take<std::int8_t>();
  if (how == numbers::bits) return in.take<double>();
  const auto digits = in.take<std::int8_t>();
  return digits * std::pow(10.0, in.take<std::int8_t>() % 151) / 128;
}

struct bodies_data {
  shape kind = shape::sphere;
  int dimension = 3;
  std::vector<double> column[6];
  std::vector<std::uint8_t> fixed;

  [[nodiscard]] bodies view() const {
    const auto& c = column;
    bodies b = kind == shape::sphere ? (dimension == 2 ? spheres(c[0], c[1], c[2]) : spheres(c[0], c[1], c[2], c[3]))
               : dimension == 2      ? boxes(c[0], c[2], c[1], c[3])
                                     : boxes(c[0], c[3], c[1], c[4], c[2], c[5]);
    return fixed.empty() ? b : b.fixed(fixed);
  }
};

bodies_data take_bodies(byte_reader& in, int dimension, numbers how, std::size_t most) {
  bodies_data b;
  const auto flags = in.take<std::uint8_t>();
  b.kind = (flags & 1) != 0 ? shape::box : shape::sphere;
  b.dimension = dimension;
  const bool with_fixed = (flags & 2) != 0;
  const bool tame = how != numbers::bits || (flags & 4) != 0;  // sizes that can be
  while (!in.empty() && b.column[0].size() < most) {
    double value[6] = {};
    for (int k = 0; k < dimension; ++k) value[k] = number(in, how);
    for (int k = 0; k < (b.kind == shape::sphere ? 1 : dimension); ++k) {
      const double size = number(in, how);
      const double positive = tame ? std::abs(size) : size;
      value[dimension + k] = b.kind == shape::sphere ? positive : value[k] + positive;
    }
    const int columns = b.kind == shape::sphere ? dimension + 1 : 2 * dimension;
    for (int k = 0; k < columns; ++k) b.column[k].push_back(value[k]);
    if (with_fixed) b.fixed.push_back(in.take<std::uint8_t>() & 1);
  }
  return b;
}

struct outcome {
  std::string refused;
  std::vector<pair> pairs;
  std::vector<pair> between;
  std::vector<row> inside;
  friend bool operator==(const outcome&, const outcome&) = default;
};

struct trial {
  options how;
  bodies_data first, second, others;
  region where;
};

outcome run(const std::string& line, const trial& t) {
  outcome o;
  try {
    search s(plan(line), t.how);
    s.update(t.first.view());
    s.for_each_pair([](row, row) {});
    s.update(t.second.view());
    o.pairs = s.pairs();
    s.for_each_pair_between(t.others.view(), [&](row i, row j) { o.between.push_back({i, j}); });
    s.for_each_in(t.where, [&](row i) { o.inside.push_back(i); });
    std::sort(o.between.begin(), o.between.end());
    std::sort(o.inside.begin(), o.inside.end());
  } catch (const error& e) {
    o = {};
    o.refused = e.what();
  }
  return o;
}

std::vector<std::string> plans() {
  std::vector<std::string> all{"auto"};
  for (const method_info* m : methods()) {
    for (const std::string& line : support::variants(std::string(m->name))) all.push_back(line);
  }
  for (const char* length : {"0.1", "1", "1e3", "1e-20"}) {
    all.push_back(std::string("neighboring-cell store=center cell=") + length);
    all.push_back(std::string("neighboring-cell store=cover cell=") + length);
    all.push_back(std::string("stripe-sort width=") + length);
  }
  return all;
}

trial take_trial(byte_reader& in) {
  trial t;
  const auto flags = in.take<std::uint8_t>();
  const int dimension = (flags & 1) != 0 ? 3 : 2;
  const auto how = static_cast<numbers>((flags >> 1) % 3);
  t.how.margin = (flags & 16) != 0 ? number(in, how) : 0;
  for (int k = 0; k < 3; ++k) {
    if ((flags & (32 << k)) == 0) continue;
    const double from = number(in, how);
    t.how.periodic[k] = interval{from, from + number(in, how)};
  }
  if (in.take<std::uint8_t>() % 2 != 0) {
    t.where = sphere{{number(in, how), number(in, how), number(in, how)}, number(in, how)};
  } else {
    box b;
    for (int k = 0; k < 3; ++k) b.min[k] = number(in, how);
    for (int k = 0; k < 3; ++k) b.max[k] = b.min[k] + std::abs(number(in, how));
    t.where = b;
  }
  t.others = take_bodies(in, dimension, how, 4);
  t.first = take_bodies(in, dimension, how, 12);
  t.second = take_bodies(in, dimension, how, 40);
  return t;
}

void check(const std::string& line, const char* instructions, const trial& t, const outcome& expected) {
  const outcome found = run(line, t);
  // Cells or stripes too small to cover bodies with are refused, with a way out; that is this plan's own.
  if (found == expected || found.refused.find("smallest that works") != std::string::npos) return;
  std::fprintf(stderr,
               "%s (%s) differs from pairing: %zu and %zu pairs, %zu and %zu between, %zu and %zu inside; \"%s\" and "
               "\"%s\"\n",
               line.c_str(), instructions, found.pairs.size(), expected.pairs.size(), found.between.size(),
               expected.between.size(), found.inside.size(), expected.inside.size(), found.refused.c_str(),
               expected.refused.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  byte_reader in(data, size);
  const trial t = take_trial(in);
  const outcome expected = run("pairing", t);
  static const std::vector<std::string> all = plans();
  for (const std::string& line : all) {
    if (support::uses_vectors(line)) {
      support::with_each_instruction_set([&](const char* name) { check(line, name, t, expected); });
    } else {
      check(line, "best instructions", t, expected);
    }
  }
  return 0;
}
