/* limit.c - see limit.h.
 *
 * Planners know nodes that run once and others.  So: plan; where a node runs
 * too often, make such nodes run once and plan again, some ROUNDS.  Where that
 * fits no more, plan for more bytes instead, the fewest by bisection whose
 * plan obeys; the lower of both peaks is taken.  What was proved of peaks
 * without the limit holds with it.  Cost: that of the planners, times ROUNDS +
 * BISECTIONS at most. */
#include "plan/limit.h"

#include "support/checked.h"

#include <string.h>

enum { ROUNDS = 6, BISECTIONS = 7 };

struct limiting {
  const struct plan_problem *problem;
  const struct plan_settings *settings;
  uint64_t budget;
  struct arena *arena;
};

/* Does a node of SEQUENCE run more often than is allowed?  Those become true
 * in ONCE, unless that is NULL. */
static bool
runs_too_often(const struct limiting *l, struct plan_sequence sequence,
               bool *once) {
  struct arena scratch = {0};
  uint32_t nodes = l->problem->node_count;
  uint64_t most = (uint64_t)l->settings->clones_per_node + 1;
  uint32_t *runs = ARENA_ARRAY(&scratch, uint32_t, nodes);
  bool any = false;
  for (uint32_t i = 0; i < sequence.count; i++)
    runs[sequence.nodes[i]]++;
  for (uint32_t node = 0; node < nodes; node++) {
    any |= runs[node] > most;
    if (once && runs[node] > most)
      once[node] = true;
  }
  arena_empty(&scratch);
  return any;
}

/* Plan with nodes bound until RESULT obeys; false where it does not in
 * ROUNDS. */
static bool
bind_nodes(const struct limiting *l, struct plan_result *result) {
  struct plan_problem bound = *l->problem;
  bound.has_once = true;
  bound.once = ARENA_ARRAY(l->arena, bool, bound.node_count);
  memcpy(bound.once, l->problem->once, bound.node_count * sizeof *bound.once);
  for (uint32_t round = 0; runs_too_often(l, result->sequence, bound.once);
       round++) {
    if (round == ROUNDS)
      return false;
    plan_best(&bound, l->budget, l->settings, result, l->arena);
  }
  return true;
}

/* Plan for the fewest bytes from the budget on whose plan obeys. */
static void
raise_budget(const struct limiting *l, struct plan_result *result) {
  uint64_t low = l->budget;
  struct plan_result middle;
  plan_best(l->problem, PLAN_BYTES_MAX, l->settings, result, l->arena);
  for (uint32_t i = 0; i < BISECTIONS && low + 1 < result->figures.peak_bytes;
       i++) {
    uint64_t bytes = low + (result->figures.peak_bytes - low) / 2;
    bool fits = plan_best(l->problem, bytes, l->settings, &middle, l->arena);
    if (fits && !runs_too_often(l, middle.sequence, NULL))
      *result = middle;
    else
      low = bytes;
  }
  result->fits = false;
}

bool
plan_limited(const struct plan_problem *problem, uint64_t budget_bytes,
             const struct plan_settings *settings, struct plan_result *result,
             struct arena *arena) {
  const struct limiting l = {problem, settings, budget_bytes, arena};
  plan_best(problem, budget_bytes, settings, result, arena);
  if (!settings->clones_per_node || !runs_too_often(&l, result->sequence, NULL))
    return result->fits;
  struct plan_result first = *result, raised;
  bool bound = bind_nodes(&l, result);
  if (!bound || !result->fits) {
    raise_budget(&l, &raised);
    if (!bound || raised.figures.peak_bytes < result->figures.peak_bytes)
      *result = raised;
  }
  result->other_count = 0; /* these may run nodes too often */
  /* Bounds of problems with bound nodes, or of other budgets, are none. */
  result->bound_bytes = first.bound_bytes;
  result->proved_infeasible = first.proved_infeasible;
  result->bound_cost_ns = first.fits && result->fits ? first.bound_cost_ns : 0;
  result->proved_optimal =
      result->fits && result->figures.cost_ns <= result->bound_cost_ns;
  return result->fits;
}
