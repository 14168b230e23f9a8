/* stored.h - which values a fusing compiler keeps in memory, and why.
 *
 *   %0 = dot %x, %w          stored: a dot does not fuse
 *   %1 = add %0, %b          virtual: computed inside of its readers
 *   %2 = tanh %1             stored: dear, two readers
 *   %3 = subtract %c, %2     virtual, but a dot reads it: stored for that one
 *   %4 = dot %3, %w
 *
 * A virtual value has ROOTS: the stored values that are read in its place.
 * Views are looked through: their leaves have the BASE of what they show.
 * Facts of the rules say which classes fuse; the thresholds are the
 * target's (rules_fusion). */
#ifndef REMAT_PASSES_STORED_H
#define REMAT_PASSES_STORED_H

#include "passes/facts.h"

enum stored_how {
#define STORED(id, kept, words) STORED_##id,
#include "passes/stored.def"
#undef STORED
  STORED_COUNT
};

/* Leaves that are read in the place of a virtual one. */
struct stored_roots {
  uint32_t first, count; /* into stored.roots */
};

struct stored {
  const struct ir_module *module;
  const struct facts *facts;
  const struct rules_fusion *limits;
  const bool *held;     /* by value: to be stored although it need not be; NULL
                           where none is */
  uint8_t *how;         /* by value: enum stored_how */
  bool *whole;          /* by value: a reader that does not fuse needs it in
                           memory */
  bool *leaf_returned;  /* by leaf: handed on when its block ends, through
                           barriers perhaps */
  bool *leaf_carried;   /* by leaf: a loop's result that is what it was given
                           (stored_carried.c) */
  bool *view;           /* by op: stored_is_view */
  bool *fuses;          /* by op: is computed inside of its readers */
  bool *call_fuses;     /* by function: a call of it fuses, as its body does */
  uint32_t *readers;    /* by value: ops that read it, views looked through */
  uint32_t *base;       /* by leaf: what it shows, itself if it is no view */
  value_id *leaf_value; /* by leaf */
  struct stored_roots *leaf; /* by leaf; of a stored one itself alone */
  VECTOR(uint32_t) roots;
};

/* What HOW means, in words. */
const char *stored_words(enum stored_how how);

/* Has VALUE memory of its own that all of its readers use? */
bool stored_for_all(const struct stored *stored, value_id value);

/* Does OP take operand INDEX in from memory only, whatever made it? */
bool stored_reads_whole(const struct stored *stored, op_id op, uint32_t index);

/* Does OP put its operands into one thing whose type does not say what is in
 * it, a list?  It is an op in the order, and who reads it reads them too. */
bool stored_is_bundle(const struct facts *facts, const struct ir_module *module,
                      op_id op);

/* Does OP only show what others made (a view, a tuple, an element)? */
bool stored_is_view(const struct facts *facts, const struct ir_module *module,
                    op_id op);

/* The leaf that LEAF is, views and loops that hand it on unchanged looked
 * through. */
uint32_t stored_origin(const struct stored *stored, uint32_t leaf);

/* Find what loops hand on unchanged; bases are known. */
void stored_find_carried(struct stored *stored);

/* Look at all of MODULE, into the program's arena; its scratch is used.
 * O(uses), and once more for each 64 values that several ops read. */
struct stored *stored_find(struct program *program,
                           const struct ir_module *module,
                           const struct facts *facts);

/* The same, where HELD says by value what a plan may keep in memory that would
 * be computed inside of its only reader. */
struct stored *stored_find_held(struct program *program,
                                const struct ir_module *module,
                                const struct facts *facts, const bool *held);

#endif
