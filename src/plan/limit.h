/* limit.h - plans in which no node runs more often than a user allows. */
#ifndef REMAT_PLAN_LIMIT_H
#define REMAT_PLAN_LIMIT_H

#include "plan/planner.h"

/* As plan_best, and no node has more than SETTINGS->clones_per_node clones
 * (0: any number). */
bool plan_limited(const struct plan_problem *problem, uint64_t budget_bytes,
                  const struct plan_settings *settings,
                  struct plan_result *result, struct arena *arena);

#endif
