/* bound.c - lower bounds on peak and cost.
 *
 * Cost: let N be the nodes that some node P is computed from and that nodes
 * computed from P read too, or that are returned.  When P first runs, each of
 * N ran before and each is read or returned after: so each is resident then
 * or runs again.  What P reads is resident.  With B bytes of budget and O
 * bytes for P itself, nodes of N with B - O bytes can stay at most; the rest
 * pay their cost again.  Nodes that run once must stay.  The cheapest choice
 * is a knapsack, its fractional relaxation takes nodes by cost per byte.
 *
 * This is O(E + |N| log |N|) for one P, done for the P with most bytes live
 * in program order.  The cut (cut.h) counts as well what has to run again for
 * what runs again, in some dozens of maximal flows for each P. */
#include "plan/bound.h"
#include "plan/cut.h"
#include "plan/evaluate.h"
#include "plan/sort.h"
#include "support/checked.h"

#include <math.h>

enum { BOUND_NODES_MAX = 200, CUTS_MAX = 6, CUT_EFFORT = 10000000 };

/* Bytes that results of NODE can take over from operands at most. */
static uint64_t
most_takeover(const struct plan_problem *problem, uint32_t node) {
  uint64_t bytes = 0;
  for (uint32_t result = problem->result_begin[node];
       result < problem->result_begin[node + 1]; result++) {
    uint32_t value = problem->in_place[result];
    if (value != PLAN_NONE)
      bytes += problem->bytes[value] < problem->bytes[result]
                   ? problem->bytes[value]
                   : problem->bytes[result];
  }
  return bytes;
}

/* Bytes that are live while NODE runs, whatever else is. */
static uint64_t
node_bytes(const struct plan_problem *problem, uint32_t node) {
  uint64_t bytes = problem->workspace_bytes[node];
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++)
    bytes += problem->bytes[problem->operands[i]];
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    bytes += problem->bytes[value];
  return saturating_subtract(bytes, most_takeover(problem, node));
}

/* Which nodes every plan runs. */
static bool *
needed_nodes(const struct plan_problem *problem, struct arena *arena) {
  bool *needed = ARENA_ARRAY(arena, bool, problem->node_count);
  struct plan_sequence program = plan_program_order(problem, arena);
  plan_drop_dead(problem, &program);
  for (uint32_t i = 0; i < program.count; i++)
    needed[program.nodes[i]] = true;
  return needed;
}

uint64_t
plan_bound_bytes(const struct plan_problem *problem) {
  struct arena scratch = {0};
  const bool *needed = needed_nodes(problem, &scratch);
  uint64_t returned = 0, bound = 0;
  for (uint32_t node = 0; node < problem->node_count; node++) {
    uint64_t bytes = needed[node] ? node_bytes(problem, node) : 0;
    bound = bytes > bound ? bytes : bound;
  }
  for (uint32_t value = 0; value < problem->value_count; value++)
    returned += problem->returned[value] ? problem->bytes[value] : 0;
  arena_empty(&scratch);
  return returned > bound ? returned : bound;
}

/* A node that has to stay or run again, and the bytes that it gives. */
struct payable {
  uint64_t cost_ns, bytes;
  uint32_t node;
};

struct bound {
  const struct plan_problem *problem;
  struct arena *scratch;
  const bool *needed;
  bool *above, *below, *own; /* by node: P is computed from it; it from P;
                                P reads it */
  uint64_t *demand;   /* by node: bytes of it that are needed after P ran */
  uint32_t *by_price; /* all nodes, by cost per byte of all their results */
  VECTOR(struct payable) payables;
};

/* Mark what node P is computed from and what is computed from it. */
static void
mark_around(struct bound *bound, uint32_t p) {
  const struct plan_problem *problem = bound->problem;
  for (uint32_t node = 0; node < problem->node_count; node++)
    bound->above[node] = bound->below[node] = bound->own[node] = false;
  bound->above[p] = bound->below[p] = true;
  for (uint32_t node = p + 1; node-- > 0;) {
    if (!bound->above[node])
      continue;
    for (uint32_t i = problem->operand_begin[node];
         i < problem->operand_begin[node + 1]; i++)
      bound->above[problem->producer[problem->operands[i]]] = true;
  }
  for (uint32_t node = p + 1; node < problem->node_count; node++)
    for (uint32_t i = problem->operand_begin[node];
         bound->needed[node] && !bound->below[node] &&
         i < problem->operand_begin[node + 1];
         i++)
      bound->below[node] =
          bound->below[problem->producer[problem->operands[i]]];
  for (uint32_t i = problem->operand_begin[p];
       i < problem->operand_begin[p + 1]; i++)
    bound->own[problem->producer[problem->operands[i]]] = true;
}

/* Is VALUE, made before P runs, returned or read by what is computed from
 * P? */
