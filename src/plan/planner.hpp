#pragma once

#include <string>
#include <vector>

#include <abut/planner.hpp>

#include "plan/calibration.hpp"
#include "steps/features.hpp"

namespace abut {

/// A plan that takes at most this many times as long as the best counts as equally good.
constexpr double as_good_as = 1.1;

/// The plans that the models know for such bodies: first the one that was learned, if any, then by predicted time. The
/// first plan has the reason for the choice.
[[nodiscard]] std::vector<candidate> estimate(const features& f, const calibration& c);

/// The predicted time of a plan that `estimate` returned, in ns per body; infinity if it has no model.
[[nodiscard]] double predicted(const plan& p, const features& f, const cost_constants& c);

/// The features as text, rounded to powers of two: what is learned about some bodies applies to all with the same text.
[[nodiscard]] std::string rounded(const features& f);

/// The plan with its distance converted from a length to mean widths of a body, and back.
[[nodiscard]] plan in_widths(const plan& p, const features& f);
[[nodiscard]] plan in_lengths(const plan& p, const features& f);

/// Runs the plans on the bodies in turns and sets their measured times. Without a motion in the options, each run is a
/// new search; with one, each plan's search is updated for some steps of bodies that move that much.
void try_out(std::vector<candidate>& plans, const bodies& b, const options& o);

}  // namespace abut
