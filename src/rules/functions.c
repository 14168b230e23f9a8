/* functions.c - what is called with parentheses: functions, tables, curves,
 * and quantities of a value that is named. */
#include "rules/compile.h"

#include <string.h>

static uint32_t
argument_count(const struct node *node) {
  uint32_t count = 0;
  for (const struct node *n = node->first; n; n = n->next)
    count++;
  return count;
}

/* Check that NODE has LEAST to MOST arguments. */
static bool
takes(struct compilation *c, const struct node *node, uint32_t least,
      uint32_t most) {
  uint32_t count = argument_count(node);
  if (count >= least && count <= most)
    return true;
  if (least == most)
    complain(c, node->where, "'%.*s' takes %u argument%s, not %u",
             (int)node->text.size, node->text.data, least,
             least == 1 ? "" : "s", count);
  else
    complain(c, node->where, "'%.*s' takes at least %u arguments, not %u",
             (int)node->text.size, node->text.data, least, count);
  return false;
}

/* A number like all the others of a call; *SHARED is what they are so far. */
static bool
compile_alike(struct compilation *c, struct node *node,
              const struct expected *expected, struct typed *shared) {
  bool strict = expected && !expected->or_plain;
  struct typed typed = compile_node(c, node, strict ? expected : NULL);
  if (typed.type == VALUE_ERROR)
    return false;
  if (typed.type != VALUE_NUMBER) {
    complain(c, node->where, "must be a number");
    return false;
  }
  if (shared->type == VALUE_NUMBER &&
      !dimension_equal(typed.dimension, shared->dimension)) {
    complain(c, node->where,
             "must be %s like what stands before, but this "
             "is %s",
             dimension_words(c->arena, shared->dimension),
             dimension_text(c->arena, typed.dimension));
    return false;
  }
  *shared = typed;
  return true;
}

/* min, max, known, round_up: all arguments of one dimension, joined two by
 * two with OPCODE. */
static struct typed
compile_joined(struct compilation *c, struct node *node, enum opcode opcode,
               const struct expected *expected) {
  struct typed shared = wrong();
  bool fine = true;
  for (struct node *n = node->first; n; n = n->next) {
    fine &= compile_alike(c, n, expected, &shared);
    if (n != node->first)
      emit(c, opcode, 0);
  }
  if (!fine)
    return wrong();
  return expect_dimension(c, node, shared, expected);
}

static struct typed
compile_if(struct compilation *c, struct node *node,
           const struct expected *expected) {
  struct node *condition = node->first, *yes, *no;
  struct typed shared = wrong();
  if (!takes(c, node, 3, 3))
    return wrong();
  yes = condition->next;
  no = yes->next;
  struct typed typed = compile_node(c, condition, NULL);
  bool fine = typed.type == VALUE_BOOLEAN;
  if (!fine && typed.type != VALUE_ERROR)
    complain(c, condition->where, "must be a condition");
  uint32_t branch = emit_jump(c, OPCODE_BRANCH);
  fine &= compile_alike(c, yes, expected, &shared);
  uint32_t jump = emit_jump(c, OPCODE_JUMP);
  c->depth--;
  land_jump(c, branch);
  fine &= compile_alike(c, no, expected, &shared);
  land_jump(c, jump);
  return fine ? expect_dimension(c, node, shared, expected) : wrong();
}

static struct typed
compile_overlap(struct compilation *c, struct node *node,
                const struct expected *expected) {
  struct typed shared = wrong();
  if (!takes(c, node, 3, 3))
    return wrong();
  bool fine = compile_plain(c, node->first, "the share that overlaps");
  fine &= compile_alike(c, node->first->next, expected, &shared);
  fine &= compile_alike(c, node->first->next->next, expected, &shared);
  emit(c, OPCODE_OVERLAP, 0);
  return fine ? expect_dimension(c, node, shared, expected) : wrong();
}

/* ceil, floor, log2: of plain numbers, because of others they would depend on
 * the unit. */
static struct typed
compile_of_plain(struct compilation *c, struct node *node, enum opcode opcode,
                 const struct expected *expected) {
  if (!takes(c, node, 1, 1))
    return wrong();
  const char *what = arena_printf(c->arena, "the argument of '%.*s'",
                                  (int)node->text.size, node->text.data);
  bool fine = compile_plain(c, node->first, what);
  emit(c, opcode, 0);
  return fine ? expect_dimension(c, node, number_of(DIMENSION_PLAIN), expected)
              : wrong();
}

