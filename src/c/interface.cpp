// The C interface: each function is one guarded call of the C++ one.

#include <abut/abut.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <abut/abut.hpp>

struct abut_search {
  abut::search search;
  std::vector<abut::pair> pairs;  // the pairs that the last call returned
  std::string planned;
};

namespace {

using abut::error;

// A fixed array, so that an error can be stored even if memory has run out. Longer messages are truncated.
thread_local std::array<char, 1024> last_error{};

void keep(const char* message) noexcept { (void)std::snprintf(last_error.data(), last_error.size(), "%s", message); }

// Runs a call and stores the message of any exception, because none may cross into C. Returns 0, or 1 after an error.
template <class Call>
int guarded(Call&& call) noexcept {
  try {
    call();
    return 0;
  } catch (const std::bad_alloc&) {
    keep("out of memory");
  } catch (const std::exception& e) {
    keep(e.what());
  } catch (...) {
    keep("an exception that is not a std::exception was thrown");
  }
  return 1;
}

// What the pointer points to; an error if it is NULL.
template <class T>
T& given(T* pointer, const char* name) {
  if (pointer == nullptr) throw error(std::string(name) + " is NULL");
  return *pointer;
}

// A struct of the caller's. Its size tells whether it comes from the same version of the header.
template <class T>
T& sized(T* pointer, const char* name, const char* type) {
  T& whole = given(pointer, name);
  if (whole.size != sizeof(T)) {
    throw error(std::string(name) + " has size " + std::to_string(whole.size) + "; set it to sizeof(" + type + "), " +
                std::to_string(sizeof(T)) + " in this version of abut");
  }
  return whole;
}

abut::column column_of(const abut_column& c, std::size_t count, const std::string& name) {
  if (count == 0) return {static_cast<const double*>(nullptr), 0};
  if (c.type != ABUT_DOUBLE && c.type != ABUT_FLOAT) {
    throw error(name + " has type " + std::to_string(c.type) + "; it must be ABUT_DOUBLE or ABUT_FLOAT");
  }
  if (c.data == nullptr) throw error(name + " has data NULL; give the address of row 0's number");
  if (c.type == ABUT_FLOAT) return {static_cast<const float*>(c.data), count, c.stride};
  return {static_cast<const double*>(c.data), count, c.stride};
}

std::array<abut::column, 3> axes_of(const abut_column (&columns)[3], const abut_bodies& b, const std::string& name) {
  std::array<abut::column, 3> axes;
  for (int k = 0; k < b.dimension; ++k) {
    axes[k] = column_of(columns[k], b.count, name + "[" + std::to_string(k) + "]");
  }
  return axes;
}

abut::bodies volumes_of(const abut_bodies& b) {
  const bool flat = b.dimension == 2;
  if (b.shape == ABUT_SPHERE) {
    const auto [x, y, z] = axes_of(b.center, b, "center");
    const abut::column r = column_of(b.radius, b.count, "radius");
    return flat ? abut::spheres(x, y, r) : abut::spheres(x, y, z, r);
  }
  const auto [xmin, ymin, zmin] = axes_of(b.min, b, "min");
  const auto [xmax, ymax, zmax] = axes_of(b.max, b, "max");
  return flat ? abut::boxes(xmin, xmax, ymin, ymax) : abut::boxes(xmin, xmax, ymin, ymax, zmin, zmax);
}

abut::bodies bodies_of(const abut_bodies& b) {
  if (b.shape != ABUT_SPHERE && b.shape != ABUT_BOX) {
    throw error("the bodies' shape is " + std::to_string(b.shape) + "; it must be ABUT_SPHERE or ABUT_BOX");
  }
  if (b.dimension != 2 && b.dimension != 3) {
    throw error("the bodies' dimension is " + std::to_string(b.dimension) + "; it must be 2 or 3");
  }
  const abut::bodies volumes = volumes_of(b);
  if (b.fixed == nullptr || b.count == 0) return volumes;
  // A forgotten stride would silently fix all bodies or none.
  if (b.fixed_stride == 0) throw error("fixed_stride is 0; give the bytes from one flag to the next, 1 for an array");
  return volumes.fixed(abut::flags(b.fixed, b.count, b.fixed_stride));
}

// Options from this version of the header or from the one before `motion` was added; that field is then 0.
abut_options whole_options(const abut_options& given) {
  abut_options o{};
  if (given.size != offsetof(abut_options, motion)) return sized(&given, "options", "abut_options");
  std::memcpy(&o, &given, given.size);
  return o;
}

abut::options options_of(const abut_options& o) {
  abut::options made{.margin = o.margin, .threads = o.threads};
  for (std::size_t k = 0; k < 3; ++k) {
    if (o.periodic[k] != 0) made.periodic[k] = abut::interval{o.periodic_min[k], o.periodic_max[k]};
  }
  if (o.motion != 0) made.motion = o.motion;
  return made;
}

// Both pairs are two rows of 32 bits.
static_assert(sizeof(abut_pair) == sizeof(abut::pair));

void hand_out(abut_search& from, const abut_pair*& pairs, std::size_t& count) {
  pairs = reinterpret_cast<const abut_pair*>(from.pairs.data());
  count = from.pairs.size();
}

}  // namespace

