/* plan.h - what planning passes leave for `materialize`.
 *
 * A plan says, for blocks of the input, in which order which ops run.  It has
 * two forms, for the two kinds of planner:
 *
 * - MARKED OPS (the seed's, and markers in the dump): every reader of a
 *   selected op reads a clone of its own, made right before that reader, with
 *   clones of the selected ops that the clone needs before it; the original
 *   goes.  A reader is an op of the same region: what is nested inside of an
 *   op reads through it.
 * - SEQUENCES (all others): a block's new order, in which an op may stand
 *   several times.  An operand reads the latest instance before it, as does an
 *   operand of a nested op; the first instance of an op is the op itself
 *   (unless the op is selected as well), later ones are clones.  An op that
 *   does not stand there is erased.  An op of another block of the same region
 *   may stand there too: only that block, and what is nested in it, then reads
 *   that instance.
 *
 * Blocks without either stay as they are.  Before it materializes the first
 * form is written out as the second (expand.c). */
#ifndef REMAT_PASSES_PLAN_H
#define REMAT_PASSES_PLAN_H

#include "passes/pass.h"

/* A barrier before position AT that hands on VALUES, of the input: all that is
 * read behind it are its results. */
struct plan_fence {
  uint32_t at, count;
  value_id *values;
};

/* Who reads an instance. */
enum plan_stay {
  PLAN_STAYS,  /* all behind it, up to the next of the same op */
  PLAN_JOINS,  /* the same; but those that pass are read beyond it */
  PLAN_PASSES, /* those behind it up to the next that stays; others read what
                  they would without it */
};

/* The new order of one block. */
struct plan_block {
  block_id block;
  uint32_t count;
  op_id *ops;
  bool *backward; /* by position: a clone that serves a backward op, or an op
                     that reads such clones; NULL where no phases matter */
  uint8_t *stays; /* by position: enum plan_stay; NULL: all do */
  uint32_t fence_count;
  struct plan_fence *fences; /* by position */
};

/* How an op is selected. */
enum plan_mark {
  PLAN_SELECTED = 1,
  PLAN_SCOPED = 2,   /* only backward readers read clones */
  PLAN_BACKWARD = 4, /* not a selection: the op itself is of that phase */
  PLAN_MARKER = 8,   /* selected by a marker in the dump: never given back */
  PLAN_ERASED = 16,  /* no reader of the original is left (project) */
  PLAN_KEEP = 32,    /* a marker says that it is not to be recomputed */
};

/* One decision, for reports and -fopt-info. */
struct plan_decision {
  op_id op;
  bool taken;           /* recomputed or moved, else kept */
  bool at_peak;         /* kept, and it holds memory at the peak */
  uint32_t clones;      /* instances beyond the first */
  uint64_t saved_bytes; /* by it where it was made for; of a kept one the bytes
                           that it holds at the peak */
  uint64_t cost_ns;     /* of all its clones */
  const char *reason;   /* in words; for a kept one the fact, price or bound */
};

/* Why OP stands where AT reads it, in words; AT is NONE where the end does. */
struct plan_note {
  op_id op, at;
  const char *text;
};

/* The figures of one function's plan, all of them of the plan that is
 * emitted. */
struct plan_function {
  bool planned;               /* a planner looked at it */
  bool refused;               /* its plan was not emitted: it helps nothing */
  const char *refused_reason; /* in words */
  const char *strategy;       /* which made the plan */
  uint32_t selected, dropped; /* by the planner; given back by trim */
  uint32_t marked;            /* by markers */
  uint64_t projected_clones;  /* saturating */
  uint64_t erased;            /* originals that go */
  uint64_t selected_cost_ns;  /* of the selected ops, each once */
  uint64_t claimed_peak_before_bytes, claimed_peak_after_bytes;
  uint32_t fences;              /* barriers between segments of the plan */
  bool fenced;                  /* any order that they leave, in callees too,
                                   needs no more than is claimed */
  uint64_t planner_work;        /* executions that planners handled */
  uint64_t lower_bound_bytes;   /* no plan can go below */
  uint64_t lower_bound_cost_ns; /* no plan within the budget costs less */
  bool clone_bound_reached;     /* plans were given up because of it */
  bool proved_infeasible;       /* no plan within the budget exists */
  VECTOR(struct plan_decision) decisions;
  uint32_t peak_arguments; /* arguments that are live at the peak */
  uint64_t peak_argument_bytes;
  VECTOR(struct plan_note) notes; /* on what was recomputed or moved */

  /* counted by verify in what is emitted */
  uint64_t ops_in, ops_out, emitted_clones;
  uint64_t base_cost_ns; /* of the input */
  int64_t extra_cost_ns; /* of what is emitted, less that */
};

/* Where a plan from a file speaks of OP, in its text. */
struct plan_said {
  op_id op;
  struct span where;
};

struct plan {
  uint8_t *selected; /* by op, enum plan_mark */
  VECTOR(struct plan_block) blocks;
  struct plan_function *functions; /* by function of the input */
  VECTOR(struct plan_said) said;   /* in the order of the file */
};

/* By op of PROGRAM's input, in its scratch: the function whose plan it belongs
 * to, that on whose clock it runs; NONE outside of functions. */
function_id *plan_functions_of_ops(struct program *program);

/* What the ops of FUNCTION of MODULE cost by FACTS, saturating; those nested
 * in others are not added: what holds them has their cost. */
uint64_t plan_function_cost(const struct ir_module *module,
                            const struct facts *facts, function_id function);

/* Where a message about FUNCTION points. */
struct location plan_location(const struct ir_module *module,
                              function_id function);

#endif
