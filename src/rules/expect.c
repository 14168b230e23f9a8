/* expect.c - the expect lines of a file, held against its own tables. */
#include "rules/compile.h"
#include "rules/syntax.h"

#include <math.h>
#include <string.h>

/* One line on one device. */
struct trial {
  struct compilation *c;
  struct rules *rules;
  const struct statement *line;
  struct rules_binding *binding;
  const struct ir_module *module;
  op_id op;
  uint32_t device;
};

/* "4096 B", "13.5 ms" by DIMENSION. */
static const char *
shown(struct compilation *c, double value, struct dimension dimension) {
  if (isnan(value))
    return "unknown";
  if (dimension_equal(dimension, DIMENSION_TIME))
    return arena_printf(c->arena, "%.15g ns", value);
  const char *unit = dimension_text(c->arena, dimension);
  if (dimension_equal(dimension, DIMENSION_PLAIN))
    unit = "";
  return arena_printf(c->arena, "%.15g%s%s", value, *unit ? " " : "", unit);
}

static void
fail(struct trial *trial, const struct check *check, const char *found) {
  complain(trial->c, check->where, "on %s this does not hold: %s",
           trial->device == NONE
               ? rules_name(trial->rules)
               : rules_device_name(trial->rules, trial->device),
           found);
}

/* Evaluate NODE for the trial's op. */
static double
value_of(struct trial *trial, struct node *node, struct typed *typed) {
  struct compilation *c = trial->c;
  uint32_t before = c->code.count;
  *typed = type_of(c, node, IN_EXPECT);
  if (typed->type != VALUE_NUMBER && typed->type != VALUE_BOOLEAN)
    return NAN;
  struct expected expected = {typed->dimension, false, "this"};
  struct code code;
  bool fine = typed->type == VALUE_BOOLEAN
                  ? compile_condition(c, node, IN_EXPECT, &code)
                  : compile_number(c, node, IN_EXPECT, &expected, &code);
  if (!fine)
    return NAN;
  /* Compiling may have moved the pools that the tables point to. */
  *trial->rules = tables_now(c);
  struct evaluation evaluation;
  evaluation_begin(&evaluation, trial->binding, trial->op);
  evaluation.in_expect = true;
  double value = evaluate(&evaluation, code);
  if (evaluation.error != EVALUATION_FINE)
    complain(c, node->where, "%s", evaluation_error_text(evaluation.error));
  c->code.count = before;
  return value;
}

static void
check_expression(struct trial *trial, const struct check *check) {
  struct typed typed;
  double value = value_of(trial, check->expression, &typed);
  struct node *node = check->expression;
  if (typed.type == VALUE_ERROR || value == 1)
    return;
  if (typed.type != VALUE_BOOLEAN) {
    complain(trial->c, check->where, "an expectation compares something");
    return;
  }
  const char *found = isnan(value) ? "it is not known" : "it is false";
  if (node->kind >= NODE_EQUAL && node->kind <= NODE_GREATER_EQUAL) {
    struct typed side;
    double left = value_of(trial, node->first, &side);
    if (side.type == VALUE_NUMBER)
      found = arena_printf(trial->c->arena, "found %s",
                           shown(trial->c, left, side.dimension));
  }
  fail(trial, check, found);
}

static void
check_within(struct trial *trial, const struct check *check) {
  struct compilation *c = trial->c;
  struct typed found, share, wanted;
  double value = value_of(trial, check->expression, &found);
  double part = value_of(trial, check->share, &share);
  double goal = value_of(trial, check->wanted, &wanted);
  if (found.type == VALUE_ERROR || share.type == VALUE_ERROR ||
      wanted.type == VALUE_ERROR)
    return;
  bool plain = dimension_equal(wanted.dimension, DIMENSION_PLAIN) &&
               dimension_equal(found.dimension, DIMENSION_WORK);
  if (!dimension_equal(share.dimension, DIMENSION_PLAIN) ||
      (!plain && !dimension_equal(found.dimension, wanted.dimension))) {
    complain(c, check->where, "cannot compare %s with %s",
             dimension_text(c->arena, found.dimension),
             dimension_text(c->arena, wanted.dimension));
    return;
  }
  if (!(fabs(value - goal) <= part * goal))
    fail(trial, check,
         arena_printf(c->arena, "found %s", shown(c, value, found.dimension)));
}

