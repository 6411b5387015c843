#include "steps/show_ends.hpp"

#include <string>

#include "steps/taken.hpp"

namespace abut {

shown_ends::shown_ends(sketcher& out, bool both) : out_(out) {
  using holding = sketch::holding;
  axis_ = out.kind("axis", "the bodies' ends on an axis in order, with their ranks", holding::nothing, true);
  lower_ = out.kind("lower end", "here a body begins", holding::nothing, true);
  if (both) upper_ = out.kind("upper end", "here a body ends", holding::nothing, true);
}

void shown_ends::show(int k, const end_list& list, const std::function<row(row)>& row_of, std::size_t from,
                      std::size_t to) const {
  if (list.size() == 0) return;
  const auto level = static_cast<std::uint32_t>(k);
  const interval& whole = out_.bounds()[level];
  out_.segment(axis_, level, on_axis(k, whole.min), on_axis(k, whole.max));
  for (std::size_t rank = 0; rank < list.size(); ++rank) {
    const row i = row_of(end_point::row_of(list[rank]));
    const sketch::place here = on_axis(k, at(k, list[rank], i));
    out_.point(end_point::is_upper(list[rank]) ? upper_ : lower_, level, here, i, 0, from <= rank && rank < to);
    out_.label(axis_, level, here, std::to_string(rank));
  }
}

void shown_ends::show(int k, const end_list& list, std::size_t from, std::size_t to) const {
  show(
      k, list, [](row i) { return i; }, from, to);
}

double shown_ends::at(int k, const end_list& list, std::size_t rank) const {
  return at(k, list[rank], end_point::row_of(list[rank]));
}

double shown_ends::at(int k, std::uint32_t what, row of) const {
  const interval t = taken(out_.of(), of, k);
  return end_point::is_upper(what) ? t.max : t.min;
}

// The axes lie a little outside the bodies, where these are lowest.
sketch::place shown_ends::on_axis(int k, double x) const {
  constexpr double beside = 0.05;
  sketch::place p{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(out_.dimension()); ++a) {
    p[a] = out_.bounds()[a].min - beside * out_.extent();
  }
  p[static_cast<std::size_t>(k)] = x;
  return p;
}

}  // namespace abut
