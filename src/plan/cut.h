/* cut.h - the cut bound at one node; inside src/plan, for bound.c. */
#ifndef REMAT_PLAN_CUT_H
#define REMAT_PLAN_CUT_H

#include "plan/problem.h"

/* The moment at which a node P first runs. */
struct plan_cut {
  const struct plan_problem *problem;
  const bool *above;      /* by node: P is computed from it */
  const bool *own;        /* by node: P reads it, so it is resident */
  const uint64_t *demand; /* by node: bytes of its values that are returned or
                             read after P ran; 0: none */
  uint64_t room;          /* bytes for what is resident besides P's own */
  double *best, *price;   /* of the cuts before: the most that was shown, as
                             cut.c counts, and where; 0: none yet */
  uint64_t *effort;       /* what may still be spent; 0: that ended it */
};

/* Nanoseconds that running nodes again costs at least, because not all that
 * is demanded can be resident.  Less than could be shown where the effort
 * ends. */
uint64_t plan_cut_extra(const struct plan_cut *cut);

#endif
