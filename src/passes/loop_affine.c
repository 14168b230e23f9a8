/* loop_affine.c - counters, trip counts, and what is affine in them.
 *
 *   i from 2, i < 12, i += 3    ==>   trips 4, i = 3 t + 2, t from 0
 *   select(i < 0, i + 12, i)    ==>   3 t + 2, because i < 0 never holds
 *
 * A carry that only grows by a constant is affine in the iteration T; so are
 * sums, differences and multiples of such, and a comparison that comes out the
 * same way in all iterations is a constant.  What leaves the 31 bits of the
 * usual counter is not known: arithmetic that wraps around is not affine.
 * O(flat ops). */
#include "passes/loops.h"

#include <string.h>

#define LIMIT (INT64_C(1) << 31)

static struct affine
constant_form(int64_t number) {
  return (struct affine){true, 0, number};
}

static bool
is_constant(struct affine a) {
  return a.known && a.scale == 0;
}

/* A if it stays within the limit over TRIPS iterations. */
static struct affine
bounded(struct affine a, uint64_t trips) {
  int64_t last = trips ? (int64_t)(trips < (uint64_t)LIMIT ? trips : 0) : 1;
  bool good = a.known && a.scale > -LIMIT && a.scale < LIMIT &&
              a.offset > -LIMIT && a.offset < LIMIT && last < LIMIT;
  if (good) {
    int64_t end = a.offset + a.scale * last;
    good = end > -LIMIT && end < LIMIT;
  }
  return good ? a : (struct affine){0};
}

/* The least and the most of A over TRIPS iterations. */
static void
range_of(struct affine a, uint64_t trips, int64_t *least, int64_t *most) {
  int64_t end = a.offset + a.scale * (int64_t)(trips ? trips - 1 : 0);
  *least = end < a.offset ? end : a.offset;
  *most = end < a.offset ? a.offset : end;
}

/* --- constants --- */

bool
flat_constant(const struct ir_module *module, op_id op, int64_t *number) {
  if (op == NONE || flat_action(module, op) != ACTION_CONSTANT ||
      module->op_result_count[op] != 1)
    return false;
  const struct type *type = ir_value_type(module, ir_result(module, op, 0));
  if (type->elements != 1 || type->kind == TYPE_TUPLE)
    return false;
  struct text text = source_text(module->source, module->op_text[op]);
  const char *end = text.data + text.size;
  const char *at = memmem(text.data, text.size, "dense<", 6);
  if (at)
    at += 6;
  else if ((at = memmem(text.data, text.size, " constant(", 10)) != NULL)
    at += 10;
  if (!at)
    return false;
  const char *close = at;
  while (close < end && *close != '>' && *close != ')')
    close++;
  while (at < close && (*at == '[' || *at == '{' || *at == ' '))
    at++;
  while (close > at && (close[-1] == ']' || close[-1] == '}'))
    close--;
  return ir_parse_integer((struct text){at, (uint32_t)(close - at)}, number);
}

/* --- arithmetic --- */

struct counting {
  const struct ir_module *m;
  struct loop *loop;
  uint64_t trips; /* 0 while they are not known */
};

static struct affine
form_of(const struct counting *c, flat_id value) {
  return value == NONE ? (struct affine){0} : c->loop->affine[value];
}

enum comparison { LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL, NOT_EQUAL };

