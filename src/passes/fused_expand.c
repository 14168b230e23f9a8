/* fused_expand.c - see fence.h: from nodes and cuts back to ops.
 *
 * A virtual op stands right before the first node of a segment that reads
 * through it.  It is made again in each segment, where its readers would else
 * read it through a barrier, and so from memory; and where what is below it was
 * made again.  An op that is a node as well, for readers that do not fuse, is
 * made again for each node that reads through it, and passes: others read what
 * the node made.
 *
 * A node that reads nothing stored could run at any time.  It is tied to its
 * segment by passing the arguments that it reads through the fence, or the
 * scalar literal that it spreads out.
 *
 * O(ops and uses emitted, virtual ones for each node that reads them). */
#include "passes/fence.h"

enum { FOUND = 1, WHOLE = 2, STATE_BITS = 2 };

struct value_list {
  value_id *data;
  uint32_t count, capacity;
};

struct expanding {
  struct fence_cuts *cuts;
  const struct fused *fused;
  const struct stored *s;
  const struct ir_module *m;
  block_id block;
  struct arena *arena;
  VECTOR(op_id) ops;
  VECTOR(uint8_t) stays; /* enum plan_stay */
  VECTOR(struct plan_fence) fences;
  uint32_t *made;         /* by op: its newest place + 1, 0 none */
  uint32_t *passing;      /* by op: the node for which it was made, + 1 */
  uint32_t *instance;     /* by leaf: place + 1 of its newest stored instance */
  uint32_t *tied;         /* by value: the segment whose nodes that read nothing
                             stored are tied by it, + 1 */
  uint32_t *crosses;      /* by value: the fence that it was put in last, + 1 */
  uint32_t segment_place; /* where the segment begins in OPS */
  uint32_t segment;       /* its number + 1 */
  uint32_t node;          /* position of the newest, + 1 */
  bool loose;             /* it reads nothing stored */
  VECTOR(uint64_t) stack; /* op << STATE_BITS | state */
  VECTOR(value_id) found; /* arguments and literals of a node */
  struct value_list crossing; /* of the newest fence */
};

static uint32_t
first_leaf(const struct expanding *e, value_id value) {
  return facts_first_leaf(e->s->facts, value);
}

/* --- virtual ops --- */

/* The op that has to be made so that VALUE can be read, WHOLE from memory or
 * else; NONE where VALUE is stored, or comes from outside. */
static op_id
source_of(const struct expanding *e, value_id value, bool whole) {
  op_id from = ir_value_op(e->m, value);
  if (from == NONE || e->m->op_block[from] != e->block ||
      facts_has(e->s->facts, from, FACT_ARGUMENT))
    return NONE;
  if (e->s->how[value] == STORED_VIEW || e->s->how[value] == STORED_LITERAL)
    return from;
  if (whole && fused_is_node(e->fused, from))
    return NONE;
  return stored_for_all(e->s, value) ? NONE : from;
}

/* Does the segment read what OP makes by way of its fence? */
static bool
is_tied(const struct expanding *e, op_id op) {
  return e->segment && e->tied[e->m->op_first_result[op]] == e->segment;
}

/* Does OP pass: is it a node too, or is what it makes tied for others? */
static bool
passes(const struct expanding *e, op_id op) {
  return is_tied(e, op) || fused_is_node(e->fused, op);
}

/* Was something below OP stored anew since it stood at MADE? */
static bool
is_stale(const struct expanding *e, op_id op, uint32_t made) {
  for (uint32_t i = 0; i < e->m->op_use_count[op]; i++) {
    value_id value = ir_operand(e->m, op, i);
    for (uint32_t l = first_leaf(e, value); l < first_leaf(e, value + 1); l++) {
      struct stored_roots roots = e->s->leaf[l];
      if (e->instance[e->s->base[l]] > made)
        return true;
      for (uint32_t r = 0; r < roots.count; r++)
        if (e->instance[e->s->roots.data[roots.first + r]] > made)
          return true;
    }
  }
  return false;
}

static bool
is_there(const struct expanding *e, op_id op) {
  if (e->loose && is_tied(e, op))
    return true;
  if (passes(e, op))
    return e->passing[op] == e->node;
  return e->made[op] > e->segment_place && !is_stale(e, op, e->made[op]);
}

static void
emit(struct expanding *e, op_id op, enum plan_stay stay) {
  vector_push(e->arena, &e->ops, op);
  vector_push(e->arena, &e->stays, (uint8_t)stay);
  if (stay == PLAN_PASSES)
    e->passing[op] = e->node;
  else
    e->made[op] = e->ops.count;
}

static void
push_operands(struct expanding *e, op_id op, bool whole) {
  for (op_id inner = e->fused->op_end[op]; inner-- > op;)
    for (uint32_t i = e->m->op_use_count[inner]; i-- > 0;) {
      bool all = whole || inner != op;
      op_id from = source_of(e, ir_operand(e->m, inner, i), all);
      if (from != NONE)
        vector_push(e->arena, &e->stack,
                    (uint64_t)from << STATE_BITS | (all ? WHOLE : 0));
    }
}

