/* expand.h - a selection written out as sequences of ops. */
#ifndef REMAT_PASSES_EXPAND_H
#define REMAT_PASSES_EXPAND_H

#include "passes/plan.h"
#include "passes/projection.h"

/* Add to PLAN's blocks the sequence of each block of MODULE in which an op is
 * selected or reads a selected one, in ARENA, as PROJECTION (of PLAN's
 * selection) counts it; blocks that PLAN has a sequence for stay.  Before each
 * op, in depth first order without recursion, stand the clones that it reads,
 * each after the clones that it reads itself; of several clones for one op
 * that of the last op in program order comes first. */
void expand_selection(struct plan *plan, const struct ir_module *module,
                      const struct projection *projection, struct arena *arena);

#endif
