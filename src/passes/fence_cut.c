/* fence_cut.c - see fence.h: where to cut.
 *
 *   limit 5             live in   made
 *   %a (2)                 0       2
 *   %b (2)                 0       4
 *   ------ fence           4             %c would make it 6
 *   %c (1) reads %a %b     4       1
 *
 * A result that takes over an operand's storage adds nothing, if nothing else
 * in the segment reads that operand: whatever the order, its reader is the
 * last; and if the operand is made there, for what a barrier hands on is not
 * written over.  So it matters where a segment begins, and each place is tried:
 * the fewest segments are chosen that all stay within the limit, else those
 * whose worst is over it by the least.  What writes over a donated argument is
 * cut off from the argument's readers.
 *
 * O((instances + reads) * instances that fit in a segment, of which at most
 * REACH are looked at). */
#include "passes/fence.h"

enum { REACH = 2048 };

/* The best way to cut what stands before a position. */
struct way {
  uint64_t worst; /* bytes over the limit */
  uint64_t bound; /* of all segments */
  uint32_t segments;
  uint32_t start; /* of the last one */
};

struct cutting {
  struct fence_cuts *cuts;
  const struct plan_problem *problem;
  uint64_t limit;
  uint64_t *live_in; /* by position: bytes made before and needed from on */
  uint32_t *read_in; /* by slot: the segment's start that read it last, + 1 */
  uint32_t start;
  struct way *ways; /* by position */
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

/* Does the instance at P take over the place of SLOT, though a fence may hand
 * it on? */
static bool
reaches(const struct cutting *k, uint32_t p, uint32_t slot) {
  const struct plan_timeline *t = &k->cuts->timeline;
  if (t->owner[slot] >= k->start)
    return true;
  uint32_t first = k->problem->result_begin[t->nodes[p]];
  uint32_t end = k->problem->result_begin[t->nodes[p] + 1];
  for (uint32_t value = first; value < end; value++)
    if (k->problem->in_place[value] == plan_slot_value(t, slot))
      return fused_always_in_place(k->cuts->block, value);
  return false;
}

/* Bytes that the instance at P, the next of the segment, adds to it. */
static uint64_t
add_instance(struct cutting *k, uint32_t p) {
  const struct plan_timeline *t = &k->cuts->timeline;
  uint64_t bytes =
      k->problem->workspace_bytes[t->nodes[p]] - own_workspace(k, p);
  for (uint32_t s = t->slot_begin[p]; s < t->slot_begin[p + 1]; s++)
    bytes += slot_bytes(k, s);
  for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
    uint32_t slot = t->reads[i];
    int64_t taken = plan_takeover(t, p, slot);
    if (taken && k->read_in[slot] != k->start + 1 && reaches(k, p, slot))
      bytes -= (uint64_t)taken;
    k->read_in[slot] = k->start + 1;
  }
  return bytes;
}

/* Does the instance at P write over an argument that its segment reads?  Only
 * a fence keeps the readers in front. */
static bool
has_to_wait(const struct cutting *k, uint32_t p) {
  const struct plan_timeline *t = &k->cuts->timeline;
  for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
    uint32_t value = plan_slot_value(t, t->reads[i]);
    if (t->owner[t->reads[i]] >= k->start &&
        k->cuts->block->value_leaf[value] == NONE)
      return true;
  }
  return false;
}

/* A segment of BYTES from the start on may end before END. */
static void
offer(struct cutting *k, uint32_t end, uint64_t bytes) {
  struct way way = k->ways[k->start], *best = &k->ways[end];
  uint64_t over = saturating_subtract(bytes, k->limit);
  way.worst = over > way.worst ? over : way.worst;
  way.bound = bytes > way.bound ? bytes : way.bound;
  way.segments++;
  way.start = k->start;
  if (best->segments == 0 || way.worst < best->worst ||
      (way.worst == best->worst && way.segments < best->segments))
    *best = way;
}

/* Try all segments from START on: those that fit, and the shortest. */
static void
try_from(struct cutting *k, uint32_t start) {
  const struct plan_timeline *t = &k->cuts->timeline;
  uint64_t held = k->live_in[start], workspace = 0;
  k->start = start;
  for (uint32_t p = start; p < t->count && p - start < REACH; p++) {
    if (p > start && has_to_wait(k, p))
      break;
    uint64_t own = own_workspace(k, p);
    workspace = own > workspace ? own : workspace;
    held += add_instance(k, p);
    if (p > start && held + workspace > k->limit)
      break;
    offer(k, p + 1, held + workspace);
  }
}

/* Write down where segments start. */
static void
choose(struct cutting *k, struct arena *arena) {
  struct fence_cuts *cuts = k->cuts;
  const struct way *end = &k->ways[cuts->timeline.count];
  cuts->bound_bytes = end->bound;
  cuts->count = end->segments;
  cuts->starts = ARENA_ARRAY(arena, uint32_t, (size_t)end->segments + 1);
  uint32_t at = cuts->timeline.count;
  for (uint32_t i = end->segments; i-- > 0;)
    cuts->starts[i] = at = k->ways[at].start;
}

/* One segment, in order. */
static void
leave_whole(struct fence_cuts *cuts, struct arena *arena) {
  cuts->bound_bytes = (uint64_t)cuts->timeline.peak_bytes;
  cuts->count = cuts->timeline.count > 0;
  cuts->starts = ARENA_ARRAY(arena, uint32_t, 1);
}

bool
fence_cut(struct fence_cuts *cuts, const struct fused_block *block,
          struct plan_sequence sequence, uint64_t limit, bool fences,
          struct arena *arena) {
  *cuts = (struct fence_cuts){.block = block};
  if (!plan_timeline_build(&cuts->timeline, block->problem, sequence, arena))
    return false;
  if (!fences) {
    leave_whole(cuts, arena);
    return true;
  }
  struct cutting k = {
      .cuts = cuts,
      .problem = block->problem,
      .limit = limit,
      .read_in = ARENA_ARRAY(arena, uint32_t, cuts->timeline.slot_count),
      .ways = ARENA_ARRAY(arena, struct way, (size_t)cuts->timeline.count + 1)};
  find_live_in(&k, arena);
  for (uint32_t start = 0; start < cuts->timeline.count; start++)
    try_from(&k, start);
  choose(&k, arena);
  return true;
}
