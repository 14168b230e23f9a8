/* chain.c - dynamic programming over checkpoints of a chain.
 *
 *   f1 = f(f0); f2 = f(f1); ...          the chain, made from its start
 *   g1 = g(f9, ...); g2 = g(f8, ...)     steps, which read it from its end
 *
 * Let C(i, j, s) be the least cost of chain nodes that run while the steps on
 * f(i) .. f(j) are done, when f(i) is stored and all that is stored are s
 * bytes.  Where no step reads behind f(i), that is 0 if the steps fit.  Else
 * some f(k) is stored next: the chain runs from i to k, keeping two values at
 * a time, then C(k, j, s + size of f(k)), then f(k) is given up, and
 * C(i, k - 1, s).  The least over k is an optimal plan among those that run
 * the steps in their order.
 *
 * Everything but the chain is live as the steps make it: their order is
 * fixed, so that is a number for each step.  Stored bytes are counted in
 * units: the greatest common divisor of the sizes where the budget is not too
 * many of them, else sizes are rounded up to a larger unit.
 *
 * Where all links are alike, C depends on j - i alone (and on whether i is 0):
 * only i = 0 and i = 1 are filled in.
 *
 * O(n^3 units), O(n^2 units) for like links; chains where that is too much
 * are left to the others. */
#include "plan/chain.h"
#include "plan/evaluate.h"
#include "support/checked.h"

#include <string.h>

#define CHAIN_WORK_MAX 100000000.0
enum { CHAIN_UNITS_MAX = 1000, CHAIN_UNITS_LEAST = 16, CHAIN_NODES_LEAST = 3 };

/* So large that three of them can be added. */
#define IMPOSSIBLE ((uint64_t)1 << 62)

struct chain {
  const struct plan_problem *problem;
  struct arena *scratch;
  uint32_t count;  /* chain nodes, numbered from 1; 0 stands for nothing
                      stored yet */
  uint32_t *nodes; /* by number */
  uint32_t step_count;
  uint32_t *steps;      /* nodes in order */
  uint32_t *step_begin; /* by chain number, downwards: the steps on number I
                           are step_begin[I] up to step_begin[I - 1] */
  uint64_t *needed;     /* by chain number: most bytes live, chain left out,
                           while its steps run */
  uint64_t *across;     /* by chain number: the same just before them */
  bool alike;           /* all links have the same size, cost and steps */
  uint64_t budget, unit;
  uint32_t units;         /* the budget in units, rounded down */
  uint32_t *stored_units; /* by chain number: its size, rounded up */
  uint64_t *cost;         /* C(i, j, s) */
};

/* The nodes that the program needs, in order. */
static struct plan_sequence
needed_program(const struct plan_problem *problem, struct arena *arena) {
  struct plan_sequence program = plan_program_order(problem, arena);
  plan_drop_dead(problem, &program);
  return program;
}

/* May NODE be a link of the chain behind PREVIOUS? */
static bool
is_link(const struct plan_problem *problem, uint32_t node, uint32_t previous) {
  uint32_t begin = problem->operand_begin[node];
  uint32_t reads = problem->operand_begin[node + 1] - begin;
  if (problem->once[node] || plan_result_count(problem, node) != 1 ||
      problem->returned[problem->result_begin[node]])
    return false;
  if (previous == PLAN_NONE)
    return reads == 0;
  return reads == 1 && problem->producer[problem->operands[begin]] == previous;
}

/* How many of PROGRAM's first nodes are a chain of which every later node
 * reads one value at most.  NUMBER gets the place of each, from 1. */
static uint32_t
chain_length(const struct plan_problem *problem, struct plan_sequence program,
             uint32_t *number) {
  uint32_t count = 0;
  while (count < program.count &&
         is_link(problem, program.nodes[count],
                 count ? program.nodes[count - 1] : PLAN_NONE)) {
    number[program.nodes[count]] = count + 1;
    count++;
  }
  for (uint32_t p = 0; p < program.count; p++) {
    uint32_t node = program.nodes[p], first = PLAN_NONE, second = PLAN_NONE;
    for (uint32_t i = problem->operand_begin[node];
         i < problem->operand_begin[node + 1]; i++) {
      uint32_t read = number[problem->producer[problem->operands[i]]];
      if (!read)
        continue;
      second = read < first ? first : read < second ? read : second;
      first = read < first ? read : first;
    }
    if (second != PLAN_NONE && second - 1 < count)
      count = second - 1;
  }
  for (uint32_t p = count; p < program.count; p++)
    number[program.nodes[p]] = 0;
  return count;
}

