#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

/// What the figures share.
namespace abut::figures {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The time that this process has had a processor, which is what document 000 measures.
inline double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

inline double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

/// mr and mmr: the experiments of document 000; in full up to five million bodies.
void mr(bool full);

}  // namespace abut::figures
