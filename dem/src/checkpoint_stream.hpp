#pragma once

// A saved simulation as a stream of bytes: who wrote it, its version, the number of bytes that follow, those bytes, and
// a checksum of everything before. All numbers are little-endian and of fixed width.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

#include <abut/dem/flow.hpp>
#include <abut/dem/state.hpp>
#include <abut/dem/walls.hpp>

#include "deforming_box.hpp"
#include "flow_state.hpp"
#include "near_patches.hpp"
#include "touch_memory.hpp"

namespace abut::dem {

template <class T, class U>
concept is_a = std::same_as<std::remove_const_t<T>, U>;

// The numbers of each kind of value, in the order in which they are written.
template <class Archive, class V>
requires std::derived_from<std::remove_const_t<V>, vec>
void fields(Archive& a, V& v) { a(v.x, v.y, v.z); }
template <class Archive, is_a<quaternion> Q>
void fields(Archive& a, Q& q) {
  a(q.w, q.x, q.y, q.z);
}
template <class Archive, is_a<tensor> T>
void fields(Archive& a, T& t) {
  a(t.xx, t.yy, t.zz, t.xy, t.xz, t.yz);
}
template <class Archive, is_a<clump> C>
void fields(Archive& a, C& c) {
  a(c.number, c.moves, c.mass, c.center, c.velocity, c.spin, c.angular_momentum, c.orientation, c.inertia, c.force,
    c.torque, c.ids);
}
template <class Archive, is_a<wall_pose> P>
void fields(Archive& a, P& p) {
  a(p.from, p.to, p.turned);
}
template <class Archive, is_a<wall_load> L>
void fields(Archive& a, L& l) {
  a(l.force, l.torque);
}
template <class Archive, is_a<touch_memory::known> K>
void fields(Archive& a, K& k) {
  a(k.wall, k.normal);
}
template <class Archive, is_a<touch_memory> M>
void fields(Archive& a, M& m) {
  a(m.points, m.numbers);
}

template <class Archive, is_a<pour_state> S>
void fields(Archive& a, S& s) {
  a(s.drawn, s.tries, s.drawn_mass, s.waiting);
}
template <class Archive, is_a<pour_progress> P>
void fields(Archive& a, P& p) {
  a(p.poured, p.waiting, p.mass);
}
template <class Archive, is_a<removal_progress> R>
void fields(Archive& a, R& r) {
  a(r.removed, r.mass);
}

template <class Archive, is_a<box_sums> S>
void fields(Archive& a, S& s) {
  a(s.border, s.pairs, s.walls, s.motion);
}
template <class Archive, is_a<deforming_box> B>
void fields(Archive& a, B& b) {
  a(b.sides, b.speed, b.sums, b.work, b.contact_work);
}

/// Writes values. Call `finish` at the end.
class checkpoint_writer {
 public:
  /// `bytes`: of all values that will be written.
  checkpoint_writer(std::ostream& to, std::uint64_t bytes);
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  /// Throws `error` if the stream has failed.
  void finish();

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      put(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      put(std::bit_cast<std::uint64_t>(value));
    } else if constexpr (std::is_unsigned_v<T>) {
      if (used_ + sizeof(T) > buffer_.size()) flush();
      for (std::size_t k = 0; k < sizeof(T); ++k) buffer_[used_++] = static_cast<char>(std::uint64_t{value} >> (8 * k));
    } else {
      fields(*this, value);
    }
  }
  template <class T>
  void put(const std::vector<T>& all) {
    put(std::uint64_t{all.size()});
    for (const T& value : all) put(value);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    for (const char c : text) put(static_cast<std::uint8_t>(c));
  }
  void flush();

  std::ostream& to_;
  std::array<char, 4096> buffer_{};
  std::size_t used_ = 0;
  std::uint64_t sum_ = 0;
};

/// Counts the bytes that a checkpoint_writer would write.
class checkpoint_counter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (count(values), ...);
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  template <class T>
  void count(const T& value) {
    if constexpr (std::is_enum_v<T> || std::is_arithmetic_v<T>) {
      bytes_ += sizeof(T);
    } else {
      fields(*this, value);
    }
  }
  template <class T>
  void count(const std::vector<T>& all) {
    bytes_ += sizeof(std::uint64_t);
    for (const T& value : all) count(value);
  }
  void count(const std::string& text) { bytes_ += sizeof(std::uint64_t) + text.size(); }

  std::uint64_t bytes_ = 0;
};

/// Reads values in the order in which they were written. Takes in all bytes at once and looks at the checksum before
/// anything else; never asks for more memory than there are bytes, up to a factor. Throws `error` for a stream that is
/// no checkpoint, of another version, cut off or damaged.
class checkpoint_reader {
 public:
  explicit checkpoint_reader(std::istream& from);
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  /// Throws `error` if there are bytes left.
  void finish() const;
  [[noreturn]] static void damaged(const std::string& how);

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      get(number);
      value = static_cast<T>(number);
    } else if constexpr (std::is_floating_point_v<T>) {
      std::uint64_t bits = 0;
      get(bits);
      value = std::bit_cast<double>(bits);
    } else if constexpr (std::is_unsigned_v<T>) {
      if (bytes_.size() - at_ < sizeof(T)) damaged("it ends too early");
      std::uint64_t bits = 0;
      for (std::size_t k = 0; k < sizeof(T); ++k) {
        bits |= std::uint64_t{static_cast<std::uint8_t>(bytes_[at_++])} << (8 * k);
      }
      value = static_cast<T>(bits);
    } else {
      fields(*this, value);
    }
  }
  template <class T>
  void get(std::vector<T>& all) {
    const std::uint64_t size = counted();
    all.clear();
    all.reserve(std::min<std::uint64_t>(size, (bytes_.size() - at_) / sizeof(T)));
    for (std::uint64_t k = 0; k < size; ++k) get(all.emplace_back());
  }
  void get(std::string& text) {
    text.resize(counted());
    for (char& c : text) {
      std::uint8_t byte = 0;
      get(byte);
      c = static_cast<char>(byte);
    }
  }
  // How many values follow, of at least a byte each.
  [[nodiscard]] std::uint64_t counted() {
    std::uint64_t size = 0;
    get(size);
    if (size > bytes_.size() - at_) damaged("it ends too early");
    return size;
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace abut::dem
