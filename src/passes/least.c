/* least.c - see least.h.
 *
 * Each block of the function's body becomes a problem whose values are no
 * larger than what they stand for in any program that a plan makes; the bound
 * on that problem (plan/bound.h) is then one on all of these.
 *
 * - Views have no node: who reads one reads what it shows.
 * - Storage is shared only where an op writes over an operand that dies.  What
 *   can come into an argument's or a result's storage that way counts nothing
 *   towards temporaries.
 * - In scheduled HLO, temporaries fill the places of donated arguments and of
 *   results too.  So these places are added to the budget, and what the caller
 *   gives away and gets is counted with the temporaries.
 * - Under the fused model only what ops that do not fuse make, or read whole,
 *   is sure to be stored.
 * - Arguments that are held count on both sides, and so on neither.
 */
#include "passes/least.h"
#include "passes/flow.h"
#include "passes/fused.h"
#include "passes/plan.h"
#include "passes/storage.h"
#include "passes/xla.h"
#include "plan/bound.h"

#include <stdlib.h>
#include <string.h>

enum { EFFORT = 20000000 };

struct leasting {
  struct program *program;
  const struct ir_module *m;
  const struct facts *facts;
  const struct stored *s;
  const struct buffers *buffers; /* as the text says, before XLA's sharing */
  const struct liveness *liveness;
  const struct budget *budget;
  bool scheduled; /* XLA places buffers */
  const bool
      *takes;      /* by leaf, in scheduled HLO: may take an operand's place */
  bool *changed;   /* by leaf, there: a result that a turn of its loop writes */
  bool *apart;     /* by leaf: counts nothing; NULL: all count */
  op_id *op_end;   /* by op: one past the last op inside of it */
  uint32_t *value; /* by leaf: its planning value */
  uint64_t held;   /* bytes of arguments that are there to the end */
  uint32_t start; /* a value of no bytes that all nodes read: that the arguments
                     are there; PLAN_NONE where none counts */
  struct plan_builder builder;
  VECTOR(op_id) node_op;
  VECTOR(uint32_t)
  listed;                /* by planning value: the op it was listed for, + 1 */
  VECTOR(uint32_t) list; /* what the newest node reads */
};

static uint32_t
first_leaf(const struct leasting *l, value_id value) {
  return facts_first_leaf(l->facts, value);
}

/* --- sizes --- */

/* Does OP perhaps only hand on what is somebody's already? */
static bool
hands_on(const struct leasting *l, op_id op) {
  const struct op_facts *f = facts_of(l->facts, op);
  uint32_t flags = FACT_BARRIER | FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS;
  return (f->flags & flags) || f->alias != OPERAND_NONE ||
         f->async != ASYNC_NONE;
}

/* Is what OP makes stored, whatever a plan does around it? */
static bool
is_stored(const struct leasting *l, op_id op) {
  return !l->budget->fused ||
         (!l->s->fuses[op] && facts_of(l->facts, op)->body != BODY_CALL);
}

/* Is an operand of OP in the buffer of LEAF? */
static bool
shares_operand(const struct leasting *l, op_id op, uint32_t leaf) {
  uint32_t buffer = l->buffers->leaf_buffer[leaf];
  for (uint32_t i = 0; i < l->m->op_use_count[op]; i++) {
    value_id value = ir_operand(l->m, op, i);
    for (uint32_t k = first_leaf(l, value); k < first_leaf(l, value + 1); k++)
      if (l->buffers->leaf_buffer[k] == buffer)
        return true;
  }
  return false;
}

/* Bytes of LEAF, a result of OP, that count in any case. */
static uint64_t
sure_bytes(const struct leasting *l, op_id op, uint32_t leaf) {
  const struct op_facts *f = facts_of(l->facts, op);
  bool constant = l->budget->temporaries && (f->flags & FACT_CONSTANT);
  bool updates = f->inplace != OPERAND_NONE && f->body == BODY_NONE;
  if (l->buffers->leaf_buffer[leaf] == NONE || constant || hands_on(l, op) ||
      !is_stored(l, op) || (l->apart && l->apart[leaf]))
    return 0;
  if (!updates && !(l->changed && l->changed[leaf]) &&
      shares_operand(l, op, leaf))
    return 0;
  /* other memories are pools of their own */
  const struct buffers *counted = l->liveness->buffers;
  return counted->bytes[counted->leaf_buffer[leaf]] ? l->facts->leaf_bytes[leaf]
                                                    : 0;
}

