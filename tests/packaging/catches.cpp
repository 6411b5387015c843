// An exception of a shared library is caught by its type here, although everything else is hidden on both sides.

#include <abut/abut.hpp>

#include <cstring>
#include <vector>

int main() {
  const std::vector<double> x{0, 1};
  try {
    (void)abut::find_pairs(abut::spheres(x, 0.0, -1.0));
  } catch (const abut::error& e) {
    return e.body() == 0U && std::strstr(e.what(), "r -1") != nullptr ? 0 : 1;
  }
  return 2;
}
