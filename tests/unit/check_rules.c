/* check_rules.c - the parts of the rules language that no rules file shows:
 * units, the machine, built-in targets, implied types. */
#include "rules/decimal.h"
#include "rules/evaluate.h"
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <string.h>

/* --- units --- */

START_TEST(units_are_exact) {
  struct unit unit;
  ck_assert_uint_eq(unit_parse(TEXT("GB/s;"), &unit), 4);
  ck_assert(unit.times / unit.over == 1); /* bytes a nanosecond */
  ck_assert(dimension_equal(unit.dimension, DIMENSION_BANDWIDTH));
  ck_assert_uint_eq(unit_parse(TEXT("TFLOP/s"), &unit), 7);
  ck_assert(unit.times / unit.over == 1000);
  ck_assert_uint_eq(unit_parse(TEXT("KiB"), &unit), 3);
  ck_assert(unit.times == 1024);
  ck_assert_uint_eq(unit_parse(TEXT("% of"), &unit), 1);
  ck_assert(85 * unit.times / unit.over == 0.85);
  /* what follows is not a unit, so the bytes stand alone */
  ck_assert_uint_eq(unit_parse(TEXT("B/elements"), &unit), 1);
  ck_assert_uint_eq(unit_parse(TEXT("Bytes"), &unit), 0);
  ck_assert_uint_eq(unit_parse(TEXT("s2"), &unit), 0);
  ck_assert_str_eq(unit_nearest(TEXT("GiBi")), "GiB");
}
END_TEST

START_TEST(dimensions_are_named) {
  struct arena arena = {0};
  struct dimension d;
  ck_assert(dimension_combine(DIMENSION_WORK, DIMENSION_BANDWIDTH, -1, &d));
  ck_assert_str_eq(dimension_text(&arena, d), "FLOP·s/B");
  ck_assert_str_eq(dimension_text(&arena, DIMENSION_FREQUENCY), "1/s");
  ck_assert_str_eq(dimension_text(&arena, DIMENSION_PLAIN), "a plain number");
  ck_assert_str_eq(dimension_words(&arena, DIMENSION_TIME), "a time");
  for (int i = 0; i < 4; i++)
    dimension_combine(d, d, 1, &d);
  ck_assert(!dimension_combine(d, d, 1, &d));
  arena_empty(&arena);
}
END_TEST

START_TEST(numbers_do_not_depend_on_the_locale) {
  static const struct {
    const char *text;
    double number;
    uint32_t size;
  } cases[] = {{"13.5 ms", 13.5, 4},
               {"1_000", 1000, 5},
               {"-2.5e1 : f32", -25, 6},
               {"1e-3", 1e-3, 4},
               {"0.1", 0.1, 3},
               {"14.1 TFLOP", 14.1, 4},
               {"7e", 7, 1},
               {"7.", 7, 1},
               {"123456789012345678901234567890123456789012345",
                123456789012345678901234567890123456789012345.0, 45},
               {"0.000000000000000000000000000000000000000000001", 1e-45, 47},
               {"e5", 0, 0},
               {"", 0, 0}};
  double number = 0;
  /* a comma for a point, where the system has such a locale */
  setlocale(LC_ALL, "de_DE.UTF-8");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t size = decimal_read(text_of(cases[i].text), &number);
    ck_assert_uint_eq(size, cases[i].size);
    ck_assert(size == 0 || number == cases[i].number);
  }
  setlocale(LC_ALL, "C");
  ck_assert_uint_eq(decimal_read(TEXT("1e999"), &number), 5);
  ck_assert(isinf(number));
}
END_TEST

/* --- the machine --- */

/* Run OPCODE on A and B, with what it says of errors into *ERROR. */
static double
run(enum opcode opcode, double a, double b, enum evaluation_error *error) {
  double constants[] = {a, b};
  uint32_t code[] = {OPCODE_CONSTANT, OPCODE_CONSTANT | 1 << 8, opcode};
  uint32_t pops = (uint32_t)opcode_infos[opcode].pops;
  if (pops == 1)
    code[1] = opcode;
  struct rules rules = {.constants = constants, .code = code};
  struct evaluation evaluation = {.rules = &rules};
  double value = evaluate(&evaluation, (struct code){0, pops + 1});
  *error = evaluation.error;
  return value;
}

