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
/// - Threads: use a search from one thread at a time. Different searches share nothing. Functions that take a const
///   handle may be called from several threads at once.
/// - Structs: set `size` to sizeof the struct, and fields that you do not need to 0, the default. The size tells the
///   library which version of this header you compiled with, so that later versions can add fields at the end.
///
/// What a thing means and costs is said at length in the C++ headers of the same names: search.hpp, contacts.hpp,
/// other_set.hpp, planner.hpp, geometry.hpp.

// NOLINTBEGIN(modernize-*): this is C
#include <stddef.h>
#include <stdint.h>

#include <abut/api.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- bodies

enum { ABUT_SPHERE = 1, ABUT_BOX = 2 };                    ///< in 2D, a disc and a rectangle
enum { ABUT_DOUBLE = 1, ABUT_FLOAT = 2 };                  ///< float is converted to double before it is used
enum { ABUT_INT32 = 3, ABUT_INT64 = 4, ABUT_UINT32 = 5 };  ///< the types of labels
#define ABUT_NO_ROW UINT32_MAX                             ///< in a map of rows: the body is gone

/// One number per body, anywhere in memory: an array, or a member of your own structs.
typedef struct abut_column {
  const void* data;  ///< the number of row 0, at any alignment
  ptrdiff_t stride;  ///< bytes from one row's number to the next; 0 if every row has the number at `data`
  int type;          ///< ABUT_DOUBLE or ABUT_FLOAT
} abut_column;

/// One integer per body, anywhere in memory: ids, or masks of bits.
typedef struct abut_labels {
  const void* data;  ///< the integer of row 0, at any alignment; NULL for no labels
  ptrdiff_t
      stride;  ///< bytes from one row's integer to the next; 0, for masks only, if every row has the one at `data`
  int type;    ///< ABUT_INT32, ABUT_UINT32 or, for signed and unsigned ones, ABUT_INT64
} abut_labels;

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
  abut_labels group;       ///< two bodies of equal group never pair, such as the spheres of a clump
  abut_labels category;    ///< bits: what a body is. Give both masks or none
  abut_labels collides;    ///< bits: what it collides with. i and j pair only if (category[i] & collides[j]) and
                           ///< (category[j] & collides[i]) are not 0. Signed masks of 32 bits are sign-extended
} abut_bodies;

// ---- the search

/// A planned method at work on a set of bodies.
typedef struct abut_search abut_search;

/// Options. Margin and periods can change with abut_update_with; the others are fixed for the search's lifetime.
typedef struct abut_options {
  size_t size;             ///< sizeof(abut_options)
  double margin;           ///< a gap of at most this counts as overlap; at least 0
  int threads;             ///< at most 1024; 0 for all available threads. Results and their order do not depend on it
  int periodic[3];         ///< for x, y, z: not 0 if space repeats along that axis. Bodies may lie anywhere
  double periodic_min[3];  ///< start of each period
  double periodic_max[3];  ///< end of each period; abut_update requires twice the largest diameter or side plus margin
  double motion;           ///< largest displacement on an axis between updates; 0 if unknown. Only the planner uses it
  const char* constants;   ///< NULL for this machine's constants of the planner; "built-in", "avx2" and so on for the
                           ///< same plans on every machine, without files and clocks (options::constants in search.hpp)
} abut_options;

/// What has changed since the last update, besides the bodies' own numbers. What is not given stays as it is.
typedef struct abut_changes {
  size_t size;               ///< sizeof(abut_changes)
  int has_margin;            ///< not 0 if `margin` is given
  int has_periodic;          ///< not 0 if the next three are given: all periodic axes, as in abut_options
  double margin;             ///< the margin from this update on
  int periodic[3];           ///< from this update on; an axis with 0 no longer repeats
  double periodic_min[3];    ///< start of each period
  double periodic_max[3];    ///< end of each period
  const uint32_t* new_rows;  ///< NULL if every row keeps its body; else the current row of the body that was row k at
                             ///< the last update, or ABUT_NO_ROW. Read during the call only
  size_t new_row_count;      ///< number of bodies at the last update
} abut_changes;

/// The rows of two bodies that overlap or touch, with i < j. Between two sets, i is a row of the search's bodies and j
/// a row of the other set; either can be the greater.
typedef struct abut_pair {
  uint32_t i;  ///< the smaller row
  uint32_t j;  ///< the greater row
} abut_pair;

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

/// The same with another margin, other periods or a map of rows. `changes` may be NULL.
ABUT_API int abut_update_with(abut_search* search, const abut_bodies* bodies, const abut_changes* changes);

