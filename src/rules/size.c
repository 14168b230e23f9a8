/* size.c - bytes of values, and workspace of ops.
 *
 * The first memory rule that is for the op says it; a tuple is the sum of
 * its leaves.  A result whose size depends on `?` has what `dynamic` says, or
 * is not known, and then counts as nothing and is reported. */
#include "rules/evaluate.h"
#include "rules/syntax.h"

#include <math.h>
#include <string.h>

/* Above this not every whole number of bytes can be told from the next. */
#define MOST_BYTES 9007199254740992.0

static bool
has_size(const struct rule_row *rule) {
  return rule->value.count || rule->action == ACTION_ALIAS;
}

static bool
has_workspace(const struct rule_row *rule) {
  return rule->workspace.count;
}

static bool
has_carry(const struct rule_row *rule) {
  return rule->carry.count;
}

/* BYTES rounded up to a whole number; an error where that is no size. */
static uint64_t
whole_bytes(struct evaluation *e, double bytes) {
  if (bytes < 0)
    e->error = EVALUATION_NEGATIVE;
  else if (bytes > MOST_BYTES)
    e->error = EVALUATION_OVERFLOW;
  return e->error == EVALUATION_FINE ? (uint64_t)ceil(bytes) : 0;
}

static uint32_t
rule_number(const struct evaluation *e, const struct rule_row *rule) {
  return (uint32_t)(rule - e->rules->rules);
}

/* What `dynamic = ...` gives for a result that RULE could not size. */
static bool
assume(struct evaluation *e, struct rules_size *size) {
  const struct rules *rules = e->rules;
  if (!e->dynamic || rules->dynamic_policy != DYNAMIC_BYTES)
    return false;
  double bytes = evaluate(e, rules->dynamic);
  if (isnan(bytes))
    return false;
  size->bytes = whole_bytes(e, bytes);
  size->known = KNOWN_ASSUMED;
  size->evidence = EVIDENCE_RULE;
  size->place = rules_place(rules, rules->dynamic_place);
  return true;
}

/* Note in SIZE that its bytes are not known. */
static void
give_up(struct evaluation *e, struct rules_size *size) {
  memcpy(e->binding->missing, e->missing, sizeof e->missing);
  size->known = KNOWN_NOT;
  size->missing = e->binding->missing;
  size->bytes = 0;
}

static struct rules_size
size_leaf(struct evaluation *e, type_id type) {
  struct rules_size size = {.known = KNOWN, .alias = OPERAND_NONE};
  e->type = type;
  e->dynamic = e->assumed = false;
  const struct rule_row *rule = find_rule(e, RULES_MEMORY, has_size);
  if (!rule) {
    not_known(e, "a rule for it");
    give_up(e, &size);
    return size;
  }
  size.place = rules_place(e->rules, rule->place);
  size.evidence = rule->is_default ? EVIDENCE_DEFAULT : EVIDENCE_RULE;
  if (rule->action == ACTION_ALIAS) {
    size.alias = rule->operand;
    return size;
  }
  double bytes = evaluate(e, rule->value);
  if (!isnan(bytes))
    size.bytes = whole_bytes(e, bytes);
  if (e->error != EVALUATION_FINE) {
    evaluation_report(e, rule_number(e, rule), "size");
    not_known(e, "the size, because of an error");
    give_up(e, &size);
  } else if (isnan(bytes) && !assume(e, &size)) {
    give_up(e, &size);
  } else if (e->assumed) {
    size.known = KNOWN_ASSUMED;
  }
  return size;
}

/* TYPE is a leaf, or a tuple whose leaves are added up. */
static struct rules_size
size_type(struct evaluation *e, type_id id) {
  const struct type *type = type_get(e->module->types, id);
  if (type->kind != TYPE_TUPLE || type->part_count == 0)
    return size_leaf(e, id);
  struct rules_size sum = {.known = KNOWN, .alias = OPERAND_NONE};
  for (uint32_t i = 0; i < type->part_count; i++) {
    struct rules_size part = size_type(e, type->parts[i]);
    uint64_t before = sum.bytes;
    sum.bytes += part.bytes;
    if (sum.bytes < before)
      sum.bytes = UINT64_MAX;
    if (part.known > sum.known) {
      sum.known = part.known;
      sum.missing = part.missing;
    }
    if (i == 0 || part.alias != OPERAND_NONE) {
      sum.evidence = part.evidence;
      sum.place = part.place;
      sum.alias = part.alias;
    }
    e->error = EVALUATION_FINE;
    type = type_get(e->module->types, id);
  }
  return sum;
}

