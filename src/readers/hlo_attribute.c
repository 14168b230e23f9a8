/* hlo_attribute.c - what an instruction's attributes mean to the graph.
 *
 * Called computations, named or written in place, control predecessors,
 * shardings and markers.  All others pass through unread: any key, any value
 * whose brackets and quotes close. */
#include "readers/hlo.h"

#include <string.h>

/* Attributes that name computations. */
static const char *const calling[] = {
    "calls",
    "to_apply",
    "condition",
    "body",
    "true_computation",
    "false_computation",
    "branch_computations",
    "called_computations",
    "select",
    "scatter",
    "comparator",
};

/* Does OP give control to what it calls? */
static enum call_role
role_of(const struct ir_module *module, op_id op) {
  struct text opcode = ir_op_name(module, op);
  static const char *const flow[] = {"call", "while", "conditional",
                                     "async-start", "call-start"};
  for (uint32_t i = 0; i < sizeof flow / sizeof *flow; i++)
    if (text_is(opcode, flow[i]))
      return CALL_FLOW;
  return CALL_APPLY;
}

static struct ir_call *
add_call(struct hlo_reader *reader, op_id op, struct span key,
         struct span name) {
  struct ir_module *m = reader->module;
  struct ir_call *call = vector_add(m->arena, &m->calls);
  call->op = op;
  call->callee = NONE;
  call->role = role_of(m, op);
  call->attribute = string_intern(m->names, source_text(reader->source, key));
  call->text = name;
  return call;
}

/* A computation's name; it is looked up when the module's end is seen. */
static bool
read_callee(struct hlo_reader *reader, op_id op, struct span key) {
  struct span name;
  if (!hlo_identifier(&reader->cursor, true, &name))
    return hlo_expected(reader, "a computation's name");
  struct ir_call *call = add_call(reader, op, key, name);
  struct text plain = hlo_plain_name(reader, name);
  call->callee = hlo_look_up(&reader->computations, plain, reader->section);
  if (call->callee == NONE) {
    struct hlo_pending *pending = vector_add(reader->scratch, &reader->pending);
    pending->call = reader->module->calls.count - 1;
    pending->name = name;
  }
  return true;
}

/* Does the brace that comes next hold instructions, not names? */
static bool
holds_instructions(struct hlo_cursor walk) {
  struct span name;
  if (!hlo_accept(&walk, '{'))
    return false;
  hlo_accept_word(&walk, "ROOT");
  return hlo_identifier(&walk, true, &name) && hlo_accept(&walk, '=');
}

static bool
read_inline_computation(struct hlo_reader *reader, op_id op, struct span key) {
  struct hlo_cursor *cursor = &reader->cursor;
  hlo_accept(cursor, '{');
  if (++reader->depth > HLO_DEPTH)
    return hlo_fail(reader, key, "computations are nested more than %d deep",
                    HLO_DEPTH);
  function_id function = hlo_add_function(reader, cursor->at - 1);
  struct span nowhere = {cursor->at - 1, cursor->at - 1};
  add_call(reader, op, key, nowhere)->callee = function;
  reader->module->functions.data[function].fixed = true;
  struct hlo_names *values = &reader->values;
  uint32_t kept = values->kept.count;
  bool keeping = values->keeping;
  values->keeping = true;
  bool read = hlo_read_body(reader, function);
  values->keeping = keeping;
  hlo_restore(values, kept);
  reader->depth--;
  return read;
}

static bool
read_callees(struct hlo_reader *reader, op_id op, struct span key) {
  struct hlo_cursor *cursor = &reader->cursor;
  if (hlo_peek(cursor) != '{')
    return read_callee(reader, op, key);
  if (holds_instructions(*cursor))
    return read_inline_computation(reader, op, key);
  hlo_accept(cursor, '{');
  while (!hlo_accept(cursor, '}')) {
    if (!read_callee(reader, op, key))
      return false;
    if (hlo_peek(cursor) != '}' && !hlo_expect(reader, ','))
      return false;
  }
  return true;
}

/* {%a, %b}: what must run before OP. */
static bool
read_predecessors(struct hlo_reader *reader, op_id op) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct ir_module *m = reader->module;
  struct span name;
  if (!hlo_expect(reader, '{'))
    return false;
  while (!hlo_accept(cursor, '}')) {
    if (!hlo_identifier(cursor, true, &name))
      return hlo_expected(reader, "an instruction's name");
    value_id value = hlo_look_up(&reader->values, hlo_plain_name(reader, name),
                                 reader->function);
    if (value == NONE)
      return hlo_unknown(reader, &reader->values, name,
                         "instruction before this one");
    struct ir_control control = {op, ir_value_op(m, value), name};
    vector_push(m->arena, &m->controls, control);
    if (hlo_peek(cursor) != '}' && !hlo_expect(reader, ','))
      return false;
  }
  return true;
}

/* Does TEXT hold a key of ours? */
static bool
holds_marks(struct text text) {
  return memmem(text.data, text.size, "tessera.", 8) ||
         memmem(text.data, text.size, "remat.", 6);
}

static bool
read_attribute(struct hlo_reader *reader, op_id op) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct ir_module *m = reader->module;
  struct span key, value;
  if (!hlo_identifier(cursor, false, &key))
    return hlo_expected(reader, "an attribute");
  if (!hlo_expect(reader, '='))
    return false;
  struct text word = source_text(reader->source, key);
  if (text_is(word, "control-predecessors"))
    return read_predecessors(reader, op);
  for (uint32_t i = 0; i < sizeof calling / sizeof *calling; i++)
    if (text_is(word, calling[i]))
      return read_callees(reader, op, key);
  uint32_t begin = cursor->at;
  if (!hlo_value(cursor, &value))
    return hlo_fail(reader, (struct span){begin, begin + 1},
                    "the value of '%.*s' is missing, or its brackets or "
                    "quotes do not close",
                    (int)word.size, word.data);
  if (text_is(word, "sharding"))
    m->op_flags[op] |= OP_SHARDED;
  if (text_is(word, "frontend_attributes") &&
      holds_marks(source_text(reader->source, value)))
    m->op_flags[op] |= OP_HAS_MARKS;
  return hlo_check_attribute(reader, word, value);
}

bool
hlo_read_attributes(struct hlo_reader *reader, op_id op) {
  struct hlo_cursor *cursor = &reader->cursor;
  uint32_t end = cursor->at;
  while (hlo_accept(cursor, ',')) {
    if (!read_attribute(reader, op))
      return false;
    end = cursor->at;
  }
  cursor->at = end;
  reader->module->op_text[op].end = end;
  return true;
}
