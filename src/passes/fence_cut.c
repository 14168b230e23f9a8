/* fence_cut.c - see fence.h: where to cut.
 *
 *   limit 5             live in   made
 *   %a (2)                 0       2
 *   %b (2)                 0       4
 *   ------ fence           4             %c would make it 6
 *   %c (1) reads %a %b     4       1
 *
 * From the first position on, a segment takes what fits.  A result that takes
 * over an operand's storage adds nothing, if nothing else in the segment reads
 * that operand: whatever the order, its reader is the last.
 * O(instances + reads). */
#include "passes/fence.h"

struct cutting {
  struct fence_cuts *cuts;
  const struct plan_problem *problem;
  uint64_t limit;
  uint64_t *live_in;   /* by position: bytes made before and needed from on */
  uint32_t *last_read; /* by slot: the newest position that reads it, + 1 */
  uint32_t start;
  uint64_t held, workspace;
  VECTOR(uint32_t) starts;
};

static uint64_t
slot_bytes(const struct cutting *k, uint32_t slot) {
  return k->problem->bytes[plan_slot_value(&k->cuts->timeline, slot)];
}

static void
find_live_in(struct cutting *k, struct arena *arena) {
  const struct plan_timeline *t = &k->cuts->timeline;
  k->live_in = ARENA_ARRAY(arena, uint64_t, (size_t)t->count + 2);
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    k->live_in[t->owner[slot] + 1] += slot_bytes(k, slot);
    k->live_in[(size_t)t->last[slot] + 1] -= slot_bytes(k, slot);
  }
  for (uint32_t p = 1; p <= t->count; p++)
    k->live_in[p] += k->live_in[p - 1];
}

/* The workspace of the instance at P, where it is needed only while that
 * runs. */
static uint64_t
own_workspace(const struct cutting *k, uint32_t p) {
  uint32_t node = k->cuts->timeline.nodes[p];
  const struct fused_block *block = k->cuts->block;
  return fused_calls(block->fused, block->node_op[node])
             ? 0
             : k->problem->workspace_bytes[node];
}

/* Bytes that the instance at P adds to its segment. */
static uint64_t
added_bytes(const struct cutting *k, uint32_t p) {
  const struct plan_timeline *t = &k->cuts->timeline;
  uint64_t bytes =
      k->problem->workspace_bytes[t->nodes[p]] - own_workspace(k, p);
  for (uint32_t s = t->slot_begin[p]; s < t->slot_begin[p + 1]; s++)
    bytes += slot_bytes(k, s);
  for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
    uint32_t slot = t->reads[i];
    if (k->last_read[slot] <= k->start)
      bytes -= (uint64_t)plan_takeover(t, p, slot);
  }
  return bytes;
}

static void
begin_segment(struct cutting *k, uint32_t p, struct arena *arena) {
  vector_push(arena, &k->starts, p);
  k->start = p;
  k->held = k->live_in[p];
  k->workspace = 0;
}

static void
cut_at(struct cutting *k, uint32_t p, bool fences, struct arena *arena) {
  const struct plan_timeline *t = &k->cuts->timeline;
  uint64_t own = own_workspace(k, p);
  uint64_t workspace = own > k->workspace ? own : k->workspace;
  if (p == 0 || (fences && k->held + added_bytes(k, p) + workspace > k->limit &&
                 p > k->start)) {
    begin_segment(k, p, arena);
    workspace = own;
  }
  k->held += added_bytes(k, p);
  k->workspace = workspace;
  if (k->held + workspace > k->cuts->bound_bytes)
    k->cuts->bound_bytes = k->held + workspace;
  for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++)
    k->last_read[t->reads[i]] = p + 1;
}

bool
fence_cut(struct fence_cuts *cuts, const struct fused_block *block,
          struct plan_sequence sequence, uint64_t limit, bool fences,
          struct arena *arena) {
  *cuts = (struct fence_cuts){.block = block};
  if (!plan_timeline_build(&cuts->timeline, block->problem, sequence, arena))
    return false;
  struct cutting k = {
      .cuts = cuts,
      .problem = block->problem,
      .limit = limit,
      .last_read = ARENA_ARRAY(arena, uint32_t, cuts->timeline.slot_count)};
  find_live_in(&k, arena);
  for (uint32_t p = 0; p < cuts->timeline.count; p++)
    cut_at(&k, p, fences, arena);
  cuts->starts = k.starts.data;
  cuts->count = k.starts.count;
  return true;
}
