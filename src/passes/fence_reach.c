/* fence_reach.c - see fence.h: how far a segment may go.
 *
 *   limit 6        live in 4   made   sum          live in 2   made   sum
 *   %c (1)                      1      5
 *   %d (1)                      1      6    %d (1)              1      3
 *   %e (2)                      2      8    %e (2)              2      5
 *              reaches up to %d                  reaches up to %e
 *
 * Segments are looked at from the last start to the first.  A tree holds what
 * each instance adds to a segment that begins at the start in hand, and finds
 * where the sum first passes what the limit leaves.  From one start to the one
 * before, little changes: what the new instance makes; which instances take
 * over an operand's place; which raise the largest workspace so far.
 *
 * O((instances + reads) * log instances). */
#include "passes/fence.h"

struct prefix_node {
  int64_t sum;  /* of the leaves below */
  int64_t most; /* of the sums of their prefixes, the empty one left out */
};

/* From a start on, and for those before, PLACE adds BYTES more. */
struct change {
  int64_t bytes;
  uint32_t place;
  uint32_t next; /* index + 1 of another from the same start on */
};

struct reaching {
  const struct fence_cuts *cuts;
  struct arena *arena;
  uint32_t *newest;  /* by start: index + 1 of its newest change */
  uint32_t *blocker; /* by position: the first that has to wait for it */
  VECTOR(struct change) changes;
  struct prefix_node *nodes; /* the root is 1, leaves are from SIZE on */
  uint32_t size;
  uint32_t *raising; /* those that raise the workspace, the first one last */
  uint32_t raising_count;
};

static void
add_at(struct reaching *r, uint32_t place, int64_t bytes) {
  struct prefix_node *nodes = r->nodes;
  uint32_t i = r->size + place;
  nodes[i].sum += bytes;
  nodes[i].most = nodes[i].sum;
  for (i /= 2; i; i /= 2) {
    const struct prefix_node *left = &nodes[2 * i], *right = left + 1;
    int64_t across = left->sum + right->most;
    nodes[i].sum = left->sum + right->sum;
    nodes[i].most = left->most > across ? left->most : across;
  }
}

/* The first place up to which the sum is over ROOM, or SIZE. */
static uint32_t
first_over(const struct reaching *r, int64_t room) {
  uint32_t i = 1;
  if (r->nodes[1].most <= room)
    return r->size;
  while (i < r->size) {
    i *= 2;
    if (r->nodes[i].most <= room)
      room -= r->nodes[i++].sum;
  }
  return i - r->size;
}

static void
change_from(struct reaching *r, uint32_t start, uint32_t place, int64_t bytes) {
  struct change change = {bytes, place, r->newest[start]};
  vector_push(r->arena, &r->changes, change);
  r->newest[start] = r->changes.count;
}

/* The instance at P takes over BYTES of SLOT, which BEFORE - 1 read before (0:
 * none did): in a segment that does not reach so far back. */
static void
note_takeover(struct reaching *r, uint32_t p, uint32_t slot, int64_t bytes,
              uint32_t before) {
  bool always = fence_always_in_place(r->cuts, p, slot);
  if (before == p + 1 || (before && !always))
    return;
  change_from(r, always ? p : r->cuts->timeline.owner[slot], p, -bytes);
  if (before)
    change_from(r, before - 1, p, bytes);
}

/* Write down what changes from where on. */
static void
note_changes(struct reaching *r) {
  const struct plan_timeline *t = &r->cuts->timeline;
  uint32_t *reader = ARENA_ARRAY(r->arena, uint32_t, t->slot_count);
  for (uint32_t p = 0; p < t->count; p++) {
    r->blocker[p] = t->count;
    int64_t made = (int64_t)fence_made_bytes(r->cuts, p);
    if (made)
      change_from(r, p, p, made);
    for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
      uint32_t slot = t->reads[i], owner = t->owner[slot];
      int64_t taken = fence_takeover(r->cuts, p, slot);
      if (taken)
        note_takeover(r, p, slot, taken, reader[slot]);
      reader[slot] = p + 1;
      if (fence_waits(r->cuts, slot) && p < r->blocker[owner])
        r->blocker[owner] = p;
    }
  }
}

/* START is the first of the segment now: the largest workspace up to a place
 * may be its. */
static void
raise_workspace(struct reaching *r, uint32_t start) {
  int64_t bytes = (int64_t)fence_own_workspace(r->cuts, start), before = 0;
  if (!bytes)
    return;
  while (r->raising_count) {
    uint32_t place = r->raising[r->raising_count - 1];
    int64_t raised = (int64_t)fence_own_workspace(r->cuts, place);
    if (raised > bytes) {
      add_at(r, place, before - bytes);
      break;
    }
    add_at(r, place, before - raised);
    before = raised;
    r->raising_count--;
  }
  add_at(r, start, bytes);
  r->raising[r->raising_count++] = start;
}

/* Where the longest segment from START ends that leaves LIVE_IN and all that it
 * adds within LIMIT: it has one instance at least. */
static uint32_t
reach_from(struct reaching *r, uint32_t start, uint64_t live_in,
           uint64_t limit) {
  for (uint32_t i = r->newest[start]; i; i = r->changes.data[i - 1].next)
    add_at(r, r->changes.data[i - 1].place, r->changes.data[i - 1].bytes);
  raise_workspace(r, start);
  if (live_in > limit)
    return start + 1;
  uint64_t room = limit - live_in;
  uint32_t end = first_over(r, room < INT64_MAX ? (int64_t)room : INT64_MAX);
  return end > start ? end : start + 1;
}

void
fence_reach(const struct fence_cuts *cuts, const uint64_t *live_in,
            uint64_t limit, uint32_t *end) {
  struct arena arena = {0};
  uint32_t count = cuts->timeline.count, size = 1, blocked = count;
  while (size < count)
    size *= 2;
  struct reaching r = {
      .cuts = cuts,
      .arena = &arena,
      .newest = ARENA_ARRAY(&arena, uint32_t, count),
      .blocker = ARENA_ARRAY(&arena, uint32_t, count),
      .nodes = ARENA_ARRAY(&arena, struct prefix_node, (size_t)size * 2),
      .size = size,
      .raising = ARENA_ARRAY(&arena, uint32_t, count)};
  note_changes(&r);
  for (uint32_t start = count; start-- > 0;) {
    blocked = r.blocker[start] < blocked ? r.blocker[start] : blocked;
    end[start] = reach_from(&r, start, live_in[start], limit);
    end[start] = end[start] < blocked ? end[start] : blocked;
  }
  arena_empty(&arena);
}
