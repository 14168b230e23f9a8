/* evaluate.c - the machine that runs compiled expressions.
 *
 * A stack of STACK_DEPTH doubles, no allocation, one pass over the code.  NaN
 * on the stack is "unknown" and spreads; a NaN or an infinity that arithmetic
 * makes is an error instead, so the two cannot be taken for each other.
 * Logarithms are worked out here: the C library's differ between machines. */
#include "rules/evaluate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double unknown = NAN;

const char *
evaluation_error_text(enum evaluation_error error) {
  static const char *const texts[] = {
      "no error", "division by zero", "the value is too large",
      "root or logarithm of a number that is not positive",
      "the value is negative"};
  return texts[error];
}

double
not_known(struct evaluation *evaluation, const char *format, ...) {
  if (!evaluation->missing[0]) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(evaluation->missing, sizeof evaluation->missing, format,
              arguments);
    va_end(arguments);
  }
  return unknown;
}

static double
fail(struct evaluation *evaluation, enum evaluation_error error) {
  if (evaluation->error == EVALUATION_FINE)
    evaluation->error = error;
  return unknown;
}

/* VALUE, which arithmetic on known numbers made. */
static double
checked(struct evaluation *evaluation, double value) {
  return isfinite(value) ? value : fail(evaluation, EVALUATION_OVERFLOW);
}

/* The base-2 logarithm of X > 0, exact for powers of two: ln(m) = 2 atanh(t)
 * with t = (m - 1) / (m + 1), |t| < 0.172, so eleven terms are enough. */
static double
logarithm(double x) {
  enum { TERMS = 11 };
  int exponent;
  double mantissa = frexp(x, &exponent);
  if (mantissa == 0.5)
    return exponent - 1;
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    exponent--;
  }
  double t = (mantissa - 1) / (mantissa + 1), sum = 0;
  for (int k = TERMS; k >= 0; k--)
    sum = sum * t * t + 1.0 / (2 * k + 1);
  return exponent + 2 * t * sum / 0.69314718055994531;
}

static double
round_up(struct evaluation *evaluation, double x, double step) {
  if (step == 0)
    return fail(evaluation, EVALUATION_DIVISION_BY_ZERO);
  double rest = fmod(x, step);
  if (rest == 0)
    return x;
  return checked(evaluation, x - rest + (x > 0 ? fabs(step) : 0));
}

/* One operand, which is known. */
static double
unary(struct evaluation *evaluation, enum opcode opcode, double x) {
  switch (opcode) {
  case OPCODE_NEGATE:
    return -x;
  case OPCODE_NOT:
    return x == 0;
  case OPCODE_CEIL:
    return ceil(x);
  case OPCODE_FLOOR:
    return floor(x);
  case OPCODE_LOG2:
    return x > 0 ? logarithm(x) : fail(evaluation, EVALUATION_NEGATIVE_ROOT);
  case OPCODE_SQRT:
    return x >= 0 ? sqrt(x) : fail(evaluation, EVALUATION_NEGATIVE_ROOT);
  case OPCODE_IS_FLOAT:
    return dtype_infos[(int)x].class == DTYPE_CLASS_FLOAT;
  case OPCODE_IS_INTEGER:
    return dtype_infos[(int)x].class == DTYPE_CLASS_INTEGER ||
           dtype_infos[(int)x].class == DTYPE_CLASS_UNSIGNED;
  case OPCODE_IS_COMPLEX:
    return dtype_infos[(int)x].class == DTYPE_CLASS_COMPLEX;
  case OPCODE_IS_QUANTIZED:
    return (int)x == DTYPE_QUANTIZED;
  case OPCODE_BITS:
    if (!dtype_infos[(int)x].bits)
      return not_known(evaluation, "the width of the element type");
    return dtype_infos[(int)x].bits;
  default:
    return unknown;
  }
}

