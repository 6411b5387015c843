// Bytes to bodies, a margin, periods, fixed flags, groups, masks, a region and a second set: pairing must find what the
// tests' oracle finds, which shares no code with the library, and every method of the table must find what pairing
// finds, or refuse what pairing refuses, in the same words.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <abut/abut.hpp>

#include "../tests/instruction_sets.hpp"
#include "../tests/reference.hpp"
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

// How numbers are written: on a coarse grid, where bodies often touch; over all magnitudes; or as arbitrary bits.
enum class numbers : std::uint8_t { grid, magnitudes, bits };

double number(byte_reader& in, numbers how) {
  if (how == numbers::grid) return 0.25 * in.take<std::int8_t>();
  if (how == numbers::bits) return in.take<double>();
  const auto digits = in.take<std::int8_t>();
  return digits * std::pow(10.0, in.take<std::int8_t>() % 151) / 128;
}

samples::set take_bodies(byte_reader& in, int dimension, numbers how, std::size_t most) {
  samples::set b;
  const auto flags = in.take<std::uint8_t>();
  b.kind = (flags & 1) != 0 ? shape::box : shape::sphere;
  b.dimension = dimension;
  const bool with_fixed = (flags & 2) != 0;
  const bool tame = how != numbers::bits || (flags & 4) != 0;  // sizes that are valid
  const bool with_groups = (flags & 8) != 0;
  const bool with_masks = (flags & 16) != 0;
  while (!in.empty() && b.size() < most) {
    double value[6] = {};
    for (int k = 0; k < dimension; ++k) value[k] = number(in, how);
    for (int k = 0; k < (b.kind == shape::sphere ? 1 : dimension); ++k) {
      const double size = number(in, how);
      const double positive = tame ? std::abs(size) : size;
      value[dimension + k] = b.kind == shape::sphere ? positive : value[k] + positive;
    }
    for (int k = 0; k < b.columns(); ++k) b.column[static_cast<std::size_t>(k)].push_back(value[k]);
    if (with_fixed) b.fixed.push_back(in.take<std::uint8_t>() & 1);
    if (with_groups) b.group.push_back(in.take<std::int8_t>() % 8);
    if (!with_masks) continue;
    const auto bits = in.take<std::uint8_t>();  // three of the category, three of what it collides with
    b.category.push_back(std::uint64_t{bits % 8U} << (bits % 3U == 0 ? 61 : 0));
    b.collides.push_back(~std::uint64_t{bits / 8U % 8U} & 0xe000000000000007U);
  }
  return b;
}

// The same bodies, each moved by a little and some with other groups and masks, so that methods which keep state use
// it.
samples::set moved_a_little(samples::set b, byte_reader& in) {
  const auto axes = static_cast<std::size_t>(b.dimension);
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t k = 0; k < axes; ++k) {
      const double by = 0.01 * in.take<std::int8_t>();
      b.column[k][i] += by;
      if (b.kind == shape::box) b.column[axes + k][i] += by;
    }
  }
  for (std::size_t i = 0; i < b.size() && !in.empty(); ++i) {
    const auto change = in.take<std::uint8_t>();
    if (!b.group.empty() && change % 4 == 1) b.group[i] = change / 4 % 8;
    if (!b.category.empty() && change % 4 == 2) b.category[i] ^= change / 4 % 8;
    if (!b.category.empty() && change % 4 == 3) b.collides[i] ^= change / 4 % 8;
  }
  return b;
}

struct outcome {
  std::string refused;
  std::vector<pair> pairs;
  std::vector<pair> listed;  // the same pairs by a list of contacts, which often was made for the first bodies
  std::vector<pair> between;
  std::vector<row> inside;
  friend bool operator==(const outcome&, const outcome&) = default;
};

struct trial {
  options how;
  samples::set first, second, others;
  region where;
};

// The pairs between two sets, from all threads and with the other set kept.
std::vector<pair> by_tasks(search& s, const bodies& others) {
  const other_set kept(others);
  std::vector<std::vector<pair>> tasks(s.tasks_between(kept));
  s.for_each_batch_between(kept, [&](std::size_t task, std::span<const pair> batch) {
    tasks[task].insert(tasks[task].end(), batch.begin(), batch.end());
  });
  std::vector<pair> all;
  for (const auto& task : tasks) all.insert(all.end(), task.begin(), task.end());
  return all;
}

