/* rules_speed.c - how long facts, sizes and costs of all ops take.
 *
 * usage: rules_speed DUMP [TARGET]
 *
 * Prints ops, and milliseconds of processor time for facts, for sizes of all
 * results, and for costs, the best of five rounds with a new binding each. */
#include "readers/reader.h"
#include "rules/rules.h"

#include <stdio.h>
#include <time.h>

static void
print_diagnostic(void *user, const struct diagnostic *diagnostic) {
  struct arena arena = {0};
  (void)user;
  fputs(diagnostic_render(&arena, diagnostic, DIAGNOSTIC_PLAIN), stdout);
  arena_empty(&arena);
}

static double
milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

struct times {
  double facts, sizes, costs;
};

static struct times
one_round(struct rules_binding *binding, const struct ir_module *module) {
  struct op_facts facts;
  uint64_t sum = 0;
  double begin = milliseconds();
  for (op_id op = 0; op < module->op_count; op++) {
    rules_facts(binding, op, &facts);
    sum += facts.flags;
  }
  double after_facts = milliseconds();
  for (value_id value = 0; value < module->value_count; value++)
    sum += rules_value_bytes(binding, value).bytes;
  double after_sizes = milliseconds();
  for (op_id op = 0; op < module->op_count; op++)
    sum += rules_op_cost(binding, op).ns;
  double after_costs = milliseconds();
  if (sum == 0)
    printf("nothing was found\n");
  return (struct times){after_facts - begin, after_sizes - after_facts,
                        after_costs - after_sizes};
}

static double
smaller(double a, double b) {
  return a < b ? a : b;
}

int
main(int argc, char **argv) {
  struct arena arena = {0};
  struct diagnostics diagnostics = {.sink = print_diagnostic};
  struct reader_options options = {.storage = STORAGE_PACKED};
  struct source source;
  struct times best = {1e9, 1e9, 1e9};
  const struct rules *rules =
      rules_builtin(argc > 2 ? argv[2] : rules_default_target);
  if (argc < 2 || !rules || source_open(&source, argv[1]) != SOURCE_OK)
    return 1;
  const struct ir_module *module =
      reader_read(&arena, &source, &options, &diagnostics);
  if (!module)
    return 1;
  for (int round = 0; round < 5; round++) {
    struct arena scratch = {0};
    struct times times =
        one_round(rules_bind(&scratch, &diagnostics, rules,
                             rules_device_find(rules, NULL), module),
                  module);
    best.facts = smaller(best.facts, times.facts);
    best.sizes = smaller(best.sizes, times.sizes);
    best.costs = smaller(best.costs, times.costs);
    arena_empty(&scratch);
  }
  printf("%u ops: facts %.1f ms, sizes %.1f ms, costs %.1f ms\n",
         module->op_count, best.facts, best.sizes, best.costs);
  arena_empty(&arena);
  source_close(&source);
  return 0;
}
