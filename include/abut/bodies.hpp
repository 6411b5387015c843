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

/// The shapes that a search knows. Represent any other shape by its bounding sphere or box.
enum class shape : std::uint8_t { sphere, box };

// clang-format 14 cannot lay out concepts.
// clang-format off

/// The number type of a column: float or double.
template <class T>
concept coordinate = std::is_same_v<const T, const float> || std::is_same_v<const T, const double>;

/// A contiguous range that outlives the expression it is used in: a named vector or array, or a span. A temporary
/// vector does not compile, because a view of it would read freed memory.
template <class R>
concept lasting_range = std::ranges::contiguous_range<R> &&
                        std::ranges::sized_range<R> &&
                        std::ranges::borrowed_range<R>;

/// A lasting range of float or double.
template <class R>
concept number_range = lasting_range<R> && coordinate<std::ranges::range_value_t<R>>;

/// The type of a flag: bool or any other one-byte type.
template <class T>
concept flag = sizeof(T) == 1;

/// A lasting range of flags.
template <class R>
concept flag_range = lasting_range<R> && flag<std::ranges::range_value_t<R>>;

/// The type of a label: an integer of 32 or 64 bits.
template <class T>
concept label = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// A lasting range of labels.
template <class R>
concept label_range = lasting_range<R> && label<std::ranges::range_value_t<R>>;

/// A type that stores its coordinates inside itself: `double[3]`, `std::array<float, 3>`, a class with operator[].
/// Pointers, spans and `std::vector` do not qualify, because they refer to numbers stored elsewhere.
template <class A>
concept coordinate_array = std::is_lvalue_reference_v<decltype(std::declval<const A&>()[0])> &&
                           coordinate<std::remove_reference_t<decltype(std::declval<const A&>()[0])>> &&
                           std::is_trivially_destructible_v<A> &&
                           !std::is_pointer_v<A> &&
                           !std::ranges::borrowed_range<A>;

/// @cond
/// How many coordinates such a type stores.
template <coordinate_array A>
inline constexpr std::size_t coordinates_of = sizeof(A) / sizeof(std::declval<const A&>()[0]);

/// The dimension of bodies whose points have this type: as stated, or the number of coordinates if 0 is stated.
template <coordinate_array A, int Stated>
inline constexpr int body_dimension = Stated != 0 ? Stated : static_cast<int>(coordinates_of<A>);
/// @endcond

/// A point whose dimension is clear: of two or three coordinates, or of at least as many as the dimension stated.
template <class A, int Stated>
concept body_point = coordinate_array<A> &&
                     (body_dimension<A, Stated> == 2 ||
                      body_dimension<A, Stated> == 3) &&  // else state 2 or 3, as in spheres<3>(centers, radii)
                     static_cast<std::size_t>(body_dimension<A, Stated>) <= coordinates_of<A>;

/// Two such points of the same dimension.
template <class A, class B, int Stated>
concept body_points = body_point<A, Stated> && body_point<B, Stated> &&
                      body_dimension<A, Stated> == body_dimension<B, Stated>;

/// @cond
// What is refused, for overloads that say why: compilers show the line of a deleted function, comment included.
template <class R>
concept short_lived = std::ranges::range<R> && !lasting_range<R>;
template <class R>
concept lasting_others = lasting_range<R> && !coordinate<std::ranges::range_value_t<R>>;
template <class R>
concept lasting_no_points = lasting_range<R> && !coordinate_array<std::ranges::range_value_t<R>>;
template <class R, int Stated>
concept lasting_unclear = lasting_range<R> && coordinate_array<std::ranges::range_value_t<R>> &&
                          !body_point<std::ranges::range_value_t<R>, Stated>;
