/* denote.h - what the results of a module's functions are, as terms.
 *
 * One DENOTATION can look at several modules; their terms are comparable.  Of
 * an op it takes its name and text, without names of values and locations, and
 * what it reads; calls are looked through, loops become sequences, branches
 * selections.  What ops with effects do is a value too: each makes a new state
 * of the world of the one before. */
#ifndef REMAT_PASSES_DENOTE_H
#define REMAT_PASSES_DENOTE_H

#include "ir/ir.h"
#include "passes/terms.h"

struct denotation {
  struct arena *arena;
  struct terms *terms;
  struct string_table *keys;  /* texts of ops and functions */
  VECTOR(uint8_t) repeatable; /* by key: 0 not known, 1 no, 2 yes */
};

/* One module that is looked at. */
struct denoted;

struct denotation *denotation_new(struct arena *arena);

/* Look at MODULE.  By op, REPEATABLE says which do nothing but make their
 * results.  Where it is NULL, those ops do that are like one of a module that
 * was looked at before, and those that every reader of HLO knows. */
struct denoted *denote(struct denotation *denotation,
                       const struct ir_module *module, const bool *repeatable);

/* What FUNCTION, with arguments of its own, results in: RESULTS gets its
 * results and the state that it leaves.  NULL, or why that is not known. */
const char *denote_function(struct denoted *denoted, function_id function,
                            term_id *results);

/* A number for FUNCTION's text, whatever its names, and that of all that it
 * calls: what has equal ones is equal. */
uint32_t denote_text(struct denoted *denoted, function_id function);

/* A number for what stands before FUNCTION's body. */
uint32_t denote_head(struct denoted *denoted, function_id function);

/* A number for the text of SPAN, without locations and layout. */
uint32_t denote_span(struct denoted *denoted, struct span span);

/* --- denote_text.c --- */

/* What an op is beside what it reads. */
struct op_form {
  bool known;
  uint32_t key;
  uint32_t first, count; /* into `reads`: values, as they stand in the text */
};

struct denoted {
  struct denotation *denotation;
  struct terms *terms;
  struct arena *arena;
  const struct ir_module *m;
  const bool *repeatable;
  const uint32_t *sizes; /* by op: with those inside */
  struct op_form *forms; /* by op */
  VECTOR(value_id) reads;
  uint32_t *function_keys; /* by function: key + 1; UINT32_MAX: looked at */
  uint32_t *local;         /* by value: its number inside of an op, + 1 */
  term_id *value;          /* by value, of the latest run through its block */
  term_id state;
  uint32_t depth; /* loops around */
  uint32_t calls; /* calls around */
  const char *fault;
};

/* The form of OP. */
const struct op_form *denote_form(struct denoted *denoted, op_id op);

/* --- denote_loop.c --- */

/* Let the results of OP, a loop, have terms.  False where it has no form that
 * is known. */
bool denote_loop(struct denoted *denoted, op_id op);

/* --- denote.c --- */

/* Run through BLOCK; what its end hands on goes to RESULTS (NULL: nothing).
 * ROOT: the op whose result that is, or NONE for the last op's operands. */
void denote_block(struct denoted *denoted, block_id block, op_id root,
                  term_id *results);

/* Let OP be an op like any other: of its text and what it reads. */
void denote_plain(struct denoted *denoted, op_id op, bool pure);

/* The only block of REGION, not empty, or NONE. */
block_id denote_only_block(const struct ir_module *module, region_id region);

static inline shape_id
denote_shape(struct denoted *denoted, value_id value) {
  return terms_shape(denoted->terms, ir_value_type(denoted->m, value));
}

#endif
