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
 * the fewest segments are chosen that all stay within the limit (or one for
 * each value of some size, which leaves a scheduler the least to choose), else
 * those whose worst is over it by the least.  What writes over a donated
 * argument is cut off from the argument's readers.
 *
 * A segment that fits may end anywhere up to where it stops to (fence_reach.c):
 * so the best of the starts that reach an end is taken from a heap.
 *
 * O((instances + reads) * log instances). */
#include "passes/fence.h"

#include "plan/heap.h"

#include <string.h>

/* Of the limit: what has to be made between fences that are not needed, where
 * there are more instances than FEW. */
enum { SHARES = 64, FEW = 700 };

/* The best way to cut what stands before a position. */
struct way {
  uint64_t worst; /* bytes over the limit */
  uint32_t rank;  /* the less the better */
  uint32_t segments;
  uint32_t start; /* of the last one */
};

/* A place where a segment may begin, with the way up to it. */
struct start {
  uint64_t worst;
  uint32_t rank;
  uint32_t segments;
  uint32_t place;
};

static bool
start_before(const struct start *a, const struct start *b) {
  if (a->worst != b->worst)
    return a->worst < b->worst;
  if (a->rank != b->rank)
    return a->rank < b->rank;
  if (a->segments != b->segments)
    return a->segments < b->segments;
  return a->place < b->place;
}

PLAN_HEAP(start, struct start, start_before)

struct cutting {
  struct fence_cuts *cuts;
  uint64_t limit;
  uint64_t *live_in; /* by position: bytes made before and needed from on */
  uint32_t *read_in; /* by slot: the segment's start that read it last, + 1 */
  uint32_t *end;     /* by start: where the longest segment ends that fits */
  uint32_t start;
  bool *good;       /* by position: may a segment well begin there?  NULL: few
                       segments are wanted */
  struct way *ways; /* by position */
  struct arena *arena;
  VECTOR(struct start) starts; /* a heap of those that may be the best */
};

static uint64_t
slot_bytes(const struct fence_cuts *cuts, uint32_t slot) {
  return cuts->block->problem->bytes[plan_slot_value(&cuts->timeline, slot)];
}

static void
find_live_in(struct cutting *k, struct arena *arena) {
  const struct plan_timeline *t = &k->cuts->timeline;
  k->live_in = ARENA_ARRAY(arena, uint64_t, (size_t)t->count + 2);
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    k->live_in[t->owner[slot] + 1] += slot_bytes(k->cuts, slot);
    k->live_in[(size_t)t->last[slot] + 1] -= slot_bytes(k->cuts, slot);
  }
  for (uint32_t p = 1; p <= t->count; p++)
    k->live_in[p] += k->live_in[p - 1];
}

uint64_t
fence_own_workspace(const struct fence_cuts *cuts, uint32_t p) {
  uint32_t node = cuts->timeline.nodes[p];
  const struct fused_block *block = cuts->block;
  return fused_calls(block->fused, block->node_op[node])
             ? 0
             : block->problem->workspace_bytes[node];
}

uint64_t
fence_made_bytes(const struct fence_cuts *cuts, uint32_t p) {
  const struct plan_timeline *t = &cuts->timeline;
  uint64_t bytes = cuts->block->problem->workspace_bytes[t->nodes[p]] -
                   fence_own_workspace(cuts, p);
  for (uint32_t s = t->slot_begin[p]; s < t->slot_begin[p + 1]; s++)
    bytes += slot_bytes(cuts, s);
  return bytes;
}

int64_t
fence_takeover(const struct fence_cuts *cuts, uint32_t p, uint32_t slot) {
  return cuts->timeline.last[slot] == p ? cuts->taken[slot] : 0;
}

/* The slot made last of those whose place VALUE, a result of the instance at P,
 * can take; PLAN_NONE where there is none. */
