/* alias.c - which values share storage.
 *
 *   %1 = reshape %0                 a view: in %0's buffer
 *   %2 = dynamic_update_slice %1    in place where %1 dies: the same buffer
 *   %3 = while (%a = %2) { ... }    %2 moves into %a, what the body yields
 *                                   into the next %a, the last into %3; one
 *                                   buffer where the body hands on what it got
 *
 * In this order, for each needs the one before: leaves with the tick at which
 * they are made; views, tuples and forwarding; last uses; what callers hold
 * and functions return; what control flow hands on; updates in place, in
 * program order; numbers for the sets; segments among blocks that jump.
 *
 * In a scheduled module the compiler has already put in the copies that keep
 * control flow's values apart, so what it hands on shares one buffer.
 *
 * About O(values + uses). */
#include "passes/dump.h"
#include "passes/check.h"
#include "passes/flow.h"
#include "passes/options.h"
#include "passes/segments.h"
#include "passes/storage.h"

#include <string.h>

struct work {
  struct program *program;
  const struct ir_module *module;
  const struct facts *facts;
  const struct clock *clock;
  struct storage storage;
  function_id *region_function; /* by region: whose body it is, or NONE */
};

void
storage_unite(struct storage *storage, uint32_t a, uint32_t b) {
  a = storage_find(storage, a);
  b = storage_find(storage, b);
  if (a == b)
    return;
  uint32_t root = a < b ? a : b, other = a < b ? b : a;
  storage->parent[other] = root;
  if (storage->begin[other] < storage->begin[root])
    storage->begin[root] = storage->begin[other];
  if (storage->end[other] > storage->end[root])
    storage->end[root] = storage->end[other];
  if (storage->bytes[other] > storage->bytes[root])
    storage->bytes[root] = storage->bytes[other];
  storage->flags[root] |= storage->flags[other];
}

static uint32_t
leaves(const struct work *work, value_id value, uint32_t *first) {
  *first = facts_first_leaf(work->facts, value);
  return facts_first_leaf(work->facts, value + 1) - *first;
}

/* Is VALUE ever made? */
static bool
runs(struct work *work, value_id value) {
  uint32_t first;
  return leaves(work, value, &first) != 0 &&
         work->storage.begin[storage_find(&work->storage, first)] != NONE;
}

/* VALUE_B lives in VALUE_A's storage, leaf by leaf from OFFSET on, and brings
 * none of its own. */
static void
share(struct work *work, value_id a, uint32_t offset, value_id b) {
  uint32_t first_a, first_b;
  uint32_t count_a = leaves(work, a, &first_a);
  uint32_t count_b = leaves(work, b, &first_b);
  if (offset + count_b > count_a)
    return;
  for (uint32_t i = 0; i < count_b; i++) {
    uint32_t root = storage_find(&work->storage, first_b + i);
    if (root == first_b + i)
      work->storage.bytes[root] = 0;
    storage_unite(&work->storage, first_a + offset + i, first_b + i);
  }
}

/* A and B are one storage, of the larger's size. */
static void
unite(struct work *work, value_id a, value_id b) {
  uint32_t first_a, first_b;
  uint32_t count_a = leaves(work, a, &first_a);
  uint32_t count_b = leaves(work, b, &first_b);
  for (uint32_t i = 0; i < count_a && i < count_b; i++)
    storage_unite(&work->storage, first_a + i, first_b + i);
}

/* --- leaves --- */

static function_id
function_of_op(const struct work *work, op_id op) {
  block_id block = work->module->op_block[op];
  return block == NONE
             ? NONE
             : work->region_function[work->module->block_region[block]];
}

/* The tick at which VALUE is made, NONE if it never is. */
static uint32_t
made_at(const struct work *work, value_id value) {
  const struct clock *clock = work->clock;
  op_id op = ir_value_op(work->module, value);
  if (op == NONE)
    return clock->block_begin[ir_value_block(work->module, value)];
  if (clock->op_end[op] != NONE && facts_has(work->facts, op, FACT_ARGUMENT)) {
    function_id function = function_of_op(work, op);
    if (function != NONE)
      return clock->function_begin[function];
  }
  return clock->op_end[op];
}

