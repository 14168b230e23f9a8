/* buffers.h - which values share storage, and how long it is needed.
 *
 * Left by the pass `alias` (PROP_BUFFERS).  A buffer is storage.  A view, a
 * tuple's element, a forwarded value and an update in place live in the
 * buffer of what they are made from; a value that control flow hands on
 * (loop-carried, yielded, passed to a block) moves: its buffer ends where the
 * next one begins, unless nothing changes it, and then they are one.
 *
 * A buffer is needed from tick BEGIN to tick END of the clock, both counted.
 * Where control flow between blocks makes holes, its SEGMENTS say it. */
#ifndef REMAT_PASSES_BUFFERS_H
#define REMAT_PASSES_BUFFERS_H

#include "passes/clock.h"

enum buffer_flag {
  BUFFER_ARGUMENT = 1,   /* holds an argument of the function */
  BUFFER_RESULT = 2,     /* holds something that the function returns */
  BUFFER_CONSTANT = 4,   /* holds a constant of the text */
  BUFFER_DONATED = 8,    /* an argument that the caller gives away */
  BUFFER_SEGMENTED = 16, /* look at the segments */
};

/* Ticks at which a segmented buffer is needed, both counted. */
struct buffer_segment {
  uint32_t buffer, begin, end;
};

struct buffers {
  const struct clock *clock;
  uint32_t *leaf_buffer; /* by leaf of facts; NONE for what never runs */

  uint32_t count;
  uint64_t *bytes;
  uint32_t *begin, *end;
  value_id *value; /* the first value in it */
  uint8_t *flags;
  VECTOR(struct buffer_segment) segments; /* sorted by buffer, then begin */
};

/* The buffer of leaf LEAF (from 0) of VALUE, or NONE. */
static inline uint32_t
buffers_of(const struct buffers *buffers, const struct facts *facts,
           value_id value, uint32_t leaf) {
  return buffers->leaf_buffer[facts_first_leaf(facts, value) + leaf];
}

/* Is BUFFER a temporary: neither argument, result nor constant? */
static inline bool
buffers_temporary(const struct buffers *buffers, uint32_t buffer) {
  return !(buffers->flags[buffer] &
           (BUFFER_ARGUMENT | BUFFER_RESULT | BUFFER_CONSTANT));
}

/* Is BUFFER needed at TICK?  O(log segments). */
bool buffers_live(const struct buffers *buffers, uint32_t buffer,
                  uint32_t tick);

/* Find what shares storage in MODULE.  All of the result is in the program's
 * arena; its scratch is used.  About linear in values and uses. */
struct buffers *buffers_find(struct program *program,
                             const struct ir_module *module,
                             const struct facts *facts);

#endif
