// Lets the k-th allocation fail, for every k, in the public operations: each throws std::bad_alloc, or does without.
// What it was called on is as before, is empty, or refuses by name; it can be used again or destroyed. Prints what is
// wrong and ends with 1. Usage: abut_out_of_memory [STRIDE]; only every STRIDE-th k is tried, 1 by default.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <dlfcn.h>

#include <abut/abut.hpp>
#ifdef ABUT_WITH_DEM
#include <abut/dem/dem.hpp>
#endif

namespace {

std::atomic<long> until_failure = -1;  // below 0: none fails
std::atomic<bool> failed = false;

bool fails() {
  if (until_failure.load(std::memory_order_relaxed) < 0) return false;
  if (until_failure.fetch_sub(1) != 0) return false;
  failed = true;
  return true;
}

}  // namespace

void* operator new(std::size_t size) {
  if (fails()) throw std::bad_alloc();
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (fails()) throw std::bad_alloc();
  void* const memory = std::aligned_alloc(static_cast<std::size_t>(alignment), (size / 64 + 1) * 64);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

// The library's large arrays.
extern "C" int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  using function = int (*)(void**, std::size_t, std::size_t);
  static const auto next = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "posix_memalign"));
  return fails() ? 12 : next(memory, alignment, size);
}

namespace {

long stride = 1;
int wrong = 0;
std::string doing;

void expect(bool right, const char* what) {
  if (right) return;
  std::printf("%s: %s\n", doing.c_str(), what);
  ++wrong;
}

// Calls `trial(attempt)` for k = 0, stride, ... until nothing fails any more. The trial calls `attempt(f)` once, in
// which the k-th allocation fails.
void each(const std::string& name,
          const std::function<void(const std::function<bool(const std::function<void()>&)>&)>& trial) {
  for (long k = 0;; k += stride) {
    doing = name + ", allocation " + std::to_string(k);
    bool any = false;
    trial([&](const std::function<void()>& f) {
      bool threw = false;
      failed = false;
      until_failure = k;
      try {
        f();
      } catch (const std::bad_alloc&) {
        threw = true;
      } catch (const std::exception& e) {
        until_failure = -1;
        expect(false, e.what());
        threw = true;
      }
      until_failure = -1;
      any = any || failed;
      expect(!threw || failed, "out of memory, though nothing failed");
      return threw;
    });
    if (!any) {
      std::printf("%-45s %ld allocations\n", name.c_str(), k);
      return;
    }
  }
}

struct balls {
  std::vector<double> x, y, z, r;
  [[nodiscard]] abut::bodies view() const { return abut::spheres(x, y, z, r); }
};

balls some(unsigned seed, std::size_t count, double shift) {
  balls all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto next = [&] { return static_cast<double>((seed = seed * 1664525U + 1013904223U) >> 8) * 0x1p-24; };
    all.x.push_back(4 * next() + shift);
    all.y.push_back(4 * next());
    all.z.push_back(4 * next());
    all.r.push_back(0.2 + 0.2 * next());
  }
  return all;
}

std::size_t listed(abut::contact_list& list) {
  std::size_t sum = list.stats().bytes > 0 ? 0 : 1;
  for (abut::row i = 0; i < list.rows(); ++i) {
    for (auto slot = list.offsets()[i]; slot < list.offsets()[i + 1]; ++slot)
      sum += list.seconds()[slot] < list.other_rows();
  }
  for (abut::row j = 0; j < list.other_rows(); ++j) {
    for (auto k = list.back_offsets()[j]; k < list.back_offsets()[j + 1]; ++k) sum += list.back()[k] < list.size();
  }
  sum += list.firsts().size() + list.ended_contacts().size() + list.images().size();
  for (std::uint32_t slot = 0; slot < list.size(); ++slot) sum += static_cast<std::size_t>(list.memory(slot)[7]);
  return sum;
}

void searches() {
  const balls before = some(1, 60, 0), after = some(2, 70, 0.5);
  for (const abut::method_info* const info : abut::methods()) {
    const std::size_t right = abut::find_pairs(after.view()).size();
    each("update of " + std::string(info->name), [&](const auto& attempt) {
      abut::search search{abut::plan(info->name)};
      search.update(before.view());
      (void)attempt([&] { search.update(after.view()); });
      search.update(after.view());
      expect(search.pairs().size() == right, "other pairs after another update");
    });
    each("pairs of " + std::string(info->name), [&](const auto& attempt) {
      abut::search search{abut::plan(info->name)};
      search.update(after.view());
      (void)attempt([&] { (void)search.pairs(); });
      expect(search.pairs().size() == right, "other pairs when asked again");
    });
  }
  each("a plan", [&](const auto& attempt) { (void)attempt([&] { (void)abut::plan("neighboring-cell cell=0.75"); }); });
}

