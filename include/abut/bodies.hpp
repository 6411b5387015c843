#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include <abut/api.h>
#include <abut/error.hpp>

namespace abut {

/// What a body is for the search. Any other shape enters by its bounding sphere or box.
enum class shape : std::uint8_t { sphere, box };

/// The number type of a column.
template <class T>
concept coordinate = std::is_same_v<const T, const float> || std::is_same_v<const T, const double>;

/// A contiguous range that lives on when the expression ends: a vector, an array or the like that has a name, or a
/// span. A temporary vector does not compile, because views of it would read freed memory.
template <class R>
concept lasting_range =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> && std::ranges::borrowed_range<R>;

/// A lasting range of float or double.
template <class R>
concept number_range = lasting_range<R> && coordinate<std::ranges::range_value_t<R>>;

/// The type of a flag: bool or any other one-byte type.
template <class T>
concept flag = sizeof(T) == 1;

/// A lasting range of flags.
template <class R>
concept flag_range = lasting_range<R> && flag<std::ranges::range_value_t<R>>;

/// An array of float or double that holds its numbers itself: `double[3]`, `std::array<float, 3>`, a vector class of
/// two or three coordinates. Pointers, spans and `std::vector` have them elsewhere.
template <class A>
concept coordinate_array = coordinate<std::remove_reference_t<decltype(std::declval<const A&>()[0])>> &&
                           std::is_lvalue_reference_v<decltype(std::declval<const A&>()[0])> &&
                           std::is_trivially_destructible_v<A> && !std::is_pointer_v<A> &&
                           !std::ranges::borrowed_range<A>;

/// One number per body, read in place: a strided array of float or double, or one number for all.
/// A column is a view: the numbers must live, and stay as they are, until the next `update` of the search.
class ABUT_API column {
 public:
  /// The size of a column that is one number for all.
  static constexpr std::size_t any_size = static_cast<std::size_t>(-1);

  /// 0 for every body.
  column() = default;

  /// The same number for every body, as in `spheres(x, y, z, 0.5)`.
  column(double value) : value_(value) {}

  /// `size` numbers, `stride` bytes apart (the size of your struct, where the numbers are its members).
  template <coordinate T>
  column(const T* first, std::size_t size, std::ptrdiff_t stride = sizeof(T))
      : first_(reinterpret_cast<const std::byte*>(first)),
        stride_(stride),
        size_(size),
        single_(std::same_as<T, float>) {}

  /// A vector, a span, an array: whatever is contiguous and outlives the column.
  template <number_range R>
  column(R&& numbers) : column(std::ranges::data(numbers), std::ranges::size(numbers)) {}

  /// How many numbers, or `any_size`.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Whether it is one number for all.
  [[nodiscard]] bool constant() const { return size_ == any_size; }

  /// Row i, widened to double.
  [[nodiscard]] double operator[](std::size_t i) const {
    if (constant()) return value_;
    const std::byte* at = first_ + stride_ * static_cast<std::ptrdiff_t>(i);
    return single_ ? static_cast<double>(load<float>(at)) : load<double>(at);
  }

  /// Rows [from, from + count) into `out`, widened to double.
  void read(std::size_t from, std::size_t count, double* out) const;

  /// The same rows, in place where they lie there as packed doubles, and read into `space` where not.
  [[nodiscard]] const double* see(std::size_t from, std::size_t count, double* space) const {
    if (packed()) return reinterpret_cast<const double*>(first_) + from;
    read(from, count, space);
    return space;
  }

 private:
  friend class bodies;

  // Whether it is an array of doubles.
  [[nodiscard]] bool packed() const {
    return !constant() && !single_ && stride_ == sizeof(double) &&
           reinterpret_cast<std::uintptr_t>(first_) % alignof(double) == 0;
  }
  template <class T>
  static T load(const std::byte* at) {  // packed structs may hold numbers at odd addresses
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
  }

  const std::byte* first_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  std::size_t size_ = any_size;
  double value_ = 0;
  bool single_ = false;
};

/// One flag per body, read in place: a strided array of bool or of any other one-byte type; not 0 means yes.
class ABUT_API flags {
 public:
  /// No flags: no for every body.
  flags() = default;

  /// `size` flags, `stride` bytes apart.
  template <flag T>
  flags(const T* first, std::size_t size, std::ptrdiff_t stride = 1)
      : first_(reinterpret_cast<const std::uint8_t*>(first)), stride_(stride), size_(size) {}

  /// A vector (of bytes: `std::vector<bool>` has no array to look at), a span, an array.
  template <flag_range R>
  flags(R&& values) : flags(std::ranges::data(values), std::ranges::size(values)) {}

  /// Whether there are any flags.
  [[nodiscard]] bool given() const { return size_ > 0; }
  /// How many.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The flag of row i.
  [[nodiscard]] bool operator[](std::size_t i) const { return first_[stride_ * static_cast<std::ptrdiff_t>(i)] != 0; }

