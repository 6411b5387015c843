// The C interface to lists of contacts and of neighbors.

#include <abut/abut.h>

#include <cstddef>
#include <string>
#include <utility>

#include <abut/contacts.hpp>

#include "c/inside.hpp"

using abut::bodies_of;
using abut::c_door;
using abut::error;
using abut::fill_in;
using abut::given;
using abut::guarded;
using abut::whole;

namespace {

static_assert(sizeof(abut_ended_contact) == sizeof(abut::contact_list::ended_contact) &&
              offsetof(abut_ended_contact, second_now) == offsetof(abut::contact_list::ended_contact, second_now) &&
              offsetof(abut_ended_contact, memory) == offsetof(abut::contact_list::ended_contact, memory));
static_assert(sizeof(abut::image_shift) == 3 * sizeof(std::int32_t) &&
              sizeof(std::array<double, 3>) == 3 * sizeof(double));

abut::contact_list list_of(const abut_contact_options* options) {
  if (options == nullptr) return abut::contact_list();
  const abut_contact_options o = whole(options, "options", "abut_contact_options");
  abut::contact_options made{.margin = o.margin};
  if (o.has_skin != 0) made.skin = o.skin;
  if (o.keep != nullptr) {
    made.keep = [keep = o.keep, context = o.keep_context](abut::row i, abut::row j) {
      return keep(context, i, j) != 0;
    };
  }
  return abut::contact_list(std::move(made), o.bytes, o.fresh);
}

abut::identities identities_of(const abut_identities* who, std::size_t rows, std::size_t other_rows) {
  if (who == nullptr) return {};
  const abut_identities w = whole(who, "who", "abut_identities");
  return {.ids = abut::ids_of(w.ids, rows, "ids"),
          .new_rows = abut::row_map_of(w.new_rows, w.new_row_count),
          .other_ids = abut::ids_of(w.other_ids, other_rows, "other_ids"),
          .new_other_rows = abut::row_map_of(w.new_other_rows, w.new_other_row_count)};
}

const double* numbers_of(const std::vector<double>& all) { return all.empty() ? nullptr : all.data(); }
const double* numbers_of(const std::vector<std::array<double, 3>>& all) {
  return all.empty() ? nullptr : all.front().data();
}
const std::int32_t* numbers_of(std::span<const abut::image_shift> all) {
  return all.empty() ? nullptr : all.front().data();
}

// An array of the caller's as a vector.
template <class T, class From>
std::vector<T> copy_of(const From* first, std::size_t count, const char* name) {
  if (count == 0) return {};
  const auto* from = static_cast<const T*>(&given(first, name));
  return std::vector<T>(from, from + count);
}
std::vector<std::byte> bytes_of(const void* first, std::size_t count) {
  if (count == 0) return {};
  if (first == nullptr) throw error("saved->memory is NULL");
  const auto* from = static_cast<const std::byte*>(first);
  return {from, from + count};
}

std::vector<std::int64_t> numbers_in(const std::int64_t* ids, std::size_t rows) {
  return ids == nullptr ? std::vector<std::int64_t>() : std::vector<std::int64_t>(ids, ids + rows);
}

void fill_arrays(abut::contact_list& list, abut_contact_arrays& out) {
  out.count = list.size();
  out.rows = list.rows();
  out.other_rows = list.other_rows();
  out.bytes = c_door::bytes(list);
  out.between = list.between() ? 1 : 0;
  out.firsts = list.firsts().data();
  out.seconds = list.seconds().data();
  out.memory = list.memory(0);
  out.offsets = list.offsets().data();
  out.back_offsets = list.back_offsets().data();
  out.back = list.back().data();
  out.images = numbers_of(list.images());
  out.begun = c_door::begun(list);
  out.ids = c_door::ids(list);
  out.other_ids = c_door::other_ids(list);
}

abut::neighbor_options neighbor_options_of(const abut_neighbor_options* options) {
  if (options == nullptr) return {};
  const abut_neighbor_options o = whole(options, "options", "abut_neighbor_options");
  return {.half = o.half != 0, .distances = o.distances != 0, .vectors = o.vectors != 0, .images = o.images != 0};
}

std::uint64_t bytes_in(const abut::neighbor_list& n) {
  return (n.offsets.capacity() + n.neighbors.capacity()) * sizeof(std::uint32_t) +
         n.distances.capacity() * sizeof(double) + n.vectors.capacity() * sizeof(n.vectors[0]) +
         n.images.capacity() * sizeof(abut::image_shift);
}

}  // namespace

abut_contacts* abut_contacts_create(const abut_contact_options* options) {
  abut_contacts* made = nullptr;
  (void)guarded([&] { made = new abut_contacts{list_of(options)}; });
  return made;
}

void abut_contacts_destroy(abut_contacts* contacts) {
  (void)guarded([&] { delete contacts; });
}

int abut_contacts_follow(abut_contacts* contacts, abut_search* search, const abut_bodies* bodies,
                         const abut_bodies* others, const abut_identities* who, int* updated) {
  return guarded([&] {
    abut::contact_list& list = given(contacts, "contacts").list;
    abut::search& from = given(search, "search").search;
    const abut::bodies b = bodies_of(bodies, "bodies");
    bool did = false;
    if (others == nullptr) {
      did = list.follow(from, b, identities_of(who, b.size(), 0));
    } else {
      const abut::bodies o = bodies_of(others, "others");
      did = list.follow_between(from, b, o, identities_of(who, b.size(), o.size()));
    }
    if (updated != nullptr) *updated = did ? 1 : 0;
  });
}

