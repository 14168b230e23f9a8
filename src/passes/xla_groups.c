/* xla_groups.c - values that must share one buffer.
 *
 * A loop's initial value, the parameters of its condition and body, what the
 * body returns and the loop's result; a conditional's result and what its
 * branches return; what an op updates in place, and the result; what the
 * header aliases.  Copies that keep others' values whole are in the text. */
#include "passes/xla.h"

#include <string.h>

enum { PAIRS = 64 };

uint32_t
xla_group(struct xla *xla, uint32_t leaf) {
  uint32_t value = xla->source[leaf];
  while (xla->parent[value] != value) {
    xla->parent[value] = xla->parent[xla->parent[value]];
    value = xla->parent[value];
  }
  return value;
}

void
xla_unite(struct xla *xla, uint32_t a, uint32_t b) {
  a = xla_group(xla, a);
  b = xla_group(xla, b);
  if (a < b)
    xla->parent[b] = a;
  else
    xla->parent[a] = b;
}

static void
unite_values(struct xla *xla, value_id a, value_id b) {
  if (a == NONE || b == NONE || xla_leaves(xla, a) != xla_leaves(xla, b))
    return;
  for (uint32_t i = 0; i < xla_leaves(xla, a); i++)
    xla_unite(xla, xla_leaf(xla, a, i), xla_leaf(xla, b, i));
}

/* --- updates in place --- */

/* The op that makes what OP's operand INDEX is, bitcasts looked through. */
static value_id
through_views(const struct xla *xla, value_id value) {
  const struct ir_module *module = xla->module;
  for (;;) {
    op_id op = ir_value_op(module, value);
    if (op == NONE || facts_of(xla->facts, op)->alias != 0 ||
        module->op_use_count[op] == 0)
      return value;
    value = ir_operand(module, op, 0);
  }
}

/* The number of the argument of FUNCTION that VALUE is, or NONE. */
static uint32_t
argument_number(const struct ir_function *function, value_id value) {
  for (uint32_t i = 0; i < function->argument_count; i++)
    if (function->arguments[i] == value)
      return i;
  return NONE;
}

/* The argument of fusion body CALLEE that VALUE, part of its root, updates in
 * place; NONE where it does not. */
static uint32_t
updated_argument(const struct xla *xla, const struct ir_function *callee,
                 value_id value) {
  const struct ir_module *module = xla->module;
  op_id op = ir_value_op(module, through_views(xla, value));
  if (op == NONE || facts_of(xla->facts, op)->inplace != 0 ||
      module->op_use_count[op] == 0)
    return NONE;
  return argument_number(callee, through_views(xla, ir_operand(module, op, 0)));
}

static uint32_t
fusion_pairs(const struct xla *xla, op_id op, struct xla_in_place *pairs,
             uint32_t capacity) {
  const struct ir_module *module = xla->module;
  uint32_t calls, count = 0, leaf = 0;
  const struct ir_call *call = ir_op_calls(module, op, &calls);
  if (calls == 0)
    return 0;
  const struct ir_function *callee = &module->functions.data[call->callee];
  if (callee->root == NONE)
    return 0;
  bool tuple = facts_has(xla->facts, callee->root, FACT_TUPLE);
  uint32_t parts = tuple ? module->op_use_count[callee->root] : 1;
  for (uint32_t i = 0; i < parts && count < capacity; i++) {
    value_id part = tuple ? ir_operand(module, callee->root, i)
                          : ir_result(module, callee->root, 0);
    uint32_t argument = updated_argument(xla, callee, part);
    if (argument != NONE && argument < module->op_use_count[op])
      pairs[count++] = (struct xla_in_place){argument, 0, leaf};
    leaf += xla_leaves(xla, part);
  }
  return count;
}

