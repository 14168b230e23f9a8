/* rulesets.c - memory, recompute and fusion blocks to rows.
 *
 * Rules stand in the order in which they apply: the blocks of a file as they
 * stand, then those of the files that it includes, and the default last. */
#include "rules/compile.h"

#include <math.h>
#include <string.h>

static const struct expected wanted_size = {{1, 0, 0}, false, "size"};
static const struct expected wanted_workspace = {{1, 0, 0}, false, "workspace"};
static const struct expected wanted_carry = {{1, 0, 0}, false, "carry"};
static const struct expected wanted_cost = {{0, 1, 0}, false, "cost"};

/* --- rules --- */

static void
add_items(struct compilation *c, const struct selector *selector,
          struct rule_row *row) {
  row->first_item = c->items.count;
  for (const struct item *item = selector->items; item; item = item->next) {
    struct item_row r = {.kind = (uint8_t)item->kind,
                         .format = (uint8_t)item->format};
    if (item->kind == ITEM_CLASS) {
      r.value = class_named(c, item->name);
      if (r.value == NONE)
        continue;
    } else {
      r.value = intern(c, item->name.text);
    }
    vector_push(c->arena, &c->items, r);
    row->item_count++;
  }
}

static void
add_rule(struct compilation *c, const struct statement *statement) {
  const struct selector *selector = statement->selector;
  struct rule_row row = {.action = (uint8_t)statement->action,
                         .is_default = selector->is_default,
                         .operand = (int16_t)statement->operand,
                         .reason = statement->string.text.data
                                       ? intern(c, statement->string.text)
                                       : NONE,
                         .place = place_of(c, selector->where)};
  bool cost = statement->action == ACTION_COST;
  add_items(c, selector, &row);
  compile_condition(c, selector->when, IN_RULE, &row.guard);
  if (statement->expression)
    compile_number(c, statement->expression, IN_RULE,
                   cost ? &wanted_cost : &wanted_size, &row.value);
  if (statement->workspace)
    compile_number(c, statement->workspace, IN_RULE, &wanted_workspace,
                   &row.workspace);
  if (statement->carry)
    compile_number(c, statement->carry, IN_RULE, &wanted_carry, &row.carry);
  vector_push(c->arena, &c->rules, row);
  vector_push(c->arena, &c->rule_statements, statement);
}

/* A second default needs `override` in the outer file. */
static void
check_default(struct compilation *c, const struct statement *first,
              const struct statement *again) {
  if (first->where.source == again->where.source)
    complain(c, again->selector->where, "a second default");
  else if (!first->selector->overrides)
    complain(c, first->selector->where,
             "this default replaces an included one; say 'override default'");
  else
    return;
  diagnose_note(c->diagnostics,
                first->where.source == again->where.source
                    ? first->selector->where
                    : again->selector->where,
                "the other one");
}

/* Add the rules of all blocks of KIND; *DEFAULT is the default that counts. */
static void
add_rules(struct compilation *c, enum statement_kind kind,
          const struct statement **found_default) {
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next)
      for (const struct statement *rule = s->kind == kind ? s->body : NULL;
           rule; rule = rule->next) {
        if (rule->kind != STATEMENT_RULE)
          continue;
        if (!rule->selector->is_default)
          add_rule(c, rule);
        else if (*found_default)
          check_default(c, *found_default, rule);
        else
          *found_default = rule;
      }
}

static void
compile_list(struct compilation *c, enum rule_list list,
             enum statement_kind kind, const char *block) {
  const struct statement *found_default = NULL;
  struct rule_range *range = &c->tables_so_far.lists_of_rules[list];
  range->first = c->rules.count;
  add_rules(c, kind, &found_default);
  if (found_default) {
    add_rule(c, found_default);
  } else if (block) {
    complain(c, (struct location){&c->files.data[0]->source, 0, 0},
             "no default in any '%s' block", block);
  }
  range->count = c->rules.count - range->first;
}

/* --- memory: storage, dynamic --- */

static void
set_storage(struct compilation *c, const struct statement *statement,
            const struct statement **set) {
  static const struct expected bytes = {
      {1, 0, 0}, false, "storage of an element"};
  double value;
  if (!constant_number(c, statement->expression, &bytes, &value))
    return;
  if (value < 0) {
    complain(c, statement->expression->where, "must not be negative");
    return;
  }
  for (const struct words *w = statement->words; w; w = w->next) {
    enum dtype dtype = dtype_named(c, w->word);
    if (dtype == DTYPE_NONE)
      continue;
    if (set[dtype] && set[dtype]->where.source == statement->where.source) {
      complain(c, w->word.where, "storage of '%.*s' is said twice",
               (int)w->word.text.size, w->word.text.data);
      diagnose_note(c->diagnostics, set[dtype]->where, "here before");
    } else if (!set[dtype]) {
      set[dtype] = statement;
      c->storage[dtype] = value;
    }
  }
}

