/* contract.c - see contract.h: from ops to nodes.
 *
 * In program order each op either passes the roots of what it reads on to its
 * results (virtual), or becomes a node whose results are roots themselves.
 * O(uses + leaves), times the depth of nesting for captured values. */
#include "passes/contract.h"

#include <string.h>

/* --- the module's columns --- */

/* Where the ops inside of each op end: they are numbered right behind it. */
static void
find_ends(struct contractor *k) {
  const struct ir_module *m = k->module;
  k->op_end = ARENA_ARRAY(k->arena, op_id, m->op_count);
  for (op_id op = m->op_count; op-- > 0;) {
    op_id end = op + 1;
    for (region_id r = m->op_region[op]; r != NONE; r = m->region_next[r])
      for (block_id b = m->region_block[r]; b != NONE; b = m->block_next[b]) {
        uint32_t count = m->block_op_count[b];
        if (count && k->op_end[ir_block_op(m, b, count - 1)] > end)
          end = k->op_end[ir_block_op(m, b, count - 1)];
      }
    k->op_end[op] = end;
  }
}

struct contractor *
contractor_new(const struct contract_input *input, bool temporaries_only,
               struct arena *arena) {
  struct contractor *k = ARENA_NEW(arena, struct contractor);
  const struct ir_module *m = input->module;
  k->module = m;
  k->facts = input->facts;
  k->buffers = input->buffers;
  k->clock = input->buffers->clock;
  k->marks = input->marks;
  k->orders = input->orders;
  k->live = temporaries_only ? input->liveness->temp : input->liveness->live;
  k->arena = arena;
  k->temporaries_only = temporaries_only;
  k->leaf = ARENA_ARRAY(arena, struct contract_roots,
                        facts_first_leaf(input->facts, m->value_count) + 1);
  k->op_node = ARENA_ARRAY(arena, uint32_t, m->op_count);
  k->op_saved = ARENA_ARRAY(arena, uint64_t, m->op_count);
  k->last_read = ARENA_ARRAY(arena, op_id, m->value_count);
  k->returned = ARENA_ARRAY(arena, bool, m->value_count);
  find_ends(k);
  return k;
}

/* --- one block --- */

struct contracting {
  struct contractor *k;
  struct contraction *c;
  const struct ir_module *m;
  const struct facts *facts;
  const struct buffers *buffers;
  struct plan_builder builder;
  VECTOR(op_id) node_op;
  VECTOR(op_id) last;      /* by planning value: the last op that reads it */
  VECTOR(uint32_t) listed; /* by planning value: the list it was put in last */
  uint32_t lists;
};

static uint32_t
first_leaf(const struct contracting *s, value_id value) {
  return facts_first_leaf(s->facts, value);
}

/* Does VALUE live in the account that the plan is for? */
static uint64_t
counted_bytes(const struct contracting *s, uint32_t leaf) {
  uint32_t buffer = s->buffers->leaf_buffer[leaf];
  if (buffer == NONE ||
      (s->k->temporaries_only && !buffers_temporary(s->buffers, buffer)))
    return 0;
  return s->facts->leaf_bytes[leaf];
}

/* Is OP a view, a tuple or the like, whose results only show what is there? */
static bool
is_virtual(const struct contracting *s, op_id op) {
  const struct op_facts *facts = facts_of(s->facts, op);
  uint32_t shows = FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS;
  return s->m->op_result_count[op] > 0 && s->m->op_region[op] == NONE &&
         s->facts->op_repeatable[op] &&
         (facts->alias >= 0 || (facts->flags & shows)) &&
         !(facts->flags & (FACT_BARRIER | FACT_TERMINATOR));
}

/* --- what is read when, before there are nodes --- */

static bool
made_in_block(const struct contracting *s, value_id value) {
  op_id op = ir_value_op(s->m, value);
  if (op != NONE)
    return s->m->op_block[op] == s->c->block;
  return ir_value_block(s->m, value) == s->c->block;
}

/* OP, of the block, reads VALUE, itself or inside of it. */
static void
note_read(struct contracting *s, op_id op, value_id value) {
  if (made_in_block(s, value) && s->k->last_read[value] < op)
    s->k->last_read[value] = op;
}

