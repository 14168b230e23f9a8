/* pareto.h - what memory costs: plans over a grid of budgets. */
#ifndef REMAT_PASSES_PARETO_H
#define REMAT_PASSES_PARETO_H

#include "passes/pass.h"

/* One plan of one function. */
struct pareto_point {
  function_id function;
  uint32_t share_ppm;    /* of what the function needs, that was asked for */
  uint64_t budget_bytes; /* the same in bytes */
  uint64_t peak_bytes;   /* measured, as its budget counts */
  uint64_t cost_ns;      /* of the whole function, clones included */
  uint32_t ops;          /* of its body, nested ones too */
  bool fits;
  bool proved_infeasible;
  bool knee; /* below it memory gets dear */
  const char *strategy;
};

/* By function, budgets falling; the first of each function is the program as
 * it stands. */
struct pareto {
  VECTOR(struct pareto_point) points;
};

#endif
