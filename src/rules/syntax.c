/* syntax.c - builders of the structures in syntax.h. */
#include "rules/lexical.h"

struct location
location_join(struct location a, struct location b) {
  a.end = b.end > a.begin ? b.end : a.end;
  return a;
}

struct location
location_after(struct location a) {
  a.begin = a.end;
  return a;
}

struct node *
node_new(struct arena *arena, enum node_kind kind, struct location where) {
  struct node *node = ARENA_NEW(arena, struct node);
  node->kind = kind;
  node->where = where;
  node->depth = 1;
  return node;
}

struct node *
node_unary(struct arena *arena, enum node_kind kind, struct node *child,
           struct location where) {
  struct node *node = node_new(arena, kind, where);
  node->first = child;
  node->depth = child->depth + 1;
  return node;
}

struct node *
node_binary(struct arena *arena, enum node_kind kind, struct node *left,
            struct node *right) {
  struct node *node =
      node_new(arena, kind, location_join(left->where, right->where));
  node->first = left;
  left->next = right;
  node->depth = 1 + (left->depth > right->depth ? left->depth : right->depth);
  return node;
}

/* How deep the list at CHILDREN goes. */
static uint32_t
depth_of(const struct node *children) {
  uint32_t depth = 0;
  for (; children; children = children->next)
    depth = children->depth > depth ? children->depth : depth;
  return depth;
}

struct node *
node_list(struct arena *arena, struct node *children, struct location where) {
  struct node *node = node_new(arena, NODE_LIST, where);
  node->first = children;
  node->depth = depth_of(children) + 1;
  return node;
}

struct node *
node_append(struct node *list, struct node *node) {
  struct node *last = list;
  while (last->next)
    last = last->next;
  last->next = node;
  return list;
}

struct words *
words_new(struct arena *arena, struct word word) {
  struct words *words = ARENA_NEW(arena, struct words);
  words->word = word;
  return words;
}

struct words *
words_append(struct arena *arena, struct words *list, struct word word) {
  struct words *last = list;
  while (last->next)
    last = last->next;
  last->next = words_new(arena, word);
  return list;
}

struct item *
item_new(struct arena *arena, enum item_kind kind, struct word name) {
  struct item *item = ARENA_NEW(arena, struct item);
  item->kind = kind;
  item->name = name;
  return item;
}

struct item *
item_append(struct item *list, struct item *item) {
  struct item *last = list;
  while (last->next)
    last = last->next;
  if (item->kind == ITEM_MORE) {
    item->kind = last->kind;
    item->format = last->format;
  }
  last->next = item;
  return list;
}

struct selector *
selector_new(struct rules_parser *parser, struct item *items, struct node *when,
             struct location where) {
  struct selector *selector = ARENA_NEW(parser->arena, struct selector);
  selector->items = items;
  selector->when = when;
  selector->where = where;
  for (const struct item *item = items; item; item = item->next) {
    if (item->kind == ITEM_OP && !item->quoted)
      lexical_error(parser, item->name.where,
                    "the name of an op must be a string");
    if (item->kind == ITEM_CLASS && item->quoted)
      lexical_error(parser, item->name.where,
                    "the name of a class must not be quoted; write 'op' "
                    "before the name of an op");
  }
  return selector;
}

struct fact *
fact_new(struct arena *arena, enum fact_key key, struct word word,
         struct location where) {
  struct fact *fact = ARENA_NEW(arena, struct fact);
  fact->key = key;
  fact->word = word;
  fact->where = where;
  return fact;
}

struct fact *
fact_append(struct fact *list, struct fact *fact) {
  struct fact *last = list;
  while (last->next)
    last = last->next;
  last->next = fact;
  return list;
}

struct result_type *
result_type_new(struct arena *arena, enum result_type_base base,
                int32_t index) {
  struct result_type *type = ARENA_NEW(arena, struct result_type);
  type->base = base;
  type->index = index;
  return type;
}

struct result_type *
result_type_append(struct result_type *list, struct result_type *type) {
  struct result_type *last = list;
  while (last->next)
    last = last->next;
  last->next = type;
  return list;
}

void
result_type_modify(struct rules_parser *parser, struct result_type *type,
                   struct word word) {
  if (text_is(word.text, "silent"))
    type->silent = true;
  else if (text_is(word.text, "tensor"))
    type->tensor = true;
  else
    lexical_error(parser, word.where,
                  "unexpected word, expected 'tensor' or 'silent'");
}

struct type_text *
type_text_new(struct arena *arena, struct word word) {
  struct type_text *type = ARENA_NEW(arena, struct type_text);
  type->word = word;
  return type;
}

struct type_text *
type_text_append(struct type_text *list, struct type_text *type) {
  struct type_text *last = list;
  while (last->next)
    last = last->next;
  last->next = type;
  return list;
}

struct check *
check_new(struct arena *arena, enum check_kind kind, struct location where) {
  struct check *check = ARENA_NEW(arena, struct check);
  check->kind = kind;
  check->where = where;
  return check;
}

struct check *
check_append(struct check *list, struct check *check) {
  struct check *last = list;
  while (last->next)
    last = last->next;
  last->next = check;
  return list;
}

struct statement *
statement_new(struct arena *arena, enum statement_kind kind,
              struct location where) {
  struct statement *statement = ARENA_NEW(arena, struct statement);
  statement->kind = kind;
  statement->where = where;
  statement->last = statement;
  return statement;
}

struct statement *
statement_append(struct statement *list, struct statement *statement) {
  if (!list || !statement)
    return list ? list : statement;
  list->last->next = statement;
  list->last = statement;
  return list;
}

struct statement *
rule_new(struct statement *rule, struct selector *selector,
         struct location where) {
  rule->selector = selector;
  rule->where = where;
  return rule;
}
