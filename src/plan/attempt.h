/* attempt.h - trying orders and decoders on a problem; inside src/plan, shared
 * by attempt.c, which tries, lowest.c, which finds the lowest budget that can
 * be met, and planner.c, which says towards what. */
#ifndef REMAT_PLAN_ATTEMPT_H
#define REMAT_PLAN_ATTEMPT_H

#include "plan/portfolio.h"

enum {
  PLANNING_SMALL = 200,  /* nodes up to which everything is tried always */
  PLANNING_LARGE = 5000, /* nodes from which the lowest peak is found coarsely
                            and not made cheaper */
};

/* What one run of the planners works on, and what it learned. */
struct planning {
  const struct plan_problem *problem;
  const struct plan_settings *settings;
  struct plan_result *result;
  struct arena *arena;
  uint64_t budget; /* of this run */
  bool found;      /* the result fits it */
  bool any;        /* whether there is a plan is all that is asked */
  bool missed;     /* the user's budget was not met: the lowest is looked for */
  bool hurried;    /* decoders that find it hard are stopped early */
  uint32_t order_set;
  uint32_t decoder_set;
  const uint32_t *orders[PLAN_ORDER_COUNT]; /* NULL: not made yet */
  const struct plan_problem *permuted[PLAN_ORDER_COUNT];
  uint64_t order_peak[PLAN_ORDER_COUNT]; /* of the order alone */

  /* By pair: the largest budget that it did not meet, 0: none, and the same in
   * a hurry; and how many there were while any plan was asked for. */
  uint64_t failed_at[PLAN_ORDER_COUNT][PLAN_DECODER_COUNT];
  uint64_t hurried_at[PLAN_ORDER_COUNT][PLAN_DECODER_COUNT];
  uint8_t failures[PLAN_ORDER_COUNT][PLAN_DECODER_COUNT];
  uint32_t given_up;                 /* exact searches of that question */
  uint32_t last_order, last_decoder; /* what found a plan last */
  struct plan_result lowest; /* of the plans for any budget, that with the
                                lowest peak */
  uint64_t unmet;            /* the largest of these budgets not met */
  uint64_t unmet_hurried;    /* the same in a hurry */
  uint64_t floor;            /* a budget below which nothing has to be met */
  uint64_t unmoved;          /* the largest that no order alone met */

  VECTOR(struct plan_other) others; /* of this run, the cheapest first */

  uint64_t former_work; /* of the decoders in earlier runs */
  uint64_t work;        /* of the decoders in this run */
  uint64_t order_work;  /* the most that they took for one order */

  /* What the decoders made of the program order in this run, UINT64_MAX:
   * nothing. */
  uint64_t first_cost_ns[PLAN_DECODER_COUNT];
};

/* Begin a run towards BUDGET; nothing is found yet. */
void planning_begin(struct planning *planning, uint64_t budget);

/* Take SEQUENCE where it fits and is better than what was found. */
void planning_offer(struct planning *planning, struct plan_sequence sequence,
                    const char *strategy);

/* Is what was found known to be the cheapest? */
bool planning_is_proved(const struct planning *planning);

/* The peak of ORDER alone. */
uint64_t planning_order_peak(struct planning *planning, uint32_t order);

/* Look for an order that needs no clone. */
void planning_try_move(struct planning *planning);

/* The decoders of decoder_set on the orders of order_set, as far as they
 * promise something. */
void planning_try_all(struct planning *planning);

/* Look for an optimum, or for a plan at all, where the program is small. */
void planning_try_exact(struct planning *planning);

/* The decoders that reach the lowest peaks, as bits. */
uint32_t planning_low_decoders(const struct planning *planning);

/* The program order did not meet the budget: find out how near to it one can
 * come, and where that is near, try ORDERS too.  Returns whether a plan was
 * found. */
bool planning_approach(struct planning *planning, uint32_t orders);

/* Find the plan with the lowest peak, into planning->lowest. */
void planning_find_lowest(struct planning *planning);

#endif
