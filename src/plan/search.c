/* search.c - see search.h.
 *
 * Steps of two kinds, both with elimination at the end and kept when the plan
 * is no worse:
 *
 * ruin: take some clones out of the plan and move some instances, which puts
 * it over the budget somewhere, and let the gap planner mend it with weights
 * that are random for the step;
 *
 * decode: change a few of the weights and places that a decoder was given,
 * and decode again from the start.
 *
 * Work is counted, not timed, so that a search is repeatable. */
#include "plan/search.h"
#include "plan/random.h"

#include <string.h>

/* Instances that a machine of our time handles in a second, and what a step
 * costs whatever its length. */
#define WORK_PER_SECOND 1.5e6
enum { STEP_WORK = 60, MOVES_MAX = 3 };

struct search {
  const struct plan_problem *problem;
  const struct plan_settings *settings;
  struct plan_random random;
  struct plan_goal goal;
  uint64_t budget;
  double *weights; /* by node: of the decoder */
  double *trial_weights;
  uint32_t *order; /* of the decoder */
  uint32_t *trial_order;
  uint32_t decoder;
  struct plan_figures decoded; /* the best by decoding; cost 0: none yet */
  struct plan_sequence best;
  struct plan_figures figures;
  struct arena *arena;
  bool changed;
};

/* Keep TRIAL where it fits and is no worse. */
static bool
keep(struct search *search, struct plan_sequence trial) {
  struct plan_figures figures;
  if (!plan_evaluate(search->problem, trial, &figures) ||
      figures.peak_bytes > search->budget ||
      trial.count > search->goal.most_instances ||
      plan_better(&search->figures, &figures))
    return false;
  if (trial.count > search->best.count)
    search->best.nodes =
        ARENA_ARRAY(search->arena, uint32_t, (size_t)trial.count);
  memcpy(search->best.nodes, trial.nodes, trial.count * sizeof *trial.nodes);
  search->best.count = trial.count;
  search->figures = figures;
  search->changed = true;
  return true;
}

/* Take up to MOST clones at random out of TRIAL, half the time from one
 * neighbourhood. */
static void
remove_clones(struct search *search, struct plan_sequence *trial, uint32_t most,
              struct arena *scratch) {
  bool *ran = ARENA_ARRAY(scratch, bool, search->problem->node_count);
  uint32_t *clones = ARENA_ARRAY(scratch, uint32_t, trial->count);
  uint32_t count = 0, kept = 0;
  for (uint32_t p = 0; p < trial->count; p++) {
    if (ran[trial->nodes[p]])
      clones[count++] = p;
    ran[trial->nodes[p]] = true;
  }
  if (!count)
    return;
  bool *gone = ARENA_ARRAY(scratch, bool, trial->count);
  bool together = plan_random_chance(&search->random, 50);
  uint32_t at = plan_random_below(&search->random, count);
  for (uint32_t i = 0; i < most; i++) {
    gone[clones[at]] = true;
    at = together ? (at + 1 + plan_random_below(&search->random, 3)) % count
                  : plan_random_below(&search->random, count);
  }
  for (uint32_t p = 0; p < trial->count; p++)
    if (!gone[p])
      trial->nodes[kept++] = trial->nodes[p];
  trial->count = kept;
}

/* Move the entry at FROM of NODES to place TO. */
static void
move_entry(uint32_t *nodes, uint32_t from, uint32_t to) {
  uint32_t node = nodes[from];
  if (from < to)
    memmove(nodes + from, nodes + from + 1, (to - from) * sizeof *nodes);
  else
    memmove(nodes + to + 1, nodes + to, (from - to) * sizeof *nodes);
  nodes[to] = node;
}

/* Does NODE read a value of PRODUCER, or have to come after it? */
static bool
depends(const struct plan_problem *problem, uint32_t node, uint32_t producer) {
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++)
    if (problem->producer[problem->operands[i]] == producer)
      return true;
  for (uint32_t i = problem->edge_begin[node];
       i < problem->edge_begin[node + 1]; i++)
    if (problem->edges[i] == producer)
      return true;
  return false;
}

