/* chain.h - an optimal plan for programs that are a chain and its reverse. */
#ifndef REMAT_PLAN_CHAIN_H
#define REMAT_PLAN_CHAIN_H

#include "plan/gap.h"

/* Plan PROBLEM where it begins with a chain (each node reads the one before)
 * and all later nodes read at most one value of the chain each, never one
 * that is further down than the one read before: a training step of a plain
 * network.  False where it has not that form, is too long for the work
 * allowed, or no plan fits.  The sequence lives in ARENA. */
bool plan_chain(const struct plan_problem *problem,
                const struct plan_goal *goal, struct plan_sequence *sequence,
                struct arena *arena);

#endif
