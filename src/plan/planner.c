/* planner.c - see planner.h.
 *
 * In this order: nothing to do; other orders alone (moves before clones);
 * decoders on the program order and, for programs that are not too large, on
 * the other orders.  What fits and is cheapest wins, ties by length, then by
 * the order of trying.  Where nothing fits the budget, or only with more
 * clones than the bound allows, the lowest budget that can be met is found by
 * bisection. */
#include "plan/planner.h"
#include "plan/bound.h"
#include "plan/exact.h"
#include "plan/search.h"
#include "support/checked.h"

#include <assert.h>

enum { BISECTIONS = 10, BOUND_EFFORT = 4000000 };

struct plan_settings
plan_default_settings(void) {
  return (struct plan_settings){
      .strategy = PLAN_BEST,
      .orders = (1u << PLAN_ORDER_COUNT) - 1,
      .orders_max = 20000,
      .portfolio_max = 20000,
      .eliminate = true,
      .clone_bound = 8,
      .closure_max = 24,
      .rounds_max = 80,
      .fraction = 0.15,
      .seed = 1,
      .exact_max = 28,
      .exact_states = 1000000,
  };
}

/* What one run of the planners works on. */
struct planning {
  const struct plan_problem *problem;
  const struct plan_settings *settings;
  struct plan_result *result;
  struct arena *arena;
  bool found; /* the result fits the budget of this run */
  const uint32_t *orders[PLAN_ORDER_COUNT]; /* NULL: not decoded */
  const struct plan_problem *permuted[PLAN_ORDER_COUNT];
};

/* The longest sequence that is worth making. */
static uint32_t
most_instances(const struct planning *planning) {
  uint64_t nodes = planning->problem->node_count;
  uint64_t times = planning->settings->instances_bound;
  if (!times)
    times = planning->settings->clone_bound
                ? (uint64_t)planning->settings->clone_bound + 1
                : 64;
  /* A walk that wastes its limit on a large program takes minutes. */
  if (nodes > planning->settings->portfolio_max && times > 3)
    times = 3;
  uint64_t most = nodes * times + 16;
  return most < PLAN_NONE / 2 ? (uint32_t)most : PLAN_NONE / 2;
}

/* Does a plan with FIGURES obey the bound on clones? */
static bool
within_bound(const struct planning *planning,
             const struct plan_figures *figures) {
  return !planning->settings->clone_bound ||
         figures->clones <= (uint64_t)planning->settings->clone_bound *
                                planning->problem->node_count;
}

/* Take SEQUENCE, which fits, where it is better than what was found. */
static void
offer_plan(struct planning *planning, struct plan_sequence sequence,
           const char *strategy) {
  struct plan_figures figures;
  bool runs = plan_evaluate(planning->problem, sequence, &figures);
  assert(runs);
  (void)runs;
  if (!within_bound(planning, &figures) ||
      (planning->found && !plan_better(&figures, &planning->result->figures)))
    return;
  planning->found = true;
  planning->result->sequence = plan_copy(sequence, planning->arena);
  planning->result->figures = figures;
  planning->result->strategy = strategy;
}

/* Take the orders alone: of those that fit the budget the first. */
static void
try_moves(struct planning *planning, uint64_t budget) {
  struct arena scratch = {0};
  for (uint32_t order = 0; order < PLAN_ORDER_COUNT && !planning->found;
       order++) {
    struct plan_sequence sequence = {
        plan_order_nodes(planning->problem, order, &scratch),
        planning->problem->node_count};
    struct plan_figures figures;
    plan_drop_dead(planning->problem, &sequence);
    plan_evaluate(planning->problem, sequence, &figures);
    if (figures.peak_bytes <= budget)
      offer_plan(planning, sequence, plan_order_names[order]);
    arena_empty(&scratch);
  }
}

/* Permute the problem once for every order that is decoded and differs from
 * those before. */
static void
prepare_orders(struct planning *planning) {
  const struct plan_problem *problem = planning->problem;
  uint32_t wanted = planning->settings->orders;
  if (problem->node_count > planning->settings->orders_max)
    wanted = 1u << PLAN_PROGRAM;
  for (uint32_t order = 0; order < PLAN_ORDER_COUNT; order++) {
    if (!(wanted >> order & 1))
      continue;
    uint32_t *nodes = plan_order_nodes(problem, order, planning->arena);
    planning->orders[order] = nodes;
    planning->permuted[order] =
        order == PLAN_PROGRAM ? problem
                              : plan_permute(problem, nodes, planning->arena);
  }
}

/* Run DECODER on ORDER. */
static void
try_decoder(struct planning *planning, uint64_t budget, uint32_t order,
            uint32_t decoder) {
  struct arena scratch = {0};
  struct plan_sequence sequence;
  struct plan_goal goal = {.budget_bytes = budget,
                           .most_instances = most_instances(planning)};
  if (plan_decode(planning->permuted[order], &goal, planning->settings, decoder,
                  &sequence, &scratch)) {
    for (uint32_t i = 0; i < sequence.count; i++)
      sequence.nodes[i] = planning->orders[order][sequence.nodes[i]];
    const char *name = plan_decoder_names[decoder];
    if (order != PLAN_PROGRAM)
      name =
          arena_printf(planning->arena, "%s+%s", plan_order_names[order], name);
    offer_plan(planning, sequence, name);
  }
  arena_empty(&scratch);
}