// ---- pairs

/// Finds all pairs, each once, sorted by i, then j. They are valid until the next abut_pairs, abut_pairs_between,
/// abut_pairs_between_set or abut_destroy of this search. If there are none, *count is 0 and *pairs must not be
/// dereferenced.
ABUT_API int abut_pairs(abut_search* search, const abut_pair** pairs, size_t* count);

/// Receives some pairs, at least one and at most a few hundred, valid during this call. It must not use the search that
/// calls it.
typedef void (*abut_batch_function)(void* context, const abut_pair* pairs, size_t count);

/// Passes every pair to f, once, on the calling thread, without storing them all. The order depends on the bodies, the
/// plan and the updates so far, never on the number of threads.
ABUT_API int abut_for_each_pair(abut_search* search, abut_batch_function f, void* context);

/// Receives some pairs of a task, on any thread.
typedef void (*abut_task_function)(void* context, size_t task, const abut_pair* pairs, size_t count);

/// Passes every pair to f, once, from all threads at once. The batches of one task come in order, on one thread; which
/// pairs a task has does not depend on the number of threads. So what f adds up per task needs no lock.
ABUT_API int abut_for_each_batch(abut_search* search, abut_task_function f, void* context);

/// The number of tasks of abut_for_each_batch: `task` is less. It does not depend on the number of threads.
ABUT_API int abut_tasks(const abut_search* search, size_t* tasks);

// ---- another set, such as walls

/// Another set of bodies, checked once for many searches.
typedef struct abut_other_set abut_other_set;

/// Makes a set; returns NULL on failure. The arrays are read at each search for pairs: they must exist, unchanged,
/// until the set's next update or its end.
ABUT_API abut_other_set* abut_other_set_create(const abut_bodies* bodies);
/// Takes in the bodies' current state. If they are refused, the set keeps those that it had.
ABUT_API int abut_other_set_update(abut_other_set* others, const abut_bodies* bodies);
/// Destroys a set. Does nothing if `others` is NULL.
ABUT_API void abut_other_set_destroy(abut_other_set* others);

/// Finds the pairs between the search's bodies and another set, of either shape and the same dimension, sorted by i,
/// then j. Lifetime as for abut_pairs. `others` and its arrays are read during the call only.
ABUT_API int abut_pairs_between(abut_search* search, const abut_bodies* others, const abut_pair** pairs, size_t* count);
/// The same with a set that was checked before.
ABUT_API int abut_pairs_between_set(abut_search* search, const abut_other_set* others, const abut_pair** pairs,
                                    size_t* count);

/// As abut_for_each_pair, ordered by j.
ABUT_API int abut_for_each_pair_between(abut_search* search, const abut_other_set* others, abut_batch_function f,
                                        void* context);
/// As abut_for_each_batch. Each j belongs to one task, in which pairs are ordered by j.
ABUT_API int abut_for_each_batch_between(abut_search* search, const abut_other_set* others, abut_task_function f,
                                         void* context);
/// The number of tasks of abut_for_each_batch_between.
ABUT_API int abut_tasks_between(const abut_search* search, const abut_other_set* others, size_t* tasks);

// ---- regions

/// A part of space. In 2D, z is ignored.
typedef struct abut_region {
  size_t size;       ///< sizeof(abut_region)
  int shape;         ///< ABUT_SPHERE or ABUT_BOX
  double center[3];  ///< of a sphere
  double radius;     ///< of a sphere
  double min[3];     ///< the lower corner of a box
  double max[3];     ///< the upper corner of a box
} abut_region;

/// Receives some rows, at least one, valid during this call.
typedef void (*abut_rows_function)(void* context, const uint32_t* rows, size_t count);

/// Passes the row of every body that overlaps the region or is at most the margin away to f, once, on the calling
/// thread.
ABUT_API int abut_for_each_in(const abut_search* search, const abut_region* region, abut_rows_function f,
                              void* context);

// ---- how two bodies touch

/// How bodies i and j touch (geometry.hpp): in 2D, all z are 0.
typedef struct abut_touch {
  double overlap;    ///< how deep they overlap along the normal; negative if there is a gap
  double normal[3];  ///< from i to j, of length 1
  double point[3];   ///< the middle of the overlap or of the gap, near body i
} abut_touch;

/// Fills in touches[k] for pairs[k] of the search's bodies, for all `count` of them, through periodic borders.
ABUT_API int abut_touches(const abut_search* search, const abut_pair* pairs, size_t count, abut_touch* touches);

