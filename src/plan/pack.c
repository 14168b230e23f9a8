/* pack.c - see pack.h.
 *
 * Buffers are lives with a size: every slot of the timeline, slots that take
 * over one another's storage as one, and workspaces.  They are placed by
 * decreasing size, then length of life, then by value; and once more with
 * length first.  Lengths are counted as XLA's heap simulator does: in places
 * that are taken, taken over and given back, and by size only up to where a
 * buffer is first taken over.  Which of those placed are live
 * together with a new one is asked of a static tree over births, in which each
 * node knows the latest death placed below it: O(log n + answers).  Their
 * extents, sorted, leave holes; the smallest hole that is large enough is
 * taken, else the end.  Where many are live together, all that is placed is
 * kept sorted in their place.  The quick way is a tree of heights over time. */
#include "plan/pack.h"

#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX 20000000u

/* To sort those that live together takes this many times as long, for each, as
 * to look through all. */
enum { DENSE = 128 };

struct packed {
  uint64_t bytes, offset;
  uint32_t birth, death; /* positions, both in it */
  uint32_t value;        /* the first that is there, PLAN_NONE: a workspace */
  uint32_t begin;        /* when it is taken */
  uint32_t own_end;      /* when the first that is there gives it back */
  uint32_t end;          /* when the last does */
};

/* Where one is placed. */
struct extent {
  uint64_t offset, end;
};

/* When one is there. */
struct life {
  uint32_t birth, death;
};

struct packer {
  struct arena *scratch;
  VECTOR(struct packed) buffers; /* by birth */
  uint32_t *order;               /* which to place when */
  uint32_t now;                  /* places taken and given back so far */
  uint32_t leaves;               /* of the tree over births */
  uint32_t *latest; /* by tree node: the latest death placed below it, plus
                       1; 0: none placed */
  VECTOR(struct extent) extents; /* what lives together with the newest */
  /* all that is placed, from low to high */
  uint32_t placed_count;
  struct extent *placed;
  struct life *lives; /* of PLACED */
};

/* Note by value which of the slots that the instance at POSITION reads die
 * there: the first of each value, + 1. */
static void
note_dying(const struct plan_timeline *timeline, uint32_t position,
           uint32_t *dying) {
  for (uint32_t i = timeline->read_begin[position + 1];
       i-- > timeline->read_begin[position];) {
    uint32_t slot = timeline->reads[i];
    if (timeline->last[slot] == position)
      dying[plan_slot_value(timeline, slot)] = slot + 1;
  }
}

/* The slot whose storage SLOT takes over, or PLAN_NONE. */
static uint32_t
taken_over(const struct plan_timeline *timeline, uint32_t slot,
           const uint32_t *dying) {
  uint32_t operand =
      timeline->problem->in_place[plan_slot_value(timeline, slot)];
  uint32_t from = operand == PLAN_NONE ? 0 : dying[operand];
  return from && timeline->last[from - 1] == timeline->owner[slot] ? from - 1
                                                                   : PLAN_NONE;
}

/* Does NODE hand on what it reads, and nothing else?  A barrier does. */
static bool
hands_on(const struct plan_problem *problem, uint32_t node) {
  if (problem->cost_ns[node] || problem->workspace_bytes[node])
    return false;
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    if (problem->in_place[value] == PLAN_NONE && problem->bytes[value])
      return false;
  return true;
}

/* Listing the buffers of a timeline. */
struct listing {
  struct packer *packer;
  const struct plan_timeline *timeline;
  uint32_t *buffer_of; /* by slot */
  bool *first;         /* by slot: is it what its buffer was taken for? */
  uint32_t *dying;     /* by value: see note_dying */
};

/* Take a place for BYTES, of VALUE, at position P.  Returns the buffer. */
static uint32_t
take_place(struct listing *l, uint32_t p, uint64_t bytes, uint32_t value) {
  struct packed buffer = {.bytes = bytes,
                          .birth = p,
                          .death = p,
                          .value = value,
                          .begin = l->packer->now};
  l->packer->now += bytes > 0;
  vector_push(l->packer->scratch, &l->packer->buffers, buffer);
  return l->packer->buffers.count - 1;
}

/* SLOT is made at position P. */
static void
begin_slot(struct listing *l, uint32_t p, uint32_t slot, bool handed_on) {
  const struct plan_timeline *timeline = l->timeline;
  uint32_t value = plan_slot_value(timeline, slot);
  uint64_t bytes = timeline->problem->bytes[value];
  uint32_t last = timeline->last[slot];
  uint32_t from = taken_over(timeline, slot, l->dying);
  struct packed *buffers = l->packer->buffers.data;
  /* Taken over once: a second result in place of it gets its own. */
  if (from != PLAN_NONE && buffers[l->buffer_of[from]].death == p) {
    struct packed *whole = &buffers[l->buffer_of[from]];
    whole->bytes = bytes > whole->bytes ? bytes : whole->bytes;
    l->buffer_of[slot] = l->buffer_of[from];
    l->first[slot] = handed_on && l->first[from];
    l->packer->now += !handed_on && bytes;
  } else {
    l->buffer_of[slot] = take_place(l, p, bytes, value);
    l->first[slot] = true;
  }
  l->packer->buffers.data[l->buffer_of[slot]].death =
      last < timeline->count ? last : timeline->count - 1;
}

