/* simulate.h - plan by walking the program under the budget. */
#ifndef REMAT_PLAN_SIMULATE_H
#define REMAT_PLAN_SIMULATE_H

#include "plan/gap.h"

/* A resident value is worth evicting by
 * bytes^A * distance^B / recompute cost^C; exponents are counted in halves. */
struct plan_simulate_settings {
  uint8_t bytes_halves, distance_halves, cost_halves;
  double descendants;  /* share of what is evicted below a value that counts
                          as its own cost: its recomputation gets longer */
  uint32_t visits_max; /* nodes looked at for one cost */
};

/* A plan that never has more than the budget live, into *SEQUENCE in ARENA.
 * False where the walk found no room, or needed too many instances. */
bool plan_simulate(const struct plan_problem *problem,
                   const struct plan_goal *goal,
                   const struct plan_simulate_settings *settings,
                   struct plan_sequence *sequence, struct arena *arena);

#endif
