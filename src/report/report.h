/* report.h - the figures of a run as text, JSON and HTML. */
#ifndef REMAT_REPORT_REPORT_H
#define REMAT_REPORT_REPORT_H

#include "report/figures.h"
#include "report/peak.h"

#define REMAT_VERSION "0.1"

/* Append to OUT what the run over PROGRAM came to.  PROGRAM has been through
 * the pipeline. */
void report_text(struct program *program, struct buffer *out);
void report_json(struct program *program, struct buffer *out);
void report_html(struct program *program, struct buffer *out);

/* Why the value that --explain names was sized, priced, chosen or refused as
 * it was.  False where there is none, which was diagnosed. */
bool report_explain(struct program *program, struct buffer *out);

/* The points of --pareto, a table for each function. */
void report_pareto(struct program *program, struct buffer *out);

/* Append how AFTER compares with BEFORE: same program or not, figures of both,
 * what is computed again; the same to JSON, where that is not NULL.  Both have
 * been through the pipeline without a plan.
 * Where they are not the same that is diagnosed to BEFORE's diagnostics, and
 * the result is false. */
bool report_compare(struct program *before, struct program *after,
                    struct buffer *out, struct buffer *json);

#endif
