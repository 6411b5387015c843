#include "bodies/row_map.hpp"

#include <string>

#include <abut/error.hpp>

namespace abut {

void check_map(std::span<const row> new_rows, std::size_t before, std::size_t now) {
  if (new_rows.size() != before) {
    throw error("the map of rows has " + std::to_string(new_rows.size()) + " entries; the last update had " +
                std::to_string(before) + " bodies, so give one for each of them");
  }
  std::vector<bool> taken(now);
  for (std::size_t k = 0; k < new_rows.size(); ++k) {
    const row to = new_rows[k];
    if (to == no_row) continue;
    const std::string named = "the map of rows sends row " + std::to_string(k) + " to row " + std::to_string(to);
    if (to >= now) throw error(named + "; there are " + std::to_string(now) + " bodies now");
    if (taken[to]) throw error(named + ", as it does another; send each body to a row of its own");
    taken[to] = true;
  }
}

}  // namespace abut