// ---- plans and counts

/// Counts of the last call that looked for pairs since the last update, and the memory in use.
typedef struct abut_stats {
  size_t size;          ///< sizeof(abut_stats)
  uint64_t candidates;  ///< pairs that the method alone would report, before the test for overlap
  uint64_t tests;       ///< comparisons of two bodies, by the definition of overlap or by a faster filter
  uint64_t pairs;       ///< pairs found
  uint64_t bytes;       ///< memory that the search holds, your own arrays not included
  double predicted;     ///< what the planner predicts: ns per body for an update and all pairs on one thread; 0 if the
                        ///< plan is not its own
} abut_stats;

/// The plan in use since the last update, with every parameter, as a line that abut_create accepts. Valid until the
/// next abut_planned or abut_destroy of this search.
ABUT_API int abut_planned(abut_search* search, const char** plan);

/// Fills in *stats. Set its `size` first.
ABUT_API int abut_stats_of(const abut_search* search, abut_stats* stats);

/// Something that the method did and that explains its speed, such as "rebuilds" of a list.
typedef struct abut_event {
  const char* name;  ///< what it did
  uint64_t count;    ///< how often: for abut_events, since the search was made
} abut_event;

/// The events so far. Valid until the next abut_events or abut_destroy of this search.
ABUT_API int abut_events(abut_search* search, const abut_event** events, size_t* count);

/// What the method's document counts, such as "rank comparisons": of the last update, then of the last search for
/// pairs since then. Valid until the next abut_counts or abut_destroy of this search.
ABUT_API int abut_counts(abut_search* search, const abut_event** counts, size_t* count);

/// A plan that the planner considered.
typedef struct abut_candidate {
  const char* plan;  ///< a line that abut_create accepts
  double predicted;  ///< ns per body for an update and all pairs on one thread
  double measured;   ///< ns per body, if it was tried; else 0
  int as_good;       ///< not 0 if its cost is within a tenth of the first one's
} abut_candidate;

/// The plans that the planner considers for the bodies of the last update and the search's options, the best first. If
/// `measure` is not 0, tries the promising ones for about a second and keeps the result in the cache file
/// (measured_candidates in planner.hpp). Valid until the next abut_candidates or abut_destroy of this search.
ABUT_API int abut_candidates(abut_search* search, int measure, const abut_candidate** candidates, size_t* count);

// ---- what the method keeps, as shapes (sketch.hpp)

enum { ABUT_SHOWN_BOX = 1, ABUT_SHOWN_SEGMENT = 2, ABUT_SHOWN_POINT = 3, ABUT_SHOWN_LABEL = 4 };

/// A shape of a sketch. Pointers are valid during the call only.
typedef struct abut_shown {
  int shape;             ///< ABUT_SHOWN_BOX, ...
  const char* kind;      ///< such as "cell"; bodies come first, as points or boxes of kind "body" or "ghost"
  const char* meaning;   ///< what the kind is, for a legend
  uint32_t level;        ///< of a grid or a tree; of sorted ends, the axis
  int searched;          ///< not 0 if partners of the chosen body are looked for here; of a body, if they are compared
  double from[3];        ///< the lower corner, the start, or the place
  double to[3];          ///< of a box or a segment: the upper corner or the end
  double radius;         ///< of a point; 0 if it is not a ball
  const char* text;      ///< of a label; otherwise NULL
  const uint32_t* rows;  ///< the rows of the bodies that it holds or belongs to
  size_t row_count;      ///< how many
} abut_shown;

/// Called with each shape.
typedef void (*abut_shown_function)(void* context, const abut_shown* shape);

/// Shows what the method keeps since the last update and, unless `body` is ABUT_NO_ROW, where the partners of that body
/// are looked for. Changes nothing.
ABUT_API int abut_show(const abut_search* search, uint32_t body, abut_shown_function f, void* context);

// ---- contacts: pairs with memory, kept from step to step (contacts.hpp)

/// The pairs of a search with some bytes of memory for each, which stays with a contact as long as it lasts. Where a
/// function takes `others`, give NULL for a list of the pairs of one set, or the other set for a list between two sets.
///
///     abut_contact_options options = {.size = sizeof options, .bytes = sizeof(struct spring)};
///     abut_contacts* contacts = abut_contacts_create(&options);
///     abut_contact_arrays all = {.size = sizeof all};
///     for (each step) {
///       if (abut_contacts_follow(contacts, search, &grains, NULL, NULL, NULL)) puts(abut_last_error());
///       if (abut_contacts_arrays(contacts, &all)) puts(abut_last_error());
///       struct spring* springs = all.memory;
///       for (size_t k = 0; k < all.count; ++k) push(all.firsts[k], all.seconds[k], &springs[k]);
///     }
typedef struct abut_contacts abut_contacts;

