/* stored_carried.c - what loops hand on as they got it.
 *
 *   %1:2 = while (%a = %x, %b = %0) {   %1#0 is %x itself: no copy is made
 *     ...                               of it, for nothing changes it
 *     return %a, %c
 *   }
 *
 * Asked again until nothing changes, for an inner loop may hand on what an
 * outer one does: as often as loops are nested.  O(leaves of carries). */
#include "passes/stored.h"

#include "passes/flow.h"

uint32_t
stored_origin(const struct stored *s, uint32_t leaf) {
  for (;;) {
    leaf = s->base[leaf];
    if (!s->leaf_carried[leaf])
      return leaf;
    value_id value = s->leaf_value[leaf];
    op_id op = ir_value_op(s->module, value);
    uint32_t operand = (uint32_t)facts_of(s->facts, op)->carries_operand +
                       ir_value_index(s->module, value);
    leaf = leaf - facts_first_leaf(s->facts, value) +
           facts_first_leaf(s->facts, ir_operand(s->module, op, operand));
  }
}

/* Look at result INDEX of the loop OP, whose BODY gets it as ARGUMENT. */
static bool
look_at(struct stored *s, op_id op, const struct flow_body *body,
        uint32_t index) {
  const struct ir_module *m = s->module;
  const struct op_facts *f = facts_of(s->facts, op);
  value_id argument =
      flow_argument(m, body, (uint32_t)f->carries_argument + index);
  value_id yield = flow_yield(m, s->facts, body, index);
  value_id result = ir_result(m, op, index);
  bool changed = false;
  if (argument == NONE || yield == NONE ||
      (uint32_t)f->carries_operand + index >= m->op_use_count[op])
    return false;
  uint32_t to = facts_first_leaf(s->facts, result);
  uint32_t count = facts_first_leaf(s->facts, result + 1) - to;
  uint32_t from = facts_first_leaf(s->facts, argument);
  uint32_t given = facts_first_leaf(s->facts, yield);
  if (facts_first_leaf(s->facts, argument + 1) - from != count ||
      facts_first_leaf(s->facts, yield + 1) - given != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!s->leaf_carried[to + i] && s->base[to + i] == to + i &&
        stored_origin(s, given + i) == s->base[from + i])
      changed = s->leaf_carried[to + i] = true;
  return changed;
}

static bool
look_at_loop(struct stored *s, op_id op) {
  struct flow_body bodies[3];
  const struct ir_module *m = s->module;
  if (facts_of(s->facts, op)->carries_operand < 0 ||
      facts_of(s->facts, op)->body != BODY_LOOP)
    return false;
  uint32_t count = flow_bodies(m, s->facts, NULL, op, bodies, 3);
  bool changed = false;
  for (uint32_t b = 0; b < count && count < 3; b++)
    for (uint32_t i = 0; !bodies[b].condition && i < m->op_result_count[op];
         i++)
      changed |= look_at(s, op, &bodies[b], i);
  return changed;
}

void
stored_find_carried(struct stored *s) {
  for (bool changed = true; changed;) {
    changed = false;
    for (op_id op = s->module->op_count; op-- > 0;)
      changed |= look_at_loop(s, op);
  }
}
