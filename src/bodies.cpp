#include <abut/bodies.hpp>

#include <algorithm>
#include <string>

#include "buffer.hpp"

namespace abut {

void column::read(std::size_t from, std::size_t count, double* out) const {
  if (constant()) {
    std::fill_n(out, count, value_);
    return;
  }
  // What comes is asked for ahead: the processor by itself stops at the end of a page, and structs fill many.
  constexpr std::ptrdiff_t ahead = 48;
  const std::byte* at = first_ + stride_ * static_cast<std::ptrdiff_t>(from);
  const auto read_each = [&](auto one) {
    for (std::size_t k = 0; k < count; ++k, at += stride_) {
      ask_for(at, static_cast<std::size_t>(ahead * stride_));
      out[k] = static_cast<double>(load<decltype(one)>(at));
    }
  };
  if (single_) {
    read_each(0.0F);
  } else if (stride_ == sizeof(double)) {
    std::memcpy(out, at, count * sizeof(double));
  } else {
    read_each(0.0);
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
  if (which.size() != size_) {
    throw error("fixed has " + std::to_string(which.size()) + " flags for " + std::to_string(size_) +
                " bodies: give one per body");
  }
  bodies copy = *this;
  copy.fixed_ = which;
  return copy;
}

bodies spheres(column x, column y, column r) { return {shape::sphere, 2, {x, y, r}}; }
bodies spheres(column x, column y, column z, column r) { return {shape::sphere, 3, {x, y, z, r}}; }

bodies boxes(column xmin, column xmax, column ymin, column ymax) { return {shape::box, 2, {xmin, ymin, xmax, ymax}}; }
bodies boxes(column xmin, column xmax, column ymin, column ymax, column zmin, column zmax) {
  return {shape::box, 3, {xmin, ymin, zmin, xmax, ymax, zmax}};
}

}  // namespace abut
