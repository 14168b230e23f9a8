/* give_back.c - see give_back.h. */
#include "passes/give_back.h"

#include <stdlib.h>
#include <string.h>

/* What all the clones of OP together are in ops. */
static uint64_t
weight(const struct give_back *request, op_id op) {
  return saturating_multiply(projection_clones(request->projection, op),
                             request->sizes[op]);
}

static bool
may_go(const struct give_back *request, op_id op) {
  return (request->selected[op] & (PLAN_SELECTED | PLAN_MARKER)) ==
         PLAN_SELECTED;
}

/* Of the COUNT ops OPS, that may go and whose clones are nearest to half (or
 * WHOLE: all) of the most that one has; NONE where none may go. */
static op_id
nearest(const struct give_back *request, const op_id *ops, uint32_t count,
        bool whole) {
  uint64_t most = 0, best_distance = UINT64_MAX;
  op_id best = NONE;
  for (uint32_t i = 0; i < count; i++)
    if (may_go(request, ops[i])) {
      uint64_t clones = projection_clones(request->projection, ops[i]);
      most = clones > most ? clones : most;
    }
  uint64_t target = whole ? most : most / 2;
  for (uint32_t i = 0; i < count; i++) {
    if (!may_go(request, ops[i]))
      continue;
    uint64_t clones = projection_clones(request->projection, ops[i]);
    uint64_t distance = clones > target ? clones - target : target - clones;
    if (best == NONE || distance < best_distance) {
      best = ops[i];
      best_distance = distance;
    }
  }
  return best;
}

/* Count OPS anew; what they make together. */
static uint64_t
recount(const struct give_back *request, const op_id *ops, uint32_t count) {
  uint64_t total = 0;
  for (uint32_t i = count; i-- > 0;) {
    projection_count(request->projection, request->selected, ops[i]);
    total = saturating_add(total, weight(request, ops[i]));
  }
  return total;
}

/* The clones of the COUNT ops OPS together, as counted. */
static uint64_t
sum(const struct give_back *request, const op_id *ops, uint32_t count) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < count; i++)
    total = saturating_add(total, weight(request, ops[i]));
  return total;
}

/* Unselect OP and count anew what stands before it: clones of others do not
 * depend on it.  The clones of all, which were TOTAL. */
static uint64_t
unselect(const struct give_back *request, op_id op, uint64_t total) {
  uint32_t before = 0;
  while (request->ops[before] != op)
    before++;
  uint64_t old = sum(request, request->ops, before + 1);
  request->selected[op] &= (uint8_t)~PLAN_SELECTED;
  uint64_t new = recount(request, request->ops, before + 1);
  return total < UINT64_MAX ? total - old + new
                            : sum(request, request->ops, request->count);
}

static void
give_back_of_all(const struct give_back *request, bool whole) {
  uint64_t total = recount(request, request->ops, request->count);
  while (total > request->bound) {
    op_id op = nearest(request, request->ops, request->count, whole);
    if (op == NONE)
      return;
    total = unselect(request, op, total);
  }
}

/* --- segment-midpoint --- */

/* Selected ops that hang together, in program order. */
struct part {
  op_id *ops;
  uint32_t count, number;
  uint64_t clones;
};

struct parts {
  const struct give_back *request;
  VECTOR(struct part) heap; /* the part with most clones first */
  VECTOR(struct part) opened;
  uint32_t made;
  uint64_t clones;    /* of all parts, those that nothing may leave too */
  uint64_t stuck;     /* of those alone */
  uint64_t work;      /* ops looked at so far */
  uint64_t most_work; /* before more than one op goes at a time */
  uint32_t batch;     /* how many */
  uint32_t *leader;   /* by op: union-find */
  uint32_t *place;    /* by op that leads: its part in the making */
  op_id *copy;        /* of the ops that are being parted */
};

static bool
comes_first(const struct part *a, const struct part *b) {
  return a->clones != b->clones ? a->clones > b->clones : a->number < b->number;
}

