/* projection.h - how many clones a selection makes, before any is built.
 *
 * In reverse program order, so that all readers of an op are counted before
 * it: every instance of a reader reads a clone of its own.  For a selected op
 * P, over its distinct readers R:
 *
 *   clones(P) = sum of instances(R),  instances(R) = clones(R), and 1 for its
 *   original where that stays
 *
 * parted by phase, since with PLAN_SCOPED only backward instances count.  All
 * sums saturate. */
#ifndef REMAT_PASSES_PROJECTION_H
#define REMAT_PASSES_PROJECTION_H

#include "passes/plan.h"
#include "passes/reads.h"
#include "support/checked.h"

struct projection {
  struct reads reads;
  uint64_t *forward; /* by op: clones that serve forward instances */
  uint64_t *backward;
  bool *kept; /* by op: the original stays (if what holds it does) */
};

/* What one function becomes. */
struct projection_totals {
  uint32_t ops_in;
  uint64_t ops_out, clones, erased; /* out = in + clones - erased */
};

/* Count for MODULE with what SELECTED says; in ARENA.  O(ops + uses). */
void projection_build(struct projection *projection,
                      const struct ir_module *module, const uint8_t *selected,
                      struct arena *arena);

/* Count OP alone, whose readers are counted. */
void projection_count(struct projection *projection, const uint8_t *selected,
                      op_id op);

/* By function of MODULE, in ARENA: what it becomes, nested ops counted. */
struct projection_totals *projection_totals(const struct projection *projection,
                                            const struct ir_module *module,
                                            struct arena *arena);

static inline uint64_t
projection_clones(const struct projection *projection, op_id op) {
  return saturating_add(projection->forward[op], projection->backward[op]);
}

#endif
