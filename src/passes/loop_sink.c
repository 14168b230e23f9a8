/* loop_sink.c - values from outside that are cheaper to make again inside.
 *
 *   %m = broadcast %s            while(... %x = ...)
 *   while(... %m' = %m ...)  ==>   %m' = broadcast %x        (%x carries %s)
 *
 * A value that a loop carries unchanged is there until the loop ends.  What a
 * small thing was spread out to, or a constant, is made again in the body
 * instead, where a compiler fuses it; calls that only outline are looked
 * through on the way to it.  Bounded by DEPTH_MAX ops for each value. */
#include "passes/loop_text.h"

#include <string.h>

enum { DEPTH_MAX = 12, SPREAD = 4 };

/* The calls that were looked through, the innermost first. */
struct call_frame {
  op_id call;
  function_id callee;
  const struct call_frame *around;
};

/* A value in the function that the innermost call runs. */
struct inner_value {
  value_id value;
  const struct call_frame *frame;
};

static uint64_t
bytes_of(const struct ir_module *m, value_id value) {
  return ir_value_type(m, value)->bytes;
}

/* Is VALUE one element, or a few bytes? */
static bool
is_small(const struct ir_module *m, value_id value) {
  return bytes_of(m, value) <= 16 &&
         ir_value_type(m, value)->kind != TYPE_TUPLE;
}

/* Is OP one that spreads out something much smaller, or a small constant? */
static bool
is_spreading(const struct ir_module *m, op_id op) {
  if (op == NONE || m->op_result_count[op] != 1 || m->op_region[op] != NONE)
    return false;
  value_id result = ir_result(m, op, 0);
  switch (flat_action(m, op)) {
  case ACTION_CONSTANT:
    return m->op_text[op].end - m->op_text[op].begin <= 256;
  case ACTION_RESHAPE:
    return m->op_use_count[op] == 1 &&
           bytes_of(m, ir_operand(m, op, 0)) <= bytes_of(m, result) / SPREAD;
  default:
    return false;
  }
}

/* The argument of FUNCTION that VALUE is, or NONE. */
static uint32_t
argument_of(const struct ir_module *m, function_id function, value_id value) {
  const struct ir_function *f = &m->functions.data[function];
  for (uint32_t i = 0; i < f->argument_count; i++)
    if (f->arguments[i] == value)
      return i;
  return NONE;
}

/* The function that OP does nothing but call, where it has one block. */
static function_id
callee_of(const struct ir_module *m, op_id op) {
  uint32_t count;
  const struct ir_call *call = ir_op_calls(m, op, &count);
  if (flat_action(m, op) != ACTION_CALL || count != 1)
    return NONE;
  const struct ir_function *f = &m->functions.data[call->callee];
  block_id block = f->body == NONE ? NONE : m->region_block[f->body];
  if (block == NONE || m->block_next[block] != NONE ||
      m->block_op_count[block] == 0 || f->argument_count != m->op_use_count[op])
    return NONE;
  return call->callee;
}

/* What result INDEX of FUNCTION is, in it; NONE where that is not seen. */
static value_id
returned(const struct ir_module *m, function_id function, uint32_t index,
         bool part) {
  const struct ir_function *f = &m->functions.data[function];
  block_id block = m->region_block[f->body];
  op_id end = ir_block_op(m, block, m->block_op_count[block] - 1);
  if (f->root == NONE)
    return ir_operand(m, end, index);
  if (!part)
    return ir_result(m, f->root, 0);
  if (flat_action(m, f->root) != ACTION_TUPLE ||
      index >= m->op_use_count[f->root])
    return NONE;
  return ir_operand(m, f->root, index);
}

/* Where V comes from, over calls and arguments.  New frames are of ARENA. */
static struct inner_value
trace(const struct ir_module *m, struct arena *arena, struct inner_value v) {
  for (uint32_t depth = 0; depth < DEPTH_MAX; depth++) {
    uint32_t argument =
        v.frame ? argument_of(m, v.frame->callee, v.value) : NONE;
    if (argument != NONE) {
      v.value = ir_operand(m, v.frame->call, argument);
      v.frame = v.frame->around;
      continue;
    }
    op_id op = ir_value_op(m, v.value);
    uint32_t index = op == NONE ? 0 : ir_value_index(m, v.value);
    int64_t number;
    bool part = op != NONE && flat_action(m, op) == ACTION_ELEMENT &&
                ir_attribute_integer(m, op, "index", &number);
    if (part) {
      op = ir_value_op(m, ir_operand(m, op, 0));
      index = (uint32_t)number;
    }
    function_id callee = op == NONE ? NONE : callee_of(m, op);
    value_id inner = callee == NONE ? NONE : returned(m, callee, index, part);
    if (inner == NONE)
      return v;
    struct call_frame *frame = ARENA_NEW(arena, struct call_frame);
    *frame = (struct call_frame){op, callee, v.frame};
    v = (struct inner_value){inner, frame};
  }
  return v;
}

/* Can V be had inside of the loop: made again, or carried by a name? */
static bool
can_have(const struct ir_module *m, struct arena *arena, struct inner_value v,
         uint32_t depth) {
  v = trace(m, arena, v);
  op_id op = ir_value_op(m, v.value);
  if (!v.frame)
    return true;
  bool small = op != NONE && is_small(m, v.value) &&
               m->op_result_count[op] == 1 && m->op_region[op] == NONE &&
               (flat_action(m, op) == ACTION_CONVERT ||
                flat_action(m, op) == ACTION_RESHAPE);
  if (depth == DEPTH_MAX || (!is_spreading(m, op) && !small))
    return false;
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    if (!can_have(m, arena, (struct inner_value){ir_operand(m, op, i), v.frame},
                  depth + 1))
      return false;
  return true;
}

/* V, that can be had, inside. */
static const char *
have(struct loop_text *text, loop_outer_name outer, void *user,
     struct inner_value v) {
  const struct ir_module *m = text->names->m;
  struct arena *arena = text->names->arena;
  v = trace(m, arena, v);
  op_id op = ir_value_op(m, v.value);
  if (!v.frame && !is_spreading(m, op))
    return loop_capture(text, outer(user, v.value),
                        loop_type(text->names, m->value_type[v.value]));
  const char **operands =
      ARENA_ARRAY(arena, const char *, m->op_use_count[op] + 1);
  for (uint32_t i = 0; i < m->op_use_count[op]; i++)
    operands[i] = have(text, outer, user,
                       (struct inner_value){ir_operand(m, op, i), v.frame});
  return loop_copy_plain(text, op, operands);
}

const char *
loop_sink(struct loop_text *text, value_id value, loop_outer_name outer,
          void *user) {
  const struct ir_module *m = text->names->m;
  struct inner_value v =
      trace(m, text->names->arena, (struct inner_value){value, NULL});
  if (!is_spreading(m, ir_value_op(m, v.value)) ||
      !can_have(m, text->names->arena, v, 0))
    return NULL;
  return have(text, outer, user, v);
}
