/* figures.h - the figures of a function, as counters.def lists them. */
#ifndef REMAT_REPORT_FIGURES_H
#define REMAT_REPORT_FIGURES_H

#include "passes/liveness.h"
#include "support/human.h"

#define FIGURE_TYPE_NUMBER uint64_t
#define FIGURE_TYPE_SIGNED int64_t
#define FIGURE_TYPE_TEXT struct text
#define FIGURE_TYPE_BOOLEAN bool

struct figures {
#define COUNTER(key, type, when, meaning) FIGURE_TYPE_##type key;
#include "support/counters.def"
#undef COUNTER
  uint64_t absent; /* bit by row of counters.def: there is no such figure */
};

/* Rows of counters.def, to name a figure. */
enum figure_row {
#define COUNTER(key, type, when, meaning) FIGURE_##key,
#include "support/counters.def"
#undef COUNTER
};

/* One row of counters.def. */
struct figure_info {
  const char *key;
  bool planned; /* only a run with a plan has it */
  const char *meaning;
};

extern const struct figure_info figure_infos[];
extern const uint32_t figure_count;

/* What the figures of all functions need, found once. */
struct figure_counts {
  bool planned;         /* the run was to plan: it has the PLANNED figures */
  uint64_t *ops;        /* by function: ops of the input */
  uint64_t *recomputed; /* by function: ops that are there again */
  uint64_t *cost_ns;    /* by function: what they cost, bodies with their op */
  uint64_t *packed_bytes; /* by function of what is emitted; NULL: not found */
};

void figures_count(struct arena *arena, const struct program *program,
                   struct figure_counts *counts);

/* The figures of FUNCTION of PROGRAM's input. */
void figures_of(const struct program *program,
                const struct figure_counts *counts, function_id function,
                struct figures *figures);

/* A figure as JSON, by its row in counters.def. */
void figures_json(const struct figures *figures, uint32_t row,
                  struct buffer *out);

/* The figure KEY as a number, a truth as 0 or 1; more than INT64_MAX is that.
 * False where FIGURES, of a run that PLANNED or not, have no such number. */
bool figures_number(const struct figures *figures, bool planned,
                    const char *key, int64_t *value);

#endif
