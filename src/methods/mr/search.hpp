#pragma once

#include "methods/mr/list.hpp"

namespace abut {

/// Finds the pairs of a task's bodies with those before them in the same list: by MR search or, if `binary`, by binary
/// search in the list's array.
template <shape S, int D, bool Keep>
void mr_find_within(const mr_lists<D, Keep>& l, bool binary, int list, std::size_t task, pair_batch& out);

/// Finds the pairs of a task's bodies with those of another list.
template <shape S, int D, bool Keep>
void mr_find_between(const mr_lists<D, Keep>& l, int list, std::size_t task, int other, pair_batch& out);

/// Finds the bodies of a list that overlap a region: goes through the lines of cells that it meets, and from stop to
/// stop if the next line is far.
template <shape S, int D, bool Keep>
void mr_find_in(const mr_lists<D, Keep>& l, int list, const query& q, row_batch& out);

}  // namespace abut
