/* verify_order.c - every use is dominated by its definition.
 *
 * In one block an op with a lower number stands before one with a higher.
 * Between the blocks of a region dominators decide: found by the usual
 * iteration over reverse post-order, for regions of several blocks alone.
 * O(ops + uses x depth of nesting), and O(blocks x edges) at worst. */
#include "passes/verify.h"

#include <string.h>

struct order {
  const struct ir_module *m;
  struct arena *arena;
  block_id *idom;   /* by block: its immediate dominator; itself for a first
                       block; NONE where nothing reaches it */
  uint32_t *number; /* by block: in reverse post-order */
};

struct visit {
  block_id block;
  uint32_t next; /* of its edges */
};

/* The edges out of BLOCK: successors of its last op. */
static const struct ir_successor *
edges_of(const struct ir_module *m, block_id block, uint32_t *count) {
  *count = 0;
  if (!m->block_op_count[block])
    return NULL;
  op_id last = ir_block_op(m, block, m->block_op_count[block] - 1);
  return ir_op_successors(m, last, count);
}

/* The blocks that FIRST reaches in post-order; gives them numbers. */
static block_id *
post_order(struct order *o, block_id first, uint32_t *count) {
  VECTOR(block_id) done = {0};
  VECTOR(struct visit) stack = {0};
  bool *seen = ARENA_ARRAY(o->arena, bool, o->m->block_count);
  vector_push(o->arena, &stack, ((struct visit){first, 0}));
  seen[first] = true;
  while (stack.count) {
    struct visit *top = &stack.data[stack.count - 1];
    uint32_t edges;
    const struct ir_successor *edge = edges_of(o->m, top->block, &edges);
    if (top->next == edges) {
      o->number[top->block] = done.count;
      vector_push(o->arena, &done, top->block);
      stack.count--;
      continue;
    }
    block_id to = edge[top->next++].block;
    if (!seen[to]) {
      seen[to] = true;
      vector_push(o->arena, &stack, ((struct visit){to, 0}));
    }
  }
  *count = done.count;
  return done.data;
}

/* Where the ways up from A and B meet. */
static block_id
meet(const struct order *o, block_id a, block_id b) {
  while (a != b) {
    while (o->number[a] < o->number[b])
      a = o->idom[a];
    while (o->number[b] < o->number[a])
      b = o->idom[b];
  }
  return a;
}

static void
find_dominators(struct order *o, block_id first) {
  uint32_t count, edges;
  block_id *blocks = post_order(o, first, &count);
  o->idom[first] = first;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = count; i-- > 0;) {
      const struct ir_successor *edge = edges_of(o->m, blocks[i], &edges);
      for (uint32_t e = 0; e < edges && o->idom[blocks[i]] != NONE; e++) {
        block_id to = edge[e].block;
        block_id now = o->idom[to] == NONE ? blocks[i]
                       : to == first       ? first
                                           : meet(o, o->idom[to], blocks[i]);
        changed |= now != o->idom[to];
        o->idom[to] = now;
      }
    }
  }
}

static struct order
new_order(const struct ir_module *m, struct arena *arena) {
  struct order o = {m, arena, ARENA_ARRAY(arena, block_id, m->block_count),
                    ARENA_ARRAY(arena, uint32_t, m->block_count)};
  memset(o.idom, 0xff, m->block_count * sizeof *o.idom);
  for (region_id region = 0; region < m->region_count; region++) {
    block_id first = m->region_block[region];
    if (first != NONE && m->block_next[first] != NONE)
      find_dominators(&o, first);
  }
  return o;
}

/* Is A on every way to B?  True where no way leads to B. */
static bool
dominates(const struct order *o, block_id a, block_id b) {
  if (o->idom[b] == NONE)
    return true;
  while (b != a && o->idom[b] != b)
    b = o->idom[b];
  return a == b;
}

/* Is VALUE there when OP runs? */
static bool
is_there(const struct order *o, op_id op, value_id value) {
  const struct ir_module *m = o->m;
  op_id definition = ir_value_op(m, value);
  block_id block =
      definition == NONE ? ir_value_block(m, value) : m->op_block[definition];
  if (block == NONE)
    return m->op_block[op] != NONE || definition < op;
  if (m->op_block[op] == block)
    return definition == NONE || definition < op;
  while (op != NONE && m->op_block[op] != NONE &&
         m->block_region[m->op_block[op]] != m->block_region[block])
    op = ir_parent_op(m, op);
  if (op == NONE || m->op_block[op] == NONE)
    return false;
  if (m->op_block[op] == block)
    return definition == NONE || definition < op;
  return dominates(o, block, m->op_block[op]);
}

const char *
verify_order(const struct ir_module *made, struct arena *arena) {
  const struct ir_module *base = made->base;
  struct order now = new_order(made, arena), old = {.m = NULL};
  for (op_id op = 0; op < made->op_count; op++)
    for (uint32_t i = 0; i < made->op_use_count[op]; i++) {
      value_id value = ir_operand(made, op, i);
      op_id from = made->op_origin[op];
      if (value < made->value_count && is_there(&now, op, value))
        continue;
      if (!old.m && from != NONE)
        old = new_order(base, arena);
      if (value < made->value_count && from != NONE &&
          !is_there(&old, from, ir_operand(base, from, i)))
        continue;
      struct text name = ir_op_name(made, op);
      return arena_printf(arena,
                          "operand %u of %.*s (op %u of the input) is read "
                          "before it is there",
                          i, (int)name.size, name.data, from);
    }
  return NULL;
}
