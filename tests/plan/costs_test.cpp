// The costs of the methods' models: each is named exactly once.

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "methods/method.hpp"
#include "plan/constants.hpp"
#include "support.hpp"

namespace costs_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

abut::features features_of(const samples::set& bodies, double move) {
  return abut::features_of(abut::world(bodies.view(), {}, 1), move);
}

/// How many of the work's items name this cost.
std::size_t times_named(const abut::work& work, const abut::cost* what) {
  return static_cast<std::size_t>(
      std::count_if(work.begin(), work.end(), [&](const abut::work_item& item) { return item.what == what; }));
}

/// Features that lead models through different branches: sparse and dense, one size and many, few bodies and very many.
std::vector<abut::features> different_features() {
  std::vector<abut::features> all;
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const int dimension : {2, 3}) {
      all.push_back(features_of({.kind = kind, .dimension = dimension}, 1e-3));
      all.push_back(features_of(samples::lattice(kind, dimension, 10, 1, 0.1, 0.5, 1), 0.0));
      all.push_back(features_of(samples::lattice(kind, dimension, 3000, 20, 0.1, 0.5, 1), 1e-3));
      all.push_back(features_of(samples::lattice(kind, dimension, 3000, 0.2, 0.1, 0.5, 1), 1e-3));
      all.push_back(features_of(samples::uniform(kind, dimension, 3000, 0.3, 1, 100, 1), 1e-3));
      all.push_back(all.back());
      all.back().count = 1e9;
    }
  }
  return all;
}

TEST(costs, every_work_names_every_cost_of_its_model_once_and_no_other) {
  std::set<const abut::cost_model*> seen;
  for (const abut::method_entry* entry : abut::method_table()) {
    if (entry->model == nullptr) continue;
    SCOPED_TRACE(entry->info.name);
    EXPECT_TRUE(seen.insert(entry->model).second) << "a model belongs to one method";
    for (const abut::features& f : different_features()) {
      const abut::work work = entry->model->of(f);
      EXPECT_EQ(work.size(), entry->model->costs.size());
      for (const abut::cost* one : entry->model->costs) EXPECT_EQ(times_named(work, one), 1U) << one->name;
      for (const abut::work_item& item : work) {
        EXPECT_TRUE(std::isfinite(item.amount) && item.amount >= 0) << item.what->name << " " << item.amount;
      }
    }
  }
  EXPECT_GE(seen.size(), 5U);
}

TEST(costs, step_and_rebuild_of_a_list_name_every_cost_of_its_model_once_and_no_other) {
  std::size_t lists = 0;
  for (const abut::method_entry* entry : abut::method_table()) {
    if (entry->list == nullptr) continue;
    SCOPED_TRACE(entry->info.name);
    ++lists;
    for (const abut::features& f : different_features()) {
      abut::work work = entry->list->of_step(f, 0.3);
      const abut::work rebuild = entry->list->of_rebuild(f, 0.3, 100);
      work.insert(work.end(), rebuild.begin(), rebuild.end());
      EXPECT_EQ(work.size(), entry->list->costs.size());
      for (const abut::cost* one : entry->list->costs) EXPECT_EQ(times_named(work, one), 1U) << one->name;
    }
  }
  EXPECT_EQ(lists, 1U);
}

TEST(costs, costs_have_names_of_their_own_and_a_cost_of_no_list_is_refused) {
  std::set<std::string_view> names;
  for (const abut::cost* one : abut::all_costs()) {
    EXPECT_TRUE(names.insert(one->name).second) << one->name;
    for (const abut::instruction_set set : abut::all_instruction_sets) {
      EXPECT_EQ(abut::cost_constants(set)[*one], one->ns(set)) << one->name << " with " << abut::name_of(set);
      EXPECT_GT(one->ns(set), 0) << one->name << " with " << abut::name_of(set);
    }
    EXPECT_EQ(one->name.find_first_of(" \n"), std::string_view::npos) << "would not read back: " << one->name;
  }
  static constexpr abut::cost forgotten{"forgotten.cost", 1};
  EXPECT_THROW((void)abut::predicted(abut::work{{&forgotten, 1}}, abut::cost_constants()), std::logic_error);
}

}  // namespace
}  // namespace costs_test
