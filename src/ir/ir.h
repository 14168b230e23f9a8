/* ir.h - the program as a graph, free of any dump format.
 *
 *   module ─► functions ─► blocks ─► ops in program order
 *                 op ─► operands (uses of values), results (values),
 *                       regions ─► blocks, callees ─► functions
 *
 * Everything is a dense number into arrays of the module; NONE is no such
 * thing.  Ops are numbered as they stand in the text, an op before those of
 * its regions.  Program order inside a block is `ir_block_op`.
 *
 * Each op, use and value name keeps its span of the text, which is mapped and
 * never copied: printing is that text with edits (print.h).
 *
 * A module that a pass made (materialize.c) has the same form: its ops have
 * an ORIGIN in the module that was read, whose text they are printed from. */
#ifndef REMAT_IR_IR_H
#define REMAT_IR_IR_H

#include "ir/types.h"
#include "support/diagnostic.h"
#include "support/source.h"
#include "support/vector.h"

#define NONE UINT32_MAX

typedef uint32_t op_id;
typedef uint32_t value_id;
typedef uint32_t block_id;
typedef uint32_t region_id;
typedef uint32_t function_id;
typedef uint32_t name_id; /* into module->names */

struct ir_module;
struct ir_spelling;
struct buffer;

/* Facts about an op that the reader sees in the structure. */
enum op_flag {
  OP_HAS_MARKS = 1,  /* an attribute whose name begins remat. or tessera. */
  OP_GENERIC = 2,    /* written in generic form */
  OP_TERMINATOR = 4, /* last of its block and gives up control or values */
  OP_FUNCTION = 8,   /* is the op of a function in `functions` */
  OP_MODULE = 16,    /* holds functions */
  OP_SHARDED = 32,   /* has a sharding annotation */
  OP_ROOT = 64,      /* HLO: marked ROOT */
  OP_ISOLATED = 128, /* its regions see no value from above */
  OP_BACKWARD = 256, /* made modules: a clone that serves a backward op */
  OP_ADDED = 512, /* made modules: of no op of the base, its origin is NONE */
};

/* Why an op names a function. */
enum call_role {
  CALL_FLOW,  /* control goes there: call, while, conditional, async */
  CALL_APPLY, /* applied per element or fused: allocates nothing of its own */
};

struct ir_call {
  op_id op;
  function_id callee;
  enum call_role role;
  name_id attribute; /* how the op names it: "body", "condition", "callee" */
  struct span text;  /* the callee's name there, sigil included */
};

/* An edge from a terminator to a block of the same region. */
struct ir_successor {
  op_id op;
  block_id block;
  uint32_t first_use; /* operands passed to its arguments, as use numbers */
  uint32_t use_count;
};

/* OP must run after PREDECESSOR although it reads nothing of it. */
struct ir_control {
  op_id op, predecessor;
  struct span text; /* the predecessor's name there */
};

/* What a module's header or a function's arguments say about storage: result
 * RESULT (leaf RESULT_PATH of it) of the entry takes over argument ARGUMENT.
 * RESULT is NONE for an argument that is donated without saying to what. */
struct ir_donation {
  function_id function;
  uint32_t argument;
  uint32_t result;
  struct text argument_path; /* "{0,1}": which leaf, where it is a tuple */
  struct text result_path;
};

struct ir_function {
  name_id name;           /* without '@' or '%'; NONE for an anonymous one */
  struct span name_text;  /* as it stands, sigil and quotes included */
  op_id op;               /* MLIR: the function's own op; HLO: NONE */
  region_id body;         /* NONE for a declaration */
  struct span text;       /* all of it */
  struct span attributes; /* inside of its attribute dictionary's braces; where
                             there is none, the empty span where "attributes
                             {...}" goes */
  bool has_attributes;
  bool entry;  /* where the module begins */
  bool hidden; /* only the module itself can call it */
  uint32_t argument_count;
  value_id *arguments; /* by argument: MLIR: of the first block; HLO: results of
                          its parameter ops; NONE where there is none */
  struct span *argument_attributes; /* by argument, inside the braces; empty if
                                       none */
  uint32_t result_count;
  type_id *result_types;
  struct span *result_attributes; /* by result, likewise; NULL where the format
                                     has none */
  op_id root; /* HLO: the op whose result the function returns; MLIR: NONE, its
                 terminators' operands are returned */
  bool fixed; /* ops are written inside of others: its order cannot change */
  function_id origin; /* made modules: the function in BASE */
  uint32_t copy;      /* made modules: 0, or k for its k-th copy */
};

