/* exact.h - a proved optimum for small problems. */
#ifndef REMAT_PLAN_EXACT_H
#define REMAT_PLAN_EXACT_H

#include "plan/problem.h"

enum { PLAN_EXACT_NODES_MAX = 64 };

enum plan_exact_verdict {
  PLAN_EXACT_FOUND,      /* the cheapest plan within the budget */
  PLAN_EXACT_IMPOSSIBLE, /* proved: no plan fits, or none below the limit */
  PLAN_EXACT_GAVE_UP,    /* too large, or too many states */
};

struct plan_exact_limits {
  uint64_t budget_bytes;
  uint64_t cost_limit_ns; /* only plans that cost less; UINT64_MAX: any */
  uint32_t states_max;
};

/* The cheapest plan of PROBLEM, in any order, into *SEQUENCE in ARENA. */
enum plan_exact_verdict plan_exact(const struct plan_problem *problem,
                                   const struct plan_exact_limits *limits,
                                   struct plan_sequence *sequence,
                                   struct arena *arena);

#endif