/* Move one instance of TRIAL at random to another place between what it reads
 * and what reads it: later by preference. */
static void
move_instance(struct search *search, struct plan_sequence *trial) {
  const struct plan_problem *problem = search->problem;
  struct plan_random *random = &search->random;
  uint32_t from = plan_random_below(random, trial->count);
  uint32_t node = trial->nodes[from], first = from, last = from;
  while (first && trial->nodes[first - 1] != node &&
         !depends(problem, node, trial->nodes[first - 1]))
    first--;
  while (last + 1 < trial->count && trial->nodes[last + 1] != node &&
         !depends(problem, trial->nodes[last + 1], node))
    last++;
  uint32_t to = plan_random_chance(random, 40)
                    ? last
                    : first + plan_random_below(random, last - first + 1);
  move_entry(trial->nodes, from, to);
}

/* Weights that are 1 for most nodes. */
static void
scatter_weights(struct search *search) {
  uint32_t nodes = search->problem->node_count;
  for (uint32_t node = 0; node < nodes; node++)
    search->trial_weights[node] = 1;
  double spread = plan_random_unit(&search->random) * 2;
  for (uint32_t node = 0; node < nodes; node++)
    search->trial_weights[node] = plan_random_factor(&search->random, spread);
}

/* Mend TRIAL with the gap planner and keep it if it is no worse. */
static void
step_ruin(struct search *search, struct arena *scratch) {
  struct plan_random *random = &search->random;
  struct plan_sequence trial = plan_copy(search->best, scratch);
  uint32_t kind = plan_random_below(random, 10);
  if (kind < 7)
    remove_clones(search, &trial, 1 + plan_random_below(random, 6), scratch);
  if (kind > 4)
    for (uint32_t i = plan_random_below(random, MOVES_MAX); i < MOVES_MAX; i++)
      move_instance(search, &trial);
  plan_drop_dead(search->problem, &trial);
  scatter_weights(search);
  struct plan_gap_settings settings = {
      .by_excess = plan_random_chance(random, 50),
      .fraction = plan_random_chance(random, 50) ? 0.15 : 1,
      .closure_max = search->settings->closure_max,
      .rounds_max = 20,
  };
  struct plan_goal goal = search->goal;
  goal.weights = search->trial_weights;
  if (!plan_valid(search->problem, trial))
    return;
  if (plan_random_chance(random, 20))
    goal.budget_bytes -=
        (uint64_t)((double)goal.budget_bytes * 0.1 * plan_random_unit(random));
  if (!plan_gap(search->problem, &goal, &settings, &trial, scratch))
    return;
  plan_eliminate(search->problem, search->budget, plan_random_below(random, 4),
                 &trial);
  keep(search, trial);
}

/* Change some of the trial weights. */
static void
change_weights(struct search *search) {
  struct plan_random *random = &search->random;
  double *weights = search->trial_weights;
  uint32_t nodes = search->problem->node_count;
  uint32_t kind = plan_random_below(random, 100);
  if (kind < 60) {
    for (uint32_t i = plan_random_below(random, 4); i < 4; i++)
      weights[plan_random_below(random, nodes)] *=
          plan_random_factor(random, 2.9);
  } else if (kind < 95) {
    for (uint32_t i = 0; i < nodes / 8 + 1; i++)
      weights[plan_random_below(random, nodes)] *=
          plan_random_factor(random, kind < 90 ? 1.15 : 0.45);
  } else {
    uint32_t first = plan_random_below(random, nodes);
    uint32_t count = 1 + plan_random_below(random, nodes - first);
    double factor = plan_random_factor(random, 2);
    for (uint32_t i = 0; i < count; i++)
      weights[first + i] *= factor;
  }
}

