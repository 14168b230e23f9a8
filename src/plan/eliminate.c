/* eliminate.c - clone elimination, exact and monotone.
 *
 * A clone may go when the instance of its node before it can stay alive until
 * the clone's last reader: when the profile has room for its values from
 * their last use up to the clone.  Its readers then read the earlier
 * instance, it stops reading its own operands, and whatever only fed it goes
 * as well, originals too.
 *
 * Positions keep their numbers; removed ones are holes, where nothing new is
 * live.  Each slot has the list of its reads in order of position, so handing
 * them over is O(1), merged slots are a union-find forest, the profile is a
 * segment tree.  O(E log N) a pass; passes run until one removes nothing. */
#include "plan/eliminate.h"
#include "plan/segment_tree.h"
#include "plan/sort.h"

enum { PASSES_MAX = 8 };

struct try_clone {
  double key;
  uint32_t position;
};

struct elimination {
  const struct plan_problem *problem;
  struct arena *scratch;
  struct plan_timeline timeline; /* as it was; `last` is kept up to date */
  struct segment_tree tree;
  int64_t budget;
  bool *gone;               /* by position */
  uint32_t *before, *after; /* by position: instances of the same node */
  uint32_t *merged_into;    /* by slot: union-find parent */
  uint32_t *first_read, *final_read;   /* by slot: its list of reads */
  uint32_t *next_read, *previous_read; /* by read */
  uint32_t *read_position;             /* by read */
  VECTOR(uint32_t) unread;             /* positions that may have to go */
  uint32_t removed;
};

static uint32_t
find_slot(struct elimination *work, uint32_t slot) {
  uint32_t *parent = work->merged_into;
  while (parent[slot] != slot)
    slot = parent[slot] = parent[parent[slot]];
  return slot;
}

static int64_t
slot_bytes(const struct elimination *work, uint32_t slot) {
  return (int64_t)work->problem->bytes[plan_slot_value(&work->timeline, slot)];
}

static void
append_read(struct elimination *work, uint32_t slot, uint32_t read) {
  uint32_t tail = work->final_read[slot];
  work->previous_read[read] = tail;
  work->next_read[read] = PLAN_NONE;
  if (tail == PLAN_NONE)
    work->first_read[slot] = read;
  else
    work->next_read[tail] = read;
  work->final_read[slot] = read;
}

static uint32_t *
new_list(struct elimination *work, uint32_t count) {
  uint32_t *list = ARENA_ARRAY(work->scratch, uint32_t, count);
  memset(list, 0xff, count * sizeof *list);
  return list;
}

static void
link_lists(struct elimination *work) {
  const struct plan_timeline *timeline = &work->timeline;
  uint32_t slots = timeline->slot_count, count = timeline->count;
  uint32_t reads = timeline->read_begin[count];
  uint32_t *latest = new_list(work, work->problem->node_count);
  work->gone = ARENA_ARRAY(work->scratch, bool, count);
  work->before = new_list(work, count);
  work->after = new_list(work, count);
  work->first_read = new_list(work, slots);
  work->final_read = new_list(work, slots);
  work->next_read = new_list(work, reads);
  work->previous_read = new_list(work, reads);
  work->read_position = new_list(work, reads);
  work->merged_into = new_list(work, slots);
  for (uint32_t slot = 0; slot < slots; slot++)
    work->merged_into[slot] = slot;
  for (uint32_t p = 0; p < count; p++) {
    for (uint32_t i = timeline->read_begin[p]; i < timeline->read_begin[p + 1];
         i++) {
      work->read_position[i] = p;
      append_read(work, timeline->reads[i], i);
    }
    uint32_t previous = latest[timeline->nodes[p]];
    work->before[p] = previous;
    if (previous != PLAN_NONE)
      work->after[previous] = p;
    latest[timeline->nodes[p]] = p;
  }
}

/* Let SLOT be live from its last use so far to LAST. */
static void
lengthen(struct elimination *work, uint32_t slot, uint32_t last) {
  struct plan_timeline *timeline = &work->timeline;
  uint32_t from = timeline->last[slot];
  int64_t takeover = plan_takeover(timeline, from, slot);
  if (takeover)
    segment_tree_add(&work->tree, from, from, takeover);
  segment_tree_add(&work->tree, from + 1, last, slot_bytes(work, slot));
  timeline->last[slot] = last;
}

