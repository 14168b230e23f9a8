/* order.c - see order.h.
 *
 * greedy: a heap of ready nodes by the bytes that they would add, O(E log n).
 * sink, hoist: one sweep, then a counting sort by place, O(E).
 * dfs: O(E). */
#include "plan/order.h"
#include "plan/heap.h"

#include <string.h>

const char *const plan_order_names[PLAN_ORDER_COUNT] = {
    "program", "greedy", "sink", "dfs", "sink-greedy", "hoist",
};

struct ready {
  int64_t growth;
  uint32_t node;
};

struct scheduler {
  const struct plan_problem *problem;
  struct arena *arena;
  uint32_t *waits;       /* by node: operands and edges not yet scheduled */
  uint32_t *unread_left; /* by value: readers not yet scheduled */
  bool *done;            /* by node */
  uint32_t *follower_begin, *followers; /* by node: edges turned around */
  VECTOR(struct ready) heap;
};

/* Who has to come after each node because of edges. */
static void
list_followers(struct scheduler *scheduler) {
  const struct plan_problem *problem = scheduler->problem;
  uint32_t nodes = problem->node_count;
  uint32_t *begin = ARENA_ARRAY(scheduler->arena, uint32_t, (size_t)nodes + 2);
  for (uint32_t i = 0; i < problem->edge_begin[nodes]; i++)
    begin[problem->edges[i] + 2]++;
  for (uint32_t node = 0; node < nodes; node++)
    begin[node + 2] += begin[node + 1];
  scheduler->followers =
      ARENA_ARRAY(scheduler->arena, uint32_t, problem->edge_begin[nodes]);
  for (uint32_t node = 0; node < nodes; node++)
    for (uint32_t i = problem->edge_begin[node];
         i < problem->edge_begin[node + 1]; i++)
      scheduler->followers[begin[problem->edges[i] + 1]++] = node;
  scheduler->follower_begin = begin;
}

/* Bytes that are live after NODE and were not before. */
static int64_t
growth(const struct scheduler *scheduler, uint32_t node) {
  const struct plan_problem *problem = scheduler->problem;
  int64_t bytes = 0;
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    if (problem->returned[value] || scheduler->unread_left[value])
      bytes += (int64_t)problem->bytes[value];
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++) {
    uint32_t value = problem->operands[i];
    if (scheduler->unread_left[value] == 1 && !problem->returned[value])
      bytes -= (int64_t)problem->bytes[value];
  }
  return bytes;
}

static bool
is_less(const struct ready *x, const struct ready *y) {
  return x->growth != y->growth ? x->growth < y->growth : x->node < y->node;
}

PLAN_HEAP(ready, struct ready, is_less)

static void
push_ready(struct scheduler *scheduler, uint32_t node) {
  struct ready entry = {growth(scheduler, node), node};
  plan_heap_push(ready, scheduler->arena, &scheduler->heap, entry);
}

static void
release(struct scheduler *scheduler, uint32_t node) {
  if (--scheduler->waits[node] == 0)
    push_ready(scheduler, node);
}

/* NODE is scheduled: its readers wait for less, and the last reader of an
 * operand would now free it. */
static void
schedule(struct scheduler *scheduler, uint32_t node) {
  const struct plan_problem *problem = scheduler->problem;
  scheduler->done[node] = true;
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++) {
    uint32_t value = problem->operands[i];
    if (--scheduler->unread_left[value] != 1)
      continue;
    for (uint32_t k = problem->reader_begin[value];
         k < problem->reader_begin[value + 1]; k++) {
      uint32_t reader = problem->readers[k];
      if (!scheduler->done[reader] && !scheduler->waits[reader])
        push_ready(scheduler, reader);
    }
  }
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    for (uint32_t k = problem->reader_begin[value];
         k < problem->reader_begin[value + 1]; k++)
      release(scheduler, problem->readers[k]);
  for (uint32_t i = scheduler->follower_begin[node];
       i < scheduler->follower_begin[node + 1]; i++)
    release(scheduler, scheduler->followers[i]);
}