const char* abut_version(void) { return ABUT_VERSION; }

const char* abut_last_error(void) { return last_error.data(); }

abut_search* abut_create(const char* plan, const abut_options* options) {
  abut_search* made = nullptr;
  (void)guarded([&] {
    const abut::plan asked = plan != nullptr ? abut::plan(plan) : abut::plan();
    const abut::options chosen = options != nullptr ? options_of(whole_options(*options)) : abut::options{};
    made = new abut_search{abut::search(asked, chosen), {}, {}};
  });
  return made;
}

void abut_destroy(abut_search* search) {
  (void)guarded([&] { delete search; });
}

int abut_update(abut_search* search, const abut_bodies* bodies) {
  return guarded([&] { given(search, "search").search.update(bodies_of(sized(bodies, "bodies", "abut_bodies"))); });
}

int abut_pairs(abut_search* search, const abut_pair** pairs, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut_pair*& first = given(pairs, "pairs");
    std::size_t& size = given(count, "count");
    from.pairs = from.search.pairs();
    hand_out(from, first, size);
  });
}

int abut_pairs_between(abut_search* search, const abut_bodies* others, const abut_pair** pairs, size_t* count) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const abut_bodies& other_bodies = sized(others, "others", "abut_bodies");
    const abut_pair*& first = given(pairs, "pairs");
    std::size_t& size = given(count, "count");
    std::vector<abut::pair> found;
    from.search.for_each_pair_between(bodies_of(other_bodies), [&](abut::row i, abut::row j) {
      found.push_back({i, j});
    });
    std::sort(found.begin(), found.end());
    from.pairs = std::move(found);
    hand_out(from, first, size);
  });
}

int abut_for_each_pair(abut_search* search, abut_batch_function f, void* context) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    if (f == nullptr) throw error("f is NULL");
    std::array<abut_pair, 512> batch{};
    std::size_t held = 0;
    from.search.for_each_pair([&](abut::row i, abut::row j) {
      batch[held++] = {i, j};
      if (held < batch.size()) return;
      f(context, batch.data(), held);
      held = 0;
    });
    if (held > 0) f(context, batch.data(), held);
  });
}

int abut_planned(abut_search* search, const char** plan) {
  return guarded([&] {
    abut_search& from = given(search, "search");
    const char*& text = given(plan, "plan");
    from.planned = from.search.planned().text();
    text = from.planned.c_str();
  });
}

int abut_stats_of(const abut_search* search, abut_stats* stats) {
  return guarded([&] {
    const abut_search& from = given(search, "search");
    abut_stats& out = sized(stats, "stats", "abut_stats");
    const abut::stats counted = from.search.stats();
    out.candidates = counted.candidates;
    out.tests = counted.tests;
    out.pairs = counted.pairs;
    out.bytes = counted.bytes + from.pairs.capacity() * sizeof(abut::pair);
  });
}
