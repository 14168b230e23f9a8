/* pareto.c - see pareto.h.  COUNT + 1 runs of plan_best. */
#include "plan/pareto.h"
#include "plan/bound.h"

/* Drop points that a later one, with a lower peak, makes pointless. */
static uint32_t
drop_dominated(struct plan_point *points, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool pointless = false;
    for (uint32_t k = i + 1; k < count && !pointless; k++)
      pointless = points[k].result.figures.cost_ns <=
                      points[i].result.figures.cost_ns &&
                  points[k].result.figures.peak_bytes <=
                      points[i].result.figures.peak_bytes;
    if (!pointless)
      points[kept++] = points[i];
  }
  return kept;
}

uint32_t
plan_pareto(const struct plan_problem *problem,
            const struct plan_settings *settings, uint32_t count,
            struct plan_point *points, struct arena *arena) {
  struct plan_figures program;
  struct plan_result lowest;
  uint32_t filled = 0;
  if (!count ||
      !plan_evaluate(problem, plan_program_order(problem, arena), &program))
    return 0;
  /* What cannot be met gives the lowest that can. */
  plan_best(problem, plan_bound_bytes(problem), settings, &lowest, arena);
  uint64_t low = lowest.figures.peak_bytes, high = program.peak_bytes;
  for (uint32_t i = 0; i < count; i++) {
    struct plan_point *point = &points[filled];
    uint64_t step = count > 1 ? (high - low) / (count - 1) : 0;
    point->budget_bytes = i + 1 < count || !i ? high - step * i : low;
    if (plan_best(problem, point->budget_bytes, settings, &point->result,
                  arena))
      filled++;
  }
  return drop_dominated(points, filled);
}

uint32_t
plan_knee(const struct plan_point *points, uint32_t count) {
  if (count < 3)
    return count;
  const struct plan_figures *first = &points[0].result.figures;
  const struct plan_figures *last = &points[count - 1].result.figures;
  double bytes = (double)first->peak_bytes - (double)last->peak_bytes;
  double cost = (double)last->cost_ns - (double)first->cost_ns;
  double best = 0;
  uint32_t knee = count;
  for (uint32_t i = 1; i + 1 < count && bytes > 0 && cost > 0; i++) {
    const struct plan_figures *figures = &points[i].result.figures;
    double saved =
        ((double)first->peak_bytes - (double)figures->peak_bytes) / bytes;
    double paid = ((double)figures->cost_ns - (double)first->cost_ns) / cost;
    if (saved - paid <= best)
      continue;
    best = saved - paid;
    knee = i;
  }
  return knee;
}
