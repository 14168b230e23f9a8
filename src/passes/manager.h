/* manager.h - running a pipeline of passes over a program.
 *
 * The manager computes nothing by itself.  It alone gates, leaves out what
 * -fdisable names, sees to it that what a pass needs is there, times, dumps,
 * checks and empties the scratch arena.  It prints nothing: dumps and times
 * go to the callbacks. */
#ifndef REMAT_PASSES_MANAGER_H
#define REMAT_PASSES_MANAGER_H

#include "passes/options.h"
#include "passes/pass.h"

struct pipeline {
  VECTOR(const struct pass *) passes;
};

/* What the host does with what passes leave beside their results.  Either may
 * be NULL. */
struct manager_callbacks {
  void *user;
  /* TEXT is what -fdump asked for.  False ends the run: it could not be
   * written, and the callback said so. */
  bool (*dump)(void *user, const struct pass_request *request,
               struct text text);
  /* PASS took so many nanoseconds. */
  void (*timed)(void *user, const struct pass *pass, uint64_t ns);
};

/* The passes of passes.def, in order, into ARENA. */
void pipeline_default(struct pipeline *pipeline, struct arena *arena);

/* Put PASS before or after the one called ANCHOR; false where there is none. */
bool pipeline_insert(struct pipeline *pipeline, struct arena *arena,
                     const struct pass *pass, const char *anchor, bool after);

/* The pass called NAME, or NULL. */
const struct pass *pipeline_find(const struct pipeline *pipeline,
                                 const char *name);

/* Do all passes and parameters that OPTIONS names exist, may they be
 * disabled, dumped, set so?  False after errors, each with the nearest name. */
bool pipeline_check_options(const struct pipeline *pipeline,
                            const struct options *options,
                            struct diagnostics *diagnostics);

/* Run PIPELINE over PROGRAM.  False after an error was diagnosed; PROGRAM is
 * then of no use. */
bool manager_run(struct program *program, const struct pipeline *pipeline,
                 const struct manager_callbacks *callbacks);

/* The value of parameter NAME of PASS in this run.  PASS must have it. */
double pass_parameter(const struct program *program, const struct pass *pass,
                      const char *name);

/* The name of one PROP_ bit, as messages say it. */
const char *property_name(uint32_t property);

#endif
