/* xla_share.c - may a result take the place of an operand that dies there?
 *
 * Elementwise ops, and fusions in which every way from that parameter to the
 * root is elementwise; updates in place; a sort over the operand of its
 * number; loops and conditionals.  Never over a constant, never where bytes
 * differ.  What is elementwise is a fact: `reuses any operand`. */
#include "passes/xla.h"

#include <string.h>

enum { PAIRS = 64, NESTED = 16 };
enum answer { UNKNOWN, YES, NO };

static bool stays_elementwise(struct xla *xla, value_id parameter,
                              bool through_tuples, int depth);

/* The body that fusion OP runs, or NULL. */
static const struct ir_function *
fusion_body(const struct xla *xla, op_id op) {
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(xla->module, op, &count);
  if (facts_of(xla->facts, op)->body != BODY_FUSED || count == 0)
    return NULL;
  return &xla->module->functions.data[calls->callee];
}

/* Does fusion OP read operand INDEX elementwise? */
static bool
fusion_is_elementwise(struct xla *xla, op_id op, uint32_t index, int depth) {
  const struct ir_function *body = fusion_body(xla, op);
  struct text kind;
  bool loops = ir_attribute(xla->module, op, "kind", &kind) &&
               (text_is(kind, "kLoop") || text_is(kind, "kInput"));
  return body && index < body->argument_count &&
         stays_elementwise(xla, body->arguments[index], loops || depth, depth);
}

/* Is USER elementwise in each of its operands that is VALUE? */
static bool
reads_elementwise(struct xla *xla, op_id user, value_id value, int depth) {
  const struct ir_module *module = xla->module;
  const struct op_facts *facts = facts_of(xla->facts, user);
  if (facts->body == BODY_FUSED) {
    for (uint32_t i = 0; i < module->op_use_count[user]; i++)
      if (ir_operand(module, user, i) == value &&
          (depth == NESTED || !fusion_is_elementwise(xla, user, i, depth + 1)))
        return false;
    return true;
  }
  if (facts->reuses == OPERAND_ANY)
    return true;
  /* An update is elementwise in what it updates, a copy in what it copies. */
  if (facts->inplace == 0)
    return ir_operand(module, user, 0) == value;
  return text_is(ir_op_name(module, user), "copy");
}

/* Are all ways from PARAMETER, of a fusion's body, to the root elementwise? */
static bool
stays_elementwise(struct xla *xla, value_id parameter, bool through_tuples,
                  int depth) {
  const struct ir_module *module = xla->module;
  VECTOR(value_id) values = {NULL, 0, 0};
  uint8_t *memory = &xla->elementwise[parameter];
  if (*memory != UNKNOWN)
    return *memory == YES;
  vector_push(xla->scratch, &values, parameter);
  *memory = YES;
  for (uint32_t next = 0; next < values.count && *memory == YES; next++) {
    value_id value = values.data[next];
    for (uint32_t i = xla->first_user[value]; i < xla->first_user[value + 1];
         i++) {
      op_id user = xla->users[i];
      bool tuple = facts_has(xla->facts, user, FACT_TUPLE) && through_tuples;
      if (!tuple && !reads_elementwise(xla, user, value, depth))
        *memory = NO;
      value_id result = ir_result(module, user, 0);
      bool seen = false;
      for (uint32_t k = values.count; k-- > 0 && !seen;)
        seen = values.data[k] == result;
      if (!seen)
        vector_push(xla->scratch, &values, result);
    }
  }
  return *memory == YES;
}

static bool
updates_in_place(struct xla *xla, op_id op, uint32_t result, value_id value,
                 uint32_t leaf) {
  struct xla_in_place pairs[PAIRS];
  uint32_t count = xla_in_place(xla, op, pairs, PAIRS);
  for (uint32_t i = 0; i < count; i++)
    if (pairs[i].result_leaf == result && pairs[i].operand_leaf == leaf &&
        ir_operand(xla->module, op, pairs[i].operand) == value)
      return true;
  return false;
}

/* Is every operand of OP that is VALUE one of those whose place may be taken
 * by result leaf RESULT? */
static bool
fact_allows(struct xla *xla, op_id op, uint32_t result, value_id value) {
  const struct op_facts *facts = facts_of(xla->facts, op);
  int32_t which =
      facts->reuses != OPERAND_NONE ? facts->reuses : facts->inplace;
  if (facts->body == BODY_LOOP || facts->body == BODY_BRANCH ||
      which == OPERAND_ANY)
    return true;
  if (which == OPERAND_NONE || which == OPERAND_DESTINATION)
    return false;
  uint32_t allowed = which == OPERAND_SAME ? result : (uint32_t)which;
  for (uint32_t i = 0; i < xla->module->op_use_count[op]; i++)
    if (ir_operand(xla->module, op, i) == value && i != allowed)
      return false;
  return true;
}

bool
xla_can_share(struct xla *xla, op_id op, uint32_t result, value_id value,
              uint32_t leaf) {
  const struct ir_module *module = xla->module;
  uint32_t from = xla_leaf(xla, value, leaf);
  uint32_t to = xla_leaf(xla, ir_result(module, op, 0), result);
  op_id definer = ir_value_op(module, value);
  if (xla->facts->leaf_bytes[from] != xla->facts->leaf_bytes[to] ||
      facts_has(xla->facts, definer, FACT_CONSTANT))
    return false;
  if (updates_in_place(xla, op, result, value, leaf))
    return true;
  if (facts_of(xla->facts, op)->body != BODY_FUSED)
    return fact_allows(xla, op, result, value);
  for (uint32_t i = 0; i < module->op_use_count[op]; i++)
    if (ir_operand(module, op, i) == value &&
        !fusion_is_elementwise(xla, op, i, 0))
      return false;
  return true;
}
