/* plan_emitted.c - see plan_emitted.h: O(ops that are emitted). */
#include "passes/plan_emitted.h"

#include <stdlib.h>

static int
compare_blocks(const void *a, const void *b) {
  const struct plan_block *x = a, *y = b;
  return x->block < y->block ? -1 : x->block > y->block;
}

/* The sequence of BLOCK of MADE; false where it is that of the input. */
static bool
read_off(const struct ir_module *made, const struct ir_module *base,
         block_id block, struct plan_block *sequence, struct arena *arena) {
  block_id from = made->block_origin[block];
  uint32_t count = made->block_op_count[block];
  bool differs = count != base->block_op_count[from];
  *sequence = (struct plan_block){.block = from,
                                  .count = count,
                                  .ops = ARENA_ARRAY(arena, op_id, count),
                                  .backward = ARENA_ARRAY(arena, bool, count)};
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(made, block, i);
    sequence->ops[i] = made->op_origin[op];
    sequence->backward[i] = (made->op_flags[op] & OP_BACKWARD) != 0;
    if (made->op_origin[op] == NONE)
      return false;
    differs |= !differs && sequence->ops[i] != ir_block_op(base, from, i);
  }
  return differs;
}

void
plan_emitted(const struct program *program, struct plan *emitted,
             struct arena *arena) {
  const struct ir_module *base = program->input, *made = program->made;
  bool *has = ARENA_ARRAY(arena, bool, base->block_count);
  *emitted = (struct plan){.functions = NULL};
  if (!made || !program->plan)
    return;
  for (uint32_t i = 0; i < program->plan->blocks.count; i++) {
    has[program->plan->blocks.data[i].block] = true;
    vector_push(arena, &emitted->blocks, program->plan->blocks.data[i]);
  }
  for (block_id block = 0; block < made->block_count; block++) {
    struct plan_block sequence;
    if (has[made->block_origin[block]])
      continue;
    /* Its copies, if it has any, are made by the same sequence. */
    has[made->block_origin[block]] = true;
    if (read_off(made, base, block, &sequence, arena))
      vector_push(arena, &emitted->blocks, sequence);
  }
  if (emitted->blocks.count)
    qsort(emitted->blocks.data, emitted->blocks.count,
          sizeof *emitted->blocks.data, compare_blocks);
}
