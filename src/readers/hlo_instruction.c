/* hlo_instruction.c - "ROOT name = type opcode(operands), attributes".
 *
 * Operands may carry their types, and may be whole instructions without a
 * name; which it is shows at each one.  A path "%p#1#0" behind an operand
 * means an element of a tuple: the op reads all of the tuple then. */
#include "readers/hlo.h"

#include <string.h>

/* Is NAME the opcode X-start, X-update or X-done of an opcode X that has no
 * such form of its own? */
static bool
is_async_form(const struct hlo_reader *reader, struct text name) {
  static const char *const endings[] = {"-start", "-update", "-done"};
  for (uint32_t i = 0; i < 3; i++) {
    struct text stem = name, start;
    char own[64];
    if (!text_ends(name, endings[i]))
      continue;
    stem.size -= (uint32_t)strlen(endings[i]);
    if (stem.size > 40 || string_find(reader->opcodes, stem) == STRING_NONE)
      return false;
    memcpy(own, stem.data, stem.size);
    memcpy(own + stem.size, "-done", 6);
    start = text_of(own);
    return string_find(reader->opcodes, start) == STRING_NONE;
  }
  return false;
}

static bool
find_opcode(struct hlo_reader *reader, struct hlo_instruction *instruction) {
  struct text name = source_text(reader->source, instruction->opcode);
  instruction->row = string_find(reader->opcodes, name);
  if (instruction->row != STRING_NONE || is_async_form(reader, name))
    return true;
  const char **names =
      ARENA_ARRAY(reader->scratch, const char *, hlo_opcode_count);
  for (uint32_t i = 0; i < hlo_opcode_count; i++)
    names[i] = hlo_opcodes[i].name;
  const char *near = text_nearest(name, names, hlo_opcode_count);
  return hlo_fail(reader, instruction->opcode, "no opcode '%.*s'%s%s%s",
                  (int)name.size, name.data, near ? "; did you mean '" : "",
                  near ? near : "", near ? "'?" : "");
}

static bool read_call(struct hlo_reader *reader,
                      struct hlo_instruction *instruction);

/* "#1#0" behind an operand's name: TYPE becomes that of the element. */
static bool
read_path(struct hlo_reader *reader, type_id *type) {
  struct hlo_cursor *cursor = &reader->cursor;
  uint64_t index;
  while (cursor->at < cursor->end && cursor->text[cursor->at] == '#') {
    uint32_t begin = cursor->at++;
    const struct type *tuple = type_get(reader->module->types, *type);
    if (!hlo_number(cursor, &index))
      return hlo_expected(reader, "the number of a tuple's element");
    if (tuple->kind != TYPE_TUPLE || index >= tuple->part_count)
      return hlo_fail(reader, (struct span){begin, cursor->at},
                      "'%.*s' has no element %llu", (int)tuple->spelling.size,
                      tuple->spelling.data, (unsigned long long)index);
    *type = tuple->parts[index];
  }
  return true;
}

/* An operand that is an instruction of its own: TYPE if it was written, then
 * its opcode at NAME and its operands. */
static bool
read_inner(struct hlo_reader *reader, struct hlo_operand *operand,
           struct span name) {
  struct hlo_instruction inner;
  memset(&inner, 0, sizeof inner);
  inner.name = (struct span){operand->text.begin, operand->text.begin};
  inner.type = operand->type;
  inner.opcode = name;
  if (++reader->depth > HLO_DEPTH)
    return hlo_fail(reader, name, "operands are nested more than %d deep",
                    HLO_DEPTH);
  reader->module->functions.data[reader->function].fixed = true;
  if (!read_call(reader, &inner))
    return false;
  reader->depth--;
  operand->value = ir_result(reader->module, inner.op, 0);
  operand->type = reader->module->value_type[operand->value];
  operand->text.end = reader->cursor.at;
  return true;
}

static bool
read_operand(struct hlo_reader *reader, struct hlo_operand *operand) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct span name;
  operand->type = TYPE_NONE;
  hlo_blanks(cursor);
  operand->text.begin = cursor->at;
  if (hlo_looks_like_type(cursor) && !hlo_read_type(reader, &operand->type))
    return false;
  if (!hlo_identifier(cursor, true, &name))
    return hlo_expected(reader, "an operand");
  if (reader->source->text[name.begin] != '%' && hlo_peek(cursor) == '(')
    return read_inner(reader, operand, name);
  operand->text = name;
  operand->value = hlo_look_up(&reader->values, hlo_plain_name(reader, name),
                               reader->function);
  if (operand->value == NONE)
    return hlo_unknown(reader, &reader->values, name,
                       "instruction before this one");
  operand->type = reader->module->value_type[operand->value];
  return read_path(reader, &operand->type);
}

