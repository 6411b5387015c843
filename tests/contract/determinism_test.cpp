// The order of the pairs does not depend on the number of threads; neither pairs nor samples depend on the machine.

#include <cstdio>

#include "instruction_sets.hpp"
#include "support.hpp"

namespace determinism_test {
namespace {

using abut::shape;
namespace samples = abut::samples;

// A sample of 20,000 bodies, and the hash of its pairs, which every machine must find. The oracle computed the hashes.
struct pinned {
  std::string name;
  std::uint64_t pairs;
  std::uint64_t hash;
  samples::set (*make)();
};

const std::vector<pinned>& all_pinned() {
  static const std::vector<pinned> all = {
      {"spheres", 35938, 0x23a0a6262f925a97U, [] { return samples::uniform(shape::sphere, 3, 20000, 0.5, 1, 2, 101); }},
      {"discs_of_many_sizes", 14433, 0x97c7f7c075462aacU,
       [] { return samples::uniform(shape::sphere, 2, 20000, 0.5, 1, 100, 102); }},
      {"lattice", 39939, 0xaf80245faa9be115U,
       [] { return samples::lattice(shape::sphere, 3, 20000, 1, 0.1, 0.525, 103); }},
      {"boxes", 36183, 0xcaabbb10bdc5674eU, [] { return samples::uniform(shape::box, 3, 20000, 0.5, 1, 2, 104); }},
      {"far_clusters", 24292, 0xec19125b30c522d2U,
       [] { return samples::clusters(shape::sphere, 3, 20000, 500, 1e12, 0.5, 105); }},
      {"touching", 5004, 0x39da73677923a99dU, [] { return samples::touching(shape::sphere, 3, 20000, 106); }},
  };
  return all;
}

using parameter = std::tuple<std::string, const pinned*>;

class determinism : public ::testing::TestWithParam<parameter> {};

TEST_P(determinism, one_order_for_all_numbers_of_threads_and_one_set_for_all_machines) {
  const auto& [method, sample] = GetParam();
  const samples::set bodies = sample->make();
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3, 4, 8}) {
    abut::search search(abut::plan(method), {.threads = threads});
    search.update(bodies.view());
    const std::vector<abut::pair> order = support::ordered(search);
    EXPECT_EQ(order.size(), sample->pairs);
    EXPECT_EQ(support::free_hash(order), sample->hash);
    if (threads == 1) first = support::ordered_hash(order);
    EXPECT_EQ(support::ordered_hash(order), first) << threads << " threads";
    EXPECT_EQ(support::ordered_hash(support::ordered(search)), first) << "asked again";
    EXPECT_EQ(support::ordered_hash(support::by_batches(search)), first) << "by batches";
  }
}

class determinism_of_vectors : public determinism {};

TEST_P(determinism_of_vectors, one_order_for_all_instruction_sets) {
  const auto& [method, sample] = GetParam();
  const samples::set bodies = sample->make();
  std::uint64_t first = 0;
  for (const abut::instruction_set set : abut::usable_instructions()) {
    const support::use_instructions use(set);
    for (const int threads : {1, 2}) {
      abut::search search(abut::plan(method), {.threads = threads});
      search.update(bodies.view());
      const std::vector<abut::pair> order = support::ordered(search);
      EXPECT_EQ(support::free_hash(order), sample->hash);
      if (first == 0) first = support::ordered_hash(order);
      EXPECT_EQ(support::ordered_hash(order), first) << abut::name_of(set) << ", " << threads << " threads";
    }
  }
}

std::vector<const pinned*> pointers() {
  std::vector<const pinned*> all;
  for (const pinned& sample : all_pinned()) all.push_back(&sample);
  return all;
}

std::string test_name(const ::testing::TestParamInfo<parameter>& test) {
  const auto& [method, sample] = test.param;
  return support::name(method) + "__" + sample->name;
}

INSTANTIATE_TEST_SUITE_P(methods, determinism,
                         ::testing::Combine(::testing::ValuesIn(support::method_names(false)),
                                            ::testing::ValuesIn(pointers())),
                         test_name);

INSTANTIATE_TEST_SUITE_P(methods, determinism_of_vectors,
                         ::testing::Combine(::testing::Values("grid", "grid levels=3", "nearest-neighbor"),
                                            ::testing::ValuesIn(pointers())),
                         test_name);

// The brute force is slow, so only one sample is checked here. Run with --gtest_also_run_disabled_tests to compute all
// hashes anew.
TEST(pinned_hashes, are_those_of_the_oracle) {
  const pinned& sample = all_pinned().front();
  const std::vector<abut::pair> expected = reference::pairs(sample.make());
  EXPECT_EQ(expected.size(), sample.pairs);
  EXPECT_EQ(support::free_hash(expected), sample.hash);
}

TEST(pinned_hashes, DISABLED_print) {
  for (const pinned& sample : all_pinned()) {
    const std::vector<abut::pair> expected = reference::pairs(sample.make());
    std::printf("{\"%s\", %zu, 0x%llxU,\n", sample.name.c_str(), expected.size(),
                static_cast<unsigned long long>(support::free_hash(expected)));
  }
}

// The bits of the generators themselves, over every sample of the list.
TEST(pinned_hashes, of_the_samples) {
  std::uint64_t hash = 0;
  for (const samples::sample& sample : samples::all()) {
    for (const shape kind : {shape::sphere, shape::box}) {
      for (const int dimension : {2, 3}) {
        for (const std::vector<double>& column : sample.make(kind, dimension, 1).column) {
          for (const double v : column) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &v, sizeof bits);
            hash = (hash ^ bits) * 0x100'0000'01b3U;
          }
        }
      }
    }
  }
  EXPECT_EQ(hash, 0x05bec9d19a1eb088U) << "the samples have changed: 0x" << std::hex << hash;
}

}  // namespace
}  // namespace determinism_test
