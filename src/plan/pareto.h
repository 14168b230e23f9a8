/* pareto.h - peak against cost over a grid of budgets. */
#ifndef REMAT_PLAN_PARETO_H
#define REMAT_PLAN_PARETO_H

#include "plan/planner.h"

struct plan_point {
  uint64_t budget_bytes;
  struct plan_result result;
};

/* Plans for COUNT budgets, evenly from the program's peak down to the lowest
 * that can be met, into POINTS, largest budget first.  Points that do not
 * fit, or are no cheaper than one with a lower peak, are left out.  Returns
 * how many stand there. */
uint32_t plan_pareto(const struct plan_problem *problem,
                     const struct plan_settings *settings, uint32_t count,
                     struct plan_point *points, struct arena *arena);

/* The point of POINTS[COUNT] that is furthest below the line from the first
 * to the last, when both peak and cost are measured by their range: where
 * less memory begins to be dear.  COUNT where there are fewer than three. */
uint32_t plan_knee(const struct plan_point *points, uint32_t count);

#endif
