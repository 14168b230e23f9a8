/* loop_flatten.c - a loop's condition and body as one flat list of ops.
 *
 *   %1:2 = call @body(%c, %x)        %t = dot %c, %x
 *   yield %1#0, %inv          ==>    yield %t, (outside) %inv0
 *
 * A walk over the body in program order, with a map from the module's values
 * to flat ones.  A call of a function with one block is walked into, and its
 * values map to those of the latest instance: functions do not call
 * themselves.  Ops with regions stay whole; what they read from around them is
 * a use of theirs.
 *
 * Not looked through: calls that are applied to elements, declarations,
 * functions of several blocks.  O(ops after inlining). */
#include "passes/loops.h"

#include <string.h>

enum { DEPTH_MAX = 64, OPS_MAX = 1 << 22 };

struct flattener {
  struct arena *arena;
  const struct ir_module *m;
  const uint32_t *sizes; /* by op */
  flat_id *map;          /* by value */
  uint32_t *stamp;       /* by value: which loop MAP speaks of */
  uint32_t now;
  uint32_t depth;
  struct loop *loop;
};

/* --- what ops do --- */

static const struct {
  const char *name;
  enum flat_action action;
} actions[] = {
    {"add", ACTION_ADD},
    {"bitcast", ACTION_RESHAPE},
    {"broadcast", ACTION_RESHAPE},
    {"broadcast_in_dim", ACTION_RESHAPE},
    {"call", ACTION_CALL},
    {"clamp", ACTION_CLAMP},
    {"compare", ACTION_COMPARE},
    {"constant", ACTION_CONSTANT},
    {"convert", ACTION_CONVERT},
    {"copy", ACTION_RESHAPE},
    {"dynamic-slice", ACTION_SLICE},
    {"dynamic-update-slice", ACTION_UPDATE},
    {"dynamic_slice", ACTION_SLICE},
    {"dynamic_update_slice", ACTION_UPDATE},
    {"get-tuple-element", ACTION_ELEMENT},
    {"get_tuple_element", ACTION_ELEMENT},
    {"maximum", ACTION_MAXIMUM},
    {"minimum", ACTION_MINIMUM},
    {"multiply", ACTION_MULTIPLY},
    {"negate", ACTION_NEGATE},
    {"reshape", ACTION_RESHAPE},
    {"select", ACTION_SELECT},
    {"subtract", ACTION_SUBTRACT},
    {"tuple", ACTION_TUPLE},
    {"while", ACTION_WHILE},
};

