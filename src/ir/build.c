/* build.c - making a module: columns that grow together, then the order.
 *
 * Columns of one kind share a capacity, so adding an op is one test and a few
 * stores.  `ir_finish` lays out the ops of each block by counting: O(ops). */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

struct ir_module *
ir_module_new(struct arena *arena, const struct source *source,
              const struct ir_format *format, enum storage_policy storage) {
  struct ir_module *module = ARENA_NEW(arena, struct ir_module);
  module->arena = arena;
  module->source = source;
  module->text = (struct span){0, source->size};
  module->format = format;
  module->names = string_table_new(arena);
  module->types = type_table_new(arena, storage);
  module->partitions = 1;
  return module;
}

struct ir_module *
ir_module_made_from(struct arena *arena, const struct ir_module *base) {
  struct ir_module *module = ARENA_NEW(arena, struct ir_module);
  module->arena = arena;
  module->source = base->source;
  module->text = base->text;
  module->taken = base->taken;
  module->format = base->format;
  module->names = base->names;
  module->types = base->types;
  module->base = base;
  module->partitions = base->partitions;
  module->scheduled = base->scheduled;
  return module;
}

/* Let COLUMN follow from OLD to NEW elements. */
#define GROW(module, column, old, new)                                         \
  ((module)->column = arena_grow((module)->arena, (module)->column,            \
                                 (size_t)(old) * sizeof *(module)->column,     \
                                 (size_t)(new) * sizeof *(module)->column))

static uint32_t
larger(uint32_t capacity) {
  return capacity ? capacity * 2 : 64;
}

static void
grow_ops(struct ir_module *m, uint32_t new) {
  uint32_t old = m->op_capacity;
  GROW(m, op_name, old, new);
  GROW(m, op_text, old, new);
  GROW(m, op_first_use, old, new);
  GROW(m, op_use_count, old, new);
  GROW(m, op_first_result, old, new);
  GROW(m, op_result_count, old, new);
  GROW(m, op_region, old, new);
  GROW(m, op_block, old, new);
  GROW(m, op_flags, old, new);
  if (m->base) {
    GROW(m, op_origin, old, new);
    GROW(m, op_copy, old, new);
  }
  m->op_capacity = new;
}

op_id
ir_add_op(struct ir_module *m, name_id name, block_id block) {
  if (m->op_count == m->op_capacity)
    grow_ops(m, larger(m->op_capacity));
  op_id op = m->op_count++;
  m->op_name[op] = name;
  m->op_block[op] = block;
  m->op_region[op] = NONE;
  m->op_first_use[op] = m->use_count;
  m->op_first_result[op] = m->value_count;
  return op;
}

static void
grow_values(struct ir_module *m, uint32_t new) {
  uint32_t old = m->value_capacity;
  GROW(m, value_type, old, new);
  GROW(m, value_def, old, new);
  GROW(m, value_name, old, new);
  GROW(m, value_number, old, new);
  if (m->base) {
    GROW(m, value_copy, old, new);
    GROW(m, value_origin, old, new);
  }
  m->value_capacity = new;
}

/* COUNT values that are defined by DEF. */
static value_id
add_values(struct ir_module *m, uint32_t def, uint32_t count) {
  while (m->value_count + count > m->value_capacity)
    grow_values(m, larger(m->value_capacity));
  value_id first = m->value_count;
  for (uint32_t i = 0; i < count; i++) {
    m->value_def[first + i] = def;
    m->value_type[first + i] = TYPE_NONE;
    m->value_number[first + i] = NONE;
  }
  m->value_count += count;
  return first;
}

value_id
ir_add_results(struct ir_module *m, op_id op, uint32_t count) {
  m->op_first_result[op] = add_values(m, op, count);
  m->op_result_count[op] = count;
  return m->op_first_result[op];
}

value_id
ir_add_arguments(struct ir_module *m, block_id block, uint32_t count) {
  m->block_first_argument[block] =
      add_values(m, block | VALUE_IS_ARGUMENT, count);
  m->block_argument_count[block] = count;
  return m->block_first_argument[block];
}

static void
grow_uses(struct ir_module *m, uint32_t new) {
  GROW(m, use_value, m->use_capacity, new);
  GROW(m, use_text, m->use_capacity, new);
  m->use_capacity = new;
}

void
ir_add_use(struct ir_module *m, op_id op, value_id value, struct span text) {
  if (m->use_count == m->use_capacity)
    grow_uses(m, larger(m->use_capacity));
  if (m->op_use_count[op] == 0)
    m->op_first_use[op] = m->use_count;
  m->op_use_count[op]++;
  m->use_value[m->use_count] = value;
  m->use_text[m->use_count++] = text;
}

void
ir_reserve(struct ir_module *m, uint32_t ops, uint32_t uses, uint32_t values) {
  if (ops > m->op_capacity)
    grow_ops(m, ops);
  if (uses > m->use_capacity)
    grow_uses(m, uses);
  if (values > m->value_capacity)
    grow_values(m, values);
}

