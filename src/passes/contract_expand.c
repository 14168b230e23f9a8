/* contract_expand.c - see contract.h: from nodes back to ops.
 *
 * A virtual op stands right before the first node that reads through it.  It
 * is made again where the storage below it was made again since: then its
 * newest instance shows the newest storage, which is what readers of the
 * newest instance expect.  O(ops and uses emitted). */
#include "passes/contract.h"

struct expanding {
  const struct contraction *c;
  const struct contractor *k;
  const struct ir_module *m;
  struct arena *arena;
  VECTOR(op_id) ops;
  uint32_t *made;     /* by op of the block: its newest place + 1, 0 none */
  uint32_t *instance; /* by planning value: place + 1 of its newest instance */
  VECTOR(op_id) stack;
};

static uint32_t *
made_of(struct expanding *e, op_id op) {
  return &e->made[op - ir_block_op(e->m, e->c->block, 0)];
}

/* Is OP a virtual op of the block? */
static bool
is_virtual(const struct expanding *e, op_id op) {
  return op != NONE && e->m->op_block[op] == e->c->block &&
         e->k->op_node[op] == PLAN_NONE &&
         !(e->m->op_flags[op] & OP_TERMINATOR);
}

/* Must OP be made, because it was not yet or shows what is no longer the
 * newest?  Roots are those of all that is below, so no other virtual op needs
 * to be asked. */
static bool
is_stale(struct expanding *e, op_id op) {
  const struct facts *facts = e->k->facts;
  uint32_t made = *made_of(e, op);
  if (!made)
    return true;
  for (uint32_t i = 0; i < e->m->op_use_count[op]; i++) {
    value_id value = ir_operand(e->m, op, i);
    uint32_t end = facts_first_leaf(facts, value + 1);
    for (uint32_t l = facts_first_leaf(facts, value); l < end; l++)
      for (uint32_t r = 0; r < e->k->leaf[l].count; r++)
        if (e->instance[e->k->roots.data[e->k->leaf[l].first + r]] > made)
          return true;
  }
  return false;
}

static void
emit(struct expanding *e, op_id op) {
  vector_push(e->arena, &e->ops, op);
  *made_of(e, op) = e->ops.count;
}

/* Make what OP reads through virtual ops, those first that others read.  Each
 * op is looked at twice: when it is found, and when all below it is made. */
static void
emit_virtuals(struct expanding *e, op_id op) {
  e->stack.count = 0;
  for (op_id inner = op; inner < e->k->op_end[op]; inner++)
    for (uint32_t i = e->m->op_use_count[inner]; i-- > 0;)
      if (is_virtual(e, ir_value_op(e->m, ir_operand(e->m, inner, i))))
        vector_push(e->arena, &e->stack,
                    ir_value_op(e->m, ir_operand(e->m, inner, i)));
  const op_id found = 0x80000000u;
  while (e->stack.count) {
    op_id top = e->stack.data[e->stack.count - 1];
    if (top & found) {
      e->stack.count--;
      if (is_stale(e, top & ~found))
        emit(e, top & ~found);
      continue;
    }
    if (!is_stale(e, top)) {
      e->stack.count--;
      continue;
    }
    e->stack.data[e->stack.count - 1] |= found;
    for (uint32_t i = e->m->op_use_count[top]; i-- > 0;) {
      op_id source = ir_value_op(e->m, ir_operand(e->m, top, i));
      if (is_virtual(e, source))
        vector_push(e->arena, &e->stack, source);
    }
  }
}

static void
emit_node(struct expanding *e, uint32_t node) {
  const struct plan_problem *problem = e->c->problem;
  if (e->c->node_op[node] != NONE) {
    emit_virtuals(e, e->c->node_op[node]);
    emit(e, e->c->node_op[node]);
  }
  for (uint32_t v = problem->result_begin[node];
       v < problem->result_begin[node + 1]; v++)
    e->instance[v] = e->ops.count;
}

/* Is a result of OP needed when the block ends? */
static bool
is_returned(const struct expanding *e, op_id op) {
  for (uint32_t r = 0; r < e->m->op_result_count[op]; r++)
    if (e->k->returned[ir_result(e->m, op, r)])
      return true;
  return false;
}

/* What the block hands on at its end. */
static void
emit_end(struct expanding *e) {
  uint32_t count = e->m->block_op_count[e->c->block];
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(e->m, e->c->block, i);
    bool ends = (e->m->op_flags[op] & OP_TERMINATOR) != 0;
    if (!ends && !(is_virtual(e, op) && is_returned(e, op)))
      continue;
    emit_virtuals(e, op);
    if (ends || is_stale(e, op))
      emit(e, op);
  }
}

struct plan_block
contraction_expand(const struct contraction *contraction,
                   struct plan_sequence sequence, struct arena *arena) {
  const struct ir_module *m = contraction->contractor->module;
  uint32_t count = m->block_op_count[contraction->block];
  op_id first = count ? ir_block_op(m, contraction->block, 0) : 0;
  op_id last = count ? ir_block_op(m, contraction->block, count - 1) : 0;
  struct expanding e = {
      .c = contraction,
      .k = contraction->contractor,
      .m = m,
      .arena = arena,
      .made = ARENA_ARRAY(arena, uint32_t, last - first + 1),
      .instance =
          ARENA_ARRAY(arena, uint32_t, contraction->problem->value_count)};
  for (uint32_t i = 0; i < sequence.count; i++)
    emit_node(&e, sequence.nodes[i]);
  emit_end(&e);
  return (struct plan_block){
      .block = contraction->block, .count = e.ops.count, .ops = e.ops.data};
}
