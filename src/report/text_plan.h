/* text_plan.h - what a plan came to, for a person to read. */
#ifndef REMAT_REPORT_TEXT_PLAN_H
#define REMAT_REPORT_TEXT_PLAN_H

#include "report/figures.h"

/* Append the plan of FUNCTION, whose figures are FIGURES, to OUT: what it
 * reaches, what it costs, and its greatest decisions. */
void text_put_plan(const struct program *program, function_id function,
                   const struct figures *figures, struct buffer *out);

#endif
