/* verify_fences.c - what fences promise, proved from the new program alone.
 *
 *   %a = dot ...            segment 0
 *   %a1 = barrier %a        fence 1
 *   %b = dot %a1, ...       segment 1 reads fence 1, and what it makes itself
 *
 * If each op reads what its own segment made and the results of the fence
 * right before it, and each fence reads what the segment before made and
 * results of older fences, then nothing crosses a fence but through it, and
 * all ops of a segment run between its two fences, in whatever order.  Free
 * are arguments and literals, and at the end what is returned.
 *
 * Bodies of ops have segments of their own.
 *
 * What a segment needs at most is then what is live when it begins, all that it
 * makes, and its largest workspace, for bodies run one after the other; but
 * what functions need that are called adds up, for a compiler puts their ops
 * among the others; a result that takes over an operand's
 * storage adds nothing where it alone reads that operand in the segment.
 * O(ops + uses, and the contraction). */
#include "passes/fused.h"
#include "passes/verify.h"

struct fences {
  const struct ir_module *m;
  const struct facts *facts, *base; /* of the module, of the input */
  const op_id *end; /* by op: one past the last op inside of it */
  block_id block;
  bool *ends; /* by op: it only shows what is handed on when its block ends */
  uint32_t *segment; /* by op: fences up to it, those that it is of included */
};

static bool
is_added(const struct ir_module *m, op_id op) {
  return (m->op_flags[op] & OP_ADDED) != 0;
}

/* Is OP the barrier of a fence? */
static bool
is_barrier(const struct fences *f, op_id op) {
  return is_added(f->m, op) && facts_has(f->facts, op, FACT_BARRIER);
}

/* Is VALUE free to be read anywhere: an argument or a literal, or one that
 * only passed fences? */
static bool
is_free(const struct fences *f, value_id value) {
  op_id from = ir_value_op(f->m, value);
  if (from == NONE || f->m->op_block[from] != f->block)
    return true;
  if (is_added(f->m, from)) {
    op_id origin = ir_value_op(f->m->base, f->m->value_origin[value]);
    bool whole =
        ir_value_type(f->m, value)->kind == TYPE_TUPLE &&
        (facts_of(f->facts, from)->flags & (FACT_TUPLE | FACT_BARRIER));
    return !whole && /* what all pass in together is none of them */
           (origin == NONE || (facts_of(f->base, origin)->flags &
                               (FACT_ARGUMENT | FACT_CONSTANT)));
  }
  return (facts_of(f->facts, from)->flags & (FACT_ARGUMENT | FACT_CONSTANT)) !=
         0;
}

/* May OP, of segment SEGMENT, read VALUE? */
static bool
may_read(const struct fences *f, op_id op, uint32_t segment, value_id value) {
  op_id from = ir_value_op(f->m, value);
  if (is_free(f, value))
    return true;
  if (is_added(f->m, op)) /* into or out of a barrier */
    return is_added(f->m, from) || f->segment[from] + 1 == segment;
  if (f->ends[op] && is_added(f->m, from))
    return true;
  return f->segment[from] == segment;
}

/* Number the segments of the block; how many fences there are.  A tuple goes
 * with the barrier behind it. */
static uint32_t
number_segments(struct fences *f) {
  uint32_t segment = 0;
  bool after_tuple = false;
  for (uint32_t i = 0; i < f->m->block_op_count[f->block]; i++) {
    op_id op = ir_block_op(f->m, f->block, i);
    bool tuple = is_added(f->m, op) && facts_has(f->facts, op, FACT_TUPLE);
    segment += tuple || (is_barrier(f, op) && !after_tuple);
    after_tuple = tuple;
    f->segment[op] = segment;
  }
  return segment;
}

/* Find the ops that hand on what the block returns, or show it to those. */
static void
find_ends(struct fences *f) {
  const struct ir_module *m = f->m;
  uint32_t count = m->block_op_count[f->block];
  for (uint32_t i = 0; i < count; i++)
    f->ends[ir_block_op(m, f->block, i)] =
        stored_is_view(f->facts, m, ir_block_op(m, f->block, i));
  for (uint32_t i = count; i-- > 0;) {
    op_id op = ir_block_op(m, f->block, i);
    f->ends[op] |= facts_has(f->facts, op, FACT_TERMINATOR);
    if (f->ends[op])
      continue;
    for (op_id inner = op; inner < f->end[op]; inner++)
      for (uint32_t u = 0; u < m->op_use_count[inner]; u++) {
        op_id from = ir_value_op(m, ir_operand(m, inner, u));
        if (from != NONE)
          f->ends[from] = false;
      }
  }
}

