// What contacts cost: a step in which the list holds, a rebuild (with the find that it contains, and the rest), and
// loops over all contacts, beside what grid takes for update and find on the same bodies. A lattice of spheres in
// random order and in that of the lattice, which move a little in every step.

#include <abut/contacts.hpp>

#include "figures.hpp"

namespace figures {

namespace {

struct spring {
  double force[3];
};

// The times of one list, in seconds.
struct lister {
  explicit lister(int on, bool periodic, double side) : threads(on), search(plan("grid"), how(on, periodic, side)) {}

  static options how(int on, bool periodic, double side) {
    options o{.threads = on};
    if (periodic) o.periodic = {interval{0, side}, interval{0, side}, interval{0, side}};
    return o;
  }

  // Rebuilds the list, whether it holds or not, and goes through it from both sides.
  void run(const bodies& b, int clock) {
    const double start = now(clock);
    search.update(b, {.margin = skin});
    const double updated = now(clock);
    std::vector<std::uint64_t> found(8 * search.tasks());  // apart, so that threads write to lines of their own
    search.for_each_batch([&](std::size_t task, std::span<const pair> batch) { found[8 * task] += batch.size(); });
    const double searched = now(clock);
    near.update(search);
    const double rebuilt = now(clock);
    held = held && near.hold(b);
    const double checked = now(clock);
    std::vector<double>& f = force;
    f.resize(near.size());
    near.for_each([&](auto& c) { f[c.slot] = c.memory.force[0] += 1; });
    const double visited = now(clock);
    sums.resize(near.rows());
    near.for_each_block([&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        double sum = 0;
        for (const auto c : near.of(static_cast<row>(i))) sum += c.first ? f[c.slot] : -f[c.slot];
        sums[i] = sum;
      }
    });
    search_time.push_back(updated - start);
    find_time.push_back(searched - updated);
    update_time.push_back(rebuilt - searched);
    hold_time.push_back(checked - rebuilt);
    visit_time.push_back(visited - checked);
    sum_time.push_back(now(clock) - visited);
  }

  static constexpr double skin = 0.05;
  int threads;
  abut::search search;
  contacts<spring> near{{.skin = skin}};
  bool held = true;
  std::vector<double> force{};
  std::vector<double> sums{};
  std::vector<double> search_time{}, find_time{}, update_time{}, hold_time{}, visit_time{}, sum_time{};
};

void compare(const std::string& name, samples::set bodies, bool periodic) {
  const int repeats = asked().repeats(9);
  const std::size_t n = bodies.size();
  const double side = std::ceil(std::cbrt(static_cast<double>(n)));
  const auto per_body = [&](const std::vector<double>& times) { return median(times) / static_cast<double>(n) * 1e9; };
  samples::random rng(7);
  contender grid("grid", 1);
  std::vector<lister> lists;
  lists.reserve(2);
  for (const int threads : {1, 2}) lists.emplace_back(threads, periodic, side);
  for (int k = 0; k < repeats; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (double& x : bodies.column[axis]) x += rng.uniform(-0.01, 0.01);
    }
    grid.run(bodies);
    for (lister& l : lists) l.run(bodies.view(), 2);
  }
  const double alone = per_body(grid.update) + per_body(grid.find);
  fmt::print("\n{}, {} bodies, skin {}, median of {}; grid alone takes {:.1f} ns\n", name, n, lister::skin, repeats,
             alone);
  fmt::print("{:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>15} {:>9}\n", "threads", "search", "rebuild",
             "its find", "the rest", "hold", "for_each", "sums", "bytes/b", "bytes/contact", "contacts");
  double one_thread = 0;
  for (const lister& l : lists) {
    const auto count = static_cast<double>(l.near.size());
    const auto bytes = static_cast<double>(l.near.stats().bytes);
    const double memory = bytes / static_cast<double>(n);
    const double update = per_body(l.search_time);
    const double rebuild = per_body(l.update_time);
    const double find = per_body(l.find_time);
    // Beside the memory and what belongs to bodies: columns and offsets.
    const double per_contact =
        (bytes - static_cast<double>(n) * (4 * sizeof(double) + 2 * sizeof(row))) / count - sizeof(spring);
    fmt::print(
        "{:>9} {:6.1f} ns {:6.1f} ns {:6.1f} ns {:6.1f} ns {:6.2f} ns {:6.1f} ns {:6.1f} ns {:9.1f} {:15.1f} {:9.2f}\n",
        l.threads, update, rebuild, find, rebuild - find, per_body(l.hold_time), per_body(l.visit_time),
        per_body(l.sum_time), memory, per_contact, count / static_cast<double>(n));
    fmt::print("          relative to grid: search and rebuild {:.2f}, rebuild {:.2f}, the rest {:.2f}",
               (update + rebuild) / alone, rebuild / alone, (rebuild - find) / alone);
    if (l.threads == 1) {
      one_thread = rebuild;
      fmt::print("\n");
    } else {
      fmt::print("; the rebuild is {:.2f} times as fast as on one thread\n", one_thread / rebuild);
    }
    asked().add({.benchmark = asked().benchmark,
                 .sample = name,
                 .bodies = n,
                 .plan = "grid",
                 .threads = l.threads,
                 .update = rebuild,
                 .find = per_body(l.hold_time),
                 .sum = rebuild / alone,
                 .pairs = count / static_cast<double>(n),
                 .bytes = memory});
  }
  std::fflush(stdout);
}

}  // namespace

void list_contacts() {
  const std::size_t n = asked().quick ? 20'000 : 1'000'000;
  compare("moving lattice, rows in random order", samples::lattice(shape::sphere, 3, n, 1, 0.1, 0.525, 1), false);
  compare("moving lattice, rows in order of place", samples::lattice(shape::sphere, 3, n, 1, 0.1, 0.525, 1, false),
          false);
  compare("moving lattice, periodic, rows in order", samples::lattice(shape::sphere, 3, n, 1, 0.1, 0.525, 1, false),
          true);
}

}  // namespace figures
