/* eliminate.h - take clones out again where memory has room. */
#ifndef REMAT_PLAN_ELIMINATE_H
#define REMAT_PLAN_ELIMINATE_H

#include "plan/evaluate.h"

/* Which clones are tried first. */
enum plan_eliminate_order {
  PLAN_BY_AREA,  /* most cost for the bytes times positions it would keep */
  PLAN_BY_BYTES, /* most cost for its bytes */
  PLAN_BY_COST,
  PLAN_BY_GAP, /* the shortest way back to the instance before */
};

/* Remove instances from *SEQUENCE, in place, whose values the instance before
 * can give as well without the profile going over BUDGET_BYTES anywhere that
 * it was not.  Cost never rises.  Returns how many instances went. */
uint32_t plan_eliminate(const struct plan_problem *problem,
                        uint64_t budget_bytes, enum plan_eliminate_order order,
                        struct plan_sequence *sequence);

#endif
