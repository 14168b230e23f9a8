/* random.h - random numbers that are the same on every machine; inside
 * src/plan.  No libm: its last digit differs between machines. */
#ifndef REMAT_PLAN_RANDOM_H
#define REMAT_PLAN_RANDOM_H

#include <stdint.h>

struct plan_random {
  uint64_t state; /* not 0 */
};

/* 64 bits: xorshift64*. */
static inline uint64_t
plan_random_bits(struct plan_random *random) {
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return random->state * 0x2545f4914f6cdd1du;
}

/* Below LIMIT, which is not 0. */
static inline uint32_t
plan_random_below(struct plan_random *random, uint32_t limit) {
  return (uint32_t)((plan_random_bits(random) >> 32) * limit >> 32);
}

/* In [0, 1). */
static inline double
plan_random_unit(struct plan_random *random) {
  return (double)(plan_random_bits(random) >> 11) / (double)(1ull << 53);
}

/* Does something of probability PERCENT / 100 happen? */
static inline int
plan_random_chance(struct plan_random *random, uint32_t percent) {
  return plan_random_below(random, 100) < percent;
}

/* A factor spread around 1: 2 to the power of SPREAD times a number that is
 * roughly normal. */
static inline double
plan_random_factor(struct plan_random *random, double spread) {
  double sum = -2, result = 1;
  for (int i = 0; i < 4; i++)
    sum += plan_random_unit(random);
  /* The sum of four has a deviation of 0.577. */
  double power = sum * 1.732 * spread;
  for (; power >= 1; power -= 1)
    result *= 2;
  for (; power < 0; power += 1)
    result /= 2;
  /* 2 to the rest, by a parabola through 0, 1/2 and 1. */
  return result * (1 + power * (0.65685424949238 + power * 0.34314575050762));
}

#endif