void lists() {
  struct way {
    const char* name;
    std::size_t count;  // of bodies afterwards
    double moved;
    bool between, periodic;
  };
  for (const way& w :
       {way{"a list that changes in place", 60, 0.01, false, false},
        way{"a list that is made anew", 75, 1, false, false}, way{"a list in periodic space", 60, 0.3, false, true},
        way{"a list between two sets", 60, 0.4, true, false}}) {
    const balls before = some(1, 60, 0);
    balls after = some(1, w.count, w.moved);
    const balls others = some(3, 40, 0.2);
    abut::options o{.threads = 1};
    if (w.periodic) o.periodic[0] = abut::interval{0, 4};
    const auto follow = [&](abut::contact_list& list, abut::search& search, const balls& b) {
      w.between ? (void)list.follow_between(search, b.view(), others.view()) : (void)list.follow(search, b.view());
    };
    std::size_t right = 0;
    for (const bool trying : {false, true}) {
      const auto trial = [&](const auto& attempt) {
        abut::search search(abut::plan("grid"), o);
        abut::contact_list list({.margin = 0.1, .skin = 0.05}, 8);
        follow(list, search, before);
        const bool threw = attempt([&] { follow(list, search, after); });
        (void)listed(list);
        if (threw) list.expire();
        follow(list, search, after);
        const std::size_t found = listed(list);
        if (!trying) right = found;
        expect(list.size() > 20 && found >= right / 2, "contacts are missing after another update");
        expect(list.rows() == after.x.size(), "another number of rows after another update");
      };
      if (trying) {
        each(w.name, trial);
      } else {
        trial([](const auto& f) { return f(), false; });
      }
    }
    each(std::string("load of ") + w.name, [&](const auto& attempt) {
      abut::search search(abut::plan("grid"), o);
      abut::contact_list list({.margin = 0.1, .skin = 0.05}, 8);
      follow(list, search, before);
      const abut::saved_contacts saved = list.save();
      abut::contact_list loaded({.margin = 0.1, .skin = 0.05}, 8);
      const auto load = [&] { w.between ? loaded.load_between(saved, 60, 40) : loaded.load(saved, 60); };
      (void)attempt(load);
      (void)listed(loaded);
      load();
      expect(loaded.size() == list.size(), "another number of contacts after another load");
      (void)attempt([&] { (void)list.save(); });
      (void)attempt(
          [&] { (void)(w.between ? list.neighbors(before.view(), others.view()) : list.neighbors(before.view())); });
    });
  }
}

#ifdef ABUT_WITH_DEM
void simulations() {
  namespace dem = abut::dem;
  dem::settings s;
  s.materials = dem::material_table({.stiffness = 1e3, .restitution = 0.5, .friction = 0.5});
  s.materials.add({.name = "stone"});
  s.contact_law = dem::named_law("hooke", s.materials);
  s.gravity = {0, 0, -10};
  s.threads = 1;
  s.energies = true;
  s.sort_every = 3;
  s.skin = 0.05;
  s.walls = {dem::plane({0, 0, 0}, {0, 0, 1}), dem::rectangle({-1, -1, 0.05}, {9, 0, 0}, {0, 9, 0})};
  std::vector<dem::body> bodies;
  for (int k = 0; k < 30; ++k) {
    bodies.push_back({.position = {0.9 * (k % 3), 0.9 * (k / 3 % 3), 0.5 + 0.9 * (k / 9)},
                      .velocity = {3.0 * (k % 2), 0, -1},
                      .radius = 0.46});
  }
  bodies.push_back({.position = {5, 5, 1}, .radius = 0.4, .clump = 1});
  bodies.push_back({.position = {5.3, 5, 1}, .radius = 0.4, .clump = 1});
  const std::vector<dem::body> more = {{.position = {1, 1, 5}, .radius = 0.3}, {.position = {2, 1, 5}, .radius = 0.3}};
  struct way {
    const char* name;
    std::function<void(dem::simulation&)> happens;
  };
  const std::vector<way> ways = {{"steps of a simulation", [](dem::simulation& run) { run.run(12); }},
                                 {"an addition to a simulation", [&](dem::simulation& run) { (void)run.add(more); }},
                                 {"a removal from a simulation",
                                  [](dem::simulation& run) {
                                    const std::vector<std::uint32_t> gone = {3, 4, 30};
                                    run.remove(gone);
                                  }},
                                 {"another method", [](dem::simulation& run) { run.use_method("sweep-and-prune"); }}};
  for (const way& w : ways) {
    dem::simulation whole(s, bodies);
    whole.run(5);
    w.happens(whole);
    whole.run(20);
    const std::uint64_t right = hash_of(whole.bodies());
    each(w.name, [&](const auto& attempt) {
      dem::simulation run(s, bodies);
      run.run(5);
      const bool threw = attempt([&] { w.happens(run); });
      try {
        if (threw) w.happens(run);
        run.run(20);
        expect(hash_of(run.bodies()) == right, "other bits afterwards");
      } catch (const abut::error& e) {
        expect(std::string(e.what()) == "the simulation cannot go on, since it was interrupted: out of memory",
               e.what());
      }
      (void)run.bodies().size();
      (void)run.bytes();
    });
  }
  each("a simulation", [&](const auto& attempt) { (void)attempt([&] { const dem::simulation run(s, bodies); }); });
  dem::simulation run(s, bodies);
  run.run(5);
  each("what is computed on demand", [&](const auto& attempt) {
    (void)attempt([&] {
      (void)run.measure();
      (void)run.contacts();
      (void)run.walls();
    });
  });
  std::ostringstream file;
  run.save(file);
  const std::string bytes = file.str();
  each("a resumed simulation", [&](const auto& attempt) {
    std::istringstream from(bytes);
    (void)attempt([&] { const dem::simulation again(s, from); });
  });
}
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) stride = std::atol(argv[1]);
  searches();
  lists();
#ifdef ABUT_WITH_DEM
  simulations();
#endif
  if (wrong > 0) std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
