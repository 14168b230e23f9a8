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
#include "passes/alias.h"
#include "passes/dump.h"
#include "passes/check.h"
#include "passes/flow.h"
#include "passes/options.h"
#include "passes/segments.h"
#include "passes/storage.h"

#include <string.h>

/* Is VALUE ever made? */
static bool
runs(struct alias *alias, value_id value) {
  uint32_t first;
  return alias_leaves(alias, value, &first) != 0 &&
         alias->storage.begin[storage_find(&alias->storage, first)] != NONE;
}

void
alias_share(struct alias *alias, value_id a, uint32_t offset, value_id b) {
  uint32_t first_a, first_b;
  uint32_t count_a = alias_leaves(alias, a, &first_a);
  uint32_t count_b = alias_leaves(alias, b, &first_b);
  if (offset + count_b > count_a)
    return;
  for (uint32_t i = 0; i < count_b; i++) {
    uint32_t root = storage_find(&alias->storage, first_b + i);
    if (root == first_b + i)
      alias->storage.bytes[root] = 0;
    storage_unite(&alias->storage, first_a + offset + i, first_b + i);
  }
}

void
alias_unite(struct alias *alias, value_id a, value_id b) {
  uint32_t first_a, first_b;
  uint32_t count_a = alias_leaves(alias, a, &first_a);
  uint32_t count_b = alias_leaves(alias, b, &first_b);
  for (uint32_t i = 0; i < count_a && i < count_b; i++)
    storage_unite(&alias->storage, first_a + i, first_b + i);
}

/* --- leaves --- */

static function_id
function_of_op(const struct alias *alias, op_id op) {
  block_id block = alias->module->op_block[op];
  return block == NONE
             ? NONE
             : alias->region_function[alias->module->block_region[block]];
}

/* The tick at which VALUE is made, NONE if it never is. */
static uint32_t
made_at(const struct alias *alias, value_id value) {
  const struct clock *clock = alias->clock;
  op_id op = ir_value_op(alias->module, value);
  if (op == NONE)
    return clock->block_begin[ir_value_block(alias->module, value)];
  if (clock->op_end[op] != NONE && facts_has(alias->facts, op, FACT_ARGUMENT)) {
    function_id function = function_of_op(alias, op);
    if (function != NONE)
      return clock->function_begin[function];
  }
  return clock->op_end[op];
}