/* Let SLOT die at LAST already. */
static void
shorten(struct elimination *work, uint32_t slot, uint32_t last) {
  struct plan_timeline *timeline = &work->timeline;
  segment_tree_add(&work->tree, last + 1, timeline->last[slot],
                   -slot_bytes(work, slot));
  timeline->last[slot] = last;
  int64_t takeover = plan_takeover(timeline, last, slot);
  if (takeover)
    segment_tree_add(&work->tree, last, last, -takeover);
}

/* Does nothing read any value of the instance at POSITION? */
static bool
is_unread(const struct elimination *work, uint32_t position) {
  const struct plan_timeline *timeline = &work->timeline;
  for (uint32_t slot = timeline->slot_begin[position];
       slot < timeline->slot_begin[position + 1]; slot++)
    if (timeline->last[slot] != position)
      return false;
  return !work->problem->once[timeline->nodes[position]];
}

/* READ is no longer made: its slot may die earlier, its owner be unread. */
static void
unlink_read(struct elimination *work, uint32_t read) {
  struct plan_timeline *timeline = &work->timeline;
  uint32_t slot = find_slot(work, timeline->reads[read]);
  uint32_t next = work->next_read[read], previous = work->previous_read[read];
  uint32_t owner = timeline->owner[slot];
  if (previous == PLAN_NONE)
    work->first_read[slot] = next;
  else
    work->next_read[previous] = next;
  if (next != PLAN_NONE) {
    work->previous_read[next] = previous;
    return;
  }
  work->final_read[slot] = previous;
  if (timeline->last[slot] == timeline->count)
    return;
  shorten(work, slot,
          previous == PLAN_NONE ? owner : work->read_position[previous]);
  if (is_unread(work, owner))
    vector_push(work->scratch, &work->unread, owner);
}

/* Take the instance at POSITION, whose values nothing reads, out. */
static void
remove_instance(struct elimination *work, uint32_t position) {
  struct plan_timeline *timeline = &work->timeline;
  uint32_t node = timeline->nodes[position];
  uint32_t before = work->before[position], after = work->after[position];
  int64_t bytes = (int64_t)work->problem->workspace_bytes[node];
  for (uint32_t slot = timeline->slot_begin[position];
       slot < timeline->slot_begin[position + 1]; slot++)
    bytes += slot_bytes(work, slot);
  for (uint32_t i = timeline->read_begin[position];
       i < timeline->read_begin[position + 1]; i++)
    bytes -=
        plan_takeover(timeline, position, find_slot(work, timeline->reads[i]));
  segment_tree_add(&work->tree, position, position, -bytes);
  if (before != PLAN_NONE)
    work->after[before] = after;
  if (after != PLAN_NONE)
    work->before[after] = before;
  work->gone[position] = true;
  work->removed++;
  for (uint32_t i = timeline->read_begin[position];
       i < timeline->read_begin[position + 1]; i++)
    unlink_read(work, i);
}

/* Remove what has become unread, and what that leaves unread. */
static void
remove_unread(struct elimination *work) {
  while (work->unread.count) {
    uint32_t position = work->unread.data[--work->unread.count];
    if (!work->gone[position] && is_unread(work, position))
      remove_instance(work, position);
  }
}

/* Is there room for SLOT from its last use up to the clone at POSITION? */
static bool
has_room(const struct elimination *work, uint32_t slot, uint32_t position) {
  uint32_t from = work->timeline.last[slot];
  int64_t takeover = plan_takeover(&work->timeline, from, slot);
  int64_t bytes = slot_bytes(work, slot);
  if (takeover &&
      segment_tree_max(&work->tree, from, from) + takeover > work->budget)
    return false;
  return from + 1 >= position ||
         segment_tree_max(&work->tree, from + 1, position - 1) + bytes <=
             work->budget;
}

/* Let the slots of EARLIER live up to the clone at POSITION, as far as the
 * clone's are read.  Changes nothing and says false where there is no
 * room. */
static bool
make_reach(struct elimination *work, uint32_t earlier, uint32_t position) {
  struct plan_timeline *timeline = &work->timeline;
  uint32_t base = timeline->slot_begin[earlier];
  uint32_t clone = timeline->slot_begin[position];
  uint32_t count = timeline->slot_begin[position + 1] - clone;
  uint32_t *former = count > 1 ? new_list(work, count) : NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (timeline->last[clone + i] == position)
      continue;
    if (!has_room(work, base + i, position)) {
      while (i-- > 0)
        if (former[i] != PLAN_NONE)
          shorten(work, base + i, former[i]);
      return false;
    }
    if (former)
      former[i] = timeline->last[base + i];
    lengthen(work, base + i, position - 1);
  }
  return true;
}

