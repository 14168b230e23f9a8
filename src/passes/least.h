/* least.h - below what no plan of a function can go.
 *
 *   %s = while ...        runs once, %t reads what it makes
 *   %p = dot %a, %b       %s, %a, %b and %p are live together in any order
 *   %t = while %s, %p
 *
 * Liveness knows what the greediest op touches.  This adds what has to stay
 * around it: what cannot be made again and is read by what is computed from
 * the op.  So that it is true of any plan, each value counts only where it
 * certainly has memory of its own, and what can take another's place does. */
#ifndef REMAT_PASSES_LEAST_H
#define REMAT_PASSES_LEAST_H

#include "passes/budget.h"

struct least {
  uint64_t bytes; /* as the function's budget counts; 0: nothing is known */
  op_id op;       /* that needs them, or NONE */
};

/* What every plan of FUNCTION, of PROGRAM's input, needs.  In the program's
 * scratch.  O(uses) for each of some 200 ops. */
struct least least_find(struct program *program, function_id function);

#endif
