/* exact.c - A* over sets of resident values.
 *
 * A state is which values are resident and which of the nodes that run once
 * have run.  A step runs one node whose operands are resident, after dropping
 * just enough other values that it fits: dropping costs nothing, so it can
 * always wait until room is needed, and every minimal choice of drops is a
 * step of its own.  What remains costs at least one run of every node that is
 * missing, which is the estimate; it never falls by more than a step costs,
 * so the first goal taken from the heap is a cheapest plan.
 *
 * States are numbered as they are found, in a hash table of numbers; equal
 * estimates go to the state with less left to do, then to the older one.
 * Exponential: up to about 30 nodes in a second, 64 at most. */
#include "plan/exact.h"
#include "plan/heap.h"
#include "support/checked.h"

#include <string.h>

/* Values or nodes, by number. */
typedef uint64_t set;

struct state {
  set resident;
  set ran;          /* of the nodes that run once */
  uint64_t cost_ns; /* so far */
  uint32_t from;    /* state */
  uint8_t node;     /* that ran last */
  bool closed;
};

struct heap_entry {
  uint64_t estimate, left;
  uint32_t state;
};

struct exact {
  const struct plan_problem *problem;
  const struct plan_exact_limits *limits;
  struct arena *scratch;
  set operands[PLAN_EXACT_NODES_MAX]; /* values, by node */
  set results[PLAN_EXACT_NODES_MAX];
  set edges[PLAN_EXACT_NODES_MAX];   /* nodes, by node */
  set closers[PLAN_EXACT_NODES_MAX]; /* the same: those it is never behind */
  set live_nodes;                    /* that the program needs at all */
  set once, returned;
  VECTOR(struct state) states;
  VECTOR(struct heap_entry) heap;
  uint32_t *slots, slot_count; /* hash table: state + 1 */
};

/* One step while it is being made up. */
struct step {
  uint32_t from;
  uint32_t node;
  uint64_t cost_ns;
  set takeover; /* operands whose storage results can take over */
};

static uint32_t
lowest(set numbers) {
  return (uint32_t)__builtin_ctzll(numbers);
}

static uint64_t
bytes_of(const struct exact *exact, set values) {
  uint64_t bytes = 0;
  for (; values; values &= values - 1)
    bytes += exact->problem->bytes[lowest(values)];
  return bytes;
}

/* Cost of one run of all that is missing in STATE; UINT64_MAX where something
 * is missing that cannot run again. */
static uint64_t
cost_left(const struct exact *exact, set resident, set ran) {
  const struct plan_problem *problem = exact->problem;
  set missing = exact->returned & ~resident, nodes = exact->once & ~ran;
  uint64_t cost = 0;
  set open = nodes;
  for (; missing; missing &= missing - 1)
    open |= (set)1 << problem->producer[lowest(missing)];
  set seen = open;
  while (open) {
    uint32_t node = lowest(open);
    open &= open - 1;
    if ((ran >> node & 1) || (exact->closers[node] & ran))
      return UINT64_MAX;
    cost = saturating_add(cost, problem->cost_ns[node]);
    for (set need = exact->operands[node] & ~resident; need; need &= need - 1) {
      set producer = (set)1 << problem->producer[lowest(need)];
      open |= producer & ~seen;
      seen |= producer;
    }
  }
  return cost;
}

static bool
is_before(const struct heap_entry *x, const struct heap_entry *y) {
  if (x->estimate != y->estimate)
    return x->estimate < y->estimate;
  return x->left != y->left ? x->left < y->left : x->state < y->state;
}

PLAN_HEAP(open, struct heap_entry, is_before)

