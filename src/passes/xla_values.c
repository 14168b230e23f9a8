/* xla_values.c - what each leaf forwards, and when each value is needed.
 *
 * Tuples and their elements, bitcasts, barriers and calls make no buffer: their
 * leaves are others' values.  The done of an asynchronous op gives what its
 * start made.  A value is needed from the tick of its op to that of its last
 * reader; what a body returns until its body ends; a loop's initial value until
 * the loop begins. */
#include "passes/xla.h"

#include <string.h>

/* COUNT leaves from TO on are those from FROM on. */
static void
forward(struct xla *xla, uint32_t from, uint32_t to, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    xla->source[to + i] = from + i;
}

/* VALUE is FROM, leaf by leaf, where both have as many. */
static void
forward_value(struct xla *xla, value_id from, value_id value) {
  if (from != NONE && value != NONE &&
      xla_leaves(xla, from) == xla_leaves(xla, value))
    forward(xla, xla_leaf(xla, from, 0), xla_leaf(xla, value, 0),
            xla_leaves(xla, value));
}

static void
forward_tuple(struct xla *xla, op_id op) {
  uint32_t leaf = xla_leaf(xla, ir_result(xla->module, op, 0), 0);
  uint32_t end = leaf + xla_leaves(xla, ir_result(xla->module, op, 0));
  for (uint32_t i = 0; i < xla->module->op_use_count[op]; i++) {
    value_id operand = ir_operand(xla->module, op, i);
    uint32_t count = xla_leaves(xla, operand);
    if (leaf + count > end)
      return;
    forward(xla, xla_leaf(xla, operand, 0), leaf, count);
    leaf += count;
  }
}

static void
forward_element(struct xla *xla, op_id op) {
  const struct ir_module *module = xla->module;
  const struct type *type = ir_value_type(module, ir_operand(module, op, 0));
  int64_t index;
  if (type->kind != TYPE_TUPLE ||
      !ir_attribute_integer(module, op, "index", &index) || index < 0 ||
      index >= (int64_t)type->part_count)
    return;
  uint32_t leaf = xla_leaf(xla, ir_operand(module, op, 0), 0);
  for (int64_t i = 0; i < index; i++)
    leaf += type_get(module->types, type->parts[i])->leaves;
  value_id result = ir_result(module, op, 0);
  forward(xla, leaf, xla_leaf(xla, result, 0), xla_leaves(xla, result));
}

/* --- asynchronous ops --- */

/* Are types A and B the same but for layout and memory? */
static bool
same_shape(const struct type_table *types, type_id a, type_id b) {
  const struct type *x = type_get(types, a), *y = type_get(types, b);
  if (x->kind != y->kind || x->dtype != y->dtype || x->rank != y->rank ||
      x->part_count != y->part_count || x->bytes != y->bytes)
    return false;
  for (uint32_t i = 0; i < x->part_count; i++)
    if (!same_shape(types, x->parts[i], y->parts[i]))
      return false;
  return true;
}

/* The first leaf, inside of its value, of part INDEX of TUPLE. */
static uint32_t
part_leaf(const struct xla *xla, const struct type *tuple, uint32_t index) {
  uint32_t leaf = 0;
  for (uint32_t i = 0; i < index; i++)
    leaf += type_get(xla->module->types, tuple->parts[i])->leaves;
  return leaf;
}

/* Copies name their destination first; all others their operands. */
static bool
is_copy(const struct xla *xla, op_id op) {
  return text_starts(ir_op_name(xla->module, op), "copy-");
}

/* The part of a start's state that holds its operands; NONE where there is
 * none: an all-reduce gives its results alone. */
static uint32_t
operand_part(const struct xla *xla, op_id op, const struct type *state) {
  const struct ir_module *module = xla->module;
  uint32_t operands = module->op_use_count[op];
  if (state->kind != TYPE_TUPLE || state->part_count < 2 || operands == 0)
    return NONE;
  if (is_copy(xla, op))
    return 1;
  const struct type *first = type_get(module->types, state->parts[0]);
  type_id operand = module->value_type[ir_operand(module, op, 0)];
  if (first->kind == TYPE_TUPLE)
    return first->part_count == operands ? 0 : NONE;
  bool alone = operands == 1 || text_is(ir_op_name(module, op), "send");
  return alone && same_shape(module->types, state->parts[0], operand) ? 0
                                                                      : NONE;
}

static void
forward_start(struct xla *xla, op_id op) {
  const struct ir_module *module = xla->module;
  value_id result = ir_result(module, op, 0);
  const struct type *state = ir_value_type(module, result);
  uint32_t part = operand_part(xla, op, state);
  if (part == NONE)
    return;
  uint32_t leaf = xla_leaf(xla, result, part_leaf(xla, state, part));
  uint32_t room = type_get(module->types, state->parts[part])->leaves;
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    value_id operand = ir_operand(module, op, i);
    uint32_t count = xla_leaves(xla, operand);
    if (count > room)
      return;
    forward(xla, xla_leaf(xla, operand, 0), leaf, count);
    leaf += count;
    room -= count;
  }
}

