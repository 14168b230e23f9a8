/* check_options.c - values that options take, and those that they refuse. */
#include "passes/options.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static void
keep_message(void *user, const struct diagnostic *diagnostic) {
  char *message = user;
  snprintf(message, 256, "%s", diagnostic->message);
}

START_TEST(sizes) {
  static const struct {
    const char *text;
    uint64_t bytes;
  } good[] = {
      {"0", 0},
      {"1073741824", UINT64_C(1) << 30},
      {"40GiB", UINT64_C(40) << 30},
      {"512MB", UINT64_C(512000000)},
      {"1.5 KiB", 1536},
      {"1TB", UINT64_C(1000000000000)},
      {"0.25TiB", UINT64_C(1) << 38},
      {"18446744073709551615", UINT64_MAX},
  };
  static const char *const bad[] = {"",           "x",   "-1",
                                    "5 XB",       "GiB", "1e9",
                                    "12k",        "1G1", "18446744073709551616",
                                    "16777216TiB"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    uint64_t bytes = 1;
    ck_assert_msg(option_parse_size(text_of(good[i].text), &bytes), "%s",
                  good[i].text);
    ck_assert_uint_eq(bytes, good[i].bytes);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint64_t bytes;
    ck_assert_msg(!option_parse_size(text_of(bad[i]), &bytes), "%s", bad[i]);
  }
}
END_TEST

START_TEST(budgets) {
  struct arena arena = {0};
  struct diagnostics diagnostics = {0};
  struct options options;
  options_default(&options, &arena);
  ck_assert_int_eq(options.budget.unit, BUDGET_NOT_GIVEN);
  ck_assert(option_set(&options, &diagnostics, TEXT("budget"), "75%"));
  ck_assert_int_eq(options.budget.unit, BUDGET_OF_DEVICE);
  ck_assert_uint_eq(options.budget.share_ppm, 750000);
  ck_assert(option_set(&options, &diagnostics, TEXT("budget"), "12.5%peak"));
  ck_assert_int_eq(options.budget.unit, BUDGET_OF_PEAK);
  ck_assert_uint_eq(options.budget.share_ppm, 125000);
  ck_assert(option_set(&options, &diagnostics, TEXT("budget"), "25%temp"));
  ck_assert_int_eq(options.budget.unit, BUDGET_OF_TEMP);
  ck_assert(option_set(&options, &diagnostics, TEXT("budget"), "0"));
  ck_assert_int_eq(options.budget.unit, BUDGET_BYTES);
  ck_assert_uint_eq(options.budget.bytes, 0);
  ck_assert(option_set(&options, &diagnostics, TEXT("budget"), "3KiBtemp"));
  ck_assert_int_eq(options.budget.unit, BUDGET_TEMP_BYTES);
  ck_assert_uint_eq(options.budget.bytes, 3072);
  ck_assert(!option_set(&options, &diagnostics, TEXT("budget"), "temp"));
  ck_assert(!option_set(&options, &diagnostics, TEXT("budget"), "50%peek"));
  ck_assert(!option_set(&options, &diagnostics, TEXT("budget"), "%"));
  arena_empty(&arena);
}
END_TEST

START_TEST(choices) {
  struct arena arena = {0};
  char message[256] = "";
  struct diagnostics diagnostics = {.sink = keep_message, .user = message};
  struct options options;
  options_default(&options, &arena);
  static const struct {
    const char *name;
    enum strategy strategy;
  } strategies[] = {
      {"best", STRATEGY_BEST}, {"greedy", STRATEGY_GREEDY},
      {"gap", STRATEGY_GAP},   {"sim", STRATEGY_SIM},
      {"move", STRATEGY_MOVE}, {"none", STRATEGY_NONE},
  };
  for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
    ck_assert(option_set(&options, &diagnostics, TEXT("strategy"),
                         strategies[i].name));
    ck_assert_int_eq(options.strategy, strategies[i].strategy);
  }
  ck_assert(option_set(&options, &diagnostics, TEXT("trim"), "max"));
  ck_assert_int_eq(options.trim, TRIM_MAX);
  ck_assert(
      option_set(&options, &diagnostics, TEXT("memory-model"), "candidates"));
  ck_assert_int_eq(options.memory_model, MEMORY_CANDIDATES);
  ck_assert(option_set(&options, &diagnostics, TEXT("arguments"), "dead"));
  ck_assert_int_eq(options.arguments, ARGUMENTS_DEAD);
  ck_assert(!option_set(&options, &diagnostics, TEXT("trim"), "midpont"));
  ck_assert_str_eq(message,
                   "'midpont' is no value for --trim: expected one of "
                   "segment-midpoint|midpoint|max; did you mean 'midpoint'?");
  arena_empty(&arena);
}
END_TEST

START_TEST(mistakes) {
  struct arena arena = {0};
  char message[256] = "";
  struct diagnostics diagnostics = {.sink = keep_message, .user = message};
  struct options options;
  options_default(&options, &arena);
  ck_assert(!option_set(&options, &diagnostics, TEXT("budgt"), "1"));
  ck_assert_str_eq(message,
                   "unknown option '--budgt'; did you mean '--budget'?");
  ck_assert(!option_set(&options, &diagnostics, TEXT("budget"), NULL));
  ck_assert_str_eq(message, "--budget needs a value: --budget=SIZE");
  ck_assert(!option_set(&options, &diagnostics, TEXT("analyze"), "1"));
  ck_assert_str_eq(message, "--analyze takes no value");
  ck_assert(!option_set_flag(&options, &diagnostics, "verify-eech"));
  ck_assert_str_eq(message, "unknown option '-fverify-eech'; did you mean "
                            "'-fverify-each'?");
  ck_assert(!option_set(&options, &diagnostics, TEXT("param"), "x"));
  ck_assert(!option_set(&options, &diagnostics, TEXT("search"), "-1"));
  ck_assert(
      !option_set(&options, &diagnostics, TEXT("max-clone-expansion"), "-1"));
  arena_empty(&arena);
}
END_TEST

/* -fopt-info-missed alone hides the decisions that were taken; with
 * -fopt-info both are shown, in any order. */
START_TEST(remarks) {
  struct arena arena = {0};
  struct diagnostics diagnostics = {0};
  struct options options;
  options_default(&options, &arena);
  ck_assert(option_set_flag(&options, &diagnostics, "opt-info-missed"));
  ck_assert(diagnostics.remarks && diagnostics.off[DIAGNOSTIC_OPTIMIZED]);
  ck_assert(!diagnostics.off[DIAGNOSTIC_MISSED]);
  ck_assert(option_set_flag(&options, &diagnostics, "opt-info"));
  ck_assert(!diagnostics.off[DIAGNOSTIC_OPTIMIZED]);
  ck_assert(option_set_flag(&options, &diagnostics, "opt-info-missed"));
  ck_assert(!diagnostics.off[DIAGNOSTIC_OPTIMIZED]);
  arena_empty(&arena);
}
END_TEST

UNIT_MAIN("options", sizes, budgets, choices, mistakes, remarks)