static void
check_policy(struct trial *trial, const struct check *check) {
  static const char *const names[] = {"a cost", "free", "never", "unknown"};
  struct rules_cost cost = rules_op_cost(trial->binding, trial->op);
  enum rules_policy wanted = check->kind == CHECK_FREE    ? POLICY_FREE
                             : check->kind == CHECK_NEVER ? POLICY_NEVER
                                                          : POLICY_UNKNOWN;
  if (cost.policy != wanted)
    fail(trial, check,
         arena_printf(trial->c->arena, "found %s", names[cost.policy]));
}

static void
check_facts(struct trial *trial, const struct check *check) {
  struct compilation *c = trial->c;
  struct op_facts facts;
  rules_facts(trial->binding, trial->op, &facts);
  if (check->kind == CHECK_CLASS) {
    uint32_t wanted = class_named(c, check->word);
    if (wanted != NONE && wanted != facts.class_id)
      fail(trial, check,
           arena_printf(c->arena, "it is of class '%s'",
                        rules_class_name(trial->rules, facts.class_id)));
  } else if (check->kind == CHECK_ALIAS) {
    int32_t wanted = check->operand;
    if (wanted <= OPERAND_FROM_END)
      wanted +=
          (int32_t)trial->module->op_use_count[trial->op] - OPERAND_FROM_END;
    if (facts.alias != wanted)
      fail(trial, check,
           facts.alias < 0 ? "it is no alias" : "of another operand");
  } else if (facts_recomputable(&facts) == check->negated) {
    const char *why = facts_obstacle(c->arena, trial->rules, &facts);
    fail(trial, check, why ? why : "it may be recomputed");
  }
}

static void
run_check(struct trial *trial, const struct check *check) {
  switch (check->kind) {
  case CHECK_EXPRESSION:
    check_expression(trial, check);
    break;
  case CHECK_WITHIN:
    check_within(trial, check);
    break;
  case CHECK_NEVER:
  case CHECK_FREE:
  case CHECK_UNKNOWN:
    check_policy(trial, check);
    break;
  default:
    check_facts(trial, check);
    break;
  }
}

static void
run_on_device(struct compilation *c, struct rules *rules,
              const struct statement *line, uint32_t device) {
  struct sample sample;
  struct trial trial = {c, rules, line, NULL, NULL, 0, device};
  if (!sample_make(c->arena, c->diagnostics, line->name.text, line->format,
                   &line->signature, line->attributes, &sample))
    return;
  trial.module = sample.module;
  trial.op = sample.op;
  trial.binding =
      rules_bind(c->arena, c->diagnostics, rules, device, sample.module);
  for (const struct check *check = line->checks; check; check = check->next)
    run_check(&trial, check);
}

static void
run_line(struct compilation *c, struct rules *rules,
         const struct statement *line) {
  for (const struct words *w = line->words; w; w = w->next) {
    uint32_t device = device_named(c, w->word);
    if (device != NONE && !rules->devices[device].complete)
      complain(c, w->word.where,
               "'%.*s' gives no memory: it is a family, "
               "not a device",
               (int)w->word.text.size, w->word.text.data);
    else if (device != NONE)
      run_on_device(c, rules, line, device);
  }
  for (uint32_t i = 0; !line->words && i < rules->device_count; i++)
    if (rules->devices[i].complete)
      run_on_device(c, rules, line, i);
  if (!line->words && rules->device_count == 0)
    run_on_device(c, rules, line, NONE);
}

void
run_expectations(struct compilation *c, struct rules *rules) {
  for (uint32_t f = 0; f < c->files.count; f++)
    for (const struct statement *s = c->files.data[f]->statements; s;
         s = s->next)
      if (s->kind == STATEMENT_EXPECT)
        run_line(c, rules, s);
}
