/* terms.h - what values are, as expressions that are kept once.
 *
 * A TERM says how a value is computed: an op over terms.  Equal terms have
 * equal numbers, across modules too, so two programs whose results are the
 * same terms compute the same.  Beside ops there are
 *
 *   linear     a t + b: whole numbers that follow a loop's iteration t
 *   sum        a t + b u + c: the same of several loops
 *   sequence   what a carry of a loop is over time: where it begins and how
 *              the next one is made of it and of the carries that it needs,
 *              and nothing of those that it does not need
 *   at         a sequence at a time
 *
 * DEPTH is that of a loop, 0 for one that no other is around: it says which
 * loop's time or carries are meant.  A sequence is closed: outside of it, its
 * loop's time and carries mean nothing.
 *
 * A slot read of a sequence of slot updates is the value that was written in
 * it, at the time when it was written (term_fold.c).  A loop in a loop is one
 * loop, and what goes on where a sequence is at some time is that sequence,
 * later (term_nest.c).
 *
 * Making a term costs O(its operands); a map O(the terms that it changes). */
#ifndef REMAT_PASSES_TERMS_H
#define REMAT_PASSES_TERMS_H

#include "ir/types.h"
#include "support/vector.h"

typedef uint32_t term_id;
typedef uint32_t shape_id;

#define TERM_NONE UINT32_MAX
enum { TERM_DEPTHS = 24, TERM_TRIPS_UNKNOWN = -1 };

enum term_kind {
  TERM_ARGUMENT, /* number A of the program's own */
  TERM_OP,       /* result A of the op that KEY describes */
  TERM_TUPLE,
  TERM_ELEMENT, /* A of a tuple */
  TERM_TIME,    /* of the loop at DEPTH, from 0 */
  TERM_CARRY,   /* A of it, while it is looked at */
  TERM_BOUND,   /* member A of the sequence around it */
  TERM_LINEAR,  /* A * operand + B, wrapping; without operand B alone */
  TERM_SUM,     /* B and, for each even operand, a time: it times the number
                   that follows */
  TERM_COMPARE, /* of whole numbers, the way A */
  TERM_SELECT,
  TERM_MINIMUM, /* of whole numbers */
  TERM_MAXIMUM,
  TERM_CLAMP,
  TERM_CONVERT,
  TERM_RESHAPE,  /* same elements, same order */
  TERM_SLICE,    /* of operand 0 at the others, one a dimension */
  TERM_UPDATE,   /* of operand 0 by operand 1, at the others */
  TERM_SEQUENCE, /* member by member: where it begins, what comes next; A
                    trips; it is the first member that is meant */
  TERM_AT,       /* operand 0, a sequence, at time operand 1 */
  TERM_STOP, /* as a sequence, behind a condition: what its first member is when
                that is false for the first time */
};

enum term_order { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL };

struct term {
  uint8_t kind, depth;
  shape_id shape;
  uint32_t key;
  int64_t a, b;
  uint32_t first, count; /* operands */
  uint32_t free;         /* by depth: does it mention its time or carries? */
  uint32_t binders;      /* by depth: is there a sequence of it inside? */
};

/* Type of a term: layouts and spellings do not count. */
struct shape {
  enum dtype dtype;
  bool known; /* dims and dtype say all */
  uint32_t rank;
  const uint64_t *dims;
  uint64_t elements;
};

struct terms {
  struct arena *arena;
  VECTOR(struct term) list;
  VECTOR(term_id) operands;
  uint32_t *slots; /* open addressing: number + 1 */
  uint32_t slot_count;
  struct string_table *spellings; /* of shapes, by number */
  VECTOR(struct shape) shapes;
  shape_id index_shape;       /* of times and slots */
  int64_t trips[TERM_DEPTHS]; /* of the loops that are looked at */
};

struct terms *terms_new(struct arena *arena);

/* The shape of values of TYPE. */
shape_id terms_shape(struct terms *terms, const struct type *type);

static inline const struct term *
term_get(const struct terms *terms, term_id id) {
  return &terms->list.data[id];
}

