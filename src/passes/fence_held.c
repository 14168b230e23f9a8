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
 * that.  So plans are made as well where such values are nodes.  There are two
 * kinds: a value that is compact beside what it is made of, as a mask of the
 * numbers that it was drawn from; and one that a single op reads late and that
 * is made of two stored values or more of at least its size.
 *
 * O(values and what they are made of). */
#include "passes/fence.h"

/* How often a compact value goes into the heaviest of what it is made of: a
 * bf16 in an f32. */
enum { COMPACT = 2 };

static bool
is_of_block(const struct stored *s, uint32_t leaf, block_id block) {
  op_id from = ir_value_op(s->module, s->leaf_value[leaf]);
  return from != NONE && s->module->op_block[from] == block &&
         s->how[s->leaf_value[leaf]] != STORED_ARGUMENT;
}

/* The kinds that the result VALUE of OP is of. */
static uint32_t
kinds_of(const struct stored *s, op_id op, value_id value) {
  uint32_t leaf = facts_first_leaf(s->facts, value), heavy = 0;
  uint64_t bytes = s->facts->leaf_bytes[leaf], heaviest = 0;
  if (s->how[value] != STORED_FUSED || s->whole[value] || !bytes ||
      !s->readers[value] || s->base[leaf] != leaf ||
      facts_of(s->facts, op)->reuses != OPERAND_ANY)
    return 0;
  struct stored_roots roots = s->leaf[leaf];
  for (uint32_t i = 0; i < roots.count; i++) {
    uint32_t root = s->roots.data[roots.first + i];
    if (!is_of_block(s, root, s->module->op_block[op]))
      continue;
    uint64_t weight = s->facts->leaf_bytes[root];
    heavy += weight >= bytes;
    heaviest = weight > heaviest ? weight : heaviest;
  }
  return (heaviest / COMPACT >= bytes ? HELD_COMPACT : 0) |
         (s->readers[value] == 1 && heavy > 1 ? HELD_LATE : 0);
}

bool *
fence_held(const struct stored *s, uint32_t kinds, struct arena *arena) {
  const struct ir_module *m = s->module;
  bool *held = ARENA_ARRAY(arena, bool, m->value_count);
  uint32_t found = 0;
  for (op_id op = 0; op < m->op_count; op++) {
    if (m->op_block[op] == NONE || m->op_result_count[op] != 1 ||
        !s->facts->block_stored[m->op_block[op]] || !s->fuses[op] ||
        s->view[op])
      continue;
    uint32_t is = kinds & kinds_of(s, op, m->op_first_result[op]);
    held[m->op_first_result[op]] = is != 0;
    found |= is;
  }
  return found == kinds ? held : NULL;
}
