/* fresh.h - numbers for copies of values, so that their names are unique.
 *
 * Copy K of a value is spelled by the format: "%v7_remat", "%v7_remat2".
 * Values whose copies are spelled alike ("%0" and "%v0" may be) share one
 * count within a function, and spellings that the input holds already are
 * skipped. */
#ifndef REMAT_PASSES_FRESH_H
#define REMAT_PASSES_FRESH_H

#include "ir/ir.h"

struct fresh;

/* A count that has given no number yet, in ARENA, for the values of BASE. */
struct fresh *fresh_new(struct arena *arena, const struct ir_module *base);

/* The next number for a copy of VALUE. */
uint32_t fresh_copy(struct fresh *fresh, value_id value);

#endif
