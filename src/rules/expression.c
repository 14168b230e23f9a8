/* expression.c - expressions to code, with their dimensions checked.
 *
 * What a place wants (EXPECTED) is handed down through sums, so that the
 * message points at the term that is wrong and not at the whole.  A `let` is
 * compiled where it is used; its type is worked out once. */
#include "rules/compile.h"

#include <string.h>

enum { MOST_NESTING = 200 };

struct typed
wrong(void) {
  return (struct typed){VALUE_ERROR, DIMENSION_PLAIN};
}

struct typed
number_of(struct dimension dimension) {
  return (struct typed){VALUE_NUMBER, dimension};
}

struct typed
boolean(void) {
  return (struct typed){VALUE_BOOLEAN, DIMENSION_PLAIN};
}

void
emit(struct compilation *c, enum opcode opcode, uint32_t argument) {
  c->depth -= (uint32_t)opcode_infos[opcode].pops;
  c->depth += (uint32_t)opcode_infos[opcode].pushes;
  if (c->depth > c->deepest)
    c->deepest = c->depth;
  vector_push(c->arena, &c->code, (uint32_t)opcode | argument << 8);
}

uint32_t
emit_jump(struct compilation *c, enum opcode opcode) {
  emit(c, opcode, 0);
  return c->code.count - 1;
}

void
land_jump(struct compilation *c, uint32_t jump) {
  c->code.data[jump] |= c->code.count << 8;
}

static void
emit_constant(struct compilation *c, double value) {
  uint32_t i = 0;
  while (i < c->constants.count &&
         memcmp(&c->constants.data[i], &value, sizeof value) != 0)
    i++;
  if (i == c->constants.count)
    vector_push(c->arena, &c->constants, value);
  emit(c, OPCODE_CONSTANT, i);
}

/* --- types --- */

const char *
type_words(struct compilation *c, struct typed typed) {
  switch (typed.type) {
  case VALUE_BOOLEAN:
    return "a condition";
  case VALUE_DTYPE:
    return "an element type";
  case VALUE_TEXT:
    return "a text";
  default:
    return dimension_text(c->arena, typed.dimension);
  }
}

struct typed
expect_dimension(struct compilation *c, const struct node *node,
                 struct typed found, const struct expected *expected) {
  if (!expected || found.type == VALUE_ERROR)
    return found;
  if (found.type == VALUE_NUMBER &&
      (dimension_equal(found.dimension, expected->dimension) ||
       (expected->or_plain &&
        dimension_equal(found.dimension, DIMENSION_PLAIN))))
    return found;
  complain(c, node->where, "%s must be %s, but this is %s", expected->what,
           dimension_words(c->arena, expected->dimension),
           type_words(c, found));
  return wrong();
}

bool
compile_plain(struct compilation *c, struct node *node, const char *what) {
  struct expected plain = {DIMENSION_PLAIN, false, what};
  return compile_node(c, node, &plain).type == VALUE_NUMBER;
}

/* --- names --- */

int
find_quantity(struct text name) {
  for (int i = 0; i < QUANTITY_COUNT; i++)
    if (text_is(name, quantity_infos[i].name))
      return i;
  return -1;
}

/* The element type called NAME, by either format's spelling. */
static enum dtype
find_dtype(struct text name) {
  enum dtype dtype = dtype_by_mlir(name);
  return dtype != DTYPE_NONE ? dtype : dtype_by_hlo(name);
}

static const char *
nearest_dtype(struct compilation *c, struct text name) {
  const char *names[2 * DTYPE_COUNT];
  uint32_t count = 0;
  for (int i = 0; i < DTYPE_COUNT; i++) {
    if (dtype_infos[i].name)
      names[count++] = dtype_infos[i].name;
    if (dtype_infos[i].hlo)
      names[count++] = dtype_infos[i].hlo;
  }
  return suggestion(c, name, names, count);
}

