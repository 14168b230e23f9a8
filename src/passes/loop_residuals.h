/* loop_residuals.h - what the pass `loop-residuals` knows, for its parts.
 * Inside of loop_*.c only. */
#ifndef REMAT_PASSES_LOOP_RESIDUALS_H
#define REMAT_PASSES_LOOP_RESIDUALS_H

#include "passes/loop_choice.h"
#include "passes/loop_trial.h"

/* Plans for all writers together, at one price for a byte. */
struct candidate {
  struct loop_query query; /* what it is best for */
  struct loop_plan *plans;
  uint64_t bytes, cost_ns;
  struct text text;
  bool tried;
};

struct residuals {
  struct program *program;
  const struct loops *loops;
  VECTOR(uint32_t) writers; /* that can be rewritten together */
  struct loop_chooser **choosers;
  VECTOR(struct candidate) candidates;
  uint32_t segmented; /* the first candidate with segments, or their count */
  uint64_t bytes;     /* of the stacks of WRITERS that can be dropped */
  uint32_t trials;    /* that may still be made */
  struct trial best;
  uint32_t best_candidate; /* NONE: the input as it is */
  struct buffer report;
};

/* How long segments of writer number I are to be; 0: there are none. */
uint64_t residuals_segment_length(const struct residuals *w, uint32_t i);

/* --- loop_remark.c --- */

/* Say what becomes of each stack with CANDIDATE, or NONE, and why: remarks. */
void residuals_remark(const struct residuals *w, uint32_t candidate);

#endif
