/* remarks.c - say of each decision why it was taken or missed (-fopt-info).
 *
 *   step.mlir:41:10: optimized: recompute %38 at 2 places (12.0 MiB of the
 *   input's peak, costs 31.0 us; apple.rules:27)
 *   step.mlir:90:10: note: again for %80: frees 12.0 MiB from line 44 to here,
 *   where else 1.20 GiB would be live at %77, line 87; reads %3 (an argument)
 *   step.mlir:57:10: missed: keep %51, 8.00 MiB at the peak (random: hidden
 *   generator state; ops/stablehlo.rules:14)
 *
 * What is said was found by the pass `reasons`.  O(decisions + notes). */
#include "passes/budget.h"
#include "passes/options.h"
#include "passes/plan.h"
#include "support/human.h"

struct remarks {
  struct program *program;
  const struct ir_module *m;  /* the input */
  const struct ir_module *at; /* what is emitted */
  const struct facts *facts;  /* of that */
  const struct liveness *liveness;
  uint32_t *first_note; /* by op of the input: number + 1 of its function's */
  uint32_t *next_note;  /* by note of a function: the same */
};

static void
name_value(struct buffer *out, const struct ir_module *m, value_id value) {
  buffer_text(out, source_text(m->source, m->value_name[value]));
}

static void
add_place(struct buffer *out, struct rule_place place) {
  if (place.file)
    buffer_printf(out, "; %s:%u", place.file, place.line);
}

/* The bytes of OP's results that are live at TICK of the input. */
static uint64_t
bytes_at(const struct program *program, op_id op, uint32_t tick) {
  const struct ir_module *m = program->input;
  uint64_t bytes = 0;
  for (uint32_t r = 0; r < m->op_result_count[op]; r++) {
    value_id value = ir_result(m, op, r);
    uint32_t end = facts_first_leaf(program->facts, value + 1);
    for (uint32_t l = facts_first_leaf(program->facts, value); l < end; l++) {
      uint32_t buffer = program->buffers->leaf_buffer[l];
      if (buffer != NONE && buffers_live(program->buffers, buffer, tick))
        bytes = saturating_add(bytes, program->facts->leaf_bytes[l]);
    }
  }
  return bytes;
}

static void
remark_recomputed(struct remarks *r, const struct plan_decision *decision,
                  uint32_t peak_tick) {
  struct program *program = r->program;
  struct buffer text = {.arena = program->scratch};
  op_id op = decision->op;
  struct rules_cost cost = rules_op_cost(program->facts->binding, op);
  uint32_t places = decision->clones;
  buffer_string(&text, "recompute ");
  name_value(&text, r->m, ir_result(r->m, op, 0));
  buffer_printf(&text, " at %u place%s (", places, places == 1 ? "" : "s");
  uint64_t bytes = bytes_at(program, op, peak_tick);
  if (bytes) {
    human_bytes(&text, bytes);
    buffer_string(&text, " of the input's peak, ");
  }
  buffer_string(&text, "costs ");
  human_time(&text, decision->cost_ns);
  add_place(&text, cost.place);
  buffer_string(&text, ")");
  diagnose(program->diagnostics, DIAGNOSTIC_OPTIMIZED, ir_op_location(r->m, op),
           "%s", buffer_finish(&text));
}

/* Where AT of the input is, or the end of FUNCTION. */
static struct location
place_of(const struct remarks *r, op_id at, function_id function) {
  return at == NONE ? plan_location(r->m, function) : ir_op_location(r->m, at);
}

/* OP was kept, and holds memory at the peak. */
static void
remark_kept(struct remarks *r, const struct plan_decision *decision) {
  struct program *program = r->program;
  struct buffer text = {.arena = program->scratch};
  buffer_string(&text, "keep ");
  name_value(&text, r->m, ir_result(r->m, decision->op, 0));
  buffer_string(&text, ", ");
  human_bytes(&text, decision->saved_bytes);
  buffer_printf(&text, "%s (%s)", decision->at_peak ? " at the peak" : "",
                decision->reason ? decision->reason : "no reason is known");
  diagnose(program->diagnostics, DIAGNOSTIC_MISSED,
           ir_op_location(r->m, decision->op), "%s", buffer_finish(&text));
}

/* What is the caller's at the peak of FUNCTION. */
static void
remark_arguments(struct remarks *r, function_id function) {
  const struct plan_function *f = &r->program->plan->functions[function];
  struct buffer text = {.arena = r->program->scratch};
  if (!f->peak_argument_bytes)
    return;
  buffer_printf(&text, "keep %u argument%s, ", f->peak_arguments,
                f->peak_arguments == 1 ? "" : "s");
  human_bytes(&text, f->peak_argument_bytes);
  buffer_string(&text, " at the peak (they are the caller's)");
  diagnose(r->program->diagnostics, DIAGNOSTIC_MISSED,
           plan_location(r->m, function), "%s", buffer_finish(&text));
}

