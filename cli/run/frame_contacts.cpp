#include "run/frame_contacts.hpp"

#include <algorithm>

#include <abut/abut.hpp>

namespace abut::cli {

std::vector<std::uint32_t> coordination_of(const dem::state& s, const dem::settings& settings) {
  std::vector<std::uint8_t> held(s.size());
  for (row i = 0; i < s.size(); ++i) held[i] = s.moves[i] != dem::motion::free ? 1 : 0;
  std::vector<std::int32_t> group;
  for (row i = 0; i < s.clump.size(); ++i) {
    group.push_back(s.clump[i] == dem::no_clump ? -1 - static_cast<std::int32_t>(i)
                                                : static_cast<std::int32_t>(s.clump[i]));
  }
  bodies view = settings.dimension == 2
                    ? spheres(s.position, &dem::vec::x, &dem::vec::y, column(s.radius))
                    : spheres(s.position, &dem::vec::x, &dem::vec::y, &dem::vec::z, column(s.radius));
  view = group.empty() ? view.fixed(held) : view.fixed(held).group(group);
  options chosen;
  chosen.periodic = settings.periodic;
  chosen.threads = settings.threads;
  search finder(plan(settings.method), chosen);
  finder.update(view);
  std::vector<std::uint32_t> counts(s.size());
  finder.for_each_pair([&](row i, row j) {
    ++counts[i];
    ++counts[j];
  });
  return counts;
}

std::vector<dem::contact_report> contacts_of(const dem::simulation& now) {
  std::vector<dem::contact_report> all = now.contacts();
  const auto apart = [](const dem::contact_report& c) { return c.overlap < 0; };
  all.erase(std::remove_if(all.begin(), all.end(), apart), all.end());
  return all;
}

}  // namespace abut::cli