/* Assign the steps to the chain values that they read.  False where one reads
 * a value further down than one before it. */
static bool
assign_steps(struct chain *chain, const uint32_t *number) {
  const struct plan_problem *problem = chain->problem;
  uint32_t current = chain->count;
  chain->step_begin =
      ARENA_ARRAY(chain->scratch, uint32_t, (size_t)chain->count + 2);
  for (uint32_t t = 0; t < chain->step_count; t++) {
    uint32_t node = chain->steps[t];
    for (uint32_t i = problem->operand_begin[node];
         i < problem->operand_begin[node + 1]; i++) {
      uint32_t read = number[problem->producer[problem->operands[i]]];
      if (!read)
        continue;
      if (read > current)
        return false;
      for (; current > read; current--)
        chain->step_begin[current - 1] = t;
    }
  }
  while (current > 0)
    chain->step_begin[--current] = chain->step_count;
  return true;
}

/* Measure what is live besides the chain while the program runs in order. */
static void
measure_steps(struct chain *chain, struct plan_sequence program) {
  const struct plan_problem *problem = chain->problem;
  struct plan_timeline timeline;
  uint32_t steps = chain->step_count, first = chain->count;
  uint64_t *across = ARENA_ARRAY(chain->scratch, uint64_t, (size_t)steps + 1);
  uint64_t *during = ARENA_ARRAY(chain->scratch, uint64_t, (size_t)steps + 1);
  plan_timeline_build(&timeline, problem, program, chain->scratch);
  for (uint32_t slot = timeline.slot_begin[first]; slot < timeline.slot_count;
       slot++) {
    uint64_t bytes = problem->bytes[plan_slot_value(&timeline, slot)];
    uint32_t made = timeline.owner[slot] - first;
    uint32_t last = timeline.last[slot] - first;
    /* Changes from step to step, summed up below. */
    during[made] += bytes;
    if (last < steps)
      during[last + 1] -= bytes;
    if (last > made) {
      across[made + 1] += bytes;
      if (last < steps)
        across[last + 1] -= bytes;
    }
  }
  for (uint32_t t = 1; t <= steps; t++) {
    across[t] += across[t - 1];
    during[t] += during[t - 1];
  }
  chain->needed =
      ARENA_ARRAY(chain->scratch, uint64_t, (size_t)chain->count + 1);
  chain->across =
      ARENA_ARRAY(chain->scratch, uint64_t, (size_t)chain->count + 1);
  for (uint32_t i = 1; i <= chain->count; i++) {
    chain->across[i] = across[chain->step_begin[i]];
    for (uint32_t t = chain->step_begin[i]; t < chain->step_begin[i - 1]; t++) {
      uint64_t bytes = during[t] + problem->workspace_bytes[chain->steps[t]];
      if (bytes > chain->needed[i])
        chain->needed[i] = bytes;
    }
  }
}

static uint64_t
size_of(const struct chain *chain, uint32_t i) {
  return chain->problem->bytes[chain->problem->result_begin[chain->nodes[i]]];
}

/* See whether all links are alike; what little they differ in besides the
 * chain is then counted at its most. */
static void
find_alike(struct chain *chain) {
  const struct plan_problem *problem = chain->problem;
  uint64_t needed = 0, across = 0;
  chain->alike = true;
  for (uint32_t i = 1; i <= chain->count; i++) {
    uint32_t node = chain->nodes[i], first = chain->nodes[1];
    chain->alike &=
        size_of(chain, i) == size_of(chain, 1) &&
        problem->cost_ns[node] == problem->cost_ns[first] &&
        problem->workspace_bytes[node] == problem->workspace_bytes[first] &&
        chain->step_begin[i] < chain->step_begin[i - 1];
    needed = chain->needed[i] > needed ? chain->needed[i] : needed;
    across = chain->across[i] > across ? chain->across[i] : across;
  }
  for (uint32_t i = 1; chain->alike && i <= chain->count; i++) {
    chain->needed[i] = needed;
    chain->across[i] = across;
  }
}

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Choose the unit so that the table is not too much work. */
static bool
choose_unit(struct chain *chain) {
  double n = chain->count;
  double most = CHAIN_WORK_MAX / (n * n * (chain->alike ? 1 : n / 6) + 1);
  uint64_t divisor = 0;
  uint64_t limit = most > CHAIN_UNITS_MAX ? CHAIN_UNITS_MAX : (uint64_t)most;
  if (limit < CHAIN_UNITS_LEAST)
    return false;
  for (uint32_t i = 1; i <= chain->count; i++)
    divisor = greatest_common_divisor(divisor, size_of(chain, i));
  if (!divisor)
    return false;
  chain->unit = divisor;
  while (chain->budget / chain->unit > limit)
    chain->unit *= 2;
  chain->units = (uint32_t)(chain->budget / chain->unit);
  chain->stored_units =
      ARENA_ARRAY(chain->scratch, uint32_t, (size_t)chain->count + 1);
  for (uint32_t i = 1; i <= chain->count; i++) {
    uint64_t units = (size_of(chain, i) + chain->unit - 1) / chain->unit;
    chain->stored_units[i] =
        units > chain->units ? chain->units + 1 : (uint32_t)units;
  }
  return true;
}