/* Is what was found known to be the cheapest? */
static bool
is_proved(const struct planning *planning) {
  return planning->found &&
         planning->result->figures.cost_ns <= planning->result->bound_cost_ns;
}

/* Is DECODER worth its time?  The chain planner's table is large: it is left
 * out where what was found is within a percent of the bound. */
static bool
is_worthwhile(const struct planning *planning, uint32_t decoder) {
  uint64_t base = planning->problem->base_cost_ns;
  return decoder != PLAN_CHAIN_DECODER || !planning->found ||
         planning->result->figures.cost_ns >
             saturating_add(planning->result->bound_cost_ns, base / 100);
}

/* Everything the strategy allows, towards BUDGET. */
static bool
plan_towards(struct planning *planning, uint64_t budget) {
  const struct plan_settings *settings = planning->settings;
  uint32_t decoders = plan_decoders_of(settings, planning->problem->node_count);
  planning->found = false;
  try_moves(planning, budget);
  if (planning->found || settings->strategy == PLAN_MOVE)
    return planning->found;
  for (uint32_t order = 0; order < PLAN_ORDER_COUNT; order++)
    for (uint32_t decoder = 0; decoder < PLAN_DECODER_COUNT; decoder++)
      if (planning->permuted[order] && decoders >> decoder & 1 &&
          !is_proved(planning) && is_worthwhile(planning, decoder))
        try_decoder(planning, budget, order, decoder);
  return planning->found;
}

/* The lowest budget that can be met, between LOW, which cannot, and what the
 * program has. */
static void
plan_lowest(struct planning *planning, uint64_t low) {
  struct plan_sequence program =
      plan_program_order(planning->problem, planning->arena);
  planning->found = false;
  offer_plan(planning, program, "none");
  uint64_t high = planning->result->figures.peak_bytes;
  struct plan_result best = *planning->result;
  for (uint32_t i = 0; i < BISECTIONS && low + 1 < high; i++) {
    uint64_t middle = low + (high - low) / 2;
    if (plan_towards(planning, middle)) {
      best = *planning->result;
      high = best.figures.peak_bytes;
    } else {
      low = middle;
    }
  }
  *planning->result = best;
}

/* Look for an optimum, or for a plan at all, where the program is small. */
static void
try_exact(struct planning *planning, uint64_t budget) {
  const struct plan_settings *settings = planning->settings;
  struct plan_result *result = planning->result;
  bool found = planning->found;
  if (planning->problem->node_count > settings->exact_max ||
      is_proved(planning))
    return;
  struct plan_exact_limits limits = {
      .budget_bytes = budget,
      .cost_limit_ns = found ? result->figures.cost_ns : UINT64_MAX,
      .states_max = settings->exact_states,
  };
  struct arena scratch = {0};
  struct plan_sequence sequence;
  switch (plan_exact(planning->problem, &limits, &sequence, &scratch)) {
  case PLAN_EXACT_FOUND:
    offer_plan(planning, sequence, "exact");
    result->bound_cost_ns = result->figures.cost_ns;
    break;
  case PLAN_EXACT_IMPOSSIBLE:
    if (found)
      result->bound_cost_ns = result->figures.cost_ns;
    else
      result->proved_infeasible = true;
    break;
  case PLAN_EXACT_GAVE_UP:
    break;
  }
  arena_empty(&scratch);
}

/* Search on from the plan that was found. */
static void
try_search(struct planning *planning, uint64_t budget) {
  struct plan_result *result = planning->result;
  if (!planning->found || planning->settings->search_seconds <= 0 ||
      is_proved(planning))
    return;
  struct plan_sequence sequence = result->sequence;
  const char *name =
      arena_printf(planning->arena, "%s+search", result->strategy);
  if (plan_search(planning->problem, budget, planning->settings, &sequence,
                  planning->arena))
    offer_plan(planning, sequence, name);
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
  *result = (struct plan_result){.strategy = "none"};
  result->bound_bytes = plan_bound_bytes(problem);
  result->bound_cost_ns = plan_bound_cost(problem, budget, BOUND_EFFORT);
  result->proved_infeasible =
      result->bound_bytes > budget || result->bound_cost_ns == UINT64_MAX;
  offer_plan(&planning, plan_program_order(problem, arena), "none");
  planning.found = result->figures.peak_bytes <= budget;
  if (!planning.found) {
    prepare_orders(&planning);
    if (!result->proved_infeasible) {
      plan_towards(&planning, budget);
      try_exact(&planning, budget);
      try_search(&planning, budget);
    }
    if (!planning.found) {
      plan_lowest(&planning, budget);
      planning.found = false;
    }
  }
  result->fits = planning.found;
  result->proved_optimal =
      result->fits && result->figures.cost_ns <= result->bound_cost_ns;
  return result->fits;
}
