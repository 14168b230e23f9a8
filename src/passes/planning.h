/* planning.h - plans for the functions of a module, within bytes.
 *
 * What the passes `sequence` and `pareto` share.  For each job, a function and
 * the bytes that it may need: contract its blocks to planning problems
 * (contract.h), let the planners of src/plan find a sequence, expand that to
 * ops.  Where ops with bodies of their own keep the function over the goal,
 * the bodies are planned first, each with what the outside leaves.  Then the
 * program that comes out is made and measured; where it needs more than was
 * claimed, the goal is lowered by the difference and planned again. */
#ifndef REMAT_PASSES_PLANNING_H
#define REMAT_PASSES_PLANNING_H

#include "passes/budget.h"
#include "passes/contract.h"

/* What was planned of a function that several ops call. */
struct planned_callee {
  uint64_t goal_bytes, needed_bytes;
  bool planned;
};

/* One function on its way under its budget. */
struct planning_job {
  function_id function;
  struct contractor *contractor;
  uint64_t budget_bytes; /* as budget_counted counts */
  uint64_t goal_bytes;   /* what planners are told */
  VECTOR(struct plan_block) blocks;
  struct planned_callee *callees; /* by function */
  const char *strategy;
  uint64_t needed_bytes;   /* by the input, as budget_counted counts */
  uint64_t claimed_bytes;  /* that the planners say it needs */
  uint64_t measured_bytes; /* that the program made needs */
  uint64_t bound_bytes, bound_cost_ns;
  uint64_t work; /* of the planners, in all rounds */
  bool fits;
  bool proved_infeasible, clone_bound_reached;
  bool settled; /* it fits, or trying again is of no use */
};

struct planning {
  struct program *program;
  struct plan_settings settings;
  struct contractor *contractors[2]; /* by temporaries_only */
  struct contract_orders orders;     /* that plans so far have broken */
  bool apart; /* storage that XLA would share is planned as if it did not */
  VECTOR(struct planning_job) jobs;
};

/* What the options and the parameters of the pass `sequence` ask for. */
struct plan_settings planning_settings(const struct program *program);

/* Add a job for FUNCTION to need at most BYTES.  False where it is none that
 * can be planned. */
bool planning_add(struct planning *planning, function_id function,
                  uint64_t bytes);

/* Plan all jobs, measure, plan again.  The program's plan then has the blocks
 * of those that are kept: a plan that measures no lower than the input is
 * not.  Memory: the program's arena and scratch. */
void planning_run(struct planning *planning);

/* The blocks of all jobs to the program's plan. */
void planning_gather(struct planning *planning);

/* The program that the plan makes, with its facts and liveness, in the
 * program's arena. */
struct planning_measure {
  const struct ir_module *made;
  const struct facts *facts;
  const struct liveness *liveness;
};
struct planning_measure planning_measure(struct program *program);

#endif
