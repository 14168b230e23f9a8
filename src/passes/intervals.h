/* intervals.h - what could be recomputed, and from when to when that frees.
 *
 * Two models.  `candidates` is the seed's: positions are the ops with results,
 * a candidate's interval goes from its op to its last reader, and the profile
 * is the sum of the candidates' intervals alone.  `live` is the truth about
 * the input: positions are the ticks of its clock, the profile is what
 * liveness found, and a candidate frees from its op to just before its last
 * reader, which needs the clone. */
#ifndef REMAT_PASSES_INTERVALS_H
#define REMAT_PASSES_INTERVALS_H

#include "passes/budget.h"
#include "passes/plan.h"

struct interval {
  op_id op;
  uint32_t first, last; /* positions, both counted */
  uint32_t from;        /* where selecting it begins to free: FIRST, or behind
                           the last forward reader where there are phases */
  uint64_t bytes, cost_ns; /* a cost of zero counts as 1 */
};

/* The candidates of one function that has a clock of its own, and of those
 * that run on it. */
struct intervals {
  function_id function;
  uint32_t positions;
  uint32_t ops;     /* with results: what the clone bound multiplies */
  int64_t *profile; /* by position: bytes before anything is selected; NULL
                       where they are more than can be counted */
  VECTOR(struct interval) all; /* in program order */
};

/* The intervals of all functions of PROGRAM's input that have a budget, into
 * ARENA; *COUNT says how many functions there are.  O(ops + uses). */
struct intervals *intervals_find(struct program *program, struct arena *arena,
                                 uint32_t *count);

/* The largest sum over positions when what SELECTED says is selected. */
uint64_t intervals_peak(const struct intervals *intervals,
                        const uint8_t *selected, struct arena *scratch);

#endif