/* What shows an operand keeps it as long as it is kept itself. */
static void
note_shown(struct contracting *s, op_id op) {
  for (uint32_t r = 0; r < s->m->op_result_count[op]; r++) {
    value_id result = ir_result(s->m, op, r);
    for (uint32_t i = 0; i < s->m->op_use_count[op]; i++) {
      value_id operand = ir_operand(s->m, op, i);
      note_read(s, s->k->last_read[result], operand);
      if (made_in_block(s, operand))
        s->k->returned[operand] |= s->k->returned[result];
    }
  }
}

/* Mark the operands of OP that the block makes as needed at its end. */
static void
mark_returned(struct contracting *s, op_id op) {
  for (uint32_t i = 0; i < s->m->op_use_count[op]; i++)
    if (made_in_block(s, ir_operand(s->m, op, i)))
      s->k->returned[ir_operand(s->m, op, i)] = true;
}

/* Values that other blocks of the region read leave the block. */
static void
mark_leaving(struct contracting *s) {
  region_id region = s->m->block_region[s->c->block];
  block_id block = s->m->region_block[region];
  for (; block != NONE; block = s->m->block_next[block])
    for (uint32_t i = 0;
         block != s->c->block && i < s->m->block_op_count[block]; i++) {
      op_id op = ir_block_op(s->m, block, i);
      for (op_id inner = op; inner < s->k->op_end[op]; inner++)
        mark_returned(s, inner);
    }
}

static bool
is_terminator(const struct contracting *s, op_id op) {
  return (s->m->op_flags[op] & OP_TERMINATOR) != 0;
}

/* The block from its end to its begin: last reads, and what is returned. */
static void
note_block(struct contracting *s) {
  mark_leaving(s);
  for (uint32_t i = s->m->block_op_count[s->c->block]; i-- > 0;) {
    op_id op = ir_block_op(s->m, s->c->block, i);
    if (is_terminator(s, op))
      mark_returned(s, op);
    if (s->m->op_flags[op] & OP_ROOT)
      for (uint32_t r = 0; r < s->m->op_result_count[op]; r++)
        s->k->returned[ir_result(s->m, op, r)] = true;
    for (op_id inner = op; inner < s->k->op_end[op]; inner++)
      for (uint32_t u = 0; u < s->m->op_use_count[inner]; u++)
        note_read(s, op, ir_operand(s->m, inner, u));
    if (is_virtual(s, op))
      note_shown(s, op);
  }
}

/* --- roots --- */

/* An empty list, to which roots are added until the next one begins. */
static struct contract_roots
begin_list(struct contracting *s) {
  s->lists++;
  return (struct contract_roots){s->k->roots.count, 0};
}

static void
add_root(struct contracting *s, struct contract_roots *list, uint32_t root) {
  if (s->listed.data[root] == s->lists)
    return;
  s->listed.data[root] = s->lists;
  vector_push(s->k->arena, &s->k->roots, root);
  list->count++;
}

/* Add ROOTS to LIST, the newest, each once. */
static void
add_roots(struct contracting *s, struct contract_roots *list,
          struct contract_roots roots) {
  for (uint32_t i = 0; i < roots.count; i++)
    add_root(s, list, s->k->roots.data[roots.first + i]);
}

/* All leaves of VALUE together. */
static void
add_value_roots(struct contracting *s, struct contract_roots *list,
                value_id value) {
  uint32_t end = first_leaf(s, value + 1);
  for (uint32_t leaf = first_leaf(s, value); leaf < end; leaf++)
    add_roots(s, list, s->k->leaf[leaf]);
}

/* The leaf among the operands of OP that shares the storage of LEAF, or
 * NONE. */
static uint32_t
same_storage(const struct contracting *s, op_id op, uint32_t leaf) {
  uint32_t buffer = s->buffers->leaf_buffer[leaf];
  uint32_t first = s->m->op_first_use[op];
  if (buffer == NONE)
    return NONE;
  for (uint32_t u = first; u < first + s->m->op_use_count[op]; u++) {
    value_id value = s->m->use_value[u];
    uint32_t end = first_leaf(s, value + 1);
    for (uint32_t other = first_leaf(s, value); other < end; other++)
      if (s->buffers->leaf_buffer[other] == buffer)
        return other;
  }
  return NONE;
}