int abut_contacts_hold(abut_contacts* contacts, const abut_bodies* bodies, const abut_bodies* others, int* holds) {
  return guarded([&] {
    abut::contact_list& list = given(contacts, "contacts").list;
    const abut::bodies b = bodies_of(bodies, "bodies");
    int& held = given(holds, "holds");
    held = (others == nullptr ? list.hold(b) : list.hold(b, bodies_of(others, "others"))) ? 1 : 0;
  });
}

int abut_contacts_hold_displacement(abut_contacts* contacts, double displacement, int* holds) {
  return guarded([&] {
    abut::contact_list& list = given(contacts, "contacts").list;
    int& held = given(holds, "holds");
    held = list.hold(displacement) ? 1 : 0;
  });
}

int abut_contacts_expire(abut_contacts* contacts) {
  return guarded([&] { given(contacts, "contacts").list.expire(); });
}

int abut_contacts_reach(const abut_contacts* contacts, const abut_search* search, const abut_bodies* bodies,
                        double* margin) {
  return guarded([&] {
    const abut::contact_list& list = given(contacts, "contacts").list;
    const abut::search& from = given(search, "search").search;
    given(margin, "margin") = list.reach(from, bodies_of(bodies, "bodies"));
  });
}

int abut_contacts_update(abut_contacts* contacts, abut_search* search, const abut_bodies* others,
                         const abut_identities* who) {
  return guarded([&] {
    abut::contact_list& list = given(contacts, "contacts").list;
    abut::search& from = given(search, "search").search;
    const std::size_t rows = from.searched().size();
    if (others == nullptr) {
      list.update(from, identities_of(who, rows, 0));
    } else {
      const abut::bodies o = bodies_of(others, "others");
      list.update_between(from, o, identities_of(who, rows, o.size()));
    }
  });
}

int abut_contacts_arrays(abut_contacts* contacts, abut_contact_arrays* arrays) {
  return guarded([&] {
    abut::contact_list& list = given(contacts, "contacts").list;
    fill_in(arrays, "arrays", "abut_contact_arrays", {offsetof(abut_contact_arrays, ids)},
            [&](abut_contact_arrays& out) { fill_arrays(list, out); });
  });
}

int abut_contacts_ended(const abut_contacts* contacts, const abut_ended_contact** ended, size_t* count) {
  return guarded([&] {
    const auto all = given(contacts, "contacts").list.ended_contacts();
    const abut_ended_contact*& first = given(ended, "ended");
    given(count, "count") = all.size();
    first = reinterpret_cast<const abut_ended_contact*>(all.data());
  });
}

int abut_contacts_for_each_block(const abut_contacts* contacts, abut_block_function f, void* context) {
  return guarded([&] {
    const abut::contact_list& list = given(contacts, "contacts").list;
    if (f == nullptr) throw error("f is NULL");
    list.for_each_block([&](std::size_t from, std::size_t to) { f(context, from, to); });
  });
}

int abut_contacts_load(abut_contacts* contacts, const abut_contact_arrays* saved, const abut_identities* who) {
  return guarded([&] {
    abut::contact_list& list = given(contacts, "contacts").list;
    const abut_contact_arrays s = whole(saved, "saved", "abut_contact_arrays", {offsetof(abut_contact_arrays, ids)});
    if (s.bytes != c_door::bytes(list)) {
      throw error("saved->bytes is " + std::to_string(s.bytes) + ", but the list has " +
                  std::to_string(c_door::bytes(list)) + " bytes of memory per contact");
    }
    const abut::saved_contacts all{copy_of<abut::row>(s.firsts, s.count, "saved->firsts"),
                                   copy_of<abut::row>(s.seconds, s.count, "saved->seconds"),
                                   bytes_of(s.memory, s.count * s.bytes), numbers_in(s.ids, s.rows),
                                   numbers_in(s.other_ids, s.other_rows)};
    const abut::identities known = identities_of(who, s.rows, s.between != 0 ? s.other_rows : 0);
    if (s.between != 0) {
      list.load_between(all, s.rows, s.other_rows, known);
    } else {
      list.load(all, s.rows, known);
    }
  });
}

int abut_contacts_stats_of(const abut_contacts* contacts, abut_contact_stats* stats) {
  return guarded([&] {
    const abut_contacts& from = given(contacts, "contacts");
    fill_in(stats, "stats", "abut_contact_stats", {}, [&](abut_contact_stats& out) {
      const abut::contact_list::list_stats counted = from.list.stats();
      out.updates = counted.updates;
      out.holds = counted.holds;
      out.bytes = counted.bytes + bytes_in(from.neighbors);
    });
  });
}

int abut_contacts_neighbors(abut_contacts* contacts, const abut_bodies* bodies, const abut_bodies* others,
                            const abut_neighbor_options* options, abut_neighbors* neighbors) {
  return guarded([&] {
    abut_contacts& from = given(contacts, "contacts");
    const abut::bodies b = bodies_of(bodies, "bodies");
    const abut::neighbor_options o = neighbor_options_of(options);
    fill_in(neighbors, "neighbors", "abut_neighbors", {}, [&](abut_neighbors& out) {
      from.neighbors =
          others == nullptr ? from.list.neighbors(b, o) : from.list.neighbors(b, bodies_of(others, "others"), o);
      const abut::neighbor_list& n = from.neighbors;
      out.rows = n.offsets.size() - 1;
      out.count = n.neighbors.size();
      out.offsets = n.offsets.data();
      out.neighbors = n.neighbors.data();
      out.distances = numbers_of(n.distances);
      out.vectors = numbers_of(n.vectors);
      out.images = numbers_of(n.images);
    });
  });
}