/* SLOT gives its place back, or the program ends. */
static void
end_slot(struct listing *l, uint32_t slot) {
  struct packed *buffer = &l->packer->buffers.data[l->buffer_of[slot]];
  if (!buffer->bytes)
    return;
  buffer->end = l->packer->now++;
  if (l->first[slot])
    buffer->own_end = buffer->end;
}

/* All that gives its place back at position P.  What a barrier hands on
 * stays. */
static void
end_slots(struct listing *l, uint32_t p, bool handed_on) {
  const struct plan_timeline *timeline = l->timeline;
  for (uint32_t i = timeline->read_begin[p]; i < timeline->read_begin[p + 1];
       i++) {
    uint32_t slot = timeline->reads[i];
    if (timeline->last[slot] == p &&
        !(handed_on && plan_takeover(timeline, p, slot)))
      end_slot(l, slot);
  }
  for (uint32_t slot = timeline->slot_begin[p];
       slot < timeline->slot_begin[p + 1]; slot++)
    if (timeline->last[slot] == p)
      end_slot(l, slot);
}

/* The instance at position P. */
static void
list_instance(struct listing *l, uint32_t p) {
  const struct plan_timeline *timeline = l->timeline;
  const struct plan_problem *problem = timeline->problem;
  uint32_t node = timeline->nodes[p];
  uint64_t workspace = problem->workspace_bytes[node];
  bool handed_on = hands_on(problem, node);
  note_dying(timeline, p, l->dying);
  for (uint32_t slot = timeline->slot_begin[p];
       slot < timeline->slot_begin[p + 1]; slot++)
    begin_slot(l, p, slot, handed_on);
  if (workspace) {
    uint32_t buffer = take_place(l, p, workspace, PLAN_NONE);
    l->packer->buffers.data[buffer].end =
        l->packer->buffers.data[buffer].own_end = l->packer->now++;
  }
  end_slots(l, p, handed_on);
}

/* All buffers of TIMELINE, by birth. */
static void
list_buffers(struct packer *packer, const struct plan_timeline *timeline) {
  struct listing l = {
      .packer = packer,
      .timeline = timeline,
      .buffer_of = ARENA_ARRAY(packer->scratch, uint32_t, timeline->slot_count),
      .first = ARENA_ARRAY(packer->scratch, bool, timeline->slot_count),
      .dying = ARENA_ARRAY(packer->scratch, uint32_t,
                           timeline->problem->value_count)};
  for (uint32_t p = 0; p < timeline->count; p++)
    list_instance(&l, p);
  for (uint32_t slot = 0; slot < timeline->slot_count; slot++)
    if (timeline->last[slot] == timeline->count)
      end_slot(&l, slot);
}

struct key {
  uint64_t first, second; /* the larger goes first */
  uint32_t value, buffer; /* the smaller does */
};

static int
compare_keys(const void *a, const void *b) {
  const struct key *x = a, *y = b;
  if (x->first != y->first)
    return x->first > y->first ? -1 : 1;
  if (x->second != y->second)
    return x->second > y->second ? -1 : 1;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->buffer < y->buffer ? -1 : x->buffer > y->buffer;
}

/* The order in which buffers are placed: the largest first, then those that
 * live the longest; or the other way round. */
