/* annotate.c - what printing changes besides the ops: attributes.
 *
 *   func.func @f(...) attributes {tessera.remat_budget_mb = 1 : i32}
 *     becomes  {tessera.remat_auto_selected = 2 : i64, ..., in sorted order}
 *
 * The figures of the plan that is emitted become attributes of the function,
 * tessera.* where the input speaks tessera and remat.* where not; none with
 * --no-annotate.  Markers that were carried out go in any case, and clones
 * that serve backward ops become backward.  Peaks are those of the memory
 * model that was asked for.  Where nobody but the device gave a budget and
 * nothing changes, a function prints as it was. */
#include "ir/print.h"
#include "passes/budget.h"
#include "passes/markers.h"
#include "passes/options.h"
#include "passes/plan.h"

#include <string.h>

struct annotator {
  struct program *program;
  bool tessera;
  VECTOR(struct ir_annotation) added;
};

/* Does the input use tessera's ops or attributes? */
static bool
speaks_tessera(const struct ir_module *m) {
  const struct string_table *names = m->names;
  for (uint32_t i = 0; i < names->count; i++)
    if (text_starts(string_text(names, i), "tessera."))
      return true;
  for (function_id f = 0; f < m->functions.count; f++) {
    struct text inside =
        source_text(m->source, m->functions.data[f].attributes);
    if (inside.size && memmem(inside.data, inside.size, "tessera.", 8))
      return true;
  }
  for (op_id op = 0; op < m->op_count; op++) {
    if (!(m->op_flags[op] & OP_HAS_MARKS) || (m->op_flags[op] & OP_FUNCTION))
      continue;
    struct text text = source_text(m->source, ir_op_span(m, op));
    if (memmem(text.data, text.size, "tessera.", 8))
      return true;
  }
  return false;
}

/* "tessera.remat_budget_bytes" in the language of the input: as it is, or
 * "remat.budget_bytes". */
static const char *
key_of(const struct annotator *a, const char *key) {
  const char *rest = key + strlen("tessera.");
  if (a->tessera)
    return key;
  if (strncmp(rest, "remat_", 6) == 0)
    rest += 6;
  return arena_printf(a->program->arena, "remat.%s", rest);
}

static void
add(struct annotator *a, function_id function, const char *key,
    const char *value) {
  struct ir_annotation annotation = {function, key_of(a, key), value};
  vector_push(a->program->arena, &a->added, annotation);
}

static void
add_number(struct annotator *a, function_id function, const char *key,
           uint64_t number) {
  uint64_t shown = number > INT64_MAX ? INT64_MAX : number;
  add(a, function, key,
      arena_printf(a->program->arena, "%llu : i64", (unsigned long long)shown));
}

static void
annotate_budget(struct annotator *a, function_id f) {
  const struct program *program = a->program;
  const struct budget *budget = &program->budget[f];
  const struct plan_function *figures = &program->plan->functions[f];
  const struct liveness *after =
      program->made ? program->made_liveness : program->liveness;
  bool claimed =
      program->options->memory_model == MEMORY_CANDIDATES && figures->planned;
  uint64_t peak_before =
      budget_counted(budget, &program->liveness->functions[f]);
  uint64_t peak_after = budget_counted(budget, &after->functions[f]);
  if (claimed) {
    peak_before = figures->claimed_peak_before_bytes;
    peak_after = figures->claimed_peak_after_bytes;
  }
  if (budget->source == BUDGET_MODEL) {
    add_number(a, f, "tessera.model_parameter_bytes", budget->parameter_bytes);
    add_number(a, f, "tessera.model_state_bytes", budget->state_bytes);
  }
  add_number(a, f, "tessera.remat_auto_selected", figures->selected);
  add_number(a, f, "tessera.remat_budget_bytes", budget->bytes);
  add(a, f, "tessera.remat_budget_source",
      arena_printf(program->arena, "\"%s\"",
                   budget_source_name(budget->source)));
  add_number(a, f, "tessera.remat_peak_after_bytes", peak_after);
  add_number(a, f, "tessera.remat_peak_before_bytes", peak_before);
}

/* Bring what was added from FIRST on, a function's, into the order of keys. */
static void
sort_added(struct annotator *a, uint32_t first) {
  struct ir_annotation *added = a->added.data;
  for (uint32_t i = first + 1; i < a->added.count; i++) {
    struct ir_annotation moving = added[i];
    uint32_t to = i;
    for (; to > first && strcmp(added[to - 1].key, moving.key) > 0; to--)
      added[to] = added[to - 1];
    added[to] = moving;
  }
}

static void
annotate_function(struct annotator *a, function_id f) {
  const struct plan_function *figures = &a->program->plan->functions[f];
  enum budget_source source = a->program->budget[f].source;
  bool budgeted =
      source != BUDGET_NONE &&
      (source != BUDGET_DEVICE || figures->projected_clones || figures->erased);
  uint32_t first = a->added.count;
  uint32_t selected = figures->selected + figures->marked;
  if (budgeted)
    annotate_budget(a, f);
  if (budgeted || figures->projected_clones)
    add_number(a, f, "tessera.remat_projected_clones",
               figures->projected_clones);
  if (budgeted)
    add_number(a, f, "tessera.remat_selected_cost_ns",
               figures->selected_cost_ns);
  if (budgeted || selected)
    add_number(a, f, "tessera.rematerialized", selected);
  sort_added(a, first);
}

static bool
execute_annotate(struct program *program) {
  struct ir_edits *edits = ARENA_NEW(program->arena, struct ir_edits);
  struct annotator a = {.program = program,
                        .tessera = speaks_tessera(program->input)};
  for (function_id f = 0; f < program->input->functions.count; f++)
    if (!program->options->no_annotate && program->liveness->functions[f].runs)
      annotate_function(&a, f);
  edits->dropped = marker_dropped;
  edits->phase = marker_phases[a.tessera ? 0 : 1];
  edits->annotations = a.added.data;
  edits->annotation_count = a.added.count;
  program->edits = edits;
  return true;
}

static bool
gate_annotate(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy != STRATEGY_NONE;
}

const struct pass pass_annotate = {
    .name = "annotate",
    .help = "write the plan's figures into the functions' attributes",
    .requires_ = PROP_LIVENESS | PROP_BUDGET | PROP_MADE | PROP_PROOF,
    .essential = true,
    .gate = gate_annotate,
    .execute = execute_annotate,
};