/* May LEAF, a result of OP, take over storage of an operand that dies? */
static bool
may_take(const struct leasting *l, op_id op, uint32_t leaf) {
  const struct op_facts *f = facts_of(l->facts, op);
  if (l->takes && l->takes[leaf])
    return true;
  if (l->budget->fused && (f->flags & FACT_ROOT || f->reuses != OPERAND_NONE))
    return true;
  return f->inplace != OPERAND_NONE || f->body == BODY_LOOP;
}

/* --- what counts nothing --- */

/* The operand of OP that its result INDEX is written over, or NONE. */
static uint32_t
written_over(const struct leasting *l, op_id op, uint32_t index) {
  const struct op_facts *f = facts_of(l->facts, op);
  uint32_t operands = l->m->op_use_count[op];
  uint32_t results = l->m->op_result_count[op];
  uint32_t from = f->inplace == OPERAND_SAME ? index
                  : f->inplace == OPERAND_DESTINATION
                      ? operands - results + index
                      : (uint32_t)f->inplace;
  return f->inplace == OPERAND_NONE || from >= operands ? NONE : from;
}

/* Unite what OP may write over with what it makes. */
static void
unite_updates(const struct leasting *l, struct storage *sets, op_id op) {
  for (uint32_t r = 0; r < l->m->op_result_count[op]; r++) {
    uint32_t from = written_over(l, op, r);
    if (from == NONE)
      continue;
    value_id result = ir_result(l->m, op, r);
    uint32_t to = first_leaf(l, result), end = first_leaf(l, result + 1);
    uint32_t leaf = first_leaf(l, ir_operand(l->m, op, from));
    uint32_t last = first_leaf(l, ir_operand(l->m, op, from) + 1);
    for (; to < end && leaf < last; to++, leaf++)
      storage_unite(sets, leaf, to);
  }
}

/* Find what may come into storage that is no temporary: what shares a buffer
 * with such, now or where something is written over it. */
static void
find_apart(struct leasting *l) {
  struct arena *scratch = l->program->scratch;
  uint32_t count = l->facts->leaf_count;
  uint32_t *first = ARENA_ARRAY(scratch, uint32_t, l->buffers->count);
  struct storage sets = {.parent = ARENA_ARRAY(scratch, uint32_t, count),
                         .begin = ARENA_ARRAY(scratch, uint32_t, count),
                         .end = ARENA_ARRAY(scratch, uint32_t, count),
                         .bytes = ARENA_ARRAY(scratch, uint64_t, count),
                         .flags = ARENA_ARRAY(scratch, uint8_t, count)};
  l->apart = ARENA_ARRAY(scratch, bool, count);
  for (uint32_t leaf = 0; leaf < count; leaf++)
    sets.parent[leaf] = leaf;
  for (uint32_t leaf = 0; leaf < count; leaf++) {
    uint32_t buffer = l->buffers->leaf_buffer[leaf];
    if (buffer == NONE)
      continue;
    if (first[buffer])
      storage_unite(&sets, first[buffer] - 1, leaf);
    else
      first[buffer] = leaf + 1;
    if (!buffers_temporary(l->buffers, buffer) || l->s->leaf_returned[leaf])
      sets.flags[storage_find(&sets, leaf)] = 1;
  }
  for (op_id op = 0; op < l->m->op_count; op++)
    unite_updates(l, &sets, op);
  for (uint32_t leaf = 0; leaf < count; leaf++)
    l->apart[leaf] = sets.flags[storage_find(&sets, leaf)] != 0;
}

