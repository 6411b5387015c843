#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

/// abut for C, and for every language that can call C: finds every pair of touching bodies among millions.
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
/// - Status: functions that return int return 0 if all went well and 1 if not; abut_last_error then has one line that
///   names the thing and its value. A refused update has changed nothing. No exception leaves; nothing is printed.
/// - Units: lengths are in one unit of your own. Rows count from 0, in the order of your arrays.
/// - Memory: your arrays are read in place, and must live and stay as they are until the next abut_update or
///   abut_destroy. What a search hands out is its own; each function says how long it lasts.
/// - Threads: a search is for one thread at a time; different searches know nothing of each other.
/// - Structs: set `size` to sizeof the struct, and what you do not need to 0, the default. The size tells the library
///   which header you were compiled with, so that fields can be added at the end without breaking you.

// NOLINTBEGIN(modernize-*): this is C
#include <stddef.h>
#include <stdint.h>

#include <abut/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A planned method at work on a set of bodies.
typedef struct abut_search abut_search;

enum { ABUT_SPHERE = 1, ABUT_BOX = 2 };    ///< in 2D a disc and a rectangle
enum { ABUT_DOUBLE = 1, ABUT_FLOAT = 2 };  ///< float is widened to double before anything else

/// One number per body, anywhere in memory: an array, or a member of your own structs.
typedef struct abut_column {
  const void* data;  ///< the number of row 0, at any alignment
  ptrdiff_t stride;  ///< bytes from one row's number to the next; 0: the number at `data` is that of every row
  int type;          ///< ABUT_DOUBLE or ABUT_FLOAT
} abut_column;

/// A set of bodies, all spheres or all boxes. Columns that the shape and the dimension do not ask for are not read.
typedef struct abut_bodies {
  size_t size;             ///< sizeof(abut_bodies)
  size_t count;            ///< the number of bodies, at most 2^30
  int shape;               ///< ABUT_SPHERE or ABUT_BOX
  int dimension;           ///< 2 or 3
  abut_column center[3];   ///< of spheres: x, y and, in 3D, z
  abut_column radius;      ///< of spheres: at least 0
  abut_column min[3];      ///< of boxes: the lower corner
  abut_column max[3];      ///< of boxes: the upper corner
  const uint8_t* fixed;    ///< NULL, or a byte per body: no pair of two that are not 0 here is reported
  ptrdiff_t fixed_stride;  ///< bytes from one row's flag to the next: 1 for an array of bytes
} abut_bodies;

/// What a search keeps to for its whole life.
typedef struct abut_options {
  size_t size;             ///< sizeof(abut_options)
  double margin;           ///< a gap of at most this counts as overlap; at least 0
  int threads;             ///< 0: as many as there are; at most 1024. No result and no order depends on it
  int periodic[3];         ///< for x, y, z: not 0 where space repeats without end. Bodies may lie anywhere all the same
  double periodic_min[3];  ///< from here ...
  double periodic_max[3];  ///< ... to here; refused by abut_update if shorter than twice the largest width with margin
  double motion;           ///< the most that bodies move between updates, on an axis; 0: not known. For planning alone
} abut_options;

/// Two bodies that overlap, touching included: rows, i < j. (From abut_pairs_between: i is the row in the search's own
/// set, j the row in the other, in any order.)
typedef struct abut_pair {
  uint32_t i;  ///< the lesser row
  uint32_t j;  ///< the greater row
} abut_pair;

/// What the last call that looked for pairs did.
typedef struct abut_stats {
  size_t size;          ///< sizeof(abut_stats)
  uint64_t candidates;  ///< pairs that the method by itself would hand on
  uint64_t tests;       ///< comparisons of two bodies
  uint64_t pairs;       ///< pairs found
  uint64_t bytes;       ///< memory that the search holds now, beside your own arrays
} abut_stats;

/// The version of the library in use, "major.minor.patch". Lasts forever.
ABUT_API const char* abut_version(void);

/// Why the last call that failed on this thread did so; "" where none has. Lasts until the next failure on this thread.
ABUT_API const char* abut_last_error(void);

/// A new search, or NULL where that failed. `plan` is a line such as "neighboring-cell store=center", or NULL to leave
/// the choice to abut. `options` may be NULL: all defaults. Neither is kept.
ABUT_API abut_search* abut_create(const char* plan, const abut_options* options);

/// Ends a search and all that it handed out. NULL is no error.
ABUT_API void abut_destroy(abut_search* search);

/// Takes in the present state of the bodies: any number of them, anywhere. The struct is not kept; the arrays that it
/// names are.
ABUT_API int abut_update(abut_search* search, const abut_bodies* bodies);

/// All pairs, each once, sorted by i, then j. They last until the next abut_pairs, abut_pairs_between or abut_destroy
/// of this search. Where there are none, *count is 0 and *pairs is not to be read.
ABUT_API int abut_pairs(abut_search* search, const abut_pair** pairs, size_t* count);

/// The pairs between the search's bodies and another set, of either shape and the same dimension: walls, a region of
/// interest. As abut_pairs otherwise. `others` and its arrays are read during the call only.
ABUT_API int abut_pairs_between(abut_search* search, const abut_bodies* others, const abut_pair** pairs, size_t* count);

/// Receives some hundred pairs at a time. They last for this call. Must not call anything with the same search.
typedef void (*abut_batch_function)(void* context, const abut_pair* pairs, size_t count);

/// Hands every pair to f, once, on the calling thread, without holding them all. The order depends on the bodies, the
/// plan and the updates so far, never on the number of threads.
ABUT_API int abut_for_each_pair(abut_search* search, abut_batch_function f, void* context);

/// The plan in force since the last update, with every parameter: save it, show it, give it back to abut_create. Lasts
/// until the next abut_planned or abut_destroy of this search.
ABUT_API int abut_planned(abut_search* search, const char** plan);

/// Fills in *stats, whose `size` is to be set before.
ABUT_API int abut_stats_of(const abut_search* search, abut_stats* stats);

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-*)

#endif
