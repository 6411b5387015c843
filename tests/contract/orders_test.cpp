// The order of the pairs, against constants: it is promised on every machine, with all vector instructions and any
// number of threads. If a method's order changes on purpose, take the new constants from what the failed test prints.

#include <array>
#include <map>
#include <tuple>

#include "orders.hpp"
#include "support.hpp"

namespace orders_test {
namespace {

constexpr std::size_t sets = 7;

struct pinned_set {
  std::string name;
  std::uint64_t pairs;
  std::uint64_t of_set;
};

// In the order of large_sets().
const std::array<pinned_set, sets> pinned_sets = {{
    {"spheres", 31606, 0xc54953b0c72e4efdU},
    {"equal-spheres", 35270, 0x0ceab7253e798181U},
    {"discs-of-many-sizes", 12716, 0xe9292642b255d5e7U},
    {"boxes", 31591, 0x9239ddf9fe29e513U},
    {"rectangles", 14361, 0x2ea30f24e9e94b75U},
    {"far-clusters", 22002, 0x2b37380fbf83923dU},
    {"touching", 4080, 0x3f81a0c083802439U},
}};

// A hash of the order, for each of these sets.
const std::map<std::string, std::array<std::uint64_t, sets>> pinned_orders = {
    {"pairing",
     {0x7bdf0d01ef521177U, 0xc0fe8e1e4fd3a08dU, 0x506784c11ccd235fU, 0x180f5d4af2136f34U, 0x8a73d6a7e26c9cc4U,
      0x5e67f9954373ab69U, 0x0f359dc08f855087U}},
    {"bounding-volume",
     {0x7bdf0d01ef521177U, 0xc0fe8e1e4fd3a08dU, 0x506784c11ccd235fU, 0x180f5d4af2136f34U, 0x8a73d6a7e26c9cc4U,
      0x5e67f9954373ab69U, 0x0f359dc08f855087U}},
    {"neighboring-cell",
     {0x2d5e446aca0791cbU, 0xeeb4e6db172ac749U, 0xd5fd4a85a968ca4fU, 0xbd027fb30d463908U, 0x0b2a8dfd56385468U,
      0xb7d448ebd0c60731U, 0x5eb7968901d810d3U}},
    {"nearest-neighbor",
     {0x890765a9f3bd9c87U, 0xd875549b0c0e6b1dU, 0x07edfdf0edc188fbU, 0x5b5d17615de0e9d4U, 0xaad3897633763ad4U,
      0xe83b6f51021ad3a5U, 0x9dc8b9292074f72bU}},
    {"sweep-and-prune",
     {0x43aee8c24e14881bU, 0x67b28444fa0a15a1U, 0x4576859ad2dc396fU, 0xb219a188842b5eb8U, 0x4c157f89d7898f34U,
      0x289dcf3b3c5ad981U, 0xb6c3f1b51b4eeb1fU}},
    {"spatial-sort",
     {0xd8bf87003d1737cbU, 0xb98cb141210aead1U, 0x60ceae7b412e409fU, 0xef83e7d44b5ca664U, 0xfe3104770554a5f0U,
      0xede8ccd5a65f9dd9U, 0x6be3ac6e70bbfdc3U}},
    {"hashing",
     {0x4c0a048f1c3e54b3U, 0x1d1a019e9502fcbdU, 0x45c8c07bcb6989bfU, 0xab7cf595ad7618e8U, 0xe5e61867ea068e48U,
      0xf9bb447400d01649U, 0x598c9e9d57f8a037U}},
    {"rtree",
     {0xe093361018f1a37bU, 0xe026bdb88d001015U, 0x2dcd4e48037eaa8fU, 0xac2d9defb6d38c48U, 0x47c6a829685bc0b0U,
      0x4f11efdbd1f29555U, 0x077f2c9a4e150953U}},
    {"dess",
     {0xd8bf87003d1737cbU, 0xb98cb141210aead1U, 0x60ceae7b412e409fU, 0xef83e7d44b5ca664U, 0xfe3104770554a5f0U,
      0xede8ccd5a65f9dd9U, 0x6be3ac6e70bbfdc3U}},
    {"stripe-sort",
     {0x7d4ef4f0300161dbU, 0x8d06a6f18d094411U, 0x3c672fc040b69673U, 0x0edc65257b802ee8U, 0x2f4115d41df128e8U,
      0x1fabe252d215f6a9U, 0x3efeb5d5adf744f3U}},
    {"dess-rtree",
     {0x1b23882da7f6c93bU, 0x2e4323d6be843451U, 0x5751e649e63c5673U, 0xd4ea570d7d3bd1d4U, 0x998c75fcc17241d0U,
      0x9d9d85cf7bd2d525U, 0x0a1fd88a4e9bcbcbU}},
    {"mr",
     {0xa6f29a744f0ea787U, 0xa744cb60e8a5f3b1U, 0x9635393edde0c3dbU, 0x3ad0878212cc3638U, 0x63bb4346d2334ffcU,
      0x9a1ef5586d6f2d3dU, 0x62c8a15995c4cffbU}},
    {"mmr",
     {0xa6f29a744f0ea787U, 0xa744cb60e8a5f3b1U, 0x956fe32f619e1763U, 0x3ad0878212cc3638U, 0x04c211833b721024U,
      0x9a1ef5586d6f2d3dU, 0xb373147584716b27U}},
    {"fixed-cubes",
     {0xf9b352ac213df8c7U, 0x9c972db35d3b8785U, 0x6df401496ca9c43bU, 0xaa649641231c5940U, 0x599a013523bb72b8U,
      0xc614917aabbf5515U, 0x304c9f9ca05a3ebbU}},
    {"multilevel",
     {0x9633c24ad06cd093U, 0x3c3c1f2e177ef61dU, 0x6575b34868ca9ac3U, 0xf547f8bea4f40f10U, 0x8c67cab1b29482bcU,
      0x01e433ba995ee159U, 0xbe973821ebe92517U}},
    {"grid",
     {0x0ddba91433378dbfU, 0x0ba91c7ca3cb4f0dU, 0x80adef3e8ba90febU, 0x22640ced9e92aeb8U, 0x9e36fdd2bbc42428U,
      0x7caee02764f252c9U, 0x409394760615272bU}},
};

const std::vector<support::named_set>& large_sets() {
  static const std::vector<support::named_set> all = support::large_sets();
  return all;
}

using parameter = std::tuple<std::string, std::size_t>;

class orders : public ::testing::TestWithParam<parameter> {};

TEST_P(orders, are_those_of_every_machine) {
  const auto& [method, k] = GetParam();
  const support::named_set& set = large_sets().at(k);
  const pinned_set& pinned = pinned_sets.at(k);
  ASSERT_EQ(set.name, pinned.name);
  const auto row = pinned_orders.find(method);
  for (const int threads : {1, 3}) {
    const support::hashes found = support::order_of(method, set.bodies, threads).pairs;
    EXPECT_EQ(found.pairs, pinned.pairs);
    EXPECT_EQ(found.of_set, pinned.of_set);
    if (row == pinned_orders.end()) FAIL() << "no constant for 0x" << std::hex << found.of_order;
    EXPECT_EQ(found.of_order, row->second.at(k)) << "0x" << std::hex << found.of_order << ", " << threads << " threads";
  }
}

std::string test_name(const ::testing::TestParamInfo<parameter>& test) {
  const auto& [method, k] = test.param;
  return support::name(method) + "__" + support::name(pinned_sets.at(k).name);
}

INSTANTIATE_TEST_SUITE_P(methods, orders,
                         ::testing::Combine(::testing::ValuesIn(support::method_names()),
                                            ::testing::Range(std::size_t{0}, sets)),
                         test_name);

}  // namespace
}  // namespace orders_test
