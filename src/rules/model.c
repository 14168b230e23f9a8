/* model.c - ops that differ in nothing that the rules ask for.
 *
 * Programs repeat themselves: most ops have the name and the types of one
 * that stands before them.  Where everything that may be asked of ops of a
 * name follows from their types, that one is a model: what the rules say of
 * it they say of all that are like it.  Contractions also look at attributes;
 * they have a model where the op's text has none of those.  O(operands). */
#include "rules/evaluate.h"

#include <string.h>

/* Does QUANTITY follow from the types of operands and results? */
static bool
is_of_types(enum quantity quantity) {
  return quantity <= QUANTITY_FLOPS || quantity == QUANTITY_STATIC ||
         quantity == QUANTITY_DYNAMIC || quantity == QUANTITY_SAME_BYTES ||
         quantity == QUANTITY_SAME_TYPE || quantity == QUANTITY_FORMAT ||
         quantity == QUANTITY_NAME || quantity == QUANTITY_DIALECT ||
         quantity == QUANTITY_DEVICE;
}

static bool
is_of_contraction(enum quantity quantity) {
  return quantity >= QUANTITY_CONTRACTED && quantity <= QUANTITY_GROUPS;
}

/* What the answer of CODE depends on. */
static enum model_kind
kind_of_code(const struct rules *rules, struct code code) {
  enum model_kind kind = MODEL_TYPES;
  for (uint32_t i = code.first; i < code.first + code.count; i++) {
    enum opcode opcode = (enum opcode)(rules->code[i] & 0xff);
    enum quantity quantity = (enum quantity)(rules->code[i] >> 8 & 0xff);
    if (opcode == OPCODE_ATTRIBUTE || opcode == OPCODE_HAS_ATTRIBUTE ||
        opcode == OPCODE_LOAD_ATTRIBUTE)
      return MODEL_NEVER;
    if (opcode != OPCODE_QUANTITY && opcode != OPCODE_QUANTITY_1 &&
        opcode != OPCODE_QUANTITY_2)
      continue;
    if (is_of_contraction(quantity))
      kind = MODEL_CONTRACTION;
    else if (!is_of_types(quantity))
      return MODEL_NEVER;
  }
  return kind;
}

static enum model_kind
worse(enum model_kind a, enum model_kind b) {
  return a > b ? a : b;
}

enum model_kind
model_kind_of(const struct rules *rules, const struct name_entry *entry) {
  enum model_kind kind = MODEL_TYPES;
  if (entry->guarded || entry->measured_count || rules->time_attribute_count ||
      rules->byte_attribute_count)
    return MODEL_NEVER;
  kind = worse(kind, kind_of_code(rules, entry->base.flops));
  kind = worse(kind, kind_of_code(rules, entry->base.moved));
  for (int which = 0; which < RULE_LISTS; which++) {
    const struct candidates *list = &entry->lists[which];
    for (uint32_t i = 0; i < list->count; i++) {
      const struct rule_row *rule = &rules->rules[list->data[i].rule];
      kind = worse(kind, kind_of_code(rules, rule->guard));
      kind = worse(kind, kind_of_code(rules, rule->value));
      kind = worse(kind, kind_of_code(rules, rule->workspace));
      kind = worse(kind, kind_of_code(rules, rule->carry));
    }
  }
  return kind;
}

/* The slot of ENTRY for ops with the types of OP. */
static uint32_t *
slot_of(const struct ir_module *module, struct name_entry *entry, op_id op) {
  uint32_t uses = module->op_use_count[op], hash = uses;
  const value_id *use = module->use_value + module->op_first_use[op];
  const type_id *result = module->value_type + module->op_first_result[op];
  for (uint32_t i = 0; i < uses; i++)
    hash = hash * 31 + module->value_type[use[i]];
  for (uint32_t i = 0; i < module->op_result_count[op]; i++)
    hash = hash * 31 + result[i];
  return &entry->models[hash % MODEL_SLOTS];
}

/* Do ops A and B, of one name, have the same types? */
static bool
same_types(const struct ir_module *module, op_id a, op_id b) {
  uint32_t uses = module->op_use_count[a], results = module->op_result_count[a];
  if (uses != module->op_use_count[b] || results != module->op_result_count[b])
    return false;
  for (uint32_t i = 0; i < uses; i++)
    if (module->value_type[ir_operand(module, a, i)] !=
        module->value_type[ir_operand(module, b, i)])
      return false;
  return memcmp(module->value_type + module->op_first_result[a],
                module->value_type + module->op_first_result[b],
                results * sizeof *module->value_type) == 0;
}

/* Has OP a value of which the type does not tell the size? */
static bool
is_dynamic(const struct ir_module *module, op_id op) {
  bool dynamic = false;
  for (uint32_t i = 0; i < module->op_use_count[op]; i++)
    dynamic |= ir_value_type(module, ir_operand(module, op, i))->dynamic;
  for (uint32_t i = 0; i < module->op_result_count[op]; i++)
    dynamic |= ir_value_type(module, ir_result(module, op, i))->dynamic;
  return dynamic;
}

op_id
rules_model(struct rules_binding *binding, op_id op) {
  const struct ir_module *module = binding->module;
  struct name_entry *entry = binding_entry(binding, op);
  if (entry->model_kind == MODEL_NEVER || module->op_flags[op] & OP_HAS_MARKS)
    return op;
  if (entry->model_kind == MODEL_CONTRACTION) {
    struct evaluation e;
    evaluation_begin(&e, binding, op);
    if (contraction_in_text(&e))
      return op;
  }
  uint32_t *slot = slot_of(module, entry, op);
  if (*slot && same_types(module, *slot - 1, op))
    return *slot - 1;
  if (!is_dynamic(module, op))
    *slot = op + 1;
  return op;
}