// The neighbors in a list that follows the search, each pair once.
std::vector<pair> listed_pairs(const contact_list& list, const bodies& b) {
  const neighbor_list half = list.neighbors(b, {.half = true});
  std::vector<pair> all;
  for (row i = 0; i < b.size(); ++i) {
    for (std::uint32_t k = half.offsets[i]; k < half.offsets[i + 1]; ++k) all.push_back({i, half.neighbors[k]});
  }
  return all;
}

outcome run(const std::string& line, const trial& t) {
  outcome o;
  // Every other trial begins with half the margin and without periods, and has them change with the second update.
  const bool changing = t.first.size() % 2 == 1;
  try {
    options before = t.how;
    if (changing) before.margin /= 2;
    if (changing) before.periodic = {};
    search s(plan(line), before);
    s.update(t.first.view());
    s.for_each_pair([](row, row) {});
    contacts<> near({.margin = t.how.margin});
    if (!changing) near.update(s);
    changes c;
    if (changing) c = {.margin = t.how.margin, .periodic = t.how.periodic};
    s.update(t.second.view(), c);
    o.pairs = s.pairs();
    near.update(s);
    o.listed = listed_pairs(near, t.second.view());
    if (changing) {
      o.between = by_tasks(s, t.others.view());
    } else {
      s.for_each_pair_between(t.others.view(), [&](row i, row j) { o.between.push_back({i, j}); });
    }
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
  const bool moves_a_little = in.take<std::uint8_t>() % 2 != 0;
  t.others = take_bodies(in, dimension, how, 4);
  t.first = take_bodies(in, dimension, how, moves_a_little ? 40 : 12);
  t.second = moves_a_little ? moved_a_little(t.first, in) : take_bodies(in, dimension, how, 40);
  return t;
}

[[noreturn]] void differ(const std::string& line, const std::string& from, const outcome& found,
                         const outcome& expected) {
  std::fprintf(stderr,
               "%s differs from %s: %zu and %zu pairs, %zu and %zu between, %zu and %zu inside; \"%s\" and \"%s\"\n",
               line.c_str(), from.c_str(), found.pairs.size(), expected.pairs.size(), found.between.size(),
               expected.between.size(), found.inside.size(), expected.inside.size(), found.refused.c_str(),
               expected.refused.c_str());
  std::abort();
}

// The oracle's answers to what pairing did not refuse. It tries all images one by one, so it is only asked about
// regions of few periods.
void check_with_oracle(const trial& t, const outcome& found) {
  constexpr double most_images = 3000;
  const reference::periods axes = reference::in_use(t.how.periodic, t.second.dimension);
  const auto wrapped = reference::wrapped(reference::volumes(t.second), axes);
  const auto few_images = [&](const reference::volume& where) {
    return reference::images(where, wrapped, t.how.margin, axes) <= most_images;
  };
  outcome expected = found;
  expected.pairs = reference::pairs(t.second, t.how.margin, t.how.periodic);
  expected.listed = expected.pairs;
  if (few_images(reference::of_region(t.where, t.second.dimension))) {
    expected.inside = reference::in(t.second, t.where, t.how.margin, t.how.periodic);
  }
  bool all_few = true;
  for (const reference::volume& v : reference::volumes(t.others)) all_few = all_few && few_images(v);
  if (all_few) expected.between = reference::between(t.second, t.others, t.how.margin, t.how.periodic);
  if (!(found == expected)) differ("pairing", "the oracle", found, expected);
}

void check(const std::string& line, const char* instructions, const trial& t, const outcome& expected) {
  const outcome found = run(line, t);
  // A plan whose cells or stripes are too small to store bodies in is refused, with the smallest size that works; only
  // such a plan may be.
  if (found == expected || found.refused.find("smallest that works") != std::string::npos) return;
  differ(line + " (" + instructions + ")", "pairing", found, expected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  byte_reader in(data, size);
  const trial t = take_trial(in);
  const outcome expected = run("pairing", t);
  if (expected.refused.empty()) check_with_oracle(t, expected);
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