static void
greedy_order(const struct plan_problem *problem, uint32_t *order,
             struct arena *arena) {
  struct scheduler scheduler = {.problem = problem, .arena = arena};
  uint32_t nodes = problem->node_count, count = 0;
  list_followers(&scheduler);
  scheduler.waits = ARENA_ARRAY(arena, uint32_t, nodes);
  scheduler.unread_left = ARENA_ARRAY(arena, uint32_t, problem->value_count);
  scheduler.done = ARENA_ARRAY(arena, bool, nodes);
  for (uint32_t value = 0; value < problem->value_count; value++)
    scheduler.unread_left[value] =
        problem->reader_begin[value + 1] - problem->reader_begin[value];
  for (uint32_t node = 0; node < nodes; node++)
    scheduler.waits[node] =
        problem->operand_begin[node + 1] - problem->operand_begin[node] +
        problem->edge_begin[node + 1] - problem->edge_begin[node];
  for (uint32_t node = 0; node < nodes; node++)
    if (!scheduler.waits[node])
      push_ready(&scheduler, node);
  while (scheduler.heap.count) {
    struct ready top = plan_heap_pop(ready, &scheduler.heap);
    if (scheduler.done[top.node])
      continue;
    order[count++] = top.node;
    schedule(&scheduler, top.node);
  }
}

/* Bytes of the operands that NODE is the last in program order to read. */
static uint64_t
bytes_freed(const struct plan_problem *problem, uint32_t node) {
  uint64_t bytes = 0;
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++) {
    uint32_t value = problem->operands[i];
    if (!problem->returned[value] &&
        problem->readers[problem->reader_begin[value + 1] - 1] == node)
      bytes += problem->bytes[value];
  }
  return bytes;
}

static uint64_t
bytes_made(const struct plan_problem *problem, uint32_t node) {
  uint64_t bytes = 0;
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    bytes += problem->bytes[value];
  return bytes;
}

/* Where NODE may sink to: the first place of its readers and followers. */
static uint32_t
first_place(const struct scheduler *scheduler, uint32_t node,
            const uint32_t *place) {
  const struct plan_problem *problem = scheduler->problem;
  uint32_t first = PLAN_NONE;
  for (uint32_t i = problem->reader_begin[problem->result_begin[node]];
       i < problem->reader_begin[problem->result_begin[node + 1]]; i++)
    if (place[problem->readers[i]] < first)
      first = place[problem->readers[i]];
  for (uint32_t i = scheduler->follower_begin[node];
       i < scheduler->follower_begin[node + 1]; i++)
    if (place[scheduler->followers[i]] < first)
      first = place[scheduler->followers[i]];
  return first;
}

/* Nodes by place, in program order where places are equal. */
static void
sort_by_place(const uint32_t *place, uint32_t nodes, uint32_t *order,
              struct arena *arena) {
  uint32_t *begin = ARENA_ARRAY(arena, uint32_t, (size_t)nodes + 1);
  for (uint32_t node = 0; node < nodes; node++)
    begin[place[node] + 1]++;
  for (uint32_t node = 0; node < nodes; node++)
    begin[node + 1] += begin[node];
  for (uint32_t node = 0; node < nodes; node++)
    order[begin[place[node]]++] = node;
}

static void
sink_order(const struct plan_problem *problem, uint32_t *order,
           struct arena *arena) {
  struct scheduler scheduler = {.problem = problem, .arena = arena};
  uint32_t nodes = problem->node_count;
  uint32_t *place = ARENA_ARRAY(arena, uint32_t, nodes);
  list_followers(&scheduler);
  for (uint32_t node = nodes; node-- > 0;) {
    place[node] = node;
    if (problem->fixed[node] ||
        bytes_made(problem, node) <= bytes_freed(problem, node))
      continue;
    uint32_t first = first_place(&scheduler, node, place);
    if (first != PLAN_NONE)
      place[node] = first;
  }
  sort_by_place(place, nodes, order, arena);
}

/* Where NODE may be hoisted to: the last place of what it needs. */
static uint32_t
last_place(const struct plan_problem *problem, uint32_t node,
           const uint32_t *place) {
  uint32_t last = 0;
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++) {
    uint32_t at = place[problem->producer[problem->operands[i]]];
    last = at > last ? at : last;
  }
  for (uint32_t i = problem->edge_begin[node];
       i < problem->edge_begin[node + 1]; i++)
    last = place[problem->edges[i]] > last ? place[problem->edges[i]] : last;
  return last;
}

