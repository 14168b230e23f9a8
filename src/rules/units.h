/* units.h - physical dimensions of what rules compute with.
 *
 * Inside, sizes are in bytes, times in nanoseconds, work in FLOP, so that
 * 1 GB/s is exactly 1 and "5 us" is exactly 5000. */
#ifndef REMAT_RULES_UNITS_H
#define REMAT_RULES_UNITS_H

#include "support/buffer.h"

/* Powers of byte, second and FLOP; all zero is a plain number. */
struct dimension {
  int8_t bytes, time, work;
};

#define DIMENSION_PLAIN ((struct dimension){0, 0, 0})
#define DIMENSION_BYTES ((struct dimension){1, 0, 0})
#define DIMENSION_TIME ((struct dimension){0, 1, 0})
#define DIMENSION_WORK ((struct dimension){0, 0, 1})
#define DIMENSION_BANDWIDTH ((struct dimension){1, -1, 0})
#define DIMENSION_RATE ((struct dimension){0, -1, 1})
#define DIMENSION_FREQUENCY ((struct dimension){0, -1, 0})

/* A unit as it stands behind a number: value = number * times / over. */
struct unit {
  struct dimension dimension;
  double times, over;
};

/* Read the unit that TEXT begins with ("GB/s", "%"), the longest there is.
 * Returns its length, 0 where TEXT begins with none. */
uint32_t unit_parse(struct text text, struct unit *unit);

/* The unit nearest to what TEXT says, or NULL. */
const char *unit_nearest(struct text text);

bool dimension_equal(struct dimension a, struct dimension b);

/* *RESULT = A * B (SIGN 1) or A / B (SIGN -1); false where a power is out of
 * all reason. */
bool dimension_combine(struct dimension a, struct dimension b, int sign,
                       struct dimension *result);

/* "FLOP·s/B", or "a plain number". */
const char *dimension_text(struct arena *arena, struct dimension dimension);

/* "a time", "a number of bytes", ..., else as dimension_text. */
const char *dimension_words(struct arena *arena, struct dimension dimension);

#endif