/* A virtual op's results are made of its operands: of the same leaf where
 * there is one operand, for it is made whole or not at all; else of all, since
 * the op cannot stand before any of them. */
static void
pass_roots_on(struct contracting *s, op_id op) {
  value_id first = s->m->op_first_result[op];
  uint32_t end = first_leaf(s, first + s->m->op_result_count[op]);
  struct contract_roots all = begin_list(s);
  for (uint32_t i = 0; i < s->m->op_use_count[op]; i++)
    add_value_roots(s, &all, ir_operand(s->m, op, i));
  for (uint32_t leaf = first_leaf(s, first); leaf < end; leaf++) {
    uint32_t from =
        s->m->op_use_count[op] == 1 ? same_storage(s, op, leaf) : NONE;
    s->k->leaf[leaf] = from != NONE ? s->k->leaf[from] : all;
  }
}

/* Is OP in an order that was found while planning? */
static bool
is_ordered(const struct contracting *s, op_id op) {
  return s->k->orders && s->k->orders->bound && s->k->orders->bound[op];
}

/* Has OP no result with storage?  No planning value then says that it is
 * needed. */
static bool
leaves_nothing(const struct contracting *s, op_id op) {
  value_id first = s->m->op_first_result[op];
  return first_leaf(s, first) ==
         first_leaf(s, first + s->m->op_result_count[op]);
}

/* What keeps OP where it is, if anything does. */
static unsigned
node_flags(const struct contracting *s, op_id op) {
  const struct op_facts *facts = facts_of(s->facts, op);
  uint32_t bound = FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE | FACT_ARGUMENT |
                   FACT_BARRIER;
  uint32_t count;
  /* What may not run twice may have effects inside of it. */
  if ((facts->flags & bound) || !(facts->flags & FACT_PURE) ||
      facts->class_id == 0 || !s->facts->op_repeatable[op])
    return PLAN_FIXED;
  if (leaves_nothing(s, op) || ir_op_controls(s->m, op, &count) ||
      is_ordered(s, op) || (s->k->marks && (s->k->marks[op] & PLAN_KEEP)))
    return PLAN_ONCE;
  return facts_can_recompute(s->facts, op) ? 0 : PLAN_ONCE;
}

/* A new planning value of the newest node, for VALUE. */
static uint32_t
new_root(struct contracting *s, value_id value, uint64_t bytes) {
  uint32_t root = plan_add_result(&s->builder, bytes, s->k->returned[value]);
  vector_push(s->k->arena, &s->last, s->k->last_read[value]);
  vector_push(s->k->arena, &s->listed, 0);
  return root;
}

/* The operand's root that LEAF, a result of OP, takes over: the one whose
 * storage it has, where nothing behind OP reads that. */
static uint32_t
taken_root(const struct contracting *s, op_id op, struct contract_roots from) {
  uint32_t root = from.count == 1 ? s->k->roots.data[from.first] : PLAN_NONE;
  return root != PLAN_NONE && s->last.data[root] <= op ? root : PLAN_NONE;
}

/* Storage that a loop hands on: what leaf LEAF of result INDEX was before. */
static uint32_t
carried_leaf(const struct contracting *s, op_id op, uint32_t index,
             uint32_t offset) {
  int32_t carries = facts_of(s->facts, op)->carries_operand;
  if (carries < 0 || (uint32_t)carries + index >= s->m->op_use_count[op])
    return NONE;
  value_id value = ir_operand(s->m, op, (uint32_t)carries + index);
  uint32_t leaf = first_leaf(s, value) + offset;
  return leaf < first_leaf(s, value + 1) ? leaf : NONE;
}

/* What LEAF, a result of OP, adds to the account: nothing where it is an
 * argument whose storage is somebody else's to the end of the block. */
static uint64_t
leaf_account(const struct contracting *s, op_id op, uint32_t leaf) {
  uint32_t buffer = s->buffers->leaf_buffer[leaf];
  if (buffer != NONE && facts_has(s->facts, op, FACT_ARGUMENT) &&
      s->buffers->end[buffer] >= s->k->clock->block_end[s->c->block])
    return 0;
  return counted_bytes(s, leaf);
}

/* A result's storage: its own, or that of an operand, which it takes over
 * where the operand dies and shares where it does not. */