/* Make what is on the stack, what others read first. */
static void
emit_stack(struct expanding *e) {
  while (e->stack.count) {
    uint64_t *top = &e->stack.data[e->stack.count - 1];
    op_id op = (op_id)(*top >> STATE_BITS);
    bool found = *top & FOUND, whole = *top & WHOLE;
    if (is_there(e, op)) {
      e->stack.count--;
    } else if (found) {
      e->stack.count--;
      emit(e, op, passes(e, op) ? PLAN_PASSES : PLAN_JOINS);
    } else {
      *top |= FOUND;
      push_operands(e, op, whole && e->s->view[op]);
    }
  }
}

/* Make what OP reads through. */
static void
emit_cone(struct expanding *e, op_id op) {
  for (op_id inner = e->fused->op_end[op]; inner-- > op;)
    for (uint32_t i = e->m->op_use_count[inner]; i-- > 0;) {
      bool whole = inner != op || stored_reads_whole(e->s, op, i);
      op_id from = source_of(e, ir_operand(e->m, inner, i), whole);
      if (from != NONE)
        vector_push(e->arena, &e->stack,
                    (uint64_t)from << STATE_BITS | (whole ? WHOLE : 0));
    }
  emit_stack(e);
}

/* --- fences --- */

/* VALUE passes the fence before the segment. */
static void
cross(struct expanding *e, value_id value) {
  if (e->crosses[value] == e->segment || e->m->value_type[value] == TYPE_NONE ||
      ir_value_type(e->m, value)->kind == TYPE_TOKEN)
    return;
  e->crosses[value] = e->segment;
  vector_push(e->arena, &e->crossing, value);
}

/* The arguments and scalar literals below VALUE, into FOUND. */
static void
find_ties(struct expanding *e, value_id value, uint32_t depth) {
  op_id from = ir_value_op(e->m, value);
  if (from == NONE || facts_has(e->s->facts, from, FACT_ARGUMENT)) {
    vector_push(e->arena, &e->found, value);
    return;
  }
  if (e->s->how[value] == STORED_LITERAL) {
    if (ir_value_type(e->m, value)->elements == 1)
      vector_push(e->arena, &e->found, value);
    return;
  }
  if (e->m->op_block[from] != e->block)
    return;
  for (uint32_t i = 0; depth && i < e->m->op_use_count[from]; i++)
    find_ties(e, ir_operand(e->m, from, i), depth - 1);
}

/* The leaf of the input that SLOT holds an instance of, NONE for the token of
 * a node that has run. */
static uint32_t
slot_leaf(const struct expanding *e, uint32_t slot) {
  uint32_t value = plan_slot_value(&e->cuts->timeline, slot);
  return e->cuts->block->value_leaf[value];
}

/* What SLOT holds passes the fence before the segment. */
static void
cross_slot(struct expanding *e, uint32_t slot) {
  uint32_t leaf = slot_leaf(e, slot);
  if (leaf != NONE)
    cross(e, e->s->leaf_value[leaf]);
}

/* Does the instance at POSITION read nothing stored? */
static bool
is_loose(const struct expanding *e, uint32_t position) {
  const struct plan_timeline *t = &e->cuts->timeline;
  for (uint32_t i = t->read_begin[position]; i < t->read_begin[position + 1];
       i++)
    if (slot_leaf(e, t->reads[i]) != NONE)
      return false;
  return true;
}

/* Tie the node at POSITION, which reads nothing stored, to its fence. */
static void
tie(struct expanding *e, uint32_t position) {
  struct fence_cuts *cuts = e->cuts;
  op_id op = cuts->block->node_op[cuts->timeline.nodes[position]];
  bool arguments = false;
  e->found.count = 0;
  for (uint32_t i = 0; i < e->m->op_use_count[op]; i++)
    find_ties(e, ir_operand(e->m, op, i), 64);
  for (uint32_t i = 0; i < e->found.count; i++)
    if (e->s->how[e->found.data[i]] == STORED_ARGUMENT) {
      cross(e, e->found.data[i]);
      arguments = true;
    }
  if (arguments)
    return;
  if (e->found.count) {
    e->tied[e->found.data[0]] = e->segment;
    cross(e, e->found.data[0]);
    return;
  }
  cuts->operandless++;
  for (uint32_t s = cuts->timeline.slot_begin[position];
       s < cuts->timeline.slot_begin[position + 1]; s++)
    cuts->loose_bytes +=
        cuts->block->problem->bytes[plan_slot_value(&cuts->timeline, s)];
}

/* What passes the fence between the segments from BEFORE and from BEGIN to
 * END. */
