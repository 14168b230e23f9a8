/* verify_same.c - the same program: one sweep over the new module.
 *
 * The number of a value is the value of the base that it is an instance of.  An
 * op gets the numbers of its results from its origin if it is the same op with
 * operands of the same numbers, and by induction over program order each value
 * then is what its number says.  That holds for ops that do nothing but make
 * their results; all others must stand in each block exactly as they did.  Ops
 * that were added hand on what they read: barriers, on HLO by way of a tuple.
 *
 * O(ops + uses). */
#include "passes/verify.h"

#include <string.h>

struct proof {
  const struct ir_module *made, *base;
  const struct facts *facts;
  struct arena *arena;
  bool *copied; /* by region: the body of a function's copy, which runs for a
                   clone of the op that calls it */
  value_id *number; /* by value of MADE; NONE where its definition claims none,
                       and for what holds several */
};

static const char *
fault_at(const struct proof *p, op_id op, const char *what) {
  struct text name = ir_op_name(p->made, op);
  return arena_printf(p->arena,
                      "%.*s (op %u of the new program, %u of the "
                      "input): %s",
                      (int)name.size, name.data, op, p->made->op_origin[op],
                      what);
}

/* The number of result INDEX of OP, which was added: that of what it hands on,
 * or NONE. */
static value_id
added_number(const struct proof *p, op_id op, uint32_t index) {
  const struct ir_module *m = p->made;
  struct text name = ir_op_name(m, op);
  if (text_ends(name, ".optimization_barrier"))
    return index < m->op_use_count[op] ? p->number[ir_operand(m, op, index)]
                                       : NONE;
  int64_t element;
  if (!text_is(name, "get-tuple-element") || m->op_use_count[op] != 1 ||
      !ir_attribute_integer(m, op, "index", &element) || element < 0)
    return NONE;
  op_id barrier = ir_value_op(m, ir_operand(m, op, 0));
  if (barrier == NONE || !text_is(ir_op_name(m, barrier), "opt-barrier") ||
      m->op_use_count[barrier] != 1)
    return NONE;
  op_id tuple = ir_value_op(m, ir_operand(m, barrier, 0));
  if (tuple == NONE || !(m->op_flags[tuple] & OP_ADDED) ||
      !text_is(ir_op_name(m, tuple), "tuple") ||
      element >= m->op_use_count[tuple])
    return NONE;
  return p->number[ir_operand(m, tuple, (uint32_t)element)];
}

/* Number all values.  What is handed on is defined before. */
static void
number_values(struct proof *p) {
  const struct ir_module *m = p->made, *base = p->base;
  p->number = ARENA_ARRAY(p->arena, value_id, m->value_count);
  memset(p->number, 0xff, m->value_count * sizeof *p->number);
  for (block_id block = 0; block < m->block_count; block++) {
    block_id from = m->block_origin[block];
    uint32_t count = m->block_argument_count[block];
    for (uint32_t i = 0; i < count && i < base->block_argument_count[from]; i++)
      p->number[m->block_first_argument[block] + i] =
          base->block_first_argument[from] + i;
  }
  for (op_id op = 0; op < m->op_count; op++) {
    op_id from = m->op_origin[op];
    for (uint32_t i = 0; i < m->op_result_count[op]; i++)
      if (from == NONE)
        p->number[ir_result(m, op, i)] = added_number(p, op, i);
      else if (i < base->op_result_count[from])
        p->number[ir_result(m, op, i)] = base->op_first_result[from] + i;
  }
}

/* The number of VALUE. */
static value_id
number_of(const struct proof *p, value_id value) {
  return value < p->made->value_count ? p->number[value] : NONE;
}

/* Does OP, which was added, hand on what it reads, and nothing else? */
static const char *
check_added(const struct proof *p, op_id op) {
  const struct ir_module *m = p->made;
  struct text name = ir_op_name(m, op);
  bool tuple = text_is(name, "tuple") || text_is(name, "opt-barrier");
  if (!(m->op_flags[op] & OP_ADDED) || m->op_region[op] != NONE)
    return fault_at(p, op, "comes from nowhere");
  for (uint32_t i = 0; i < m->op_result_count[op] && !tuple; i++) {
    value_id value = ir_result(m, op, i), number = number_of(p, value);
    if (number == NONE || m->value_origin[value] != number)
      return fault_at(p, op, "hands on what it does not read");
    if (m->value_type[value] != p->base->value_type[number])
      return fault_at(p, op, "hands on a value of another type");
  }
  return NULL;
}

