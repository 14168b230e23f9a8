/* loop_choice.h - which values of a writer to keep, for less and less memory.
 */
#ifndef REMAT_PASSES_LOOP_CHOICE_H
#define REMAT_PASSES_LOOP_CHOICE_H

#include "passes/loop_rewrite.h"

struct loop_costs {
  const struct facts *facts;
  bool fused;          /* what fuses does not move its bytes */
  double bytes_per_ns; /* of the device's memory; 0: not known */
};

/* One way to do it. */
struct loop_point {
  bool possible; /* false: without the values that the query forbids nothing
                    can be done, or it took too long to find out */
  struct loop_plan plan;
  uint64_t bytes;   /* of the stacks that the plan may choose */
  uint64_t cost_ns; /* of what runs again, all iterations together */
};

struct loop_chooser;

/* May STACK be dropped? */
bool loop_droppable(const struct loops *loops, const struct loop_stack *stack);

/* Why STACK, of CHOOSER's writer, has to stay whatever it costs, and at which
 * op; or NULL. */
const char *loop_fixed(const struct loop_chooser *chooser,
                       const struct loop_stack *stack, op_id *op);

/* Choices for the loop WRITER, which has stacks that can be dropped. */
struct loop_chooser *loop_chooser_new(struct arena *arena,
                                      const struct loops *loops,
                                      uint32_t writer,
                                      const struct loop_costs *costs);

/* What a choice is to be best for. */
struct loop_query {
  double price;       /* of a byte, in nanoseconds */
  uint32_t seed;      /* not 0: sizes are off by some percent, which finds plans
                         between those that any price gives */
  flat_id without[2]; /* values that may not be kept, or NONE */
};

/* The best plan for QUERY.  Its bytes and cost are the true ones. */
struct loop_point loop_choose(const struct loop_chooser *chooser,
                              const struct loop_query *query);

/* What a choice is made of. */
struct loop_body {
  struct arena *arena;
  const struct loops *loops;
  const struct facts *facts;
  const uint64_t *again_ns; /* by flat op of the writer: to run once more */
  uint64_t slots;           /* of a new stack */
};
struct loop_body loop_chooser_body(const struct loop_chooser *chooser);

/* Can VALUE of the writer be put into a stack of its own? */
bool loop_stackable(const struct loop_chooser *chooser, flat_id value);

#endif
