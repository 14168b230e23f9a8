/* bound.h - what no plan can do better. */
#ifndef REMAT_PLAN_BOUND_H
#define REMAT_PLAN_BOUND_H

#include "plan/problem.h"

/* Bytes that every plan, in any order, has live at some moment: the operands,
 * results and workspace of one node, or what is returned.  O(E). */
uint64_t plan_bound_bytes(const struct plan_problem *problem);

/* The same with what has to stay around the node: what runs only once, was made
 * before it, and is read by what is computed from it, or returned.  *NODE is
 * the one that needs most so, PLAN_NONE where what is returned does.  Looks at
 * the nodes where the program has most live, as plan_bound_cost. */
uint64_t plan_bound_resident(const struct plan_problem *problem,
                             uint64_t effort, uint32_t *node);

/* Nanoseconds that every plan within BUDGET_BYTES costs at least, in any
 * order: one run of all that is needed, and the cheapest way to give up what
 * cannot be resident when some node first runs; UINT64_MAX where there is no
 * way.  Looks at the nodes where the program has most live, at about EFFORT
 * operands in all; with CUTS also at what running again needs again, which is
 * sharper and takes seconds for thousands of nodes. */
uint64_t plan_bound_cost(const struct plan_problem *problem,
                         uint64_t budget_bytes, uint64_t effort, bool cuts);

#endif
