#pragma once

// What the tests of the C interface share: handles that destroy themselves, and samples as C structs.

#include <abut/abut.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "support.hpp"

namespace c_support {

using abut::shape;
namespace samples = abut::samples;

struct destroy {
  void operator()(abut_search* search) const { abut_destroy(search); }
  void operator()(abut_other_set* others) const { abut_other_set_destroy(others); }
  void operator()(abut_contacts* contacts) const { abut_contacts_destroy(contacts); }
};
using handle = std::unique_ptr<abut_search, destroy>;
using others_handle = std::unique_ptr<abut_other_set, destroy>;
using contacts_handle = std::unique_ptr<abut_contacts, destroy>;

inline abut_column column_of(const std::vector<double>& numbers) {
  return {numbers.data(), sizeof(double), ABUT_DOUBLE};
}
inline abut_column column_of(const std::vector<float>& numbers) { return {numbers.data(), sizeof(float), ABUT_FLOAT}; }

inline abut_bodies empty_bodies(shape kind, int dimension, std::size_t count) {
  abut_bodies bodies{};
  bodies.size = sizeof bodies;
  bodies.count = count;
  bodies.shape = kind == shape::sphere ? ABUT_SPHERE : ABUT_BOX;
  bodies.dimension = dimension;
  return bodies;
}

// A sample's columns as C structs.
inline abut_bodies view_of(const samples::set& set) {
  abut_bodies bodies = empty_bodies(set.kind, set.dimension, set.size());
  const auto dimension = static_cast<std::size_t>(set.dimension);
  for (std::size_t k = 0; k < dimension; ++k) {
    (set.kind == shape::sphere ? bodies.center : bodies.min)[k] = column_of(set.column[k]);
    if (set.kind == shape::box) bodies.max[k] = column_of(set.column[dimension + k]);
  }
  if (set.kind == shape::sphere) bodies.radius = column_of(set.column[dimension]);
  if (!set.fixed.empty()) bodies.fixed = set.fixed.data();
  bodies.fixed_stride = 1;
  return bodies;
}

inline abut_options default_options() {
  abut_options options{};
  options.size = sizeof options;
  return options;
}

inline std::vector<abut::pair> copy(const abut_pair* pairs, std::size_t count) {
  std::vector<abut::pair> copied;
  for (std::size_t k = 0; k < count; ++k) copied.push_back({pairs[k].i, pairs[k].j});
  return copied;
}

inline std::vector<abut::pair> pairs_of(const handle& search) {
  const abut_pair* pairs = nullptr;
  std::size_t count = 99;
  EXPECT_EQ(abut_pairs(search.get(), &pairs, &count), 0) << abut_last_error();
  return copy(pairs, count);
}

inline std::vector<abut::pair> find(const abut_bodies& bodies, const abut_options* options = nullptr,
                                    const char* plan = nullptr) {
  const handle search(abut_create(plan, options));
  EXPECT_TRUE(search) << abut_last_error();
  EXPECT_EQ(abut_update(search.get(), &bodies), 0) << abut_last_error();
  return pairs_of(search);
}

inline void expect_error(int status, const std::string& part) {
  EXPECT_EQ(status, 1) << "no error, where one should speak of: " << part;
  EXPECT_NE(std::string(abut_last_error()).find(part), std::string::npos)
      << '"' << abut_last_error() << "\" does not speak of: " << part;
}

inline samples::set some_spheres() { return samples::uniform(shape::sphere, 3, 250, 0.6, 1, 3, 801); }

/// A struct with its size set and the rest 0.
template <class T>
T sized() {
  T made{};
  made.size = sizeof made;
  return made;
}

/// Integers as labels.
template <class T>
abut_labels labels_of(const std::vector<T>& numbers) {
  return {numbers.data(), sizeof(T), sizeof(T) == 8 ? ABUT_INT64 : std::is_signed_v<T> ? ABUT_INT32 : ABUT_UINT32};
}

}  // namespace c_support
