/* fused_blocks.c - see fused.h: what passes between blocks of one region.
 *
 *   ^a: %0 = dot ...        %0 crosses: it lives to the end of ^a,
 *       br ^b                    all through ^b,
 *   ^b: br ^c                    and all through ^c
 *   ^c: %1 = tanh %0
 *
 * From each block that reads a value of another one the way is followed back
 * to where it is made.  What a block takes as arguments is there all the while
 * it runs, and what is handed to it is the other block's until it ends.
 * Nearly all programs have one block a region: for these nothing is done.
 * O(uses + the blocks that each value is live in, sorted). */
#include "passes/fused.h"

#include <stdlib.h>

/* A leaf, made in HOME, is read in READER. */
struct reading {
  uint32_t leaf;
  block_id home, reader;
};

struct crossing {
  struct fused *fused;
  const struct ir_module *m;
  uint32_t *pred_begin; /* by block + 1, into PREDS */
  block_id *preds;
  uint32_t *seen; /* by block: the leaf that it was seen for last, + 1 */
  VECTOR(struct reading) readings;
  VECTOR(block_id) stack;
};

static bool
has_several(const struct ir_module *m) {
  for (region_id r = 0; r < m->region_count; r++)
    if (m->region_block[r] != NONE && m->block_next[m->region_block[r]] != NONE)
      return true;
  return false;
}

/* The block of REGION that BLOCK is, or stands inside of; NONE if it does
 * not. */
static block_id
block_in(const struct ir_module *m, block_id block, region_id region) {
  while (block != NONE && m->block_region[block] != region) {
    op_id op = m->region_op[m->block_region[block]];
    block = op == NONE ? NONE : m->op_block[op];
  }
  return block;
}

static void
find_predecessors(struct crossing *c) {
  const struct ir_module *m = c->m;
  struct arena *arena = c->fused->arena;
  c->pred_begin = ARENA_ARRAY(arena, uint32_t, (size_t)m->block_count + 2);
  c->preds = ARENA_ARRAY(arena, block_id, m->successors.count);
  for (uint32_t i = 0; i < m->successors.count; i++)
    c->pred_begin[m->successors.data[i].block + 2]++;
  for (block_id b = 0; b < m->block_count; b++)
    c->pred_begin[b + 2] += c->pred_begin[b + 1];
  for (uint32_t i = 0; i < m->successors.count; i++) {
    const struct ir_successor *s = &m->successors.data[i];
    c->preds[c->pred_begin[s->block + 1]++] = m->op_block[s->op];
  }
}

/* The leaf of READING is there all the while its reader runs, and in what
 * leads there. */
static void
reach(struct crossing *c, struct reading reading) {
  uint64_t bytes = c->fused->facts->leaf_bytes[reading.leaf];
  c->stack.count = 0;
  vector_push(c->fused->arena, &c->stack, reading.reader);
  c->seen[reading.home] = reading.leaf + 1;
  while (c->stack.count) {
    block_id block = c->stack.data[--c->stack.count];
    if (c->seen[block] == reading.leaf + 1)
      continue;
    c->seen[block] = reading.leaf + 1;
    c->fused->block_outside[block] =
        saturating_add(c->fused->block_outside[block], bytes);
    for (uint32_t i = c->pred_begin[block]; i < c->pred_begin[block + 1]; i++)
      vector_push(c->fused->arena, &c->stack, c->preds[i]);
  }
}

static int
compare_readings(const void *a, const void *b) {
  const struct reading *x = a, *y = b;
  return x->leaf < y->leaf ? -1 : x->leaf > y->leaf;
}

/* Is VALUE one of the first block of a function or a region: the caller's, or
 * of the op around? */
static bool
is_given(const struct ir_module *m, value_id value) {
  if (ir_value_op(m, value) != NONE)
    return false;
  block_id block = ir_value_block(m, value);
  return m->region_block[m->block_region[block]] == block;
}

/* OP reads LEAF by way of VALUE. */
static void
note_leaf(struct crossing *c, op_id op, value_id value, uint32_t leaf,
          bool branch) {
  const struct stored *s = c->fused->stored;
  value_id made = s->leaf_value[leaf];
  op_id from = ir_value_op(c->m, made);
  block_id home =
      from == NONE ? ir_value_block(c->m, made) : c->m->op_block[from];
  block_id reader =
      block_in(c->m, c->m->op_block[op], c->m->block_region[home]);
  if (reader == home && !branch)
    return;
  c->fused->value_crosses[value] |= reader != home;
  if (is_given(c->m, made) ||
      (from != NONE &&
       (s->how[made] == STORED_LITERAL || s->how[made] == STORED_ABSENT)))
    return;
  c->fused->crosses[leaf] = true;
  if (reader != home && reader != NONE)
    vector_push(c->fused->arena, &c->readings,
                ((struct reading){leaf, home, reader}));
}

static void
note_op(struct crossing *c, op_id op) {
  const struct stored *s = c->fused->stored;
  uint32_t branches = 0;
  if (c->m->op_block[op] == NONE)
    return;
  ir_op_successors(c->m, op, &branches);
  for (uint32_t i = 0; i < c->m->op_use_count[op]; i++) {
    value_id value = ir_operand(c->m, op, i);
    for (uint32_t l = facts_first_leaf(s->facts, value);
         l < facts_first_leaf(s->facts, value + 1); l++)
      note_leaf(c, op, value, s->base[l], branches > 0);
  }
}

/* What blocks but the first take as arguments. */
static void
add_arguments(struct crossing *c, block_id block) {
  const struct ir_module *m = c->m;
  value_id first = m->block_first_argument[block];
  uint32_t count = m->block_argument_count[block];
  if (m->region_block[m->block_region[block]] == block)
    return;
  for (value_id value = first; value < first + count; value++)
    c->fused->block_outside[block] =
        saturating_add(c->fused->block_outside[block],
                       facts_value_bytes(c->fused->facts, value));
}

void
fused_find_crossing(struct fused *fused) {
  const struct ir_module *m = fused->module;
  struct crossing c = {.fused = fused, .m = m};
  if (!has_several(m))
    return;
  fused->block_outside = ARENA_ARRAY(fused->arena, uint64_t, m->block_count);
  fused->crosses = ARENA_ARRAY(fused->arena, bool, fused->facts->leaf_count);
  fused->value_crosses = ARENA_ARRAY(fused->arena, bool, m->value_count);
  c.seen = ARENA_ARRAY(fused->arena, uint32_t, m->block_count);
  find_predecessors(&c);
  for (op_id op = 0; op < m->op_count; op++)
    note_op(&c, op);
  if (c.readings.count)
    qsort(c.readings.data, c.readings.count, sizeof *c.readings.data,
          compare_readings);
  for (uint32_t i = 0; i < c.readings.count; i++)
    reach(&c, c.readings.data[i]);
  for (block_id b = 0; b < m->block_count; b++)
    add_arguments(&c, b);
}
