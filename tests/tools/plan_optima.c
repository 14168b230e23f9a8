/* plan_optima.c - the planner against proved optima.
 *
 * usage: plan_optima [-n] [-x] [-P] [-t SECONDS] FOLDER
 * -n: program order only; -x: no A*; -P: no polish; -t: search.
 * Reads FOLDER/exact.tsv and FOLDER/graphs, plans every case whose budget can
 * be met, and prints how many plans are optimal.  Ends with 1 where one is
 * below an optimum, or claims something that its evaluation denies. */
#include "oracle.h"
#include "plan/planner.h"

#include <string.h>

struct tally {
  unsigned cases, possible, optimal, missed, wrong;
  double excess;
};

/* Plan one case. */
static void
run_case(struct tally *tally, const char *path, uint64_t budget, long long best,
         const struct plan_settings *settings) {
  struct arena arena = {0};
  struct plan_problem *problem = oracle_read(path, &arena);
  struct plan_result result;
  tally->cases++;
  if (!problem)
    tally->wrong++;
  bool fits = problem && plan_best(problem, budget, settings, &result, &arena);
  if (fits && (best < 0 || result.figures.cost_ns < (uint64_t)best ||
               result.figures.peak_bytes > budget ||
               !plan_valid(problem, result.sequence))) {
    printf("wrong: %s at %llu: %llu, optimum %lld\n", path,
           (unsigned long long)budget,
           (unsigned long long)result.figures.cost_ns, best);
    tally->wrong++;
  }
  if (best >= 0) {
    tally->possible++;
    tally->missed += !fits;
    tally->optimal += fits && result.figures.cost_ns == (uint64_t)best;
    if (fits)
      tally->excess += (double)result.figures.cost_ns / (double)best - 1;
    if (getenv("SHOW") && (!fits || result.figures.cost_ns != (uint64_t)best))
      printf("%s %llu: %llu optimum %lld\n", strrchr(path, '/') + 1,
             (unsigned long long)budget,
             fits ? (unsigned long long)result.figures.cost_ns : 0, best);
  }
  arena_empty(&arena);
}

int
main(int count, char **arguments) {
  struct plan_settings settings = plan_default_settings();
  const char *folder = "../shared/oracles";
  for (int i = 1; i < count; i++) {
    if (!strcmp(arguments[i], "-n"))
      settings.orders = 1;
    else if (!strcmp(arguments[i], "-x"))
      settings.exact_max = 0;
    else if (!strcmp(arguments[i], "-P"))
      settings.polish_seconds = 0;
    else if (!strcmp(arguments[i], "-t"))
      settings.search_seconds = atof(arguments[++i]);
    else
      folder = arguments[i];
  }
  char path[4096], name[256], line[512];
  snprintf(path, sizeof path, "%s/exact.tsv", folder);
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "plan_optima: cannot read %s\n", path);
    return 2;
  }
  struct tally tally = {0};
  while (fgets(line, sizeof line, file)) {
    unsigned long long budget;
    long long best;
    if (sscanf(line, "%255s %llu %lld", name, &budget, &best) != 3)
      continue;
    snprintf(path, sizeof path, "%s/graphs/%s", folder, name);
    run_case(&tally, path, budget, best, &settings);
  }
  fclose(file);
  printf("%u cases, %u with a plan: %u optimal, %u not found, %u wrong, mean "
         "excess %.3f%%\n",
         tally.cases, tally.possible, tally.optimal, tally.missed, tally.wrong,
         100 * tally.excess / tally.possible);
  return tally.wrong != 0;
}
