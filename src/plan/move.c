/* move.c - see move.h.
 *
 * First the five orders of order.c.  Then, on the best of them, sinking and
 * hoisting in turn until neither lowers the peak: sinking moves what grows
 * memory down to its first reader, hoisting moves what shrinks memory up to
 * its last operand.  Then single moves at random, kept when neither the peak
 * nor the area above the budget rises.
 *
 * O(E) for every order that is looked at. */
#include "plan/move.h"
#include "plan/order.h"

#include <string.h>

enum {
  SWEEPS_MAX = 20,
  LATEST_PERCENT = 40,
  ALL_ORDERS_MAX = 20000, /* nodes; larger programs get the quick ones */
};

struct mover {
  const struct plan_problem *problem;
  uint64_t budget;
  struct plan_sequence best;
  uint64_t peak;
  double area;
  const char *name;
};

/* Bytes times positions above the budget. */
static double
area_above(const struct plan_timeline *timeline, uint64_t budget) {
  double area = 0;
  for (uint32_t p = 0; p < timeline->count; p++)
    if (timeline->profile[p] > (int64_t)budget)
      area += (double)(timeline->profile[p] - (int64_t)budget);
  return area;
}

/* Keep ORDER where it is no worse; says whether it is better. */
static bool
keep_order(struct mover *mover, struct plan_sequence order, const char *name) {
  struct arena scratch = {0};
  struct plan_timeline timeline;
  bool better = false;
  if (plan_timeline_build(&timeline, mover->problem, order, &scratch)) {
    uint64_t peak = (uint64_t)timeline.peak_bytes;
    double area = area_above(&timeline, mover->budget);
    better = peak < mover->peak || (peak == mover->peak && area < mover->area);
    if (better || (peak == mover->peak && area <= mover->area)) {
      memcpy(mover->best.nodes, order.nodes, order.count * sizeof(uint32_t));
      mover->best.count = order.count;
      mover->peak = peak;
      mover->area = area;
      mover->name = better ? name : mover->name;
    }
  }
  arena_empty(&scratch);
  return better;
}

/* Try the plain orders; stop at one that fits. */
static bool
try_orders(struct mover *mover) {
  bool large = mover->problem->node_count > ALL_ORDERS_MAX;
  for (uint32_t order = 0; order < PLAN_ORDER_COUNT; order++) {
    struct arena scratch = {0};
    if (large && (order == PLAN_DFS || order == PLAN_SINK_GREEDY))
      continue;
    struct plan_sequence sequence = {
        plan_order_nodes(mover->problem, order, &scratch),
        mover->problem->node_count};
    plan_drop_dead(mover->problem, &sequence);
    keep_order(mover, sequence, plan_order_names[order]);
    arena_empty(&scratch);
    if (mover->peak <= mover->budget)
      return true;
  }
  return false;
}

/* The order of SEQUENCE, which has no clone, with the nodes that it leaves out
 * behind. */
static uint32_t *
complete_order(const struct plan_problem *problem,
               struct plan_sequence sequence, struct arena *arena) {
  uint32_t *order = ARENA_ARRAY(arena, uint32_t, problem->node_count);
  bool *placed = ARENA_ARRAY(arena, bool, problem->node_count);
  uint32_t count = 0;
  for (uint32_t p = 0; p < sequence.count; p++) {
    placed[sequence.nodes[p]] = true;
    order[count++] = sequence.nodes[p];
  }
  for (uint32_t node = 0; node < problem->node_count; node++)
    if (!placed[node])
      order[count++] = node;
  return order;
}

/* Sink or hoist on the best order until that does not help. */
static bool
sweep(struct mover *mover, uint64_t *work, uint64_t most) {
  const struct plan_problem *problem = mover->problem;
  uint32_t idle = 0;
  for (uint32_t i = 0; i < SWEEPS_MAX && idle < 2 && *work < most; i++) {
    struct arena scratch = {0};
    const uint32_t *order = complete_order(problem, mover->best, &scratch);
    const struct plan_problem *permuted =
        plan_permute(problem, order, &scratch);
    bool hoist = i % 2 != 0;
    struct plan_sequence moved = {
        plan_order_nodes(permuted, hoist ? PLAN_HOIST : PLAN_SINK, &scratch),
        problem->node_count};
    for (uint32_t p = 0; p < moved.count; p++)
      moved.nodes[p] = order[moved.nodes[p]];
    plan_drop_dead(problem, &moved);
    idle = keep_order(mover, moved, hoist ? "hoist" : "sink") ? 0 : idle + 1;
    *work += (uint64_t)problem->node_count * 4;
    arena_empty(&scratch);
    if (mover->peak <= mover->budget)
      return true;
  }
  return false;
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

void
plan_move_one(const struct plan_problem *problem, struct plan_random *random,
              struct plan_sequence *sequence) {
  const uint32_t *nodes = sequence->nodes;
  uint32_t from = plan_random_below(random, sequence->count);
  uint32_t node = nodes[from], first = from, last = from;
  while (first && nodes[first - 1] != node &&
         !depends(problem, node, nodes[first - 1]))
    first--;
  while (last + 1 < sequence->count && nodes[last + 1] != node &&
         !depends(problem, nodes[last + 1], node))
    last++;
  uint32_t to = plan_random_chance(random, LATEST_PERCENT)
                    ? last
                    : first + plan_random_below(random, last - first + 1);
  move_entry(sequence->nodes, from, to);
}

/* Single moves at random until one fits. */
static bool
wander(struct mover *mover, uint64_t *work, uint64_t most) {
  struct arena scratch = {0};
  struct plan_random random = {0x9e3779b97f4a7c15u};
  struct plan_sequence trial = plan_copy(mover->best, &scratch);
  while (*work < most && mover->peak > mover->budget) {
    memcpy(trial.nodes, mover->best.nodes, trial.count * sizeof(uint32_t));
    for (uint32_t i = plan_random_below(&random, 3); i < 3; i++)
      plan_move_one(mover->problem, &random, &trial);
    keep_order(mover, trial, "moves");
    *work += trial.count + 60;
  }
  arena_empty(&scratch);
  return mover->peak <= mover->budget;
}

bool
plan_move(const struct plan_problem *problem, uint64_t budget_bytes,
          uint64_t work, struct plan_sequence *sequence, const char **name,
          struct arena *arena) {
  struct mover mover = {.problem = problem,
                        .budget = budget_bytes,
                        .best = plan_program_order(problem, arena),
                        .peak = UINT64_MAX};
  uint64_t done = 0;
  bool fits = try_orders(&mover) || sweep(&mover, &done, work) ||
              wander(&mover, &done, work);
  *sequence = mover.best;
  *name = mover.name;
  return fits;
}
