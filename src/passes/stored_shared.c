/* stored_shared.c - see stored_shared.h.
 *
 *   %1 = add %0, %x       cheap, read by %3 and %4
 *   %2 = dot %1, %w       stored
 *   %3 = multiply %2, %1  reads %1 itself, and %2, which is made of it
 *
 * A fuser that would take %1 into %3 could not take it in on all ways, for
 * %2 stands between: so it keeps %1.
 *
 * Candidates are looked at 64 at a time, a bit each: which values are made of
 * them at all, and which by way of a stored value.  A batch costs the ops
 * between its first candidate and the last reader.  Of a program so large that
 * all batches together would pass WORK ops, candidates that are read too far
 * off are taken for reached by another way, as nearly all of them are. */
#include "passes/stored_shared.h"

enum { BATCH = 64, WORK = 1 << 23 };

struct sharing {
  const struct stored *s;
  const struct ir_module *m;
  op_id *last;       /* by value: the last op that reads it, or shows it */
  uint64_t *made_of; /* by leaf */
  uint64_t *through; /* by leaf: by way of a stored value */
  bool *shared;
  value_id batch[BATCH];
  uint32_t count;
};

static uint32_t
first_leaf(const struct sharing *h, value_id value) {
  return facts_first_leaf(h->s->facts, value);
}

/* Dimensions of VALUE that are longer than 1. */
static uint32_t
true_rank(const struct sharing *h, value_id value) {
  const struct type *type = ir_value_type(h->m, value);
  uint32_t rank = 0;
  for (uint32_t i = 0; i < type->rank; i++)
    rank += type->dims[i] != 1;
  return rank;
}

/* Is operand VALUE, looked through views, spread out where it is read? */
static bool
is_spread(const struct sharing *h, value_id value) {
  value_id base = h->s->leaf_value[h->s->base[first_leaf(h, value)]];
  op_id op = ir_value_op(h->m, base);
  return op != NONE &&
         (facts_of(h->s->facts, op)->flags & (FACT_VIRTUAL | FACT_CONSTANT));
}

static bool
is_candidate(const struct sharing *h, op_id op) {
  const struct stored *s = h->s;
  uint32_t flags = facts_of(s->facts, op)->flags, full = 0;
  value_id result = h->m->op_first_result[op];
  if (!s->fuses[op] || h->m->op_result_count[op] != 1 ||
      (flags & (FACT_EXPENSIVE | FACT_VIRTUAL | FACT_CONSTANT)) ||
      s->readers[result] < 2 || h->m->value_type[result] == TYPE_NONE ||
      s->view[op])
    return false;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < h->m->op_use_count[op]; i++) {
    value_id value = ir_operand(h->m, op, i);
    if (h->m->value_type[value] == TYPE_NONE || is_spread(h, value))
      continue;
    full += true_rank(h, value) >= true_rank(h, result);
    bytes = saturating_add(bytes, facts_value_bytes(s->facts, value));
  }
  return full >= 2 && bytes > facts_value_bytes(s->facts, result);
}

/* Is what OP makes stored, as far as that does not depend on sharing? */
static bool
makes_stored(const struct sharing *h, op_id op) {
  const struct stored *s = h->s;
  if (!s->fuses[op])
    return true;
  return facts_has(s->facts, op, FACT_EXPENSIVE) &&
         s->readers[h->m->op_first_result[op]] > 1;
}