enum dtype
dtype_named(struct compilation *c, struct word word) {
  enum dtype dtype = find_dtype(word.text);
  if (text_is(word.text, "quantized"))
    return DTYPE_QUANTIZED;
  if (dtype == DTYPE_NONE)
    complain(c, word.where, "unknown element type '%.*s'%s",
             (int)word.text.size, word.text.data, nearest_dtype(c, word.text));
  return dtype;
}

/* Names that could stand for a number, for suggestions. */
static const char *
nearest_name(struct compilation *c, struct text name) {
  uint32_t most = QUANTITY_COUNT + c->lets.count + c->figures.count, count = 0;
  const char **names = ARENA_ARRAY(c->arena, const char *, most);
  for (int i = 0; i < QUANTITY_COUNT; i++)
    names[count++] = quantity_infos[i].name;
  for (uint32_t i = 0; i < c->lets.count; i++) {
    struct text let = c->lets.data[i].statement->name.text;
    names[count++] = arena_copy(c->arena, let.data, let.size);
  }
  for (uint32_t i = 0; i < c->figures.count; i++)
    names[count++] = c->figures.data[i].name;
  return suggestion(c, name, names, count);
}

static struct typed
unknown_name(struct compilation *c, const struct node *node) {
  const char *hint = nearest_name(c, node->text);
  if (memchr(node->text.data, '-', node->text.size))
    hint = "; a difference needs blanks around its '-'";
  complain(c, node->where, "unknown name '%.*s'%s", (int)node->text.size,
           node->text.data, hint);
  return wrong();
}

static bool
quantity_allowed(enum expression_context context, enum quantity quantity) {
  enum quantity_context needed = quantity_infos[quantity].context;
  if (context == IN_CONSTANT || context == IN_DEVICE)
    return false;
  if (needed == CONTEXT_EXPECT)
    return context == IN_EXPECT;
  if (needed == CONTEXT_ALL || context >= IN_RULE)
    return true;
  if (context == IN_GUARD)
    return false;
  if (quantity == QUANTITY_TRIP)
    return context != IN_TRIP;
  if (quantity == QUANTITY_FLOPS)
    return context == IN_MOVED;
  return quantity != QUANTITY_MOVED;
}

struct typed
compile_quantity(struct compilation *c, enum quantity quantity,
                 struct node *node) {
  const struct quantity_info *info = &quantity_infos[quantity];
  struct node *argument = node->first;
  enum value_kind kind = VALUE_CURRENT;
  int32_t index = 0;
  if (!quantity_allowed(c->context, quantity)) {
    complain(c, node->where, "'%s' cannot be asked here", info->name);
    return wrong();
  }
  if (info->of != OF_OP && argument &&
      (argument->kind == NODE_OPERAND || argument->kind == NODE_RESULT)) {
    kind = argument->kind == NODE_OPERAND ? VALUE_OPERAND : VALUE_RESULT;
    index = argument->index == INDEX_CURRENT ? 0 : argument->index;
    if (argument->kind == NODE_RESULT && argument->index == INDEX_CURRENT)
      kind = VALUE_CURRENT;
    argument = argument->next;
  } else if (info->of == OF_OPERAND) {
    complain(c, node->where, "'%s' needs an operand: %s(operand 0)", info->name,
             info->name);
    return wrong();
  }
  uint32_t count = 0;
  for (; argument; argument = argument->next, count++)
    if (count < info->arguments && !compile_plain(c, argument, info->name))
      return wrong();
  if (count != info->arguments) {
    complain(c, node->where, "'%s' takes %u number%s%s", info->name,
             info->arguments, info->arguments == 1 ? "" : "s",
             info->of == OF_OP ? "" : ", and before them a value");
    return wrong();
  }
  if (info->type == QUANTITY_TEXT) {
    emit(c, OPCODE_LOAD_QUANTITY, (uint32_t)quantity);
    return (struct typed){VALUE_TEXT, DIMENSION_PLAIN};
  }
  emit(c,
       count == 0   ? OPCODE_QUANTITY
       : count == 1 ? OPCODE_QUANTITY_1
                    : OPCODE_QUANTITY_2,
       quantity_argument(quantity, kind, index));
  if (info->type == QUANTITY_BOOLEAN)
    return boolean();
  if (info->type == QUANTITY_DTYPE_TYPE)
    return (struct typed){VALUE_DTYPE, DIMENSION_PLAIN};
  return number_of(info->dimension);
}