/* Decode again with other weights and places. */
static void
step_decode(struct search *search, struct arena *scratch) {
  struct plan_random *random = &search->random;
  const struct plan_problem *problem = search->problem;
  uint32_t nodes = problem->node_count, decoder = search->decoder;
  memcpy(search->trial_weights, search->weights, nodes * sizeof(double));
  memcpy(search->trial_order, search->order, nodes * sizeof(uint32_t));
  struct plan_sequence order = {search->trial_order, nodes};
  change_weights(search);
  if (plan_random_chance(random, 30))
    for (uint32_t i = plan_random_below(random, MOVES_MAX); i < MOVES_MAX; i++)
      move_instance(search, &order);
  if (plan_random_chance(random, 12))
    decoder = plan_random_below(random, PLAN_CHAIN_DECODER);
  const struct plan_problem *permuted =
      plan_permute(problem, search->trial_order, scratch);
  struct plan_goal goal = search->goal;
  double *weights = ARENA_ARRAY(scratch, double, nodes);
  for (uint32_t i = 0; i < nodes; i++)
    weights[i] = search->trial_weights[search->trial_order[i]];
  goal.weights = weights;
  if (plan_random_chance(random, 20))
    goal.budget_bytes -=
        (uint64_t)((double)goal.budget_bytes * 0.12 * plan_random_unit(random));
  struct plan_sequence trial;
  if (!plan_decode(permuted, &goal, search->settings, decoder, &trial, scratch))
    return;
  plan_eliminate(permuted, search->budget, PLAN_BY_AREA, &trial);
  for (uint32_t i = 0; i < trial.count; i++)
    trial.nodes[i] = search->trial_order[trial.nodes[i]];
  keep(search, trial);
  struct plan_figures figures;
  plan_evaluate(problem, trial, &figures);
  if (search->decoded.cost_ns && plan_better(&search->decoded, &figures))
    return;
  search->decoded = figures;
  search->decoder = decoder;
  double *former = search->weights;
  search->weights = search->trial_weights;
  search->trial_weights = former;
  uint32_t *places = search->order;
  search->order = search->trial_order;
  search->trial_order = places;
}

static void
set_up(struct search *search, struct arena *arena) {
  uint32_t nodes = search->problem->node_count;
  search->weights = ARENA_ARRAY(arena, double, nodes);
  search->trial_weights = ARENA_ARRAY(arena, double, nodes);
  search->order = ARENA_ARRAY(arena, uint32_t, nodes);
  search->trial_order = ARENA_ARRAY(arena, uint32_t, nodes);
  for (uint32_t node = 0; node < nodes; node++) {
    search->weights[node] = 1;
    search->order[node] = node;
  }
}

bool
plan_search(const struct plan_problem *problem, uint64_t budget_bytes,
            const struct plan_settings *settings,
            struct plan_sequence *sequence, struct arena *arena) {
  struct arena scratch = {0};
  uint64_t work = 0;
  uint64_t most = (uint64_t)(settings->search_seconds * WORK_PER_SECOND);
  struct search search = {
      .problem = problem,
      .settings = settings,
      .budget = budget_bytes,
      .random = {settings->seed * 0x9e3779b97f4a7c15u | 1},
      .best = *sequence,
      .arena = arena,
      .goal = {.budget_bytes = budget_bytes,
               .most_instances = sequence->count * 2 + 64,
               .work = &work},
  };
  plan_evaluate(problem, *sequence, &search.figures);
  set_up(&search, &scratch);
  while (work < most && search.figures.clones) {
    struct arena step = {0};
    work += STEP_WORK;
    if (plan_random_chance(&search.random, settings->ruin_percent))
      step_ruin(&search, &step);
    else
      step_decode(&search, &step);
    arena_empty(&step);
  }
  *sequence = search.best;
  arena_empty(&scratch);
  return search.changed;
}