static void
begin_leaves(struct work *work) {
  const struct ir_module *module = work->module;
  struct storage *storage = &work->storage;
  memcpy(storage->bytes, work->facts->leaf_bytes,
         work->facts->leaf_count * sizeof *storage->bytes);
  for (value_id value = 0; value < module->value_count; value++) {
    uint32_t tick = made_at(work, value), first;
    uint32_t count = leaves(work, value, &first);
    op_id op = ir_value_op(module, value);
    bool constant = op != NONE && facts_has(work->facts, op, FACT_CONSTANT);
    for (uint32_t leaf = first; leaf < first + count; leaf++) {
      storage->parent[leaf] = leaf;
      storage->begin[leaf] = tick;
      storage->end[leaf] = tick == NONE ? 0 : tick;
      storage->flags[leaf] = constant ? BUFFER_CONSTANT : 0;
    }
  }
}

/* --- views, tuples, forwarding --- */

static void
join_tuple(struct work *work, op_id op) {
  const struct ir_module *module = work->module;
  uint32_t first, leaf = 0;
  uint32_t count = leaves(work, ir_result(module, op, 0), &first);
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    uint32_t from, size = leaves(work, ir_operand(module, op, i), &from);
    for (uint32_t k = 0; k < size && leaf < count; k++, leaf++) {
      work->storage.bytes[first + leaf] = 0;
      storage_unite(&work->storage, from + k, first + leaf);
    }
  }
}

/* Leaves of OP's operand before those of the part that OP takes out. */
static bool
element_offset(const struct work *work, op_id op, uint32_t *offset) {
  const struct ir_module *module = work->module;
  const struct type *type = ir_value_type(module, ir_operand(module, op, 0));
  int64_t index;
  if (type->kind != TYPE_TUPLE ||
      !ir_attribute_integer(module, op, "index", &index) || index < 0 ||
      index >= type->part_count)
    return false;
  *offset = 0;
  for (int64_t i = 0; i < index; i++)
    *offset += type_get(module->types, type->parts[i])->leaves;
  return true;
}

static void
forward(struct work *work, op_id op) {
  const struct ir_module *module = work->module;
  const struct op_facts *facts = facts_of(work->facts, op);
  uint32_t results = module->op_result_count[op], offset;
  uint32_t operands = module->op_use_count[op];
  if (facts->flags & FACT_TUPLE && results == 1) {
    join_tuple(work, op);
    return;
  }
  if (facts->flags & FACT_ELEMENT && results == 1 && operands == 1) {
    if (element_offset(work, op, &offset))
      share(work, ir_operand(module, op, 0), offset, ir_result(module, op, 0));
    return;
  }
  bool each = facts->flags & FACT_FORWARDS || facts->alias == OPERAND_SAME;
  for (uint32_t i = 0; i < results; i++) {
    uint32_t operand = each ? i : (uint32_t)facts->alias;
    if (operand < operands)
      share(work, ir_operand(module, op, operand), 0, ir_result(module, op, i));
  }
}

static void
forward_ops(struct work *work) {
  for (op_id op = 0; op < work->module->op_count; op++) {
    const struct op_facts *facts = facts_of(work->facts, op);
    if (work->clock->op_end[op] != NONE &&
        (facts->alias != OPERAND_NONE ||
         facts->flags & (FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS)))
      forward(work, op);
  }
}

/* --- uses --- */

static block_id
block_of(const struct work *work, value_id value) {
  op_id op = ir_value_op(work->module, value);
  return op == NONE ? ir_value_block(work->module, value)
                    : work->module->op_block[op];
}

/* OP, or the op around it, that stands in a block of REGION; NONE where none
 * does. */
static op_id
lift(const struct ir_module *module, op_id op, region_id region) {
  while (op != NONE && module->op_block[op] != NONE &&
         module->block_region[module->op_block[op]] != region)
    op = ir_parent_op(module, op);
  return op != NONE && module->op_block[op] == NONE ? NONE : op;
}

static void
flag_value(struct work *work, value_id value, uint8_t flags, uint32_t end) {
  uint32_t first, count = leaves(work, value, &first);
  for (uint32_t leaf = first; leaf < first + count; leaf++) {
    uint32_t root = storage_find(&work->storage, leaf);
    work->storage.flags[root] |= flags;
    if (work->storage.end[root] < end)
      work->storage.end[root] = end;
  }
}

/* The leaves of VALUE that operand INDEX of OP stands for are needed at TICK.
 */
