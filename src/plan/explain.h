/* explain.h - why a plan is as it is, in figures. */
#ifndef REMAT_PLAN_EXPLAIN_H
#define REMAT_PLAN_EXPLAIN_H

#include "plan/evaluate.h"

/* One clone of a plan: the instance at POSITION was put in instead of keeping
 * the values of the instance BEFORE it. */
struct plan_reason {
  uint32_t node, position, before;
  uint32_t gap_first, gap_last; /* positions at which that keeps bytes free;
                                   first > last: none */
  uint64_t freed_bytes;         /* there */
  uint64_t peak_kept_bytes;     /* what the profile in the gap would reach if
                                   the values were kept instead */
  uint64_t cost_ns;
  const uint32_t *relied; /* values that the clone reads and that are live
                             anyway, for other readers too */
  uint32_t relied_count;
  const uint32_t *remade; /* values that it reads and that only clones give */
  uint32_t remade_count;
};

/* One value that is live at a position of a plan. */
struct plan_live {
  uint32_t value;
  uint32_t made;      /* position of its instance */
  uint32_t next_read; /* position that reads it next; count of the sequence
                         where it is only returned, PLAN_NONE where it is read
                         here for the last time */
  uint64_t bytes;
  bool remakable;          /* nothing that runs once would have to run again */
  uint64_t remake_cost_ns; /* of it and what is not live before next_read */
  uint32_t remake_nodes;
};

/* A reason for every clone of SEQUENCE, by position, in ARENA.  Returns how
 * many. */
uint32_t plan_explain(const struct plan_problem *problem,
                      struct plan_sequence sequence,
                      const struct plan_reason **reasons, struct arena *arena);

/* The values live at POSITION of SEQUENCE, the largest first, in ARENA.
 * Returns how many. */
uint32_t plan_live_at(const struct plan_problem *problem,
                      struct plan_sequence sequence, uint32_t position,
                      const struct plan_live **live, struct arena *arena);

#endif