/* Two operands that are known. */
static double
binary(struct evaluation *evaluation, enum opcode opcode, double a, double b) {
  switch (opcode) {
  case OPCODE_ADD:
    return checked(evaluation, a + b);
  case OPCODE_SUBTRACT:
    return checked(evaluation, a - b);
  case OPCODE_MULTIPLY:
    return checked(evaluation, a * b);
  case OPCODE_DIVIDE:
    return b == 0 ? fail(evaluation, EVALUATION_DIVISION_BY_ZERO)
                  : checked(evaluation, a / b);
  case OPCODE_EQUAL:
    return a == b;
  case OPCODE_UNEQUAL:
    return a != b;
  case OPCODE_LESS:
    return a < b;
  case OPCODE_LESS_EQUAL:
    return a <= b;
  case OPCODE_MIN:
    return a < b ? a : b;
  case OPCODE_MAX:
    return a > b ? a : b;
  case OPCODE_ROUND_UP:
    return round_up(evaluation, a, b);
  default:
    return unknown;
  }
}

/* `and` and `or`: what is known may decide alone. */
static double
connect(enum opcode opcode, double a, double b) {
  double deciding = opcode == OPCODE_OR;
  if (a == deciding || b == deciding)
    return deciding;
  return isnan(a) || isnan(b) ? unknown : 1 - deciding;
}

static double
table_value(struct evaluation *evaluation, uint32_t table, double dtype,
            double fallback) {
  const struct rules *rules = evaluation->rules;
  const double *row =
      rules->table_values +
      ((size_t)evaluation->device * rules->table_count + table) * TABLE_WIDTH;
  double value = unknown;
  if (!isnan(dtype))
    value = row[(int)dtype];
  if (isnan(value) && !isnan(fallback))
    value = row[(int)fallback];
  if (isnan(value))
    value = row[DTYPE_COUNT];
  if (isnan(value))
    return not_known(evaluation, "%s of this element type",
                     rules->strings[rules->tables[table]]);
  return value;
}

/* Linear between points, constant before the first, the last slope after. */
static double
curve_value(struct evaluation *evaluation, uint32_t curve, double x) {
  const struct rules *rules = evaluation->rules;
  struct integers range =
      rules->curve_ranges[(size_t)evaluation->device * rules->curve_count +
                          curve];
  const struct curve_point *points = rules->points + range.first;
  uint32_t i = 1;
  if (range.count == 0)
    return not_known(evaluation, "curve %s",
                     rules->strings[rules->curves[curve]]);
  if (x <= points[0].x || range.count == 1)
    return points[0].y;
  while (i + 1 < range.count && x > points[i].x)
    i++;
  double slope =
      (points[i].y - points[i - 1].y) / (points[i].x - points[i - 1].x);
  return checked(evaluation, points[i - 1].y + slope * (x - points[i - 1].x));
}

static double
figure_value(struct evaluation *evaluation, uint32_t figure) {
  const struct rules *rules = evaluation->rules;
  double value =
      rules->figure_values[(size_t)evaluation->device * rules->figure_count +
                           figure];
  if (isnan(value))
    return not_known(evaluation, "figure %s of the device",
                     rules->strings[rules->figures[figure].name]);
  return value;
}

static double
attribute_value(struct evaluation *evaluation, uint32_t string) {
  const char *name = evaluation->rules->strings[string];
  struct text text;
  double number;
  if (!attribute_text(evaluation, name, &text) ||
      !attribute_number(text, &number))
    return not_known(evaluation, "attribute %s", name);
  return number;
}

static double
text_is_list(struct evaluation *evaluation, uint32_t list) {
  enum { MOST = 64 };
  const struct rules *rules = evaluation->rules;
  struct integers wanted = rules->lists[list];
  int64_t numbers[MOST];
  int count = attribute_list(evaluation->text, numbers, MOST);
  if (!evaluation->text_found || count != (int)wanted.count)
    return 0;
  for (int i = 0; i < count; i++)
    if (numbers[i] != rules->integers[wanted.first + (uint32_t)i])
      return 0;
  return 1;
}

