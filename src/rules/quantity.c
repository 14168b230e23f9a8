/* quantity.c - the value of each quantity of quantities.def for one op.
 *
 * Sizes of types first, then what is asked of one value, then what is asked
 * of the op.  What the dump does not say is "not known", with its name; a
 * dimension `?` is what the target's `dynamic dim` says, if it says it.  Each
 * takes time in the op's operands and dimensions, but for body_... whose sums
 * are kept by region. */
#include "rules/evaluate.h"

#include <math.h>
#include <string.h>

static const double unknown = NAN;

/* --- types --- */

/* What one dimension `?` counts as. */
static double
dynamic_extent(struct evaluation *e) {
  e->dynamic = true;
  if (e->rules->dynamic_policy != DYNAMIC_DIM)
    return not_known(e, "a dynamic dimension");
  double extent = evaluate(e, e->rules->dynamic);
  e->assumed |= !isnan(extent);
  return extent;
}

static double
extent_of(struct evaluation *e, const struct type *type, uint32_t index) {
  uint64_t dim = type->dims[index];
  return dim == DIMENSION_DYNAMIC ? dynamic_extent(e) : (double)dim;
}

/* Product of the dims of TYPE. */
static double
elements_of(struct evaluation *e, const struct type *type) {
  double elements = 1;
  if (!type->dynamic)
    return (double)type->elements;
  if (type->unranked) {
    e->dynamic = true;
    return not_known(e, "the rank of %.*s", (int)type->spelling.size,
                     type->spelling.data);
  }
  for (uint32_t i = 0; i < type->rank; i++)
    elements *= extent_of(e, type, i);
  return elements;
}

/* Bytes of one element of TYPE. */
static double
storage_of(struct evaluation *e, const struct type *type) {
  double bytes = e->rules->storage[type->dtype];
  if (!isnan(bytes))
    return bytes;
  if (type->element_bits)
    return type->element_bits / 8.0;
  return not_known(e, "the size of %.*s", (int)type->spelling.size,
                   type->spelling.data);
}

/* The same, worked out. */
static double
compute_bytes(struct evaluation *e, type_id id) {
  const struct type *type = type_get(e->module->types, id);
  double sum = 0;
  switch (type->kind) {
  case TYPE_SCALAR:
  case TYPE_TOKEN:
  case TYPE_FUNCTION:
    return 0;
  case TYPE_TUPLE:
    for (uint32_t i = 0; i < type->part_count; i++)
      sum += storage_bytes(e, type->parts[i]);
    return sum;
  case TYPE_UNKNOWN:
    return not_known(e, "the size of %.*s", (int)type->spelling.size,
                     type->spelling.data);
  default:
    return ceil(elements_of(e, type) * storage_of(e, type));
  }
}

double
storage_bytes(struct evaluation *e, type_id id) {
  double *kept =
      id < e->binding->type_count ? &e->binding->type_bytes[id] : NULL;
  if (kept && *kept >= 0)
    return *kept;
  double bytes = compute_bytes(e, id);
  if (kept && !type_get(e->module->types, id)->dynamic && !isnan(bytes))
    *kept = bytes;
  return bytes;
}

/* --- values --- */

/* The value that KIND and INDEX name, NONE where the op has no such. */
value_id
value_named(struct evaluation *e, enum value_kind kind, int32_t index) {
  const struct ir_module *module = e->module;
  if (e->op == NONE)
    return NONE;
  uint32_t count = kind == VALUE_OPERAND ? module->op_use_count[e->op]
                                         : module->op_result_count[e->op];
  if (kind == VALUE_CURRENT)
    index = (int32_t)e->result;
  if (index < 0)
    index += (int32_t)count;
  if (index < 0 || (uint32_t)index >= count)
    return NONE;
  return kind == VALUE_OPERAND ? ir_operand(module, e->op, (uint32_t)index)
                               : ir_result(module, e->op, (uint32_t)index);
}

const struct type *
type_named(struct evaluation *e, enum value_kind kind, int32_t index) {
  type_id type = TYPE_NONE;
  if (kind == VALUE_CURRENT && e->type != TYPE_NONE) {
    type = e->type;
  } else {
    value_id value = value_named(e, kind, index);
    if (value != NONE)
      type = e->module->value_type[value];
  }
  if (type != TYPE_NONE)
    return type_get(e->module->types, type);
  if (kind == VALUE_OPERAND)
    not_known(e, "operand %d, which is not there", index);
  else
    not_known(e, "result %d, which is not there",
              kind == VALUE_RESULT ? index : 0);
  return NULL;
}

