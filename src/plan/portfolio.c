/* portfolio.c - see portfolio.h.
 *
 * Six settings of the gap planner and five of the walk: each has programs
 * where it is the best of all and programs where it fails; the five are those
 * of 480 that come nearest together to the best of all. */
#include "plan/portfolio.h"
#include "plan/chain.h"
#include "support/checked.h"

#include <string.h>

const char *const plan_decoder_names[PLAN_DECODER_COUNT] = {
    "gap-count-slow",    "gap-excess-slow",    "gap-count", "gap-excess",
    "gap-count-careful", "gap-excess-careful", "walk-even", "walk-small",
    "walk-cost",         "walk-plain",         "walk-far",  "chain",
};

static const struct plan_gap_settings gap_settings[PLAN_GAP_DECODERS] = {
    {.by_excess = false, .fraction = 0.15},
    {.by_excess = true, .fraction = 0.15},
    {.by_excess = false, .fraction = 1},
    {.by_excess = true, .fraction = 1},
    {.by_excess = false, .careful = true, .fraction = 0.15},
    {.by_excess = true, .careful = true, .fraction = 0.15},
};

static const struct plan_simulate_settings
    simulate_settings[PLAN_WALK_DECODERS] = {
        {2, 1, 2, 0.5, 1024}, {1, 1, 2, 0.5, 64}, {2, 0, 3, 2, 1024},
        {2, 1, 2, 0, 64},     {2, 3, 2, 2, 64},
};

/* KEEP WITH the tables above: what is run where all would take too long. */
enum {
  QUICK_DECODERS = 1 << 0 | 1 << PLAN_GAP_DECODERS | 1 << PLAN_CHAIN_DECODER,
  GAP_DECODERS = (1 << PLAN_GAP_DECODERS) - 1,
  WALK_DECODERS = ((1 << PLAN_WALK_DECODERS) - 1) << PLAN_GAP_DECODERS,
};

uint32_t
plan_decoders_of(const struct plan_settings *settings, uint32_t nodes) {
  uint32_t all = (1u << PLAN_DECODER_COUNT) - 1;
  if (nodes > settings->portfolio_max)
    all = QUICK_DECODERS;
  if (settings->strategy == PLAN_GAPS)
    return all & GAP_DECODERS;
  if (settings->strategy == PLAN_SIMULATE)
    return all & WALK_DECODERS;
  return all;
}

/* Sequences so many times over the budget are not repaired. */
enum { REPAIR_TIMES = 2 };

/* The problem whose nodes are the instances of SEQUENCE. */
static struct plan_problem *
instance_problem(const struct plan_problem *problem,
                 const struct plan_timeline *timeline, struct arena *arena) {
  struct plan_builder builder = {.arena = arena};
  uint32_t *latest = ARENA_ARRAY(arena, uint32_t, problem->node_count);
  uint32_t *former = ARENA_ARRAY(arena, uint32_t, timeline->count);
  memset(latest, 0xff, problem->node_count * sizeof *latest);
  for (uint32_t p = 0; p < timeline->count; p++) {
    uint32_t node = timeline->nodes[p];
    unsigned flags = (problem->once[node] ? PLAN_ONCE : 0) |
                     (problem->fixed[node] ? PLAN_FIXED : 0);
    plan_add_node(&builder, problem->cost_ns[node],
                  problem->workspace_bytes[node], flags);
    for (uint32_t i = timeline->read_begin[p]; i < timeline->read_begin[p + 1];
         i++)
      plan_add_operand(&builder, timeline->reads[i]);
    for (uint32_t i = problem->edge_begin[node];
         i < problem->edge_begin[node + 1]; i++)
      plan_add_edge(&builder, latest[problem->edges[i]]);
    for (uint32_t i = problem->closed_begin[node];
         i < problem->closed_begin[node + 1]; i++)
      for (uint32_t at = latest[problem->closed[i]]; at != PLAN_NONE;
           at = former[at])
        plan_add_closed(&builder, at);
    former[p] = latest[node];
    latest[node] = p;
    for (uint32_t slot = timeline->slot_begin[p];
         slot < timeline->slot_begin[p + 1]; slot++) {
      uint32_t value =
          problem->result_begin[node] + slot - timeline->slot_begin[p];
      plan_add_result(&builder, problem->bytes[value],
                      timeline->last[slot] == timeline->count);
      for (uint32_t i = timeline->read_begin[p];
           i < timeline->read_begin[p + 1]; i++)
        if (problem->in_place[value] ==
            plan_slot_value(timeline, timeline->reads[i]))
          plan_set_in_place(&builder, slot, timeline->reads[i]);
    }
  }
  return plan_finish(&builder);
}

