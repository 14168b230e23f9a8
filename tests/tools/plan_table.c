/* plan_table.c - what the planners reach on graph files.
 *
 * usage: plan_table [OPTION]... GRAPH...
 * -n: program order only; -g, -s: gap or walk alone; -q: quick decoders;
 * -c: the cut bound; -P: no polish; -t SECONDS, -S SEED, -r PERCENT: search and
 * its share of ruining; -p PERCENT,...: budgets. Prints for each graph and
 * budget the extra cost in percent and its lower bound, emitted by input ops,
 * peak by budget, processor time, and which decoder won. */
#include "oracle.h"
#include "plan/planner.h"

#include <string.h>
#include <time.h>

/* Of this process: a busy machine does not count. */
static double
seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void
print_row(const char *name, const struct plan_problem *problem,
          const struct plan_settings *settings, double percent) {
  struct arena arena = {0};
  struct plan_figures before;
  plan_evaluate(problem, plan_program_order(problem, &arena), &before);
  uint64_t budget = (uint64_t)((double)before.peak_bytes * percent / 100);
  struct plan_result result;
  double start = seconds();
  plan_best(problem, budget, settings, &result, &arena);
  double took = seconds() - start;
  double base = (double)before.cost_ns;
  printf("%-10s %5.1f%% %s %8.2f >= %7.3f %7.4f %7.4f %9.4f  %s\n", name,
         percent, result.fits ? "fits" : "FAIL",
         100 * ((double)result.figures.cost_ns - base) / base,
         100 * ((double)result.bound_cost_ns - base) / base,
         (double)result.sequence.count / problem->node_count,
         (double)result.figures.peak_bytes / (double)budget, took,
         result.strategy);
  fflush(stdout);
  arena_empty(&arena);
}

int
main(int count, char **arguments) {
  struct plan_settings settings = plan_default_settings();
  char all[] = "75,50,35,25,15,10,5";
  char *percents = all;
  for (int i = 1; i < count; i++) {
    char *argument = arguments[i];
    if (!strcmp(argument, "-n"))
      settings.orders = 1;
    else if (!strcmp(argument, "-g"))
      settings.strategy = PLAN_GAPS;
    else if (!strcmp(argument, "-s"))
      settings.strategy = PLAN_SIMULATE;
    else if (!strcmp(argument, "-q"))
      settings.portfolio_max = 0;
    else if (!strcmp(argument, "-t"))
      settings.search_seconds = atof(arguments[++i]);
    else if (!strcmp(argument, "-c"))
      settings.cut_max = UINT32_MAX;
    else if (!strcmp(argument, "-P"))
      settings.polish_seconds = 0;
    else if (!strcmp(argument, "-r"))
      settings.ruin_percent = (uint32_t)atoi(arguments[++i]);
    else if (!strcmp(argument, "-S"))
      settings.seed = (uint64_t)atoi(arguments[++i]);
    else if (!strcmp(argument, "-p"))
      percents = arguments[++i];
    else {
      struct arena arena = {0};
      struct plan_problem *problem = oracle_read(argument, &arena);
      char *name = strrchr(argument, '/');
      name = name ? name + 1 : argument;
      if (!problem)
        return 1;
      char *list = arena_copy(&arena, percents, strlen(percents));
      for (char *item = strtok(list, ","); item; item = strtok(NULL, ","))
        print_row(name, problem, &settings, atof(item));
      arena_empty(&arena);
    }
  }
  return 0;
}