template <class A, int Stated>
concept unclear_point = coordinate_array<A> && !body_point<A, Stated>;
template <class A>
concept no_point = !coordinate_array<A> && !coordinate<A>;
template <class R>
concept lasting_no_labels = lasting_range<R> && !label<std::ranges::range_value_t<R>>;
template <class A, class B>
concept one_short_lived = short_lived<A> || short_lived<B>;
template <class A, class B>
concept one_without_points = lasting_no_points<A> || lasting_no_points<B>;
/// @endcond

// clang-format on

/// One number per body, read in place: a strided array of float or double, or one number for all bodies.
/// A column is a view: its numbers must exist, unchanged, until the next `update` of the search that uses it.
class ABUT_API column {
 public:
  /// The size of a column that has one number for all bodies.
  static constexpr std::size_t any_size = static_cast<std::size_t>(-1);

  /// 0 for every body.
  column() = default;

  /// The same number for every body, as in `spheres(x, y, z, 0.5)`.
  column(double value) : value_(value) {}

  /// `size` numbers, `stride` bytes apart. For members of a struct, the stride is the size of the struct.
  template <coordinate T>
  column(const T* first, std::size_t size, std::ptrdiff_t stride = sizeof(T))
      : first_(reinterpret_cast<const std::byte*>(first)),
        stride_(stride),
        size_(size),
        single_(std::same_as<T, float>) {}

  /// A vector, span, array or any other contiguous range that outlives the column.
  template <number_range R>
  column(R&& numbers) : column(std::ranges::data(numbers), std::ranges::size(numbers)) {}

  /// @cond
  template <short_lived R>
  column(R&&) = delete;  // a temporary (or no contiguous range) cannot be read in place: give it a name first
  template <lasting_others R>
  column(R&&) = delete;  // columns are float or double, which are read in place: convert these numbers first
  /// @endcond

  /// The number of rows, or `any_size`.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Whether one number serves all bodies.
  [[nodiscard]] bool constant() const { return size_ == any_size; }

  /// The number of row i, as double.
  [[nodiscard]] double operator[](std::size_t i) const {
    if (constant()) return value_;
    const std::byte* at = first_ + stride_ * static_cast<std::ptrdiff_t>(i);
    return single_ ? static_cast<double>(load<float>(at)) : load<double>(at);
  }

  /// Copies rows [from, from + count) to `out`, as double.
  void read(std::size_t from, std::size_t count, double* out) const;

  /// A pointer to rows [from, from + count) as contiguous doubles: to the column's own memory if that is what it holds,
  /// else to copies in `space`, which must have room for `count` numbers.
  [[nodiscard]] const double* see(std::size_t from, std::size_t count, double* space) const {
    if (packed()) return reinterpret_cast<const double*>(first_) + from;
    read(from, count, space);
    return space;
  }

 private:
  friend class bodies;
  friend class labels;