/* A done is the whole of its start's state, or the part with the result. */
static void
forward_done(struct xla *xla, op_id op) {
  const struct ir_module *module = xla->module;
  if (module->op_use_count[op] == 0)
    return;
  value_id state = ir_operand(module, op, 0), result = ir_result(module, op, 0);
  const struct type *type = ir_value_type(module, state);
  if (xla_leaves(xla, state) == xla_leaves(xla, result)) {
    forward_value(xla, state, result);
    return;
  }
  uint32_t part = is_copy(xla, op) ? 0 : 1;
  if (type->kind != TYPE_TUPLE || part >= type->part_count ||
      type_get(module->types, type->parts[part])->leaves !=
          xla_leaves(xla, result))
    return;
  forward(xla, xla_leaf(xla, state, part_leaf(xla, type, part)),
          xla_leaf(xla, result, 0), xla_leaves(xla, result));
}

/* --- calls --- */

static void
forward_arguments(struct xla *xla, op_id op, const struct ir_function *callee,
                  uint32_t from) {
  const struct ir_module *module = xla->module;
  for (uint32_t i = 0; i < callee->argument_count; i++)
    if (from + i < module->op_use_count[op])
      forward_value(xla, ir_operand(module, op, from + i),
                    callee->arguments[i]);
}

/* A call's operands are its callee's arguments, and the callee's root is its
 * result, or the second part of what a start gives. */
static void
forward_call(struct xla *xla, op_id op, const struct ir_function *callee) {
  const struct ir_module *module = xla->module;
  value_id result = ir_result(module, op, 0);
  value_id root = ir_result(module, callee->root, 0);
  const struct type *state = ir_value_type(module, result);
  forward_arguments(xla, op, callee, 0);
  if (facts_of(xla->facts, op)->async != ASYNC_START) {
    forward_value(xla, root, result);
    return;
  }
  if (state->kind != TYPE_TUPLE || state->part_count < 2)
    return;
  uint32_t leaf = part_leaf(xla, state, 1);
  if (type_get(module->types, state->parts[1])->leaves == xla_leaves(xla, root))
    forward(xla, xla_leaf(xla, root, 0), xla_leaf(xla, result, leaf),
            xla_leaves(xla, root));
}

static void
forward_calls(struct xla *xla, op_id op) {
  const struct ir_module *module = xla->module;
  uint32_t count, branch = 1;
  const struct ir_call *calls = ir_op_calls(module, op, &count);
  enum fact_body body = facts_of(xla->facts, op)->body;
  for (uint32_t i = 0; i < count; i++) {
    const struct ir_function *callee = &module->functions.data[calls[i].callee];
    if (calls[i].role != CALL_FLOW || body == BODY_LOOP)
      continue;
    if (body == BODY_BRANCH)
      forward_arguments(xla, op, callee, branch++);
    else
      forward_call(xla, op, callee);
  }
}

static void
forward_op(struct xla *xla, op_id op) {
  const struct ir_module *module = xla->module;
  const struct op_facts *facts = facts_of(xla->facts, op);
  uint32_t operands = module->op_use_count[op];
  value_id result = ir_result(module, op, 0);
  if (facts->async == ASYNC_START)
    forward_start(xla, op);
  else if (facts->async != ASYNC_NONE)
    forward_done(xla, op);
  else if (facts->flags & FACT_TUPLE)
    forward_tuple(xla, op);
  else if (facts->flags & FACT_ELEMENT && operands == 1)
    forward_element(xla, op);
  else if (facts->flags & FACT_FORWARDS && operands)
    forward_value(xla, ir_operand(module, op, 0), result);
  else if (facts->alias >= 0 && (uint32_t)facts->alias < operands)
    forward_value(xla, ir_operand(module, op, (uint32_t)facts->alias), result);
  if (module->calls.count)
    forward_calls(xla, op);
}

/* Let every leaf lead to its value at once.  Nothing that runs calls itself, so
 * forwarding never goes round. */
static void
settle_sources(struct xla *xla) {
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++) {
    uint32_t value = leaf;
    while (xla->source[value] != value)
      value = xla->source[value];
    for (uint32_t at = leaf; at != value;) {
      uint32_t next = xla->source[at];
      xla->source[at] = value;
      at = next;
    }
  }
}

/* --- ticks --- */

static bool
is_parameter(const struct xla *xla, op_id op) {
  return facts_has(xla->facts, op, FACT_ARGUMENT);
}

