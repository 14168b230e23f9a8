/* sequence.c - choose what to recompute, and when, with exact liveness.
 *
 *   budget 2 units                  %0 = exp %x
 *   %0 = exp %x                     %1 = dot %0, %w
 *   %1 = dot %0, %w           ==>   %2 = dot %1, %w
 *   %2 = dot %1, %w                 %0_remat = exp %x
 *   %3 = mul %2, %0                 %3 = mul %2, %0_remat
 *
 * Every function that is over its budget is planned (planning.h), beyond what
 * markers ask for where there are some (marked.h); or what --plan=FILE says is
 * taken, whoever made it.  What comes of it is proved,
 * measured and priced by the passes behind, like any other plan. */
#include "passes/fused.h"
#include "passes/instances.h"
#include "passes/manager.h"
#include "passes/marked.h"
#include "passes/options.h"
#include "passes/plan_check.h"
#include "passes/plan_file.h"
#include "passes/planning.h"

/* --- the pass --- */

static const struct parameter sequence_parameters[] = {
    {"closure", "ops that one dropped gap may recompute at most", 24, 1, 4096},
    {"rounds", "rounds of the gap planner", 80, 1, 10000},
    {"orders-max", "ops up to which other orders are planned too", 200000, 0,
     1e9},
    {"portfolio-max", "ops up to which all seven decoders run", 20000, 0, 1e9},
    {"seed", "of the search", 1, 0, 4294967295.0},
    {"exact-ops", "ops up to which --exact looks for an optimum", 32, 0, 64},
    {"cut-ops", "ops up to which --bound=auto looks at cuts", 12000, 0, 1e9},
    {"max-clones-per-op", "clones that one op may have (0: no bound)", 0, 0,
     1e9},
    {NULL, NULL, 0, 0, 0}};

static bool
gate_sequence(const struct program *program) {
  enum strategy strategy = program->options->strategy;
  if (program->options->analyze || program->options->pareto ||
      (fused_is_model(program) && !program->plan_source))
    return false;
  return program->plan_source ||
         (strategy != STRATEGY_NONE && strategy != STRATEGY_GREEDY);
}

/* What became of each job, for reports. */
static void
record_figures(const struct planning *p) {
  for (uint32_t j = 0; j < p->jobs.count; j++) {
    const struct planning_job *job = &p->jobs.data[j];
    struct plan_function *figures = &p->program->plan->functions[job->function];
    figures->planned = true;
    figures->strategy =
        job->strategy ? arena_printf(p->program->arena, "%s", job->strategy)
                      : NULL;
    figures->claimed_peak_before_bytes = job->needed_bytes;
    figures->claimed_peak_after_bytes = job->claimed_bytes;
    figures->proved_infeasible = job->proved_infeasible;
    figures->clone_bound_reached = job->clone_bound_reached;
    figures->planner_work = job->work;
    figures->lower_bound_bytes = job->bound_bytes;
    figures->lower_bound_cost_ns = job->bound_cost_ns;
    instances_count(p->program, job->blocks.data, job->blocks.count);
  }
}

/* Take the plan that the user gives, as if a planner had made it. */
static bool
take_plan(struct program *program) {
  struct planning_job *job;
  struct planning p = {.program = program};
  struct plan *plan = program->plan;
  if (!plan_file_read(plan, program->input, program->plan_source,
                      program->diagnostics, program->arena) ||
      !plan_check(program))
    return false;
  if (marked_any(program))
    marked_erase(program);
  const function_id *of = plan_functions_of_ops(program);
  const function_id *functions =
      ir_functions_of_ops(program->input, program->scratch);
  for (uint32_t b = 0; b < plan->blocks.count; b++) {
    block_id block = plan->blocks.data[b].block;
    function_id function = program->input->block_op_count[block]
                               ? of[ir_block_op(program->input, block, 0)]
                               : NONE;
    uint32_t j = 0;
    while (j < p.jobs.count && p.jobs.data[j].function != function)
      j++;
    if (function == NONE)
      continue;
    if (j == p.jobs.count)
      vector_push(
          program->scratch, &p.jobs,
          ((struct planning_job){.function = function, .strategy = "file"}));
    job = &p.jobs.data[j];
    function_id own =
        functions[ir_block_op(program->input, plan->blocks.data[b].block, 0)];
    plan->functions[own].fences += plan->blocks.data[b].fence_count;
    vector_push(program->scratch, &job->blocks, plan->blocks.data[b]);
  }
  record_figures(&p);
  return true;
}

static bool
execute_sequence(struct program *program) {
  if (program->plan_source)
    return take_plan(program);
  bool marked = marked_any(program);
  struct planning p = {.program = marked ? marked_program(program) : program,
                       .settings = planning_settings(program)};
  for (function_id f = 0; f < program->input->functions.count; f++) {
    const struct budget *budget = &program->budget[f];
    if (budget->source != BUDGET_NONE &&
        budget_counted(budget, &p.program->liveness->functions[f]) >
            budget->bytes)
      planning_add(&p, f, budget->bytes);
  }
  planning_run(&p);
  if (marked)
    marked_return(&p, program);
  record_figures(&p);
  return true;
}

static void
dump_sequence(const struct program *program, struct buffer *out) {
  const struct ir_module *m = program->input;
  for (uint32_t b = 0; b < program->plan->blocks.count; b++) {
    const struct plan_block *block = &program->plan->blocks.data[b];
    buffer_printf(out, "block %u: %u ops for %u\n", block->block, block->count,
                  m->block_op_count[block->block]);
    for (uint32_t i = 0; i < block->count; i++)
      buffer_printf(out, "  op %u %.*s\n", block->ops[i],
                    (int)ir_op_name(m, block->ops[i]).size,
                    ir_op_name(m, block->ops[i]).data);
  }
}

const struct pass pass_sequence = {
    .name = "sequence",
    .help = "choose what to recompute and when, with exact liveness",
    .gate = gate_sequence,
    .execute = execute_sequence,
    .dump = dump_sequence,
    .requires_ =
        PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET | PROP_MARKS,
    .provides = PROP_PLAN,
    .parameters = sequence_parameters,
};
