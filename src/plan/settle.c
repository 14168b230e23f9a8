/* settle.c - see settle.h.
 *
 *   %n = subtract %w, ...   closes %y        %y = dot %x, %w   again
 *   %y = dot %x, %w         again       ==>  %n = subtract %w, ...
 *
 * Planners clone nothing behind what closes it, but for those that do not know
 * better; and a step of a search may move things.  So the few that come too
 * early are put off.  O(instances + what is closed), nothing where no node
 * closes another. */
#include "plan/settle.h"

enum { ROUNDS = 4 };

struct settling {
  const struct plan_problem *problem;
  struct plan_sequence sequence;
  uint32_t *last;  /* by node: its last position, + 1 */
  uint32_t *after; /* by position: the newest of those put off to behind it,
                      + 1 */
  uint32_t *next;  /* by position of one put off: the one put off before */
};

/* Is NODE one that nothing waits for? */
static bool
can_wait(const struct settling *s, uint32_t node) {
  const struct plan_problem *problem = s->problem;
  for (uint32_t v = problem->result_begin[node];
       v < problem->result_begin[node + 1]; v++)
    if (problem->reader_begin[v] != problem->reader_begin[v + 1])
      return false;
  return problem->edge_begin[node] == problem->edge_begin[node + 1] &&
         !problem->fixed[node];
}

/* Behind which position the instance at P has to run, P itself where it may
 * stay. */
static uint32_t
place_of(const struct settling *s, uint32_t p) {
  const struct plan_problem *problem = s->problem;
  uint32_t node = s->sequence.nodes[p], place = p;
  for (uint32_t i = problem->closed_begin[node];
       i < problem->closed_begin[node + 1]; i++)
    if (s->last[problem->closed[i]] > place + 1)
      place = s->last[problem->closed[i]] - 1;
  return place;
}

/* Find what has to wait.  False where something cannot; *ANY: does anything? */
static bool
find_places(struct settling *s, bool *any) {
  *any = false;
  for (uint32_t p = 0; p < s->sequence.count; p++)
    s->last[s->sequence.nodes[p]] = p + 1;
  for (uint32_t p = 0; p < s->sequence.count; p++) {
    uint32_t place = place_of(s, p);
    if (place == p)
      continue;
    if (!can_wait(s, s->sequence.nodes[p]))
      return false;
    *any = true;
    s->next[p] = s->after[place];
    s->after[place] = p + 1;
  }
  return true;
}

/* Append all that was put off to behind P. */
static void
append(const struct settling *s, uint32_t p, struct plan_sequence *made) {
  for (uint32_t at = s->after[p]; at; at = s->next[at - 1])
    made->nodes[made->count++] = s->sequence.nodes[at - 1];
}

/* The sequence with all at their places, in ARENA. */
static struct plan_sequence
put_off(const struct settling *s, struct arena *arena) {
  struct plan_sequence made = {ARENA_ARRAY(arena, uint32_t, s->sequence.count),
                               0};
  for (uint32_t p = 0; p < s->sequence.count; p++) {
    if (place_of(s, p) == p)
      made.nodes[made.count++] = s->sequence.nodes[p];
    append(s, p, &made);
  }
  return made;
}

bool
plan_settle(const struct plan_problem *problem, struct plan_sequence *sequence,
            struct arena *arena) {
  bool any = problem->has_closed, can = true;
  for (uint32_t round = 0; any && can; round++) {
    struct arena scratch = {0};
    struct settling s = {
        .problem = problem,
        .sequence = *sequence,
        .last = ARENA_ARRAY(&scratch, uint32_t, problem->node_count),
        .after = ARENA_ARRAY(&scratch, uint32_t, sequence->count),
        .next = ARENA_ARRAY(&scratch, uint32_t, sequence->count)};
    can = find_places(&s, &any) && (!any || round < ROUNDS);
    if (can && any)
      *sequence = put_off(&s, arena);
    arena_empty(&scratch);
  }
  return can;
}
