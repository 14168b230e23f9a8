/* condition.c - comparisons, `in`, `~`, and, or, not.
 *
 * Texts (attributes, names) are not values: one is loaded and then held
 * against a literal.  Everything else is compared with what has the same type
 * and dimension. */
#include "rules/compile.h"

#include <string.h>

static bool
is_text(const struct node *node) {
  int quantity = node->kind == NODE_NAME ? find_quantity(node->text) : -1;
  if (quantity >= 0)
    return quantity_infos[quantity].type == QUANTITY_TEXT;
  return node->kind == NODE_CALL && text_is(node->text, "attr");
}

static bool
load_text(struct compilation *c, struct node *node) {
  if (node->kind == NODE_NAME)
    return compile_name(c, node, NULL).type == VALUE_TEXT;
  if (!node->first || node->first->kind != NODE_STRING || node->first->next) {
    complain(c, node->where,
             "'attr' needs the name of an attribute as a "
             "string");
    return false;
  }
  if (c->context <= IN_DEVICE) {
    complain(c, node->where, "'attr' cannot be asked here");
    return false;
  }
  emit(c, OPCODE_LOAD_ATTRIBUTE, intern(c, node->first->text));
  return true;
}

/* A list of whole numbers as a row of `lists`; NONE after a message. */
static uint32_t
number_list(struct compilation *c, const struct node *list) {
  struct integers row = {c->integers.count, 0};
  for (const struct node *n = list->first; n; n = n->next) {
    const struct node *digit = n->kind == NODE_NEGATE ? n->first : n;
    if (digit->kind != NODE_NUMBER ||
        !dimension_equal(digit->dimension, DIMENSION_PLAIN) ||
        digit->number != (double)(int64_t)digit->number) {
      complain(c, n->where, "a list of an attribute holds whole numbers");
      return NONE;
    }
    int64_t number = (int64_t)digit->number;
    vector_push(c->arena, &c->integers, n == digit ? number : -number);
    row.count++;
  }
  vector_push(c->arena, &c->lists, row);
  return c->lists.count - 1;
}

/* Compare the text that TEXT loads with OTHER, a literal. */
static bool
compare_text(struct compilation *c, struct node *text, struct node *other,
             bool like) {
  if (other->kind == NODE_STRING) {
    if (!load_text(c, text))
      return false;
    emit(c, like ? OPCODE_TEXT_LIKE : OPCODE_TEXT_EQUAL,
         intern(c, other->text));
    return true;
  }
  if (like) {
    complain(c, other->where, "'~' needs a pattern as a string");
    return false;
  }
  if (other->kind == NODE_LIST) {
    uint32_t list = number_list(c, other);
    if (list == NONE || !load_text(c, text))
      return false;
    emit(c, OPCODE_TEXT_LIST, list);
    return true;
  }
  if (text->kind == NODE_NAME) {
    complain(c, other->where, "'%.*s' is compared with a string",
             (int)text->text.size, text->text.data);
    return false;
  }
  if (!compile_plain(c, other, "an attribute's value") || !load_text(c, text))
    return false;
  emit(c, OPCODE_TEXT_NUMBER, 0);
  return true;
}

/* LEFT in [a, b, ...]: equal to one of them. */
struct typed
compile_in(struct compilation *c, struct node *node) {
  struct node *left = node->first, *list = left->next;
  bool fine = true, any = false;
  if (list->kind != NODE_LIST || !list->first) {
    complain(c, list->where, "'in' needs a list: [a, b]");
    return wrong();
  }
  bool text = is_text(left);
  for (struct node *n = list->first; n && fine; n = n->next) {
    if (text) {
      fine = compare_text(c, left, n, false);
    } else {
      struct typed a = compile_node(c, left, NULL);
      struct typed b = a.type == VALUE_DTYPE ? compile_dtype(c, n)
                                             : compile_node(c, n, NULL);
      emit(c, OPCODE_EQUAL, 0);
      fine = a.type != VALUE_ERROR && b.type != VALUE_ERROR;
      if (fine &&
          (a.type != b.type || !dimension_equal(a.dimension, b.dimension))) {
        complain(c, n->where, "cannot compare %s with %s", type_words(c, a),
                 type_words(c, b));
        fine = false;
      }
    }
    if (any)
      emit(c, OPCODE_OR, 0);
    any = true;
  }
  return fine ? boolean() : wrong();
}

/* May A be compared with B?  A plain number may stand for FLOP. */
static bool
comparable(struct typed a, struct typed b) {
  if (a.type != b.type || a.type == VALUE_TEXT)
    return false;
  if (dimension_equal(a.dimension, b.dimension))
    return true;
  bool plain = dimension_equal(a.dimension, DIMENSION_PLAIN) ||
               dimension_equal(b.dimension, DIMENSION_PLAIN);
  bool work = dimension_equal(a.dimension, DIMENSION_WORK) ||
              dimension_equal(b.dimension, DIMENSION_WORK);
  return plain && work;
}

struct typed
compile_comparison(struct compilation *c, struct node *node) {
  struct node *left = node->first, *right = left->next;
  enum node_kind kind = node->kind;
  bool equality = kind == NODE_EQUAL || kind == NODE_UNEQUAL;
  if (kind == NODE_LIKE && !is_text(left)) {
    complain(c, left->where, "'~' compares a text: attr(\"name\") ~ \"a*\"");
    return wrong();
  }
  if ((equality || kind == NODE_LIKE) && is_text(left)) {
    if (!compare_text(c, left, right, kind == NODE_LIKE))
      return wrong();
    if (kind == NODE_UNEQUAL)
      emit(c, OPCODE_NOT, 0);
    return boolean();
  }
  bool swap = kind == NODE_GREATER || kind == NODE_GREATER_EQUAL;
  struct node *first = swap ? right : left, *second = swap ? left : right;
  struct typed a, b;
  bool types = equality && type_of(c, left, c->context).type == VALUE_DTYPE;
  a = types ? compile_dtype(c, first) : compile_node(c, first, NULL);
  b = types ? compile_dtype(c, second) : compile_node(c, second, NULL);
  emit(c,
       kind == NODE_EQUAL                          ? OPCODE_EQUAL
       : kind == NODE_UNEQUAL                      ? OPCODE_UNEQUAL
       : kind == NODE_LESS || kind == NODE_GREATER ? OPCODE_LESS
                                                   : OPCODE_LESS_EQUAL,
       0);
  if (a.type == VALUE_ERROR || b.type == VALUE_ERROR)
    return wrong();
  if (!comparable(a, b) || (!equality && a.type != VALUE_NUMBER)) {
    complain(c, node->where, "cannot compare %s with %s",
             type_words(c, swap ? b : a), type_words(c, swap ? a : b));
    return wrong();
  }
  return boolean();
}

static bool
compile_truth(struct compilation *c, struct node *node) {
  struct typed typed = compile_node(c, node, NULL);
  if (typed.type == VALUE_BOOLEAN || typed.type == VALUE_ERROR)
    return typed.type == VALUE_BOOLEAN;
  complain(c, node->where, "must be a condition, but this is %s",
           type_words(c, typed));
  return false;
}

struct typed
compile_connective(struct compilation *c, struct node *node) {
  bool fine = compile_truth(c, node->first);
  if (node->kind == NODE_NOT) {
    emit(c, OPCODE_NOT, 0);
    return fine ? boolean() : wrong();
  }
  fine &= compile_truth(c, node->first->next);
  emit(c, node->kind == NODE_AND ? OPCODE_AND : OPCODE_OR, 0);
  return fine ? boolean() : wrong();
}
