/* gap.c - greedy over the gaps between uses, with exact life times.
 *
 * A gap is an instance and a position BEFORE which one of its values is read
 * again after a pause.  Dropping it frees the instance's values from their
 * previous use up to there; a clone inserted right before serves that use and
 * all later ones.  The clone needs its operands: each is either there anyway,
 * or kept alive longer, or cloned too (the closure).
 *
 * Rounds: build the timeline; value every gap by the bytes it frees where the
 * profile is over the budget, less what it keeps alive longer; accept from the
 * best score (net bytes by cost) down while the profile, kept in a segment
 * tree, is over; insert the clones; drop what is dead.  Clones are themselves
 * live where they run, which the next round sees.
 *
 * O(rounds * E log N).  It fails where closures grow past their limit or the
 * clones' own operands are the peak: simulate.c is better there. */
#include "plan/gap.h"
#include "plan/segment_tree.h"
#include "plan/sort.h"

enum { FRUITLESS_ROUNDS_MAX = 4, CLOSURE_LIMIT = 256 };

struct gap {
  double score;
  uint32_t instance; /* its position */
  uint32_t after;    /* where the value that is read at `before` was read */
  uint32_t before;
  uint32_t order; /* of enumeration, for ties */
};

/* What dropping a gap would mean. */
struct closure {
  uint32_t nodes[CLOSURE_LIMIT]; /* to clone, the dropped one first */
  uint32_t count;
  VECTOR(uint32_t) relied;   /* slots that clones read and are there anyway */
  VECTOR(uint32_t) extended; /* slots that have to live longer */
  double net, cost;
};

struct gap_round {
  const struct plan_problem *problem;
  const struct plan_goal *goal;
  const struct plan_gap_settings *settings;
  struct arena *scratch;
  struct plan_timeline timeline;
  struct segment_tree tree;
  double *over;               /* prefix sums: over[p] of positions below p */
  uint32_t *instance_begin;   /* by node */
  uint32_t *instances;        /* positions, ascending */
  uint32_t *use_begin, *uses; /* by slot; only with several results */
  uint32_t *previous;         /* by slot, while gaps are listed */
  uint32_t *relied_first, *relied_last; /* by instance */
  uint32_t *extended_to;                /* by slot, this round */
  bool *dropped;                        /* by instance, this round */
  VECTOR(struct gap) gaps;
  VECTOR(uint64_t) clones; /* position << 32 | node */
  struct closure closure;
};

/* Weighted count of positions over the budget between FIRST and LAST, both
 * left out. */
static double
over_between(const struct gap_round *round, uint32_t first, uint32_t last) {
  return last > first + 1 ? round->over[last] - round->over[first + 1] : 0;
}

static double
cost_of(const struct plan_problem *problem, uint32_t node) {
  /* What is free must still have an order: by bytes. */
  return problem->cost_ns[node] ? (double)problem->cost_ns[node] : 1.0 / 1024;
}

/* Sum the profile above the budget; returns the area above it. */
static double
sum_over(struct gap_round *round) {
  const struct plan_timeline *timeline = &round->timeline;
  double budget = (double)round->goal->budget_bytes, area = 0;
  double scale = budget > 0 ? budget : 1;
  round->over = ARENA_ARRAY(round->scratch, double, timeline->count + 1);
  for (uint32_t p = 0; p < timeline->count; p++) {
    double excess = (double)timeline->profile[p] - budget, weight = 0;
    if (excess > 0) {
      area += excess;
      weight = round->settings->by_excess ? excess / scale : 1;
    }
    round->over[p + 1] = round->over[p] + weight;
  }
  return area;
}

