/* clock.h - when what runs: one number for each moment of each function.
 *
 *   func(%a) {          tick 0   the block begins: its arguments are there
 *     %0 = tanh %a      tick 1
 *     %1 = while(%0)    tick 2   it begins: what it takes over is read
 *       cond            tick 3.. its bodies, one after the other
 *       body
 *                       tick 9   it ends: its results are there
 *     return %1         tick 10
 *   }
 *
 * An op without a body of its own takes one tick, at which its operands and
 * its results are there together.  An op that calls takes two, and what its
 * callee needs belongs to the first.  HLO's loop bodies and branches are
 * functions of their own; where one has a single caller it runs on the
 * caller's clock, as a region does.  Bodies that are fused or applied to
 * elements, and functions that are never called but so, have no ticks.
 *
 * Order of ticks is program order; behind each function that has its own clock
 * one tick belongs to none.  O(ops). */
#ifndef REMAT_PASSES_CLOCK_H
#define REMAT_PASSES_CLOCK_H

#include "passes/facts.h"

struct clock {
  uint32_t tick_count;
  op_id *tick_op; /* by tick; NONE: a block begins */

  /* NONE for what never runs by itself */
  uint32_t *op_begin, *op_end;             /* by op */
  uint32_t *block_begin, *block_end;       /* by block */
  uint32_t *function_begin, *function_end; /* by function */

  function_id *function_host; /* by function: itself, or on whose clock it
                                 runs */
  function_id *order;         /* hosts, callees before their callers */
  uint32_t order_count;
  bool *recursive; /* by function: calls itself, over others perhaps */
};

/* The clock of MODULE, in ARENA. */
struct clock *clock_make(struct arena *arena, const struct ir_module *module,
                         const struct facts *facts);

/* The function whose clock TICK belongs to. */
function_id clock_function(const struct clock *clock,
                           const struct ir_module *module, uint32_t tick);

/* Does CALL's callee run on the clock of its caller? */
bool clock_inlines(const struct clock *clock, const struct ir_call *call);

#endif
