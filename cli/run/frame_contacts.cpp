#include "run/frame_contacts.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <abut/abut.hpp>

#include "base/parallel.hpp"

namespace abut::cli {
namespace {

bool is_held(const dem::state& bodies, row i) { return bodies.moves[i] != dem::motion::free; }

/// The contact of two rows as the law sees it.
dem::contact law_contact(const dem::state& s, const dem::settings& settings, pair p, const touch& how) {
  const auto [i, j] = p;
  const auto mobility = [&](row k) { return is_held(s, k) ? 0 : 1 / s.mass[k]; };
  dem::contact c;
  c.overlap = how.overlap;
  c.normal = {how.normal[0], how.normal[1], how.normal[2]};
  const double inward = settings.contact_law->traits().at_surfaces ? 0 : 0.5 * c.overlap;
  const dem::vec turning = s.spin[i] * (s.radius[i] - inward) + s.spin[j] * (s.radius[j] - inward);
  c.velocity = (s.velocity[j] - s.velocity[i]) - cross(turning, c.normal);
  c.spin = s.spin[j] - s.spin[i];
  c.radius = s.radius[i] * s.radius[j] / (s.radius[i] + s.radius[j]);
  c.mass = 1 / (mobility(i) + mobility(j));
  c.pair = settings.materials.pair(s.material[i], s.material[j]);
  return c;
}

double normal_force(const dem::settings& settings, dem::contact c) {
  std::vector<double> memory(settings.contact_law->traits().memory);
  c.memory = memory.data();
  settings.contact_law->apply(std::span(&c, 1));
  return dot(c.force, c.normal);
}

frame_contact described(const dem::state& s, const dem::settings& settings, const bodies& view, pair p) {
  if (s.id[p.i] > s.id[p.j]) std::swap(p.i, p.j);
  const region first = region_of(view, p.i);
  const region second = nearest_image(first, region_of(view, p.j), settings.periodic);
  const touch how = touch_of(first, second, settings.dimension);
  const auto [x, y, z] = center_of(second);
  frame_contact c{
      .first = s.id[p.i], .second = s.id[p.j], .from = s.position[p.i], .to = {x, y, z}, .overlap = how.overlap};
  if (settings.contact_law) c.force = normal_force(settings, law_contact(s, settings, p, how));
  return c;
}

}  // namespace

frame_contacts contacts_of(const dem::state& s, const dem::settings& settings) {
  std::vector<std::uint8_t> held(s.size());
  for (row i = 0; i < s.size(); ++i) held[i] = is_held(s, i) ? 1 : 0;
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
  const std::vector<pair> pairs = finder.pairs();
  frame_contacts found;
  found.all.resize(pairs.size());
  parallel_blocks(usable_threads(settings.threads), pairs.size(), 4096,
                  [&](std::size_t, std::size_t from, std::size_t to) {
                    for (std::size_t k = from; k < to; ++k) {
                      found.all[k] = described(s, settings, view, pairs[k]);
                    }
                  });
  std::sort(found.all.begin(), found.all.end(), [](const frame_contact& a, const frame_contact& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  found.coordination.resize(s.size());
  for (const frame_contact& c : found.all) {
    ++found.coordination[c.first];
    ++found.coordination[c.second];
  }
  return found;
}

}  // namespace abut::cli