/* Its own mistakes are told once, where it stands. */
struct typed
let_type(struct compilation *c, struct let *let, const struct node *node) {
  if (let->state == LET_BUSY) {
    complain(c, node->where, "'%.*s' is defined by itself",
             (int)node->text.size, node->text.data);
    diagnose_note(c->diagnostics, let->statement->where, "defined here");
    return wrong();
  }
  if (let->state == LET_NEW) {
    let->state = LET_BUSY;
    let->typed = type_of(c, let->statement->expression, IN_RULE);
    let->state = LET_READY;
  }
  return let->typed;
}

static struct typed
compile_let(struct compilation *c, struct let *let, struct node *node,
            const struct expected *expected) {
  struct typed typed = let_type(c, let, node);
  if (typed.type == VALUE_ERROR)
    return typed;
  uint32_t errors = c->diagnostics->errors;
  typed = compile_node(c, let->statement->expression, NULL);
  if (typed.type == VALUE_ERROR && c->diagnostics->errors != errors) {
    diagnose_note(c->diagnostics, node->where, "used here");
    return typed;
  }
  typed = expect_dimension(c, node, typed, expected);
  if (typed.type == VALUE_ERROR)
    diagnose_note(c->diagnostics, let->statement->where,
                  "'%.*s' is defined here", (int)node->text.size,
                  node->text.data);
  return typed;
}

void
use_figure(struct compilation *c, struct figure *figure,
           struct location where) {
  if (c->recording && c->context > IN_DEVICE && !figure->used.source)
    figure->used = where;
}

static struct typed
compile_figure(struct compilation *c, struct figure *figure,
               struct node *node) {
  if (c->context == IN_CONSTANT) {
    complain(c, node->where, "a figure of a device cannot be used here");
    return wrong();
  }
  if (figure->kind != FIGURE_SCALAR) {
    complain(c, node->where,
             figure->kind == FIGURE_TABLE
                 ? "'%s' depends on the element type: write %s(dtype)"
                 : "'%s' is a curve: write %s(moved)",
             figure->name, figure->name);
    return wrong();
  }
  struct typed typed = figure_type(c, figure);
  use_figure(c, figure, node->where);
  emit(c, OPCODE_FIGURE, figure->number);
  return typed;
}

struct typed
compile_name(struct compilation *c, struct node *node,
             const struct expected *expected) {
  struct let *let = find_let(c, node->text);
  if (let)
    return compile_let(c, let, node, expected);
  int quantity = find_quantity(node->text);
  if (quantity >= 0)
    return expect_dimension(
        c, node, compile_quantity(c, (enum quantity)quantity, node), expected);
  struct figure *figure = find_figure(c, node->text);
  if (figure)
    return expect_dimension(c, node, compile_figure(c, figure, node), expected);
  enum dtype dtype = find_dtype(node->text);
  if (dtype != DTYPE_NONE) {
    emit_constant(c, dtype);
    return expect_dimension(
        c, node, (struct typed){VALUE_DTYPE, DIMENSION_PLAIN}, expected);
  }
  return unknown_name(c, node);
}

struct typed
compile_dtype(struct compilation *c, struct node *node) {
  if (node->kind == NODE_NAME && !find_let(c, node->text) &&
      find_quantity(node->text) < 0 && !find_figure(c, node->text)) {
    enum dtype dtype = dtype_named(c, (struct word){node->text, node->where});
    if (dtype == DTYPE_NONE)
      return wrong();
    emit_constant(c, dtype);
    return (struct typed){VALUE_DTYPE, DIMENSION_PLAIN};
  }
  struct typed typed = compile_node(c, node, NULL);
  if (typed.type == VALUE_DTYPE || typed.type == VALUE_ERROR)
    return typed;
  complain(c, node->where, "must be an element type, but this is %s",
           type_words(c, typed));
  return wrong();
}

