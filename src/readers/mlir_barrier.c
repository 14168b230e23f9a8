/* mlir_barrier.c - barriers that passes add, and how they are spelled.
 *
 *   %a_remat, %b_remat = "stablehlo.optimization_barrier"(%a, %b) : ...
 *
 * Linear in the values that go through one. */
#include "ir/print.h"
#include "readers/mlir.h"
#include "support/buffer.h"

/* The barrier of the dialect that ops of MODULE, all of which are there, belong
 * to, or NULL. */
static const char *
barrier_name(const struct ir_module *module) {
  for (op_id op = module->op_count; op-- > 0;) {
    if (text_starts(ir_op_name(module, op), "stablehlo."))
      return "stablehlo.optimization_barrier";
    if (text_starts(ir_op_name(module, op), "mhlo."))
      return "mhlo.optimization_barrier";
  }
  return NULL;
}

bool
mlir_has_barrier(const struct ir_module *module) {
  return barrier_name(module) != NULL;
}

bool
mlir_add_barrier(struct ir_module *made, block_id block, const value_id *values,
                 uint32_t count, value_id *results) {
  const char *name = barrier_name(made->base);
  if (!name)
    return false;
  op_id op = ir_add_op(made, string_intern(made->names, text_of(name)), block);
  made->op_flags[op] = OP_ADDED | OP_GENERIC;
  made->op_origin[op] = NONE;
  for (uint32_t i = 0; i < count; i++)
    ir_add_use(made, op, values[i], (struct span){0, 0});
  value_id first = ir_add_results(made, op, count);
  for (uint32_t i = 0; i < count; i++) {
    results[i] = first + i;
    made->value_type[first + i] = made->value_type[values[i]];
    made->value_origin[first + i] = made->value_origin[values[i]];
  }
  return true;
}

/* An operand's name, with "#n" where it is one of a group. */
static void
spell_operand(struct buffer *out, const struct ir_module *made,
              value_id value) {
  ir_spell_value(out, made, value);
  if (made->value_number[value] == NONE)
    return;
  buffer_string(out, "#");
  buffer_number(out, made->value_number[value]);
}

void
mlir_spell_added(struct buffer *out, const struct ir_module *made, op_id op) {
  uint32_t count = made->op_use_count[op];
  struct buffer types = {.arena = out->arena};
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i ? ", " : "");
    ir_spell_value(out, made, ir_result(made, op, i));
    buffer_string(&types, i ? ", " : "(");
    buffer_text(&types, ir_value_type(made, ir_result(made, op, i))->spelling);
  }
  buffer_string(out, " = \"");
  buffer_text(out, ir_op_name(made, op));
  for (uint32_t i = 0; i < count; i++) {
    buffer_string(out, i ? ", " : "\"(");
    spell_operand(out, made, ir_operand(made, op, i));
  }
  buffer_string(out, ") : ");
  for (uint32_t i = 0; i < 2; i++) {
    buffer_add(out, types.data, types.size);
    buffer_string(out, i ? ")" : ") -> ");
  }
}
