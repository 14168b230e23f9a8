/* evaluate.h - running compiled expressions, and what an answer is made of.
 *
 * Inside of src/rules only.  An `evaluation` is one question about one op; it
 * lives on the caller's stack and remembers what was worked out (facts,
 * contraction) and what went wrong. */
#ifndef REMAT_RULES_EVALUATE_H
#define REMAT_RULES_EVALUATE_H

#include "rules/syntax.h"
#include "rules/tables.h"
#include "support/buffer.h"

enum evaluation_error {
  EVALUATION_FINE,
  EVALUATION_DIVISION_BY_ZERO,
  EVALUATION_OVERFLOW,
  EVALUATION_NEGATIVE_ROOT,
  EVALUATION_NEGATIVE, /* a size or a time below zero */
};

/* Facts of one op with what only the evaluator needs. */
struct resolved {
  struct op_facts facts;
  struct code flops, moved, trip;
  struct place flops_place, moved_place, trip_place;
};

/* Extents of a contraction or convolution; NaN where not known. */
struct contraction {
  double contracted, valid, batch, rows, columns, window, groups, turned;
};

struct name_entry;

enum { MOST_KEYS = 16 };

struct evaluation {
  const struct rules *rules;
  uint32_t device;
  struct rules_binding *binding; /* NULL while a file is compiled */
  const struct ir_module *module;
  struct name_entry *entry; /* of the op's name */
  op_id op;                 /* or NONE */
  uint32_t result;          /* the current one */
  type_id type;             /* of the current value */
  bool in_expect;           /* EXPECT quantities may be asked */

  struct text text; /* what LOAD_... found */
  bool text_found;
  uint32_t text_attribute; /* the attribute whose text it is, or NONE */

  enum evaluation_error error;
  char missing[80]; /* the first thing that was not known; "" if none */
  bool assumed;     /* a dynamic dimension was assumed */
  bool dynamic;     /* a dynamic dimension was met */

  bool contraction_known, keys_known;
  const struct resolved *facts; /* NULL: not yet looked up */
  struct resolved resolved;     /* where they depend on the op */
  struct contraction contraction;
  struct text keys[MOST_KEYS]; /* what stands before a '=' in the op's text */
  uint32_t key_count;          /* MOST_KEYS: there may be more */
  struct buffer *trace;        /* for --explain, or NULL */
  size_t trace_begin;          /* what was traced before is not again */
  bool tracing;                /* inside of a traced quantity: not at all */
};

/* Run CODE.  NaN where the value is not known (`missing` says what) or after
 * an error (`error` says which). */
double evaluate(struct evaluation *evaluation, struct code code);

/* Is CODE true?  No code is; unknown is not. */
bool evaluate_guard(struct evaluation *evaluation, struct code code);

/* What an error is called. */
const char *evaluation_error_text(enum evaluation_error error);

