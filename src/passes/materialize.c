/* materialize.c - build what the plan says, and keep it only where it helps.
 *
 *   plan ─► sequences ─► module ─► its own facts, buffers, liveness
 *     ▲                                 │
 *     └── without what needs more ◄─────┘
 *
 * A planner may be wrong about what its clones keep alive.  A function whose
 * peak is higher than that of the input (under `live`: that is not lower) goes
 * back to what its markers alone say, and if that is worse as well, to the
 * input.  Each round takes something back, so it ends. */
#include "passes/budget.h"
#include "passes/expand.h"
#include "passes/fused.h"
#include "passes/materialize.h"
#include "passes/options.h"
#include "passes/project.h"
#include "passes/rebuild.h"
#include "passes/xla.h"

static const struct parameter parameters[] = {
    {"max-emitted-ops", "build no program of more ops than that", 1 << 25, 1,
     1u << 30},
    {0}};

/* What is left of a function's plan. */
enum rest { REST_ALL, REST_MARKERS, REST_NOTHING };

struct work {
  struct program *program;
  const function_id *of; /* by op: on whose clock it runs */
  enum rest *rest;       /* by function */
};

static function_id
host_of(const struct program *program, function_id function) {
  function_id host = function == NONE
                         ? NONE
                         : program->buffers->clock->function_host[function];
  return host == NONE ? function : host;
}

/* --- taking back --- */

/* Unselect the ops of FUNCTION, if ALL those that markers name too. */
static void
unselect(struct work *work, function_id function, bool all) {
  struct plan *plan = work->program->plan;
  for (op_id op = 0; op < work->program->input->op_count; op++)
    if (work->of[op] == function &&
        (all || !(plan->selected[op] & PLAN_MARKER)))
      plan->selected[op] &= PLAN_BACKWARD | PLAN_KEEP;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < plan->blocks.count; i++) {
    block_id block = plan->blocks.data[i].block;
    const struct ir_module *m = work->program->input;
    bool inside = m->block_op_count[block] &&
                  work->of[ir_block_op(m, block, 0)] == function;
    if (!inside)
      plan->blocks.data[kept++] = plan->blocks.data[i];
  }
  plan->blocks.count = kept;
}

static bool
has_sequence(const struct work *work, function_id function) {
  const struct ir_module *m = work->program->input;
  const struct plan *plan = work->program->plan;
  for (uint32_t i = 0; i < plan->blocks.count; i++) {
    block_id block = plan->blocks.data[i].block;
    if (m->block_op_count[block] &&
        work->of[ir_block_op(m, block, 0)] == function)
      return true;
  }
  return false;
}

/* Take back what FUNCTION's plan holds beyond its markers, and next time these
 * too; false where nothing is left. */
static bool
take_back(struct work *work, function_id function, const char *reason) {
  struct plan_function *figures = &work->program->plan->functions[function];
  bool all = work->rest[function] == REST_MARKERS ||
             !(figures->selected || has_sequence(work, function));
  if (work->rest[function] == REST_NOTHING)
    return false;
  work->rest[function] = all ? REST_NOTHING : REST_MARKERS;
  unselect(work, function, all);
  if (all && figures->marked) {
    diagnose(work->program->diagnostics, DIAGNOSTIC_MARKER_UNUSED,
             plan_location(work->program->input, function),
             "the markers of this function are not carried out: %s", reason);
    figures->marked = 0;
  }
  diagnose(work->program->diagnostics, DIAGNOSTIC_MISSED,
           plan_location(work->program->input, function),
           "the plan is not carried out: %s", reason);
  for (uint32_t i = 0; i < figures->decisions.count; i++) {
    figures->decisions.data[i].taken = false;
    figures->decisions.data[i].reason = "the plan does not help";
  }
  figures->selected = figures->dropped = 0;
  figures->fenced = false;
  for (function_id f = 0; f < work->program->input->functions.count; f++)
    if (host_of(work->program, f) == function)
      work->program->plan->functions[f].fences = 0;
  figures->refused = true;
  figures->refused_reason = reason;
  return true;
}

/* --- building --- */

static bool
is_empty(const struct program *program) {
  if (program->plan->blocks.count)
    return false;
  for (op_id op = 0; op < program->input->op_count; op++)
    if (program->plan->selected[op] & PLAN_SELECTED)
      return false;
  return true;
}