static const char *
fault_of(const struct fences *f, op_id op, value_id value,
         struct arena *arena) {
  struct text name = source_text(f->m->source, f->m->value_name[value]);
  return arena_printf(
      arena,
      "op %u (%.*s) of the new program, of segment %u, reads %.*s (copy %u, of "
      "segment %u), which crosses a fence without passing it",
      op, (int)ir_op_name(f->m, op).size, ir_op_name(f->m, op).data,
      f->segment[op], (int)name.size, name.data, f->m->value_copy[value],
      f->segment[ir_value_op(f->m, value)]);
}

static const char *
check_block(struct fences *f, struct arena *arena) {
  const struct ir_module *made = f->m;
  uint32_t count = made->block_op_count[f->block];
  find_ends(f);
  for (uint32_t i = 0; i < count; i++) {
    op_id op = ir_block_op(made, f->block, i);
    op_id end = f->end[op];
    for (op_id inner = op; inner < end; inner++)
      for (uint32_t u = 0; u < made->op_use_count[inner]; u++)
        if (!may_read(f, op, f->segment[op], ir_operand(made, inner, u)))
          return fault_of(f, op, ir_operand(made, inner, u), arena);
  }
  return NULL;
}

const char *
verify_fences(const struct fused *fused, const struct facts *base,
              struct arena *arena) {
  const struct ir_module *made = fused->module;
  const char *fault = NULL;
  struct fences f = {.m = made,
                     .facts = fused->facts,
                     .base = base,
                     .end = fused->op_end,
                     .ends = ARENA_ARRAY(arena, bool, made->op_count),
                     .segment = ARENA_ARRAY(arena, uint32_t, made->op_count)};
  for (f.block = 0; f.block < made->block_count && !fault; f.block++)
    if (number_segments(&f))
      fault = check_block(&f, arena);
  return fault;
}

/* --- what segments need --- */

struct adding {
  const struct plan_timeline *t;
  const struct plan_problem *problem;
  const struct fused *fused;
  const op_id *node_op;
  uint64_t *live_in; /* by position: bytes made before and needed from on */
  uint32_t *read_in; /* by slot: the segment that read it last, + 1 */
};

static uint64_t
slot_bytes(const struct adding *a, uint32_t slot) {
  return a->problem->bytes[plan_slot_value(a->t, slot)];
}

static void
find_live_in(struct adding *a, struct arena *arena) {
  const struct plan_timeline *t = a->t;
  a->live_in = ARENA_ARRAY(arena, uint64_t, (size_t)t->count + 2);
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    a->live_in[t->owner[slot] + 1] += slot_bytes(a, slot);
    a->live_in[(size_t)t->last[slot] + 1] -= slot_bytes(a, slot);
  }
  for (uint32_t p = 1; p <= t->count; p++)
    a->live_in[p] += a->live_in[p - 1];
}

/* What the instances from BEGIN to END need together, in any order. */
static uint64_t
segment_bytes(struct adding *a, uint32_t begin, uint32_t end,
              uint32_t segment) {
  const struct plan_timeline *t = a->t;
  uint64_t live = a->live_in[begin], workspace = 0;
  for (uint32_t p = begin; p < end; p++) {
    uint64_t own = a->problem->workspace_bytes[t->nodes[p]];
    if (fused_calls(a->fused, a->node_op[t->nodes[p]]))
      live = saturating_add(live, own);
    else
      workspace = own > workspace ? own : workspace;
    for (uint32_t s = t->slot_begin[p]; s < t->slot_begin[p + 1]; s++)
      live += slot_bytes(a, s);
    for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++) {
      uint32_t slot = t->reads[i];
      if (a->read_in[slot] != segment + 1)
        live -= (uint64_t)plan_takeover(t, p, slot);
      a->read_in[slot] = segment + 1;
    }
  }
  return live + workspace;
}

uint64_t
verify_fenced_bytes(struct fused *fused, block_id block) {
  struct fused_block *b = fused_contract(fused, block);
  struct plan_timeline t;
  if (!b->problem ||
      !plan_timeline_build(&t, b->problem,
                           plan_program_order(b->problem, fused->arena),
                           fused->arena))
    return UINT64_MAX;
  struct adding a = {.t = &t,
                     .problem = b->problem,
                     .fused = fused,
                     .node_op = b->node_op,
                     .read_in =
                         ARENA_ARRAY(fused->arena, uint32_t, t.slot_count)};
  find_live_in(&a, fused->arena);
  uint64_t most = 0;
  uint32_t begin = 0, segment = 0;
  for (uint32_t p = 0; p <= t.count; p++) {
    bool fence = p < t.count && is_added(fused->module, b->node_op[t.nodes[p]]);
    if (p < t.count && !fence)
      continue;
    uint64_t bytes = segment_bytes(&a, begin, p, segment++);
    most = bytes > most ? bytes : most;
    begin = p + 1;
    if (!fence)
      break;
    bytes = segment_bytes(&a, p, p + 1, segment++);
    most = bytes > most ? bytes : most;
  }
  return most;
}