/* Note that the value of WHAT is not known, and return NaN. */
double not_known(struct evaluation *evaluation, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* --- quantity.c --- */

/* The value of QUANTITY of the value that KIND and INDEX name. */
double quantity_value(struct evaluation *evaluation, enum quantity quantity,
                      enum value_kind kind, int32_t index,
                      const double *arguments);

/* FORMAT, NAME, DIALECT or DEVICE into `text`. */
void quantity_text(struct evaluation *evaluation, enum quantity quantity);

/* Bytes of the type TYPE in this target's storage, before any rule. */
double storage_bytes(struct evaluation *evaluation, type_id type);

/* The type of the value that KIND and INDEX name; NULL, and noted as not
 * known, where the op has no such. */
const struct type *type_named(struct evaluation *evaluation,
                              enum value_kind kind, int32_t index);

/* The value that KIND and INDEX name, or NONE. */
value_id value_named(struct evaluation *evaluation, enum value_kind kind,
                     int32_t index);

/* Is operand INDEX a constant?  1 or 0, or NaN where there is none. */
double is_constant(struct evaluation *evaluation, int32_t index);

/* --- trip.c --- */

/* How often the op runs its body. */
double trip_count(struct evaluation *evaluation);

/* --- layout.c --- */

bool same_type(const struct type *a, const struct type *b);

/* 1 or 0, or NaN where it is not known. */
double keeps_order(struct evaluation *evaluation);

/* --- contraction.c --- */

void contraction_find(struct evaluation *evaluation);

/* Product of the iteration space of a linalg.generic. */
double contraction_iterations(struct evaluation *evaluation);

/* --- trace.c: a line for each quantity and figure that is asked --- */

void trace_quantity(struct evaluation *evaluation, enum quantity quantity,
                    enum value_kind kind, int32_t index, double value);
void trace_figure(struct evaluation *evaluation, uint32_t figure, double value);
void trace_table(struct evaluation *evaluation, uint32_t table, double dtype,
                 double value);

/* Does the op's text hold an attribute that contraction_find looks at? */
bool contraction_in_text(struct evaluation *evaluation);

/* --- attribute.c --- */

/* Attribute NAME of the op, without quotes around a string. */
bool attribute_text(struct evaluation *evaluation, const char *name,
                    struct text *text);
/* The same for an attribute that is always written NAME = VALUE: looks at the
 * op's text only where NAME stands in it. */
bool attribute_valued(struct evaluation *evaluation, const char *name,
                      struct text *text);

/* Does one of COUNT NAMES stand before a '=' in the op's text, or may it? */
bool attribute_possible(struct evaluation *evaluation, const char *const *names,
                        uint32_t count);

bool attribute_number(struct text text, double *number);

/* Read up to CAPACITY whole numbers out of TEXT ("[0, 1]", "{0,1}",
 * "array<i64: 0, 1>", "dense<[0, 1]> : tensor<2xi64>", "3x3"); returns how many
 * there are, or -1 where it is no list of numbers. */
int attribute_list(struct text text, int64_t *numbers, int capacity);

/* --- the binding (bind.c) --- */

struct candidate {
  uint32_t rule, class_id; /* only where the op has this class; NONE: any */
};

struct candidates {
  struct candidate *data;
  uint32_t count;
};

/* What the answers for ops of one name depend on; see model.c. */
enum model_kind { MODEL_TYPES, MODEL_CONTRACTION, MODEL_NEVER };

enum { MODEL_SLOTS = 16 };

/* Facts of those ops of one name for which the same conditions hold. */
struct variant {
  uint64_t *holds; /* bit i: the i-th statement */
  struct resolved resolved;
};

/* What is known of all ops of one name. */
struct name_entry {
  const uint32_t *statements; /* the last wins */
  uint32_t statement_count;
  uint32_t words;       /* for a bit of each */
  uint64_t *holds;      /* bits of those that hold for the op looked at */
  bool guarded;         /* a statement has a condition */
  bool depends;         /* the facts depend on the op */
  struct resolved base; /* where no condition holds */
  VECTOR(struct variant *) variants;
  struct candidates lists[RULE_LISTS];
  uint32_t first_measured, measured_count;
  enum model_kind model_kind;
  uint32_t models[MODEL_SLOTS]; /* the last ones, plus 1 */
};

/* Sums over a region or a function; filled when first asked for. */
struct body_sums {
  enum { SUMS_NEW, SUMS_BUSY, SUMS_READY } state;
  double cost, flops, ops;
};

struct rules_binding {
  struct arena *arena;
  struct diagnostics *diagnostics;
  const struct rules *rules;
  uint32_t device;
  const struct ir_module *module;
  struct name_entry **entries; /* by name */
  uint32_t entry_count;
  struct name_entry *nameless; /* for block arguments */
  struct body_sums *regions, *functions;
  double *type_bytes; /* by type: bytes before any rule; below 0: not yet */
  uint32_t type_count;
  uint8_t *op_variant; /* by op: 1 + its variant; 0: not yet known */
  uint32_t op_count;
  const uint64_t *trips; /* by op, or NULL; see rules_tell_trips */
  uint8_t *reported;     /* by rule: its error was diagnosed */
  uint8_t *ambiguous;    /* by measured row: the warning was given */
  uint32_t depth;        /* of nested regions being priced */
  char missing[80];      /* what the last answer's `missing` points to */
};

/* The row of the op NAME in FORMAT, or NULL. */
const struct name_row *find_name(const struct rules *rules, struct text name,
                                 enum item_format format);

/* Begin a question about OP. */
void evaluation_begin(struct evaluation *evaluation,
                      struct rules_binding *binding, op_id op);

struct name_entry *binding_entry(struct rules_binding *binding, op_id op);

/* The facts of the evaluation's op. */
const struct resolved *evaluation_facts(struct evaluation *evaluation);

/* Sums over the regions and called computations of the op: all together, or
 * the one that costs most. */
struct body_sums body_of(struct evaluation *evaluation, bool largest);

/* Say where EVALUATION went wrong, once for each rule.  WHAT is "size". */
void evaluation_report(struct evaluation *evaluation, uint32_t rule,
                       const char *what);

/* Find which of the rules in LIST is for the op: the first whose guard holds
 * and which HAS what is asked.  NULL if none. */
const struct rule_row *find_rule(struct evaluation *evaluation,
                                 enum rule_list list,
                                 bool (*has)(const struct rule_row *rule));

/* --- model.c --- */

enum model_kind model_kind_of(const struct rules *rules,
                              const struct name_entry *entry);

#endif