/* Positions of the instances of every node. */
static void
list_instances(struct gap_round *round) {
  const struct plan_timeline *timeline = &round->timeline;
  uint32_t nodes = round->problem->node_count;
  uint32_t *begin = ARENA_ARRAY(round->scratch, uint32_t, (size_t)nodes + 2);
  for (uint32_t p = 0; p < timeline->count; p++)
    begin[timeline->nodes[p] + 2]++;
  for (uint32_t node = 0; node < nodes; node++)
    begin[node + 2] += begin[node + 1];
  round->instances = ARENA_ARRAY(round->scratch, uint32_t, timeline->count);
  for (uint32_t p = 0; p < timeline->count; p++)
    round->instances[begin[timeline->nodes[p] + 1]++] = p;
  round->instance_begin = begin;
}

/* Positions that read every slot; for nodes with several results, whose
 * other values have gaps of their own up to the same clone. */
static void
list_uses(struct gap_round *round) {
  const struct plan_timeline *timeline = &round->timeline;
  uint32_t slots = timeline->slot_count;
  uint32_t reads = timeline->read_begin[timeline->count];
  uint32_t *begin = ARENA_ARRAY(round->scratch, uint32_t, (size_t)slots + 2);
  for (uint32_t i = 0; i < reads; i++)
    begin[timeline->reads[i] + 2]++;
  for (uint32_t slot = 0; slot < slots; slot++)
    begin[slot + 2] += begin[slot + 1];
  round->uses = ARENA_ARRAY(round->scratch, uint32_t, reads);
  for (uint32_t p = 0; p < timeline->count; p++)
    for (uint32_t i = timeline->read_begin[p]; i < timeline->read_begin[p + 1];
         i++)
      round->uses[begin[timeline->reads[i] + 1]++] = p;
  round->use_begin = begin;
}

/* May a clone of NODE stand in front of position BEFORE? */
static bool
can_clone(const struct gap_round *round, uint32_t node, uint32_t before) {
  uint32_t closer = round->problem->closer[node];
  return !round->problem->once[node] &&
         (closer == PLAN_NONE ||
          round->instances[round->instance_begin[closer]] >= before);
}

