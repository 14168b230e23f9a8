/* instances.c - see instances.h: O(ops that are emitted, each kind once). */
#include "passes/instances.h"

#include "support/checked.h"

/* What stands where when the plan is carried out, nested ops included. */
struct counting {
  const struct ir_module *m;
  const struct plan_block **sequence; /* by block; NULL: as it is */
  uint64_t *emitted;                  /* by op: ops that one instance of it is;
                                         0: not yet known */
  bool *stands;                       /* by op: has an instance */
  const uint8_t *selected;            /* by op, enum plan_mark */
  struct plan_function *figures;
};

static uint32_t
length_of(const struct counting *c, block_id block) {
  return c->sequence[block] ? c->sequence[block]->count
                            : c->m->block_op_count[block];
}

static op_id
instance_of(const struct counting *c, block_id block, uint32_t at) {
  return c->sequence[block] ? c->sequence[block]->ops[at]
                            : ir_block_op(c->m, block, at);
}

/* Ops that one instance of OP is. */
static uint64_t
emitted_ops(struct counting *c, op_id op) {
  if (c->emitted[op])
    return c->emitted[op];
  uint64_t count = 1;
  for (region_id r = c->m->op_region[op]; r != NONE; r = c->m->region_next[r])
    for (block_id b = c->m->region_block[r]; b != NONE; b = c->m->block_next[b])
      for (uint32_t i = 0; i < length_of(c, b); i++)
        count = saturating_add(count, emitted_ops(c, instance_of(c, b, i)));
  return c->emitted[op] = count;
}

/* Ops that OP is in the input. */
static uint64_t
input_ops(const struct ir_module *m, op_id op) {
  uint64_t count = 1;
  for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
    for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
      for (uint32_t i = 0; i < m->block_op_count[b]; i++)
        count += input_ops(m, ir_block_op(m, b, i));
  return count;
}

/* Do markers leave nothing but clones of OP? */
static bool
is_erased(const struct counting *c, op_id op) {
  return c->selected && (c->selected[op] & PLAN_ERASED);
}

/* Clones and erased originals of BLOCK and of the blocks inside of its
 * originals.  What is inside of a clone is cloned with it. */
static void
count_block(struct counting *c, block_id block) {
  const struct ir_module *m = c->m;
  for (uint32_t i = 0; i < length_of(c, block); i++) {
    op_id op = instance_of(c, block, i);
    if (c->stands[op] || is_erased(c, op)) {
      c->figures->projected_clones =
          saturating_add(c->figures->projected_clones, emitted_ops(c, op));
      continue;
    }
    c->stands[op] = true;
    for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
      for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b])
        count_block(c, b);
  }
  for (uint32_t i = 0; c->sequence[block] && i < m->block_op_count[block]; i++)
    if (!c->stands[ir_block_op(m, block, i)])
      c->figures->erased += input_ops(m, ir_block_op(m, block, i));
}

void
instances_count(const struct program *program, const struct plan_block *blocks,
                uint32_t count) {
  const struct ir_module *m = program->input;
  const function_id *own = ir_functions_of_ops(m, program->scratch);
  struct counting c = {
      .m = m,
      .selected = program->plan->selected,
      .sequence = ARENA_ARRAY(program->scratch, const struct plan_block *,
                              m->block_count),
      .emitted = ARENA_ARRAY(program->scratch, uint64_t, m->op_count),
      .stands = ARENA_ARRAY(program->scratch, bool, m->op_count)};
  bool *counted = ARENA_ARRAY(program->scratch, bool, m->functions.count + 1);
  for (uint32_t b = 0; b < count; b++)
    c.sequence[blocks[b].block] = &blocks[b];
  for (uint32_t b = 0; b < count; b++) {
    block_id block = blocks[b].block;
    function_id function =
        m->block_op_count[block] ? own[ir_block_op(m, block, 0)] : NONE;
    if (function == NONE || counted[function])
      continue;
    counted[function] = true;
    c.figures = &program->plan->functions[function];
    region_id body = m->functions.data[function].body;
    for (block = m->region_block[body]; block != NONE;
         block = m->block_next[block])
      count_block(&c, block);
  }
}
