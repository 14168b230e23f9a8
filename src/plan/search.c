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
 * The polish takes the kinds of steps by fixed shares.  A search that the user
 * asked for adapts: kinds that gained more for their work are taken more often;
 * and half of its work goes into several starts from the first plan, for where
 * a start ends depends on chance, the other half goes on from the best in
 * some laps, each of which begins with all the slack.
 *
 * Work is counted, not timed, so that a search is repeatable. */
#include "plan/search.h"
#include "plan/move.h"
#include "plan/random.h"
#include "plan/settle.h"

#include <string.h>

#define SLACK_SHARE 0.01
/* Of a search that adapts: its slack; the share of steps that are taken as
 * often as at first, what is assumed at first, and what a step is worth that is
 * better than the one before but not the best. */
#define ADAPTS_SLACK 0.03
#define FIRST_SHARE 0.4
#define PRIOR_STEPS 10
#define PRIOR_GAINS 3
#define KEPT_GAIN 0.1
enum {
  STEP_WORK = 60, /* of a step, whatever its length */
  MOVES_MAX = 3,
  CLONES_MAX = 6, /* taken out by a step, and by one in four that adapts */
  CLONES_MANY = 80,
  STARTS_MAX = 6,
  LAPS = 3,           /* from the best, each with all of the slack again */
  START_STEPS = 100,  /* at least, about */
  MEND_VISITS = 60,   /* by step of a walk that mends, where that adapts */
  CAREFUL_MENDS = 30, /* percent of ruined plans that gaps mend */
  WALK_MENDS = 20,    /* percent of ruined plans that a walk mends */
  WALK_DECODES = 80,  /* percent of decodings with settings of a walk at
                         random */
};

/* What a step does. */
enum step_kind {
  MEND_GAPS,    /* ruin, and mend by gaps */
  MEND_CAREFUL, /* the same with the careful setting */
  MEND_WALK,    /* ruin, and mend by a walk */
  DECODE_WALK,  /* decode by a walk with settings at random */
  DECODE,       /* decode by a decoder with weights */
  STEP_KINDS,
};

/* How often each is taken at first. */
static const double first_shares[STEP_KINDS] = {0.45, 0.19, 0.16, 0.16, 0.04};

/* What steps of a kind gave. */
struct yield {
  double gains, work;
};

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
  struct plan_figures decoded;  /* the best by decoding; cost 0: none yet */
  struct plan_sequence current; /* what steps start from */
  struct plan_figures current_figures;
  struct plan_sequence best;
  struct plan_figures figures;
  uint64_t slack; /* cost by which the current plan may be worse */
  bool changed;
  bool adapts;
  enum step_kind kind; /* of this step, where the search adapts */
  struct yield yields[STEP_KINDS];
};

/* Is this step of KIND?  Where the search does not adapt, PERCENT of them
 * are. */
static bool
is_step(struct search *search, enum step_kind kind, uint32_t percent) {
  return search->adapts ? search->kind == kind
                        : plan_random_chance(&search->random, percent);
}

/* Copy FROM to *TO, which has room for most_instances. */
static void
assign(struct plan_sequence *to, struct plan_sequence from) {
  if (from.count)
    memcpy(to->nodes, from.nodes, from.count * sizeof *from.nodes);
  to->count = from.count;
}

/* Keep TRIAL where it fits and is little worse than the best, or not worse
 * than the current plan. */
