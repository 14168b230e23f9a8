/* checked.h - arithmetic on sizes and costs that cannot wrap.
 *
 * Bytes and nanoseconds are uint64_t everywhere; UINT64_MAX is what a
 * saturated sum says: "more than can be counted". */
#ifndef REMAT_SUPPORT_CHECKED_H
#define REMAT_SUPPORT_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

static inline uint64_t
saturating_add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t
saturating_multiply(uint64_t a, uint64_t b) {
  return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static inline uint64_t
saturating_subtract(uint64_t a, uint64_t b) {
  return a > b ? a - b : 0;
}

/* *RESULT = A + B and true, or false when it does not fit. */
static inline bool
checked_add(uint64_t a, uint64_t b, uint64_t *result) {
  *result = a + b;
  return *result >= a;
}

static inline bool
checked_multiply(uint64_t a, uint64_t b, uint64_t *result) {
  if (a && b > UINT64_MAX / a)
    return false;
  *result = a * b;
  return true;
}

#endif
