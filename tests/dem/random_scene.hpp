#pragma once

// Random small scenes with all features of the simulation in combination.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <abut/dem/dem.hpp>

namespace random_scene {

/// What a scene is made of is chosen by these, so that whoever has chosen can choose less.
class choices {
 public:
  choices() = default;
  choices(const choices&) = delete;
  choices& operator=(const choices&) = delete;
  virtual ~choices() = default;

  /// From 0 to n - 1. The simplest is 0.
  virtual std::uint32_t below(std::uint32_t n) = 0;

  /// One in n; if less is chosen, never.
  bool one_in(std::uint32_t n) { return below(n) == n - 1; }
  double uniform(double min, double max) { return min + (max - min) * (below(1U << 20) * 0x1p-20); }
};

/// Something that happens between two steps.
struct event {
  std::uint64_t step = 0;
  std::string name{};
  std::function<void(abut::dem::simulation&)> happens{};
};

struct scene {
  abut::dem::settings s{};
  std::vector<abut::dem::body> bodies{};
  std::vector<event> events{};  // by ascending step
  std::uint64_t steps = 0;
  double farthest_skin = 0;  // which skins make sense for bodies of this size
  std::string text{};        // what it has
};

[[nodiscard]] scene any(choices& c);

}  // namespace random_scene
