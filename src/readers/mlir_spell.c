/* mlir_spell.c - new ops and loops in StableHLO's pretty form (spell.h). */
#include "ir/spell.h"
#include "readers/mlir.h"

static void
spell_type(struct buffer *out, const struct type *like, const uint64_t *dims,
           uint32_t rank) {
  buffer_string(out, "tensor<");
  for (uint32_t i = 0; i < rank; i++) {
    buffer_number(out, dims[i]);
    buffer_string(out, "x");
  }
  buffer_string(out, dtype_infos[like->dtype].name);
  buffer_string(out, ">");
}

static const char *
zero_of(const struct type *type) {
  switch (dtype_infos[type->dtype].class) {
  case DTYPE_CLASS_BOOLEAN:
    return "false";
  case DTYPE_CLASS_FLOAT:
    return "0.000000e+00";
  case DTYPE_CLASS_COMPLEX:
    return "(0.000000e+00,0.000000e+00)";
  default:
    return "0";
  }
}

/* "%a, %b" */
static void
spell_list(struct buffer *out, const char *const *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i ? ", " : "");
    buffer_string(out, names[i]);
  }
}

/* "name %a, %b : type", both operands and the result of one type. */
static void
spell_binary(struct buffer *out, const struct new_op *op, const char *name) {
  buffer_printf(out, "stablehlo.%s ", name);
  spell_list(out, op->operands, op->count);
  buffer_printf(out, " : %s\n", op->type);
}

/* "name %a, sizes = [1, 2] : (types) -> type" */
static void
spell_function(struct buffer *out, const struct new_op *op, const char *name) {
  buffer_printf(out, "stablehlo.%s ", name);
  spell_list(out, op->operands, op->count);
  for (uint32_t i = 0; i < op->rank; i++) {
    buffer_string(out, i ? ", " : ", sizes = [");
    buffer_number(out, op->sizes[i]);
  }
  buffer_string(out, op->rank ? "] : (" : " : (");
  spell_list(out, op->types, op->count);
  buffer_printf(out, ") -> %s\n", op->type);
}

static void
spell_op(struct buffer *out, const struct new_op *op) {
  buffer_printf(out, "      %s = ", op->result);
  switch (op->kind) {
  case NEW_CONSTANT:
    buffer_printf(out, "stablehlo.constant dense<%lld> : %s\n",
                  (long long)op->number, op->type);
    break;
  case NEW_ZEROS:
    buffer_printf(out, "stablehlo.constant dense<%s> : %s\n", zero_of(op->like),
                  op->type);
    break;
  case NEW_ADD:
    spell_binary(out, op, "add");
    break;
  case NEW_SUBTRACT:
    spell_binary(out, op, "subtract");
    break;
  case NEW_MULTIPLY:
    spell_binary(out, op, "multiply");
    break;
  case NEW_DIVIDE:
    spell_binary(out, op, "divide");
    break;
  case NEW_MINIMUM:
    spell_binary(out, op, "minimum");
    break;
  case NEW_LESS:
    buffer_string(out, "stablehlo.compare LT, ");
    spell_list(out, op->operands, op->count);
    buffer_string(out, ", SIGNED : (");
    spell_list(out, op->types, op->count);
    buffer_printf(out, ") -> %s\n", op->type);
    break;
  case NEW_CONVERT:
    spell_function(out, op, "convert");
    break;
  case NEW_RESHAPE:
    spell_function(out, op, "reshape");
    break;
  case NEW_SLICE:
    spell_function(out, op, "dynamic_slice");
    break;
  case NEW_UPDATE:
    spell_function(out, op, "dynamic_update_slice");
    break;
  }
}

static void
spell_loop(struct buffer *out, struct buffer *beside,
           const struct new_loop *loop) {
  (void)beside;
  uint32_t count = loop->carry_count;
  buffer_string(out, loop->name);
  if (count > 1)
    buffer_printf(out, ":%u", count);
  buffer_string(out, " = stablehlo.while(");
  for (uint32_t i = 0; i < count; i++)
    buffer_printf(out, "%s%s = %s", i ? ", " : "", loop->carries[i].argument,
                  loop->carries[i].init);
  for (uint32_t i = 0; i < count; i++)
    buffer_printf(out, "%s%s", i ? ", " : ") : ", loop->carries[i].type);
  buffer_string(out, "\n    cond {\n");
  buffer_text(out, loop->condition);
  buffer_printf(out, "      stablehlo.return %s : tensor<i1>\n    } do {\n",
                loop->test);
  buffer_text(out, loop->body);
  for (uint32_t i = 0; i < count; i++)
    buffer_printf(out, "%s%s", i ? ", " : "      stablehlo.return ",
                  loop->carries[i].yield);
  for (uint32_t i = 0; i < count; i++)
    buffer_printf(out, "%s%s", i ? ", " : " : ", loop->carries[i].type);
  buffer_string(out, "\n    }\n");
}

static void
spell_result(struct buffer *out, const char *name, uint32_t carry,
             uint32_t count) {
  buffer_string(out, name);
  if (count > 1)
    buffer_printf(out, "#%u", carry);
}

const struct ir_spelling mlir_spelling = {
    .type = spell_type,
    .op = spell_op,
    .loop = spell_loop,
    .result = spell_result,
};
