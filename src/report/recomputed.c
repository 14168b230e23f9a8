/* recomputed.c - see recomputed.h.
 *
 *   %dot.9 = ... metadata={op_name="jit(f)/.../rematted_computation/dot"}
 *   %add.3.remat2 = ...
 *   %7 = ... loc("jit(f)/rematted_computation/dot"(#loc2)) */
#include "report/recomputed.h"

#include "report/where.h"

/* Is the first result of OP called as a clone is: "x.remat", "%x_remat2"? */
static bool
is_named_clone(const struct ir_module *module, op_id op) {
  if (!module->op_result_count[op])
    return false;
  struct span span = module->value_name[ir_result(module, op, 0)];
  struct text name = source_text(module->source, span);
  while (name.size && name.data[name.size - 1] >= '0' &&
         name.data[name.size - 1] <= '9')
    name.size--;
  return text_ends(name, ".remat") || text_ends(name, "_remat");
}

uint64_t *
recomputed_count(struct arena *arena, const struct ir_module *module) {
  uint64_t *counts = ARENA_ARRAY(arena, uint64_t, module->functions.count);
  if (!module->taken)
    return counts;
  struct arena scratch = {0};
  struct where_table *where = where_table_new(&scratch, module);
  const function_id *of = ir_functions_of_ops(module, &scratch);
  for (op_id op = 0; op < module->op_count; op++)
    if (of[op] != NONE &&
        (is_named_clone(module, op) ||
         text_find(where_of(where, op).name, "rematted_computation")))
      counts[of[op]]++;
  arena_empty(&scratch);
  return counts;
}
