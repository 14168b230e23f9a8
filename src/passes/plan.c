/* plan.c - see plan.h. */
#include "passes/plan.h"

#include "passes/buffers.h"

function_id *
plan_functions_of_ops(struct program *program) {
  const struct ir_module *m = program->input;
  const struct clock *clock = program->buffers->clock;
  function_id *of = ir_functions_of_ops(m, program->scratch);
  for (op_id op = 0; op < m->op_count; op++)
    if (of[op] != NONE && clock->function_host[of[op]] != NONE)
      of[op] = clock->function_host[of[op]];
  return of;
}

uint64_t
plan_function_cost(const struct ir_module *module, const struct facts *facts,
                   function_id function) {
  uint64_t cost = 0;
  region_id body = module->functions.data[function].body;
  for (block_id block = body == NONE ? NONE : module->region_block[body];
       block != NONE; block = module->block_next[block])
    for (uint32_t i = 0; i < module->block_op_count[block]; i++)
      cost = saturating_add(cost,
                            facts->op_cost_ns[ir_block_op(module, block, i)]);
  return cost;
}

struct location
plan_location(const struct ir_module *module, function_id function) {
  const struct ir_function *f = &module->functions.data[function];
  return f->op != NONE ? ir_op_location(module, f->op)
                       : location_at(module->source, f->name_text);
}
