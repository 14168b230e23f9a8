/* simulate.c - walk the program in order as if it ran, under the budget.
 *
 * Before a node runs, the operands that were evicted are recomputed, with
 * their own missing operands first (`ensure`); to make room for its results
 * the resident values with the best score (sim_score.c) are evicted
 * (`make_room`).
 *
 * The heap of scores is lazy: scores only fall while the walk goes on, so a
 * popped one is computed again and put back where it fell; whatever raises a
 * score pushes a new entry.  In large programs an entry may be a bound, which
 * is all that is needed as long as another is above it.  Values are freed when
 * room is needed, never before, so what is counted is an upper bound of what is
 * live.
 *
 * O(instances * (operands * visits + log n)), and instances are limited: that
 * is what ends every run.  It is short-sighted where reads are far apart and
 * irregular: gap.c is better there. */
#include "plan/sim.h"
#include "plan/heap.h"
#include "plan/sort.h"
#include "support/checked.h"

enum {
  ENSURE_TRIES = 6,
  PIN_FROM_TRY = 2,
  DEPTH_MAX = 2000,
  /* Of all searches together, by nodes: enough for every walk that ends
   * well.  Three times that below MORE, and no more than MOST. */
  VISITS_PER_NODE = 600,
  VISITS_MORE = 20000000,
  VISITS_MOST = 150000000,
  /* For each node that the walk is past, and a few more. */
  EMITTED_PER_STEP = 6,
  VISITS_PER_STEP = 1000,
  STEPS_MORE = 64,
  PATIENT_FROM = 20000, /* nodes: such programs get one walk */
};

/* Of the score at the top. */
#define LOW_SHARE 0.5

/* Does X come out of the heap before Y? */
static bool
comes_first(const struct sim_entry *x, const struct sim_entry *y) {
  return x->score != y->score ? x->score > y->score : x->value < y->value;
}

PLAN_HEAP(resident, struct sim_entry, comes_first)

/* A score that is well below what is at the top: values with less will not
 * come out for a while.  0 where all are of interest. */
static double
lowest_of_interest(const struct sim *sim) {
  return sim->large && sim->heap.count ? sim->heap.data[0].score * LOW_SHARE
                                       : 0;
}

/* Enter VALUE in the heap, as it stands now. */
static void
offer(struct sim *sim, uint32_t value) {
  struct sim_value *state = &sim->values[value];
  if (!state->resident || !sim->problem->bytes[value])
    return;
  double least = lowest_of_interest(sim);
  struct sim_entry entry = {sim_score(sim, value, least), value,
                            ++state->version};
  plan_heap_push(resident, sim->scratch, &sim->heap, entry);
}

static void
evict(struct sim *sim, uint32_t value) {
  struct sim_value *state = &sim->values[value];
  state->resident = false;
  state->version++;
  sim->evicted[sim->problem->producer[value]] = true;
  sim->bytes -= (int64_t)sim->problem->bytes[value];
}

/* Evict the best value that is not pinned.  False where there is none. */
static bool
evict_best(struct sim *sim) {
  bool found = false;
  sim->aside.count = 0;
  while (sim->heap.count && !found) {
    struct sim_entry top = plan_heap_pop(resident, &sim->heap);
    struct sim_value *state = &sim->values[top.value];
    if (!state->resident || state->version != top.version)
      continue;
    if (state->pins) {
      vector_push(sim->scratch, &sim->aside, top);
      continue;
    }
    double before = top.score;
    top.score = sim_score(sim, top.value, lowest_of_interest(sim));
    if (top.score < before && sim->heap.count &&
        comes_first(&sim->heap.data[0], &top)) {
      plan_heap_push(resident, sim->scratch, &sim->heap, top);
      continue;
    }
    if (top.score < 0) {
      plan_heap_push(resident, sim->scratch, &sim->heap, top);
      break;
    }
    evict(sim, top.value);
    found = true;
  }
  for (uint32_t i = 0; i < sim->aside.count; i++)
    plan_heap_push(resident, sim->scratch, &sim->heap, sim->aside.data[i]);
  return found;
}