/* OP in the sweep over the newest batch. */
static void
sweep_op(struct sharing *h, op_id op, uint32_t next) {
  const struct stored *s = h->s;
  uint64_t made_of = 0, through = 0;
  for (uint32_t i = 0; i < h->m->op_use_count[op]; i++) {
    value_id value = ir_operand(h->m, op, i);
    for (uint32_t l = first_leaf(h, value); l < first_leaf(h, value + 1); l++) {
      made_of |= h->made_of[s->base[l]];
      through |= h->through[s->base[l]];
    }
  }
  if (s->view[op])
    return;
  for (uint32_t i = 0; through && i < h->m->op_use_count[op]; i++) {
    value_id value = ir_operand(h->m, op, i);
    for (uint32_t l = first_leaf(h, value); l < first_leaf(h, value + 1); l++)
      for (uint32_t c = 0; c < next; c++)
        if (s->leaf_value[s->base[l]] == h->batch[c] && (through >> c & 1))
          h->shared[h->batch[c]] = true;
  }
  if (makes_stored(h, op))
    through |= made_of;
  for (uint32_t r = 0; r < h->m->op_result_count[op]; r++) {
    value_id value = ir_result(h->m, op, r);
    for (uint32_t l = first_leaf(h, value); l < first_leaf(h, value + 1); l++) {
      h->made_of[l] = made_of;
      h->through[l] = through;
    }
  }
}

/* Look at the batch, whose values are of ascending ops. */
static void
sweep_batch(struct sharing *h) {
  op_id end = 0;
  uint32_t next = 0;
  for (uint32_t c = 0; c < h->count; c++)
    if (h->last[h->batch[c]] > end)
      end = h->last[h->batch[c]];
  op_id begin = ir_value_op(h->m, h->batch[0]);
  for (op_id op = begin; op <= end; op++) {
    sweep_op(h, op, next);
    if (next < h->count && ir_value_op(h->m, h->batch[next]) == op) {
      h->made_of[first_leaf(h, h->batch[next])] |= UINT64_C(1) << next;
      next++;
    }
  }
  for (op_id op = begin; op <= end; op++)
    for (uint32_t r = 0; r < h->m->op_result_count[op]; r++) {
      value_id value = ir_result(h->m, op, r);
      for (uint32_t l = first_leaf(h, value); l < first_leaf(h, value + 1); l++)
        h->made_of[l] = h->through[l] = 0;
    }
  h->count = 0;
}

static void
find_last_reads(struct sharing *h) {
  for (op_id op = 0; op < h->m->op_count; op++)
    for (uint32_t i = 0; i < h->m->op_use_count[op]; i++) {
      value_id value = ir_operand(h->m, op, i);
      for (uint32_t l = first_leaf(h, value); l < first_leaf(h, value + 1); l++)
        h->last[h->s->leaf_value[h->s->base[l]]] = op;
    }
}

/* The candidates, in the order of their ops. */
static value_id *
find_candidates(const struct sharing *h, struct arena *scratch,
                uint32_t *count) {
  const struct ir_module *m = h->m;
  VECTOR(value_id) found = {0};
  for (op_id op = 0; op < m->op_count; op++)
    if (m->op_block[op] != NONE && h->s->facts->block_stored[m->op_block[op]] &&
        is_candidate(h, op))
      vector_push(scratch, &found, m->op_first_result[op]);
  *count = found.count;
  return found.data;
}

bool *
stored_shared(const struct stored *s, struct arena *scratch) {
  const struct ir_module *m = s->module;
  struct sharing h = {
      .s = s,
      .m = m,
      .last = ARENA_ARRAY(scratch, op_id, m->value_count),
      .made_of = ARENA_ARRAY(scratch, uint64_t, s->facts->leaf_count),
      .through = ARENA_ARRAY(scratch, uint64_t, s->facts->leaf_count),
      .shared = ARENA_ARRAY(scratch, bool, m->value_count)};
  uint32_t count;
  find_last_reads(&h);
  const value_id *candidates = find_candidates(&h, scratch, &count);
  uint32_t reach = WORK / (count / BATCH + 1);
  for (uint32_t i = 0; i < count; i++) {
    value_id value = candidates[i];
    if (h.last[value] - ir_value_op(m, value) > reach ||
        s->leaf_returned[first_leaf(&h, value)]) {
      h.shared[value] = true;
      continue;
    }
    h.batch[h.count++] = value;
    if (h.count == BATCH)
      sweep_batch(&h);
  }
  if (h.count)
    sweep_batch(&h);
  return h.shared;
}