static void
add_leaf(struct contracting *s, op_id op, uint32_t index, uint32_t leaf) {
  struct contractor *k = s->k;
  value_id value = ir_result(s->m, op, index);
  uint32_t same = same_storage(s, op, leaf);
  uint32_t from = same != NONE
                      ? same
                      : carried_leaf(s, op, index, leaf - first_leaf(s, value));
  struct contract_roots shared = {0, 0};
  if (from != NONE)
    shared = k->leaf[from];
  uint32_t taken = taken_root(s, op, shared);
  bool shows = same != NONE && taken == PLAN_NONE;
  uint32_t root = new_root(s, value, shows ? 0 : leaf_account(s, op, leaf));
  if (taken != PLAN_NONE)
    plan_set_in_place(&s->builder, root, taken);
  struct contract_roots list = begin_list(s);
  add_root(s, &list, root);
  if (shows)
    add_roots(s, &list, shared);
  k->leaf[leaf] = list;
}

/* The roots that OP and what is inside of it read. */
static void
add_operands(struct contracting *s, op_id op) {
  struct contract_roots list = begin_list(s);
  for (op_id inner = op; inner < s->k->op_end[op]; inner++)
    for (uint32_t i = 0; i < s->m->op_use_count[inner]; i++) {
      value_id value = ir_operand(s->m, inner, i);
      if (made_in_block(s, value))
        add_value_roots(s, &list, value);
    }
  for (uint32_t i = 0; i < list.count; i++)
    plan_add_operand(&s->builder, s->k->roots.data[list.first + i]);
  s->k->roots.count = list.first;
}

/* What has no storage at all, an empty tuple, is read like anything else. */
static void
add_edges_of_empty(struct contracting *s, op_id op) {
  for (op_id inner = op; inner < s->k->op_end[op]; inner++)
    for (uint32_t i = 0; i < s->m->op_use_count[inner]; i++) {
      value_id value = ir_operand(s->m, inner, i);
      op_id source = ir_value_op(s->m, value);
      if (source != NONE && s->m->op_block[source] == s->c->block &&
          s->k->op_node[source] != PLAN_NONE &&
          first_leaf(s, value) == first_leaf(s, value + 1))
        plan_add_edge(&s->builder, s->k->op_node[source]);
    }
}

static void
add_edges(struct contracting *s, op_id op) {
  uint32_t count;
  const struct ir_control *controls = ir_op_controls(s->m, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    op_id before = controls[i].predecessor;
    if (s->m->op_block[before] == s->c->block &&
        s->k->op_node[before] != PLAN_NONE)
      plan_add_edge(&s->builder, s->k->op_node[before]);
  }
  for (uint32_t i = 0; is_ordered(s, op) && i < s->k->orders->list.count; i++) {
    const struct contract_order *order = &s->k->orders->list.data[i];
    if (order->after == op && order->before < op &&
        s->m->op_block[order->before] == s->c->block &&
        s->k->op_node[order->before] != PLAN_NONE)
      plan_add_edge(&s->builder, s->k->op_node[order->before]);
  }
}

static void
add_node(struct contracting *s, op_id op) {
  s->k->op_node[op] = plan_add_node(&s->builder, s->facts->op_cost_ns[op], 0,
                                    node_flags(s, op));
  vector_push(s->k->arena, &s->node_op, op);
  add_operands(s, op);
  add_edges(s, op);
  add_edges_of_empty(s, op);
  for (uint32_t r = 0; r < s->m->op_result_count[op]; r++) {
    value_id value = ir_result(s->m, op, r);
    uint32_t end = first_leaf(s, value + 1);
    for (uint32_t leaf = first_leaf(s, value); leaf < end; leaf++)
      add_leaf(s, op, r, leaf);
  }
}

/* Arguments of the block whose storage ends inside of it are nodes that come
 * first: when nothing reads them any more they make room. */