static bool
is_read_below(const struct bound *bound, uint32_t value, uint32_t p) {
  const struct plan_problem *problem = bound->problem;
  if (problem->returned[value])
    return true;
  for (uint32_t i = problem->reader_begin[value];
       i < problem->reader_begin[value + 1]; i++)
    if (problem->readers[i] != p && bound->below[problem->readers[i]])
      return true;
  return false;
}

static bool
is_cheaper(const struct payable *x, const struct payable *y) {
  double left = (double)x->cost_ns * (double)y->bytes;
  double right = (double)y->cost_ns * (double)x->bytes;
  return left != right ? left < right : x->node < y->node;
}

PLAN_SORT(payables, struct payable, is_cheaper)

/* Fill in by_price.  The payables of every P come in about this order, so that
 * sorting them is quick. */
static void
sort_nodes(struct bound *bound) {
  const struct plan_problem *problem = bound->problem;
  uint32_t nodes = problem->node_count;
  struct payable *all = ARENA_ARRAY(bound->scratch, struct payable, nodes);
  for (uint32_t node = 0; node < nodes; node++) {
    all[node] =
        (struct payable){.cost_ns = problem->cost_ns[node], .node = node};
    for (uint32_t value = problem->result_begin[node];
         value < problem->result_begin[node + 1]; value++)
      all[node].bytes += problem->bytes[value];
  }
  payables_sort(all, nodes, bound->scratch);
  bound->by_price = ARENA_ARRAY(bound->scratch, uint32_t, nodes);
  for (uint32_t i = 0; i < nodes; i++)
    bound->by_price[i] = all[i].node;
}

/* The least cost of giving up EXCESS bytes of the payables, rounded up: plans
 * cost whole nanoseconds. */
static uint64_t
cheapest(struct bound *bound, uint64_t excess) {
  double cost = 0;
  struct arena buffer = {0};
  payables_sort(bound->payables.data, bound->payables.count, &buffer);
  arena_empty(&buffer);
  for (uint32_t i = 0; i < bound->payables.count && excess; i++) {
    const struct payable *payable = &bound->payables.data[i];
    if (payable->bytes <= excess) {
      cost += (double)payable->cost_ns;
      excess -= payable->bytes;
      continue;
    }
    cost +=
        (double)payable->cost_ns * ((double)excess / (double)payable->bytes);
    excess = 0;
  }
  /* Stay below what rounding may have added. */
  cost -= cost * 1e-12;
  return excess || cost >= 1.8e19 ? UINT64_MAX : (uint64_t)ceil(cost);
}

/* Find what is demanded when P runs.  Returns the bytes that are live then
 * if it all stays. */
static uint64_t
list_demands(struct bound *bound, uint32_t p) {
  const struct plan_problem *problem = bound->problem;
  uint64_t held = node_bytes(problem, p);
  mark_around(bound, p);
  bound->payables.count = 0;
  for (uint32_t i = 0; i < problem->node_count; i++) {
    uint32_t node = bound->by_price[i];
    struct payable payable = {.cost_ns = problem->cost_ns[node], .node = node};
    for (uint32_t value = problem->result_begin[node];
         node < p && bound->above[node] && !bound->own[node] &&
         value < problem->result_begin[node + 1];
         value++)
      if (is_read_below(bound, value, p))
        payable.bytes += problem->bytes[value];
    bound->demand[node] = payable.bytes;
    held = saturating_add(held, payable.bytes);
    if (payable.bytes && !problem->once[node])
      vector_push(bound->scratch, &bound->payables, payable);
  }
  return held;
}

/* Extra cost that every plan within BUDGET pays because P runs; UINT64_MAX
 * where P cannot run. */
static uint64_t
extra_at(struct bound *bound, uint32_t p, uint64_t budget) {
  uint64_t held = list_demands(bound, p);
  return held > budget ? cheapest(bound, held - budget) : 0;
}

/* What one cut leaves for the next. */
struct cut_state {
  double best, price;
  uint64_t effort;
};

/* The same by the cut. */
static uint64_t
cut_at(struct bound *bound, uint32_t p, uint64_t budget,
       struct cut_state *state) {
  uint64_t held = list_demands(bound, p);
  uint64_t own = node_bytes(bound->problem, p);
  if (held <= budget || own > budget)
    return 0;
  struct plan_cut cut = {.problem = bound->problem,
                         .above = bound->above,
                         .own = bound->own,
                         .demand = bound->demand,
                         .room = budget - own,
                         .best = &state->best,
                         .price = &state->price,
                         .effort = &state->effort};
  /* P itself is not run again by this count. */
  bound->above[p] = false;
  return plan_cut_extra(&cut);
}

struct candidate {
  int64_t live;
  uint32_t node;
};

static bool
promises_more(const struct candidate *x, const struct candidate *y) {
  return x->live != y->live ? x->live > y->live : x->node < y->node;
}