static double
quantity_of(struct evaluation *evaluation, uint32_t argument,
            const double *arguments) {
  enum quantity quantity = (enum quantity)(argument & 0xff);
  enum value_kind kind = (enum value_kind)(argument >> 8 & 3);
  int32_t index = (int32_t)(argument >> 10) - VALUE_INDEX_BIAS;
  return quantity_value(evaluation, quantity, kind, index, arguments);
}

/* Instructions that look at the op or the device. */
static double
look_up(struct evaluation *evaluation, enum opcode opcode, uint32_t argument,
        const double *stack) {
  const struct rules *rules = evaluation->rules;
  struct text text;
  double number;
  switch (opcode) {
  case OPCODE_CONSTANT:
    return rules->constants[argument];
  case OPCODE_FIGURE:
    number = figure_value(evaluation, argument);
    if (evaluation->trace)
      trace_figure(evaluation, argument, number);
    return number;
  case OPCODE_TABLE:
  case OPCODE_TABLE_OR:
    number = table_value(evaluation, argument, stack[0],
                         opcode == OPCODE_TABLE ? unknown : stack[1]);
    if (evaluation->trace)
      trace_table(evaluation, argument, stack[0], number);
    return number;
  case OPCODE_CURVE:
    return isnan(stack[0]) ? unknown
                           : curve_value(evaluation, argument, stack[0]);
  case OPCODE_FEATURE:
    return rules
        ->feature_values[(size_t)evaluation->device * rules->feature_count +
                         argument];
  case OPCODE_ATTRIBUTE:
    return attribute_value(evaluation, argument);
  case OPCODE_HAS_ATTRIBUTE:
    return attribute_text(evaluation, rules->strings[argument], &text);
  case OPCODE_TEXT_EQUAL:
    return evaluation->text_found &&
           text_is(evaluation->text, rules->strings[argument]);
  case OPCODE_TEXT_LIKE:
    return evaluation->text_found &&
           text_glob(text_of(rules->strings[argument]), evaluation->text);
  case OPCODE_TEXT_NUMBER:
    return evaluation->text_found &&
           attribute_number(evaluation->text, &number) && number == stack[0];
  case OPCODE_TEXT_LIST:
    return text_is_list(evaluation, argument);
  default:
    return quantity_of(evaluation, argument, stack);
  }
}

static void
load_text(struct evaluation *evaluation, enum opcode opcode,
          uint32_t argument) {
  if (opcode == OPCODE_LOAD_ATTRIBUTE && evaluation->text_attribute == argument)
    return;
  evaluation->text_attribute =
      opcode == OPCODE_LOAD_ATTRIBUTE ? argument : NONE;
  if (opcode == OPCODE_LOAD_QUANTITY)
    quantity_text(evaluation, (enum quantity)argument);
  else
    evaluation->text_found = attribute_text(
        evaluation, evaluation->rules->strings[argument], &evaluation->text);
}

static double
overlap(struct evaluation *evaluation, const double *v) {
  if (isnan(v[0]) || isnan(v[1]) || isnan(v[2]))
    return unknown;
  return checked(evaluation, v[1] + v[2] - v[0] * (v[1] < v[2] ? v[1] : v[2]));
}

/* What OPCODE makes of the values V that it pops. */
static double
compute(struct evaluation *evaluation, enum opcode opcode, uint32_t argument,
        const double *v) {
  if (opcode == OPCODE_QUANTITY)
    return quantity_of(evaluation, argument, NULL);
  if (opcode < OPCODE_NEGATE)
    return look_up(evaluation, opcode, argument, v);
  if (opcode == OPCODE_AND || opcode == OPCODE_OR)
    return connect(opcode, v[0], v[1]);
  if (opcode == OPCODE_OVERLAP)
    return overlap(evaluation, v);
  if (opcode == OPCODE_KNOWN)
    return isnan(v[0]) ? v[1] : v[0];
  if (opcode_infos[opcode].pops == 1)
    return isnan(v[0]) ? unknown : unary(evaluation, opcode, v[0]);
  if (isnan(v[0]) || isnan(v[1]))
    return unknown;
  return binary(evaluation, opcode, v[0], v[1]);
}