/* --- arithmetic --- */

/* Both sides of + and -: of what is expected, or of one dimension. */
static struct typed
compile_sum(struct compilation *c, struct node *node,
            const struct expected *expected) {
  struct node *left = node->first, *right = left->next;
  const char *verb = node->kind == NODE_ADD ? "add" : "subtract";
  bool strict = expected && !expected->or_plain;
  struct typed a = compile_node(c, left, strict ? expected : NULL);
  struct typed b = compile_node(c, right, strict ? expected : NULL);
  emit(c, node->kind == NODE_ADD ? OPCODE_ADD : OPCODE_SUBTRACT, 0);
  if (a.type == VALUE_ERROR || b.type == VALUE_ERROR)
    return wrong();
  if (a.type != VALUE_NUMBER || b.type != VALUE_NUMBER ||
      !dimension_equal(a.dimension, b.dimension)) {
    complain(c, node->where, "cannot %s %s and %s", verb, type_words(c, a),
             type_words(c, b));
    return wrong();
  }
  return strict ? a : expect_dimension(c, node, a, expected);
}

static struct typed
compile_product(struct compilation *c, struct node *node,
                const struct expected *expected) {
  struct node *left = node->first, *right = left->next;
  bool divide = node->kind == NODE_DIVIDE;
  struct dimension dimension;
  struct typed a = compile_node(c, left, NULL);
  struct typed b = compile_node(c, right, NULL);
  emit(c, divide ? OPCODE_DIVIDE : OPCODE_MULTIPLY, 0);
  if (a.type == VALUE_ERROR || b.type == VALUE_ERROR)
    return wrong();
  if (a.type != VALUE_NUMBER || b.type != VALUE_NUMBER) {
    complain(c, node->where, "cannot %s %s and %s",
             divide ? "divide" : "multiply", type_words(c, a),
             type_words(c, b));
    return wrong();
  }
  if (divide && right->kind == NODE_NUMBER && right->number == 0) {
    complain(c, right->where, "division by zero");
    return wrong();
  }
  if (!dimension_combine(a.dimension, b.dimension, divide ? -1 : 1,
                         &dimension)) {
    complain(c, node->where, "this has no dimension that makes sense");
    return wrong();
  }
  return expect_dimension(c, node, number_of(dimension), expected);
}

/* --- all kinds --- */

static struct typed
compile_leaf(struct compilation *c, struct node *node,
             const struct expected *expected) {
  switch (node->kind) {
  case NODE_NUMBER:
    emit_constant(c, node->number);
    return expect_dimension(c, node, number_of(node->dimension), expected);
  case NODE_STRING:
    complain(c, node->where,
             "a string can only be compared with an attribute "
             "or a name");
    return wrong();
  case NODE_LIST:
    complain(c, node->where,
             "a list can only stand behind 'in' or be "
             "compared with an attribute");
    return wrong();
  case NODE_RESULT:
  case NODE_OPERAND:
    complain(c, node->where,
             "a value has no number of its own: write "
             "bytes(...), elements(...) or the like");
    return wrong();
  default:
    return wrong();
  }
}

struct typed
compile_node(struct compilation *c, struct node *node,
             const struct expected *expected) {
  switch (node->kind) {
  case NODE_NAME:
    return compile_name(c, node, expected);
  case NODE_CALL:
    return compile_call(c, node, expected);
  case NODE_ADD:
  case NODE_SUBTRACT:
    return compile_sum(c, node, expected);
  case NODE_MULTIPLY:
  case NODE_DIVIDE:
    return compile_product(c, node, expected);
  case NODE_NEGATE: {
    struct typed typed = compile_node(c, node->first, expected);
    emit(c, OPCODE_NEGATE, 0);
    if (typed.type == VALUE_NUMBER || typed.type == VALUE_ERROR)
      return typed;
    complain(c, node->where, "cannot negate %s", type_words(c, typed));
    return wrong();
  }
  case NODE_NOT:
  case NODE_AND:
  case NODE_OR:
    return expect_dimension(c, node, compile_connective(c, node), expected);
  case NODE_IN:
    return expect_dimension(c, node, compile_in(c, node), expected);
  case NODE_EQUAL:
  case NODE_UNEQUAL:
  case NODE_LESS:
  case NODE_LESS_EQUAL:
  case NODE_GREATER:
  case NODE_GREATER_EQUAL:
  case NODE_LIKE:
    return expect_dimension(c, node, compile_comparison(c, node), expected);
  default:
    return compile_leaf(c, node, expected);
  }
}

