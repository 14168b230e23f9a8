/* plan_check.h - is a plan that somebody wrote one that can be carried out? */
#ifndef REMAT_PASSES_PLAN_CHECK_H
#define REMAT_PASSES_PLAN_CHECK_H

#include "passes/plan.h"

/* Check the blocks of PROGRAM's plan.  False after errors at the ops that they
 * speak of: an op that reads what is not there yet, one that must not run
 * twice, effects in another order, something erased that is needed. */
bool plan_check(struct program *program);

/* Does each op of BLOCK, and each inside of it, stand behind what it reads?
 * O(uses); SCRATCH is used on the way. */
bool plan_block_runs(const struct ir_module *module,
                     const struct plan_block *block, struct arena *scratch);

#endif