/* Give the reads of the clone at POSITION to the instance EARLIER, which
 * reaches it. */
static void
hand_over(struct elimination *work, uint32_t earlier, uint32_t position) {
  struct plan_timeline *timeline = &work->timeline;
  uint32_t count =
      timeline->slot_begin[position + 1] - timeline->slot_begin[position];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t to = timeline->slot_begin[earlier] + i;
    uint32_t from = timeline->slot_begin[position] + i;
    uint32_t head = work->first_read[from], tail = work->final_read[to];
    work->merged_into[from] = to;
    if (timeline->last[from] == position)
      continue;
    timeline->last[to] = timeline->last[from];
    if (head == PLAN_NONE)
      continue;
    work->previous_read[head] = tail;
    if (tail == PLAN_NONE)
      work->first_read[to] = head;
    else
      work->next_read[tail] = head;
    work->final_read[to] = work->final_read[from];
    /* The clone's own bytes at its position are now those of EARLIER:
     * remove_instance takes them away once. */
    segment_tree_add(&work->tree, position, position, slot_bytes(work, to));
  }
}

static bool
try_to_remove(struct elimination *work, uint32_t position) {
  uint32_t earlier = work->before[position];
  if (work->gone[position] || earlier == PLAN_NONE ||
      !make_reach(work, earlier, position))
    return false;
  hand_over(work, earlier, position);
  remove_instance(work, position);
  remove_unread(work);
  return true;
}

static double
clone_key(const struct elimination *work, uint32_t position,
          enum plan_eliminate_order order) {
  const struct plan_timeline *timeline = &work->timeline;
  uint32_t earlier = work->before[position];
  double cost = (double)work->problem->cost_ns[timeline->nodes[position]];
  double bytes = 0, gap = 0;
  for (uint32_t i = 0, base = timeline->slot_begin[earlier];
       base + i < timeline->slot_begin[earlier + 1]; i++) {
    uint32_t clone = timeline->slot_begin[position] + i;
    if (timeline->last[clone] == position)
      continue;
    bytes += (double)slot_bytes(work, clone);
    if (position - timeline->last[base + i] > gap)
      gap = position - timeline->last[base + i];
  }
  switch (order) {
  case PLAN_BY_AREA:
    return cost / (bytes * gap + 1);
  case PLAN_BY_BYTES:
    return cost / (bytes + 1);
  case PLAN_BY_COST:
    return cost;
  case PLAN_BY_GAP:
    return -gap;
  }
  return 0;
}

static bool
is_tried_before(const struct try_clone *x, const struct try_clone *y) {
  return x->key != y->key ? x->key > y->key : x->position < y->position;
}

PLAN_SORT(tries, struct try_clone, is_tried_before)

/* Try every clone once.  Returns whether one went. */
static bool
run_pass(struct elimination *work, enum plan_eliminate_order order) {
  VECTOR(struct try_clone) tries = {0};
  bool removed = false;
  for (uint32_t p = 0; p < work->timeline.count; p++)
    if (!work->gone[p] && work->before[p] != PLAN_NONE) {
      struct try_clone try = {clone_key(work, p, order), p};
      vector_push(work->scratch, &tries, try);
    }
  tries_sort(tries.data, tries.count, work->scratch);
  for (uint32_t i = 0; i < tries.count; i++)
    removed |= try_to_remove(work, tries.data[i].position);
  return removed;
}

uint32_t
plan_eliminate(const struct plan_problem *problem, uint64_t budget_bytes,
               enum plan_eliminate_order order,
               struct plan_sequence *sequence) {
  struct arena scratch = {0};
  struct elimination work = {
      .problem = problem, .scratch = &scratch, .budget = (int64_t)budget_bytes};
  plan_timeline_build(&work.timeline, problem, *sequence, &scratch);
  segment_tree_build(&work.tree, work.timeline.profile, sequence->count,
                     &scratch);
  link_lists(&work);
  for (uint32_t i = 0; i < PASSES_MAX && run_pass(&work, order); i++)
    continue;
  uint32_t kept = 0;
  for (uint32_t p = 0; p < sequence->count; p++)
    if (!work.gone[p])
      sequence->nodes[kept++] = sequence->nodes[p];
  sequence->count = kept;
  arena_empty(&scratch);
  return work.removed;
}
