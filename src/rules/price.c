/* price.c - what recomputing an op costs.
 *
 * The target's rule gives the policy.  The time is what the dump says of the
 * op, else what was measured for exactly its shape, else what the rule works
 * out.  None of this makes an op recomputable: that is a fact. */
#include "rules/evaluate.h"
#include "rules/syntax.h"

#include <math.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_SHAPE = 256 };

#define MOST_NS 9007199254740992.0

static bool
has_action(const struct rule_row *rule) {
  return rule->action != ACTION_NONE;
}

/* NS as a whole number, halves up. */
static uint64_t
whole_ns(struct evaluation *e, double ns) {
  if (ns < 0)
    e->error = EVALUATION_NEGATIVE;
  else if (ns > MOST_NS)
    e->error = EVALUATION_OVERFLOW;
  if (e->error != EVALUATION_FINE)
    return 0;
  double below = floor(ns);
  return (uint64_t)below + (ns - below >= 0.5);
}

/* --- the dump --- */

static const char *
time_attribute(const struct rules *rules, uint32_t index, bool *marks) {
  static const char *const built_in[] = {"tessera.backward_work_ns",
                                         "tessera.remat_cost_ns"};
  *marks = index < 2;
  if (index < 2)
    return built_in[index];
  return rules->strings[rules->time_attributes[index - 2]];
}

static bool
price_of_attribute(struct evaluation *e, struct rules_cost *cost) {
  const struct rules *rules = e->rules;
  bool marked = e->module->op_flags[e->op] & OP_HAS_MARKS;
  for (uint32_t i = 0; i < 2 + rules->time_attribute_count; i++) {
    bool marks;
    const char *name = time_attribute(rules, i, &marks);
    struct text text;
    int64_t ns;
    if ((marks && !marked) || !attribute_valued(e, name, &text) ||
        !ir_parse_integer(text, &ns) || ns < 0)
      continue;
    cost->ns = (uint64_t)ns;
    cost->evidence = EVIDENCE_ATTRIBUTE;
    cost->attribute = name;
    cost->place = (struct rule_place){NULL, 0};
    return true;
  }
  return false;
}

/* --- measured rows --- */

static uint32_t
add_shape(const struct type *type, int64_t *shape, uint32_t count) {
  if (count + type->rank + 2 > MOST_SHAPE || type->dynamic)
    return MOST_SHAPE;
  shape[count++] = type->dtype;
  shape[count++] = type->rank;
  for (uint32_t i = 0; i < type->rank; i++)
    shape[count++] = (int64_t)type->dims[i];
  return count;
}

/* The op's types as a measured row has them, MOST_SHAPE where it is none. */
static uint32_t
signature_of(const struct evaluation *e, int64_t *shape) {
  const struct ir_module *module = e->module;
  uint32_t count = 0;
  for (uint32_t i = 0; i < module->op_use_count[e->op]; i++)
    count = add_shape(ir_value_type(module, ir_operand(module, e->op, i)),
                      shape, count);
  if (count + 1 > MOST_SHAPE)
    return MOST_SHAPE;
  shape[count++] = NONE;
  for (uint32_t i = 0; i < module->op_result_count[e->op]; i++)
    count = add_shape(ir_value_type(module, ir_result(module, e->op, i)), shape,
                      count);
  return count;
}

/* Result dims, and behind them the contracted extent where WANTED has one
 * number more. */
static uint32_t
work_shape_of(struct evaluation *e, uint32_t wanted, int64_t *shape) {
  const struct type *type =
      ir_value_type(e->module, ir_result(e->module, e->op, 0));
  if (type->dynamic || type->rank + 1 > MOST_SHAPE)
    return MOST_SHAPE;
  for (uint32_t i = 0; i < type->rank; i++)
    shape[i] = (int64_t)type->dims[i];
  if (wanted != type->rank + 1)
    return type->rank;
  contraction_find(e);
  if (!(e->contraction.contracted >= 0))
    return MOST_SHAPE;
  shape[type->rank] = (int64_t)e->contraction.contracted;
  return wanted;
}