static void
use_leaves(struct work *work, op_id op, value_id value, uint32_t tick) {
  uint32_t first, count = leaves(work, value, &first);
  uint32_t offset = 0;
  if (count > 1 && facts_has(work->facts, op, FACT_ELEMENT) &&
      element_offset(work, op, &offset)) {
    uint32_t result;
    first += offset;
    count = leaves(work, ir_result(work->module, op, 0), &result);
  }
  for (uint32_t leaf = first; leaf < first + count; leaf++)
    storage_use(&work->storage, leaf, tick);
}

/* Operand INDEX of OP is read. */
static void
use_operand(struct work *work, op_id op, uint32_t index) {
  const struct ir_module *module = work->module;
  const struct clock *clock = work->clock;
  value_id value = ir_operand(module, op, index);
  block_id made = block_of(work, value);
  op_id reader = op;
  if (made == NONE)
    return;
  if (module->op_block[op] != made)
    reader = lift(module, op, module->block_region[made]);
  if (reader == NONE || clock->op_end[reader] == NONE)
    return;
  uint32_t tick = clock->op_end[reader];
  if (reader == op && clock->op_begin[op] != tick &&
      flow_carries(work->facts, module, op, index))
    tick = clock->op_begin[op];
  use_leaves(work, op, value, tick);
  if (module->op_block[reader] != made)
    work->storage.flags[storage_find(&work->storage,
                                     facts_first_leaf(work->facts, value))] |=
        STORAGE_CROSSES;
}

static void
use_operands(struct work *work) {
  const struct ir_module *module = work->module;
  for (op_id op = 0; op < module->op_count; op++)
    for (uint32_t i = 0; i < module->op_use_count[op]; i++)
      use_operand(work, op, i);
}

/* --- functions --- */

/* Does the caller give argument INDEX of FUNCTION away?  Where it is a tuple,
 * LEAF says which of its leaves. */
static bool
is_donated(const struct work *work, function_id function, uint32_t index,
           uint32_t leaf) {
  const struct ir_module *module = work->module;
  struct text text;
  if (ir_argument_attribute(module, function, index, "tf.aliasing_output",
                            &text) ||
      ir_argument_attribute(module, function, index, "jax.buffer_donor", &text))
    return true;
  for (uint32_t i = 0; i < module->donations.count; i++) {
    const struct ir_donation *donation = &module->donations.data[i];
    value_id value = module->functions.data[function].arguments[index];
    uint32_t first, count;
    if (donation->function == function && donation->argument == index &&
        type_leaf_range(module->types, module->value_type[value],
                        donation->argument_path, &first, &count) &&
        leaf >= first && leaf < first + count)
      return true;
  }
  return false;
}

static void
hold_argument(struct work *work, function_id function, uint32_t index) {
  const struct clock *clock = work->clock;
  value_id value = work->module->functions.data[function].arguments[index];
  if (value == NONE || !runs(work, value))
    return;
  uint32_t first, count = leaves(work, value, &first);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t root = storage_find(&work->storage, first + i);
    bool donated = is_donated(work, function, index, i);
    work->storage.flags[root] |= donated ? BUFFER_ARGUMENT | BUFFER_DONATED
                                         : BUFFER_ARGUMENT | STORAGE_HELD;
    if (!donated && work->program->options->arguments == ARGUMENTS_HELD)
      storage_use(&work->storage, root, clock->function_end[function]);
  }
}

/* Mark what FUNCTION's terminators, or its root, return. */
static void
mark_results(struct work *work, function_id function) {
  const struct ir_module *module = work->module;
  const struct ir_function *f = &module->functions.data[function];
  if (f->root != NONE) {
    flag_value(work, ir_result(module, f->root, 0), BUFFER_RESULT,
               work->clock->function_end[function]);
    return;
  }
  for (block_id block = module->region_block[f->body]; block != NONE;
       block = module->block_next[block]) {
    uint32_t count = module->block_op_count[block], successors;
    if (count == 0)
      continue;
    op_id last = ir_block_op(module, block, count - 1);
    ir_op_successors(module, last, &successors);
    for (uint32_t i = 0; !successors && i < module->op_use_count[last]; i++)
      if (module->op_flags[last] & OP_TERMINATOR)
        flag_value(work, ir_operand(module, last, i), BUFFER_RESULT, 0);
  }
}