/* An attribute that is added to a function when the module is printed. */
struct ir_annotation {
  function_id function;
  const char *key, *value; /* VALUE as it is to stand; NULL: no value */
};

/* What a reader of a format can tell about its text, and how the format
 * spells what passes add.  One for each reader. */
struct ir_format {
  const char *name; /* "mlir", "hlo" */
  /* Find the value of attribute KEY in SCOPE: an op's text outside of its
   * regions, or the inside of a dictionary.  *VALUE is its text; empty for a
   * unit attribute. */
  bool (*attribute)(const struct ir_module *module, struct span scope,
                    struct text key, struct span *value);
  /* Append the spelling of copy number COPY (from 1) of the value, op or
   * function that is called NAME ("%v7", "%0", "dot.5") to OUT.  That of
   * copy 1 ends in "remat"; from 2 on it is that of copy 1 and the number. */
  void (*spell_copy)(struct buffer *out, struct text name, uint32_t copy);
  /* The bytes to take out of SCOPE so that attribute KEY is gone, and with it
   * a comma or braces that would be left over.  False where SCOPE has no such
   * attribute.  NULL where the format has no attributes. */
  bool (*cut)(const struct ir_module *module, struct span scope,
              struct text key, struct span *cut);
  /* Append what stands in the place of the span `attributes` of FUNCTION when
   * the COUNT attributes ADDED, sorted by key, are merged into it.  NULL where
   * functions of the format have no attributes. */
  void (*annotate)(struct buffer *out, const struct ir_module *module,
                   function_id function, const struct ir_annotation *added,
                   uint32_t count);
  /* Have the dialects of MODULE an op that add_barrier can add? */
  bool (*has_barrier)(const struct ir_module *module);
  /* Add to the end of BLOCK, of a made module, ops that hand on the COUNT
   * values VALUES unchanged, and that no optimizer of the format's consumers
   * looks through; what they hand on goes to RESULTS.  False where the
   * module's dialects have no such op. */
  bool (*add_barrier)(struct ir_module *made, block_id block,
                      const value_id *values, uint32_t count,
                      value_id *results);
  /* Append the text of OP, which a pass added, without an end of line. */
  void (*spell_added)(struct buffer *out, const struct ir_module *made,
                      op_id op);
  /* New ops and loops as text (spell.h); NULL where the format has none. */
  const struct ir_spelling *spelling;
  /* Append what the text of OP, of a module that was read, says beside its
   * operands and regions: attributes, types, words.  Two ops of any two texts
   * that say the same append the same bytes: names of values, labels and
   * callees, blanks, locations, metadata and marks of ours are left out,
   * dictionaries are sorted, aliases spelled out. */
  void (*canonical)(struct buffer *out, const struct ir_module *module,
                    op_id op);
};

struct ir_module {
  struct arena *arena;
  const struct source *source;
  struct span text; /* what is printed where nothing changes: all of the
                       source, or the one dump of a log that was chosen */
  const struct ir_format *format;
  struct string_table *names; /* of ops, functions, attributes */
  struct type_table *types;
  const struct ir_module *base; /* made modules: the one that was read */

  /* by op */
  uint32_t op_count, op_capacity;
  name_id *op_name;
  struct span *op_text; /* first result name to last byte, location
                           included, comments not */
  uint32_t *op_first_use;
  uint32_t *op_use_count;
  value_id *op_first_result;
  uint32_t *op_result_count;
  region_id *op_region; /* the first of its chain, or NONE */
  block_id *op_block;   /* NONE at the top of the file */
  uint16_t *op_flags;
  op_id *op_origin;  /* made modules: the op in BASE; else NULL */
  uint32_t *op_copy; /* made modules: 0 for the original, k for its k-th
                        clone; else NULL */

  /* by use: operands, those of one op together in textual order */
  uint32_t use_count, use_capacity;
  value_id *use_value;
  struct span *use_text; /* "%x" or "%x#1" */

