/* The planner against tables of proved optima, where they lie beside the
 * checkout: exact.tsv by A* over resident sets, chains.tsv by the closed form
 * of binomial checkpointing.  An answer below one is a bug in the answer. */
#include "../tools/oracle.h"
#include "../tools/shapes.h"
#include "plan/planner.h"
#include "unit.h"

#define FOLDER "../shared/oracles"
enum { EVERY = 5 };

/* The table NAME, or NULL, said aloud. */
static FILE *
open_table(const char *name) {
  FILE *file = fopen(name, "r");
  if (!file)
    printf("skipped: %s is not there\n", name);
  return file;
}

START_TEST(small_graphs) {
  FILE *file = open_table(FOLDER "/exact.tsv");
  char line[512], name[256], path[512];
  unsigned rows = 0, cases = 0, optimal = 0;
  unsigned long long budget, optimum;
  struct plan_settings settings = plan_default_settings();
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%255s %llu %llu", name, &budget, &optimum) != 3 ||
        rows++ % EVERY)
      continue;
    struct arena arena = {0};
    struct plan_result result;
    snprintf(path, sizeof path, FOLDER "/graphs/%s", name);
    struct plan_problem *problem = oracle_read(path, &arena);
    ck_assert_ptr_nonnull(problem);
    cases++;
    if (plan_best(problem, budget, &settings, &result, &arena)) {
      ck_assert(plan_valid(problem, result.sequence));
      ck_assert_uint_le(result.figures.peak_bytes, budget);
      ck_assert_uint_ge(result.figures.cost_ns, optimum);
      ck_assert_uint_le(result.bound_cost_ns, optimum);
      optimal += result.figures.cost_ns == optimum;
    } else {
      ck_assert(!result.proved_infeasible);
    }
    arena_empty(&arena);
  }
  if (!file)
    return;
  fclose(file);
  ck_assert_uint_gt(cases, 80);
  ck_assert_uint_ge(optimal * 100, cases * 95);
}
END_TEST

START_TEST(training_chains) {
  FILE *file = open_table(FOLDER "/chains.tsv");
  char line[256];
  unsigned stages, cases = 0;
  unsigned long long budget, extra;
  struct plan_settings settings = plan_default_settings();
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "%u %llu %llu", &stages, &budget, &extra) != 3 ||
        stages > 200)
      continue;
    struct arena arena = {0};
    struct plan_problem *problem = shape_training_chain(stages, &arena);
    struct plan_result result;
    ck_assert(plan_best(problem, budget, &settings, &result, &arena));
    ck_assert(plan_valid(problem, result.sequence));
    ck_assert_uint_eq(result.figures.cost_ns, 2 * stages + extra);
    cases++;
    arena_empty(&arena);
  }
  if (!file)
    return;
  fclose(file);
  ck_assert_uint_gt(cases, 20);
}
END_TEST

/* A search of 3 seconds ends low whatever its seed: 42.01 percent is what a
 * prototype reached; with seeds 2 and 6 it once stalled at 42.13 and 45.08. */
START_TEST(search_depends_little_on_its_seed) {
  FILE *file = open_table(FOLDER "/graphs/unet.txt");
  static const uint64_t seeds[] = {2, 6};
  struct plan_settings settings = plan_default_settings();
  settings.search_seconds = 3;
  for (unsigned i = 0; file && i < 2; i++) {
    struct arena arena = {0};
    struct plan_problem *problem =
        oracle_read(FOLDER "/graphs/unet.txt", &arena);
    struct plan_figures before;
    struct plan_result result;
    ck_assert_ptr_nonnull(problem);
    plan_evaluate(problem, plan_program_order(problem, &arena), &before);
    settings.seed = seeds[i];
    ck_assert(
        plan_best(problem, before.peak_bytes / 4, &settings, &result, &arena));
    ck_assert_uint_le((result.figures.cost_ns - before.cost_ns) * 10000,
                      before.cost_ns * 4201);
    arena_empty(&arena);
  }
  if (file)
    fclose(file);
}
END_TEST

UNIT_MAIN("plan-oracles", small_graphs, training_chains,
          search_depends_little_on_its_seed)
