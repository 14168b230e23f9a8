/* planner.c - see planner.h.
 *
 * In this order: nothing to do; another order alone (moves before clones);
 * decoders on the program order and, for programs that are not too large, on
 * the other orders; a proved optimum where the program is small; search.
 * What fits and is cheapest wins, ties by length, then by the order of
 * trying.  Where nothing fits the budget, or only with more clones than the
 * bound allows, the lowest peak that can be reached is found (lowest.c). */
#include "plan/planner.h"
#include "plan/attempt.h"
#include "plan/bound.h"
#include "plan/exact.h"
#include "plan/search.h"
#include "support/checked.h"

enum {
  BOUND_EFFORT = 4000000, /* operands looked at for the bound on cost */
  GIVEN_UP_MAX = 3,       /* exact searches for the lowest peak */
  UNFOUND_TIMES = 4,      /* states by settings where nothing was found */
};

/* How the polish grows with the distance to the bound, by what the program
 * costs. */
#define POLISH_GAIN 30.0
#define POLISH_TIMES_MAX 10.0
#define POLISH_MISSED_MAX 2.0 /* where the budget was not met anyway */

/* Within such a share of the extra cost of the bound, few steps gain anything,
 * the fewer the larger the program, and a large one gets fewer of them: above
 * so many nodes the polish shrinks with the square. */
#define POLISH_NEAR 0.025
#define POLISH_NEAR_NODES 400.0

struct plan_settings
plan_default_settings(void) {
  return (struct plan_settings){
      .strategy = PLAN_BEST,
      .orders = 1 << PLAN_PROGRAM | 1 << PLAN_GREEDY | 1 << PLAN_SINK |
                1 << PLAN_DFS | 1 << PLAN_SINK_GREEDY | 1 << PLAN_HOIST,
      .orders_max = 200000,
      .orders_seconds = 4,
      .portfolio_max = 20000,
      .eliminate = true,
      .clone_bound = 8,
      .closure_max = 24,
      .rounds_max = 80,
      .move_seconds = 0.005,
      .polish_seconds = 0.02,
      .polish_max = 5000,
      .seed = 1,
      .ruin_percent = 80,
      .cut_max = 12000,
      .exact_max = 32,
      .exact_states = 50000,
  };
}

void
planning_try_exact(struct planning *planning) {
  const struct plan_settings *settings = planning->settings;
  struct plan_result *result = planning->result;
  bool found = planning->found;
  if (planning->problem->node_count > settings->exact_max ||
      planning_is_proved(planning) ||
      (planning->any && planning->given_up >= GIVEN_UP_MAX))
    return;
  struct plan_exact_limits limits = {
      .budget_bytes = planning->budget,
      .cost_limit_ns = found ? result->figures.cost_ns : UINT64_MAX,
      /* Whether there is a plan at all is worth more. */
      .states_max = found ? settings->exact_states
                          : (uint32_t)saturating_multiply(
                                settings->exact_states, UNFOUND_TIMES),
  };
  struct arena scratch = {0};
  struct plan_sequence sequence;
  switch (plan_exact(planning->problem, &limits, &sequence, &scratch)) {
  case PLAN_EXACT_FOUND:
    planning_offer(planning, sequence, "exact");
    if (planning->found)
      result->bound_cost_ns = result->figures.cost_ns;
    break;
  case PLAN_EXACT_IMPOSSIBLE:
    result->proved_infeasible = !found;
    if (found)
      result->bound_cost_ns = result->figures.cost_ns;
    break;
  case PLAN_EXACT_GAVE_UP:
    planning->given_up += planning->any;
    break;
  }
  arena_empty(&scratch);
}

/* Seconds of polish: more the further the plan is from the bound. */
static double
polish_seconds(const struct planning *planning) {
  const struct plan_settings *settings = planning->settings;
  const struct plan_result *result = planning->result;
  double base = (double)planning->problem->base_cost_ns;
  double gap = (double)saturating_subtract(result->figures.cost_ns,
                                           result->bound_cost_ns);
  double times = 1 + gap / (base + 1) * POLISH_GAIN;
  double size = planning->problem->node_count / POLISH_NEAR_NODES;
  double times_max = planning->missed ? POLISH_MISSED_MAX : POLISH_TIMES_MAX;
  if (times > times_max)
    times = times_max;
  if (size > 1 && gap < ((double)result->figures.cost_ns - base) * POLISH_NEAR)
    times /= size * size;
  return planning->problem->node_count > settings->polish_max
             ? 0
             : settings->polish_seconds * times;
}

/* Search on from SEQUENCE, which NAME found. */
static void
search_from(struct planning *planning, const struct plan_settings *settings,
            struct plan_sequence sequence, const char *name) {
  name = arena_printf(planning->arena, "%s+search", name);
  if (plan_search(planning->problem, planning->budget, settings, &sequence,
                  planning->arena))
    planning_offer(planning, sequence, name);
}

/* Polish the plan that was found; then, where the user wants more, search from
 * it as it was before: a longer search is never worse than none. */
static void
try_search(struct planning *planning) {
  struct plan_settings settings = *planning->settings;
  if (!planning->found || planning_is_proved(planning) ||
      settings.strategy != PLAN_BEST)
    return;
  const struct plan_sequence sequence = planning->result->sequence;
  const char *name = planning->result->strategy;
  double polish = polish_seconds(planning);
  settings.search_seconds = polish;
  settings.search_adapts = false;
  search_from(planning, &settings, sequence, name);
  settings.search_seconds = planning->settings->search_seconds - polish;
  settings.search_adapts = true;
  if (settings.search_seconds > 0 && !planning_is_proved(planning))
    search_from(planning, &settings, sequence, name);
}