static bool
keep(struct search *search, struct plan_sequence trial) {
  struct plan_figures figures;
  if (!plan_evaluate(search->problem, trial, &figures) ||
      figures.peak_bytes > search->budget ||
      trial.count > search->goal.most_instances)
    return false;
  struct plan_figures slack = search->figures;
  slack.cost_ns += search->slack;
  if (plan_better(&search->current_figures, &figures) &&
      plan_better(&slack, &figures))
    return false;
  assign(&search->current, trial);
  search->current_figures = figures;
  if (plan_better(&search->figures, &figures))
    return true;
  assign(&search->best, trial);
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

/* Settings of a walk, at random. */
static struct plan_simulate_settings
random_walk(struct search *search) {
  static const double shares[4] = {0, 0.5, 1, 2};
  struct plan_random *random = &search->random;
  return (struct plan_simulate_settings){
      .bytes_halves = (uint8_t)(plan_random_chance(random, 15)
                                    ? plan_random_below(random, 2)
                                    : 2),
      .distance_halves = (uint8_t)plan_random_below(random, 4),
      .cost_halves = (uint8_t)(1 + plan_random_below(random, 4)),
      .descendants = shares[plan_random_below(random, 4)],
      .visits_max = plan_random_chance(random, 50) ? 64 : 1024,
  };
}

/* Bring TRIAL under the budget by gaps, or by walking it. */
static bool
mend(struct search *search, struct plan_sequence *trial,
     struct arena *scratch) {
  struct plan_random *random = &search->random;
  struct plan_gap_settings gap = {
      .by_excess = plan_random_chance(random, 50),
      .careful = is_step(search, MEND_CAREFUL, CAREFUL_MENDS),
      .fraction = plan_random_chance(random, 50) ? 0.15 : 1,
      .closure_max = search->settings->closure_max,
      .rounds_max = 20,
  };
  struct plan_simulate_settings walk = random_walk(search);
  struct plan_goal goal = search->goal;
  goal.weights = search->trial_weights;
  goal.visits_max = search->adapts ? MEND_VISITS : 0;
  if (plan_random_chance(random, 20))
    goal.budget_bytes -=
        (uint64_t)((double)goal.budget_bytes * 0.1 * plan_random_unit(random));
  if (!is_step(search, MEND_WALK, WALK_MENDS) &&
      plan_gap(search->problem, &goal, &gap, trial, scratch))
    return true;
  return plan_repair(search->problem, &goal, &walk, trial, scratch);
}

/* Take clones out and move instances, and mend what that breaks. */
static void
step_ruin(struct search *search, struct arena *scratch) {
  struct plan_random *random = &search->random;
  struct plan_sequence trial = plan_copy(search->current, scratch);
  uint32_t kind = plan_random_below(random, 10);
  bool many = search->adapts && plan_random_chance(random, 25);
  uint32_t most = many ? CLONES_MANY : CLONES_MAX;
  if (kind < 7)
    remove_clones(search, &trial, 1 + plan_random_below(random, most), scratch);
  if (kind > 4)
    for (uint32_t i = plan_random_below(random, MOVES_MAX); i < MOVES_MAX; i++)
      plan_move_one(search->problem, &search->random, &trial);
  plan_drop_dead(search->problem, &trial);
  scatter_weights(search);
  if (!plan_valid(search->problem, trial) || !mend(search, &trial, scratch))
    return;
  plan_eliminate(search->problem, search->budget, plan_random_below(random, 4),
                 &trial);
  if (plan_settle(search->problem, &trial, scratch))
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

/* Go on from the trial weights and places where what DECODER made of them,
 * TRIAL, is no worse than what was decoded before. */
static void
keep_decoding(struct search *search, uint32_t decoder,
              struct plan_sequence trial) {
  struct plan_figures figures;
  plan_evaluate(search->problem, trial, &figures);
  if (search->decoded.cost_ns && plan_better(&search->decoded, &figures))
    return;
  double *weights = search->weights;
  uint32_t *order = search->order;
  search->decoded = figures;
  search->decoder = decoder;
  search->weights = search->trial_weights;
  search->trial_weights = weights;
  search->order = search->trial_order;
  search->trial_order = order;
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
      plan_move_one(search->problem, &search->random, &order);
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
  struct plan_simulate_settings walk = random_walk(search);
  if (is_step(search, DECODE_WALK, WALK_DECODES)
          ? !plan_simulate(permuted, &goal, &walk, &trial, scratch)
          : !plan_decode(permuted, &goal, search->settings, decoder, &trial,
                         scratch))
    return;
  plan_eliminate(permuted, search->budget, PLAN_BY_AREA, &trial);
  for (uint32_t i = 0; i < trial.count; i++)
    trial.nodes[i] = search->trial_order[trial.nodes[i]];
  if (!plan_settle(problem, &trial, scratch))
    return;
  keep(search, trial);
  keep_decoding(search, decoder, trial);
}

static void
set_up(struct search *search, struct arena *arena) {
  uint32_t nodes = search->problem->node_count;
  search->weights = ARENA_ARRAY(arena, double, nodes);
  search->trial_weights = ARENA_ARRAY(arena, double, nodes);
  search->order = ARENA_ARRAY(arena, uint32_t, nodes);
  search->trial_order = ARENA_ARRAY(arena, uint32_t, nodes);
}

/* Start from SEQUENCE; decoders are given what they were at first. */
static void
begin_anew(struct search *search, struct plan_sequence sequence) {
  assign(&search->current, sequence);
  plan_evaluate(search->problem, sequence, &search->current_figures);
  search->decoded.cost_ns = 0;
  for (uint32_t node = 0; node < search->problem->node_count; node++) {
    search->weights[node] = 1;
    search->order[node] = node;
  }
}

/* How much worse than the best the current plan may be when DONE of the work
 * is done: a share of what the best adds to the program, less and less. */
static uint64_t
slack_left(const struct search *search, double done) {
  uint64_t extra = search->figures.cost_ns > search->problem->base_cost_ns
                       ? search->figures.cost_ns - search->problem->base_cost_ns
                       : 0;
  double left = done < 1 ? 1 - done : 0;
  double share = search->adapts ? ADAPTS_SLACK : SLACK_SHARE;
  return (uint64_t)((double)extra * share * left * left);
}

/* What to do next, where the search adapts: what gave most for its work so far,
 * and the others now and then. */
static enum step_kind
choose_kind(struct search *search) {
  double scores[STEP_KINDS], sum = 0;
  double first = PRIOR_STEPS * (STEP_WORK + 3.0 * search->problem->node_count);
  for (uint32_t i = 0; i < STEP_KINDS; i++) {
    const struct yield *yield = &search->yields[i];
    scores[i] =
        (first_shares[i] * PRIOR_GAINS + yield->gains) / (first + yield->work);
    sum += scores[i];
  }
  double at = plan_random_unit(&search->random);
  for (enum step_kind i = 0; i < STEP_KINDS; i++) {
    at -= FIRST_SHARE * first_shares[i] + (1 - FIRST_SHARE) * scores[i] / sum;
    if (at < 0)
      return i;
  }
  return MEND_GAPS;
}

/* One step. */
static void
take_step(struct search *search) {
  struct arena scratch = {0};
  uint64_t before = *search->goal.work;
  uint64_t best = search->figures.cost_ns;
  uint64_t current = search->current_figures.cost_ns;
  *search->goal.work += STEP_WORK;
  bool ruins;
  if (search->adapts) {
    search->kind = choose_kind(search);
    ruins = search->kind < DECODE_WALK;
  } else {
    ruins = plan_random_chance(&search->random, search->settings->ruin_percent);
  }
  if (ruins)
    step_ruin(search, &scratch);
  else
    step_decode(search, &scratch);
  struct yield *yield = &search->yields[search->kind];
  yield->work += (double)(*search->goal.work - before);
  yield->gains += search->figures.cost_ns < best              ? 1
                  : search->current_figures.cost_ns < current ? KEPT_GAIN
                                                              : 0;
  arena_empty(&scratch);
}

/* Steps until the work is UNTIL. */
static void
run(struct search *search, uint64_t until) {
  const uint64_t *work = search->goal.work, from = *work;
  while (*work < until && search->figures.clones) {
    double done = (double)(*work + STEP_WORK - from) / (double)(until - from);
    search->slack = slack_left(search, done);
    take_step(search);
  }
}

/* How many starts half of MOST is for; 0 or 1: none but the last. */
static uint64_t
starts_of(const struct search *search, uint64_t most) {
  uint64_t least =
      START_STEPS * (STEP_WORK + 6 * (uint64_t)search->problem->node_count);
  uint64_t starts = most / 2 / least;
  return starts < STARTS_MAX ? starts : STARTS_MAX;
}

bool
plan_search(const struct plan_problem *problem, uint64_t budget_bytes,
            const struct plan_settings *settings,
            struct plan_sequence *sequence, struct arena *arena) {
  struct arena scratch = {0};
  uint64_t work = 0;
  uint64_t most = (uint64_t)(settings->search_seconds * PLAN_WORK_PER_SECOND);
  struct search search = {
      .problem = problem,
      .settings = settings,
      .budget = budget_bytes,
      .adapts = settings->search_adapts,
      .random = {settings->seed * 0x9e3779b97f4a7c15u | 1},
      .goal = {.budget_bytes = budget_bytes,
               .most_instances = sequence->count * 2 + 64,
               .work = &work},
  };
  search.best.nodes = ARENA_ARRAY(arena, uint32_t, search.goal.most_instances);
  search.current.nodes =
      ARENA_ARRAY(&scratch, uint32_t, search.goal.most_instances);
  assign(&search.best, *sequence);
  plan_evaluate(problem, *sequence, &search.figures);
  set_up(&search, &scratch);
  uint64_t starts = search.adapts ? starts_of(&search, most) : 1;
  for (uint64_t i = 0; i < starts && starts > 1; i++) {
    begin_anew(&search, *sequence);
    run(&search, most / 2 * (i + 1) / starts);
  }
  for (uint64_t laps = starts > 1 ? LAPS : 1; laps; laps--) {
    begin_anew(&search, search.best);
    run(&search, work + (most > work ? most - work : 0) / laps);
  }
  *sequence = search.best;
  arena_empty(&scratch);
  return search.changed;
}
