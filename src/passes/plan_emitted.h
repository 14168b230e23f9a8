/* plan_emitted.h - the plan that was carried out, all of it as sequences. */
#ifndef REMAT_PASSES_PLAN_EMITTED_H
#define REMAT_PASSES_PLAN_EMITTED_H

#include "passes/plan.h"

/* The blocks of PROGRAM's plan, and those that differ in what is emitted
 * because ops are selected, by a planner or by markers; by number, in ARENA. */
void plan_emitted(const struct program *program, struct plan *emitted,
                  struct arena *arena);

#endif