  // Whether the numbers are contiguous, aligned doubles.
  [[nodiscard]] bool packed() const {
    return !constant() && !single_ && stride_ == sizeof(double) &&
           reinterpret_cast<std::uintptr_t>(first_) % alignof(double) == 0;
  }
  template <class T>
  static T load(const std::byte* at) {  // members of packed structs can be unaligned
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

/// One flag per body, read in place: a strided array of bool or of any other one-byte type; nonzero means true. A view,
/// like `column`: the flags must exist, unchanged, until the next `update` of the search that uses them.
class ABUT_API flags {
 public:
  /// No flags: false for every body.
  flags() = default;

  /// `size` flags, `stride` bytes apart.
  template <flag T>
  flags(const T* first, std::size_t size, std::ptrdiff_t stride = 1)
      : first_(reinterpret_cast<const std::uint8_t*>(first)), stride_(stride), size_(size) {}

  /// A vector, span or array. Not `std::vector<bool>`, which stores bits; use a vector of `char` or `std::uint8_t`.
  template <flag_range R>
  flags(R&& values) : flags(std::ranges::data(values), std::ranges::size(values)) {}

  /// @cond
  template <short_lived R>
  flags(R&&) = delete;  // flags are read in place: no temporary, no std::vector<bool>; std::vector<char> will do
  /// @endcond

  /// Whether there are any flags; without any, do not use operator[].
  [[nodiscard]] bool given() const { return size_ > 0; }
  /// The number of flags.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The flag of row i.
  [[nodiscard]] bool operator[](std::size_t i) const { return first_[stride_ * static_cast<std::ptrdiff_t>(i)] != 0; }

 private:
  const std::uint8_t* first_ = nullptr;
  std::ptrdiff_t stride_ = 1;
  std::size_t size_ = 0;
};

/// One integer per body, read in place: a strided array of 32- or 64-bit integers, such as ids. A view, like `column`:
/// the integers must exist, unchanged, for as long as the function that takes them says.
class ABUT_API labels {
 public:
  /// No labels.
  labels() = default;

  /// `size` integers, `stride` bytes apart.
  template <label T>
  labels(const T* first, std::size_t size, std::ptrdiff_t stride = sizeof(T))
      : first_(reinterpret_cast<const std::byte*>(first)),
        stride_(stride),
        size_(size),
        wide_(sizeof(T) == 8),
        signed_(std::is_signed_v<T>) {}

  /// A vector, span, array or any other contiguous range that outlives the labels.
  template <label_range R>
  labels(R&& values) : labels(std::ranges::data(values), std::ranges::size(values)) {}

  /// @cond
  template <short_lived R>
  labels(R&&) = delete;  // a temporary (or no contiguous range) cannot be read in place: give it a name first
  template <lasting_no_labels R>
  labels(R&&) = delete;  // labels are integers of 32 or 64 bits
  /// @endcond

  /// Whether there are any labels; without any, do not use operator[].
  [[nodiscard]] bool given() const { return size_ > 0; }
  /// The number of labels.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The label of row i. Unsigned 64-bit integers from 2^63 on come out negative, but distinct ones stay distinct.
  [[nodiscard]] std::int64_t operator[](std::size_t i) const {
    const std::byte* at = first_ + stride_ * static_cast<std::ptrdiff_t>(i);
    if (wide_) return column::load<std::int64_t>(at);
    return signed_ ? column::load<std::int32_t>(at) : static_cast<std::int64_t>(column::load<std::uint32_t>(at));
  }

 private:
  const std::byte* first_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  std::size_t size_ = 0;
  bool wide_ = false;
  bool signed_ = false;
};

/// A set of bodies, all spheres or all boxes, in 2D or 3D: a view of the user's arrays, made by `spheres` or `boxes`.
/// Cheap to copy. The arrays must exist, unchanged, until the next `update` of the search that uses them.
class ABUT_API bodies {
 public:
  /// No bodies: an empty set of spheres in 3D.
  bodies() = default;

  /// Spheres or boxes.
  [[nodiscard]] shape kind() const { return kind_; }
  /// 2 or 3.
  [[nodiscard]] int dimension() const { return dimension_; }
  /// The number of bodies.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Column k. Spheres: x, y, z (in 3D) and r. Boxes: the minimum on each axis, then the maximum on each axis.
  [[nodiscard]] const column& at(int k) const { return columns_[static_cast<std::size_t>(k)]; }
  /// The number of columns, 3 to 6.
  [[nodiscard]] int columns() const { return kind_ == shape::sphere ? dimension_ + 1 : 2 * dimension_; }
  /// The name of column k: "x", "r", "ymax" and so on.
  [[nodiscard]] const char* column_name(int k) const;

  /// Rows [from, from + count) of the first `columns` columns: sets `at[k]` to what `column::see` returns for column k
  /// with `space[k]`. Faster than a call per column if several columns are members of the same structs.
  void see(std::size_t from, std::size_t count, int columns, double* const* space, const double** at) const;

  /// The same bodies with these flags, one per body: two fixed bodies never pair. Throws `error` if the number of flags
  /// is not the number of bodies.
  [[nodiscard]] bodies fixed(flags which) const;
  /// The flags, if they were given.
  [[nodiscard]] const flags& fixed() const { return fixed_; }

  /// The same bodies with these groups, one id per body: two bodies of equal id never pair (the spheres of a clump, the
  /// atoms of a molecule). A body of no group gets an id that no other has, such as -1 - row. Between two sets, groups
  /// count if both sets have them. The ids are read during `update` only, like flags and masks. Throws `error` if the
  /// number of ids is not the number of bodies.
  [[nodiscard]] bodies group(labels ids) const;
  /// The groups, if they were given.
  [[nodiscard]] const labels& group() const { return group_; }

  /// The same bodies with these bit masks, one of each per body: what it is, and what it collides with. i and j may
  /// pair only if (category[i] & collides[j]) != 0 and (category[j] & collides[i]) != 0. Between two sets, bodies
  /// without masks have all bits. Masks have 32 or 64 bits; signed ones of 32 are sign-extended, so that -1 is all
  /// bits. Throws `error` if the number of masks is not the number of bodies.
  [[nodiscard]] bodies mask(labels category, labels collides) const;
  /// What the bodies are, if masks were given.
  [[nodiscard]] const labels& category() const { return category_; }
  /// What the bodies collide with, if masks were given.
  [[nodiscard]] const labels& collides() const { return collides_; }

  friend ABUT_API bodies spheres(column x, column y, column r);
  friend ABUT_API bodies spheres(column x, column y, column z, column r);
  friend ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax);
  friend ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax, column zmin, column zmax);

