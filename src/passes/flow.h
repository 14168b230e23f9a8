/* flow.h - bodies of ops, whichever way a format writes them.
 *
 * A body is a region of an op, or a function that it alone calls (HLO).  Both
 * take arguments and hand values on; this gives them one shape. */
#ifndef REMAT_PASSES_FLOW_H
#define REMAT_PASSES_FLOW_H

#include "passes/clock.h"

struct flow_body {
  region_id region;     /* NONE for a function */
  function_id function; /* NONE for a region */
  bool condition;       /* of a loop: decides whether to go on */
  uint32_t argument_count, yield_count;
};

/* The bodies of OP that run on its CLOCK (NULL: all): up to CAPACITY into
 * BODIES; how many there are. */
uint32_t flow_bodies(const struct ir_module *module, const struct facts *facts,
                     const struct clock *clock, op_id op,
                     struct flow_body *bodies, uint32_t capacity);

/* Argument INDEX of BODY, or NONE. */
value_id flow_argument(const struct ir_module *module,
                       const struct flow_body *body, uint32_t index);

/* Value INDEX that BODY hands on at its end. */
value_id flow_yield(const struct ir_module *module, const struct facts *facts,
                    const struct flow_body *body, uint32_t index);

/* Is operand INDEX of OP taken over by a loop's body? */
bool flow_carries(const struct facts *facts, const struct ir_module *module,
                  op_id op, uint32_t index);

#endif