/* The number of ascending POSITIONS[COUNT] that are below LIMIT. */
static uint32_t
count_below(const uint32_t *positions, uint32_t count, uint32_t limit) {
  uint32_t low = 0;
  while (low < count) {
    uint32_t middle = low + (count - low) / 2;
    if (positions[middle] < limit)
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

/* The latest instance of NODE before position LIMIT; there is one. */
static uint32_t
latest_before(const struct gap_round *round, uint32_t node, uint32_t limit) {
  uint32_t begin = round->instance_begin[node];
  uint32_t count = round->instance_begin[node + 1] - begin;
  const uint32_t *instances = round->instances + begin;
  if (count == 1)
    return instances[0];
  return instances[count_below(instances, count, limit) - 1];
}

/* Where SLOT of GAP's instance was read last before the gap's end. */
static uint32_t
gap_start(const struct gap_round *round, const struct gap *gap, uint32_t slot) {
  if (!round->problem->several_results)
    return gap->after;
  uint32_t begin = round->use_begin[slot];
  uint32_t below = count_below(round->uses + begin,
                               round->use_begin[slot + 1] - begin, gap->before);
  return below ? round->uses[begin + below - 1] : gap->instance;
}

/* Does dropping GAP free SLOT over a pause: is it read again at its end or
 * later? */
static bool
frees_slot(const struct gap_round *round, const struct gap *gap,
           uint32_t slot) {
  return round->timeline.last[slot] >= gap->before;
}

/* Bytes times weighted positions that dropping GAP frees. */
static double
freed_area(const struct gap_round *round, const struct gap *gap) {
  const struct plan_timeline *timeline = &round->timeline;
  uint32_t value = round->problem->result_begin[timeline->nodes[gap->instance]];
  double area = 0;
  for (uint32_t slot = timeline->slot_begin[gap->instance];
       slot < timeline->slot_begin[gap->instance + 1]; slot++, value++)
    if (frees_slot(round, gap, slot))
      area += over_between(round, gap_start(round, gap, slot), gap->before) *
              (double)round->problem->bytes[value];
  return area;
}

static bool
in_closure(const struct closure *closure, uint32_t node) {
  for (uint32_t i = 0; i < closure->count; i++)
    if (closure->nodes[i] == node)
      return true;
  return false;
}

/* A clone in front of BEFORE will read VALUE: find out how.  False where the
 * closure grew past its limit. */
static bool
provide_operand(struct gap_round *round, uint32_t value, uint32_t before) {
  const struct plan_problem *problem = round->problem;
  struct closure *closure = &round->closure;
  uint32_t node = problem->producer[value];
  if (in_closure(closure, node))
    return true;
  uint32_t instance = latest_before(round, node, before);
  uint32_t slot = round->timeline.slot_begin[instance] + value -
                  problem->result_begin[node];
  if (round->timeline.last[slot] >= before) {
    vector_push(round->scratch, &closure->relied, slot);
    return true;
  }
  double area = over_between(round, round->timeline.last[slot], before) *
                (double)problem->bytes[value];
  if (area <= 0 || !can_clone(round, node, before) ||
      (area < closure->net / 4 &&
       cost_of(problem, node) * closure->net > area * closure->cost)) {
    vector_push(round->scratch, &closure->extended, slot);
    closure->net -= area;
    return true;
  }
  if (closure->count >= round->settings->closure_max ||
      closure->count >= CLOSURE_LIMIT)
    return false;
  closure->nodes[closure->count++] = node;
  return true;
}

/* Find what dropping GAP would clone, rely on and free.  False where it
 * cannot or would gain nothing. */
static bool
weigh_gap(struct gap_round *round, const struct gap *gap) {
  const struct plan_problem *problem = round->problem;
  struct closure *closure = &round->closure;
  closure->relied.count = closure->extended.count = 0;
  closure->net = freed_area(round, gap);
  closure->cost = 0;
  closure->nodes[0] = round->timeline.nodes[gap->instance];
  closure->count = 1;
  if (closure->net <= 0)
    return false;
  for (uint32_t i = 0; i < closure->count; i++) {
    uint32_t node = closure->nodes[i];
    closure->cost += cost_of(problem, node);
    for (uint32_t o = problem->operand_begin[node];
         o < problem->operand_begin[node + 1]; o++)
      if (!provide_operand(round, problem->operands[o], gap->before))
        return false;
  }
  return closure->net > 0;
}

/* Take the gap of SLOT that ends at BEFORE into the list, if it gains. */
static void
consider_gap(struct gap_round *round, uint32_t slot, uint32_t before) {
  const struct plan_timeline *timeline = &round->timeline;
  uint32_t instance = timeline->owner[slot];
  uint32_t node = timeline->nodes[instance];
  struct gap gap = {.instance = instance,
                    .after = round->previous[slot],
                    .before = before,
                    .order = round->gaps.count};
  if (before - gap.after < 2 || !can_clone(round, node, before) ||
      !weigh_gap(round, &gap))
    return;
  gap.score = round->closure.net / round->closure.cost;
  if (round->goal->weights)
    gap.score *= round->goal->weights[node];
  vector_push(round->scratch, &round->gaps, gap);
}

/* Is read I of position P the first there of its instance? */
static bool
first_of_instance(const struct plan_timeline *timeline, uint32_t p,
                  uint32_t i) {
  uint32_t instance = timeline->owner[timeline->reads[i]];
  for (uint32_t k = timeline->read_begin[p]; k < i; k++)
    if (timeline->owner[timeline->reads[k]] == instance)
      return false;
  return true;
}

/* All gaps that gain something, by the position that ends them. */
static void
list_gaps(struct gap_round *round) {
  const struct plan_timeline *timeline = &round->timeline;
  bool several = round->problem->several_results;
  round->previous = ARENA_ARRAY(round->scratch, uint32_t, timeline->slot_count);
  for (uint32_t slot = 0; slot < timeline->slot_count; slot++)
    round->previous[slot] = timeline->owner[slot];
  for (uint32_t p = 0; p < timeline->count; p++) {
    uint32_t begin = timeline->read_begin[p], end = timeline->read_begin[p + 1];
    for (uint32_t i = begin; i < end; i++)
      if (!several || first_of_instance(timeline, p, i))
        consider_gap(round, timeline->reads[i], p);
    for (uint32_t i = begin; i < end; i++)
      round->previous[timeline->reads[i]] = p;
  }
  for (uint32_t slot = 0; slot < timeline->slot_count; slot++)
    if (timeline->last[slot] == timeline->count)
      consider_gap(round, slot, timeline->count);
}

static bool
is_better_gap(const struct gap *x, const struct gap *y) {
  return x->score != y->score ? x->score > y->score : x->order < y->order;
}

PLAN_SORT(gaps, struct gap, is_better_gap)

/* Do the drops accepted so far leave the weighed closure possible? */
static bool
agrees(const struct gap_round *round) {
  const struct closure *closure = &round->closure;
  for (uint32_t i = 0; i < closure->relied.count; i++)
    if (round->dropped[round->timeline.owner[closure->relied.data[i]]])
      return false;
  for (uint32_t i = 0; i < closure->extended.count; i++)
    if (round->dropped[round->timeline.owner[closure->extended.data[i]]])
      return false;
  return true;
}

/* Note that a clone in front of BEFORE reads SLOT. */
static void
rely_on(struct gap_round *round, uint32_t slot, uint32_t before) {
  uint32_t instance = round->timeline.owner[slot];
  if (before < round->relied_first[instance])
    round->relied_first[instance] = before;
  if (before > round->relied_last[instance])
    round->relied_last[instance] = before;
}

/* Keep SLOT alive up to a clone in front of BEFORE. */
static void
extend_slot(struct gap_round *round, uint32_t slot, uint32_t before) {
  const struct plan_timeline *timeline = &round->timeline;
  int64_t bytes =
      (int64_t)round->problem->bytes[plan_slot_value(timeline, slot)];
  uint32_t from = round->extended_to[slot];
  if (!from) {
    from = timeline->last[slot];
    int64_t takeover = plan_takeover(timeline, from, slot);
    if (takeover)
      segment_tree_add(&round->tree, from, from, takeover);
  }
  if (from + 1 < before) {
    segment_tree_add(&round->tree, from + 1, before - 1, bytes);
    round->extended_to[slot] = before - 1;
  }
}

/* Is the profile still over the budget somewhere that GAP frees? */
static bool
helps(const struct gap_round *round, const struct gap *gap) {
  const struct plan_timeline *timeline = &round->timeline;
  for (uint32_t slot = timeline->slot_begin[gap->instance];
       slot < timeline->slot_begin[gap->instance + 1]; slot++)
    if (frees_slot(round, gap, slot) &&
        segment_tree_max(&round->tree, gap_start(round, gap, slot) + 1,
                         gap->before - 1) > (int64_t)round->goal->budget_bytes)
      return true;
  return false;
}

/* Does one of the nodes ORDER[COUNT] read VALUE? */
static bool
is_read_by(const struct plan_problem *problem, const uint32_t *order,
           uint32_t count, uint32_t value) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t o = problem->operand_begin[order[i]];
         o < problem->operand_begin[order[i] + 1]; o++)
      if (problem->operands[o] == value)
        return true;
  return false;
}