/// Whether to list the pair of these rows: 0 leaves it out. Called during an update, from several threads at once.
typedef int (*abut_keep_function)(void* context, uint32_t first, uint32_t second);

/// Options of a list of contacts, fixed for its lifetime.
typedef struct abut_contact_options {
  size_t size;              ///< sizeof(abut_contact_options)
  double margin;            ///< the gap up to which two bodies matter to you
  int has_skin;             ///< 0 to have the skin tuned; not 0 if it is given
  double skin;              ///< a further gap up to which pairs are listed, so that the list lasts for several steps
  size_t bytes;             ///< memory per contact
  const void* fresh;        ///< the memory of a new contact, read during the call only; NULL for zeros
  abut_keep_function keep;  ///< NULL to list all pairs
  void* keep_context;       ///< for `keep`
} abut_contact_options;

/// Tells an update of a list which body is which. All of it is read during the call only.
typedef struct abut_identities {
  size_t size;                     ///< sizeof(abut_identities)
  abut_labels ids;                 ///< one per body, unique; the body with the lower id is the first of a pair. Without
                                   ///< any, bodies are numbered by the rows in which they first appeared
  const uint32_t* new_rows;        ///< NULL, or as in abut_changes, since the list's last update
  size_t new_row_count;            ///< number of bodies at the list's last update
  abut_labels other_ids;           ///< the same for the other set
  const uint32_t* new_other_rows;  ///< the same for the other set
  size_t new_other_row_count;      ///< the same for the other set
} abut_identities;

/// Makes an empty list; returns NULL on failure. `options` may be NULL for all defaults: no memory, a tuned skin.
ABUT_API abut_contacts* abut_contacts_create(const abut_contact_options* options);
/// Destroys a list and everything it returned. Does nothing if `contacts` is NULL.
ABUT_API void abut_contacts_destroy(abut_contacts* contacts);

/// All of a step in one call: does nothing if the list holds and no rows have moved; otherwise updates the search with
/// these bodies, the margin that the list needs and the map of rows, and then the list. `who` and `updated` may be
/// NULL; else *updated is 1 if it did, 0 if not. The arrays of `bodies` must exist as for abut_update.
ABUT_API int abut_contacts_follow(abut_contacts* contacts, abut_search* search, const abut_bodies* bodies,
                                  const abut_bodies* others, const abut_identities* who, int* updated);

/// The same in steps of your own. *holds is 1 if the list still has every pair with a gap of at most its margin, else
/// 0.
ABUT_API int abut_contacts_hold(abut_contacts* contacts, const abut_bodies* bodies, const abut_bodies* others,
                                int* holds);
/// The same without a look at the bodies: `displacement` is the most that a point of any body's surface has moved since
/// the last update or call of this function.
ABUT_API int abut_contacts_hold_displacement(abut_contacts* contacts, double displacement, int* holds);
/// Makes the list not hold: for new flags, groups or masks.
ABUT_API int abut_contacts_expire(abut_contacts* contacts);
/// The margin with which to update the search, for these bodies, before the next abut_contacts_update.
ABUT_API int abut_contacts_reach(const abut_contacts* contacts, const abut_search* search, const abut_bodies* bodies,
                                 double* margin);
/// Takes the pairs of the search, which must just have been updated with that margin. `who` may be NULL.
ABUT_API int abut_contacts_update(abut_contacts* contacts, abut_search* search, const abut_bodies* others,
                                  const abut_identities* who);

/// The contacts, by slot. A slot is the number of a contact, from 0, by the row of the first body, then by the id of
/// the second. All arrays are valid until the list's next update or its end; `memory` is yours to change.
typedef struct abut_contact_arrays {
  size_t size;                   ///< sizeof(abut_contact_arrays)
  size_t count;                  ///< number of contacts
  size_t rows;                   ///< number of bodies; between two sets, of the first set
  size_t other_rows;             ///< number of bodies of the other set; for one set, `rows`
  size_t bytes;                  ///< memory per contact
  int between;                   ///< 1 if the list is between two sets, else 0
  const uint32_t* firsts;        ///< the row of each first body
  const uint32_t* seconds;       ///< the row of each second body
  void* memory;                  ///< `bytes` per contact, aligned to 64 bytes at the first
  const uint32_t* offsets;       ///< the slots in which row i is first: offsets[i] to offsets[i + 1] - 1
  const uint32_t* back_offsets;  ///< those in which row j is second: back[back_offsets[j]] to
                                 ///< back[back_offsets[j + 1] - 1]
  const uint32_t* back;          ///< slots
  const int32_t* images;         ///< three per contact: by how many periods the second body is shifted to be nearest to
                                 ///< the first; NULL if no axis is periodic
  const uint64_t* begun;         ///< bits: begun[slot / 64] >> slot % 64 & 1 if the last update has added the contact
  const int64_t* ids;            ///< the list's own numbers of bodies, by row, by which slots are ordered; NULL if you
                                 ///< gave ids, or if bodies have never changed rows
  const int64_t* other_ids;      ///< the same of the other set
} abut_contact_arrays;

