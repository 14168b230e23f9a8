/* fused.h - a program as a fusing compiler runs it.
 *
 * A block becomes a planning problem: its nodes are the ops whose results are
 * stored, each with the virtual ops that it reads through.  What a block
 * returns is not counted, for it is the caller's.  Peaks are those of the
 * problems in program order; blocks inside of ops and callees count as what
 * the op needs while it runs.
 *
 *   %0 = dot %x, %w          node 0
 *   %1 = add %0, %b          virtual
 *   %2 = tanh %1             node 1, reads node 0, in place of it
 */
#ifndef REMAT_PASSES_FUSED_H
#define REMAT_PASSES_FUSED_H

#include "passes/liveness.h"
#include "passes/options.h"
#include "passes/stored.h"
#include "plan/evaluate.h"

struct fused {
  struct program *program;
  struct arena *arena;
  const struct ir_module *module;
  const struct facts *facts;
  const struct stored *stored;
  double bytes_per_ns; /* of the device's memory; 0: not known */
  uint32_t *value;     /* by leaf: its planning value, PLAN_NONE where it
                          has none */
  op_id *op_end;       /* by op: one past the last op inside of it */
  bool *op_sided;      /* by op: a view for which other values have to be there
                          than the one that it shows, or a view of such */
  uint32_t *op_seen;   /* by such a view: the node that read it whole last */
  uint32_t *op_stamp;  /* by op: the cone that it was seen in last */
  uint32_t stamp;
  bool *op_mixes;       /* by op of a cone: what is below reaches the node
                           by way of an op that is not elementwise */
  uint64_t *block_peak; /* by block: bytes of temporaries */
  uint8_t *block_state; /* by block */
  bool any_order;       /* blocks need what any order of their ops that fences
                           leave does (verify.h), not what theirs does */
  /* where a region has several blocks, else NULL */
  uint64_t *block_outside; /* by block: live all the while and made in others */
  bool *crosses;           /* by leaf: other blocks read it */
  bool *value_crosses;     /* by value: the same, as it is written */
};

/* One block as a problem. */
struct fused_block {
  struct fused *fused;
  block_id block;
  struct plan_problem *problem; /* NULL: more bytes than can be planned */
  op_id *node_op;               /* by node */
  uint32_t *value_leaf;         /* by planning value: the leaf that it is, or
                                   NONE */
  /* By planning value: those whose places it can take for convenience, were
   * they to die there; values candidates[candidate_begin[V]] and on. */
  uint32_t *candidate_begin, *candidates;
};

/* Are PROGRAM's budgets counted, and its plans made, as a fusing compiler
 * stores: by option, or because of what the program is written in? */
bool fused_is_model(const struct program *program);

/* Is that so for MODULE by OPTIONS?  Where none says it depends on what the
 * module is written in; plans of the seed's kind and Pareto fronts are counted
 * as if every value were stored. */
bool fused_resolve(const struct options *options,
                   const struct ir_module *module);

/* Bytes that the device moves in a nanosecond, 0 where its figures do not
 * say. */
double fused_bytes_per_ns(const struct program *program);

/* Make ready for the module of STORED in ARENA; nothing is evaluated yet. */
struct fused *fused_new(struct program *program, const struct stored *stored,
                        struct arena *arena);

/* Find what passes between blocks of one region (fused_blocks.c). */
void fused_find_crossing(struct fused *fused);

/* Bytes that are live all the while BLOCK runs, and made in other blocks of
 * its region.  Neither its problem nor its peak has them. */
static inline uint64_t
fused_outside_bytes(const struct fused *fused, block_id block) {
  return fused->block_outside ? fused->block_outside[block] : 0;
}

/* The blocks that run while an op does: of its regions, and of what it calls
 * where that call is not fused. */
struct fused_bodies {
  uint32_t count;
  block_id *blocks;
};
struct fused_bodies fused_bodies(const struct fused *fused, op_id op);

/* Does OP call a function that a compiler puts in its place?  What that needs
 * is then needed among the other ops around. */
bool fused_calls(const struct fused *fused, op_id op);

/* BLOCK needs BYTES from now on: a plan was made of it. */
void fused_set_peak(struct fused *fused, block_id block, uint64_t bytes);

/* By leaf, NONE for most: the leaf of a donated argument. */
struct fused_donated {
  uint32_t *over;  /* which what the block returns there is written over */
  uint32_t *shows; /* which it is, or which a barrier hands on there */
};

/* What BLOCK writes over what, in the arena of FUSED; NULLs where it is
 * nothing. */
struct fused_donated fused_donated(struct fused *fused, block_id block);

/* BLOCK as a problem, in the arena of FUSED.  A node that writes over a
 * donated argument reads a value of no bytes, which has no leaf, from each node
 * before that reads the argument, and closes it.  If one behind does, what is
 * written needs a place of its own. */
struct fused_block *fused_contract(struct fused *fused, block_id block);

/* Does VALUE of B, which is made in place of an operand, take over its place
 * because that is what its op does, and not for convenience?  Then a barrier
 * between makes no difference. */
bool fused_always_in_place(const struct fused_block *b, uint32_t value);

/* The peak of FUNCTION's temporaries, what it calls included. */
uint64_t fused_function_peak(struct fused *fused, function_id function);

/* The peak of BLOCK alone, in program order, or in any. */
uint64_t fused_block_peak(struct fused *fused, block_id block);

/* What a block needs at most, and of what. */
struct fused_peak {
  uint64_t bytes;
  op_id op;                 /* that runs then, NONE in an empty block */
  uint64_t workspace_bytes; /* of that op, with what runs inside of it */
  uint32_t count;
  uint32_t *leaves; /* that are live then and counted, the largest first */
};

/* The peak of BLOCK in program order, in ARENA.  False where its bytes are
 * more than can be counted. */
bool fused_find_peak(struct fused *fused, block_id block,
                     struct fused_peak *peak, struct arena *arena);

/* Enter the peaks of FUSED into the functions of LIVENESS, of the same
 * module. */
void fused_enter(struct fused *fused, struct liveness *liveness);

/* Both for MODULE, whatever it is: find what is stored, enter the peaks. */
void fused_measure(struct program *program, const struct ir_module *module,
                   const struct facts *facts, struct liveness *liveness);

/* Is OP a node of its block? */
bool fused_is_node(const struct fused *fused, op_id op);

#endif
