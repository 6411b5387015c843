// Contacts between two sets of bodies, against the oracle.

#include "contact_model.hpp"

namespace contacts_between_test {
namespace {

using abut::row;
using abut::shape;
using contact_model::grains;
using contact_model::token;
namespace samples = abut::samples;

class contacts_between : public ::testing::TestWithParam<std::string> {};

TEST_P(contacts_between, are_those_of_the_oracle_from_both_sides) {
  for (const shape kind : {shape::sphere, shape::box}) {
    for (const shape other : {shape::sphere, shape::box}) {
      for (const bool periodic : {false, true}) {
        SCOPED_TRACE(std::string(support::shape_name(kind)) + " and " + support::shape_name(other) +
                     (periodic ? ", periodic" : ""));
        grains g(kind, 3, 31, periodic);
        samples::set walls = samples::uniform(other, 3, 40, 0.4, 0.7, 2, 8);
        abut::search search(abut::plan(GetParam()), {.periodic = g.axes(), .threads = 2});
        abut::contacts<token> near({.margin = 0.02, .skin = 0.2});
        std::map<std::pair<row, row>, std::uint64_t> tokens;
        int rebuilds = 0;
        for (int step = 0; step < 12; ++step) {
          SCOPED_TRACE("step " + std::to_string(step));
          if (step > 0) g.drift(0.02);
          samples::translate(walls, 0.01);
          rebuilds += near.follow_between(search, g.bodies().view(), walls.view()) ? 1 : 0;
          const auto expected = reference::between(g.bodies(), walls, 0.02, g.axes());
          const auto list = near.neighbors(g.bodies().view(), walls.view());
          std::vector<abut::pair> found;
          for (row i = 0; i < near.rows(); ++i) {
            for (auto k = list.offsets[i]; k < list.offsets[i + 1]; ++k) found.push_back({i, list.neighbors[k]});
          }
          ASSERT_EQ(support::sorted(found), expected);
          std::size_t seen = 0;
          for (row j = 0; j < near.other_rows(); ++j) {
            std::int64_t last = -1;
            for (const auto c : near.of_other(j)) {
              ASSERT_FALSE(c.first);
              ASSERT_GT(static_cast<std::int64_t>(c.other), last);
              last = c.other;
              ++seen;
              const auto known = tokens.find({c.other, j});
              const bool touches = std::binary_search(expected.begin(), expected.end(), abut::pair{c.other, j});
              if (known != tokens.end() && touches) {
                ASSERT_EQ(c.memory.number, known->second);
              }
              if (touches) tokens[{c.other, j}] = c.memory.number = ++seen << 8 | static_cast<unsigned>(step);
            }
          }
          std::erase_if(tokens, [&](const auto& t) {
            return !std::binary_search(expected.begin(), expected.end(), abut::pair{t.first.first, t.first.second});
          });
        }
        EXPECT_GT(rebuilds, 1);
        EXPECT_LT(rebuilds, 12);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(methods, contacts_between, ::testing::ValuesIn(support::method_names()),
                         support::method_test_name);

}  // namespace
}  // namespace contacts_between_test
