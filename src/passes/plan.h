/* plan.h - what planning passes leave for `materialize`.
 *
 * A plan says, for blocks of the input, in which order which ops run.  It has
 * two forms, for the two kinds of planner:
 *
 * - SELECTED (the seed's): every consumer of a selected op reads a clone of
 *   its own, made right before that consumer, with clones of the selected ops
 *   that the clone needs before it; the original goes.
 * - SEQUENCES (all others): a block's new order, in which an op may stand
 *   several times.  An operand reads the latest instance before it; the first
 *   instance of an op is the op itself, later ones are clones.  An op that
 *   does not stand there is erased.
 *
 * Blocks without either stay as they are. */
#ifndef REMAT_PASSES_PLAN_H
#define REMAT_PASSES_PLAN_H

#include "ir/ir.h"

/* The new order of one block. */
struct plan_block {
  block_id block;
  uint32_t count;
  op_id *ops;
};

/* One decision, for reports and -fopt-info. */
struct plan_decision {
  op_id op;
  bool taken;           /* recomputed (or moved), else kept */
  uint32_t clones;      /* instances beyond the first */
  uint64_t saved_bytes; /* by it at the peak it was made for */
  uint64_t cost_ns;     /* of all its clones */
  const char *reason;   /* in words; for a kept one the fact, price or bound */
};

/* The figures of one function's plan. */
struct plan_function {
  bool planned;         /* a planner looked at it */
  const char *strategy; /* which made the plan that is emitted */
  uint32_t selected, dropped;
  uint64_t projected_clones; /* saturating */
  uint32_t erased;           /* originals that go */
  uint64_t selected_cost_ns;
  uint64_t claimed_peak_before_bytes, claimed_peak_after_bytes;
  uint64_t lower_bound_bytes;   /* no plan can go below */
  uint64_t lower_bound_cost_ns; /* no plan within the budget costs less */
  bool proved_infeasible;       /* no plan within the budget exists */
  VECTOR(struct plan_decision) decisions;
};

struct plan {
  bool *selected; /* by op, the seed's form; NULL in the other */
  VECTOR(struct plan_block) blocks;
  struct plan_function *functions; /* by function of the input */
};

#endif
