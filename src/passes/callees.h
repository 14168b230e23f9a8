/* callees.h - computations that go along when their caller is cloned.
 *
 * HLO's fusions, loops and branches have their bodies beside them.  A body
 * that only one op calls stays so: every clone of that op gets a copy of its
 * own, and so do the bodies that this one calls.  What several ops share, or
 * what is an op of its own (MLIR's functions), stays shared. */
#ifndef REMAT_PASSES_CALLEES_H
#define REMAT_PASSES_CALLEES_H

#include "passes/plan.h"

struct callees {
  const struct ir_module *base;
  op_id *owner;     /* by function of BASE: the one op that calls it, or NONE */
  uint32_t *copies; /* by function: how many copies of it there will be */
  function_id *first_copy; /* by function: the number of the first of them */
  uint32_t *called;        /* by function: how many of its instances have a
                              caller by now */
  uint32_t total;          /* copies of all functions */
};

/* Work out which functions PLAN copies, and how often. */
struct callees *callees_find(struct arena *arena, const struct ir_module *base,
                             const struct plan *plan);

/* The function of the new module that the next instance of OP calls where OP
 * calls CALLEE of the base. */
function_id callees_next(struct callees *callees, op_id op, function_id callee);

/* Give the copies of FUNCTION, which stand in MADE from their first number on,
 * names that are free. */
void callees_name(struct callees *callees, struct ir_module *made);

#endif