PLAN_SORT(candidates, struct candidate, promises_more)

/* The needed nodes with most bytes live in program order, MOST of them at
 * most, into CANDIDATES.  Returns how many. */
static uint32_t
list_candidates(struct bound *bound, uint64_t most,
                struct candidate *candidates) {
  const struct plan_problem *problem = bound->problem;
  struct plan_timeline timeline;
  uint32_t count = 0;
  plan_timeline_build(&timeline, problem,
                      plan_program_order(problem, bound->scratch),
                      bound->scratch);
  for (uint32_t node = 0; node < problem->node_count; node++)
    if (bound->needed[node])
      candidates[count++] = (struct candidate){timeline.profile[node], node};
  candidates_sort(candidates, count, bound->scratch);
  return count < most ? count : (uint32_t)most;
}

/* Extra cost by the cut at the few of CANDIDATES that promise most. */
static uint64_t
best_cut(struct bound *bound, struct candidate *candidates, uint32_t count,
         uint64_t budget) {
  struct cut_state state = {.effort = CUT_EFFORT};
  uint64_t extra = 0;
  candidates_sort(candidates, count, bound->scratch);
  for (uint32_t i = 0; i < count && i < CUTS_MAX; i++) {
    uint64_t here = cut_at(bound, candidates[i].node, budget, &state);
    extra = here > extra ? here : extra;
  }
  return extra;
}

/* Make ready to look at PROBLEM around nodes. */
static struct bound
begin_bound(const struct plan_problem *problem, struct arena *scratch) {
  uint32_t nodes = problem->node_count;
  struct bound bound = {.problem = problem,
                        .scratch = scratch,
                        .needed = needed_nodes(problem, scratch),
                        .above = ARENA_ARRAY(scratch, bool, nodes),
                        .below = ARENA_ARRAY(scratch, bool, nodes),
                        .own = ARENA_ARRAY(scratch, bool, nodes),
                        .demand = ARENA_ARRAY(scratch, uint64_t, nodes)};
  sort_nodes(&bound);
  return bound;
}

/* How many nodes can be looked at for EFFORT operands in all. */
static uint64_t
affordable(const struct plan_problem *problem, uint64_t effort) {
  uint32_t nodes = problem->node_count;
  uint64_t most =
      effort / ((uint64_t)problem->operand_begin[nodes] + nodes + 1);
  return most < 1 ? 1 : most > BOUND_NODES_MAX ? BOUND_NODES_MAX : most;
}

/* Bytes that are live when P first runs, whatever runs again. */
static uint64_t
resident_at(struct bound *bound, uint32_t p) {
  uint64_t bytes = list_demands(bound, p);
  for (uint32_t i = 0; i < bound->payables.count; i++)
    bytes = saturating_subtract(bytes, bound->payables.data[i].bytes);
  return bytes;
}

uint64_t
plan_bound_resident(const struct plan_problem *problem, uint64_t effort,
                    uint32_t *node) {
  struct arena scratch = {0};
  struct bound bound = begin_bound(problem, &scratch);
  struct candidate *candidates =
      ARENA_ARRAY(&scratch, struct candidate, problem->node_count);
  uint32_t count =
      list_candidates(&bound, affordable(problem, effort), candidates);
  uint64_t most = plan_bound_bytes(problem);
  *node = PLAN_NONE;
  for (uint32_t i = 0; i < problem->node_count; i++)
    if (bound.needed[i] && node_bytes(problem, i) == most) {
      *node = i;
      break;
    }
  for (uint32_t i = 0; i < count; i++) {
    uint64_t bytes = resident_at(&bound, candidates[i].node);
    if (bytes > most) {
      most = bytes;
      *node = candidates[i].node;
    }
  }
  arena_empty(&scratch);
  return most;
}

uint64_t
plan_bound_cost(const struct plan_problem *problem, uint64_t budget_bytes,
                uint64_t effort, bool cuts) {
  struct arena scratch = {0};
  uint32_t nodes = problem->node_count;
  struct bound bound = begin_bound(problem, &scratch);
  struct candidate *candidates = ARENA_ARRAY(&scratch, struct candidate, nodes);
  uint64_t base = 0, extra = 0;
  uint32_t count =
      list_candidates(&bound, affordable(problem, effort), candidates);
  for (uint32_t node = 0; node < nodes; node++)
    if (bound.needed[node])
      base = saturating_add(base, problem->cost_ns[node]);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t here = extra_at(&bound, candidates[i].node, budget_bytes);
    extra = here > extra ? here : extra;
    candidates[i].live = here < INT64_MAX ? (int64_t)here : INT64_MAX;
  }
  if (cuts && extra < UINT64_MAX) {
    uint64_t here = best_cut(&bound, candidates, count, budget_bytes);
    extra = here > extra ? here : extra;
  }
  arena_empty(&scratch);
  return saturating_add(base, extra);
}