static void
begin_leaves(struct alias *alias) {
  const struct ir_module *module = alias->module;
  struct storage *storage = &alias->storage;
  memcpy(storage->bytes, alias->facts->leaf_bytes,
         alias->facts->leaf_count * sizeof *storage->bytes);
  for (value_id value = 0; value < module->value_count; value++) {
    uint32_t tick = made_at(alias, value), first;
    uint32_t count = alias_leaves(alias, value, &first);
    op_id op = ir_value_op(module, value);
    bool constant = op != NONE && facts_has(alias->facts, op, FACT_CONSTANT);
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
join_tuple(struct alias *alias, op_id op) {
  const struct ir_module *module = alias->module;
  uint32_t first, leaf = 0;
  uint32_t count = alias_leaves(alias, ir_result(module, op, 0), &first);
  for (uint32_t i = 0; i < module->op_use_count[op]; i++) {
    uint32_t from, size = alias_leaves(alias, ir_operand(module, op, i), &from);
    for (uint32_t k = 0; k < size && leaf < count; k++, leaf++) {
      alias->storage.bytes[first + leaf] = 0;
      storage_unite(&alias->storage, from + k, first + leaf);
    }
  }
}

/* Leaves of OP's operand before those of the part that OP takes out. */
static bool
element_offset(const struct alias *alias, op_id op, uint32_t *offset) {
  const struct ir_module *module = alias->module;
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
forward(struct alias *alias, op_id op) {
  const struct ir_module *module = alias->module;
  const struct op_facts *facts = facts_of(alias->facts, op);
  uint32_t results = module->op_result_count[op], offset;
  uint32_t operands = module->op_use_count[op];
  if (facts->flags & FACT_TUPLE && results == 1) {
    join_tuple(alias, op);
    return;
  }
  if (facts->flags & FACT_ELEMENT && results == 1 && operands == 1) {
    if (element_offset(alias, op, &offset))
      alias_share(alias, ir_operand(module, op, 0), offset,
                  ir_result(module, op, 0));
    return;
  }
  bool each = facts->flags & FACT_FORWARDS || facts->alias == OPERAND_SAME;
  for (uint32_t i = 0; i < results; i++) {
    uint32_t operand = each ? i : (uint32_t)facts->alias;
    if (operand < operands)
      alias_share(alias, ir_operand(module, op, operand), 0,
                  ir_result(module, op, i));
  }
}

static void
forward_ops(struct alias *alias) {
  for (op_id op = 0; op < alias->module->op_count; op++) {
    const struct op_facts *facts = facts_of(alias->facts, op);
    if (alias->clock->op_end[op] != NONE &&
        (facts->alias != OPERAND_NONE ||
         facts->flags & (FACT_TUPLE | FACT_ELEMENT | FACT_FORWARDS)))
      forward(alias, op);
  }
}

/* --- uses --- */

static block_id
block_of(const struct alias *alias, value_id value) {
  op_id op = ir_value_op(alias->module, value);
  return op == NONE ? ir_value_block(alias->module, value)
                    : alias->module->op_block[op];
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

void
alias_flag(struct alias *alias, value_id value, uint8_t flags, uint32_t end) {
  uint32_t first, count = alias_leaves(alias, value, &first);
  for (uint32_t leaf = first; leaf < first + count; leaf++) {
    uint32_t root = storage_find(&alias->storage, leaf);
    alias->storage.flags[root] |= flags;
    if (alias->storage.end[root] < end)
      alias->storage.end[root] = end;
  }
}

/* The leaves of VALUE that operand INDEX of OP stands for are needed at TICK.
 */
static void
use_leaves(struct alias *alias, op_id op, value_id value, uint32_t tick) {
  uint32_t first, count = alias_leaves(alias, value, &first);
  uint32_t offset = 0;
  if (count > 1 && facts_has(alias->facts, op, FACT_ELEMENT) &&
      element_offset(alias, op, &offset)) {
    uint32_t result;
    first += offset;
    count = alias_leaves(alias, ir_result(alias->module, op, 0), &result);
  }
  for (uint32_t leaf = first; leaf < first + count; leaf++)
    storage_use(&alias->storage, leaf, tick);
}

/* Operand INDEX of OP is read. */
static void
use_operand(struct alias *alias, op_id op, uint32_t index) {
  const struct ir_module *module = alias->module;
  const struct clock *clock = alias->clock;
  value_id value = ir_operand(module, op, index);
  block_id made = block_of(alias, value);
  op_id reader = op;
  if (made == NONE)
    return;
  if (module->op_block[op] != made)
    reader = lift(module, op, module->block_region[made]);
  if (reader == NONE || clock->op_end[reader] == NONE)
    return;
  uint32_t tick = clock->op_end[reader];
  if (reader == op && clock->op_begin[op] != tick &&
      flow_carries(alias->facts, module, op, index))
    tick = clock->op_begin[op];
  use_leaves(alias, op, value, tick);
  if (module->op_block[reader] != made)
    alias->storage.flags[storage_find(&alias->storage,
                                      facts_first_leaf(alias->facts, value))] |=
        STORAGE_CROSSES;
}

static void
use_operands(struct alias *alias) {
  const struct ir_module *module = alias->module;
  for (op_id op = 0; op < module->op_count; op++)
    for (uint32_t i = 0; i < module->op_use_count[op]; i++)
      use_operand(alias, op, i);
}

/* --- functions --- */

/* Does an attribute of argument INDEX say that the caller gives it away? */
static bool
is_given_away(const struct ir_module *module, function_id function,
              uint32_t index) {
  struct text text;
  return ir_argument_attribute(module, function, index, "tf.aliasing_output",
                               &text) ||
         (ir_argument_attribute(module, function, index, "jax.buffer_donor",
                                &text) &&
          !text_is(text, "false"));
}

/* Which of the COUNT leaves of argument INDEX the caller gives away. */
static const bool *
donated_leaves(const struct alias *alias, function_id function, uint32_t index,
               uint32_t count) {
  const struct ir_module *module = alias->module;
  value_id value = module->functions.data[function].arguments[index];
  bool *donated = ARENA_ARRAY(alias->program->scratch, bool, count);
  memset(donated, is_given_away(module, function, index), count);
  for (uint32_t i = 0; i < module->donations.count; i++) {
    const struct ir_donation *donation = &module->donations.data[i];
    uint32_t first, leaves;
    if (donation->function != function || donation->argument != index ||
        !type_leaf_range(module->types, module->value_type[value],
                         donation->argument_path, &first, &leaves))
      continue;
    for (uint32_t k = first; k < first + leaves && k < count; k++)
      donated[k] = true;
  }
  return donated;
}

static void
hold_argument(struct alias *alias, function_id function, uint32_t index) {
  const struct clock *clock = alias->clock;
  value_id value = alias->module->functions.data[function].arguments[index];
  if (value == NONE || !runs(alias, value))
    return;
  uint32_t first, count = alias_leaves(alias, value, &first);
  const bool *donated = donated_leaves(alias, function, index, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t root = storage_find(&alias->storage, first + i);
    alias->storage.flags[root] |= donated[i] ? BUFFER_ARGUMENT | BUFFER_DONATED
                                             : BUFFER_ARGUMENT | STORAGE_HELD;
    if (!donated[i] && alias->program->options->arguments == ARGUMENTS_HELD)
      storage_use(&alias->storage, root, clock->function_end[function]);
  }
}

/* Mark what FUNCTION's terminators, or its root, return. */
static void
mark_results(struct alias *alias, function_id function) {
  const struct ir_module *module = alias->module;
  const struct ir_function *f = &module->functions.data[function];
  if (f->root != NONE) {
    alias_flag(alias, ir_result(module, f->root, 0), BUFFER_RESULT,
               alias->clock->function_end[function]);
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
        alias_flag(alias, ir_operand(module, last, i), BUFFER_RESULT, 0);
  }
}

/* What a function's body hands on to the op that it runs for. */
static void
keep_root(struct alias *alias, function_id function) {
  const struct ir_function *f = &alias->module->functions.data[function];
  if (f->root != NONE)
    alias_flag(alias, ir_result(alias->module, f->root, 0), 0,
               alias->clock->function_end[function]);
}

static void
bound_functions(struct alias *alias) {
  const struct ir_module *module = alias->module;
  for (function_id i = 0; i < module->functions.count; i++) {
    if (alias->clock->function_host[i] == NONE)
      continue;
    if (alias->clock->function_host[i] != i) {
      keep_root(alias, i);
      continue;
    }
    for (uint32_t k = 0; k < module->functions.data[i].argument_count; k++)
      hold_argument(alias, i, k);
    mark_results(alias, i);
  }
}

/* --- numbers --- */

static void
number_buffers(struct alias *alias, struct buffers *buffers) {
  const struct ir_module *module = alias->module;
  struct storage *storage = &alias->storage;
  struct arena *arena = alias->program->arena;
  uint32_t leaf_count = alias->facts->leaf_count;
  bool held = alias->program->options->arguments == ARGUMENTS_HELD;
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
    for (; leaf < facts_first_leaf(alias->facts, value + 1); leaf++) {
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
set_up(struct alias *alias) {
  const struct ir_module *module = alias->module;
  struct arena *scratch = alias->program->scratch;
  uint32_t count = alias->facts->leaf_count;
  alias->storage.parent = ARENA_ARRAY(scratch, uint32_t, count);
  alias->storage.begin = ARENA_ARRAY(scratch, uint32_t, count);
  alias->storage.end = ARENA_ARRAY(scratch, uint32_t, count);
  alias->storage.bytes = ARENA_ARRAY(scratch, uint64_t, count);
  alias->storage.flags = ARENA_ARRAY(scratch, uint8_t, count);
  alias->region_function =
      ARENA_ARRAY(scratch, function_id, module->region_count);
  for (region_id i = 0; i < module->region_count; i++)
    alias->region_function[i] = NONE;
  for (function_id i = 0; i < module->functions.count; i++)
    if (module->functions.data[i].body != NONE)
      alias->region_function[module->functions.data[i].body] = i;
}

struct buffers *
buffers_find(struct program *program, const struct ir_module *module,
             const struct facts *facts) {
  struct buffers *buffers = ARENA_NEW(program->arena, struct buffers);
  buffers->clock = clock_make(program->arena, module, facts);
  struct alias alias = {.program = program,
                        .module = module,
                        .facts = facts,
                        .clock = buffers->clock};
  set_up(&alias);
  begin_leaves(&alias);
  forward_ops(&alias);
  use_operands(&alias);
  bound_functions(&alias);
  alias_join_bodies(&alias);
  alias_update_ops(&alias);
  number_buffers(&alias, buffers);
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