/* What a function's body hands on to the op that it runs for. */
static void
keep_root(struct work *work, function_id function) {
  const struct ir_function *f = &work->module->functions.data[function];
  if (f->root != NONE)
    flag_value(work, ir_result(work->module, f->root, 0), 0,
               work->clock->function_end[function]);
}

static void
bound_functions(struct work *work) {
  const struct ir_module *module = work->module;
  for (function_id i = 0; i < module->functions.count; i++) {
    if (work->clock->function_host[i] == NONE)
      continue;
    if (work->clock->function_host[i] != i) {
      keep_root(work, i);
      continue;
    }
    for (uint32_t k = 0; k < module->functions.data[i].argument_count; k++)
      hold_argument(work, i, k);
    mark_results(work, i);
  }
}

/* --- control flow --- */

enum { BODIES = 64 };

/* Are A and B the same storage already, in every leaf? */
static bool
same_leaf(struct work *work, value_id a, value_id b, uint32_t leaf) {
  return storage_find(&work->storage,
                      facts_first_leaf(work->facts, a) + leaf) ==
         storage_find(&work->storage, facts_first_leaf(work->facts, b) + leaf);
}

/* The loop OP carries INITIAL in as ARGUMENT, YIELD to the next turn and out
 * as RESULT: each leaf that no turn changes is one storage throughout. */
static void
carry(struct work *work, value_id initial, value_id argument, value_id yield,
      value_id result) {
  uint32_t first[4], counts[4];
  const value_id values[4] = {initial, argument, yield, result};
  for (int i = 0; i < 4; i++)
    counts[i] = leaves(work, values[i], &first[i]);
  for (uint32_t leaf = 0; leaf < counts[0]; leaf++) {
    if (leaf >= counts[1] || leaf >= counts[2] || leaf >= counts[3])
      return;
    if (!work->module->scheduled && !same_leaf(work, argument, yield, leaf))
      continue;
    for (int i = 1; i < 4; i++)
      storage_unite(&work->storage, first[0] + leaf, first[i] + leaf);
  }
}

/* BODY's argument HERE is the loop's ARGUMENT too.  A condition keeps it to
 * its end: the body, or at last what comes behind the loop, gets it. */
static void
hand_through(struct work *work, value_id argument, value_id here,
             const struct flow_body *body) {
  const struct ir_module *module = work->module;
  if (here == NONE)
    return;
  unite(work, argument, here);
  if (!body->condition)
    return;
  uint32_t end = NONE;
  if (body->function != NONE)
    end = work->clock->function_end[body->function];
  for (block_id block =
           body->region == NONE ? NONE : module->region_block[body->region];
       block != NONE; block = module->block_next[block])
    end = work->clock->block_end[block];
  if (end != NONE)
    flag_value(work, here, 0, end);
}

static void
join_loop(struct work *work, op_id op, const struct flow_body *bodies,
          uint32_t count) {
  const struct ir_module *module = work->module;
  const struct op_facts *facts = facts_of(work->facts, op);
  const struct flow_body *body = &bodies[count - 1];
  if (facts->carries_operand < 0)
    return;
  uint32_t from = (uint32_t)facts->carries_operand;
  uint32_t to = (uint32_t)facts->carries_argument;
  for (uint32_t k = 0; k < count; k++)
    if (!bodies[k].condition)
      body = &bodies[k];
  /* A condition that forwards values of its own hands them on by moving. */
  for (uint32_t k = 0; k < count; k++)
    if (bodies[k].condition && bodies[k].yield_count > 1)
      return;
  for (uint32_t i = 0; i < module->op_result_count[op]; i++) {
    value_id argument = flow_argument(module, body, to + i);
    value_id yield = flow_yield(module, work->facts, body, i);
    if (argument == NONE || yield == NONE ||
        from + i >= module->op_use_count[op])
      continue;
    for (uint32_t k = 0; k < count; k++)
      hand_through(work, argument, flow_argument(module, &bodies[k], to + i),
                   &bodies[k]);
    carry(work, ir_operand(module, op, from + i), argument, yield,
          ir_result(module, op, i));
  }
}

/* One of several bodies runs: in a scheduled module all make their results in
 * one place.  HLO's branches are handed operand 1 and so on. */
