/* hlo_infer.c - result types that hand-written text leaves out.
 *
 * Only where they follow from the operands or from a called computation's
 * root: what XLA prints always has them. */
#include "readers/hlo.h"
#include "support/buffer.h"

#include <string.h>

type_id
hlo_type_of_spelling(struct hlo_reader *reader, struct text spelling) {
  struct hlo_reader inner = *reader;
  struct source source;
  type_id type;
  source_from_text(&source, "", spelling.data, spelling.size);
  inner.source = &source;
  inner.cursor = (struct hlo_cursor){spelling.data, 0, spelling.size};
  bool read = hlo_read_type(&inner, &type);
  arena_empty(&source.arena);
  return read ? type : TYPE_NONE;
}

/* BUFFER's text as a type. */
static type_id
finish_type(struct hlo_reader *reader, struct buffer *buffer) {
  const char *text = buffer_finish(buffer);
  return hlo_type_of_spelling(reader, text_of(text));
}

static struct buffer
new_buffer(struct hlo_reader *reader) {
  return (struct buffer){reader->module->arena, NULL, 0, 0};
}

static type_id
tuple_of_operands(struct hlo_reader *reader,
                  const struct hlo_instruction *instruction) {
  struct buffer out = new_buffer(reader);
  buffer_string(&out, "(");
  for (uint32_t i = 0; i < instruction->operands.count; i++) {
    type_id type = instruction->operands.data[i].type;
    buffer_string(&out, i ? ", " : "");
    buffer_text(&out, type_get(reader->module->types, type)->spelling);
  }
  buffer_string(&out, ")");
  return finish_type(reader, &out);
}

static type_id
element_of_operand(struct hlo_reader *reader,
                   const struct hlo_instruction *instruction) {
  const struct type *tuple =
      type_get(reader->module->types, instruction->operands.data[0].type);
  int64_t index;
  if (!ir_attribute_integer(reader->module, instruction->op, "index", &index) ||
      index < 0 || index >= (int64_t)tuple->part_count)
    return TYPE_NONE;
  return tuple->parts[index];
}

/* NAME[DIMS]. */
static type_id
array_type(struct hlo_reader *reader, const char *name, const uint64_t *dims,
           uint32_t rank) {
  struct buffer out = new_buffer(reader);
  buffer_printf(&out, "%s[", name);
  for (uint32_t i = 0; i < rank; i++) {
    buffer_string(&out, i ? "," : "");
    if (dims[i] == DIMENSION_DYNAMIC)
      buffer_string(&out, "?");
    else
      buffer_number(&out, dims[i]);
  }
  buffer_string(&out, "]");
  return finish_type(reader, &out);
}

/* Mark the dimensions that attribute KEY lists; false where one is none. */
static bool
mark_dimensions(const struct hlo_reader *reader,
                const struct hlo_instruction *instruction, const char *key,
                bool *marked) {
  struct text text;
  uint64_t number;
  if (!ir_attribute(reader->module, instruction->op, key, &text))
    return true;
  struct hlo_cursor cursor = {text.data, 0, text.size};
  hlo_accept(&cursor, '{');
  while (hlo_number(&cursor, &number)) {
    if (number >= 64)
      return false;
    marked[number] = true;
    hlo_accept(&cursor, ',');
  }
  return true;
}

/* Batch dimensions, then those of either side that are not contracted. */
static type_id
dot_type(struct hlo_reader *reader, const struct hlo_instruction *instruction) {
  const struct type_table *types = reader->module->types;
  bool batch[2][64] = {{false}}, gone[2][64] = {{false}};
  uint64_t dims[128];
  uint32_t rank = 0;
  if (!mark_dimensions(reader, instruction, "lhs_batch_dims", batch[0]) ||
      !mark_dimensions(reader, instruction, "rhs_batch_dims", batch[1]) ||
      !mark_dimensions(reader, instruction, "lhs_contracting_dims", gone[0]) ||
      !mark_dimensions(reader, instruction, "rhs_contracting_dims", gone[1]))
    return TYPE_NONE;
  const struct type *lhs = type_get(types, instruction->operands.data[0].type);
  for (uint32_t i = 0; i < lhs->rank && i < 64; i++)
    if (batch[0][i])
      dims[rank++] = lhs->dims[i];
  for (uint32_t side = 0; side < 2; side++) {
    const struct type *type =
        type_get(types, instruction->operands.data[side].type);
    for (uint32_t i = 0; i < type->rank && i < 64 && rank < 128; i++)
      if (!batch[side][i] && !gone[side][i])
        dims[rank++] = type->dims[i];
  }
  if (lhs->dtype == DTYPE_NONE || !dtype_infos[lhs->dtype].hlo)
    return TYPE_NONE;
  return array_type(reader, dtype_infos[lhs->dtype].hlo, dims, rank);
}

/* The root's type of the first computation that is called. */
static type_id
callee_type(const struct hlo_reader *reader,
            const struct hlo_instruction *instruction) {
  const struct ir_module *m = reader->module;
  for (uint32_t i = m->calls.count; i-- > 0;) {
    const struct ir_call *call = &m->calls.data[i];
    if (call->op != instruction->op || call->callee == NONE)
      continue;
    const struct ir_function *callee = &m->functions.data[call->callee];
    return callee->result_count ? callee->result_types[0] : TYPE_NONE;
  }
  return TYPE_NONE;
}

type_id
hlo_infer_type(struct hlo_reader *reader,
               const struct hlo_instruction *instruction) {
  struct text opcode = source_text(reader->source, instruction->opcode);
  uint32_t count = instruction->operands.count;
  const struct hlo_operand *operands = instruction->operands.data;
  if (instruction->row == STRING_NONE)
    return TYPE_NONE;
  uint32_t like = hlo_opcodes[instruction->row].like;
  if (like != HLO_ANY)
    return like < count ? operands[like].type : TYPE_NONE;
  if (text_is(opcode, "tuple"))
    return tuple_of_operands(reader, instruction);
  if (text_is(opcode, "get-tuple-element") && count == 1)
    return element_of_operand(reader, instruction);
  if (text_is(opcode, "compare") && count) {
    const struct type *type = type_get(reader->module->types, operands[0].type);
    return array_type(reader, "pred", type->dims, type->rank);
  }
  if (text_is(opcode, "dot") && count >= 2)
    return dot_type(reader, instruction);
  if (text_is(opcode, "call") || text_is(opcode, "fusion") ||
      text_is(opcode, "conditional"))
    return callee_type(reader, instruction);
  return TYPE_NONE;
}
