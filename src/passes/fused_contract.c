/* fused_contract.c - see fused.h: from ops to nodes.
 *
 * An op is a node when a result of it is stored, be it for some readers only.
 * It reads the planning values of what it takes from memory whole, and those
 * below the virtual ops that it reads through: its cone.  A result takes the
 * place of an operand that dies there and comes to it through elementwise ops
 * alone, element by element.
 *
 * A node takes as long as the longer of two things: what all its ops take to
 * compute, and the bytes that it reads and writes to move.
 *
 * O(uses, counted once for each cone that they are in, and the order of the
 * cone's ops). */
#include "passes/fused.h"

#include "passes/plan.h"

#include <stdlib.h>
#include <string.h>

/* A result and an operand whose place it can take, because that is what its op
 * does, or for convenience. */
struct takeover {
  uint32_t node, result, operand;
  bool convenient;
};

/* A node reads a donated argument. */
struct reading {
  uint32_t argument; /* a leaf */
  uint32_t node;
  uint32_t value; /* of no bytes: that the node has run */
  uint32_t next;  /* an older one of the same argument, + 1 */
};

struct contracting {
  struct fused *fused;
  struct fused_block *b;
  const struct stored *s;
  const struct ir_module *m;
  struct plan_builder builder;
  VECTOR(op_id) node_op;
  VECTOR(uint32_t) value_leaf;
  VECTOR(struct takeover) takeovers;
  VECTOR(op_id) cone;           /* of the newest node */
  VECTOR(op_id) sided;          /* views that it reads whole, of several */
  VECTOR(op_id) heap;           /* those of it that come next, a heap */
  VECTOR(uint32_t) through;     /* planning values that it reads elementwise */
  const uint64_t *result_bytes; /* sizes of what the function returns,
                                   ascending */
  uint32_t result_count;
  struct fused_donated donated;
  uint32_t *written; /* by leaf of a donated argument: the planning value that
                        was written over it, + 1 */
  VECTOR(struct reading) readings;
  uint32_t *newest_reading; /* by leaf of a donated argument, + 1 */
};

static uint32_t
first_leaf(const struct contracting *c, value_id value) {
  return facts_first_leaf(c->s->facts, value);
}

bool
fused_is_node(const struct fused *fused, op_id op) {
  const struct stored *s = fused->stored;
  if (facts_has(s->facts, op, FACT_TERMINATOR) || s->view[op])
    return false;
  if (!s->fuses[op])
    return !facts_has(s->facts, op, FACT_ARGUMENT);
  for (uint32_t r = 0; r < s->module->op_result_count[op]; r++) {
    value_id value = ir_result(s->module, op, r);
    if (s->how[value] != STORED_LITERAL &&
        (stored_for_all(s, value) || s->whole[value]))
      return true;
  }
  return false;
}

/* --- what a node reads --- */

/* Does OP make each element of its result of one of each operand? */
static bool
is_elementwise(const struct contracting *c, op_id op) {
  return c->s->fuses[op] && facts_of(c->s->facts, op)->reuses == OPERAND_ANY;
}

