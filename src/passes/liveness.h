/* liveness.h - what memory a program needs, moment by moment.
 *
 * Left by the pass `liveness` (PROP_LIVENESS): for each tick of the clock the
 * bytes of all buffers that are needed then, workspaces and what callees need
 * included; for each function where that is most. */
#ifndef REMAT_PASSES_LIVENESS_H
#define REMAT_PASSES_LIVENESS_H

#include "passes/buffers.h"

struct liveness_function {
  bool runs; /* has a clock; else all is zero */
  uint64_t argument_bytes, result_bytes;
  uint64_t peak_bytes;      /* UINT64_MAX: more than can be counted */
  uint32_t peak_tick;       /* the first at which it is reached */
  uint64_t peak_temp_bytes; /* temporaries alone */
  uint32_t peak_temp_tick;
  uint64_t fused_temp_bytes;  /* peak of temporaries as a fusing compiler has
                                 them (fused.h), in this order; 0 where that
                                 was not looked at */
  uint64_t donated_bytes;     /* of results that take an argument's place */
  uint64_t called_bytes;      /* what a call adds to the caller, arguments and
                                 results of the caller's own left out */
  uint64_t lower_bound_bytes; /* no plan needs less: held arguments and the
                                 greediest op's operands and results */
  op_id lower_bound_op;       /* that op */
  uint64_t lower_bound_temp_bytes; /* the same of temporaries alone */
  op_id lower_bound_temp_op;
  uint64_t least_called_bytes; /* below what no plan brings called_bytes */
};

/* What is the caller's of FUNCTION's memory all the while. */
static inline uint64_t
liveness_caller_bytes(const struct liveness_function *function) {
  uint64_t results = function->result_bytes > function->donated_bytes
                         ? function->result_bytes - function->donated_bytes
                         : 0;
  return results > UINT64_MAX - function->argument_bytes
             ? UINT64_MAX
             : function->argument_bytes + results;
}

struct liveness {
  const struct buffers *buffers; /* those that were summed up: the ones given,
                                    or in a scheduled HLO module XLA's own */
  uint64_t *live;                /* by tick of the clock */
  uint64_t *temp;                /* by tick: temporaries alone */
  struct liveness_function *functions; /* by function */
  uint64_t *block_outside_bytes; /* by block: live all the while it runs and
                                    not made in it */
};

/* Scan MODULE.  The result is in the program's arena.  O(buffers + ticks +
 * uses). */
struct liveness *liveness_scan(struct program *program,
                               const struct ir_module *module,
                               const struct facts *facts,
                               const struct buffers *buffers);

/* What OP's callees that have clocks of their own need while it calls them, in
 * a module that was scanned: the most, for one runs after the other. */
uint64_t liveness_called_bytes(const struct liveness *liveness,
                               const struct ir_module *module, op_id op);

/* The op that runs at TICK; the first op of the block that begins there. */
op_id liveness_op_at(const struct clock *clock, uint32_t tick);

#endif
