/* evaluate.c - see evaluate.h.
 *
 * Life times come from one forward pass with the latest instance of every
 * node, the profile from a difference array.  O(instances + operands). */
#include "plan/evaluate.h"
#include "support/checked.h"

#include <string.h>

/* Positions and slots; sizes the arrays. */
static void
lay_out(struct plan_timeline *timeline, struct arena *arena) {
  const struct plan_problem *problem = timeline->problem;
  uint32_t slots = 0, reads = 0;
  size_t positions = (size_t)timeline->count + 1;
  timeline->slot_begin = ARENA_ARRAY(arena, uint32_t, positions);
  timeline->read_begin = ARENA_ARRAY(arena, uint32_t, positions);
  for (uint32_t p = 0; p < timeline->count; p++) {
    uint32_t node = timeline->nodes[p];
    timeline->slot_begin[p] = slots;
    timeline->read_begin[p] = reads;
    slots += plan_result_count(problem, node);
    reads += problem->operand_begin[node + 1] - problem->operand_begin[node];
  }
  timeline->slot_begin[timeline->count] = slots;
  timeline->read_begin[timeline->count] = reads;
  timeline->slot_count = slots;
  timeline->reads = ARENA_ARRAY(arena, uint32_t, reads);
  timeline->owner = ARENA_ARRAY(arena, uint32_t, slots);
  timeline->last = ARENA_ARRAY(arena, uint32_t, slots);
}

/* The slot of VALUE in the latest instance of its producer, or PLAN_NONE. */
static uint32_t
latest_slot(const struct plan_timeline *timeline, const uint32_t *latest,
            uint32_t value) {
  const struct plan_problem *problem = timeline->problem;
  uint32_t producer = problem->producer[value];
  uint32_t instance = latest[producer];
  if (instance == PLAN_NONE)
    return PLAN_NONE;
  return timeline->slot_begin[instance] + value -
         problem->result_begin[producer];
}

/* Who reads what, and when last. */
static bool
link_reads(struct plan_timeline *timeline, uint32_t *latest) {
  const struct plan_problem *problem = timeline->problem;
  for (uint32_t p = 0; p < timeline->count; p++) {
    uint32_t node = timeline->nodes[p];
    uint32_t begin = problem->operand_begin[node];
    uint32_t reads = problem->operand_begin[node + 1] - begin;
    for (uint32_t i = 0; i < reads; i++) {
      uint32_t value = problem->operands[begin + i];
      uint32_t slot = latest_slot(timeline, latest, value);
      if (slot == PLAN_NONE)
        return false;
      timeline->reads[timeline->read_begin[p] + i] = slot;
      timeline->last[slot] = p;
    }
    for (uint32_t s = timeline->slot_begin[p]; s < timeline->slot_begin[p + 1];
         s++)
      timeline->owner[s] = timeline->last[s] = p;
    latest[node] = p;
  }
  for (uint32_t value = 0; value < problem->value_count; value++) {
    if (!problem->returned[value])
      continue;
    uint32_t slot = latest_slot(timeline, latest, value);
    if (slot == PLAN_NONE)
      return false;
    timeline->last[slot] = timeline->count;
  }
  return true;
}

int64_t
plan_takeover(const struct plan_timeline *timeline, uint32_t position,
              uint32_t slot) {
  const struct plan_problem *problem = timeline->problem;
  if (!problem->has_in_place || timeline->last[slot] != position ||
      timeline->owner[slot] == position)
    return 0;
  uint32_t node = timeline->nodes[position];
  uint32_t value = plan_slot_value(timeline, slot);
  uint32_t result = plan_taker(problem, node, value);
  if (result == PLAN_NONE)
    return 0;
  return (int64_t)(problem->bytes[result] < problem->bytes[value]
                       ? problem->bytes[result]
                       : problem->bytes[value]);
}

/* Bytes live at each position. */
static void
sum_profile(struct plan_timeline *timeline, struct arena *arena) {
  const struct plan_problem *problem = timeline->problem;
  uint32_t count = timeline->count;
  int64_t *profile = ARENA_ARRAY(arena, int64_t, (size_t)count + 2);
  for (uint32_t slot = 0; slot < timeline->slot_count; slot++) {
    int64_t bytes = (int64_t)problem->bytes[plan_slot_value(timeline, slot)];
    profile[timeline->owner[slot]] += bytes;
    profile[timeline->last[slot] + 1] -= bytes;
  }
  for (uint32_t p = 1; p < count; p++)
    profile[p] += profile[p - 1];
  timeline->profile = profile;
  for (uint32_t p = 0; p < count; p++) {
    profile[p] += (int64_t)problem->workspace_bytes[timeline->nodes[p]];
    for (uint32_t i = timeline->read_begin[p];
         problem->has_in_place && i < timeline->read_begin[p + 1]; i++)
      profile[p] -= plan_takeover(timeline, p, timeline->reads[i]);
    if (profile[p] <= timeline->peak_bytes)
      continue;
    timeline->peak_bytes = profile[p];
    timeline->peak_position = p;
  }
}

