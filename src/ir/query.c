/* query.c - questions about a module that need more than one look-up. */
#include "ir/ir.h"

struct span
ir_op_span(const struct ir_module *module, op_id op) {
  if (!module->base)
    return module->op_text[op];
  op_id origin = module->op_origin[op];
  return origin == NONE ? (struct span){0, 0} : module->base->op_text[origin];
}

uint32_t
ir_op_line(const struct ir_module *module, op_id op) {
  uint32_t line, column;
  struct location where = location_at(module->source, ir_op_span(module, op));
  source_position(where.source, where.begin, &line, &column);
  return line;
}

struct location
ir_op_location(const struct ir_module *module, op_id op) {
  struct span span = ir_op_span(module, op);
  const char *text = module->source->text;
  uint32_t end = span.begin;
  while (end < span.end && text[end] != '\n')
    end++;
  return location_at(module->source, (struct span){span.begin, end});
}

op_id
ir_parent_op(const struct ir_module *module, op_id op) {
  block_id block = module->op_block[op];
  return block == NONE ? NONE : module->region_op[module->block_region[block]];
}

value_id
ir_shared_argument(const struct ir_module *module, block_id block,
                   uint32_t index) {
  region_id region = module->block_region[block];
  op_id op = module->region_op[region];
  region_id first = op == NONE ? NONE : module->op_region[op];
  block_id other = first == NONE ? NONE : module->region_block[first];
  if (first == region || other == NONE ||
      index >= module->block_argument_count[other])
    return NONE;
  value_id a = module->block_first_argument[block] + index;
  value_id b = module->block_first_argument[other] + index;
  return module->value_name[a].begin == module->value_name[b].begin ? b : NONE;
}

function_id
ir_op_function(const struct ir_module *module, op_id op) {
  region_id outer = NONE;
  for (; op != NONE && !(module->op_flags[op] & OP_FUNCTION);
       op = ir_parent_op(module, op)) {
    if (module->op_block[op] == NONE)
      return NONE;
    outer = module->block_region[module->op_block[op]];
  }
  for (function_id i = 0; i < module->functions.count; i++) {
    const struct ir_function *function = &module->functions.data[i];
    if (op != NONE ? function->op == op : function->body == outer)
      return i;
  }
  return NONE;
}

function_id *
ir_functions_of_ops(const struct ir_module *module, struct arena *arena) {
  function_id *of = ARENA_ARRAY(arena, function_id, module->op_count);
  function_id *of_region =
      ARENA_ARRAY(arena, function_id, module->region_count);
  for (region_id region = 0; region < module->region_count; region++)
    of_region[region] = NONE;
  for (function_id f = 0; f < module->functions.count; f++)
    if (module->functions.data[f].body != NONE)
      of_region[module->functions.data[f].body] = f;
  for (op_id op = 0; op < module->op_count; op++) {
    block_id block = module->op_block[op];
    region_id region = block == NONE ? NONE : module->block_region[block];
    op_id around = region == NONE ? NONE : module->region_op[region];
    of[op] = region == NONE ? NONE : of_region[region];
    if (of[op] == NONE && around != NONE)
      of[op] = of[around];
  }
  return of;
}

uint32_t *
ir_op_sizes(const struct ir_module *module, struct arena *arena) {
  uint32_t *sizes = ARENA_ARRAY(arena, uint32_t, module->op_count);
  for (op_id op = module->op_count; op-- > 0;) {
    op_id around = ir_parent_op(module, op);
    sizes[op]++;
    if (around != NONE)
      sizes[around] += sizes[op];
  }
  return sizes;
}

/* The first of the SIZE-byte rows at DATA that begin with OP, and how many.
 * Every row begins with its op's number, and they are sorted by it. */
static const void *
rows_of(const void *data, uint32_t rows, size_t size, op_id op,
        uint32_t *count) {
  const char *base = data;
  uint32_t low = 0, high = rows;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (*(const op_id *)(const void *)(base + middle * size) < op)
      low = middle + 1;
    else
      high = middle;
  }
  uint32_t end = low;
  while (end < rows && *(const op_id *)(const void *)(base + end * size) == op)
    end++;
  *count = end - low;
  return *count ? base + low * size : NULL;
}

#define ROWS_OF(vector, op, count)                                             \
  rows_of((vector).data, (vector).count, sizeof *(vector).data, (op), (count))

const struct ir_call *
ir_op_calls(const struct ir_module *module, op_id op, uint32_t *count) {
  return ROWS_OF(module->calls, op, count);
}

const struct ir_successor *
ir_op_successors(const struct ir_module *module, op_id op, uint32_t *count) {
  return ROWS_OF(module->successors, op, count);
}

