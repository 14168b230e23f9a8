/* print_dirty.c - which ops can be printed by copying their text.
 *
 * One sweep over the blocks and one over the ops, from the last to the first,
 * so that a region's op hears of what is inside of it: O(ops + uses). */
#include "ir/printer.h"

#include <string.h>

static bool
names_differ(const struct ir_module *m, op_id op) {
  for (uint32_t i = 0; i < m->op_result_count[op]; i++)
    if (m->value_copy[ir_result(m, op, i)])
      return true;
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    if (m->value_copy[ir_operand(m, op, i)])
      return true;
  return false;
}

static bool
callee_differs(const struct ir_module *m, op_id op) {
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(m, op, &count);
  for (uint32_t i = 0; i < count; i++)
    if (m->functions.data[calls[i].callee].copy)
      return true;
  return false;
}

static bool
control_differs(const struct ir_module *m, op_id op) {
  uint32_t count;
  const struct ir_control *controls = ir_op_controls(m, op, &count);
  for (uint32_t i = 0; i < count; i++)
    if (m->op_copy[controls[i].predecessor])
      return true;
  return false;
}

/* Does OP itself, without its regions, differ from its origin? */
static bool
op_differs(const struct printer *p, op_id op) {
  const struct ir_module *m = p->module;
  if ((m->op_flags[op] & OP_HAS_MARKS) && p->edits && p->edits->dropped)
    return true;
  if (p->of_op && p->of_op[op] != NONE)
    return true;
  if (!m->base || (m->op_flags[op] & OP_ADDED))
    return false;
  return (m->op_flags[op] & OP_BACKWARD) || names_differ(m, op) ||
         (m->calls.count && callee_differs(m, op)) ||
         (m->controls.count && control_differs(m, op));
}

/* Does BLOCK hold other ops, or in another order, than its origin? */
static bool
block_reordered(const struct ir_module *m, block_id block) {
  if (!m->base)
    return false;
  block_id from = m->block_origin[block];
  if (m->block_op_count[block] != m->base->block_op_count[from])
    return true;
  for (uint32_t i = 0; i < m->block_op_count[block]; i++)
    if (m->op_origin[ir_block_op(m, block, i)] != ir_block_op(m->base, from, i))
      return true;
  return false;
}

static bool
arguments_differ(const struct ir_module *m, block_id block) {
  for (uint32_t i = 0; m->base && i < m->block_argument_count[block]; i++)
    if (m->value_copy[m->block_first_argument[block] + i])
      return true;
  return false;
}

/* Which ops are those of functions that get attributes. */
static void
mark_functions(struct printer *p) {
  const struct ir_module *m = p->module;
  if (!p->edits || !p->edits->annotation_count || !m->format->annotate)
    return;
  p->of_op = ARENA_ARRAY(p->scratch, function_id, m->op_count);
  memset(p->of_op, 0xff, m->op_count * sizeof *p->of_op);
  for (function_id f = 0; f < m->functions.count; f++) {
    const struct ir_function *function = &m->functions.data[f];
    function_id from = m->base ? function->origin : f;
    for (uint32_t i = 0; i < p->edits->annotation_count; i++)
      if (p->edits->annotations[i].function == from && function->op != NONE)
        p->of_op[function->op] = f;
  }
}

void
printer_mark_dirty(struct printer *p) {
  const struct ir_module *m = p->module;
  mark_functions(p);
  p->dirty = ARENA_ARRAY(p->scratch, bool, m->op_count);
  p->reordered = ARENA_ARRAY(p->scratch, bool, m->block_count);
  p->changed = ARENA_ARRAY(p->scratch, bool, m->block_count);
  for (block_id block = 0; block < m->block_count; block++) {
    op_id around = m->region_op[m->block_region[block]];
    p->reordered[block] = block_reordered(m, block);
    p->changed[block] = p->reordered[block];
    if (around != NONE && (p->reordered[block] || arguments_differ(m, block)))
      p->dirty[around] = true;
  }
  for (op_id op = m->op_count; op-- > 0;) {
    if (!p->dirty[op])
      p->dirty[op] = op_differs(p, op);
    if (p->dirty[op] && m->op_block[op] != NONE)
      p->changed[m->op_block[op]] = true;
    op_id around = p->dirty[op] ? ir_parent_op(m, op) : NONE;
    if (around != NONE)
      p->dirty[around] = true;
  }
}
