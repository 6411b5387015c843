#include <abut/bodies.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/memory.hpp"

namespace abut {

namespace {

// How many rows ahead to prefetch. The processor's own prefetching stops at the end of a page, and structs span many.
constexpr std::ptrdiff_t ahead = 48;

// Reads members of an array of structs: `of_member[c]` points to member c of the first struct.
template <class Number, std::size_t Members>
void read_structs(const std::byte* const* of_member, std::ptrdiff_t stride, std::size_t count, double* const* out) {
  std::array<const std::byte*, Members> first{};
  std::array<double*, Members> to{};
  std::copy_n(of_member, Members, first.begin());
  std::copy_n(out, Members, to.begin());
  std::ptrdiff_t at = 0;
  for (std::size_t k = 0; k < count; ++k, at += stride) {
    ask_for(first[0], static_cast<std::size_t>(at + ahead * stride));
    for (std::size_t c = 0; c < Members; ++c) {
      Number value;
      std::memcpy(&value, first[c] + at, sizeof(Number));
      to[c][k] = static_cast<double>(value);
    }
  }
}

template <class Number>
void read_structs(std::size_t members, const std::byte* const* of_member, std::ptrdiff_t stride, std::size_t count,
                  double* const* out) {
  static constexpr decltype(&read_structs<Number, 1>) by_members[] = {read_structs<Number, 1>, read_structs<Number, 2>,
                                                                      read_structs<Number, 3>, read_structs<Number, 4>,
                                                                      read_structs<Number, 5>, read_structs<Number, 6>};
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): there are one to six
  by_members[members - 1](of_member, stride, count, out);
}

void check_count(const char* name, std::size_t count, const char* what, std::size_t bodies) {
  if (count == bodies) return;
  throw error(std::string(name) + " has " + std::to_string(count) + " " + what + " for " + std::to_string(bodies) +
              " bodies: give one per body");
}

}  // namespace

void column::read(std::size_t from, std::size_t count, double* out) const {
  if (constant()) {
    std::fill_n(out, count, value_);
    return;
  }
  const std::byte* at = first_ + stride_ * static_cast<std::ptrdiff_t>(from);
  if (single_) {
    read_structs<float, 1>(&at, stride_, count, &out);
  } else if (stride_ == sizeof(double)) {
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): whoever reads has room
    if (count > 0) std::memcpy(out, at, count * sizeof(double));
  } else {
    read_structs<double, 1>(&at, stride_, count, &out);
  }
}

void bodies::see(std::size_t from, std::size_t count, int columns, double* const* space, const double** at) const {
  // Columns that are members of the same array of structs are read together, in one pass over the structs.
  const column* first = nullptr;
  const std::byte* of_member[6];
  double* out[6];
  std::size_t members = 0;
  for (int k = 0; k < columns; ++k) {
    const column& c = this->at(k);
    at[k] = nullptr;
    if (c.constant() || c.stride_ == 0 || c.packed()) continue;
    if (first == nullptr) first = &c;
    const auto apart = reinterpret_cast<std::intptr_t>(c.first_) - reinterpret_cast<std::intptr_t>(first->first_);
    if (c.stride_ != first->stride_ || c.single_ != first->single_ || std::abs(apart) >= std::abs(c.stride_)) continue;
    of_member[members] = c.first_ + c.stride_ * static_cast<std::ptrdiff_t>(from);
    out[members++] = space[k];
    at[k] = space[k];
  }
  if (first != nullptr) {
    const auto read = first->single_ ? read_structs<float> : read_structs<double>;
    read(members, of_member, first->stride_, count, out);
  }
  for (int k = 0; k < columns; ++k) {
    if (at[k] == nullptr) at[k] = this->at(k).see(from, count, space[k]);
  }
}

const char* bodies::column_name(int k) const {
  static constexpr const char* of_spheres[2][4] = {{"x", "y", "r", ""}, {"x", "y", "z", "r"}};
  static constexpr const char* of_boxes[2][6] = {{"xmin", "ymin", "xmax", "ymax", "", ""},
                                                 {"xmin", "ymin", "zmin", "xmax", "ymax", "zmax"}};
  return kind_ == shape::sphere ? of_spheres[dimension_ - 2][k] : of_boxes[dimension_ - 2][k];
}

bodies::bodies(shape kind, int dimension, std::array<column, 6> columns)
    : columns_(columns), kind_(kind), dimension_(dimension) {
  int sized = -1;
  for (int k = 0; k < this->columns(); ++k) {
    if (at(k).constant()) continue;
    if (sized < 0) sized = k;
    if (at(k).size() != at(sized).size()) {
      throw error("column " + std::string(column_name(k)) + " has " + std::to_string(at(k).size()) +
                  " numbers, column " + column_name(sized) + " has " + std::to_string(at(sized).size()) +
                  ": give one per body in each");
    }
  }
  if (sized < 0) throw error("all columns are constants, so the number of bodies is unknown: give one as an array");
  size_ = at(sized).size();
}

bodies bodies::fixed(flags which) const {
  check_count("fixed", which.size(), "flags", size_);
  bodies copy = *this;
  copy.fixed_ = which;
  return copy;
}

bodies bodies::group(labels ids) const {
  check_count("group", ids.size(), "ids", size_);
  bodies copy = *this;
  copy.group_ = ids;
  return copy;
}

bodies bodies::mask(labels category, labels collides) const {
  check_count("category", category.size(), "masks", size_);
  check_count("collides", collides.size(), "masks", size_);
  bodies copy = *this;
  copy.category_ = category;
  copy.collides_ = collides;
  return copy;
}

bodies spheres(column x, column y, column r) { return {shape::sphere, 2, {x, y, r}}; }
bodies spheres(column x, column y, column z, column r) { return {shape::sphere, 3, {x, y, z, r}}; }

bodies boxes(column xmin, column xmax, column ymin, column ymax) { return {shape::box, 2, {xmin, ymin, xmax, ymax}}; }
bodies boxes(column xmin, column xmax, column ymin, column ymax, column zmin, column zmax) {
  return {shape::box, 3, {xmin, ymin, zmin, xmax, ymax, zmax}};
}

}  // namespace abut