 private:
  bodies(shape kind, int dimension, std::array<column, 6> columns);

  std::array<column, 6> columns_{};
  flags fixed_{};
  labels group_{};
  labels category_{};
  labels collides_{};
  std::size_t size_ = 0;
  shape kind_ = shape::sphere;
  int dimension_ = 3;
};

/// Discs, in 2D. Throws `error` if the columns' lengths differ or all columns are constants.
[[nodiscard]] ABUT_API bodies spheres(column x, column y, column r);
/// Spheres, in 3D. Throws `error` if the columns' lengths differ or all columns are constants.
[[nodiscard]] ABUT_API bodies spheres(column x, column y, column z, column r);

/// Axis-aligned rectangles, in 2D. Throws `error` if the columns' lengths differ or all columns are constants.
[[nodiscard]] ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax);
/// Axis-aligned boxes, in 3D. Throws `error` if the columns' lengths differ or all columns are constants.
[[nodiscard]] ABUT_API bodies boxes(column xmin, column xmax, column ymin, column ymax, column zmin, column zmax);

/// @cond
template <short_lived R, class... Which>
column column_of(R&&, Which...) = delete;  // a temporary is gone before it is read: give it a name first
/// @endcond

/// A member of your structs as a column: `column_of(grains, &grain::x)`.
template <lasting_range R, class S, coordinate T>
[[nodiscard]] column column_of(R&& structs, T S::*member) {
  const std::size_t size = std::ranges::size(structs);
  const T* first = size == 0 ? nullptr : std::addressof((*std::ranges::data(structs)).*member);
  return {first, size, sizeof(std::ranges::range_value_t<R>)};
}

/// Element k of an array member (`double center[3]`, `std::array<float, 3> center`) as a column.
template <lasting_range R, class S, coordinate_array A>
[[nodiscard]] column column_of(R&& structs, A S::*member, std::size_t k) {
  using number = std::remove_cvref_t<decltype(std::declval<const A&>()[0])>;
  const std::size_t size = std::ranges::size(structs);
  const number* first = size == 0 ? nullptr : std::addressof(((*std::ranges::data(structs)).*member)[0]) + k;
  return {first, size, sizeof(std::ranges::range_value_t<R>)};
}

