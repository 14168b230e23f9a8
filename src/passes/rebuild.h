/* rebuild.h - the program that a plan says, as a module. */
#ifndef REMAT_PASSES_REBUILD_H
#define REMAT_PASSES_REBUILD_H

#include "passes/plan.h"

/* The module that BASE becomes by PLAN, of which every block that changes has
 * a sequence; in ARENA.  SCRATCH is used on the way. */
struct ir_module *rebuild_module(const struct ir_module *base,
                                 const struct plan *plan, struct arena *arena,
                                 struct arena *scratch);

#endif
