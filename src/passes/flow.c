/* flow.c - see flow.h. */
#include "passes/flow.h"

/* The op that ends region's last block, or NONE. */
static op_id
last_op(const struct ir_module *module, region_id region) {
  block_id block = module->region_block[region];
  if (block == NONE)
    return NONE;
  while (module->block_next[block] != NONE)
    block = module->block_next[block];
  uint32_t count = module->block_op_count[block];
  if (count == 0)
    return NONE;
  op_id op = ir_block_op(module, block, count - 1);
  return module->op_flags[op] & OP_TERMINATOR ? op : NONE;
}

static struct flow_body
region_body(const struct ir_module *module, const struct facts *facts,
            region_id region) {
  struct flow_body body = {region, NONE, false, 0, 0};
  block_id block = module->region_block[region];
  if (block != NONE)
    body.argument_count = module->block_argument_count[block];
  op_id last = last_op(module, region);
  if (last == NONE)
    return body;
  uint32_t first = facts_of(facts, last)->yields;
  uint32_t count = module->op_use_count[last];
  body.yield_count = count > first ? count - first : 0;
  return body;
}

static struct flow_body
function_body(const struct ir_module *module, const struct ir_call *call) {
  const struct ir_function *function = &module->functions.data[call->callee];
  struct text attribute = call->attribute == NONE
                              ? (struct text){"", 0}
                              : string_text(module->names, call->attribute);
  return (struct flow_body){NONE, call->callee, text_is(attribute, "condition"),
                            function->argument_count, function->root != NONE};
}

uint32_t
flow_bodies(const struct ir_module *module, const struct facts *facts,
            const struct clock *clock, op_id op, struct flow_body *bodies,
            uint32_t capacity) {
  uint32_t count = 0, calls;
  region_id region = module->op_region[op];
  for (; region != NONE; region = module->region_next[region]) {
    if (count < capacity)
      bodies[count] = region_body(module, facts, region);
    count++;
  }
  /* A loop with two regions decides in the first. */
  if (count == 2 && capacity >= 2 && facts_of(facts, op)->body == BODY_LOOP)
    bodies[0].condition = true;
  const struct ir_call *call = ir_op_calls(module, op, &calls);
  for (uint32_t i = 0; i < calls; i++) {
    if (clock && !clock_inlines(clock, &call[i]))
      continue;
    if (count < capacity)
      bodies[count] = function_body(module, &call[i]);
    count++;
  }
  return count;
}

value_id
flow_argument(const struct ir_module *module, const struct flow_body *body,
              uint32_t index) {
  if (index >= body->argument_count)
    return NONE;
  if (body->function != NONE)
    return module->functions.data[body->function].arguments[index];
  return module->block_first_argument[module->region_block[body->region]] +
         index;
}

value_id
flow_yield(const struct ir_module *module, const struct facts *facts,
           const struct flow_body *body, uint32_t index) {
  if (index >= body->yield_count)
    return NONE;
  if (body->function != NONE)
    return ir_result(module, module->functions.data[body->function].root, 0);
  op_id last = last_op(module, body->region);
  return ir_operand(module, last, facts_of(facts, last)->yields + index);
}

bool
flow_carries(const struct facts *facts, const struct ir_module *module,
             op_id op, uint32_t index) {
  const struct op_facts *f = facts_of(facts, op);
  return f->body == BODY_LOOP && f->carries_operand >= 0 &&
         index >= (uint32_t)f->carries_operand &&
         index - (uint32_t)f->carries_operand < module->op_result_count[op];
}
