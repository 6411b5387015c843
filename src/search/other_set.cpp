#include "search/other_set.hpp"

#include <string>

#include "bodies/query.hpp"

namespace abut {

namespace {

world checked(const bodies& b, int threads) {
  try {
    return {b, options{}, threads};
  } catch (const error& problem) {
    throw error(std::string("in the other set, ") + problem.what(), problem.body());
  }
}

// Whether all bodies are near enough to the periods, going by the bounds of the set.
bool surely_near(const world& searched, const measures& m) {
  for (int k = 0; k < searched.dimension(); ++k) {
    if (!searched.period(k)) continue;
    const double most = most_periods * searched.side(k);
    if (!(m.upper[k] - searched.period(k)->max <= most && searched.period(k)->min - m.lower[k] <= most)) return false;
  }
  return true;
}

}  // namespace

other_set::state::state(const bodies& b, int threads) : all_(checked(b, threads)) {}

void other_set::state::check_against(const world& searched) const {
  if (all_.dimension() != searched.dimension()) {
    throw error("the other set is " + std::to_string(all_.dimension()) + "D, the search's bodies are " +
                std::to_string(searched.dimension()) + "D: give both in the same dimension");
  }
  if (surely_near(searched, all_.measured())) return;
  for (row j = 0; j < all_.size(); ++j) {
    check_distance(
        searched, all_.get(j), [&] { return "body " + std::to_string(j) + " of the other set"; }, j);
  }
}

other_set::other_set(const bodies& b) : state_(std::make_unique<state>(b, 1)) {}
other_set::~other_set() = default;
other_set::other_set(other_set&&) noexcept = default;
other_set& other_set::operator=(other_set&&) noexcept = default;

void other_set::update(const bodies& b) { state_ = std::make_unique<state>(b, 1); }
std::size_t other_set::size() const { return state_->all().size(); }

}  // namespace abut