static type_id
id_of(const struct evaluation *e, const struct type *type) {
  return (type_id)(type - e->module->types->types);
}

/* Dimension WANTED of TYPE, counted from the end where it is negative. */
static double
dimension_of(struct evaluation *e, const struct type *type, double wanted) {
  double index = wanted < 0 ? wanted + type->rank : wanted;
  if (isnan(wanted))
    return unknown;
  if (type->unranked)
    return elements_of(e, type);
  if (index < 0 || index >= type->rank || index != floor(index))
    return not_known(e, "dimension %g of %.*s, which has %u", wanted,
                     (int)type->spelling.size, type->spelling.data, type->rank);
  return extent_of(e, type, (uint32_t)index);
}

static double
rounded(double x, double step) {
  double rest = fmod(x, step);
  return rest == 0 ? x : x - rest + step;
}

/* Elements with the last two dims rounded up to multiples of A and B. */
static double
tiled(struct evaluation *e, const struct type *type, double a, double b) {
  double elements = 1;
  if (!(a >= 1) || !(b >= 1))
    return not_known(e, "a tile of that size");
  if (type->unranked)
    return elements_of(e, type);
  for (uint32_t i = 0; i < type->rank; i++) {
    double extent = extent_of(e, type, i);
    if (i + 1 == type->rank)
      extent = rounded(extent, b);
    else if (i + 2 == type->rank)
      extent = rounded(extent, a);
    elements *= extent;
  }
  return elements;
}

/* Elements with dimension INDEX rounded up to a multiple of BLOCK. */
static double
blocked(struct evaluation *e, const struct type *type, double index,
        double block) {
  double elements = elements_of(e, type);
  double extent = dimension_of(e, type, index);
  if (!(block >= 1))
    return not_known(e, "a block of that size");
  return extent == 0 ? 0 : elements / extent * rounded(extent, block);
}

/* --- the op --- */

static double
all_elements(struct evaluation *e, type_id id) {
  return elements_of(e, type_get(e->module->types, id));
}

/* The sum of MEASURE over the types of the operands of the op, or results. */
static double
sum_types(struct evaluation *e, bool operands,
          double (*measure)(struct evaluation *, type_id)) {
  const struct ir_module *module = e->module;
  double sum = 0;
  if (e->op == NONE)
    return not_known(e, "the op");
  uint32_t count =
      operands ? module->op_use_count[e->op] : module->op_result_count[e->op];
  for (uint32_t i = 0; i < count; i++) {
    value_id value =
        operands ? ir_operand(module, e->op, i) : ir_result(module, e->op, i);
    sum += measure(e, module->value_type[value]);
  }
  return sum;
}

static bool
any_dynamic(const struct evaluation *e) {
  const struct ir_module *module = e->module;
  if (e->op == NONE)
    return e->type != TYPE_NONE && type_get(module->types, e->type)->dynamic;
  for (uint32_t i = 0; i < module->op_use_count[e->op]; i++)
    if (ir_value_type(module, ir_operand(module, e->op, i))->dynamic)
      return true;
  for (uint32_t i = 0; i < module->op_result_count[e->op]; i++)
    if (ir_value_type(module, ir_result(module, e->op, i))->dynamic)
      return true;
  return false;
}

static bool
contains(struct text text, const char *what) {
  size_t size = strlen(what);
  for (uint32_t i = 0; i + size <= text.size; i++)
    if (memcmp(text.data + i, what, size) == 0)
      return true;
  return false;
}

/* Is the op of the forward (or BACKWARD) phase?  Producers say it in an
 * attribute; JAX leaves it in the names of HLO's metadata. */
static double
in_phase(struct evaluation *e, bool backward) {
  struct text text;
  if (attribute_valued(e, "tessera.autodiff.phase", &text))
    return text_is(text, backward ? "backward" : "forward");
  if (attribute_valued(e, "metadata", &text) && contains(text, "op_name")) {
    if (contains(text, "transpose(jvp("))
      return backward;
    if (contains(text, "jvp("))
      return !backward;
  }
  return not_known(e, "the phase of the op");
}

/* Has the op's iteration space a dimension that is summed over? */
static double
reduces(struct evaluation *e) {
  struct text text;
  if (!attribute_valued(e, "iterator_types", &text))
    return not_known(e, "the iterator types");
  return contains(text, "reduction");
}

