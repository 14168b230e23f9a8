/* plan_bench.c - time and memory of single planners on large shapes.
 *
 * usage: plan_bench SHAPE NODES PERCENT {gap|walk|best}
 * Prints nodes, budget, extra cost in percent, emitted by input ops, seconds
 * for planning and for elimination, and the peak of resident memory. */
#include "plan/planner.h"
#include "plan/portfolio.h"
#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* Of this process: a busy machine does not count. */
static double
seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Run the planner NAME; false where nothing fits.  TOOK gets the seconds of
 * planning and of elimination. */
static bool
run_planner(const struct plan_problem *problem, const char *name,
            uint64_t budget, struct plan_sequence *sequence, double took[2],
            struct arena *arena) {
  struct plan_settings settings = plan_default_settings();
  double start = seconds();
  bool fits;
  if (!strcmp(name, "best")) {
    struct plan_result result;
    fits = plan_best(problem, budget, &settings, &result, arena);
    *sequence = result.sequence;
    took[0] = seconds() - start;
    return fits;
  }
  struct plan_goal goal = {
      .budget_bytes = budget,
      .most_instances = problem->node_count * 3,
  };
  settings.eliminate = false;
  fits = plan_decode(problem, &goal, &settings,
                     !strcmp(name, "gap") ? 0 : PLAN_GAP_DECODERS, sequence,
                     arena);
  took[0] = seconds() - start;
  if (fits)
    plan_eliminate(problem, budget, PLAN_BY_AREA, sequence);
  took[1] = seconds() - start - took[0];
  return fits;
}

int
main(int count, char **arguments) {
  struct arena arena = {0};
  struct plan_problem *problem =
      count == 5
          ? shape_named(arguments[1], (uint32_t)atoi(arguments[2]), &arena)
          : NULL;
  if (!problem) {
    fprintf(stderr,
            "usage: plan_bench {transformer|chain|sinks|random|training} "
            "NODES PERCENT {gap|walk|best}\n");
    return 2;
  }
  struct plan_figures before, after = {0};
  plan_evaluate(problem, plan_program_order(problem, &arena), &before);
  uint64_t budget =
      (uint64_t)((double)before.peak_bytes * atof(arguments[3]) / 100);
  struct plan_sequence sequence = {0};
  double took[2] = {0};
  bool fits =
      run_planner(problem, arguments[4], budget, &sequence, took, &arena);
  if (fits)
    plan_evaluate(problem, sequence, &after);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%-12s %8u %5s%% %-4s %s extra %7.2f%% ops %6.4f  %6.3f + %6.3f s  "
         "%ld MB\n",
         arguments[1], problem->node_count, arguments[3], arguments[4],
         fits && after.peak_bytes <= budget ? "fits" : "FAIL",
         100 * ((double)after.cost_ns / (double)before.cost_ns - 1),
         (double)sequence.count / problem->node_count, took[0], took[1],
         usage.ru_maxrss / 1024);
  return 0;
}