/* The entries "{0}: (1, {})" of output_to_operand_aliasing. */
static uint32_t
attribute_pairs(const struct xla *xla, op_id op, struct xla_in_place *pairs,
                uint32_t capacity) {
  const struct ir_module *module = xla->module;
  const struct type_table *types = module->types;
  struct text text;
  uint32_t count = 0, ignored;
  if (!ir_attribute(module, op, "output_to_operand_aliasing", &text))
    return 0;
  const char *at = text.data + 1, *end = text.data + text.size;
  while (count < capacity) {
    const char *open = memchr(at, '{', (size_t)(end - at));
    const char *close = open ? memchr(open, '}', (size_t)(end - open)) : NULL;
    const char *paren =
        close ? memchr(close, '(', (size_t)(end - close)) : NULL;
    const char *inner =
        paren ? memchr(paren, '{', (size_t)(end - paren)) : NULL;
    const char *last = inner ? memchr(inner, '}', (size_t)(end - inner)) : NULL;
    if (!last)
      return count;
    struct text result = {open, (uint32_t)(close + 1 - open)};
    struct text path = {inner, (uint32_t)(last + 1 - inner)};
    struct xla_in_place *pair = &pairs[count];
    pair->operand = 0;
    for (const char *digit = paren + 1; *digit >= '0' && *digit <= '9'; digit++)
      pair->operand = pair->operand * 10 + (uint32_t)(*digit - '0');
    at = last + 1;
    if (pair->operand < module->op_use_count[op] &&
        type_leaf_range(types, module->value_type[ir_result(module, op, 0)],
                        result, &pair->result_leaf, &ignored) &&
        type_leaf_range(
            types, module->value_type[ir_operand(module, op, pair->operand)],
            path, &pair->operand_leaf, &ignored))
      count++;
  }
  return count;
}

uint32_t
xla_in_place(const struct xla *xla, op_id op, struct xla_in_place *pairs,
             uint32_t capacity) {
  const struct op_facts *facts = facts_of(xla->facts, op);
  uint32_t operands = xla->module->op_use_count[op], count = 0;
  if (facts->inplace >= 0 && (uint32_t)facts->inplace < operands && capacity)
    pairs[count++] = (struct xla_in_place){(uint32_t)facts->inplace, 0, 0};
  if (facts->body == BODY_FUSED)
    count += fusion_pairs(xla, op, pairs + count, capacity - count);
  if (facts->body == BODY_FUSED || facts->class_id == 0 ||
      text_is(ir_op_name(xla->module, op), "custom-call"))
    count += attribute_pairs(xla, op, pairs + count, capacity - count);
  return count;
}

static void
unite_in_place(struct xla *xla, op_id op) {
  struct xla_in_place pairs[PAIRS];
  uint32_t count = xla_in_place(xla, op, pairs, PAIRS);
  value_id result = ir_result(xla->module, op, 0);
  for (uint32_t i = 0; i < count; i++)
    xla_unite(xla,
              xla_leaf(xla, ir_operand(xla->module, op, pairs[i].operand),
                       pairs[i].operand_leaf),
              xla_leaf(xla, result, pairs[i].result_leaf));
}

/* --- control flow --- */

static void
unite_bodies(struct xla *xla, op_id op, bool loop) {
  const struct ir_module *module = xla->module;
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(module, op, &count);
  value_id result = ir_result(module, op, 0);
  if (loop && module->op_use_count[op])
    unite_values(xla, result, ir_operand(module, op, 0));
  for (uint32_t i = 0; i < count; i++) {
    const struct ir_function *body = &module->functions.data[calls[i].callee];
    if (calls[i].role != CALL_FLOW || body->root == NONE)
      continue;
    if (loop && body->argument_count)
      unite_values(xla, result, body->arguments[0]);
    /* A condition's root is a truth value, of another number of leaves or
     * not: it is no state. */
    if (!loop ||
        !text_is(string_text(module->names, calls[i].attribute), "condition"))
      unite_values(xla, result, ir_result(module, body->root, 0));
  }
}

void
xla_find_groups(struct xla *xla) {
  for (op_id op = 0; op < xla->module->op_count; op++) {
    if (xla->clock->op_end[op] == NONE)
      continue;
    enum fact_body body = facts_of(xla->facts, op)->body;
    if (body == BODY_LOOP || body == BODY_BRANCH)
      unite_bodies(xla, op, body == BODY_LOOP);
    unite_in_place(xla, op);
  }
}
