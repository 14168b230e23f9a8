/* give_back.h - cutting a selection back to a number of clones.
 *
 * Ops are given back one after the other until the clones that are projected
 * for the rest fit the bound.  Three rules say which op comes next, by its own
 * projected clones c:
 *
 * - midpoint (the seed's): of all selected ops that whose c is nearest to half
 *   of the largest c;
 * - max: the op of the largest c;
 * - segment-midpoint: the midpoint of that part whose projected clones are
 *   most.  Parts are what selected ops that read each other hang together in;
 *   a chain is parted in the middle, and its halves then in theirs.
 *
 * Ties go to the earlier op; what a marker selected is never given back.  The
 * first two cost O(ops) for each op given back, the third O(n log n) on
 * chains; where parts do not fall apart, ops are given back by ever more at a
 * time. */
#ifndef REMAT_PASSES_GIVE_BACK_H
#define REMAT_PASSES_GIVE_BACK_H

#include "passes/options.h"
#include "passes/projection.h"

struct give_back {
  const struct ir_module *module;
  struct projection *projection;
  uint8_t *selected;
  op_id *ops; /* the selected ops of one function, in program order; they will
                 be reordered */
  uint32_t count;
  uint64_t bound;        /* clones of all OPS together, nested ops counted */
  const uint32_t *sizes; /* by op: how many ops it is */
  struct arena *scratch;
};

/* Unselect ops of REQUEST until they fit its bound, or none can go. */
void give_back(const struct give_back *request, enum trim rule);

#endif