static void
set_dynamic(struct compilation *c, const struct statement *statement,
            const struct statement **set) {
  static const struct expected bytes = {
      {1, 0, 0}, false, "size of a dynamic result"};
  static const struct expected extent = {
      {0, 0, 0}, false, "a dynamic dimension"};
  struct rules *tables = &c->tables_so_far;
  if (*set && (*set)->where.source == statement->where.source) {
    complain(c, statement->where, "'dynamic' is said twice");
    diagnose_note(c->diagnostics, (*set)->where, "here before");
  }
  if (*set)
    return;
  *set = statement;
  tables->dynamic_place = place_of(c, statement->where);
  tables->dynamic_policy = statement->refuses    ? DYNAMIC_REFUSE
                           : statement->fallback ? DYNAMIC_DIM
                                                 : DYNAMIC_BYTES;
  if (!statement->refuses)
    compile_number(c, statement->expression, IN_GUARD,
                   statement->fallback ? &extent : &bytes, &tables->dynamic);
}

static void
compile_memory_settings(struct compilation *c) {
  const struct statement *storage[DTYPE_COUNT] = {NULL}, *dynamic = NULL;
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next)
      for (const struct statement *inner = s->kind == STATEMENT_MEMORY ? s->body
                                                                       : NULL;
           inner; inner = inner->next) {
        if (inner->kind == STATEMENT_STORAGE)
          set_storage(c, inner, storage);
        else if (inner->kind == STATEMENT_DYNAMIC)
          set_dynamic(c, inner, &dynamic);
      }
}

/* --- attributes --- */

static void
compile_attributes(struct compilation *c) {
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next) {
      bool memory = s->kind == STATEMENT_MEMORY;
      if (!memory && s->kind != STATEMENT_RECOMPUTE)
        continue;
      for (const struct statement *inner = s->body; inner; inner = inner->next)
        for (const struct words *w =
                 inner->kind == STATEMENT_ATTRIBUTE ? inner->words : NULL;
             w; w = w->next) {
          uint32_t name = intern(c, w->word.text);
          if (memory)
            vector_push(c->arena, &c->byte_attributes, name);
          else
            vector_push(c->arena, &c->time_attributes, name);
        }
    }
}

/* --- fusion --- */

static const char *const threshold_names[] = {"depth", "reduce_length", "slack",
                                              "operands"};

static void
set_threshold(struct compilation *c, const struct statement *statement,
              const struct statement **set) {
  static const struct expected plain = {{0, 0, 0}, false, "threshold"};
  enum { NAMES = sizeof threshold_names / sizeof *threshold_names };
  struct rules_fusion *fusion = &c->tables_so_far.fusion;
  struct text name = statement->name.text;
  double value;
  int which = 0;
  while (which < NAMES && !text_is(name, threshold_names[which]))
    which++;
  if (which == NAMES) {
    complain(c, statement->where, "unknown threshold '%.*s'%s", (int)name.size,
             name.data, suggestion(c, name, threshold_names, NAMES));
    return;
  }
  if (set[which] && set[which]->where.source == statement->where.source) {
    complain(c, statement->where, "threshold '%.*s' is said twice",
             (int)name.size, name.data);
    diagnose_note(c->diagnostics, set[which]->where, "here before");
  }
  if (set[which] || !constant_number(c, statement->expression, &plain, &value))
    return;
  set[which] = statement;
  if (value < 0 || value > UINT32_MAX ||
      (which != 2 && value != floor(value))) {
    complain(c, statement->expression->where,
             which == 2 ? "must not be negative"
                        : "must be a whole number that is not negative");
    return;
  }
  if (which == 0)
    fusion->depth = (uint32_t)value;
  else if (which == 1)
    fusion->reduce_length = (uint64_t)value;
  else if (which == 2)
    fusion->slack = value;
  else
    fusion->operands = (uint32_t)value;
}

/* What a target that says nothing of fusion gets: what was measured with
 * XLA on a CPU. */
static const struct rules_fusion usual_fusion = {24, 32, 1.25, 0};

static void
compile_thresholds(struct compilation *c) {
  const struct statement *set[4] = {NULL};
  c->tables_so_far.fusion = usual_fusion;
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next)
      for (const struct statement *inner = s->kind == STATEMENT_FUSION ? s->body
                                                                       : NULL;
           inner; inner = inner->next)
        if (inner->kind == STATEMENT_THRESHOLD)
          set_threshold(c, inner, set);
}

void
compile_rulesets(struct compilation *c) {
  compile_memory_settings(c);
  compile_attributes(c);
  compile_thresholds(c);
  compile_list(c, RULES_MEMORY, STATEMENT_MEMORY, "memory");
  compile_list(c, RULES_RECOMPUTE, STATEMENT_RECOMPUTE, "recompute");
  compile_list(c, RULES_REFUSED, STATEMENT_FUSION, NULL);
}
