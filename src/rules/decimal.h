/* decimal.h - decimal numbers, whatever locale the host program has set. */
#ifndef REMAT_RULES_DECIMAL_H
#define REMAT_RULES_DECIMAL_H

#include "support/strings.h"

/* Read the number that TEXT begins with: sign, digits, fraction, exponent.
 * '_' between digits is passed over.  Returns how many bytes it took, 0 where
 * there is none; *NUMBER may be infinite. */
uint32_t decimal_read(struct text text, double *number);

#endif
