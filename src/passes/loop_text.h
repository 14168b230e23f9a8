/* loop_text.h - writing one loop anew: names, ops copied with new names, and
 * the few ops that come new.
 *
 * A `loop_text` is the condition or the body of one loop on its way to text.
 * Values are known by their names there; NULL is not written yet. */
#ifndef REMAT_PASSES_LOOP_TEXT_H
#define REMAT_PASSES_LOOP_TEXT_H

#include "ir/spell.h"
#include "passes/loops.h"

/* Names that the text has not. */
struct loop_names {
  struct arena *arena;
  const struct ir_module *m;
  const char *prefix; /* "%stacked_" */
  uint32_t next;
  bool *called; /* by function: an op that is copied names it */
};

void loop_names_begin(struct loop_names *names, struct arena *arena,
                      const struct ir_module *module);
const char *loop_name(struct loop_names *names);

/* A value from outside that a loop's body uses: carried as it is. */
struct loop_capture {
  const char *outer, *inner, *type;
};

struct loop_text {
  struct loop_names *names;
  const struct ir_spelling *spelling;
  struct buffer out;
  VECTOR(struct loop_capture) captures;
  const char *zero; /* of ZERO_TYPE, or NULL */
  const char *zero_type;
};

struct loop_text loop_text_new(struct loop_names *names);

/* The spelling of TYPE, with a NUL. */
const char *loop_type(const struct loop_names *names, type_id type);

/* The name inside of what is called OUTER before the loop. */
const char *loop_capture(struct loop_text *text, const char *outer,
                         const char *type);

/* A new op, all of OP but its result's name given; returns that. */
const char *loop_op(struct loop_text *text, struct new_op op);

/* The op KIND of A and B, all of one TYPE. */
const char *loop_binary(struct loop_text *text, enum new_kind kind,
                        const char *a, const char *b, const char *type);
const char *loop_number(struct loop_text *text, int64_t number,
                        const char *type);

/* VALUE, of the type spelled FROM, as the same number of the type TO. */
const char *loop_convert(struct loop_text *text, const char *value,
                         const char *from, const char *to);

/* TARGET, where BASE is the name of what is known to be FORM, both of TYPE;
 * FORM's scale divides TARGET's. */
const char *loop_affine(struct loop_text *text, const char *base,
                        struct affine form, struct affine target,
                        const char *type);

/* The one slot INDEX, of type INDEX_TYPE, of the stack NAME, which has type
 * WHOLE: as the value of type SLICE, whose extent in DIMENSION is 1. */
struct loop_slot {
  const char *name, *index, *index_type;
  const char *whole_type, *slice_type;
  const uint64_t *sizes; /* of the slice */
  uint32_t rank, dimension;
};
const char *loop_slice(struct loop_text *text, const struct loop_slot *slot);
const char *loop_update(struct loop_text *text, const struct loop_slot *slot,
                        const char *value);

/* OP of LOOP once more, reading and defining what NAMES, by flat value, says;
 * its results get names there. */
void loop_copy(struct loop_text *text, const struct loop *loop,
               const struct flat_op *op, const char **names);

/* OP, which has no regions, once more, reading OPERANDS; the name of its first
 * result. */
const char *loop_copy_plain(struct loop_text *text, op_id op,
                            const char *const *operands);

/* How a value of the module is called before the loop. */
typedef const char *(*loop_outer_name)(void *user, value_id value);

/* VALUE, from outside, made again in TEXT where that is better than to carry
 * it (loop_sink.c); else NULL. */
const char *loop_sink(struct loop_text *text, value_id value,
                      loop_outer_name outer, void *user);

#endif