static double
is_argument(struct evaluation *e, int32_t index) {
  value_id value = value_named(e, VALUE_OPERAND, index);
  if (value == NONE)
    return not_known(e, "operand %d, which is not there", index);
  op_id op = ir_value_op(e->module, value);
  return op == NONE ||
         (binding_entry(e->binding, op)->base.facts.flags & FACT_ARGUMENT) != 0;
}

double
is_constant(struct evaluation *e, int32_t index) {
  value_id value = value_named(e, VALUE_OPERAND, index);
  if (value == NONE)
    return not_known(e, "operand %d, which is not there", index);
  op_id op = ir_value_op(e->module, value);
  return op != NONE &&
         (binding_entry(e->binding, op)->base.facts.flags & FACT_CONSTANT) != 0;
}

/* A formula of the facts; its current value is result 0. */
static double
formula(struct evaluation *e, struct code code) {
  type_id type = e->type;
  uint32_t result = e->result;
  e->type = TYPE_NONE;
  e->result = 0;
  double value = evaluate(e, code);
  e->type = type;
  e->result = result;
  return value;
}

static double
flops_of(struct evaluation *e) {
  const struct resolved *facts = evaluation_facts(e);
  if (!facts->flops.count)
    return not_known(e, "flops, for which no facts give a formula");
  return formula(e, facts->flops);
}

static double
moved_of(struct evaluation *e) {
  const struct resolved *facts = evaluation_facts(e);
  if (facts->moved.count)
    return formula(e, facts->moved);
  return sum_types(e, true, storage_bytes) + sum_types(e, false, storage_bytes);
}

static double
body_quantity(struct evaluation *e, enum quantity quantity) {
  struct body_sums sums = body_of(e, quantity == QUANTITY_BRANCH_COST);
  double value = quantity == QUANTITY_BODY_FLOPS ? sums.flops
                 : quantity == QUANTITY_BODY_OPS ? sums.ops
                                                 : sums.cost;
  return isnan(value) ? not_known(e, "%s", quantity_infos[quantity].name)
                      : value;
}

/* --- expect lines --- */

static double
answer_of(struct evaluation *e, enum quantity quantity, enum value_kind kind,
          int32_t index) {
  uint64_t workspace, carried;
  if (quantity == QUANTITY_COST) {
    struct rules_cost cost = rules_op_cost(e->binding, e->op);
    return cost.policy == POLICY_UNKNOWN || cost.policy == POLICY_NEVER
               ? not_known(e, "the cost")
               : (double)cost.ns;
  }
  if (quantity == QUANTITY_SIZE) {
    value_id value = value_named(e, kind, index);
    if (value == NONE)
      return not_known(e, "that value");
    struct rules_size size = rules_value_bytes(e->binding, value);
    return size.known == KNOWN_NOT ? not_known(e, "%s", size.missing)
                                   : (double)size.bytes;
  }
  rules_workspace(e->binding, e->op, &workspace, &carried);
  return quantity == QUANTITY_SCRATCH ? (double)workspace : (double)carried;
}

/* --- all of them --- */

static double
contraction_quantity(struct evaluation *e, enum quantity quantity) {
  contraction_find(e);
  const struct contraction *c = &e->contraction;
  double value = quantity == QUANTITY_CONTRACTED         ? c->contracted
                 : quantity == QUANTITY_VALID_CONTRACTED ? c->valid
                 : quantity == QUANTITY_BATCH            ? c->batch
                 : quantity == QUANTITY_ROWS             ? c->rows
                 : quantity == QUANTITY_COLUMNS          ? c->columns
                 : quantity == QUANTITY_WINDOW           ? c->window
                 : quantity == QUANTITY_TURNED           ? c->turned
                                                         : c->groups;
  return isnan(value) ? not_known(e, "%s", quantity_infos[quantity].name)
                      : value;
}

