/* attempt.c - see attempt.h.
 *
 * Every decoder on the program order, then on the other orders.  A pair of
 * order and decoder is left out where what is known makes it pointless:
 *
 * - the order is one that was tried already;
 * - the program is large, and others found a plan on the program order where
 *   the decoder found none in a hurry;
 * - it failed at a budget that was no smaller: plans do not get easier;
 * - on the program order the decoder was far behind the best, which other
 *   orders change little, or the best is about at the bound on cost already
 *   (small programs are tried in full: that costs little);
 * - the program is large, and the order raises its peak;
 * - one more order would take longer than all may;
 * - it failed where only the question was whether there is a plan: a few
 *   times, or once where now the question is what that costs. */
#include "plan/attempt.h"
#include "plan/settle.h"
#include "plan/move.h"
#include "support/checked.h"

#include <assert.h>
#include <string.h>

enum {
  UNBOUNDED_TIMES = 64, /* instances by nodes where clones are unbounded */
  WALK_EXCESS = 3,      /* times the extra cost of the best plan so far */
  LARGE_TIMES = 3,      /* the same for large programs: a walk that wastes
                           its limit there takes minutes */
  SELECTIVE_FROM = 500, /* nodes from which decoders are chosen by what they
                           did on the program order */
  BEHIND_PERCENT = 120, /* of the best extra cost there */
  BEHIND_FLAT_PERCENT = 102, /* the same where the order changes little */
  FLAT_SHARE = 200,          /* of the program's peak */
  PLANS_ENOUGH = 4,          /* to compare them */
  NEAR_BOUND_PERCENT = 1,    /* of the extra cost: not worth other orders */
  FAILURES_MAX = 4,
  HURRIED_VISITS = 120, /* by step of a walk: enough where there is room */
  HURRIED_LARGE = 250,  /* there searches are short, but chains are long */
  MISSED_VISITS = 500,  /* enough for all but one walk in a hundred */
};

/* Is the program one that only the quickest decoders are run on? */
static bool
is_large(const struct planning *planning) {
  return planning->problem->node_count > planning->settings->portfolio_max;
}

