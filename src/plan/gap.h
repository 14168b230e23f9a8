/* gap.h - the main planner: drop values over the gaps between their uses. */
#ifndef REMAT_PLAN_GAP_H
#define REMAT_PLAN_GAP_H

#include "plan/evaluate.h"

/* About what a machine of our time handles in a second, in the units of
 * `work`. */
#define PLAN_WORK_PER_SECOND 5e6

/* What a decoder has to reach. */
struct plan_goal {
  uint64_t budget_bytes;
  uint32_t most_instances; /* longer sequences are given up */
  uint64_t cost_limit_ns;  /* plans that cost more are given up by the walk;
                              0: none */
  const double *weights;   /* by node, for search; NULL: all 1 */
  uint64_t *work;          /* counts instances handled; may be NULL */
  uint32_t visits_max;     /* by step: walks that look at more nodes to find
                              out what to evict are given up; 0: at many */
  bool *given_up;          /* set where most_instances ended a run; or NULL */
};

struct plan_gap_settings {
  bool by_excess;       /* weigh positions by how far they are over */
  bool careful;         /* leave out clones that do not fit where they run;
                           else the next round sees that */
  double fraction;      /* of the candidates that one round may accept */
  uint32_t closure_max; /* nodes that one clone may need */
  uint32_t rounds_max;
};

/* A sequence of COUNT instances: is that too long?  Notes it. */
static inline bool
plan_too_long(const struct plan_goal *goal, uint32_t count) {
  bool long_ = count > goal->most_instances;
  if (long_ && goal->given_up)
    *goal->given_up = true;
  return long_;
}

/* Bring *SEQUENCE, a plan, under the budget by inserting shared clones right
 * before the uses that end a gap.  True where its peak fits; else it is as
 * near as this planner came.  The result lives in ARENA. */
bool plan_gap(const struct plan_problem *problem, const struct plan_goal *goal,
              const struct plan_gap_settings *settings,
              struct plan_sequence *sequence, struct arena *arena);

#endif
