// The C interface: what the method keeps, as shapes.

#include <abut/abut.h>

#include <algorithm>
#include <variant>
#include <vector>

#include "c/inside.hpp"

namespace {

using abut::sketch;

void copy(const sketch::place& from, double (&to)[3]) { std::copy(from.begin(), from.end(), to); }

// Hands the shapes of a sketch to a C function, one by one.
class shown_shapes {
 public:
  shown_shapes(const sketch& of, abut::c_call<abut_shown_function> to) : of_(of), to_(to) {}

  void all() {
    for (const sketch::body& b : of_.bodies) body(b);
    for (const sketch::box& b : of_.boxes) {
      abut_shown shape = marked(b, ABUT_SHOWN_BOX);
      copy(b.min, shape.from);
      copy(b.max, shape.to);
      for (std::uint32_t m = b.first; m < b.first + b.count; ++m) rows_.push_back(of_.bodies[of_.members[m]].owner);
      hand_on(shape);
    }
    for (const sketch::segment& s : of_.segments) {
      abut_shown shape = marked(s, ABUT_SHOWN_SEGMENT);
      copy(s.from, shape.from);
      copy(s.to, shape.to);
      hand_on(shape);
    }
    for (const sketch::point& p : of_.points) {
      abut_shown shape = marked(p, ABUT_SHOWN_POINT);
      copy(p.at, shape.from);
      shape.radius = p.radius;
      if (p.body != sketch::none) rows_.push_back(of_.bodies[p.body].owner);
      hand_on(shape);
    }
    for (const sketch::label& l : of_.labels) {
      abut_shown shape = marked(l, ABUT_SHOWN_LABEL);
      copy(l.at, shape.from);
      shape.text = l.text.c_str();
      hand_on(shape);
    }
  }

 private:
  [[nodiscard]] abut_shown marked(const sketch::mark& m, int what) const {
    abut_shown shape{};
    shape.shape = what;
    shape.kind = of_.kinds[m.kind].name.c_str();
    shape.meaning = of_.kinds[m.kind].meaning.c_str();
    shape.level = m.level;
    shape.searched = m.searched ? 1 : 0;
    return shape;
  }

  void body(const sketch::body& b) {
    abut_shown shape{};
    shape.kind = b.ghost ? "ghost" : "body";
    shape.meaning = b.ghost ? "the image of a body beyond a periodic border" : "a body, wrapped into the period";
    shape.searched = b.compared ? 1 : 0;
    if (const auto* s = std::get_if<abut::sphere>(&b.volume)) {
      shape.shape = ABUT_SHOWN_POINT;
      copy(s->center, shape.from);
      shape.radius = s->radius;
    } else {
      shape.shape = ABUT_SHOWN_BOX;
      copy(std::get<abut::box>(b.volume).min, shape.from);
      copy(std::get<abut::box>(b.volume).max, shape.to);
    }
    rows_.push_back(b.owner);
    hand_on(shape);
  }

  void hand_on(abut_shown& shape) {
    shape.rows = rows_.data();
    shape.row_count = rows_.size();
    to_.f(to_.context, &shape);
    rows_.clear();
  }

  const sketch& of_;
  abut::c_call<abut_shown_function> to_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace

int abut_show(const abut_search* search, std::uint32_t body, abut_shown_function f, void* context) {
  return abut::guarded([&] {
    const abut_search& from = abut::given(search, "search");
    if (f == nullptr) throw abut::error("f is NULL");
    const std::optional<abut::row> chosen = body == ABUT_NO_ROW ? std::nullopt : std::optional<abut::row>(body);
    const sketch all = from.search.show(chosen);
    shown_shapes(all, {f, context}).all();
  });
}
