/* facts_made.c - facts of a module that a pass made.
 *
 * Its ops are those of the input, some of them several times, so all that is
 * known of an op or value is known from its origin.  O(ops + values). */
#include "passes/facts.h"

/* The value of the input that VALUE of MADE is an instance of. */
static value_id
origin_of(const struct ir_module *made, value_id value) {
  const struct ir_module *base = made->base;
  op_id op = ir_value_op(made, value);
  uint32_t index = ir_value_index(made, value);
  if (op != NONE)
    return base->op_first_result[made->op_origin[op]] + index;
  block_id block = made->block_origin[ir_value_block(made, value)];
  return base->block_first_argument[block] + index;
}

static void
carry_ops(const struct facts *from, struct facts *to,
          const struct ir_module *made, struct arena *arena) {
  to->kinds = from->kinds;
  to->kind_count = from->kind_count;
  to->op_kind = ARENA_ARRAY(arena, uint32_t, made->op_count);
  to->op_cost_ns = ARENA_ARRAY(arena, uint64_t, made->op_count);
  to->op_policy = ARENA_ARRAY(arena, uint8_t, made->op_count);
  to->op_repeatable = ARENA_ARRAY(arena, bool, made->op_count);
  if (from->op_workspace)
    to->op_workspace = ARENA_ARRAY(arena, uint64_t, made->op_count);
  for (op_id op = 0; op < made->op_count; op++) {
    op_id origin = made->op_origin[op];
    to->op_kind[op] = from->op_kind[origin];
    to->op_cost_ns[op] = from->op_cost_ns[origin];
    to->op_policy[op] = from->op_policy[origin];
    to->op_repeatable[op] = from->op_repeatable[origin];
    if (from->op_workspace)
      to->op_workspace[op] = from->op_workspace[origin];
  }
}

/* Leaves follow the values: each has as many as its origin. */
static void
number_leaves(const struct facts *from, struct facts *to,
              const struct ir_module *made, struct arena *arena) {
  to->leaf_count = made->value_count;
  if (!from->value_first_leaf)
    return;
  to->value_first_leaf =
      ARENA_ARRAY(arena, uint32_t, (size_t)made->value_count + 1);
  uint32_t count = 0;
  for (value_id value = 0; value < made->value_count; value++) {
    value_id origin = origin_of(made, value);
    to->value_first_leaf[value] = count;
    count +=
        from->value_first_leaf[origin + 1] - from->value_first_leaf[origin];
  }
  to->value_first_leaf[made->value_count] = count;
  to->leaf_count = count;
}

static void
carry_values(const struct facts *from, struct facts *to,
             const struct ir_module *made, struct arena *arena) {
  number_leaves(from, to, made, arena);
  to->leaf_bytes = ARENA_ARRAY(arena, uint64_t, to->leaf_count);
  to->value_known = ARENA_ARRAY(arena, uint8_t, made->value_count);
  for (value_id value = 0; value < made->value_count; value++) {
    value_id origin = origin_of(made, value);
    uint32_t first = facts_first_leaf(to, value);
    uint32_t count = facts_first_leaf(to, value + 1) - first;
    uint32_t source = facts_first_leaf(from, origin);
    for (uint32_t i = 0; i < count; i++)
      to->leaf_bytes[first + i] = from->leaf_bytes[source + i];
    to->value_known[value] = from->value_known[origin];
  }
}

struct facts *
facts_of_made(struct program *program, const struct ir_module *made) {
  const struct facts *from = program->facts;
  struct arena *arena = program->arena;
  struct facts *to = ARENA_NEW(arena, struct facts);
  carry_ops(from, to, made, arena);
  carry_values(from, to, made, arena);
  to->block_stored = ARENA_ARRAY(arena, bool, made->block_count);
  for (block_id block = 0; block < made->block_count; block++)
    to->block_stored[block] = from->block_stored[made->block_origin[block]];
  to->function_stored = ARENA_ARRAY(arena, bool, made->functions.count);
  for (function_id i = 0; i < made->functions.count; i++)
    to->function_stored[i] =
        from->function_stored[made->functions.data[i].origin];
  return to;
}