/* Where C(I, J, 0) stands. */
static size_t
entry(const struct chain *chain, uint32_t i, uint32_t j) {
  if (chain->alike)
    return (i ? (size_t)chain->count + 2 + j - i : j) *
           ((size_t)chain->units + 1);
  return ((size_t)j * (j + 1) / 2 + i) * ((size_t)chain->units + 1);
}

/* Does anything read a chain value from FIRST to LAST? */
static bool
has_steps(const struct chain *chain, uint32_t first, uint32_t last) {
  return first <= last &&
         chain->step_begin[last] < chain->step_begin[first - 1];
}

/* Fill in C(I, J, ...) where nothing reads behind I. */
static void
fill_leaf(struct chain *chain, uint32_t i, uint32_t j) {
  uint64_t *cost = chain->cost + entry(chain, i, j);
  for (uint32_t s = 0; s <= chain->units; s++)
    cost[s] =
        i && saturating_add(s * chain->unit, chain->needed[i]) > chain->budget
            ? IMPOSSIBLE
            : 0;
}

/* What it takes to store K next when I is stored: most bytes besides the
 * stored ones while the chain runs there, and the cost of that. */
struct chain_run {
  uint64_t bytes, cost_ns;
};

/* Let RUN, from I to K - 1 so far, go on to K; ACROSS is live besides. */
static void
run_on(const struct chain *chain, uint32_t i, uint32_t k, uint64_t across,
       struct chain_run *run) {
  const struct plan_problem *problem = chain->problem;
  uint32_t node = chain->nodes[k];
  uint64_t live = across + size_of(chain, k) + problem->workspace_bytes[node] +
                  (k > i + 1 ? size_of(chain, k - 1) : 0);
  run->bytes = live > run->bytes ? live : run->bytes;
  run->cost_ns = saturating_add(run->cost_ns, problem->cost_ns[node]);
  if (run->cost_ns > IMPOSSIBLE)
    run->cost_ns = IMPOSSIBLE;
}

/* The number of stored units, from 0, for which RUN to K has room. */
static uint32_t
rooms(const struct chain *chain, uint32_t k, const struct chain_run *run) {
  uint32_t stored = chain->stored_units[k];
  if (run->bytes > chain->budget || stored > chain->units)
    return 0;
  uint64_t last = (chain->budget - run->bytes) / chain->unit;
  uint32_t most = chain->units - stored;
  return (last < most ? (uint32_t)last : most) + 1;
}

/* Bytes besides the chain when the first step on I + 1 .. J is about to
 * run. */
static uint64_t
across_steps(const struct chain *chain, uint32_t j) {
  while (!has_steps(chain, j, j))
    j--;
  return chain->across[j];
}

/* Fill in C(I, J, ...). */
static void
fill(struct chain *chain, uint32_t i, uint32_t j) {
  if (!has_steps(chain, i + 1, j)) {
    fill_leaf(chain, i, j);
    return;
  }
  uint64_t *cost = chain->cost + entry(chain, i, j);
  for (uint32_t s = 0; s <= chain->units; s++)
    cost[s] = IMPOSSIBLE;
  uint64_t across = across_steps(chain, j);
  struct chain_run run = {0};
  for (uint32_t k = i + 1; k <= j; k++) {
    run_on(chain, i, k, across, &run);
    const uint64_t *outer = chain->cost + entry(chain, i, k - 1);
    const uint64_t *inner =
        chain->cost + entry(chain, k, j) + chain->stored_units[k];
    uint32_t count = rooms(chain, k, &run);
    for (uint32_t s = 0; s < count; s++) {
      uint64_t sum = run.cost_ns + inner[s] + outer[s];
      cost[s] = sum < cost[s] ? sum : cost[s];
    }
  }
}

