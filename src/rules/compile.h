/* compile.h - from what was parsed to tables.
 *
 * Inside of src/rules only.  A `compilation` lives while one target is
 * compiled; the vectors in it become the arrays of struct rules.  In order:
 *
 *   include.c      read the file and what it includes
 *   declare.c      lets, classes, target, which devices there are
 *   figures.c      which figures there are, with their dimensions
 *   devices.c      their values on each device
 *   facts.c        classes' facts, dialects
 *   rulesets.c     memory, recompute, fusion
 *   reach.c        rules that can never be reached
 *   measured.c     measured rows
 *   expect.c       run the expect lines
 *
 * Each goes on after an error, so that one run reports many. */
#ifndef REMAT_RULES_COMPILE_H
#define REMAT_RULES_COMPILE_H

#include "rules/evaluate.h"
#include "rules/lexical.h"
#include "support/vector.h"

enum value_type {
  VALUE_ERROR, /* was diagnosed */
  VALUE_NUMBER,
  VALUE_BOOLEAN,
  VALUE_DTYPE,
  VALUE_TEXT,
};

struct typed {
  enum value_type type;
  struct dimension dimension; /* of VALUE_NUMBER */
};

/* Where an expression stands: what it may speak of. */
enum expression_context {
  IN_CONSTANT, /* nothing but numbers */
  IN_DEVICE,   /* the device's figures */
  IN_GUARD,    /* of facts: not what facts decide */
  IN_TRIP,     /* formulas of facts: not themselves */
  IN_FLOPS,
  IN_MOVED,
  IN_RULE,
  IN_EXPECT,
};

/* What an expression is wanted to be. */
struct expected {
  struct dimension dimension;
  bool or_plain;    /* a plain number will do */
  const char *what; /* "cost" */
};

struct let {
  const struct statement *statement;
  const struct rules_file *file;
  enum { LET_NEW, LET_BUSY, LET_READY } state;
  struct typed typed;
};

enum figure_kind { FIGURE_SCALAR, FIGURE_TABLE, FIGURE_CURVE };

/* A figure that some device gives. */
struct figure {
  const char *name;
  enum figure_kind kind;
  uint32_t number; /* among those of its kind */
  enum { FIGURE_NEW, FIGURE_BUSY, FIGURE_READY } state;
  struct dimension dimension, argument; /* of a curve: of its argument */
  const struct statement *first;        /* a definition */
  struct location used; /* where rules first use it, or no place */
  bool needs_fallback;  /* they use the table with any dtype */
  bool bad;             /* its dimension cannot be told, which was said */
};

struct device {
  const struct statement *statement;
  const struct rules_file *file;
  uint32_t like; /* or NONE */
};

/* A definition of a figure in a device. */
struct definition {
  uint32_t device;
  const char *name; /* with its domain */
  const struct statement *statement;
  bool sourced;
  bool bad; /* its dimension is wrong, which was said */
};

struct rule_origin { /* of a rule row: for messages */
  const struct statement *statement;
};

struct compilation {
  struct arena *arena;
  struct diagnostics *diagnostics;
  const struct rules_options *options;
  VECTOR(struct rules_file *) files; /* those that win first */
  const char **roots;                /* folders that includes may be in */
  uint32_t root_count;
  bool incomplete; /* something could not be read */

  struct string_table *string_table;
  VECTOR(const char *) strings;
  VECTOR(const char *) file_names;
  VECTOR(double) constants;
  VECTOR(uint32_t) code;
  VECTOR(int64_t) integers;
  VECTOR(struct integers) lists;
  VECTOR(struct type_row) types;
  VECTOR(struct fact_row) facts;
  VECTOR(struct class_row) classes;
  VECTOR(struct statement_row) statements;
  VECTOR(struct name_row) names;
  VECTOR(uint32_t) name_statements;
  VECTOR(struct glob_row) globs;
  VECTOR(struct item_row) items;
  VECTOR(struct rule_row) rules;
  VECTOR(uint32_t) byte_attributes;
  VECTOR(uint32_t) time_attributes;
  VECTOR(struct device_row) device_rows;
  VECTOR(struct figure_row) figure_rows;
  VECTOR(uint32_t) tables;
  struct dimension *table_dimensions;
  VECTOR(uint32_t) curves;
  VECTOR(struct curve_point) points;
  VECTOR(uint32_t) features;
  VECTOR(struct measured_row) measured;
  double storage[DTYPE_COUNT];
  double *figure_values, *table_values;
  struct integers *curve_ranges;
  uint8_t *feature_values;
  struct rules tables_so_far; /* what is not a vector */

  VECTOR(struct let) lets;
  VECTOR(struct figure) figures;
  VECTOR(struct device) devices;
  VECTOR(struct definition) definitions;
  VECTOR(const struct statement *) class_statements; /* by class */
  VECTOR(const struct statement *) row_statements;   /* by statement row */
  VECTOR(const struct statement *) rule_statements;  /* by rule row */
  const struct statement *target, *default_device;

  /* of the expression that is being compiled */
  enum expression_context context;
  uint32_t depth, deepest;
  bool recording; /* figures that are used count as used */
  bool overflowed;
};

/* --- compile.c --- */

uint32_t intern(struct compilation *c, struct text text);
uint32_t intern_string(struct compilation *c, const char *string);
struct place place_of(struct compilation *c, struct location where);

/* The tables as they are now; good until something is added. */
struct rules tables_now(struct compilation *c);

void complain(struct compilation *c, struct location where, const char *format,
              ...) __attribute__((format(printf, 3, 4)));