static uint32_t
nearest_candidate(const struct fence_cuts *cuts, uint32_t p, uint32_t value) {
  const struct fused_block *b = cuts->block;
  const struct plan_timeline *t = &cuts->timeline;
  uint32_t nearest = PLAN_NONE;
  for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
    uint32_t slot = t->reads[i], read = plan_slot_value(t, slot);
    if (t->last[slot] != p || cuts->taken[slot] ||
        (nearest != PLAN_NONE && t->owner[slot] < t->owner[nearest]))
      continue;
    for (uint32_t c = b->candidate_begin[value];
         c < b->candidate_begin[value + 1]; c++)
      if (b->candidates[c] == read)
        nearest = slot;
  }
  return nearest;
}

/* Find what results take over: each the place of one operand, which planners
 * took to be the same in all instances. */
static void
find_taken(struct fence_cuts *cuts, struct arena *arena) {
  const struct plan_timeline *t = &cuts->timeline;
  const struct plan_problem *problem = cuts->block->problem;
  cuts->taken = ARENA_ARRAY(arena, int64_t, t->slot_count);
  for (uint32_t p = 0; p < t->count; p++) {
    for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++)
      if (fence_always_in_place(cuts, p, t->reads[i]))
        cuts->taken[t->reads[i]] = plan_takeover(t, p, t->reads[i]);
    for (uint32_t s = t->slot_begin[p]; s < t->slot_begin[p + 1]; s++) {
      uint32_t value = plan_slot_value(t, s);
      if (problem->in_place[value] != PLAN_NONE &&
          fused_always_in_place(cuts->block, value))
        continue;
      uint32_t slot = nearest_candidate(cuts, p, value);
      if (slot != PLAN_NONE)
        cuts->taken[slot] = (int64_t)problem->bytes[value];
    }
  }
}

bool
fence_always_in_place(const struct fence_cuts *cuts, uint32_t p,
                      uint32_t slot) {
  const struct plan_timeline *t = &cuts->timeline;
  uint32_t taker =
      plan_taker(cuts->block->problem, t->nodes[p], plan_slot_value(t, slot));
  return taker != PLAN_NONE && fused_always_in_place(cuts->block, taker);
}

bool
fence_waits(const struct fence_cuts *cuts, uint32_t slot) {
  uint32_t value = plan_slot_value(&cuts->timeline, slot);
  return cuts->block->value_leaf[value] == NONE;
}

/* Bytes that the instance at P, the next of the segment, adds to it. */
static uint64_t
add_instance(struct cutting *k, uint32_t p) {
  const struct plan_timeline *t = &k->cuts->timeline;
  uint64_t bytes = fence_made_bytes(k->cuts, p);
  for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
    uint32_t slot = t->reads[i];
    int64_t taken = fence_takeover(k->cuts, p, slot);
    if (taken && k->read_in[slot] != k->start + 1 &&
        (t->owner[slot] >= k->start || fence_always_in_place(k->cuts, p, slot)))
      bytes -= (uint64_t)taken;
    k->read_in[slot] = k->start + 1;
  }
  return bytes;
}

/* What the segment from START to END needs in any order. */
static uint64_t
segment_bytes(struct cutting *k, uint32_t start, uint32_t end) {
  uint64_t held = k->live_in[start], workspace = 0;
  k->start = start;
  for (uint32_t p = start; p < end; p++) {
    uint64_t own = fence_own_workspace(k->cuts, p);
    workspace = own > workspace ? own : workspace;
    held += add_instance(k, p);
  }
  return held + workspace;
}

/* The rank of a way that ranks RANK with a segment more, which begins at PLACE:
 * few segments are wanted, or many that begin at good places. */
static uint32_t
next_rank(const struct cutting *k, uint32_t rank, uint32_t place) {
  return k->good ? rank - k->good[place] : rank + 1;
}

/* Does the instance at P write over what the one before it makes, whatever
 * stands between?  A compiler makes one of the two, unless a fence does. */
