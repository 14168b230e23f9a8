/* alias_place.c - results that are made in the place of an operand.
 *
 *   %1 = dynamic_update_slice %0, %u, %i    %0 is not read again: in its place
 *
 * Not so where the caller holds it, where it is a constant, crosses blocks, or
 * is read by the same op a second time, and not where sizes differ. */
#include "passes/alias.h"

/* Is another operand of OP than INDEX in the set of ROOT? */
static bool
read_twice(struct alias *alias, op_id op, uint32_t index, uint32_t root) {
  const struct ir_module *module = alias->module;
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    uint32_t first,
        count = alias_leaves(alias, ir_operand(module, op, i), &first);
    for (uint32_t k = 0; i != index && k < count; k++)
      if (storage_find(&alias->storage, first + k) == root)
        return true;
  }
  return false;
}

/* Result INDEX of OP takes over operand FROM where that one dies. */
static void
update_in_place(struct alias *alias, op_id op, uint32_t from, uint32_t index) {
  const struct ir_module *module = alias->module;
  struct storage *storage = &alias->storage;
  uint32_t first, made;
  uint32_t count = alias_leaves(alias, ir_operand(module, op, from), &first);
  if (count != alias_leaves(alias, ir_result(module, op, index), &made))
    return;
  for (uint32_t leaf = 0; leaf < count; leaf++) {
    uint32_t root = storage_find(storage, first + leaf);
    uint32_t own = storage_find(storage, made + leaf);
    uint8_t kept = STORAGE_HELD | STORAGE_CROSSES | BUFFER_CONSTANT;
    if (root != own && !(storage->flags[root] & kept) &&
        storage->end[root] == alias->clock->op_end[op] &&
        storage->begin[own] == alias->clock->op_end[op] &&
        storage->bytes[root] != 0 &&
        storage->bytes[root] == storage->bytes[own] &&
        !read_twice(alias, op, from, root))
      storage_unite(storage, root, own);
  }
}

/* In program order: whether an operand dies depends on what was made of it
 * before. */
void
alias_update_ops(struct alias *alias) {
  const struct ir_module *module = alias->module;
  const struct clock *clock = alias->clock;
  for (uint32_t tick = 0; tick < clock->tick_count; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE || clock->op_end[op] != tick)
      continue;
    const struct op_facts *facts = facts_of(alias->facts, op);
    uint32_t results = module->op_result_count[op];
    uint32_t operands = module->op_use_count[op];
    if (facts->inplace == OPERAND_NONE || results > operands)
      continue;
    for (uint32_t i = 0; i < results; i++) {
      uint32_t from = facts->inplace == OPERAND_SAME ? i
                      : facts->inplace == OPERAND_DESTINATION
                          ? operands - results + i
                          : (uint32_t)facts->inplace;
      if (from < operands)
        update_in_place(alias, op, from, i);
    }
  }
}
