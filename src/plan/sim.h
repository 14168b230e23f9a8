/* sim.h - the state of a walk under the budget; inside src/plan, shared by
 * simulate.c, which walks, and sim_score.c, which says what to evict. */
#ifndef REMAT_PLAN_SIM_H
#define REMAT_PLAN_SIM_H

#include "plan/simulate.h"

struct sim_entry {
  double score;
  uint32_t value, version;
};

struct sim_value {
  uint32_t next_reader; /* into the readers: the first not yet run */
  uint32_t pending_readers;
  uint32_t pins;
  uint32_t version; /* of its newest heap entry */
  bool resident;
};

struct sim {
  const struct plan_problem *problem;
  const struct plan_goal *goal;
  const struct plan_simulate_settings *settings;
  struct arena *scratch;
  struct sim_value *values;
  bool *live, *pending;        /* by node */
  bool *evicted;               /* by node: it ran, and some result is gone */
  uint64_t visits, visits_max; /* of all searches */
  uint64_t cost_ns;            /* of what was emitted */
  bool large;                  /* scores are cut short, see sim_score.c */
  uint32_t *stamps, stamp;     /* by node: visited in this search */
  uint32_t now;                /* the node of the program that comes next */
  uint32_t current;            /* the node that is made ready */
  uint32_t pending_count;
  int64_t bytes, budget;
  int64_t held; /* of bytes: what the node that runs takes over */
  VECTOR(struct sim_entry) heap;
  VECTOR(struct sim_entry) aside;
  uint32_t *queue, queued;   /* nodes of a search, in order */
  VECTOR(uint32_t) closures; /* stack of open ones */
  VECTOR(uint32_t) returned; /* values */
  VECTOR(uint32_t) emitted;
};

/* A distance or cost that is none. */
#define SIM_NEVER ((double)UINT64_MAX)

/* Begin a search over nodes. */
static inline void
sim_begin_visit(struct sim *sim) {
  sim->stamp++;
  sim->queued = 0;
}

/* Put NODE in the queue of the search, once. */
static inline void
sim_visit(struct sim *sim, uint32_t node) {
  if (sim->stamps[node] == sim->stamp)
    return;
  sim->stamps[node] = sim->stamp;
  sim->visits++;
  sim->queue[sim->queued++] = node;
}

/* Steps until VALUE is needed, SIM_NEVER where nothing that was found needs
 * it any more; *COMPLETE is false where more could have been looked at. */
double sim_distance(struct sim *sim, uint32_t value, bool *complete);

/* May NODE run again when the node PLACE of the program comes next? */
static inline bool
sim_can_run(const struct sim *sim, uint32_t node, double place) {
  return !sim->problem->once[node] && sim->problem->closer[node] >= place;
}

/* What it costs to have VALUE again in so many STEPS, SIM_NEVER where that
 * cannot be done. */
double sim_recompute_cost(struct sim *sim, uint32_t value, double steps);

/* How good it is to evict VALUE; -1 where it must stay.  Where that is below
 * LEAST it may be more than it is, but is below LEAST too. */
double sim_score(struct sim *sim, uint32_t value, double least);

#endif