/* An operand number of a rule, counted from the front. */
static int32_t
operand_of(const struct evaluation *e, int32_t operand) {
  if (operand > OPERAND_FROM_END)
    return operand;
  int32_t index = operand - OPERAND_FROM_END;
  index += e->op == NONE ? 0 : (int32_t)e->module->op_use_count[e->op];
  return index < 0 ? OPERAND_NONE : index;
}

struct rules_size
rules_type_bytes(struct rules_binding *binding, op_id op, uint32_t result,
                 type_id type) {
  struct evaluation evaluation;
  evaluation_begin(&evaluation, binding, op);
  evaluation.result = result;
  struct rules_size size = size_type(&evaluation, type);
  size.alias = operand_of(&evaluation, size.alias);
  return size;
}

static bool
bytes_attribute(struct evaluation *e, const char *name, int64_t *bytes) {
  struct text text;
  return attribute_valued(e, name, &text) && ir_parse_integer(text, bytes) &&
         *bytes >= 0;
}

/* Bytes that an attribute of the dump gives for the op's first result. */
static bool
size_of_attribute(struct evaluation *e, struct rules_size *size) {
  const struct rules *rules = e->rules;
  int64_t bytes;
  bool found = e->module->op_flags[e->op] & OP_HAS_MARKS &&
               bytes_attribute(e, "tessera.residual.retained_bytes", &bytes);
  for (uint32_t i = 0; i < rules->byte_attribute_count && !found; i++)
    found =
        bytes_attribute(e, rules->strings[rules->byte_attributes[i]], &bytes);
  if (!found)
    return false;
  *size = (struct rules_size){.bytes = (uint64_t)bytes,
                              .known = KNOWN,
                              .evidence = EVIDENCE_ATTRIBUTE,
                              .alias = OPERAND_NONE};
  return true;
}

struct rules_size
rules_value_bytes(struct rules_binding *binding, value_id value) {
  const struct ir_module *module = binding->module;
  op_id op = ir_value_op(module, value);
  uint32_t index = ir_value_index(module, value);
  struct rules_size size;
  if (op == NONE)
    return rules_type_bytes(binding, NONE, 0, module->value_type[value]);
  struct evaluation evaluation;
  evaluation_begin(&evaluation, binding, op);
  if (index == 0 && size_of_attribute(&evaluation, &size))
    return size;
  uint32_t counts = evaluation_facts(&evaluation)->facts.counts;
  if (counts != UINT32_MAX && !(counts >> (index < 31 ? index : 31) & 1)) {
    return (struct rules_size){.known = KNOWN,
                               .evidence = EVIDENCE_RULE,
                               .place = evaluation.facts->facts.place,
                               .alias = OPERAND_NONE};
  }
  evaluation.result = index;
  size = size_type(&evaluation, module->value_type[value]);
  size.alias = operand_of(&evaluation, size.alias);
  return size;
}

static uint64_t
extra_bytes(struct rules_binding *binding, op_id op, bool carry) {
  struct evaluation e;
  evaluation_begin(&e, binding, op);
  const struct rule_row *rule =
      find_rule(&e, RULES_MEMORY, carry ? has_carry : has_workspace);
  if (!rule)
    return 0;
  double bytes = evaluate(&e, carry ? rule->carry : rule->workspace);
  uint64_t whole = isnan(bytes) ? 0 : whole_bytes(&e, bytes);
  if (e.error != EVALUATION_FINE)
    evaluation_report(&e, rule_number(&e, rule), "workspace");
  return whole;
}

void
rules_workspace(struct rules_binding *binding, op_id op, uint64_t *workspace,
                uint64_t *carried) {
  *workspace = extra_bytes(binding, op, false);
  *carried = extra_bytes(binding, op, true);
}

bool
rules_is_folded(struct rules_binding *binding, op_id op) {
  const struct ir_module *m = binding->module;
  struct evaluation e;
  if (m->op_result_count[op] != 1)
    return false;
  const struct type *type = ir_value_type(m, ir_result(m, op, 0));
  if (type->rank < 3)
    return false;
  evaluation_begin(&e, binding, op);
  uint32_t class_id = evaluation_facts(&e)->facts.class_id;
  if (strcmp(rules_class_name(e.rules, class_id), "contraction") != 0)
    return false;
  contraction_find(&e);
  const struct contraction *c = &e.contraction;
  if (isnan(c->batch) || isnan(c->rows) || isnan(c->columns))
    return false; /* no product of matrices, or of no known shape */
  return (double)type->dims[type->rank - 2] != c->rows ||
         (double)type->dims[type->rank - 1] != c->columns;
}
