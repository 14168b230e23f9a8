/* markers.c - take what the dump itself says about recomputation.
 *
 *   %v = gelu %x {remat.recompute}      every reader recomputes it
 *   %v = gelu %x {tessera.recompute, tessera.recompute_scope = "backward"}
 *                                       only backward readers do
 *   %v = gelu %x {remat.keep}           no planner selects it
 *
 * Markers are orders: what they name is selected as it is, whatever the budget
 * says, and an order that cannot be obeyed ends the run.  An op is of the
 * backward phase where tessera.autodiff.phase (or remat.autodiff.phase) says
 * so; where a function has phases at all, only backward readers recompute. */
#include "passes/facts.h"
#include "passes/markers.h"
#include "passes/options.h"
#include "passes/plan.h"
#include "passes/reads.h"

#include <string.h>

const char *const marker_dropped[] = {
    "tessera.recompute", "tessera.recompute_scope", "remat.recompute",
    "remat.recompute_scope", NULL};

const char *const marker_phases[] = {"tessera.autodiff.phase",
                                     "remat.autodiff.phase", NULL};

/* Is one of KEYS (up to NULL) set on OP?  *VALUE is its text. */
static const char *
find_marker(const struct ir_module *m, op_id op, const char *const *keys,
            struct text *value) {
  for (uint32_t i = 0; keys[i]; i++)
    if (ir_attribute(m, op, keys[i], value))
      return keys[i];
  return NULL;
}

static bool
says(struct text value, const char *word) {
  return value.size == strlen(word) + 2 && value.data[0] == '"' &&
         memcmp(value.data + 1, word, strlen(word)) == 0;
}

/* The marker that asks to recompute OP, or NULL. */
static const char *
recompute_marker(const struct ir_module *m, op_id op) {
  static const char *const keys[] = {"tessera.recompute", "remat.recompute",
                                     NULL};
  struct text value;
  const char *key = find_marker(m, op, keys, &value);
  return key && !text_is(value, "false") ? key : NULL;
}

static bool
is_backward(const struct ir_module *m, op_id op) {
  struct text value;
  return find_marker(m, op, marker_phases, &value) && says(value, "backward");
}

/* By function (and one for ops outside of any): has it phases? */
static bool *
find_phases(struct program *program, const function_id *of) {
  const struct ir_module *m = program->input;
  uint32_t functions = m->functions.count;
  bool *phases = ARENA_ARRAY(program->scratch, bool, functions + 1);
  struct text value;
  for (op_id op = 0; op < m->op_count; op++)
    if ((m->op_flags[op] & OP_HAS_MARKS) &&
        find_marker(m, op, marker_phases, &value))
      phases[of[op] == NONE ? functions : of[op]] = true;
  return phases;
}

/* Must clones of OP, in a function that has PHASES or not, serve backward ops
 * alone? */
static bool
is_scoped(const struct ir_module *m, op_id op, bool phases) {
  static const char *const keys[] = {"tessera.recompute_scope",
                                     "remat.recompute_scope", NULL};
  struct text value;
  if (find_marker(m, op, keys, &value))
    return says(value, "backward");
  return phases;
}

/* May OP be recomputed at all?  Says why not. */
static bool
check_recomputable(struct program *program, op_id op, const char *key) {
  const struct ir_module *m = program->input;
  struct text name = ir_op_name(m, op);
  if (program->facts->op_repeatable[op])
    return true;
  bool regions = m->op_region[op] != NONE;
  const char *why = facts_obstacle(program->scratch, program->rules,
                                   facts_of(program->facts, op));
  diagnose(program->diagnostics,
           regions ? DIAGNOSTIC_NON_CLONABLE : DIAGNOSTIC_EFFECTFUL,
           ir_op_location(m, op), "'%.*s' is marked %s, but %s%s%s",
           (int)name.size, name.data, key,
           regions ? "has regions that are not known to be pure"
                   : "is not known to be pure",
           why ? ": " : "", why ? why : "");
  return false;
}

static bool
check_conflict(struct program *program, op_id op, const char *key) {
  const struct ir_module *m = program->input;
  struct text value, name = ir_op_name(m, op);
  if (!ir_attribute(m, op, "remat.keep", &value))
    return true;
  diagnose(program->diagnostics, DIAGNOSTIC_INPUT, ir_op_location(m, op),
           "'%.*s' is marked both %s and remat.keep", (int)name.size, name.data,
           key);
  return false;
}

