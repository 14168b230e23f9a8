/* expand.c - see expand.h.
 *
 *   %a = f %x   selected          %b = g %x
 *   %b = g %x             ==>     %a' = f %x
 *   %c = h %a, %b                 %c = h %a', %b
 *
 * Walking the selected ops in reverse program order and putting a clone right
 * before each reader, clones included, gives the same order: what is put
 * first stands farthest from the reader.
 *
 * Cost: O(ops emitted). */
#include "passes/expand.h"

/* An instance whose clones are being put in. */
struct frame {
  op_id op;
  bool backward;
  uint32_t next; /* of its producers */
};

struct expander {
  const struct ir_module *module;
  const struct projection *projection;
  const uint8_t *selected;
  struct arena *arena;
  bool phases; /* some op is selected for backward readers alone */
  VECTOR(struct frame) stack;
  VECTOR(op_id) ops;
  VECTOR(bool) backward;
};

static void
push_frame(struct expander *e, op_id op, bool backward) {
  bool is = backward || (e->selected[op] & PLAN_BACKWARD);
  struct frame frame = {op, is, e->projection->reads.first[op]};
  vector_push(e->arena, &e->stack, frame);
}

/* Put OP behind the clones that it reads. */
static void
emit_tree(struct expander *e, op_id op) {
  const struct reads *reads = &e->projection->reads;
  push_frame(e, op, false);
  while (e->stack.count) {
    struct frame *top = &e->stack.data[e->stack.count - 1];
    if (top->next == reads->first[top->op + 1]) {
      vector_push(e->arena, &e->ops, top->op);
      if (e->phases)
        vector_push(e->arena, &e->backward, top->backward);
      e->stack.count--;
      continue;
    }
    op_id producer = reads->producers[top->next++];
    if (top->backward || !(e->selected[producer] & PLAN_SCOPED))
      push_frame(e, producer, top->backward);
  }
}

/* Does anything change in BLOCK? */
static bool
is_touched(const struct expander *e, block_id block) {
  const struct reads *reads = &e->projection->reads;
  for (uint32_t i = 0; i < e->module->block_op_count[block]; i++) {
    op_id op = ir_block_op(e->module, block, i);
    if (!e->projection->kept[op] || reads->first[op] != reads->first[op + 1])
      return true;
  }
  return false;
}

static void
expand_block(struct expander *e, struct plan *plan, block_id block) {
  e->ops.data = NULL;
  e->ops.count = e->ops.capacity = 0;
  e->backward.data = NULL;
  e->backward.count = e->backward.capacity = 0;
  for (uint32_t i = 0; i < e->module->block_op_count[block]; i++) {
    op_id op = ir_block_op(e->module, block, i);
    if (e->projection->kept[op])
      emit_tree(e, op);
  }
  struct plan_block sequence = {.block = block,
                                .count = e->ops.count,
                                .ops = e->ops.data,
                                .backward = e->backward.data};
  vector_push(e->arena, &plan->blocks, sequence);
}

void
expand_selection(struct plan *plan, const struct ir_module *module,
                 const struct projection *projection, struct arena *arena) {
  struct expander e = {.module = module,
                       .projection = projection,
                       .selected = plan->selected,
                       .arena = arena};
  bool *has = ARENA_ARRAY(arena, bool, module->block_count);
  for (uint32_t i = 0; i < plan->blocks.count; i++)
    has[plan->blocks.data[i].block] = true;
  for (op_id op = 0; op < module->op_count; op++)
    e.phases = e.phases || (plan->selected[op] & PLAN_SCOPED);
  for (block_id block = 0; block < module->block_count; block++)
    if (!has[block] && is_touched(&e, block))
      expand_block(&e, plan, block);
}