static void
find_order(struct packer *packer, bool longest_first) {
  uint32_t count = packer->buffers.count;
  struct key *keys = ARENA_ARRAY(packer->scratch, struct key, count);
  for (uint32_t i = 0; i < count; i++) {
    const struct packed *buffer = &packer->buffers.data[i];
    uint64_t length = buffer->end - buffer->begin;
    uint64_t own = buffer->own_end - buffer->begin;
    keys[i] = longest_first
                  ? (struct key){length, buffer->bytes, buffer->value, i}
                  : (struct key){buffer->bytes, own, buffer->value, i};
  }
  if (count)
    qsort(keys, count, sizeof *keys, compare_keys);
  packer->order = ARENA_ARRAY(packer->scratch, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    packer->order[i] = keys[i].buffer;
}

/* How many pairs of buffers are live together. */
static uint64_t
count_pairs(const struct packer *packer, uint32_t positions) {
  uint32_t *deaths = ARENA_ARRAY(packer->scratch, uint32_t, positions + 1);
  uint64_t pairs = 0, live = 0;
  uint32_t dead_before = 0;
  for (uint32_t i = 0; i < packer->buffers.count; i++) {
    const struct packed *buffer = &packer->buffers.data[i];
    for (; dead_before < buffer->birth; dead_before++)
      live -= deaths[dead_before];
    pairs += live++;
    deaths[buffer->death]++;
  }
  return pairs;
}

static struct extent
extent_of(const struct packed *buffer) {
  return (struct extent){buffer->offset, buffer->offset + buffer->bytes};
}

/* The most that is live at once: no way to place the buffers needs less. */
static uint64_t
most_live(const struct packer *packer, uint32_t positions) {
  uint64_t *change =
      ARENA_ARRAY(packer->scratch, uint64_t, (size_t)positions + 1);
  uint64_t live = 0, most = 0;
  for (uint32_t i = 0; i < packer->buffers.count; i++) {
    const struct packed *buffer = &packer->buffers.data[i];
    change[buffer->birth] += buffer->bytes; /* wraps, and back */
    change[buffer->death + 1] -= buffer->bytes;
  }
  for (uint32_t p = 0; p < positions; p++) {
    live += change[p];
    most = live > most ? live : most;
  }
  return most;
}

/* Collect what is placed below tree node NODE, whose first leaf is FIRST and
 * which has WIDTH leaves, and lives together with BUFFER. */
static void
collect(struct packer *packer, const struct packed *buffer, uint32_t node,
        uint32_t first, uint32_t width) {
  if (packer->latest[node] <= buffer->birth || first >= packer->buffers.count ||
      packer->buffers.data[first].birth > buffer->death)
    return;
  if (width > 1) {
    collect(packer, buffer, 2 * node, first, width / 2);
    collect(packer, buffer, 2 * node + 1, first + width / 2, width / 2);
    return;
  }
  const struct packed *other = &packer->buffers.data[first];
  vector_push(packer->scratch, &packer->extents, extent_of(other));
}

static int
compare_extents(const void *a, const void *b) {
  const struct extent *x = a, *y = b;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->end < y->end ? -1 : x->end > y->end;
}

/* Let the extents be those that live together with BUFFER, asked of the
 * tree. */
static void
list_extents(struct packer *packer, const struct packed *buffer) {
  packer->extents.count = 0;
  collect(packer, buffer, 1, 0, packer->leaves);
  if (packer->extents.count)
    qsort(packer->extents.data, packer->extents.count,
          sizeof *packer->extents.data, compare_extents);
}

/* Where BUFFER fits best between the extents. */
static uint64_t
best_offset(const struct packer *packer, const struct packed *buffer) {
  uint64_t top = 0, best = UINT64_MAX, best_hole = UINT64_MAX;
  for (uint32_t i = 0; i < packer->extents.count; i++) {
    const struct extent *extent = &packer->extents.data[i];
    if (extent->offset > top && extent->offset - top >= buffer->bytes &&
        extent->offset - top < best_hole) {
      best = top;
      best_hole = extent->offset - top;
    }
    top = extent->end > top ? extent->end : top;
  }
  return best == UINT64_MAX ? top : best;
}

/* The same, of all that is placed.  Without branches: most do not. */
static void
filter_extents(struct packer *packer, const struct packed *buffer) {
  struct extent *extents = packer->extents.data;
  uint32_t count = 0;
  for (uint32_t i = 0; i < packer->placed_count; i++) {
    struct life life = packer->lives[i];
    extents[count] = packer->placed[i];
    count += (life.birth <= buffer->death) & (life.death >= buffer->birth);
  }
  packer->extents.count = count;
}

/* Put BUFFER among what is placed. */
static void
insert_placed(struct packer *packer, const struct packed *buffer) {
  struct extent extent = extent_of(buffer);
  uint32_t low = 0, high = packer->placed_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare_extents(&packer->placed[middle], &extent) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  size_t above = packer->placed_count++ - low;
  memmove(packer->placed + low + 1, packer->placed + low,
          above * sizeof *packer->placed);
  memmove(packer->lives + low + 1, packer->lives + low,
          above * sizeof *packer->lives);
  packer->placed[low] = extent;
  packer->lives[low] = (struct life){buffer->birth, buffer->death};
}

/* Note in the tree that BUFFER is placed. */
static void
mark_placed(struct packer *packer, uint32_t buffer) {
  uint32_t death = packer->buffers.data[buffer].death + 1;
  for (uint32_t node = packer->leaves + buffer; node; node /= 2)
    if (packer->latest[node] < death)
      packer->latest[node] = death;
}

/* Nothing is placed. */
static void
begin_placing(struct packer *packer, bool dense) {
  uint32_t count = packer->buffers.count;
  packer->extents.count = packer->placed_count = 0;
  if (dense) {
    packer->placed = ARENA_ARRAY(packer->scratch, struct extent, count);
    packer->lives = ARENA_ARRAY(packer->scratch, struct life, count);
    vector_reserve(packer->scratch, &packer->extents, count);
    return;
  }
  packer->leaves = 1;
  while (packer->leaves < count)
    packer->leaves *= 2;
  packer->latest =
      ARENA_ARRAY(packer->scratch, uint32_t, (size_t)packer->leaves * 2);
}

/* Place all, the largest first, in holes.  DENSE: many live together, so that
 * all that is placed is kept in order, and looked through. */
static uint64_t
place_in_holes(struct packer *packer, bool dense) {
  uint64_t needed = 0;
  begin_placing(packer, dense);
  for (uint32_t i = 0; i < packer->buffers.count; i++) {
    struct packed *buffer = &packer->buffers.data[packer->order[i]];
    if (!buffer->bytes)
      continue;
    if (dense)
      filter_extents(packer, buffer);
    else
      list_extents(packer, buffer);
    buffer->offset = best_offset(packer, buffer);
    if (dense)
      insert_placed(packer, buffer);
    else
      mark_placed(packer, packer->order[i]);
    if (buffer->offset + buffer->bytes > needed)
      needed = buffer->offset + buffer->bytes;
  }
  return needed;
}

/* Heights over time: a tree whose nodes know the most that all below was
 * raised to, and the highest of anything below. */
struct heights {
  uint32_t size;
  uint64_t *raised, *highest;
};

static uint64_t
larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The height over FIRST..LAST, both in it. */
static uint64_t
height_over(const struct heights *heights, uint32_t first, uint32_t last) {
  uint32_t left = first + heights->size, right = last + heights->size + 1;
  uint64_t top = 0;
  for (uint32_t i = left; i; i /= 2)
    top = larger(top, heights->raised[i]);
  for (uint32_t i = right - 1; i; i /= 2)
    top = larger(top, heights->raised[i]);
  for (; left < right; left /= 2, right /= 2) {
    if (left & 1)
      top = larger(top, heights->highest[left++]);
    if (right & 1)
      top = larger(top, heights->highest[--right]);
  }
  return top;
}

/* Raise FIRST..LAST to TOP. */
static void
raise_to(struct heights *heights, uint32_t first, uint32_t last, uint64_t top) {
  uint32_t left = first + heights->size, right = last + heights->size + 1;
  for (uint32_t i = left; i; i /= 2)
    heights->highest[i] = larger(heights->highest[i], top);
  for (uint32_t i = right - 1; i; i /= 2)
    heights->highest[i] = larger(heights->highest[i], top);
  for (; left < right; left /= 2, right /= 2) {
    if (left & 1) {
      heights->raised[left] = larger(heights->raised[left], top);
      heights->highest[left] = larger(heights->highest[left], top);
      left++;
    }
    if (right & 1) {
      right--;
      heights->raised[right] = larger(heights->raised[right], top);
      heights->highest[right] = larger(heights->highest[right], top);
    }
  }
}

/* Place all, the largest first, on top of what is there. */
static uint64_t
place_on_top(struct packer *packer, uint32_t positions) {
  struct heights heights = {.size = positions};
  uint64_t needed = 0;
  heights.raised =
      ARENA_ARRAY(packer->scratch, uint64_t, (size_t)positions * 2);
  heights.highest =
      ARENA_ARRAY(packer->scratch, uint64_t, (size_t)positions * 2);
  for (uint32_t i = 0; i < packer->buffers.count; i++) {
    const struct packed *buffer = &packer->buffers.data[packer->order[i]];
    uint64_t top =
        height_over(&heights, buffer->birth, buffer->death) + buffer->bytes;
    raise_to(&heights, buffer->birth, buffer->death, top);
    needed = larger(needed, top);
  }
  return needed;
}

uint64_t
plan_packed_bytes(const struct plan_problem *problem,
                  struct plan_sequence sequence) {
  struct arena scratch = {0};
  struct packer packer = {.scratch = &scratch};
  struct plan_timeline timeline;
  uint64_t needed = 0;
  if (plan_timeline_build(&timeline, problem, sequence, &scratch)) {
    list_buffers(&packer, &timeline);
    find_order(&packer, false);
    uint64_t pairs = count_pairs(&packer, timeline.count);
    if (pairs <= PAIRS_MAX) {
      uint64_t square = (uint64_t)packer.buffers.count * packer.buffers.count;
      bool dense = pairs > square / DENSE;
      needed = place_in_holes(&packer, dense);
      if (needed > most_live(&packer, timeline.count)) {
        find_order(&packer, true);
        uint64_t other = place_in_holes(&packer, dense);
        needed = other < needed ? other : needed;
      }
    } else
      needed = place_on_top(&packer, timeline.count);
  }
  arena_empty(&scratch);
  return needed;
}