/* The longest sequence that is worth making. */
static uint32_t
most_instances(const struct planning *planning) {
  uint64_t nodes = planning->problem->node_count;
  uint64_t times = planning->settings->clone_bound
                       ? (uint64_t)planning->settings->clone_bound + 1
                       : UNBOUNDED_TIMES;
  if (is_large(planning) && times > LARGE_TIMES)
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

/* Is SEQUENCE, which costs COST, that of OTHER? */
static bool
is_same(const struct plan_other *other, struct plan_sequence sequence,
        uint64_t cost) {
  return other->cost_ns == cost && other->sequence.count == sequence.count &&
         !memcmp(other->sequence.nodes, sequence.nodes,
                 sequence.count * sizeof *sequence.nodes);
}

/* Take SEQUENCE among the plans beside the best, where it is one of the
 * cheapest. */
static void
add_other(struct planning *planning, struct plan_sequence sequence,
          const struct plan_figures *figures, const char *strategy) {
  uint32_t most = planning->settings->others_max, at = planning->others.count;
  struct plan_other *others = planning->others.data;
  for (uint32_t i = 0; i < planning->others.count; i++)
    if (is_same(&others[i], sequence, figures->cost_ns))
      return;
  if (at == most && (!most || others[most - 1].cost_ns <= figures->cost_ns))
    return;
  struct plan_other other = {plan_copy(sequence, planning->arena),
                             figures->peak_bytes, figures->cost_ns, strategy};
  if (at < most)
    vector_push(planning->arena, &planning->others, other);
  others = planning->others.data;
  for (at = planning->others.count - 1;
       at && others[at - 1].cost_ns > figures->cost_ns; at--)
    others[at] = others[at - 1];
  others[at] = other;
}

/* The same as planning_offer, of a sequence that is settled. */
static void
offer_settled(struct planning *planning, struct plan_sequence sequence,
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
  add_other(planning, sequence, &figures, strategy);
  if (planning->found && !plan_better(&figures, &planning->result->figures))
    return;
  planning->found = true;
  planning->result->sequence = plan_copy(sequence, planning->arena);
  planning->result->figures = figures;
  planning->result->strategy = strategy;
}

void
planning_offer(struct planning *planning, struct plan_sequence sequence,
               const char *strategy) {
  struct arena scratch = {0};
  if (plan_settle(planning->problem, &sequence, &scratch))
    offer_settled(planning, sequence, strategy);
  arena_empty(&scratch);
}

void
planning_begin(struct planning *planning, uint64_t budget) {
  planning->budget = budget;
  planning->found = false;
  planning->others.count = 0;
  planning->former_work += planning->work;
  planning->work = planning->order_work = 0;
  memset(planning->first_cost_ns, 0xff, sizeof planning->first_cost_ns);
}

bool
planning_is_proved(const struct planning *planning) {
  return planning->found &&
         planning->result->figures.cost_ns <= planning->result->bound_cost_ns;
}

void
planning_try_move(struct planning *planning) {
  struct arena scratch = {0};
  struct plan_sequence sequence;
  const char *name;
  uint64_t work =
      (uint64_t)(planning->settings->move_seconds * PLAN_WORK_PER_SECOND);
  if (planning->problem->node_count > planning->settings->orders_max)
    work = 0;
  if (planning->budget <= planning->unmoved)
    return;
  if (plan_move(planning->problem, planning->budget, work, &sequence, &name,
                &scratch))
    planning_offer(planning, sequence, name);
  else
    planning->unmoved = planning->budget;
  arena_empty(&scratch);
}

/* Permute the problem for ORDER, once.  False where an earlier order is the
 * same. */
static bool
prepare_order(struct planning *planning, uint32_t order) {
  const struct plan_problem *problem = planning->problem;
  size_t bytes = problem->node_count * sizeof(uint32_t);
  if (planning->permuted[order])
    return true;
  if (!planning->orders[order])
    planning->orders[order] = plan_order_nodes(problem, order, planning->arena);
  for (uint32_t other = 0; other < PLAN_ORDER_COUNT; other++)
    if (planning->permuted[other] &&
        !memcmp(planning->orders[other], planning->orders[order], bytes))
      return false;
  planning->permuted[order] =
      order == PLAN_PROGRAM
          ? problem
          : plan_permute(problem, planning->orders[order], planning->arena);
  return true;
}

uint64_t
planning_order_peak(struct planning *planning, uint32_t order) {
  const struct plan_problem *problem = planning->problem;
  struct arena scratch = {0};
  struct plan_figures figures;
  if (!planning->orders[order])
    planning->orders[order] = plan_order_nodes(problem, order, planning->arena);
  if (planning->order_peak[order])
    return planning->order_peak[order];
  struct plan_sequence sequence = plan_program_order(problem, &scratch);
  memcpy(sequence.nodes, planning->orders[order],
         sequence.count * sizeof *sequence.nodes);
  plan_evaluate(problem, sequence, &figures);
  arena_empty(&scratch);
  return planning->order_peak[order] = figures.peak_bytes;
}

/* Does ORDER lower the peak of the program by little?  Then it changes what
 * decoders make of it by little too. */
static bool
is_flat(struct planning *planning, uint32_t order) {
  uint64_t program = planning_order_peak(planning, PLAN_PROGRAM);
  return planning_order_peak(planning, order) >= program - program / FLAT_SHARE;
}

/* Is the program large, and does ORDER raise its peak?  Then decoders have
 * more to bring down, and take as long as on one that promises more. */
static bool
is_high(struct planning *planning, uint32_t order) {
  uint64_t program = planning_order_peak(planning, PLAN_PROGRAM);
  return is_large(planning) &&
         planning_order_peak(planning, order) > program + program / FLAT_SHARE;
}

/* What COST is above that of the program. */
static uint64_t
extra_cost(const struct planning *planning, uint64_t cost) {
  return saturating_subtract(cost, planning->problem->base_cost_ns);
}

/* Is what was found so near the bound that another order cannot bring much? */
static bool
is_near_bound(const struct planning *planning) {
  const struct plan_result *result = planning->result;
  if (!planning->found)
    return false;
  uint64_t gap =
      saturating_subtract(result->figures.cost_ns, result->bound_cost_ns);
  uint64_t extra = extra_cost(planning, result->figures.cost_ns);
  return saturating_multiply(gap, 100) <=
         saturating_multiply(extra, NEAR_BOUND_PERCENT);
}

/* Did some decoder find a plan on the program order? */
static bool
has_program_plan(const struct planning *planning) {
  for (uint32_t i = 0; i < PLAN_DECODER_COUNT; i++)
    if (planning->first_cost_ns[i] != UINT64_MAX)
      return true;
  return false;
}

/* Was DECODER more than PERCENT of the best on the program order?  Where few
 * found a plan there, chance has a part in that. */
static bool
was_behind(const struct planning *planning, uint32_t decoder,
           uint32_t percent) {
  uint64_t best = UINT64_MAX, cost = planning->first_cost_ns[decoder];
  uint32_t plans = 0;
  for (uint32_t i = 0; i < PLAN_DECODER_COUNT; i++) {
    uint64_t other = planning->first_cost_ns[i];
    plans += other != UINT64_MAX;
    best = other < best ? other : best;
  }
  return plans >= PLANS_ENOUGH &&
         (cost == UINT64_MAX ||
          saturating_multiply(extra_cost(planning, cost), 100) >
              saturating_multiply(extra_cost(planning, best), percent));
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

/* Does DECODER on ORDER promise something, by what is known of the pair? */
static bool
is_promising(const struct planning *planning, uint32_t order,
             uint32_t decoder) {
  bool selective = planning->problem->node_count >= SELECTIVE_FROM;
  uint32_t failures_max = planning->any ? FAILURES_MAX : 1;
  if (!(planning->order_set >> order & 1) ||
      !(planning->decoder_set >> decoder & 1) ||
      planning->failed_at[order][decoder] >= planning->budget ||
      (planning->hurried &&
       planning->hurried_at[order][decoder] >= planning->budget) ||
      (selective && planning->failures[order][decoder] >= failures_max))
    return false;
  if (!planning->hurried && is_large(planning) && has_program_plan(planning) &&
      planning->first_cost_ns[decoder] == UINT64_MAX)
    return false;
  if (order != PLAN_PROGRAM && !planning->any && selective &&
      (is_near_bound(planning) ||
       was_behind(planning, decoder, BEHIND_PERCENT)))
    return false;
  return is_worthwhile(planning, decoder);
}

/* What a plan may cost: elimination makes it cheaper, but not by more than
 * this. */
static uint64_t
cost_limit(const struct planning *planning) {
  uint64_t base = planning->problem->base_cost_ns;
  if (!planning->found)
    return 0;
  uint64_t extra = extra_cost(planning, planning->result->figures.cost_ns);
  return saturating_add(saturating_add(base, base / 20),
                        saturating_multiply(extra, WALK_EXCESS));
}

/* DECODER on ORDER did not meet the budget. */
static void
note_failure(struct planning *planning, uint32_t order, uint32_t decoder) {
  uint64_t *failed_at = planning->hurried
                            ? &planning->hurried_at[order][decoder]
                            : &planning->failed_at[order][decoder];
  if (planning->budget > *failed_at)
    *failed_at = planning->budget;
  if (planning->any && !planning->hurried)
    planning->failures[order][decoder]++;
}

/* DECODER on ORDER made SEQUENCE. */
static void
note_success(struct planning *planning, uint32_t order, uint32_t decoder,
             struct plan_sequence sequence) {
  uint64_t cost = 0;
  for (uint32_t i = 0; i < sequence.count; i++) {
    sequence.nodes[i] = planning->orders[order][sequence.nodes[i]];
    cost = saturating_add(cost, planning->problem->cost_ns[sequence.nodes[i]]);
  }
  const char *name = plan_decoder_names[decoder];
  if (order == PLAN_PROGRAM)
    planning->first_cost_ns[decoder] = cost;
  else
    name =
        arena_printf(planning->arena, "%s+%s", plan_order_names[order], name);
  planning->last_order = order;
  planning->last_decoder = decoder;
  planning_offer(planning, sequence, name);
}

/* What a walk may look at by step; 0: much.  In large programs one that finds
 * that hard takes longer than all else and is hardly ever the best: it goes on
 * only where nothing else found a plan. */
static uint32_t
most_visits(const struct planning *planning) {
  if (planning->hurried || (is_large(planning) && planning->found))
    return is_large(planning) ? HURRIED_LARGE : HURRIED_VISITS;
  return planning->missed ? MISSED_VISITS : 0;
}

/* Run DECODER on ORDER. */
static void
try_decoder(struct planning *planning, uint32_t order, uint32_t decoder) {
  struct arena scratch = {0};
  struct plan_sequence sequence;
  struct plan_goal goal = {.budget_bytes = planning->budget,
                           .most_instances = most_instances(planning),
                           .cost_limit_ns = cost_limit(planning),
                           .work = &planning->work,
                           .visits_max = most_visits(planning),
                           .given_up = &planning->result->clone_bound_reached};
  if (plan_decode(planning->permuted[order], &goal, planning->settings, decoder,
                  &sequence, &scratch))
    note_success(planning, order, decoder, sequence);
  else if (!goal.cost_limit_ns)
    note_failure(planning, order, decoder);
  arena_empty(&scratch);
}

/* Is ORDER one of those that change little, and DECODER not among the best on
 * the program order?  Asked when the order is prepared. */
static bool
is_flat_and_behind(struct planning *planning, uint32_t order,
                   uint32_t decoder) {
  return order != PLAN_PROGRAM && !planning->any &&
         planning->problem->node_count >= SELECTIVE_FROM &&
         is_flat(planning, order) &&
         was_behind(planning, decoder, BEHIND_FLAT_PERCENT);
}

/* Is there nothing more to look for? */
static bool
is_settled(const struct planning *planning) {
  return planning_is_proved(planning) || (planning->any && planning->found);
}

/* Run DECODER on ORDER where that promises something. */
static void
consider_pair(struct planning *planning, uint32_t order, uint32_t decoder) {
  if (!is_settled(planning) && is_promising(planning, order, decoder) &&
      !is_high(planning, order) && prepare_order(planning, order) &&
      !is_flat_and_behind(planning, order, decoder))
    try_decoder(planning, order, decoder);
}

/* The decoders on ORDER. */
static void
try_order(struct planning *planning, uint32_t order) {
  uint64_t before = planning->work;
  for (uint32_t decoder = 0; decoder < PLAN_DECODER_COUNT; decoder++)
    consider_pair(planning, order, decoder);
  uint64_t work = planning->work - before;
  if (work > planning->order_work)
    planning->order_work = work;
}

void
planning_try_all(struct planning *planning) {
  uint64_t most =
      (uint64_t)(planning->settings->orders_seconds * PLAN_WORK_PER_SECOND);
  if (planning->any)
    consider_pair(planning, planning->last_order, planning->last_decoder);
  for (uint32_t order = 0; order < PLAN_ORDER_COUNT; order++)
    if (order == PLAN_PROGRAM || planning->work + planning->order_work <= most)
      try_order(planning, order);
}