static void
hoist_order(const struct plan_problem *problem, uint32_t *order,
            struct arena *arena) {
  uint32_t nodes = problem->node_count;
  uint32_t *place = ARENA_ARRAY(arena, uint32_t, nodes);
  for (uint32_t node = 0; node < nodes; node++) {
    bool reads =
        problem->operand_begin[node] < problem->operand_begin[node + 1];
    place[node] = node;
    if (reads && !problem->fixed[node] &&
        bytes_made(problem, node) < bytes_freed(problem, node))
      place[node] = last_place(problem, node, place);
  }
  sort_by_place(place, nodes, order, arena);
}

struct dfs_frame {
  uint32_t node, next; /* which operand or edge comes next */
};

/* Post-order of what ROOT needs and is not DONE, appended at ORDER. */
static uint32_t
dfs_from(const struct plan_problem *problem, uint32_t root, bool *done,
         struct dfs_frame *stack, uint32_t *order) {
  uint32_t count = 0, depth = 0;
  stack[depth++] = (struct dfs_frame){root, 0};
  done[root] = true;
  while (depth) {
    struct dfs_frame *top = &stack[depth - 1];
    uint32_t node = top->node, next = top->next++;
    uint32_t operands =
        problem->operand_begin[node + 1] - problem->operand_begin[node];
    uint32_t edges = problem->edge_begin[node + 1] - problem->edge_begin[node];
    if (next >= operands + edges) {
      order[count++] = node;
      depth--;
      continue;
    }
    uint32_t need =
        next < edges
            ? problem->edges[problem->edge_begin[node] + next]
            : problem->producer[problem->operands[problem->operand_begin[node] +
                                                  next - edges]];
    if (done[need])
      continue;
    done[need] = true;
    stack[depth++] = (struct dfs_frame){need, 0};
  }
  return count;
}

/* Is NODE one to start from: returned or read by no one? */
static bool
is_root(const struct plan_problem *problem, uint32_t node) {
  uint32_t begin = problem->result_begin[node];
  uint32_t end = problem->result_begin[node + 1];
  for (uint32_t value = begin; value < end; value++)
    if (problem->returned[value])
      return true;
  return problem->reader_begin[begin] == problem->reader_begin[end];
}

static void
dfs_order(const struct plan_problem *problem, uint32_t *order,
          struct arena *arena) {
  uint32_t nodes = problem->node_count, count = 0;
  bool *done = ARENA_ARRAY(arena, bool, nodes);
  struct dfs_frame *stack = ARENA_ARRAY(arena, struct dfs_frame, nodes);
  for (uint32_t node = 0; node < nodes; node++)
    if (!done[node] && is_root(problem, node))
      count += dfs_from(problem, node, done, stack, order + count);
}

static void
sink_greedy_order(const struct plan_problem *problem, uint32_t *order,
                  struct arena *arena) {
  uint32_t *greedy = ARENA_ARRAY(arena, uint32_t, problem->node_count);
  greedy_order(problem, greedy, arena);
  const struct plan_problem *permuted = plan_permute(problem, greedy, arena);
  sink_order(permuted, order, arena);
  for (uint32_t i = 0; i < problem->node_count; i++)
    order[i] = greedy[order[i]];
}

uint32_t *
plan_order_nodes(const struct plan_problem *problem, enum plan_order order,
                 struct arena *arena) {
  struct arena scratch = {0};
  uint32_t *nodes = ARENA_ARRAY(arena, uint32_t, problem->node_count);
  switch (order) {
  case PLAN_GREEDY:
    greedy_order(problem, nodes, &scratch);
    break;
  case PLAN_SINK:
    sink_order(problem, nodes, &scratch);
    break;
  case PLAN_DFS:
    dfs_order(problem, nodes, &scratch);
    break;
  case PLAN_SINK_GREEDY:
    sink_greedy_order(problem, nodes, &scratch);
    break;
  case PLAN_HOIST:
    hoist_order(problem, nodes, &scratch);
    break;
  case PLAN_PROGRAM:
  case PLAN_ORDER_COUNT:
    for (uint32_t node = 0; node < problem->node_count; node++)
      nodes[node] = node;
    break;
  }
  arena_empty(&scratch);
  return nodes;
}
