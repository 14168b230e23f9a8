/* print_parts.c - expressions, lists and facts in normal form. */
#include "rules/print.h"

void
put(struct printer *p, const char *string) {
  buffer_string(p->out, string);
}

void
put_text(struct printer *p, struct text text) {
  buffer_text(p->out, text);
}

void
put_string(struct printer *p, struct text text) {
  put(p, "\"");
  for (uint32_t i = 0; i < text.size; i++) {
    char c = text.data[i];
    if (c == '"' || c == '\\')
      put(p, "\\");
    if (c == '\n')
      put(p, "\\n");
    else
      buffer_add(p->out, &c, 1);
  }
  put(p, "\"");
}

/* --- expressions --- */

static const char *const operators[] = {
    [NODE_OR] = " or ",      [NODE_AND] = " and ",
    [NODE_EQUAL] = " == ",   [NODE_UNEQUAL] = " != ",
    [NODE_LESS] = " < ",     [NODE_LESS_EQUAL] = " <= ",
    [NODE_GREATER] = " > ",  [NODE_GREATER_EQUAL] = " >= ",
    [NODE_IN] = " in ",      [NODE_LIKE] = " ~ ",
    [NODE_ADD] = " + ",      [NODE_SUBTRACT] = " - ",
    [NODE_MULTIPLY] = " * ", [NODE_DIVIDE] = " / "};

static int
precedence(const struct node *node) {
  switch (node->kind) {
  case NODE_OR:
    return 1;
  case NODE_AND:
    return 2;
  case NODE_NOT:
    return 3;
  case NODE_ADD:
  case NODE_SUBTRACT:
    return 5;
  case NODE_MULTIPLY:
  case NODE_DIVIDE:
    return 6;
  case NODE_NEGATE:
    return 7;
  default:
    return node->kind >= NODE_EQUAL ? 4 : 8;
  }
}

static void
put_inside(struct printer *p, const struct node *node, int least) {
  bool parentheses = precedence(node) < least;
  put(p, parentheses ? "(" : "");
  put_node(p, node);
  put(p, parentheses ? ")" : "");
}

static void
put_nodes(struct printer *p, const struct node *list) {
  for (const struct node *n = list; n; n = n->next) {
    put_node(p, n);
    put(p, n->next ? ", " : "");
  }
}

static void
put_value(struct printer *p, const struct node *node) {
  put(p, node->kind == NODE_OPERAND ? "operand" : "result");
  if (node->index != INDEX_CURRENT)
    buffer_printf(p->out, " %d", node->index);
}

void
put_node(struct printer *p, const struct node *node) {
  int own = precedence(node);
  switch (node->kind) {
  case NODE_NUMBER:
  case NODE_NAME:
    put_text(p, node->text);
    break;
  case NODE_STRING:
    put_string(p, node->text);
    break;
  case NODE_RESULT:
  case NODE_OPERAND:
    put_value(p, node);
    break;
  case NODE_CALL:
    put_text(p, node->text);
    put(p, "(");
    put_nodes(p, node->first);
    put(p, ")");
    break;
  case NODE_LIST:
    put(p, "[");
    put_nodes(p, node->first);
    put(p, "]");
    break;
  case NODE_NEGATE:
  case NODE_NOT:
    put(p, node->kind == NODE_NOT ? "not " : "-");
    put_inside(p, node->first, own);
    break;
  case NODE_ERROR:
    break;
  default:
    put_inside(p, node->first, own == 4 ? own + 1 : own);
    put(p, operators[node->kind]);
    put_inside(p, node->first->next, own + 1);
    break;
  }
}

/* --- lists --- */

void
put_words(struct printer *p, const struct words *words, bool quoted) {
  for (; words; words = words->next) {
    if (quoted)
      put_string(p, words->word.text);
    else
      put_text(p, words->word.text);
    put(p, words->next ? ", " : "");
  }
}

void
put_operand(struct printer *p, int32_t operand) {
  if (operand == OPERAND_SAME)
    put(p, "same operand");
  else if (operand == OPERAND_ANY)
    put(p, "any operand");
  else if (operand == OPERAND_DESTINATION)
    put(p, "destination");
  else
    buffer_printf(p->out, "operand %d",
                  operand <= OPERAND_FROM_END ? operand - OPERAND_FROM_END
                                              : operand);
}

static void
put_result_types(struct printer *p, const struct result_type *types) {
  for (; types; types = types->next) {
    if (types->base == BASE_OPERAND)
      put_operand(p, types->index);
    else if (types->base == BASE_PRINTED)
      buffer_printf(p->out, "printed %d",
                    types->index <= OPERAND_FROM_END
                        ? types->index - OPERAND_FROM_END
                        : types->index);
    else if (types->base == BASE_NONE)
      put(p, "none");
    else if (types->base == BASE_DESTINATION)
      put(p, "destination");
    else if (types->base == BASE_UNKNOWN)
      put(p, "unknown");
    else if (types->base == BASE_SPELLED)
      put_string(p, types->dtype.text);
    else
      put_text(p, types->dtype.text);
    put(p, types->element ? " element" : "");
    put(p, types->real ? " real" : "");
    put(p, types->complex ? " complex" : "");
    put(p, types->tensor ? " tensor" : "");
    if (types->base < BASE_DTYPE && types->dtype.text.size) {
      put(p, " with ");
      put_text(p, types->dtype.text);
    }
    put(p, types->silent ? " silent" : "");
    put(p, types->next ? " and " : "");
  }
}

static void
put_counted(struct printer *p, const struct node *numbers) {
  put(p, "counts result ");
  for (; numbers; numbers = numbers->next) {
    put_text(p, numbers->text);
    put(p, numbers->next ? " and " : "");
  }
}

static void
put_formula(struct printer *p, const char *name, const struct fact *fact) {
  put(p, name);
  put(p, " = ");
  put_node(p, fact->expression);
}

static void
put_fact(struct printer *p, const struct fact *fact) {
  switch (fact->key) {
  case KEY_FLAG:
    put(p, fact->negated ? "not " : "");
    put_text(p, fact->word.text);
    if (fact->reason.text.data) {
      put(p, " ");
      put_string(p, fact->reason.text);
    }
    break;
  case KEY_ALIAS:
  case KEY_INPLACE:
  case KEY_REUSES:
  case KEY_YIELDS:
    put_text(p, fact->word.text);
    put(p, " ");
    put_operand(p, fact->first);
    break;
  case KEY_BODY:
  case KEY_ASYNC:
    put(p, fact->key == KEY_BODY ? "body " : "async ");
    put_text(p, fact->word.text);
    break;
  case KEY_CARRIES:
    put(p, "carries ");
    put_operand(p, fact->first);
    buffer_printf(p->out, " argument %d", fact->second);
    break;
  case KEY_COUNTS:
    put_counted(p, fact->expression);
    break;
  case KEY_RESULT_TYPE:
    put(p, "result type = ");
    put_result_types(p, fact->types);
    break;
  default:
    put_formula(p,
                fact->key == KEY_FLOPS   ? "flops"
                : fact->key == KEY_MOVED ? "moved"
                                         : "trip",
                fact);
    break;
  }
}

void
put_facts(struct printer *p, const struct fact *facts) {
  for (; facts; facts = facts->next) {
    put(p, " ");
    put_fact(p, facts);
    put(p, facts->next ? "," : "");
  }
}

void
put_when(struct printer *p, const struct node *when) {
  if (!when)
    return;
  put(p, " when ");
  put_node(p, when);
}