/* Values whose producer runs once become dead without an event of their own:
 * score everything again. */
static void
offer_all(struct sim *sim) {
  for (uint32_t value = 0; value < sim->problem->value_count; value++)
    offer(sim, value);
}

static bool
make_room(struct sim *sim, int64_t need) {
  bool again = sim->problem->has_once;
  while (sim->bytes + need > sim->budget) {
    if (evict_best(sim))
      continue;
    if (!again)
      return false;
    again = false;
    offer_all(sim);
  }
  return true;
}

/* May RESULT, of the node that runs now, take the storage of its operand?
 * With FORCE also when the operand is needed again and can be recomputed. */
static bool
takes_over(struct sim *sim, uint32_t result, bool force) {
  uint32_t value = sim->problem->in_place[result];
  bool complete;
  if (value == PLAN_NONE || !sim->values[value].resident ||
      sim->problem->returned[value] || sim->values[value].pins > 1)
    return false;
  double steps = sim_distance(sim, value, &complete);
  if (steps >= SIM_NEVER && complete)
    return true;
  return force && sim_recompute_cost(sim, value, steps) < SIM_NEVER;
}

/* Let results of NODE take over operands: they are evicted, their storage is
 * held until NODE ran.  Returns the bytes that this saves. */
static int64_t
take_over(struct sim *sim, uint32_t node, bool force) {
  const struct plan_problem *problem = sim->problem;
  int64_t saved = 0;
  for (uint32_t result = problem->result_begin[node];
       problem->has_in_place && result < problem->result_begin[node + 1];
       result++) {
    if (!takes_over(sim, result, force))
      continue;
    uint32_t value = problem->in_place[result];
    int64_t bytes = (int64_t)problem->bytes[value];
    int64_t taken = (int64_t)problem->bytes[result];
    evict(sim, value);
    sim->bytes += bytes;
    sim->held += bytes;
    saved += bytes < taken ? bytes : taken;
  }
  return saved;
}

/* Bytes that NODE needs besides what is resident. */
static int64_t
bytes_to_run(const struct sim *sim, uint32_t node) {
  const struct plan_problem *problem = sim->problem;
  int64_t need = (int64_t)problem->workspace_bytes[node];
  for (uint32_t result = problem->result_begin[node];
       result < problem->result_begin[node + 1]; result++)
    if (!sim->values[result].resident)
      need += (int64_t)problem->bytes[result];
  return need;
}

/* The values that NODE reads; the end of the program reads what is
 * returned. */
static const uint32_t *
operands_of(const struct sim *sim, uint32_t node, uint32_t *count) {
  const struct plan_problem *problem = sim->problem;
  if (node == problem->node_count) {
    *count = sim->returned.count;
    return sim->returned.data;
  }
  uint32_t begin = problem->operand_begin[node];
  *count = problem->operand_begin[node + 1] - begin;
  return problem->operands + begin;
}

/* Let VALUES[COUNT] stay, or not any more. */
static void
hold(struct sim *sim, const uint32_t *values, uint32_t count, bool pins) {
  for (uint32_t i = 0; i < count; i++)
    sim->values[values[i]].pins += pins ? 1u : UINT32_MAX;
}

/* The same for the results of NODE: what is left of an earlier instance is
 * counted already, so it must not go while room is made for the others. */
static void
hold_results(struct sim *sim, uint32_t node, bool pins) {
  const struct plan_problem *problem = sim->problem;
  for (uint32_t result = problem->result_begin[node];
       result < problem->result_begin[node + 1]; result++)
    sim->values[result].pins += pins ? 1u : UINT32_MAX;
}

/* NODE ran: its results are there, what they took over is not. */
static void
settle(struct sim *sim, uint32_t node) {
  const struct plan_problem *problem = sim->problem;
  uint32_t begin = problem->result_begin[node];
  uint32_t end = problem->result_begin[node + 1];
  sim->bytes -= sim->held;
  sim->held = 0;
  sim->evicted[node] = false;
  for (uint32_t result = begin; result < end; result++) {
    if (sim->values[result].resident)
      continue;
    sim->values[result].resident = true;
    sim->bytes += (int64_t)problem->bytes[result];
  }
  for (uint32_t result = begin; result < end; result++)
    offer(sim, result);
}