static int
compare_bytes(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Does OP read what is stored for sure? */
static bool
reads_stored(const struct leasting *l, const bool *stored, op_id op) {
  for (uint32_t i = 0; i < l->m->op_use_count[op]; i++) {
    value_id value = ir_operand(l->m, op, i);
    for (uint32_t k = first_leaf(l, value); k < first_leaf(l, value + 1); k++)
      if (stored[l->s->base[k]])
        return true;
  }
  return false;
}

/* Under the fused model what is made of arguments alone may go where a result
 * of its size will be. */
static void
find_alone(struct leasting *l) {
  struct arena *scratch = l->program->scratch;
  uint32_t leaves = l->facts->leaf_count;
  bool *stored = ARENA_ARRAY(scratch, bool, leaves);
  VECTOR(uint64_t) sizes = {NULL, 0, 0};
  for (uint32_t leaf = 0; leaf < leaves; leaf++)
    if (l->s->leaf_returned[leaf])
      vector_push(scratch, &sizes, l->facts->leaf_bytes[leaf]);
  if (!sizes.count)
    return;
  qsort(sizes.data, sizes.count, sizeof *sizes.data, compare_bytes);
  for (op_id op = 0; op < l->m->op_count; op++) {
    bool reads = reads_stored(l, stored, op);
    bool makes = is_stored(l, op) && !facts_has(l->facts, op, FACT_ARGUMENT);
    for (uint32_t r = 0; r < l->m->op_result_count[op]; r++) {
      value_id value = ir_result(l->m, op, r);
      for (uint32_t k = first_leaf(l, value); k < first_leaf(l, value + 1);
           k++) {
        stored[k] = reads || makes;
        l->apart[k] |=
            !reads && bsearch(&l->facts->leaf_bytes[k], sizes.data, sizes.count,
                              sizeof *sizes.data, compare_bytes);
      }
    }
  }
}

/* By leaf: does a turn of its loop write what the loop OP hands on? */
static void
find_changed(struct leasting *l, op_id op) {
  enum { BODIES = 8 };
  struct flow_body bodies[BODIES];
  uint32_t count =
      flow_bodies(l->m, l->facts, l->buffers->clock, op, bodies, BODIES);
  for (uint32_t i = 0; i < count && i < BODIES; i++) {
    value_id argument = flow_argument(l->m, &bodies[i], 0);
    if (bodies[i].condition || bodies[i].function == NONE || argument == NONE)
      continue;
    value_id result = ir_result(l->m, op, 0);
    uint32_t from = first_leaf(l, argument), to = first_leaf(l, result);
    uint32_t yield = first_leaf(l, flow_yield(l->m, l->facts, &bodies[i], 0));
    for (; to < first_leaf(l, result + 1); from++, to++, yield++)
      l->changed[to] = l->s->base[yield] != l->s->base[from];
  }
}

static void
find_places(struct leasting *l) {
  struct program *program = l->program;
  l->takes = xla_takers(program, l->m, l->facts, l->buffers->clock);
  l->changed = ARENA_ARRAY(program->scratch, bool, l->facts->leaf_count);
  for (op_id op = 0; op < l->m->op_count; op++)
    if (facts_of(l->facts, op)->body == BODY_LOOP &&
        l->buffers->clock->op_end[op] != NONE)
      find_changed(l, op);
}

/* --- nodes --- */

/* Must OP run exactly once, whatever a plan does? */
static bool
runs_once(const struct leasting *l, op_id op) {
  const struct op_facts *f = facts_of(l->facts, op);
  const struct plan *plan = l->program->plan;
  uint32_t count, bound = FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE;
  return (f->flags & bound) || !(f->flags & FACT_PURE) || f->class_id == 0 ||
         ir_op_controls(l->m, op, &count) ||
         (plan && plan->selected && plan->selected[op] & PLAN_KEEP) ||
         !facts_can_recompute(l->facts, op);
}

static void
new_node(struct leasting *l, op_id op, uint64_t workspace, unsigned flags) {
  plan_add_node(&l->builder, 0, workspace, flags);
  vector_push(l->program->scratch, &l->node_op, op);
}

static uint32_t
new_value(struct leasting *l, uint64_t bytes, bool returned) {
  vector_push(l->program->scratch, &l->listed, (uint32_t)0);
  return plan_add_result(&l->builder, bytes, returned);
}

/* Is argument BUFFER the caller's all the while? */
static bool
is_held(const struct leasting *l, uint32_t buffer) {
  const struct options *options = l->program->options;
  return !(l->liveness->buffers->flags[buffer] & BUFFER_DONATED) &&
         options->arguments == ARGUMENTS_HELD;
}

/* Does argument BUFFER count, though not to the end? */
static bool
is_counted(const struct leasting *l, uint32_t buffer) {
  uint8_t flags = l->liveness->buffers->flags[buffer];
  if (l->budget->fused || is_held(l, buffer))
    return false;
  return !l->budget->temporaries || (l->scheduled && flags & BUFFER_DONATED);
}

/* An argument that may go is a node that comes first. */
static void
add_argument(struct leasting *l, value_id value) {
  const struct buffers *buffers = l->liveness->buffers;
  for (uint32_t k = first_leaf(l, value); k < first_leaf(l, value + 1); k++) {
    uint32_t buffer = buffers->leaf_buffer[k];
    if (buffer == NONE || !buffers->bytes[buffer])
      continue;
    if (!is_counted(l, buffer)) {
      if (!l->budget->temporaries && is_held(l, buffer))
        l->held = saturating_add(l->held, buffers->bytes[buffer]);
      continue;
    }
    new_node(l, NONE, 0, PLAN_FIXED);
    l->value[k] = new_value(l, l->facts->leaf_bytes[k], l->s->leaf_returned[k]);
  }
}

/* Under the fused model: bytes of operand INDEX where that is computed in its
 * readers but OP, which reads it whole from memory. */
static uint64_t
whole_bytes(const struct leasting *l, op_id op, uint32_t index) {
  value_id value = ir_operand(l->m, op, index);
  uint32_t leaf = l->s->base[first_leaf(l, value)];
  op_id from = ir_value_op(l->m, l->s->leaf_value[leaf]);
  if (from == NONE || !l->s->fuses[from] || l->apart[leaf] ||
      facts_of(l->facts, op)->flags & FACT_ROOT || hands_on(l, from) ||
      facts_of(l->facts, from)->flags & (FACT_VIRTUAL | FACT_CONSTANT) ||
      l->m->op_block[from] != l->m->op_block[op] ||
      !stored_reads_whole(l->s, op, index))
    return 0;
  for (uint32_t i = 0; i < index; i++)
    if (l->s->base[first_leaf(l, ir_operand(l->m, op, i))] == leaf)
      return 0;
  return l->facts->leaf_bytes[leaf];
}

/* What OP needs beside its operands and results while it runs. */
static uint64_t
workspace_of(const struct leasting *l, op_id op, bool takes) {
  uint64_t bytes = l->facts->op_workspace ? l->facts->op_workspace[op] : 0;
  if (!l->budget->fused || takes || hands_on(l, op) || !is_stored(l, op))
    return bytes;
  for (uint32_t i = 0; i < l->m->op_use_count[op]; i++)
    bytes = saturating_add(bytes, whole_bytes(l, op, i));
  return bytes;
}

/* What OP and what is inside of it reads, as planning values, each of them
 * once in LIST. */
static void
list_operands(struct leasting *l, op_id op) {
  l->list.count = 0;
  for (op_id inner = op; inner < l->op_end[op]; inner++)
    for (uint32_t i = 0; i < l->m->op_use_count[inner]; i++) {
      value_id value = ir_operand(l->m, inner, i);
      for (uint32_t k = first_leaf(l, value); k < first_leaf(l, value + 1);
           k++) {
        uint32_t root = l->value[l->s->base[k]];
        if (root == PLAN_NONE || l->listed.data[root] == op + 1)
          continue;
        l->listed.data[root] = op + 1;
        vector_push(l->program->scratch, &l->list, root);
      }
    }
}

/* A call that is put in its place reads its operands one after the other: each
 * in LIST by a node of its own. */
static void
read_apart(struct leasting *l) {
  for (uint32_t i = 0; i < l->list.count; i++) {
    new_node(l, NONE, 0, 0);
    plan_add_operand(&l->builder, l->list.data[i]);
    l->list.data[i] = new_value(l, 0, false);
  }
}

/* LEAF, a result of OP, in the place of an operand if that may be. */
static void
add_result(struct leasting *l, op_id op, uint32_t leaf) {
  uint64_t bytes = sure_bytes(l, op, leaf);
  uint32_t value = new_value(l, bytes, l->s->leaf_returned[leaf]);
  l->value[leaf] = value;
  for (uint32_t i = 0; bytes && i < l->list.count; i++)
    if (l->builder.bytes.data[l->list.data[i]] == bytes &&
        may_take(l, op, leaf)) {
      plan_set_in_place(&l->builder, value, l->list.data[i]);
      return;
    }
}

static void
add_node(struct leasting *l, op_id op) {
  value_id first = l->m->op_first_result[op];
  uint32_t begin = first_leaf(l, first);
  uint32_t end = first_leaf(l, first + l->m->op_result_count[op]);
  bool takes = begin < end && may_take(l, op, begin);
  list_operands(l, op);
  if (l->budget->fused && facts_of(l->facts, op)->body == BODY_CALL)
    read_apart(l);
  new_node(l, op, workspace_of(l, op, takes), runs_once(l, op) ? PLAN_ONCE : 0);
  if (l->start != PLAN_NONE)
    plan_add_operand(&l->builder, l->start);
  for (uint32_t i = 0; i < l->list.count; i++)
    plan_add_operand(&l->builder, l->list.data[i]);
  for (uint32_t leaf = begin; leaf < end; leaf++)
    if (l->s->base[leaf] == leaf)
      add_result(l, op, leaf);
}

/* --- all of it --- */

/* Where the ops inside of each op end: they are numbered right behind it. */
static void
find_ends(struct leasting *l) {
  l->op_end = ARENA_ARRAY(l->program->scratch, op_id, l->m->op_count);
  for (op_id op = 0; op < l->m->op_count; op++)
    l->op_end[op] = op + 1;
  for (op_id op = l->m->op_count; op-- > 0;) {
    op_id parent = ir_parent_op(l->m, op);
    if (parent != NONE && l->op_end[parent] < l->op_end[op])
      l->op_end[parent] = l->op_end[op];
  }
}

static void
set_up(struct leasting *l) {
  struct arena *scratch = l->program->scratch;
  l->value = ARENA_ARRAY(scratch, uint32_t, l->facts->leaf_count);
  memset(l->value, 0xff, l->facts->leaf_count * sizeof *l->value);
  find_ends(l);
  if (l->scheduled && !l->budget->fused)
    find_places(l);
  else if (l->budget->temporaries || l->budget->fused)
    find_apart(l);
  if (l->budget->fused)
    find_alone(l);
}

/* Arguments are there before anything runs. */
static void
add_arguments(struct leasting *l, const struct ir_function *f) {
  for (uint32_t i = 0; i < f->argument_count; i++)
    if (f->arguments[i] != NONE)
      add_argument(l, f->arguments[i]);
  uint32_t count = l->node_op.count;
  l->start = PLAN_NONE;
  if (count == 0)
    return;
  new_node(l, NONE, 0, PLAN_FIXED);
  for (uint32_t value = 0; value < count; value++)
    plan_add_operand(&l->builder, value);
  l->start = new_value(l, 0, false);
}

static void
add_nodes(struct leasting *l, block_id block) {
  for (uint32_t i = 0; i < l->m->block_op_count[block]; i++) {
    op_id op = ir_block_op(l->m, block, i);
    if (!l->s->view[op] && !(l->m->op_flags[op] & OP_TERMINATOR) &&
        !facts_has(l->facts, op, FACT_ARGUMENT))
      add_node(l, op);
  }
}

/* What is needed around BYTES of the problem, less what it counts too much. */
static uint64_t
as_counted(const struct leasting *l, function_id function, uint64_t bytes) {
  const struct liveness_function *live = &l->liveness->functions[function];
  if (l->budget->temporaries)
    return saturating_subtract(
        bytes, l->scheduled && !l->budget->fused ? live->result_bytes : 0);
  uint64_t held = l->budget->fused ? liveness_caller_bytes(live) : l->held;
  return saturating_subtract(saturating_add(bytes, held),
                             l->budget->resident_bytes);
}

struct least
least_find(struct program *program, function_id function) {
  const struct ir_module *m = program->input;
  const struct ir_function *f = &m->functions.data[function];
  struct least least = {0, NONE};
  uint32_t node;
  block_id block = f->body == NONE ? NONE : m->region_block[f->body];
  if (block == NONE || m->block_next[block] != NONE)
    return least;
  struct leasting l = {.program = program,
                       .m = m,
                       .facts = program->facts,
                       .s = stored_find(program, m, program->facts),
                       .buffers = program->buffers,
                       .liveness = program->liveness,
                       .budget = &program->budget[function],
                       .scheduled = xla_applies(m),
                       .builder = {.arena = program->scratch}};
  set_up(&l);
  add_arguments(&l, f);
  add_nodes(&l, block);
  struct plan_problem *problem = plan_finish(&l.builder);
  if (!problem)
    return least;
  uint64_t bytes = plan_bound_resident(problem, EFFORT, &node);
  least.bytes = as_counted(&l, function, bytes);
  least.op = node == PLAN_NONE ? NONE : l.node_op.data[node];
  return least;
}
