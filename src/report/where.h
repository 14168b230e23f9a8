/* where.h - which line of the user's own program an op comes from.
 *
 * MLIR says it with loc(...), through aliases that stand at the top or the
 * end of the file; HLO with metadata={...}, through the tables behind the
 * module's header. */
#ifndef REMAT_REPORT_WHERE_H
#define REMAT_REPORT_WHERE_H

#include "ir/ir.h"

struct where {
  struct text file; /* empty where the dump does not say */
  uint32_t line;
  struct text name; /* "jit(step)/dot_general"; may be empty */
};

struct where_table;

/* Make ready to answer for MODULE.  Its text is looked through once, when the
 * first answer needs it. */
struct where_table *where_table_new(struct arena *arena,
                                    const struct ir_module *module);

/* Where OP comes from; all empty where the dump does not say. */
struct where where_of(struct where_table *table, op_id op);

#endif