static struct typed
compile_sqrt(struct compilation *c, struct node *node,
             const struct expected *expected) {
  if (!takes(c, node, 1, 1))
    return wrong();
  struct typed typed = compile_node(c, node->first, NULL);
  emit(c, OPCODE_SQRT, 0);
  if (typed.type != VALUE_NUMBER) {
    if (typed.type != VALUE_ERROR)
      complain(c, node->first->where, "must be a number");
    return wrong();
  }
  struct dimension d = typed.dimension;
  if (d.bytes % 2 || d.time % 2 || d.work % 2) {
    complain(c, node->where, "%s has no square root",
             dimension_text(c->arena, d));
    return wrong();
  }
  d = (struct dimension){(int8_t)(d.bytes / 2), (int8_t)(d.time / 2),
                         (int8_t)(d.work / 2)};
  return expect_dimension(c, node, number_of(d), expected);
}

/* attr("name") as a number, has_attr("name"). */
static struct typed
compile_attribute(struct compilation *c, struct node *node, bool has) {
  if (!takes(c, node, 1, 1))
    return wrong();
  if (node->first->kind != NODE_STRING) {
    complain(c, node->first->where, "the name of an attribute is a string");
    return wrong();
  }
  if (c->context <= IN_DEVICE) {
    complain(c, node->where, "'%.*s' cannot be asked here",
             (int)node->text.size, node->text.data);
    return wrong();
  }
  emit(c, has ? OPCODE_HAS_ATTRIBUTE : OPCODE_ATTRIBUTE,
       intern(c, node->first->text));
  return has ? boolean() : number_of(DIMENSION_PLAIN);
}

static struct typed
compile_feature(struct compilation *c, struct node *node) {
  if (!takes(c, node, 1, 1))
    return wrong();
  struct text name = node->first->text;
  for (uint32_t i = 0; i < c->features.count; i++)
    if (text_is(name, c->strings.data[c->features.data[i]])) {
      emit(c, OPCODE_FEATURE, i);
      return boolean();
    }
  const char **names =
      ARENA_ARRAY(c->arena, const char *, c->features.count + 1);
  for (uint32_t i = 0; i < c->features.count; i++)
    names[i] = c->strings.data[c->features.data[i]];
  complain(c, node->first->where, "no device has a feature '%.*s'%s",
           (int)name.size, name.data,
           suggestion(c, name, names, c->features.count));
  return wrong();
}

static struct typed
compile_of_dtype(struct compilation *c, struct node *node, enum opcode opcode,
                 const struct expected *expected) {
  if (!takes(c, node, 1, 1))
    return wrong();
  struct typed typed = compile_dtype(c, node->first);
  emit(c, opcode, 0);
  if (typed.type == VALUE_ERROR)
    return typed;
  return expect_dimension(
      c, node, opcode == OPCODE_BITS ? number_of(DIMENSION_PLAIN) : boolean(),
      expected);
}

/* peak(dtype), peak(dtype, f32). */
static struct typed
compile_table(struct compilation *c, struct node *node, struct figure *figure) {
  if (!takes(c, node, 1, 2))
    return wrong();
  struct node *first = node->first, *second = first->next;
  struct typed a = compile_dtype(c, first);
  struct typed b = second ? compile_dtype(c, second) : a;
  use_figure(c, figure, node->where);
  figure->needs_fallback |= c->recording && c->context > IN_DEVICE;
  emit(c, second ? OPCODE_TABLE_OR : OPCODE_TABLE, figure->number);
  if (a.type == VALUE_ERROR || b.type == VALUE_ERROR)
    return wrong();
  return figure_type(c, figure);
}

static struct typed
compile_curve(struct compilation *c, struct node *node, struct figure *figure) {
  if (!takes(c, node, 1, 1))
    return wrong();
  struct typed typed = figure_type(c, figure);
  struct expected x = {
      figure->argument, false,
      arena_printf(c->arena, "the argument of '%s'", figure->name)};
  bool fine = compile_node(c, node->first, &x).type == VALUE_NUMBER;
  use_figure(c, figure, node->where);
  emit(c, OPCODE_CURVE, figure->number);
  return fine ? typed : wrong();
}

