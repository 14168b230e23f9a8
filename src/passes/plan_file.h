/* plan_file.h - a plan as a small text that can be read, edited and kept.
 *
 *   remat-plan 1
 *   function @main
 *   block 0
 *     clone %7 before %31     a further instance of %7, right before %31
 *     move %9 before end      %9 itself, right before the terminator
 *     erase %3
 *     fence %4 %8#1 before %9 a barrier that hands these values on
 *
 * Behind a `clone` or `move` may stand who reads it, where that is not all:
 * `backward` (backward ops alone), `passing` (ops up to the next instance that
 * all read), `joining` (all, but those that pass are read beyond it).
 *
 * What is not named stays where it is.  Instances before the same op stand as
 * they are listed.  An op is called by its first result as the dump spells it,
 * or `op N`, the N-th of its block from 0; blocks are counted from 0 in each
 * function as the text has them, and `block 0` may be left out.  '#' begins a
 * comment. */
#ifndef REMAT_PASSES_PLAN_FILE_H
#define REMAT_PASSES_PLAN_FILE_H

#include "passes/plan.h"
#include "support/buffer.h"

/* Append the text of the blocks of PLAN, for MODULE, to OUT.  SCRATCH is used
 * on the way. */
void plan_file_write(struct buffer *out, const struct ir_module *module,
                     const struct plan *plan, struct arena *scratch);

/* Read the plan in SOURCE for MODULE into PLAN's blocks, in ARENA.  False
 * after errors: words, names and places only; whether the plan is one that
 * runs is asked elsewhere. */
bool plan_file_read(struct plan *plan, const struct ir_module *module,
                    const struct source *source,
                    struct diagnostics *diagnostics, struct arena *arena);

#endif
