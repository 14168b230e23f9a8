/* hlo_check.c - what must hold of an instruction.
 *
 * Not all that XLA's own verifier asks: the number of operands, and what
 * reading further relies on (tuples have the elements that are taken, shapes
 * keep their elements, asynchronous pairs fit).  Attributes that nothing here
 * reads pass unchecked. */
#include "readers/hlo.h"

#include <string.h>

static const struct type *
operand_type(const struct hlo_reader *reader,
             const struct hlo_instruction *instruction, uint32_t index) {
  return type_get(reader->module->types,
                  instruction->operands.data[index].type);
}

static const struct type *
result_type(const struct hlo_reader *reader,
            const struct hlo_instruction *instruction) {
  return type_get(reader->module->types, instruction->type);
}

static struct text
opcode_of(const struct hlo_reader *reader,
          const struct hlo_instruction *instruction) {
  return source_text(reader->source, instruction->opcode);
}

static bool
check_operand_count(struct hlo_reader *reader,
                    const struct hlo_instruction *instruction) {
  struct text opcode = opcode_of(reader, instruction);
  uint32_t count = instruction->operands.count;
  if (instruction->row == STRING_NONE)
    return true;
  const struct hlo_opcode *row = &hlo_opcodes[instruction->row];
  if (count >= row->least && (row->most == HLO_ANY || count <= row->most))
    return true;
  return hlo_fail(reader, instruction->opcode,
                  "'%.*s' takes %s%u operand%s, here are %u", (int)opcode.size,
                  opcode.data, row->least == row->most ? "" : "at least ",
                  row->least, row->least == 1 ? "" : "s", count);
}

static bool
check_element(struct hlo_reader *reader,
              const struct hlo_instruction *instruction) {
  const struct type *tuple = operand_type(reader, instruction, 0);
  int64_t index;
  if (!ir_attribute_integer(reader->module, instruction->op, "index", &index))
    return hlo_fail(reader, instruction->opcode,
                    "'get-tuple-element' without an index");
  if (tuple->kind == TYPE_TUPLE && index >= 0 &&
      index < (int64_t)tuple->part_count)
    return true;
  return hlo_fail(reader, instruction->operands.data[0].text,
                  "'%.*s' has no element %lld", (int)tuple->spelling.size,
                  tuple->spelling.data, (long long)index);
}

/* A reshape keeps the number of elements; a dynamic one has an operand for
 * each dimension. */
static bool
check_reshape(struct hlo_reader *reader,
              const struct hlo_instruction *instruction, bool dynamic) {
  const struct type *from = operand_type(reader, instruction, 0);
  const struct type *to = result_type(reader, instruction);
  if (dynamic && instruction->operands.count != 1 + to->rank)
    return hlo_fail(reader, instruction->opcode,
                    "'dynamic-reshape' takes a size for each of the %u "
                    "dimensions, here are %u",
                    to->rank, instruction->operands.count - 1);
  if (from->dynamic || to->dynamic || from->elements == to->elements)
    return true;
  return hlo_fail(
      reader, instruction->opcode, "a reshape of %llu elements to %llu",
      (unsigned long long)from->elements, (unsigned long long)to->elements);
}

static uint32_t
count_branches(const struct hlo_reader *reader, op_id op) {
  const struct ir_module *m = reader->module;
  uint32_t count = 0;
  for (uint32_t i = m->calls.count; i-- > 0;)
    count += m->calls.data[i].op == op;
  return count;
}

static bool
check_conditional(struct hlo_reader *reader,
                  const struct hlo_instruction *instruction) {
  const struct type *index = operand_type(reader, instruction, 0);
  uint32_t branches = count_branches(reader, instruction->op);
  if (index->kind != TYPE_TENSOR || index->rank ||
      (index->dtype != DTYPE_I1 && index->dtype != DTYPE_I32))
    return hlo_fail(reader, instruction->operands.data[0].text,
                    "a conditional chooses by a pred[] or an s32[], not by "
                    "'%.*s'",
                    (int)index->spelling.size, index->spelling.data);
  if (branches + 1 != instruction->operands.count)
    return hlo_fail(reader, instruction->opcode,
                    "a conditional with %u branches takes %u operands, here "
                    "are %u",
                    branches, branches + 1, instruction->operands.count);
  return true;
}

/* The number of entries in the braces that attribute KEY is, or -1. */
static int64_t
count_entries(const struct hlo_reader *reader, op_id op, const char *key) {
  struct text text;
  struct span entry;
  int64_t count = 0;
  if (!ir_attribute(reader->module, op, key, &text) || text.size < 2)
    return -1;
  struct hlo_cursor cursor = {text.data, 1, text.size - 1};
  while (hlo_value(&cursor, &entry)) {
    count++;
    hlo_accept(&cursor, ',');
  }
  return count;
}

static bool
check_custom_call(struct hlo_reader *reader,
                  const struct hlo_instruction *instruction) {
  int64_t layouts =
      count_entries(reader, instruction->op, "operand_layout_constraints");
  if (layouts >= 0 && layouts != instruction->operands.count)
    return hlo_fail(reader, instruction->opcode,
                    "operand_layout_constraints lists %lld of %u operands",
                    (long long)layouts, instruction->operands.count);
  return true;
}

bool
hlo_check(struct hlo_reader *reader,
          const struct hlo_instruction *instruction) {
  struct text opcode = opcode_of(reader, instruction);
  if (!check_operand_count(reader, instruction))
    return false;
  if (text_is(opcode, "get-tuple-element"))
    return check_element(reader, instruction);
  if (text_is(opcode, "reshape") || text_is(opcode, "dynamic-reshape"))
    return check_reshape(reader, instruction, opcode.data[0] == 'd');
  if (text_is(opcode, "conditional"))
    return check_conditional(reader, instruction);
  if (text_is(opcode, "custom-call"))
    return check_custom_call(reader, instruction);
  if (text_is(opcode, "infeed") &&
      result_type(reader, instruction)->kind != TYPE_TUPLE)
    return hlo_fail(reader, instruction->opcode,
                    "an infeed gives a tuple of data and a token");
  if (text_is(opcode, "constant"))
    return hlo_check_literal(reader, instruction->arguments, instruction->type);
  return hlo_check_async(reader, instruction);
}
