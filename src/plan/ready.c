/* ready.c - see ready.h.
 *
 * Breadth first: a node waits for as many operands and edges as it has, and
 * goes to the end of the queue when the last of them has run.  O(operands +
 * edges). */
#include "plan/ready.h"

struct readying {
  const struct plan_problem *problem;
  uint32_t *waits;               /* by node: for so many */
  uint32_t *after_begin, *after; /* by node: those that wait by an edge */
  uint32_t *queue;               /* the order */
  uint32_t count;
};

/* Turn the edges around. */
static void
find_after(struct readying *r, struct arena *arena) {
  const struct plan_problem *p = r->problem;
  r->after_begin = ARENA_ARRAY(arena, uint32_t, (size_t)p->node_count + 2);
  r->after = ARENA_ARRAY(arena, uint32_t, p->edge_begin[p->node_count]);
  for (uint32_t i = 0; i < p->edge_begin[p->node_count]; i++)
    r->after_begin[p->edges[i] + 2]++;
  for (uint32_t n = 2; n <= p->node_count; n++)
    r->after_begin[n] += r->after_begin[n - 1];
  for (uint32_t n = 0; n < p->node_count; n++)
    for (uint32_t i = p->edge_begin[n]; i < p->edge_begin[n + 1]; i++)
      r->after[r->after_begin[p->edges[i] + 1]++] = n;
}

static void
release(struct readying *r, uint32_t node) {
  if (--r->waits[node] == 0)
    r->queue[r->count++] = node;
}

uint32_t *
plan_ready_order(const struct plan_problem *problem, struct arena *arena) {
  const struct plan_problem *p = problem;
  struct arena scratch = {0};
  struct readying r = {.problem = p,
                       .waits = ARENA_ARRAY(&scratch, uint32_t, p->node_count),
                       .queue = ARENA_ARRAY(arena, uint32_t, p->node_count)};
  find_after(&r, &scratch);
  for (uint32_t n = 0; n < p->node_count; n++) {
    r.waits[n] = p->operand_begin[n + 1] - p->operand_begin[n] +
                 p->edge_begin[n + 1] - p->edge_begin[n];
    if (!r.waits[n])
      r.queue[r.count++] = n;
  }
  for (uint32_t i = 0; i < r.count; i++) {
    uint32_t n = r.queue[i];
    for (uint32_t v = p->result_begin[n]; v < p->result_begin[n + 1]; v++)
      for (uint32_t k = p->reader_begin[v]; k < p->reader_begin[v + 1]; k++)
        release(&r, p->readers[k]);
    for (uint32_t k = r.after_begin[n]; k < r.after_begin[n + 1]; k++)
      release(&r, r.after[k]);
  }
  arena_empty(&scratch);
  return r.queue;
}
