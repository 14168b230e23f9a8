/* project.c - the figures of a selection, before anything is built.
 *
 *   function   claimed peak   selected   cost   clones   originals that go
 *
 * Clones are counted in reverse program order (projection.h); the claimed peak
 * is the planner's own sum, to stand beside the true one that is found in what
 * is emitted. */
#include "passes/intervals.h"
#include "passes/options.h"
#include "passes/project.h"

/* By function: has a planner written a sequence for a block of it?  Then its
 * figures are that planner's. */
static bool *
find_sequences(const struct program *program) {
  const struct ir_module *m = program->input;
  const struct plan *plan = program->plan;
  bool *sequences = ARENA_ARRAY(program->scratch, bool, m->functions.count);
  const function_id *own = ir_functions_of_ops(m, program->scratch);
  for (uint32_t i = 0; i < plan->blocks.count; i++) {
    block_id block = plan->blocks.data[i].block;
    op_id first = m->block_op_count[block] ? ir_block_op(m, block, 0) : NONE;
    if (first != NONE && own[first] != NONE)
      sequences[own[first]] = true;
  }
  return sequences;
}

/* The claimed peaks of functions whose ops a planner selected. */
static void
claim_peaks(struct program *program, const bool *sequences) {
  uint32_t count;
  struct intervals *all = intervals_find(program, program->scratch, &count);
  for (uint32_t i = 0; i < count; i++) {
    struct plan_function *function = &program->plan->functions[all[i].function];
    if (function->planned && all[i].profile && !sequences[all[i].function])
      function->claimed_peak_after_bytes =
          intervals_peak(&all[i], program->plan->selected, program->scratch);
  }
}

/* Figures of the functions that no planner wrote a sequence for. */
static void
write_totals(struct program *program, const struct projection_totals *totals,
             const bool *sequences) {
  struct plan *plan = program->plan;
  for (function_id f = 0; f < program->input->functions.count; f++) {
    plan->functions[f].selected_cost_ns = 0;
    if (sequences[f])
      continue;
    plan->functions[f].projected_clones = totals[f].clones;
    plan->functions[f].erased = totals[f].erased;
  }
}

struct projection
project_selection(struct program *program) {
  const struct ir_module *m = program->input;
  uint8_t *selected = program->plan->selected;
  const function_id *of = plan_functions_of_ops(program);
  struct projection projection;
  projection_build(&projection, m, selected, program->scratch);
  const struct projection_totals *totals =
      projection_totals(&projection, m, program->scratch);
  const bool *sequences = find_sequences(program);
  write_totals(program, totals, sequences);
  for (op_id op = 0; op < m->op_count; op++) {
    selected[op] &= (uint8_t)~PLAN_ERASED;
    if (!(selected[op] & PLAN_SELECTED))
      continue;
    if (!projection.kept[op])
      selected[op] |= PLAN_ERASED;
    struct plan_function *function = &program->plan->functions[of[op]];
    function->selected_cost_ns = saturating_add(function->selected_cost_ns,
                                                program->facts->op_cost_ns[op]);
  }
  claim_peaks(program, sequences);
  return projection;
}

static bool
execute_project(struct program *program) {
  project_selection(program);
  return true;
}

static bool
gate_project(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy != STRATEGY_NONE;
}

static void
dump_project(const struct program *program, struct buffer *out) {
  const struct ir_module *m = program->input;
  for (function_id f = 0; f < m->functions.count; f++) {
    const struct plan_function *function = &program->plan->functions[f];
    if (!function->planned && !function->marked)
      continue;
    buffer_string(out, "@");
    if (m->functions.data[f].name != NONE)
      buffer_text(out, string_text(m->names, m->functions.data[f].name));
    buffer_printf(out, ": %u selected, %u marked, %u given back, ",
                  function->selected, function->marked, function->dropped);
    buffer_number(out, function->projected_clones);
    buffer_string(out, " clones, ");
    buffer_number(out, function->erased);
    buffer_string(out, " erased, ");
    buffer_number(out, function->selected_cost_ns);
    buffer_string(out, " ns, claimed peak ");
    buffer_number(out, function->claimed_peak_before_bytes);
    buffer_string(out, " to ");
    buffer_number(out, function->claimed_peak_after_bytes);
    buffer_string(out, " bytes\n");
  }
}

const struct pass pass_project = {
    .name = "project",
    .help = "count the clones of the selection, exactly",
    .requires_ = PROP_FACTS | PROP_LIVENESS | PROP_BUDGET | PROP_MARKS,
    .provides = PROP_PROJECTION,
    .essential = true,
    .gate = gate_project,
    .execute = execute_project,
    .dump = dump_project,
};
