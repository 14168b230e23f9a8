/* emit.h - tables as C. */
#ifndef REMAT_RULES_EMIT_H
#define REMAT_RULES_EMIT_H

#include "rules/tables.h"
#include "support/buffer.h"

/* Append to OUT a C file that defines RULES as `rules_table_NAME`.  The text
 * depends on the tables alone, so two tables are equal when it is. */
void rules_emit(const struct rules *rules, struct buffer *out);

#endif