/* The lower bound on cost for the budget of this run. */
static uint64_t
bound_cost(const struct planning *planning) {
  return plan_bound_cost(planning->problem, planning->budget, BOUND_EFFORT,
                         planning->problem->node_count <=
                             planning->settings->cut_max);
}

/* The decoders that made a plan of the program order in this run. */
static uint32_t
successful(const struct planning *planning) {
  uint32_t decoders = 0;
  for (uint32_t i = 0; i < PLAN_DECODER_COUNT; i++)
    if (planning->first_cost_ns[i] != UINT64_MAX)
      decoders |= 1u << i;
  return decoders;
}

/* Is a single walk all that is tried?  Then there is nothing to hurry for. */
static bool
is_one_walk(const struct planning *planning) {
  return planning->settings->strategy == PLAN_SIMULATE &&
         planning->problem->node_count > planning->settings->portfolio_max;
}

/* Try the decoders on the program order, those that reach low first and in a
 * hurry, then all and on other orders, unless the budget is out of reach. */
static void
try_orders(struct planning *planning, uint32_t orders) {
  const struct plan_settings *settings = planning->settings;
  uint32_t nodes = planning->problem->node_count;
  uint32_t decoders = plan_decoders_of(settings, nodes);
  planning->order_set = orders & 1u << PLAN_PROGRAM;
  if (nodes > PLANNING_SMALL && !is_one_walk(planning)) {
    planning->decoder_set = planning_low_decoders(planning);
    planning->hurried = true;
    planning_try_all(planning);
    planning->hurried = false;
    if (!planning->found && !planning_approach(planning, orders))
      return;
  }
  planning->order_set = orders & 1u << PLAN_PROGRAM;
  planning->decoder_set = decoders & ~successful(planning);
  planning_try_all(planning);
  planning->order_set = orders & ~(1u << PLAN_PROGRAM);
  planning->decoder_set = decoders;
  planning_try_all(planning);
}

/* Everything that the strategy allows, on ORDERS, towards the budget. */
static void
plan_towards(struct planning *planning, uint32_t orders) {
  const struct plan_settings *settings = planning->settings;
  uint32_t nodes = planning->problem->node_count;
  planning_try_move(planning);
  if (settings->strategy == PLAN_MOVE)
    return;
  if (settings->strategy != PLAN_EXACT || nodes > settings->exact_max)
    try_orders(planning,
               nodes > settings->orders_max || settings->strategy != PLAN_BEST
                   ? 1u << PLAN_PROGRAM
                   : orders);
  if (settings->strategy == PLAN_BEST || settings->strategy == PLAN_EXACT)
    planning_try_exact(planning);
  try_search(planning);
}

/* The plan with the lowest peak that is found, then a cheap one with that
 * peak. */
static void
plan_lowest(struct planning *planning) {
  bool large = planning->problem->node_count > PLANNING_LARGE;
  planning->missed = true;
  planning->result->bound_cost_ns = 0; /* that was of another budget */
  planning_find_lowest(planning);
  planning_begin(planning, planning->lowest.figures.peak_bytes);
  *planning->result = planning->lowest;
  planning->found = true;
  planning->result->bound_cost_ns = bound_cost(planning);
  if (planning->lowest.figures.clones && !large)
    plan_towards(planning, 1u << planning->last_order);
}

bool
plan_best(const struct plan_problem *problem, uint64_t budget_bytes,
          const struct plan_settings *settings, struct plan_result *result,
          struct arena *arena) {
  struct planning planning = {.problem = problem,
                              .settings = settings,
                              .result = result,
                              .arena = arena};
  uint64_t budget =
      budget_bytes < PLAN_BYTES_MAX ? budget_bytes : PLAN_BYTES_MAX;
  planning.budget = budget;
  *result = (struct plan_result){
      .strategy = "none",
      .bound_bytes = plan_bound_bytes(problem),
      .bound_cost_ns = bound_cost(&planning),
  };
  result->proved_infeasible =
      result->bound_bytes > budget || result->bound_cost_ns == UINT64_MAX;
  planning_begin(&planning, PLAN_BYTES_MAX);
  planning_offer(&planning, plan_program_order(problem, arena), "none");
  planning.lowest = *result;
  if (result->figures.peak_bytes > budget)
    planning_begin(&planning, budget);
  if (!planning.found && !result->proved_infeasible)
    plan_towards(&planning, settings->orders);
  result->fits = planning.found;
  result->work = planning.former_work + planning.work;
  if (planning.found) {
    result->others = planning.others.data;
    result->other_count = planning.others.count;
    result->clone_bound_reached = false;
    result->proved_optimal = result->figures.cost_ns <= result->bound_cost_ns;
    return true;
  }
  struct plan_result verdict = *result;
  if (budget >= planning.unmet)
    planning.unmet = budget;
  if (result->bound_bytes > planning.unmet)
    planning.unmet = result->bound_bytes - 1;
  plan_lowest(&planning);
  result->fits = false;
  result->work = planning.former_work + planning.work;
  result->proved_infeasible = verdict.proved_infeasible;
  result->clone_bound_reached = verdict.clone_bound_reached;
  return false;
}
