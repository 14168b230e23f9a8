/* fence_defer.c - see fence.h: updates behind the last reader.
 *
 *   %n = subtract %w, ...   over %w          %y = dot %x, %w   again
 *   %y = dot %x, %w         again       ==>  %n = subtract %w, ...
 *
 * A node that writes over a donated argument reads a token of each node that
 * reads the argument (fused.h), so that it runs behind the first instance of
 * each; clones may read the argument later.  Planners do not know that the
 * update then has to wait, with all that it reads: where that takes more than
 * they were to use, they plan again with those readers bound to run once that
 * the update is not made of: of a training step the backward pass.
 * O(instances + reads), and for each update what it is made of, up to a
 * limit. */
#include "passes/fence.h"

#include "plan/limit.h"

#include <string.h>

/* Operands that may be looked at to find what updates are made of. */
enum { BIND_EFFORT = 20000000 };

struct deferring {
  const struct fused_block *b;
  const struct plan_problem *problem;
  struct plan_sequence sequence;
  uint32_t *last;  /* by node: its last position, + 1 */
  uint32_t *after; /* by position: the newest of those put off to behind it,
                      + 1 */
  uint32_t *next;  /* by position of one put off: the one put off before */
};

/* Is NODE an update that nothing reads? */
static bool
may_be_deferred(const struct deferring *d, uint32_t node) {
  const struct plan_problem *problem = d->problem;
  for (uint32_t v = problem->result_begin[node];
       v < problem->result_begin[node + 1]; v++)
    if (problem->reader_begin[v] != problem->reader_begin[v + 1])
      return false;
  return problem->edge_begin[node] == problem->edge_begin[node + 1] &&
         !problem->fixed[node];
}

/* Behind which position the update at P has to run, P itself where it may
 * stay. */
static uint32_t
place_of(const struct deferring *d, uint32_t p) {
  const struct plan_problem *problem = d->problem;
  uint32_t node = d->sequence.nodes[p], place = p;
  if (!may_be_deferred(d, node) || d->last[node] != p + 1)
    return p;
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++) {
    uint32_t value = problem->operands[i];
    uint32_t last = d->last[problem->producer[value]];
    if (d->b->value_leaf[value] == NONE && last > place + 1)
      place = last - 1;
  }
  return place;
}

/* All that was put off to behind P. */
static void
append(const struct deferring *d, uint32_t p, struct plan_sequence *made) {
  for (uint32_t at = d->after[p]; at; at = d->next[at - 1])
    made->nodes[made->count++] = d->sequence.nodes[at - 1];
}

/* SEQUENCE, in ARENA, with what writes over a donated argument put off until
 * all have read that. */
static struct plan_sequence
defer(const struct fused_block *block, struct plan_sequence sequence,
      struct arena *arena) {
  struct deferring d = {
      .b = block,
      .problem = block->problem,
      .sequence = sequence,
      .last = ARENA_ARRAY(arena, uint32_t, block->problem->node_count),
      .after = ARENA_ARRAY(arena, uint32_t, sequence.count),
      .next = ARENA_ARRAY(arena, uint32_t, sequence.count)};
  struct plan_sequence made = {ARENA_ARRAY(arena, uint32_t, sequence.count), 0};
  for (uint32_t p = 0; p < sequence.count; p++)
    d.last[sequence.nodes[p]] = p + 1;
  for (uint32_t p = 0; p < sequence.count; p++) {
    uint32_t place = place_of(&d, p);
    if (place == p) {
      made.nodes[made.count++] = sequence.nodes[p];
      append(&d, p, &made);
      continue;
    }
    d.next[p] = d.after[place];
    d.after[place] = p + 1;
  }
  return made;
}

/* --- planning again --- */

struct binding {
  const struct fused_block *b;
  uint32_t *seen;         /* by node: the update that it was found below, + 1 */
  VECTOR(uint32_t) stack; /* nodes */
  uint64_t effort;        /* that is left */
};

static bool
is_token(const struct fused_block *b, uint32_t value) {
  return b->value_leaf[value] == NONE;
}