region_id
ir_add_region(struct ir_module *m, op_id op) {
  if (m->region_count == m->region_capacity) {
    uint32_t old = m->region_capacity, new = larger(old);
    GROW(m, region_op, old, new);
    GROW(m, region_next, old, new);
    GROW(m, region_tail, old, new);
    GROW(m, region_block, old, new);
    GROW(m, region_last, old, new);
    GROW(m, region_text, old, new);
    if (m->base)
      GROW(m, region_origin, old, new);
    m->region_capacity = new;
  }
  region_id region = m->region_count++;
  m->region_op[region] = op;
  m->region_next[region] = NONE;
  m->region_block[region] = NONE;
  m->region_last[region] = NONE;
  if (op == NONE)
    return region;
  region_id first = m->op_region[op];
  if (first == NONE)
    m->op_region[op] = first = region;
  else
    m->region_next[m->region_tail[first]] = region;
  m->region_tail[first] = region;
  return region;
}

static void
grow_blocks(struct ir_module *m) {
  uint32_t old = m->block_capacity, new = larger(old);
  GROW(m, block_region, old, new);
  GROW(m, block_next, old, new);
  GROW(m, block_first_argument, old, new);
  GROW(m, block_argument_count, old, new);
  GROW(m, block_body, old, new);
  GROW(m, block_first_op, old, new);
  GROW(m, block_op_count, old, new);
  if (m->base)
    GROW(m, block_origin, old, new);
  m->block_capacity = new;
}

block_id
ir_add_block(struct ir_module *m, region_id region) {
  if (m->block_count == m->block_capacity)
    grow_blocks(m);
  block_id block = m->block_count++;
  m->block_region[block] = region;
  m->block_next[block] = NONE;
  m->block_first_argument[block] = m->value_count;
  block_id last = m->region_last[region];
  if (last == NONE)
    m->region_block[region] = block;
  else
    m->block_next[last] = block;
  m->region_last[region] = block;
  return block;
}

/* Ops by block, in the order of their numbers. */
static void
lay_out_order(struct ir_module *m) {
  if (m->block_count)
    memset(m->block_op_count, 0, m->block_count * sizeof *m->block_op_count);
  m->top_count = 0;
  for (op_id op = 0; op < m->op_count; op++) {
    if (m->op_block[op] == NONE)
      m->top_count++;
    else
      m->block_op_count[m->op_block[op]]++;
  }
  uint32_t first = m->top_count;
  for (block_id block = 0; block < m->block_count; block++) {
    m->block_first_op[block] = first;
    first += m->block_op_count[block];
    m->block_op_count[block] = 0;
  }
  m->order = ARENA_ARRAY(m->arena, op_id, m->op_count);
  uint32_t top = 0;
  for (op_id op = 0; op < m->op_count; op++) {
    block_id block = m->op_block[op];
    if (block == NONE)
      m->order[top++] = op;
    else
      m->order[m->block_first_op[block] + m->block_op_count[block]++] = op;
  }
}

static int
compare_numbers(uint32_t a, uint32_t b) {
  return a < b ? -1 : a > b;
}

static int
compare_calls(const void *a, const void *b) {
  const struct ir_call *x = a, *y = b;
  int by_op = compare_numbers(x->op, y->op);
  return by_op ? by_op : compare_numbers(x->text.begin, y->text.begin);
}

static int
compare_successors(const void *a, const void *b) {
  const struct ir_successor *x = a, *y = b;
  int by_op = compare_numbers(x->op, y->op);
  return by_op ? by_op : compare_numbers(x->first_use, y->first_use);
}

static int
compare_controls(const void *a, const void *b) {
  const struct ir_control *x = a, *y = b;
  int by_op = compare_numbers(x->op, y->op);
  return by_op ? by_op : compare_numbers(x->text.begin, y->text.begin);
}

#define SORT(vector, compare)                                                  \
  ((vector).count                                                              \
       ? qsort((vector).data, (vector).count, sizeof *(vector).data, compare)  \
       : (void)0)

/* Note the names that a copy must not get.  Few texts have any: one search
 * says so. */
static void
find_taken_names(struct ir_module *m) {
  if (!text_find(source_text(m->source, m->text), "remat"))
    return;
  m->taken = string_table_new(m->arena);
  for (value_id value = 0; value < m->value_count; value++) {
    struct text name = source_text(m->source, m->value_name[value]);
    if (text_find(name, "remat"))
      string_intern(m->taken, ir_plain_name(name));
  }
  for (function_id i = 0; i < m->functions.count; i++) {
    struct text name = source_text(m->source, m->functions.data[i].name_text);
    if (text_find(name, "remat"))
      string_intern(m->taken, ir_plain_name(name));
  }
}

void
ir_finish(struct ir_module *module) {
  lay_out_order(module);
  if (!module->base && module->source)
    find_taken_names(module);
  SORT(module->calls, compare_calls);
  SORT(module->successors, compare_successors);
  SORT(module->controls, compare_controls);
}
