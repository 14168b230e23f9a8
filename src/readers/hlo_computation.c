/* hlo_computation.c - "[ENTRY] name [(parameters) -> type] { ... }".
 *
 * A header without parameters says nothing of them; one that has some is held
 * against the body, layouts aside. */
#include "readers/hlo.h"

#include <string.h>

function_id
hlo_add_function(struct hlo_reader *reader, uint32_t begin) {
  struct ir_module *m = reader->module;
  struct ir_function *function = vector_add(m->arena, &m->functions);
  function->name = NONE;
  function->name_text = (struct span){begin, begin};
  function->attributes = function->name_text;
  function->text.begin = begin;
  function->op = NONE;
  function->root = NONE;
  function->origin = NONE;
  function->body = ir_add_region(m, NONE);
  ir_add_block(m, function->body);
  return m->functions.count - 1;
}

/* The attributes of a parameter instruction. */
static struct span
parameter_attributes(const struct hlo_reader *reader, op_id op) {
  struct span text = reader->module->op_text[op];
  struct span rest = hlo_attributes(reader->source->text, text);
  return rest.begin == text.begin ? (struct span){text.end, text.end} : rest;
}

/* The number in the parentheses of a parameter instruction. */
static bool
parameter_number(const struct hlo_reader *reader, op_id op, uint64_t *number) {
  struct span text = reader->module->op_text[op], skipped;
  struct hlo_cursor cursor = {reader->source->text, text.begin, text.end};
  if (hlo_identifier(&cursor, true, &skipped) && !hlo_accept(&cursor, '='))
    cursor.at = text.begin;
  if (hlo_looks_like_type(&cursor))
    hlo_type_extent(&cursor, &skipped);
  return hlo_identifier(&cursor, false, &skipped) && hlo_accept(&cursor, '(') &&
         hlo_number(&cursor, number) && hlo_accept(&cursor, ')');
}

/* Give FUNCTION its arguments: those of its ops in FIRST..END that are
 * parameters, by their numbers. */
static bool
collect_parameters(struct hlo_reader *reader, function_id id, op_id first) {
  struct ir_module *m = reader->module;
  block_id block = m->region_block[m->functions.data[id].body];
  VECTOR(op_id) found = {NULL, 0, 0};
  name_id parameter = string_intern(m->names, TEXT("parameter"));
  for (op_id op = first; op < m->op_count; op++)
    if (m->op_name[op] == parameter && m->op_block[op] == block)
      vector_push(reader->scratch, &found, op);
  struct ir_function *function = &m->functions.data[id];
  function->argument_count = found.count;
  function->arguments = ARENA_ARRAY(m->arena, value_id, found.count);
  function->argument_attributes =
      ARENA_ARRAY(m->arena, struct span, found.count);
  for (uint32_t i = 0; i < found.count; i++)
    function->arguments[i] = NONE;
  for (uint32_t i = 0; i < found.count; i++) {
    op_id op = found.data[i];
    uint64_t number;
    if (!parameter_number(reader, op, &number))
      return hlo_fail(reader, m->op_text[op],
                      "a parameter's number was expected");
    if (number >= found.count || function->arguments[number] != NONE)
      return hlo_fail(reader, m->op_text[op],
                      "parameters are numbered from 0 on, each number once");
    function->arguments[number] = ir_result(m, op, 0);
    function->argument_attributes[number] = parameter_attributes(reader, op);
  }
  return true;
}

/* The last op of FUNCTION's block, or NONE. */
static op_id
last_op(const struct ir_module *m, function_id function, op_id first) {
  block_id block = m->region_block[m->functions.data[function].body];
  for (op_id op = m->op_count; op-- > first;)
    if (m->op_block[op] == block)
      return op;
  return NONE;
}

bool
hlo_read_body(struct hlo_reader *reader, function_id function) {
  struct ir_module *m = reader->module;
  struct hlo_cursor *cursor = &reader->cursor;
  function_id outer = reader->function;
  op_id root = NONE, first = m->op_count;
  uint32_t begin = cursor->at - 1;
  reader->function = function;
  while (!hlo_accept(cursor, '}')) {
    bool marked;
    uint32_t at = cursor->at;
    if (!hlo_read_instruction(reader, &marked))
      return false;
    if (marked && root != NONE)
      return hlo_fail(reader, (struct span){at, cursor->at},
                      "a second ROOT in this computation");
    if (marked)
      root = last_op(m, function, first);
  }
  if (root == NONE)
    root = last_op(m, function, first);
  if (root == NONE)
    return hlo_fail(reader, (struct span){begin, cursor->at},
                    "a computation without instructions");
  m->op_flags[root] |= OP_ROOT;
  struct ir_function *f = &m->functions.data[function];
  f->root = root;
  f->result_count = 1;
  f->result_types = ARENA_ARRAY(m->arena, type_id, 1);
  f->result_types[0] = m->value_type[ir_result(m, root, 0)];
  f->text.end = cursor->at;
  m->region_text[f->body] = (struct span){begin, cursor->at};
  m->block_body[m->region_block[f->body]] =
      (struct span){begin + 1, cursor->at - 1};
  reader->function = outer;
  return collect_parameters(reader, function, first);
}

