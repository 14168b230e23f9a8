/* sim_score.c - what it is worth to evict a value during a walk; see sim.h.
 *
 * bytes^A * distance^B / cost^C: distance is the number of steps to the
 * nearest use, of the value or of what was evicted below it; cost is that of
 * the value, of its evicted ancestors, and a share of its evicted descendants,
 * whose recomputation gets longer.  Exponents are halves, so square roots and
 * products do, which are the same on every machine.
 *
 * Searches are limited: DISTANCE_VISITS_MAX nodes for distances, visits_max
 * of the settings for costs. */
#include "plan/sim.h"

#include <math.h>

enum { DISTANCE_VISITS_MAX = 24, READERS_MAX = 256 };

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
};

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

/* Look at what was evicted and is recomputed from VALUE: MOST nodes, of which
 * the first DISTANCE_VISITS_MAX are near. */
static struct descent
descend(struct sim *sim, uint32_t value, uint32_t most) {
  const struct plan_problem *problem = sim->problem;
  struct descent found = {.nearest = SIM_NEVER, .complete = true};
  sim_begin_visit(sim);
  visit_readers(sim, value, most, &found.complete);
  for (uint32_t i = 0; i < sim->queued; i++) {
    uint32_t node = sim->queue[i];
    bool used = false;
    for (uint32_t result = problem->result_begin[node];
         result < problem->result_begin[node + 1]; result++) {
      if (sim->values[result].resident)
        continue;
      uint32_t use = next_use(sim, result);
      used |= use != PLAN_NONE;
      if (use != PLAN_NONE && i < DISTANCE_VISITS_MAX &&
          use - sim->now < found.nearest)
        found.nearest = use - sim->now;
      visit_readers(sim, result, most, &found.complete);
    }
    if (used)
      found.cost += (double)problem->cost_ns[node];
  }
  return found;
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

double
sim_recompute_cost(struct sim *sim, uint32_t value, double steps) {
  const struct plan_problem *problem = sim->problem;
  uint32_t most = sim->settings->visits_max;
  double cost = 0;
  sim_begin_visit(sim);
  sim_visit(sim, problem->producer[value]);
  for (uint32_t i = 0; i < sim->queued && i < most; i++) {
    uint32_t node = sim->queue[i];
    if (!sim_can_run(sim, node, sim->now + steps))
      return SIM_NEVER;
    cost += (double)problem->cost_ns[node];
    for (uint32_t o = problem->operand_begin[node];
         o < problem->operand_begin[node + 1]; o++)
      if (!sim->values[problem->operands[o]].resident)
        sim_visit(sim, problem->producer[problem->operands[o]]);
  }
  return cost;
}

double
sim_score(struct sim *sim, uint32_t value) {
  const struct plan_simulate_settings *settings = sim->settings;
  uint32_t most =
      settings->descendants > 0 ? settings->visits_max : DISTANCE_VISITS_MAX;
  struct descent found = descend(sim, value, most);
  double steps = distance(sim, value, &found);
  if (steps >= SIM_NEVER && found.complete)
    return SIM_NEVER;
  if (steps >= SIM_NEVER)
    steps = sim->problem->node_count;
  double cost = sim_recompute_cost(sim, value, steps);
  if (cost >= SIM_NEVER)
    return -1;
  if (settings->descendants > 0)
    cost += settings->descendants * found.cost;
  if (cost <= 0)
    cost = 1.0 / 1024;
  double bytes = (double)sim->problem->bytes[value];
  double result = power(bytes, settings->bytes_halves) *
                  power(steps, settings->distance_halves) /
                  power(cost, settings->cost_halves);
  if (sim->goal->weights)
    result *= sim->goal->weights[sim->problem->producer[value]];
  return result;
}