/* "; did you mean 'X'?" for the one of COUNT NAMES nearest to TEXT, or "". */
const char *suggestion(struct compilation *c, struct text text,
                       const char *const *names, uint32_t count);

/* --- include.c --- */

/* Read PATH and what it includes into c->files.  False after errors: what is
 * missing would only make others. */
bool read_files(struct compilation *c, const char *path);

/* Names of all files read, for dependencies. */
void close_files(struct compilation *c);

/* --- declare.c --- */

void declare(struct compilation *c);
struct let *find_let(struct compilation *c, struct text name);
/* Check every let, used or not. */
void check_lets(struct compilation *c);
struct figure *find_figure(struct compilation *c, struct text name);
/* NONE after a message where there is no such class. */
uint32_t class_named(struct compilation *c, struct word word);
uint32_t device_named(struct compilation *c, struct word word);

/* --- expression.c, functions.c --- */

/* Compile NODE, which must be what EXPECTED says, into *CODE. */
bool compile_number(struct compilation *c, struct node *node,
                    enum expression_context context,
                    const struct expected *expected, struct code *code);
bool compile_condition(struct compilation *c, struct node *node,
                       enum expression_context context, struct code *code);
/* The element type that WORD names, DTYPE_NONE after a message. */
enum dtype dtype_named(struct compilation *c, struct word word);

/* Compile and evaluate a constant. */
bool constant_number(struct compilation *c, struct node *node,
                     const struct expected *expected, double *value);

/* The type of LET, which NODE asks for. */
struct typed let_type(struct compilation *c, struct let *let,
                      const struct node *node);

/* Type of NODE without leaving code. */
struct typed type_of(struct compilation *c, struct node *node,
                     enum expression_context context);

/* Between expression.c and functions.c. */
struct typed compile_node(struct compilation *c, struct node *node,
                          const struct expected *expected);
struct typed compile_call(struct compilation *c, struct node *node,
                          const struct expected *expected);
struct typed compile_dtype(struct compilation *c, struct node *node);
bool compile_plain(struct compilation *c, struct node *node, const char *what);
struct typed compile_quantity(struct compilation *c, enum quantity quantity,
                              struct node *node);
void emit(struct compilation *c, enum opcode opcode, uint32_t argument);
uint32_t emit_jump(struct compilation *c, enum opcode opcode);
void land_jump(struct compilation *c, uint32_t jump);
struct typed wrong(void);
struct typed boolean(void);
const char *type_words(struct compilation *c, struct typed typed);
struct typed compile_name(struct compilation *c, struct node *node,
                          const struct expected *expected);
/* condition.c */
struct typed compile_in(struct compilation *c, struct node *node);
struct typed compile_comparison(struct compilation *c, struct node *node);
struct typed compile_connective(struct compilation *c, struct node *node);
struct typed number_of(struct dimension dimension);
struct typed expect_dimension(struct compilation *c, const struct node *node,
                              struct typed found,
                              const struct expected *expected);
int find_quantity(struct text name);
struct typed figure_type(struct compilation *c, struct figure *figure);
void use_figure(struct compilation *c, struct figure *figure,
                struct location where);

/* --- figures.c --- */

enum figure_kind kind_of(const struct statement *statement);

/* The statements of DEVICE, or of one of its domains (PREFIX "host."). */
void collect_figures(struct compilation *c, uint32_t device, const char *prefix,
                     const struct statement *body);
void warn_unsourced(struct compilation *c);
void resolve_likeness(struct compilation *c);

/* The definition of FIGURE (for COLUMN: a dtype, or the fallback) that counts
 * for DEVICE, or NULL. */
struct definition *definition_of(const struct compilation *c,
                                 const struct figure *figure, uint32_t device,
                                 uint32_t column);

/* Does DEVICE give a memory?  Families give none, and need not be whole. */
bool has_memory(struct compilation *c, uint32_t device);

/* Every formula has the figure's dimension, said once for all devices that
 * share it; element types in tables exist. */
void check_types(struct compilation *c);
void check_columns(struct compilation *c);

/* --- devices.c --- */

void compile_devices(struct compilation *c);
/* After all rules: does every device give what they use? */
void check_figures(struct compilation *c);

/* --- facts.c --- */

void compile_facts(struct compilation *c);
/* The class that every op called NAME has, NONE where it depends. */
uint32_t class_of_name(const struct compilation *c, struct text name,
                       enum item_format format);

/* --- rulesets.c, reach.c, measured.c, expect.c --- */

void compile_rulesets(struct compilation *c);
void check_reachable(struct compilation *c);
/* Does condition B being true make A true?  NULL: always true. */
bool condition_implies(const struct node *b, const struct node *a);
void compile_measured(struct compilation *c);
void run_expectations(struct compilation *c, struct rules *rules);

/* --- print.c --- */

/* Append the rules that C holds, which compiled, to OUT in normal form. */
void print_rules(struct compilation *c, struct buffer *out);

/* --- sample.c: one op without a dump --- */

struct sample {
  const struct ir_module *module;
  op_id op;
};

/* An op NAME with these types; ATTRIBUTES are a place in the rules file.
 * False after a message. */
bool sample_make(struct arena *arena, struct diagnostics *diagnostics,
                 struct text name, enum item_format format,
                 const struct signature *signature, struct location attributes,
                 struct sample *sample);

/* Parse the type TEXT ("tensor<4x?xf32>", "f32[4,8]", "i32") into TABLE;
 * TYPE_NONE where it is none. */
type_id sample_type(struct type_table *table, struct text text);

#endif
