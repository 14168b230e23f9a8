/* instances.h - how many clones the sequences of a plan make. */
#ifndef REMAT_PASSES_INSTANCES_H
#define REMAT_PASSES_INSTANCES_H

#include "passes/plan.h"

/* Add the clones and the erased originals of the COUNT BLOCKS to the figures of
 * the functions that they stand in.  What is inside of a clone is cloned with
 * it, what is inside of an erased op is erased with it. */
void instances_count(const struct program *program,
                     const struct plan_block *blocks, uint32_t count);

#endif
