/* hlo_check_async.c - do X-start, X-update and X-done fit each other?
 *
 * The generic forms only (async-start and what stands for it, dot-start):
 * all-gather-start and the other opcodes of their own have other shapes.  A
 * start may come through tuples, barriers and loops; then only what it gives
 * is known. */
#include "readers/hlo.h"

#include <string.h>

/* The wrapped opcode of NAME, whose ending is ENDING; "async" itself, too. */
static bool
stem(struct text name, const char *ending, struct text *wrapped) {
  if (!text_ends(name, ending))
    return false;
  *wrapped = (struct text){name.data, name.size - (uint32_t)strlen(ending)};
  return true;
}

/* ((operands), results, ...). */
static bool
check_state(struct hlo_reader *reader,
            const struct hlo_instruction *instruction) {
  const struct type *type = type_get(reader->module->types, instruction->type);
  if (type->kind == TYPE_TUPLE && type->part_count >= 2 &&
      type_get(reader->module->types, type->parts[0])->kind == TYPE_TUPLE)
    return true;
  return hlo_fail(reader, instruction->opcode,
                  "an asynchronous op gives a tuple of a tuple of its "
                  "operands, its result, and more; not '%.*s'",
                  (int)type->spelling.size, type->spelling.data);
}

/* Where attribute KEY stands at both OP and START, is it the same? */
static bool
agree(const struct hlo_reader *reader, op_id op, op_id start, const char *key) {
  struct text here, there;
  if (!ir_attribute(reader->module, op, key, &here))
    return true;
  return ir_attribute(reader->module, start, key, &there) &&
         text_equal(here, there);
}

/* The op that began the asynchronous op whose state VALUE is; NONE where it
 * does not show. */
static op_id
start_of(const struct ir_module *m, value_id value) {
  for (;;) {
    op_id op = ir_value_op(m, value);
    struct text name = ir_op_name(m, op), wrapped;
    if (stem(name, "-start", &wrapped))
      return op;
    if (!stem(name, "-update", &wrapped) || m->op_use_count[op] == 0)
      return NONE;
    value = ir_operand(m, op, 0);
  }
}

/* Is operand 0 the state of an op that wraps the same opcode? */
static bool
check_chain(struct hlo_reader *reader,
            const struct hlo_instruction *instruction, struct text wrapped) {
  struct ir_module *m = reader->module;
  if (instruction->operands.count == 0)
    return hlo_fail(reader, instruction->opcode,
                    "an asynchronous op goes on from the state of another");
  const struct hlo_operand *state = &instruction->operands.data[0];
  struct text before = ir_op_name(m, ir_value_op(m, state->value)), other;
  if (stem(before, "-done", &other))
    return hlo_fail(reader, state->text,
                    "this asynchronous op has ended already");
  bool known =
      stem(before, "-start", &other) || stem(before, "-update", &other);
  if (known && !text_equal(other, wrapped) && !text_is(other, "async") &&
      !text_is(wrapped, "async"))
    return hlo_fail(reader, instruction->opcode, "this goes on from a '%.*s'",
                    (int)before.size, before.data);
  op_id start = start_of(m, state->value);
  if (start == NONE ||
      (agree(reader, instruction->op, start, "calls") &&
       agree(reader, instruction->op, start, "async_execution_thread")))
    return true;
  return hlo_fail(reader, instruction->opcode,
                  "the computation or thread is not that of the start");
}

bool
hlo_check_async(struct hlo_reader *reader,
                const struct hlo_instruction *instruction) {
  struct text opcode = source_text(reader->source, instruction->opcode);
  struct text wrapped;
  bool generic =
      instruction->row == STRING_NONE || text_starts(opcode, "async-");
  if (!generic)
    return true;
  if (stem(opcode, "-start", &wrapped))
    return check_state(reader, instruction);
  if (stem(opcode, "-update", &wrapped))
    return check_state(reader, instruction) &&
           check_chain(reader, instruction, wrapped);
  return !stem(opcode, "-done", &wrapped) ||
         check_chain(reader, instruction, wrapped);
}
