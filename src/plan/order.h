/* order.h - other orders of the same nodes, without any clone.
 *
 * Each is an array of node_count nodes in ARENA that respects operands and
 * edges, so nodes that run once and have a mutual order keep it. */
#ifndef REMAT_PLAN_ORDER_H
#define REMAT_PLAN_ORDER_H

#include "plan/problem.h"

enum plan_order {
  PLAN_PROGRAM,
  PLAN_GREEDY,      /* list scheduling: what frees most comes first */
  PLAN_SINK,        /* what grows memory moves down to its first reader */
  PLAN_DFS,         /* post-order from what is returned or not read */
  PLAN_SINK_GREEDY, /* the sink order of the greedy order */
  PLAN_HOIST,       /* what shrinks memory moves up to its last operand */
  PLAN_ORDER_COUNT,
};

/* "program", "greedy", ... */
extern const char *const plan_order_names[PLAN_ORDER_COUNT];

uint32_t *plan_order_nodes(const struct plan_problem *problem,
                           enum plan_order order, struct arena *arena);

#endif
