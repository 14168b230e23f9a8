/* fence_held.c - see fence.h: what is better kept than computed late.
 *
 *   %a = dot ...   1 MiB          %a = dot ...
 *   %b = dot ...   1 MiB          %b = dot ...
 *                                 %s = add %a, %b        held: 1 MiB from here
 *   (much else)             ==>   (much else)
 *   %s = add %a, %b
 *   %w1 = subtract %w, %s         %w1 = subtract %w, %s
 *
 * A fusing compiler computes %s inside of its reader, and keeps %a and %b until
 * then.  A fence that %s passes makes it compute %s where it stands, and keep
 * that.  So plans are made as well where such values are nodes: those that one
 * op reads and that are made of two stored values or more of at least their
 * size.  O(values and what they are made of). */
#include "passes/fence.h"

static bool
is_of_block(const struct stored *s, uint32_t leaf, block_id block) {
  op_id from = ir_value_op(s->module, s->leaf_value[leaf]);
  return from != NONE && s->module->op_block[from] == block &&
         s->how[s->leaf_value[leaf]] != STORED_ARGUMENT;
}

/* Is the result VALUE of OP worth to be kept? */
static bool
is_worth(const struct stored *s, op_id op, value_id value) {
  uint32_t leaf = facts_first_leaf(s->facts, value), heavy = 0;
  uint64_t bytes = s->facts->leaf_bytes[leaf];
  if (s->how[value] != STORED_FUSED || s->whole[value] || !bytes ||
      s->readers[value] != 1 || s->base[leaf] != leaf ||
      facts_of(s->facts, op)->reuses != OPERAND_ANY)
    return false;
  struct stored_roots roots = s->leaf[leaf];
  for (uint32_t i = 0; i < roots.count; i++) {
    uint32_t root = s->roots.data[roots.first + i];
    heavy += s->facts->leaf_bytes[root] >= bytes &&
             is_of_block(s, root, s->module->op_block[op]);
  }
  return heavy > 1;
}

bool *
fence_held(const struct stored *s, struct arena *arena) {
  const struct ir_module *m = s->module;
  bool *held = ARENA_ARRAY(arena, bool, m->value_count), any = false;
  for (op_id op = 0; op < m->op_count; op++)
    if (m->op_block[op] != NONE && m->op_result_count[op] == 1 &&
        s->facts->block_stored[m->op_block[op]] && s->fuses[op] &&
        !s->view[op] && is_worth(s, op, m->op_first_result[op]))
      any = held[m->op_first_result[op]] = true;
  return any ? held : NULL;
}