static inline term_id
term_operand(const struct terms *terms, term_id id, uint32_t index) {
  return terms->operands.data[terms->list.data[id].first + index];
}

/* The term like LIKE (kind, depth, shape, key, a, b) over the COUNT OPERANDS,
 * as it stands. */
term_id term_enter(struct terms *terms, const struct term *like,
                   const term_id *operands, uint32_t count);

/* The same, put into its simplest form. */
term_id term_make(struct terms *terms, const struct term *like,
                  const term_id *operands, uint32_t count);

/* SCALE * BASE + OFFSET of SHAPE; BASE may be TERM_NONE.  TERM_NONE where the
 * numbers are too large to be kept. */
term_id term_linear(struct terms *terms, shape_id shape, term_id base,
                    int64_t scale, int64_t offset);

/* SCALE times TERM, which has a form. */
struct term_part {
  term_id term;
  int64_t scale;
};

/* The sum of COUNT PARTS and OFFSET, of SHAPE; TERM_NONE where a part has no
 * form, or may wrap and is of another shape, or numbers are too large. */
term_id term_combined(struct terms *terms, shape_id shape,
                      const struct term_part *parts, uint32_t count,
                      int64_t offset);

/* A whole number that follows times: by depth, how often. */
struct term_form {
  int64_t scale[TERM_DEPTHS];
  int64_t offset;
};

/* The form of ID; false where it has none.  It may wrap. */
bool term_form_of(const struct terms *terms, term_id id,
                  struct term_form *form);

/* The bounds of FORM while its loops run; false where one's trips are not
 * known. */
bool term_form_range(const struct terms *terms, const struct term_form *form,
                     int64_t *least, int64_t *most);

/* The time of the loop at DEPTH, as a base of what is linear. */
term_id term_time(struct terms *terms, uint32_t depth);

/* Is ID a number that is the same everywhere: then which? */
bool term_constant(const struct terms *terms, term_id id, int64_t *number);

/* Is ID linear in the times of loops, or constant, never wrapping: then
 * between which bounds? */
bool term_range(const struct terms *terms, term_id id, int64_t *least,
                int64_t *most);

/* Is SHAPE that of one whole number? */
bool shape_is_whole(const struct terms *terms, shape_id shape);

/* What leaves of kind LEAF at DEPTH become: by number, TERM_NONE for those that
 * do not occur; and its time, TERM_NONE where that stays. */
struct term_map {
  enum term_kind leaf;
  uint32_t depth;
  const term_id *leaves;
  term_id time;
};

term_id term_mapped(struct terms *terms, const struct term_map *map,
                    term_id id);

/* Members of a recurrence, by number. */
struct recurrence {
  enum term_kind leaf; /* how the next ones mention members */
  uint32_t depth;
  int64_t trips;
  uint32_t count;
  const term_id *begin, *next;
};

/* What member ROOT of RECURRENCE is over time.  With a CONDITION (or
 * TERM_NONE): what it is when that fails. */
term_id term_sequence(struct terms *terms, const struct recurrence *recurrence,
                      uint32_t root, term_id condition);

/* Is there a sequence in VALUE that mentions DEPTH, and is of one of DEPTHS
 * itself?  What is put there for DEPTH would be taken for that loop's. */
bool term_hides(const struct terms *terms, term_id value, uint32_t depth,
                uint32_t depths);

/* VALUE, which mentions members and the time of the sequence SEQUENCE, at time
 * WHEN; TERM_NONE where a loop inside of VALUE would take a time in WHEN for
 * its own. */
term_id term_value_at(struct terms *terms, term_id sequence, term_id value,
                      term_id when);

/* What IN[0], a sequence, is at time IN[1], more simply; or TERM_NONE. */
term_id term_fold_at(struct terms *terms, const term_id *in);

/* Append to LIST (of CAPACITY member count) the leaves of kind LEAF at DEPTH
 * that ID mentions and that SEEN does not say are there, in the order in which
 * they stand. */
void term_leaves(struct terms *terms, const struct term *leaf, term_id id,
                 bool *seen, uint32_t *list, uint32_t *count);

#endif