/* --- from outside --- */

/* Compile NODE from an empty stack. */
static struct typed
compile_root(struct compilation *c, struct node *node,
             enum expression_context context, const struct expected *expected) {
  enum expression_context before = c->context;
  uint32_t depth = c->depth, deepest = c->deepest;
  if (node->depth > MOST_NESTING) {
    complain(c, node->where, "the expression is nested too deeply");
    return wrong();
  }
  c->context = context;
  c->depth = c->deepest = 0;
  struct typed typed = compile_node(c, node, expected);
  if (typed.type != VALUE_ERROR &&
      (c->deepest >= STACK_DEPTH || c->code.count >= 1u << 24)) {
    complain(c, node->where, "the expression needs too much at once");
    typed = wrong();
  }
  c->context = before;
  c->depth = depth;
  c->deepest = deepest;
  return typed;
}

struct typed
type_of(struct compilation *c, struct node *node,
        enum expression_context context) {
  uint32_t count = c->code.count;
  bool recording = c->recording;
  c->recording = false;
  struct typed typed = compile_root(c, node, context, NULL);
  c->recording = recording;
  c->code.count = count;
  return typed;
}

/* Jumps are made relative to the code's beginning. */
static void
relocate(struct compilation *c, uint32_t first) {
  for (uint32_t i = first; i < c->code.count; i++) {
    enum opcode opcode = (enum opcode)(c->code.data[i] & 0xff);
    if (opcode == OPCODE_JUMP || opcode == OPCODE_BRANCH)
      c->code.data[i] -= first << 8;
  }
}

static bool
finish_code(struct compilation *c, uint32_t first, bool fine,
            struct code *code) {
  if (!fine)
    c->code.count = first;
  relocate(c, first);
  *code = (struct code){first, c->code.count - first};
  return fine;
}

bool
compile_number(struct compilation *c, struct node *node,
               enum expression_context context, const struct expected *expected,
               struct code *code) {
  uint32_t first = c->code.count;
  c->recording = true;
  struct typed typed = compile_root(c, node, context, expected);
  c->recording = false;
  return finish_code(c, first, typed.type == VALUE_NUMBER, code);
}

bool
compile_condition(struct compilation *c, struct node *node,
                  enum expression_context context, struct code *code) {
  uint32_t first = c->code.count;
  *code = (struct code){0, 0};
  if (!node)
    return true;
  c->recording = true;
  struct typed typed = compile_root(c, node, context, NULL);
  c->recording = false;
  if (typed.type != VALUE_BOOLEAN && typed.type != VALUE_ERROR)
    complain(c, node->where, "must be a condition, but this is %s",
             type_words(c, typed));
  return finish_code(c, first, typed.type == VALUE_BOOLEAN, code);
}

bool
constant_number(struct compilation *c, struct node *node,
                const struct expected *expected, double *value) {
  struct code code;
  if (!compile_number(c, node, IN_CONSTANT, expected, &code))
    return false;
  struct rules rules = tables_now(c);
  struct evaluation evaluation = {.rules = &rules};
  *value = evaluate(&evaluation, code);
  c->code.count = code.first;
  if (evaluation.error != EVALUATION_FINE)
    complain(c, node->where, "%s", evaluation_error_text(evaluation.error));
  return evaluation.error == EVALUATION_FINE;
}