static const char *
check_op(const struct proof *p, op_id op) {
  const struct ir_module *m = p->made, *base = p->base;
  op_id from = m->op_origin[op];
  if (from == NONE)
    return check_added(p, op);
  if (from >= base->op_count || m->op_name[op] != base->op_name[from])
    return fault_at(p, op, "is not the op that it claims to be");
  if (m->op_use_count[op] != base->op_use_count[from] ||
      m->op_result_count[op] != base->op_result_count[from])
    return fault_at(p, op, "has other operands or results");
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    if (number_of(p, ir_operand(m, op, i)) != ir_operand(base, from, i))
      return fault_at(p, op, "reads another value");
  for (uint32_t i = 0; i < m->op_result_count[op]; i++)
    if (m->value_type[ir_result(m, op, i)] !=
            base->value_type[ir_result(base, from, i)] ||
        m->value_origin[ir_result(m, op, i)] != ir_result(base, from, i))
      return fault_at(p, op, "has a result of another type or name");
  block_id block = m->op_block[op];
  bool in_copy = block != NONE && p->copied[m->block_region[block]];
  if (m->op_copy[op] && !in_copy && !p->facts->op_repeatable[from] &&
      !facts_has(p->facts, from, FACT_TERMINATOR) &&
      !(base->op_flags[from] & OP_TERMINATOR))
    return fault_at(p, op, "runs twice, which it may not");
  return NULL;
}

/* The regions of OP are those of its origin, block by block. */
static const char *
check_regions(const struct proof *p, op_id op) {
  const struct ir_module *m = p->made, *base = p->base;
  region_id region = m->op_region[op], from = base->op_region[m->op_origin[op]];
  while (region != NONE && from != NONE && m->region_origin[region] == from) {
    block_id block = m->region_block[region], old = base->region_block[from];
    while (block != NONE && old != NONE && m->block_origin[block] == old &&
           m->block_argument_count[block] == base->block_argument_count[old]) {
      block = m->block_next[block];
      old = base->block_next[old];
    }
    if (block != NONE || old != NONE)
      return fault_at(p, op, "has other blocks");
    region = m->region_next[region];
    from = base->region_next[from];
  }
  return region != NONE || from != NONE ? fault_at(p, op, "has other regions")
                                        : NULL;
}

/* --- what may not run twice --- */

/* Does OP, of the base, have to run exactly once and in its place?  Arguments
 * that are ops may stand anywhere. */
static bool
is_bound(const struct proof *p, op_id op) {
  return !p->facts->op_repeatable[op] &&
         !facts_has(p->facts, op, FACT_ARGUMENT);
}

/* How many ops of BLOCK, in MADE or the base, are arguments. */
static uint32_t
count_arguments(const struct proof *p, const struct ir_module *m,
                block_id block) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->block_op_count[block]; i++) {
    op_id op = ir_block_op(m, block, i);
    op_id from = m->base ? m->op_origin[op] : op;
    count += from != NONE && facts_has(p->facts, from, FACT_ARGUMENT);
  }
  return count;
}

/* The next op from *AT on of BLOCK that is bound, in MADE or the base; NONE at
 * the end. */
static op_id
next_bound(const struct proof *p, const struct ir_module *m, block_id block,
           uint32_t *at) {
  while (*at < m->block_op_count[block]) {
    op_id op = ir_block_op(m, block, (*at)++);
    op_id from = m->base ? m->op_origin[op] : op;
    if (from != NONE && is_bound(p, from))
      return from;
  }
  return NONE;
}

static const char *
check_block(const struct proof *p, block_id block) {
  const struct ir_module *m = p->made, *base = p->base;
  block_id from = m->block_origin[block];
  uint32_t at = 0, old = 0;
  if (count_arguments(p, m, block) != count_arguments(p, base, from))
    return arena_printf(p->arena, "block %u has not all of its arguments",
                        from);
  for (;;) {
    op_id next = next_bound(p, m, block, &at);
    op_id wanted = next_bound(p, base, from, &old);
    if (next != wanted)
      return arena_printf(p->arena,
                          "block %u: ops with effects are not the same ones "
                          "in the same order (op %u of the input)",
                          from, wanted != NONE ? wanted : next);
    if (next == NONE)
      break;
  }
  uint32_t count = m->block_op_count[block];
  uint32_t old_count = base->block_op_count[from];
  if (old_count &&
      (base->op_flags[ir_block_op(base, from, old_count - 1)] &
       OP_TERMINATOR) &&
      (!count || m->op_origin[ir_block_op(m, block, count - 1)] !=
                     ir_block_op(base, from, old_count - 1)))
    return arena_printf(p->arena, "block %u does not end as it did", from);
  return NULL;
}

/* --- what hangs on ops --- */

