/* memo.c - costs of ops that differ in nothing that the rules ask for.
 *
 * Programs repeat themselves: the op before of the same name mostly had the
 * same types.  Where everything that may be asked of ops of a name follows
 * from their types, its cost is kept with these types and given again.
 * Contractions also look at attributes; they are kept apart where the op's
 * text has none of those. */
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
static enum memo_kind
kind_of_code(const struct rules *rules, struct code code) {
  enum memo_kind kind = MEMO_TYPES;
  for (uint32_t i = code.first; i < code.first + code.count; i++) {
    enum opcode opcode = (enum opcode)(rules->code[i] & 0xff);
    enum quantity quantity = (enum quantity)(rules->code[i] >> 8 & 0xff);
    if (opcode == OPCODE_ATTRIBUTE || opcode == OPCODE_HAS_ATTRIBUTE ||
        opcode == OPCODE_LOAD_ATTRIBUTE)
      return MEMO_NEVER;
    if (opcode != OPCODE_QUANTITY && opcode != OPCODE_QUANTITY_1 &&
        opcode != OPCODE_QUANTITY_2)
      continue;
    if (is_of_contraction(quantity))
      kind = MEMO_CONTRACTION;
    else if (!is_of_types(quantity))
      return MEMO_NEVER;
  }
  return kind;
}

static enum memo_kind
worse(enum memo_kind a, enum memo_kind b) {
  return a > b ? a : b;
}

enum memo_kind
memo_kind_of(const struct rules *rules, const struct name_entry *entry) {
  enum memo_kind kind = MEMO_TYPES;
  const struct candidates *list = &entry->lists[RULES_RECOMPUTE];
  if (entry->guarded || entry->measured_count || rules->time_attribute_count)
    return MEMO_NEVER;
  kind = worse(kind, kind_of_code(rules, entry->base.flops));
  kind = worse(kind, kind_of_code(rules, entry->base.moved));
  for (uint32_t i = 0; i < list->count; i++) {
    const struct rule_row *rule = &rules->rules[list->data[i].rule];
    kind = worse(kind, kind_of_code(rules, rule->guard));
    kind = worse(kind, kind_of_code(rules, rule->value));
  }
  return kind;
}

/* The types of the op into KEY; false where there are too many, or one has
 * no known size. */
static bool
make_key(const struct evaluation *e, struct memo_key *key) {
  const struct ir_module *module = e->module;
  uint32_t operands = module->op_use_count[e->op];
  uint32_t results = module->op_result_count[e->op];
  if (operands + results > MEMO_TYPES_KEPT)
    return false;
  key->operands = operands;
  key->results = results;
  for (uint32_t i = 0; i < operands; i++)
    key->types[i] = module->value_type[ir_operand(module, e->op, i)];
  for (uint32_t i = 0; i < results; i++)
    key->types[operands + i] = module->value_type[ir_result(module, e->op, i)];
  for (uint32_t i = 0; i < operands + results; i++)
    if (type_get(module->types, key->types[i])->dynamic)
      return false;
  return true;
}

/* The slot of KEY. */
static struct memo *
slot_of(struct name_entry *entry, const struct memo_key *key) {
  uint32_t hash = key->operands;
  for (uint32_t i = 0; i < key->operands + key->results; i++)
    hash = hash * 31 + key->types[i];
  return &entry->memo[hash % MEMO_SLOTS];
}

bool
memo_find(struct evaluation *e, struct memo_key *key, struct rules_cost *cost) {
  key->operands = NONE;
  if (e->entry->memo_kind == MEMO_NEVER ||
      e->module->op_flags[e->op] & OP_HAS_MARKS ||
      (e->entry->memo_kind == MEMO_CONTRACTION && contraction_in_text(e)) ||
      !make_key(e, key)) {
    key->operands = NONE;
    return false;
  }
  const struct memo *memo = slot_of(e->entry, key);
  if (!memo->filled || memo->key.operands != key->operands ||
      memo->key.results != key->results ||
      memcmp(memo->key.types, key->types,
             (key->operands + key->results) * sizeof *key->types) != 0)
    return false;
  *cost = memo->cost;
  return true;
}

void
memo_keep(struct evaluation *e, const struct memo_key *key,
          const struct rules_cost *cost) {
  if (key->operands == NONE || cost->policy == POLICY_UNKNOWN)
    return;
  struct memo *memo = slot_of(e->entry, key);
  memo->filled = true;
  memo->key = *key;
  memo->cost = *cost;
}