/* Do the parentheses of this opcode hold operands? */
static bool
has_operands(struct text opcode) {
  return !text_is(opcode, "constant") && !text_is(opcode, "parameter") &&
         !text_is(opcode, "iota");
}

static bool
read_operands(struct hlo_reader *reader, struct hlo_instruction *instruction) {
  struct hlo_cursor *cursor = &reader->cursor;
  if (hlo_peek(cursor) != '(')
    return hlo_expected(reader, "'('");
  struct hlo_cursor walk = *cursor;
  if (!hlo_group(&walk))
    return hlo_fail(reader, (struct span){cursor->at, cursor->at + 1},
                    "this '(' is never closed");
  instruction->arguments = (struct span){cursor->at + 1, walk.at - 1};
  if (!has_operands(source_text(reader->source, instruction->opcode))) {
    cursor->at = walk.at;
    return true;
  }
  cursor->at++;
  while (!hlo_accept(cursor, ')')) {
    struct hlo_operand operand;
    if (!read_operand(reader, &operand))
      return false;
    vector_push(reader->scratch, &instruction->operands, operand);
    if (hlo_peek(cursor) != ')' && !hlo_expect(reader, ','))
      return false;
  }
  return true;
}

/* Let INSTRUCTION be an op of FUNCTION. */
static void
add_op(struct hlo_reader *reader, struct hlo_instruction *instruction) {
  struct ir_module *m = reader->module;
  block_id block = m->region_block[m->functions.data[reader->function].body];
  struct text opcode = source_text(reader->source, instruction->opcode);
  op_id op = ir_add_op(m, string_intern(m->names, opcode), block);
  instruction->op = op;
  m->op_text[op] = (struct span){instruction->name.begin, reader->cursor.at};
  value_id result = ir_add_results(m, op, 1);
  m->value_name[result] = instruction->name;
  m->value_type[result] = instruction->type;
  for (uint32_t i = 0; i < instruction->operands.count; i++)
    ir_add_use(m, op, instruction->operands.data[i].value,
               instruction->operands.data[i].text);
}

static bool
settle_type(struct hlo_reader *reader, struct hlo_instruction *instruction) {
  if (instruction->type == TYPE_NONE)
    instruction->type = hlo_infer_type(reader, instruction);
  if (instruction->type == TYPE_NONE) {
    struct text opcode = source_text(reader->source, instruction->opcode);
    return hlo_fail(reader, instruction->opcode,
                    "the result type of '%.*s' must be written: it does not "
                    "follow from its operands",
                    (int)opcode.size, opcode.data);
  }
  value_id result = ir_result(reader->module, instruction->op, 0);
  reader->module->value_type[result] = instruction->type;
  return true;
}

/* From an opcode's '(' to the end of the attributes. */
static bool
read_call(struct hlo_reader *reader, struct hlo_instruction *instruction) {
  if (!find_opcode(reader, instruction) || !read_operands(reader, instruction))
    return false;
  add_op(reader, instruction);
  bool inner = instruction->name.begin == instruction->name.end;
  if (!inner && !hlo_read_attributes(reader, instruction->op))
    return false;
  return settle_type(reader, instruction) && hlo_check(reader, instruction);
}

bool
hlo_read_instruction(struct hlo_reader *reader, bool *root) {
  struct hlo_cursor *cursor = &reader->cursor;
  struct hlo_instruction instruction;
  memset(&instruction, 0, sizeof instruction);
  instruction.type = TYPE_NONE;
  struct hlo_cursor start = *cursor;
  *root = hlo_accept_word(cursor, "ROOT");
  if (*root && hlo_peek(cursor) == '=') {
    *cursor = start;
    *root = false;
  }
  if (!hlo_identifier(cursor, true, &instruction.name))
    return hlo_expected(reader, "an instruction or '}'");
  if (!hlo_expect(reader, '='))
    return false;
  if (hlo_looks_like_type(cursor) && !hlo_read_type(reader, &instruction.type))
    return false;
  if (!hlo_identifier(cursor, false, &instruction.opcode))
    return hlo_expected(reader, instruction.type == TYPE_NONE
                                    ? "a type or an opcode"
                                    : "an opcode");
  if (!read_call(reader, &instruction))
    return false;
  value_id result = ir_result(reader->module, instruction.op, 0);
  if (!hlo_define(&reader->values, hlo_plain_name(reader, instruction.name),
                  result, reader->function))
    return hlo_fail(reader, instruction.name,
                    "a second instruction of this name in the computation");
  return true;
}
