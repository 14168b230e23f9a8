/* budget.h - how much memory a function may take, and who said so.
 *
 * Left by the pass `budget` (PROP_BUDGET), by function of the input. */
#ifndef REMAT_PASSES_BUDGET_H
#define REMAT_PASSES_BUDGET_H

#include "passes/liveness.h"

enum budget_source {
  BUDGET_NONE,
  BUDGET_CLI,      /* --budget */
  BUDGET_FUNCTION, /* an attribute of the function */
  BUDGET_MODEL,    /* what the model leaves of the device, by attributes */
  BUDGET_DEVICE,   /* the device's usable memory */
};

struct budget {
  enum budget_source source;
  uint64_t bytes;
  bool fused;              /* counted as a fusing compiler stores */
  bool temporaries;        /* arguments and results are left out of account */
  uint64_t resident_bytes; /* held arguments that the budget has paid for */
  uint64_t parameter_bytes, state_bytes; /* BUDGET_MODEL */
};

/* "explicit_cli", as reports and attributes say it; NULL for BUDGET_NONE. */
const char *budget_source_name(enum budget_source source);

/* What FUNCTION's needs come to as BUDGET counts them. */
uint64_t budget_counted(const struct budget *budget,
                        const struct liveness_function *function);

/* What every plan of FUNCTION, of the input, needs as BUDGET counts it, by its
 * greediest op: *OP, which may be NONE; 0 where that is not known. */
uint64_t budget_least(const struct budget *budget,
                      const struct liveness_function *function, op_id *op);

#endif