/* Bytes live while the clone ORDER[I] of COUNT runs, of what they make; the
 * values of LAST stay. */
static int64_t
clones_live(const struct plan_problem *problem, const uint32_t *order,
            uint32_t i, uint32_t count, uint32_t last) {
  int64_t live = (int64_t)problem->workspace_bytes[order[i]];
  for (uint32_t k = 0; k <= i; k++)
    for (uint32_t value = problem->result_begin[order[k]];
         value < problem->result_begin[order[k] + 1]; value++)
      if (k == i || order[k] == last ||
          is_read_by(problem, order + i, count - i, value))
        live += (int64_t)problem->bytes[value];
  return live;
}

/* Most bytes that the clones of the weighed closure have live at a time, what
 * they read and is there anyway left out. */
static int64_t
closure_peak(const struct gap_round *round) {
  const struct closure *closure = &round->closure;
  uint32_t order[CLOSURE_LIMIT];
  int64_t peak = 0;
  for (uint32_t i = 0; i < closure->count; i++) {
    uint32_t k = i;
    for (; k && order[k - 1] > closure->nodes[i]; k--)
      order[k] = order[k - 1];
    order[k] = closure->nodes[i];
  }
  for (uint32_t i = 0; i < closure->count; i++) {
    int64_t live = clones_live(round->problem, order, i, closure->count,
                               closure->nodes[0]);
    peak = live > peak ? live : peak;
  }
  return peak;
}