/* NAME without the dialect, where it is one that we know; else empty. */
static struct text
stem_of(struct text name) {
  static const char *const dialects[] = {"stablehlo.", "mhlo.", "func."};
  for (uint32_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
    if (text_starts(name, dialects[i])) {
      uint32_t size = (uint32_t)strlen(dialects[i]);
      return (struct text){name.data + size, name.size - size};
    }
  return memchr(name.data, '.', name.size) ? TEXT("") : name;
}

enum flat_action
flat_action(const struct ir_module *module, op_id op) {
  return flat_action_named(module, module->op_name[op]);
}

enum flat_action
flat_action_named(const struct ir_module *module, name_id name) {
  struct text stem = stem_of(string_text(module->names, name));
  for (uint32_t i = 0; i < sizeof actions / sizeof *actions; i++)
    if (text_is(stem, actions[i].name))
      return actions[i].action;
  return ACTION_OTHER;
}

/* Are the numbers of the first list in brackets in TEXT in order? */
static bool
in_order(struct text text) {
  const char *at = text.data, *end = text.data + text.size;
  int64_t last = -1;
  while (at < end && *at != '[' && *at != '{')
    at++;
  for (at++; at < end && *at != ']' && *at != '}';) {
    int64_t number = 0;
    if (*at < '0' || *at > '9') {
      at++;
      continue;
    }
    while (at < end && *at >= '0' && *at <= '9')
      number = number * 10 + (*at++ - '0');
    if (number <= last)
      return false;
    last = number;
  }
  return true;
}

/* Does OP, of one operand and one result, only view it? */
static bool
is_view(const struct ir_module *m, const struct loop *loop,
        const struct flat_op *op) {
  struct text stem = stem_of(ir_op_name(m, op->op)), value;
  if (op->operand_count != 1 || op->use_count != 1 || op->result_count != 1)
    return false;
  const struct type *from =
      type_get(m->types, loop->values.data[flat_operand(loop, op, 0)].type);
  const struct type *to =
      type_get(m->types, loop->values.data[op->first_result].type);
  if (from->dynamic || to->dynamic || from->elements != to->elements ||
      from->dtype != to->dtype || from->kind == TYPE_TUPLE)
    return false;
  if (text_is(stem, "reshape"))
    return true;
  if (!text_is(stem, "broadcast") && !text_is(stem, "broadcast_in_dim"))
    return false;
  return (ir_attribute(m, op->op, "dims", &value) ||
          ir_attribute(m, op->op, "broadcast_dimensions", &value) ||
          ir_attribute(m, op->op, "dimensions", &value)) &&
         in_order(value);
}

flat_id
flat_home(const struct ir_module *module, const struct loop *loop,
          flat_id value) {
  for (;;) {
    const struct flat_value *v = &loop->values.data[value];
    if (v->kind != FLAT_RESULT ||
        !is_view(module, loop, &loop->ops.data[v->number]))
      return value;
    value = flat_operand(loop, &loop->ops.data[v->number], 0);
  }
}

bool
loop_result(const struct ir_module *module, value_id value, op_id *op,
            uint32_t *carry) {
  *op = ir_value_op(module, value);
  *carry = ir_value_index(module, value);
  int64_t index;
  if (*op != NONE && flat_action(module, *op) == ACTION_ELEMENT &&
      ir_attribute_integer(module, *op, "index", &index)) {
    *op = ir_value_op(module, ir_operand(module, *op, 0));
    *carry = (uint32_t)index;
  }
  return *op != NONE && flat_action(module, *op) == ACTION_WHILE;
}

/* --- the map --- */

struct flattener *
flattener_new(struct arena *arena, const struct ir_module *module) {
  struct flattener *f = ARENA_NEW(arena, struct flattener);
  f->arena = arena;
  f->m = module;
  f->sizes = ir_op_sizes(module, arena);
  f->map = ARENA_ARRAY(arena, flat_id, module->value_count);
  f->stamp = ARENA_ARRAY(arena, uint32_t, module->value_count);
  return f;
}

static void
set_value(struct flattener *f, value_id value, flat_id flat) {
  f->map[value] = flat;
  f->stamp[value] = f->now;
}

static flat_id
add_value(struct flattener *f, struct flat_value value) {
  vector_push(f->arena, &f->loop->values, value);
  return f->loop->values.count - 1;
}

/* The flat value that VALUE is; one from outside where it is none yet. */
static flat_id
flat_of(struct flattener *f, value_id value) {
  if (f->stamp[value] != f->now) {
    struct flat_value outside = {
        .kind = FLAT_OUTSIDE, .value = value, .type = f->m->value_type[value]};
    set_value(f, value, add_value(f, outside));
  }
  return f->map[value];
}

/* Does VALUE belong to a region of OP? */
static bool
is_inside(const struct flattener *f, value_id value, op_id op) {
  op_id def = ir_value_op(f->m, value);
  if (def == NONE) {
    def = f->m->region_op[f->m->block_region[ir_value_block(f->m, value)]];
    return def != NONE && def >= op && def < op + f->sizes[op];
  }
  return def > op && def < op + f->sizes[op];
}

/* --- walking --- */

static void
add_uses(struct flattener *f, struct flat_op *flat, op_id op, op_id inner) {
  const struct ir_module *m = f->m;
  for (uint32_t i = 0; i < m->op_use_count[inner]; i++) {
    uint32_t use = m->op_first_use[inner] + i;
    if (inner != op && is_inside(f, m->use_value[use], op))
      continue;
    struct flat_use flat_use = {use, flat_of(f, m->use_value[use])};
    vector_push(f->arena, &f->loop->uses, flat_use);
    flat->use_count++;
  }
}

static void
add_op(struct flattener *f, op_id op) {
  const struct ir_module *m = f->m;
  struct flat_op flat = {.op = op,
                         .first_use = f->loop->uses.count,
                         .operand_count = m->op_use_count[op],
                         .result_count = m->op_result_count[op],
                         .size = f->sizes[op]};
  for (op_id inner = op; inner < op + f->sizes[op]; inner++)
    add_uses(f, &flat, op, inner);
  flat.first_result = f->loop->values.count;
  for (uint32_t i = 0; i < flat.result_count; i++) {
    value_id value = ir_result(m, op, i);
    struct flat_value result = {.kind = FLAT_RESULT,
                                .number = f->loop->ops.count,
                                .index = i,
                                .value = value,
                                .type = m->value_type[value]};
    set_value(f, value, add_value(f, result));
  }
  vector_push(f->arena, &f->loop->ops, flat);
  if (f->loop->ops.count > OPS_MAX)
    f->loop->refused = "its body is too large";
}

/* Part INDEX of the tuple TUPLE, or NONE where it is not seen. */
static flat_id
part_of(const struct flattener *f, flat_id tuple, uint32_t index) {
  const struct flat_value *value = &f->loop->values.data[tuple];
  if (value->kind == FLAT_STATE)
    return index < f->loop->carry_count ? f->loop->carries[index].argument
                                        : NONE;
  if (value->kind != FLAT_RESULT)
    return NONE;
  const struct flat_op *op = &f->loop->ops.data[value->number];
  if (flat_action(f->m, op->op) != ACTION_TUPLE || index >= op->operand_count)
    return NONE;
  return flat_operand(f->loop, op, index);
}

static void
add_element(struct flattener *f, op_id op) {
  int64_t index;
  flat_id part = NONE;
  if (ir_attribute_integer(f->m, op, "index", &index) && index >= 0)
    part = part_of(f, flat_of(f, ir_operand(f->m, op, 0)), (uint32_t)index);
  if (part == NONE)
    add_op(f, op);
  else
    set_value(f, ir_result(f->m, op, 0), part);
}

/* The function that OP does nothing but call, or NONE. */
static function_id
outlined(const struct flattener *f, op_id op) {
  uint32_t count;
  const struct ir_call *call = ir_op_calls(f->m, op, &count);
  if (count != 1)
    return NONE;
  const struct ir_function *callee = &f->m->functions.data[call->callee];
  if (callee->body == NONE || callee->argument_count != f->m->op_use_count[op])
    return NONE;
  block_id block = f->m->region_block[callee->body];
  if (block == NONE || f->m->block_next[block] != NONE ||
      f->m->block_op_count[block] == 0)
    return NONE;
  for (uint32_t i = 0; i < callee->argument_count; i++)
    if (callee->arguments[i] == NONE)
      return NONE;
  return call->callee;
}

static void walk_block(struct flattener *f, block_id block);

static op_id
last_op(const struct ir_module *m, block_id block) {
  return ir_block_op(m, block, m->block_op_count[block] - 1);
}

static void
walk_call(struct flattener *f, op_id op, function_id function) {
  const struct ir_module *m = f->m;
  const struct ir_function *callee = &m->functions.data[function];
  block_id block = m->region_block[callee->body];
  if (f->depth == DEPTH_MAX) {
    f->loop->refused = "its calls are nested too deep";
    return;
  }
  for (uint32_t i = 0; i < callee->argument_count; i++) {
    struct flat_use passed = {m->op_first_use[op] + i,
                              flat_of(f, ir_operand(m, op, i))};
    vector_push(f->arena, &f->loop->passed, passed);
    set_value(f, callee->arguments[i], passed.value);
  }
  f->depth++;
  walk_block(f, block);
  f->depth--;
  if (callee->root != NONE) {
    set_value(f, ir_result(m, op, 0),
              flat_of(f, ir_result(m, callee->root, 0)));
    return;
  }
  op_id end = last_op(m, block);
  for (uint32_t i = 0; i < m->op_result_count[op]; i++)
    set_value(f, ir_result(m, op, i), flat_of(f, ir_operand(m, end, i)));
}

static void
walk_op(struct flattener *f, op_id op) {
  enum flat_action action = flat_action(f->m, op);
  function_id callee = action == ACTION_CALL ? outlined(f, op) : NONE;
  if (callee != NONE)
    walk_call(f, op, callee);
  else if (action == ACTION_ELEMENT)
    add_element(f, op);
  else if (!(f->m->op_flags[op] & OP_TERMINATOR) &&
           !text_is(ir_op_name(f->m, op), "parameter"))
    add_op(f, op);
}

static void
walk_block(struct flattener *f, block_id block) {
  for (uint32_t i = 0; i < f->m->block_op_count[block] && !f->loop->refused;
       i++)
    walk_op(f, ir_block_op(f->m, block, i));
}

/* --- the loop's own form --- */

/* Where a loop's condition and body stand. */
struct bodies {
  block_id condition, body;
  function_id condition_function, body_function; /* HLO */
};

static block_id
only_block(const struct ir_module *m, region_id region) {
  block_id block = region == NONE ? NONE : m->region_block[region];
  if (block == NONE || m->block_next[block] != NONE ||
      m->block_op_count[block] == 0)
    return NONE;
  return block;
}

static bool
find_bodies(const struct ir_module *m, op_id op, struct bodies *bodies) {
  *bodies = (struct bodies){NONE, NONE, NONE, NONE};
  region_id region = m->op_region[op];
  if (region != NONE) {
    bodies->condition = only_block(m, region);
    bodies->body = only_block(m, m->region_next[region]);
    return bodies->condition != NONE && bodies->body != NONE;
  }
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(m, op, &count);
  for (uint32_t i = 0; i < count; i++) {
    struct text role = string_text(m->names, calls[i].attribute);
    block_id block = only_block(m, m->functions.data[calls[i].callee].body);
    if (text_is(role, "condition")) {
      bodies->condition = block;
      bodies->condition_function = calls[i].callee;
    } else if (text_is(role, "body")) {
      bodies->body = block;
      bodies->body_function = calls[i].callee;
    }
  }
  return bodies->condition != NONE && bodies->body != NONE;
}

/* The carries, from the loop's operands. */
static bool
find_carries(struct flattener *f, const struct bodies *bodies) {
  const struct ir_module *m = f->m;
  struct loop *loop = f->loop;
  op_id from = loop->op;
  if (bodies->body_function != NONE) {
    from = m->op_use_count[from] == 1 ? ir_value_op(m, ir_operand(m, from, 0))
                                      : NONE;
    if (from == NONE || flat_action(m, from) != ACTION_TUPLE)
      return false;
  }
  loop->carry_count = m->op_use_count[from];
  loop->carries = ARENA_ARRAY(f->arena, struct loop_carry, loop->carry_count);
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    struct loop_carry *carry = &loop->carries[i];
    carry->init = ir_operand(m, from, i);
    struct flat_value argument = {.kind = FLAT_CARRY,
                                  .number = i,
                                  .value = carry->init,
                                  .type = m->value_type[carry->init]};
    carry->argument = add_value(f, argument);
  }
  return bodies->body_function != NONE ||
         loop->carry_count == m->op_result_count[loop->op];
}