START_TEST(logarithms_are_exact_for_powers_of_two) {
  enum evaluation_error error;
  for (int i = -1000; i <= 1000; i++)
    ck_assert(run(OPCODE_LOG2, ldexp(1, i), 0, &error) == i);
  /* elsewhere as the C library has it, within its own error */
  for (double x = 1.1; x < 1e300; x *= 1.7) {
    double value = run(OPCODE_LOG2, x, 0, &error);
    ck_assert(fabs(value - log2(x)) <= 4e-16 * (1 + fabs(value)));
    ck_assert_int_eq(error, EVALUATION_FINE);
  }
}
END_TEST

START_TEST(rounding_is_that_of_whole_numbers) {
  enum evaluation_error error;
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 20000; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    uint64_t x = state % (UINT64_C(1) << 52), step = 1 + (state >> 50);
    uint64_t wanted = (x + step - 1) / step * step;
    ck_assert(run(OPCODE_ROUND_UP, (double)x, (double)step, &error) ==
              (double)wanted);
  }
}
END_TEST

START_TEST(errors_are_not_numbers) {
  enum evaluation_error error;
  ck_assert(isnan(run(OPCODE_DIVIDE, 1, 0, &error)));
  ck_assert_int_eq(error, EVALUATION_DIVISION_BY_ZERO);
  ck_assert(isnan(run(OPCODE_DIVIDE, 0, 0, &error)));
  ck_assert_int_eq(error, EVALUATION_DIVISION_BY_ZERO);
  ck_assert(isnan(run(OPCODE_ROUND_UP, 1, 0, &error)));
  ck_assert_int_eq(error, EVALUATION_DIVISION_BY_ZERO);
  ck_assert(isnan(run(OPCODE_MULTIPLY, 1e308, 10, &error)));
  ck_assert_int_eq(error, EVALUATION_OVERFLOW);
  ck_assert(isnan(run(OPCODE_SQRT, -1, 0, &error)));
  ck_assert_int_eq(error, EVALUATION_NEGATIVE_ROOT);
  ck_assert(isnan(run(OPCODE_LOG2, 0, 0, &error)));
  ck_assert_int_eq(error, EVALUATION_NEGATIVE_ROOT);
}
END_TEST

START_TEST(unknown_spreads_but_is_no_error) {
  static const enum opcode opcodes[] = {OPCODE_ADD, OPCODE_DIVIDE, OPCODE_LESS,
                                        OPCODE_MAX, OPCODE_SQRT,   OPCODE_NOT};
  enum evaluation_error error;
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
    ck_assert(isnan(run(opcodes[i], NAN, 0, &error)));
    ck_assert_int_eq(error, EVALUATION_FINE);
  }
  ck_assert(run(OPCODE_KNOWN, NAN, 3, &error) == 3);
  ck_assert(run(OPCODE_AND, NAN, 0, &error) == 0);
  ck_assert(isnan(run(OPCODE_AND, NAN, 1, &error)));
  ck_assert(run(OPCODE_OR, NAN, 1, &error) == 1);
  ck_assert(isnan(run(OPCODE_OR, NAN, 0, &error)));
}
END_TEST

/* --- attributes --- */

START_TEST(lists_are_read_in_every_spelling) {
  static const char *const spellings[] = {
      "[0, -1, 2]", "{0,-1,2}", "array<i64: 0, -1, 2>",
      "dense<[0, -1, 2]> : tensor<3xi64>", "0x-1x2"};
  int64_t numbers[4];
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    ck_assert_int_eq(attribute_list(text_of(spellings[i]), numbers, 4), 3);
    ck_assert(numbers[0] == 0 && numbers[1] == -1 && numbers[2] == 2);
  }
  ck_assert_int_eq(attribute_list(TEXT("[a]"), numbers, 4), -1);
  ck_assert_int_eq(attribute_list(TEXT("[0,1,2,3,4]"), numbers, 4), -1);
  ck_assert_int_eq(attribute_list(TEXT("[]"), numbers, 4), 0);
  double number;
  ck_assert(attribute_number(TEXT("true"), &number) && number == 1);
  ck_assert(attribute_number(TEXT("-2.5e1 : f32"), &number) && number == -25);
  ck_assert(!attribute_number(TEXT("e"), &number));
  ck_assert(!attribute_number(TEXT(""), &number));
  ck_assert(!attribute_number(TEXT("1e999"), &number));
}
END_TEST

/* --- targets --- */

