/* The C interface from beginning to end: your own structs, pairs as an array and in batches, and errors. */

#include <abut/abut.h>

#include <stdio.h>
#include <stdlib.h>

struct grain {
  double position[3];
  float radius;
};

enum { grains_per_side = 12 };
static struct grain grains[grains_per_side * grains_per_side * grains_per_side];
static const size_t grain_count = sizeof grains / sizeof *grains;

static void fail(const char* what) {
  fprintf(stderr, "error: %s: %s\n", what, abut_last_error());
  exit(EXIT_FAILURE);
}

/* Grains on a lattice, just touching their neighbors. */
static void place_grains(void) {
  for (size_t k = 0; k < grain_count; ++k) {
    grains[k].position[0] = (double)(k % grains_per_side);
    grains[k].position[1] = (double)(k / grains_per_side % grains_per_side);
    grains[k].position[2] = (double)(k / grains_per_side / grains_per_side);
    grains[k].radius = 0.5F;
  }
}

/* Called with a few hundred pairs at a time. */
static void sum_gaps(void* context, const abut_pair* pairs, size_t count) {
  double* sum = context;
  for (size_t k = 0; k < count; ++k) {
    const struct grain* a = &grains[pairs[k].i];
    const struct grain* b = &grains[pairs[k].j];
    double distance = 0; /* along the lattice's axes */
    for (int axis = 0; axis < 3; ++axis) distance += b->position[axis] - a->position[axis];
    *sum += distance - a->radius - b->radius;
  }
}

int main(void) {
  place_grains();

  /* Set `size`; fields that are left out are 0, the default. */
  abut_options options = {.size = sizeof options, .margin = 1e-9, .threads = 2};
  abut_search* search = abut_create("neighboring-cell", &options);
  if (search == NULL) fail("abut_create");

  /* The grains are read in place: every column is a member of the struct. */
  abut_bodies bodies = {.size = sizeof bodies, .count = grain_count, .shape = ABUT_SPHERE, .dimension = 3};
  for (int k = 0; k < 3; ++k) {
    bodies.center[k] = (abut_column){&grains[0].position[k], sizeof *grains, ABUT_DOUBLE};
  }
  bodies.radius = (abut_column){&grains[0].radius, sizeof *grains, ABUT_FLOAT};
  if (abut_update(search, &bodies) != 0) fail("abut_update");

  const abut_pair* pairs = NULL;
  size_t count = 0;
  if (abut_pairs(search, &pairs, &count) != 0) fail("abut_pairs");
  printf("%zu grains, %zu pairs, the first (%u, %u)\n", grain_count, count, (unsigned)pairs[0].i, (unsigned)pairs[0].j);

  double gaps = 0;
  if (abut_for_each_pair(search, sum_gaps, &gaps) != 0) fail("abut_for_each_pair");

  const char* plan = NULL;
  abut_stats stats = {.size = sizeof stats};
  if (abut_planned(search, &plan) != 0 || abut_stats_of(search, &stats) != 0) fail("abut_planned");
  printf("gaps of %g in sum, by \"%s\" with %llu tests (abut %s)\n", gaps, plan, (unsigned long long)stats.tests,
         abut_version());

  /* A refused update leaves the search unchanged, and the error names the body. */
  grains[7].radius = -1;
  if (abut_update(search, &bodies) == 0) return EXIT_FAILURE;
  printf("refused: %s\n", abut_last_error());

  abut_destroy(search);
  return count == 3 * 12 * 12 * 11 && gaps == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
