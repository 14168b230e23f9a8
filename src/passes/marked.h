/* marked.h - planning beyond what markers in the dump say.
 *
 * Markers are orders.  Where they do not bring a function under its budget the
 * rest is planned on the program that they make: every clone that a marker
 * asks for is an op of its own there, which planners may move and make again,
 * but not merge with another.  What they find is told in ops of the input. */
#ifndef REMAT_PASSES_MARKED_H
#define REMAT_PASSES_MARKED_H

#include "passes/planning.h"
#include "passes/projection.h"

/* Does a marker select an op of PROGRAM? */
bool marked_any(const struct program *program);

/* Mark the ops of which nothing but clones is left by what is selected
 * (PLAN_ERASED).  Returns how that was counted, in the program's scratch. */
struct projection marked_erase(struct program *program);

/* The program that the markers of PROGRAM make, as the input of another one,
 * with the budgets of the functions that it has in common with PROGRAM's
 * input; in its arena. */
struct program *marked_program(struct program *program);

/* Make of the blocks of PLANNING's jobs, which are of marked_program, blocks
 * of PROGRAM's input, and gather them in PROGRAM's plan.  PLANNING is of
 * PROGRAM then. */
void marked_return(struct planning *planning, struct program *program);

#endif