/* Is the program so large that there is no second walk to try?  Then only the
 * limit on instances ends this one, unless its caller is in a hurry. */
static bool
is_patient(const struct sim *sim) {
  return !sim->goal->visits_max && sim->large;
}

/* Is the walk too long, too dear or too slow to be worth going on?  Of those
 * that end well none is far behind where it should be on the way. */
static bool
is_hopeless(const struct sim *sim) {
  uint64_t limit = sim->goal->cost_limit_ns;
  uint64_t visits =
      sim->goal->visits_max ? sim->goal->visits_max : VISITS_PER_STEP;
  uint64_t steps =
      (uint64_t)sim->now + sim->problem->node_count / 16 + STEPS_MORE;
  return plan_too_long(sim->goal, sim->emitted.count + 1) ||
         (limit && sim->cost_ns > limit) || sim->visits > sim->visits_max ||
         (!is_patient(sim) && sim->visits > steps * visits) ||
         sim->emitted.count > steps * EMITTED_PER_STEP;
}

/* Run NODE, whose operands are resident. */
static bool
execute(struct sim *sim, uint32_t node) {
  uint32_t count;
  const uint32_t *operands = operands_of(sim, node, &count);
  if (is_hopeless(sim))
    return false;
  hold(sim, operands, count, true);
  hold_results(sim, node, true);
  sim->current = node;
  int64_t need = bytes_to_run(sim, node) - take_over(sim, node, false);
  if (!make_room(sim, need) &&
      sim->bytes + need - take_over(sim, node, true) > sim->budget)
    return false;
  settle(sim, node);
  vector_push(sim->scratch, &sim->emitted, node);
  sim->cost_ns = saturating_add(sim->cost_ns, sim->problem->cost_ns[node]);
  hold(sim, operands, count, false);
  hold_results(sim, node, false);
  for (uint32_t i = 0; i < count; i++)
    offer(sim, operands[i]);
  return true;
}

static void
set_pending(struct sim *sim, uint32_t node, bool pending) {
  const struct plan_problem *problem = sim->problem;
  sim->pending[node] = pending;
  sim->pending_count += pending ? 1u : UINT32_MAX;
  for (uint32_t o = problem->operand_begin[node];
       o < problem->operand_begin[node + 1]; o++)
    sim->values[problem->operands[o]].pending_readers +=
        pending ? 1u : UINT32_MAX;
}

static bool
is_earlier(const uint32_t *x, const uint32_t *y) {
  return *x < *y;
}

PLAN_SORT(nodes, uint32_t, is_earlier)

/* Push the nodes that have to run again before NODE can, in program order.
 * Returns how many. */
static uint32_t
open_closure(struct sim *sim, uint32_t node) {
  uint32_t base = sim->closures.count, count;
  const uint32_t *operands = operands_of(sim, node, &count);
  sim_begin_visit(sim);
  for (uint32_t i = 0; i < count; i++)
    if (!sim->values[operands[i]].resident)
      sim_visit(sim, sim->problem->producer[operands[i]]);
  for (uint32_t i = 0; i < sim->queued; i++) {
    uint32_t missing = sim->queue[i];
    if (sim->pending[missing])
      continue;
    vector_push(sim->scratch, &sim->closures, missing);
    const uint32_t *inner = operands_of(sim, missing, &count);
    for (uint32_t o = 0; o < count; o++)
      if (!sim->values[inner[o]].resident)
        sim_visit(sim, sim->problem->producer[inner[o]]);
  }
  uint32_t opened = sim->closures.count - base;
  nodes_sort(sim->closures.data + base, opened, sim->scratch);
  for (uint32_t i = base; i < sim->closures.count; i++)
    set_pending(sim, sim->closures.data[i], true);
  return opened;
}

static bool ensure(struct sim *sim, uint32_t node, uint32_t depth);