static void
begin_values(struct xla *xla) {
  const struct clock *clock = xla->clock;
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++) {
    op_id op = xla_definer(xla, leaf);
    xla->begin[leaf] = NONE;
    if (op == NONE || clock->op_end[op] == NONE)
      continue;
    uint32_t tick = clock->op_end[op];
    if (is_parameter(xla, op))
      tick = clock->block_begin[xla->module->op_block[op]];
    xla->begin[leaf] = xla->end[leaf] = tick;
  }
}

static void
need(struct xla *xla, uint32_t leaf, uint32_t tick) {
  uint32_t value = xla->source[leaf];
  if (xla->begin[value] != NONE && xla->end[value] < tick)
    xla->end[value] = tick;
}

/* The tick at which OP reads its operands: a loop's are its body's parameter
 * from there on. */
static uint32_t
read_tick(const struct xla *xla, op_id op) {
  const struct ir_module *module = xla->module;
  uint32_t count;
  if (facts_of(xla->facts, op)->body != BODY_LOOP)
    return xla->clock->op_end[op];
  const struct ir_call *calls = ir_op_calls(module, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    const struct ir_function *body = &module->functions.data[calls[i].callee];
    if (text_is(string_text(module->names, calls[i].attribute), "body") &&
        body->argument_count)
      return xla->clock->op_end[ir_value_op(module, body->arguments[0])];
  }
  return xla->clock->op_end[op];
}

bool
xla_only_hands_on(const struct xla *xla, op_id op) {
  const struct op_facts *facts = facts_of(xla->facts, op);
  return facts->async == ASYNC_NONE &&
         (facts->flags & (FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS) ||
          facts->alias >= 0 || facts->body == BODY_CALL);
}

static void
end_values(struct xla *xla) {
  const struct ir_module *module = xla->module;
  for (op_id op = 0; op < module->op_count; op++) {
    if (xla->clock->op_end[op] == NONE || xla_only_hands_on(xla, op))
      continue;
    uint32_t tick = read_tick(xla, op);
    for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
      value_id operand = ir_operand(module, op, i);
      for (uint32_t k = 0; k < xla_leaves(xla, operand); k++)
        need(xla, xla_leaf(xla, operand, k), tick);
    }
  }
  for (function_id id = 0; id < module->functions.count; id++) {
    const struct ir_function *function = &module->functions.data[id];
    if (xla->clock->function_host[id] == NONE || function->root == NONE)
      continue;
    bool outermost = xla->clock->function_host[id] == id;
    value_id root = ir_result(module, function->root, 0);
    for (uint32_t k = 0; k < xla_leaves(xla, root); k++) {
      need(xla, xla_leaf(xla, root, k),
           outermost ? xla->clock->tick_count : xla->clock->function_end[id]);
      if (outermost)
        xla->returned[xla_leaf(xla, root, k)] = true;
    }
  }
}

/* --- set-up --- */

static uint32_t
describe_leaves(struct xla *xla, value_id value, type_id type, uint32_t leaf) {
  const struct type *t = type_get(xla->module->types, type);
  if (t->kind != TYPE_TUPLE) {
    xla->leaf_value[leaf] = value;
    xla->leaf_type[leaf] = type;
    return leaf + 1;
  }
  for (uint32_t i = 0; i < t->part_count; i++)
    leaf = describe_leaves(xla, value, t->parts[i], leaf);
  return leaf;
}

/* Leaf of RESULT's path in FUNCTION's root takes over the argument's. */
static void
note_donation(struct xla *xla, const struct ir_donation *donation) {
  const struct ir_module *module = xla->module;
  const struct ir_function *f = &module->functions.data[donation->function];
  uint32_t from, to, count, room;
  if (donation->result == NONE || f->root == NONE)
    return;
  value_id argument = f->arguments[donation->argument];
  value_id root = ir_result(module, f->root, 0);
  if (!type_leaf_range(module->types, module->value_type[argument],
                       donation->argument_path, &from, &count) ||
      !type_leaf_range(module->types, module->value_type[root],
                       donation->result_path, &to, &room))
    return;
  for (uint32_t i = 0; i < count && i < room; i++) {
    xla->donated[xla_leaf(xla, argument, from + i)] = true;
    xla_unite(xla, xla_leaf(xla, argument, from + i),
              xla->source[xla_leaf(xla, root, to + i)]);
  }
}

void
xla_find_values(struct xla *xla) {
  const struct ir_module *module = xla->module;
  for (value_id value = 0; value < module->value_count; value++)
    describe_leaves(xla, value, module->value_type[value],
                    xla_leaf(xla, value, 0));
  for (uint32_t leaf = 0; leaf < xla->leaf_count; leaf++)
    xla->source[leaf] = xla->parent[leaf] = leaf;
  for (op_id op = 0; op < module->op_count; op++)
    if (xla->clock->op_end[op] != NONE)
      forward_op(xla, op);
  settle_sources(xla);
  begin_values(xla);
  end_values(xla);
  for (uint32_t i = 0; i < module->donations.count; i++)
    note_donation(xla, &module->donations.data[i]);
}
