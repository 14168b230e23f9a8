/* plan_chains.c - training chains against the closed form of their optimum.
 *
 * usage: plan_chains [FILE]
 * Reads "n budget extra percent" lines (chains.tsv), plans each chain of n
 * stages, and prints what was reached.  Ends with 1 where a plan is below the
 * optimum or not valid. */
#include "plan/planner.h"
#include "shapes.h"

#include <stdio.h>
#include <time.h>

int
main(int count, char **arguments) {
  const char *path = count > 1 ? arguments[1] : "../shared/oracles/chains.tsv";
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "plan_chains: cannot read %s\n", path);
    return 2;
  }
  struct plan_settings settings = plan_default_settings();
  unsigned stages, cases = 0, optimal = 0, wrong = 0;
  unsigned long long budget, extra;
  double percent;
  char line[256];
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "%u %llu %llu %lf", &stages, &budget, &extra, &percent) !=
        4)
      continue;
    struct arena arena = {0};
    struct plan_problem *problem = shape_training_chain(stages, &arena);
    struct plan_result result;
    clock_t start = clock();
    bool fits = plan_best(problem, budget, &settings, &result, &arena);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    uint64_t reached = result.figures.cost_ns - 2 * (uint64_t)stages;
    cases++;
    optimal += fits && reached == extra;
    wrong += fits && (reached < extra || !plan_valid(problem, result.sequence));
    printf("%6u %6llu optimum %7.3f%% reached %7.3f%% %s %.3f s %s\n", stages,
           budget, percent, 100 * (double)reached / (2.0 * stages),
           fits ? "fits" : "FAIL", took, result.strategy);
    arena_empty(&arena);
  }
  fclose(file);
  printf("%u chains: %u optimal, %u wrong\n", cases, optimal, wrong);
  return wrong != 0;
}
