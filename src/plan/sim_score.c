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

/* Is some result of NODE evicted? */
static bool
is_missing(const struct sim *sim, uint32_t node) {
  const struct plan_problem *problem = sim->problem;
  for (uint32_t result = problem->result_begin[node];
       result < problem->result_begin[node + 1]; result++)
    if (!sim->values[result].resident)
      return true;
  return false;
}

/* Put the nodes that ran, read VALUE and were evicted in the queue, while it
 * has fewer than MOST.  False where that cut the search short. */
static bool
visit_readers(struct sim *sim, uint32_t value, uint32_t most) {
  const struct plan_problem *problem = sim->problem;
  uint32_t begin = problem->reader_begin[value];
  uint32_t end = problem->reader_begin[value + 1];
  for (uint32_t i = begin; i < end && problem->readers[i] < sim->now; i++) {
    uint32_t reader = problem->readers[i];
    if (sim->queue.count >= most || i - begin >= READERS_MAX)
      return false;
    if (sim->executed[reader] && is_missing(sim, reader))
      sim_visit(sim, reader);
  }
  return true;
}

/* Steps to the nearest use in the program of an evicted value that is
 * recomputed from VALUE.  *COMPLETE becomes false where the search was cut
 * short. */
static double
distance_below(struct sim *sim, uint32_t value, bool *complete) {
  const struct plan_problem *problem = sim->problem;
  double nearest = SIM_NEVER;
  sim_begin_visit(sim);
  *complete = visit_readers(sim, value, DISTANCE_VISITS_MAX);
  for (uint32_t i = 0; i < sim->queue.count; i++) {
    uint32_t node = sim->queue.data[i];
    for (uint32_t result = problem->result_begin[node];
         result < problem->result_begin[node + 1]; result++) {
      if (sim->values[result].resident)
        continue;
      uint32_t use = next_use(sim, result);
      if (use != PLAN_NONE && use - sim->now < nearest)
        nearest = use - sim->now;
      *complete &= visit_readers(sim, result, DISTANCE_VISITS_MAX);
    }
  }
  return nearest;
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

double
sim_distance(struct sim *sim, uint32_t value, bool *complete) {
  double nearest = distance_pending(sim, value), far;
  uint32_t use = next_use(sim, value);
  if (use != PLAN_NONE) {
    far = (double)(use - sim->now) + sim->pending_count;
    nearest = far < nearest ? far : nearest;
  }
  far = distance_below(sim, value, complete);
  if (far < SIM_NEVER)
    far += sim->pending_count;
  return far < nearest ? far : nearest;
}

double
sim_recompute_cost(struct sim *sim, uint32_t value) {
  const struct plan_problem *problem = sim->problem;
  uint32_t most = sim->settings->visits_max;
  double cost = 0;
  sim_begin_visit(sim);
  sim_visit(sim, problem->producer[value]);
  for (uint32_t i = 0; i < sim->queue.count && i < most; i++) {
    uint32_t node = sim->queue.data[i];
    if (problem->once[node])
      return SIM_NEVER;
    cost += (double)problem->cost_ns[node];
    for (uint32_t o = problem->operand_begin[node];
         o < problem->operand_begin[node + 1]; o++)
      if (!sim->values[problem->operands[o]].resident)
        sim_visit(sim, problem->producer[problem->operands[o]]);
  }
  return cost;
}

/* Cost of the evicted values that are recomputed from VALUE and are still
 * used. */
static double
descendant_cost(struct sim *sim, uint32_t value) {
  const struct plan_problem *problem = sim->problem;
  uint32_t most = sim->settings->visits_max;
  double cost = 0;
  sim_begin_visit(sim);
  visit_readers(sim, value, most);
  for (uint32_t i = 0; i < sim->queue.count; i++) {
    uint32_t node = sim->queue.data[i];
    bool used = false;
    for (uint32_t result = problem->result_begin[node];
         result < problem->result_begin[node + 1]; result++) {
      if (sim->values[result].resident)
        continue;
      used |= next_use(sim, result) != PLAN_NONE;
      visit_readers(sim, result, most);
    }
    if (used)
      cost += (double)problem->cost_ns[node];
  }
  return cost;
}

double
sim_score(struct sim *sim, uint32_t value) {
  const struct plan_simulate_settings *settings = sim->settings;
  bool complete;
  double steps = sim_distance(sim, value, &complete);
  if (steps >= SIM_NEVER && complete)
    return SIM_NEVER;
  if (steps >= SIM_NEVER)
    steps = sim->problem->node_count;
  double cost = sim_recompute_cost(sim, value);
  if (cost >= SIM_NEVER)
    return -1;
  if (settings->descendants > 0)
    cost += settings->descendants * descendant_cost(sim, value);
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