/* Run the closure on top of the stack, OPENED nodes. */
static bool
run_closure(struct sim *sim, uint32_t opened, uint32_t depth) {
  uint32_t base = sim->closures.count - opened;
  for (uint32_t i = 0; i < opened; i++) {
    uint32_t node = sim->closures.data[base + i];
    if (!sim_can_run(sim, node, sim->now) || !ensure(sim, node, depth + 1))
      return false;
    set_pending(sim, node, false);
    if (!execute(sim, node))
      return false;
  }
  sim->closures.count = base;
  return true;
}

/* Recompute what NODE needs and is not there.  Only earlier nodes are needed,
 * so the recursion ends; what one of them evicts may have to come again, so
 * there are several tries, the later ones with pins. */
static bool
ensure(struct sim *sim, uint32_t node, uint32_t depth) {
  uint32_t count;
  const uint32_t *operands = operands_of(sim, node, &count);
  for (uint32_t try = 0; depth <= DEPTH_MAX && try < ENSURE_TRIES; try++) {
    uint32_t opened = open_closure(sim, node);
    if (!opened)
      return true;
    if (try >= PIN_FROM_TRY)
      hold(sim, operands, count, true);
    bool ran = run_closure(sim, opened, depth);
    if (try >= PIN_FROM_TRY)
      hold(sim, operands, count, false);
    if (!ran)
      return false;
  }
  return false;
}

/* Which nodes the program needs at all. */
static void
mark_live(struct sim *sim) {
  struct plan_sequence program = plan_program_order(sim->problem, sim->scratch);
  plan_drop_dead(sim->problem, &program);
  for (uint32_t i = 0; i < program.count; i++)
    sim->live[program.nodes[i]] = true;
}

static void
set_up(struct sim *sim) {
  const struct plan_problem *problem = sim->problem;
  struct arena *scratch = sim->scratch;
  uint32_t nodes = problem->node_count;
  sim->budget = (int64_t)sim->goal->budget_bytes;
  sim->values = ARENA_ARRAY(scratch, struct sim_value, problem->value_count);
  sim->live = ARENA_ARRAY(scratch, bool, nodes);
  sim->pending = ARENA_ARRAY(scratch, bool, nodes);
  sim->evicted = ARENA_ARRAY(scratch, bool, nodes);
  sim->queue = ARENA_ARRAY(scratch, uint32_t, nodes);
  sim->stamps = ARENA_ARRAY(scratch, uint32_t, nodes);
  for (uint32_t value = 0; value < problem->value_count; value++) {
    sim->values[value].next_reader = problem->reader_begin[value];
    if (problem->returned[value])
      vector_push(scratch, &sim->returned, value);
  }
  sim->visits_max = (uint64_t)nodes * VISITS_PER_NODE;
  if (sim->visits_max < VISITS_MORE)
    sim->visits_max *= 3;
  if (sim->visits_max > VISITS_MOST)
    sim->visits_max = VISITS_MOST;
  sim->large = nodes > PATIENT_FROM;
  if (is_patient(sim))
    sim->visits_max = UINT64_MAX;
  mark_live(sim);
}

static bool
walk(struct sim *sim) {
  uint32_t nodes = sim->problem->node_count;
  for (uint32_t node = 0; node < nodes; node++) {
    sim->now = node;
    if (!sim->live[node])
      continue;
    if (!ensure(sim, node, 0))
      return false;
    sim->now = node + 1;
    if (!execute(sim, node))
      return false;
  }
  sim->now = nodes;
  return ensure(sim, nodes, 0);
}

bool
plan_simulate(const struct plan_problem *problem, const struct plan_goal *goal,
              const struct plan_simulate_settings *settings,
              struct plan_sequence *sequence, struct arena *arena) {
  struct arena scratch = {0};
  struct sim sim = {.problem = problem,
                    .goal = goal,
                    .settings = settings,
                    .scratch = &scratch};
  set_up(&sim);
  bool done = walk(&sim);
  if (goal->work)
    *goal->work += sim.emitted.count + sim.visits / 8;
  if (done) {
    struct plan_sequence emitted = {sim.emitted.data, sim.emitted.count};
    *sequence = plan_copy(emitted, arena);
    plan_drop_dead(problem, sequence);
  }
  arena_empty(&scratch);
  return done;
}
