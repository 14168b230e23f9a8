/* verify.h - proofs that what is emitted is the program that was read.
 *
 * Nothing here knows a planner, a plan or how modules are rebuilt: the proofs
 * look at the two modules, the facts of the first, and the figures that are
 * going to be reported.  Each gives NULL where all is well, else what is wrong,
 * in ARENA. */
#ifndef REMAT_PASSES_VERIFY_H
#define REMAT_PASSES_VERIFY_H

#include "passes/facts.h"
#include "passes/fused.h"
#include "passes/liveness.h"

/* Does MADE compute what its base does?  Every op is one of the base's and
 * reads instances of the same values; what may not run twice runs once, where
 * it ran and in the same order; blocks and what they return are the same. */
const char *verify_same(const struct ir_module *made, const struct facts *facts,
                        struct arena *arena);

/* Does AFTER, another module that was read, compute what BEFORE does, although
 * its loops store and compute again other values?  By op of BEFORE, REPEATABLE
 * says which do nothing but make their results. */
const char *verify_loops(const struct ir_module *before,
                         const struct ir_module *after, const bool *repeatable,
                         struct arena *arena);

/* Does AFTER compute what BEFORE does, although bodies stand in the place of
 * calls, and functions that only those called are gone?  With the facts of
 * both. */
const char *verify_calls(const struct ir_module *before,
                         const struct facts *before_facts,
                         const struct ir_module *after,
                         const struct facts *after_facts, struct arena *arena);

/* Is each value of MADE defined before it is read, on every way there?  A use
 * for which that is not so in the base either (in a graph region) is left. */
const char *verify_order(const struct ir_module *made, struct arena *arena);

/* Does nothing in the module of FUSED, a new one, cross a fence but through
 * it?  BASE are the facts of the input. */
const char *verify_fences(const struct fused *fused, const struct facts *base,
                          struct arena *arena);

/* Bytes that no order of the ops between two fences of BLOCK can pass;
 * UINT64_MAX where they are more than can be counted. */
uint64_t verify_fenced_bytes(struct fused *fused, block_id block);

/* Do the names of MADE stay apart: has each value that is visible with another
 * a name of its own? */
const char *verify_names(const struct ir_module *made, struct arena *arena);

/* Is REREAD, which was read from what MADE prints as, MADE?  Op by op, value by
 * value, name, type and text. */
const char *verify_text(const struct ir_module *made,
                        const struct ir_module *reread, struct arena *arena);

#endif
