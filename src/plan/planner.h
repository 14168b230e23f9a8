/* planner.h - the planners by name, and the one that takes the best of all.
 *
 *   struct plan_settings settings = plan_default_settings();
 *   struct plan_result result;
 *   plan_best(problem, budget, &settings, &result, arena);
 *
 * Everything is deterministic: the same problem, budget and settings give the
 * same sequence on any machine.  Where nothing fits, the result is the plan
 * with the lowest peak that was found, and says so. */
#ifndef REMAT_PLAN_PLANNER_H
#define REMAT_PLAN_PLANNER_H

#include "plan/eliminate.h"
#include "plan/order.h"
#include "plan/simulate.h"

enum plan_strategy {
  PLAN_BEST,     /* all decoders over all orders, the cheapest plan */
  PLAN_GAPS,     /* the gap planner alone */
  PLAN_SIMULATE, /* the walk under the budget alone */
  PLAN_MOVE,     /* another order alone, no clone */
  PLAN_EXACT,    /* a proved optimum, where the program is small enough */
};

struct plan_settings {
  enum plan_strategy strategy;
  uint32_t orders;          /* bit set of enum plan_order that are decoded */
  uint32_t orders_max;      /* nodes; larger programs are decoded in program
                               order only (all orders are still tried alone) */
  double orders_seconds;    /* of decoding in all orders: no further one is
                               begun that would take longer; work too */
  uint32_t portfolio_max;   /* nodes; larger programs get one gap and one walk
                               setting */
  bool eliminate;           /* take clones out where memory has room */
  uint32_t clone_bound;     /* clones at most this times nodes; 0: no bound */
  uint32_t clones_per_node; /* of one node at most; 0: no bound.  Obeyed by
                               plan_limited (limit.h) alone */
  uint32_t closure_max;     /* nodes that one clone of the gap planner needs */
  uint32_t rounds_max;      /* of the gap planner */
  double move_seconds;      /* of looking for an order that needs no clone */
  double polish_seconds;    /* of searching on from the best plan, always */
  uint32_t polish_max;      /* nodes; larger programs are not polished */
  double search_seconds;    /* of searching on where that is more.  These stand
                               for work of a fixed size, so that plans do not
                               depend on the machine's load */
  uint64_t seed;            /* of the search */
  bool search_adapts;       /* set for searches that are more than a polish */
  uint32_t ruin_percent; /* of the polish's steps that change the plan itself;
                            the others change what a decoder is given */
  uint32_t cut_max;      /* nodes; the bound on cost of larger programs is
                            that without cuts */
  uint32_t exact_max;    /* nodes up to which an optimum is looked for */
  uint32_t exact_states; /* states after which that is given up */
  uint32_t others_max;   /* plans that are wanted beside the best */
};

/* A plan that was found beside the best. */
struct plan_other {
  struct plan_sequence sequence;
  uint64_t peak_bytes, cost_ns;
  const char *strategy;
};

struct plan_result {
  struct plan_sequence sequence;
  struct plan_figures figures; /* evaluated from the sequence */
  bool fits;                   /* peak within budget, clones within bound */
  bool clone_bound_reached;    /* plans were given up because of the bound */
  bool proved_optimal;         /* no plan within the budget costs less */
  bool proved_infeasible;      /* no plan within the budget exists */
  uint64_t bound_bytes;        /* no plan can have a lower peak */
  uint64_t bound_cost_ns;      /* no plan within the budget costs less; where
                                  nothing fits, none with the peak reached */
  uint64_t work;               /* of the decoders: the same on any machine */
  const char *strategy;        /* what made the plan, e.g. "sink+gap-count" */
  const struct plan_other *others; /* that fit too, the cheapest first */
  uint32_t other_count;            /* no more than settings->others_max */
};

struct plan_settings plan_default_settings(void);

/* Plan PROBLEM for BUDGET_BYTES into *RESULT, whose arrays live in ARENA.
 * Returns result->fits. */
bool plan_best(const struct plan_problem *problem, uint64_t budget_bytes,
               const struct plan_settings *settings, struct plan_result *result,
               struct arena *arena);

#endif