/* Does an op read OP before it stands, or from where no clone can serve it? */
static bool
is_read_early(const struct reads *reads, op_id op) {
  uint32_t begin = reads->reader_first[op];
  return begin < reads->reader_first[op + 1] && reads->readers[begin] < op;
}

/* Does a backward op, or a clone that serves one, read OP?  Those that stand
 * behind it are settled. */
static bool
serves_backward(const struct reads *reads, const uint8_t *selected,
                const bool *serves, op_id op) {
  for (uint32_t i = reads->reader_first[op]; i < reads->reader_first[op + 1];
       i++) {
    op_id reader = reads->readers[i];
    if ((selected[reader] & PLAN_BACKWARD) || serves[reader])
      return true;
  }
  return false;
}

/* Why the marker on OP has no effect, or NULL. */
static const char *
why_unused(const struct reads *reads, uint8_t mark, bool serves, op_id op) {
  if (reads->reader_first[op] == reads->reader_first[op + 1])
    return "nothing reads its results";
  if (is_read_early(reads, op))
    return "an op that stands before it reads it";
  if ((mark & PLAN_SCOPED) && !serves)
    return "no backward op reads its results";
  return NULL;
}

/* Take back markers that cannot have an effect, and say so. */
static void
drop_unused(struct program *program, uint8_t *selected) {
  struct reads reads;
  uint32_t count = program->input->op_count;
  bool *serves = ARENA_ARRAY(program->scratch, bool, count);
  reads_build(&reads, program->input, selected, program->scratch);
  for (op_id op = count; op-- > 0;)
    serves[op] = (selected[op] & PLAN_SELECTED) &&
                 serves_backward(&reads, selected, serves, op);
  for (op_id op = 0; op < count; op++) {
    const char *reason = selected[op] & PLAN_SELECTED
                             ? why_unused(&reads, selected[op], serves[op], op)
                             : NULL;
    if (!reason)
      continue;
    selected[op] &= (uint8_t)~(PLAN_SELECTED | PLAN_SCOPED | PLAN_MARKER);
    diagnose(program->diagnostics, DIAGNOSTIC_MARKER_UNUSED,
             ir_op_location(program->input, op),
             "the marker on this op has no effect: %s", reason);
  }
}

/* What markers say of OP, in a function that has PHASES or not; false after an
 * error. */
static bool
take_marker(struct program *program, op_id op, bool phases, uint8_t *selected) {
  const struct ir_module *m = program->input;
  struct text value;
  if (is_backward(m, op))
    selected[op] |= PLAN_BACKWARD;
  const char *key = recompute_marker(m, op);
  if (ir_attribute(m, op, "remat.keep", &value))
    selected[op] |= PLAN_KEEP;
  if (!key)
    return true;
  selected[op] |= PLAN_SELECTED | PLAN_MARKER;
  if (is_scoped(m, op, phases))
    selected[op] |= PLAN_SCOPED;
  bool recomputable = check_recomputable(program, op, key);
  return check_conflict(program, op, key) && recomputable;
}

static bool
execute_markers(struct program *program) {
  const struct ir_module *m = program->input;
  struct plan *plan = ARENA_NEW(program->arena, struct plan);
  const function_id *of = plan_functions_of_ops(program);
  const bool *phases = find_phases(program, of);
  bool good = true, any = false;
  plan->selected = ARENA_ARRAY(program->arena, uint8_t, m->op_count);
  plan->functions =
      ARENA_ARRAY(program->arena, struct plan_function, m->functions.count);
  for (op_id op = 0; op < m->op_count; op++) {
    if (!(m->op_flags[op] & OP_HAS_MARKS) || (m->op_flags[op] & OP_FUNCTION))
      continue;
    bool in_phases = phases[of[op] == NONE ? m->functions.count : of[op]];
    good &= take_marker(program, op, in_phases, plan->selected);
    any |= plan->selected[op] & PLAN_SELECTED;
  }
  program->plan = plan;
  if (good && any)
    drop_unused(program, plan->selected);
  for (op_id op = 0; good && op < m->op_count; op++)
    if ((plan->selected[op] & PLAN_MARKER) && of[op] != NONE)
      plan->functions[of[op]].marked++;
  return good;
}

static bool
gate_markers(const struct program *program) {
  return !program->options->analyze &&
         program->options->strategy != STRATEGY_NONE;
}

const struct pass pass_markers = {
    .name = "markers",
    .help = "take what markers in the dump say about recomputation",
    .requires_ = PROP_FACTS | PROP_BUFFERS,
    .provides = PROP_MARKS,
    .gate = gate_markers,
    .execute = execute_markers,
};