/* Do the clones of the weighed closure of GAP fit where they go, or are at
 * least no worse than what is there? */
static bool
has_room(const struct gap_round *round, const struct gap *gap) {
  const struct plan_timeline *timeline = &round->timeline;
  const struct plan_problem *problem = round->problem;
  if (gap->before == timeline->count)
    return true;
  uint32_t node = timeline->nodes[gap->before];
  int64_t here = segment_tree_max(&round->tree, gap->before, gap->before);
  int64_t most = (int64_t)round->goal->budget_bytes;
  int64_t live = here - (int64_t)problem->workspace_bytes[node];
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    live -= (int64_t)problem->bytes[value];
  for (uint32_t slot = timeline->slot_begin[gap->instance];
       slot < timeline->slot_begin[gap->instance + 1]; slot++)
    if (frees_slot(round, gap, slot))
      live -= (int64_t)problem->bytes[plan_slot_value(timeline, slot)];
  for (uint32_t i = 0; i < round->closure.extended.count; i++)
    live +=
        (int64_t)problem
            ->bytes[plan_slot_value(timeline, round->closure.extended.data[i])];
  return live + closure_peak(round) <= (here > most ? here : most);
}

static void
accept_gap(struct gap_round *round, const struct gap *gap) {
  const struct plan_timeline *timeline = &round->timeline;
  const struct closure *closure = &round->closure;
  uint32_t value = round->problem->result_begin[timeline->nodes[gap->instance]];
  round->dropped[gap->instance] = true;
  for (uint32_t slot = timeline->slot_begin[gap->instance];
       slot < timeline->slot_begin[gap->instance + 1]; slot++, value++)
    if (frees_slot(round, gap, slot))
      segment_tree_add(&round->tree, gap_start(round, gap, slot) + 1,
                       gap->before - 1, -(int64_t)round->problem->bytes[value]);
  for (uint32_t i = 0; i < closure->relied.count; i++)
    rely_on(round, closure->relied.data[i], gap->before);
  for (uint32_t i = 0; i < closure->extended.count; i++) {
    rely_on(round, closure->extended.data[i], gap->before);
    extend_slot(round, closure->extended.data[i], gap->before);
  }
  for (uint32_t i = 0; i < closure->count; i++)
    vector_push(round->scratch, &round->clones,
                (uint64_t)gap->before << 32 | closure->nodes[i]);
}