const struct ir_control *
ir_op_controls(const struct ir_module *module, op_id op, uint32_t *count) {
  return ROWS_OF(module->controls, op, count);
}

/* KEY's value in SCOPE, as text. */
static bool
find_attribute(const struct ir_module *module, struct span scope,
               const char *key, struct text *value) {
  struct span span;
  if (scope.begin >= scope.end ||
      !module->format->attribute(module, scope, text_of(key), &span))
    return false;
  *value = source_text(module->source, span);
  return true;
}

bool
ir_attribute(const struct ir_module *module, op_id op, const char *key,
             struct text *value) {
  const struct ir_module *read = module->base ? module->base : module;
  if (module->base)
    op = module->op_origin[op];
  if (op == NONE)
    return false;
  struct span span = read->op_text[op];
  region_id region = read->op_region[op];
  for (; region != NONE; region = read->region_next[region]) {
    struct span inside = read->region_text[region];
    struct span before = {span.begin, inside.begin};
    if (find_attribute(read, before, key, value))
      return true;
    span.begin = inside.end;
  }
  return find_attribute(read, span, key, value);
}

bool
ir_parse_integer(struct text text, int64_t *value) {
  uint32_t i = 0;
  bool negative = text.size && text.data[0] == '-';
  uint64_t number = 0, limit = (uint64_t)INT64_MAX + negative;
  if (text_is(text, "true") || text_is(text, "false")) {
    *value = text_is(text, "true");
    return true;
  }
  i += negative;
  if (i == text.size || text.data[i] < '0' || text.data[i] > '9')
    return false;
  for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
    uint64_t digit = (uint64_t)(text.data[i] - '0');
    if (number > (limit - digit) / 10)
      return false;
    number = number * 10 + digit;
  }
  while (i < text.size && text.data[i] == ' ')
    i++;
  if (i < text.size && text.data[i] != ':')
    return false;
  *value = (int64_t)(negative ? 0 - number : number);
  return true;
}

bool
ir_attribute_integer(const struct ir_module *module, op_id op, const char *key,
                     int64_t *value) {
  struct text text;
  if ((module->op_flags[op] & OP_ADDED) && text_is(text_of(key), "index")) {
    /* an element of a barrier's tuple: they follow it in order */
    *value = (int64_t)op - ir_value_op(module, ir_operand(module, op, 0)) - 1;
    return true;
  }
  return ir_attribute(module, op, key, &text) && ir_parse_integer(text, value);
}

bool
ir_function_attribute(const struct ir_module *module, function_id function,
                      const char *key, struct text *value) {
  return find_attribute(module, module->functions.data[function].attributes,
                        key, value);
}

bool
ir_argument_attribute(const struct ir_module *module, function_id function,
                      uint32_t index, const char *key, struct text *value) {
  const struct ir_function *f = &module->functions.data[function];
  return index < f->argument_count &&
         find_attribute(module, f->argument_attributes[index], key, value);
}

bool
ir_result_attribute(const struct ir_module *module, function_id function,
                    uint32_t index, const char *key, struct text *value) {
  const struct ir_function *f = &module->functions.data[function];
  return f->result_attributes && index < f->result_count &&
         find_attribute(module, f->result_attributes[index], key, value);
}

struct text
ir_plain_name(struct text name) {
  uint32_t sigil = name.size && name.data[0] == '%';
  return (struct text){name.data + sigil, name.size - sigil};
}

bool
ir_name_taken(const struct ir_module *module, struct text name) {
  return module->taken &&
         string_find(module->taken, ir_plain_name(name)) != STRING_NONE;
}

bool *
ir_called_functions(const struct ir_module *module, struct arena *arena) {
  const function_id *of = ir_functions_of_ops(module, arena);
  bool *called = ARENA_ARRAY(arena, bool, module->functions.count + 1);
  for (uint32_t i = 0; i < module->calls.count; i++) {
    const struct ir_call *call = &module->calls.data[i];
    called[call->callee] |= of[call->op] != call->callee;
  }
  return called;
}

bool
ir_is_private(const struct ir_module *module, function_id function) {
  const struct ir_function *f = &module->functions.data[function];
  struct text value;
  if (f->op == NONE)
    return !f->entry;
  struct span before = {module->op_text[f->op].begin, f->name_text.begin};
  if (before.begin < before.end &&
      text_find(source_text(module->source, before), " private "))
    return true;
  return ir_function_attribute(module, function, "sym_visibility", &value) &&
         text_find(value, "private");
}

function_id
ir_find_function(const struct ir_module *module, struct text name) {
  name_id id = string_find(module->names, name);
  for (function_id i = 0; id != STRING_NONE && i < module->functions.count; i++)
    if (module->functions.data[i].name == id)
      return i;
  return NONE;
}
