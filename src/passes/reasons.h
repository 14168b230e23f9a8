/* reasons.h - why the plan that is emitted is as it is.
 *
 * Left in the plan's functions by the pass `reasons`, for remarks, --explain
 * and reports, whatever planner made the plan: what was recomputed or moved,
 * with a note for each place; what was kept and is live at the peak, and why.
 */
#ifndef REMAT_PASSES_REASONS_H
#define REMAT_PASSES_REASONS_H

#include "passes/budget.h"
#include "passes/plan.h"

/* The input and what is emitted, which may be the input. */
struct reasons {
  struct program *program;
  const struct ir_module *m;  /* the input */
  const struct ir_module *at; /* what is emitted */
  const struct facts *facts;  /* of that */
  const struct liveness *liveness;
  const struct buffers *buffers; /* that liveness counted */
  const function_id *of;         /* by op of AT: on whose clock it runs */
};

/* The tick of FUNCTION's peak, by what its budget counts. */
uint32_t reasons_peak_tick(const struct reasons *r, function_id function);

/* Does BUFFER count for FUNCTION's budget? */
bool reasons_counted(const struct reasons *r, function_id function,
                     uint32_t buffer);

/* "%v_remat" for result 0 of OP, as it is emitted; "op NAME" where it has
 * none. */
void reasons_name_op(const struct reasons *r, struct buffer *out, op_id op);

/* The op of the input that OP, of what is emitted, is an instance of. */
static inline op_id
reasons_origin(const struct reasons *r, op_id op) {
  return r->at->base ? r->at->op_origin[op] : op;
}

/* Add a decision for each op of FUNCTIONS (by function: is it asked about?)
 * that was kept and holds memory at its function's peak.  O(ops + uses +
 * buffers). */
void reasons_add_kept(struct reasons *r, const bool *functions);

#endif