/* Accept gaps, best first. */
static void
choose_gaps(struct gap_round *round) {
  int64_t budget = (int64_t)round->goal->budget_bytes;
  double share = (double)round->gaps.count * round->settings->fraction;
  uint32_t most = share < 1 ? 1 : (uint32_t)share, accepted = 0;
  gaps_sort(round->gaps.data, round->gaps.count, round->scratch);
  for (uint32_t i = 0; i < round->gaps.count && accepted < most &&
                       segment_tree_top(&round->tree) > budget;
       i++) {
    const struct gap *gap = &round->gaps.data[i];
    if (round->dropped[gap->instance] ||
        (round->relied_last[gap->instance] > gap->after &&
         round->relied_first[gap->instance] <= gap->before) ||
        !helps(round, gap) || !weigh_gap(round, gap) || !agrees(round) ||
        (round->settings->careful && !has_room(round, gap)))
      continue;
    accept_gap(round, gap);
    accepted++;
  }
}

static bool
is_lower_key(const uint64_t *x, const uint64_t *y) {
  return *x < *y;
}

PLAN_SORT(keys, uint64_t, is_lower_key)

/* The sequence with the chosen clones, each once per place, in program order
 * (which puts producers first). */
static struct plan_sequence
insert_clones(struct gap_round *round, struct arena *arena) {
  const struct plan_timeline *timeline = &round->timeline;
  uint32_t clones = round->clones.count, next = 0;
  const uint64_t *keys = round->clones.data;
  keys_sort(round->clones.data, clones, round->scratch);
  struct plan_sequence sequence = {
      ARENA_ARRAY(arena, uint32_t, (size_t)timeline->count + clones), 0};
  for (uint32_t p = 0; p <= timeline->count; p++) {
    for (; next < clones && keys[next] >> 32 == p; next++)
      if (!next || keys[next] != keys[next - 1])
        sequence.nodes[sequence.count++] = (uint32_t)keys[next];
    if (p < timeline->count)
      sequence.nodes[sequence.count++] = timeline->nodes[p];
  }
  plan_drop_dead(round->problem, &sequence);
  return sequence;
}

static void
prepare_choice(struct gap_round *round) {
  const struct plan_timeline *timeline = &round->timeline;
  struct arena *scratch = round->scratch;
  uint32_t count = timeline->count;
  segment_tree_build(&round->tree, timeline->profile, count, scratch);
  round->relied_first = ARENA_ARRAY(scratch, uint32_t, count);
  memset(round->relied_first, 0xff, count * sizeof *round->relied_first);
  round->relied_last = ARENA_ARRAY(scratch, uint32_t, count);
  round->extended_to = ARENA_ARRAY(scratch, uint32_t, timeline->slot_count);
  round->dropped = ARENA_ARRAY(scratch, bool, count);
}

bool
plan_gap(const struct plan_problem *problem, const struct plan_goal *goal,
         const struct plan_gap_settings *settings,
         struct plan_sequence *sequence, struct arena *arena) {
  double least_area = -1;
  uint32_t fruitless = 0;
  for (uint32_t i = 0;; i++) {
    struct arena scratch = {0};
    struct gap_round round = {.problem = problem,
                              .goal = goal,
                              .settings = settings,
                              .scratch = &scratch};
    plan_timeline_build(&round.timeline, problem, *sequence, &scratch);
    if (goal->work)
      *goal->work += sequence->count;
    bool fits = round.timeline.peak_bytes <= (int64_t)goal->budget_bytes;
    double area = fits ? 0 : sum_over(&round);
    if (least_area < 0 || area < least_area) {
      least_area = area;
      fruitless = 0;
    } else {
      fruitless++;
    }
    bool ended = i >= settings->rounds_max || fruitless >= FRUITLESS_ROUNDS_MAX;
    if (plan_too_long(goal, sequence->count) || fits || ended) {
      arena_empty(&scratch);
      return fits && sequence->count <= goal->most_instances;
    }
    list_instances(&round);
    if (problem->several_results)
      list_uses(&round);
    list_gaps(&round);
    prepare_choice(&round);
    choose_gaps(&round);
    bool changed = round.clones.count > 0;
    if (changed)
      *sequence = insert_clones(&round, arena);
    arena_empty(&scratch);
    if (!changed)
      return false;
  }
}
