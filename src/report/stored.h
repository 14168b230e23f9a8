/* stored.h - what a fusing compiler keeps of a program, value by value. */
#ifndef REMAT_REPORT_STORED_H
#define REMAT_REPORT_STORED_H

#include "passes/fused.h"

/* For a person: what of FUNCTION is live at the fused peak and why it is
 * stored, then all of its values by what becomes of them.  Nothing where the
 * program was not looked at. */
void stored_text(const struct program *program, function_id function,
                 struct buffer *out);

/* For programs: the keys "fused_live_at_peak" and, if EACH, "values", one
 * entry for each value.  Each begins with a comma. */
void stored_json(const struct program *program, function_id function, bool each,
                 struct buffer *out);

#endif