/* The weights of the instances of SEQUENCE. */
static const double *
instance_weights(const double *weights, struct plan_sequence sequence,
                 struct arena *arena) {
  if (!weights)
    return NULL;
  double *copies = ARENA_ARRAY(arena, double, sequence.count);
  for (uint32_t p = 0; p < sequence.count; p++)
    copies[p] = weights[sequence.nodes[p]];
  return copies;
}

bool
plan_repair(const struct plan_problem *problem, const struct plan_goal *goal,
            const struct plan_simulate_settings *settings,
            struct plan_sequence *sequence, struct arena *arena) {
  struct arena scratch = {0};
  struct plan_timeline timeline;
  struct plan_figures figures;
  struct plan_sequence walked;
  struct plan_goal inner = *goal;
  inner.weights = instance_weights(goal->weights, *sequence, &scratch);
  plan_timeline_build(&timeline, problem, *sequence, &scratch);
  struct plan_problem *instances =
      instance_problem(problem, &timeline, &scratch);
  bool done = instances &&
              plan_simulate(instances, &inner, settings, &walked, &scratch);
  if (done) {
    for (uint32_t i = 0; i < walked.count; i++)
      walked.nodes[i] = sequence->nodes[walked.nodes[i]];
    plan_drop_dead(problem, &walked);
    done = plan_evaluate(problem, walked, &figures) &&
           figures.peak_bytes <= goal->budget_bytes;
  }
  if (done)
    *sequence = plan_copy(walked, arena);
  arena_empty(&scratch);
  return done;
}

bool
plan_better(const struct plan_figures *a, const struct plan_figures *b) {
  if (a->cost_ns != b->cost_ns)
    return a->cost_ns < b->cost_ns;
  if (a->clones != b->clones)
    return a->clones < b->clones;
  return a->erased > b->erased;
}

/* The gap planner, with repair where it ends above the budget. */
static bool
decode_gaps(const struct plan_problem *problem, const struct plan_goal *goal,
            const struct plan_gap_settings *settings,
            struct plan_sequence *sequence, struct arena *arena) {
  *sequence = plan_program_order(problem, arena);
  plan_drop_dead(problem, sequence);
  if (plan_gap(problem, goal, settings, sequence, arena))
    return true;
  struct plan_figures figures;
  return sequence->count <= goal->most_instances &&
         plan_evaluate(problem, *sequence, &figures) &&
         figures.peak_bytes <
             saturating_multiply(goal->budget_bytes, REPAIR_TIMES) &&
         plan_repair(problem, goal, &simulate_settings[0], sequence, arena);
}

bool
plan_decode(const struct plan_problem *problem, const struct plan_goal *goal,
            const struct plan_settings *settings, uint32_t decoder,
            struct plan_sequence *sequence, struct arena *arena) {
  struct arena scratch = {0};
  struct plan_sequence work;
  bool fits;
  if (decoder < PLAN_GAP_DECODERS) {
    struct plan_gap_settings gap = gap_settings[decoder];
    gap.closure_max = settings->closure_max;
    gap.rounds_max = settings->rounds_max;
    fits = decode_gaps(problem, goal, &gap, &work, &scratch);
  } else if (decoder == PLAN_CHAIN_DECODER) {
    fits = plan_chain(problem, goal, &work, &scratch);
  } else {
    fits = plan_simulate(problem, goal,
                         &simulate_settings[decoder - PLAN_GAP_DECODERS], &work,
                         &scratch);
  }
  if (fits && settings->eliminate)
    plan_eliminate(problem, goal->budget_bytes, PLAN_BY_AREA, &work);
  if (fits)
    *sequence = plan_copy(work, arena);
  arena_empty(&scratch);
  return fits;
}
