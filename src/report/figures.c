/* figures.c - see figures.h. */
#include "report/figures.h"

#include "passes/budget.h"
#include "passes/options.h"
#include "passes/plan.h"
#include "report/pack.h"
#include "report/recomputed.h"

#include <string.h>

const struct figure_info figure_infos[] = {
#define WHEN_ALWAYS false
#define WHEN_PLANNED true
#define COUNTER(key, type, when, meaning) {#key, WHEN_##when, meaning},
#include "support/counters.def"
#undef COUNTER
};

const uint32_t figure_count = sizeof figure_infos / sizeof *figure_infos;

void
figures_count(struct arena *arena, const struct program *program,
              struct figure_counts *counts) {
  const struct ir_module *module = program->input;
  struct arena scratch = {0};
  const function_id *of = ir_functions_of_ops(module, &scratch);
  counts->planned =
      !program->options->analyze && program->options->strategy != STRATEGY_NONE;
  counts->ops = ARENA_ARRAY(arena, uint64_t, module->functions.count);
  for (op_id op = 0; op < module->op_count; op++) {
    if (of[op] != NONE)
      counts->ops[of[op]]++;
  }
  counts->recomputed = recomputed_count(arena, module);
  counts->packed_bytes =
      counts->planned ? pack_functions(arena, program) : NULL;
  arena_empty(&scratch);
}

static void
set_absent(struct figures *figures, enum figure_row row) {
  figures->absent |= UINT64_C(1) << row;
}

/* The liveness of what is emitted of FUNCTION. */
static const struct liveness_function *
emitted_liveness(const struct program *program, function_id function) {
  const struct ir_module *made = program->made;
  for (function_id i = 0; made && i < made->functions.count; i++)
    if (made->functions.data[i].origin == function &&
        made->functions.data[i].copy == 0)
      return &program->made_liveness->functions[i];
  return &program->liveness->functions[function];
}

static void
add_budget(const struct program *program, function_id function,
           const struct liveness_function *after, struct figures *figures) {
  const struct budget *budget =
      program->budget ? &program->budget[function] : NULL;
  const char *source = budget ? budget_source_name(budget->source) : NULL;
  if (!source) {
    set_absent(figures, FIGURE_budget_bytes);
    set_absent(figures, FIGURE_budget_source);
    figures->fits = true;
    return;
  }
  figures->budget_bytes = budget->bytes;
  figures->budget_source = text_of(source);
  figures->fits = budget_counted(budget, after) <= budget->bytes;
}

static void
add_plan(const struct program *program, function_id function,
         struct figures *figures) {
  const struct plan_function *plan =
      program->plan ? &program->plan->functions[function] : NULL;
  figures->ops_out = figures->ops_in;
  figures->strategy = TEXT("none");
  figures->claimed_peak_before_bytes = figures->peak_before_bytes;
  figures->claimed_peak_after_bytes = figures->peak_before_bytes;
  if (!plan || !(program->properties & PROP_PROOF))
    return;
  figures->strategy = text_of(plan->strategy ? plan->strategy : "none");
  figures->claimed_peak_before_bytes = plan->claimed_peak_before_bytes;
  figures->claimed_peak_after_bytes = plan->claimed_peak_after_bytes;
  if (figures->lower_bound_bytes < plan->lower_bound_bytes)
    figures->lower_bound_bytes = plan->lower_bound_bytes;
  figures->lower_bound_cost_ns = plan->lower_bound_cost_ns;
  figures->proved_infeasible = plan->proved_infeasible;
  figures->planner_work = plan->planner_work;
  figures->selected = (uint64_t)plan->selected + plan->marked;
  figures->dropped = plan->dropped;
  figures->projected_clones = plan->projected_clones;
  figures->erased = plan->erased;
  figures->selected_cost_ns = plan->selected_cost_ns;
  if (program->made) {
    figures->ops_out = plan->ops_out;
    figures->emitted_clones = plan->emitted_clones;
    figures->extra_cost_ns += plan->extra_cost_ns;
  }
}

static void
add_planned(const struct program *program, const struct figure_counts *counts,
            function_id function, struct figures *figures) {
  const struct liveness_function *after = emitted_liveness(program, function);
  figures->peak_after_bytes = after->peak_bytes;
  figures->peak_after_temp_bytes = after->peak_temp_bytes;
  figures->fused_peak_after_temp_bytes = after->fused_temp_bytes;
  add_plan(program, function, figures);
  add_budget(program, function, after, figures);
  if (counts->packed_bytes)
    figures->packed_after_bytes = counts->packed_bytes[function];
  else
    set_absent(figures, FIGURE_packed_after_bytes);
}

