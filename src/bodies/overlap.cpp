#include <abut/overlap.hpp>

#include "bodies/volumes.hpp"

namespace abut {

bool overlap(const sphere& a, const sphere& b, double margin) {
  return overlap(volume_of<3>(a), volume_of<3>(b), margin);
}
bool overlap(const box& a, const box& b, double margin) { return overlap(volume_of<3>(a), volume_of<3>(b), margin); }
bool overlap(const sphere& a, const box& b, double margin) { return overlap(volume_of<3>(a), volume_of<3>(b), margin); }
bool overlap(const box& a, const sphere& b, double margin) { return overlap(volume_of<3>(a), volume_of<3>(b), margin); }

bool overlap(const region& a, const region& b, double margin) {
  return std::visit([&](const auto& u, const auto& v) { return overlap(u, v, margin); }, a, b);
}

}  // namespace abut
