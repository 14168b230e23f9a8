/* fence_defer.c - see fence.h: updates behind the last reader.
 *
 *   %n = subtract %w, ...   over %w          %y = dot %x, %w   again
 *   %y = dot %x, %w         again       ==>  %n = subtract %w, ...
 *
 * A node that writes over a donated argument reads a token of each node that
 * reads the argument (fused.h), so that it runs behind the first instance of
 * each; clones may read the argument later.  O(instances + reads). */
#include "passes/fence.h"

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

struct plan_sequence
fence_defer(const struct fused_block *block, struct plan_sequence sequence,
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