static uint32_t
hash(set resident, set ran) {
  uint64_t mixed = (resident ^ ran * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  return (uint32_t)(mixed >> 32 ^ mixed);
}

static void
rehash(struct exact *exact) {
  exact->slot_count = exact->slot_count ? exact->slot_count * 2 : 1024;
  exact->slots = ARENA_ARRAY(exact->scratch, uint32_t, exact->slot_count);
  for (uint32_t i = 0; i < exact->states.count; i++) {
    const struct state *state = &exact->states.data[i];
    uint32_t at = hash(state->resident, state->ran) & (exact->slot_count - 1);
    while (exact->slots[at])
      at = (at + 1) & (exact->slot_count - 1);
    exact->slots[at] = i + 1;
  }
}

/* The number of the state RESIDENT, RAN; made new, without a cost, where
 * there is none. */
static uint32_t
state_number(struct exact *exact, set resident, set ran) {
  if (exact->states.count * 2 >= exact->slot_count)
    rehash(exact);
  uint32_t at = hash(resident, ran) & (exact->slot_count - 1);
  for (; exact->slots[at]; at = (at + 1) & (exact->slot_count - 1)) {
    const struct state *state = &exact->states.data[exact->slots[at] - 1];
    if (state->resident == resident && state->ran == ran)
      return exact->slots[at] - 1;
  }
  struct state state = {
      .resident = resident, .ran = ran, .cost_ns = UINT64_MAX};
  vector_push(exact->scratch, &exact->states, state);
  exact->slots[at] = exact->states.count;
  return exact->states.count - 1;
}

/* Take the way to RESIDENT that STEP makes, where it is the cheapest yet. */
static void
reach(struct exact *exact, const struct step *step, set resident, set ran) {
  uint32_t number = state_number(exact, resident, ran);
  struct state *state = &exact->states.data[number];
  if (state->closed || step->cost_ns >= state->cost_ns)
    return;
  uint64_t left = cost_left(exact, resident, ran);
  uint64_t estimate = saturating_add(step->cost_ns, left);
  if (estimate >= exact->limits->cost_limit_ns)
    return;
  state->cost_ns = step->cost_ns;
  state->from = step->from;
  state->node = (uint8_t)step->node;
  struct heap_entry entry = {estimate, left, number};
  plan_heap_push(open, exact->scratch, &exact->heap, entry);
}

/* Bytes that dropping VALUE gives STEP. */
static uint64_t
bytes_given(const struct exact *exact, const struct step *step,
            uint32_t value) {
  const struct plan_problem *problem = exact->problem;
  if (!(step->takeover >> value & 1))
    return problem->bytes[value];
  for (set results = exact->results[step->node]; results;
       results &= results - 1) {
    uint32_t result = lowest(results);
    if (problem->in_place[result] == value)
      return problem->bytes[result] < problem->bytes[value]
                 ? problem->bytes[result]
                 : problem->bytes[value];
  }
  return 0;
}

/* Make every step that drops just enough of MAY_GO (from its lowest on, with
 * what is in DROPPED already) that EXCESS bytes are given. */
static void
choose_drops(struct exact *exact, const struct step *step, set may_go,
             set dropped, uint64_t excess) {
  const struct state *state = &exact->states.data[step->from];
  if (!excess) {
    set ran = state->ran | (exact->once & (set)1 << step->node);
    reach(exact, step,
          (state->resident & ~dropped) | exact->results[step->node], ran);
    return;
  }
  uint64_t left = 0; /* that all together give */
  for (set at = may_go; at; at &= at - 1)
    left += bytes_given(exact, step, lowest(at));
  for (; left >= excess && exact->states.count < exact->limits->states_max;
       may_go &= may_go - 1) {
    uint32_t value = lowest(may_go);
    uint64_t given = bytes_given(exact, step, value);
    left -= given;
    if (!given)
      continue;
    choose_drops(exact, step, may_go & (may_go - 1), dropped | (set)1 << value,
                 excess - (given < excess ? given : excess));
  }
}

/* Make all steps from state NUMBER that run NODE. */
static void
run_node(struct exact *exact, uint32_t number, uint32_t node) {
  const struct plan_problem *problem = exact->problem;
  struct state state = exact->states.data[number];
  set results = exact->results[node];
  if ((exact->operands[node] & ~state.resident) ||
      (exact->edges[node] & ~state.ran) || (state.ran >> node & 1) ||
      (exact->closers[node] & state.ran) ||
      (results && !(results & ~state.resident) && !problem->once[node]))
    return;
  struct step step = {
      .from = number,
      .node = node,
      .cost_ns = saturating_add(state.cost_ns, problem->cost_ns[node]),
  };
  for (set at = results; at && problem->has_in_place; at &= at - 1)
    if (problem->in_place[lowest(at)] != PLAN_NONE)
      step.takeover |= (set)1 << problem->in_place[lowest(at)];
  uint64_t need = bytes_of(exact, state.resident | results) +
                  problem->workspace_bytes[node];
  uint64_t budget = exact->limits->budget_bytes;
  set may_go = (state.resident & ~exact->operands[node] & ~results) |
               (step.takeover & ~results);
  choose_drops(exact, &step, may_go, 0, need > budget ? need - budget : 0);
}

static void
expand(struct exact *exact, uint32_t number) {
  for (set nodes = exact->live_nodes; nodes; nodes &= nodes - 1)
    run_node(exact, number, lowest(nodes));
}

static void
set_up(struct exact *exact) {
  const struct plan_problem *problem = exact->problem;
  for (uint32_t value = 0; value < problem->value_count; value++)
    exact->returned |= (set)problem->returned[value] << value;
  for (uint32_t node = 0; node < problem->node_count; node++) {
    exact->once |= (set)problem->once[node] << node;
    for (uint32_t value = problem->result_begin[node];
         value < problem->result_begin[node + 1]; value++)
      exact->results[node] |= (set)1 << value;
    for (uint32_t i = problem->operand_begin[node];
         i < problem->operand_begin[node + 1]; i++)
      exact->operands[node] |= (set)1 << problem->operands[i];
    for (uint32_t i = problem->edge_begin[node];
         i < problem->edge_begin[node + 1]; i++)
      exact->edges[node] |= (set)1 << problem->edges[i];
    for (uint32_t i = problem->closed_begin[node];
         i < problem->closed_begin[node + 1]; i++)
      exact->closers[problem->closed[i]] |= (set)1 << node;
  }
  set needed = exact->returned;
  for (uint32_t node = problem->node_count; node-- > 0;)
    if (problem->once[node] || exact->results[node] & needed) {
      exact->live_nodes |= (set)1 << node;
      needed |= exact->operands[node];
    }
}

/* The steps that lead to state NUMBER. */
static struct plan_sequence
trace(const struct exact *exact, uint32_t number, struct arena *arena) {
  struct plan_sequence sequence = {NULL, 0};
  for (uint32_t at = number; at; at = exact->states.data[at].from)
    sequence.count++;
  sequence.nodes = ARENA_ARRAY(arena, uint32_t, sequence.count);
  uint32_t next = sequence.count;
  for (uint32_t at = number; at; at = exact->states.data[at].from)
    sequence.nodes[--next] = exact->states.data[at].node;
  return sequence;
}

static enum plan_exact_verdict
search(struct exact *exact, struct plan_sequence *sequence,
       struct arena *arena) {
  uint32_t start = state_number(exact, 0, 0);
  exact->states.data[start].cost_ns = 0;
  struct heap_entry first = {cost_left(exact, 0, 0), 0, start};
  plan_heap_push(open, exact->scratch, &exact->heap, first);
  while (exact->heap.count) {
    struct heap_entry top = plan_heap_pop(open, &exact->heap);
    struct state *state = &exact->states.data[top.state];
    if (state->closed)
      continue;
    state->closed = true;
    if (!(exact->returned & ~state->resident) && !(exact->once & ~state->ran)) {
      *sequence = trace(exact, top.state, arena);
      return PLAN_EXACT_FOUND;
    }
    expand(exact, top.state);
    if (exact->states.count >= exact->limits->states_max)
      return PLAN_EXACT_GAVE_UP;
  }
  return PLAN_EXACT_IMPOSSIBLE;
}

enum plan_exact_verdict
plan_exact(const struct plan_problem *problem,
           const struct plan_exact_limits *limits,
           struct plan_sequence *sequence, struct arena *arena) {
  if (problem->node_count > PLAN_EXACT_NODES_MAX ||
      problem->value_count > PLAN_EXACT_NODES_MAX)
    return PLAN_EXACT_GAVE_UP;
  struct arena scratch = {0};
  struct exact exact = {
      .problem = problem, .limits = limits, .scratch = &scratch};
  set_up(&exact);
  enum plan_exact_verdict verdict = search(&exact, sequence, arena);
  arena_empty(&scratch);
  return verdict;
}
