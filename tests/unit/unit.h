/* unit.h - a Check program in one line: UNIT_MAIN ("arena", test_a, test_b).
 *
 * Each test is a START_TEST; sanitizer runs set CK_FORK=no. */
#ifndef REMAT_TESTS_UNIT_H
#define REMAT_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

static inline int
unit_run(const char *name, const TTest *const *tests, size_t count) {
  Suite *suite = suite_create(name);
  TCase *cases = tcase_create(name);
  tcase_set_timeout(cases, 120);
  for (size_t i = 0; i < count; i++)
    tcase_add_test(cases, tests[i]);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN(name, ...)                                                   \
  int main(void) {                                                             \
    const TTest *const tests[] = {__VA_ARGS__};                                \
    return unit_run((name), tests, sizeof tests / sizeof *tests);              \
  }

#endif