static bool
row_matches(struct evaluation *e, const struct measured_row *row) {
  const struct ir_module *module = e->module;
  int64_t shape[MOST_SHAPE];
  uint32_t count;
  if (row->device != e->device || module->op_result_count[e->op] == 0)
    return false;
  if (row->signature)
    count = signature_of(e, shape);
  else if (ir_value_type(module, ir_result(module, e->op, 0))->dtype ==
           (enum dtype)row->dtype)
    count = work_shape_of(e, row->shape.count, shape);
  else
    return false;
  return count == row->shape.count && count < MOST_SHAPE &&
         memcmp(shape, e->rules->integers + row->shape.first,
                count * sizeof *shape) == 0;
}

/* Two rows that match: neither, and a warning. */
static bool
price_of_measurement(struct evaluation *e, struct rules_cost *cost) {
  const struct rules *rules = e->rules;
  const struct name_entry *entry = e->entry;
  const struct measured_row *found = NULL;
  for (uint32_t i = 0; i < entry->measured_count; i++) {
    const struct measured_row *row =
        &rules->measured[entry->first_measured + i];
    if (!row_matches(e, row))
      continue;
    if (found) {
      uint8_t *warned = &e->binding->ambiguous[row - rules->measured];
      struct rule_place a = rules_place(rules, found->place);
      struct rule_place b = rules_place(rules, row->place);
      if (!*warned)
        diagnose(e->binding->diagnostics, DIAGNOSTIC_MEASURED_AMBIGUOUS,
                 ir_op_location(e->module, e->op),
                 "two measured rows match, so neither is used: %s:%u and "
                 "%s:%u",
                 a.file, a.line, b.file, b.line);
      *warned = 1;
      return false;
    }
    found = row;
  }
  if (!found)
    return false;
  cost->ns = whole_ns(e, found->ns);
  cost->evidence = EVIDENCE_MEASURED;
  cost->place = rules_place(rules, found->place);
  return true;
}

/* --- rules --- */

static void
price_of_rule(struct evaluation *e, const struct rule_row *rule,
              struct rules_cost *cost) {
  double ns = NAN;
  if (rule->action == ACTION_COST) {
    ns = evaluate(e, rule->value);
    if (!isnan(ns))
      cost->ns = whole_ns(e, ns);
    if (e->error != EVALUATION_FINE) {
      evaluation_report(e, (uint32_t)(rule - e->rules->rules), "cost");
      not_known(e, "the cost, because of an error");
      ns = NAN;
    }
  } else {
    not_known(e, "what this kind of op costs");
  }
  if (isnan(ns)) {
    cost->ns = 0;
    cost->policy = POLICY_UNKNOWN;
    memcpy(e->binding->missing, e->missing, sizeof e->missing);
    cost->missing = e->binding->missing;
  }
}

/* The policy of RULE, as far as it says one without a computation. */
static enum rules_policy
policy_of(const struct rule_row *rule) {
  return !rule                          ? POLICY_UNKNOWN
         : rule->action == ACTION_FREE  ? POLICY_FREE
         : rule->action == ACTION_NEVER ? POLICY_NEVER
                                        : POLICY_COST;
}

/* The cost of the op, worked out. */
static struct rules_cost
price(struct evaluation *e) {
  const struct rule_row *rule = find_rule(e, RULES_RECOMPUTE, has_action);
  struct rules_cost cost = {.policy = policy_of(rule)};
  if (rule) {
    cost.place = rules_place(e->rules, rule->place);
    cost.evidence = rule->is_default ? EVIDENCE_DEFAULT : EVIDENCE_RULE;
  }
  if (cost.policy == POLICY_NEVER)
    cost.reason = rules_string(e->rules, rule->reason);
  bool told = price_of_attribute(e, &cost) || price_of_measurement(e, &cost);
  if (told && cost.policy != POLICY_NEVER)
    cost.policy = POLICY_COST;
  if (!told && cost.policy == POLICY_COST)
    price_of_rule(e, rule, &cost);
  return cost;
}

