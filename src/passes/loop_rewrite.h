/* loop_rewrite.h - a writer of stacks and its readers, written anew. */
#ifndef REMAT_PASSES_LOOP_REWRITE_H
#define REMAT_PASSES_LOOP_REWRITE_H

#include "passes/facts.h"
#include "passes/loops.h"

/* A value of the writer that is kept, one slot an iteration. */
struct loop_store {
  flat_id value;
  uint32_t stack; /* that holds it already, or NONE: a new one */
};

/* What becomes of the stacks of one writer. */
struct loop_plan {
  uint32_t writer;
  uint32_t *store_of; /* by flat value of the writer: which store + 1, or 0 */
  VECTOR(struct loop_store) stores;
  bool *dropped;    /* by stack of the module */
  uint64_t segment; /* carries that are new stores have one slot for so many
                       iterations, and are made again from it; 0: for each */
};

/* Was LOOP, of a module that was written with plans, a writer of one? */
bool loop_is_chosen(const struct ir_module *module, const struct loop *loop);

/* The text of the module that LOOPS describes with PLANS carried out, in
 * ARENA.  No loop may belong to two of them. */
struct text loop_rewrite(struct arena *arena, const struct loops *loops,
                         const struct facts *facts,
                         const struct loop_plan *plans, uint32_t count);

#endif
