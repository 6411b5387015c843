// Bounding volume check (Perkins 1999, 3.2.2): pairing, with the volumes compared inside the loop.
//
// Idea: as in pairing, every body meets every other, but only pairs whose bounding volumes overlap are handed on: one
// candidate per pair, the best accuracy possible. The volumes are packed once, and a body is compared with a block of
// others at a time without branches, so that the compiler can use vector instructions.
// Cost: N^2 / 2 tests, each faster than one of pairing; 32 bytes per sphere.
// Wins: up to fifty or so bodies, for which sorting costs more than comparing.
// Loses: beyond that, to everything that sorts or makes cells.

#include <utility>

#include "bodies/packed_volumes.hpp"
#include "methods/method.hpp"

namespace abut {

namespace {

template <int D, shape S>
class bounding_volume final : public method {
 public:
  explicit bounding_volume(plan asked) : plan_(std::move(asked)) {}

  void update(const world& w, row_map) override {
    margin_ = w.margin();
    volumes_.fill(w);
  }

  [[nodiscard]] std::size_t tasks() const override { return (volumes_.size() + rows_per_task - 1) / rows_per_task; }

  void find(std::size_t task, pair_batch& out) const override {
    const std::size_t n = volumes_.size();
    const std::size_t to = std::min(n, (task + 1) * rows_per_task);
    std::uint64_t pairs = 0;
    std::uint64_t tests = 0;
    for (std::size_t i = task * rows_per_task; i < to; ++i) {
      const volume<D, S> a = volumes_.get(i);
      for (std::size_t from = i + 1; from < n; from += block) {
        const std::size_t count = std::min(block, n - from);
        bool touch[block];
        for (std::size_t k = 0; k < count; ++k) touch[k] = overlap(a, volumes_.get(from + k), margin_);
        tests += count;
        for (std::size_t k = 0; k < count; ++k) {
          if (!touch[k]) continue;
          out.add(pair{static_cast<row>(i), static_cast<row>(from + k)});
          ++pairs;
        }
      }
    }
    out.count.tests += tests;
    out.count.candidates += pairs;
  }

  void find_in(const query& q, row_batch& out) const override {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < volumes_.size(); ++i) {
      if (!q.touches(volumes_.get(i))) continue;
      out.add(static_cast<row>(i));
      ++found;
    }
    out.count.tests += volumes_.size();
    out.count.candidates += found;
  }

  void show(sketcher& out) const override {
    const std::uint32_t box = out.kind("volume", "the box around a body", sketch::holding::wholes);
    for (row i = 0; i < volumes_.size(); ++i) {
      out.box(box, 0, out.around(i));
      out.member(i);
      if (out.any_chosen() && i > out.chosen()) out.compared(i);
    }
  }

  [[nodiscard]] plan planned() const override { return plan_; }
  [[nodiscard]] std::size_t bytes() const override { return volumes_.bytes(); }

 private:
  static constexpr std::size_t rows_per_task = 64;
  static constexpr std::size_t block = 256;

  plan plan_;
  double margin_ = 0;
  packed_volumes<D, S> volumes_;
};

// ---- cost

constexpr cost search_cost{"bounding-volume.search", 1200};
constexpr cost body_cost{"bounding-volume.body", 15};
constexpr cost test_cost{"bounding-volume.test", 2.2};
constexpr const cost* costs[] = {&search_cost, &body_cost, &test_cost};

work work_of(const features& f) {
  return {{&search_cost, per_search(f)}, {&body_cost, 1}, {&test_cost, std::max(0.0, f.count - 1) / 2}};
}
std::string why(const features&) { return "so few bodies are compared with each other faster than sorted"; }

constexpr cost_model model{costs, work_of, why};

}  // namespace

extern const method_entry bounding_volume_entry;
const method_entry bounding_volume_entry{
    {.name = "bounding-volume",
     .document = "Perkins 1999, section 3.2.2",
     .summary = "every body with every other, handing on only volumes that overlap",
     .suits = "up to fifty or so bodies",
     .cost = "N^2",
     .quadratic = true,
     .parameters = {}},
    false,
    make_method<bounding_volume>,
    &model};

}  // namespace abut