 private:
  const std::uint8_t* first_ = nullptr;
  std::ptrdiff_t stride_ = 1;
  std::size_t size_ = 0;
};

/// A set of bodies, all spheres or all boxes, in 2D or 3D: a view of the user's own arrays. Made by `spheres` or
/// `boxes`; cheap to copy.
class ABUT_API bodies {
 public:
  /// No bodies: an empty set of spheres in 3D.
  bodies() = default;

  /// Spheres or boxes.
  [[nodiscard]] shape kind() const { return kind_; }
  /// 2 or 3.
  [[nodiscard]] int dimension() const { return dimension_; }
  /// How many bodies.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Spheres: x, y, (z,) r. Boxes: the minima on each axis, then the maxima.
  [[nodiscard]] const column& at(int k) const { return columns_[static_cast<std::size_t>(k)]; }
  /// How many columns: 3 to 6.
  [[nodiscard]] int columns() const { return kind_ == shape::sphere ? dimension_ + 1 : 2 * dimension_; }
  /// "x", "r", "ymax", ...
  [[nodiscard]] const char* column_name(int k) const;

  /// Rows [from, from + count) of the first `columns` of them, one by one as column::see gives them. Those that are
  /// members of the same structs are read together.
  void see(std::size_t from, std::size_t count, int columns, double* const* space, const double** at) const;

  /// The same bodies with these flags: no pair of two fixed bodies is ever reported.
  [[nodiscard]] bodies fixed(flags which) const;
  /// The flags, where they were given.
  [[nodiscard]] const flags& fixed() const { return fixed_; }

  friend ABUT_API bodies spheres(column x, column y, column r);
  friend ABUT_API bodies spheres(column x, column y, column z, column r);
  friend ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax);
  friend ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax, column zmin, column zmax);

 private:
  bodies(shape kind, int dimension, std::array<column, 6> columns);

  std::array<column, 6> columns_{};
  flags fixed_{};
  std::size_t size_ = 0;
  shape kind_ = shape::sphere;
  int dimension_ = 3;
};

/// Discs, in 2D. Throws `error` where the columns' lengths differ.
[[nodiscard]] ABUT_API bodies spheres(column x, column y, column r);
/// Spheres, in 3D. Throws `error` where the columns' lengths differ.
[[nodiscard]] ABUT_API bodies spheres(column x, column y, column z, column r);

/// Axis-aligned rectangles, in 2D. Throws `error` where the columns' lengths differ.
[[nodiscard]] ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax);
/// Axis-aligned boxes, in 3D. Throws `error` where the columns' lengths differ.
[[nodiscard]] ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax, column zmin, column zmax);

/// A member of the structs in a contiguous range, as a column: `column_of(grains, &grain::x)`.
template <lasting_range R, class S, coordinate T>
[[nodiscard]] column column_of(R&& structs, T S::*member) {
  const std::size_t size = std::ranges::size(structs);
  const T* first = size == 0 ? nullptr : std::addressof((*std::ranges::data(structs)).*member);
  return {first, size, sizeof(std::ranges::range_value_t<R>)};
}

/// Element k of a member that is an array (`double center[3]`, `std::array<float, 3> center`), as a column.
template <lasting_range R, class S, coordinate_array A>
[[nodiscard]] column column_of(R&& structs, A S::*member, std::size_t k) {
  using number = std::remove_cvref_t<decltype(std::declval<const A&>()[0])>;
  const std::size_t size = std::ranges::size(structs);
  const number* first = size == 0 ? nullptr : std::addressof(((*std::ranges::data(structs)).*member)[k]);
  return {first, size, sizeof(std::ranges::range_value_t<R>)};
}

/// Discs that are structs of your own: `spheres(grains, &grain::x, &grain::y, &grain::r)`.
template <lasting_range R, class S, coordinate X, coordinate Y, coordinate Radius>
[[nodiscard]] bodies spheres(R&& structs, X S::*x, Y S::*y, Radius S::*radius) {
  return spheres(column_of(structs, x), column_of(structs, y), column_of(structs, radius));
}

/// The same in 3D: `spheres(grains, &grain::x, &grain::y, &grain::z, &grain::r)`.
template <lasting_range R, class S, coordinate X, coordinate Y, coordinate Z, coordinate Radius>
[[nodiscard]] bodies spheres(R&& structs, X S::*x, Y S::*y, Z S::*z, Radius S::*radius) {
  return spheres(column_of(structs, x), column_of(structs, y), column_of(structs, z), column_of(structs, radius));
}

/// The same where the center is an array: `spheres(grains, &grain::center, &grain::radius)`.
template <lasting_range R, class S, coordinate_array A, coordinate T>
[[nodiscard]] bodies spheres(R&& structs, A S::*center, T S::*radius) {
  constexpr std::size_t dimension = sizeof(A) / sizeof(std::declval<const A&>()[0]);
  static_assert(dimension == 2 || dimension == 3, "the center has two or three coordinates");
  if constexpr (dimension == 2) {
    return spheres(column_of(structs, center, 0), column_of(structs, center, 1), column_of(structs, radius));
  } else {
    return spheres(column_of(structs, center, 0), column_of(structs, center, 1), column_of(structs, center, 2),
                   column_of(structs, radius));
  }
}

}  // namespace abut
