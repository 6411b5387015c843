#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

/// abut for C and every language that can call C: finds every pair of touching bodies among millions.
///
///     abut_search* search = abut_create(NULL, NULL);
///     abut_bodies grains = {.size = sizeof grains, .count = n, .shape = ABUT_SPHERE, .dimension = 2};
///     grains.center[0] = (abut_column){x, sizeof *x, ABUT_DOUBLE};
///     grains.center[1] = (abut_column){y, sizeof *y, ABUT_DOUBLE};
///     grains.radius = (abut_column){r, sizeof *r, ABUT_DOUBLE};
///     const abut_pair* pairs;
///     size_t count;
///     if (abut_update(search, &grains) || abut_pairs(search, &pairs, &count)) puts(abut_last_error());
///     abut_destroy(search);
///
/// - Status: functions that return int return 0 on success and 1 on failure. After a failure, abut_last_error returns a
///   line that names the thing at fault and its value. If abut_update refuses the bodies, the search still answers for
///   the ones it had. No exception crosses into C, and nothing is printed.
/// - Units: all lengths share one unit, which you choose. A row is a body's place in your arrays, from 0.
/// - Memory: your arrays are read in place. They must exist, unchanged, until the next abut_update or abut_destroy.
///   The search owns what its functions return; each function says how long that is valid.
/// - Threads: use a search from one thread at a time. Different searches share nothing.
/// - Structs: set `size` to sizeof the struct, and fields that you do not need to 0, the default. The size tells the
///   library which version of this header you compiled with, so that later versions can add fields at the end.

// NOLINTBEGIN(modernize-*): this is C
#include <stddef.h>
#include <stdint.h>

#include <abut/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A planned method at work on a set of bodies.
typedef struct abut_search abut_search;

enum { ABUT_SPHERE = 1, ABUT_BOX = 2 };    ///< in 2D, a disc and a rectangle
enum { ABUT_DOUBLE = 1, ABUT_FLOAT = 2 };  ///< float is converted to double before it is used

/// One number per body, anywhere in memory: an array, or a member of your own structs.
typedef struct abut_column {
  const void* data;  ///< the number of row 0, at any alignment
  ptrdiff_t stride;  ///< bytes from one row's number to the next; 0 if every row has the number at `data`
  int type;          ///< ABUT_DOUBLE or ABUT_FLOAT
} abut_column;

/// A set of bodies, all spheres or all boxes. Columns that the shape and the dimension do not need are not read.
typedef struct abut_bodies {
  size_t size;             ///< sizeof(abut_bodies)
  size_t count;            ///< number of bodies, at most 2^30
  int shape;               ///< ABUT_SPHERE or ABUT_BOX
  int dimension;           ///< 2 or 3
  abut_column center[3];   ///< spheres: x, y and, in 3D, z
  abut_column radius;      ///< spheres: at least 0
  abut_column min[3];      ///< boxes: the lower corner
  abut_column max[3];      ///< boxes: the upper corner
  const uint8_t* fixed;    ///< NULL, or one byte per body: not 0 if it is fixed. Two fixed bodies never pair
  ptrdiff_t fixed_stride;  ///< bytes from one row's flag to the next: 1 for an array of bytes
} abut_bodies;

/// Options, fixed for the search's lifetime.
typedef struct abut_options {
  size_t size;             ///< sizeof(abut_options)
  double margin;           ///< a gap of at most this counts as overlap; at least 0
  int threads;             ///< at most 1024; 0 for all available threads. Results and their order do not depend on it
  int periodic[3];         ///< for x, y, z: not 0 if space repeats along that axis. Bodies may lie anywhere
  double periodic_min[3];  ///< start of each period
  double periodic_max[3];  ///< end of each period; abut_update requires twice the largest diameter or side plus margin
  double motion;           ///< largest displacement on an axis between updates; 0 if unknown. Only the planner uses it
} abut_options;

/// The rows of two bodies that overlap or touch, with i < j. From abut_pairs_between, i is a row of the search's bodies
/// and j a row of the other set; either can be the greater.
typedef struct abut_pair {
  uint32_t i;  ///< the smaller row
  uint32_t j;  ///< the greater row
} abut_pair;

/// Counts of the last call that looked for pairs since the last update, and the memory in use.
typedef struct abut_stats {
  size_t size;          ///< sizeof(abut_stats)
  uint64_t candidates;  ///< pairs that the method alone would report, before the test for overlap
  uint64_t tests;       ///< comparisons of two bodies, by the definition of overlap or by a faster filter
  uint64_t pairs;       ///< pairs found
  uint64_t bytes;       ///< memory that the search holds, your own arrays not included
} abut_stats;

/// The version of the library at run time, "major.minor.patch". Always valid.
ABUT_API const char* abut_version(void);

/// The message of the last failed call on this thread, at most 1023 characters; "" if none has failed. Valid until the
/// next failure on this thread.
ABUT_API const char* abut_last_error(void);

/// Creates a search; returns NULL on failure. `plan` is a line such as "neighboring-cell store=center", or NULL to let
/// abut choose. `options` may be NULL for all defaults. Both are read during the call only.
ABUT_API abut_search* abut_create(const char* plan, const abut_options* options);

/// Destroys a search and everything it returned. Does nothing if `search` is NULL.
ABUT_API void abut_destroy(abut_search* search);

/// Takes in the bodies' current state: any number of them, anywhere. The struct is read during the call only; the
/// arrays that it points to are read until the next update.
ABUT_API int abut_update(abut_search* search, const abut_bodies* bodies);

/// Finds all pairs, each once, sorted by i, then j. They are valid until the next abut_pairs, abut_pairs_between or
/// abut_destroy of this search. If there are none, *count is 0 and *pairs must not be dereferenced.
ABUT_API int abut_pairs(abut_search* search, const abut_pair** pairs, size_t* count);

/// Finds the pairs between the search's bodies and another set, such as walls, of either shape and the same dimension.
/// Order and lifetime are as for abut_pairs. `others` and its arrays are read during the call only.
ABUT_API int abut_pairs_between(abut_search* search, const abut_bodies* others, const abut_pair** pairs, size_t* count);

/// Receives a few hundred pairs at a time, valid during this call. It must not use the search that calls it.
typedef void (*abut_batch_function)(void* context, const abut_pair* pairs, size_t count);

/// Passes every pair to f, once, on the calling thread, without storing them all. The order depends on the bodies, the
/// plan and the updates so far, never on the number of threads.
ABUT_API int abut_for_each_pair(abut_search* search, abut_batch_function f, void* context);

/// The plan in use since the last update, with every parameter, as a line that abut_create accepts. Valid until the
/// next abut_planned or abut_destroy of this search.
ABUT_API int abut_planned(abut_search* search, const char** plan);

/// Fills in *stats. Set its `size` first.
ABUT_API int abut_stats_of(const abut_search* search, abut_stats* stats);

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-*)

#endif