static void
gather_crossing(struct expanding *e, uint32_t before, uint32_t begin,
                uint32_t end) {
  const struct plan_timeline *t = &e->cuts->timeline;
  e->crossing = (struct value_list){0};
  for (uint32_t s = t->slot_begin[before]; s < t->slot_begin[begin]; s++)
    if (t->last[s] >= begin)
      cross_slot(e, s);
  for (uint32_t p = begin; p < end; p++) {
    for (uint32_t i = t->read_begin[p]; i < t->read_begin[p + 1]; i++)
      if (t->owner[t->reads[i]] < begin)
        cross_slot(e, t->reads[i]);
    if (is_loose(e, p))
      tie(e, p);
  }
}

/* The fence before segment NUMBER, which ends at END. */
static void
add_fence(struct expanding *e, uint32_t number, uint32_t end) {
  e->segment = number + 1;
  gather_crossing(e, e->cuts->starts[number - 1], e->cuts->starts[number], end);
  /* literals that pass have to stand before */
  for (uint32_t i = 0; i < e->crossing.count; i++)
    if (e->s->how[e->crossing.data[i]] == STORED_LITERAL)
      emit(e, ir_value_op(e->m, e->crossing.data[i]), PLAN_JOINS);
  struct plan_fence fence = {e->ops.count, e->crossing.count, e->crossing.data};
  if (fence.count)
    vector_push(e->arena, &e->fences, fence);
  e->segment_place = e->ops.count;
}

/* --- all of it --- */

static void
emit_node(struct expanding *e, uint32_t position) {
  const struct fused_block *b = e->cuts->block;
  op_id op = b->node_op[e->cuts->timeline.nodes[position]];
  e->node = position + 1;
  e->loose = is_loose(e, position);
  emit_cone(e, op);
  emit(e, op, PLAN_STAYS);
  for (uint32_t r = 0; r < e->m->op_result_count[op]; r++) {
    value_id value = ir_result(e->m, op, r);
    for (uint32_t l = first_leaf(e, value); l < first_leaf(e, value + 1); l++)
      e->instance[l] = e->ops.count;
  }
}

/* Arguments that are ops come first. */
static void
emit_arguments(struct expanding *e) {
  for (uint32_t i = 0; i < e->m->block_op_count[e->block]; i++) {
    op_id op = ir_block_op(e->m, e->block, i);
    if (facts_has(e->s->facts, op, FACT_ARGUMENT))
      emit(e, op, PLAN_STAYS);
  }
}

/* Does another block read what OP, which is no node, makes? */
static bool
is_read_elsewhere(const struct expanding *e, op_id op) {
  const bool *crosses = e->fused->value_crosses;
  for (uint32_t r = 0; crosses && r < e->m->op_result_count[op]; r++)
    if (crosses[ir_result(e->m, op, r)] && !fused_is_node(e->fused, op))
      return true;
  return false;
}

/* What the block hands on at its end. */
static void
emit_end(struct expanding *e) {
  e->node = e->cuts->timeline.count + 1;
  e->loose = false;
  for (uint32_t i = 0; i < e->m->block_op_count[e->block]; i++) {
    op_id op = ir_block_op(e->m, e->block, i);
    bool root = e->m->op_flags[op] & OP_ROOT &&
                (e->s->view[op] ||
                 e->s->how[e->m->op_first_result[op]] == STORED_LITERAL);
    bool ends = (e->m->op_flags[op] & OP_TERMINATOR) != 0;
    if (!root && !ends && !is_read_elsewhere(e, op))
      continue;
    push_operands(e, op, true);
    emit_stack(e);
    emit(e, op, PLAN_STAYS);
  }
}

struct plan_block
fused_expand(struct fence_cuts *cuts, struct arena *arena) {
  const struct fused *fused = cuts->block->fused;
  const struct ir_module *m = fused->module;
  uint32_t leaves = fused->facts->leaf_count;
  struct expanding e = {.cuts = cuts,
                        .fused = fused,
                        .s = fused->stored,
                        .m = m,
                        .block = cuts->block->block,
                        .arena = arena,
                        .made = ARENA_ARRAY(arena, uint32_t, m->op_count),
                        .passing = ARENA_ARRAY(arena, uint32_t, m->op_count),
                        .instance = ARENA_ARRAY(arena, uint32_t, leaves),
                        .tied = ARENA_ARRAY(arena, uint32_t, m->value_count),
                        .crosses =
                            ARENA_ARRAY(arena, uint32_t, m->value_count)};
  emit_arguments(&e);
  for (uint32_t k = 0; k < cuts->count; k++) {
    uint32_t end =
        k + 1 < cuts->count ? cuts->starts[k + 1] : cuts->timeline.count;
    if (k)
      add_fence(&e, k, end);
    for (uint32_t p = cuts->starts[k]; p < end; p++)
      emit_node(&e, p);
  }
  emit_end(&e);
  return (struct plan_block){.block = e.block,
                             .count = e.ops.count,
                             .ops = e.ops.data,
                             .stays = e.stays.data,
                             .fence_count = e.fences.count,
                             .fences = e.fences.data};
}