static void
remark_moved(struct remarks *r, op_id op) {
  struct buffer text = {.arena = r->program->scratch};
  buffer_string(&text, "move ");
  name_value(&text, r->m, ir_result(r->m, op, 0));
  buffer_string(&text, ", which costs nothing");
  diagnose(r->program->diagnostics, DIAGNOSTIC_OPTIMIZED,
           ir_op_location(r->m, op), "%s", buffer_finish(&text));
}

/* How good the plan of FUNCTION is, and how much better one could be. */
static void
remark_plan(struct remarks *r, function_id function) {
  struct program *program = r->program;
  const struct plan_function *plan = &program->plan->functions[function];
  const struct budget *budget = &program->budget[function];
  struct buffer text = {.arena = program->scratch};
  uint64_t before =
      plan_function_cost(program->input, program->facts, function);
  uint64_t after = plan_function_cost(r->at, r->facts, function);
  buffer_string(&text, "the peak goes from ");
  human_bytes(&text,
              budget_counted(budget, &program->liveness->functions[function]));
  buffer_string(&text, " to ");
  human_bytes(&text, budget_counted(budget, &r->liveness->functions[function]));
  buffer_string(&text, ", the cost from ");
  human_time(&text, before);
  buffer_string(&text, " to ");
  human_time(&text, after);
  if (plan->lower_bound_cost_ns) {
    buffer_string(&text, "; no plan within the budget costs less than ");
    human_time(&text, plan->lower_bound_cost_ns);
  }
  if (plan->lower_bound_bytes) {
    buffer_string(&text, "; no plan needs less than ");
    human_bytes(&text, plan->lower_bound_bytes);
  }
  diagnose(program->diagnostics, DIAGNOSTIC_OPTIMIZED,
           plan_location(program->input, function), "%s", buffer_finish(&text));
}

static bool
gate_remarks(const struct program *program) {
  return program->diagnostics->remarks && !program->options->analyze &&
         !program->options->pareto &&
         program->options->strategy != STRATEGY_NONE;
}

/* The notes on OP of function F, behind its remark. */
static void
remark_notes(struct remarks *r, function_id function, op_id op) {
  const struct plan_function *f = &r->program->plan->functions[function];
  for (uint32_t i = r->first_note[op]; i; i = r->next_note[i - 1]) {
    const struct plan_note *note = &f->notes.data[i - 1];
    diagnose_note(r->program->diagnostics, place_of(r, note->at, function),
                  "%s", note->text);
  }
}

/* Chain the notes of F by op, in the order in which they stand. */
static void
chain_notes(struct remarks *r, const struct plan_function *f) {
  r->next_note = ARENA_ARRAY(r->program->scratch, uint32_t, f->notes.count + 1);
  for (uint32_t i = f->notes.count; i-- > 0;) {
    op_id op = f->notes.data[i].op;
    r->next_note[i] = r->first_note[op];
    r->first_note[op] = i + 1;
  }
}

static void
remark_decision(struct remarks *r, function_id function,
                const struct plan_decision *decision) {
  const struct program *program = r->program;
  const struct liveness_function *live =
      &program->liveness->functions[function];
  if (!r->m->op_result_count[decision->op])
    return;
  if (!decision->taken)
    remark_kept(r, decision);
  else if (decision->clones)
    remark_recomputed(r, decision,
                      program->budget[function].temporaries
                          ? live->peak_temp_tick
                          : live->peak_tick);
  else
    remark_moved(r, decision->op);
  if (decision->taken)
    remark_notes(r, function, decision->op);
}

/* What was done in FUNCTION, what that is good for, what was not done. */
static void
remark_function(struct remarks *r, function_id function) {
  const struct plan_function *f = &r->program->plan->functions[function];
  chain_notes(r, f);
  for (uint32_t i = 0; i < f->decisions.count; i++)
    if (f->decisions.data[i].taken)
      remark_decision(r, function, &f->decisions.data[i]);
  if (f->planned && r->program->made && !f->refused)
    remark_plan(r, function);
  for (uint32_t i = 0; i < f->decisions.count; i++)
    if (!f->decisions.data[i].taken)
      remark_decision(r, function, &f->decisions.data[i]);
  remark_arguments(r, function);
}

static bool
execute_remarks(struct program *program) {
  bool made = program->made != NULL;
  struct remarks r = {
      .program = program,
      .m = program->input,
      .at = made ? program->made : program->input,
      .facts = made ? program->made_facts : program->facts,
      .liveness = made ? program->made_liveness : program->liveness,
      .first_note =
          ARENA_ARRAY(program->scratch, uint32_t, program->input->op_count)};
  for (function_id f = 0; f < program->input->functions.count; f++)
    if (r.liveness->functions[f].runs)
      remark_function(&r, f);
  return true;
}

const struct pass pass_remarks = {
    .name = "remarks",
    .help = "say of each decision why it was taken or missed (-fopt-info)",
    .gate = gate_remarks,
    .execute = execute_remarks,
    .requires_ =
        PROP_FACTS | PROP_BUFFERS | PROP_LIVENESS | PROP_BUDGET | PROP_MARKS,
};