static void
push_part(struct parts *parts, struct part part) {
  vector_push(parts->request->scratch, &parts->heap, part);
  struct part *heap = parts->heap.data;
  uint32_t at = parts->heap.count - 1;
  for (; at > 0 && comes_first(&part, &heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = part;
}

static struct part
pop_part(struct parts *parts) {
  struct part *heap = parts->heap.data, first = heap[0];
  uint32_t count = --parts->heap.count, at = 0;
  struct part moving = heap[count];
  while (at * 2 + 1 < count) {
    uint32_t child = at * 2 + 1;
    child += child + 1 < count && comes_first(&heap[child + 1], &heap[child]);
    if (comes_first(&moving, &heap[child]))
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moving;
  return first;
}

static op_id
leader_of(struct parts *parts, op_id op) {
  while (parts->leader[op] != op) {
    parts->leader[op] = parts->leader[parts->leader[op]];
    op = parts->leader[op];
  }
  return op;
}

/* Let the earlier op lead. */
static void
unite(struct parts *parts, op_id a, op_id b) {
  a = leader_of(parts, a);
  b = leader_of(parts, b);
  if (a < b)
    parts->leader[b] = a;
  else
    parts->leader[a] = b;
}

/* Find out which of the COUNT ops OPS hang together. */
static void
unite_ops(struct parts *parts, const op_id *ops, uint32_t count) {
  const struct reads *reads = &parts->request->projection->reads;
  const uint8_t *selected = parts->request->selected;
  for (uint32_t i = 0; i < count; i++)
    parts->leader[ops[i]] = ops[i];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t begin = reads->first[ops[i]], end = reads->first[ops[i] + 1];
    parts->work += 1 + end - begin;
    for (uint32_t r = begin; r < end; r++)
      if ((selected[ops[i]] & selected[reads->producers[r]]) & PLAN_SELECTED)
        unite(parts, reads->producers[r], ops[i]);
  }
}

/* One part for each leader among the COUNT ops OPS, with room in OPS. */
static void
open_parts(struct parts *parts, op_id *ops, uint32_t count) {
  const struct give_back *request = parts->request;
  parts->opened.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    op_id leader = leader_of(parts, ops[i]);
    if (!(request->selected[ops[i]] & PLAN_SELECTED)) {
      projection_count(request->projection, request->selected, ops[i]);
      continue;
    }
    if (leader == ops[i]) {
      parts->place[leader] = parts->opened.count;
      vector_push(request->scratch, &parts->opened, (struct part){0});
    }
    parts->opened.data[parts->place[leader]].count++;
  }
  for (uint32_t i = 0; i < parts->opened.count; i++) {
    parts->opened.data[i].ops = ops;
    ops += parts->opened.data[i].count;
    parts->opened.data[i].count = 0;
  }
}

/* Part the COUNT ops OPS, of which some may be selected no more, into what
 * hangs together, each part a slice of OPS; parts are numbered by their first
 * op. */
static void
push_parts(struct parts *parts, op_id *ops, uint32_t count) {
  const struct give_back *request = parts->request;
  unite_ops(parts, ops, count);
  open_parts(parts, ops, count);
  memcpy(parts->copy, ops, count * sizeof *ops);
  for (uint32_t i = 0; i < count; i++) {
    op_id op = parts->copy[i];
    if (!(request->selected[op] & PLAN_SELECTED))
      continue;
    struct part *part = &parts->opened.data[parts->place[leader_of(parts, op)]];
    part->ops[part->count++] = op;
  }
  for (uint32_t i = 0; i < parts->opened.count; i++) {
    struct part *part = &parts->opened.data[i];
    part->number = parts->made++;
    part->clones = recount(request, part->ops, part->count);
    parts->clones = saturating_add(parts->clones, part->clones);
    push_part(parts, *part);
  }
}

struct rank {
  uint64_t distance;
  op_id op;
};

static int
compare_ranks(const void *a, const void *b) {
  const struct rank *x = a, *y = b;
  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  return x->op < y->op ? -1 : x->op > y->op;
}

/* Give back as many ops of PART as a batch is now, those nearest to its
 * midpoint. */
static void
give_back_batch(struct parts *parts, const struct part *part) {
  const struct give_back *request = parts->request;
  struct rank *ranks = ARENA_ARRAY(request->scratch, struct rank, part->count);
  uint32_t count = 0;
  uint64_t most = 0;
  for (uint32_t i = 0; i < part->count; i++) {
    uint64_t clones = projection_clones(request->projection, part->ops[i]);
    if (may_go(request, part->ops[i]))
      most = clones > most ? clones : most;
  }
  for (uint32_t i = 0; i < part->count; i++) {
    uint64_t clones = projection_clones(request->projection, part->ops[i]);
    uint64_t distance =
        clones > most / 2 ? clones - most / 2 : most / 2 - clones;
    if (may_go(request, part->ops[i]))
      ranks[count++] = (struct rank){distance, part->ops[i]};
  }
  qsort(ranks, count, sizeof *ranks, compare_ranks);
  for (uint32_t i = 0; i < count && i < parts->batch; i++)
    request->selected[ranks[i].op] &= (uint8_t)~PLAN_SELECTED;
  parts->batch =
      parts->batch < request->count ? parts->batch * 2 : parts->batch;
}

/* Give back the midpoint of PART; false where nothing of it may go. */
static bool
give_back_midpoint(struct parts *parts, const struct part *part) {
  const struct give_back *request = parts->request;
  op_id op = nearest(request, part->ops, part->count, false);
  if (op == NONE)
    return false;
  request->selected[op] &= (uint8_t)~PLAN_SELECTED;
  if (parts->work > parts->most_work)
    give_back_batch(parts, part);
  return true;
}

/* The clones of all parts but PART, which was taken from the heap. */
static uint64_t
clones_without(const struct parts *parts, const struct part *part) {
  uint64_t clones = parts->stuck;
  if (parts->clones < UINT64_MAX)
    return parts->clones - part->clones;
  for (uint32_t i = 0; i < parts->heap.count; i++)
    clones = saturating_add(clones, parts->heap.data[i].clones);
  return clones;
}

static struct parts
new_parts(const struct give_back *request) {
  struct parts parts = {.request = request, .batch = 1};
  uint32_t op_count = request->module->op_count, levels = 1;
  while (request->count >> levels)
    levels++;
  uint64_t edges = request->projection->reads.first[op_count];
  parts.most_work = 16 * (uint64_t)levels * (request->count + edges);
  parts.leader = ARENA_ARRAY(request->scratch, uint32_t, op_count);
  parts.place = ARENA_ARRAY(request->scratch, uint32_t, op_count);
  parts.copy = ARENA_ARRAY(request->scratch, op_id, request->count);
  return parts;
}

static void
give_back_by_parts(const struct give_back *request) {
  struct parts parts = new_parts(request);
  push_parts(&parts, request->ops, request->count);
  while (parts.clones > request->bound && parts.heap.count) {
    struct part part = pop_part(&parts);
    if (!give_back_midpoint(&parts, &part)) {
      parts.stuck = saturating_add(parts.stuck, part.clones);
      continue;
    }
    parts.clones = clones_without(&parts, &part);
    push_parts(&parts, part.ops, part.count);
  }
}

void
give_back(const struct give_back *request, enum trim rule) {
  if (rule == TRIM_SEGMENT_MIDPOINT)
    give_back_by_parts(request);
  else
    give_back_of_all(request, rule == TRIM_MAX);
}
