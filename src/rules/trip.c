/* trip.c - how often a loop runs its body.
 *
 *   scf.for %i = %from to %to step %step      constants stand behind these
 *   affine.for %i = 0 to 16 step 2            written out
 *   "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, ...
 *   while ... {"known_trip_count":{"n":"4"}}
 *
 * What the rules say comes first, then the dump's own words, then what was
 * told of the op (rules_tell_trips). */
#include "rules/evaluate.h"
#include "rules/decimal.h"

#include <math.h>
#include <string.h>

/* The text of OP behind its name. */
static struct text
behind_name(const struct ir_module *module, op_id op) {
  struct text text = source_text(module->source, ir_op_span(module, op));
  struct text name = ir_op_name(module, op);
  const char *end = text.data + text.size;
  const char *at = text.size && name.size
                       ? memmem(text.data, text.size, name.data, name.size)
                       : NULL;
  at = at ? at + name.size : end;
  return (struct text){at, (uint32_t)(end - at)};
}

/* TEXT behind spaces. */
static struct text
trimmed(struct text text) {
  while (text.size && *text.data == ' ')
    text = (struct text){text.data + 1, text.size - 1};
  return text;
}

/* If TEXT begins with WORD and a number: take them off. */
static bool
take_number(struct text *text, const char *word, double *number) {
  struct text rest = trimmed(*text);
  uint32_t size = (uint32_t)strlen(word);
  if (!text_starts(rest, word))
    return false;
  rest = trimmed((struct text){rest.data + size, rest.size - size});
  size = decimal_read(rest, number);
  *text = (struct text){rest.data + size, rest.size - size};
  return size != 0;
}

/* The number that the constant behind operand INDEX holds. */
static bool
constant_operand(struct evaluation *e, int32_t index, double *number) {
  value_id value = value_named(e, VALUE_OPERAND, index);
  if (value == NONE || is_constant(e, index) != 1)
    return false;
  struct evaluation other = *e;
  other.op = ir_value_op(e->module, value);
  other.keys_known = false;
  struct text text;
  if (attribute_valued(&other, "value", &text))
    return attribute_number(text, number);
  return attribute_number(trimmed(behind_name(e->module, other.op)), number);
}

/* The number N of attribute NAME, "affine_map<() -> (N)>". */
static bool
constant_map(struct evaluation *e, const char *name, double *number) {
  struct text text;
  if (!attribute_text(e, name, &text))
    return false;
  const char *arrow = text_find(text, "->");
  if (!arrow)
    return false;
  text.size -= (uint32_t)(arrow - text.data);
  text.data = arrow;
  return take_number(&text, "-> (", number) && text_starts(text, ")");
}

/* Bounds that are written in the op itself. */
static bool
written_bounds(struct evaluation *e, double *from, double *to, double *step) {
  struct text text = behind_name(e->module, e->op), attribute;
  *step = 1;
  if (e->module->op_flags[e->op] & OP_GENERIC)
    return constant_map(e, "lowerBoundMap", from) &&
           constant_map(e, "upperBoundMap", to) &&
           attribute_text(e, "step", &attribute) &&
           attribute_number(attribute, step);
  const char *equal = text.size ? memchr(text.data, '=', text.size) : NULL;
  if (!equal)
    return false;
  text.size -= (uint32_t)(equal - text.data);
  text.data = equal;
  if (!take_number(&text, "=", from) || !take_number(&text, "to", to))
    return false;
  take_number(&text, "step", step);
  return true;
}

double
trip_count(struct evaluation *e) {
  const struct resolved *facts = evaluation_facts(e);
  struct text text;
  double number, from, to, step;
  if (facts->trip.count) {
    number = evaluate(e, facts->trip);
    if (!isnan(number) || e->error != EVALUATION_FINE)
      return number;
  }
  if (attribute_text(e, "known_trip_count", &text) &&
      attribute_number(text, &number))
    return number;
  bool bounded = facts->facts.carries_operand == 3
                     ? constant_operand(e, 0, &from) &&
                           constant_operand(e, 1, &to) &&
                           constant_operand(e, 2, &step)
                     : facts->facts.body == BODY_LOOP &&
                           written_bounds(e, &from, &to, &step);
  if (bounded && step > 0)
    return to > from ? ceil((to - from) / step) : 0;
  const uint64_t *told = e->binding ? e->binding->trips : NULL;
  return told && told[e->op] ? (double)told[e->op]
                             : not_known(e, "the trip count");
}

void
rules_tell_trips(struct rules_binding *binding, const uint64_t *trips) {
  binding->trips = trips;
}