/// Fills in *arrays. Set its `size` first.
ABUT_API int abut_contacts_arrays(abut_contacts* contacts, abut_contact_arrays* arrays);

/// A contact that the last update has ended.
typedef struct abut_ended_contact {
  uint32_t first;       ///< its row at the last update but one
  uint32_t second;      ///< the same
  uint32_t first_now;   ///< its row now, or ABUT_NO_ROW if it is gone
  uint32_t second_now;  ///< the same
  void* memory;         ///< what the contact remembered
} abut_ended_contact;

/// The contacts that the last update has ended, in the order of their former slots. Valid until the next update.
ABUT_API int abut_contacts_ended(const abut_contacts* contacts, const abut_ended_contact** ended, size_t* count);

/// Receives a block of rows, [from, to).
typedef void (*abut_block_function)(void* context, size_t from, size_t to);

/// Calls f for blocks of rows that make up all rows, on all threads of the search. The blocks do not depend on the
/// number of threads. A block has the slots [offsets[from], offsets[to]).
ABUT_API int abut_contacts_for_each_block(const abut_contacts* contacts, abut_block_function f, void* context);

/// Takes contacts that were saved, instead of those the list has. To save, write count, rows, other_rows, between,
/// firsts, seconds, memory and, where they are not NULL, ids and other_ids; these and `bytes` are what is read here,
/// the rest of *saved is not. `who` (may be NULL) has the ids of that time, if there were any. The next update keeps
/// the memory of contacts that persist.
ABUT_API int abut_contacts_load(abut_contacts* contacts, const abut_contact_arrays* saved, const abut_identities* who);

/// What the list has done since it was made, and holds.
typedef struct abut_contact_stats {
  size_t size;       ///< sizeof(abut_contact_stats)
  uint64_t updates;  ///< how often it was rebuilt
  uint64_t holds;    ///< how often it still held
  uint64_t bytes;    ///< memory in use, that of contacts and of the last list of neighbors included
} abut_contact_stats;

/// Fills in *stats. Set its `size` first.
ABUT_API int abut_contacts_stats_of(const abut_contacts* contacts, abut_contact_stats* stats);

// ---- lists of neighbors

/// What abut_contacts_neighbors returns in addition to the neighbors.
typedef struct abut_neighbor_options {
  size_t size;    ///< sizeof(abut_neighbor_options)
  int half;       ///< not 0 for each pair once, with its first body; else twice, with both
  int distances;  ///< not 0 for the distances of the centers
  int vectors;    ///< not 0 for the vectors from the body's center to the neighbor's
  int images;     ///< not 0 for the periods by which the neighbor is shifted
} abut_neighbor_options;

/// The neighbors of each body in compressed form, as NumPy and SciPy take it: those of row i are entries offsets[i] to
/// offsets[i + 1] - 1, by ascending id. What was not asked for is NULL.
typedef struct abut_neighbors {
  size_t size;                ///< sizeof(abut_neighbors)
  size_t rows;                ///< number of bodies
  size_t count;               ///< number of entries
  const uint32_t* offsets;    ///< rows + 1 of them
  const uint32_t* neighbors;  ///< rows
  const double* distances;    ///< one per entry
  const double* vectors;      ///< three per entry; z is 0 in 2D
  const int32_t* images;      ///< three per entry
} abut_neighbors;

/// The bodies with a gap of at most the list's margin now, as long as the list holds. `options` may be NULL. Set the
/// size of *neighbors first. Valid until the next abut_contacts_neighbors or abut_contacts_destroy of this list.
ABUT_API int abut_contacts_neighbors(abut_contacts* contacts, const abut_bodies* bodies, const abut_bodies* others,
                                     const abut_neighbor_options* options, abut_neighbors* neighbors);

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-*)

#endif
