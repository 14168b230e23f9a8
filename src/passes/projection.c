/* projection.c - see projection.h. */
#include "passes/projection.h"

/* The instances that OP will have in either phase; all its readers are
 * counted. */
static void
settle(struct projection *projection, const uint8_t *selected, op_id op) {
  uint64_t forward = projection->forward[op];
  uint64_t backward = projection->backward[op];
  uint8_t mark = selected[op];
  if (!(mark & PLAN_SELECTED) || (!forward && !backward)) {
    projection->kept[op] = true;
    projection->forward[op] = projection->backward[op] = 0;
    return;
  }
  projection->kept[op] = false;
  if (mark & PLAN_SCOPED) {
    projection->kept[op] = forward > 0;
    projection->forward[op] = 0;
  } else if (mark & PLAN_BACKWARD) {
    projection->backward[op] = saturating_add(forward, backward);
    projection->forward[op] = 0;
  }
}

void
projection_build(struct projection *projection, const struct ir_module *module,
                 const uint8_t *selected, struct arena *arena) {
  reads_build(&projection->reads, module, selected, arena);
  projection->forward = ARENA_ARRAY(arena, uint64_t, module->op_count);
  projection->backward = ARENA_ARRAY(arena, uint64_t, module->op_count);
  projection->kept = ARENA_ARRAY(arena, bool, module->op_count);
  const struct reads *reads = &projection->reads;
  for (op_id op = module->op_count; op-- > 0;) {
    settle(projection, selected, op);
    uint64_t forward = projection->forward[op];
    uint64_t backward = projection->backward[op];
    bool is_backward = selected[op] & PLAN_BACKWARD;
    forward = saturating_add(forward, projection->kept[op] && !is_backward);
    backward = saturating_add(backward, projection->kept[op] && is_backward);
    for (uint32_t i = reads->first[op]; i < reads->first[op + 1]; i++) {
      op_id producer = reads->producers[i];
      projection->forward[producer] =
          saturating_add(projection->forward[producer], forward);
      projection->backward[producer] =
          saturating_add(projection->backward[producer], backward);
    }
  }
}

/* By op: how many ops one instance of it is in what is emitted. */
static uint64_t *
emitted_sizes(const struct projection *projection,
              const struct ir_module *module, struct arena *arena) {
  uint64_t *sizes = ARENA_ARRAY(arena, uint64_t, module->op_count);
  for (op_id op = module->op_count; op-- > 0;) {
    op_id around = ir_parent_op(module, op);
    sizes[op] = saturating_add(sizes[op], 1);
    if (around == NONE)
      continue;
    uint64_t instances =
        saturating_add(projection_clones(projection, op), projection->kept[op]);
    sizes[around] = saturating_add(sizes[around],
                                   saturating_multiply(instances, sizes[op]));
  }
  return sizes;
}

/* Does OP stand directly in FUNCTION's body? */
static bool
in_body(const struct ir_module *module, op_id op, function_id function) {
  return module->block_region[module->op_block[op]] ==
         module->functions.data[function].body;
}

struct projection_totals *
projection_totals(const struct projection *projection,
                  const struct ir_module *module, struct arena *arena) {
  struct projection_totals *totals =
      ARENA_ARRAY(arena, struct projection_totals, module->functions.count);
  uint64_t *sizes = emitted_sizes(projection, module, arena);
  function_id *of = ir_functions_of_ops(module, arena);
  bool *stays = ARENA_ARRAY(arena, bool, module->op_count);
  for (op_id op = 0; op < module->op_count; op++) {
    op_id around = ir_parent_op(module, op);
    stays[op] = projection->kept[op] && (around == NONE || stays[around]);
    if (of[op] == NONE)
      continue;
    struct projection_totals *total = &totals[of[op]];
    total->ops_in++;
    total->erased += !stays[op];
    if (!in_body(module, op, of[op]))
      continue;
    uint64_t instances =
        saturating_add(projection_clones(projection, op), projection->kept[op]);
    total->ops_out = saturating_add(total->ops_out,
                                    saturating_multiply(instances, sizes[op]));
  }
  for (function_id f = 0; f < module->functions.count; f++)
    totals[f].clones =
        totals[f].ops_out == UINT64_MAX
            ? UINT64_MAX
            : totals[f].ops_out + totals[f].erased - totals[f].ops_in;
  return totals;
}