/* What a computation's header promises, if it says anything. */
struct signature {
  bool given;
  VECTOR(type_id) parameters;
  type_id result;
};

static bool
read_signature(struct hlo_reader *reader, struct signature *signature) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct span name;
  type_id type;
  signature->given = hlo_accept(cursor, '(');
  if (!signature->given)
    return true;
  while (!hlo_accept(cursor, ')')) {
    if (!hlo_identifier(cursor, true, &name))
      return hlo_expected(reader, "a parameter's name or ')'");
    if (!hlo_expect(reader, ':') || !hlo_read_type(reader, &type))
      return false;
    vector_push(reader->scratch, &signature->parameters, type);
    if (hlo_peek(cursor) != ')' && !hlo_expect(reader, ','))
      return false;
  }
  return hlo_expect(reader, '-') && hlo_expect(reader, '>') &&
         hlo_read_type(reader, &signature->result);
}

/* Does the body of FUNCTION, called NAME, keep what its header promised? */
static bool
check_signature(struct hlo_reader *reader, const struct signature *signature,
                function_id id) {
  struct ir_module *m = reader->module;
  const struct ir_function *function = &m->functions.data[id];
  if (!signature->given)
    return true;
  if (signature->parameters.count != function->argument_count)
    return hlo_fail(reader, function->name_text,
                    "the header has %u parameters, the body %u",
                    signature->parameters.count, function->argument_count);
  for (uint32_t i = 0; i < function->argument_count; i++) {
    value_id value = function->arguments[i];
    if (!hlo_same_type(m->types, m->value_type[value],
                       signature->parameters.data[i]))
      return hlo_fail(reader, m->op_text[ir_value_op(m, value)],
                      "parameter %u is of another type than in the "
                      "computation's header",
                      i);
  }
  if (!hlo_same_type(m->types, function->result_types[0], signature->result))
    return hlo_fail(reader, m->op_text[function->root],
                    "the root is of another type than the computation's "
                    "header says");
  return true;
}

/* What may stand behind a computation: ", execution_thread="x"". */
static bool
read_trailer(struct hlo_reader *reader, function_id id) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct span key, value;
  uint32_t begin = 0;
  while (hlo_peek(cursor) == ',') {
    hlo_accept(cursor, ',');
    if (!hlo_identifier(cursor, false, &key))
      return hlo_expected(reader, "an attribute of the computation");
    if (!begin)
      begin = key.begin;
    if (!hlo_expect(reader, '='))
      return false;
    if (!hlo_value(cursor, &value))
      return hlo_expected(reader, "a value");
    struct ir_function *function = &reader->module->functions.data[id];
    function->attributes = (struct span){begin, value.end};
    function->has_attributes = true;
    function->text.end = value.end;
  }
  return true;
}

bool
hlo_read_computation(struct hlo_reader *reader) {
  struct ir_module *m = reader->module;
  struct hlo_cursor *cursor = &reader->cursor;
  struct span name;
  struct signature signature;
  memset(&signature, 0, sizeof signature);
  hlo_blanks(cursor);
  uint32_t begin = cursor->at;
  bool entry = hlo_accept_word(cursor, "ENTRY");
  if (!hlo_identifier(cursor, true, &name))
    return hlo_expected(reader, "a computation or the end");
  if (entry && reader->entry != NONE)
    return hlo_fail(reader, name, "a second ENTRY in this module");
  if (!read_signature(reader, &signature) || !hlo_expect(reader, '{'))
    return false;
  function_id id = hlo_add_function(reader, begin);
  struct ir_function *function = &m->functions.data[id];
  struct text plain = hlo_plain_name(reader, name);
  function->name = string_intern(m->names, plain);
  function->name_text = name;
  if (entry)
    reader->entry = id;
  if (!hlo_read_body(reader, id) || !read_trailer(reader, id))
    return false;
  if (!hlo_define(&reader->computations, plain, id, reader->section))
    return hlo_fail(reader, name,
                    "a second computation of this name in the module");
  return check_signature(reader, &signature, id);
}
