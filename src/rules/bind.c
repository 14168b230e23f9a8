/* bind.c - which rows of the tables are for the ops of a module.
 *
 * An op name is looked up when it is first asked for: statements with its
 * exact name by binary search, globs and selectors one by one.  What is left
 * for each op are guards.  Costs O(names * (globs + rules)) in all. */
#include "rules/evaluate.h"
#include "rules/syntax.h"

#include <math.h>
#include <string.h>

enum { MOST_VARIANTS = 254 };

static enum item_format
module_format(const struct ir_module *module) {
  return strcmp(module->format->name, "hlo") == 0 ? FORMAT_HLO : FORMAT_MLIR;
}

/* --- facts --- */

const struct name_row *
find_name(const struct rules *rules, struct text name,
          enum item_format format) {
  uint32_t low = 0, high = rules->name_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const struct name_row *row = &rules->names[middle];
    const char *string = rules->strings[row->name];
    int order = row->format - (int)format;
    if (order == 0) {
      order = strncmp(string, name.data, name.size);
      if (order == 0)
        order = string[name.size] != '\0';
    }
    if (order == 0)
      return row;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

/* Statements for NAME into ENTRY, those that win last. */
static void
find_statements(struct arena *arena, const struct rules *rules,
                struct text name, enum item_format format,
                struct name_entry *entry) {
  const struct name_row *row = find_name(rules, name, format);
  uint32_t count = row ? row->count : 0, at = 0;
  for (uint32_t i = 0; i < rules->glob_count; i++)
    count += rules->globs[i].format == format &&
             text_glob(text_of(rules->strings[rules->globs[i].pattern]), name);
  uint32_t *statements = ARENA_ARRAY(arena, uint32_t, count + 1);
  for (uint32_t i = rules->glob_count; i-- > 0;)
    if (rules->globs[i].format == format &&
        text_glob(text_of(rules->strings[rules->globs[i].pattern]), name))
      statements[at++] = rules->globs[i].statement;
  for (uint32_t i = row ? row->count : 0; i-- > 0;)
    statements[at++] = rules->name_statements[row->first + i];
  entry->statements = statements;
  entry->statement_count = count;
  entry->words = count / 64 + 1;
  entry->holds = ARENA_ARRAY(arena, uint64_t, entry->words);
}

static bool
is_held(const uint64_t *holds, uint32_t statement) {
  return holds[statement / 64] >> statement % 64 & 1;
}

static void
set_flag(const struct rules *rules, struct resolved *resolved,
         const struct fact_row *fact) {
  static const uint32_t forbidding =
      FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE;
  uint32_t bit = UINT32_C(1) << fact->value;
  struct op_facts *facts = &resolved->facts;
  if (fact->negated) {
    facts->flags &= ~bit;
    return;
  }
  facts->flags |= bit;
  if (bit & forbidding) {
    facts->reason = rules_string(rules, fact->reason);
    facts->safety_place = rules_place(rules, fact->place);
  }
}

/* Lay FACT over what is there. */
static void
apply_fact(const struct rules *rules, struct resolved *resolved,
           const struct fact_row *fact) {
  struct op_facts *facts = &resolved->facts;
  switch ((enum fact_key)fact->key) {
  case KEY_FLAG:
    set_flag(rules, resolved, fact);
    break;
  case KEY_ALIAS:
    facts->alias = fact->first;
    break;
  case KEY_INPLACE:
    facts->inplace = fact->first;
    break;
  case KEY_REUSES:
    facts->reuses = fact->first;
    break;
  case KEY_BODY:
    facts->body = (enum fact_body)fact->value;
    break;
  case KEY_CARRIES:
    facts->carries_operand = fact->first;
    facts->carries_argument = fact->second;
    break;
  case KEY_YIELDS:
    facts->yields = (uint32_t)fact->first;
    break;
  case KEY_ASYNC:
    facts->async = (enum fact_async)fact->value;
    break;
  case KEY_COUNTS:
    facts->counts = fact->mask;
    break;
  case KEY_FLOPS:
    resolved->flops = fact->code;
    resolved->flops_place = fact->place;
    break;
  case KEY_MOVED:
    resolved->moved = fact->code;
    resolved->moved_place = fact->place;
    break;
  case KEY_TRIP:
    resolved->trip = fact->code;
    resolved->trip_place = fact->place;
    break;
  default:
    break;
  }
}

static void
apply_facts(const struct rules *rules, struct resolved *resolved,
            uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    apply_fact(rules, resolved, &rules->facts[first + i]);
}

static struct resolved
no_facts(void) {
  struct resolved resolved = {0};
  resolved.facts.alias = resolved.facts.inplace = OPERAND_NONE;
  resolved.facts.reuses = resolved.facts.carries_operand = OPERAND_NONE;
  resolved.facts.carries_argument = OPERAND_NONE;
  resolved.facts.counts = UINT32_MAX;
  return resolved;
}

/* Facts from those statements of ENTRY that hold. */
static struct resolved
resolve(const struct rules *rules, const struct name_entry *entry) {
  struct resolved resolved = no_facts();
  for (uint32_t i = 0; i < entry->statement_count; i++) {
    const struct statement_row *row = &rules->statements[entry->statements[i]];
    if (row->class_id != NONE && is_held(entry->holds, i)) {
      resolved.facts.class_id = row->class_id;
      resolved.facts.place = rules_place(rules, row->place);
    }
  }
  const struct class_row *class_row = &rules->classes[resolved.facts.class_id];
  apply_facts(rules, &resolved, class_row->first_fact, class_row->fact_count);
  for (uint32_t i = 0; i < entry->statement_count; i++) {
    const struct statement_row *row = &rules->statements[entry->statements[i]];
    if (is_held(entry->holds, i))
      apply_facts(rules, &resolved, row->first_fact, row->fact_count);
  }
  return resolved;
}

/* Note which statements of ENTRY hold; without EVALUATION, those that always
 * do. */
static void
find_holding(const struct rules *rules, struct name_entry *entry,
             struct evaluation *evaluation) {
  memset(entry->holds, 0, entry->words * sizeof *entry->holds);
  for (uint32_t i = 0; i < entry->statement_count; i++) {
    struct code guard = rules->statements[entry->statements[i]].guard;
    if (guard.count == 0 || (evaluation && evaluate_guard(evaluation, guard)))
      entry->holds[i / 64] |= UINT64_C(1) << i % 64;
  }
}

/* The variant of ENTRY for the statements that hold, made if it is new. */
static uint32_t
find_variant(struct rules_binding *binding, struct name_entry *entry) {
  size_t bytes = entry->words * sizeof *entry->holds;
  uint32_t i = 0;
  while (i < entry->variants.count &&
         memcmp(entry->variants.data[i]->holds, entry->holds, bytes) != 0)
    i++;
  if (i < entry->variants.count)
    return i;
  struct variant *variant = ARENA_NEW(binding->arena, struct variant);
  variant->holds = ARENA_ARRAY(binding->arena, uint64_t, entry->words);
  memcpy(variant->holds, entry->holds, bytes);
  variant->resolved = resolve(binding->rules, entry);
  vector_push(binding->arena, &entry->variants, variant);
  return i;
}

/* The facts of the evaluation's op, whose conditions are looked at once. */
static const struct resolved *
variant_of(struct evaluation *e) {
  struct rules_binding *binding = e->binding;
  uint8_t none = 0, *known = e->op < binding->op_count
                                 ? &binding->op_variant[e->op]
                                 : &none;
  if (!*known) {
    find_holding(e->rules, e->entry, e);
    uint32_t variant = find_variant(binding, e->entry);
    if (variant >= MOST_VARIANTS)
      return &e->entry->variants.data[variant]->resolved;
    *known = (uint8_t)(variant + 1);
  }
  return &e->entry->variants.data[*known - 1]->resolved;
}

/* --- rules --- */

/* Could ITEM select an op called NAME in FORMAT?  *CLASS_ID is the class that
 * it must have, NONE for any. */
static bool
item_matches(const struct rules *rules, const struct item_row *item,
             struct text name, enum item_format format, uint32_t *class_id) {
  *class_id = NONE;
  if (item->format != ANY_FORMAT && item->format != (uint8_t)format)
    return false;
  if (item->kind == ITEM_CLASS) {
    *class_id = item->value;
    return true;
  }
  if (item->kind == ITEM_FORMAT)
    return true;
  const char *string = rules->strings[item->value];
  if (item->kind == ITEM_OP)
    return text_glob(text_of(string), name);
  if (format == FORMAT_HLO)
    return strcmp(string, "hlo") == 0;
  size_t size = strlen(string);
  return text_starts(name, string) && name.size > size &&
         name.data[size] == '.';
}

/* Can an op of ENTRY have class CLASS_ID? */
static bool
class_possible(const struct rules *rules, const struct name_entry *entry,
               uint32_t class_id) {
  if (entry->base.facts.class_id == class_id)
    return true;
  for (uint32_t i = 0; i < entry->statement_count; i++)
    if (rules->statements[entry->statements[i]].class_id == class_id)
      return true;
  return false;
}

static void
add_candidate(struct rules_binding *binding, struct candidates *list,
              struct candidate candidate) {
  uint32_t capacity = list->count;
  if ((capacity & (capacity - 1)) == 0)
    list->data =
        arena_grow(binding->arena, list->data, capacity * sizeof *list->data,
                   (capacity ? 2 * (size_t)capacity : 1) * sizeof *list->data);
  list->data[list->count++] = candidate;
}

static void
find_candidates(struct rules_binding *binding, struct text name,
                struct name_entry *entry, enum rule_list which) {
  const struct rules *rules = binding->rules;
  enum item_format format = module_format(binding->module);
  struct rule_range range = rules->lists_of_rules[which];
  for (uint32_t i = range.first; i < range.first + range.count; i++) {
    const struct rule_row *rule = &rules->rules[i];
    uint32_t class_id = NONE;
    bool matches = rule->item_count == 0;
    for (uint32_t k = 0; k < rule->item_count; k++) {
      if (!item_matches(rules, &rules->items[rule->first_item + k], name,
                        format, &class_id) ||
          (class_id != NONE && !class_possible(rules, entry, class_id)))
        continue;
      add_candidate(binding, &entry->lists[which],
                    (struct candidate){i, class_id});
    }
    if (matches)
      add_candidate(binding, &entry->lists[which], (struct candidate){i, NONE});
  }
}

static void
find_measured(const struct rules *rules, struct text name,
              struct name_entry *entry) {
  for (uint32_t i = 0; i < rules->measured_count; i++)
    if (text_is(name, rules->strings[rules->measured[i].name])) {
      if (!entry->measured_count)
        entry->first_measured = i;
      entry->measured_count++;
    }
}

static struct name_entry *
entry_new(struct rules_binding *binding, struct text name) {
  const struct rules *rules = binding->rules;
  struct name_entry *entry = ARENA_NEW(binding->arena, struct name_entry);
  find_statements(binding->arena, rules, name, module_format(binding->module),
                  entry);
  for (uint32_t i = 0; i < entry->statement_count; i++)
    entry->guarded |= rules->statements[entry->statements[i]].guard.count != 0;
  find_holding(rules, entry, NULL);
  entry->base = resolve(rules, entry);
  entry->depends = entry->guarded ||
                   entry->base.facts.alias <= OPERAND_FROM_END ||
                   entry->base.facts.inplace <= OPERAND_FROM_END ||
                   entry->base.facts.reuses <= OPERAND_FROM_END ||
                   entry->base.facts.carries_operand <= OPERAND_FROM_END;
  for (int which = 0; which < RULE_LISTS; which++)
    find_candidates(binding, name, entry, (enum rule_list)which);
  find_measured(rules, name, entry);
  entry->model_kind = model_kind_of(rules, entry);
  return entry;
}

struct name_entry *
binding_entry(struct rules_binding *binding, op_id op) {
  if (op == NONE)
    return binding->nameless;
  name_id name = binding->module->op_name[op];
  if (name >= binding->entry_count) {
    uint32_t count = binding->module->names->count;
    binding->entries =
        arena_grow(binding->arena, binding->entries,
                   binding->entry_count * sizeof *binding->entries,
                   count * sizeof *binding->entries);
    binding->entry_count = count;
  }
  if (!binding->entries[name])
    binding->entries[name] =
        entry_new(binding, string_text(binding->module->names, name));
  return binding->entries[name];
}

struct rules_binding *
rules_bind(struct arena *arena, struct diagnostics *diagnostics,
           const struct rules *rules, uint32_t device,
           const struct ir_module *module) {
  struct rules_binding *binding = ARENA_NEW(arena, struct rules_binding);
  binding->arena = arena;
  binding->diagnostics = diagnostics;
  binding->rules = rules;
  binding->device = device != NONE ? device : rules->default_device;
  binding->module = module;
  binding->entry_count = module->names->count;
  binding->entries =
      ARENA_ARRAY(arena, struct name_entry *, binding->entry_count + 1);
  binding->regions =
      ARENA_ARRAY(arena, struct body_sums, module->region_count + 1);
  binding->functions =
      ARENA_ARRAY(arena, struct body_sums, module->functions.count + 1);
  binding->type_count = module->types->count;
  binding->type_bytes = ARENA_ARRAY(arena, double, binding->type_count + 1);
  for (uint32_t i = 0; i < binding->type_count; i++)
    binding->type_bytes[i] = -1;
  binding->op_count = module->op_count;
  binding->op_variant = ARENA_ARRAY(arena, uint8_t, binding->op_count + 1);
  binding->reported = ARENA_ARRAY(arena, uint8_t, rules->rule_count + 1);
  binding->ambiguous = ARENA_ARRAY(arena, uint8_t, rules->measured_count + 1);
  binding->nameless = entry_new(binding, TEXT(""));
  return binding;
}

/* --- questions --- */

void
evaluation_begin(struct evaluation *evaluation, struct rules_binding *binding,
                 op_id op) {
  evaluation->rules = binding->rules;
  evaluation->device = binding->device;
  evaluation->binding = binding;
  evaluation->module = binding->module;
  evaluation->entry = binding_entry(binding, op);
  evaluation->op = op;
  evaluation->result = 0;
  evaluation->type = TYPE_NONE;
  evaluation->in_expect = false;
  evaluation->text_found = false;
  evaluation->text_attribute = NONE;
  evaluation->error = EVALUATION_FINE;
  evaluation->missing[0] = '\0';
  evaluation->assumed = evaluation->dynamic = false;
  evaluation->facts = NULL;
  evaluation->contraction_known = evaluation->keys_known = false;
  evaluation->trace = NULL;
  evaluation->tracing = false;
}

/* An operand number of the tables, counted from the front. */
static int32_t
from_front(int32_t operand, uint32_t count) {
  if (operand > OPERAND_FROM_END)
    return operand;
  int32_t index = operand - OPERAND_FROM_END + (int32_t)count;
  return index < 0 ? OPERAND_NONE : index;
}

/* Facts that differ from op to op of one name. */
static const struct resolved *
resolve_op(struct evaluation *e, const struct name_entry *entry) {
  e->resolved = entry->guarded ? *variant_of(e) : entry->base;
  struct op_facts *facts = &e->resolved.facts;
  uint32_t count = e->op == NONE ? 0 : e->module->op_use_count[e->op];
  facts->alias = from_front(facts->alias, count);
  facts->inplace = from_front(facts->inplace, count);
  facts->reuses = from_front(facts->reuses, count);
  facts->carries_operand = from_front(facts->carries_operand, count);
  return &e->resolved;
}

const struct resolved *
evaluation_facts(struct evaluation *e) {
  if (!e->facts)
    e->facts = e->entry->depends ? resolve_op(e, e->entry) : &e->entry->base;
  return e->facts;
}

static bool
always(const struct rule_row *rule) {
  (void)rule;
  return true;
}

void
rules_facts(struct rules_binding *binding, op_id op, struct op_facts *facts) {
  struct evaluation evaluation;
  evaluation_begin(&evaluation, binding, op);
  evaluation_facts(&evaluation);
  const struct rule_row *refusal =
      find_rule(&evaluation, RULES_REFUSED, always);
  *facts = evaluation.facts->facts;
  facts->refused = refusal != NULL;
  facts->refused_reason =
      refusal ? rules_string(binding->rules, refusal->reason) : NULL;
}

const struct rule_row *
find_rule(struct evaluation *e, enum rule_list list,
          bool (*has)(const struct rule_row *rule)) {
  const struct candidates *candidates = &e->entry->lists[list];
  uint32_t class_id = NONE;
  for (uint32_t i = 0; i < candidates->count; i++) {
    const struct candidate *candidate = &candidates->data[i];
    const struct rule_row *rule = &e->rules->rules[candidate->rule];
    if (candidate->class_id != NONE) {
      if (class_id == NONE)
        class_id = e->op == NONE ? 0 : evaluation_facts(e)->facts.class_id;
      if (candidate->class_id != class_id)
        continue;
    }
    if (has(rule) && evaluate_guard(e, rule->guard))
      return rule;
    if (e->error != EVALUATION_FINE) {
      evaluation_report(e, candidate->rule, "condition");
      e->error = EVALUATION_FINE;
    }
  }
  return NULL;
}

void
evaluation_report(struct evaluation *e, uint32_t rule, const char *what) {
  struct rules_binding *binding = e->binding;
  struct rule_place place = rules_place(e->rules, e->rules->rules[rule].place);
  if (binding->reported[rule])
    return;
  binding->reported[rule] = 1;
  struct text name =
      e->op == NONE ? TEXT("an argument") : ir_op_name(e->module, e->op);
  struct location where =
      e->op == NONE ? NO_LOCATION : ir_op_location(e->module, e->op);
  diagnose(binding->diagnostics, DIAGNOSTIC_RULES, where,
           "%s:%u: the %s of '%.*s' cannot be worked out: %s", place.file,
           place.line, what, (int)name.size, name.data,
           evaluation_error_text(e->error));
}

/* --- what facts mean --- */

bool
facts_recomputable(const struct op_facts *facts) {
  static const uint32_t needed = FACT_PURE | FACT_SAME_BITS;
  static const uint32_t barred = FACT_EFFECT | FACT_RANDOM | FACT_COLLECTIVE;
  return facts->class_id != 0 && (facts->flags & needed) == needed &&
         !(facts->flags & barred);
}

const char *
facts_obstacle(struct arena *arena, const struct rules *rules,
               const struct op_facts *facts) {
  if (facts_recomputable(facts))
    return NULL;
  if (facts->class_id == 0)
    return "unknown: no rules file names this op";
  const char *kind = facts->flags & FACT_RANDOM       ? "random"
                     : facts->flags & FACT_COLLECTIVE ? "collective"
                     : facts->flags & FACT_EFFECT     ? "effect"
                                                      : NULL;
  if (kind)
    return facts->reason ? arena_printf(arena, "%s: %s", kind, facts->reason)
                         : kind;
  return arena_printf(
      arena, "%s: not %s", rules_class_name(rules, facts->class_id),
      facts->flags & FACT_PURE ? "known to make the same bits again"
                               : "known to be pure");
}