/* What FUNCTION of PROGRAM was before a pass put another program in the place
 * of the input; *PROGRAM and FUNCTION themselves where none did. */
static function_id
as_given(const struct program **program, function_id function) {
  while ((*program)->before) {
    const struct ir_module *now = (*program)->input;
    name_id name = now->functions.data[function].name;
    function_id was = name == NONE
                          ? NONE
                          : ir_find_function((*program)->before->input,
                                             string_text(now->names, name));
    if (was == NONE)
      break;
    *program = (*program)->before;
    function = was;
  }
  return function;
}

/* What was needed, and what it cost, before anything was done. */
static void
add_before(const struct program *program, function_id function,
           struct figures *figures) {
  uint64_t now = plan_function_cost(program->input, program->facts, function);
  function = as_given(&program, function);
  const struct liveness_function *before =
      &program->liveness->functions[function];
  figures->peak_before_bytes = before->peak_bytes;
  figures->peak_before_temp_bytes = before->peak_temp_bytes;
  figures->fused_peak_before_temp_bytes = before->fused_temp_bytes;
  figures->base_cost_ns =
      plan_function_cost(program->input, program->facts, function);
  figures->extra_cost_ns += (int64_t)(now - figures->base_cost_ns);
}

void
figures_of(const struct program *program, const struct figure_counts *counts,
           function_id function, struct figures *figures) {
  const struct ir_module *module = program->input;
  const struct ir_function *f = &module->functions.data[function];
  const struct liveness_function *before =
      &program->liveness->functions[function];
  memset(figures, 0, sizeof *figures);
  figures->name =
      f->name == NONE ? text_of("") : string_text(module->names, f->name);
  figures->entry = f->entry;
  figures->ops_in = counts->ops[function];
  figures->recomputed_in = counts->recomputed[function];
  figures->argument_bytes = before->argument_bytes;
  figures->result_bytes = before->result_bytes;
  add_before(program, function, figures);
  figures->lower_bound_bytes = before->lower_bound_bytes;
  figures->lower_bound_temp_bytes = before->lower_bound_temp_bytes;
  if (!program->fused) {
    set_absent(figures, FIGURE_fused_peak_before_temp_bytes);
    set_absent(figures, FIGURE_fused_peak_after_temp_bytes);
  }
  if (counts->planned)
    add_planned(program, counts, function, figures);
}

static void
json_NUMBER(struct buffer *out, uint64_t number) {
  buffer_number(out, number);
}

static void
json_SIGNED(struct buffer *out, int64_t number) {
  buffer_printf(out, "%lld", (long long)number);
}

static void
json_TEXT(struct buffer *out, struct text text) {
  buffer_json(out, text);
}

static void
json_BOOLEAN(struct buffer *out, bool value) {
  buffer_string(out, value ? "true" : "false");
}

void
figures_json(const struct figures *figures, uint32_t row, struct buffer *out) {
  uint32_t at = 0;
  if (figures->absent >> row & 1) {
    buffer_string(out, "null");
    return;
  }
#define COUNTER(key, type, when, meaning)                                      \
  if (at++ == row)                                                             \
    json_##type(out, figures->key);
#include "support/counters.def"
#undef COUNTER
}

static bool
number_NUMBER(uint64_t number, int64_t *value) {
  *value = number > INT64_MAX ? INT64_MAX : (int64_t)number;
  return true;
}

static bool
number_SIGNED(int64_t number, int64_t *value) {
  *value = number;
  return true;
}

static bool
number_TEXT(struct text text, int64_t *value) {
  (void)text;
  (void)value;
  return false;
}

static bool
number_BOOLEAN(bool truth, int64_t *value) {
  *value = truth;
  return true;
}

bool
figures_number(const struct figures *figures, bool planned, const char *key,
               int64_t *value) {
  uint32_t row = 0;
  while (row < figure_count && strcmp(figure_infos[row].key, key) != 0)
    row++;
  if (row == figure_count || figures->absent >> row & 1 ||
      (figure_infos[row].planned && !planned))
    return false;
  uint32_t at = 0;
#define COUNTER(name, type, when, meaning)                                     \
  if (at++ == row)                                                             \
    return number_##type(figures->name, value);
#include "support/counters.def"
#undef COUNTER
  return false;
}