static double
of_value(struct evaluation *e, enum quantity quantity, enum value_kind kind,
         int32_t index, const double *arguments) {
  const struct type *type = type_named(e, kind, index);
  const struct type *current;
  if (!type)
    return unknown;
  switch (quantity) {
  case QUANTITY_BYTES:
    return storage_bytes(e, id_of(e, type));
  case QUANTITY_ELEMENTS:
    return elements_of(e, type);
  case QUANTITY_RANK:
    return type->unranked ? elements_of(e, type) : type->rank;
  case QUANTITY_STORAGE:
    return storage_of(e, type);
  case QUANTITY_SPACE:
    return type->memory_space;
  case QUANTITY_DTYPE:
    return type->dtype;
  case QUANTITY_DIM:
    return dimension_of(e, type, arguments[0]);
  case QUANTITY_TILED:
    return tiled(e, type, arguments[0], arguments[1]);
  case QUANTITY_BLOCKED:
    return blocked(e, type, arguments[0], arguments[1]);
  case QUANTITY_SAME_BYTES:
    current = type_named(e, VALUE_CURRENT, 0);
    return current ? storage_bytes(e, id_of(e, type)) ==
                         storage_bytes(e, id_of(e, current))
                   : unknown;
  default:
    current = type_named(e, VALUE_CURRENT, 0);
    return current ? same_type(type, current) : unknown;
  }
}

static double
of_op(struct evaluation *e, enum quantity quantity) {
  switch (quantity) {
  case QUANTITY_IN_BYTES:
  case QUANTITY_OUT_BYTES:
    return sum_types(e, quantity == QUANTITY_IN_BYTES, storage_bytes);
  case QUANTITY_IN_ELEMENTS:
  case QUANTITY_OUT_ELEMENTS:
    return sum_types(e, quantity == QUANTITY_IN_ELEMENTS, all_elements);
  case QUANTITY_OPERANDS:
    return e->op == NONE ? 0 : e->module->op_use_count[e->op];
  case QUANTITY_RESULTS:
    return e->op == NONE ? 0 : e->module->op_result_count[e->op];
  case QUANTITY_STATIC:
  case QUANTITY_DYNAMIC:
    return any_dynamic(e) == (quantity == QUANTITY_DYNAMIC);
  default:
    break;
  }
  if (e->op == NONE)
    return not_known(e, "the op");
  switch (quantity) {
  case QUANTITY_MOVED:
    return moved_of(e);
  case QUANTITY_FLOPS:
    return flops_of(e);
  case QUANTITY_TRIP:
    return trip_count(e);
  case QUANTITY_ITERATIONS:
    return contraction_iterations(e);
  case QUANTITY_BODY_COST:
  case QUANTITY_BRANCH_COST:
  case QUANTITY_BODY_FLOPS:
  case QUANTITY_BODY_OPS:
    return body_quantity(e, quantity);
  case QUANTITY_FORWARD:
  case QUANTITY_BACKWARD:
    return in_phase(e, quantity == QUANTITY_BACKWARD);
  case QUANTITY_KEEPS_ORDER:
    return keeps_order(e);
  case QUANTITY_REDUCES:
    return reduces(e);
  default:
    return contraction_quantity(e, quantity);
  }
}

static double
any_quantity(struct evaluation *e, enum quantity quantity, enum value_kind kind,
             int32_t index, const double *arguments) {
  const struct quantity_info *info = &quantity_infos[quantity];
  if (info->context == CONTEXT_EXPECT)
    return answer_of(e, quantity, kind, index);
  if (quantity == QUANTITY_IS_ARGUMENT)
    return is_argument(e, index);
  if (quantity == QUANTITY_IS_CONSTANT)
    return is_constant(e, index);
  return info->of == OF_OP ? of_op(e, quantity)
                           : of_value(e, quantity, kind, index, arguments);
}

double
quantity_value(struct evaluation *e, enum quantity quantity,
               enum value_kind kind, int32_t index, const double *arguments) {
  if (!e->module)
    return not_known(e, "%s", quantity_infos[quantity].name);
  if (!e->trace || e->tracing)
    return any_quantity(e, quantity, kind, index, arguments);
  e->tracing = true;
  double value = any_quantity(e, quantity, kind, index, arguments);
  e->tracing = false;
  trace_quantity(e, quantity, kind, index, value);
  return value;
}

void
quantity_text(struct evaluation *e, enum quantity quantity) {
  struct text name = e->op == NONE ? TEXT("") : ir_op_name(e->module, e->op);
  const char *dot = name.size ? memchr(name.data, '.', name.size) : NULL;
  e->text_found = true;
  switch (quantity) {
  case QUANTITY_FORMAT:
    e->text = text_of(e->module->format->name);
    break;
  case QUANTITY_DIALECT:
    e->text = (struct text){name.data, dot ? (uint32_t)(dot - name.data) : 0};
    break;
  case QUANTITY_DEVICE:
    e->text = e->device == NONE
                  ? TEXT("")
                  : text_of(rules_device_name(e->rules, e->device));
    break;
  default:
    e->text = name;
    break;
  }
}