/* Let the arguments of BLOCK, or of FUNCTION, be the carries. */
static bool
bind_carries(struct flattener *f, block_id block, function_id function) {
  const struct ir_module *m = f->m;
  if (function != NONE) {
    const struct ir_function *body = &m->functions.data[function];
    if (body->argument_count != 1 || body->arguments[0] == NONE ||
        body->root == NONE)
      return false;
    value_id state = body->arguments[0];
    struct flat_value value = {
        .kind = FLAT_STATE, .value = state, .type = m->value_type[state]};
    set_value(f, state, add_value(f, value));
    return true;
  }
  if (m->block_argument_count[block] != f->loop->carry_count)
    return false;
  for (uint32_t i = 0; i < f->loop->carry_count; i++)
    set_value(f, m->block_first_argument[block] + i,
              f->loop->carries[i].argument);
  return true;
}

/* What BLOCK hands on: its end's operand INDEX, or of FUNCTION the part. */
static flat_id
handed_on(struct flattener *f, block_id block, function_id function,
          uint32_t index, bool whole) {
  const struct ir_module *m = f->m;
  if (function == NONE) {
    op_id end = last_op(m, block);
    return index < m->op_use_count[end] ? flat_of(f, ir_operand(m, end, index))
                                        : NONE;
  }
  value_id root = ir_result(m, m->functions.data[function].root, 0);
  flat_id value = flat_of(f, root);
  return whole ? value : part_of(f, value, index);
}

