/* explain.c - see explain.h.
 *
 * Everything is read off the timeline of the finished plan, so it holds for
 * the plan that is emitted, whatever made it.  O(E log N) for the reasons,
 * O(E) for each position. */
#include "plan/explain.h"
#include "plan/segment_tree.h"
#include "support/checked.h"

#include <stdlib.h>
#include <string.h>

/* The last position at which the values of the instance BEFORE are live, of
 * those that the clone at POSITION makes again and something reads. */
static uint32_t
last_kept(const struct plan_timeline *timeline, uint32_t before,
          uint32_t position, uint64_t *bytes) {
  uint32_t last = before;
  *bytes = 0;
  for (uint32_t i = 0;
       timeline->slot_begin[before] + i < timeline->slot_begin[before + 1];
       i++) {
    uint32_t slot = timeline->slot_begin[before] + i;
    uint32_t clone = timeline->slot_begin[position] + i;
    if (timeline->last[clone] == position)
      continue;
    *bytes += timeline->problem->bytes[plan_slot_value(timeline, slot)];
    if (timeline->last[slot] > last)
      last = timeline->last[slot];
  }
  return last;
}

/* Sort what the instance at POSITION reads: what clones give, and what is
 * there anyway. */
static void
sort_reads(const struct plan_timeline *timeline, const bool *is_clone,
           struct plan_reason *reason, struct arena *arena) {
  uint32_t begin = timeline->read_begin[reason->position];
  uint32_t count = timeline->read_begin[reason->position + 1] - begin;
  uint32_t *relied = ARENA_ARRAY(arena, uint32_t, count);
  uint32_t *remade = ARENA_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t slot = timeline->reads[begin + i];
    if (is_clone[timeline->owner[slot]])
      remade[reason->remade_count++] = plan_slot_value(timeline, slot);
    else
      relied[reason->relied_count++] = plan_slot_value(timeline, slot);
  }
  reason->relied = relied;
  reason->remade = remade;
}

uint32_t
plan_explain(const struct plan_problem *problem, struct plan_sequence sequence,
             const struct plan_reason **reasons, struct arena *arena) {
  struct arena scratch = {0};
  struct plan_timeline timeline;
  struct segment_tree tree;
  VECTOR(struct plan_reason) list = {0};
  *reasons = NULL;
  if (plan_timeline_build(&timeline, problem, sequence, &scratch)) {
    uint32_t *latest = ARENA_ARRAY(&scratch, uint32_t, problem->node_count);
    bool *is_clone = ARENA_ARRAY(&scratch, bool, sequence.count);
    memset(latest, 0xff, problem->node_count * sizeof *latest);
    segment_tree_build(&tree, timeline.profile, sequence.count, &scratch);
    for (uint32_t p = 0; p < sequence.count; p++) {
      uint32_t node = sequence.nodes[p], before = latest[node];
      latest[node] = p;
      if (before == PLAN_NONE)
        continue;
      is_clone[p] = true;
      struct plan_reason reason = {.node = node,
                                   .position = p,
                                   .before = before,
                                   .gap_last = p - 1,
                                   .cost_ns = problem->cost_ns[node]};
      reason.gap_first =
          last_kept(&timeline, before, p, &reason.freed_bytes) + 1;
      if (reason.gap_first <= reason.gap_last)
        reason.peak_kept_bytes = (uint64_t)segment_tree_max(
                                     &tree, reason.gap_first, reason.gap_last) +
                                 reason.freed_bytes;
      sort_reads(&timeline, is_clone, &reason, arena);
      vector_push(arena, &list, reason);
    }
  }
  arena_empty(&scratch);
  *reasons = list.data;
  return list.count;
}

struct remaker {
  const struct plan_timeline *timeline;
  struct arena *scratch;
  uint32_t *latest; /* by node: its latest instance before the next read */
  uint32_t *seen;   /* by node: the pricing that saw it */
  uint32_t pricing;
  VECTOR(uint32_t) queue;
};

/* What it takes to make LIVE's value again right before its next read. */
static void
price(struct remaker *remaker, struct plan_live *live, uint32_t position) {
  const struct plan_timeline *timeline = remaker->timeline;
  const struct plan_problem *problem = timeline->problem;
  uint32_t until = live->next_read == PLAN_NONE ? position : live->next_read;
  remaker->pricing++;
  remaker->queue.count = 0;
  vector_push(remaker->scratch, &remaker->queue,
              problem->producer[live->value]);
  remaker->seen[problem->producer[live->value]] = remaker->pricing;
  live->remakable = true;
  for (uint32_t i = 0; i < remaker->queue.count; i++) {
    uint32_t node = remaker->queue.data[i];
    live->remakable &= !problem->once[node];
    live->remake_cost_ns =
        saturating_add(live->remake_cost_ns, problem->cost_ns[node]);
    for (uint32_t o = problem->operand_begin[node];
         o < problem->operand_begin[node + 1]; o++) {
      uint32_t value = problem->operands[o],
               producer = problem->producer[value];
      uint32_t instance = remaker->latest[producer];
      uint32_t slot = timeline->slot_begin[instance] + value -
                      problem->result_begin[producer];
      if (timeline->last[slot] >= until ||
          remaker->seen[producer] == remaker->pricing)
        continue;
      remaker->seen[producer] = remaker->pricing;
      vector_push(remaker->scratch, &remaker->queue, producer);
    }
  }
  live->remake_nodes = remaker->queue.count;
}

static int
compare_live(const void *a, const void *b) {
  const struct plan_live *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

/* Where SLOT is read next from POSITION + 1 on. */
static void
set_next_reads(const struct plan_timeline *timeline, uint32_t position,
               uint32_t *next_read) {
  for (uint32_t slot = 0; slot < timeline->slot_count; slot++)
    next_read[slot] =
        timeline->last[slot] == timeline->count ? timeline->count : PLAN_NONE;
  for (uint32_t p = timeline->count; p-- > position + 1;)
    for (uint32_t i = timeline->read_begin[p]; i < timeline->read_begin[p + 1];
         i++)
      next_read[timeline->reads[i]] = p;
}

uint32_t
plan_live_at(const struct plan_problem *problem, struct plan_sequence sequence,
             uint32_t position, const struct plan_live **live,
             struct arena *arena) {
  struct arena scratch = {0};
  struct plan_timeline timeline;
  VECTOR(struct plan_live) list = {0};
  if (plan_timeline_build(&timeline, problem, sequence, &scratch)) {
    struct remaker remaker = {
        .timeline = &timeline,
        .scratch = &scratch,
        .latest = ARENA_ARRAY(&scratch, uint32_t, problem->node_count),
        .seen = ARENA_ARRAY(&scratch, uint32_t, problem->node_count)};
    uint32_t *next_read = ARENA_ARRAY(&scratch, uint32_t, timeline.slot_count);
    set_next_reads(&timeline, position, next_read);
    for (uint32_t p = 0; p <= position && p < sequence.count; p++)
      remaker.latest[sequence.nodes[p]] = p;
    for (uint32_t slot = 0; slot < timeline.slot_count; slot++) {
      if (timeline.owner[slot] > position || timeline.last[slot] < position)
        continue;
      uint32_t value = plan_slot_value(&timeline, slot);
      struct plan_live entry = {.value = value,
                                .made = timeline.owner[slot],
                                .next_read = next_read[slot],
                                .bytes = problem->bytes[value]};
      price(&remaker, &entry, position);
      vector_push(arena, &list, entry);
    }
  }
  if (list.count)
    qsort(list.data, list.count, sizeof *list.data, compare_live);
  arena_empty(&scratch);
  *live = list.data;
  return list.count;
}