bool
plan_timeline_build(struct plan_timeline *timeline,
                    const struct plan_problem *problem,
                    struct plan_sequence sequence, struct arena *arena) {
  *timeline = (struct plan_timeline){
      .problem = problem, .nodes = sequence.nodes, .count = sequence.count};
  uint32_t *latest = ARENA_ARRAY(arena, uint32_t, problem->node_count);
  memset(latest, 0xff, problem->node_count * sizeof *latest);
  lay_out(timeline, arena);
  if (!link_reads(timeline, latest))
    return false;
  sum_profile(timeline, arena);
  return true;
}

bool
plan_evaluate(const struct plan_problem *problem, struct plan_sequence sequence,
              struct plan_figures *figures) {
  struct arena scratch = {0};
  struct plan_timeline timeline;
  bool runs = plan_timeline_build(&timeline, problem, sequence, &scratch);
  if (runs) {
    bool *ran = ARENA_ARRAY(&scratch, bool, problem->node_count);
    uint32_t distinct = 0;
    *figures = (struct plan_figures){
        .peak_bytes = (uint64_t)timeline.peak_bytes,
        .peak_position = timeline.peak_position,
    };
    for (uint32_t p = 0; p < sequence.count; p++) {
      uint32_t node = sequence.nodes[p];
      figures->cost_ns =
          saturating_add(figures->cost_ns, problem->cost_ns[node]);
      distinct += !ran[node];
      ran[node] = true;
    }
    figures->clones = sequence.count - distinct;
    figures->erased = problem->node_count - distinct;
  }
  arena_empty(&scratch);
  return runs;
}

/* Are all edges obeyed, does nothing run behind what closes it, and are all
 * nodes that run once there once? */
static bool
obeys_edges(const struct plan_problem *problem, struct plan_sequence sequence,
            bool *ran, bool *closed) {
  for (uint32_t p = 0; p < sequence.count; p++) {
    uint32_t node = sequence.nodes[p];
    if ((problem->once[node] && ran[node]) || closed[node])
      return false;
    for (uint32_t i = problem->closed_begin[node];
         i < problem->closed_begin[node + 1]; i++)
      closed[problem->closed[i]] = true;
    for (uint32_t i = problem->edge_begin[node];
         i < problem->edge_begin[node + 1]; i++)
      if (!ran[problem->edges[i]])
        return false;
    ran[node] = true;
  }
  for (uint32_t node = 0; node < problem->node_count; node++)
    if (problem->once[node] && !ran[node])
      return false;
  return true;
}

bool
plan_valid(const struct plan_problem *problem, struct plan_sequence sequence) {
  struct arena scratch = {0};
  struct plan_timeline timeline;
  bool *ran = ARENA_ARRAY(&scratch, bool, problem->node_count);
  bool *closed = ARENA_ARRAY(&scratch, bool, problem->node_count);
  bool valid = obeys_edges(problem, sequence, ran, closed) &&
               plan_timeline_build(&timeline, problem, sequence, &scratch);
  arena_empty(&scratch);
  return valid;
}

/* Does an instance of NODE have to be, when NEEDED are the values that later
 * instances read of it? */
static bool
is_needed(const struct plan_problem *problem, uint32_t node,
          const bool *needed) {
  if (problem->once[node])
    return true;
  for (uint32_t value = problem->result_begin[node];
       value < problem->result_begin[node + 1]; value++)
    if (needed[value])
      return true;
  return false;
}

uint32_t
plan_drop_dead(const struct plan_problem *problem,
               struct plan_sequence *sequence) {
  struct arena scratch = {0};
  bool *needed = ARENA_ARRAY(&scratch, bool, problem->value_count);
  for (uint32_t value = 0; value < problem->value_count; value++)
    needed[value] = problem->returned[value];
  uint32_t kept = sequence->count;
  for (uint32_t p = sequence->count; p-- > 0;) {
    uint32_t node = sequence->nodes[p];
    if (!is_needed(problem, node, needed))
      continue;
    for (uint32_t value = problem->result_begin[node];
         value < problem->result_begin[node + 1]; value++)
      needed[value] = false;
    for (uint32_t i = problem->operand_begin[node];
         i < problem->operand_begin[node + 1]; i++)
      needed[problem->operands[i]] = true;
    sequence->nodes[--kept] = node;
  }
  uint32_t dropped = kept;
  sequence->count -= dropped;
  if (sequence->count)
    memmove(sequence->nodes, sequence->nodes + kept,
            sequence->count * sizeof *sequence->nodes);
  arena_empty(&scratch);
  return dropped;
}