struct rules_cost
rules_op_cost(struct rules_binding *binding, op_id op) {
  struct evaluation e;
  evaluation_begin(&e, binding, op);
  return price(&e);
}

/* QUANTITY of OP, negative where it is not known. */
static double
price_quantity(struct rules_binding *binding, op_id op,
               enum quantity quantity) {
  struct evaluation e;
  evaluation_begin(&e, binding, op);
  double value = quantity_value(&e, quantity, VALUE_CURRENT, 0, NULL);
  return isnan(value) ? -1 : value;
}

double
rules_op_flops(struct rules_binding *binding, op_id op) {
  return price_quantity(binding, op, QUANTITY_FLOPS);
}

double
rules_op_moved(struct rules_binding *binding, op_id op) {
  return price_quantity(binding, op, QUANTITY_MOVED);
}

double
rules_trip_count(struct rules_binding *binding, op_id op) {
  return price_quantity(binding, op, QUANTITY_TRIP);
}

/* --- bodies --- */

/* Add what OP costs to SUMS; terminators and arguments cost nothing. */
static void
add_op(struct rules_binding *binding, op_id op, struct body_sums *sums) {
  struct evaluation e;
  evaluation_begin(&e, binding, op);
  const struct op_facts *facts = &evaluation_facts(&e)->facts;
  if (facts->flags & (FACT_TERMINATOR | FACT_ARGUMENT | FACT_CONSTANT))
    return;
  struct rules_cost cost = rules_op_cost(binding, op);
  double flops = rules_op_flops(binding, op);
  sums->cost += cost.policy == POLICY_UNKNOWN || cost.policy == POLICY_NEVER
                    ? NAN
                    : (double)cost.ns;
  sums->flops += flops < 0 ? NAN : flops;
  sums->ops += 1;
}

static void
sum_region(struct rules_binding *binding, region_id region,
           struct body_sums *sums) {
  const struct ir_module *module = binding->module;
  for (block_id block = module->region_block[region]; block != NONE;
       block = module->block_next[block])
    for (uint32_t i = 0; i < module->block_op_count[block]; i++)
      add_op(binding, ir_block_op(module, block, i), sums);
}

/* The sums of REGION, kept in KEPT; not known inside of themselves. */
static struct body_sums
sums_of(struct rules_binding *binding, region_id region,
        struct body_sums *kept) {
  if (kept->state == SUMS_READY)
    return *kept;
  struct body_sums sums = {SUMS_READY, 0, 0, 0};
  if (kept->state == SUMS_BUSY || binding->depth == MOST_DEPTH ||
      region == NONE) {
    sums.cost = sums.flops = sums.ops = NAN;
    return sums;
  }
  kept->state = SUMS_BUSY;
  binding->depth++;
  sum_region(binding, region, &sums);
  binding->depth--;
  *kept = sums;
  return sums;
}

static void
merge(struct body_sums *all, struct body_sums one, bool largest) {
  if (!largest) {
    all->cost += one.cost;
    all->flops += one.flops;
    all->ops += one.ops;
  } else if (!(all->cost >= one.cost)) {
    *all = one;
  }
}

struct body_sums
body_of(struct evaluation *e, bool largest) {
  const struct ir_module *module = e->module;
  struct body_sums all = {SUMS_READY, 0, 0, 0};
  bool any = false;
  for (region_id region = module->op_region[e->op]; region != NONE;
       region = module->region_next[region]) {
    merge(&all, sums_of(e->binding, region, &e->binding->regions[region]),
          largest && any);
    any = true;
  }
  uint32_t count;
  const struct ir_call *calls = ir_op_calls(module, e->op, &count);
  for (uint32_t i = 0; i < count; i++) {
    function_id callee = calls[i].callee;
    if (callee >= module->functions.count)
      continue;
    merge(&all,
          sums_of(e->binding, module->functions.data[callee].body,
                  &e->binding->functions[callee]),
          largest && any);
    any = true;
  }
  if (!any)
    all.cost = all.flops = all.ops = NAN;
  return all;
}
