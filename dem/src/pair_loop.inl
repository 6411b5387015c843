// The loops over close pairs, once per set of vector instructions: see vector_sets.hpp.

#include "formulas.inl"
#include "four_pairs.inl"
// after what they use
#include "central_loop.inl"
#include "turning_loop.inl"

namespace abut::dem::ABUT_SET {

template <class Formula>
using pair_loop = std::conditional_t<(Formula::memory > 0), turning_loop<Formula>, central_loop<Formula>>;

}  // namespace abut::dem::ABUT_SET