/* What is handed on as it came is the value from outside. */
static void
find_invariants(struct flattener *f) {
  struct loop *loop = f->loop;
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    struct loop_carry *carry = &loop->carries[i];
    carry->invariant = carry->yield == carry->argument;
    if (carry->invariant)
      loop->values.data[carry->argument].kind = FLAT_OUTSIDE;
  }
}

/* Tuples of which only the parts are used, use nothing themselves. */
static void
drop_tuples(struct flattener *f) {
  struct loop *loop = f->loop;
  bool *used = ARENA_ARRAY(f->arena, bool, loop->values.count);
  used[loop->condition] = true;
  for (uint32_t i = 0; i < loop->carry_count; i++)
    used[loop->carries[i].yield] = true;
  for (uint32_t o = loop->ops.count; o-- > 0;) {
    struct flat_op *op = &loop->ops.data[o];
    if (flat_action(f->m, op->op) == ACTION_TUPLE && !used[op->first_result])
      op->operand_count = op->use_count = 0;
    for (uint32_t i = 0; i < op->use_count; i++)
      used[flat_operand(loop, op, i)] = true;
  }
}

/* Is the state, as a whole, of any use but for its parts? */
static bool
uses_state(const struct loop *loop) {
  for (uint32_t o = 0; o < loop->ops.count; o++)
    for (uint32_t i = 0; i < loop->ops.data[o].use_count; i++)
      if (loop->values.data[flat_operand(loop, &loop->ops.data[o], i)].kind ==
          FLAT_STATE)
        return true;
  return false;
}