static void
join_branches(struct work *work, op_id op, const struct flow_body *bodies,
              uint32_t count) {
  const struct ir_module *module = work->module;
  for (uint32_t k = 0; k < count; k++) {
    value_id argument = flow_argument(module, &bodies[k], 0);
    if (bodies[k].function != NONE && argument != NONE &&
        k + 1 < module->op_use_count[op])
      share(work, ir_operand(module, op, k + 1), 0, argument);
    for (uint32_t i = 0; module->scheduled && i < module->op_result_count[op];
         i++) {
      value_id yield = flow_yield(module, work->facts, &bodies[k], i);
      if (yield != NONE)
        unite(work, ir_result(module, op, i), yield);
    }
  }
}

/* A body that runs once, where its op stands: it gets the operands and hands
 * on the results. */
static void
join_plain(struct work *work, op_id op, const struct flow_body *body) {
  const struct ir_module *module = work->module;
  bool called = body->function != NONE;
  const struct op_facts *facts = facts_of(work->facts, op);
  for (uint32_t i = 0;
       i < body->argument_count && (called || facts->carries_operand == 0); i++)
    if (i < module->op_use_count[op])
      share(work, ir_operand(module, op, i), 0, flow_argument(module, body, i));
  for (uint32_t i = 0; i < module->op_result_count[op]; i++) {
    value_id yield = flow_yield(module, work->facts, body, i);
    if (yield != NONE)
      share(work, yield, 0, ir_result(module, op, i));
  }
}

/* Inner ones first, for what they do to a value decides what an outer one
 * does. */
static void
join_bodies(struct work *work) {
  const struct ir_module *module = work->module;
  const struct clock *clock = work->clock;
  for (uint32_t tick = 0; tick < clock->tick_count; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE || clock->op_end[op] != tick || clock->op_begin[op] == tick)
      continue;
    struct flow_body bodies[BODIES];
    uint32_t count =
        flow_bodies(module, work->facts, work->clock, op, bodies, BODIES);
    if (count > BODIES)
      count = BODIES;
    if (count == 0)
      continue;
    enum fact_body kind = facts_of(work->facts, op)->body;
    if (kind == BODY_LOOP)
      join_loop(work, op, bodies, count);
    else if (kind == BODY_BRANCH)
      join_branches(work, op, bodies, count);
    else if (count == 1)
      join_plain(work, op, &bodies[0]);
  }
}

/* --- updates in place --- */

/* Is another operand of OP than INDEX in the set of ROOT? */
static bool
read_twice(struct work *work, op_id op, uint32_t index, uint32_t root) {
  const struct ir_module *module = work->module;
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    uint32_t first, count = leaves(work, ir_operand(module, op, i), &first);
    for (uint32_t k = 0; i != index && k < count; k++)
      if (storage_find(&work->storage, first + k) == root)
        return true;
  }
  return false;
}

/* Result INDEX of OP takes over operand FROM where that one dies. */
static void
update_in_place(struct work *work, op_id op, uint32_t from, uint32_t index) {
  const struct ir_module *module = work->module;
  struct storage *storage = &work->storage;
  uint32_t first, made;
  uint32_t count = leaves(work, ir_operand(module, op, from), &first);
  if (count != leaves(work, ir_result(module, op, index), &made))
    return;
  for (uint32_t leaf = 0; leaf < count; leaf++) {
    uint32_t root = storage_find(storage, first + leaf);
    uint32_t own = storage_find(storage, made + leaf);
    uint8_t kept = STORAGE_HELD | STORAGE_CROSSES | BUFFER_CONSTANT;
    if (root != own && !(storage->flags[root] & kept) &&
        storage->end[root] == work->clock->op_end[op] &&
        storage->begin[own] == work->clock->op_end[op] &&
        storage->bytes[root] != 0 &&
        storage->bytes[root] == storage->bytes[own] &&
        !read_twice(work, op, from, root))
      storage_unite(storage, root, own);
  }
}

/* In program order: whether an operand dies depends on what was made of it
 * before. */
static void
update_ops(struct work *work) {
  const struct ir_module *module = work->module;
  const struct clock *clock = work->clock;
  for (uint32_t tick = 0; tick < clock->tick_count; tick++) {
    op_id op = clock->tick_op[tick];
    if (op == NONE || clock->op_end[op] != tick)
      continue;
    const struct op_facts *facts = facts_of(work->facts, op);
    uint32_t results = module->op_result_count[op];
    uint32_t operands = module->op_use_count[op];
    if (facts->inplace == OPERAND_NONE || results > operands)
      continue;
    for (uint32_t i = 0; i < results; i++) {
      uint32_t from = facts->inplace == OPERAND_SAME ? i
                      : facts->inplace == OPERAND_DESTINATION
                          ? operands - results + i
                          : (uint32_t)facts->inplace;
      if (from < operands)
        update_in_place(work, op, from, i);
    }
  }
}

