/* projection.c - see projection.h. */
#include "passes/projection.h"

void
projection_count(struct projection *projection, const uint8_t *selected,
                 op_id op) {
  const struct reads *reads = &projection->reads;
  uint8_t mark = selected[op];
  uint64_t forward = 0, backward = 0;
  uint32_t end = mark & PLAN_SELECTED ? reads->reader_first[op + 1] : 0;
  for (uint32_t i = reads->reader_first[op]; i < end; i++) {
    op_id reader = reads->readers[i];
    bool late = selected[reader] & PLAN_BACKWARD;
    bool kept = projection->kept[reader];
    forward = saturating_add(forward, projection->forward[reader]);
    forward = saturating_add(forward, kept && !late);
    backward = saturating_add(backward, projection->backward[reader]);
    backward = saturating_add(backward, kept && late);
  }
  projection->kept[op] = !forward && !backward;
  if (mark & PLAN_SCOPED) {
    projection->kept[op] |= forward > 0;
    forward = 0;
  } else if (mark & PLAN_BACKWARD) {
    backward = saturating_add(forward, backward);
    forward = 0;
  }
  projection->forward[op] = forward;
  projection->backward[op] = backward;
}

void
projection_build(struct projection *projection, const struct ir_module *module,
                 const uint8_t *selected, struct arena *arena) {
  reads_build(&projection->reads, module, selected, arena);
  projection->forward = ARENA_ARRAY(arena, uint64_t, module->op_count);
  projection->backward = ARENA_ARRAY(arena, uint64_t, module->op_count);
  projection->kept = ARENA_ARRAY(arena, bool, module->op_count);
  for (op_id op = module->op_count; op-- > 0;)
    projection_count(projection, selected, op);
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