/* The most frequent instructions, done at once: STACK ends with its top.
 * Returns the new depth, or 0 where this one is not so simple, or its result
 * no number. */
static inline uint32_t
simple(const struct evaluation *evaluation, uint32_t word, double *stack,
       uint32_t depth) {
  const struct rules *rules = evaluation->rules;
  uint32_t argument = word >> 8;
  double value;
  switch ((enum opcode)(word & 0xff)) {
  case OPCODE_CONSTANT:
    stack[depth] = rules->constants[argument];
    return depth + 1;
  case OPCODE_FIGURE:
    value = rules->figure_values[evaluation->device * rules->figure_count +
                                 argument];
    if (evaluation->trace || isnan(value))
      return 0;
    stack[depth] = value;
    return depth + 1;
  case OPCODE_ADD:
    value = stack[depth - 2] + stack[depth - 1];
    break;
  case OPCODE_SUBTRACT:
    value = stack[depth - 2] - stack[depth - 1];
    break;
  case OPCODE_MULTIPLY:
    value = stack[depth - 2] * stack[depth - 1];
    break;
  case OPCODE_DIVIDE:
    if (stack[depth - 1] == 0)
      return 0;
    value = stack[depth - 2] / stack[depth - 1];
    break;
  default:
    return 0;
  }
  if (!isfinite(value))
    return 0;
  stack[depth - 2] = value;
  return depth - 1;
}

/* BRANCH at AT, whose condition is CONDITION: where to go on.  An unknown one
 * takes neither way; *UNKNOWN_VALUE says that its value is to be pushed. */
static uint32_t
branch(const uint32_t *at, uint32_t pc, double condition, bool *unknown_value) {
  uint32_t other = at[pc] >> 8;
  *unknown_value = isnan(condition);
  if (*unknown_value)
    return at[other - 1] >> 8; /* where the JUMP before it goes */
  return condition == 0 ? other : pc + 1;
}

double
evaluate(struct evaluation *evaluation, struct code code) {
  const uint32_t *at = evaluation->rules->code + code.first;
  double stack[STACK_DEPTH];
  uint32_t depth = 0, pc = 0;
  while (pc < code.count) {
    enum opcode opcode = (enum opcode)(at[pc] & 0xff);
    uint32_t argument = at[pc] >> 8;
    uint32_t after = simple(evaluation, at[pc], stack, depth);
    bool unknown_value;
    if (after) {
      depth = after;
      pc++;
      continue;
    }
    if (opcode == OPCODE_JUMP) {
      pc = argument;
      continue;
    }
    if (opcode == OPCODE_BRANCH) {
      pc = branch(at, pc, stack[--depth], &unknown_value);
      if (unknown_value)
        stack[depth++] = unknown;
      continue;
    }
    if (opcode == OPCODE_LOAD_ATTRIBUTE || opcode == OPCODE_LOAD_QUANTITY) {
      load_text(evaluation, opcode, argument);
    } else {
      depth -= (uint32_t)opcode_infos[opcode].pops;
      stack[depth] = compute(evaluation, opcode, argument, stack + depth);
      depth++;
    }
    if (evaluation->error != EVALUATION_FINE)
      return unknown;
    pc++;
  }
  return depth ? stack[0] : unknown;
}

bool
evaluate_guard(struct evaluation *evaluation, struct code code) {
  if (code.count == 0)
    return true;
  /* What a guard does not know is no reason for the rule's answer. */
  char missing = evaluation->missing[0];
  double value = evaluate(evaluation, code);
  if (!missing)
    evaluation->missing[0] = '\0';
  return value == 1;
}
