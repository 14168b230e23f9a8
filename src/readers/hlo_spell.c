/* hlo_spell.c - new instructions and loops in HLO text (spell.h). */
#include "ir/spell.h"
#include "readers/hlo.h"

#include <string.h>

/* With a layout where LIKE has one, that of the dimensions in order. */
static void
spell_type(struct buffer *out, const struct type *like, const uint64_t *dims,
           uint32_t rank) {
  buffer_string(out, dtype_infos[like->dtype].hlo);
  buffer_string(out, "[");
  for (uint32_t i = 0; i < rank; i++) {
    buffer_string(out, i ? "," : "");
    buffer_number(out, dims[i]);
  }
  buffer_string(out, "]");
  if (!like->layout.size)
    return;
  for (uint32_t i = rank; i-- > 0;) {
    buffer_string(out, i + 1 == rank ? "{" : ",");
    buffer_number(out, i);
  }
  buffer_string(out, rank ? "}" : "");
}

static const char *
zero_of(const struct type *type) {
  switch (dtype_infos[type->dtype].class) {
  case DTYPE_CLASS_BOOLEAN:
    return "false";
  case DTYPE_CLASS_COMPLEX:
    return "(0, 0)";
  default:
    return "0";
  }
}

static void
spell_zeros(struct buffer *out, const struct new_op *op) {
  const char *element = dtype_infos[op->like->dtype].hlo;
  buffer_printf(out, "  %s_zero = %s[] constant(%s)\n", op->result, element,
                zero_of(op->like));
  buffer_printf(out, "  %s = %s broadcast(%s_zero), dimensions={}\n",
                op->result, op->type, op->result);
}

static void
spell_op(struct buffer *out, const struct new_op *op) {
  static const char *const names[] = {
      [NEW_ADD] = "add",
      [NEW_SUBTRACT] = "subtract",
      [NEW_MULTIPLY] = "multiply",
      [NEW_DIVIDE] = "divide",
      [NEW_MINIMUM] = "minimum",
      [NEW_LESS] = "compare",
      [NEW_CONVERT] = "convert",
      [NEW_RESHAPE] = "reshape",
      [NEW_SLICE] = "dynamic-slice",
      [NEW_UPDATE] = "dynamic-update-slice",
  };
  if (op->kind == NEW_ZEROS) {
    spell_zeros(out, op);
    return;
  }
  buffer_printf(out, "  %s = %s ", op->result, op->type);
  if (op->kind == NEW_CONSTANT) {
    buffer_printf(out, "constant(%lld)\n", (long long)op->number);
    return;
  }
  buffer_string(out, names[op->kind]);
  for (uint32_t i = 0; i < op->count; i++)
    buffer_printf(out, "%s%s", i ? ", " : "(", op->operands[i]);
  buffer_string(out, op->kind == NEW_LESS ? "), direction=LT" : ")");
  for (uint32_t i = 0; i < op->rank; i++) {
    buffer_string(out, i ? "," : ", dynamic_slice_sizes={");
    buffer_number(out, op->sizes[i]);
  }
  buffer_string(out, op->rank ? "}\n" : "\n");
}

/* The type of the state. */
static void
spell_state(struct buffer *out, const struct new_loop *loop) {
  for (uint32_t i = 0; i < loop->carry_count; i++)
    buffer_printf(out, "%s%s", i ? ", " : "(", loop->carries[i].type);
  buffer_string(out, ")");
}

/* The parameter of the computation WHICH, and those of its elements that are
 * named in TEXT or, with ALL, handed on. */
static void
spell_parameter(struct buffer *out, const struct new_loop *loop,
                const char *which, struct text text, bool all) {
  buffer_printf(out, "%s_%s {\n  %s_%s_state = ", loop->name, which, loop->name,
                which);
  spell_state(out, loop);
  buffer_string(out, " parameter(0)\n");
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const struct new_carry *carry = &loop->carries[i];
    if (all ||
        memmem(text.data, text.size, carry->argument, strlen(carry->argument)))
      buffer_printf(out, "  %s = %s get-tuple-element(%s_%s_state), index=%u\n",
                    carry->argument, carry->type, loop->name, which, i);
  }
}

/* TEXT, whose last line is what the computation comes to. */
static void
spell_rooted(struct buffer *out, struct text text) {
  uint32_t at = text.size ? text.size - 1 : 0;
  while (at > 0 && text.data[at - 1] != '\n')
    at--;
  while (at < text.size && text.data[at] == ' ')
    at++;
  buffer_add(out, text.data, at);
  buffer_string(out, "ROOT ");
  buffer_add(out, text.data + at, text.size - at);
  buffer_string(out, "}\n\n");
}

static void
spell_element(struct buffer *out, const struct new_loop *loop,
              const struct new_result *result) {
  buffer_printf(out, "%s = %s get-tuple-element(%s), index=%u", result->name,
                loop->carries[result->carry].type, loop->name, result->carry);
}

/* Of all carries; one that nothing is known of is on every device. */
static void
spell_shardings(struct buffer *out, const struct new_loop *loop) {
  buffer_string(out, ", sharding={");
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    const char *own = loop->carries[i].sharding;
    buffer_printf(out, "%s%s", i ? ", " : "", own ? own : "{replicated}");
  }
  buffer_string(out, "}");
}

static void
spell_loop(struct buffer *out, struct buffer *beside,
           const struct new_loop *loop) {
  spell_parameter(beside, loop, "cond", loop->condition, false);
  spell_rooted(beside, loop->condition);
  spell_parameter(beside, loop, "body", loop->body, true);
  buffer_text(beside, loop->body);
  buffer_printf(beside, "  ROOT %s_next = ", loop->name);
  spell_state(beside, loop);
  for (uint32_t i = 0; i < loop->carry_count; i++)
    buffer_printf(beside, "%s%s", i ? ", " : " tuple(", loop->carries[i].yield);
  buffer_string(beside, ")\n}\n\n");
  buffer_printf(out, "%s_init = ", loop->name);
  spell_state(out, loop);
  for (uint32_t i = 0; i < loop->carry_count; i++)
    buffer_printf(out, "%s%s", i ? ", " : " tuple(", loop->carries[i].init);
  buffer_printf(out, ")\n  %s = ", loop->name);
  spell_state(out, loop);
  buffer_printf(out, " while(%s_init), condition=%s_cond, body=%s_body",
                loop->name, loop->name, loop->name);
  if (loop->sharded)
    spell_shardings(out, loop);
  buffer_string(out, "\n");
  for (uint32_t i = 0; i < loop->result_count; i++) {
    buffer_string(out, "  ");
    spell_element(out, loop, &loop->results[i]);
    buffer_string(out, "\n");
  }
}

const struct ir_spelling hlo_spelling = {
    .type = spell_type,
    .op = spell_op,
    .loop = spell_loop,
    .element = spell_element,
};
