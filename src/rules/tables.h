/* tables.h - a target as the compiler leaves it.
 *
 * Nothing but arrays and numbers into them, so that the C that `rulesc`
 * writes is constant data.  Strings, constants and code are pools; a struct
 * code is a piece of the code pool.  A device's figures are values, worked
 * out at compile time. */
#ifndef REMAT_RULES_TABLES_H
#define REMAT_RULES_TABLES_H

#include "rules/rules.h"
#include "rules/units.h"

enum opcode {
#define OPCODE(id, pops, pushes) OPCODE_##id,
#include "rules/opcodes.def"
#undef OPCODE
  OPCODE_COUNT
};

enum quantity {
#define QUANTITY(id, name, type, dimension, of, arguments, contexts)           \
  QUANTITY_##id,
#include "rules/quantities.def"
#undef QUANTITY
  QUANTITY_COUNT
};

/* Which value a quantity is of, as it is packed into an instruction. */
enum value_kind { VALUE_CURRENT, VALUE_RESULT, VALUE_OPERAND };

enum { VALUE_INDEX_BIAS = 1 << 13, STACK_DEPTH = 32 };

static inline uint32_t
quantity_argument(enum quantity quantity, enum value_kind kind, int32_t index) {
  return (uint32_t)quantity | (uint32_t)kind << 8 |
         (uint32_t)(index + VALUE_INDEX_BIAS) << 10;
}

struct code {
  uint32_t first, count; /* COUNT 0: there is none */
};

/* A place: a number into `files`, and a line. */
struct place {
  uint16_t file;
  uint32_t line;
};

struct type_row { /* a result type that is not printed */
  uint8_t base;   /* enum result_type_base */
  uint8_t element, real, complex, tensor, silent;
  int16_t index;
  uint8_t dtype;     /* DTYPE_NONE: as it is */
  uint32_t spelling; /* string, or NONE */
};

struct fact_row {
  uint8_t key;   /* enum fact_key */
  uint8_t value; /* flag, body, async, yields */
  uint8_t negated;
  int16_t first, second;
  uint32_t reason; /* string, or NONE */
  uint32_t mask;   /* counts */
  struct code code;
  uint32_t first_type, type_count;
  struct place place;
};

struct class_row {
  uint32_t name, meaning;
  uint32_t first_fact, fact_count;
  struct place place;
};

/* Facts of the ops of one name. */
struct statement_row {
  uint32_t class_id; /* or NONE */
  struct code guard;
  uint32_t first_fact, fact_count;
  struct place place;
};

/* An op's name and its statements, first those that win. */
struct name_row {
  uint32_t name;
  uint8_t format;        /* enum item_format */
  uint32_t first, count; /* into name_statements */
};

struct glob_row {
  uint32_t pattern;
  uint8_t format;
  uint32_t statement;
};

struct item_row {
  uint8_t kind, format;
  uint32_t value; /* class, or string */
};

struct rule_row {
  uint32_t first_item, item_count; /* none: everything */
  struct code guard, value, workspace, carry;
  uint8_t action; /* enum action */
  uint8_t is_default;
  int16_t operand;
  uint32_t reason; /* string */
  struct place place;
};

enum rule_list { RULES_MEMORY, RULES_RECOMPUTE, RULES_REFUSED, RULE_LISTS };

struct rule_range {
  uint32_t first, count;
};

struct device_row {
  uint32_t name, description;
  uint8_t complete; /* can be chosen */
  struct place place;
};

struct figure_row {
  uint32_t name;
  struct dimension dimension;
};

struct integers {
  uint32_t first, count;
};

/* A time that was measured for exactly one shape. */
struct measured_row {
  uint32_t device, name, source;
  uint8_t signature; /* shape is [dtype, rank, dims...] of every operand,
                        NONE, then of every result; else result dims and then
                        the contracted extent, if any */
  uint8_t dtype;
  struct integers shape;
  double ns;
  struct place place;
};

struct curve_point {
  double x, y;
};

enum dynamic_policy {
  DYNAMIC_UNKNOWN,
  DYNAMIC_BYTES,
  DYNAMIC_DIM,
  DYNAMIC_REFUSE
};

enum { TABLE_WIDTH = DTYPE_COUNT + 1 }; /* the last is the fallback */

struct rules {
  const char *name, *description;
  const char *const *files;
  const char *const *strings;
  const double *constants;
  const uint32_t *code;
  const int64_t *integers;
  const struct integers *lists;
  const struct type_row *types;
  const struct fact_row *facts;
  const struct class_row *classes;
  const struct statement_row *statements;
  const struct name_row *names; /* by format, then by name */
  const uint32_t *name_statements;
  const struct glob_row *globs;
  const struct item_row *items;
  const struct rule_row *rules;
  struct rule_range lists_of_rules[RULE_LISTS];
  const double *storage; /* by dtype; NaN: as the type says */
  const uint32_t *byte_attributes, *time_attributes;
  const struct device_row *devices;
  const struct figure_row *figures;
  const double *figure_values; /* device by figure; NaN: not given */
  const uint32_t *tables;      /* names */
  const struct dimension *table_dimensions;
  const double *table_values;          /* device by table by TABLE_WIDTH */
  const uint32_t *curves;              /* names */
  const struct integers *curve_ranges; /* device by curve, into points */
  const struct curve_point *points;
  const uint32_t *features;            /* names */
  const uint8_t *feature_values;       /* device by feature */
  const struct measured_row *measured; /* by name */
  struct rules_fusion fusion;
  struct code dynamic;
  struct place dynamic_place;
  uint8_t dynamic_policy;
  uint32_t default_device;
  uint32_t file_count, string_count, constant_count, code_count;
  uint32_t integer_count, list_count, type_count, fact_count, class_count;
  uint32_t statement_count, name_count, name_statement_count, glob_count;
  uint32_t item_count, rule_count, byte_attribute_count;
  uint32_t time_attribute_count, device_count, figure_count, table_count;
  uint32_t curve_count, point_count, feature_count, measured_count;
};

struct quantity_info {
  const char *name;
  enum quantity_type {
    QUANTITY_NUMBER,
    QUANTITY_BOOLEAN,
    QUANTITY_DTYPE_TYPE,
    QUANTITY_TEXT
  } type;
  struct dimension dimension;
  enum quantity_of { OF_OP, OF_VALUE, OF_OPERAND } of;
  uint32_t arguments;
  enum quantity_context {
    CONTEXT_ALL,
    CONTEXT_FORMULA,
    CONTEXT_EXPECT
  } context;
};

extern const struct quantity_info quantity_infos[QUANTITY_COUNT];

struct opcode_info {
  const char *name;
  int8_t pops, pushes;
};

extern const struct opcode_info opcode_infos[OPCODE_COUNT];

static inline const char *
rules_string(const struct rules *rules, uint32_t string) {
  return string == NONE ? NULL : rules->strings[string];
}

static inline struct rule_place
rules_place(const struct rules *rules, struct place place) {
  if (place.line == 0)
    return (struct rule_place){NULL, 0};
  return (struct rule_place){rules->files[place.file], place.line};
}

#endif
