/* sim_score.c - what it is worth to evict a value during a walk; see sim.h.
 *
 * bytes^A * distance^B / cost^C: distance is the number of steps to the
 * nearest use, of the value or of what was evicted below it; cost is that of
 * the value, of its evicted ancestors, and a share of its evicted descendants,
 * whose recomputation gets longer.  Exponents are halves, so square roots and
 * products do, which are the same on every machine.
 *
 * Searches are limited: DISTANCE_VISITS_MAX nodes for distances, visits_max
 * of the settings for costs.  In large programs they end earlier: where they
 * spread, and where the score is too low to matter already; a walk of a
 * hundred thousand irregular nodes spends its time here. */
#include "plan/sim.h"

#include <math.h>

enum {
  DISTANCE_VISITS_MAX = 24,
  READERS_MAX = 256,
  /* In large programs. */
  DESCENT_LARGE = 64, /* nodes looked at below a value */
  NEAR_LARGE = 24,    /* nodes above a value that always count */
  SPREAD_LARGE = 4,   /* nodes that may wait to be looked at there */
};

static double
power(double base, uint8_t halves) {
  double result = halves & 1 ? sqrt(base) : 1;
  for (uint8_t i = 0; i < halves / 2; i++)
    result *= base;
  return result;
}

/* The node of the program that reads VALUE next, node_count where it is only
 * returned, PLAN_NONE where neither. */
static uint32_t
next_use(struct sim *sim, uint32_t value) {
  const struct plan_problem *problem = sim->problem;
  struct sim_value *state = &sim->values[value];
  uint32_t end = problem->reader_begin[value + 1];
  while (state->next_reader < end) {
    uint32_t reader = problem->readers[state->next_reader];
    if (reader >= sim->now && sim->live[reader])
      return reader;
    state->next_reader++;
  }
  return problem->returned[value] ? problem->node_count : PLAN_NONE;
}

/* What a search below a value finds. */
struct descent {
  double nearest; /* steps to the nearest use of what is recomputed from it */
  double cost;    /* of all that is recomputed from it and still used */
  bool complete;  /* nothing that is near was left out */
  uint32_t seen;  /* nodes of the queue that were looked at */
  uint32_t most;  /* nodes to look at */
};

/* When a score is so low that it need not be known. */
struct cutoff {
  double gain;   /* the score where cost and weight are 1 */
  double weight; /* of the value's node */
  double least;  /* scores below it are low; 0: none is */
  double former; /* cost that was found already */
  double share;  /* of what is found next that counts */
  uint8_t halves;
};

/* The score where COST was found. */
static double
score_at(const struct cutoff *cutoff, double cost) {
  return cutoff->gain /
         power(cutoff->former + cutoff->share * cost, cutoff->halves) *
         cutoff->weight;
}

/* Is the score low already with COST? */
static bool
is_low(const struct cutoff *cutoff, double cost) {
  return cutoff->least > 0 && score_at(cutoff, cost) < cutoff->least;
}

/* Put the nodes that ran, read VALUE and were evicted in the queue, while it
 * has fewer than MOST. */
static void
visit_readers(struct sim *sim, uint32_t value, uint32_t most, bool *complete) {
  const struct plan_problem *problem = sim->problem;
  uint32_t begin = problem->reader_begin[value];
  uint32_t end = problem->reader_begin[value + 1];
  bool long_ = end - begin > READERS_MAX;
  end = long_ ? begin + READERS_MAX : end;
  const uint32_t *readers = problem->readers;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t reader = readers[i];
    if (reader >= sim->now)
      return;
    if (sim->queued >= DISTANCE_VISITS_MAX) {
      *complete = false;
      if (sim->queued >= most)
        return;
    }
    if (sim->evicted[reader])
      sim_visit(sim, reader);
  }
  if (long_ && readers[end] < sim->now)
    *complete = false;
}

/* Look at the next node of the queue of FOUND. */
static void
descend_one(struct sim *sim, struct descent *found) {
  const struct plan_problem *problem = sim->problem;
  uint32_t node = sim->queue[found->seen];
  bool used = false;
  for (uint32_t result = problem->result_begin[node];
       result < problem->result_begin[node + 1]; result++) {
    if (sim->values[result].resident)
      continue;
    uint32_t use = next_use(sim, result);
    used |= use != PLAN_NONE;
    if (use != PLAN_NONE && found->seen < DISTANCE_VISITS_MAX &&
        use - sim->now < found->nearest)
      found->nearest = use - sim->now;
    visit_readers(sim, result, found->most, &found->complete);
  }
  found->seen++;
  if (used)
    found->cost += (double)problem->cost_ns[node];
}

/* Look at what was evicted and is recomputed from VALUE: MOST nodes, of which
 * the first DISTANCE_VISITS_MAX are near.  This looks at those. */
static struct descent
descend(struct sim *sim, uint32_t value, uint32_t most) {
  struct descent found = {.nearest = SIM_NEVER, .complete = true, .most = most};
  sim_begin_visit(sim);
  visit_readers(sim, value, most, &found.complete);
  while (found.seen < sim->queued && found.seen < DISTANCE_VISITS_MAX)
    descend_one(sim, &found);
  return found;
}

