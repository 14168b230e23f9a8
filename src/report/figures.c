/* figures.c - see figures.h. */
#include "report/figures.h"

#include "passes/budget.h"
#include "passes/plan.h"

#include <string.h>

const struct figure_info figure_infos[] = {
#define WHEN_ALWAYS false
#define WHEN_PLANNED true
#define COUNTER(key, type, when, meaning) {#key, WHEN_##when, meaning},
#include "support/counters.def"
#undef COUNTER
};

const uint32_t figure_count = sizeof figure_infos / sizeof *figure_infos;

/* The ops of each function of MODULE; an op is in the function that the op
 * around it is in. */
static uint64_t *
count_ops(struct arena *arena, const struct ir_module *module) {
  struct arena scratch = {0};
  uint64_t *counts = ARENA_ARRAY(arena, uint64_t, module->functions.count);
  function_id *of_op = ARENA_ARRAY(&scratch, function_id, module->op_count);
  function_id *of_region =
      ARENA_ARRAY(&scratch, function_id, module->region_count);
  memset(of_region, 0xff, module->region_count * sizeof *of_region);
  for (function_id i = 0; i < module->functions.count; i++)
    if (module->functions.data[i].body != NONE)
      of_region[module->functions.data[i].body] = i;
  for (op_id op = 0; op < module->op_count; op++) {
    block_id block = module->op_block[op];
    of_op[op] = NONE;
    if (block == NONE)
      continue;
    region_id region = module->block_region[block];
    op_id outer = module->region_op[region];
    of_op[op] = of_region[region] != NONE ? of_region[region]
                : outer != NONE           ? of_op[outer]
                                          : NONE;
    if (of_op[op] != NONE)
      counts[of_op[op]]++;
  }
  arena_empty(&scratch);
  return counts;
}

void
figures_count(struct arena *arena, const struct program *program,
              struct figure_counts *counts) {
  const struct ir_module *input = program->input, *made = program->made;
  counts->ops_in = count_ops(arena, input);
  counts->ops_out = counts->ops_in;
  if (!made)
    return;
  uint64_t *ops = count_ops(arena, made);
  counts->ops_out = ARENA_ARRAY(arena, uint64_t, input->functions.count);
  for (function_id i = 0; i < made->functions.count; i++)
    counts->ops_out[made->functions.data[i].origin] += ops[i];
}

/* What only a run with a plan has. */
static void
planned_figures(const struct program *program, function_id function,
                struct figures *figures) {
  const struct plan_function *plan = &program->plan->functions[function];
  const struct budget *budget = &program->budget[function];
  const struct liveness_function *after =
      program->made ? &program->made_liveness->functions[function]
                    : &program->liveness->functions[function];
  figures->peak_after_bytes = after->peak_bytes;
  figures->peak_after_temp_bytes = after->peak_temp_bytes;
  figures->claimed_peak_before_bytes = plan->claimed_peak_before_bytes;
  figures->claimed_peak_after_bytes = plan->claimed_peak_after_bytes;
  figures->selected = plan->selected + plan->marked;
  figures->dropped = plan->dropped;
  figures->projected_clones = plan->projected_clones;
  figures->emitted_clones = plan->emitted_clones;
  figures->erased = plan->erased;
  figures->selected_cost_ns = plan->selected_cost_ns;
  figures->extra_cost_ns = plan->extra_cost_ns;
  figures->strategy = text_of(plan->strategy ? plan->strategy : "none");
  figures->fits = true;
  if (budget->source == BUDGET_NONE)
    return;
  figures->budget_bytes = budget->bytes;
  figures->budget_source = text_of(budget_source_name(budget->source));
  figures->fits = budget_counted(budget, after) <= budget->bytes;
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
  figures->ops_in = counts->ops_in[function];
  figures->ops_out = counts->ops_out[function];
  figures->argument_bytes = before->argument_bytes;
  figures->result_bytes = before->result_bytes;
  figures->peak_before_bytes = before->peak_bytes;
  figures->peak_before_temp_bytes = before->peak_temp_bytes;
  figures->lower_bound_bytes = before->lower_bound_bytes;
  figures->base_cost_ns = plan_function_cost(module, program->facts, function);
  if (program->properties & PROP_PROOF)
    planned_figures(program, function, figures);
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
  if (text.data)
    buffer_json(out, text);
  else
    buffer_string(out, "null");
}

static void
json_BOOLEAN(struct buffer *out, bool value) {
  buffer_string(out, value ? "true" : "false");
}

void
figures_json(const struct figures *figures, uint32_t row, struct buffer *out) {
  uint32_t at = 0;
#define COUNTER(key, type, when, meaning)                                      \
  if (at++ == row)                                                             \
    json_##type(out, figures->key);
#include "support/counters.def"
#undef COUNTER
}

/* VALUE in the largest of the UNITS, each STEP times the one before, of which
 * it is at least one. */
static void
scaled(struct buffer *out, uint64_t value, uint64_t step,
       const char *const *units, uint32_t count) {
  double scaled = (double)value;
  uint32_t unit = 0;
  while (unit + 1 < count && scaled >= (double)step) {
    scaled /= (double)step;
    unit++;
  }
  if (unit == 0)
    buffer_printf(out, "%llu %s", (unsigned long long)value, units[0]);
  else
    buffer_printf(out, scaled < 10 ? "%.2f %s" : "%.1f %s", scaled,
                  units[unit]);
}

void
figures_size(struct buffer *out, uint64_t bytes) {
  static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                      "TiB", "PiB", "EiB"};
  if (bytes == UINT64_MAX)
    buffer_string(out, "more than can be counted");
  else
    scaled(out, bytes, 1024, units, 7);
}

void
figures_time(struct buffer *out, uint64_t ns) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  scaled(out, ns, 1000, units, 4);
}
