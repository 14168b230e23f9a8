/* reach.c - rules that can never apply, because earlier ones match all that
 * they match.
 *
 * Each of size, workspace, carry, cost and refusal is a list of its own: a
 * rule is lost when, for everything that it says, each of its items is
 * covered by an earlier rule whose condition its own implies.  O(n * n) in
 * the rules of a target. */
#include "rules/compile.h"

#include <string.h>

/* What a rule may say; a chain of rules for each. */
enum chain { CHAIN_VALUE, CHAIN_WORKSPACE, CHAIN_CARRY, CHAINS };

static bool
is_in(const struct rule_row *rule, enum chain chain) {
  switch (chain) {
  case CHAIN_VALUE:
    return rule->value.count || rule->action != ACTION_NONE;
  case CHAIN_WORKSPACE:
    return rule->workspace.count;
  default:
    return rule->carry.count;
  }
}

/* --- items --- */

static const char *
item_text(const struct compilation *c, const struct item_row *item) {
  return item->kind == ITEM_FORMAT ? "" : c->strings.data[item->value];
}

/* Does op or glob NAME lie in dialect DIALECT? */
static bool
lies_in(const char *dialect, const char *name) {
  size_t size = strlen(dialect);
  return strncmp(name, dialect, size) == 0 && name[size] == '.';
}

/* Is all that B selects selected by A? */
static bool
item_covers(const struct compilation *c, const struct item_row *a,
            const struct item_row *b) {
  if (a->format != ANY_FORMAT && a->format != b->format)
    return false;
  if (a->kind == ITEM_FORMAT)
    return true;
  if (a->kind == ITEM_CLASS && b->kind == ITEM_CLASS)
    return a->value == b->value;
  if (b->kind == ITEM_CLASS || b->kind == ITEM_FORMAT)
    return a->kind == ITEM_OP && strcmp(item_text(c, a), "*") == 0;
  const char *b_text = item_text(c, b);
  if (a->kind == ITEM_CLASS)
    return b->kind == ITEM_OP && !strchr(b_text, '*') &&
           class_of_name(c, text_of(b_text), (enum item_format)b->format) ==
               a->value;
  const char *a_text = item_text(c, a);
  if (a->kind == ITEM_DIALECT)
    return b->kind == ITEM_DIALECT ? strcmp(a_text, b_text) == 0
                                   : lies_in(a_text, b_text);
  if (b->kind == ITEM_OP)
    return text_glob(text_of(a_text), text_of(b_text));
  return strcmp(a_text, "*") == 0;
}

/* --- conditions --- */

static bool
same_expression(const struct node *a, const struct node *b) {
  if (a->kind != b->kind || a->index != b->index ||
      !text_equal(a->text, b->text) ||
      (a->kind == NODE_NUMBER && a->number != b->number))
    return false;
  const struct node *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next)
    if (!same_expression(x, y))
      return false;
  return !x && !y;
}

/* Does `quantity >= 3` (B) imply `quantity >= 2` (A), and the like? */
static bool
bound_implies(const struct node *b, const struct node *a) {
  const struct node *x = a->first, *y = b->first;
  if (a->kind < NODE_EQUAL || a->kind > NODE_GREATER_EQUAL ||
      b->kind < NODE_EQUAL || b->kind > NODE_GREATER_EQUAL ||
      !same_expression(x, y) || x->next->kind != NODE_NUMBER ||
      y->next->kind != NODE_NUMBER ||
      !dimension_equal(x->next->dimension, y->next->dimension))
    return false;
  double limit = x->next->number, known = y->next->number;
  bool strict = b->kind == NODE_LESS || b->kind == NODE_GREATER;
  bool below = b->kind == NODE_LESS || b->kind == NODE_LESS_EQUAL ||
               b->kind == NODE_EQUAL;
  bool above = b->kind == NODE_GREATER || b->kind == NODE_GREATER_EQUAL ||
               b->kind == NODE_EQUAL;
  switch (a->kind) {
  case NODE_LESS:
    return below && (strict ? known <= limit : known < limit);
  case NODE_LESS_EQUAL:
    return below && known <= limit;
  case NODE_GREATER:
    return above && (strict ? known >= limit : known > limit);
  case NODE_GREATER_EQUAL:
    return above && known >= limit;
  default:
    return false;
  }
}

bool
condition_implies(const struct node *b, const struct node *a) {
  if (!a)
    return true;
  if (!b)
    return false;
  if (a->kind == NODE_AND)
    return condition_implies(b, a->first) &&
           condition_implies(b, a->first->next);
  if (b->kind == NODE_AND &&
      (condition_implies(b->first, a) || condition_implies(b->first->next, a)))
    return true;
  if (a->kind == NODE_OR &&
      (condition_implies(b, a->first) || condition_implies(b, a->first->next)))
    return true;
  if (b->kind == NODE_OR)
    return condition_implies(b->first, a) &&
           condition_implies(b->first->next, a);
  return same_expression(a, b) || bound_implies(b, a);
}

