/* mlir_dominance.c - uses behind definitions where a region has several
 * blocks.
 *
 * In one block, order in the text is order of execution, and reading found
 * uses before definitions.  Among several blocks a definition must lie on
 * every way from the region's first block to the use.  Dominators are found
 * by the iteration of Cooper, Harvey and Kennedy over blocks in reverse
 * postorder: nearly linear.  Code that cannot be reached may use anything. */
#include "readers/mlir.h"

#include <stdlib.h>

/* Per block of the module. */
struct flow {
  uint32_t *order;  /* number in reverse postorder, NONE: not reached */
  block_id *above;  /* immediate dominator */
  block_id *blocks; /* of a region, in reverse postorder */
  uint32_t *cursor; /* of the walk */
};

/* The terminator's edges of BLOCK. */
static const struct ir_successor *
edges_of(const struct ir_module *m, block_id block, uint32_t *count) {
  uint32_t ops = m->block_op_count[block];
  *count = 0;
  return ops ? ir_op_successors(m, ir_block_op(m, block, ops - 1), count)
             : NULL;
}

/* Number the blocks that are reached from ENTRY; their count. */
static uint32_t
number_blocks(const struct ir_module *m, struct flow *flow, block_id entry,
              block_id *stack) {
  uint32_t depth = 0, count = 0;
  stack[depth++] = entry;
  flow->order[entry] = 0;
  while (depth) {
    block_id block = stack[depth - 1];
    uint32_t edges;
    const struct ir_successor *edge = edges_of(m, block, &edges);
    if (flow->cursor[block] == edges) {
      flow->blocks[count++] = block;
      depth--;
      continue;
    }
    block_id next = edge[flow->cursor[block]++].block;
    if (flow->order[next] == NONE) {
      flow->order[next] = 0;
      stack[depth++] = next;
    }
  }
  for (uint32_t i = 0; i < count / 2; i++) {
    block_id swap = flow->blocks[i];
    flow->blocks[i] = flow->blocks[count - 1 - i];
    flow->blocks[count - 1 - i] = swap;
  }
  for (uint32_t i = 0; i < count; i++)
    flow->order[flow->blocks[i]] = i;
  return count;
}

static block_id
meet(const struct flow *flow, block_id a, block_id b) {
  while (a != b) {
    while (flow->order[a] > flow->order[b])
      a = flow->above[a];
    while (flow->order[b] > flow->order[a])
      b = flow->above[b];
  }
  return a;
}

/* Fill `above` for the COUNT blocks of a region. */
static void
find_dominators(const struct ir_module *m, struct flow *flow, uint32_t count) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < count; i++) {
      block_id block = flow->blocks[i];
      uint32_t edges;
      const struct ir_successor *edge = edges_of(m, block, &edges);
      for (uint32_t k = 0; k < edges; k++) {
        block_id next = edge[k].block, old = flow->above[next];
        if (flow->order[next] == 0)
          continue;
        block_id new = old == NONE ? block : meet(flow, old, block);
        changed |= new != old;
        flow->above[next] = new;
      }
    }
  }
}

/* Does A dominate B, both of one region? */
static bool
dominates(const struct flow *flow, block_id a, block_id b) {
  if (flow->order[b] == NONE)
    return true;
  if (flow->order[a] == NONE)
    return false;
  while (flow->order[b] > flow->order[a])
    b = flow->above[b];
  return a == b;
}

/* Is USE of OP behind the definition of its value? */
static bool
is_ordered(const struct mlir *r, const struct flow *flow, op_id op,
           value_id value) {
  const struct ir_module *m = r->module;
  op_id definition = ir_value_op(m, value);
  block_id block =
      definition != NONE ? m->op_block[definition] : ir_value_block(m, value);
  if (block == NONE)
    return true;
  region_id region = m->block_region[block];
  if (m->region_op[region] != NONE &&
      m->op_flags[m->region_op[region]] & OP_MODULE)
    return true;
  while (op != NONE && m->op_block[op] != NONE &&
         m->block_region[m->op_block[op]] != region)
    op = ir_parent_op(m, op);
  if (op == NONE || m->op_block[op] == NONE)
    return true;
  if (m->op_block[op] == block)
    return definition == NONE || definition < op;
  return dominates(flow, block, m->op_block[op]);
}

static bool
check_uses(struct mlir *r, const struct flow *flow) {
  const struct ir_module *m = r->module;
  for (op_id op = 0; op < m->op_count; op++) {
    for (uint32_t i = 0; i < m->op_use_count[op]; i++) {
      uint32_t use = m->op_first_use[op] + i;
      value_id value = m->use_value[use];
      if (is_ordered(r, flow, op, value))
        continue;
      const char *begin = r->text + m->use_text[use].begin;
      const char *end = r->text + m->use_text[use].end;
      mlir_error(r, begin, end,
                 "'%.*s' is used where it may not have been defined",
                 (int)(end - begin), begin);
      struct span name = m->value_name[value];
      mlir_note(r, r->text + name.begin, r->text + name.end,
                "it is defined here");
      return false;
    }
  }
  return true;
}

bool
mlir_dominance(struct mlir *r) {
  const struct ir_module *m = r->module;
  uint32_t blocks = m->block_count;
  struct flow flow = {ARENA_ARRAY(&r->scratch, uint32_t, blocks),
                      ARENA_ARRAY(&r->scratch, block_id, blocks),
                      ARENA_ARRAY(&r->scratch, block_id, blocks),
                      ARENA_ARRAY(&r->scratch, uint32_t, blocks)};
  block_id *stack = ARENA_ARRAY(&r->scratch, block_id, blocks);
  for (block_id block = 0; block < blocks; block++)
    flow.order[block] = flow.above[block] = NONE;
  for (region_id region = 0; region < m->region_count; region++) {
    block_id entry = m->region_block[region];
    if (entry == NONE)
      continue;
    uint32_t count = number_blocks(m, &flow, entry, stack);
    find_dominators(m, &flow, count);
  }
  return check_uses(r, &flow);
}
