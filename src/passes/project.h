/* project.h - the figures of a selection. */
#ifndef REMAT_PASSES_PROJECT_H
#define REMAT_PASSES_PROJECT_H

#include "passes/pass.h"
#include "passes/projection.h"

/* Count the clones of what PROGRAM's plan selects and write down its figures:
 * clones, originals that go (PLAN_ERASED too), cost, claimed peaks.  The
 * projection is in the program's scratch arena. */
struct projection project_selection(struct program *program);

#endif