/* Look at the rest, as long as the score is not low. */
static void
descend_on(struct sim *sim, struct descent *found,
           const struct cutoff *cutoff) {
  while (found->seen < sim->queued && !is_low(cutoff, found->cost))
    descend_one(sim, found);
}

/* Steps to the nearest read of VALUE by a node of an open closure. */
static double
distance_pending(const struct sim *sim, uint32_t value) {
  const struct plan_problem *problem = sim->problem;
  if (!sim->values[value].pending_readers)
    return SIM_NEVER;
  for (uint32_t i = problem->reader_begin[value];
       i < problem->reader_begin[value + 1]; i++) {
    uint32_t reader = problem->readers[i];
    if (sim->pending[reader] && reader >= sim->current)
      return reader - sim->current;
  }
  return 1;
}

/* Steps until VALUE is needed, when FOUND is what is below it. */
static double
distance(struct sim *sim, uint32_t value, const struct descent *found) {
  double nearest = distance_pending(sim, value), far;
  uint32_t use = next_use(sim, value);
  if (use != PLAN_NONE) {
    far = (double)(use - sim->now) + sim->pending_count;
    nearest = far < nearest ? far : nearest;
  }
  far = found->nearest;
  if (far < SIM_NEVER)
    far += sim->pending_count;
  return far < nearest ? far : nearest;
}

double
sim_distance(struct sim *sim, uint32_t value, bool *complete) {
  struct descent found = descend(sim, value, DISTANCE_VISITS_MAX);
  *complete = found.complete;
  return distance(sim, value, &found);
}

/* Is SEEN of the queue enough of what is missing above a value?  Where that
 * spreads it is much the same above many values, and recomputed for all of
 * them at once; along a chain each pays for it.  Nodes that do not run again
 * have to be found, though. */
static bool
has_spread(const struct sim *sim, uint32_t seen) {
  return sim->large && seen >= NEAR_LARGE &&
         sim->queued - seen > SPREAD_LARGE && !sim->problem->has_once &&
         !sim->problem->has_closed;
}

/* How many nodes below a value are looked at. */
static uint32_t
most_below(const struct sim *sim) {
  uint32_t most = sim->settings->visits_max;
  if (!(sim->settings->descendants > 0))
    return DISTANCE_VISITS_MAX;
  return sim->large && most > DESCENT_LARGE ? DESCENT_LARGE : most;
}

/* What it costs to have VALUE again in so many STEPS, or a part of that with
 * which the score is low. */
static double
recompute_cost(struct sim *sim, uint32_t value, double steps,
               const struct cutoff *cutoff) {
  const struct plan_problem *problem = sim->problem;
  uint32_t most = sim->settings->visits_max;
  double cost = 0;
  sim_begin_visit(sim);
  sim_visit(sim, problem->producer[value]);
  for (uint32_t i = 0; i < sim->queued && i < most; i++) {
    if (has_spread(sim, i))
      break;
    uint32_t node = sim->queue[i];
    if (!sim_can_run(sim, node, sim->now + steps))
      return SIM_NEVER;
    cost += (double)problem->cost_ns[node];
    if (cutoff && is_low(cutoff, cost))
      return cost;
    for (uint32_t o = problem->operand_begin[node];
         o < problem->operand_begin[node + 1]; o++)
      if (!sim->values[problem->operands[o]].resident)
        sim_visit(sim, problem->producer[problem->operands[o]]);
  }
  return cost;
}

double
sim_recompute_cost(struct sim *sim, uint32_t value, double steps) {
  return recompute_cost(sim, value, steps, NULL);
}

double
sim_score(struct sim *sim, uint32_t value, double least) {
  const struct plan_simulate_settings *settings = sim->settings;
  bool deep = settings->descendants > 0;
  struct descent found = descend(sim, value, most_below(sim));
  double steps = distance(sim, value, &found);
  if (steps >= SIM_NEVER && found.complete)
    return SIM_NEVER;
  if (steps >= SIM_NEVER)
    steps = sim->problem->node_count;
  uint32_t node = sim->problem->producer[value];
  double bytes = (double)sim->problem->bytes[value];
  const double *weights = sim->goal->weights;
  struct cutoff cutoff = {.gain = power(bytes, settings->bytes_halves) *
                                  power(steps, settings->distance_halves),
                          .weight = weights ? weights[node] : 1,
                          .least = least,
                          .former = (double)sim->problem->cost_ns[node],
                          .share = settings->descendants,
                          .halves = settings->cost_halves};
  if (deep)
    descend_on(sim, &found, &cutoff);
  cutoff.former = deep ? settings->descendants * found.cost : 0;
  cutoff.share = 1;
  double cost = recompute_cost(sim, value, steps, &cutoff);
  if (cost >= SIM_NEVER)
    return -1;
  if (cutoff.former + cost <= 0)
    cost = 1.0 / 1024;
  return score_at(&cutoff, cost);
}
