/* xla.h - what XLA's buffer assignment would do with a scheduled module.
 *
 *   xla_values.c  what each leaf forwards, when each value is needed
 *   xla_groups.c  values that must share: loops, branches, updates in place
 *   xla_share.c   may a result take the place of an operand that dies there?
 *   xla_place.c   temporaries inside of donated arguments and results
 *   xla_conflicts.c  who reads what was written over
 *   xla.c         the order of all this, and buffers out of it
 *
 * A scheduled module is what runs: XLA has put its own copies in and will only
 * place buffers any more.  This does the same, so that a peak is XLA's peak of
 * temporaries, fragmentation aside.
 *
 * A leaf is as in facts.h.  A VALUE here is a leaf that something is put into:
 * all leaves that forward it lead to it.  A GROUP is a set of values with one
 * storage.  Both are named by a leaf. */
#ifndef REMAT_PASSES_XLA_H
#define REMAT_PASSES_XLA_H

#include "passes/buffers.h"

struct xla {
  const struct ir_module *module;
  const struct facts *facts;
  const struct clock *clock;
  struct arena *scratch;
  uint32_t leaf_count;

  /* by leaf */
  uint32_t *source;         /* the value that is there */
  value_id *leaf_value;     /* whose leaf it is */
  type_id *leaf_type;       /* an array, never a tuple */
  uint32_t *begin, *end;    /* of values: ticks, both counted; NONE for what
                               never runs; END is one past the last tick for
                               what the module returns */
  uint32_t *parent;         /* of values: union-find of groups */
  function_id *leaf_host;   /* whose clock it runs on */
  bool *donated, *returned; /* of leaves: as the module's header says */

  /* users of each value of the module, in program order */
  uint32_t *first_user; /* by value and one more */
  op_id *users;

  uint8_t *elementwise; /* by value, for parameters of fusions: what
                           `xla_share.c` found, 0 before */
};

/* A result leaf that an op writes into an operand's storage. */
struct xla_in_place {
  uint32_t operand;
  uint32_t operand_leaf, result_leaf; /* counted inside of their values */
};

/* Leaf number INDEX of VALUE. */
static inline uint32_t
xla_leaf(const struct xla *xla, value_id value, uint32_t index) {
  return facts_first_leaf(xla->facts, value) + index;
}

static inline uint32_t
xla_leaves(const struct xla *xla, value_id value) {
  return xla_leaf(xla, value + 1, 0) - xla_leaf(xla, value, 0);
}

/* The op that makes the value LEAF. */
static inline op_id
xla_definer(const struct xla *xla, uint32_t leaf) {
  return ir_value_op(xla->module, xla->leaf_value[leaf]);
}

uint32_t xla_group(struct xla *xla, uint32_t leaf);
void xla_unite(struct xla *xla, uint32_t a, uint32_t b);

/* Fill SOURCE, BEGIN and END, DONATED and RETURNED. */
void xla_find_values(struct xla *xla);

/* Unite what must share. */
void xla_find_groups(struct xla *xla);

/* Does OP only hand its operands on, and read nothing? */
bool xla_only_hands_on(const struct xla *xla, op_id op);

/* What OP writes in place: up to CAPACITY into PAIRS; how many there are. */
uint32_t xla_in_place(const struct xla *xla, op_id op,
                      struct xla_in_place *pairs, uint32_t capacity);

/* May result leaf RESULT of OP be put where its operand VALUE has its leaf
 * LEAF (both counted inside of their values), if that dies there? */
bool xla_can_share(struct xla *xla, op_id op, uint32_t result, value_id value,
                   uint32_t leaf);

/* A place that is kept for the whole program: an argument or a result. */
struct xla_place {
  uint64_t bytes;
  uint32_t space;
  bool writable;
  VECTOR(uint32_t) values;
};

/* Place all that can be placed; *PLACES is how many places there are, and the
 * answer says which each group has, NONE for temporaries of their own. */
uint32_t *xla_place(struct xla *xla, uint32_t *places);

/* READER reads a value where WRITER, an op of its block or NONE, has already
 * put the next one into the same buffer. */
struct xla_conflict {
  op_id reader, writer;
};

struct xla_conflicts {
  struct xla_conflict *data;
  uint32_t count, capacity;
};

/* Add all conflicts among XLA's values and groups to FOUND, in ARENA. */
void xla_find_conflicts(struct xla *xla, struct xla_conflicts *found,
                        struct arena *arena);

/* The conflicts of MADE that the program's input does not have, in the
 * program's scratch; none where MADE is no module that `xla_applies` to. */
struct xla_conflicts xla_new_conflicts(struct program *program,
                                       const struct ir_module *made,
                                       const struct facts *facts,
                                       const struct clock *clock);

/* Does XLA assign buffers of MODULE as this file says: HLO, scheduled, every
 * computation that runs called from one place? */
bool xla_applies(const struct ir_module *module);

/* By leaf, in the program's scratch: can it be put where some operand of its op
 * has a leaf, if that dies there?  Of MODULE, which `xla_applies` to, on
 * CLOCK. */
const bool *xla_takers(struct program *program, const struct ir_module *module,
                       const struct facts *facts, const struct clock *clock);

/* The buffers of MODULE, which `xla_applies` to, on CLOCK.  In the program's
 * arena; its scratch is used.  About O(leaves * places). */
struct buffers *xla_buffers(struct program *program,
                            const struct ir_module *module,
                            const struct facts *facts,
                            const struct clock *clock);

#endif