START_TEST(targets_are_built_in) {
  ck_assert_uint_ge(rules_builtin_count(), 5);
  const struct rules *apple = rules_builtin("apple");
  ck_assert_ptr_nonnull(apple);
  ck_assert_ptr_null(rules_builtin("appel"));
  ck_assert_ptr_nonnull(rules_builtin(rules_default_target));
  uint32_t device = rules_device_find(apple, NULL);
  ck_assert_uint_eq(device, rules_device_find(apple, "m3-max"));
  ck_assert_uint_eq(rules_device_find(apple, "m3-mix"), NONE);
  double memory;
  ck_assert(rules_figure(apple, device, "memory", &memory));
  ck_assert(memory == 64.0 * (1 << 30));
  ck_assert(!rules_figure(apple, device, "memry", &memory));
  /* three quarters of 64 GiB are the driver's */
  ck_assert_uint_eq(rules_usable_bytes(apple, device), UINT64_C(48) << 30);
  ck_assert_str_eq(rules_class_name(apple, 0), "unknown");
}
END_TEST

START_TEST(hosts_are_memory_domains) {
  const struct rules *amd = rules_builtin("amd");
  uint32_t device = rules_device_find(amd, NULL);
  ck_assert_str_eq(rules_memory_domain(amd, device, 5), "host.space");
  ck_assert_ptr_null(rules_memory_domain(amd, device, 0));
  ck_assert_ptr_null(rules_memory_domain(amd, NONE, 5));
}
END_TEST

START_TEST(fusion_thresholds_are_the_targets_own) {
  const struct rules_fusion *fusion = rules_fusion(rules_builtin("apple"));
  ck_assert_uint_eq(fusion->depth, 24);
  ck_assert_uint_eq(fusion->reduce_length, 32);
  ck_assert(fusion->slack == 1.25);
  ck_assert_uint_eq(fusion->operands, 31); /* buffers of a Metal kernel */
}
END_TEST

/* A reader's parser, as far as the tests need it. */
static type_id
parse_type(void *user, struct text spelling) {
  struct type_table *table = user;
  static const uint64_t dims[] = {4, DIMENSION_DYNAMIC};
  struct type type = {.kind = TYPE_SCALAR, .spelling = spelling};
  if (text_starts(spelling, "tensor<4x?x")) {
    type.kind = TYPE_TENSOR;
    type.rank = 2;
    type.dims = dims;
    type.dtype = DTYPE_F32;
  }
  return type_enter(table, &type);
}

static const char *
implied(struct arena *arena, const char *name, const char *operand,
        const char *printed) {
  struct type_table *table = type_table_new(arena, STORAGE_PADDED);
  type_id operands[1], results[2];
  type_id printed_types[1];
  struct rules_implied_input input = {.operands = operands,
                                      .printed = printed_types,
                                      .operand_count = 1,
                                      .printed_count = printed != NULL,
                                      .parse = parse_type,
                                      .user = table};
  operands[0] = parse_type(table, text_of(operand));
  if (printed)
    printed_types[0] = parse_type(table, text_of(printed));
  int count = rules_implied_types(rules_builtin("generic"), table,
                                  text_of(name), &input, results, 1);
  if (count == IMPLIED_NOTHING)
    return "printed";
  if (count != 1)
    return "unknown";
  struct text text = type_get(table, results[0])->spelling;
  return arena_copy(arena, text.data, text.size);
}

START_TEST(types_that_are_not_printed) {
  struct arena arena = {0};
  const char *tensor = "tensor<4x?xf32>";
  ck_assert_str_eq(implied(&arena, "arith.cmpf", tensor, tensor),
                   "tensor<4x?xi1>");
  ck_assert_str_eq(implied(&arena, "arith.cmpi", "i32", "i32"), "i1");
  ck_assert_str_eq(implied(&arena, "tensor.extract", tensor, tensor), "f32");
  ck_assert_str_eq(implied(&arena, "tensor.dim", tensor, tensor), "index");
  ck_assert_str_eq(implied(&arena, "arith.addf", tensor, tensor), "printed");
  ck_assert_str_eq(implied(&arena, "no.such_op", tensor, tensor), "printed");
  arena_empty(&arena);
}
END_TEST

UNIT_MAIN("rules", units_are_exact, dimensions_are_named,
          numbers_do_not_depend_on_the_locale,
          logarithms_are_exact_for_powers_of_two,
          rounding_is_that_of_whole_numbers, errors_are_not_numbers,
          unknown_spreads_but_is_no_error, lists_are_read_in_every_spelling,
          targets_are_built_in, hosts_are_memory_domains,
          fusion_thresholds_are_the_targets_own, types_that_are_not_printed)
