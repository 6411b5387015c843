#include "tree/search.hpp"

#include <string>

#include "base/text.hpp"

namespace abut {

tree_plan tree_plan_of(const plan& asked) {
  tree_plan how;
  if (const auto build = asked.parameter_value("build")) how.packed = *build == "packed";
  if (const auto split = asked.parameter_value("split")) {
    how.split = *split == "linear" ? tree_split::linear : tree_split::quadratic;
  }
  if (const auto node = asked.parameter_value("node")) {
    double entries = 0;
    (void)parse_number(*node, entries);
    how.node = static_cast<std::size_t>(entries);
  }
  how.leaf_by_leaf = asked.parameter_value("search") != "bodies";
  return how;
}

plan with_tree(const plan& asked, const tree_plan& used) {
  plan all = asked;
  all.set("build", used.packed ? "packed" : "insert");
  all.set("split", used.split == tree_split::linear ? "linear" : "quadratic");
  all.set("node", std::to_string(used.node));
  all.set("search", used.leaf_by_leaf ? "leaves" : "bodies");
  return all.because(used.packed ? "packed into full nodes, which is built and searched fastest"
                                 : "inserted one body after the other, as asked for");
}

}  // namespace abut