/* The K that C(I, J, S) is least for. */
static uint32_t
best_split(const struct chain *chain, uint32_t i, uint32_t j, uint32_t s) {
  uint64_t least = chain->cost[entry(chain, i, j) + s];
  uint64_t across = across_steps(chain, j);
  struct chain_run run = {0};
  for (uint32_t k = i + 1; k < j; k++) {
    run_on(chain, i, k, across, &run);
    if (s < rooms(chain, k, &run) &&
        run.cost_ns +
                chain->cost[entry(chain, k, j) + s + chain->stored_units[k]] +
                chain->cost[entry(chain, i, k - 1) + s] ==
            least)
      return k;
  }
  return j;
}

/* Append the plan of C(I, J, S) at NODES; NULL: only count. */
static uint32_t
emit(const struct chain *chain, uint32_t i, uint32_t j, uint32_t s,
     uint32_t *nodes) {
  uint32_t count = 0;
  while (has_steps(chain, i + 1, j)) {
    uint32_t k = best_split(chain, i, j, s);
    for (uint32_t x = i + 1; x <= k; x++)
      nodes[count++] = chain->nodes[x];
    count += emit(chain, k, j, s + chain->stored_units[k], nodes + count);
    j = k - 1;
  }
  for (uint32_t t = chain->step_begin[i]; i && t < chain->step_begin[i - 1];
       t++)
    nodes[count++] = chain->steps[t];
  return count;
}

/* How many instances that will be. */
static uint64_t
emitted(const struct chain *chain, uint32_t i, uint32_t j, uint32_t s) {
  uint64_t count = 0;
  while (has_steps(chain, i + 1, j)) {
    uint32_t k = best_split(chain, i, j, s);
    count += k - i + emitted(chain, k, j, s + chain->stored_units[k]);
    j = k - 1;
  }
  return count + (i ? chain->step_begin[i - 1] - chain->step_begin[i] : 0);
}

/* Fill the whole table, short stretches first. */
static bool
solve(struct chain *chain) {
  uint32_t n = chain->count;
  size_t entries =
      chain->alike ? entry(chain, 1, n + 1) : entry(chain, 0, n + 1);
  chain->cost = ARENA_ARRAY(chain->scratch, uint64_t, entries);
  for (uint32_t j = 0; j <= n; j++)
    for (uint32_t i = j + 1; i-- > 0;)
      if (!chain->alike || i <= 1)
        fill(chain, i, j);
  return chain->cost[entry(chain, 0, chain->count)] < IMPOSSIBLE;
}

/* Recognize the form.  False where PROGRAM has not got it. */
static bool
recognize(struct chain *chain, struct plan_sequence program) {
  uint32_t *number =
      ARENA_ARRAY(chain->scratch, uint32_t, chain->problem->node_count);
  chain->count = chain_length(chain->problem, program, number);
  if (chain->count < CHAIN_NODES_LEAST || chain->count >= UINT16_MAX)
    return false;
  chain->steps = program.nodes + chain->count;
  chain->step_count = program.count - chain->count;
  chain->nodes =
      ARENA_ARRAY(chain->scratch, uint32_t, (size_t)chain->count + 1);
  memcpy(chain->nodes + 1, program.nodes, chain->count * sizeof(uint32_t));
  return assign_steps(chain, number);
}

bool
plan_chain(const struct plan_problem *problem, const struct plan_goal *goal,
           struct plan_sequence *sequence, struct arena *arena) {
  struct arena scratch = {0};
  struct chain chain = {
      .problem = problem, .scratch = &scratch, .budget = goal->budget_bytes};
  struct plan_sequence program = needed_program(problem, &scratch);
  bool fits = recognize(&chain, program);
  if (fits) {
    measure_steps(&chain, program);
    find_alike(&chain);
    fits = choose_unit(&chain) && solve(&chain);
  }
  uint64_t count = fits ? emitted(&chain, 0, chain.count, 0) : 0;
  fits &= count <= goal->most_instances;
  if (fits) {
    sequence->nodes = ARENA_ARRAY(arena, uint32_t, count);
    sequence->count = emit(&chain, 0, chain.count, 0, sequence->nodes);
  }
  arena_empty(&scratch);
  return fits;
}
