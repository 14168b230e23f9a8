/* planner.c - see planner.h.
 *
 * In this order: nothing to do; another order alone (moves before clones);
 * decoders on the program order and, for programs that are not too large, on
 * the other orders; a proved optimum where the program is small; search.
 * What fits and is cheapest wins, ties by length, then by the order of
 * trying.  Where nothing fits the budget, or only with more clones than the
 * bound allows, the lowest peak that can be reached is found by bisection. */
#include "plan/planner.h"
#include "plan/bound.h"
#include "plan/exact.h"
#include "plan/move.h"
#include "plan/search.h"
#include "support/checked.h"

#include <assert.h>

enum {
  BISECTIONS = 10,
  BISECTIONS_LARGE = 4,
  LOW_ORDERS_MAX = 1000,  /* nodes up to which bisection tries other orders */
  BOUND_EFFORT = 4000000, /* operands looked at for the bound on cost */
  UNFOUND_TIMES = 4,      /* states by settings where nothing was found */
  UNBOUNDED_TIMES = 64,   /* instances by nodes where clones are unbounded */
  WALK_EXCESS = 3,        /* times the extra cost of the best plan so far */
  LARGE_TIMES = 3,        /* the same for large programs: a walk that wastes
                             its limit there takes minutes */
};

/* How the polish grows with the distance to the bound, by what the program
 * costs. */
#define POLISH_GAIN 30.0
#define POLISH_TIMES_MAX 10.0

/* Orders that reach the lowest peaks. */
enum { LOW_ORDERS = 1 << PLAN_SINK | 1 << PLAN_HOIST };

/* KEEP WITH the tables of portfolio.c: decoders that reach the lowest peaks;
 * what bisection uses. */
enum {
  LOW_DECODERS =
      1 << 2 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 9 | 1 << PLAN_CHAIN_DECODER,
};

