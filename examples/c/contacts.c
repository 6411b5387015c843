/* Contacts with memory in C: discs in a periodic box, with a normal and a sliding spring between touching ones. The
 * sliding spring must remember how far it is stretched for as long as the contact lasts; abut keeps that. */

#include <abut/abut.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { per_side = 20, disc_count = per_side * per_side, steps = 400 };
static const double side = 22, stiffness = 1e4, step = 1e-3;

struct disc {
  double position[2];
  double velocity[2];
  double force[2];
  double radius;
};
static struct disc discs[disc_count];

/* What a contact remembers. A new one has zeros. */
struct spring {
  double stretched; /* sideways */
  unsigned steps;   /* in touch */
};

static void fail(const char* what) {
  fprintf(stderr, "error: %s: %s\n", what, abut_last_error());
  exit(EXIT_FAILURE);
}

/* From -1 to 1, the same on every machine. */
static double noise(void) {
  static unsigned state = 1;
  state = state * 1664525U + 1013904223U;
  return (double)(state >> 8) / (1 << 23) - 1;
}

static void place_discs(void) {
  for (int k = 0; k < disc_count; ++k) {
    discs[k].position[0] = k % per_side * side / per_side;
    discs[k].position[1] = (double)(k / per_side) * side / per_side;
    discs[k].velocity[0] = noise();
    discs[k].velocity[1] = noise();
    discs[k].radius = 0.5 + 0.04 * noise();
  }
}

/* The force of contact k: the image tells by how many periods the second disc is shifted. */
static void push(const abut_contact_arrays* all, size_t k) {
  struct disc* a = &discs[all->firsts[k]];
  struct disc* b = &discs[all->seconds[k]];
  struct spring* spring = (struct spring*)all->memory + k;
  const double x = b->position[0] + all->images[3 * k] * side - a->position[0];
  const double y = b->position[1] + all->images[3 * k + 1] * side - a->position[1];
  const double distance = sqrt(x * x + y * y);
  const double overlap = a->radius + b->radius - distance;
  if (overlap < 0) { /* near, but apart */
    spring->stretched = 0;
    spring->steps = 0;
    return;
  }
  const double normal[2] = {x / distance, y / distance};
  const double vx = b->velocity[0] - a->velocity[0];
  const double vy = b->velocity[1] - a->velocity[1];
  spring->stretched += (vy * normal[0] - vx * normal[1]) * step;
  spring->steps += 1;
  const double along = -stiffness * overlap;
  const double sideways = 0.3 * stiffness * spring->stretched;
  const double force[2] = {along * normal[0] - sideways * normal[1], along * normal[1] + sideways * normal[0]};
  for (int axis = 0; axis < 2; ++axis) {
    a->force[axis] += force[axis];
    b->force[axis] -= force[axis];
  }
}

static void move_discs(void) {
  for (int k = 0; k < disc_count; ++k) {
    for (int axis = 0; axis < 2; ++axis) {
      discs[k].velocity[axis] += discs[k].force[axis] * step;
      discs[k].position[axis] += discs[k].velocity[axis] * step; /* may leave the box: space repeats */
      discs[k].force[axis] = 0;
    }
  }
}

static double momentum(int axis) {
  double sum = 0;
  for (int k = 0; k < disc_count; ++k) sum += discs[k].velocity[axis];
  return sum;
}

int main(void) {
  place_discs();
  const double before[2] = {momentum(0), momentum(1)};

  abut_options options = {.size = sizeof options, .periodic = {1, 1}, .periodic_max = {side, side}};
  abut_search* search = abut_create(NULL, &options);
  abut_contact_options remembering = {.size = sizeof remembering, .bytes = sizeof(struct spring)};
  abut_contacts* contacts = abut_contacts_create(&remembering);
  if (search == NULL || contacts == NULL) fail("create");

  abut_bodies bodies = {.size = sizeof bodies, .count = disc_count, .shape = ABUT_SPHERE, .dimension = 2};
  bodies.center[0] = (abut_column){&discs[0].position[0], sizeof *discs, ABUT_DOUBLE};
  bodies.center[1] = (abut_column){&discs[0].position[1], sizeof *discs, ABUT_DOUBLE};
  bodies.radius = (abut_column){&discs[0].radius, sizeof *discs, ABUT_DOUBLE};

  unsigned longest = 0;
  abut_contact_arrays all = {.size = sizeof all};
  for (int k = 0; k < steps; ++k) {
    /* Searches only if some disc has moved far enough. */
    if (abut_contacts_follow(contacts, search, &bodies, NULL, NULL, NULL) != 0) fail("abut_contacts_follow");
    if (abut_contacts_arrays(contacts, &all) != 0) fail("abut_contacts_arrays");
    for (size_t c = 0; c < all.count; ++c) {
      push(&all, c);
      const struct spring* spring = (const struct spring*)all.memory + c;
      if (spring->steps > longest) longest = spring->steps;
    }
    move_discs();
  }

  abut_contact_stats stats = {.size = sizeof stats};
  if (abut_contacts_stats_of(contacts, &stats) != 0) fail("abut_contacts_stats_of");
  const double change = fabs(momentum(0) - before[0]) + fabs(momentum(1) - before[1]);
  printf("%d discs, %d steps, %llu searches; the longest touch lasted %u steps; momentum changed by %.0e (abut %s)\n",
         (int)disc_count, (int)steps, (unsigned long long)stats.updates, longest, change, abut_version());

  abut_contacts_destroy(contacts);
  abut_destroy(search);
  return stats.updates < steps && longest > 1 && change < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
