/* mlir_donation.c - which arguments a program owns.
 *
 * An argument says so itself (`tf.aliasing_output = 0`, `jax.buffer_donor`),
 * or its module lists pairs of results and arguments:
 *
 *   mhlo.input_output_alias = [{alias = {parameter_index = array<i64>,
 *       parameter_number = 1 : i64}, output_index = array<i64: 0>}]
 *
 * which are those of its entry.  Linear in these attributes. */
#include "readers/mlir.h"
#include "support/buffer.h"

/* The first number in VALUE behind the colon of "array<i64: 0, 1>" or the
 * bracket of "dense<[0]>"; false where it has none.  *REST is what follows. */
static bool
first_number(struct text value, uint64_t *number, struct text *rest) {
  const char *p = value.data, *end = p + value.size;
  while (p < end && *p != ':' && *p != '[')
    p++;
  while (p < end && !mlir_is(*p, CHAR_DIGIT) && *p != ']' && *p != '>')
    p++;
  if (p >= end || !mlir_is(*p, CHAR_DIGIT))
    return false;
  for (*number = 0; p < end && mlir_is(*p, CHAR_DIGIT); p++)
    *number =
        *number < UINT32_MAX ? *number * 10 + (uint64_t)(*p - '0') : *number;
  const char *close = p;
  while (close < end && *close != ']' && *close != '>')
    close++;
  *rest = mlir_text(p, close);
  return true;
}

/* "{0,1}" for the index at VALUE, empty for none. */
static struct text
leaf_path(struct mlir *r, struct text value) {
  struct buffer out = {.arena = r->arena};
  uint64_t number;
  struct text rest;
  if (!first_number(value, &number, &rest))
    return (struct text){NULL, 0};
  buffer_string(&out, "{");
  buffer_number(&out, number);
  for (uint32_t i = 0; i < rest.size; i++)
    if (mlir_is(rest.data[i], CHAR_DIGIT) || rest.data[i] == ',')
      buffer_add(&out, rest.data + i, 1);
  buffer_string(&out, "}");
  return text_of(buffer_finish(&out));
}

static bool
attribute(struct mlir *r, struct text scope, const char *key,
          struct text *value) {
  struct span span = mlir_span(r, scope.data, scope.data + scope.size), found;
  if (!mlir_format.attribute(r->module, span, text_of(key), &found))
    return false;
  *value = source_text(r->source, found);
  return true;
}

/* One pair, the inside of its braces, of function ID. */
static void
add_pair(struct mlir *r, function_id id, struct text pair) {
  const struct ir_function *function = &r->module->functions.data[id];
  struct ir_donation donation = {id, NONE, NONE, {NULL, 0}, {NULL, 0}};
  struct text value, rest;
  uint64_t number = 0;
  int64_t argument;
  if (!attribute(r, pair, "alias", &value) || value.size < 2)
    return;
  struct text alias = {value.data + 1, value.size - 2};
  if (!attribute(r, alias, "parameter_number", &value) ||
      !ir_parse_integer(value, &argument) || argument < 0 ||
      argument >= function->argument_count)
    return;
  donation.argument = (uint32_t)argument;
  if (attribute(r, alias, "parameter_index", &value))
    donation.argument_path = leaf_path(r, value);
  if (attribute(r, pair, "output_index", &value)) {
    bool indexed = first_number(value, &number, &rest);
    if (function->result_count == 1 && indexed &&
        type_get(r->module->types, function->result_types[0])->kind ==
            TYPE_TUPLE) {
      donation.result_path = leaf_path(r, value);
      number = 0;
    }
    if (number < function->result_count)
      donation.result = (uint32_t)number;
  }
  vector_push(r->arena, &r->module->donations, donation);
}

/* The pairs that MODULE, an op, lists for function ID. */
static void
read_pairs(struct mlir *r, op_id module, function_id id) {
  struct text list;
  if (!ir_attribute(r->module, module, "mhlo.input_output_alias", &list))
    return;
  const char *p = list.data, *end = p + list.size;
  while (p < end) {
    if (*p != '{') {
      p++;
      continue;
    }
    const char *behind = mlir_skip_group(p, end, NULL);
    if (!behind)
      return;
    add_pair(r, id, mlir_text(p + 1, behind - 1));
    p = behind;
  }
}

/* What the arguments of function ID say themselves. */
static void
read_arguments(struct mlir *r, function_id id) {
  struct ir_module *m = r->module;
  const struct ir_function *function = &m->functions.data[id];
  for (uint32_t i = 0; i < function->argument_count; i++) {
    struct ir_donation donation = {id, i, NONE, {NULL, 0}, {NULL, 0}};
    struct text value;
    int64_t result;
    if (ir_argument_attribute(m, id, i, "tf.aliasing_output", &value) &&
        ir_parse_integer(value, &result) && result >= 0 &&
        result < function->result_count)
      donation.result = (uint32_t)result;
    else if (!ir_argument_attribute(m, id, i, "jax.buffer_donor", &value) ||
             text_is(value, "false"))
      continue;
    vector_push(r->arena, &m->donations, donation);
  }
}

void
mlir_donations(struct mlir *r, function_id id) {
  const struct ir_module *m = r->module;
  op_id parent = ir_parent_op(m, m->functions.data[id].op);
  read_arguments(r, id);
  if (m->functions.data[id].entry && parent != NONE)
    read_pairs(r, parent, id);
}
