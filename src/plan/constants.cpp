#include "plan/constants.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "methods/method.hpp"

namespace abut {

std::span<const cost* const> all_costs() {
  static const auto all = [] {
    std::vector<const cost*> found;
    for (const method_entry* entry : method_table()) {
      if (entry->model != nullptr) found.insert(found.end(), entry->model->costs.begin(), entry->model->costs.end());
      if (entry->list != nullptr) found.insert(found.end(), entry->list->costs.begin(), entry->list->costs.end());
    }
    return found;
  }();
  return all;
}

cost_constants::cost_constants(instruction_set with) {
  const auto all = all_costs();
  ns_.reserve(all.size());
  for (const cost* c : all) ns_.push_back(c->ns(with));
}

std::size_t cost_constants::place_of(const cost& c) {
  const auto all = all_costs();
  const auto found = std::find(all.begin(), all.end(), &c);
  if (found == all.end()) throw std::logic_error("the cost " + std::string(c.name) + " is in no model's list of costs");
  return static_cast<std::size_t>(found - all.begin());
}

double predicted(const work& w, const cost_constants& c) {
  double ns = 0;
  for (const work_item& item : w) ns += c[*item.what] * item.amount;
  return ns;
}

}  // namespace abut