/// Element k of arrays (`std::vector<std::array<float, 4>>`, `double centers[100][3]`) as a column.
template <lasting_range R>
requires coordinate_array<std::ranges::range_value_t<R>>
[[nodiscard]] column column_of(R&& arrays, std::size_t k) {
  using array = std::ranges::range_value_t<R>;
  using number = std::remove_cvref_t<decltype(std::declval<const array&>()[0])>;
  const std::size_t size = std::ranges::size(arrays);
  const number* first = size == 0 ? nullptr : std::addressof((*std::ranges::data(arrays))[0]) + k;
  return {first, size, sizeof(array)};
}

/// Discs in 2D, from your own structs, with radii of their own or one for all: `spheres(grains, &grain::x, &grain::y,
/// 0.5)`.
template <lasting_range R, class S, coordinate X, coordinate Y>
[[nodiscard]] bodies spheres(R&& structs, X S::*x, Y S::*y, column radii) {
  return spheres(column_of(structs, x), column_of(structs, y), radii);
}

/// Spheres in 3D, from your own structs, with radii of their own or one for all.
template <lasting_range R, class S, coordinate X, coordinate Y, coordinate Z>
[[nodiscard]] bodies spheres(R&& structs, X S::*x, Y S::*y, Z S::*z, column radii) {
  return spheres(column_of(structs, x), column_of(structs, y), column_of(structs, z), radii);
}

/// Discs in 2D, from your own structs: `spheres(grains, &grain::x, &grain::y, &grain::r)`.
template <lasting_range R, class S, coordinate X, coordinate Y, coordinate Radius>
[[nodiscard]] bodies spheres(R&& structs, X S::*x, Y S::*y, Radius S::*radius) {
  return spheres(structs, x, y, column_of(structs, radius));
}

/// Spheres in 3D, from your own structs: `spheres(grains, &grain::x, &grain::y, &grain::z, &grain::r)`.
template <lasting_range R, class S, coordinate X, coordinate Y, coordinate Z, coordinate Radius>
[[nodiscard]] bodies spheres(R&& structs, X S::*x, Y S::*y, Z S::*z, Radius S::*radius) {
  return spheres(structs, x, y, z, column_of(structs, radius));
}

/// @cond
template <short_lived R, class S, class X, class Y, class... More>
bodies spheres(R&&, X S::*, Y S::*, column, More...) = delete;  // a temporary is gone before it is read: name it first
template <short_lived R, class S, class X, class Y, class Third, class... More>
bodies spheres(R&&, X S::*, Y S::*, Third S::*, More...) = delete;  // a temporary is gone before it is read: name it
/// @endcond

// The functions from here on take points: arrays of coordinates. A point of two coordinates makes bodies in 2D, one of
// three in 3D. State the dimension if points have more, such as a fourth for padding: `spheres<3>(centers, radii)`.

/// Discs or spheres, from an array of centers, with radii of their own or one for all: `spheres(centers, 0.5)` for a
/// `std::vector<std::array<double, 3>>`.
template <int Dimension = 0, lasting_range R>
requires body_point<std::ranges::range_value_t<R>, Dimension>
[[nodiscard]] bodies spheres(R&& centers, column radii) {
  if constexpr (body_dimension<std::ranges::range_value_t<R>, Dimension> == 2) {
    return spheres(column_of(centers, 0), column_of(centers, 1), radii);
  } else {
    return spheres(column_of(centers, 0), column_of(centers, 1), column_of(centers, 2), radii);
  }
}

/// @cond
template <int Dimension = 0, short_lived R>
bodies spheres(R&&, column) = delete;  // a temporary is gone before it is read: give the centers a name first
template <int Dimension = 0, lasting_no_points R>
bodies spheres(R&&, column) = delete;  // centers are arrays of float or double, such as std::array<double, 3>
template <int Dimension = 0, lasting_unclear<Dimension> R>
bodies spheres(R&&, column) = delete;  // centers of neither 2 nor 3 numbers: state 2 or 3, as in spheres<3>(...)
/// @endcond

