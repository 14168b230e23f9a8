/* lowest.c - the lowest budget that can be met; see attempt.h.
 *
 * By bisection between what was not met and the lowest peak so far: first with
 * the decoders that reach low on the program order, coarsely; then the one
 * that came lowest on the other orders, as long as that lowers the peak by a
 * step; at last to the end with the pair that came lowest of all.  Each
 * question is whether there is a plan, so the first pair that finds one
 * answers it, and pairs that failed are not asked for less again.
 *
 * What fails costs some ten times of what succeeds: decoders end by their
 * limits then.  So the same is done where the program order did not meet a
 * budget, before all pairs are tried in vain. */
#include "plan/attempt.h"
#include "support/checked.h"

enum {
  REACH_SHARE = 5, /* of the budget: where no more than so much above it was not
                      met on the program order, other orders are tried */
  /* Shares of the lowest peak to which it is looked for. */
  FINE = 512,
  COARSE = 12,
  COARSE_LARGE = 6,
  STEP_SHARE = 24,
  STEPS_MAX = 4,
  FEW_NODES = 500, /* up to which the last step asks more than one pair */
  STEP_NODES_MAX = 20000, /* larger programs are not tried in other orders */
};

/* KEEP WITH the tables of portfolio.c: decoders that reach the lowest peaks on
 * the program order, and those that do where the order is another. */
enum {
  LOW_DECODERS =
      1 << 0 | 1 << 2 | 1 << 6 | 1 << 7 | 1 << 9 | 1 << PLAN_CHAIN_DECODER,
  SMALL_DECODERS = LOW_DECODERS | 1 << 4,
  STEP_DECODERS = 1 << 0,
  FEW_DECODERS = 1 << 0 | 1 << 2,
  NEAR_DECODERS = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 7,
};

uint32_t
planning_low_decoders(const struct planning *planning) {
  const struct plan_settings *settings = planning->settings;
  uint32_t nodes = planning->problem->node_count;
  uint32_t decoders = plan_decoders_of(settings, nodes);
  bool few = settings->strategy != PLAN_BEST || nodes > settings->portfolio_max;
  return few                       ? decoders
         : nodes <= PLANNING_SMALL ? decoders & SMALL_DECODERS
                                   : decoders & LOW_DECODERS;
}

/* Orders that reach low where all is tried. */
enum { SMALL_ORDERS = 1 << PLAN_PROGRAM | 1 << PLAN_SINK | 1 << PLAN_HOIST };

/* May other orders be tried? */
static bool
may_reorder(const struct planning *planning) {
  return planning->settings->strategy == PLAN_BEST &&
         planning->problem->node_count <= STEP_NODES_MAX;
}

/* Do the chosen pairs find a plan for BUDGET?  Notes the answer. */
static bool
can_meet(struct planning *planning, uint64_t budget) {
  planning_begin(planning, budget);
  planning->any = true;
  planning_try_move(planning);
  if (planning->settings->strategy != PLAN_MOVE) {
    planning_try_all(planning);
    if (!planning->found)
      planning_try_exact(planning);
  }
  planning->any = false;
  if (planning->found)
    planning->lowest = *planning->result;
  return planning->found;
}

/* Halve what is between the largest budget not met and the lowest peak until
 * that is a SHARE of the peak. */
static void
narrow(struct planning *planning, uint64_t share) {
  for (;;) {
    uint64_t high = planning->lowest.figures.peak_bytes;
    uint64_t *unmet =
        planning->hurried ? &planning->unmet_hurried : &planning->unmet;
    uint64_t low = *unmet > planning->unmet ? *unmet : planning->unmet;
    if (low >= high || high - low <= high / share + 1 ||
        high <= planning->floor)
      return;
    uint64_t middle = low + (high - low) / 2;
    if (!can_meet(planning, middle))
      *unmet = middle;
  }
}

/* Choose the decoders that reach low on the program order. */
static void
choose_low_pairs(struct planning *planning) {
  bool small = planning->problem->node_count <= PLANNING_SMALL;
  planning->order_set =
      small && may_reorder(planning) ? SMALL_ORDERS : 1u << PLAN_PROGRAM;
  planning->decoder_set = planning_low_decoders(planning);
}

/* On the program order, coarsely; small programs finely and on all orders. */
static void
narrow_coarsely(struct planning *planning) {
  bool large = planning->problem->node_count > PLANNING_LARGE;
  bool small = planning->problem->node_count <= PLANNING_SMALL;
  choose_low_pairs(planning);
  planning->hurried = !small;
  narrow(planning, small ? FINE : large ? COARSE_LARGE : COARSE);
  planning->hurried = false;
}

/* Orders that may reach lower than the program's: those that always may, and
 * where some lower the peak, all. */
static uint32_t
step_orders(struct planning *planning) {
  uint64_t program = planning_order_peak(planning, PLAN_PROGRAM);
  for (uint32_t order = 0; order < PLAN_ORDER_COUNT; order++)
    if (planning_order_peak(planning, order) < program - program / STEP_SHARE)
      return planning->settings->orders;
  return planning->settings->orders & SMALL_ORDERS;
}

/* On other orders, step by step, with the decoder that came lowest and those
 * that come low most of the time.  */
static void
step_down(struct planning *planning) {
  const struct plan_settings *settings = planning->settings;
  uint32_t all = plan_decoders_of(settings, planning->problem->node_count);
  planning->order_set = step_orders(planning);
  for (uint32_t i = 0; i < STEPS_MAX; i++) {
    uint64_t high = planning->lowest.figures.peak_bytes;
    uint64_t budget = high - high / STEP_SHARE;
    if (budget <= planning->unmet || high <= planning->floor)
      return;
    planning->decoder_set =
        all & (1u << planning->last_decoder | STEP_DECODERS);
    if (!can_meet(planning, budget)) {
      planning->unmet = budget;
      return;
    }
  }
}

void
planning_find_lowest(struct planning *planning) {
  bool large = planning->problem->node_count > PLANNING_LARGE;
  narrow_coarsely(planning);
  if (may_reorder(planning) && planning->problem->node_count > PLANNING_SMALL)
    step_down(planning);
  planning->order_set = 1u << planning->last_order;
  planning->decoder_set = 1u << planning->last_decoder;
  if (planning->problem->node_count <= FEW_NODES)
    planning->decoder_set |= FEW_DECODERS;
  narrow(planning, large ? COARSE : FINE);
}

bool
planning_approach(struct planning *planning, uint32_t orders) {
  struct plan_result result = *planning->result;
  uint64_t budget = planning->budget;
  if (budget > planning->unmet_hurried)
    planning->unmet_hurried = budget;
  planning->result->bound_cost_ns = 0; /* that was of the smaller budget */
  planning->floor = budget;
  narrow_coarsely(planning);
  planning->floor = 0;
  result.clone_bound_reached = planning->result->clone_bound_reached;
  planning_begin(planning, budget);
  *planning->result = result;
  if (planning->unmet_hurried > saturating_add(budget, budget / REACH_SHARE))
    return false;
  if (planning->lowest.figures.peak_bytes <= budget)
    planning_offer(planning, planning->lowest.sequence,
                   planning->lowest.strategy);
  planning->order_set = orders;
  planning->decoder_set =
      plan_decoders_of(planning->settings, planning->problem->node_count) &
      (NEAR_DECODERS | 1u << planning->last_decoder);
  planning->any = true;
  planning_try_all(planning);
  planning->any = false;
  return planning->found;
}