/* --- rules --- */

/* The earlier rule of CHAIN that covers ITEM (NULL: everything) of rule
 * NUMBER, or NONE. */
static uint32_t
coverer(const struct compilation *c, struct rule_range range, uint32_t number,
        const struct item_row *item, enum chain chain) {
  const struct node *condition =
      c->rule_statements.data[number]->selector->when;
  for (uint32_t i = range.first; i < number; i++) {
    const struct rule_row *rule = &c->rules.data[i];
    if (!is_in(rule, chain) ||
        !condition_implies(condition,
                           c->rule_statements.data[i]->selector->when))
      continue;
    if (rule->item_count == 0 && !rule->is_default)
      return i;
    for (uint32_t k = 0; item && k < rule->item_count; k++)
      if (item_covers(c, &c->items.data[rule->first_item + k], item))
        return i;
  }
  return NONE;
}

/* The rule that hides rule NUMBER in CHAIN, or NONE. */
static uint32_t
hider(const struct compilation *c, struct rule_range range, uint32_t number,
      enum chain chain) {
  const struct rule_row *rule = &c->rules.data[number];
  uint32_t first = NONE;
  if (rule->item_count == 0)
    return coverer(c, range, number, NULL, chain);
  for (uint32_t k = 0; k < rule->item_count; k++) {
    uint32_t by =
        coverer(c, range, number, &c->items.data[rule->first_item + k], chain);
    if (by == NONE)
      return NONE;
    first = first == NONE ? by : first;
  }
  return first;
}

/* An item that an earlier item of the same rule covers is a slip too. */
static void
check_items(struct compilation *c, uint32_t number) {
  const struct rule_row *rule = &c->rules.data[number];
  const struct item *item = c->rule_statements.data[number]->selector->items;
  for (uint32_t k = 0; k < rule->item_count; k++, item = item->next)
    for (uint32_t j = 0; j < k; j++) {
      const struct item_row *a = &c->items.data[rule->first_item + j];
      const struct item_row *b = &c->items.data[rule->first_item + k];
      if (item_covers(c, a, b)) {
        complain(c, item->name.where, "'%.*s' is already selected before",
                 (int)item->name.text.size, item->name.text.data);
        break;
      }
    }
}

/* Do facts name the op NAME, or a glob that takes it?  *DIALECT: do they name
 * any op of its dialect? */
static bool
is_named(const struct compilation *c, const char *name, bool *dialect) {
  const char *dot = strchr(name, '.');
  size_t size = dot ? (size_t)(dot - name) + 1 : 0;
  bool named = false;
  *dialect = false;
  for (uint32_t i = 0; i < c->names.count && !named; i++) {
    const char *other = c->strings.data[c->names.data[i].name];
    named = strcmp(other, name) == 0;
    *dialect |= dot && strncmp(other, name, size) == 0;
  }
  for (uint32_t i = 0; i < c->globs.count && !named; i++)
    named = text_glob(text_of(c->strings.data[c->globs.data[i].pattern]),
                      text_of(name));
  return named;
}

/* An op that no facts name, of a dialect whose other ops they do, is doubtful:
 * it may be a slip of the pen. */
static void
check_op_names(struct compilation *c, uint32_t number) {
  const struct item *item = c->rule_statements.data[number]->selector->items;
  for (; item; item = item->next) {
    struct text text = item->name.text;
    const char *name = arena_copy(c->arena, text.data, text.size);
    bool dialect;
    if (item->kind != ITEM_OP || strchr(name, '*') ||
        is_named(c, name, &dialect) || !dialect)
      continue;
    const char **names = ARENA_ARRAY(c->arena, const char *, c->names.count);
    for (uint32_t i = 0; i < c->names.count; i++)
      names[i] = c->strings.data[c->names.data[i].name];
    diagnose(c->diagnostics, DIAGNOSTIC_RULES_WARNING, item->name.where,
             "no facts name the op '%s'%s", name,
             suggestion(c, text, names, c->names.count));
  }
}

static void
check_rule(struct compilation *c, struct rule_range range, uint32_t number) {
  uint32_t by = NONE;
  check_items(c, number);
  check_op_names(c, number);
  for (int chain = 0; chain < CHAINS; chain++) {
    if (!is_in(&c->rules.data[number], (enum chain)chain))
      continue;
    by = hider(c, range, number, (enum chain)chain);
    if (by == NONE)
      return;
  }
  if (by == NONE)
    return;
  complain(c, c->rule_statements.data[number]->selector->where,
           "this rule can never be reached");
  diagnose_note(c->diagnostics, c->rule_statements.data[by]->selector->where,
                "an earlier rule matches all that it matches");
}

void
check_reachable(struct compilation *c) {
  for (int list = 0; list < RULE_LISTS; list++) {
    struct rule_range range = c->tables_so_far.lists_of_rules[list];
    for (uint32_t i = 0; i < range.count; i++)
      check_rule(c, range, range.first + i);
  }
}