  /* by value: results and block arguments in order of definition; the results
   * of an op are consecutive, so are the arguments of a block */
  uint32_t value_count, value_capacity;
  type_id *value_type;
  uint32_t *value_def;     /* see ir_value_op, ir_value_block */
  struct span *value_name; /* "%x"; of a group "%x:2" the "%x" they share */
  uint32_t *value_number;  /* its number in a group, NONE if it is alone */
  value_id *value_origin;  /* made modules: the value of BASE that it is an
                              instance of; of a tuple of several that of the
                              first, whose name it has; else NULL */
  uint32_t *value_copy;    /* made modules: 0 for a name that stays, k for the
                              k-th spelling of a copy; else NULL */

  /* by region */
  uint32_t region_count, region_capacity;
  op_id *region_op;         /* NONE for an HLO computation */
  region_id *region_next;   /* of the same op */
  region_id *region_tail;   /* of an op's first region: its last one */
  block_id *region_block;   /* the first, or NONE */
  block_id *region_last;    /* the last, or NONE */
  struct span *region_text; /* braces included */
  region_id *region_origin; /* made modules; else NULL */

  /* by block */
  uint32_t block_count, block_capacity;
  region_id *block_region;
  block_id *block_next; /* of the same region */
  value_id *block_first_argument;
  uint32_t *block_argument_count;
  struct span *block_body;  /* behind its label, up to the next label or the
                               closing brace */
  uint32_t *block_first_op; /* into order */
  uint32_t *block_op_count;
  block_id *block_origin; /* made modules; else NULL */

  op_id *order; /* filled by ir_finish: ops at the top of the file,
                   then block by block, each in program order */
  uint32_t top_count;

  VECTOR(struct ir_function) functions;   /* in textual order */
  VECTOR(struct ir_call) calls;           /* ir_finish sorts these by op */
  VECTOR(struct ir_successor) successors; /* and these */
  VECTOR(struct ir_control) controls;     /* and these */
  VECTOR(struct ir_donation) donations;
  struct string_table *taken; /* see ir_name_taken; NULL where the text
                                 nowhere says "remat" */
  uint32_t partitions;        /* num_partitions of the header, 1 where none */
  bool scheduled;             /* HLO is_scheduled=true: the order is binding */
};

#define VALUE_IS_ARGUMENT 0x80000000u

/* The op whose result VALUE is, or NONE for a block argument. */
static inline op_id
ir_value_op(const struct ir_module *module, value_id value) {
  uint32_t def = module->value_def[value];
  return def & VALUE_IS_ARGUMENT ? NONE : def;
}

/* The block whose argument VALUE is, or NONE for a result. */
static inline block_id
ir_value_block(const struct ir_module *module, value_id value) {
  uint32_t def = module->value_def[value];
  return def & VALUE_IS_ARGUMENT ? def & ~VALUE_IS_ARGUMENT : NONE;
}

/* Which result of its op, or argument of its block, VALUE is. */
static inline uint32_t
ir_value_index(const struct ir_module *module, value_id value) {
  op_id op = ir_value_op(module, value);
  return value -
         (op != NONE
              ? module->op_first_result[op]
              : module->block_first_argument[ir_value_block(module, value)]);
}

static inline const struct type *
ir_value_type(const struct ir_module *module, value_id value) {
  return type_get(module->types, module->value_type[value]);
}

static inline struct text
ir_op_name(const struct ir_module *module, op_id op) {
  return string_text(module->names, module->op_name[op]);
}

/* Operand INDEX of OP. */
static inline value_id
ir_operand(const struct ir_module *module, op_id op, uint32_t index) {
  return module->use_value[module->op_first_use[op] + index];
}

static inline value_id
ir_result(const struct ir_module *module, op_id op, uint32_t index) {
  return module->op_first_result[op] + index;
}

/* Op number INDEX of BLOCK in program order. */
static inline op_id
ir_block_op(const struct ir_module *module, block_id block, uint32_t index) {
  return module->order[module->block_first_op[block] + index];
}

/* The text of OP in the source (made modules: of its origin; empty for an
 * added one). */
struct span ir_op_span(const struct ir_module *module, op_id op);

/* The line that OP begins on, from 1. */
uint32_t ir_op_line(const struct ir_module *module, op_id op);

/* Where a message about OP points: its first line's name or text. */
struct location ir_op_location(const struct ir_module *module, op_id op);

/* The block around OP's block's op, NONE at a function's or file's top. */
op_id ir_parent_op(const struct ir_module *module, op_id op);

/* The argument of the first region of the op around BLOCK that is written in
 * the same place as argument INDEX of BLOCK, of a later region; or NONE. */
