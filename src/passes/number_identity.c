/* number_identity.c - ops that hand their operand on, bit for bit.
 *
 *   %1 = stablehlo.reduce_precision %0, format = e8m23 : tensor<4xf32>
 *
 * jax.checkpoint's policies put a rounding to the very format that a value has
 * around what they save, to keep compilers from moving it.  Nothing else is
 * taken for an identity that its class does not call one. */
#include "passes/number.h"

/* Exponent and mantissa bits of the formats that have both. */
static const struct {
  enum dtype dtype;
  int exponent, mantissa;
  const char *spelled;
} formats[] = {
    {DTYPE_F64, 11, 52, "e11m52"},
    {DTYPE_F32, 8, 23, "e8m23"},
    {DTYPE_BF16, 8, 7, "e8m7"},
    {DTYPE_F16, 5, 10, "e5m10"},
};

bool
number_is_identity(const struct ir_module *module, op_id op) {
  struct text name = ir_op_name(module, op), spelled;
  int64_t exponent, mantissa;
  if ((!text_is(name, "reduce-precision") &&
       !text_ends(name, "hlo.reduce_precision")) ||
      module->op_use_count[op] != 1 || module->op_result_count[op] != 1 ||
      module->value_type[ir_result(module, op, 0)] == TYPE_NONE)
    return false;
  enum dtype dtype = ir_value_type(module, ir_result(module, op, 0))->dtype;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    if (formats[i].dtype != dtype)
      continue;
    if (ir_attribute(module, op, "format", &spelled))
      return text_is(spelled, formats[i].spelled);
    return ir_attribute_integer(module, op, "exponent_bits", &exponent) &&
           ir_attribute_integer(module, op, "mantissa_bits", &mantissa) &&
           exponent == formats[i].exponent && mantissa == formats[i].mantissa;
  }
  return false;
}
