/* contract.h - a block of ops as a planning problem, and back.
 *
 * Contract: ops that make storage become nodes; ops that only look at storage
 * in another way (views, tuples and their elements) become virtual: whoever
 * reads one reads the storage below it.  Plan on the nodes.  Expand: each node
 * that reads through virtual ops finds them made again from the instances that
 * it reads.
 *
 *   %0 = exp %x             node 0
 *   %1 = reshape %0         virtual
 *   %2 = dot %1, %w         node 1, reads node 0
 *
 * What planners are told is conservative: each node's workspace is raised
 * until, in program order, the problem's profile is nowhere below the bytes
 * that liveness found there.  Whether a plan holds is decided by liveness of
 * the program that it makes, never here. */
#ifndef REMAT_PASSES_CONTRACT_H
#define REMAT_PASSES_CONTRACT_H

#include "passes/liveness.h"
#include "passes/plan.h"
#include "plan/planner.h"

/* Planning values that have to be there when a leaf is read. */
struct contract_roots {
  uint32_t first, count; /* into contractor.roots */
};

/* BEFORE has to run before AFTER; where AFTER is NONE, BEFORE must only not run
 * twice.  Found while planning: see xla_conflicts.c. */
struct contract_order {
  op_id before, after;
};

struct contract_orders {
  bool *bound; /* by op: it is in some order; NULL where there are none */
  VECTOR(struct contract_order) list;
};

/* What is known of the module, the input or a made one, that is contracted. */
struct contract_input {
  const struct ir_module *module;
  const struct facts *facts;
  const struct buffers *buffers;
  const struct liveness *liveness;
  const uint8_t *marks; /* by op, enum plan_mark: PLAN_KEEP is obeyed; may be
                           NULL */
  const struct contract_orders *orders; /* may grow; may be NULL */
};

/* Columns of the module that all of its contractions use. */
struct contractor {
  const struct ir_module *module;
  const struct facts *facts;
  const struct buffers *buffers;
  const struct clock *clock;
  const uint8_t *marks;
  const struct contract_orders *orders;
  const uint64_t *live; /* by tick: the account of liveness */
  struct arena *arena;
  bool temporaries_only;       /* count what buffers_temporary says alone */
  struct contract_roots *leaf; /* by leaf of facts; count 0: held outside */
  VECTOR(uint32_t) roots;
  op_id *last_read;   /* by value: the last op of its block that reads it or
                         what shows it; 0 where none does */
  bool *returned;     /* by value: needed when its block ends */
  op_id *op_end;      /* by op: one past the last op inside of it */
  uint32_t *op_node;  /* by op: its node, PLAN_NONE for a virtual one */
  uint64_t *op_saved; /* by op: bytes by which a plan inside of it, made
                         before, has lowered what it needs */
};

struct contraction {
  struct contractor *contractor;
  block_id block;
  struct plan_problem *problem;
  op_id *node_op;         /* by node; NONE for storage that comes in */
  uint64_t *node_profile; /* by node: bytes live in program order by the
                             problem, with HELD_BYTES */
  uint64_t held_bytes;    /* live at every op and none of the problem's */
  bool exact; /* the problem says in program order what liveness says, and
                 nothing can be made in place: what is proved of one is
                 proved of the other */
};

/* Make ready for INPUT, all in ARENA: O(ops + leaves). */
struct contractor *contractor_new(const struct contract_input *input,
                                  bool temporaries_only, struct arena *arena);

/* Contract BLOCK, whose ops must have ticks.  NULL where its sizes are more
 * than a problem can hold. */
struct contraction *contract_block(struct contractor *contractor,
                                   block_id block);

/* The sequence of ops that the nodes SEQUENCE stand for: virtual ops where
 * they are first read from new instances, the terminator last. */
struct plan_block contraction_expand(const struct contraction *contraction,
                                     struct plan_sequence sequence,
                                     struct arena *arena);

/* The first and one past the last op inside of OP, itself included. */
static inline bool
contractor_holds(const struct contractor *contractor, op_id op, op_id inner) {
  return inner >= op && inner < contractor->op_end[op];
}

#endif
