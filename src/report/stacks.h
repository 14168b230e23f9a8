/* stacks.h - what loops store, one slot an iteration, for other loops. */
#ifndef REMAT_REPORT_STACKS_H
#define REMAT_REPORT_STACKS_H

#include "passes/pass.h"

/* A stack: SLOTS copies of VALUE, which MADE_BY computes in the loop WRITER. */
struct stack_row {
  value_id value; /* NONE: of a carry, as an iteration begins */
  op_id made_by;  /* NONE likewise */
  op_id writer;
  uint64_t slots, bytes; /* of all of it */
  uint32_t reader_count;
  const op_id *readers; /* loops, each once */
  const char *kept;     /* why nobody can do without it, or NULL */
  op_id keeper;         /* the op that is why, or NONE */
};

/* A loop that writes stacks: what one copy of what it carries from iteration to
 * iteration weighs. */
struct stack_loop {
  op_id op;
  uint64_t trips, carried_bytes;
};

struct stacks {
  VECTOR(struct stack_row) rows; /* by bytes, most first */
  VECTOR(struct stack_loop) loops;
  VECTOR(struct stack_row)
  refused;        /* MADE_BY looks like one, KEPT says why it
                     is none */
  uint64_t bytes; /* of all rows together */
};

/* The stacks of PROGRAM's input, in ARENA. */
struct stacks *stacks_of(struct arena *arena, const struct program *program);

/* How many iterations have to run again where only SLOTS copies of what a loop
 * of TRIPS iterations carries are kept at any time, and its iterations are
 * wanted backwards: the least that is possible (binomial checkpointing). */
uint64_t stacks_extra_steps(uint64_t trips, uint64_t slots);

/* Append a section about them to OUT, nothing where there are none. */
void stacks_text(struct arena *arena, const struct program *program,
                 struct buffer *out);

#endif
