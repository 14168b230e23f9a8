/* explain.c - why an op is classed, sized and priced as it is. */
#include "rules/evaluate.h"
#include "rules/syntax.h"

#include <math.h>
#include <string.h>

static bool
sizes(const struct rule_row *rule) {
  return rule->value.count || rule->action == ACTION_ALIAS;
}

static bool
prices(const struct rule_row *rule) {
  return rule->action != ACTION_NONE;
}

static void
add_place(struct buffer *out, struct rule_place place) {
  if (place.file)
    buffer_printf(out, " (%s:%u)", place.file, place.line);
}

static void
add_flags(struct buffer *out, uint32_t flags) {
  static const char *const words[] = {
#define FACT_FLAG(id, word, meaning) word,
#include "rules/facts.def"
#undef FACT_FLAG
  };
  const char *between = "";
  for (int i = 0; i < FACT_FLAG_COUNT; i++)
    if (flags >> i & 1) {
      buffer_printf(out, "%s%s", between, words[i]);
      between = ", ";
    }
}

static void
explain_facts(struct rules_binding *binding, op_id op, struct buffer *out) {
  struct op_facts facts;
  rules_facts(binding, op, &facts);
  buffer_printf(out, "  class %s: %s",
                rules_class_name(binding->rules, facts.class_id),
                rules_class_meaning(binding->rules, facts.class_id));
  add_place(out, facts.place);
  buffer_string(out, "\n  facts ");
  buffer_string(out, facts.flags ? "" : "none");
  add_flags(out, facts.flags);
  const char *obstacle = facts_obstacle(out->arena, binding->rules, &facts);
  buffer_string(out, "\n  ");
  if (obstacle)
    buffer_printf(out, "may not be recomputed: %s", obstacle);
  else
    buffer_string(out, "may be recomputed");
  if (obstacle)
    add_place(out, facts.safety_place);
  buffer_string(out, "\n");
  if (facts.alias != OPERAND_NONE)
    buffer_printf(out, "  its result is storage of operand %d\n", facts.alias);
}

/* Run CODE once more, with every quantity's value written to OUT. */
static void
trace(struct rules_binding *binding, op_id op, type_id type, struct code code,
      struct buffer *out) {
  struct evaluation evaluation;
  evaluation_begin(&evaluation, binding, op);
  evaluation.type = type;
  evaluation.trace = out;
  evaluation.trace_begin = out->size;
  evaluate(&evaluation, code);
}

static void
explain_size(struct rules_binding *binding, op_id op, uint32_t index,
             struct buffer *out) {
  value_id value = ir_result(binding->module, op, index);
  type_id type = binding->module->value_type[value];
  struct rules_size size = rules_value_bytes(binding, value);
  struct text spelling = type_get(binding->module->types, type)->spelling;
  buffer_printf(out, "  result %u, %.*s: ", index, (int)spelling.size,
                spelling.data);
  if (size.known == KNOWN_NOT)
    buffer_printf(out, "size unknown: %s is not known", size.missing);
  else
    buffer_printf(out, "%llu B%s", (unsigned long long)size.bytes,
                  size.known == KNOWN_ASSUMED ? ", assumed" : "");
  if (size.evidence == EVIDENCE_ATTRIBUTE)
    buffer_string(out, ", says the dump");
  add_place(out, size.place);
  buffer_string(out, "\n");
  struct evaluation evaluation;
  evaluation_begin(&evaluation, binding, op);
  evaluation.result = index;
  evaluation.type = type;
  const struct rule_row *rule = find_rule(&evaluation, RULES_MEMORY, sizes);
  if (rule && rule->value.count && size.evidence >= EVIDENCE_RULE)
    trace(binding, op, type, rule->value, out);
}

static void
explain_cost(struct rules_binding *binding, op_id op, struct buffer *out) {
  static const char *const evidence[] = {"", ", says the dump", ", measured",
                                         "", ", by default"};
  struct rules_cost cost = rules_op_cost(binding, op);
  buffer_string(out, "  recomputing it ");
  switch (cost.policy) {
  case POLICY_FREE:
    buffer_string(out, "is free");
    break;
  case POLICY_NEVER:
    buffer_printf(out, "is not wanted: %s", cost.reason);
    break;
  case POLICY_UNKNOWN:
    buffer_printf(out, "costs an unknown time: %s is not known",
                  cost.missing ? cost.missing : "a rule");
    break;
  default:
    buffer_printf(out, "costs %llu ns%s", (unsigned long long)cost.ns,
                  evidence[cost.evidence]);
    break;
  }
  if (cost.attribute)
    buffer_printf(out, " (%s)", cost.attribute);
  add_place(out, cost.place);
  buffer_string(out, "\n");
  struct evaluation evaluation;
  evaluation_begin(&evaluation, binding, op);
  const struct rule_row *rule = find_rule(&evaluation, RULES_RECOMPUTE, prices);
  if (rule && rule->value.count && cost.evidence >= EVIDENCE_RULE)
    trace(binding, op, TYPE_NONE, rule->value, out);
}

void
rules_explain(struct rules_binding *binding, op_id op, struct buffer *out) {
  struct text name = ir_op_name(binding->module, op);
  uint64_t workspace, carried;
  buffer_printf(out, "%.*s on %s\n", (int)name.size, name.data,
                binding->device == NONE
                    ? binding->rules->name
                    : rules_device_name(binding->rules, binding->device));
  explain_facts(binding, op, out);
  for (uint32_t i = 0; i < binding->module->op_result_count[op]; i++)
    explain_size(binding, op, i, out);
  rules_workspace(binding, op, &workspace, &carried);
  if (workspace)
    buffer_printf(out, "  workspace while it runs: %llu B\n",
                  (unsigned long long)workspace);
  if (carried)
    buffer_printf(out, "  kept until the backward pass: %llu B\n",
                  (unsigned long long)carried);
  explain_cost(binding, op, out);
}