/* --- numbers --- */

static void
number_buffers(struct work *work, struct buffers *buffers) {
  const struct ir_module *module = work->module;
  struct storage *storage = &work->storage;
  struct arena *arena = work->program->arena;
  uint32_t leaf_count = work->facts->leaf_count;
  bool held = work->program->options->arguments == ARGUMENTS_HELD;
  uint32_t count = 0;
  for (uint32_t leaf = 0; leaf < leaf_count; leaf++)
    count += storage->parent[leaf] == leaf && storage->begin[leaf] != NONE;
  buffers->leaf_buffer = ARENA_ARRAY(arena, uint32_t, leaf_count);
  buffers->bytes = ARENA_ARRAY(arena, uint64_t, count);
  buffers->begin = ARENA_ARRAY(arena, uint32_t, count);
  buffers->end = ARENA_ARRAY(arena, uint32_t, count);
  buffers->value = ARENA_ARRAY(arena, value_id, count);
  buffers->flags = ARENA_ARRAY(arena, uint8_t, count);
  uint32_t leaf = 0;
  for (value_id value = 0; value < module->value_count; value++) {
    for (; leaf < facts_first_leaf(work->facts, value + 1); leaf++) {
      uint32_t root = storage_find(storage, leaf);
      if (root != leaf || storage->begin[root] == NONE) {
        buffers->leaf_buffer[leaf] =
            root == leaf ? NONE : buffers->leaf_buffer[root];
        continue;
      }
      uint32_t buffer = buffers->count++;
      buffers->leaf_buffer[leaf] = buffer;
      buffers->bytes[buffer] = storage->bytes[root];
      buffers->begin[buffer] = storage->begin[root];
      buffers->end[buffer] = storage->end[root];
      buffers->value[buffer] = value;
      buffers->flags[buffer] = storage->flags[root] & 15;
      if (storage->flags[root] & STORAGE_CROSSES &&
          !(held && storage->flags[root] & STORAGE_HELD))
        buffers->flags[buffer] |= BUFFER_SEGMENTED;
    }
  }
}

static void
set_up(struct work *work) {
  const struct ir_module *module = work->module;
  struct arena *scratch = work->program->scratch;
  uint32_t count = work->facts->leaf_count;
  work->storage.parent = ARENA_ARRAY(scratch, uint32_t, count);
  work->storage.begin = ARENA_ARRAY(scratch, uint32_t, count);
  work->storage.end = ARENA_ARRAY(scratch, uint32_t, count);
  work->storage.bytes = ARENA_ARRAY(scratch, uint64_t, count);
  work->storage.flags = ARENA_ARRAY(scratch, uint8_t, count);
  work->region_function =
      ARENA_ARRAY(scratch, function_id, module->region_count);
  for (region_id i = 0; i < module->region_count; i++)
    work->region_function[i] = NONE;
  for (function_id i = 0; i < module->functions.count; i++)
    if (module->functions.data[i].body != NONE)
      work->region_function[module->functions.data[i].body] = i;
}

struct buffers *
buffers_find(struct program *program, const struct ir_module *module,
             const struct facts *facts) {
  struct buffers *buffers = ARENA_NEW(program->arena, struct buffers);
  buffers->clock = clock_make(program->arena, module, facts);
  struct work work = {.program = program,
                      .module = module,
                      .facts = facts,
                      .clock = buffers->clock};
  set_up(&work);
  begin_leaves(&work);
  forward_ops(&work);
  use_operands(&work);
  bound_functions(&work);
  join_bodies(&work);
  update_ops(&work);
  number_buffers(&work, buffers);
  segments_find(program->arena, program->scratch, module, facts, buffers);
  return buffers;
}

static bool
execute_alias(struct program *program) {
  program->buffers = buffers_find(program, program->input, program->facts);
  return true;
}

const struct pass pass_alias = {
    .name = "alias",
    .help = "which values share storage, and how long it is needed",
    .execute = execute_alias,
    .dump = dump_buffers,
    .check = check_buffers,
    .requires_ = PROP_FACTS,
    .provides = PROP_BUFFERS,
    .essential = true,
};
