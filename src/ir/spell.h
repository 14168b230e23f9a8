/* spell.h - text of new ops and loops, as each format writes it.
 *
 * A pass that changes what a loop carries writes the loop anew, as text, and
 * has it read again.  Ops that are kept or cloned keep their own text; these
 * are the few that come new.  Names and types come as text, sigils included.
 * All lines end with a newline. */
#ifndef REMAT_IR_SPELL_H
#define REMAT_IR_SPELL_H

#include "ir/ir.h"
#include "support/buffer.h"

enum new_kind {
  NEW_CONSTANT, /* the whole number NUMBER, a scalar */
  NEW_ZEROS,    /* 0 of LIKE's element type, in all elements */
  NEW_ADD,
  NEW_SUBTRACT,
  NEW_MULTIPLY,
  NEW_DIVIDE,
  NEW_MINIMUM,
  NEW_LESS, /* of whole numbers, signed */
  NEW_CONVERT,
  NEW_RESHAPE,
  NEW_SLICE,  /* of operand 0 from the indices that follow */
  NEW_UPDATE, /* of operand 0 with operand 1, from the indices that follow */
};

struct new_op {
  enum new_kind kind;
  const char *result, *type; /* its name and type */
  const char *const *operands;
  const char *const *types; /* of the operands */
  uint32_t count;
  int64_t number;
  const struct type *like;
  const uint64_t *sizes; /* slice: of the result, RANK of them */
  uint32_t rank;
};

/* One value that a loop carries. */
struct new_carry {
  const char *type;
  const char *init;     /* before the loop */
  const char *argument; /* in its condition and body */
  const char *yield;    /* at the end of the body */
  const char *sharding; /* HLO: how it is spread over devices, or NULL */
};

/* What of a loop is used behind it: carry number CARRY, as NAME. */
struct new_result {
  uint32_t carry;
  const char *name;
};

struct new_loop {
  const char *name; /* of the loop, and what names of ours begin with */
  const struct new_carry *carries;
  uint32_t carry_count;
  const struct new_result *results; /* HLO: elements of its state */
  uint32_t result_count;
  struct text condition, body; /* their ops */
  const char *test;            /* what the condition comes to */
  bool sharded;                /* says how carries are spread over devices */
};

struct ir_spelling {
  /* The type of RANK dims DIMS whose elements are those of LIKE. */
  void (*type)(struct buffer *out, const struct type *like,
               const uint64_t *dims, uint32_t rank);
  void (*op)(struct buffer *out, const struct new_op *op);
  /* The loop to OUT; to BESIDE what must stand before the function that holds
   * it. */
  void (*loop)(struct buffer *out, struct buffer *beside,
               const struct new_loop *loop);
  /* How result CARRY of the loop NAME with COUNT carries is called behind it;
   * NULL where results have names of their own (`new_result`). */
  void (*result)(struct buffer *out, const char *name, uint32_t carry,
                 uint32_t count);
  /* Where they have: RESULT of the loop LOOP, without an end of line. */
  void (*element)(struct buffer *out, const struct new_loop *loop,
                  const struct new_result *result);
};

#endif