/* Put OP into the heap of those whose operands are to be looked at. */
static void
push_cone(struct contracting *c, op_id op) {
  vector_push(c->fused->arena, &c->heap, op);
  op_id *heap = c->heap.data;
  uint32_t at = c->heap.count - 1;
  for (; at > 0 && heap[(at - 1) / 2] < op; at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = op;
}

/* Put OP into the cone of the newest node. */
static void
join_cone(struct contracting *c, op_id op, bool mixes) {
  struct fused *fused = c->fused;
  if (fused->op_stamp[op] != fused->stamp) {
    fused->op_stamp[op] = fused->stamp;
    fused->op_mixes[op] = false;
    push_cone(c, op);
  }
  fused->op_mixes[op] |= mixes;
}

static void read_operand(struct contracting *c, value_id value, bool whole,
                         bool mixes);

/* What the list that FROM makes was made of is read with it. */
static void
read_bundle(struct contracting *c, op_id from) {
  for (uint32_t i = 0; i < c->m->op_use_count[from]; i++)
    read_operand(c, ir_operand(c->m, from, i), true, true);
}

/* The newest node, or an op of its cone, reads LEAF.  MIXES: not element by
 * element all the way. */
static void
read_leaf(struct contracting *c, uint32_t leaf, bool whole, bool mixes) {
  uint32_t base = c->s->base[leaf];
  value_id value = c->s->leaf_value[base];
  op_id from = ir_value_op(c->m, value);
  if (c->donated.shows && c->donated.shows[base] != NONE) {
    struct reading reading = {.argument = c->donated.shows[base]};
    vector_push(c->fused->arena, &c->readings, reading);
  }
  if (from == NONE || c->m->op_block[from] != c->b->block)
    return;
  if (stored_is_bundle(c->s->facts, c->m, from))
    read_bundle(c, from);
  if (whole || stored_for_all(c->s, value)) {
    if (c->fused->value[base] == PLAN_NONE)
      return;
    plan_add_operand(&c->builder, c->fused->value[base]);
    if (!mixes)
      vector_push(c->fused->arena, &c->through, c->fused->value[base]);
    return;
  }
  join_cone(c, from, mixes);
}

/* All that the view OP is of has to be there. */
static void
read_sides(struct contracting *c, op_id op, bool whole) {
  if (!whole) {
    join_cone(c, op, true);
  } else if (c->fused->op_seen[op] != c->fused->stamp) {
    c->fused->op_seen[op] = c->fused->stamp;
    vector_push(c->fused->arena, &c->sided, op);
  }
}

static void
read_operand(struct contracting *c, value_id value, bool whole, bool mixes) {
  op_id from = ir_value_op(c->m, value);
  if (from != NONE && c->fused->op_sided[from] &&
      c->m->op_block[from] == c->b->block)
    read_sides(c, from, whole);
  for (uint32_t l = first_leaf(c, value); l < first_leaf(c, value + 1); l++)
    read_leaf(c, l, whole, mixes);
}

/* All that VIEW is of is read whole. */
static void
read_view(struct contracting *c, op_id view) {
  for (uint32_t i = 0; i < c->m->op_use_count[view]; i++)
    read_operand(c, ir_operand(c->m, view, i), true, true);
}

/* Take the op with the highest number out of the heap into the cone; readers
 * come before what they read. */
static op_id
pop_cone(struct contracting *c) {
  op_id *heap = c->heap.data, first = heap[0];
  uint32_t count = --c->heap.count, at = 0;
  op_id moving = heap[count];
  while (at * 2 + 1 < count) {
    uint32_t child = at * 2 + 1;
    child += child + 1 < count && heap[child + 1] > heap[child];
    if (heap[child] < moving)
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moving;
  vector_push(c->fused->arena, &c->cone, first);
  return first;
}

/* All that OP reads, and its cone. */
static void
read_operands(struct contracting *c, op_id op) {
  bool elementwise = is_elementwise(c, op);
  c->fused->stamp++;
  c->cone.count = c->through.count = 0;
  for (op_id inner = op; inner < c->fused->op_end[op]; inner++)
    for (uint32_t i = 0; i < c->m->op_use_count[inner]; i++)
      read_operand(c, ir_operand(c->m, inner, i),
                   inner != op || stored_reads_whole(c->s, op, i),
                   !elementwise);
  while (c->heap.count || c->sided.count) {
    if (c->sided.count) {
      read_view(c, c->sided.data[--c->sided.count]);
      continue;
    }
    op_id from = pop_cone(c);
    bool mixes = c->fused->op_mixes[from] || !is_elementwise(c, from);
    for (op_id inner = from; inner < c->fused->op_end[from]; inner++)
      for (uint32_t i = 0; i < c->m->op_use_count[inner]; i++)
        read_operand(c, ir_operand(c->m, inner, i), inner != from,
                     mixes || inner != from);
  }
}

/* --- what it takes --- */

/* What OP takes to compute, the moving of its bytes left out where it goes on
 * with others. */
static double
compute_ns(const struct contracting *c, op_id op) {
  double cost = (double)c->s->facts->op_cost_ns[op], bytes = 0;
  if (c->fused->bytes_per_ns <= 0 || !c->s->fuses[op])
    return cost;
  for (uint32_t i = 0; i < c->m->op_use_count[op]; i++)
    bytes += (double)facts_value_bytes(c->s->facts, ir_operand(c->m, op, i));
  for (uint32_t r = 0; r < c->m->op_result_count[op]; r++)
    bytes += (double)facts_value_bytes(c->s->facts, ir_result(c->m, op, r));
  cost -= bytes / c->fused->bytes_per_ns;
  return cost > 0 ? cost : 0;
}

/* What NODE, of OP, takes to run: nothing where it hands on what it reads. */
static uint64_t
node_cost(const struct contracting *c, op_id op, uint32_t node) {
  double compute = compute_ns(c, op), bytes = 0;
  if (facts_has(c->s->facts, op, FACT_BARRIER))
    return 0;
  for (uint32_t i = 0; i < c->cone.count; i++)
    compute += compute_ns(c, c->cone.data[i]);
  if (c->fused->bytes_per_ns > 0) {
    const struct plan_builder *builder = &c->builder;
    for (uint32_t i = builder->operand_begin.data[node];
         i < builder->operands.count; i++)
      bytes += (double)c->s->facts
                   ->leaf_bytes[c->value_leaf.data[builder->operands.data[i]]];
    for (uint32_t r = 0; r < c->m->op_result_count[op]; r++)
      bytes += (double)facts_value_bytes(c->s->facts, ir_result(c->m, op, r));
    bytes /= c->fused->bytes_per_ns;
  }
  double cost = compute > bytes ? compute : bytes;
  return cost < 1 ? 1 : (uint64_t)cost;
}

/* What runs inside of OP, or in what it calls, needs. */
static uint64_t
inner_bytes(const struct contracting *c, op_id op) {
  struct fused_bodies bodies = fused_bodies(c->fused, op);
  uint64_t most = 0;
  for (uint32_t i = 0; i < bodies.count; i++) {
    uint64_t needs =
        saturating_add(fused_block_peak(c->fused, bodies.blocks[i]),
                       fused_outside_bytes(c->fused, bodies.blocks[i]));
    most = needs > most ? needs : most;
  }
  return most;
}

/* What keeps OP where it is, if anything does. */
static unsigned
node_flags(const struct contracting *c, op_id op) {
  const struct op_facts *f = facts_of(c->s->facts, op);
  const struct plan *plan = c->fused->program->plan;
  uint32_t bound = FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE;
  if ((f->flags & bound) || !(f->flags & FACT_PURE) || f->class_id == 0 ||
      !c->s->facts->op_repeatable[op])
    return PLAN_FIXED; /* or has effects inside of it, perhaps */
  bool kept = plan && c->m == c->fused->program->input &&
              (plan->selected[op] & PLAN_KEEP);
  return kept || !facts_can_recompute(c->s->facts, op) ? PLAN_ONCE : 0;
}

/* --- what it makes --- */

static int
compare_bytes(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Do other blocks read LEAF? */
static bool
crosses(const struct contracting *c, uint32_t leaf) {
  return c->fused->crosses && c->fused->crosses[leaf];
}

/* Bytes of LEAF in the account of temporaries. */
static uint64_t
counted_bytes(const struct contracting *c, uint32_t leaf, bool reads_any) {
  uint64_t bytes = c->s->facts->leaf_bytes[leaf];
  if (crosses(c, leaf))
    return bytes;
  if (c->s->leaf_returned[leaf])
    return 0;
  /* made of arguments alone: it has room where a result of that size will be
   * put */
  bool room = !reads_any && c->result_count &&
              bsearch(&bytes, c->result_bytes, c->result_count, sizeof bytes,
                      compare_bytes);
  return room ? 0 : bytes;
}

/* Is the planning value OPERAND handed on by a barrier?  Who made it is not
 * who gives it then, and its place is not taken over for convenience. */
static bool
is_handed_on(const struct contracting *c, uint32_t operand) {
  value_id value = c->s->leaf_value[c->value_leaf.data[operand]];
  return facts_has(c->s->facts, ir_value_op(c->m, value), FACT_BARRIER);
}

static void
note_takeover(struct contracting *c, uint32_t result, uint32_t operand,
              bool convenient) {
  bool returned = c->builder.returned.data[result];
  if (operand == PLAN_NONE || (!returned && c->builder.bytes.data[result] !=
                                                c->builder.bytes.data[operand]))
    return;
  struct takeover t = {c->builder.cost_ns.count - 1, result, operand,
                       convenient};
  vector_push(c->fused->arena, &c->takeovers, t);
}

static void
add_takeover(struct contracting *c, uint32_t result, uint32_t operand) {
  note_takeover(c, result, operand, false);
}

/* Operand INDEX of OP, by leaf OFFSET, as a planning value. */
static uint32_t
operand_value(const struct contracting *c, op_id op, int64_t index,
              uint32_t offset) {
  if (index < 0 || index >= c->m->op_use_count[op])
    return PLAN_NONE;
  value_id value = ir_operand(c->m, op, (uint32_t)index);
  uint32_t leaf = first_leaf(c, value) + offset;
  if (leaf >= first_leaf(c, value + 1))
    return PLAN_NONE;
  uint32_t base = c->s->base[leaf];
  op_id from = ir_value_op(c->m, c->s->leaf_value[base]);
  return from != NONE && c->m->op_block[from] == c->b->block
             ? c->fused->value[base]
             : PLAN_NONE;
}

/* Is the planning value OPERAND a product that is made in another shape than
 * its readers see?  XLA has what they make take a place of its own shape. */
static bool
is_folded(const struct contracting *c, uint32_t operand) {
  const bool *folded = c->s->facts->op_folded;
  value_id value = c->s->leaf_value[c->value_leaf.data[operand]];
  return folded && folded[ir_value_op(c->m, value)];
}

static void
add_convenient(struct contracting *c, uint32_t result, uint32_t operand) {
  if (operand != PLAN_NONE && !is_handed_on(c, operand) &&
      !is_folded(c, operand))
    note_takeover(c, result, operand, true);
}

/* Does result VALUE of the block take over its operand's place even if a
 * barrier hands that on: is it what the op does? */
bool
fused_always_in_place(const struct fused_block *b, uint32_t value) {
  const struct stored *s = b->fused->stored;
  value_id made = s->leaf_value[b->value_leaf[value]];
  const struct op_facts *f = facts_of(s->facts, ir_value_op(s->module, made));
  return f->inplace >= 0 || f->carries_operand >= 0 ||
         (f->flags & FACT_FORWARDS) != 0;
}

/* Whose place leaf OFFSET of result INDEX of OP can take. */
static void
add_takeovers(struct contracting *c, op_id op, uint32_t index, uint32_t offset,
              uint32_t result) {
  const struct op_facts *f = facts_of(c->s->facts, op);
  if (crosses(c, c->value_leaf.data[result]))
    return;
  if (c->s->leaf_returned[c->value_leaf.data[result]]) {
    /* the storage of a result is the caller's from where it is first made */
    if (f->inplace >= 0)
      add_takeover(c, result, operand_value(c, op, f->inplace, offset));
    return;
  }
  if (f->alias >= 0)
    add_takeover(c, result, operand_value(c, op, f->alias, offset));
  if (f->flags & FACT_FORWARDS)
    add_takeover(c, result, operand_value(c, op, index, offset));
  if (f->carries_operand >= 0)
    add_takeover(
        c, result,
        operand_value(c, op, (int64_t)f->carries_operand + index, offset));
  if (f->inplace >= 0)
    add_takeover(c, result, operand_value(c, op, f->inplace, offset));
  if (f->reuses >= 0 || f->reuses == OPERAND_SAME)
    add_convenient(c, result,
                   operand_value(c, op,
                                 f->reuses >= 0 ? f->reuses : (int64_t)index,
                                 offset));
  for (uint32_t i = 0; i < c->through.count; i++)
    add_convenient(c, result, c->through.data[i]);
}

static void
add_result(struct contracting *c, op_id op, uint32_t index, bool reads_any) {
  value_id value = ir_result(c->m, op, index);
  uint32_t first = first_leaf(c, value), end = first_leaf(c, value + 1);
  for (uint32_t leaf = first; leaf < end; leaf++) {
    uint64_t bytes = counted_bytes(c, leaf, reads_any);
    if (!stored_for_all(c->s, value) && !c->s->whole[value])
      bytes = 0; /* nobody wants this one in memory */
    uint32_t shown = facts_has(c->s->facts, op, FACT_FORWARDS)
                         ? operand_value(c, op, index, leaf - first)
                         : PLAN_NONE;
    if (c->s->leaf_carried[leaf])
      shown = operand_value(
          c, op, (int64_t)facts_of(c->s->facts, op)->carries_operand + index,
          leaf - first);
    if ((facts_has(c->s->facts, op, FACT_BARRIER) ||
         c->s->leaf_carried[leaf]) &&
        (shown == PLAN_NONE || c->builder.bytes.data[shown] == 0))
      bytes = 0; /* the caller's storage, handed on */
    uint32_t result = plan_add_result(
        &c->builder, bytes, c->s->leaf_returned[leaf] || crosses(c, leaf));
    vector_push(c->fused->arena, &c->value_leaf, leaf);
    c->fused->value[leaf] = result;
    add_takeovers(c, op, index, leaf - first, result);
  }
}

static void
add_edges(struct contracting *c, op_id op, const uint32_t *op_node) {
  uint32_t count;
  const struct ir_control *controls = ir_op_controls(c->m, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    op_id before = controls[i].predecessor;
    if (c->m->op_block[before] == c->b->block && op_node[before])
      plan_add_edge(&c->builder, op_node[before] - 1);
  }
}

/* Does OP write what it makes over a donated argument? */
static bool
writes_over(const struct contracting *c, op_id op) {
  if (!c->donated.over || facts_has(c->s->facts, op, FACT_BARRIER))
    return false;
  value_id first = c->m->op_first_result[op];
  uint32_t end = first_leaf(c, first + c->m->op_result_count[op]);
  for (uint32_t leaf = first_leaf(c, first); leaf < end; leaf++)
    if (c->donated.over[leaf] != NONE)
      return true;
  return false;
}

/* The newest node writes over the arguments of leaves of OP: it comes behind
 * all that have read them, and they run no more. */
static void
wait_for_readers(struct contracting *c, op_id op) {
  value_id first = c->m->op_first_result[op];
  uint32_t end = first_leaf(c, first + c->m->op_result_count[op]);
  for (uint32_t leaf = first_leaf(c, first); leaf < end; leaf++) {
    uint32_t argument = c->donated.over[leaf];
    if (argument == NONE)
      continue;
    for (uint32_t at = c->newest_reading[argument]; at;
         at = c->readings.data[at - 1].next) {
      plan_add_operand(&c->builder, c->readings.data[at - 1].value);
      plan_add_closed(&c->builder, c->readings.data[at - 1].node);
    }
    c->written[argument] = c->fused->value[leaf] + 1;
  }
}

/* Note that the newest node has read the arguments of the readings from FIRST
 * on.  What is written over one of them already had to be put elsewhere. */
static void
note_readings(struct contracting *c, uint32_t first) {
  uint32_t value = PLAN_NONE;
  if (first < c->readings.count) {
    value = plan_add_result(&c->builder, 0, false);
    vector_push(c->fused->arena, &c->value_leaf, NONE);
  }
  for (uint32_t i = first; i < c->readings.count; i++) {
    struct reading *reading = &c->readings.data[i];
    uint32_t written = c->written[reading->argument];
    if (written)
      c->builder.bytes.data[written - 1] =
          c->s->facts->leaf_bytes[c->value_leaf.data[written - 1]];
    reading->node = c->builder.cost_ns.count - 1;
    reading->value = value;
    reading->next = c->newest_reading[reading->argument];
    c->newest_reading[reading->argument] = i + 1;
  }
}

static void
add_node(struct contracting *c, op_id op) {
  uint32_t readings = c->readings.count;
  uint64_t workspace =
      c->s->facts->op_workspace ? c->s->facts->op_workspace[op] : 0;
  workspace = saturating_add(workspace, inner_bytes(c, op));
  uint32_t node = plan_add_node(&c->builder, 0, workspace, node_flags(c, op));
  vector_push(c->fused->arena, &c->node_op, op);
  read_operands(c, op);
  c->builder.cost_ns.data[node] = node_cost(c, op, node);
  bool reads_any =
      c->builder.operands.count > c->builder.operand_begin.data[node];
  for (uint32_t r = 0; r < c->m->op_result_count[op]; r++)
    add_result(c, op, r, reads_any);
  if (writes_over(c, op)) {
    c->readings.count = readings;
    wait_for_readers(c, op);
  } else
    note_readings(c, readings);
}

/* --- all of it --- */

/* Is takeover A to be preferred to B, of the same result: is it what the op
 * does, or was the operand made later, so that less may come between? */
static bool
is_nearer(const struct takeover *a, const struct takeover *b) {
  return b->convenient && (!a->convenient || a->operand > b->operand);
}

/* A result takes the place of an operand that nothing behind its node reads, in
 * program order. */
static void
choose_takeovers(struct contracting *c) {
  const struct plan_builder *builder = &c->builder;
  uint32_t *last = ARENA_ARRAY(c->fused->arena, uint32_t, builder->bytes.count);
  bool *taken = ARENA_ARRAY(c->fused->arena, bool, builder->bytes.count);
  uint32_t node = 0;
  for (uint32_t i = 0; i < builder->operands.count; i++) {
    while (node + 1 < builder->cost_ns.count &&
           builder->operand_begin.data[node + 1] <= i)
      node++;
    last[builder->operands.data[i]] = node;
  }
  for (uint32_t i = 0, next; i < c->takeovers.count; i = next) {
    const struct takeover *all = c->takeovers.data, *best = NULL;
    for (next = i;
         next < c->takeovers.count && all[next].result == all[i].result; next++)
      if (last[all[next].operand] == all[next].node &&
          !taken[all[next].operand] &&
          !builder->returned.data[all[next].operand] &&
          (!best || is_nearer(&all[next], best)))
        best = &all[next];
    if (!best)
      continue;
    taken[best->operand] = true;
    if (builder->returned.data[best->result])
      builder->bytes.data[best->operand] = 0;
    plan_set_in_place(&c->builder, best->result, best->operand);
  }
}

/* Which operands a result may take the place of, where an order other than the
 * program's lets them die. */
static void
list_takeovers(struct contracting *c) {
  struct fused_block *b = c->b;
  uint32_t values = c->builder.bytes.count, kept = 0;
  b->candidate_begin = ARENA_ARRAY(c->fused->arena, uint32_t, values + 1);
  b->candidates = ARENA_ARRAY(c->fused->arena, uint32_t, c->takeovers.count);
  for (uint32_t i = 0, value = 0; value < values; value++) {
    for (; i < c->takeovers.count && c->takeovers.data[i].result == value; i++)
      if (c->takeovers.data[i].convenient)
        b->candidates[kept++] = c->takeovers.data[i].operand;
    b->candidate_begin[value + 1] = kept;
  }
}

/* Sizes of what the function of the block returns, where it is one's body, and
 * where that is not written over an argument. */
static void
find_results(struct contracting *c) {
  const struct ir_module *m = c->m;
  region_id region = m->block_region[c->b->block];
  function_id entry = NONE;
  for (function_id f = 0; f < m->functions.count; f++)
    if (m->functions.data[f].body == region && m->functions.data[f].entry)
      entry = f;
  if (entry == NONE)
    return;
  VECTOR(uint64_t) bytes = {NULL, 0, 0};
  for (uint32_t i = 0; i < m->block_op_count[c->b->block]; i++) {
    op_id op = ir_block_op(m, c->b->block, i);
    for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
      value_id value = ir_result(m, op, r);
      for (uint32_t l = first_leaf(c, value); l < first_leaf(c, value + 1); l++)
        if (c->s->base[l] == l && c->s->leaf_returned[l] &&
            (!c->donated.over || c->donated.over[l] == NONE))
          vector_push(c->fused->arena, &bytes, c->s->facts->leaf_bytes[l]);
    }
  }
  if (bytes.count)
    qsort(bytes.data, bytes.count, sizeof *bytes.data, compare_bytes);
  c->result_bytes = bytes.data;
  c->result_count = bytes.count;
}

struct fused_block *
fused_contract(struct fused *fused, block_id block) {
  struct fused_block *b = ARENA_NEW(fused->arena, struct fused_block);
  struct contracting c = {.fused = fused,
                          .b = b,
                          .s = fused->stored,
                          .m = fused->module,
                          .builder = {.arena = fused->arena}};
  uint32_t *op_node = c.m->controls.count
                          ? ARENA_ARRAY(fused->arena, uint32_t, c.m->op_count)
                          : NULL;
  b->fused = fused;
  b->block = block;
  c.donated = fused_donated(fused, block);
  if (c.donated.over) {
    size_t leaves = fused->facts->leaf_count;
    c.newest_reading = ARENA_ARRAY(fused->arena, uint32_t, leaves);
    c.written = ARENA_ARRAY(fused->arena, uint32_t, leaves);
  }
  find_results(&c);
  for (uint32_t i = 0; i < c.m->block_op_count[block]; i++) {
    op_id op = ir_block_op(c.m, block, i);
    if (!fused_is_node(fused, op))
      continue;
    add_node(&c, op);
    if (op_node) {
      op_node[op] = c.node_op.count;
      add_edges(&c, op, op_node);
    }
  }
  choose_takeovers(&c);
  list_takeovers(&c);
  b->node_op = c.node_op.data;
  b->value_leaf = c.value_leaf.data;
  b->problem = plan_finish(&c.builder);
  return b;
}
