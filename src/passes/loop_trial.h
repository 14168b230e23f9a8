/* loop_trial.h - what a program that loops were written anew in comes to. */
#ifndef REMAT_PASSES_LOOP_TRIAL_H
#define REMAT_PASSES_LOOP_TRIAL_H

#include "passes/pass.h"

struct trial {
  bool good, fits;
  const char *fault;   /* why it is not GOOD, or NULL */
  uint64_t over_bytes; /* by how much budgets are missed, all together */
  uint64_t cost_ns;    /* of what is planned, beyond the program tried */
};

/* Is A the one to take?  What fits first, then what misses by less, then what
 * costs less; equal ones are not better. */
bool trial_is_better(const struct trial *a, const struct trial *b);

/* TEXT, or PROGRAM's input where that is empty, as it is: nothing planned,
 * nothing proved, `cost_ns` 0. */
struct trial trial_weigh(const struct program *program, struct text text);

/* The same, planned by the rest of the pipeline as if it were the program.
 * LOOPS_NS are spent again in its loops, and are part of the cost.  What would
 * be better than BEST is good only with its proofs. */
struct trial trial_plan(const struct program *program, struct text text,
                        uint64_t loops_ns, const struct trial *best);

#endif
