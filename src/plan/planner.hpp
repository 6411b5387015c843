#pragma once

#include <string>
#include <vector>

#include <abut/planner.hpp>

#include "plan/calibration.hpp"
#include "steps/features.hpp"

namespace abut {

/// Another plan that costs at most this much more is as good.
constexpr double as_good_as = 1.1;

/// All that the models know for such bodies, the best first, by what was learned or predicted; the first has the
/// reason.
[[nodiscard]] std::vector<candidate> estimate(const features& f, const calibration& c);

/// What the model predicts for a plan of `estimate`, in ns a body; infinity where there is no model.
[[nodiscard]] double predicted(const plan& p, const features& f, const cost_constants& c);

/// The features, rounded to powers of two: what is learned about some bodies holds for all that are so much alike.
[[nodiscard]] std::string rounded(const features& f);

/// The distances of a plan, from lengths to mean widths of a body and back.
[[nodiscard]] plan in_widths(const plan& p, const features& f);
[[nodiscard]] plan in_lengths(const plan& p, const features& f);

/// Runs the plans on the bodies in turns, and sets what was measured: by new searches, or, where a motion is given, by
/// searches that see them move so for some steps.
void try_out(std::vector<candidate>& plans, const bodies& b, const options& o);

}  // namespace abut