/* Mark what the update NODE is made of, tokens left out. */
static void
mark_below(struct binding *g, uint32_t node, struct arena *arena) {
  const struct plan_problem *problem = g->b->problem;
  vector_push(arena, &g->stack, node);
  while (g->stack.count && g->effort) {
    uint32_t from = g->stack.data[--g->stack.count];
    for (uint32_t i = problem->operand_begin[from];
         i < problem->operand_begin[from + 1]; i++) {
      uint32_t value = problem->operands[i], below = problem->producer[value];
      g->effort -= g->effort > 0;
      if (is_token(g->b, value) || g->seen[below] == node + 1)
        continue;
      g->seen[below] = node + 1;
      vector_push(arena, &g->stack, below);
    }
  }
  g->stack.count = 0;
}

/* Let the readers that the update NODE waits for, and is not made of, run
 * once. */
static bool
bind_readers(struct binding *g, uint32_t node, bool *once,
             struct arena *arena) {
  const struct plan_problem *problem = g->b->problem;
  bool any = false, marked = false;
  for (uint32_t i = problem->operand_begin[node];
       i < problem->operand_begin[node + 1]; i++) {
    uint32_t reader = problem->producer[problem->operands[i]];
    if (!is_token(g->b, problem->operands[i]) || once[reader])
      continue;
    if (!marked)
      mark_below(g, node, arena);
    marked = true;
    if (g->effort && g->seen[reader] != node + 1)
      any = once[reader] = true;
  }
  return any;
}

struct fence_bound
fence_bind(const struct fused_block *b, struct arena *arena) {
  struct fence_bound bound = {b, *b->problem, 0, false};
  struct arena scratch = {0};
  uint32_t nodes = bound.problem.node_count;
  struct binding g = {.b = b,
                      .seen = ARENA_ARRAY(&scratch, uint32_t, nodes),
                      .effort = BIND_EFFORT};
  bound.problem.has_once = true;
  bound.problem.once = ARENA_ARRAY(arena, bool, nodes);
  memcpy(bound.problem.once, b->problem->once,
         nodes * sizeof *bound.problem.once);
  for (uint32_t node = 0; node < nodes; node++)
    bound.any |= bind_readers(&g, node, bound.problem.once, &scratch);
  arena_empty(&scratch);
  return bound;
}

/* Put updates off in the plan of RESULT, and say what it needs then.  True
 * where that is more than GOAL, and more than before. */
static bool
settle(const struct fused_block *b, uint64_t goal, struct plan_result *result,
       struct arena *arena) {
  uint64_t before = result->figures.peak_bytes;
  struct plan_sequence deferred = defer(b, result->sequence, arena);
  struct plan_figures figures;
  if (!plan_evaluate(b->problem, deferred, &figures))
    return false;
  result->sequence = deferred;
  result->figures = figures;
  result->fits = result->fits && figures.peak_bytes <= goal;
  return figures.peak_bytes > goal && figures.peak_bytes > before;
}

/* Is A to be preferred to B? */
static bool
is_preferred(const struct plan_result *a, const struct plan_result *b) {
  if (a->fits != b->fits)
    return a->fits;
  return a->fits ? a->figures.cost_ns < b->figures.cost_ns
                 : a->figures.peak_bytes < b->figures.peak_bytes;
}

uint64_t
fence_sequence(struct fence_bound *bound, uint64_t goal,
               const struct plan_settings *settings, struct plan_result *result,
               struct arena *arena) {
  const struct fused_block *b = bound->block;
  struct plan_result next;
  plan_limited(b->problem, goal, settings, result, arena);
  uint64_t least = result->fits ? 0 : result->figures.peak_bytes;
  if (!settle(b, goal, result, arena) || !bound->any ||
      goal < bound->least_bytes)
    return least;
  plan_limited(&bound->problem, goal, settings, &next, arena);
  result->work = next.work = saturating_add(result->work, next.work);
  if (!next.fits)
    bound->least_bytes = next.figures.peak_bytes;
  settle(b, goal, &next, arena);
  if (!is_preferred(&next, result))
    return least;
  next.bound_bytes = result->bound_bytes;
  next.bound_cost_ns = result->bound_cost_ns;
  next.proved_infeasible = result->proved_infeasible;
  next.proved_optimal &= next.figures.cost_ns <= next.bound_cost_ns;
  *result = next;
  return least;
}