/* Take back the plans of functions that would become too large to build. */
static bool
take_back_large(struct work *work, uint64_t most) {
  struct program *program = work->program;
  const struct plan *plan = program->plan;
  uint64_t total = 0;
  bool changed = false;
  for (function_id f = 0; f < program->input->functions.count; f++)
    total = saturating_add(total, plan->functions[f].projected_clones);
  for (function_id f = 0; total > most && f < program->input->functions.count;
       f++) {
    char *reason =
        arena_printf(program->arena, "it makes more than %llu clones in all",
                     (unsigned long long)most);
    if (plan->functions[f].projected_clones)
      changed |= take_back(work, host_of(program, f), reason);
  }
  return changed;
}

static void
build(struct program *program, const struct projection *projection) {
  struct plan written = *program->plan;
  written.blocks.data = NULL;
  written.blocks.count = written.blocks.capacity = 0;
  for (uint32_t i = 0; i < program->plan->blocks.count; i++)
    vector_push(program->scratch, &written.blocks,
                program->plan->blocks.data[i]);
  expand_selection(&written, program->input, projection, program->scratch);
  program->made = rebuild_module(program->input, &written, program->arena,
                                 program->scratch);
  program->made_facts = facts_of_made(program, program->made);
  program->made_buffers =
      buffers_find(program, program->made, program->made_facts);
  program->made_liveness = liveness_scan(
      program, program->made, program->made_facts, program->made_buffers);
  if (fused_is_model(program) || !program->options->no_report)
    fused_measure(program, program->made, program->made_facts,
                  program->made_liveness);
}

/* Is what FUNCTION has become no better?  *BEFORE and *AFTER are its peaks as
 * its budget counts them. */
static bool
is_worse(const struct work *work, function_id function, uint64_t *before,
         uint64_t *after) {
  const struct program *program = work->program;
  const struct budget *budget = &program->budget[function];
  const struct plan_function *figures = &program->plan->functions[function];
  *before = budget_counted(budget, &program->liveness->functions[function]);
  *after = budget_counted(budget, &program->made_liveness->functions[function]);
  if (!budget->fused && program->made_liveness->functions[function].peak_bytes >
                            program->liveness->functions[function].peak_bytes)
    return true;
  bool must_help = figures->selected && !figures->marked &&
                   program->options->memory_model != MEMORY_CANDIDATES;
  return must_help ? *after >= *before : *after > *before;
}

/* Take back plans that do not help; false where all do. */
static bool
take_back_worse(struct work *work) {
  struct program *program = work->program;
  bool changed = false;
  for (function_id f = 0; f < program->input->functions.count; f++) {
    uint64_t before, after;
    if (host_of(program, f) != f || !program->liveness->functions[f].runs ||
        !is_worse(work, f, &before, &after))
      continue;
    const char *reason = arena_printf(
        program->arena, "its peak is %llu bytes, that of the input %llu",
        (unsigned long long)after, (unsigned long long)before);
    changed |= take_back(work, f, reason);
  }
  return changed;
}

/* Take back plans by which an op reads what was written over; false where none
 * does. */
static bool
take_back_conflicts(struct work *work) {
  const struct program *program = work->program;
  struct xla_conflicts found =
      xla_new_conflicts(work->program, program->made, program->made_facts,
                        program->made_buffers->clock);
  bool changed = false;
  for (uint32_t i = 0; i < found.count; i++) {
    op_id reader = program->made->op_origin[found.data[i].reader];
    if (reader != NONE && work->of[reader] != NONE)
      changed |= take_back(work, work->of[reader],
                           "it reads a buffer that was written over");
  }
  return changed;
}

static bool
execute_materialize(struct program *program) {
  struct work work = {.program = program, .of = plan_functions_of_ops(program)};
  uint64_t most =
      (uint64_t)pass_parameter(program, &pass_materialize, "max-emitted-ops");
  work.rest =
      ARENA_ARRAY(program->scratch, enum rest, program->input->functions.count);
  struct projection projection = project_selection(program);
  while (take_back_large(&work, most))
    projection = project_selection(program);
  while (!is_empty(program)) {
    build(program, &projection);
    if (!take_back_conflicts(&work) && !take_back_worse(&work))
      return true;
    program->made = NULL;
    projection = project_selection(program);
  }
  return true;
}

static bool
gate_materialize(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy != STRATEGY_NONE;
}

const struct pass pass_materialize = {
    .name = "materialize",
    .help = "build the program that the plan says, where that helps",
    .requires_ = PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET |
                 PROP_MARKS | PROP_PROJECTION,
    .provides = PROP_MADE,
    .essential = true,
    .parameters = parameters,
    .gate = gate_materialize,
    .execute = execute_materialize,
};
