/* ready.h - the order of a scheduler that runs what it can. */
#ifndef REMAT_PLAN_READY_H
#define REMAT_PLAN_READY_H

#include "plan/problem.h"

/* All nodes of PROBLEM, in ARENA, each as early as what it reads, and what has
 * to run before it, lets it: those that became ready first come first. */
uint32_t *plan_ready_order(const struct plan_problem *problem,
                           struct arena *arena);

#endif
