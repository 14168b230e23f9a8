/* peak.h - who holds the memory at a moment. */
#ifndef REMAT_REPORT_PEAK_H
#define REMAT_REPORT_PEAK_H

#include "passes/liveness.h"
#include "report/where.h"

/* A buffer that is live then. */
struct peak_row {
  uint32_t buffer;
  value_id value; /* the first in it */
  op_id op;       /* that made it, NONE for a block's argument */
  uint64_t bytes;
  op_id first, last; /* ops at which it is needed first and last; NONE: from
                        the beginning, to the end */
};

/* Bytes of rows that have something in common. */
struct peak_group {
  struct text name;
  uint64_t bytes;
  uint32_t rows;
};

struct peak {
  uint32_t tick;
  op_id op;                     /* that runs then */
  uint64_t bytes;               /* all of it */
  uint64_t called_bytes;        /* of it, inside of what OP calls */
  uint64_t workspace_bytes;     /* of it, scratch of OP */
  VECTOR(struct peak_row) rows; /* largest first; those of no bytes left out */
  VECTOR(struct peak_group) classes; /* by class of the op; largest first */
  VECTOR(struct peak_group) sources; /* by source line */
};

/* Who is live at TICK in FUNCTION, in ARENA. */
struct peak *peak_at(struct arena *arena, const struct program *program,
                     struct where_table *where, function_id function,
                     uint32_t tick);

#endif
