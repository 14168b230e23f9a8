/* attempt.h - trying orders and decoders on a problem; inside src/plan, shared
 * by attempt.c, which tries, and planner.c, which says towards what. */
#ifndef REMAT_PLAN_ATTEMPT_H
#define REMAT_PLAN_ATTEMPT_H

#include "plan/portfolio.h"

/* What one run of the planners works on, and what it learned. */
struct planning {
  const struct plan_problem *problem;
  const struct plan_settings *settings;
  struct plan_result *result;
  struct arena *arena;
  uint64_t budget; /* of this run */
  bool found;      /* the result fits it */
  bool any;        /* whether there is a plan is all that is asked */
  uint32_t order_set;
  uint32_t decoder_set;
  const uint32_t *orders[PLAN_ORDER_COUNT]; /* NULL: not made yet */
  const struct plan_problem *permuted[PLAN_ORDER_COUNT];
  bool flat[PLAN_ORDER_COUNT]; /* the order alone changes the peak little */

  /* By pair: the largest budget that it did not meet, 0: none; and how many
   * there were while any plan was asked for. */
  uint64_t failed_at[PLAN_ORDER_COUNT][PLAN_DECODER_COUNT];
  uint8_t failures[PLAN_ORDER_COUNT][PLAN_DECODER_COUNT];
  uint32_t given_up;                 /* exact searches of that question */
  uint32_t last_order, last_decoder; /* what found a plan last */
  struct plan_result lowest; /* of the plans for any budget, that with the
                                lowest peak */
  uint64_t unmet;            /* the largest of these budgets not met */

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

/* Look for an order that needs no clone. */
void planning_try_move(struct planning *planning);

/* The decoders of decoder_set on the orders of order_set, as far as they
 * promise something. */
void planning_try_all(struct planning *planning);

#endif
