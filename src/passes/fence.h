/* fence.h - cutting a plan so that no scheduler can undo it.
 *
 *   segment   fence   segment   fence   segment
 *
 * A fence is a barrier over all that one segment hands to later ones, and over
 * all that the next one reads: no op of the next can run before it, none of
 * the one before after it.  A segment is cut where what is live when it begins
 * and all that it makes, together with its largest workspace, would pass the
 * limit: then no order of its ops can pass it.
 *
 * For files fence*.c and fused_expand.c. */
#ifndef REMAT_PASSES_FENCE_H
#define REMAT_PASSES_FENCE_H

#include "passes/fused.h"
#include "passes/plan.h"

/* A plan of a block with the places where it is cut. */
struct fence_cuts {
  const struct fused_block *block;
  struct plan_timeline timeline;
  uint32_t *starts; /* positions at which segments begin, the first is 0 */
  uint32_t count;
  uint64_t bound_bytes; /* no order inside of segments needs more */
  uint32_t operandless; /* nodes that no fence holds, for they read nothing */
  uint64_t loose_bytes; /* what they make */
};

/* Cut SEQUENCE of BLOCK for LIMIT bytes, in ARENA; FENCES false: not at all.
 * False where it does not run. */
bool fence_cut(struct fence_cuts *cuts, const struct fused_block *block,
               struct plan_sequence sequence, uint64_t limit, bool fences,
               struct arena *arena);

/* The ops that CUTS stands for: virtual ops beside the nodes that read through
 * them, in each segment again; fences between; the terminator last. */
struct plan_block fused_expand(struct fence_cuts *cuts, struct arena *arena);

#endif
