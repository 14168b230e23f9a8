/* fused_donated.c - which results are written over which arguments.
 *
 *   main(%w {aliases result 0}, %x)
 *     %g = dot %x, ...
 *     %d = dot %g, %w        has to run before %n, or %w has to be copied
 *     %n = subtract %w, %g   over %w
 *     return %n
 *
 * O(leaves + uses). */
#include "passes/fused.h"

#include <string.h>

struct donating {
  const struct stored *s;
  const struct ir_module *m;
  struct fused_donated found;
};

/* The leaves from FIRST on are written over those of ARGUMENT from FROM on. */
static void
note(struct donating *d, uint32_t first, uint32_t from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    d->found.over[d->s->base[first + i]] = from + i;
    d->found.shows[from + i] = from + i;
  }
}

/* What RETURNED hands on, PATH inside of it, is written over what DONATION
 * gives. */
static void
note_donation(struct donating *d, const struct ir_donation *donation,
              value_id returned, struct text path) {
  const struct ir_function *f = &d->m->functions.data[donation->function];
  value_id argument = f->arguments[donation->argument];
  uint32_t from, to, count, room;
  if (!type_leaf_range(d->m->types, d->m->value_type[argument],
                       donation->argument_path, &from, &count) ||
      !type_leaf_range(d->m->types, d->m->value_type[returned], path, &to,
                       &room) ||
      count != room)
    return;
  note(d, facts_first_leaf(d->s->facts, returned) + to,
       facts_first_leaf(d->s->facts, argument) + from, count);
}

/* The value that the donation's result is a part of, NONE where it is not
 * known. */
static value_id
returned_value(const struct donating *d, const struct ir_donation *donation,
               block_id block) {
  const struct ir_function *f = &d->m->functions.data[donation->function];
  uint32_t ops = d->m->block_op_count[block];
  if (f->root != NONE)
    return ir_result(d->m, f->root, 0);
  op_id last = ops ? ir_block_op(d->m, block, ops - 1) : NONE;
  if (last == NONE || !facts_has(d->s->facts, last, FACT_TERMINATOR) ||
      donation->result >= d->m->op_use_count[last])
    return NONE;
  return ir_operand(d->m, last, donation->result);
}

/* The leaf that a barrier hands on as leaf OFFSET of RESULT of OP. */
static uint32_t
handed_on(const struct donating *d, op_id op, uint32_t result,
          uint32_t offset) {
  uint32_t index = result < d->m->op_use_count[op] ? result : 0;
  value_id operand = ir_operand(d->m, op, index);
  return d->s->base[facts_first_leaf(d->s->facts, operand) + offset];
}

/* What BARRIER hands on is written where its result is; FORWARD: and shows
 * what its operand did. */
static void
go_through(struct donating *d, op_id barrier, bool forward) {
  for (uint32_t r = 0; r < d->m->op_result_count[barrier]; r++) {
    value_id result = ir_result(d->m, barrier, r);
    uint32_t first = facts_first_leaf(d->s->facts, result);
    uint32_t end = facts_first_leaf(d->s->facts, result + 1);
    for (uint32_t l = first; l < end; l++) {
      uint32_t from = handed_on(d, barrier, r, l - first);
      if (forward)
        d->found.shows[l] = d->found.shows[from];
      else if (d->found.over[l] != NONE)
        d->found.over[from] = d->found.over[l];
    }
  }
}

static void
go_through_barriers(struct donating *d, block_id block) {
  uint32_t count = d->m->block_op_count[block];
  for (uint32_t i = 0; i < 2 * count; i++) {
    bool forward = i < count;
    op_id op = ir_block_op(d->m, block, forward ? i : 2 * count - 1 - i);
    if (facts_has(d->s->facts, op, FACT_BARRIER))
      go_through(d, op, forward);
  }
}

static uint32_t *
all_none(struct arena *arena, size_t count) {
  uint32_t *list = ARENA_ARRAY(arena, uint32_t, count);
  memset(list, 0xff, count * sizeof *list);
  return list;
}

struct fused_donated
fused_donated(struct fused *fused, block_id block) {
  const struct ir_module *m = fused->module;
  struct donating d = {fused->stored, m, {NULL, NULL}};
  for (uint32_t i = 0; i < m->donations.count; i++) {
    const struct ir_donation *donation = &m->donations.data[i];
    const struct ir_function *f = &m->functions.data[donation->function];
    if (donation->result == NONE || f->body != m->block_region[block] ||
        donation->argument >= f->argument_count ||
        f->arguments[donation->argument] == NONE)
      continue;
    value_id returned = returned_value(&d, donation, block);
    if (returned == NONE)
      continue;
    if (!d.found.over) {
      d.found.over = all_none(fused->arena, fused->facts->leaf_count);
      d.found.shows = all_none(fused->arena, fused->facts->leaf_count);
    }
    note_donation(&d, donation, returned, donation->result_path);
  }
  if (d.found.over)
    go_through_barriers(&d, block);
  return d.found;
}