struct plan_settings
plan_default_settings(void) {
  return (struct plan_settings){
      .strategy = PLAN_BEST,
      .orders = 1 << PLAN_PROGRAM | 1 << PLAN_GREEDY | 1 << PLAN_SINK |
                1 << PLAN_DFS | 1 << PLAN_SINK_GREEDY | 1 << PLAN_HOIST,
      .orders_max = 12000,
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

/* What one run of the planners works on. */
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
};

/* The longest sequence that is worth making. */
static uint32_t
most_instances(const struct planning *planning) {
  uint64_t nodes = planning->problem->node_count;
  uint64_t times = planning->settings->clone_bound
                       ? (uint64_t)planning->settings->clone_bound + 1
                       : UNBOUNDED_TIMES;
  if (nodes > planning->settings->portfolio_max && times > LARGE_TIMES)
    times = LARGE_TIMES;
  uint64_t most = saturating_multiply(nodes, times) + 16;
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

/* Take SEQUENCE where it fits and is better than what was found. */
static void
offer_plan(struct planning *planning, struct plan_sequence sequence,
           const char *strategy) {
  struct plan_figures figures;
  bool runs = plan_evaluate(planning->problem, sequence, &figures);
  assert(runs);
  if (!runs || figures.peak_bytes > planning->budget)
    return;
  if (!within_bound(planning, &figures)) {
    planning->result->clone_bound_reached = true;
    return;
  }
  if (planning->found && !plan_better(&figures, &planning->result->figures))
    return;
  planning->found = true;
  planning->result->sequence = plan_copy(sequence, planning->arena);
  planning->result->figures = figures;
  planning->result->strategy = strategy;
}

/* Is what was found known to be the cheapest? */
static bool
is_proved(const struct planning *planning) {
  return planning->found &&
         planning->result->figures.cost_ns <= planning->result->bound_cost_ns;
}

/* Look for an order that needs no clone. */
static void
try_move(struct planning *planning) {
  struct arena scratch = {0};
  struct plan_sequence sequence;
  const char *name;
  uint64_t work =
      (uint64_t)(planning->settings->move_seconds * PLAN_WORK_PER_SECOND);
  if (planning->problem->node_count > planning->settings->orders_max)
    work = 0;
  if (plan_move(planning->problem, planning->budget, work, &sequence, &name,
                &scratch))
    offer_plan(planning, sequence, name);
  arena_empty(&scratch);
}

/* Permute the problem for ORDER, once. */
static void
prepare_order(struct planning *planning, uint32_t order) {
  const struct plan_problem *problem = planning->problem;
  if (planning->permuted[order])
    return;
  planning->orders[order] = plan_order_nodes(problem, order, planning->arena);
  planning->permuted[order] =
      order == PLAN_PROGRAM
          ? problem
          : plan_permute(problem, planning->orders[order], planning->arena);
}

/* Is DECODER worth its time?  The chain planner's table is large: it is left
 * out where what was found is within a percent of the bound.  Care costs
 * where there is room: those settings are for tight budgets. */
static bool
is_worthwhile(const struct planning *planning, uint32_t decoder) {
  uint64_t base = planning->problem->base_cost_ns;
  uint64_t margin =
      decoder == PLAN_CHAIN_DECODER ? base / 100
      : decoder >= PLAN_CAREFUL_DECODER && decoder < PLAN_GAP_DECODERS
          ? base / 20
          : 0;
  return !margin || !planning->found ||
         planning->result->figures.cost_ns >
             saturating_add(planning->result->bound_cost_ns, margin);
}

/* What a walk may cost: elimination makes it cheaper, but not by more than
 * this. */
static uint64_t
cost_limit(const struct planning *planning) {
  uint64_t base = planning->problem->base_cost_ns;
  if (!planning->found)
    return 0;
  uint64_t extra = saturating_subtract(planning->result->figures.cost_ns, base);
  return saturating_add(saturating_add(base, base / 20),
                        saturating_multiply(extra, WALK_EXCESS));
}

/* Run DECODER on ORDER. */
static void
try_decoder(struct planning *planning, uint32_t order, uint32_t decoder) {
  struct arena scratch = {0};
  struct plan_sequence sequence;
  struct plan_goal goal = {.budget_bytes = planning->budget,
                           .most_instances = most_instances(planning),
                           .cost_limit_ns = cost_limit(planning),
                           .given_up = &planning->result->clone_bound_reached};
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

/* Is there nothing more to look for? */
static bool
is_settled(const struct planning *planning) {
  return is_proved(planning) || (planning->any && planning->found);
}

/* Orders alone, then decoders on orders. */
static void
try_all(struct planning *planning) {
  try_move(planning);
  for (uint32_t order = 0; order < PLAN_ORDER_COUNT; order++) {
    if (!(planning->order_set >> order & 1))
      continue;
    prepare_order(planning, order);
    for (uint32_t decoder = 0; decoder < PLAN_DECODER_COUNT; decoder++)
      if (planning->decoder_set >> decoder & 1 && !is_settled(planning) &&
          is_worthwhile(planning, decoder))
        try_decoder(planning, order, decoder);
  }
}

/* Look for an optimum, or for a plan at all, where the program is small. */
static void
try_exact(struct planning *planning) {
  const struct plan_settings *settings = planning->settings;
  struct plan_result *result = planning->result;
  bool found = planning->found;
  if (planning->problem->node_count > settings->exact_max ||
      is_proved(planning))
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
    offer_plan(planning, sequence, "exact");
    if (planning->found)
      result->bound_cost_ns = result->figures.cost_ns;
    break;
  case PLAN_EXACT_IMPOSSIBLE:
    result->proved_infeasible = !found;
    if (found)
      result->bound_cost_ns = result->figures.cost_ns;
    break;
  case PLAN_EXACT_GAVE_UP:
    break;
  }
  arena_empty(&scratch);
}

/* Seconds that the search is for: what the user wants, or the polish, which
 * is longer the further the plan is from the bound. */
static double
search_seconds(const struct planning *planning) {
  const struct plan_settings *settings = planning->settings;
  const struct plan_result *result = planning->result;
  double gap = (double)saturating_subtract(result->figures.cost_ns,
                                           result->bound_cost_ns) /
               ((double)planning->problem->base_cost_ns + 1);
  double times = 1 + gap * POLISH_GAIN;
  if (times > POLISH_TIMES_MAX)
    times = POLISH_TIMES_MAX;
  double polish = planning->problem->node_count > settings->polish_max
                      ? 0
                      : settings->polish_seconds * times;
  return settings->search_seconds > polish ? settings->search_seconds : polish;
}

/* Search on from the plan that was found. */
static void
try_search(struct planning *planning) {
  struct plan_settings settings = *planning->settings;
  if (!planning->found || is_proved(planning) || settings.strategy != PLAN_BEST)
    return;
  settings.search_seconds = search_seconds(planning);
  struct plan_sequence sequence = planning->result->sequence;
  const char *name =
      arena_printf(planning->arena, "%s+search", planning->result->strategy);
  if (plan_search(planning->problem, planning->budget, &settings, &sequence,
                  planning->arena))
    offer_plan(planning, sequence, name);
}

/* Everything that the strategy allows, towards the budget. */
static void
plan_towards(struct planning *planning) {
  const struct plan_settings *settings = planning->settings;
  uint32_t nodes = planning->problem->node_count;
  planning->found = false;
  if (settings->strategy == PLAN_MOVE) {
    try_move(planning);
    return;
  }
  planning->order_set =
      nodes > settings->orders_max || settings->strategy != PLAN_BEST
          ? 1u << PLAN_PROGRAM
          : settings->orders;
  planning->decoder_set = plan_decoders_of(settings, nodes);
  if (settings->strategy != PLAN_EXACT || nodes > settings->exact_max)
    try_all(planning);
  if (settings->strategy == PLAN_BEST || settings->strategy == PLAN_EXACT)
    try_exact(planning);
  try_search(planning);
}

/* The lower bound on cost for the budget of this run. */
static uint64_t
bound_cost(const struct planning *planning) {
  return plan_bound_cost(planning->problem, planning->budget, BOUND_EFFORT,
                         planning->problem->node_count <=
                             planning->settings->cut_max);
}

/* Is there a plan for BUDGET? */
static bool
can_meet(struct planning *planning, uint64_t budget) {
  planning->budget = budget;
  planning->found = false;
  if (planning->settings->strategy == PLAN_MOVE) {
    try_move(planning);
    return planning->found;
  }
  try_all(planning);
  if (!planning->found)
    try_exact(planning);
  return planning->found;
}

/* The lowest peak that is found by bisection between LOW, which cannot be
 * met, and that of the program; then a cheap plan with that peak. */
static void
plan_lowest(struct planning *planning, uint64_t low) {
  const struct plan_settings *settings = planning->settings;
  const struct plan_problem *problem = planning->problem;
  bool large = problem->node_count > settings->portfolio_max;
  uint32_t steps = large ? BISECTIONS_LARGE : BISECTIONS;
  planning->budget = PLAN_BYTES_MAX;
  planning->found = false;
  planning->any = true;
  planning->result->bound_cost_ns = 0; /* that was of another budget */
  offer_plan(planning, plan_program_order(problem, planning->arena), "none");
  struct plan_result best = *planning->result;
  planning->order_set = 1u << PLAN_PROGRAM;
  if (problem->node_count <= LOW_ORDERS_MAX && settings->strategy == PLAN_BEST)
    planning->order_set |= LOW_ORDERS;
  planning->decoder_set =
      plan_decoders_of(settings, problem->node_count) &
      (LOW_DECODERS | (settings->strategy == PLAN_BEST ? 0 : ~0u));
  for (uint32_t i = 0; i < steps && low + 1 < best.figures.peak_bytes; i++) {
    uint64_t middle = low + (best.figures.peak_bytes - low) / 2;
    if (can_meet(planning, middle))
      best = *planning->result;
    else
      low = middle;
  }
  *planning->result = best;
  planning->any = false;
  planning->budget = best.figures.peak_bytes;
  planning->result->bound_cost_ns = bound_cost(planning);
  if (best.figures.clones && !large)
    plan_towards(planning);
  if (!planning->found) {
    best.bound_cost_ns = planning->result->bound_cost_ns;
    *planning->result = best;
  }
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
  offer_plan(&planning, plan_program_order(problem, arena), "none");
  if (!planning.found && !result->proved_infeasible)
    plan_towards(&planning);
  result->fits = planning.found;
  if (planning.found) {
    result->clone_bound_reached = false;
    result->proved_optimal = result->figures.cost_ns <= result->bound_cost_ns;
    return true;
  }
  struct plan_result verdict = *result;
  plan_lowest(&planning,
              budget >= result->bound_bytes ? budget : result->bound_bytes - 1);
  result->fits = false;
  result->proved_infeasible = verdict.proved_infeasible;
  result->clone_bound_reached = verdict.clone_bound_reached;
  return false;
}