static const char *
flatten(struct flattener *f) {
  struct loop *loop = f->loop;
  struct bodies bodies;
  if (!find_bodies(f->m, loop->op, &bodies))
    return "its condition and body are not one block each";
  if (!find_carries(f, &bodies))
    return "its state is not written out beside it";
  if (!bind_carries(f, bodies.condition, bodies.condition_function))
    return "its condition does not take its state";
  walk_block(f, bodies.condition);
  loop->condition =
      handed_on(f, bodies.condition, bodies.condition_function, 0, true);
  loop->condition_ops = loop->ops.count;
  if (!bind_carries(f, bodies.body, bodies.body_function))
    return "its body does not take its state";
  walk_block(f, bodies.body);
  if (loop->refused)
    return loop->refused;
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    flat_id yield = handed_on(f, bodies.body, bodies.body_function, i, false);
    loop->carries[i].yield = yield;
    if (yield == NONE)
      return "its body does not write out the next state";
  }
  drop_tuples(f);
  if (uses_state(loop))
    return "its state is used as a whole";
  find_invariants(f);
  return NULL;
}

struct loop *
loop_flatten(struct flattener *flattener, op_id op) {
  struct loop *loop = ARENA_NEW(flattener->arena, struct loop);
  loop->op = op;
  loop->block = flattener->m->op_block[op];
  flattener->loop = loop;
  flattener->now++;
  flattener->depth = 0;
  loop->refused = flatten(flattener);
  return loop;
}
