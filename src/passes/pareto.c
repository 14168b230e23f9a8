/* pareto.c - plan for many budgets and say what each costs.
 *
 *   100 %   81 MiB     41 ms            the program as it stands
 *    75 %   60 MiB     +1.2 %
 *    50 %   40 MiB     +3.4 %  knee
 *    25 %   20 MiB    +21.0 %
 *    20 %   does not fit
 *
 * Every function that no other calls is planned for GRID shares of what it
 * needs, from large to small, until MISSES in a row do not fit.  The knee is
 * the point farthest below the line between the ends, both axes taken from 0
 * to 1.  Nothing of this is emitted.  The lowest peak is looked for once. Cost:
 * that of GRID plans. */
#include "passes/pareto.h"

#include "passes/options.h"
#include "passes/planning.h"

enum { GRID = 20, MISSES = 2 };

static uint64_t
needs(const struct program *program, const struct liveness *liveness,
      function_id function) {
  return budget_counted(&program->budget[function],
                        &liveness->functions[function]);
}

/* Ops of FUNCTION's body and of what is inside of them. */
static uint32_t
count_ops(const struct program *program, const struct ir_module *m,
          function_id function) {
  const function_id *of = ir_functions_of_ops(m, program->scratch);
  uint32_t count = 0;
  for (op_id op = 0; op < m->op_count; op++)
    count += of[op] == function;
  return count;
}

static struct pareto_point
as_it_stands(const struct program *program, function_id function) {
  return (struct pareto_point){
      .function = function,
      .share_ppm = 1000000,
      .budget_bytes = needs(program, program->liveness, function),
      .peak_bytes = needs(program, program->liveness, function),
      .cost_ns = plan_function_cost(program->input, program->facts, function),
      .ops = count_ops(program, program->input, function),
      .fits = true,
      .strategy = "none"};
}

/* A budget for which nothing was found: the lowest peak that was reached, and
 * what no plan can go below.  Peak 0: there was none. */
struct miss {
  uint64_t peak_bytes, bound_bytes;
};

/* One plan of FUNCTION for SHARE of what it needs; none where that is below
 * what the search for an earlier budget ended at, *MISS, which is kept. */
static struct pareto_point
plan_for(struct program *program, const struct plan_settings *settings,
         function_id function, uint32_t share_ppm, struct miss *miss) {
  struct pareto_point point = as_it_stands(program, function);
  struct planning p = {.program = program, .settings = *settings};
  point.share_ppm = share_ppm;
  point.budget_bytes =
      (uint64_t)((uint128)point.peak_bytes * share_ppm / 1000000);
  point.fits = false;
  if (!planning_add(&p, function, point.budget_bytes))
    return point;
  const struct planning_job *job = &p.jobs.data[0];
  if (point.budget_bytes < miss->peak_bytes) {
    point.proved_infeasible =
        job->proved_infeasible || miss->bound_bytes > job->goal_bytes;
    return point;
  }
  planning_run(&p);
  point.proved_infeasible = job->proved_infeasible;
  point.strategy = job->strategy;
  if (!program->plan->blocks.count)
    return point;
  struct planning_measure made = planning_measure(program);
  point.peak_bytes = needs(program, made.liveness, function);
  point.fits = point.peak_bytes <= point.budget_bytes;
  if (!point.fits)
    *miss = (struct miss){point.peak_bytes, job->bound_bytes};
  point.cost_ns = plan_function_cost(made.made, made.facts, function);
  point.ops = count_ops(program, made.made, function);
  return point;
}

/* Mark the knee of the COUNT points at POINTS, where there is one. */
static void
mark_knee(struct pareto_point *points, uint32_t count) {
  uint32_t last = 0, knee = 0;
  double farthest = 0;
  for (uint32_t i = 0; i < count; i++)
    if (points[i].fits)
      last = i;
  double high = (double)points[0].peak_bytes;
  double width = high - (double)points[last].peak_bytes;
  double low = (double)points[0].cost_ns;
  double height = (double)points[last].cost_ns - low;
  if (width <= 0 || height <= 0)
    return;
  for (uint32_t i = 1; i < last; i++) {
    double saved = (high - (double)points[i].peak_bytes) / width;
    double paid = ((double)points[i].cost_ns - low) / height;
    if (points[i].fits && saved - paid > farthest) {
      farthest = saved - paid;
      knee = i;
    }
  }
  points[knee].knee = knee > 0;
}

static void
sweep(struct program *program, const struct plan_settings *settings,
      function_id function) {
  struct pareto *pareto = program->pareto;
  uint32_t first = pareto->points.count, misses = 0;
  struct miss miss = {0};
  vector_push(program->arena, &pareto->points, as_it_stands(program, function));
  for (uint32_t i = GRID - 1; i > 0 && misses < MISSES; i--) {
    struct pareto_point point =
        plan_for(program, settings, function, i * (1000000 / GRID), &miss);
    misses = point.fits ? 0 : misses + 1;
    vector_push(program->arena, &pareto->points, point);
    program->plan->blocks.count = 0;
  }
  mark_knee(pareto->points.data + first, pareto->points.count - first);
}

static bool
gate_pareto(const struct program *program) {
  return program->options->pareto;
}

static bool
execute_pareto(struct program *program) {
  const struct plan_settings settings = planning_settings(program);
  program->pareto = ARENA_NEW(program->arena, struct pareto);
  const bool *called = ir_called_functions(program->input, program->scratch);
  for (function_id f = 0; f < program->input->functions.count; f++)
    if (program->liveness->functions[f].runs && !called[f] &&
        needs(program, program->liveness, f))
      sweep(program, &settings, f);
  return true;
}

const struct pass pass_pareto = {
    .name = "pareto",
    .help = "plan for a grid of budgets, and emit none of it",
    .gate = gate_pareto,
    .execute = execute_pareto,
    .requires_ =
        PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET | PROP_MARKS,
};
