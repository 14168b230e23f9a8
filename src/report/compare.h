/* compare.h - two programs that are being compared, and what came of it.
 *
 * For the files compare*.c alone. */
#ifndef REMAT_REPORT_COMPARE_H
#define REMAT_REPORT_COMPARE_H

#include "report/report.h"

#include "passes/number.h"

struct pair {
  function_id function[SIDES];
  bool same;
  uint32_t different;        /* results */
  uint32_t results, effects; /* of the one after */
};

/* A difference that was told. */
struct difference {
  uint32_t node[SIDES];
  const char *text;
  struct location where[SIDES];
};

struct pair_figures {
  uint64_t ops[SIDES], peak[SIDES], temp[SIDES], fused[SIDES], cost[SIDES];
};

/* How many ops of one name. */
struct tally {
  struct text name;
  uint64_t count;
};

/* Ops that are computed more or fewer times after, or in one program only. */
enum change { AGAIN, FEWER, NEW, GONE, CHANGES };

struct changes {
  struct string_table *names;
  VECTOR(struct tally) tallies; /* most first */
  uint64_t count, cost_ns;
};

struct compare {
  struct arena *arena;
  struct program *program[SIDES];
  struct numbering *numbering;
  struct numbered *numbered[SIDES];
  struct figure_counts counts[SIDES];
  VECTOR(function_id) roots[SIDES];
  VECTOR(struct pair) pairs;
  struct pair at; /* that is compared */
  VECTOR(struct difference) told;
  struct changes changes[CHANGES];
  struct buffer *out;
  bool same;
};

/* What PAIR's functions need and cost. */
struct pair_figures compare_figures(const struct compare *c,
                                    const struct pair *pair);

/* Append all of C, which is complete, as JSON. */
void compare_json(const struct compare *c, struct buffer *out);

#endif