static void
add_incoming(struct contracting *s) {
  const struct clock *clock = s->k->clock;
  uint32_t begin = clock->block_begin[s->c->block];
  uint32_t end = clock->block_end[s->c->block];
  value_id first = s->m->block_first_argument[s->c->block];
  for (uint32_t i = 0; i < s->m->block_argument_count[s->c->block]; i++) {
    uint32_t leaf_end = first_leaf(s, first + i + 1);
    for (uint32_t leaf = first_leaf(s, first + i); leaf < leaf_end; leaf++) {
      uint32_t buffer = s->buffers->leaf_buffer[leaf];
      if (buffer == NONE || s->buffers->begin[buffer] > begin ||
          s->buffers->end[buffer] >= end)
        continue;
      plan_add_node(&s->builder, 0, 0, PLAN_FIXED);
      vector_push(s->k->arena, &s->node_op, (op_id)NONE);
      struct contract_roots list = {s->k->roots.count, 1};
      vector_push(s->k->arena, &s->k->roots,
                  new_root(s, first + i, counted_bytes(s, leaf)));
      s->k->leaf[leaf] = list;
    }
  }
}

/* --- calibration --- */

/* Bytes that liveness found at OP, of the account that the plan is for. */
static uint64_t
live_at(const struct contracting *s, op_id op) {
  const struct clock *clock = s->k->clock;
  uint64_t most = 0;
  if (clock->op_begin[op] == NONE)
    return 0;
  for (uint32_t t = clock->op_begin[op]; t <= clock->op_end[op]; t++)
    most = s->k->live[t] > most ? s->k->live[t] : most;
  return saturating_subtract(most, s->k->op_saved[op]);
}

/* Storage of others that is needed all the while the block runs: what
 * liveness counts beyond the problem where that is least. */
static uint64_t
least_outside(const struct contracting *s,
              const struct plan_timeline *timeline) {
  uint64_t least = UINT64_MAX;
  for (uint32_t n = 0; n < s->node_op.count; n++) {
    if (s->node_op.data[n] == NONE)
      continue;
    uint64_t live = live_at(s, s->node_op.data[n]);
    uint64_t outside =
        saturating_subtract(live, (uint64_t)timeline->profile[n]);
    least = outside < least ? outside : least;
  }
  return least == UINT64_MAX ? 0 : least;
}

/* May a result of OP take over an operand that is read again here, where a plan
 * lets it die? */
static bool
could_take(const struct contracting *s, op_id op) {
  const struct op_facts *facts = facts_of(s->facts, op);
  return s->m->scheduled || facts->inplace != OPERAND_NONE ||
         facts->carries_operand >= 0;
}

/* Raise workspaces until the problem's profile is nowhere below liveness. */
static bool
calibrate(struct contracting *s) {
  struct plan_problem *problem = s->c->problem;
  struct plan_timeline timeline;
  struct plan_sequence order = plan_program_order(problem, s->k->arena);
  if (!plan_timeline_build(&timeline, problem, order, s->k->arena))
    return false;
  s->c->held_bytes = least_outside(s, &timeline);
  s->c->exact = !problem->has_in_place;
  s->c->node_profile = ARENA_ARRAY(s->k->arena, uint64_t, s->node_op.count + 1);
  for (uint32_t n = 0; n < s->node_op.count; n++) {
    uint64_t counted = (uint64_t)timeline.profile[n] + s->c->held_bytes;
    uint64_t live =
        s->node_op.data[n] == NONE ? 0 : live_at(s, s->node_op.data[n]);
    s->c->exact &= s->node_op.data[n] == NONE ||
                   (live == counted && !could_take(s, s->node_op.data[n]));
    if (live > counted)
      problem->workspace_bytes[n] += live - counted;
    s->c->node_profile[n] = live > counted ? live : counted;
  }
  return true;
}

struct contraction *
contract_block(struct contractor *contractor, block_id block) {
  struct contraction *c = ARENA_NEW(contractor->arena, struct contraction);
  struct contracting s = {.k = contractor,
                          .c = c,
                          .m = contractor->module,
                          .facts = contractor->facts,
                          .buffers = contractor->buffers,
                          .builder = {.arena = contractor->arena}};
  c->contractor = contractor;
  c->block = block;
  note_block(&s);
  add_incoming(&s);
  for (uint32_t i = 0; i < s.m->block_op_count[block]; i++) {
    op_id op = ir_block_op(s.m, block, i);
    contractor->op_node[op] = PLAN_NONE;
    if (is_virtual(&s, op))
      pass_roots_on(&s, op);
    else if (!is_terminator(&s, op))
      add_node(&s, op);
  }
  c->node_op = s.node_op.data;
  c->problem = plan_finish(&s.builder);
  return c->problem && calibrate(&s) ? c : NULL;
}