/// Discs or spheres, from your own structs with a center, with radii of their own or one for all:
/// `spheres(grains, &grain::center, 0.5)`.
template <int Dimension = 0, lasting_range R, class S, class A>
requires body_point<A, Dimension>
[[nodiscard]] bodies spheres(R&& structs, A S::*center, column radii) {
  const auto at = [&](std::size_t k) { return column_of(structs, center, k); };
  if constexpr (body_dimension<A, Dimension> == 2) {
    return spheres(at(0), at(1), radii);
  } else {
    return spheres(at(0), at(1), at(2), radii);
  }
}

/// Discs or spheres, from your own structs with a center and a radius: `spheres(grains, &grain::center,
/// &grain::radius)`.
template <int Dimension = 0, lasting_range R, class S, class A, coordinate Radius>
requires body_point<A, Dimension>
[[nodiscard]] bodies spheres(R&& structs, A S::*center, Radius S::*radius) {
  return spheres<Dimension>(structs, center, column_of(structs, radius));
}

/// @cond
template <int Dimension = 0, short_lived R, class S, class A, class Radii>
bodies spheres(R&&, A S::*, Radii&&) = delete;  // a temporary is gone before it is read: give the structs a name first
template <int Dimension = 0, lasting_range R, class S, no_point A, class Radii>
bodies spheres(R&&, A S::*, Radii&&) = delete;  // centers are arrays of float or double inside of the structs
template <int Dimension = 0, lasting_range R, class S, unclear_point<Dimension> A, class Radii>
bodies spheres(R&&, A S::*, Radii&&) = delete;  // centers of neither 2 nor 3 numbers: state 2 or 3: spheres<3>(...)
/// @endcond

/// Rectangles or boxes, from an array of their lower corners and one of their upper corners: `boxes(mins, maxs)`.
template <int Dimension = 0, lasting_range Min, lasting_range Max>
requires body_points<std::ranges::range_value_t<Min>, std::ranges::range_value_t<Max>, Dimension>
[[nodiscard]] bodies boxes(Min&& mins, Max&& maxs) {
  const auto min = [&](std::size_t k) { return column_of(mins, k); };
  const auto max = [&](std::size_t k) { return column_of(maxs, k); };
  if constexpr (body_dimension<std::ranges::range_value_t<Min>, Dimension> == 2) {
    return boxes(min(0), max(0), min(1), max(1));
  } else {
    return boxes(min(0), max(0), min(1), max(1), min(2), max(2));
  }
}

/// @cond
template <int Dimension = 0, class Min, one_short_lived<Min> Max>
bodies boxes(Min&&, Max&&) = delete;  // a temporary is gone before it is read: give the corners a name first
template <int Dimension = 0, class Min, one_without_points<Min> Max>
bodies boxes(Min&&, Max&&) = delete;  // corners are arrays of float or double, such as std::array<double, 3>
template <int Dimension = 0, short_lived R, class S, class A, class B>
bodies boxes(R&&, A S::*, B S::*) = delete;  // a temporary is gone before it is read: give the structs a name first
/// @endcond

/// Rectangles or boxes, from your own structs with two corners: `boxes(crates, &crate::min, &crate::max)`.
template <int Dimension = 0, lasting_range R, class S, class A, class B>
requires body_points<A, B, Dimension>
[[nodiscard]] bodies boxes(R&& structs, A S::*lower, B S::*upper) {
  const auto min = [&](std::size_t k) { return column_of(structs, lower, k); };
  const auto max = [&](std::size_t k) { return column_of(structs, upper, k); };
  if constexpr (body_dimension<A, Dimension> == 2) {
    return boxes(min(0), max(0), min(1), max(1));
  } else {
    return boxes(min(0), max(0), min(1), max(1), min(2), max(2));
  }
}

}  // namespace abut