static struct typed
compile_figure_call(struct compilation *c, struct node *node,
                    struct figure *figure) {
  if (c->context == IN_CONSTANT) {
    complain(c, node->where, "a figure of a device cannot be used here");
    return wrong();
  }
  if (figure->kind == FIGURE_TABLE)
    return compile_table(c, node, figure);
  if (figure->kind == FIGURE_CURVE)
    return compile_curve(c, node, figure);
  complain(c, node->where, "'%s' is a plain figure and takes no argument",
           figure->name);
  return wrong();
}

/* How a function is compiled. */
enum shape { JOINED, OF_PLAIN, OF_DTYPE, OTHER };

static const struct function {
  const char *name;
  enum shape shape;
  enum opcode opcode;
} functions[] = {
    {"min", JOINED, OPCODE_MIN},
    {"max", JOINED, OPCODE_MAX},
    {"known", JOINED, OPCODE_KNOWN},
    {"round_up", JOINED, OPCODE_ROUND_UP},
    {"ceil", OF_PLAIN, OPCODE_CEIL},
    {"floor", OF_PLAIN, OPCODE_FLOOR},
    {"log2", OF_PLAIN, OPCODE_LOG2},
    {"is_float", OF_DTYPE, OPCODE_IS_FLOAT},
    {"is_integer", OF_DTYPE, OPCODE_IS_INTEGER},
    {"is_complex", OF_DTYPE, OPCODE_IS_COMPLEX},
    {"is_quantized", OF_DTYPE, OPCODE_IS_QUANTIZED},
    {"bits", OF_DTYPE, OPCODE_BITS},
    {"if", OTHER, OPCODE_COUNT},
    {"overlap", OTHER, OPCODE_COUNT},
    {"sqrt", OTHER, OPCODE_COUNT},
    {"attr", OTHER, OPCODE_COUNT},
    {"has_attr", OTHER, OPCODE_COUNT},
    {"has", OTHER, OPCODE_COUNT},
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static struct typed
compile_other(struct compilation *c, struct node *node,
              const struct expected *expected) {
  struct text name = node->text;
  if (text_is(name, "if"))
    return compile_if(c, node, expected);
  if (text_is(name, "overlap"))
    return compile_overlap(c, node, expected);
  if (text_is(name, "sqrt"))
    return compile_sqrt(c, node, expected);
  struct typed typed =
      text_is(name, "has")
          ? compile_feature(c, node)
          : compile_attribute(c, node, text_is(name, "has_attr"));
  return expect_dimension(c, node, typed, expected);
}

static struct typed
compile_function(struct compilation *c, struct node *node,
                 const struct function *function,
                 const struct expected *expected) {
  switch (function->shape) {
  case JOINED:
    if (!takes(c, node, 2,
               function->opcode == OPCODE_ROUND_UP ? 2 : UINT32_MAX))
      return wrong();
    return compile_joined(c, node, function->opcode, expected);
  case OF_PLAIN:
    return compile_of_plain(c, node, function->opcode, expected);
  case OF_DTYPE:
    return compile_of_dtype(c, node, function->opcode, expected);
  default:
    return compile_other(c, node, expected);
  }
}

struct typed
compile_call(struct compilation *c, struct node *node,
             const struct expected *expected) {
  for (int i = 0; i < FUNCTION_COUNT; i++)
    if (text_is(node->text, functions[i].name))
      return compile_function(c, node, &functions[i], expected);
  int quantity = find_quantity(node->text);
  if (quantity >= 0)
    return expect_dimension(
        c, node, compile_quantity(c, (enum quantity)quantity, node), expected);
  struct figure *figure = find_figure(c, node->text);
  if (figure)
    return expect_dimension(c, node, compile_figure_call(c, node, figure),
                            expected);
  const char *names[FUNCTION_COUNT + QUANTITY_COUNT];
  uint32_t count = 0;
  for (int i = 0; i < FUNCTION_COUNT; i++)
    names[count++] = functions[i].name;
  for (int i = 0; i < QUANTITY_COUNT; i++)
    names[count++] = quantity_infos[i].name;
  complain(c, node->where, "unknown function '%.*s'%s", (int)node->text.size,
           node->text.data, suggestion(c, node->text, names, count));
  return wrong();
}