value_id ir_shared_argument(const struct ir_module *module, block_id block,
                            uint32_t index);

/* The function that holds OP (nested ones included), or NONE. */
function_id ir_op_function(const struct ir_module *module, op_id op);

/* By op of MODULE, in ARENA: the function that holds it, or NONE.  The op of a
 * function is not held by it. */
function_id *ir_functions_of_ops(const struct ir_module *module,
                                 struct arena *arena);

/* By op of MODULE, in ARENA: how many ops it is, itself and those inside. */
uint32_t *ir_op_sizes(const struct ir_module *module, struct arena *arena);

/* Calls, successors and controls of OP: the first of *COUNT. */
const struct ir_call *ir_op_calls(const struct ir_module *module, op_id op,
                                  uint32_t *count);
const struct ir_successor *ir_op_successors(const struct ir_module *module,
                                            op_id op, uint32_t *count);
const struct ir_control *ir_op_controls(const struct ir_module *module,
                                        op_id op, uint32_t *count);

/* Attribute KEY of OP, looked up in its text outside of its regions.  *VALUE
 * is the text of the value, empty for a unit attribute. */
bool ir_attribute(const struct ir_module *module, op_id op, const char *key,
                  struct text *value);

/* The same, as a number; false where it is not a plain integer. */
bool ir_attribute_integer(const struct ir_module *module, op_id op,
                          const char *key, int64_t *value);

/* The same for a function's own attributes, for its argument INDEX ... */
bool ir_function_attribute(const struct ir_module *module, function_id function,
                           const char *key, struct text *value);
bool ir_argument_attribute(const struct ir_module *module, function_id function,
                           uint32_t index, const char *key, struct text *value);

/* ... and for its result INDEX. */
bool ir_result_attribute(const struct ir_module *module, function_id function,
                         uint32_t index, const char *key, struct text *value);

/* An integer attribute's text ("42", "42 : i64", "true") as a number. */
bool ir_parse_integer(struct text text, int64_t *value);

/* By function, in ARENA: does an op of another function name it? */
bool *ir_called_functions(const struct ir_module *module, struct arena *arena);

/* May nothing outside of MODULE, which was read, call FUNCTION? */
bool ir_is_private(const struct ir_module *module, function_id function);

/* The function called NAME, or NONE. */
function_id ir_find_function(const struct ir_module *module, struct text name);

/* NAME without a '%' before it: HLO text may write one name both ways. */
struct text ir_plain_name(struct text name);

/* Does a value, op or function of the text have a name that could be that of
 * a copy (it holds "remat") and is spelled NAME, sigil included? */
bool ir_name_taken(const struct ir_module *module, struct text name);

/* --- building: for readers and for materialize --- */

/* An empty module over SOURCE; types are stored by STORAGE. */
struct ir_module *ir_module_new(struct arena *arena,
                                const struct source *source,
                                const struct ir_format *format,
                                enum storage_policy storage);

/* An empty module over what BASE is over, with origin columns. */
struct ir_module *ir_module_made_from(struct arena *arena,
                                      const struct ir_module *base);

/* Make room for so many ops, uses and values in all; more may still come. */
void ir_reserve(struct ir_module *module, uint32_t ops, uint32_t uses,
                uint32_t values);

/* A new op at the end of BLOCK (NONE: the top of the file).  Ops must be
 * added in the order in which they stand, an op before those inside of it. */
op_id ir_add_op(struct ir_module *module, name_id name, block_id block);

/* Add COUNT values as the results of OP, or as the arguments of BLOCK; they
 * get numbers in a row and no name or type yet.  Once for each op or block. */
value_id ir_add_results(struct ir_module *module, op_id op, uint32_t count);
value_id ir_add_arguments(struct ir_module *module, block_id block,
                          uint32_t count);

/* Add an operand to OP.  All operands of one op in a row. */
void ir_add_use(struct ir_module *module, op_id op, value_id value,
                struct span text);

/* A new region at the end of OP's chain (NONE: an HLO computation's). */
region_id ir_add_region(struct ir_module *module, op_id op);

/* A new block at the end of REGION's chain. */
block_id ir_add_block(struct ir_module *module, region_id region);

/* Sort what is kept by op and lay out `order`.  Once, when all is added. */
void ir_finish(struct ir_module *module);

#endif