/* Which way the comparison OP goes. */
static bool
comparison_of(const struct ir_module *m, op_id op, enum comparison *which) {
  static const char *const names[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  struct text text = source_text(m->source, m->op_text[op]);
  struct text value;
  if (ir_attribute(m, op, "direction", &value) ||
      ir_attribute(m, op, "comparison_direction", &value)) {
    text = value;
  } else {
    const char *at = memmem(text.data, text.size, "compare ", 8);
    if (!at)
      return false;
    text = (struct text){at, 11};
  }
  for (uint32_t i = 0; i < 6; i++)
    if (memmem(text.data, text.size, names[i], 2)) {
      *which = (enum comparison)i;
      return true;
    }
  return false;
}

/* A - B compared with 0, where it is the same in all iterations. */
static struct affine
compare(const struct counting *c, op_id op, struct affine a, struct affine b) {
  enum comparison which;
  int64_t least, most;
  struct affine difference = {a.known && b.known, a.scale - b.scale,
                              a.offset - b.offset};
  if (!difference.known || !comparison_of(c->m, op, &which) ||
      (!c->trips && difference.scale))
    return (struct affine){0};
  range_of(difference, c->trips, &least, &most);
  switch (which) {
  case LESS:
  case GREATER_EQUAL:
    if (most < 0 || least >= 0)
      return constant_form((most < 0) == (which == LESS));
    break;
  case GREATER:
  case LESS_EQUAL:
    if (least > 0 || most <= 0)
      return constant_form((least > 0) == (which == GREATER));
    break;
  case EQUAL:
  case NOT_EQUAL:
    if (least > 0 || most < 0)
      return constant_form(which == NOT_EQUAL);
    if (least == 0 && most == 0)
      return constant_form(which == EQUAL);
    break;
  }
  return (struct affine){0};
}

/* The smaller of A and B, or with LARGER the larger, where one always is. */
static struct affine
extreme(const struct counting *c, struct affine a, struct affine b,
        bool larger) {
  int64_t least, most;
  if (!a.known || !b.known || (!c->trips && a.scale != b.scale))
    return (struct affine){0};
  struct affine difference = {true, a.scale - b.scale, a.offset - b.offset};
  range_of(difference, c->trips, &least, &most);
  if (least >= 0)
    return larger ? a : b;
  if (most <= 0)
    return larger ? b : a;
  return (struct affine){0};
}

static struct affine
product(struct affine a, struct affine b) {
  if (!a.known || !b.known || (a.scale && b.scale))
    return (struct affine){0};
  if (b.scale)
    return product(b, a);
  return (struct affine){true, a.scale * b.offset, a.offset * b.offset};
}

/* Is TYPE one whole number, or a truth value? */
static bool
is_whole(const struct type *type) {
  enum dtype_class class = dtype_infos[type->dtype].class;
  return type->elements == 1 && !type->dynamic && type->kind != TYPE_TUPLE &&
         (class == DTYPE_CLASS_INTEGER || class == DTYPE_CLASS_UNSIGNED ||
          class == DTYPE_CLASS_BOOLEAN);
}

static struct affine
evaluate(const struct counting *c, const struct flat_op *op) {
  enum flat_action action = flat_action(c->m, op->op);
  const struct type *type =
      type_get(c->m->types, c->loop->values.data[op->first_result].type);
  struct affine in[3] = {{0}, {0}, {0}};
  int64_t number;
  if (op->result_count != 1 || !is_whole(type))
    return (struct affine){0};
  for (uint32_t i = 0; i < 3 && i < op->operand_count; i++)
    in[i] = form_of(c, flat_operand(c->loop, op, i));
  struct affine a = in[0], b = in[1];
  switch (action) {
  case ACTION_CONSTANT:
    if (flat_constant(c->m, op->op, &number) && number > -LIMIT &&
        number < LIMIT)
      return constant_form(number);
    break;
  case ACTION_ADD:
    return (struct affine){a.known && b.known, a.scale + b.scale,
                           a.offset + b.offset};
  case ACTION_SUBTRACT:
    return (struct affine){a.known && b.known, a.scale - b.scale,
                           a.offset - b.offset};
  case ACTION_MULTIPLY:
    return product(a, b);
  case ACTION_NEGATE:
    return (struct affine){a.known, -a.scale, -a.offset};
  case ACTION_CONVERT:
    return type->element_bits < 32 ? (struct affine){0} : a;
  case ACTION_RESHAPE:
    return a;
  case ACTION_COMPARE:
    return compare(c, op->op, a, b);
  case ACTION_SELECT:
    if (is_constant(a))
      return a.offset ? b : in[2];
    break;
  case ACTION_MAXIMUM:
    return extreme(c, a, b, true);
  case ACTION_MINIMUM:
    return extreme(c, a, b, false);
  case ACTION_CLAMP:
    return extreme(c, extreme(c, b, a, true), in[2], false);
  default:
    break;
  }
  return (struct affine){0};
}

/* FORM, of TYPE, if it does not wrap around. */
static struct affine
kept_in(const struct counting *c, const struct type *type, struct affine form) {
  int64_t least, most;
  form = bounded(form, c->trips);
  if (!form.known || dtype_infos[type->dtype].class != DTYPE_CLASS_UNSIGNED)
    return form;
  range_of(form, c->trips, &least, &most);
  return least >= 0 ? form : (struct affine){0};
}

static void
evaluate_ops(const struct counting *c) {
  struct loop *loop = c->loop;
  for (uint32_t i = 0; i < loop->ops.count; i++) {
    const struct flat_op *op = &loop->ops.data[i];
    if (op->result_count != 1)
      continue;
    const struct type *type =
        type_get(c->m->types, loop->values.data[op->first_result].type);
    loop->affine[op->first_result] = kept_in(c, type, evaluate(c, op));
  }
}

/* Outside values that are constants. */
static void
evaluate_outside(const struct counting *c) {
  for (flat_id v = 0; v < c->loop->values.count; v++) {
    const struct flat_value *value = &c->loop->values.data[v];
    int64_t number;
    if (value->kind == FLAT_OUTSIDE &&
        flat_constant(c->m, ir_value_op(c->m, value->value), &number))
      c->loop->affine[v] = bounded(constant_form(number), 1);
  }
}

/* --- carries that count --- */

/* How much is added to CARRY in each iteration, where that is one constant:
 * sums and differences with constants on the way back to the argument. */
static bool
step_of(const struct counting *c, const struct loop_carry *carry,
        int64_t *step) {
  const struct loop *loop = c->loop;
  flat_id value = carry->yield;
  *step = 0;
  while (value != carry->argument) {
    const struct flat_value *v = &loop->values.data[value];
    if (v->kind != FLAT_RESULT)
      return false;
    const struct flat_op *op = &loop->ops.data[v->number];
    enum flat_action action = flat_action(c->m, op->op);
    if (action != ACTION_ADD && action != ACTION_SUBTRACT)
      return false;
    flat_id left = flat_operand(loop, op, 0), right = flat_operand(loop, op, 1);
    if (action == ACTION_ADD && is_constant(form_of(c, left))) {
      flat_id swap = left;
      left = right;
      right = swap;
    }
    struct affine amount = form_of(c, right);
    if (!is_constant(amount))
      return false;
    *step += action == ACTION_ADD ? amount.offset : -amount.offset;
    value = left;
  }
  return *step != 0;
}

static void
find_counters(const struct counting *c) {
  struct loop *loop = c->loop;
  for (uint32_t i = 0; i < loop->carry_count; i++) {
    struct loop_carry *carry = &loop->carries[i];
    const struct type *type =
        type_get(c->m->types, loop->values.data[carry->argument].type);
    int64_t init, step;
    carry->affine = (struct affine){0};
    if (carry->invariant || !is_whole(type) || type->element_bits < 32 ||
        !flat_constant(c->m, ir_value_op(c->m, carry->init), &init) ||
        !step_of(c, carry, &step))
      continue;
    carry->affine = kept_in(c, type, (struct affine){true, step, init});
    loop->affine[carry->argument] = carry->affine;
  }
}

/* Iterations until DIFFERENCE, which has a step, no longer compares so. */
static uint64_t
iterations(struct affine difference, enum comparison which) {
  int64_t step = difference.scale, first = difference.offset;
  if (which == GREATER || which == GREATER_EQUAL) {
    step = -step;
    first = -first;
    which = which == GREATER ? LESS : LESS_EQUAL;
  }
  if (which == LESS_EQUAL)
    first--;
  if (which == NOT_EQUAL) {
    bool up = step > 0;
    first = up ? first : -first;
    step = up ? step : -step;
    if (first > 0 || first % step)
      return 0;
  } else if (which != LESS && which != LESS_EQUAL) {
    return 0;
  }
  if (step <= 0 || first >= 0)
    return 0;
  return (uint64_t)((-first + step - 1) / step);
}

/* The trip count by the condition, or 0. */
static uint64_t
count_trips(const struct counting *c) {
  const struct loop *loop = c->loop;
  const struct flat_value *test = &loop->values.data[loop->condition];
  enum comparison which;
  if (test->kind != FLAT_RESULT)
    return 0;
  const struct flat_op *op = &loop->ops.data[test->number];
  if (flat_action(c->m, op->op) != ACTION_COMPARE ||
      !comparison_of(c->m, op->op, &which))
    return 0;
  struct affine a = form_of(c, flat_operand(loop, op, 0));
  struct affine b = form_of(c, flat_operand(loop, op, 1));
  struct affine difference = {true, a.scale - b.scale, a.offset - b.offset};
  if (!a.known || !b.known || difference.scale == 0)
    return 0;
  return iterations(difference, which);
}

void
loop_count(struct arena *arena, const struct ir_module *module,
           struct loop *loop) {
  struct counting c = {module, loop, 0};
  loop->affine = ARENA_ARRAY(arena, struct affine, loop->values.count);
  if (loop->refused)
    return;
  evaluate_outside(&c);
  evaluate_ops(&c);
  find_counters(&c);
  evaluate_ops(&c);
  loop->trips = count_trips(&c);
  if (!loop->trips) {
    loop->refused = "the number of its iterations is not a constant";
    return;
  }
  /* Once more: comparisons are known now, and what would leave the range is
   * not affine after all. */
  c.trips = loop->trips;
  memset(loop->affine, 0, loop->values.count * sizeof *loop->affine);
  evaluate_outside(&c);
  evaluate_ops(&c);
  find_counters(&c);
  evaluate_ops(&c);
}