static bool
writes_on(const struct fence_cuts *cuts, uint32_t p) {
  const struct plan_timeline *t = &cuts->timeline;
  for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++)
    if (t->owner[t->reads[i]] + 1 == p &&
        fence_takeover(cuts, p, t->reads[i]) &&
        fence_always_in_place(cuts, p, t->reads[i]))
      return true;
  return false;
}

/* Note where many segments may well begin: of few instances at each, else
 * behind each share of the limit that was made. */
static void
find_good_places(struct cutting *k) {
  uint32_t count = k->cuts->timeline.count;
  uint64_t made = 0;
  k->good = ARENA_ARRAY(k->arena, bool, count);
  for (uint32_t p = 0; p < count; p++) {
    k->good[p] =
        (count <= FEW || made > k->limit / SHARES) && !writes_on(k->cuts, p);
    made = k->good[p] ? 0 : made;
    made = saturating_add(made, fence_made_bytes(k->cuts, p));
  }
}

/* The best way to what stands before END: the last segment is one instance, or
 * begins at the best of the starts that reach so far. */
static void
find_way(struct cutting *k, uint32_t end) {
  const struct way *before = &k->ways[end - 1];
  struct start own = {before->worst, next_rank(k, before->rank, end - 1),
                      before->segments, end - 1};
  struct start best = own;
  uint64_t over = saturating_subtract(segment_bytes(k, end - 1, end), k->limit);
  if (k->end[end - 1] > end)
    plan_heap_push(start, k->arena, &k->starts, own);
  if (over > best.worst)
    best.worst = over;
  while (k->starts.count && k->end[k->starts.data[0].place] < end)
    plan_heap_pop(start, &k->starts);
  if (k->starts.count && start_before(&k->starts.data[0], &best))
    best = k->starts.data[0];
  k->ways[end] =
      (struct way){best.worst, best.rank, best.segments + 1, best.place};
}

/* Write down where segments start. */
static void
choose(struct cutting *k, struct arena *arena) {
  struct fence_cuts *cuts = k->cuts;
  const struct way *end = &k->ways[cuts->timeline.count];
  cuts->count = end->segments;
  cuts->starts = ARENA_ARRAY(arena, uint32_t, (size_t)end->segments + 1);
  uint32_t at = cuts->timeline.count;
  for (uint32_t i = end->segments; i-- > 0; at = cuts->starts[i]) {
    cuts->starts[i] = k->ways[at].start;
    uint64_t bytes = segment_bytes(k, cuts->starts[i], at);
    cuts->bound_bytes = bytes > cuts->bound_bytes ? bytes : cuts->bound_bytes;
  }
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
          struct plan_sequence sequence, uint64_t limit,
          enum fence_fineness fineness, struct arena *arena) {
  *cuts = (struct fence_cuts){.block = block};
  if (!plan_timeline_build(&cuts->timeline, block->problem, sequence, arena))
    return false;
  find_taken(cuts, arena);
  if (fineness == FENCE_NONE) {
    leave_whole(cuts, arena);
    return true;
  }
  struct arena scratch = {0};
  uint32_t count = cuts->timeline.count;
  struct cutting k = {
      .cuts = cuts,
      .limit = limit,
      .read_in = ARENA_ARRAY(&scratch, uint32_t, cuts->timeline.slot_count),
      .end = ARENA_ARRAY(&scratch, uint32_t, count),
      .ways = ARENA_ARRAY(&scratch, struct way, (size_t)count + 1),
      .arena = &scratch};
  find_live_in(&k, &scratch);
  if (fineness == FENCE_MOST)
    find_good_places(&k);
  k.ways[0].rank = count; /* good places are fewer */
  fence_reach(cuts, k.live_in, limit, k.end);
  for (uint32_t end = 1; end <= count; end++)
    find_way(&k, end);
  memset(k.read_in, 0, cuts->timeline.slot_count * sizeof *k.read_in);
  choose(&k, arena);
  arena_empty(&scratch);
  return true;
}