static const char *
check_successors(const struct proof *p, op_id op) {
  const struct ir_module *m = p->made, *base = p->base;
  op_id from = m->op_origin[op];
  uint32_t count, old_count;
  const struct ir_successor *now = ir_op_successors(m, op, &count);
  const struct ir_successor *old = ir_op_successors(base, from, &old_count);
  if (count != old_count)
    return fault_at(p, op, "has other successors");
  for (uint32_t i = 0; i < count; i++)
    if (m->block_origin[now[i].block] != old[i].block ||
        m->block_region[now[i].block] != m->block_region[m->op_block[op]] ||
        now[i].use_count != old[i].use_count ||
        now[i].first_use - m->op_first_use[op] !=
            old[i].first_use - base->op_first_use[from])
      return fault_at(p, op, "goes on to another block");
  return NULL;
}

static const char *
check_calls(const struct proof *p, op_id op) {
  const struct ir_module *m = p->made;
  uint32_t count, old_count;
  const struct ir_call *now = ir_op_calls(m, op, &count);
  const struct ir_call *old =
      ir_op_calls(p->base, m->op_origin[op], &old_count);
  if (count != old_count)
    return fault_at(p, op, "calls other functions");
  for (uint32_t i = 0; i < count; i++)
    if (m->functions.data[now[i].callee].origin != old[i].callee ||
        now[i].role != old[i].role)
      return fault_at(p, op, "calls another function");
  return NULL;
}

/* Each op that has to follow another still does. */
static const char *
check_controls(const struct proof *p) {
  const struct ir_module *m = p->made, *base = p->base;
  if (!base->controls.count)
    return NULL;
  op_id *instance = ARENA_ARRAY(p->arena, op_id, base->op_count);
  memset(instance, 0xff, base->op_count * sizeof *instance);
  for (op_id op = 0; op < m->op_count; op++) {
    if (m->op_origin[op] == NONE)
      continue;
    if (instance[m->op_origin[op]] == NONE)
      instance[m->op_origin[op]] = op;
    uint32_t count;
    const struct ir_control *controls =
        ir_op_controls(base, m->op_origin[op], &count);
    for (uint32_t i = 0; i < count; i++)
      if (instance[controls[i].predecessor] == NONE)
        return fault_at(p, op, "runs before one that it has to follow");
  }
  return NULL;
}

static const char *
check_functions(const struct proof *p) {
  const struct ir_module *m = p->made, *base = p->base;
  uint32_t originals = 0;
  for (function_id f = 0; f < m->functions.count; f++) {
    const struct ir_function *now = &m->functions.data[f];
    if (now->origin >= base->functions.count)
      return arena_printf(p->arena, "function %u comes from nowhere", f);
    const struct ir_function *old = &base->functions.data[now->origin];
    bool same =
        (now->op == NONE) == (old->op == NONE) &&
        (now->op == NONE || m->op_origin[now->op] == old->op) &&
        (now->body == NONE) == (old->body == NONE) &&
        (now->body == NONE || m->region_origin[now->body] == old->body) &&
        (now->root == NONE) == (old->root == NONE) &&
        (now->root == NONE || m->op_origin[now->root] == old->root);
    if (!same)
      return arena_printf(p->arena,
                          "function %u is another one, or returns "
                          "something else",
                          now->origin);
    originals += now->copy == 0;
  }
  return originals == base->functions.count
             ? NULL
             : arena_printf(p->arena, "functions are missing");
}

const char *
verify_same(const struct ir_module *made, const struct facts *facts,
            struct arena *arena) {
  struct proof p = {.made = made,
                    .base = made->base,
                    .facts = facts,
                    .arena = arena,
                    .copied = ARENA_ARRAY(arena, bool, made->region_count)};
  for (function_id f = 0; f < made->functions.count; f++)
    if (made->functions.data[f].copy && made->functions.data[f].body != NONE)
      p.copied[made->functions.data[f].body] = true;
  const char *fault = NULL;
  number_values(&p);
  for (op_id op = 0; op < made->op_count && !fault; op++) {
    fault = check_op(&p, op);
    if (made->op_origin[op] == NONE)
      continue;
    if (!fault && (made->op_region[op] != NONE ||
                   made->base->op_region[made->op_origin[op]] != NONE))
      fault = check_regions(&p, op);
    if (!fault && made->base->successors.count)
      fault = check_successors(&p, op);
    if (!fault && made->base->calls.count)
      fault = check_calls(&p, op);
  }
  for (block_id block = 0; block < made->block_count && !fault; block++)
    fault = check_block(&p, block);
  if (!fault)
    fault = check_controls(&p);
  return fault ? fault : check_functions(&p);
}
